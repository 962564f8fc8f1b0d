"""Recordings, read by others than who wrote them: the mcap libraries, rclpy, and a reader of metadata.yaml that asks for all that rosbag2's does
(rosbag2_storage/yaml.hpp of Jazzy): of rosbag2 itself PyPI has no wheels (ros-jazzy-rosbag2-py, ros-rosbag2-py, rosbag2-py)."""

import os
import signal
import subprocess

import pytest
import yaml
from geometry_msgs.msg import TwistStamped
from mcap.reader import NonSeekingReader, make_reader
from mcap_ros2.decoder import DecoderFactory
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, Image, Imu, JointState, LaserScan, PointCloud2
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from client import BEST_EFFORT, LATCHED, RELIABLE, nanoseconds
from conftest import DOMAINS, PEER

SECONDS = 2
KINDS = {
    "/clock": Clock, "/tf": TFMessage, "/rover/odom": Odometry, "/rover/joint_states": JointState, "/rover/scan": LaserScan, "/rover/imu": Imu,
    "/rover/camera/image_raw": Image, "/rover/camera/camera_info": CameraInfo, "/scout/points": PointCloud2,
}  # /world_markers has a test of its own

HELLO = ("/clock", "/tf", "/rover/odom", "/rover/joint_states")  # told again to who comes while time stands: once told, no more before the next step
AT_ONCE = ("/clock", "/tf", "/rover/joint_states")  # the others have times of their own, and are published when the world is next looked at


def same(decoded, received):
    """Whether a message that mcap-ros2-support made of the definition in the file equals what rclpy got."""
    fields = getattr(received, "get_fields_and_field_types", None)
    if fields is not None:
        return all(same(getattr(decoded, name), getattr(received, name)) for name in fields())
    if isinstance(received, (str, bytes, int, float, bool)):
        return decoded == received
    received, decoded = list(received), list(decoded)
    if received and hasattr(received[0], "get_fields_and_field_types"):
        return len(decoded) == len(received) and all(same(a, b) for a, b in zip(decoded, received))
    return decoded == received  # numbers or strings: pictures have a million of them


def stamp(topic, message):
    """When a message is of, in simulated time."""
    if topic == "/clock":
        return nanoseconds(message.clock)
    return nanoseconds((message.transforms[0] if topic == "/tf" else message).header.stamp)


def bag(folder):
    """metadata.yaml as rosbag2 decodes it: what is missing or of another type fails. The bag, and its messages by topic."""
    m = yaml.safe_load((folder / "metadata.yaml").read_text())["rosbag2_bagfile_information"]
    assert (m["version"], m["storage_identifier"]) == (9, "mcap")
    assert m["compression_format"] == "" and m["compression_mode"] == "" and isinstance(m["ros_distro"], str)
    assert all(isinstance(x, str) for pair in m["custom_data"].items() for x in pair)
    (path,), (file,) = m["relative_file_paths"], m["files"]
    assert file["path"] == path and file["message_count"] == m["message_count"]
    for part in m, file:
        assert part["starting_time"]["nanoseconds_since_epoch"] >= 0 and part["duration"]["nanoseconds"] >= 0
    counts = {}
    for t in m["topics_with_message_count"]:
        about = t["topic_metadata"]
        assert about["serialization_format"] == "cdr" and about["type_description_hash"].startswith("RIHS01_"), about
        for q in about["offered_qos_profiles"]:
            assert q["history"] in ("keep_last", "keep_all", "unknown") and isinstance(q["depth"], int)
            assert q["reliability"] in ("reliable", "best_effort") and q["durability"] in ("volatile", "transient_local")
            assert q["liveliness"] in ("automatic", "manual_by_topic") and q["avoid_ros_namespace_conventions"] is False
            assert all(set(q[d]) == {"sec", "nsec"} for d in ("deadline", "lifespan", "liveliness_lease_duration"))
        counts[about["name"]] = about["type"], t["message_count"]
    assert sum(n for _, n in counts.values()) == m["message_count"]
    return m, counts, folder / path


