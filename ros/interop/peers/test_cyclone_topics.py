"""Topics in both directions: clock, scans, odometry, clouds of a megabyte, commands, what is latched, what does not fit."""

import math
import struct

import pytest
from cyclonedds.core import Policy
from cyclonedds.util import duration

import idl
from dds import BEST_EFFORT, LATCHED, POLICIES, RELIABLE, Caller, Graph, nanoseconds
from model import URDF

ADD = 0  # visualization_msgs/msg/Marker
WARN = 30  # rcl_interfaces/msg/Log


@pytest.fixture(scope="module")
def graph(peer):
    return Graph(peer)


def topic_of(peer, graph, ending):
    """The first topic with an ending, of a robot of the world (its cameras have one more name)."""
    def found():
        return sorted(t[2:] for t in graph.endpoints("writers") if t.startswith("rt/") and t.endswith(ending) and t.count("/") == 2)

    return peer.until(found, f"a topic …{ending}")[0]


def steps(stamps):
    return [b - a for a, b in zip(stamps, stamps[1:])]


@pytest.mark.parametrize("qos", [RELIABLE, BEST_EFFORT], ids=["reliable", "best effort"])
def test_the_clock_runs_forward(peer, qos):
    clock = peer.listen(idl.Clock, "/clock", qos)
    peer.until(lambda: len(clock.messages) > 100, "a running clock")
    ticks = [nanoseconds(m.clock) for m in clock.kept]
    moves = [step for step in steps(ticks) if step]  # it is told again to who comes
    assert len(moves) > 90 and all(move > 0 and move % min(moves) == 0 for move in moves), "it went back, or between two steps"


def test_scans_arrive_at_their_rate_and_see_the_room(peer, graph):
    scans = peer.listen(idl.LaserScan, topic_of(peer, graph, "/scan"))
    peer.until(lambda: len(scans.messages) >= 10, "10 scans", 60)
    for s in scans.kept:
        assert len(s.ranges) >= 90
        assert s.angle_min + (len(s.ranges) - 1) * s.angle_increment == pytest.approx(s.angle_max, abs=1e-3)
        seen = [r for r in s.ranges if math.isfinite(r)]
        assert len(seen) > len(s.ranges) / 2 and all(s.range_min <= r <= s.range_max for r in seen)
    want = round(scans.kept[0].scan_time * 1e9)
    assert all(abs(step - want) <= 2_000_000 for step in steps([nanoseconds(s.header.stamp) for s in scans.kept]))


