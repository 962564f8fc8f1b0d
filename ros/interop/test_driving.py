"""cmd_vel in, and the robot is where everybody says it is."""

import math

import pytest
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from client import Client, place

AGREE = 0.02  # m: how far apart what is said about one robot may be
SPEED = 0.2  # m/s: slow enough for a TurtleBot3


class Robot:
    """A robot under test: its topics, and where it started."""

    def __init__(self, ros, name):
        self.ros, self.name = ros, name
        self.odom = ros.listen(Odometry, f"/{name}/odom")
        self.tf = ros.listen(TFMessage, "/tf")
        ros.until(lambda: self.odom.last and self.at_rest(), f"{name} at rest with odometry")
        self.start = self.truth(), self.odometry(), self.transform()

    def at_rest(self):
        twist = self.ros.state(self.name).twist
        return max(abs(twist.linear.x), abs(twist.linear.y), abs(twist.angular.z)) < 2e-3

    def truth(self):
        return self.ros.state(self.name).pose.position

    def odometry(self):
        self.odom.clear()
        self.ros.until(lambda: self.odom.last, f"odometry of {self.name}")
        return self.odom.last.pose.pose.position

    def transform(self):
        parent, child = self.odom.last.header.frame_id, self.odom.last.child_frame_id
        self.tf.clear()

        def found():
            for message in self.tf.messages:
                for t in message.transforms:
                    if (t.header.frame_id, t.child_frame_id) == (parent, child):
                        return t.transform.translation
            self.tf.clear()

        return self.ros.until(found, f"transform {parent} → {child}")

    def moved(self):
        """How far it went from its start: the truth, by odometry, by tf."""
        now = self.truth(), self.odometry(), self.transform()
        return [math.hypot(b.x - a.x, b.y - a.y) for a, b in zip(self.start, now)]

    def drive(self, distance, publish):
        """Drives forward and stops: looks at odometry as a controller does, slower near the end."""
        origin = self.odometry()

        def gone():
            p = self.odom.last.pose.pose.position
            return math.hypot(p.x - origin.x, p.y - origin.y)

        def there():
            rest = distance - gone()
            publish(max(0.02, min(SPEED, rest)) if rest > 0.003 else 0.0)
            return rest <= 0.003

        self.ros.until(there, lambda: f"{self.name} to go {distance} m, went {gone():.3f}", 120)
        self.ros.until(lambda: publish(0.0) or self.at_rest(), f"{self.name} to stop")


@pytest.fixture(scope="module")
def burger(ros):
    """A TurtleBot3 of the corpus, unmodified, away from the demo world's room."""
    ros.spawn("floor", text=FLOOR, pose=place(100, 100, 0))
    name = ros.spawn("burger", uri="model://turtlebot3_burger", pose=place(100, 100, 0.02))
    yield name
    ros.ok("delete_entity", entity=name)


FLOOR = """<sdf version="1.9"><model name="floor"><static>true</static><link name="slab"><pose>0 0 -0.05 0 0 0</pose>
<collision name="c"><geometry><box><size>8 8 0.1</size></box></geometry></collision></link></model></sdf>"""


def check_one_metre(robot):
    truth, odom, tf = robot.moved()
    assert truth == pytest.approx(1.0, abs=0.03), (truth, odom, tf)
    assert abs(truth - odom) < AGREE and abs(truth - tf) < AGREE and abs(odom - tf) < AGREE, (truth, odom, tf)


def test_a_turtlebot3_drives_a_metre_by_twist(ros, burger):
    publisher = ros.publisher(Twist, f"/{burger}/cmd_vel")

    def publish(speed):
        command = Twist()
        command.linear.x = speed
        publisher.publish(command)
        ros.spin()

    robot = Robot(ros, burger)
    robot.drive(1.0, publish)
    check_one_metre(robot)
    ros.node.destroy_publisher(publisher)


def test_a_turtlebot3_drives_a_metre_by_stamped_twist(ros, burger):
    other = Client(ros.context.get_domain_id(), name="stamped")  # one participant cannot have two types on one topic
    publisher = other.publisher(TwistStamped, f"/{burger}/cmd_vel")

    def publish(speed):
        command = TwistStamped()
        command.twist.linear.x = speed
        publisher.publish(command)
        other.spin()

    robot = Robot(ros, burger)
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
    ros.node.destroy_publisher(publisher)


def test_a_robot_stops_when_its_commander_is_gone(ros, burger):
    commander = Client(ros.context.get_domain_id(), name="commander")
    publisher = commander.publisher(Twist, f"/{burger}/cmd_vel")
    command = Twist()
    command.linear.x = -SPEED

    def rolling():
        publisher.publish(command)
        commander.spin()
        return ros.state(burger).twist.linear.x < -SPEED / 2

    ros.until(rolling, "the robot to roll back")
    commander.close()
    ros.until(lambda: abs(ros.state(burger).twist.linear.x) < 2e-3, "the robot to stop by itself")


def robots(ros):
    """The names of the world's robots: what has odometry and was there before the tests."""
    def found():
        topics = dict(ros.node.get_topic_names_and_types())
        return [n for n in ros.names() if f"/{n}/odom" in topics and n != "burger"]

    return ros.until(found, "a robot in the world")


def heading(pose):
    q = pose.orientation
    return math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))


def angle(a):
    return math.atan2(math.sin(a), math.cos(a))
