"""Measures simdeck against rclpy and a peer on RustDDS, side by side in one run: rclpy is the other end of all. Run it with
run.sh bench.

Prints one table: round trips, latency and throughput by message size, the time from a participant's start to its match, and
the processor time of a 1 kHz clock with ten readers. What is compared takes turns, so that what else the machine does hits
all alike. Fast DDS is held to UDP, which is what all have, unless FASTDDS_BUILTIN_TRANSPORTS says otherwise (DEFAULT: its
shared memory, too).

    throughput.py [peer | listeners | match]     the last three are processes that it starts itself
"""

import os
import resource
import signal
import statistics
import struct
import subprocess
import sys
import threading
import time

os.environ.setdefault("FASTDDS_BUILTIN_TRANSPORTS", "UDPv4")

import rclpy
from rclpy.context import Context
from rclpy.executors import ExternalShutdownException
from rclpy.experimental.events_executor import EventsExecutor
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from std_msgs.msg import String, UInt32, UInt8MultiArray
from std_srvs.srv import Trigger

DOMAIN = 91
DEFAULT = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE)
STREAM = QoSProfile(depth=1000, reliability=ReliabilityPolicy.RELIABLE)
PATIENCE = 60.0
# size in octets → echoes, samples streamed, samples under way at most
SIZES = {64: (400, 20000, 200), 4096: (400, 20000, 200), 1 << 20: (60, 200, 4), 6 << 20: (20, 40, 2)}
TURNS = 2 if "QUICK" in os.environ else 4
CLOCK_TICKS = 4000
LISTENERS = 10
RUST = os.environ.get("SIMDECK_RUST_PEER")
WHO = ("simdeck", "rclpy") + (("rust",) if RUST else ())


def payload(size):
    """A serialized UInt8MultiArray."""
    return b"\x00\x01\x00\x00" + struct.pack("<III", 0, 0, size) + bytes(size)


def spin(node):
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass  # told to end


class Peer:
    """What simdeck's peer (ros/transport/peer_test.go) does, with rclpy."""

    def __init__(self):
        rclpy.init(domain_id=DOMAIN)
        self.node = rclpy.create_node("rclpy_peer")
        self.acked, self.news = 0, threading.Condition()
        self.pong = self.node.create_publisher(UInt8MultiArray, "/rclpy/pong", DEFAULT)
        self.data = self.node.create_publisher(UInt8MultiArray, "/rclpy/data", STREAM)
        self.tick = self.node.create_publisher(Clock, "/rclpy/clock", DEFAULT)
        self.node.create_subscription(UInt8MultiArray, "/rclpy/ping", self.pong.publish, DEFAULT, raw=True)
        self.node.create_subscription(UInt32, "/rclpy/ack", self.ack, DEFAULT)
        self.node.create_subscription(String, "/rclpy/go", self.go, DEFAULT)
        self.node.create_service(Trigger, "/rclpy/trigger", self.trigger)
        spin(self.node)

    def trigger(self, _, response):
        response.success = True
        return response

    def ack(self, message):
        with self.news:
            self.acked = message.data
            self.news.notify()

    def go(self, message):
        kind, *numbers = message.data.split()
        threading.Thread(target=getattr(self, kind), args=map(int, numbers), daemon=True).start()

    def stream(self, size, count, window):
        message, self.acked = payload(size), 0
        for sent in range(count):
            with self.news:
                self.news.wait_for(lambda: sent - self.acked < window)
            self.data.publish(message)

    def clock(self, count):
        message, due = Clock(), time.monotonic()
        for _ in range(count):
            due += 0.001
            time.sleep(max(0, due - time.monotonic()))
            self.tick.publish(message)


def listeners():
    """Ten participants with a reader each of both clocks, which need not be read."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    contexts, readers = [Context() for _ in range(LISTENERS)], []
    for i, context in enumerate(contexts):
        rclpy.init(args=[], context=context, domain_id=DOMAIN)
        node = rclpy.create_node(f"listener{i}", context=context)
        readers += [node.create_subscription(Clock, f"/{who}/clock", lambda _: None, DEFAULT) for who in WHO]
    signal.sigwait({signal.SIGTERM})  # at once: ten farewells are not what is measured
    os._exit(0)


def match():
    """Prints how long it takes from before the first socket until a subscription is matched."""
    begin = time.perf_counter()
    rclpy.init(domain_id=DOMAIN)
    node = rclpy.create_node("latecomer")
    reader = node.create_subscription(String, "/known", lambda _: None, DEFAULT)
    while reader.get_publisher_count() == 0:
        time.sleep(0.001)
    print(time.perf_counter() - begin)


class Measurer:
    """The rclpy end of both."""

    def __init__(self):
        self.context = Context()
        rclpy.init(args=[], context=self.context, domain_id=DOMAIN)
        self.node = rclpy.create_node("measurer", context=self.context)
        self.executor = EventsExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.got, self.known = 0, self.node.create_publisher(String, "/known", DEFAULT)
        self.ends = {who: self.open(who) for who in WHO}

    def open(self, who):
        def took(_):
            self.got += 1

        node = self.node
        node.create_subscription(UInt8MultiArray, f"/{who}/pong", took, DEFAULT, raw=True)
        node.create_subscription(UInt8MultiArray, f"/{who}/data", took, STREAM, raw=True)
        ends = {name: node.create_publisher(kind, f"/{who}/{name}", DEFAULT)
                for name, kind in (("ping", UInt8MultiArray), ("ack", UInt32), ("go", String))}
        ends["trigger"] = node.create_client(Trigger, f"/{who}/trigger")
        return ends

    def until(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"waited {PATIENCE} s for {what}; got {self.got}"
            self.executor.spin_once(timeout_sec=0.05)

    def connected(self, who):
        counts = [p.get_subscription_count() for name, p in self.ends[who].items() if name != "trigger"]
        return min(counts) == 1 and self.node.count_publishers(f"/{who}/data") == 1 and self.ends[who]["trigger"].service_is_ready()

    def call(self, who, count):
        times = []
        for _ in range(count):
            begin = time.perf_counter()
            future = self.ends[who]["trigger"].call_async(Trigger.Request())
            self.until(future.done, f"an answer of {who}")
            times.append(time.perf_counter() - begin)
        return times

    def echo(self, who, size, count):
        """Half the time there and back."""
        times, message = [], payload(size)
        for _ in range(count):
            self.got, begin = 0, time.perf_counter()
            self.ends[who]["ping"].publish(message)
            self.until(lambda: self.got, f"an echo of {who}, {size} octets")
            times.append((time.perf_counter() - begin) / 2)
        return times

    def stream(self, who, size, count, window):
        """Octets per second."""
        self.got, told = 0, 0
        begin = time.perf_counter()
        self.ends[who]["go"].publish(String(data=f"stream {size} {count} {window}"))
        end = time.monotonic() + PATIENCE
        while self.got < count:
            assert time.monotonic() < end, f"{self.got} of {count} samples of {size} octets came from {who}"
            self.executor.spin_once(timeout_sec=0.05)
            if self.got - told >= max(1, window // 4) or self.got == count:
                told = self.got
                self.ends[who]["ack"].publish(UInt32(data=told))
        return size * count / (time.perf_counter() - begin)


def cpu(pid):
    """Processor time of a process in seconds."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ticking(m, who, pid):
    """Share of a processor that a 1 kHz clock for ten readers takes its publisher."""
    before = cpu(pid)
    m.ends[who]["go"].publish(String(data=f"clock {CLOCK_TICKS}"))
    time.sleep(CLOCK_TICKS / 1000 + 0.5)
    return (cpu(pid) - before) / (CLOCK_TICKS / 1000)


