"""A simulator that means harm: every string that it tells holds commands to a terminal, and its places are none. Run by test_liar.py.

    liar.py DOMAIN
"""

import math
import sys

import rclpy
from rclpy.executors import ExternalShutdownException
from simulation_interfaces import msg, srv

# Sets the clipboard, the title and a link, clears the screen, asks for an answer; C1 as UTF-8; turns the direction; a line of its own.
COMMANDS = "\x1b]52;c;aGFja2Vk\x07\x1b]0;pwned\x07\x1b]8;;http://evil\x1b\\\x1b[2J\x1b[6n\x1b[31mX\u009b31m\u0085\u202egnp\x7f\r\nsimdeck: all is well"
NAMES = [f"a{COMMANDS}", f"b{COMMANDS}", "c\u009b31m", "far", "away", "ok"]
PLACES = [(1.0, 1.0), (1e17, 1.8e16), (math.inf, math.nan), (1e17, 0.0), (-1e300, 1e300), (5e-324, 2.0)]
OK = msg.Result(result=msg.Result.RESULT_OK)
REFUSED = msg.Result(result=msg.Result.RESULT_OPERATION_FAILED, error_message=COMMANDS)


class Liar:
    def __init__(self):
        self.node = rclpy.create_node("liar")
        for kind, answer in {
            srv.GetSimulatorFeatures: self.features, srv.GetEntities: self.entities, srv.GetEntitiesStates: self.states, srv.GetEntityInfo: self.info,
            srv.GetEntityBounds: self.bounds, srv.GetSimulationState: self.state, srv.GetCurrentWorld: self.world, srv.GetNamedPoses: self.poses,
            srv.GetSpawnables: self.spawnables, srv.DeleteEntity: self.refuse, srv.SetSimulationState: self.refuse,
        }.items():
            name = "".join("_" + c.lower() if c.isupper() else c for c in kind.__name__).lstrip("_")
            self.node.create_service(kind, f"~/{name}", answer)

    def features(self, _, a):
        a.features.features = list(range(1, 16))
        a.features.custom_info = COMMANDS
        return a

    def entities(self, _, a):
        a.result, a.entities = OK, NAMES
        return a

    def states(self, _, a):
        a.result, a.entities = OK, NAMES
        for x, y in PLACES:
            s = msg.EntityState()
            s.header.frame_id = COMMANDS
            s.pose.orientation.w = 1.0
            s.pose.position.x, s.pose.position.y = x, y
            s.twist.linear.x = x
            a.states.append(s)
        return a

    def info(self, _, a):
        a.result = OK
        a.info.category.category = msg.EntityCategory.CATEGORY_ROBOT
        a.info.description, a.info.tags = COMMANDS, [COMMANDS]
        return a

    def bounds(self, _, a):
        a.result = OK
        a.bounds.type = msg.Bounds.TYPE_BOX
        for x in (1e300, -math.inf):
            p = type(msg.EntityState().pose.position)(x=x, y=x, z=x)
            a.bounds.points.append(vector(p))
        return a

    def state(self, _, a):
        a.result = OK
        a.state.state = msg.SimulationState.STATE_PLAYING
        return a

    def world(self, _, a):
        a.result = OK
        a.world.name, a.world.description = "w" + COMMANDS, COMMANDS
        return a

    def poses(self, _, a):
        a.result = OK
        p = msg.NamedPose(name="p" + COMMANDS, description=COMMANDS, tags=[COMMANDS])
        p.pose.position.x = 1e17
        a.poses = [p]
        return a

    def spawnables(self, _, a):
        a.result = OK
        a.spawnables = [msg.Spawnable(description=COMMANDS)]
        return a

    def refuse(self, _, a):
        a.result = REFUSED
        return a


def vector(p):
    from geometry_msgs.msg import Vector3

    return Vector3(x=p.x, y=p.y, z=p.z)


if __name__ == "__main__":
    rclpy.init(domain_id=int(sys.argv[1]))
    liar = Liar()
    print("ready", flush=True)
    try:
        rclpy.spin(liar.node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
