"""Clients of simulation_interfaces 1.x and 2.x at the same time on one simulator: the types have the same names and are
not the same on the wire, so each is answered in its own line."""

import json
import os
import pathlib
import subprocess
import sys

from action_msgs.msg import GoalStatus
from simulation_interfaces.msg import Result

from client import place

ROUNDS = 4 if os.environ["NETNS_LAYOUT"] == "bad" else 20


def in_line_1(*arguments):
    """Starts line1_client.py with the definitions of 1.x, where this process has those of 2.x."""
    environment = dict(os.environ)
    for name in ("AMENT_PREFIX_PATH", "LD_LIBRARY_PATH", "PYTHONPATH"):
        assert "simulation_interfaces@2.x" in environment[name], f"{name} has no line 2.x"
        environment[name] = environment[name].replace("simulation_interfaces@2.x", "simulation_interfaces@1.x")
    script = pathlib.Path(__file__).with_name("line1_client.py")
    return subprocess.Popen([sys.executable, str(script), *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def test_clients_of_both_lines_are_answered_in_theirs_at_the_same_time(simdeck, ros):
    ros.pause()
    uris = sorted(s.entity_resource.uri for s in ros.ok("get_spawnables").spawnables)
    crate = next(uri for uri in uris if "crate" in uri)
    old = in_line_1(simdeck.domain, ROUNDS)
    i = 0
    while old.poll() is None and "old_0" not in ros.names():  # until both speak
        ros.spin()
    while i < ROUNDS or old.poll() is None and f"old_{ROUNDS - 1}" not in ros.names():
        name = ros.spawn(f"new_{i}", crate, pose=place(-30 - i, 0, 1))
        state = ros.state(name)
        state.pose.position.y = -5.0
        ros.ok("set_entity_state", entity=name, state=state, set_pose=True)
        assert ros.state(name).pose.position.y == -5.0
        i += 1
    text, _ = old.communicate("load the world\n", timeout=120)
    assert old.returncode == 0, f"the client of 1.x ended with {old.returncode}: {text}\n{simdeck.text()[-4000:]}"
    heard = json.loads(text)
    assert heard["spawnables"] == uris
    assert heard["formats"] == ros.call("get_simulator_features").features.spawn_formats
    assert heard["spawned"] == [f"old_{k}" for k in range(ROUNDS)]
    assert heard["y"] == 5.0
    assert heard["steps"] == [GoalStatus.STATUS_SUCCEEDED, Result.RESULT_OK]
    assert heard["world"] and heard["loaded"] == [Result.RESULT_OK, heard["world"]]
