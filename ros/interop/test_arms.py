"""An arm with six axes, moved as ros2_control and MoveIt move arms: goals of trajectories, trajectories and commands on topics."""

import math

import pytest
from action_msgs.msg import GoalStatus
from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance
from rclpy.action import ActionClient
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from client import NEWEST, place

NEAR = 1e-3  # rad


def seconds(s):
    return Duration(sec=int(s), nanosec=round((s - int(s)) * 1e9))


class Arm:
    def __init__(self, ros, name, about):
        self.ros, self.name, self.joints, self.up, self.reach = ros, name, list(about.joints), list(about.up), list(about.reach)
        self.states = ros.listen(JointState, f"/{name}/joint_states", NEWEST)
        self.client = ActionClient(ros.node, FollowJointTrajectory, f"/{name}/joint_trajectory_controller/follow_joint_trajectory")
        ros.until(self.client.server_is_ready, "the action server")

    def way(self, *stops):
        """A trajectory through (time, positions), at rest in each."""
        points = [JointTrajectoryPoint(positions=q, velocities=[0.0] * 6, time_from_start=seconds(t)) for t, q in stops]
        return JointTrajectory(joint_names=list(self.joints), points=points)

    def tolerance(self, position):
        """The same for each joint, in rad."""
        return [JointTolerance(name=j, position=position) for j in self.joints]

    def positions(self):
        """Those of its joints, as joint_states says now."""
        state = self.states.last
        return [state.position[state.name.index(j)] for j in self.joints]

    def off(self, goal):
        return max(abs(a - b) for a, b in zip(self.positions(), goal))

    def send(self, trajectory, **more):
        feedback = []
        future = self.client.send_goal_async(FollowJointTrajectory.Goal(trajectory=trajectory, **more),
                                             feedback_callback=lambda m: feedback.append(m.feedback))
        self.ros.until(future.done, "an answer to the goal")
        goal = future.result()
        assert goal.accepted
        return goal, feedback

    def end(self, goal):
        future = goal.get_result_async()
        self.ros.until(future.done, "the result")
        return future.result().status, future.result().result

    def go(self, trajectory, **more):
        goal, feedback = self.send(trajectory, **more)
        return *self.end(goal), feedback

    def until_at(self, goal):
        self.ros.until(lambda: self.off(goal) < NEAR, lambda: f"{self.name} at {goal}, it is at {self.positions()}")


@pytest.fixture(scope="module")
def arm(ros, origin):
    name = ros.spawn("six", uri=origin.arm.uri, pose=place(60, 60))
    arm = Arm(ros, name, origin.arm)
    ros.until(lambda: arm.states.last, "joint states")
    status, result, _ = arm.go(arm.way((2, arm.up)))
    assert status == GoalStatus.STATUS_SUCCEEDED, result
    yield arm
    arm.client.destroy()
    ros.ok("delete_entity", entity=name)


def test_a_goal_is_followed_within_its_tolerances_with_feedback(arm):
    middle = [(a + b) / 2 for a, b in zip(arm.up, arm.reach)]
    status, result, feedback = arm.go(arm.way((1, middle), (2, arm.reach)), path_tolerance=arm.tolerance(0.01), goal_tolerance=arm.tolerance(NEAR))
    assert (status, result.error_code) == (GoalStatus.STATUS_SUCCEEDED, FollowJointTrajectory.Result.SUCCESSFUL), result
    arm.until_at(arm.reach)
    assert len(feedback) >= 10
    for f in feedback:
        assert f.joint_names == arm.joints
        for desired, actual, error in zip(f.desired.positions, f.actual.positions, f.error.positions):
            assert abs(desired - actual) < 0.01 and error == pytest.approx(desired - actual)
    times = [f.desired.time_from_start.sec + f.desired.time_from_start.nanosec * 1e-9 for f in feedback]
    assert times == sorted(times) and times[-1] == pytest.approx(2, abs=0.5)


