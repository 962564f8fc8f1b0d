"""A robot under test: it is driven as a controller drives it, and asked in three ways where it is."""

import math

import pytest
from nav_msgs.msg import Odometry
from tf2_msgs.msg import TFMessage

from client import NEWEST

NEAR = 0.03  # m: how far from where it was to stop, also on a bad cable (measured there: 4 mm)
AGREE = 0.02  # m: how far apart what is said about one robot may be
SPEED = 0.2  # m/s: slow enough for a TurtleBot3


class Robot:
    """A robot under test: its topics, and where it started."""

    def __init__(self, ros, name):
        self.ros, self.name = ros, name
        self.odom = ros.listen(Odometry, f"/{name}/odom", NEWEST)
        ros.until(lambda: self.odom.last and self.at_rest(), f"{name} at rest with odometry")
        self.start = self.truth(), self.odometry(), self.transform()

    def at_rest(self):
        twist = self.ros.state(self.name).twist
        return max(abs(twist.linear.x), abs(twist.linear.y), abs(twist.angular.z)) < 2e-3

    def truth(self):
        return self.ros.state(self.name).pose.position

    def odometry(self):
        return self.ros.fresh(Odometry, f"/{self.name}/odom").pose.pose.position

    def transform(self):
        """The base in the odometry frame, as tf has it."""
        frames = self.odom.last.header.frame_id, self.odom.last.child_frame_id

        def of_base(message):
            return next((t.transform.translation for t in message.transforms if (t.header.frame_id, t.child_frame_id) == frames), None)

        return self.ros.fresh(TFMessage, "/tf", of_base)

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


def check_one_metre(robot):
    truth, odom, tf = robot.moved()
    assert truth == pytest.approx(1.0, abs=NEAR), (truth, odom, tf)
    assert abs(truth - odom) < AGREE and abs(truth - tf) < AGREE and abs(odom - tf) < AGREE, (truth, odom, tf)
