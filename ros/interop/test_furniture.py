"""What tools expect of a node: parameters with descriptors and from files, type descriptions, the enclave, two simulators
in one domain."""

import pytest
from rcl_interfaces.msg import ParameterType
from rclpy.parameter import Parameter
from rclpy.parameter_client import AsyncParameterClient
from rosgraph_msgs.msg import Clock
from simulation_interfaces.msg import SimulationState
from type_description_interfaces.srv import GetTypeDescription

from client import BEST_EFFORT, nanoseconds


class Parameters:
    """The parameters of a node, as ros2 param sees them."""

    def __init__(self, ros, node):
        self.ros, self.client = ros, AsyncParameterClient(ros.node, node)
        ros.until(self.client.services_are_ready, f"the parameter services of {node}")

    def answer(self, future):
        self.ros.until(future.done, "an answer about parameters")
        return future.result()

    def get(self, name):
        return self.answer(self.client.get_parameters([name])).values[0]

    def set(self, name, value):
        return self.answer(self.client.set_parameters([Parameter(name, value=value)])).results[0]

    def names(self):
        return set(self.answer(self.client.list_parameters([], 0)).result.names)

    def describe(self, name):
        return self.answer(self.client.describe_parameters([name])).descriptors[0]


@pytest.fixture(scope="module")
def parameters(ros):
    return Parameters(ros, "simdeck")


def test_the_parameters_are_listed_and_described(parameters):
    wanted = {"real_time_factor", "step_size", "seed", "start_state", "cmd_vel_type", "clock_rate", "publish_clock", "publish_markers", "publish_world_tf",
              "bounds_type", "use_sim_time", "start_type_description_service"}
    assert parameters.names() >= wanted, wanted - parameters.names()
    factor = parameters.describe("real_time_factor")
    assert factor.type == ParameterType.PARAMETER_DOUBLE and not factor.read_only
    assert (factor.floating_point_range[0].from_value, factor.floating_point_range[0].to_value) == (0.0, 1000.0)
    assert parameters.describe("seed").read_only and parameters.describe("step_size").read_only


def test_the_real_time_factor_is_set_and_refused_beyond_its_range(ros, parameters):
    assert parameters.set("real_time_factor", 0.5).successful
    assert parameters.get("real_time_factor").double_value == 0.5
    for value in (-1.0, 2000.0, "fast"):
        refused = parameters.set("real_time_factor", value)
        assert not refused.successful and "real_time_factor" in refused.reason
    assert not parameters.set("seed", 7).successful
    assert parameters.set("real_time_factor", 1.0).successful


def test_the_clock_can_be_turned_off_and_on(ros, parameters):
    ros.play()
    assert parameters.set("publish_clock", False).successful
    ros.until(lambda: ros.node.count_publishers("/clock") == 0, "no publisher of /clock")
    assert parameters.set("publish_clock", True).successful
    clock = ros.listen(Clock, "/clock", BEST_EFFORT)
    ros.until(lambda: len(clock.messages) > 10, "a running clock")
    ros.forget(clock)


def test_types_are_described(ros):
    caller = ros.node.create_client(GetTypeDescription, "/simdeck/get_type_description")
    ros.until(caller.service_is_ready, "the service")
    info = ros.until(lambda: ros.node.get_publishers_info_by_topic("/clock"), "the publisher of /clock")[0]
    announced = str(info.topic_type_hash)
    kind = Clock.__module__.split(".")[0] + "/msg/Clock"
    future = caller.call_async(GetTypeDescription.Request(type_name=kind, type_hash=announced, include_type_sources=True))
    ros.until(future.done, "a description")
    answer = future.result()
    assert answer.successful, answer.failure_reason
    assert answer.type_description.type_description.fields[0].type.nested_type_name == "builtin_interfaces/msg/Time"
    assert [s.encoding for s in answer.type_sources] == ["msg", "msg"]


