"""The console on a simulator that is not simdeck: half of the standard under /gzserver/, in either line. It shows what there is, does what
is served, and says of the rest why not."""

import re

import pytest

from terminal import attached
from test_others import LINES, other  # noqa: F401: a fixture


@pytest.fixture
def console(tmp_path):
    opened = []

    def attach(domain):
        opened.append(attached(tmp_path, domain))
        return opened[-1]

    yield attach
    for c in opened:
        c.tmux("kill-server")


@pytest.mark.parametrize("line", LINES)
def test_the_console_controls_a_simulator_that_serves_half_of_the_standard(other, console, line):
    there = other(line)
    c = console(there.domain)
    c.wait(rf"(?s)PAUSED.*attached /gzserver · {line}.*post_1 .*post_2 ")
    c.press("Space")
    c.wait(r"PLAYING\s+00:00:0[1-9]")  # its clock is heard
    c.press("Space")
    c.wait("PAUSED")
    at = re.search(r"\d+:\d\d:\d\d\.\d+", c.wait("PAUSED")).group()
    c.press(".")
    c.wait(rf"PAUSED\s+(?!{re.escape(at)})")

    c.press("n")
    c.wait("model://ball|ball")
    c.press("Enter")
    row = r"│[> ]\s*(ball\S*) .*\d\.\d"  # of the table
    name = re.search(row, c.wait(row)).group(1)
    c.press("/")
    c.press(*name, "Enter")
    c.wait(rf"> {name}")
    c.press("d")
    c.wait(f"Delete {name}")
    c.press("Enter")
    c.wait(f"{name} deleted")
    assert name not in there.deck("list")

    c.press("W")
    c.wait("/gzserver does not serve load_world")
    c.press("b")
    c.wait("not supported by the attached simulator")
    c.press("q")
    c.wait(r"^\s*$")
    assert "post_1" in there.deck("list"), "leaving the console took the simulator with it"
