"""A bad link between two network namespaces, for kernels without netem: it delays, duplicates, reorders and loses frames.
Run by netns.sh; ends when it is killed.

    bad_link.py PID LOSS DELAY JITTER TWICE     PID is in the other namespace; shares of frames, and seconds

Both ends are taps of the name "cable".
"""

import ctypes
import fcntl
import heapq
import itertools
import os
import random
import select
import struct
import sys
import time

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 2, 0x1000  # linux/if_tun.h
CLONE_NEWNET = 0x40000000  # linux/sched.h
LONGEST = 2048  # a frame, with room
UNDER_WAY = 10_000  # frames at most, as of netem


def tap():
    """An end of the cable in the namespace that this process is in."""
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH", b"cable", IFF_TAP | IFF_NO_PI))
    return end


def enter(pid):
    with open(f"/proc/{pid}/ns/net") as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"cannot enter the network of process {pid}")


def carry(ends, loss, delay, jitter, twice):
    other = {ends[0]: ends[1], ends[1]: ends[0]}
    chance = {end: random.Random(k) for k, end in enumerate(ends)}
    under_way, order = [], itertools.count()
    while True:
        wait = max(0.0, under_way[0][0] - time.monotonic()) if under_way else None
        for end in select.select(ends, [], [], wait)[0]:
            frame, luck = os.read(end, LONGEST), chance[end]
            for _ in range(1 + (luck.random() < twice)):
                if luck.random() >= loss and len(under_way) < UNDER_WAY:
                    due = time.monotonic() + delay + luck.uniform(-jitter, jitter)
                    heapq.heappush(under_way, (due, next(order), other[end], frame))
        while under_way and under_way[0][0] <= time.monotonic():
            _, _, end, frame = heapq.heappop(under_way)
            try:
                os.write(end, frame)
            except (BlockingIOError, OSError):
                pass  # full, or pulled out: lost, as on a cable


if __name__ == "__main__":
    near = tap()
    enter(int(sys.argv[1]))
    carry([near, tap()], *map(float, sys.argv[2:]))
