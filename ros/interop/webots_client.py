"""A controller of Webots written from its protocol, message by message, with nothing but the standard library.

Run as a program it drives the robots of webots/testdata/worlds/lab.wbt and prints what it saw as JSON:
    webots_client.py HOST PORT drive|supervise|stall|keys [FOLDER OF LOCAL SOCKETS]
"""

import json
import socket
import struct
import sys
import time

SECOND = 1000  # ms
DEVICES = {  # command that tells a value, and how many numbers it has
    1: 1, 2: 7, 40: 1, 41: 3, 50: 1, 51: 3, 52: 3, 53: 3, 54: 4,
}


class Answer:
    """The data of an answer, read from its front."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def text(self):
        end = self.data.index(0, self.at)
        text, self.at = self.data[self.at : end].decode(), end + 1
        return text

    @property
    def more(self):
        return self.at < len(self.data)


class Controller:
    def __init__(self, robot, host=None, port=None, path=None):
        self.local = path is not None
        if self.local:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(path)
        else:
            self.socket = socket.create_connection((host, port))
            self.socket.sendall(b"CTR\nRobot-Name: " + robot.encode())
            answer = self.socket.recv(10)
            if answer != b"CONNECTED":
                raise SystemExit(f"{robot}: {answer}")
        self.socket.settimeout(60)
        self.devices, self.images, self.files = [robot], {}, {}
        self.configure(self.request(0, [(0, b"\x23\x00\x00")]))

    def receive(self, n):
        data = b""
        while len(data) < n:
            part = self.socket.recv(n - len(data))
            if not part:
                raise SystemExit("the simulator hung up")
            data += part
        return data

    def request(self, ms, messages=()):
        body = struct.pack("<I", ms)
        for tag, data in messages:
            body += struct.pack("<HI", tag, len(data)) + data
        self.socket.sendall(struct.pack("<I", 4 + len(body)) + body)
        self.images = {}
        if self.local:
            size, delay = struct.unpack("<Ii", self.receive(8))
            return Answer(self.receive(size - 8))
        chunks, total = struct.unpack("<HI", self.receive(6))
        data = b""
        for _ in range(chunks):
            size, kind = struct.unpack("<IB", self.receive(5))
            if kind == 0:
                data += self.receive(size)
            else:
                tag, command = struct.unpack("<HB", self.receive(3))
                self.images[self.devices[tag]] = self.receive(size)
        assert len(data) == total, (len(data), total)
        return Answer(data[4:])

    def configure(self, a):
        assert a.take("HB") == (0, 0)
        assert a.text() == self.devices[0]
        self.version = a.text()
        self.supervisor, self.synchronous, n, self.robot_node, self.time = a.take("BBHHd")
        self.nodes = {}
        for _ in range(n - 1):
            node, name, _ = a.take("H"), a.text(), a.text()
            self.devices.append(name)
            self.nodes[name] = node
        self.step_size = a.take("d")
        self.project, self.world, self.model, self.window, self.remote, self.controller, self.data = (a.text() for _ in range(7))

    def to(self, device, form, *values):
        return self.devices.index(device), struct.pack("<" + form, *values)

    def enable(self, device, ms=16):
        return self.to(device, "BH", 1, ms)

    def step(self, ms, *messages):
        """The values that devices tell after a step, by their names."""
        a, told = self.request(ms, messages), {}
        while a.more:
            tag, command = a.take("HB")
            name = self.devices[tag]
            if tag == 0 and command == 4:
                self.time = a.take("d")
            elif tag == 0 and command == 2:
                raise SystemExit("sent away")
            elif tag == 0 and command == 6:  # keys that are held
                told["keys"] = [a.take("i") for _ in range(a.take("B"))]
            elif tag == 0 and command == 97:  # a node is gone
                a.take("I")
            elif tag == 0 and command == 20:  # how many there are in a field
                a.take("i"), a.text(), a.take("i")
            elif name == "receiver":
                channel, *where, signal, size = a.take("iddddi")
                told.setdefault(name, []).append(a.take(f"{size}s").decode())
            elif self.nodes[name] in (38, 55, 48) and command == 8:  # memory to map: size, file
                self.files[name] = (a.take("i"), a.text())
            else:
                told[name] = a.take("d" * DEVICES[command])
        return told


def drive(make):
    """Two seconds of the cart at 2 rad/s, and its fork on the way to 0.1 m."""
    c = make("my cart")
    sensors = ["left sensor", "lift sensor", "gps", "imu", "gyro", "accelerometer", "compass", "front", "bumper", "camera", "depth", "lidar"]
    wheels = [c.to(w, "HdHd", 1, float("inf"), 2, 2.0) for w in ("left motor", "right motor")]
    c.step(16, *map(c.enable, sensors), *wheels, c.to("lift", "HdHd", 1, 0.1, 2, 0.05), c.to("lamp", "Bi", 1, 2))
    begin, wall, told = c.time, time.monotonic(), {}
    images = {}
    for _ in range(125):
        told.update(c.step(16))
        images.update(c.images)
    seconds = time.monotonic() - wall
    for name, (size, path) in c.files.items():
        with open(path, "rb") as f:
            images[name] = f.read(size)
    lit = sum(g > 200 and r < 100 for g, r in zip(images["camera"][1::4], images["camera"][2::4]))
    red = images["camera"][4 * (12 * 32 + 16) :][:4]
    return {
        "devices": c.devices, "robot": c.robot_node, "supervisor": c.supervisor, "step": c.step_size, "model": c.model,
        "begin": begin, "simulated": c.time - begin, "told": told, "pixel": list(red), "green pixels": lit,
        "depth": struct.unpack("<f", images["depth"][:4])[0],
        "lidar": struct.unpack_from("<f", images["lidar"], 4 * 44)[0], "steps per second": 125 / seconds,
    }


def supervise(make):
    """A supervisor looks for a box, moves it, puts a ball into the world and takes it away."""
    c = make("post")

    def ask(command, form, *values):
        a = c.request(0, [c.to("post", "B" + form, command, *values)])
        return a if not a.more else (a.take("HB"), a)[1]

    def node(name):
        return ask(84, f"{len(name) + 1}si", name.encode(), -1).take("I")

    def position(n):
        return ask(90, "I", n).take("ddd")

    box = node("BOX")
    at, kind = ask(87, "Ii12sB", box, -1, b"translation", 0).take("ii")
    c.step(16, c.to("post", "BIIIiddd", 62, box, at, kind, -1, 1.0, -3.0, 0.1))
    moved = position(box)
    ball = b'DEF SPHERE Solid { translation 0 2 1 name "ball" children [ DEF S Shape { geometry Sphere { radius 0.1 } } ] boundingObject USE S physics Physics { } }'
    children, _, _, count = ask(87, "Ii9sB", 0, -1, b"children", 0).take("iiBi")
    made = ask(89, f"IIi{len(ball) + 1}s", 0, children, count, ball).take("i")
    stands = position(made)
    c.step(16, c.to("post", "BI", 97, made))
    return {"box": box, "moved": moved, "made": made, "stands": stands, "gone": node("SPHERE"), "missing": node("NOTHING")}


def stall(make):
    """The cart's controller says nothing for a while; the post's is not asked to wait longer than the patience."""
    cart = make("my cart")
    cart.step(16)
    post = make("post")
    wall = time.monotonic()
    for _ in range(10):
        post.step(16)
    waited, before = time.monotonic() - wall, post.time
    cart.step(16)
    return {"waited": waited, "cart": cart.time, "post": before}


def keys(make):
    """The keys that an operator holds, as they change, until nothing is held after q was."""
    c, seen = make("my cart"), [[]]
    told = c.step(16, (0, struct.pack("<BH", 34, 16)))  # wb_keyboard_enable
    while seen[-1] or ord("Q") not in sum(seen, []):
        if told.get("keys", seen[-1]) != seen[-1]:
            seen.append(told["keys"])
        told = c.step(16)
    return {"seen": seen}


def main(host, port, what, folder=None):
    if folder is None:
        make = lambda robot: Controller(robot, host, int(port))
    else:
        make = lambda robot: Controller(robot, path=f"{folder}/{port}/ipc/{robot.replace(' ', '%20')}/extern")
    print(json.dumps({"drive": drive, "supervise": supervise, "stall": stall, "keys": keys}[what](make)))


if __name__ == "__main__":
    main(*sys.argv[1:])
