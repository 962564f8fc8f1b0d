"""A controller of rclpy in the loop, scan or camera in and cmd_vel out: with --lockstep each run gives the same bits, however busy the machine is.

LOCKSTEP_RUNS=100 for more runs than the few of CI."""

import contextlib
import hashlib
import json
import os
import pathlib
import subprocess
import sys

import pytest

from conftest import DOMAINS

RUNS = int(os.environ.get("LOCKSTEP_RUNS", 5))
SECONDS = 3  # simulated
STEADY = "--lockstep-timeout", "600s", "--rtf", "0", "--duration", f"{SECONDS}s"
CONTROLLER = pathlib.Path(__file__).with_name("lockstep_controller.py")


@pytest.fixture(scope="module")
def stress():
    """Twice as many busy processes as there are processors."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * os.cpu_count())]
    yield
    for process in busy:
        process.kill()
        process.wait()


@contextlib.contextmanager
def controller(eye, domain):
    """A controller that outlives its simulators."""
    process = subprocess.Popen([sys.executable, CONTROLLER, "rover", eye], env=dict(os.environ, ROS_DOMAIN_ID=str(domain)))
    try:
        yield
        assert process.poll() is None, "the controller has died"
    finally:
        process.kill()
        process.wait()


def controlled(start, folder, lockstep, domain):
    """A run with a controller: the hash of all its steps, and how many commands the robot got."""
    simdeck = start(*STEADY, "--record", folder, "--record-topics", "none", "--lockstep", lockstep, domain=domain)
    code = simdeck.wait(900)
    assert code == 0, simdeck.text()[-4000:]
    hashes, commands = hashlib.sha256(), 0
    for line in (folder / "commands.simlog").read_text().splitlines():
        entry = json.loads(line) if line.startswith("{") else {}
        hashes.update(entry.get("steps", "").encode())
        commands += entry.get("do") == "DriveEntity" and not entry.get("refused")
    return hashes.hexdigest(), commands


@pytest.mark.parametrize("eye, topic", [("scan", "/rover/scan"), ("camera", "/rover/camera/image_raw")])
def test_each_run_with_a_controller_in_lockstep_gives_the_same_bits(start, stress, tmp_path, eye, topic):
    domain = next(DOMAINS)
    with controller(eye, domain):
        runs = [controlled(start, tmp_path / str(k), f"/rover/cmd_vel@{topic}", domain) for k in range(RUNS)]
    assert len({h for h, _ in runs}) == 1, runs
    assert runs[0][1] >= 10 * SECONDS * 0.9, f"{runs[0][1]} commands: the controller was not in the loop"
    replay = subprocess.run([os.environ["SIMDECK"], "replay", tmp_path / "0"], capture_output=True, text=True)
    assert replay.returncode == 0, replay.stdout + replay.stderr
