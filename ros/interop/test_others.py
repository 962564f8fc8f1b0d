"""simdeck's commands on a simulator that is not simdeck: it is found by the types of its services, whatever their names, and tested
from outside. What subset.py does wrongly is told, and nothing else.

UPDATE=1 writes the expected reports again: look at the difference."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import xml.etree.ElementTree as tree

import pytest

from conftest import DOMAINS, PEER

HERE = pathlib.Path(__file__).parent
LINES = ["1.x", "2.x"]
FAILED, REFUSED, MISASKED = 1, 1, 2


class Other:
    """A running subset.py that speaks a line."""

    def __init__(self, line, name="gzserver", domain=None):
        self.domain = next(DOMAINS) if domain is None else domain
        environment = dict(os.environ)
        for variable in ("AMENT_PREFIX_PATH", "LD_LIBRARY_PATH", "PYTHONPATH"):
            assert "simulation_interfaces@2.x" in environment[variable], f"{variable} has no line 2.x"
            environment[variable] = environment[variable].replace("simulation_interfaces@2.x", f"simulation_interfaces@{line}")
        command = [sys.executable, str(HERE / "subset.py"), str(self.domain), name]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout.readline() == "ready\n", "it did not start"

    def deck(self, *words, fails=0):
        """What a command of simdeck prints, from the other host where there is one; fails is the exit code that it must have."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("ROS_", "RMW_", "AMENT_"))}
        command = [*PEER.split(), os.environ["SIMDECK"], *map(str, words), "--domain", str(self.domain), "--quiet"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, env=environment)
        assert done.returncode == fails, f"{words} ended with {done.returncode}, want {fails}: {done.stdout}{done.stderr}"
        assert (fails == 0) == (done.stderr == ""), f"{words} said: {done.stderr}"
        return done.stdout + done.stderr

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)


@pytest.fixture
def other():
    running = []

    def start(*arguments, **options):
        running.append(Other(*arguments, **options))
        return running[-1]

    yield start
    for one in running:
        one.end()


@pytest.mark.parametrize("line", LINES)
def test_conform_tells_what_passes_what_fails_and_what_is_not_offered(other, line, tmp_path):
    there = other(line)
    junit = tmp_path / "report.xml"
    report = json.JSONDecoder().raw_decode(there.deck("conform", "--json", "--junit", junit, fails=FAILED))[0]
    assert (report["simulator"], report["lines"]) == ("/gzserver", [line])
    got = "".join(f"{c['status']:8}{c['id']}\n" for c in report["checks"])
    expected = HERE / "testdata" / f"subset-{line}.txt"
    if os.environ.get("UPDATE"):
        expected.write_text(got)
    assert got.splitlines() == expected.read_text().splitlines()
    counts = {s: sum(c["status"] == s for c in report["checks"]) for s in ("passed", "failed", "differs", "skipped")}
    assert counts == {s: report[s] for s in counts} and min(counts.values()) > 3, counts
    suites = tree.parse(junit).getroot()
    cases = list(suites.iter("testcase"))
    assert len(cases) == len(report["checks"])
    assert {c.get("name").split()[0] for c in cases if c.find("failure") is not None} == {c["id"] for c in report["checks"] if c["status"] == "failed"}


@pytest.mark.parametrize("line", LINES)
def test_the_table_says_the_same_to_people(other, line):
    text = other(line).deck("conform", "--only", r"^(delete|step)\.", fails=FAILED)
    rows = {words[1]: words[0] for words in (row.split() for row in text.splitlines()) if len(words) > 2 and "." in words[1]}
    expected = {words[1]: words[0] for words in map(str.split, (HERE / "testdata" / f"subset-{line}.txt").read_text().splitlines())}
    assert rows and rows == {k: v for k, v in expected.items() if k.startswith(("delete.", "step."))}
    assert "NOT_FOUND" in text


@pytest.mark.parametrize("line", LINES)
def test_the_everyday_commands_work_on_it(other, line):
    there = other(line)
    assert "post_1" in there.deck("list") and "model://ball" in there.deck("call", "get_spawnables")
    there.deck("play")
    assert '"state":1' in there.deck("call", "get_simulation_state", "--json").replace(" ", "")
    there.deck("pause")
    before = json.loads(there.deck("call", "get_entity_state", "entity=post_1", "--json"))["state"]["header"]["stamp"]
    there.deck("step", 250)
    after = json.loads(there.deck("call", "get_entity_state", "entity=post_1", "--json"))["state"]["header"]["stamp"]
    assert (after["sec"] - before["sec"]) * 10**9 + after["nanosec"] - before["nanosec"] == 250_000_000
    assert "marble" in there.deck("spawn", "model://ball", "marble", 1, 2, 0.5)
    at = json.loads(there.deck("call", "/gzserver/get_entity_state", "entity=marble", "--json"))["state"]["pose"]["position"]
    assert (at["x"], at["y"], at["z"]) == (1.0, 2.0, 0.5)
    move = ["set_entity_state", "entity=marble", "state.pose.position.x=4", *(["set_pose=true"] if line == "2.x" else [])]
    there.deck("call", *move)
    assert "marble" in there.deck("list", "marble")
    there.deck("delete", "marble")
    assert "marble" not in there.deck("list")
    there.deck("reset")
    assert "delete failed" in there.deck("delete", "marble", fails=REFUSED)  # as subset.py says it
    assert "/gzserver" in there.deck("call", "load_world", "uri=x" if line == "1.x" else "world_resource.uri=x", fails=REFUSED)
    assert "fly" in there.deck("call", "fly", fails=MISASKED)


def test_one_of_several_is_chosen_by_its_name(other):
    one = other("1.x")
    other("2.x", name="isaac", domain=one.domain)
    text = one.deck("list", fails=REFUSED)
    assert "/gzserver" in text and "/isaac" in text
    for name in ("gzserver", "isaac"):
        one.deck("spawn", "model://ball", f"of_{name}", "--node", name)
    assert "of_gzserver" in one.deck("list", "--node", "gzserver") and "of_isaac" not in one.deck("list", "--node", "/gzserver")
