"""The shape_main of OMG's interoperability tests on Cyclone DDS: the peer of ../shape, with the same command line and lines of output."""

import argparse
import random
import signal
import threading
import time
from dataclasses import dataclass, field

import cyclonedds.idl.annotations as annotate
from cyclonedds.core import InstanceState, Listener, Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import bounded_str, int32, sequence, uint8
from cyclonedds.pub import DataWriter, Publisher
from cyclonedds.sub import DataReader, Subscriber
from cyclonedds.topic import Topic
from cyclonedds.util import duration

POLICIES = {2: "durability", 4: "deadline", 6: "ownership", 8: "liveliness", 11: "reliability", 23: "representation"}  # QosPolicyId_t
BOUNDS = 240, 270
over = threading.Event()


@dataclass
@annotate.appendable
@annotate.keylist(["color"])
class Shape(IdlStruct, typename="ShapeType"):
    color: bounded_str[128] = ""
    x: int32 = 0
    y: int32 = 0
    shapesize: int32 = 0
    additional_payload_size: sequence[uint8] = field(default_factory=list)


class Events(Listener):
    """Prints what becomes of an endpoint."""

    def __init__(self, topic):
        super().__init__()
        self.topic = topic

    def say(self, event, words):
        print(f"{event}() topic: '{self.topic}'  type: 'ShapeType' : {words}", flush=True)

    def on_publication_matched(self, writer, status):
        self.say("on_publication_matched", f"matched readers {status.current_count} (change = {status.current_count_change})")

    def on_subscription_matched(self, reader, status):
        self.say("on_subscription_matched", f"matched writers {status.current_count} (change = {status.current_count_change})")

    def on_offered_incompatible_qos(self, writer, status):
        self.say("on_offered_incompatible_qos", f"{status.total_count} ({POLICIES.get(status.last_policy_id, status.last_policy_id)})")

    def on_requested_incompatible_qos(self, reader, status):
        self.say("on_requested_incompatible_qos", f"{status.total_count} ({POLICIES.get(status.last_policy_id, status.last_policy_id)})")

    def on_offered_deadline_missed(self, writer, status):
        self.say("on_offered_deadline_missed", f"(total = {status.total_count})")

    def on_requested_deadline_missed(self, reader, status):
        self.say("on_requested_deadline_missed", f"(total = {status.total_count})")


def arguments():
    p = argparse.ArgumentParser(allow_abbrev=False)
    for flag in "-P", "-S", "-b", "-r", "-w":
        p.add_argument(flag, action="store_true")
    for flag, default in {"-d": 0, "-k": 1, "-f": 0, "-s": -1, "-x": 1, "-z": 20}.items():
        p.add_argument(flag, type=int, default=default)
    for flag, default in {"-t": "", "-c": "BLUE", "-p": "", "-D": "v"}.items():
        p.add_argument(flag, default=default)
    for name, default in {"write-period": 33, "read-period": 100, "time-filter": 0, "lifespan": 0, "num-iterations": 0, "num-instances": 1,
                          "additional-payload-size": 0, "size-modulo": 0}.items():
        p.add_argument("--" + name, type=int, default=default)
    p.add_argument("--final-instance-state", default="")
    return p.parse_args()


