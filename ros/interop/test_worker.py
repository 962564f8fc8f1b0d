"""The simulation worker of l2_msgs: what a viewer, a storage node and external controllers of stock ROS 2 see of two workers."""

import math
import pathlib
import re
import signal
import time

import pytest
from l2_msgs.msg import Object3D, Object3DArray, Simulation
from l2_msgs.srv import GetObject3D
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy, qos_profile_sensor_data
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from tf2_msgs.msg import TFMessage
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from client import nanoseconds

LEASE = 20.0  # s: how long a participant that says nothing is believed in
MANY = QoSProfile(depth=3000)
LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
WORLD = pathlib.Path(__file__).parent / "testdata" / "worker.wbt"


def worker(start, namespace, *arguments, domain=None):
    return start("--worker", "--namespace", namespace, "--report-path", "/l2/workers", *arguments, domain=domain)


@pytest.fixture(scope="module")
def first(start):
    s = worker(start, "/lab/a", "--object-config", WORLD, "--paused")
    yield s
    s.quit()


@pytest.fixture(scope="module")
def second(start, first):
    s = worker(start, "/lab/b", WORLD, "--paused", domain=first.domain)
    yield s
    s.quit()


@pytest.fixture(scope="module")
def ros(first):
    client = first.client(prefix="/lab/a")
    yield client
    client.close()


def published(ros, prefix):
    """The topics below a prefix that others publish."""
    others = lambda name: [i for i in ros.node.get_publishers_info_by_topic(name) if i.node_name != ros.node.get_name()]
    return {name for name, _ in ros.node.get_topic_names_and_types() if name.startswith(prefix) and others(name)}


def test_a_worker_reports_itself_and_its_world_unchanged(ros, listen):
    for topic, qos in (("/lab/a/simulation", LATCHED), ("/l2/workers", LATCHED), ("/lab/a/simulation", qos_profile_sensor_data)):
        listener = listen(Simulation, topic, qos)
        said = ros.until(lambda: listener.last, f"a Simulation on {topic}")
        assert (said.ns, said.report_path) == ("/lab/a", "/l2/workers")
        assert re.fullmatch("l2_sim_worker_[0-9a-f]{32}", said.worker_id)
        # names of nodes come by a topic of their own, maybe after the first sample
        ros.until(lambda: (said.worker_id, "/lab/a") in ros.node.get_node_names_and_namespaces(), "the worker's node")
        assert said.object.type == Object3D.TYPE_PROTO and said.object.data == WORLD.read_text()
    for topic in ("/lab/a/simulation", "/l2/workers"):
        info = ros.node.get_publishers_info_by_topic(topic)[0].qos_profile
        assert (info.reliability, info.durability) == (ReliabilityPolicy.RELIABLE, DurabilityPolicy.TRANSIENT_LOCAL)


def test_it_reports_every_five_seconds(ros, listen):
    listener = listen(Simulation, "/l2/workers", MANY)
    ros.until(lambda: len(listener.messages) >= 3, "three reports", 30)
    assert listener.arrivals[2] - listener.arrivals[0] == pytest.approx(10, abs=1.5)


