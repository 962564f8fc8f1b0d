"""What Cyclone's discovery sees of simdeck, what simdeck says of its node, and how it leaves."""

import signal

import pytest

import idl
from dds import LATCHED, Graph, Listener, Peer, user_data

SERVICES = [name for name in idl.SERVICES if "/" not in name] + ["spawn_entity"]


@pytest.fixture(scope="module")
def graph(peer):
    return Graph(peer)


def test_the_participant_names_its_enclave(peer, graph):
    others = peer.until(lambda: graph.others("participants"), "another participant")
    assert [user_data(p) for p in others] == [{"enclave": "/"}]


def test_every_service_has_one_reader_and_one_writer_with_their_types(peer, graph):
    def complete():
        readers, writers = graph.endpoints("readers"), graph.endpoints("writers")
        return all(f"rq/{name}Request" in readers and f"rr/{name}Reply" in writers for name in SERVICES) and (readers, writers)

    readers, writers = peer.until(complete, "all services")
    for name in SERVICES:
        kind = (idl.SPAWN_1 if name == "spawn_entity" else idl.SERVICES[name])[0].__idl_typename__.replace(".", "::")
        (request,), (reply,) = readers[f"rq/{name}Request"], writers[f"rr/{name}Reply"]
        assert request.type_name == kind and reply.type_name == kind.replace("_Request_", "_Response_")
        assert user_data(request)["typehash"].startswith("RIHS01_") and user_data(reply)["typehash"].startswith("RIHS01_")
        assert user_data(request)["serviceid"] == user_data(reply)["serviceid"] != ""


def test_topics_have_types_and_hashes(peer, graph):
    wanted = {"rt/clock": "rosgraph_msgs::msg::dds_::Clock_", "rt/tf": "tf2_msgs::msg::dds_::TFMessage_",
              "rt/rosout": "rcl_interfaces::msg::dds_::Log_", "ros_discovery_info": "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_"}
    found = peer.until(lambda: (e := graph.endpoints("writers")).keys() >= wanted.keys() and e, "the topics of every node")
    assert {topic: found[topic][0].type_name for topic in wanted} == wanted
    assert user_data(found["ros_discovery_info"][0])["typehash"] == idl.DISCOVERY_HASH


LAYOUTS = {  # who announces no type hash is taken for Humble, whose identifiers have 24 octets
    "since Iron": (idl.ParticipantEntitiesInfo, f"typehash={idl.DISCOVERY_HASH};"),
    "Humble": (idl.HumbleParticipantEntitiesInfo, ""),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_node_and_its_endpoints_are_told_in_the_layout_of_the_listener(another, layout):
    kind, tag = LAYOUTS[layout]
    peer = another()
    graph = Graph(peer)
    told = Listener(peer.reader(kind, "ros_discovery_info", LATCHED, tag))
    node = peer.until(lambda: told.last and told.last.node_entities_info_seq, "the node")[0]
    assert (node.node_namespace, node.node_name) == ("/", "simdeck")
    peer.until(lambda: len(told.last.node_entities_info_seq[0].writer_gid_seq) >= 20, "all its writers")

    me = bytes(told.last.gid.data[:16])
    assert me in [p.key.bytes for p in graph.others("participants")] and not any(told.last.gid.data[16:])

    def same():
        """The node owns every endpoint of its participant but those of the graph itself."""
        own = told.last.node_entities_info_seq[0]
        return all({bytes(g.data[:16]) for g in gids} ==
                   {e.key.bytes for e in graph.others(side) if e.participant_key.bytes == me and e.topic_name != "ros_discovery_info"}
                   for side, gids in (("writers", own.writer_gid_seq), ("readers", own.reader_gid_seq)))

    peer.until(same, "the node's list and discovery to agree")


def test_leaving_is_said_at_once(start):
    simdeck = start()
    peer = Peer(simdeck.domain, simdeck.check)
    graph = Graph(peer)
    peer.until(lambda: "rt/clock" in graph.endpoints("writers"), "simdeck")
    peer.check = lambda: None  # it is to end
    simdeck.process.send_signal(signal.SIGINT)
    peer.until(lambda: not graph.others("participants") and not graph.others("writers"), "simdeck to be gone", 8)  # its lease has 20 s
    assert simdeck.wait() == 0
    peer.close()
