"""Services in the mapping of rmw_cyclonedds, an action made of them, and parameters."""

import secrets

import pytest

import idl
from dds import LATCHED, RELIABLE, Caller, nanoseconds
from model import BOX

PLAYING, PAUSED = 1, 2
SUCCEEDED, CANCELED = 4, 5
OK = 1
DOUBLE = 3  # rcl_interfaces/msg/ParameterType

CLIENTS = {  # what a client's user data says: itself and the types' hashes, only itself (Humble), nothing (known by its vendor)
    "2.x": dict(kinds=idl.SPAWN_2, hashes=idl.SPAWN_2_HASHES),
    "1.x, no hash": dict(kinds=idl.SPAWN_1),
    "1.x, nothing": dict(kinds=idl.SPAWN_1, announce=False),
}


def text_of(client, text):
    """The fields that give a model as text, in the line of a client."""
    if client.request is idl.SPAWN_2[0]:
        return dict(entity_resource=idl.Resource("", text))
    return dict(resource_string=text)


def at(x):
    return idl.new(idl.PoseStamped, pose=idl.new(idl.Pose, position=idl.Point(x, 60.0, 0.1)))


@pytest.fixture(params=CLIENTS)
def client(peer, request):
    return Caller(peer, "spawn_entity", **CLIENTS[request.param])


def test_an_entity_comes_and_goes(peer, client):
    answer = client.call(name="parcel", initial_pose=at(60.0), **text_of(client, BOX))
    assert (answer.result.result, answer.entity_name) == (OK, "parcel"), answer
    assert "parcel" in peer.ok("get_entities").entities
    place = peer.ok("get_entity_state", entity="parcel").state.pose.position
    assert (place.x, place.y) == (pytest.approx(60, abs=0.1), pytest.approx(60, abs=0.1))
    peer.ok("delete_entity", entity="parcel")
    assert "parcel" not in peer.ok("get_entities").entities


def test_a_megabyte_goes_in_and_a_reason_comes_out(peer, client):
    text = BOX.replace("<model", "<!-- " + "x" * 1_000_000 + " --><model")
    assert client.call(name="large", initial_pose=at(60.0), **text_of(client, text)).result.result == OK
    answer = client.call(name="large", initial_pose=at(62.0), **text_of(client, BOX))
    assert answer.result.result == 101 and "large" in answer.result.error_message, answer
    peer.ok("delete_entity", entity="large")


def test_each_client_gets_its_own_answers(peer):
    """Clients of one participant share the way of the replies: none may take another's, none may miss its own."""
    kinds = idl.SERVICES["get_entity_state"]
    names = peer.ok("get_entities").entities
    callers = [Caller(peer, "get_entity_state", kinds, announce=k % 2 == 0) for k in range(4)]
    for c in callers:
        peer.until(c.ready, "the service")
    places = {name: place(peer.ok("get_entity_state", entity=name)) for name in names}
    assert len(set(places.values())) > 1, "nothing tells the answers apart"
    for k in range(25):  # two at a time from each: a service keeps ten, on either side
        turn = [(c, c.begin(entity=name), name) for i, c in enumerate(callers) for name in (names[(k + i) % len(names)], names[-(k + i) % len(names)])]
        for c, number, name in turn:
            answer = peer.until(lambda: c.answer(number), f"an answer to request {number}")
            assert answer.result.result == OK and place(answer) == places[name], (name, answer)


def place(answer):
    p = answer.state.pose.position
    return round(p.x, 3), round(p.y, 3)


def test_a_fresh_client_is_answered_at_once(another, simdeck):
    """A client that asks as soon as it may: its request can arrive before its reply reader is known (13 of 120 did)."""
    for _ in range(12):
        peer = another()
        caller = Caller(peer, "get_simulation_state", idl.SERVICES["get_simulation_state"])
        assert caller.call().state.state in (PLAYING, PAUSED)
        peer.close()


