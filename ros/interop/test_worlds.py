"""Several worlds in one process: one participant, and a node, a clock and services for each."""

from rosgraph_msgs.msg import Clock
from simulation_interfaces.msg import SimulationState


def seconds(listener):
    return listener.last.clock.sec + listener.last.clock.nanosec * 1e-9 if listener.last else 0.0


def test_two_worlds_of_one_process_have_each_their_clock_and_services(start):
    both = start("bench", "maze", "--each-namespace", "--paused")
    first, second = both.client("first", "/bench"), both.client("second", "/maze")
    ticks = {"bench": first.listen(Clock, "/bench/clock"), "maze": first.listen(Clock, "/maze/clock")}
    first.play()
    second.play()
    first.until(lambda: seconds(ticks["bench"]) > 0.5 and seconds(ticks["maze"]) > 0.5, "both clocks to run")
    first.pause()
    assert first.state_of_simulation() == SimulationState.STATE_PAUSED
    assert second.state_of_simulation() == SimulationState.STATE_PLAYING
    held = seconds(ticks["bench"])
    goes = seconds(ticks["maze"])
    first.until(lambda: seconds(ticks["maze"]) > goes + 1.0, "the other world to go on")
    assert seconds(ticks["bench"]) - held < 0.2, f"the paused world's clock went from {held} to {seconds(ticks['bench'])}"
    first.close()
    second.close()
    both.quit()


def test_every_node_of_the_participant_is_listed_with_its_own(start):
    both = start("bench", "maze", "--each-namespace", "--namespace", "/lab", "--paused")
    client = both.client("looker", "/lab/bench")
    nodes = {("simdeck", "/lab/bench"), ("simdeck", "/lab/maze")}
    client.until(lambda: nodes <= set(client.node.get_node_names_and_namespaces()), "both nodes")
    for world in ("bench", "maze"):

        def services():
            return dict(client.node.get_service_names_and_types_by_node("simdeck", f"/lab/{world}"))

        client.until(lambda: f"/lab/{world}/get_entities" in services(), lambda: f"the services of {world}, seen are {services()}")
        assert all(name.startswith(f"/lab/{world}/") for name in services()), services()
        published = dict(client.node.get_publisher_names_and_types_by_node("simdeck", f"/lab/{world}"))
        assert f"/lab/{world}/clock" in published, published
        assert all(name.startswith(f"/lab/{world}/") or name in ("/rosout", "/parameter_events") for name in published), published
    client.check = lambda: None
    both.quit()
    client.until(lambda: not nodes & set(client.node.get_node_names_and_namespaces()), "both nodes to leave the graph", 10)
    client.close()