def read(folder):
    """(log time, decoded message, serialized message) by topic, from the index and again without it; both must agree with metadata.yaml."""
    m, counts, path = bag(folder)
    topics = {}
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        assert reader.get_header().profile == "ros2"
        summary = reader.get_summary()
        for schema, channel, message, decoded in reader.iter_decoded_messages():
            assert schema.encoding == "ros2msg" and channel.message_encoding == "cdr" and message.publish_time == message.log_time
            assert yaml.safe_load(channel.metadata["offered_qos_profiles"]) and schema.name == counts[channel.topic][0]
            topics.setdefault(channel.topic, []).append((message.log_time, decoded, message.data))
        (table,) = reader.iter_metadata()
        inside = yaml.safe_load(table.metadata["serialized_metadata"])
        assert table.name == "rosbag2" and inside["topics_with_message_count"] == m["topics_with_message_count"]
    statistics = summary.statistics
    assert {t: len(all) for t, all in topics.items()} == {t: n for t, (_, n) in counts.items() if n}
    assert statistics.message_count == m["message_count"] and statistics.chunk_count == len(summary.chunk_indexes)
    assert {c.compression for c in summary.chunk_indexes} <= {"zstd"}
    start, end = statistics.message_start_time, statistics.message_end_time
    assert (m["starting_time"]["nanoseconds_since_epoch"], m["duration"]["nanoseconds"]) == (start, end - start)
    with path.open("rb") as file:
        linear = NonSeekingReader(file, validate_crcs=True)
        assert sum(1 for _ in linear.iter_messages(log_time_order=False)) == m["message_count"]
    return topics


def test_a_recording_holds_what_a_subscriber_gets(start, tmp_path):
    folder = tmp_path / "deep" / "bag"
    s = start("--paused", "--record", folder)
    ros = s.client()
    listeners = {topic: ros.listen(kind, topic, RELIABLE) for topic, kind in KINDS.items()}
    ros.until(lambda: all(ros.node.count_publishers(t) for t in KINDS) and all(listeners[t].last for t in HELLO), "all topics, and how all stands")
    ros.ok("step_simulation", steps=SECONDS * 250)
    end = SECONDS * 1e9
    ros.until(lambda: all(l.last and stamp(t, l.last) >= end for t, l in listeners.items()), "the last messages")
    now = ros.now()
    s.quit()
    ros.close()
    topics = read(folder)
    assert now == SECONDS * 1_000_000_000
    for topic, listener in listeners.items():
        # what was published at time zero may have gone before anybody listened
        got = [m for m in listener.messages if stamp(topic, m) > 0]
        recorded = [(at, decoded, data) for at, decoded, data in topics[topic] if stamp(topic, decoded) > 0]
        assert len(got) == len(recorded) >= 5 * SECONDS, topic
        for message, (at, decoded, data) in zip(got, recorded):
            assert deserialize_message(data, KINDS[topic]) == message, topic
            assert same(decoded, message), (topic, at)
            late = at - stamp(topic, message)
            assert late == 0 if topic in AT_ONCE else 0 <= late <= 200_000_000, (topic, at, late)
    clocks = [at for at, _, _ in topics["/clock"]]
    assert clocks == sorted(clocks) and clocks[-1] == SECONDS * 1_000_000_000
    assert "/tf_static" in topics and "/world_markers" in topics and not [t for t in topics if "/_" in t]
    replayed = subprocess.run([os.environ["SIMDECK"], "replay", folder], capture_output=True, text=True, timeout=300)
    assert replayed.returncode == 0 and f"{SECONDS * 250} steps" in replayed.stdout, replayed