def test_rates_over_ten_simulated_seconds(ros, listen):
    ros.pause()
    heard = {topic: listen(kind, f"/lab/a/{topic}", MANY) for topic, kind in
             (("object3d", Object3DArray), ("joint_states", JointState), ("clock", Clock), ("tf", TFMessage))}
    ros.until(lambda: heard["object3d"].last, "a world")
    for topic in heard:
        ros.until(lambda: ros.node.count_publishers(f"/lab/a/{topic}") == 1, f"a publisher of {topic}")
    up = ros.state("ball")
    up.twist.linear.z = 80.0  # sixteen seconds of flight
    ros.ok("set_entity_state", entity="ball", state=up, set_twist=True)
    for listener in heard.values():
        listener.clear()
    for second in range(1, 11):  # as fast as it can: each second is heard before the next
        ros.ok("step_simulation", steps=100)
        ros.until(lambda: len(heard["clock"].messages) >= 100 * second - 1, f"second {second}")
    height = lambda m: next(o.pose.position.z for o in m.objects if o.name == "ball")
    truth = ros.state("ball").pose.position.z
    ros.until(lambda: heard["object3d"].last and abs(height(heard["object3d"].last) - truth) < 1e-5, "the ball where it is")
    ros.until(lambda: len(heard["joint_states"].messages) >= 499, "the end")
    counts = {topic: len(listener.messages) for topic, listener in heard.items()}
    counts["object3d"] = len({height(m) for m in heard["object3d"].messages})  # what is told again at rest is not counted
    for topic, want in (("object3d", 200), ("joint_states", 500), ("clock", 1000)):
        assert abs(counts[topic] - want) <= 1, counts
    stamps = [nanoseconds(m.header.stamp) for m in heard["joint_states"].messages]
    assert stamps == sorted(stamps) and {b - a for a, b in zip(stamps, stamps[1:])} == {20_000_000}
    joints, objects = heard["joint_states"].last, heard["object3d"].last
    assert sorted(joints.name) == ["arm/arm motor", "waver/waver motor"]
    assert [o.name for o in objects.objects] == ["arm", "ball", "waver"], "all that can move, and not the ground"
    frames = {t.child_frame_id: t.header.frame_id for m in heard["tf"].messages for t in m.transforms}
    assert frames["arm/base_link"] == "world" and frames["waver/base_link"] == "world" and frames["arm/bar"] == "arm/base_link"


def test_what_stands_still_is_told_once_a_second(ros, listen):
    ros.pause()
    objects = listen(Object3DArray, "/lab/a/object3d", MANY)
    ros.until(lambda: len(objects.messages) >= 5, "five messages", 30)
    assert (objects.arrivals[4] - objects.arrivals[1]) / 3 == pytest.approx(1, abs=0.3)


def test_topics_have_the_quality_that_viewers_expect(ros):
    for topic, latched in (("clock", False), ("tf", False), ("tf_static", True), ("object3d", False), ("joint_states", False)):
        info = ros.until(lambda: ros.node.get_publishers_info_by_topic(f"/lab/a/{topic}"), topic)[0].qos_profile
        assert info.reliability == ReliabilityPolicy.RELIABLE and (info.durability == DurabilityPolicy.TRANSIENT_LOCAL) == latched, topic


def test_objects_are_where_the_simulator_says(ros, listen):
    ros.pause()
    objects = listen(Object3DArray, "/lab/a/object3d", MANY)
    ros.until(lambda: objects.last, "objects")
    ball = next(o for o in objects.last.objects if o.name == "ball")
    truth = ros.state("ball").pose
    assert math.dist((ball.pose.position.x, ball.pose.position.y, ball.pose.position.z), (truth.position.x, truth.position.y, truth.position.z)) < 1e-5
    assert (ball.scale.x, ball.scale.y, ball.scale.z, ball.data) == (1.0, 1.0, 1.0, "")


def test_an_external_controller_drives_its_robot(ros, listen):
    ros.play()
    joints = listen(JointState, "/lab/a/joint_states", MANY)

    def at(name):
        return joints.last.position[list(joints.last.name).index(name)] if joints.last else math.nan

    info = ros.until(lambda: ros.node.get_subscriptions_info_by_topic("/lab/a/arm/joint_trajectory_command"), "the trajectory's listener")
    assert (info[0].qos_profile.reliability, info[0].qos_profile.durability) == (ReliabilityPolicy.BEST_EFFORT, DurabilityPolicy.VOLATILE)
    publisher = ros.publisher(JointTrajectory, "/lab/a/arm/joint_trajectory_command", qos_profile_sensor_data)
    point = JointTrajectoryPoint(positions=[0.8])
    point.time_from_start.sec = 1
    sent = 0.0

    def there():
        nonlocal sent
        if time.monotonic() - sent > 3:  # best effort: what is sent before the other side knows the publisher is lost
            publisher.publish(JointTrajectory(joint_names=["arm motor"], points=[point]))
            sent = time.monotonic()
        return abs(at("arm/arm motor") - 0.8) < 0.02

    ros.until(there, "the end of the trajectory")
    for kind, value, there in (("position", -0.5, lambda: abs(at("arm/arm motor") + 0.5) < 0.02), ("velocity", 1.5, lambda: at("arm/arm motor") > 2)):
        publisher = ros.publisher(Float64MultiArray, f"/lab/a/arm/forward_{kind}_controller/commands")
        publisher.publish(Float64MultiArray(data=[value]))
        ros.until(there, f"the {kind}")
    assert not published(ros, "/lab/a/arm/"), "the robot publishes nothing itself"
    assert "/lab/a/waver/joint_states" in published(ros, "/lab/a/waver/")