def test_a_parameter_file_and_an_enclave_are_taken(start, tmp_path):
    file = tmp_path / "p.yaml"
    file.write_text("""/**:
  ros__parameters: {real_time_factor: 3.0, start_state: paused}
/lab/deck:
  ros__parameters:
    bounds_type: sphere
/other: {ros__parameters: {bounds_type: convex_hull}}
""")
    fresh = start("--ros-args", "-r", "__ns:=/lab", "-r", "__node:=deck", "--params-file", str(file), "--enclave", "/lab/e", "-p", "typo:=1", "--")
    ros = fresh.client(prefix="/lab")
    assert ros.state_of_simulation() == SimulationState.STATE_PAUSED
    parameters = Parameters(ros, "/lab/deck")
    assert parameters.get("real_time_factor").double_value == 3.0
    assert parameters.get("bounds_type").string_value == "sphere"
    assert parameters.get("start_state").string_value == "paused"
    ros.until(lambda: ("deck", "/lab", "/lab/e") in ros.node.get_node_names_and_namespaces_with_enclaves(), "the enclave")
    assert "typo" in fresh.text(), "a parameter that there is not is taken without a word"
    ros.close()
    fresh.quit()


def test_two_simulators_in_one_domain_keep_to_themselves(start):
    left = start("--paused", "--namespace", "/left")
    right = start("--paused", "--ros-args", "-r", "__ns:=/right", "-r", "/clock:=/right/clock", "--", domain=left.domain)
    one, two = left.client(prefix="/left"), right.client(prefix="/right", name="second")
    one.ok("step_simulation", steps=100)
    assert one.now() > 0 and two.now() == 0
    clocks = [one.listen(Clock, topic, BEST_EFFORT) for topic in ("/clock", "/right/clock")]
    two.ok("step_simulation", steps=7)
    one.until(lambda: clocks[1].last and nanoseconds(clocks[1].last.clock) == two.now(), "the clock of the right one")
    one.until(lambda: clocks[0].last, "the clock of the left one")
    assert {nanoseconds(m.clock) for m in clocks[0].messages} <= {one.now()}, "the left clock shows another time"
    left.quit()
    two.ok("step_simulation", steps=1)
    assert "WARN" not in right.text(), right.text()
    two.close()
    one.close()
    right.quit()


def test_two_simulators_that_clash_say_so(start):
    named = ("--ros-args", "-r", "__node:=deck", "--")
    one = start("--paused", *named)
    two = start("--paused", *named, domain=one.domain)
    ros = one.client()
    ros.until(lambda: "__node:=NAME" in one.text() and "__node:=NAME" in two.text(), "a warning about the name")
    ros.until(lambda: "publish_clock:=false" in one.text() and "publish_clock:=false" in two.text(), "a warning about the clock")
    ros.close()
    one.quit()
    two.quit()


def test_a_simulator_whose_name_is_taken_has_the_next_one(start):
    one = start("--paused")
    ros = one.client()
    ros.until(lambda: ("simdeck", "/") in ros.node.get_node_names_and_namespaces(), "/simdeck")
    two = start("--paused", domain=one.domain)
    ros.until(lambda: ("simdeck_2", "/") in ros.node.get_node_names_and_namespaces(), "/simdeck_2")
    assert ros.node.get_node_names_and_namespaces().count(("simdeck", "/")) == 1
    ros.until(lambda: ("simdeck_2", "/", "/") in ros.node.get_node_names_and_namespaces_with_enclaves(), "the enclave")
    assert "is taken" in two.text() and "is taken" not in one.text()
    other = Parameters(ros, "simdeck_2")
    assert other.set("clock_rate", 20.0).successful and other.get("clock_rate").double_value == 20.0
    assert Parameters(ros, "simdeck").get("clock_rate").double_value == 0.0
    ros.close()
    one.quit()
    two.quit()


def test_the_clock_follows_its_rate(start):
    fresh = start("--step", "1ms", "--ros-args", "-p", "clock_rate:=1000", "--")
    ros = fresh.client()
    clock = ros.listen(Clock, "/clock", BEST_EFFORT)
    ros.until(lambda: len(clock.messages) > 2000, "two seconds of the clock")
    ticks = [nanoseconds(m.clock) for m in clock.messages]
    assert (ticks[-1] - ticks[0]) / 1e6 < 1.01 * len(ticks), "more than one in a hundred messages is missing"
    ros.close()
    fresh.quit()
