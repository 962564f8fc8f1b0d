"""Controllers of Webots: what a client written from the protocol alone sees, over TCP and over a local socket."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import pytest

from conftest import PEER
from terminal import Console

HERE = pathlib.Path(__file__).parent
WORLD = HERE.parents[1] / "webots" / "testdata" / "worlds" / "lab.wbt"


@pytest.fixture
def lab(start):
    """A simulator with controllers as fast as they go, and a function that runs one of them beside it."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(WEBOTS_TMPDIR=folder, USER="judge")
        s = start(WORLD, "--no-ros", "--webots-controllers", "1234", "--webots-patience", "500ms", "--rtf", "0")

        def controller(what, *arguments):
            command = [*PEER.split(), sys.executable, HERE / "webots_client.py", "127.0.0.1", "1234", what, *arguments]
            for _ in range(100):  # until the simulator listens
                run = subprocess.run(command, capture_output=True, text=True, timeout=120)
                if run.returncode == 0:
                    return json.loads(run.stdout)
                if "refused" not in run.stderr and "No such file" not in run.stderr:
                    break
            raise AssertionError(f"{run.stdout}{run.stderr}\n{s.text()[-4000:]}")

        controller.folder = f"{folder}/webots/judge"
        yield controller
        s.quit()


@pytest.mark.parametrize("local", [False, True])
def test_a_controller_drives_a_robot_in_step_with_the_world(lab, local):
    saw = lab("drive", *([lab.folder] if local else []))
    assert saw["simulated"] == pytest.approx(2.0, abs=1e-9)
    assert (saw["robot"], saw["supervisor"], saw["step"], saw["model"]) == (34, 0, 16, "cart")
    told = saw["told"]
    assert told["left sensor"] == pytest.approx(4, abs=0.1)
    assert told["lift sensor"] == pytest.approx(0.1, abs=2e-3)
    assert told["gps"] == pytest.approx([0.2, 0, 0.15, 0.1, 0.1, 0, 0], abs=0.01)
    assert told["imu"] == pytest.approx([0, 0, 0, 1], abs=1e-3)
    assert told["accelerometer"] == pytest.approx([0, 0, 9.81], abs=0.05)
    assert told["compass"] == pytest.approx([0, 1, 0], abs=1e-3)
    assert told["front"] == pytest.approx(1000 * (1 + told["gps"][0] + 0.15), abs=2)
    assert told["bumper"] == 0
    blue, green, red, alpha = saw["pixel"]
    assert red > 2 * green and red > 2 * blue and alpha == 255  # the wall
    assert saw["green pixels"] > 5  # the LED
    assert saw["depth"] == pytest.approx(0.85 - told["gps"][0], abs=0.02)
    assert saw["lidar"] == pytest.approx(1 - told["gps"][0], abs=0.03)


def test_a_supervisor_moves_imports_and_removes(lab):
    saw = lab("supervise")
    assert saw["moved"] == pytest.approx([1, -3, 0.1], abs=0.01)
    assert saw["stands"] == pytest.approx([0, 2, 1], abs=1e-9)
    assert saw["box"] > 0 and saw["made"] > 0 and (saw["gone"], saw["missing"]) == (0, 0)


def test_a_controller_that_stalls_holds_others_no_longer_than_the_patience(lab):
    saw = lab("stall")
    assert saw["waited"] < 10 and saw["cart"] >= saw["post"]


CONTROLLER = """
import os, sys
sys.path.insert(0, {here!r})
import webots_client
scheme, rest = os.environ["WEBOTS_CONTROLLER_URL"].split("://")
instance, robot = rest.split("/")
path = f"{{os.environ['WEBOTS_TMPDIR']}}/webots/judge/{{instance}}/ipc/{{robot.replace(' ', '%20')}}/extern"
saw = webots_client.drive(lambda name: webots_client.Controller(name, path=path))
print("drove", sys.argv[1:], scheme, round(saw["simulated"], 6), round(saw["begin"], 6), round(saw["told"]["gps"][0], 2))
"""


def test_a_controller_that_the_world_names_is_started_and_there_from_the_first_step(start, tmp_path):
    project = tmp_path / "project"
    for folder in ("worlds", "controllers/cart"):
        (project / folder).mkdir(parents=True)
    world = WORLD.read_text().replace('controller "<extern>"', 'controller "cart" controllerArgs [ "-v" ]', 1)
    (project / "worlds" / "lab.wbt").write_text(world)
    (project / "controllers" / "cart" / "cart.py").write_text(CONTROLLER.format(here=str(HERE)))
    os.environ.update(WEBOTS_TMPDIR=str(tmp_path), USER="judge")
    s = start(project / "worlds" / "lab.wbt", "--no-ros", "--run-controllers", "--webots-patience", "1m", "--rtf", "0")
    for _ in range(600):
        if "a controller has ended" in s.text():
            break
        time.sleep(0.1)
    assert "drove ['-v'] ipc 2.0 0.016 0.2" in s.text(), s.text()[-4000:]
    s.quit()


def test_keys_that_are_pressed_in_the_console_reach_the_controller(tmp_path):
    console = Console(tmp_path, [str(WORLD), "--no-ros", "--webots-controllers", "1234"], peer="")
    try:
        console.wait("my_cart")
        command = [sys.executable, str(HERE / "webots_client.py"), "127.0.0.1", "1234", "keys"]
        client = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        console.wait("C keys")  # a controller listens
        console.press("C")
        console.wait("KEYS to my_cart")
        end = time.monotonic() + 60
        while client.poll() is None and time.monotonic() < end:  # until it has seen q, and that q is held no more
            console.press("Up", "S-Left", "q")
            time.sleep(2)
        seen = json.loads(client.communicate(timeout=1)[0])["seen"]
        up, left = 315, 314 + 65536
        assert {up, left, ord("Q")} == set(sum(seen, [])) and seen[-1] == []
        console.press("Escape")
        console.wait("space play/pause")
    finally:
        console.tmux("kill-server")
