"""Sends hostile datagrams to every UDP port of a process for some seconds: noise, and RTPS that is nearly right.

    flood.py PID SECONDS SEED      prints: datagrams sent, ports

Runs inside the process's own network namespace and sends to 127.0.0.1 only. What it claims as addresses of its
made-up participants is 127.0.0.1 as well, so that nothing it provokes goes anywhere else.
"""

import os
import pathlib
import random
import re
import socket
import struct
import sys
import time

BUILTIN = [0x000100C2, 0x000100C7, 0x000003C2, 0x000003C7, 0x000004C2, 0x000004C7, 0x000200C2, 0x000200C7, 0, 0x00000103, 0x00000204]
SUBMESSAGES = [0x01, 0x06, 0x07, 0x08, 0x09, 0x0C, 0x0E, 0x0F, 0x12, 0x13, 0x15, 0x16, 0x30, 0x80]
PARAMETERS = [0x0002, 0x0005, 0x0007, 0x000F, 0x0015, 0x0016, 0x001A, 0x001D, 0x002C, 0x0040, 0x0050, 0x0058, 0x0059, 0x005A, 0x0070,
              0x0071, 0x0083, 0x4014, 0x800F]
LENGTHS = [0, 1, 3, 4, 0x7F, 0xFF, 0x100, 0xFFFF]
COUNTS = [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def ports_of(pid):
    """The UDP ports that a process is bound to."""
    sockets = set()
    for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            found = re.match(r"socket:\[(\d+)\]", os.readlink(fd))
        except FileNotFoundError:
            continue
        if found:
            sockets.add(found[1])
    ports = set()
    for row in pathlib.Path(f"/proc/{pid}/net/udp").read_text().splitlines()[1:]:
        columns = row.split()
        if columns[9] in sockets:
            ports.add(int(columns[1].split(":")[1], 16))
    return sorted(ports)


def locator(r):
    kind = r.choice([1, 1, 1, 2, 16, 0xFFFFFFFF])
    return struct.pack("<II", kind, r.randrange(1024, 65536)) + bytes(12) + socket.inet_aton("127.0.0.1")


def text(r):
    body = r.choice([b"rt/clock", b"rq/spawn_entityRequest", b"x" * r.randrange(300), r.randbytes(r.randrange(40))]) + b"\0"
    return struct.pack("<I", r.choice([len(body), len(body), *COUNTS])) + body + bytes(-len(body) % 4)


def parameter(r):
    if r.random() < 0.2:
        value = locator(r)
        return struct.pack("<HH", r.choice([0x002F, 0x0030, 0x0031, 0x0032, 0x0033, 0x0048]), len(value)) + value
    pid = r.choice(PARAMETERS)
    value = text(r) if pid in (0x0005, 0x0007, 0x002C, 0x0059, 0x4014) else r.randbytes(4 * r.randrange(7))
    length = len(value) if r.random() < 0.9 else r.choice(LENGTHS)
    return struct.pack("<HH", pid, length) + value


def payload(r):
    if r.random() < 0.6:
        return b"\x00\x03\x00\x00" + b"".join(parameter(r) for _ in range(r.randrange(12))) + r.choice([b"\x01\0\0\0", b""])
    return b"\x00\x01\x00\x00" + r.randbytes(r.randrange(200))


def sequence_number(r):
    return struct.pack("<iI", r.choice([0, 0, 0, -1, 0x7FFFFFFF]), r.choice([0, 1, 2, 3, 255, 256, 0xFFFFFFFF]))


def number_set(r):
    bits = r.choice([0, 1, 31, 32, 33, 255, 256, 257, 0xFFFFFFFF])
    return sequence_number(r) + struct.pack("<I", bits) + r.randbytes(4 * r.randrange(9))


def body(r, kind):
    ids = struct.pack(">II", r.choice(BUILTIN), r.choice(BUILTIN))
    if kind == 0x15:
        return struct.pack("<HH", 0, r.choice([16, 16, 16, 0, 8, 0xFFFF])) + ids + sequence_number(r) + payload(r)
    if kind == 0x16:
        fragments = struct.pack("<IHHI", r.choice(COUNTS), r.choice([0, 1, 10]), r.choice([0, 1, 1344, 0xFFFF]), r.choice([0, 20, 4096, *COUNTS]))
        return struct.pack("<HH", 0, 28) + ids + sequence_number(r) + fragments + r.randbytes(r.randrange(1400))
    if kind in (0x06, 0x08, 0x12):
        return ids + number_set(r) + number_set(r) + struct.pack("<I", r.choice(COUNTS))
    if kind in (0x07, 0x13):
        return ids + sequence_number(r) + sequence_number(r) + struct.pack("<I", r.choice(COUNTS))
    return r.randbytes(r.randrange(40))


def message(r, strangers):
    if r.random() < 0.1:
        return r.randbytes(r.randrange(0, 1500))
    out = b"RTPS" + bytes([2, r.choice([1, 2, 5])]) + r.choice(strangers)
    for _ in range(r.randrange(1, 6)):
        kind = r.choice(SUBMESSAGES)
        content = body(r, kind)
        length = len(content) if r.random() < 0.9 else r.choice(LENGTHS)
        out += struct.pack("<BBH", kind, r.choice([1, 5, 3, 7, r.randrange(256)]), length & 0xFFFF) + content
    return out[: r.randrange(len(out)) if r.random() < 0.1 else len(out)]


def main():
    pid, seconds, r = sys.argv[1], float(sys.argv[2]), random.Random(int(sys.argv[3]))
    ports = ports_of(pid)
    strangers = [r.choice([b"\x01\x0f", b"\x01\x10", b"\x01\x7f"]) + r.randbytes(12) for _ in range(8)]
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end, sent = time.monotonic() + seconds, 0
    while ports and time.monotonic() < end:
        sender.sendto(message(r, strangers)[:65000], ("127.0.0.1", r.choice(ports)))
        sent += 1
        if sent % 100 == 0:
            time.sleep(0.005)  # bounded: at most some twenty thousand a second
    print(sent, len(ports))


if __name__ == "__main__":
    main()
