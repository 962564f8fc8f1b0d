"""Random datagrams on every port: nothing happens."""

import os
import subprocess
import sys

import pytest

SECONDS = float(os.environ.get("FLOOD_SECONDS", "60"))


@pytest.mark.parametrize("seed", [1])
def test_a_minute_of_random_datagrams_changes_nothing(start, seed):
    simdeck = start("--paused")
    client = simdeck.client()
    before = client.names(), client.now()
    client.close()  # the flood is meant for simdeck alone

    peer = os.environ["NETNS_PEER"].split()
    flood = subprocess.run([*peer, sys.executable, "flood.py", str(simdeck.process.pid), str(SECONDS), str(seed)],
                           capture_output=True, text=True, timeout=SECONDS + 60)
    assert flood.returncode == 0, flood.stderr
    sent, ports = map(int, flood.stdout.split())
    assert sent > 1000 and ports >= 3, f"{sent} datagrams on {ports} ports are no flood"
    simdeck.check()

    client = simdeck.client()
    assert (client.names(), client.now()) == before
    client.ok("step_simulation", steps=10)
    client.close()
    assert memory(simdeck.process.pid) < 200, "what strangers send is kept without bound"
    simdeck.quit()


def memory(pid):
    """Resident memory in MB."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))