YARD = """<sdf version="1.9"><world name="yard"><model name="wall"><static>true</static><pose>3 -1 0 0 0 1.5707963267948966</pose><link name="l">
<visual name="v"><pose>0 0 0.5 0 0 0</pose><geometry><box><size>4 0.2 1</size></box></geometry><material><diffuse>0.2 0.4 0.6 1</diffuse></material></visual></link></model>
<model name="drum"><pose>0 2 0.5 0 0 0</pose><link name="l"><collision name="c"><geometry><cylinder><radius>0.3</radius><length>1</length></cylinder></geometry></collision></link></model>
<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
</world></sdf>"""
BALL = """<sdf version="1.9"><model name="ball"><link name="l"><collision name="c"><geometry><sphere><radius>0.25</radius></sphere></geometry></collision></link></model></sdf>"""


def test_markers_are_what_the_world_holds_live_late_and_recorded(start, tmp_path):
    from simulation_interfaces.msg import Resource

    file, folder = tmp_path / "yard.sdf", tmp_path / "bag"
    file.write_text(YARD)
    s = start(file, "--paused", "--record", folder)
    ros = s.client()
    early = ros.listen(MarkerArray, "/world_markers", LATCHED)

    def shown(message):
        """The markers that a viewer shows after a message, by namespace; the first of a new world wipes what was before."""
        return {m.ns: m for m in message.markers if m.action == Marker.ADD}

    ros.until(lambda: early.last and shown(early.last), "the world as it was loaded")
    by = shown(early.last)
    assert set(by) == {"wall/l", "drum/l", "floor/l"}
    assert len({m.id for m in by.values()}) == 3 and all(m.header.frame_id == "world" and m.frame_locked for m in by.values())
    wall, drum, floor = by["wall/l"], by["drum/l"], by["floor/l"]
    assert (wall.type, drum.type, floor.type) == (Marker.CUBE, Marker.CYLINDER, Marker.CUBE)
    place = lambda m: (m.pose.position.x, m.pose.position.y, m.pose.position.z)
    assert place(wall) == pytest.approx((3, -1, 0.5)) and place(drum) == pytest.approx((0, 2, 0.5))
    assert (abs(wall.pose.orientation.z), abs(wall.pose.orientation.w)) == pytest.approx((0.5**0.5, 0.5**0.5))
    size = lambda m: (m.scale.x, m.scale.y, m.scale.z)
    assert size(wall) == pytest.approx((4, 0.2, 1)) and size(drum) == pytest.approx((0.6, 0.6, 1)) and floor.scale.x >= 100
    assert (wall.color.r, wall.color.g, wall.color.b, wall.color.a) == pytest.approx((0.2, 0.4, 0.6, 1), abs=1e-6)
    ros.ok("spawn_entity", name="ball", entity_resource=Resource(resource_string=BALL))
    ros.until(lambda: "ball/l" in shown(early.last), "the ball")
    assert early.last.markers[0].action == Marker.DELETEALL and size(shown(early.last)["ball/l"]) == pytest.approx((0.5, 0.5, 0.5))
    late = ros.listen(MarkerArray, "/world_markers", LATCHED)
    ros.until(lambda: late.last and set(shown(late.last)) == {"wall/l", "drum/l", "floor/l", "ball/l"}, "the world for a viewer that came late")
    ros.ok("delete_entity", entity="ball")
    ros.until(lambda: "ball/l" not in shown(early.last), "the ball's end")
    s.quit()
    ros.close()
    recorded = [(d, data) for _, d, data in read(folder)["/world_markers"]]
    assert len(recorded) >= 3 and len(recorded) >= len(early.messages)
    of = [deserialize_message(data, MarkerArray) for _, data in recorded]
    assert all(same(d, m) for (d, _), m in zip(recorded, of))  # by the definition in the file, and by rclpy's own
    at = 0
    for m in early.messages:  # every one that a viewer got, in order
        assert m in of[at:], "a viewer got markers that are not in the recording"
        at += of[at:].index(m) + 1
    assert set(shown(of[-1])) == {"wall/l", "drum/l", "floor/l"}


