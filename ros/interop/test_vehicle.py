"""The vehicle profile of gs_sim_msgs: the track's car, driven and watched by rclpy."""

import math
import pathlib
import shutil
import time

import pytest
from ackermann_msgs.msg import AckermannDriveStamped
from geometry_msgs.msg import TwistStamped
from gs_sim_msgs.msg import SimulationStatus, VehicleControlCmd, VehicleState, WorldInfo
from gs_sim_msgs.srv import LoadWorld, ResetWorld, SetEgoPose, SimulationControl
from nav_msgs.msg import Odometry
from rclpy.qos import QoSDurabilityPolicy, QoSProfile, QoSReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Image, PointCloud2
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

from client import BEST_EFFORT, RELIABLE, nanoseconds

MANY = QoSProfile(depth=3000)
LATCHED = QoSProfile(depth=1, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)
SECOND = 1_000_000_000
LIDAR = 20  # Hz
WORLDS = pathlib.Path(__file__).parents[2] / "worlds"


@pytest.fixture(scope="module")
def track(start, tmp_path_factory):
    """The track, with its lidar at the rate that the profile has."""
    folder = tmp_path_factory.mktemp("worlds") / "track"
    shutil.copytree(WORLDS / "track", folder)
    file = folder / "calibration.yaml"
    text = file.read_text()
    assert text.count("rate_hz: 10") == 1
    file.write_text(text.replace("rate_hz: 10", f"rate_hz: {LIDAR}"))
    s = start(folder, "--paused")
    s.folder = folder
    yield s
    s.quit()


@pytest.fixture(scope="module")
def ros(track):
    client = track.client()
    yield client
    client.close()


def call(ros, kind, name, **fields):
    client = ros.node.create_client(kind, name)
    ros.until(client.service_is_ready, f"the service {name}")
    answer = client.call_async(kind.Request(**fields))
    ros.until(answer.done, f"an answer of {name}")
    ros.node.destroy_client(client)
    return answer.result()


def drive(track, ros, message, until, what):
    """By a driver of its own: Fast DDS has one type for a topic in a process's participant."""
    driver = track.client("driver")
    publisher = driver.node.create_publisher(type(message), "/vehicle/control_cmd", 10)
    driver.until(lambda: publisher.get_subscription_count() > 0, "a reader of commands")
    sent = 0.0

    def told():
        nonlocal sent
        if time.monotonic() - sent > 0.05:  # no more waiting than that: what ros hears piles up meanwhile
            publisher.publish(message)
            sent = time.monotonic()
        return until()

    try:
        ros.until(told, what)
    finally:
        driver.close()


def test_the_world_tells_what_it_is(ros, listen):
    info = listen(WorldInfo, "/sim/world_info", LATCHED)
    world = ros.until(lambda: info.last, "what the world is")
    assert (world.map_frame, world.odom_frame, world.base_link_frame) == ("map", "odom", "base_link")
    assert world.available_cameras and world.available_lidars and world.world_extent_x > 0


def test_topics_come_at_their_rates_over_ten_simulated_seconds(ros, listen):
    worlds = listen(WorldInfo, "/sim/world_info", LATCHED)
    info = ros.until(lambda: worlds.last, "what the world is")
    camera, lidar = f"/camera/{info.available_cameras[0]}/image_raw", f"/lidar/{info.available_lidars[0]}/points"
    heard = {name: listen(kind, name, MANY) for kind, name in (
        (Image, camera), (PointCloud2, lidar), (VehicleState, "/vehicle/state"), (Odometry, "/odom"))}
    for name in heard:
        ros.until(lambda: ros.node.count_publishers(name) == 1, f"a publisher of {name}")
    start = 0  # it has been paused since it was loaded
    assert call(ros, Trigger, "/sim/resume").success
    ros.until(lambda: heard["/odom"].last and nanoseconds(heard["/odom"].last.header.stamp) > start + 12 * SECOND, "12 simulated seconds", 120)
    assert call(ros, Trigger, "/sim/pause").success
    rates = {camera: 12, lidar: LIDAR, "/vehicle/state": 100, "/odom": 100}
    for name, listener in heard.items():
        stamps = [nanoseconds(m.header.stamp) for m in listener.messages]
        count = len({s for s in stamps if start + SECOND < s <= start + 11 * SECOND})
        assert abs(count - 10 * rates[name]) <= 1, (name, count, len(stamps))


def test_quality_of_service_is_that_of_the_profile(ros, listen):
    worlds = listen(WorldInfo, "/sim/world_info", LATCHED)
    info = ros.until(lambda: worlds.last, "what the world is")
    camera, lidar = f"/camera/{info.available_cameras[0]}", f"/lidar/{info.available_lidars[0]}"
    taken = ros.until(lambda: len(all := ros.node.get_subscriptions_info_by_topic("/vehicle/control_cmd")) >= 6 and all, "all readers of commands")
    assert {i.topic_type for i in taken} == {"ackermann_msgs/msg/AckermannDriveStamped", "gs_sim_msgs/msg/VehicleControlCmd", "geometry_msgs/msg/TwistStamped"}
    for kind in {i.topic_type for i in taken}:  # one for publishers that are reliable, one for those that are not
        assert {i.qos_profile.reliability for i in taken if i.topic_type == kind} == {QoSReliabilityPolicy.RELIABLE, QoSReliabilityPolicy.BEST_EFFORT}, kind
    for topic, reliable, latched in ((f"{camera}/image_raw", True, False), (f"{camera}/camera_info", True, False), (f"{lidar}/points", True, False),
                                     ("/clock", True, False), ("/tf", True, False), ("/tf_static", True, True), ("/odom", True, False),
                                     ("/vehicle/state", True, False), ("/sim/status", True, False), ("/sim/world_info", True, True)):
        (offered,) = ros.until(lambda: ros.node.get_publishers_info_by_topic(topic), topic)
        info = offered.qos_profile
        assert (info.reliability == QoSReliabilityPolicy.RELIABLE) == reliable, topic
        assert (info.durability == QoSDurabilityPolicy.TRANSIENT_LOCAL) == latched, topic


