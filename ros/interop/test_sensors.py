"""What robots measure arrives whole, at the rate that was asked for in simulated time, on both reliabilities."""

import math

import numpy
import pytest
from sensor_msgs.msg import LaserScan, PointCloud2, PointField

from client import BEST_EFFORT, RELIABLE, nanoseconds

MEGABYTE = 1_000_000


def topics_of(ros, kind, ending):
    def found():
        return [t for t, kinds in ros.node.get_topic_names_and_types() if t.endswith(ending) and kind in kinds]

    return ros.until(found, f"a topic …{ending} of {kind}")


def periods(messages):
    stamps = [nanoseconds(m.header.stamp) for m in messages]
    return [b - a for a, b in zip(stamps, stamps[1:])]


@pytest.mark.parametrize("qos", [RELIABLE, BEST_EFFORT], ids=["reliable", "best effort"])
def test_scans_come_at_their_rate(ros, qos):
    for topic in topics_of(ros, "sensor_msgs/msg/LaserScan", "/scan"):
        scans = ros.listen(LaserScan, topic, qos)
        ros.until(lambda: len(scans.messages) >= 12, f"12 scans on {topic}", 60)
        got = scans.messages[:12]
        ros.forget(scans)
        want = round(got[0].scan_time * 1e9)
        assert want > 0
        steps = periods(got)
        if qos is RELIABLE:
            assert all(abs(p - want) <= 2_000_000 for p in steps), (topic, want, steps)
        else:
            assert all(p > 0 and abs(p - want * max(1, round(p / want))) <= 2_000_000 for p in steps), (topic, want, steps)
        assert sum(steps) == pytest.approx(want * round(sum(steps) / want), abs=2_000_000), "the rate drifts"


def test_a_scan_is_consistent_and_sees_the_room(ros):
    for topic in topics_of(ros, "sensor_msgs/msg/LaserScan", "/scan"):
        scans = ros.listen(LaserScan, topic, BEST_EFFORT)
        scan = ros.until(lambda: scans.last, f"a scan on {topic}")
        ros.forget(scans)
        assert len(scan.ranges) >= 90 and scan.angle_increment > 0
        assert scan.angle_min + (len(scan.ranges) - 1) * scan.angle_increment == pytest.approx(scan.angle_max, abs=1e-3)
        seen = [r for r in scan.ranges if math.isfinite(r)]
        assert len(seen) > len(scan.ranges) / 2, f"{topic}: the walls of the room are not seen"
        assert all(scan.range_min <= r <= scan.range_max for r in seen)


@pytest.mark.parametrize("qos", [RELIABLE, BEST_EFFORT], ids=["reliable", "best effort"])
def test_clouds_of_a_megabyte_come_whole_and_at_their_rate(ros, qos):
    topic = topics_of(ros, "sensor_msgs/msg/PointCloud2", "/points")[0]
    clouds = ros.listen(PointCloud2, topic, qos)
    ros.until(lambda: len(clouds.messages) >= 10, f"10 clouds on {topic}", 90)
    got = clouds.messages[:10]
    ros.forget(clouds)
    for cloud in got:
        assert len(cloud.data) >= MEGABYTE
        assert len(cloud.data) == cloud.row_step * cloud.height and cloud.row_step == cloud.point_step * cloud.width
    steps = periods(got)
    want = min(steps)
    assert 0 < want <= 1_000_000_000
    if qos is RELIABLE:  # what is lost is sent again: nothing may be missing
        assert all(abs(p - want) <= 2_000_000 for p in steps), steps
    else:
        assert all(abs(p - want * round(p / want)) <= 2_000_000 * round(p / want) for p in steps), steps


def test_the_points_of_a_cloud_lie_where_the_room_is(ros):
    topic = topics_of(ros, "sensor_msgs/msg/PointCloud2", "/points")[0]
    clouds = ros.listen(PointCloud2, topic, RELIABLE)
    cloud = ros.until(lambda: clouds.last, f"a cloud on {topic}", 60)
    ros.forget(clouds)
    fields = {f.name: f for f in cloud.fields}
    assert {"x", "y", "z"} <= set(fields) and all(fields[n].datatype == PointField.FLOAT32 for n in "xyz")
    layout = numpy.dtype({
        "names": ["x", "y", "z"], "formats": ["<f4"] * 3,
        "offsets": [fields[n].offset for n in "xyz"], "itemsize": cloud.point_step,
    })
    points = numpy.frombuffer(cloud.data, layout)
    distance = numpy.sqrt(sum(points[n].astype(float) ** 2 for n in "xyz"))
    seen = distance[numpy.isfinite(distance)]
    assert len(points) == cloud.width * cloud.height
    assert len(seen) > len(points) / 4, "the cloud is nearly empty"
    assert 0.05 < seen.min() and seen.max() < 200
    assert len(numpy.unique(seen.round(3))) > 100, "all points are at the same distance"
