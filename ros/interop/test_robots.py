"""Every topic, service and action of a robot that has everything: offered as its listeners ask for it, and alive whatever happened to the world."""

import math
import pathlib
import re

import pytest
from ackermann_msgs.msg import AckermannDrive, AckermannDriveStamped
from control_msgs.action import FollowJointTrajectory
from gazebo_msgs.msg import ContactsState
from geometry_msgs.msg import Twist, TwistStamped, WrenchStamped
from nav_msgs.msg import Odometry
from rclpy.action import ActionClient
from rclpy.qos import DurabilityPolicy, LivelinessPolicy, QoSCompatibility, QoSProfile, ReliabilityPolicy, qos_check_compatible
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, CompressedImage, FluidPressure, Image, Imu, JointState, LaserScan, MagneticField, NavSatFix, PointCloud2
from simulation_interfaces.msg import Resource, SimulationState
from simulation_interfaces.srv import LoadWorld, ResetSimulation
from std_msgs.msg import Float64, Float64MultiArray, String
from tf2_msgs.msg import TFMessage
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from client import SERVICES, nanoseconds, place
from test_arms import seconds

WORLD = pathlib.Path(__file__).parent / "testdata" / "all.sdf"

# Quality of service that listeners ask for, by where it stands: rclcpp and rclpy by default (RViz, Foxglove, rqt, ros2_control, MoveIt),
# rmw_qos_profile_sensor_data (Nav2, image_transport, robot_state_publisher), rclcpp::ClockQoS, tf2_ros::DynamicListenerQoS and StaticListenerQoS.
def asking(depth, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.VOLATILE):
    return QoSProfile(depth=depth, reliability=reliability, durability=durability, liveliness=LivelinessPolicy.AUTOMATIC)


DEFAULT, SENSOR = asking(10), asking(5, ReliabilityPolicy.BEST_EFFORT)
CLOCK = asking(1, ReliabilityPolicy.BEST_EFFORT)
DYNAMIC, STATIC = asking(100), asking(100, durability=DurabilityPolicy.TRANSIENT_LOCAL)

MOVING = {  # topics on which something comes as long as time goes on
    "/clock": (Clock, CLOCK, DEFAULT),
    "/tf": (TFMessage, DYNAMIC, SENSOR),
    "/all/odom": (Odometry, DEFAULT, SENSOR),
    "/all/ground_truth": (Odometry, DEFAULT, SENSOR),
    "/all/joint_states": (JointState, DEFAULT, SENSOR),
    "/all/scan": (LaserScan, SENSOR, DEFAULT),
    "/all/points": (PointCloud2, SENSOR, DEFAULT),
    "/all/camera/image_raw": (Image, SENSOR, DEFAULT),
    "/all/camera/image_raw/compressed": (CompressedImage, SENSOR, DEFAULT),
    "/all/camera/camera_info": (CameraInfo, SENSOR, DEFAULT),
    "/all/front/image_raw": (Image, SENSOR, DEFAULT),
    "/all/front/camera_info": (CameraInfo, SENSOR, DEFAULT),
    "/all/front/depth/image_raw": (Image, SENSOR, DEFAULT),
    "/all/front/depth/camera_info": (CameraInfo, SENSOR, DEFAULT),
    "/all/front/points": (PointCloud2, SENSOR, DEFAULT),
    "/all/imu": (Imu, SENSOR, DEFAULT),
    "/all/contacts": (ContactsState, DEFAULT, SENSOR),
    "/all/wrench": (WrenchStamped, DEFAULT, SENSOR),
    "/all/fix": (NavSatFix, SENSOR, DEFAULT),
    "/all/air_pressure": (FluidPressure, DEFAULT, SENSOR),
    "/all/magnetic_field": (MagneticField, DEFAULT, SENSOR),
    "/all/altitude": (Float64, DEFAULT, SENSOR),
    "/car/odom": (Odometry, DEFAULT, SENSOR),
    "/car/joint_states": (JointState, DEFAULT, SENSOR),
    "/car/ground_truth": (Odometry, DEFAULT, SENSOR),
}
LATCHED = {  # topics whose last message is kept for who comes later
    "/tf_static": (TFMessage, STATIC, DEFAULT),
    "/all/robot_description": (String, STATIC, DEFAULT),
    "/car/robot_description": (String, STATIC, DEFAULT),
}
COMMANDS = {  # topics that are listened to
    "/all/cmd_vel": {Twist, TwistStamped},
    "/all/joint_commands": {JointState},
    "/all/forward_position_controller/commands": {Float64MultiArray},
    "/all/forward_velocity_controller/commands": {Float64MultiArray},
    "/all/forward_effort_controller/commands": {Float64MultiArray},
    "/all/joint_trajectory_controller/joint_trajectory": {JointTrajectory},
    "/car/cmd_vel": {Twist, TwistStamped},
    "/car/ackermann_cmd": {AckermannDrive, AckermannDriveStamped},
}
ACTION = "/all/joint_trajectory_controller/follow_joint_trajectory"