def test_two_workers_of_one_world_share_a_network(ros, first, second, listen):
    viewer = listen(Simulation, "/l2/workers", LATCHED)
    ids = lambda: {m.ns: m.worker_id for m in viewer.messages}
    ros.until(lambda: set(ids()) == {"/lab/a", "/lab/b"} and len(set(ids().values())) == 2, "two workers")
    ros.until(lambda: len(published(ros, "/lab/a/")) == len(published(ros, "/lab/b/")), "the same topics twice")
    others = {t for t in published(ros, "/") if not t.startswith(("/lab/", "/l2/"))}
    assert others <= {"/rosout", "/parameter_events"}, others
    ros.play()
    mine, theirs = listen(Clock, "/lab/a/clock", MANY), listen(Clock, "/lab/b/clock", MANY)
    ros.until(lambda: theirs.last and len(mine.messages) > 20, "both clocks")
    assert nanoseconds(theirs.last.clock) == 0 and nanoseconds(mine.last.clock) > 0, "one plays, the other stands"


def test_a_killed_worker_disappears_within_its_lease_and_the_other_stays(ros, start, first, listen):
    viewer = listen(Simulation, "/l2/workers", MANY)
    doomed = worker(start, "/lab/doomed", WORLD, domain=first.domain)
    ros.until(lambda: any(m.ns == "/lab/doomed" for m in viewer.messages) and published(ros, "/lab/doomed/"), "the third worker")
    doomed.process.send_signal(signal.SIGKILL)
    doomed.process.wait()
    began = time.monotonic()
    ros.until(lambda: not published(ros, "/lab/doomed/"), "the end of its publishers", LEASE + 10)
    assert time.monotonic() - began < LEASE + 5
    viewer.clear()
    ros.until(lambda: any(m.ns == "/lab/a" for m in viewer.messages), "the next report of the one that stays")
    assert published(ros, "/lab/a/") and not any(m.ns == "/lab/doomed" for m in viewer.messages)


def test_a_worker_that_ends_well_is_gone_at_once(ros, start, first):
    guest = worker(start, "/lab/guest", WORLD, domain=first.domain)
    ros.until(lambda: published(ros, "/lab/guest/"), "the guest")
    guest.quit()
    began = time.monotonic()
    ros.until(lambda: not published(ros, "/lab/guest/"), "its end")
    assert time.monotonic() - began < 3, "far less than a lease"


class Storage:
    """The storage node, with one object or a refusal."""

    def __init__(self, client, answer):
        self.asked = []

        def give(request, response):
            self.asked.append(request.name)
            for field, value in answer.items():
                setattr(response, field, value)
            return response

        self.client = client
        self.service = client.node.create_service(GetObject3D, "/l2/storage/get_object3d", give)


@pytest.fixture
def storage(ros):
    made = []

    def serve(**answer):
        made.append(Storage(ros, answer))
        return made[-1]

    yield serve
    for s in made:
        ros.node.destroy_service(s.service)


def test_a_world_is_looked_up_by_name(ros, start, first, storage, listen):
    world = Object3D(id=42, type=Object3D.TYPE_PROTO, name="arena", data=WORLD.read_text())
    store = storage(success=True, object=world)
    viewer = listen(Simulation, "/l2/workers", LATCHED)
    s = start("--worker", "--headless", "--ros-args", "-r", "__ns:=/lab/stored", "-p", "report_path:=/l2/workers", "-p", "object_config:=arena", "--", domain=first.domain)
    said = ros.until(lambda: next((m for m in viewer.messages if m.ns == "/lab/stored"), None), "the worker with the stored world")
    assert store.asked == ["arena"] and said.object == world
    objects = listen(Object3DArray, "/lab/stored/object3d", MANY)
    ros.until(lambda: objects.last and [o.name for o in objects.last.objects] == ["arm", "ball", "waver"], "its world")
    s.quit()


