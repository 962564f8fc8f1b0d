"""Qualities of service that do not fit are reported, on both sides: nobody waits for data in silence."""

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.duration import Duration
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.qos import DurabilityPolicy, LivelinessPolicy, QoSPolicyKind, QoSProfile, ReliabilityPolicy
from simulation_interfaces.srv import GetAvailableWorlds as GetWorlds

from client import BEST_EFFORT, RELIABLE


@pytest.fixture(scope="module")
def robot(ros):
    def found():
        return [t[: -len("/odom")] for t, _ in ros.node.get_topic_names_and_types() if t.endswith("/odom")]

    return sorted(ros.until(found, "a robot"))[0]


def said(simdeck, ros, topic, policy):
    """simdeck's log names the topic and the policy."""
    def lines():
        return [line for line in simdeck.text().splitlines() if "incompatible QoS" in line and f"topic={topic} " in line and policy in line]

    ros.until(lines, lambda: f"a line on {policy} of {topic} in simdeck's log:\n{simdeck.text()[-2000:]}")


TOO_MUCH = {
    "durability": (QoSPolicyKind.DURABILITY, dict(durability=DurabilityPolicy.TRANSIENT_LOCAL)),
    "deadline": (QoSPolicyKind.DEADLINE, dict(deadline=Duration(nanoseconds=50_000_000))),
    "liveliness": (QoSPolicyKind.LIVELINESS, dict(liveliness=LivelinessPolicy.MANUAL_BY_TOPIC, liveliness_lease_duration=Duration(seconds=1))),
}


@pytest.mark.parametrize("policy", TOO_MUCH)
def test_a_subscriber_that_asks_too_much_is_told(simdeck, ros, robot, policy):
    kind, wish = TOO_MUCH[policy]
    events, got = [], []
    callbacks = SubscriptionEventCallbacks(incompatible_qos=events.append)
    qos = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE, **wish)
    greedy = ros.node.create_subscription(Odometry, f"{robot}/odom", got.append, qos, event_callbacks=callbacks)
    ros.until(lambda: events, "the event of the subscriber")
    assert events[0].last_policy_kind == kind and events[0].total_count == 1
    said(simdeck, ros, f"{robot}/odom", policy)
    modest = ros.listen(Odometry, f"{robot}/odom", BEST_EFFORT)
    ros.until(lambda: len(modest.messages) > 10, "odometry for a subscriber that asks for what there is")
    assert not got
    ros.forget(modest)
    ros.node.destroy_subscription(greedy)


def test_a_client_that_offers_too_little_is_told(simdeck, ros):
    """Best effort is no way to ask a service. Its name here is none that another test calls."""
    feeble = ros.node.create_client(GetWorlds, "/get_available_worlds", qos_profile=BEST_EFFORT)
    said(simdeck, ros, "/get_available_worlds", "reliability")
    assert not feeble.service_is_ready()
    ros.node.destroy_client(feeble)


@pytest.mark.parametrize("qos", [BEST_EFFORT, RELIABLE], ids=["best effort", "reliable"])
def test_commands_are_taken_from_publishers_of_any_reliability(ros, robot, qos):
    publisher = ros.node.create_publisher(Twist, f"{robot}/cmd_vel", qos)
    odometry = ros.listen(Odometry, f"{robot}/odom")
    for speed in (0.1, 0.0):
        command = Twist()
        command.linear.x = speed
        ros.until(lambda: publisher.publish(command) or odometry.last and abs(odometry.last.twist.twist.linear.x - speed) < 0.01, f"{speed} m/s")
    ros.forget(odometry)
    ros.node.destroy_publisher(publisher)
