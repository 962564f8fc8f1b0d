"""simulate_steps with the real action client: feedback, cancellation, refusals, and a client that dies."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from action_msgs.msg import GoalStatus, GoalStatusArray
from action_msgs.srv import CancelGoal
from rclpy.action import ActionClient
from simulation_interfaces.action import SimulateSteps
from simulation_interfaces.msg import Result, SimulationState, SimulatorFeatures
from simulation_interfaces.srv import ResetSimulation

from client import PATIENCE, QoSProfile, DurabilityPolicy, ReliabilityPolicy

MANY = 10_000_000  # steps: more than anybody waits for


class Steps:
    """A goal of simulate_steps, and what was heard of it."""

    def __init__(self, ros, client, steps):
        self.ros, self.steps, self.feedback = ros, steps, []
        ros.until(client.server_is_ready, "the action server")
        goal = client.send_goal_async(SimulateSteps.Goal(steps=steps), feedback_callback=lambda m: self.feedback.append(m.feedback))
        ros.until(goal.done, "an answer to the goal")
        self.goal = goal.result()
        assert self.goal.accepted, "the goal was refused"

    def result(self):
        future = self.goal.get_result_async()
        self.ros.until(future.done, "the result")
        return future.result().status, future.result().result.result

    def cancel(self):
        future = self.goal.cancel_goal_async()
        self.ros.until(future.done, "an answer to the cancellation")
        return future.result()

    def heard(self, completed):
        """Waits for the feedback of the last step, and checks all of it."""
        self.ros.until(lambda: self.feedback and self.feedback[-1].completed_steps >= completed, f"the feedback of step {completed}")
        counts = [f.completed_steps for f in self.feedback]
        assert counts == sorted(set(counts)) and counts[-1] == completed, counts
        assert all(f.completed_steps + f.remaining_steps == self.steps for f in self.feedback)
        return counts


@pytest.fixture(scope="module")
def client(ros):
    client = ActionClient(ros.node, SimulateSteps, "/simulate_steps")
    yield client
    client.destroy()


@pytest.fixture(autouse=True)
def paused(ros):
    ros.pause()
    yield
    ros.pause()
    ros.ok("reset_simulation", scope=ResetSimulation.Request.SCOPE_ALL)


def completed(text):
    """How many steps an error message says were done: "… after 12 of 99 steps …"."""
    words = text.split()
    return int(words[words.index("after") + 1])


def test_the_feature_is_announced(ros):
    assert SimulatorFeatures.STEP_SIMULATION_ACTION in ros.call("get_simulator_features").features.features


def test_steps_move_the_clock_exactly_and_tell_on_the_way(ros, client):
    before = ros.now()
    ros.ok("step_simulation", steps=1)
    dt = ros.now() - before
    goal = Steps(ros, client, 2000)
    assert goal.result() == (GoalStatus.STATUS_SUCCEEDED, Result(result=Result.RESULT_OK))
    goal.heard(2000)
    assert ros.now() == before + 2001 * dt


def test_no_steps_are_fine(ros, client):
    before = ros.now()
    assert Steps(ros, client, 0).result()[0] == GoalStatus.STATUS_SUCCEEDED
    assert ros.now() == before


def test_cancelling_says_how_far_it_came(ros, client):
    before = ros.now()
    ros.ok("step_simulation", steps=1)
    dt = ros.now() - before
    goal = Steps(ros, client, MANY)
    begun = time.monotonic()
    ros.until(lambda: len(goal.feedback) >= 20, "twenty feedback messages")
    rate = len(goal.feedback) / (time.monotonic() - begun)
    assert rate < 130, f"{rate:.0f} feedback messages a second, at most 100 are wanted"
    answer = goal.cancel()
    assert answer.return_code == CancelGoal.Response.ERROR_NONE
    assert [bytes(g.goal_id.uuid) for g in answer.goals_canceling] == [bytes(goal.goal.goal_id.uuid)]
    status, result = goal.result()
    assert status == GoalStatus.STATUS_CANCELED and result.result == Result.RESULT_OPERATION_FAILED, (status, result)
    done = completed(result.error_message)
    goal.heard(done)
    assert ros.now() == before + (done + 1) * dt
    assert goal.cancel().return_code == CancelGoal.Response.ERROR_GOAL_TERMINATED


def test_one_steps_at_a_time_and_others_are_served_meanwhile(ros, client):
    goal = Steps(ros, client, MANY)
    ros.until(lambda: goal.feedback, "feedback")
    assert ros.names() and ros.state_of_simulation() == SimulationState.STATE_PAUSED
    ros.refused("step_simulation", Result.RESULT_INCORRECT_STATE, steps=1)
    status, result = Steps(ros, client, 1).result()
    assert status == GoalStatus.STATUS_ABORTED and result.result == Result.RESULT_INCORRECT_STATE and result.error_message
    goal.cancel()
    assert goal.result()[0] == GoalStatus.STATUS_CANCELED


@pytest.mark.parametrize("state", [SimulationState.STATE_PLAYING, SimulationState.STATE_STOPPED])
def test_steps_need_a_pause(ros, client, state):
    ros.become(state)
    status, result = Steps(ros, client, 3).result()
    assert status == GoalStatus.STATUS_ABORTED and result.result == Result.RESULT_OPERATION_FAILED and "paused" in result.error_message


def test_the_parts_of_the_action_are_on_the_graph_and_the_status_waits_for_late_comers(ros, client):
    Steps(ros, client, 5).result()
    latched = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    status = ros.listen(GoalStatusArray, "/simulate_steps/_action/status", latched)
    ros.until(lambda: status.last, "the status of the goals")
    assert status.last.status_list[-1].status == GoalStatus.STATUS_SUCCEEDED
    ros.forget(status)
    topics = dict(ros.node.get_topic_names_and_types())
    assert topics["/simulate_steps/_action/feedback"] == ["simulation_interfaces/action/SimulateSteps_FeedbackMessage"]
    services = dict(ros.node.get_service_names_and_types())
    assert services["/simulate_steps/_action/send_goal"] == ["simulation_interfaces/action/SimulateSteps_SendGoal"]


def test_steps_go_on_when_their_client_is_killed(simdeck, ros, client):
    script = textwrap.dedent(f"""
        import rclpy, sys
        from rclpy.action import ActionClient
        from simulation_interfaces.action import SimulateSteps
        rclpy.init(domain_id={simdeck.domain})
        node = rclpy.create_node("doomed")
        client = ActionClient(node, SimulateSteps, "/simulate_steps")
        assert client.wait_for_server({PATIENCE})
        goal = client.send_goal_async(SimulateSteps.Goal(steps={MANY}))
        rclpy.spin_until_future_complete(node, goal)
        goal.result().get_result_async()
        print("sent", flush=True)
        rclpy.spin(node)
    """)
    doomed = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert doomed.stdout.readline() == "sent\n"
    doomed.send_signal(signal.SIGKILL)
    doomed.wait()
    before = ros.now()
    ros.until(lambda: ros.now() > before, "steps after the client's death")
    canceler = ros.node.create_client(CancelGoal, "/simulate_steps/_action/cancel_goal")
    ros.until(canceler.service_is_ready, "the cancelling service")
    everything = canceler.call_async(CancelGoal.Request())
    ros.until(everything.done, "an answer to the cancellation")
    assert len(everything.result().goals_canceling) == 1
    ros.until(lambda: ros.call("step_simulation", steps=1).result.result == Result.RESULT_OK, "steps that can be asked for again")