@pytest.fixture(scope="module")
def simdeck(start):
    s = start(WORLD, "--rtf", 0.25)  # 30 topics with two clients beside them: leave some of a busy machine for those
    yield s
    s.quit()


def kind_of(message):
    return f"{message.__module__.split('.')[0]}/msg/{message.__name__}"


def test_topics_are_offered_once_and_to_all_who_listen_to_such(ros):
    ours = lambda topic: [i for i in ros.node.get_publishers_info_by_topic(topic) if i.node_name == "simdeck"]
    for topic, (kind, *asked) in (MOVING | LATCHED).items():
        (info,) = ros.until(lambda: ours(topic), topic)
        assert info.topic_type == kind_of(kind), topic
        assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE, topic
        kept = DurabilityPolicy.TRANSIENT_LOCAL if topic in LATCHED else DurabilityPolicy.VOLATILE
        assert info.qos_profile.durability == kept, topic
        for qos in asked:
            assert qos_check_compatible(info.qos_profile, qos) == (QoSCompatibility.OK, ""), (topic, qos)


def test_commands_are_taken_from_publishers_of_any_quality(ros):
    """A reliable reader hears a single command that is sent at once, a best-effort one the rest; who keeps nothing is heard as well as who does."""
    offered = {ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT}
    for topic, kinds in COMMANDS.items():
        def readers():
            return [i for i in ros.node.get_subscriptions_info_by_topic(topic) if i.node_name == "simdeck"]

        # of several types that which has no header, while no node publishes: ros2 topic refuses a topic with two
        wanted = {(kind_of(min(kinds, key=lambda k: len(k.__name__))), r) for r in offered}
        ros.until(lambda: {(i.topic_type, i.qos_profile.reliability) for i in readers()} == wanted, lambda: f"readers of {topic}: {readers()}")
        assert {i.qos_profile.durability for i in readers()} == {DurabilityPolicy.VOLATILE}, topic