def policies(a):
    millis = lambda n: duration(milliseconds=n)
    yield Policy.Reliability.BestEffort if a.b else Policy.Reliability.Reliable(duration(seconds=1))
    yield Policy.History.KeepLast(a.k) if a.k else Policy.History.KeepAll
    yield {"v": Policy.Durability.Volatile, "l": Policy.Durability.TransientLocal, "t": Policy.Durability.Transient, "p": Policy.Durability.Persistent}[a.D]
    yield Policy.DataRepresentation(use_cdrv0_representation=a.x == 1, use_xcdrv2_representation=a.x == 2)
    yield Policy.Ownership.Shared if a.s < 0 else Policy.Ownership.Exclusive
    if a.s >= 0 and a.P:
        yield Policy.OwnershipStrength(a.s)
    if a.f:
        yield Policy.Deadline(millis(a.f))
    if a.lifespan and a.P:
        yield Policy.Lifespan(millis(a.lifespan))
    if a.time_filter and a.S:
        yield Policy.TimeBasedFilter(millis(a.time_filter))
    if a.P and a.D == "l":  # Cyclone keeps one sample of each instance for readers that come late, whatever its history is
        yield Policy.DurabilityService(duration(seconds=0), Policy.History.KeepLast(a.k) if a.k else Policy.History.KeepAll, -1, -1, -1)
    if a.P:
        yield Policy.WriterDataLifecycle(autodispose=False)


def color(a, n):
    return a.c + (str(n) if n else "")


def show(topic, v):
    more = f" {{{v.additional_payload_size[-1]}}}" if v.additional_payload_size else ""
    print(f"{topic:10} {v.color:10} {v.x:03} {v.y:03} [{v.shapesize}]{more}", flush=True)


def publish(a, participant, topic):
    print(f"Create writer for topic: {a.t} color: {a.c}", flush=True)
    group = Publisher(participant, Qos(Policy.Partition([a.p])) if a.p else None)
    writer = DataWriter(group, topic, Qos(*policies(a)), listener=Events(a.t))
    v = Shape("", random.randrange(BOUNDS[0]), random.randrange(BOUNDS[1]), a.z, [255] * a.additional_payload_size)
    speed = [3, 2]
    rounds = 0
    while not over.is_set():
        for axis, name in enumerate("xy"):
            to = getattr(v, name) + speed[axis]
            if not 0 <= to <= BOUNDS[axis]:
                to, speed[axis] = min(max(to, 0), BOUNDS[axis]), -speed[axis]
            setattr(v, name, to)
        if not a.z:
            v.shapesize = v.shapesize % a.size_modulo + 1 if a.size_modulo else v.shapesize + 1
        for n in range(a.num_instances):
            v.color = color(a, n)
            writer.write(v)
            if a.w:
                show(a.t, v)
        rounds += 1
        if over.wait(a.write_period / 1000) or rounds == a.num_iterations:
            break
    for n in range(a.num_instances):
        v.color = color(a, n)
        if a.final_instance_state == "u":
            writer.unregister_instance(v)
        if a.final_instance_state == "d":
            writer.dispose(v)
    writer.wait_for_acks(duration(seconds=1))


def subscribe(a, participant, topic):
    print(f"Create reader for topic: {a.t}", flush=True)
    group = Subscriber(participant, Qos(Policy.Partition([a.p])) if a.p else None)
    reader = DataReader(group, topic, Qos(*policies(a)), listener=Events(a.t))
    while not over.is_set():
        for v in reader.take(N=4096):
            if v.sample_info.valid_data:
                show(a.t, v)
            key = v if v.sample_info.valid_data else v.key_sample
            if v.sample_info.instance_state == InstanceState.NotAliveNoWriters:
                print(f"{a.t:10} {key.color:10} NOT_ALIVE_NO_WRITERS_INSTANCE_STATE", flush=True)
            if v.sample_info.instance_state == InstanceState.NotAliveDisposed:
                print(f"{a.t:10} {key.color:10} NOT_ALIVE_DISPOSED_INSTANCE_STATE", flush=True)
        over.wait(a.read_period / 1000)


if __name__ == "__main__":
    args = arguments()
    for number in signal.SIGINT, signal.SIGTERM:
        signal.signal(number, lambda *_: over.set())
    print(f"Create topic: {args.t}", flush=True)
    if args.P and args.D in "tp":
        raise SystemExit("durability beyond the writer's life: not supported")
    here = DomainParticipant(args.d)
    named = Topic(here, args.t, Shape)
    (publish if args.P else subscribe)(args, here, named)