@pytest.mark.parametrize("qos", [RELIABLE, BEST_EFFORT], ids=["reliable", "best effort"])
def test_clouds_of_a_megabyte_arrive_whole(peer, graph, qos):
    clouds = peer.listen(idl.PointCloud2, topic_of(peer, graph, "/points"), qos)
    peer.until(lambda: len(clouds.messages) >= 5, "5 clouds", 90)
    for cloud in clouds.kept:
        assert len(cloud.data) >= 1_000_000
        assert len(cloud.data) == cloud.row_step * cloud.height and cloud.row_step == cloud.point_step * cloud.width
    offsets = {f.name: f.offset for f in clouds.last.fields}
    data, step = bytes(clouds.last.data), clouds.last.point_step
    points = [struct.unpack_from("<f", data, k * step + offsets["x"])[0] for k in range(0, len(data) // step, 97)]
    seen = [x for x in points if math.isfinite(x)]
    assert len(seen) > len(points) / 4 and len({round(x, 3) for x in seen}) > 50 and max(map(abs, seen)) < 200
    if qos is RELIABLE:
        assert len(set(steps([nanoseconds(c.header.stamp) for c in clouds.kept]))) == 1, "a cloud is missing"


def place_of(peer, robot):
    return peer.ok("get_entity_state", entity=robot.strip("/")).state.pose.position


def test_a_robot_drives_where_it_is_told(peer, graph):
    robot = topic_of(peer, graph, "/odom")[: -len("/odom")]
    odometry = peer.listen(idl.Odometry, f"{robot}/odom")
    start = peer.until(lambda: odometry.last, "odometry").pose.pose.position
    origin = place_of(peer, robot)
    command = peer.publisher(idl.Twist, f"{robot}/cmd_vel")

    def gone():
        p = odometry.last.pose.pose.position
        return math.hypot(p.x - start.x, p.y - start.y)

    def say(speed):
        command.write(idl.new(idl.Twist, linear=idl.Vector3(speed, 0.0, 0.0)))
        return True

    peer.until(lambda: say(0.2) and gone() > 0.25, lambda: f"{robot} to go 25 cm, went {gone():.3f} m")
    peer.until(lambda: say(0.0) and abs(odometry.last.twist.twist.linear.x) < 1e-3, f"{robot} to stop")
    there = place_of(peer, robot)
    assert math.hypot(there.x - origin.x, there.y - origin.y) == pytest.approx(gone(), abs=0.02)
    peer.until(lambda: say(-0.2) and gone() < 0.05, f"{robot} to come back")
    say(0.0)


def test_a_single_command_is_not_lost(peer, graph):
    """The first sample after a match, as `ros2 topic pub --once` sends it."""
    robot = topic_of(peer, graph, "/odom")[: -len("/odom")]
    odometry = peer.listen(idl.Odometry, f"{robot}/odom")
    for speed in (0.1, -0.1, 0.0):
        once = peer.publisher(idl.Twist, f"{robot}/cmd_vel")
        once.write(idl.new(idl.Twist, linear=idl.Vector3(speed, 0.0, 0.0)))
        peer.until(lambda: odometry.last and abs(odometry.last.twist.twist.linear.x - speed) < 0.02, f"{speed} m/s")
        del once


def test_a_late_listener_gets_what_is_latched_and_only_that(another, peer):
    spawn = Caller(peer, "spawn_entity", idl.SPAWN_1)
    answer = spawn.call(name="post", resource_string=URDF, initial_pose=idl.new(idl.PoseStamped))
    assert answer.result.result == 1, answer
    for listener in peer, another():  # the second long after it was published
        text = listener.listen(idl.String, "/post/robot_description", LATCHED)
        listener.until(lambda: text.last, "the robot's description")
        assert [m.data for m in text.messages] == [URDF]
    volatile, static = listener.listen(idl.String, "/post/robot_description", RELIABLE), listener.listen(idl.TFMessage, "/tf_static", LATCHED)
    look = listener.listen(idl.MarkerArray, "/world_markers", LATCHED)
    listener.until(lambda: static.last and static.last.transforms, "the latched transforms")
    shown = lambda: {m.ns.split("/")[0] for array in look.messages for m in array.markers}
    listener.until(lambda: shown() >= set(peer.ok("get_entities").entities), lambda: f"the look of every entity, has that of {shown()}")
    assert all(m.color.a > 0 and m.header.frame_id for array in look.messages for m in array.markers if m.action == ADD)
    listener.until(lambda: volatile.reader.get_subscription_matched_status().current_count, "the description's writer")
    clock = listener.listen(idl.Clock, "/clock")
    listener.until(lambda: len(clock.messages) > 20, "the clock, so that what was sent before has arrived")
    assert volatile.messages == [], "a volatile reader got history"
    peer.ok("delete_entity", entity="post")


OFFERED_LESS = {
    "durability": [*RELIABLE, Policy.Durability.TransientLocal],  # odometry is volatile
    "deadline": [*RELIABLE, Policy.Deadline(duration(milliseconds=100))],  # none is promised
}


@pytest.mark.parametrize("policy", OFFERED_LESS)
def test_what_a_reader_asks_too_much_is_reported_on_both_sides(simdeck, peer, graph, policy):
    topic = topic_of(peer, graph, "/odom")
    greedy = peer.listen(idl.Odometry, topic, OFFERED_LESS[policy])
    status = peer.until(lambda: (s := greedy.reader.get_requested_incompatible_qos_status()).total_count and s, "Cyclone's report")
    assert POLICIES[status.last_policy_id] == policy
    said_by_simdeck(simdeck, peer, topic, policy)
    log = peer.listen(idl.Log, "/rosout", LATCHED)
    told = peer.until(lambda: [m for m in log.messages if topic in m.msg and policy in m.msg], "the same on /rosout, for the late too")
    assert (told[0].name, told[0].level) == ("simdeck", WARN) and told[0].stamp.sec > 1_600_000_000
    modest = peer.listen(idl.Odometry, topic)
    peer.until(lambda: modest.last, "odometry for a reader that asks for what there is")
    assert greedy.messages == []


def test_what_a_writer_offers_too_little_is_reported_on_both_sides(simdeck, peer):
    """Best effort is no way to ask a service."""
    feeble = peer.writer(idl.SERVICES["get_simulator_features"][0], "rq/get_simulator_featuresRequest", BEST_EFFORT)
    status = peer.until(lambda: (s := feeble.get_offered_incompatible_qos_status()).total_count and s, "Cyclone's report")
    assert POLICIES[status.last_policy_id] == "reliability"
    said_by_simdeck(simdeck, peer, "/get_simulator_features", "reliability")


def test_commands_are_taken_best_effort_too(peer, graph):
    robot = topic_of(peer, graph, "/odom")[: -len("/odom")]
    odometry = peer.listen(idl.Odometry, f"{robot}/odom")
    command = peer.publisher(idl.Twist, f"{robot}/cmd_vel", BEST_EFFORT)
    for speed in (0.1, 0.0):
        message = idl.new(idl.Twist, linear=idl.Vector3(speed, 0.0, 0.0))
        peer.until(lambda: command.write(message) or odometry.last and abs(odometry.last.twist.twist.linear.x - speed) < 0.01, f"{speed} m/s")


def said_by_simdeck(simdeck, peer, topic, policy):
    """simdeck's own log names the topic and the policy: a user who sees nothing arrive finds out why."""
    def lines():
        return [line for line in simdeck.text().splitlines() if "incompatible QoS" in line and topic in line and policy in line]

    peer.until(lines, lambda: f"a line on {policy} of {topic} in simdeck's log:\n{simdeck.text()[-2000:]}")


def test_sixty_readers_of_one_participant_all_get_every_tick(peer):
    """simdeck sends each to all of them at once, and one HEARTBEAT, while others of the same participant come."""
    first = [peer.listen(idl.Clock, "/clock", RELIABLE) for _ in range(30)]
    peer.until(lambda: all(len(c.messages) > 20 for c in first), "a running clock")
    readers = first + [peer.listen(idl.Clock, "/clock", RELIABLE) for _ in range(30)]
    peer.until(lambda: all(len(c.messages) > 300 for c in readers), "300 ticks at each", 90)
    heard = [{nanoseconds(m.clock) for m in c.messages} for c in readers]
    begin, end = max(map(min, heard)), min(map(max, heard))
    kept = [{s for s in one if begin <= s <= end} for one in heard]
    assert len(kept[0]) > 50 and all(one == kept[0] for one in kept), [len(one) for one in kept]
