"""Every kind of client at the same time on one simulator: three implementations of DDS, two distributions, both lines."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
ROUNDS = 12
PLAYING, OK, NOT_FOUND = 1, 1, 2


def rclpy(distribution, line):
    """The command of a client in a ROS environment that setup.sh built."""
    home = os.environ[f"SIMDECK_ROS_{distribution}"]
    return ["bash", "-c", f'. "{home}/setup.bash" {line} && exec python "$@"', "bash", str(HERE / "visit_rclpy.py")]


CLIENTS = {
    "jazzy_2": (lambda: rclpy("JAZZY", "2.x"), []),
    "jazzy_1": (lambda: rclpy("JAZZY", "1.x"), []),
    "kilted_2": (lambda: rclpy("KILTED", "2.x"), []),
    "kilted_1": (lambda: rclpy("KILTED", "1.x"), []),
    "cyclone_2": (lambda: [sys.executable, str(HERE / "visit_cyclone.py")], ["2.x"]),
    "cyclone_1": (lambda: [sys.executable, str(HERE / "visit_cyclone.py")], ["1.x"]),
    "rust_1": (lambda: [os.environ["SIMDECK_RUST_PEER"]], []),
}


@pytest.mark.parametrize("padding", [0, 100_000], ids=["small", "a hundred kilobytes"])
def test_each_client_is_answered_in_its_way_while_all_others_are(simdeck, padding):
    running = {}
    try:
        for k, (name, (command, more)) in enumerate(CLIENTS.items()):
            visit = ["visit"] if name.startswith("rust") else []
            words = [*command(), str(simdeck.domain), *visit, name, str(80 + 5 * k), str(ROUNDS), str(padding), *more]
            running[name] = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for name, p in running.items():
            assert p.stdout.readline() == "ready\n", f"{name} did not find everything:\n{p.communicate()}\nsimdeck: {simdeck.text()[-2000:]}"
        for p in running.values():
            p.stdin.write("go\n")
            p.stdin.flush()
        for k, (name, p) in enumerate(running.items()):
            out, err = p.communicate(timeout=120)
            assert p.returncode == 0, f"{name}: {out}\n{err}\nsimdeck: {simdeck.text()[-2000:]}"
            check(name, 80 + 5 * k, json.loads(out.splitlines()[-1]))
    finally:
        for p in running.values():
            if p.poll() is None:
                p.kill()
                p.wait()
    simdeck.check()
    grumbles = [line for line in simdeck.text().splitlines() if "level=WARN" in line and "refused: not found" not in line]
    assert not grumbles, "\n".join(grumbles)


def check(name, y, seen):
    assert seen["state"] == PLAYING, (name, seen["state"])
    assert len(seen["visits"]) == ROUNDS
    for k, v in enumerate(seen["visits"]):
        entity = f"{name}_{k}"
        assert (v["name"], v["spawned"], v["listed"], v["deleted"], v["again"]) == (entity, OK, True, OK, NOT_FOUND), (name, v)
        assert v["at"] == [pytest.approx(70 + k, abs=0.1), pytest.approx(y, abs=0.1)] and entity in v["why"], (name, v)
