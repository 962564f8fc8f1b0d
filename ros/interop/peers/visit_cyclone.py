"""A visit of a user on Cyclone DDS: as visit in ../rust/src/main.rs.

visit_cyclone.py DOMAIN NAME Y ROUNDS PADDING LINE     LINE of simulation_interfaces: 1.x or 2.x
"""

import json
import sys

import idl
from dds import Caller, Peer, nanoseconds
from model import BOX

domain, name, y, rounds, padding, line = int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]), sys.argv[6]
peer = Peer(domain)
clock = peer.listen(idl.Clock, "/clock")
spawn = Caller(peer, "spawn_entity", **({"kinds": idl.SPAWN_2, "hashes": idl.SPAWN_2_HASHES} if line == "2.x" else {"kinds": idl.SPAWN_1}))


def model(text):
    return {"entity_resource": idl.Resource("", text)} if line == "2.x" else {"resource_string": text}


state = peer.call("get_simulation_state").state.state
peer.until(spawn.ready, "spawn_entity")
peer.until(lambda: clock.last, "the clock")
print("ready", flush=True)
sys.stdin.readline()
visits = []
for k in range(rounds):
    pose = idl.new(idl.PoseStamped, pose=idl.new(idl.Pose, position=idl.Point(70.0 + k, y, 0.1)))
    spawned = spawn.call(name=f"{name}_{k}", initial_pose=pose, **model(BOX.replace("<model", f"<!-- {'x' * padding} --><model")))
    entity = spawned.entity_name
    listed = entity in peer.ok("get_entities").entities
    at = peer.ok("get_entity_state", entity=entity).state.pose.position
    deleted, again = peer.call("delete_entity", entity=entity).result, peer.call("delete_entity", entity=entity).result
    visits.append({"name": entity, "spawned": spawned.result.result, "listed": listed, "at": [at.x, at.y],
                   "deleted": deleted.result, "again": again.result, "why": again.error_message})
ticks = [nanoseconds(m.clock) for m in clock.messages]
back = [(a, b) for a, b in zip(ticks, ticks[1:]) if a > b]
assert not back and ticks[0] < ticks[-1], f"the clock went back: {back[:5]}"
print(json.dumps({"state": state, "visits": visits}))
peer.close()
