"""A visit of a user with rclpy, in whichever line of simulation_interfaces the environment has: as visit in ../rust/src/main.rs.

visit_rclpy.py DOMAIN NAME Y ROUNDS PADDING
"""

import json
import sys

import rclpy
from geometry_msgs.msg import PoseStamped
from rclpy.qos import qos_profile_sensor_data
from rosgraph_msgs.msg import Clock
from simulation_interfaces import srv

from model import BOX

domain, name, y, rounds, padding = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
rclpy.init(domain_id=int(domain))
node = rclpy.create_node(f"{name}_client")
ticks = []
node.create_subscription(Clock, "/clock", lambda m: ticks.append((m.clock.sec, m.clock.nanosec)), qos_profile_sensor_data)
callers = {n: node.create_client(getattr(srv, kind), n) for n, kind in {
    "/get_simulation_state": "GetSimulationState", "/spawn_entity": "SpawnEntity", "/get_entities": "GetEntities",
    "/get_entity_state": "GetEntityState", "/delete_entity": "DeleteEntity"}.items()}


def call(name, /, **fields):
    assert callers[name].wait_for_service(30), f"no service {name}"
    future = callers[name].call_async(callers[name].srv_type.Request(**fields))
    rclpy.spin_until_future_complete(node, future, timeout_sec=30)
    assert future.done(), f"no answer of {name}"
    return future.result()


def model(text):
    if "entity_resource" not in srv.SpawnEntity.Request.get_fields_and_field_types():  # 1.x
        return {"resource_string": text}
    from simulation_interfaces.msg import Resource
    return {"entity_resource": Resource(resource_string=text)}


state = call("/get_simulation_state").state.state
assert all(c.wait_for_service(30) for c in callers.values())
while not ticks:
    rclpy.spin_once(node, timeout_sec=1)
print("ready", flush=True)
sys.stdin.readline()
visits = []
for k in range(rounds):
    pose = PoseStamped()
    pose.pose.position.x, pose.pose.position.y, pose.pose.position.z = 70.0 + k, y, 0.1
    spawned = call("/spawn_entity", name=f"{name}_{k}", initial_pose=pose, **model(BOX.replace("<model", f"<!-- {'x' * padding} --><model")))
    entity = spawned.entity_name
    listed = entity in call("/get_entities").entities
    at = call("/get_entity_state", entity=entity).state.pose.position
    deleted, again = call("/delete_entity", entity=entity).result, call("/delete_entity", entity=entity).result
    visits.append({"name": entity, "spawned": spawned.result.result, "listed": listed, "at": [at.x, at.y],
                   "deleted": deleted.result, "again": again.result, "why": again.error_message})
back = [(a, b) for a, b in zip(ticks, ticks[1:]) if a > b]
assert not back and ticks[0] < ticks[-1], f"the clock went back: {back[:5]}"
print(json.dumps({"state": state, "visits": visits}))
rclpy.shutdown()