def test_steps_move_the_clock_exactly(peer):
    peer.become(PAUSED)
    clock = peer.listen(idl.Clock, "/clock")
    before = peer.now()
    peer.ok("step_simulation", steps=1)
    dt = peer.now() - before
    peer.ok("step_simulation", steps=250)
    assert peer.now() == before + 251 * dt and dt > 0
    peer.until(lambda: clock.last and nanoseconds(clock.last.clock) == before + 251 * dt, "the clock of the last step")
    peer.become(PLAYING)


class Goal:
    """A goal of simulate_steps, made of the action's services and topics."""

    def __init__(self, peer, steps):
        self.peer, self.id = peer, idl.UUID(secrets.token_bytes(16))
        self.feedback = peer.listen(idl.StepsFeedbackMessage, "/simulate_steps/_action/feedback")
        peer.until(lambda: self.feedback.reader.get_subscription_matched_status().current_count, "the feedback's writer")
        answer = peer.call("simulate_steps/_action/send_goal", goal_id=self.id, goal=idl.StepsGoal(steps))
        assert answer.accepted

    def counts(self):
        return [m.feedback.completed_steps for m in self.feedback.messages if bytes(m.goal_id.uuid) == self.id.uuid]

    def result(self):
        answer = self.peer.call("simulate_steps/_action/get_result", goal_id=self.id)
        return answer.status, answer.result.result

    def cancel(self):
        return self.peer.call("simulate_steps/_action/cancel_goal", goal_info=idl.new(idl.GoalInfo, goal_id=self.id))


def test_the_stepping_action_tells_and_ends(peer):
    peer.become(PAUSED)
    before = peer.now()
    peer.ok("step_simulation", steps=1)
    dt = peer.now() - before
    goal = Goal(peer, 500)
    status, result = goal.result()
    assert (status, result.result) == (SUCCEEDED, OK), result
    assert peer.now() == before + 501 * dt
    peer.until(lambda: 500 in goal.counts(), lambda: f"the feedback of the last step, has {goal.counts()}")
    assert goal.counts() == sorted(set(goal.counts()))
    states = peer.listen(idl.GoalStatusArray, "/simulate_steps/_action/status", LATCHED)
    last = peer.until(lambda: states.last and states.last.status_list, "the latched status of the goals")[-1]
    assert (bytes(last.goal_info.goal_id.uuid), last.status) == (goal.id.uuid, SUCCEEDED)
    peer.become(PLAYING)


def test_the_stepping_action_is_cancelled(peer):
    peer.become(PAUSED)
    goal = Goal(peer, 10_000_000)
    peer.until(lambda: len(goal.counts()) > 3, "feedback")
    answer = goal.cancel()
    assert answer.return_code == 0 and [bytes(g.goal_id.uuid) for g in answer.goals_canceling] == [goal.id.uuid]
    assert goal.result()[0] == CANCELED
    peer.ok("step_simulation", steps=1)
    peer.become(PLAYING)


def test_parameters_are_read_set_and_told(peer):
    events = peer.listen(idl.ParameterEvent, "/parameter_events", RELIABLE)
    peer.until(lambda: events.reader.get_subscription_matched_status().current_count, "the events' writer")
    value = peer.call("simdeck/get_parameters", names=["real_time_factor"]).values[0]
    assert (value.type, value.double_value) == (DOUBLE, 1.0), value
    for factor in (2.5, 1.0):
        wish = idl.Parameter("real_time_factor", idl.new(idl.ParameterValue, type=DOUBLE, double_value=factor))
        answer = peer.call("simdeck/set_parameters", parameters=[wish])
        assert [r.successful for r in answer.results] == [True], answer
        assert peer.call("simdeck/get_parameters", names=["real_time_factor"]).values[0].double_value == factor
        peer.until(lambda: any(wish in e.changed_parameters for e in events.messages), f"the event of {factor}")
    wrong = idl.Parameter("real_time_factor", idl.new(idl.ParameterValue, type=DOUBLE, double_value=-1.0))
    refused = peer.call("simdeck/set_parameters", parameters=[wrong]).results
    assert not refused[0].successful and refused[0].reason