class Life:
    """Nodes that listen to everything and command everything, and outlive what they talk to: as RViz and controllers do."""

    def __init__(self, simdeck, ros):
        self.ros, self.simdeck = ros, simdeck
        self.moving = {topic: ros.listen(kind, topic, qos) for topic, (kind, qos, _) in MOVING.items()}
        self.latched = {topic: ros.listen(kind, topic, qos) for topic, (kind, qos, _) in LATCHED.items()}
        self.second = simdeck.client("second")  # one participant cannot have two types on one topic
        publisher = lambda client, kind, topic: client.node.create_publisher(kind, topic, 10)
        self.out = {(topic, kind): publisher(self.second if i else ros, kind, topic)
                    for topic, kinds in COMMANDS.items() for i, kind in enumerate(sorted(kinds, key=lambda k: k.__name__))}
        self.action = ActionClient(ros.node, FollowJointTrajectory, ACTION)
        self.callers = {name: ros.node.create_client(kind, f"/{name}") for name, kind in SERVICES.items()}

    def until(self, condition, what):
        """Waits longer than others do: for much at once."""
        return self.ros.until(condition, what, 120)

    def close(self):
        self.action.destroy()
        for listener in [*self.moving.values(), *self.latched.values()]:
            self.ros.forget(listener)
        self.second.close()

    def matched(self):
        return [key for key, p in self.out.items() if not p.get_subscription_count()]

    def silent(self):
        return [topic for topic, listener in self.moving.items() if not listener.messages]

    def check(self, when):
        """Everything is heard, and everything that is told is done."""
        ros = self.ros
        for listener in self.moving.values():
            listener.clear()
        self.until(lambda: not self.silent(), lambda: f"{when}: something on {self.silent()}")
        self.check_truth(when)
        for topic, listener in self.latched.items():
            kept = ros.listen(MOVING.get(topic, LATCHED.get(topic))[0], topic, STATIC)
            self.until(lambda: kept.last == listener.last is not None, lambda: f"{when}: {topic} for a late listener as for an early one")
            ros.forget(kept)
        self.until(lambda: not self.matched(), lambda: f"{when}: listeners for {self.matched()}")
        self.check_drives(when)
        self.check_joints(when)
        self.until(lambda: all(c.service_is_ready() for c in self.callers.values()), f"{when}: the services")

    def check_truth(self, when):
        """What comes is of the world as it is, not of one before."""
        last = {topic: listener.last for topic, listener in self.moving.items()}
        now = self.ros.now()
        for topic, m in last.items():
            if hasattr(m, "header"):
                assert nanoseconds(m.header.stamp) < now + 1_000_000_000, (when, topic)  # a busy machine may be late, but nobody foresees
        newest = lambda topic: self.moving[topic].last
        assert min(newest("/all/scan").ranges) < 6 and newest("/all/scan").header.frame_id.startswith("all/"), when
        assert newest("/all/fix").latitude == pytest.approx(48.1, abs=1e-3), when
        # What was just put down comes to rest.
        self.until(lambda: abs(newest("/all/imu").linear_acceleration.z - 9.8) < 0.1, lambda: f"{when}: an IMU that feels its weight, not {newest('/all/imu')}")
        self.until(lambda: any(c.collision2_name == "floor::l::c" for c in newest("/all/contacts").states), f"{when}: the floor under the robot")

    def until_driven(self, topic, kind, message, odom, speed, when):
        """Told again and again, as by a controller, until it goes so fast."""
        out, odometry = self.out[topic, kind], self.moving[odom]
        odometry.clear()
        near = lambda: odometry.last and abs(odometry.last.twist.twist.linear.x - speed) < 0.02
        self.until(lambda: out.publish(message) or near(), f"{when}: {speed} m/s by {kind.__name__} on {topic}")

    def check_drives(self, when):
        for robot in ("all", "car"):
            for kind, speed in ((Twist, 0.2), (TwistStamped, -0.2), (Twist, 0.0)):
                message = kind()
                (message if kind is Twist else message.twist).linear.x = speed
                self.until_driven(f"/{robot}/cmd_vel", kind, message, f"/{robot}/odom", speed, when)
        for kind, speed in ((AckermannDrive, 0.2), (AckermannDriveStamped, -0.2), (AckermannDrive, 0.0)):
            drive = AckermannDrive(speed=speed)
            self.until_driven("/car/ackermann_cmd", kind, drive if kind is AckermannDrive else kind(drive=drive), "/car/odom", speed, when)

    def arm(self):
        m = self.moving["/all/joint_states"].last
        i = list(m.name).index("arm_joint")
        return m.position[i], m.velocity[i]

    def check_joints(self, when):
        until, out = self.until, self.out
        at = lambda q: lambda: abs(self.arm()[0] - q) < 5e-3
        out["/all/joint_commands", JointState].publish(JointState(name=["arm_joint"], position=[0.5]))
        until(at(0.5), f"{when}: the arm by joint_commands")
        numbers = lambda way, x: out[f"/all/forward_{way}_controller/commands", Float64MultiArray].publish(Float64MultiArray(data=[x]))
        numbers("position", -0.5)
        until(at(-0.5), f"{when}: the arm by its position")
        numbers("velocity", 0.3)
        until(lambda: abs(self.arm()[1] - 0.3) < 0.01, f"{when}: the arm by its velocity")
        numbers("effort", 0.1)
        until(lambda: self.arm()[1] > 0.5, f"{when}: the arm by its effort")
        way = JointTrajectory(joint_names=["arm_joint"], points=[JointTrajectoryPoint(positions=[0.2], time_from_start=seconds(0.5))])
        out["/all/joint_trajectory_controller/joint_trajectory", JointTrajectory].publish(way)
        until(at(0.2), f"{when}: the arm by a trajectory")
        until(self.action.server_is_ready, f"{when}: the action of the arm")
        way.points[0].positions = [-0.2]
        goal = self.action.send_goal_async(FollowJointTrajectory.Goal(trajectory=way))
        until(goal.done, f"{when}: an answer to a goal")
        result = goal.result().get_result_async()
        until(result.done, f"{when}: the end of a goal")
        assert result.result().result.error_code == 0, (when, result.result())
        until(at(-0.2), f"{when}: the arm where its goal was")


