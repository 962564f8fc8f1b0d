"""Discovery ranges, static peers and a discovery server: who finds whom, on one host and between two."""

import os
import subprocess
import sys

import pytest

SUBNET, LOCALHOST, OFF = ({"ROS_AUTOMATIC_DISCOVERY_RANGE": r} for r in ("SUBNET", "LOCALHOST", "OFF"))
SERVER = {"ROS_DISCOVERY_SERVER": "127.0.0.1:11811"}
PEER = {"ROS_STATIC_PEERS": "10.77.0.2"}  # of netns.sh: simdeck's host, where there are two

# A node of its own process, as the settings are read once: it says whether it has seen simdeck.
LOOK = """
import sys, time, rclpy
rclpy.init()
node = rclpy.create_node("looker")
end = time.monotonic() + float(sys.argv[1])
while (seen := "simdeck" in node.get_node_names()) is False and time.monotonic() < end:
    time.sleep(0.05)
print("seen" if seen else "hidden")
"""


def look(simdeck, settings, patience):
    env = {k: v for k, v in os.environ.items() if k not in ("ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_STATIC_PEERS", "ROS_DISCOVERY_SERVER")}
    done = subprocess.run([sys.executable, "-c", LOOK, str(patience)], env={**env, **settings, "ROS_DOMAIN_ID": str(simdeck.domain)},
                          stdout=subprocess.PIPE, text=True, timeout=patience + 60, check=True)
    simdeck.check()
    return done.stdout.split()[-1]


# simdeck's settings, the node's, whether it is seen on one host, and whether between two
PAIRS = {
    "both-subnet": (SUBNET, SUBNET, True, True),
    "node-localhost": (SUBNET, LOCALHOST, True, False),
    "simdeck-localhost": (LOCALHOST, SUBNET, True, False),
    "both-localhost": (LOCALHOST, LOCALHOST, True, False),
    "node-off": (SUBNET, OFF, False, False),
    "simdeck-off": (OFF, SUBNET, False, False),
    "static-peer": (SUBNET, PEER, True, True),
    "discovery-server": (SUBNET, SERVER, False, False),  # simdeck doctor says so
}


@pytest.mark.parametrize("pair", PAIRS)
def test_ranges_and_peers_decide_who_is_found(start, pair):
    ours, theirs, near, far = PAIRS[pair]
    seen = far if os.environ.get("NETNS_PEER") else near
    assert look(start("empty", settings=ours), theirs, 30 if seen else 4) == ("seen" if seen else "hidden")
