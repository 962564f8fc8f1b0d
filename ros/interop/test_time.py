"""Pause, step, reset: the clock moves exactly as told, and a scope resets exactly what it names."""

import math

import pytest
from rosgraph_msgs.msg import Clock
from simulation_interfaces.msg import Result, SimulationState
from simulation_interfaces.srv import ResetSimulation, SetEntityState, SetSimulationState

from client import BEST_EFFORT, EVERYTHING, nanoseconds, place
from test_spawning import BOX

RESET = ResetSimulation.Request
STATE = SimulationState


@pytest.fixture(autouse=True)
def paused(ros):
    ros.pause()
    yield
    ros.ok("reset_simulation", scope=RESET.SCOPE_ALL)


def state(value):
    return dict(state=STATE(state=value))


def test_the_demo_opens_playing_and_the_clock_runs(start):
    fresh = start()
    ros = fresh.client()
    assert ros.state_of_simulation() == STATE.STATE_PLAYING
    clock = ros.listen(Clock, "/clock", BEST_EFFORT)
    ros.until(lambda: len(clock.messages) > 50, "a running clock")
    ticks = [nanoseconds(m.clock) for m in clock.messages]
    assert ticks == sorted(set(ticks)), "the clock went back or stood still while playing"
    ros.close()
    fresh.quit()


def test_250_steps_move_the_clock_by_exactly_250_steps(ros):
    clock = ros.listen(Clock, "/clock", EVERYTHING)
    before = ros.now()
    ros.ok("step_simulation", steps=1)
    dt = ros.now() - before
    assert dt > 0
    ros.until(lambda: clock.last and nanoseconds(clock.last.clock) == before + dt, "the clock of one step")
    clock.clear()

    ros.ok("step_simulation", steps=250)
    assert ros.now() == before + 251 * dt, "the states say another time"
    end = before + 251 * dt
    ros.until(lambda: clock.last and nanoseconds(clock.last.clock) >= end,
              lambda: f"/clock at {end}, has {[nanoseconds(m.clock) for m in clock.messages][-3:]}")
    ticks = [nanoseconds(m.clock) for m in clock.messages]
    assert ticks[-1] == end, f"/clock went {ticks[-1] - before - dt} ns, 250 steps are {250 * dt} ns"
    assert all((b - a) % dt == 0 and b > a for a, b in zip(ticks, ticks[1:]))
    assert ros.now() == end, "time went on after the steps"
    ros.forget(clock)


def test_no_steps_are_no_time(ros):
    before = ros.now()
    ros.ok("step_simulation", steps=0)
    assert ros.now() == before


def test_stepping_needs_a_pause(ros):
    ros.play()
    ros.refused("step_simulation", Result.RESULT_OPERATION_FAILED, steps=5)


def test_a_long_step_does_not_hold_up_the_other_services(ros):
    before = ros.now()
    future = ros.begin("step_simulation", steps=5_000_000)
    assert ros.names()
    ros.until(lambda: ros.now() > before, "time to go on while stepping")
    ros.refused("step_simulation", Result.RESULT_INCORRECT_STATE, steps=1)
    assert not future.done()
    ros.ok("set_simulation_state", **state(STATE.STATE_STOPPED))  # ends it
    ros.until(future.done, "the long step to be answered")
    ros.ok("set_simulation_state", **state(STATE.STATE_PAUSED))


def test_the_states_follow_the_standard(ros):
    ros.refused("set_simulation_state", SetSimulationState.Response.ALREADY_IN_TARGET_STATE, **state(STATE.STATE_PAUSED))
    for value in (STATE.STATE_PLAYING, STATE.STATE_PAUSED, STATE.STATE_STOPPED, STATE.STATE_PAUSED, STATE.STATE_STOPPED, STATE.STATE_PLAYING):
        ros.ok("set_simulation_state", **state(value))
        assert ros.state_of_simulation() == value
    for value in (STATE.STATE_NO_WORLD, STATE.STATE_LOADING_WORLD):
        ros.refused("set_simulation_state", SetSimulationState.Response.INCORRECT_TRANSITION, **state(value))
    ros.refused("set_simulation_state", Result.RESULT_OPERATION_FAILED, **state(77))
    ros.pause()


