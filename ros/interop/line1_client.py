"""A client of simulation_interfaces 1.x: asks the simulator of a domain for everything that differs in that line, and
prints what it heard as a line of JSON. Run by test_lines.py, in the environment of 1.x."""

import json
import sys

import rclpy
from geometry_msgs.msg import PoseStamped
from rclpy.action import ActionClient
from simulation_interfaces import srv
from simulation_interfaces.action import SimulateSteps

PATIENCE = 30.0


class Client:
    def __init__(self, domain):
        rclpy.init(domain_id=domain)
        self.node = rclpy.create_node("old")

    def wait(self, future):
        rclpy.spin_until_future_complete(self.node, future, timeout_sec=PATIENCE)
        assert future.done(), "no answer"
        return future.result()

    def call(self, name, kind, /, **fields):
        client = self.node.create_client(kind, f"/{name}")
        assert client.wait_for_service(PATIENCE), f"no {name}"
        return self.wait(client.call_async(kind.Request(**fields)))

    def steps(self, n):
        client = ActionClient(self.node, SimulateSteps, "/simulate_steps")
        assert client.wait_for_server(PATIENCE)
        goal = self.wait(client.send_goal_async(SimulateSteps.Goal(steps=n)))
        return self.wait(goal.get_result_async())


def main(domain, rounds):
    assert not hasattr(srv.SetEntityState.Request(), "set_pose"), "these are the definitions of 2.x"
    client, heard = Client(domain), {}
    heard["formats"] = list(client.call("get_simulator_features", srv.GetSimulatorFeatures).features.spawn_formats)
    uris = [s.uri for s in client.call("get_spawnables", srv.GetSpawnables).spawnables]
    heard["spawnables"] = sorted(uris)
    crate = next(u for u in uris if "crate" in u)
    names = []
    for i in range(rounds):
        pose = PoseStamped()
        pose.pose.position.x, pose.pose.position.z = 30.0 + i, 1.0
        spawned = client.call("spawn_entity", srv.SpawnEntity, name=f"old_{i}", uri=crate, initial_pose=pose)
        assert spawned.result.result == 1, spawned.result
        names.append(spawned.entity_name)
        state = client.call("get_entity_state", srv.GetEntityState, entity=f"old_{i}").state
        state.pose.position.y = 5.0
        moved = client.call("set_entity_state", srv.SetEntityState, entity=f"old_{i}", state=state)
        assert moved.result.result == 1, moved.result
        heard["y"] = client.call("get_entity_state", srv.GetEntityState, entity=f"old_{i}").state.pose.position.y
    heard["spawned"] = names
    steps = client.steps(10)
    heard["steps"] = [steps.status, steps.result.result.result]
    sys.stdin.readline()  # what others have spawned goes with the world: they say when they are done
    world = client.call("get_current_world", srv.GetCurrentWorld).world
    heard["world"] = world.name
    loaded = client.call("load_world", srv.LoadWorld, uri=world.world_resource.uri)
    heard["loaded"] = [loaded.result.result, loaded.world.name]
    print(json.dumps(heard), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
