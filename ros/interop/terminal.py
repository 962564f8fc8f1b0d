"""A simdeck in a terminal of tmux: keys go in, and the screen is read."""

import os
import re
import subprocess
import time

from conftest import PEER

PATIENCE = 30.0  # seconds: generous, only a failure takes that long


class Console:
    """A simdeck in a terminal of tmux, from the other host where there is one."""

    def __init__(self, folder, words, peer=PEER):
        self.socket = str(folder / "tmux")
        words = [*peer.split(), os.environ["SIMDECK"], *words]
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "140", "-y", "40", "HOME=" + str(folder) + " " + " ".join(words) + "; exec cat")

    def tmux(self, *words):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("ROS_", "RMW_", "AMENT_"))}
        return subprocess.run(["tmux", "-S", self.socket, *words], check=True, capture_output=True, text=True, env=environment).stdout

    def press(self, *keys):
        self.tmux("send-keys", "--", *keys)

    def wait(self, pattern):
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, screen := self.tmux("capture-pane", "-p")):
            assert time.monotonic() < end, f"waited for {pattern!r}; the screen shows\n{screen}"
            time.sleep(0.05)
        return screen


def attached(folder, domain):
    """The console on the simulator of a domain."""
    return Console(folder, ["attach", "--domain", str(domain)])