def test_stopping_resets_time_and_it_stands_still(ros):
    ros.ok("step_simulation", steps=10)
    ros.ok("set_simulation_state", **state(STATE.STATE_STOPPED))
    assert ros.now() == 0
    ros.refused("step_simulation", Result.RESULT_OPERATION_FAILED, steps=1)
    ros.pause()
    assert ros.now() == 0


@pytest.fixture
def changed(ros):
    """A world in which everything that can be reset was changed: time, a moved entity of the world, a moved spawned one."""
    ros.ok("reset_simulation", scope=RESET.SCOPE_ALL)
    robot = next(n for n in ros.names() if f"/{n}/odom" in dict(ros.node.get_topic_names_and_types()))
    home = ros.state(robot).pose
    ros.spawn("crate", text=BOX, pose=place(60, 60, 0.1))
    ros.ok("step_simulation", steps=20)
    move(ros, robot, home.position.x + 0.3, home.position.y, home.position.z)
    move(ros, "crate", 65, 60, 0.1)
    assert x(ros, robot) == pytest.approx(home.position.x + 0.3, abs=1e-3) and x(ros, "crate") == pytest.approx(65, abs=1e-3)
    assert ros.now() > 0
    return robot, home.position.x


def move(ros, entity, *to):
    target = ros.state(entity)
    target.pose.position.x, target.pose.position.y, target.pose.position.z = map(float, to)
    ros.ok("set_entity_state", entity=entity, state=target, set_pose=True)


def x(ros, entity):
    return ros.state(entity).pose.position.x


def test_resetting_time_resets_only_time(ros, changed):
    robot, home = changed
    clock = ros.listen(Clock, "/clock", EVERYTHING)
    ros.ok("reset_simulation", scope=RESET.SCOPE_TIME)
    assert ros.now() == 0 and ros.state_of_simulation() == STATE.STATE_PAUSED
    assert x(ros, robot) == pytest.approx(home + 0.3, abs=1e-3) and x(ros, "crate") == pytest.approx(65, abs=1e-3)
    ros.ok("step_simulation", steps=3)
    ros.until(lambda: clock.last and nanoseconds(clock.last.clock) == ros.now(), "the clock to start again")
    ros.forget(clock)


def test_resetting_state_brings_everything_home(ros, changed):
    robot, home = changed
    before = ros.now()
    ros.ok("reset_simulation", scope=RESET.SCOPE_STATE)
    assert ros.now() == before
    assert x(ros, robot) == pytest.approx(home, abs=1e-3) and x(ros, "crate") == pytest.approx(60, abs=1e-3)


def test_resetting_spawned_removes_what_was_spawned(ros, changed):
    robot, home = changed
    before = ros.now()
    ros.ok("reset_simulation", scope=RESET.SCOPE_SPAWNED)
    assert "crate" not in ros.names() and robot in ros.names()
    assert ros.now() == before and x(ros, robot) == pytest.approx(home + 0.3, abs=1e-3)


@pytest.mark.parametrize("scope", [RESET.SCOPE_DEFAULT, RESET.SCOPE_ALL])
def test_resetting_all_is_as_just_loaded(ros, changed, scope):
    robot, home = changed
    ros.ok("reset_simulation", scope=scope)
    assert ros.now() == 0 and "crate" not in ros.names()
    assert x(ros, robot) == pytest.approx(home, abs=1e-3)


def test_scopes_can_be_combined(ros, changed):
    robot, home = changed
    ros.ok("reset_simulation", scope=RESET.SCOPE_TIME | RESET.SCOPE_SPAWNED)
    assert ros.now() == 0 and "crate" not in ros.names()
    assert x(ros, robot) == pytest.approx(home + 0.3, abs=1e-3)


def test_an_unknown_scope_is_unsupported_and_resets_nothing(ros, changed):
    before = ros.now()
    ros.refused("reset_simulation", Result.RESULT_FEATURE_UNSUPPORTED, scope=8)
    assert ros.now() == before and "crate" in ros.names()


def test_setting_a_state_refuses_what_cannot_be(ros):
    name = ros.names()[0]
    bad = ros.state(name)
    bad.pose.position.x = math.nan
    ros.refused("set_entity_state", SetEntityState.Response.INVALID_POSE, entity=name, state=bad, set_pose=True)
    assert math.isfinite(x(ros, name))
    ros.refused("set_entity_state", Result.RESULT_NOT_FOUND, entity="nobody", state=ros.state(name), set_pose=True)