def start(who, task):
    """Starts a process of a side."""
    if who == "rust":
        return subprocess.Popen([RUST, str(DOMAIN), task], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if who == "simdeck":
        return subprocess.Popen([os.environ["SIMDECK_PEER_BINARY"]], env={**os.environ, "SIMDECK_PEER": f"{DOMAIN} {task}"},
                                stdout=subprocess.PIPE, text=True)
    return subprocess.Popen([sys.executable, __file__, task], stdout=subprocess.PIPE, text=True)


def stop(process):
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def middle(values):
    return statistics.median(values)


class Table:
    """Rows of a figure for each, and the ratio of simdeck's to that of rclpy."""

    def __init__(self):
        print(f"{'what':34} " + "".join(f"{who:>14}" for who in WHO) + "  ratio  goal")

    def row(self, what, unit, scale, found, goal=""):
        figures = "".join(f"{found[who] * scale:9.2f} {unit:>4}" if who in found else f"{'':14}" for who in WHO)
        print(f"{what:34} {figures}  {found['simdeck'] / found['rclpy']:5.2f}  {goal}", flush=True)


def compare(m, pids):
    table = Table()

    def turns(f, summary=middle, who=WHO, times=TURNS):
        found = {one: [] for one in who}
        for _ in range(times):
            for one, values in found.items():
                values.extend(f(one))
        return {one: summary(values) for one, values in found.items()}

    table.row("service, round trip", "µs", 1e6, turns(lambda who: m.call(who, 200)[20:]), "≤ 0.50")
    for size, (echoes, samples, window) in SIZES.items():
        name = f"{size} B" if size < 1024 else f"{size >> 10} kB" if size < 1 << 20 else f"{size >> 20} MB"
        who = WHO if size < 1 << 20 else WHO[:2]  # of two samples of 1 MB under way, one comes from RustDDS 0.15.1 in 12 s
        times = turns(lambda who: m.echo(who, size, echoes // TURNS), who=who)
        table.row(f"{name}, latency (echo / 2)", "µs", 1e6, times, "≤ 0.50" if size < 1 << 20 else "")
        rates = turns(lambda who: [m.stream(who, size, samples // TURNS, window)], who=who)
        table.row(f"{name}, throughput", "MB/s", 1e-6, rates, "≥ 0.80" if size >= 1 << 20 else "")
    matched = turns(lambda who: [float(start(who, "match").communicate(timeout=PATIENCE)[0])], lambda times: times, WHO[:2], 2 * TURNS)
    table.row("second participant, start to match", "ms", 1e3, {who: middle(times) for who, times in matched.items()}, "≤ 300 ms")
    table.row("  the slowest of them", "ms", 1e3, {who: max(times) for who, times in matched.items()}, "≤ 300 ms")
    p = start("rclpy", "listeners")
    m.until(lambda: all(m.node.count_subscribers(f"/{who}/clock") == LISTENERS for who in pids), "ten readers")
    time.sleep(2)  # matched with the peers too, not only seen here
    table.row("1 kHz clock, ten readers: CPU", "%", 100, turns(lambda who: [ticking(m, who, pids[who])]))
    stop(p)


def main():
    peers = {who: start(who, "peer" if who == "rclpy" else "serve") for who in WHO}
    m = Measurer()
    try:
        for who in peers:
            m.until(lambda: m.connected(who), f"{who} to be there")
        compare(m, {who: p.pid for who, p in peers.items()})
    finally:
        for p in peers.values():
            stop(p)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, median of {TURNS} turns, "
          f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB in the measuring process")


if __name__ == "__main__":
    {"": main, "peer": Peer, "listeners": listeners, "match": match}[sys.argv[1] if sys.argv[1:] else ""]()
