"""Parameters: the events that tell of changes, what is set together, and names that there are not."""

import pytest
from rcl_interfaces.msg import ParameterEvent
from rclpy.parameter import Parameter, parameter_value_to_python
from rclpy.parameter_client import AsyncParameterClient

from client import EVERYTHING


@pytest.fixture(scope="module")
def parameters(ros):
    client = AsyncParameterClient(ros.node, "/simdeck")
    ros.until(client.services_are_ready, "the six services")
    return client


def answer(ros, future):
    ros.until(future.done, "an answer")
    return future.result()


def value(ros, parameters, name):
    return parameter_value_to_python(answer(ros, parameters.get_parameters([name])).values[0])


def set_to(ros, parameters, factor):
    done = answer(ros, parameters.set_parameters([Parameter("real_time_factor", value=factor)]))
    assert [r.successful for r in done.results] == [True], done
    assert value(ros, parameters, "real_time_factor") == factor


def test_setting_one_takes_effect_and_is_told(ros, parameters):
    events = ros.listen(ParameterEvent, "/parameter_events", EVERYTHING)

    def told(factor):
        return any(e.node == "/simdeck" and [(p.name, p.value.double_value) for p in e.changed_parameters] ==
                   [("real_time_factor", factor)] for e in events.messages)

    def told_something():
        set_to(ros, parameters, 2.0)
        return told(2.0)

    # The topic is volatile, a new listener is told to the simulator on one socket and a request on another, and nothing tells
    # the client when both ends have met: what is set before that is nobody's event.
    ros.until(told_something, "its first event")
    for factor in (0.5, 1.0):
        set_to(ros, parameters, factor)
        ros.until(lambda: told(factor), f"the event of {factor}")
    ros.forget(events)


def test_all_or_none_are_set_atomically(ros, parameters):
    both = [Parameter("real_time_factor", value=3.0), Parameter("step_size", value=0.5)]
    result = answer(ros, parameters.set_parameters_atomically(both)).result
    assert not result.successful and result.reason and value(ros, parameters, "real_time_factor") == 1.0
    one_by_one = answer(ros, parameters.set_parameters(both)).results
    assert [r.successful for r in one_by_one] == [True, False] and value(ros, parameters, "real_time_factor") == 3.0
    assert answer(ros, parameters.set_parameters_atomically([Parameter("real_time_factor", value=1.0)])).result.successful
    assert value(ros, parameters, "real_time_factor") == 1.0


def test_unknown_names_have_no_values(ros, parameters):
    assert not any(v.type for v in answer(ros, parameters.get_parameters(["no_such_parameter"])).values)
    assert not any(answer(ros, parameters.get_parameter_types(["no_such_parameter"])).types)
    assert answer(ros, parameters.list_parameters(["no_such_prefix"], 0)).result.names == []
