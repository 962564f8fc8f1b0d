"""A simulator that means harm: whatever it says, no terminal takes a command from it, and the console that shows it can be left."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest

from conftest import DOMAINS, PEER
from terminal import attached

HERE = pathlib.Path(__file__).parent
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("ROS_", "RMW_", "AMENT_"))}
COMMAND = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
ENDS_WITHIN = 3  # s


@pytest.fixture(scope="module")
def liar():
    domain = next(DOMAINS)
    process = subprocess.Popen([sys.executable, str(HERE / "liar.py"), str(domain)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n", "it did not start"
    yield domain
    process.send_signal(signal.SIGINT)
    process.wait(20)


def said(domain, *words):
    """What a command prints and what it complains of: UTF-8, and nothing that a terminal takes as a command."""
    done = subprocess.run([*PEER.split(), os.environ["SIMDECK"], *words, "--domain", str(domain)], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120, env=ENVIRONMENT)
    texts = [raw.decode("utf-8") for raw in (done.stdout, done.stderr)]
    for text in texts:
        assert not COMMAND.search(text), f"{words} printed {COMMAND.search(text).group()!r}: {text!r}"
        assert not re.search("(?m)^simdeck: all is well", text), f"{words} printed a line of the liar's own: {text}"
    return texts


@pytest.mark.parametrize("words", [
    ["list"], ["call", "get_entities"], ["call", "get_entities_states"], ["call", "get_simulator_features"], ["call", "get_current_world"],
    ["call", "get_spawnables"], ["call", "delete_entity", "entity=x"], ["delete", "x"], ["pause"], ["doctor"], ["conform", "--gentle", "--only", "info|list|state|world"],
], ids=" ".join)
def test_no_command_prints_what_a_terminal_would_obey(liar, words):
    out, err = said(liar, *words)
    assert out or err


@pytest.mark.parametrize("words", [["list", "--json"], ["call", "get_entities_states", "--json"], ["attach", "--all", "--json"], ["doctor", "--json"]], ids=" ".join)
def test_json_holds_the_same_strings_escaped(liar, words):
    out, err = said(liar, *words)
    assert json.loads(out), err


def pane(console, name):
    return console.tmux("display-message", "-p", f"#{{{name}}}").strip()


def test_the_console_shows_it_and_can_be_left_from_everywhere(liar, tmp_path):
    c = attached(tmp_path, liar)
    try:
        c.wait("(?s)PLAYING.*far.*ok")
        c.tmux("set-option", "-s", "set-clipboard", "on")
        for keys in (["2", "[", "A"], ["Escape", "B"], ["z", "z"], ["3"], ["5"], ["6"], ["8"], ["9"], ["1", "/", "f", "a", "r", "Enter", "f", "2"]):
            c.press(*keys)
            time.sleep(0.3)
            screen = c.tmux("capture-pane", "-p")
            assert not COMMAND.search(screen), screen
        assert "pwned" not in pane(c, "pane_title") or "\x1b" not in pane(c, "pane_title")
        assert "aGFja2Vk" not in c.tmux("list-buffers") and "hacked" not in c.tmux("list-buffers")
        c.press("Escape")
        time.sleep(0.5)  # or what follows is the key with alt
        c.press("q")
        end = time.monotonic() + 20
        while pane(c, "alternate_on") == "1":
            assert time.monotonic() < end, "it cannot be left:\n" + c.tmux("capture-pane", "-p")
            time.sleep(0.05)
    finally:
        c.tmux("kill-server")


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP, "kill-session"], ids=str)
def test_the_console_of_it_ends_in_time(liar, tmp_path, end):
    c = attached(tmp_path, liar)
    try:
        c.wait("(?s)PLAYING.*far.*ok")
        shell = int(pane(c, "pane_pid"))
        children = pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        process = int(children[0])
        while pathlib.Path(f"/proc/{process}/comm").read_text().strip() != "simdeck":  # the words of $NETNS_PEER before it
            process = int(pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()[0])
        c.press("2", "[", "A")
        began = time.monotonic()
        if end == "kill-session":
            c.tmux("kill-session")
        else:
            os.kill(process, end)
        while pathlib.Path(f"/proc/{process}").exists() and " Z " not in pathlib.Path(f"/proc/{process}/stat").read_text():
            assert time.monotonic() - began < ENDS_WITHIN + 17, "it does not end"
            time.sleep(0.02)
        assert time.monotonic() - began < ENDS_WITHIN, f"it took {time.monotonic() - began:.1f} s"
    finally:
        subprocess.run(["tmux", "-S", c.socket, "kill-server"], capture_output=True)