def test_a_killed_simulator_leaves_a_folder_that_opens(start, tmp_path):
    folder = tmp_path / "bag"
    s = start("--record", folder, "--record-topics", "/clock,/tf,*odom,*scan")
    ros = s.client()
    ros.until(lambda: (folder / "metadata.yaml").exists() and bag(folder)[0]["message_count"] > 500, "500 messages on the disk")
    told = bag(folder)[0]["message_count"]
    s.process.send_signal(signal.SIGKILL)
    s.process.wait()
    ros.close()
    topics = read(folder)
    assert set(topics) == {"/clock", "/tf", "/rover/odom", "/scout/odom", "/rover/scan", "/scout/scan"}
    assert sum(map(len, topics.values())) >= told


class Graph:
    """`simdeck record` beside nodes of rclpy."""

    def __init__(self, folder, domain, *words):
        command = [*PEER.split(), os.environ["SIMDECK"], "record", str(folder), *words, "--domain", str(domain)]
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("ROS_", "RMW_", "AMENT_"))}
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=30)
        assert self.process.returncode == 0, said
        return said


@pytest.fixture
def talker():
    from client import Client

    domain = next(DOMAINS)
    client = Client(domain, "talker")
    yield domain, client
    client.close()


@pytest.mark.parametrize("simulated", [False, True], ids=["time of the machine", "simulated time"])
def test_topics_of_other_nodes_are_recorded(talker, tmp_path, simulated):
    domain, ros = talker
    node, folder = ros.node, tmp_path / "bag"
    latched = node.create_publisher(String, "/latched", LATCHED)
    latched.publish(String(data="kept"))
    clock = node.create_publisher(Clock, "/clock", RELIABLE) if simulated else None
    graph = Graph(folder, domain, "!/rosout", "!/parameter_events", "!/left_out")

    def tell(at):
        if clock:
            clock.publish(Clock(clock=nanostamp(at)))

    ros.until(lambda: (tell(0), latched.get_subscription_count())[1], "the recorder")
    reliable, hasty = node.create_publisher(TwistStamped, "/reliable", RELIABLE), node.create_publisher(String, "/hasty", BEST_EFFORT)
    left_out = node.create_publisher(String, "/left_out", RELIABLE)
    ros.until(lambda: reliable.get_subscription_count() and hasty.get_subscription_count(), "the recorder again")
    twists, words = [], []
    before = node.get_clock().now().nanoseconds
    for i in range(200):
        tell(1_000_000_000 + i * 10_000_000)
        twists.append(TwistStamped())
        twists[-1].twist.linear.x, twists[-1].header.frame_id = i / 7, f"frame {i}"
        words.append(String(data="ä" * i))
        reliable.publish(twists[-1])
        hasty.publish(words[-1])
        left_out.publish(words[-1])
        ros.spin()
    ros.until(lambda: bag(folder)[1].get("/reliable", (0, 0))[1] == 200 and bag(folder)[1].get("/hasty", (0, 0))[1] == 200, "all messages on the disk")
    said = graph.stop()
    topics = read(folder)
    assert set(topics) == {"/latched", "/reliable", "/hasty"} | ({"/clock"} if simulated else set()), said
    assert f"{sum(map(len, topics.values()))} messages of {len(topics)} topics" in said
    assert [d.data for _, d, _ in topics["/hasty"]] == [w.data for w in words]
    assert all(same(d, t) and deserialize_message(b, TwistStamped) == t for (_, d, b), t in zip(topics["/reliable"], twists, strict=True))
    assert [d.data for _, d, _ in topics["/latched"]] == ["kept"] or simulated  # which comes before the first time is known, perhaps
    stamps = [at for at, _, _ in topics["/reliable"]]
    assert stamps == sorted(stamps)
    low, high = (0, 3_000_000_000) if simulated else (before, node.get_clock().now().nanoseconds)
    assert low <= stamps[0] <= stamps[-1] <= high, (low, stamps[0], stamps[-1], high)


def nanostamp(at):
    from builtin_interfaces.msg import Time

    return Time(sec=at // 1_000_000_000, nanosec=at % 1_000_000_000)
