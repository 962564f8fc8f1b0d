"""`simdeck attach --all`: 20 simulators on four hosts, of which one is cut off for a minute, and one simulator is killed. The table is right within
the lease, and what is back is the same row."""

import os
import re
import subprocess
import time

import pytest

from fleet import Hosts

LEASE = 40.0  # seconds, of a participant of simdeck, and what a busy machine adds
NAMES = [f"h{h}s{k}" for h in range(4) for k in range(5)]


class Table:
    """The table in a terminal of tmux."""

    def __init__(self, folder, domain):
        self.socket = str(folder / "tmux")
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40",
                  f"HOME={folder} {os.environ['SIMDECK']} attach --all --domain {domain}; exec cat")

    def tmux(self, *words):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("ROS_", "RMW_", "AMENT_"))}
        return subprocess.run(["tmux", "-S", self.socket, *words], check=True, capture_output=True, text=True, env=environment).stdout

    def rows(self):
        """What each simulator's row says, in small letters."""
        screen = self.tmux("capture-pane", "-p").lower()
        rows = {}
        for name in NAMES:
            lines = [line for line in screen.splitlines() if re.search(rf"/{name}/simdeck\b", line) and "yard" in line]
            assert len(lines) < 2, f"{name} has several rows:\n{screen}"
            if lines:
                rows[name] = next((word for word in ("lost", "silent", "playing", "paused", "stopped") if word in lines[0]), lines[0])
        return rows

    def until(self, want, patience):
        """Waits until the rows are these; how long that took."""
        begin = time.monotonic()
        while (rows := self.rows()) != want:
            off = {n: (rows.get(n), w) for n, w in want.items() if rows.get(n) != w}
            assert time.monotonic() < begin + patience, f"after {patience} s these are not as they should be (are, should be): {off}\n{self.tmux('capture-pane', '-p')}"
            time.sleep(0.2)
        return time.monotonic() - begin

    def press(self, *keys):
        self.tmux("send-keys", "--", *keys)


@pytest.fixture
def sea(tmp_path):
    hosts = Hosts(4, domain=95)
    tables = []

    def table():
        tables.append(Table(tmp_path, hosts.domain))
        return tables[-1]

    yield hosts, table
    for t in tables:
        t.tmux("kill-server")
    hosts.close()


def test_the_table_is_right_within_the_lease_on_four_hosts(sea):
    hosts, table = sea
    for name in NAMES:
        hosts.start(int(name[1]), name)
    t = table()
    well = {name: "playing" for name in NAMES}
    t.until(well, 180)

    hosts.cut(1, True)
    hosts.kill("h2s3")
    began = time.monotonic()
    off = {name: "lost" if name.startswith("h1") or name == "h2s3" else "playing" for name in NAMES}
    print(f"lost after {t.until(off, LEASE):.1f} s")
    time.sleep(max(0.0, 60 - (time.monotonic() - began)))
    assert t.rows() == off, "after a minute"

    hosts.cut(1, False)
    print(f"back after {t.until(well | {'h2s3': 'lost'}, LEASE):.1f} s")

    hosts.start(2, "h2s3")  # the same on the same machine, anew
    t.until(well, LEASE)
