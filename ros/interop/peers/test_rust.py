"""A client on RustDDS and ros2-client: it does one thing at a time and says what it saw."""

import json
import math
import os
import subprocess

import pytest

PEER = os.environ.get("SIMDECK_RUST_PEER", "")
PLAYING, OK, NOT_FOUND = 1, 1, 2
SUCCEEDED, CANCELED, ABORTED = 4, 5, 6
FAILED = 4


@pytest.fixture(scope="module")
def rust(simdeck):
    def act(*words, domain=simdeck.domain):
        done = subprocess.run([PEER, str(domain), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        simdeck.check()
        assert done.returncode == 0, f"{words}: {done.stdout} {done.stderr}\nsimdeck: {simdeck.text()[-2000:]}"
        return json.loads(done.stdout.splitlines()[-1])

    return act


@pytest.fixture(scope="module")
def topics(rust):
    return rust("graph", "/odom", "/scan", "/points", "/clock")["topics"]


def topic(topics, ending):
    return sorted(t[2:] for t in topics if t.startswith("rt/") and t.endswith(ending) and t.count("/") == 2)[0]  # cameras have one more name


def stamps(messages):
    times = [m["header"]["stamp"] for m in messages]
    return [t["sec"] * 1_000_000_000 + t["nanosec"] for t in times]


def steps(times):
    return [b - a for a, b in zip(times, times[1:])]


def test_the_node_and_its_topics_are_found(rust, simdeck):
    found = rust("graph", "/tf_static", "/spawn_entityReply")  # it has a /clock of its own, of another type
    assert found["node"] == "/simdeck"
    assert found["topics"]["rt/tf_static"] == "tf2_msgs::msg::dds_::TFMessage_"
    assert found["topics"]["rr/spawn_entityReply"] == "simulation_interfaces::srv::dds_::SpawnEntity_Response_"
    assert "cannot be read" not in simdeck.text(), "simdeck does not understand what it says of its node"


@pytest.mark.parametrize("quality", ["reliable", "best_effort"])
def test_the_clock_runs_forward(rust, quality):
    times = [m["clock"]["sec"] * 1_000_000_000 + m["clock"]["nanosec"] for m in rust("listen", "/clock", "rosgraph_msgs/Clock", quality, 100)]
    assert len(times) == 100 and times[0] < times[-1] and all(step >= 0 for step in steps(times))


@pytest.mark.parametrize("quality", ["reliable", "best_effort"])
def test_scans_see_the_room(rust, topics, quality):
    scans = rust("listen", topic(topics, "/scan"), "sensor_msgs/LaserScan", quality, 8)
    for s in scans:
        seen = [r for r in s["ranges"] if r is not None and math.isfinite(r)]  # infinity is null in JSON
        assert len(s["ranges"]) >= 90 and len(seen) > len(s["ranges"]) / 2
        assert all(s["range_min"] <= r <= s["range_max"] for r in seen)
    if quality == "reliable":
        want = round(scans[0]["scan_time"] * 1e9)
        assert all(abs(step - want) <= 2_000_000 for step in steps(stamps(scans)))


@pytest.mark.parametrize("quality", ["reliable", "best_effort"])
def test_clouds_of_a_megabyte_arrive_whole(rust, topics, quality):
    clouds = rust("listen", topic(topics, "/points"), "sensor_msgs/PointCloud2", quality, 5)
    for c in clouds:
        assert c["size"] >= 1_000_000 and c["size"] == c["row"] * c["rows"]
        assert c["filled"] == pytest.approx(clouds[0]["filled"], abs=0.01) and c["filled"] > 0.3, "a piece is missing"
    if quality == "reliable":
        assert len(set(steps(stamps(clouds)))) == 1, "a cloud is missing"


def test_what_is_latched_is_there_for_the_late(rust, topics):
    (late,) = rust("listen", "/tf_static", "tf2_msgs/TFMessage", "latched", 1)
    assert late["transforms"] and all(t["child_frame_id"] for t in late["transforms"])


@pytest.mark.parametrize("padding", [0, 1_000_000], ids=["small", "a megabyte"])
def test_entities_come_and_go(rust, padding):
    seen = rust("visit", "rusty", 70, 3, padding)
    assert seen["state"] == PLAYING
    for k, v in enumerate(seen["visits"]):
        assert (v["name"], v["spawned"], v["listed"], v["deleted"], v["again"]) == (f"rusty_{k}", OK, True, OK, NOT_FOUND), v
        assert v["at"] == [pytest.approx(70 + k, abs=0.1), pytest.approx(70, abs=0.1)] and f"rusty_{k}" in v["why"]


def test_a_robot_drives_where_it_is_told(rust, topics):
    robot = topic(topics, "/odom")[1: -len("/odom")]
    gone = rust("drive", robot, 0.25)
    assert gone["gone"] == pytest.approx(0.25, abs=0.1) and gone["heard"] > 10


def test_a_parameter_is_read_and_set(rust):
    assert rust("parameters", 2.0) == {"before": 1.0, "done": [True], "after": 2.0}
    assert rust("parameters", 1.0) == {"before": 2.0, "done": [True], "after": 1.0}


def test_the_stepping_action_tells_ends_and_is_cancelled(rust, start):
    assert rust("steps", 5, 0)["status"] == ABORTED, "stepping needs a pause"
    paused = start("--paused")
    done = rust("steps", 300, 0, domain=paused.domain)
    assert (done["accepted"], done["status"], done["result"]["result"]) == (True, SUCCEEDED, OK)
    assert done["feedback"][-1] == 300 and done["feedback"] == sorted(set(done["feedback"]))
    given_up = rust("steps", 10_000_000, 3, domain=paused.domain)
    assert (given_up["status"], given_up["result"]["result"]) == (CANCELED, FAILED) and given_up["canceled"] == {"code": 0, "goals": 1}
    paused.quit()
