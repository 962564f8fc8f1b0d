"""cmd_vel in, and the robot is where everybody says it is."""

import math
import pathlib

import pytest
from ackermann_msgs.msg import AckermannDrive, AckermannDriveStamped
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from client import RELIABLE, Client, place
from robot import AGREE, SPEED, Robot, check_one_metre


@pytest.fixture(scope="module", params=["sdf", "urdf"])
def wheeler(ros, origin, request):
    """A two-wheeled robot, unmodified, on the demo world's floor, far from its room."""
    name = ros.spawn("wheeler", uri=getattr(origin, request.param), pose=place(100, 100, 0.01))
    settled = ros.now() + 1_000_000_000
    ros.until(lambda: ros.now() > settled, "a second of simulated time, to come to rest on its wheels")
    yield name
    ros.ok("delete_entity", entity=name)


def test_a_two_wheeled_robot_drives_a_metre_by_twist(ros, wheeler):
    publisher = ros.publisher(Twist, f"/{wheeler}/cmd_vel")

    def publish(speed):
        command = Twist()
        command.linear.x = speed
        publisher.publish(command)
        ros.spin()

    robot = Robot(ros, wheeler)
    robot.drive(1.0, publish)
    check_one_metre(robot)
    ros.node.destroy_publisher(publisher)


def test_a_two_wheeled_robot_drives_a_metre_by_stamped_twist(ros, wheeler):
    other = Client(ros.context.get_domain_id(), name="stamped")  # one participant cannot have two types on one topic
    publisher = other.publisher(TwistStamped, f"/{wheeler}/cmd_vel")

    def publish(speed):
        command = TwistStamped()
        command.twist.linear.x = speed
        publisher.publish(command)
        other.spin()

    robot = Robot(ros, wheeler)
    robot.drive(1.0, publish)
    check_one_metre(robot)
    other.close()


def test_a_robot_of_the_world_turns_on_the_spot(ros):
    name = robots(ros)[0]
    publisher = ros.publisher(Twist, f"/{name}/cmd_vel")
    joints = ros.listen(JointState, f"/{name}/joint_states")
    robot = Robot(ros, name)
    before = heading(ros.state(name).pose)
    command = Twist()
    command.angular.z = 0.8
    ros.until(lambda: publisher.publish(command) or abs(angle(heading(ros.state(name).pose) - before)) > 1.0, "a turn of a radian")
    command.angular.z = 0.0
    ros.until(lambda: publisher.publish(command) or robot.at_rest(), "the turn to end")
    truth, odom, tf = robot.moved()
    assert truth < 0.05 and odom < 0.05 and tf < 0.05, "it was to turn, not to travel"
    assert len(joints.last.name) == len(joints.last.position) >= 2
    assert max(abs(p) for p in joints.last.position) > 0.5, "the wheels did not turn"
    truth, pose = ros.fresh(Odometry, f"/{name}/ground_truth"), ros.state(name).pose
    assert (truth.header.frame_id, truth.child_frame_id.startswith(f"{name}/")) == ("world", True)
    assert math.hypot(truth.pose.pose.position.x - pose.position.x, truth.pose.pose.position.y - pose.position.y) < AGREE
    assert abs(angle(heading(truth.pose.pose) - heading(pose))) < AGREE
    ros.node.destroy_publisher(publisher)


def test_a_command_holds_until_the_next_one_as_in_gazebo(ros, wheeler):
    def command(client, speed):
        publisher = client.publisher(Twist, f"/{wheeler}/cmd_vel")
        message = Twist()
        message.linear.x = speed
        publisher.publish(message)
        client.until(lambda: abs(ros.state(wheeler).twist.linear.x - speed) < 0.02, f"{speed} m/s")
        return publisher

    commander = Client(ros.context.get_domain_id(), name="commander")
    command(commander, -SPEED)
    commander.close()
    from_there = ros.state(wheeler).pose.position.x
    ros.until(lambda: ros.state(wheeler).pose.position.x < from_there - 0.2, "the robot to roll on")
    ros.node.destroy_publisher(command(ros, 0.0))


@pytest.mark.parametrize("kind", [AckermannDriveStamped, AckermannDrive])
def test_a_car_is_steered_by_an_angle(ros, kind):
    angle_, speed, base = 0.3, 0.5, 0.4
    text = (pathlib.Path(__file__).parent / "testdata" / "car.sdf").read_text()
    name = ros.spawn("car", text=text, pose=place(-100, 100, 0.01))
    other = Client(ros.context.get_domain_id(), name="driver")  # one participant cannot have two types on one topic
    publisher = other.publisher(kind, f"/{name}/ackermann_cmd")
    drive = AckermannDrive(steering_angle=angle_, speed=speed)
    publisher.publish(drive if kind is AckermannDrive else AckermannDriveStamped(drive=drive))
    truth = ros.listen(Odometry, f"/{name}/ground_truth", RELIABLE)

    def wheeling():
        return truth.last and abs(truth.last.twist.twist.angular.z - speed * math.tan(angle_) / base) < 0.02 * speed

    ros.until(wheeling, "the turn that its angle and speed say")
    truth.clear()
    ros.until(lambda: len(truth.messages) > 100, "a piece of its circle")
    a, b, c = (complex(m.pose.pose.position.x, m.pose.pose.position.y) for m in (truth.messages[0], truth.messages[50], truth.messages[100]))
    u = (b - a) / (c - a)
    radius = abs((c - a) * u * (u.conjugate() - 1) / (2j * u.imag)) if u.imag else math.inf
    assert abs(radius / math.hypot(base / math.tan(angle_), base / 2) - 1) < 0.02, radius  # its base is midway between the axles
    other.close()
    ros.ok("delete_entity", entity=name)


def robots(ros):
    """The names of the world's robots: what has odometry and was there before the tests."""
    def found():
        topics = dict(ros.node.get_topic_names_and_types())
        return [n for n in ros.names() if f"/{n}/odom" in topics and n != "wheeler"]

    return ros.until(found, "a robot in the world")


def heading(pose):
    q = pose.orientation
    return math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))


def angle(a):
    return math.atan2(math.sin(a), math.cos(a))