@pytest.mark.parametrize("answer, why", [
    (dict(success=False, message="never heard of it"), "never heard of it"),
    (dict(success=True, object=Object3D(type=Object3D.TYPE_OBJ, data="v 0 0 0")), "type 1"),
    (None, "no node serves /l2/storage/get_object3d within 5s"),
])
def test_without_its_world_a_worker_ends_with_the_reason(ros, start, first, storage, answer, why):
    if answer:
        storage(**answer)
    s = worker(start, "/lab/lost", "--object-config", "nothing", domain=first.domain)
    ros.until(lambda: not s.alive, "its end", 15)
    assert s.wait() == 1
    *progress, last = s.text().splitlines()
    assert why in last and '"nothing"' in last, s.text()
    assert all(line.startswith("Looking up the world") for line in progress), s.text()
    assert answer or progress, "it waits for five seconds and says nothing of it"


def test_one_robot_can_be_the_only_one_that_is_commanded(ros, start, first):
    s = worker(start, "/lab/one", WORLD, "--webots-robot-name", "arm", domain=first.domain)
    taken = lambda robot: [n for n, _ in ros.node.get_topic_names_and_types() if n.startswith(f"/lab/one/{robot}/") and ros.node.count_subscribers(n)]
    ros.until(lambda: taken("arm"), "the interfaces of the arm")
    assert not taken("waver")
    s.quit()


def test_viewers_serve_the_storage_and_see_workers_of_others_come_and_go(ros, start, first, tmp_path):
    (tmp_path / "arena.wbt").write_text(WORLD.read_text())
    viewers = start("--store", tmp_path, "--listen", 0, domain=first.domain, command="viewers")
    storage = ros.node.create_client(GetObject3D, "/l2/storage/get_object3d")

    def stored(name):
        answer = storage.call_async(GetObject3D.Request(name=name))
        ros.until(answer.done, "an answer of the storage")
        return answer.result()

    ros.until(storage.service_is_ready, "the storage")
    arena = stored("arena")
    assert arena.success and arena.object.type == Object3D.TYPE_PROTO and arena.object.data == WORLD.read_text()
    for name in "../arena", "/etc/passwd", "nothing":
        refused = stored(name)
        assert not refused.success and refused.message and not refused.object.data, name
    told = lambda what, world: f'msg="{what}" world={world} ' in viewers.text()
    ros.until(lambda: told("simulation found", "/lab/a"), "simdeck's worker")
    worker = ros.node.create_publisher(Simulation, "/lab/python/simulation", LATCHED)
    worker.publish(Simulation(ns="/lab/python", worker_id="of_python", object=Object3D(name="arena")))
    ros.until(lambda: told("simulation found", "/lab/python"), "a worker of rclpy")
    time.sleep(1)
    assert "cannot be shown" not in viewers.text(), viewers.text()
    ros.node.destroy_publisher(worker)
    ros.until(lambda: told("simulation is gone", "/lab/python"), "its end")
    assert not told("simulation is gone", "/lab/a")
    ros.node.destroy_client(storage)
    viewers.quit()


def test_a_worker_runs_while_somebody_asks_for_it(ros, start, first, tmp_path):
    (tmp_path / "arena.wbt").write_text(WORLD.read_text())
    store = start("--store", tmp_path, "--listen", 0, domain=first.domain, command="viewers")
    workers = start("--topic", "/l2/asked", "--most", 2, domain=first.domain, command="workers")
    asked = ros.node.create_publisher(Simulation, "/l2/asked", LATCHED)
    asked.publish(Simulation(ns="/lab/asked", object=Object3D(name="arena")))
    topic = "/lab/asked/simulation"
    ros.until(lambda: ros.node.count_publishers(topic) == 1, "the worker")
    asked.publish(Simulation(ns="/lab/asked", object=Object3D(name="/etc/passwd")))
    ros.until(lambda: "is not run" in workers.text() and ros.node.count_publishers(topic) == 0, "no file")
    asked.publish(Simulation(ns="/lab/asked", object=Object3D(name="arena")))
    ros.until(lambda: ros.node.count_publishers(topic) == 1, "the worker again")
    ros.node.destroy_publisher(asked)
    ros.until(lambda: ros.node.count_publishers(topic) == 0, "its end")
    workers.quit()
    store.quit()
