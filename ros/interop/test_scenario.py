"""Scenarios of gs_sim_msgs/ExecuteScenario: played, followed, cancelled, timed out and refused by rclpy."""

import math

import pytest
from action_msgs.msg import GoalStatus
from gs_sim_msgs.action import ExecuteScenario
from gs_sim_msgs.msg import SimulationStatus, VehicleState
from rclpy.action import ActionClient
from std_msgs.msg import String

from client import LATCHED, RELIABLE
from test_vehicle import ros, track  # noqa: F401 fixtures

LAP = """name: lap
phases:
  - name: set out
    do:
      - set_pose: {entity: ego, position: [1, -12, 0], yaw: 0}
      - set_speed: {entity: ego, speed: 3, steer: 0.1}
      - publish: {topic: /scenario/event, text: off}
      - wait: {time: 1}
  - name: on the way
    when: {distance: {entity: ego, to: [1, -12], above: 4}}
    do:
      - spawn: {uri: %s, name: cone, position: [30, 30, 0.5]}
  - name: brake
    when: {time: 3}
    do:
      - set_speed: {entity: ego, speed: 0}
      - wait: {time: 2}
"""
STUCK = """phases:
  - name: begin
  - name: wait for nobody
    when: {region: {entity: ego, min: [9000, 0], max: [9001, 1]}}
"""
WRONG = {  # text, what the answer says
    "an unknown action": ("phases:\n  - name: a\n    do:\n      - jump: {entity: ego}\n", ':4:9: "jump"'),
    "an unknown key": ("phases:\n  - name: a\n    do:\n      - set_speed: {entity: ego, speed: 3, color: red}\n", ':4:44: "color"'),
    "no number": ("phases:\n  - name: a\n    when: {time: soon}\n", ':3:18: '),
    "no phase": ("name: nothing\n", "phases:"),
    "no YAML": ("phases: [\n", "scenario.yaml: "),
    "no entity": ("phases:\n  - name: a\n    do:\n      - set_pose: {entity: nobody, position: [0, 0]}\n", "nobody"),
}
BOX = """<sdf version="1.9"><model name="cone"><link name="l"><inertial><mass>1</mass></inertial><collision name="c"><geometry><box>
<size>0.2 0.2 0.2</size></box></geometry></collision></link></model></sdf>"""


class Scenarios:
    def __init__(self, ros, folder):
        self.ros, self.folder = ros, folder
        self.client = ActionClient(ros.node, ExecuteScenario, "/sim/execute_scenario")
        ros.until(self.client.server_is_ready, "the action")

    def file(self, text):
        (self.folder / "scenario.yaml").write_text(text)
        return "scenario.yaml"  # in the bundle

    def send(self, text, timeout=0.0):
        """An accepted goal, and the list of its feedback."""
        feedback = []
        goal = ExecuteScenario.Goal(scenario_file=self.file(text), timeout_sec=timeout)
        future = self.client.send_goal_async(goal, feedback_callback=lambda m: feedback.append(m.feedback))
        self.ros.until(future.done, "an answer to the goal")
        assert future.result().accepted
        return future.result(), feedback

    def end(self, goal):
        future = goal.get_result_async()
        self.ros.until(future.done, "the end of the scenario", 120)
        return future.result().status, future.result().result


@pytest.fixture
def scenarios(track, ros):
    ros.play()
    s = Scenarios(ros, track.folder)
    yield s
    s.client.destroy()


def test_a_scenario_is_played_phase_by_phase_with_its_progress(ros, scenarios, listen):
    model = scenarios.folder / "cone.sdf"
    model.write_text(BOX)
    state, said = listen(VehicleState, "/vehicle/state", RELIABLE), listen(String, "/scenario/event", LATCHED)
    goal, feedback = scenarios.send(LAP % model)
    ros.until(lambda: state.last and abs(state.last.twist.linear.x - 3) < 0.1 and abs(state.last.steering_angle - 0.1) < 1e-3, "what it tells the vehicle")
    ros.until(lambda: said.last, "what it says")
    status, result = scenarios.end(goal)
    assert status == GoalStatus.STATUS_SUCCEEDED and result.success, result
    assert 5 <= result.completion_time < 10 and said.last.data == "off"
    ros.until(lambda: feedback and feedback[-1].progress == 1.0, "the last feedback, which may come after the result")
    progress, phases = [f.progress for f in feedback], list(dict.fromkeys(f.current_phase for f in feedback))
    assert progress == sorted(progress) and 0 <= progress[0] and phases == ["set out", "on the way", "brake"]
    assert "cone" in ros.names() and abs(state.last.twist.linear.x) < 0.05
    ros.ok("delete_entity", entity="cone")


def test_a_scenario_that_is_stuck_is_timed_out_and_says_where(scenarios):
    goal, feedback = scenarios.send(STUCK, timeout=2.0)
    status, result = scenarios.end(goal)
    assert status == GoalStatus.STATUS_ABORTED and not result.success
    assert 'in phase "wait for nobody"' in result.message and 2 <= result.completion_time < 3, result
    assert feedback and feedback[-1].current_phase == "wait for nobody"


def test_a_scenario_is_cancelled_and_the_vehicle_stops(ros, scenarios, listen):
    state, status = listen(VehicleState, "/vehicle/state", RELIABLE), listen(SimulationStatus, "/sim/status", RELIABLE)
    goal, _ = scenarios.send("phases:\n  - name: for ever\n    do:\n      - set_pose: {entity: ego, position: [1, -12, 0]}\n"
                             "      - set_speed: {entity: ego, speed: 2}\n      - wait: {time: 1000}\n")
    ros.until(lambda: state.last and abs(state.last.twist.linear.x - 2) < 0.1, "the vehicle on its way")
    cancelled = goal.cancel_goal_async()
    ros.until(cancelled.done, "an answer to the cancellation")
    end, result = scenarios.end(goal)
    assert end == GoalStatus.STATUS_CANCELED and not result.success and "for ever" in result.message
    ros.until(lambda: abs(state.last.twist.linear.x) < 0.01 and any("emergency stop" in w for w in status.last.warnings), "the emergency stop of who has no driver")


@pytest.mark.parametrize("what", WRONG)
def test_a_scenario_that_cannot_be_read_begins_nothing_and_names_the_line(ros, scenarios, what):
    text, says = WRONG[what]
    before = {n: ros.state(n).pose for n in ros.names() if n != "ego"}
    goal, feedback = scenarios.send(text)
    status, result = scenarios.end(goal)
    assert status == GoalStatus.STATUS_ABORTED and not result.success and says in result.message, result.message
    assert what == "no entity" or not feedback, "it began"
    assert {n: ros.state(n).pose for n in ros.names() if n != "ego"} == before


def test_a_file_that_is_not_there_is_named(ros, scenarios):
    future = scenarios.client.send_goal_async(ExecuteScenario.Goal(scenario_file="/nowhere/lap.yaml", timeout_sec=1.0))
    ros.until(future.done, "an answer")
    status, result = scenarios.end(future.result())
    assert status == GoalStatus.STATUS_ABORTED and "/nowhere/lap.yaml" in result.message and math.isclose(result.completion_time, 0)