def test_a_goal_that_is_too_fast_is_aborted_and_says_which_joint(arm):
    arm.go(arm.way((2, arm.up)))
    status, result, _ = arm.go(arm.way((0.1, arm.reach)), path_tolerance=arm.tolerance(0.05))
    assert (status, result.error_code) == (GoalStatus.STATUS_ABORTED, FollowJointTrajectory.Result.PATH_TOLERANCE_VIOLATED), result
    assert "joint" in result.error_string and "0.05" in result.error_string


def test_a_goal_with_a_joint_that_is_not_there_is_aborted(arm):
    trajectory = arm.way((1, arm.up))
    trajectory.joint_names[2] = "knee"
    status, result, _ = arm.go(trajectory)
    assert (status, result.error_code) == (GoalStatus.STATUS_ABORTED, FollowJointTrajectory.Result.INVALID_JOINTS), result
    assert "knee" in result.error_string


def test_a_cancelled_goal_holds_the_arm_where_it_is(arm):
    ros = arm.ros
    arm.go(arm.way((2, arm.up)))
    goal, feedback = arm.send(arm.way((20, arm.reach)))
    ros.until(lambda: arm.off(arm.up) > 0.05, "the arm on its way")
    cancelled = goal.cancel_goal_async()
    ros.until(cancelled.done, "an answer to the cancellation")
    status, result = arm.end(goal)
    assert status == GoalStatus.STATUS_CANCELED, result
    held = arm.positions()
    later = ros.now() + 1_000_000_000
    ros.until(lambda: ros.now() > later, "a second of simulated time")
    assert arm.off(held) < 0.02 and arm.off(arm.reach) > 0.1


def test_a_later_goal_takes_the_joints_of_an_earlier_one(arm):
    first, _ = arm.send(arm.way((20, arm.reach)))
    status, result, _ = arm.go(arm.way((2, arm.up)))
    assert status == GoalStatus.STATUS_SUCCEEDED, result
    status, result = arm.end(first)
    assert status == GoalStatus.STATUS_ABORTED and "another trajectory" in result.error_string, result
    arm.until_at(arm.up)


def test_a_trajectory_on_the_topic_is_followed(arm):
    publisher = arm.ros.publisher(JointTrajectory, f"/{arm.name}/joint_trajectory_controller/joint_trajectory")
    publisher.publish(arm.way((1, arm.reach)))
    arm.until_at(arm.reach)
    publisher.publish(arm.way((1, arm.up)))
    arm.until_at(arm.up)
    arm.ros.node.destroy_publisher(publisher)


def test_joints_take_positions_velocities_and_efforts(arm):
    ros = arm.ros
    publishers = {way: ros.publisher(Float64MultiArray, f"/{arm.name}/forward_{way}_controller/commands") for way in ("position", "velocity", "effort")}
    names = [n for n in arm.states.last.name]  # numbers stand in this order
    goal = dict(zip(arm.joints, arm.reach))
    publishers["position"].publish(Float64MultiArray(data=[goal[n] for n in names]))
    arm.until_at(arm.reach)
    velocities = [0.2 if n == arm.joints[-1] else math.nan for n in names]
    publishers["velocity"].publish(Float64MultiArray(data=velocities))
    at = names.index(arm.joints[-1])
    ros.until(lambda: arm.states.last.velocity[at] == pytest.approx(0.2, abs=1e-3), "the wrist turning")
    publishers["effort"].publish(Float64MultiArray(data=[5.0 if n == arm.joints[-1] else math.nan for n in names]))
    ros.until(lambda: arm.states.last.velocity[at] > 0.5, "the wrist turning faster")
    assert max(abs(p - goal[j]) for j, p in zip(arm.joints, arm.positions()) if j != arm.joints[-1]) < 0.02, "the others hold"
    for publisher in publishers.values():
        ros.node.destroy_publisher(publisher)


def test_joints_are_commanded_by_name(arm):
    publisher = arm.ros.publisher(JointState, f"/{arm.name}/joint_commands")
    publisher.publish(JointState(name=arm.joints, position=arm.up))
    arm.until_at(arm.up)
    publisher.publish(JointState(name=[arm.joints[2]], position=[0.5]))
    arm.until_at([0.5 if j == arm.joints[2] else q for j, q in zip(arm.joints, arm.up)])
    arm.ros.node.destroy_publisher(publisher)