@pytest.fixture(scope="module")
def life(simdeck, ros):
    life = Life(simdeck, ros)
    yield life
    life.close()


def robots_of(text):
    """The robot of the world as a text of its own."""
    (model,) = re.findall(r'<model name="all">.*?</plugin></model>', text, re.S)
    return f'<sdf version="1.9">{model.replace("simdeck:deletable", "x:y")}</sdf>'.replace("<x:y>true</x:y>", "")


def test_everything_lives_in_a_world_as_it_was_loaded(life):
    life.check("loaded")


def test_everything_goes_with_its_robot_and_comes_again_with_it(life):
    ros = life.ros
    ours = lambda: [t for t, _ in ros.node.get_topic_names_and_types() if t.startswith(("/all/", "/car/"))
                    and any(i.node_name == "simdeck" for i in ros.node.get_publishers_info_by_topic(t) + ros.node.get_subscriptions_info_by_topic(t))]
    for _ in range(2):
        for name in ("all", "car"):
            ros.ok("delete_entity", entity=name)
        ros.until(lambda: not ours(), lambda: f"no topics of robots that are gone: {ours()}")
        for text, name, y in ((robots_of(WORLD.read_text()), "all", 0), ((WORLD.parent / "car.sdf").read_text(), "car", 5)):
            ros.spawn(name, text=text, pose=place(0, y, 0.01))
        life.check("spawned again")


@pytest.mark.parametrize("scope", [ResetSimulation.Request.SCOPE_TIME, ResetSimulation.Request.SCOPE_STATE,
                                   ResetSimulation.Request.SCOPE_TIME | ResetSimulation.Request.SCOPE_STATE])
def test_everything_lives_after_a_reset(life, scope):
    life.ros.ok("reset_simulation", scope=scope)
    life.check(f"after a reset of {scope}")


def load(ros):
    client = ros.node.create_client(LoadWorld, "/load_world")
    ros.until(client.service_is_ready, "load_world")
    answer = client.call_async(LoadWorld.Request(world_resource=Resource(uri=str(WORLD))))
    ros.until(answer.done, "the world")
    assert answer.result().result.result == 1, answer.result()
    ros.node.destroy_client(client)
    ros.play()


def test_everything_lives_after_the_world_was_loaded_again(life):
    for _ in range(2):
        load(life.ros)
        life.check("loaded again")


def test_everything_lives_after_all_was_reset_and_after_a_stop(life):
    life.ros.ok("reset_simulation", scope=ResetSimulation.Request.SCOPE_ALL)
    life.check("after a reset of all")
    life.ros.become(SimulationState.STATE_STOPPED)
    life.ros.play()
    life.check("after a stop")
