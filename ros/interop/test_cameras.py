"""What cameras and IMUs of robots say reaches stock ROS 2 whole, at their rates, in frames after REP-103, and is true."""

import math

import numpy
import pytest
from sensor_msgs.msg import CameraInfo, CompressedImage, Image, Imu, PointCloud2
from tf2_msgs.msg import TFMessage

from client import BEST_EFFORT, LATCHED, RELIABLE, nanoseconds
from test_sensors import STEP, topics_of


def camera_of(ros):
    """The colour camera of the rover."""
    return [t for t in topics_of(ros, "sensor_msgs/msg/Image", "/camera/image_raw") if "depth" not in t][0]


def check_rate(messages, rate, over):
    """As many as the rate makes in the simulated time over, one more or less."""
    stamps = [nanoseconds(m.header.stamp) for m in messages]
    first = stamps[0]
    got = sum(1 for s in stamps if s - first < over * 1_000_000_000)
    assert abs(got - rate * over) <= 1, (got, rate * over)
    assert all(abs((s - first) * rate / 1e9 - round((s - first) * rate / 1e9)) * 1e9 / rate <= STEP for s in stamps)


def listened(ros, kind, topic, qos, rate, over):
    reader = ros.listen(kind, topic, qos)
    end = lambda: reader.messages and nanoseconds(reader.last.header.stamp) - nanoseconds(reader.messages[0].header.stamp) > over * 1e9
    ros.until(end, f"{over} s of {topic}", 120)
    got = list(reader.messages)
    ros.forget(reader)
    check_rate(got, rate, over)
    return got


def test_images_come_whole_at_their_rate_with_their_calibration(ros):
    topic = camera_of(ros)
    infos = ros.listen(CameraInfo, topic.replace("image_raw", "camera_info"), RELIABLE)
    images = listened(ros, Image, topic, RELIABLE, 12, 10)
    for m in images:
        assert (m.width, m.height, m.encoding, m.step, len(m.data)) == (640, 480, "rgb8", 1920, 640 * 480 * 3)
    info, told = infos.last, {nanoseconds(m.header.stamp) for m in infos.messages}
    ros.forget(infos)
    focus = 320 / math.tan(0.6)
    assert list(info.k) == pytest.approx([focus, 0, 320, 0, focus, 240, 0, 0, 1])
    assert list(info.p) == pytest.approx([focus, 0, 320, 0, 0, focus, 240, 0, 0, 0, 1, 0])
    assert (info.width, info.height, info.distortion_model, len(info.d)) == (640, 480, "plumb_bob", 5)
    assert info.header.frame_id == images[0].header.frame_id
    alone = [nanoseconds(m.header.stamp) for m in images if nanoseconds(m.header.stamp) not in told]
    assert len(alone) <= 3, f"images without a calibration of their time: {alone}"  # those around the match of either reader
    pixels = numpy.frombuffer(images[-1].data, numpy.uint8)
    assert len(numpy.unique(pixels)) > 20, "the picture is empty"


def test_pictures_are_in_an_optical_frame(ros):
    image = ros.listen(Image, camera_of(ros), BEST_EFFORT)
    static = ros.listen(TFMessage, "/tf_static", LATCHED)
    frame = ros.until(lambda: image.last, "a picture", 60).header.frame_id
    place = ros.until(lambda: next((t for m in static.messages for t in m.transforms if t.child_frame_id == frame), None), frame)
    q = place.transform.rotation
    ros.forget(image)
    ros.forget(static)
    assert [q.x, q.y, q.z, q.w] == pytest.approx([-0.5, 0.5, -0.5, 0.5], abs=1e-6) or \
        [q.x, q.y, q.z, q.w] == pytest.approx([0.5, -0.5, 0.5, -0.5], abs=1e-6)


def test_a_jpeg_comes_to_who_wants_one(ros):
    small = ros.listen(CompressedImage, camera_of(ros) + "/compressed", RELIABLE)
    m = ros.until(lambda: small.last, "a JPEG", 60)
    ros.forget(small)
    assert bytes(m.data[:2]) == b"\xff\xd8" and bytes(m.data[-2:]) == b"\xff\xd9" and "jpeg" in m.format
    assert len(m.data) < 640 * 480


def test_depths_and_points_of_a_depth_camera_agree(ros):
    topic = topics_of(ros, "sensor_msgs/msg/Image", "/depth/image_raw")[0]
    depths = ros.listen(Image, topic, RELIABLE)
    clouds = ros.listen(PointCloud2, topic.replace("depth/image_raw", "points"), RELIABLE)

    def both():
        by_stamp = {nanoseconds(m.header.stamp): m for m in clouds.messages}
        return next(((m, by_stamp[nanoseconds(m.header.stamp)]) for m in depths.messages if nanoseconds(m.header.stamp) in by_stamp), None)

    depth, cloud = ros.until(both, "a depth image and its points", 60)
    ros.forget(depths)
    ros.forget(clouds)
    assert depth.encoding == "32FC1" and depth.header.frame_id == cloud.header.frame_id
    z = numpy.frombuffer(depth.data, "<f4")
    points = numpy.frombuffer(cloud.data, "<f4").reshape(-1, cloud.point_step // 4)
    seen = numpy.isfinite(z)
    assert seen.sum() > len(z) / 2
    assert numpy.array_equal(points[seen, 2], z[seen]) and numpy.isnan(points[~seen, 2]).all()
    assert 0.05 < z[seen].min() and z[seen].max() < 30


def test_an_imu_at_rest_feels_gravity_upward(ros):
    topic = topics_of(ros, "sensor_msgs/msg/Imu", "/imu")[0]
    samples = listened(ros, Imu, topic, RELIABLE, 100, 10)
    up = numpy.mean([m.linear_acceleration.z for m in samples])
    spread = numpy.std([m.linear_acceleration.z for m in samples])
    assert up == pytest.approx(9.81, abs=0.01) and spread == pytest.approx(0.017, rel=0.15)
    assert abs(numpy.mean([m.angular_velocity.z for m in samples])) < 1e-4
    assert samples[0].linear_acceleration_covariance[8] == pytest.approx(0.017**2)
