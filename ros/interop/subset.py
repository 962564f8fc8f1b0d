"""A simulator that is not simdeck: rclpy, without physics, that serves half of simulation_interfaces under the name of its node, in
the line of its environment, with mistakes that are found in real ones. Each is marked "wrong" or "own way". Run by test_others.py.

    subset.py DOMAIN NAME
"""

import copy
import re
import sys

import rclpy
from builtin_interfaces.msg import Time
from rclpy.executors import ExternalShutdownException
from rosgraph_msgs.msg import Clock
from simulation_interfaces import msg, srv

STEP = 1_000_000  # ns of simulated time
OK, NOT_FOUND, FAILED = msg.Result.RESULT_OK, msg.Result.RESULT_NOT_FOUND, msg.Result.RESULT_OPERATION_FAILED
State, Feature = msg.SimulationState, msg.SimulatorFeatures
LINE_2 = hasattr(srv.SetEntityState.Request(), "set_pose")
SPAWNABLE = "model://ball"


def result(code=OK, why=""):
    return msg.Result(result=code, error_message=why)


class Simulator:
    def __init__(self, name):
        self.node = rclpy.create_node(name)
        self.state, self.time, self.entities, self.first = State.STATE_PAUSED, 0, {}, {}
        self.clock = self.node.create_publisher(Clock, "/clock", 10)
        self.node.create_timer(0.01, self.tick)
        for kind in (srv.GetSimulatorFeatures, srv.GetSpawnables, srv.SpawnEntity, srv.DeleteEntity, srv.GetEntities, srv.GetEntityState,
                     srv.SetEntityState, srv.GetSimulationState, srv.SetSimulationState, srv.StepSimulation, srv.ResetSimulation):
            snake = re.sub("(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
            self.node.create_service(kind, f"~/{snake}", getattr(self, snake))
        for k in (1, 2):
            self.add(f"post_{k}", msg.EntityState())
        self.home = dict(self.first)

    def add(self, name, state):
        self.entities[name], self.first[name] = state, copy.deepcopy(state)

    def advance(self, steps):
        self.time += steps * STEP
        self.clock.publish(Clock(clock=self.now()))

    def now(self):
        return Time(sec=self.time // 10**9, nanosec=self.time % 10**9)

    def tick(self):
        if self.state == State.STATE_PLAYING:
            self.advance(10)

    def get_simulator_features(self, _, answer):
        answer.features.features = [
            Feature.SPAWNING, Feature.DELETING, Feature.ENTITY_STATE_GETTING, Feature.ENTITY_STATE_SETTING, Feature.SPAWNABLES,
            Feature.SIMULATION_RESET, Feature.SIMULATION_RESET_TIME, Feature.SIMULATION_RESET_STATE, Feature.SIMULATION_RESET_SPAWNED,
            Feature.SIMULATION_STATE_GETTING, Feature.SIMULATION_STATE_SETTING, Feature.SIMULATION_STATE_PAUSE,
            Feature.STEP_SIMULATION_SINGLE, Feature.STEP_SIMULATION_MULTIPLE,
            Feature.NAMED_POSES]  # wrong: they are not served
        answer.features.spawn_formats = ["sdf"]
        return answer

    def get_spawnables(self, _, answer):
        ball = msg.Spawnable(description="a ball")
        if LINE_2:
            ball.entity_resource.uri = SPAWNABLE
        else:
            ball.uri = SPAWNABLE
        answer.result, answer.spawnables = result(), [ball]
        return answer

    def spawn_entity(self, request, answer):
        uri = request.entity_resource.uri if LINE_2 else request.uri
        text = request.entity_resource.resource_string if LINE_2 else request.resource_string
        if not uri and not text:
            answer.result = result(srv.SpawnEntity.Response.NO_RESOURCE, "neither a URI nor a text")
            return answer
        if uri != SPAWNABLE:
            answer.result = result(FAILED, f"no model {uri!r}: want {SPAWNABLE}")
            return answer
        name = request.name or ("ball" if request.allow_renaming else "")
        if not name:
            answer.result = result(srv.SpawnEntity.Response.NAME_INVALID, "no name")
            return answer
        if name in self.entities:
            if not request.allow_renaming:
                answer.result = result(srv.SpawnEntity.Response.NAME_NOT_UNIQUE)  # wrong: no reason is given
                return answer
            name = next(f"{name}_{k}" for k in range(1, 1000) if f"{name}_{k}" not in self.entities)
        self.add(name, msg.EntityState(pose=request.initial_pose.pose))  # wrong: takes NaN, and any frame
        answer.result, answer.entity_name = result(), name
        return answer

    def delete_entity(self, request, answer):
        there = self.entities.pop(request.entity, None)
        answer.result = result() if there else result(FAILED, "delete failed")  # wrong: it is NOT_FOUND
        return answer

    def get_entities(self, request, answer):
        try:
            wanted = re.compile(request.filters.filter or ".*")
        except re.error:
            answer.result = result()  # wrong: an expression that cannot be read finds nothing
            return answer
        answer.result, answer.entities = result(), sorted(n for n in self.entities if wanted.fullmatch(n))  # own way: the whole name
        return answer

    def get_entity_state(self, request, answer):
        if request.entity not in self.entities:
            answer.result = result(NOT_FOUND, f"no entity {request.entity!r}")
            return answer
        answer.result, answer.state = result(), self.entities[request.entity]
        answer.state.header.stamp, answer.state.header.frame_id = self.now(), "world"
        return answer

    def set_entity_state(self, request, answer):
        if request.entity not in self.entities:
            answer.result = result(NOT_FOUND, f"no entity {request.entity!r}")
            return answer
        self.entities[request.entity] = request.state  # wrong in 2.x: all of it, whatever the flags say
        answer.result = result()
        return answer

    def get_simulation_state(self, _, answer):
        answer.result, answer.state.state = result(), self.state
        return answer

    def set_simulation_state(self, request, answer):
        if request.state.state not in (State.STATE_STOPPED, State.STATE_PLAYING, State.STATE_PAUSED, State.STATE_QUITTING):
            answer.result = result(77, "no such state")  # wrong: there is no such code
            return answer
        self.state = request.state.state  # own way: also when it is in it
        if self.state == State.STATE_STOPPED:
            self.reset()
        answer.result = result()
        return answer

    def step_simulation(self, request, answer):
        self.advance(request.steps or 1)  # own way: none are one; and it steps while it plays
        answer.result = result()
        return answer

    def reset_simulation(self, request, answer):
        scope, r = request.scope, srv.ResetSimulation.Request
        if scope not in (r.SCOPE_DEFAULT, r.SCOPE_TIME, r.SCOPE_STATE, r.SCOPE_SPAWNED, r.SCOPE_ALL):  # wrong: the scopes are bits
            answer.result = result(msg.Result.RESULT_FEATURE_UNSUPPORTED, f"no scope {scope}")
            return answer
        self.reset(scope or r.SCOPE_ALL)
        answer.result = result()
        return answer

    def reset(self, scope=255):
        if scope & 1:
            self.time = 0
        if scope & 4:
            self.first = dict(self.home)
            self.entities = {n: s for n, s in self.entities.items() if n in self.home}
        if scope & 2:
            self.entities = {n: copy.deepcopy(s) for n, s in self.first.items() if n in self.entities or scope == 255}


if __name__ == "__main__":
    rclpy.init(domain_id=int(sys.argv[1]))
    simulator = Simulator(sys.argv[2])
    print("ready", flush=True)
    try:
        rclpy.spin(simulator.node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass  # told to end
