"""Starting, leaving, and sharing a domain."""

from simulation_interfaces.msg import SimulationState

from client import Client


def listed(client, name="simdeck"):
    return name in client.node.get_node_names()


def test_quitting_answers_first_then_leaves(start):
    simdeck = start()
    client = simdeck.client()
    client.check = lambda: None  # from here on it may be gone
    client.ok("set_simulation_state", state=SimulationState(state=SimulationState.STATE_QUITTING))
    assert simdeck.wait() == 0, simdeck.text()
    # well below the 20 s after which a node that just vanished is forgotten
    client.until(lambda: not listed(client), "the node to leave the graph", 10)
    client.close()


def test_interrupted_it_leaves_the_graph(start):
    simdeck = start()
    client = simdeck.client()
    client.until(lambda: listed(client), "the node in the graph")
    client.check = lambda: None
    simdeck.quit()
    client.until(lambda: not listed(client), "the node to leave the graph", 10)
    client.close()


def test_a_simulator_that_is_killed_is_forgotten_when_its_lease_ends(start):
    simdeck = start()
    client = simdeck.client()
    client.until(lambda: listed(client), "the node in the graph")
    client.check = lambda: None
    simdeck.kill()
    client.until(lambda: not listed(client), "the node to be forgotten", 40)  # 20 s after its last word
    client.close()


def test_a_client_that_was_there_first_finds_it(start):
    domain = 71
    client = Client(domain)
    client.until(lambda: client.node.get_node_names() == ["interop"], "the client's own node")
    simdeck = start(domain=domain)
    client.ok("get_simulation_state")
    client.close()
    simdeck.quit()


def test_two_simulators_share_a_domain_and_its_ports(start):
    one = start("--namespace", "/one", "--paused")
    two = start("--namespace", "/two", "--paused", domain=one.domain)
    first, second = one.client("first", "/one"), two.client("second", "/two")
    first.play()
    assert first.state_of_simulation() == SimulationState.STATE_PLAYING
    assert second.state_of_simulation() == SimulationState.STATE_PAUSED
    for client in (first, second):
        client.close()
    one.quit()
    second = two.client("third", "/two")
    assert second.state_of_simulation() == SimulationState.STATE_PAUSED
    second.close()
    two.quit()


def test_it_starts_paused_or_stopped_when_told(start):
    for flag, state in (("--paused", SimulationState.STATE_PAUSED), ("--stopped", SimulationState.STATE_STOPPED)):
        simdeck = start(flag)
        client = simdeck.client()
        assert client.state_of_simulation() == state
        assert client.now() == 0
        client.close()
        simdeck.quit()


def test_a_world_with_includes_loads_unmodified(start, origin):
    simdeck = start(origin.world)
    client = simdeck.client()
    assert origin.entities <= set(client.names())
    client.close()
    simdeck.quit()


def test_a_world_that_does_not_parse_is_one_line_and_code_3(start, tmp_path):
    world = tmp_path / "broken.sdf"
    world.write_text("<sdf version='1.9'>\n  <world name='w'>\n    <model name='m'>\n</sdf>\n")
    simdeck = start(world)
    assert simdeck.wait() == 3
    lines = [line for line in simdeck.text().splitlines() if line.strip()]
    assert len(lines) == 1 and "broken.sdf:" in lines[0], lines


def test_a_world_that_is_not_there_is_one_line_and_code_3(start, tmp_path):
    simdeck = start(tmp_path / "nothing.sdf")
    assert simdeck.wait() == 3
    lines = [line for line in simdeck.text().splitlines() if line.strip()]
    assert len(lines) == 1 and "nothing.sdf" in lines[0], lines