def test_three_types_of_commands_drive_and_silence_stops(track, ros, listen):
    state, status = listen(VehicleState, "/vehicle/state", MANY), listen(SimulationStatus, "/sim/status", MANY)
    ros.until(lambda: status.last, "a status")
    assert call(ros, SimulationControl, "/sim/control", command=SimulationControl.Request.CMD_RESUME).success
    speed = lambda: state.last.twist.linear.x if state.last else math.nan
    a = AckermannDriveStamped()
    a.drive.speed, a.drive.steering_angle = 2.0, 0.1
    drive(track, ros, a, lambda: abs(speed() - 2) < 0.1 and abs(state.last.steering_angle - 0.1) < 1e-3, "2 m/s by AckermannDriveStamped")
    drive(track, ros, VehicleControlCmd(gear=3, control_mode=1, target_velocity=1.0), lambda: abs(speed() - 1) < 0.1, "1 m/s by VehicleControlCmd")
    t = TwistStamped()
    t.twist.linear.x = 3.0
    drive(track, ros, t, lambda: abs(speed() - 3) < 0.15, "3 m/s by TwistStamped")
    ros.until(lambda: any("emergency stop" in w for w in status.last.warnings), "the warning of the emergency stop", 30)
    ros.until(lambda: abs(speed()) < 0.01, "a stop", 30)


def test_services_answer(ros, listen):
    state = listen(VehicleState, "/vehicle/state", MANY)
    assert call(ros, Trigger, "/sim/pause").success
    assert call(ros, Trigger, "/sim/step").success
    put = SetEgoPose.Request()
    put.pose.position.x, put.pose.position.y, put.twist.linear.x = 1.0, -12.0, 2.0
    assert call(ros, SetEgoPose, "/sim/set_ego_pose", pose=put.pose, twist=put.twist).success
    ros.until(lambda: state.last and abs(state.last.pose.position.x - 1) < 0.1, "the vehicle in its new place")
    zero = ResetWorld.Request().initial_pose
    zero.orientation.w = 0.0
    assert call(ros, ResetWorld, "/sim/reset_world", initial_pose=zero, reset_time=True).success
    ros.until(lambda: abs(state.last.pose.position.x - 1) > 0.5, "the vehicle at its start")
    missing = call(ros, LoadWorld, "/sim/load_world", world_bundle_path="nowhere")
    assert not missing.success and "nowhere" in missing.message
    again = call(ros, LoadWorld, "/sim/load_world", world_bundle_path="track")
    assert again.success and again.world_info.map_frame == "map", again.message


def test_step_once_is_obeyed_and_the_status_says_paused(ros, listen):
    status = listen(SimulationStatus, "/sim/status", MANY)
    assert call(ros, Trigger, "/sim/resume").success
    ros.until(lambda: status.last and not status.last.is_paused, "a status that says that it plays")  # not one from before, that says paused
    assert not call(ros, SimulationControl, "/sim/control", command=SimulationControl.Request.CMD_STEP, step_once=True).success
    assert call(ros, Trigger, "/sim/pause").success
    paused = ros.until(lambda: status.last if status.last and status.last.is_paused else None, "a status that says paused")
    before = paused.step_count
    assert call(ros, SimulationControl, "/sim/control", command=SimulationControl.Request.CMD_STEP).success
    ros.until(lambda: status.last.step_count == before + 1 and status.last.is_paused, "exactly one step")
    assert call(ros, SimulationControl, "/sim/control", command=SimulationControl.Request.CMD_STEP, step_once=True).success
    ros.until(lambda: status.last.step_count == before + 2 and status.last.is_paused, "exactly one more step")
    assert call(ros, Trigger, "/sim/resume").success
    ros.until(lambda: not status.last.is_paused, "a status that says that it plays")


def test_frames_hang_together(ros, listen):
    fixed, moving = listen(TFMessage, "/tf_static", LATCHED), listen(TFMessage, "/tf", MANY)
    assert call(ros, Trigger, "/sim/resume").success
    edges = lambda l: {(t.header.frame_id, t.child_frame_id) for m in l.messages for t in m.transforms}
    ros.until(lambda: {("map", "odom"), ("odom", "base_link")} <= edges(moving), "map, odom and base_link")
    ros.until(lambda: any(p == "base_link" and c.startswith("camera_") for p, c in edges(fixed)), "a camera on base_link")
    ros.until(lambda: any(p == "base_link" and c.startswith("lidar_") for p, c in edges(fixed)), "a lidar on base_link")


def test_the_clock_reaches_reliable_and_best_effort_readers(ros, listen):
    reliable, loose = listen(Clock, "/clock", RELIABLE), listen(Clock, "/clock", BEST_EFFORT)
    assert call(ros, Trigger, "/sim/resume").success
    for clock, quality in ((reliable, "a reliable"), (loose, "a best-effort")):
        ros.until(lambda: len(clock.messages) > 20, f"time, to {quality} reader")
        ticks = [nanoseconds(m.clock) for m in clock.messages]
        assert ticks == sorted(ticks), f"the clock goes back, to {quality} reader"
    assert ros.node.count_publishers("/clock") == 1
