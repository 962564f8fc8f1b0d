"""What robots measure arrives whole, at the rate that was asked for in simulated time, on both reliabilities."""

import math

import numpy
import pytest
from sensor_msgs.msg import LaserScan, PointCloud2, PointField

from client import BEST_EFFORT, RELIABLE, nanoseconds

MEGABYTE = 1_000_000
SCANS, CLOUDS = 100_000_000, 200_000_000  # ns between two, as the demo world's models ask: 10 Hz and 5 Hz
STEP = 4_000_000  # ns: a measurement may be late by a step of the demo world, and never drifts


def topics_of(ros, kind, ending):
    """Those of robots first, then those of their cameras, which have one more name."""
    def found():
        topics = [t for t, kinds in ros.node.get_topic_names_and_types() if t.endswith(ending) and kind in kinds]
        return sorted(topics, key=lambda t: (t.count("/"), t))

    return ros.until(found, f"a topic …{ending} of {kind}")


def check_period(messages, period, whole):
    """Stamps lie on a grid that does not drift; whole: none is missing."""
    stamps = [nanoseconds(m.header.stamp) for m in messages]
    numbers = [round((s - stamps[0]) / period) for s in stamps]
    assert all(abs(s - stamps[0] - n * period) <= STEP for s, n in zip(stamps, numbers)), (period, stamps)
    assert numbers == sorted(set(numbers)), f"the same measurement twice: {stamps}"
    if whole:
        assert numbers == list(range(len(stamps))), f"some are missing: {stamps}"


@pytest.mark.parametrize("qos", [RELIABLE, BEST_EFFORT], ids=["reliable", "best effort"])
def test_scans_come_at_their_rate(ros, qos):
    for topic in topics_of(ros, "sensor_msgs/msg/LaserScan", "/scan"):
        scans = ros.listen(LaserScan, topic, qos)
        ros.until(lambda: len(scans.messages) >= 12, f"12 scans on {topic}", 60)
        got = scans.messages[:12]
        ros.forget(scans)
        assert got[0].scan_time * 1e9 == pytest.approx(SCANS, rel=1e-6)
        check_period(got, SCANS, whole=qos is RELIABLE)


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
    check_period(got, CLOUDS, whole=qos is RELIABLE)  # what a reliable reader lost is sent again


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
