"""Peers on Cyclone DDS, for the tests of this folder. The simulator is the fixture of the folder above."""

import os

import pytest

from dds import Peer

collect_ignore = ["test_mavlink.py"] if os.environ.get("NETNS_PEER") else []  # an autopilot is on the simulator's host


@pytest.fixture(scope="module")
def peer(simdeck):
    """A peer that sees the simulator."""
    peer = Peer(simdeck.domain, simdeck.check)
    yield peer
    peer.close()


@pytest.fixture
def another(simdeck):
    """Makes further peers, which leave with the test."""
    made = []

    def one():
        made.append(Peer(simdeck.domain, simdeck.check))
        return made[-1]

    yield one
    for peer in made:
        peer.close()
