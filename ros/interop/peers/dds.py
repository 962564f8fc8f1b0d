"""A participant on Cyclone DDS that speaks with a ROS graph: topics by their names in DDS, services as rmw_cyclonedds maps them."""

import itertools
import secrets
import time

from cyclonedds.builtin import BuiltinDataReader, BuiltinTopicDcpsParticipant, BuiltinTopicDcpsPublication, BuiltinTopicDcpsSubscription
from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

import idl

PATIENCE = 30.0  # seconds: generous, only a failure takes that long

RELIABLE = [Policy.Reliability.Reliable(duration(milliseconds=100)), Policy.History.KeepLast(2000)]
BEST_EFFORT = [Policy.Reliability.BestEffort, Policy.History.KeepLast(100)]
LATCHED = [*RELIABLE, Policy.Durability.TransientLocal]
POLICIES = {2: "durability", 4: "deadline", 11: "reliability"}  # DDS 1.4, QosPolicyId_t


class Peer:
    """One participant in a domain."""

    def __init__(self, domain, check=lambda: None):
        """check is called while waiting, and raises when waiting has no use any more."""
        self.participant = DomainParticipant(domain, Qos(Policy.Userdata(b"enclave=/;")))
        self.check, self.callers, self.topics = check, {}, {}

    def close(self):
        """Leaves the domain, and says so."""
        self.callers.clear()
        self.topics.clear()
        self.participant = None

    def until(self, condition, what, patience=PATIENCE):
        """Waits until condition() is true and returns what it returned."""
        end = time.monotonic() + patience
        while not (value := condition()):
            assert time.monotonic() < end, f"waited {patience} s for {what() if callable(what) else what}"
            self.check()
            time.sleep(0.002)
        return value

    def topic(self, kind, name):
        """A topic, made once: cyclonedds 11.0.1 frees a type with its last topic although samples of it are still around, and crashes."""
        if (kind, name) not in self.topics:
            self.topics[kind, name] = Topic(self.participant, name, kind)
        return self.topics[kind, name]

    def reader(self, kind, name, policies=RELIABLE, tag=""):
        """A reader of a topic under its name in DDS ("rt/clock")."""
        return DataReader(self.participant, self.topic(kind, name), qos(policies, tag))

    def writer(self, kind, name, policies=RELIABLE, tag=""):
        return DataWriter(self.participant, self.topic(kind, name), qos(policies, tag))

    def listen(self, kind, topic, policies=RELIABLE, tag=""):
        return Listener(self.reader(kind, f"rt{topic}", policies, tag))

    def publisher(self, kind, topic, policies=RELIABLE):
        """A writer that somebody listens to."""
        writer = self.writer(kind, f"rt{topic}", policies)
        self.until(lambda: writer.get_publication_matched_status().current_count > 0, f"a reader of {topic}")
        return writer

    def call(self, name, /, patience=PATIENCE, **fields):
        """Calls a service that is the same in every line."""
        if name not in self.callers:
            self.callers[name] = Caller(self, name, idl.SERVICES[name])
        return self.callers[name].call(patience, **fields)

    def ok(self, name, /, **fields):
        answer = self.call(name, **fields)
        assert answer.result.result == 1, f"{name}: {answer.result}"
        return answer

    def become(self, state):
        if self.call("get_simulation_state").state.state != state:
            self.ok("set_simulation_state", state=idl.SimulationState(state))

    def now(self):
        """Simulated time in nanoseconds: the stamp of any entity's state."""
        stamp = self.ok("get_entity_state", entity=self.ok("get_entities").entities[0]).state.header.stamp
        return nanoseconds(stamp)


def qos(policies, tag):
    return Qos(*policies, *([Policy.Userdata(tag.encode())] if tag else []))


class Listener:
    """Keeps what arrives at a reader, oldest first."""

    def __init__(self, reader):
        self.reader, self.kept = reader, []

    @property
    def messages(self):
        self.kept += [m for m in self.reader.take(500) if m.sample_info.valid_data]
        return self.kept

    @property
    def last(self):
        return self.messages[-1] if self.messages else None


class Caller:
    """A client of a service, as rmw_cyclonedds makes one: who asks and the how manieth time stands in front of the message."""

    numbers = itertools.count(1)

    def __init__(self, peer, name, kinds, announce=True, hashes=("", "")):
        """announce: user data names the client, as rmw_cyclonedds does; hashes: of the request and of the response."""
        self.peer, self.name, self.request, self.response = peer, name, *kinds
        self.id, self.answers = secrets.randbits(64), {}
        tags = [f"clientid={self.id:x};" * announce + (f"typehash={h};" if h else "") for h in hashes]
        self.replies = peer.reader(self.response, f"rr/{name}Reply", [*RELIABLE[:1], Policy.History.KeepLast(10)], tags[1])
        self.requests = peer.writer(self.request, f"rq/{name}Request", [*RELIABLE[:1], Policy.History.KeepLast(10)], tags[0])

    def ready(self):
        """Both ways are open, as far as this side knows."""
        return (self.requests.get_publication_matched_status().current_count > 0
                and self.replies.get_subscription_matched_status().current_count > 0)

    def begin(self, **fields):
        """Sends a request; its number."""
        number = next(self.numbers)
        self.requests.write(idl.new(self.request, client=self.id, number=number, **fields))
        return number

    def answer(self, number):
        """The response of a request, None while there is none."""
        for response in self.replies.take(100):
            if response.client == self.id:  # others of this participant have their own
                assert response.number not in self.answers, f"{self.name} answered request {response.number} twice"
                self.answers[response.number] = response
        return self.answers.get(number)

    def call(self, patience=PATIENCE, **fields):
        self.peer.until(self.ready, f"service {self.name}")
        number = self.begin(**fields)
        return self.peer.until(lambda: self.answer(number), f"an answer of {self.name}", patience)


class Graph:
    """What Cyclone was told by discovery: the participants, the writers and the readers of others."""

    def __init__(self, peer):
        self.peer = peer
        self.sources = {kind: BuiltinDataReader(peer.participant, topic) for kind, topic in {
            "participants": BuiltinTopicDcpsParticipant, "writers": BuiltinTopicDcpsPublication, "readers": BuiltinTopicDcpsSubscription,
        }.items()}

    def others(self, kind):
        """What is alive and not of this participant."""
        own = self.peer.participant.guid
        alive = [s for s in self.sources[kind].read(4000) if s.sample_info.instance_state == 16]  # DDS_ALIVE_INSTANCE_STATE
        return [s for s in alive if getattr(s, "participant_key", s.key) != own]

    def endpoints(self, kind):
        """topic → endpoints"""
        found = {}
        for e in self.others(kind):
            found.setdefault(e.topic_name, []).append(e)
        return found


def user_data(sample):
    """k=v;k=v; as ROS keeps it."""
    data = sample.qos[Policy.Userdata].data.decode().rstrip("\0") if Policy.Userdata in sample.qos else ""
    return dict(item.split("=", 1) for item in data.split(";") if item)


def nanoseconds(stamp):
    return stamp.sec * 1_000_000_000 + stamp.nanosec
