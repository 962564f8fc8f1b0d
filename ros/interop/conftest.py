"""The simulator under test: a headless simdeck in its own process, in its own or in the other network namespace."""

import importlib.util
import itertools
import os
import pathlib
import signal
import subprocess
import tempfile

import pytest

from origins import MODEL_PATH, ORIGINS, PACKAGE_PATH

DOMAINS = itertools.count(11)  # a domain per simulator: nobody hears what another test left behind
PEER = os.environ.get("NETNS_PEER")
collect_ignore = ["peers", "zenoh"] if importlib.util.find_spec("rclpy") else []  # peers without ROS have their own Python
collect_ignore += ["test_bad_link.py"] if PEER == "" else ["test_fleet.py"]  # where there is no cable; it makes hosts of its own


def pytest_configure(config):
    if PEER is None:
        pytest.exit("run these through run.sh: they must not meet the machine's network", 2)


class Simdeck:
    """A running `simdeck run`, or another command. Its log is kept for the failure that wants it."""

    there = set()  # all but those that have quit well

    def __init__(self, *arguments, domain=None, command="run", settings=None):
        self.domain = next(DOMAINS) if domain is None else domain
        self.log = tempfile.NamedTemporaryFile("w+", prefix="simdeck-", suffix=".log")
        if command == "run" and "--worker" not in arguments and (not arguments or str(arguments[0]).startswith("-")):
            arguments = "bench", *arguments  # nothing in it moves by itself
        command = [*PEER.split(), os.environ["SIMDECK"], command, *map(str, arguments), "--domain", str(self.domain)]
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("ROS_", "RMW_", "AMENT_"))}
        environment["SIMDECK_LOG_LEVEL"] = "debug"  # requests and replies: what became of one that a failed test waited for
        environment["GZ_SIM_RESOURCE_PATH"] = MODEL_PATH  # model://
        environment["ROS_PACKAGE_PATH"] = PACKAGE_PATH  # package://
        environment.update(settings or {})
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment)
        Simdeck.there.add(self)

    @property
    def alive(self):
        return self.process.poll() is None

    def check(self):
        """Fails when it has died, with its last words."""
        assert self.alive, f"simdeck ended with {self.process.poll()}:\n{self.text()[-4000:]}"

    def client(self, name="interop", prefix="", wait=True):
        """A new client in its domain; waits until it answers."""
        from client import Client  # here: only this needs rclpy, which the peers without ROS do not have

        client = Client(self.domain, name, prefix, self.check)
        if wait:
            client.ok("get_simulation_state")
        return client

    def text(self):
        """Its log so far."""
        return pathlib.Path(self.log.name).read_text(errors="replace")

    def wait(self, patience=15.0):
        """The exit code of a process that is about to end by itself."""
        return self.process.wait(patience)

    def quit(self):
        """Ends it as a user does (SIGINT), and checks that it ends well."""
        self.check()
        self.process.send_signal(signal.SIGINT)
        code = self.wait()
        assert code == 0, f"simdeck ended with {code} after SIGINT:\n{self.text()[-4000:]}"
        assert "panic" not in self.text() and "goroutine " not in self.text(), self.text()[-4000:]
        Simdeck.there.discard(self)

    def kill(self):
        if self.alive:
            self.process.kill()
            self.process.wait()
        self.log.close()
        Simdeck.there.discard(self)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Shows beside a failure what the simulators that were there had said, and how busy the machine was."""
    report = yield
    if report.failed:
        report.sections.append(("load of the machine", pathlib.Path("/proc/loadavg").read_text()))
        report.sections += [(f"simdeck in domain {s.domain}", s.text()[-10000:]) for s in Simdeck.there]
    return report


@pytest.fixture(scope="session")
def start():
    """Starts simulators; what a test leaves running is ended."""
    yield Simdeck
    for s in list(Simdeck.there):
        s.kill()


@pytest.fixture(scope="module")
def simdeck(start):
    """The world bench, headless, for the tests of one file."""
    s = start()
    yield s
    s.quit()


@pytest.fixture(scope="module")
def ros(simdeck):
    """A client that sees the simulator."""
    client = simdeck.client()
    yield client
    client.close()


@pytest.fixture(scope="module")
def call(simdeck):
    """Calls services of gazebo_msgs, as a script of old: one participant of rmw_fastrtps cannot have two types on one topic."""
    script = simdeck.client("script")
    yield script.call_type
    script.close()


@pytest.fixture
def listen(ros):
    """Listens as long as a test lasts: what nobody takes any more would keep the client busy in those that follow."""
    made = []

    def one(*topic):
        made.append(ros.listen(*topic))
        return made[-1]

    yield one
    for listener in made:
        ros.forget(listener)


@pytest.fixture(scope="module", params=ORIGINS)
def origin(request):
    """Robots and worlds: our own, and again with those of the corpus where there is one."""
    return ORIGINS[request.param]
