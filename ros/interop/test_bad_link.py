"""Delivery over any link between two hosts, a bad one above all: reliable samples come once and in order, nobody waits for ever,
and both find each other again after the cable was out."""

import subprocess

import pytest
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan, PointCloud2
from tf2_msgs.msg import TFMessage

from client import BEST_EFFORT, EVERYTHING, LATCHED, RELIABLE, nanoseconds

LONGER_THAN_A_LEASE = 25.0  # seconds; those of Fast DDS and of simdeck have 20


def test_every_tick_of_a_reliable_clock_comes_once_and_in_order(ros):
    ros.pause()
    clock = ros.listen(Clock, "/clock", EVERYTHING)
    ros.until(lambda: clock.last, "the time that there is")
    start = ros.now()
    ros.ok("step_simulation", steps=1)
    dt = ros.now() - start
    for k in range(10):  # no more at once than a writer keeps
        end = start + (1 + 100 * (k + 1)) * dt
        ros.ok("step_simulation", steps=100)
        ros.until(lambda: nanoseconds(clock.last.clock) == end, "the tick of the last step")
    ticks = [nanoseconds(m.clock) for m in clock.messages if nanoseconds(m.clock) > start]
    assert ticks == sorted(set(ticks)), "a tick came twice, or too late"
    apart = max(b - a for a, b in zip(ticks, ticks[1:]))
    assert len(ticks) > 300 and apart <= 12_000_000, f"ticks are missing: there are {len(ticks)}, up to {apart} ns apart"
    ros.forget(clock)
    ros.play()


def test_each_of_a_hundred_requests_is_answered_once(ros):
    ros.pause()
    names = ros.names()
    places = {name: ros.state(name).pose.position.x for name in names}
    for turn in range(10):
        waiting = [(name, ros.begin("get_entity_state", entity=name)) for k in range(10) for name in [names[(turn + k) % len(names)]]]
        ros.until(lambda: all(f.done() for _, f in waiting), lambda: f"answers, {sum(f.done() for _, f in waiting)} of 10 came")
        for name, future in waiting:  # no more at once than a client keeps
            assert future.result().result.result == 1 and future.result().state.pose.position.x == places[name]
    ros.play()


@pytest.mark.parametrize("qos", [RELIABLE, BEST_EFFORT], ids=["reliable", "best effort"])
def test_scans_come_in_order_and_fresh(ros, qos):
    ros.play()
    topic = ros.until(lambda: sorted(t for t, _ in ros.node.get_topic_names_and_types() if t.endswith("/scan")), "a robot with a lidar")[0]
    scans = ros.listen(LaserScan, topic, qos)
    ros.until(lambda: len(scans.messages) >= 20, "20 scans", 60)
    stamps = [nanoseconds(m.header.stamp) for m in scans.messages]
    assert stamps == sorted(set(stamps))
    if qos is RELIABLE:
        want = round(scans.last.scan_time * 1e9)
        assert all(abs(b - a - want) <= 2_000_000 for a, b in zip(stamps, stamps[1:])), "a scan is missing"
    lag = ros.now() - nanoseconds(scans.last.header.stamp)
    assert lag < 3_000_000_000, f"the last scan is {lag / 1e9:.1f} s old"
    ros.forget(scans)


def test_a_cloud_of_a_megabyte_comes_whole(ros):
    def lidars():
        return [t for t, _ in ros.node.get_topic_names_and_types() if t.endswith("/points") and t.count("/") == 2]  # cameras have one more name

    topic = ros.until(lidars, "a robot with a 3D lidar")[0]
    clouds = ros.listen(PointCloud2, topic, RELIABLE)
    ros.until(lambda: len(clouds.messages) >= 3, "3 clouds", 120)
    assert all(len(c.data) == c.row_step * c.height >= 1_000_000 for c in clouds.messages)
    ros.forget(clouds)


def test_what_is_latched_reaches_the_late(simdeck):
    late = simdeck.client("late", wait=False)
    frames = late.listen(TFMessage, "/tf_static", LATCHED)
    late.until(lambda: frames.last and frames.last.transforms, "the fixed frames")
    late.close()


@pytest.mark.parametrize("seconds", [3.0, LONGER_THAN_A_LEASE], ids=["shorter than a lease", "longer than a lease"])
def test_both_find_each_other_again_when_the_cable_was_out(simdeck, ros, seconds):
    ros.play()
    clock = ros.listen(Clock, "/clock", RELIABLE)
    ros.until(lambda: len(clock.messages) > 10, "a running clock")
    subprocess.run(["ip", "link", "set", "cable", "down"], check=True)
    with pytest.raises(AssertionError, match="waited"):
        ros.until(lambda: False, "nothing", seconds)
    clock.clear()
    subprocess.run(["ip", "link", "set", "cable", "up"], check=True)
    ros.until(lambda: len(clock.messages) > 10, "the clock to run again", 60)
    ticks = [nanoseconds(m.clock) for m in clock.messages]
    assert ticks == sorted(ticks), "the clock went back"
    before = ros.now()
    ros.until(lambda: ros.now() > before, "answers as before")
    ros.forget(clock)
