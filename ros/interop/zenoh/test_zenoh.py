"""simdeck over Zenoh, judged by eclipse-zenoh: a router of it, and a session that speaks the keys of rmw_zenoh."""

import contextlib
import json
import os
import socket
import struct
import subprocess
import tempfile
import threading
import time

import pytest
import zenoh

PORT = 7447
SIMDECK = os.environ["SIMDECK"]
PATIENCE = 60
STAMPED = "RIHS01_5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64"
ATTACHMENT = struct.pack("<qqB", 1, 10**18, 16) + bytes(range(16))


def session(mode):
    config = zenoh.Config()
    for key, value in {
        "mode": mode,
        "scouting/multicast/enabled": False,
        "scouting/gossip/enabled": mode != "client",
        "listen/endpoints" if mode == "router" else "connect/endpoints": [f"tcp/127.0.0.1:{PORT}"],
    }.items():
        config.insert_json5(key, json.dumps(value))
    if mode == "peer":
        config.insert_json5("listen/endpoints", json.dumps(["tcp/127.0.0.1:0"]))
    return zenoh.open(config)


def until(what, say):
    """Waits until what() gives something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.1)
    raise AssertionError(say() if callable(say) else say)


class Tokens:
    """The liveliness tokens of the graph, split into their parts."""

    def __init__(self, peer, domain=0):
        self.all = set()
        self.watch = peer.liveliness().declare_subscriber(f"@ros2_lv/{domain}/**", self.take, history=True)

    def take(self, sample):
        key = str(sample.key_expr)
        (self.all.discard if sample.kind == zenoh.SampleKind.DELETE else self.all.add)(key)

    def endpoint(self, kind, topic):
        """The key of an endpoint's messages, as its token says it, and the number of its session."""
        for token in list(self.all):
            parts = token.split("/")
            if len(parts) == 13 and parts[5] == kind and parts[9] == topic.replace("/", "%"):
                return "/".join(["0", topic.strip("/"), parts[10], parts[11]]), parts[2]
        return None


@pytest.fixture(scope="module")
def router():
    r = session("router")
    yield r
    r.close()


@pytest.fixture(scope="module", params=["peer", "client"])
def peer(request, router):
    p = session(request.param)
    yield p
    p.close()


@pytest.fixture(scope="module")
def simdeck(router):
    with tempfile.TemporaryFile() as log:
        env = {**os.environ, "RMW_IMPLEMENTATION": "rmw_zenoh_cpp", "HOME": tempfile.mkdtemp(),
               "ZENOH_CONFIG_OVERRIDE": f'connect/endpoints=["tcp/127.0.0.1:{PORT}"]'}
        p = subprocess.Popen([SIMDECK, "run", "world://@cache@/bench"], env=env, stdout=log, stderr=log)
        yield p
        p.terminate()
        code = p.wait(PATIENCE)
        log.seek(0)
        print(log.read().decode(errors="replace"))
        assert code == 0


@pytest.fixture(scope="module")
def tokens(peer, simdeck):
    t = Tokens(peer)
    until(lambda: t.endpoint("MP", "/clock"), lambda: f"no publisher of /clock among {sorted(t.all)[:20]}")
    return t


def test_the_clock_ticks_with_number_time_and_gid(peer, tokens):
    key, _ = tokens.endpoint("MP", "/clock")
    heard = []
    subscriber = peer.declare_subscriber(key, lambda s: heard.append((s.payload.to_bytes(), s.attachment.to_bytes())))
    until(lambda: len(heard) > 10, "no /clock")
    subscriber.undeclare()
    at = [struct.unpack_from("<iI", payload, 4) for payload, _ in heard]
    assert at == sorted(at) and at[-1] > at[0]
    numbers, times, gids = zip(*((*struct.unpack_from("<qq", a), a[16:]) for _, a in heard))
    assert list(numbers) == list(range(numbers[0], numbers[0] + len(numbers)))
    assert len(set(gids)) == 1 and gids[0][0] == 16 and len(gids[0]) == 17
    assert abs(times[-1] / 1e9 - time.time()) < PATIENCE


def test_a_service_answers_with_the_number_and_gid_of_its_caller(peer, tokens):
    key, _ = until(lambda: tokens.endpoint("SS", "/get_simulator_features"), "no service")
    replies = list(peer.get(key, payload=b"\0\1\0\0\0", attachment=ATTACHMENT, timeout=PATIENCE,
                            target=zenoh.QueryTarget.ALL_COMPLETE, consolidation=zenoh.ConsolidationMode.NONE))
    assert len(replies) == 1 and replies[0].ok, replies
    sample = replies[0].ok
    assert len(sample.payload.to_bytes()) > 8 and sample.attachment.to_bytes() == ATTACHMENT
    assert str(sample.key_expr) == key


def test_a_robot_drives_when_a_peer_says_so(peer, tokens):
    key, _ = until(lambda: next((tokens.endpoint("MS", t) for t in topics(tokens, "MS") if t.endswith("/cmd_vel")),
                                None), lambda: f"no cmd_vel among {topics(tokens, 'MS')}")
    topic = "/" + key.split("/", 1)[1].rsplit("/", 2)[0]
    odometry, _ = until(lambda: tokens.endpoint("MP", topic.replace("cmd_vel", "odom")), "no odometry")
    speeds = []
    subscriber = peer.declare_subscriber(odometry, lambda s: speeds.append(twist_of(s.payload.to_bytes())))
    publisher = peer.declare_publisher(key)
    stamped = "TwistStamped" in key
    command = b"\0\1\0\0" + (struct.pack("<iII", 0, 0, 1) + b"\0" * 4 if stamped else b"") + struct.pack(
        "<6d", 0.2, 0, 0, 0, 0, 0)

    def drives():
        publisher.put(command, attachment=ATTACHMENT)
        return speeds and speeds[-1] > 0.05

    until(drives, lambda: f"it stands: {speeds[-5:]}")
    subscriber.undeclare()


def test_commands_are_taken_in_the_type_in_which_a_peer_publishes_them(peer, tokens):
    topic = until(lambda: next((t for t in topics(tokens, "MS") if t.endswith("/cmd_vel")), None), "no cmd_vel")
    stamped = f"geometry_msgs::msg::dds_::TwistStamped_/{STAMPED}"

    def kind():
        return tokens.endpoint("MS", topic)[0].rsplit("/", 2)[1] if tokens.endpoint("MS", topic) else ""

    until(lambda: kind().endswith("::Twist_"), lambda: f"without a publisher it is {kind()}")
    session = ["@ros2_lv", "0", str(peer.info.zid()), "1"]
    token = peer.liveliness().declare_token(
        "/".join([*session, "2", "MP", "%", "%", "judge", topic.replace("/", "%"), stamped, "::,10:,:,:,,"]))
    until(lambda: kind().endswith("::TwistStamped_"), lambda: f"for a publisher of TwistStamped it is {kind()}")
    speeds = []
    odometry, _ = tokens.endpoint("MP", topic.replace("cmd_vel", "odom"))
    subscriber = peer.declare_subscriber(odometry, lambda s: speeds.append(twist_of(s.payload.to_bytes())))
    publisher = peer.declare_publisher(f"0/{topic.strip('/')}/{stamped}")

    def goes_back():
        publisher.put(b"\0\1\0\0" + struct.pack("<iII4x6d", 0, 0, 1, -0.2, 0, 0, 0, 0, 0), attachment=ATTACHMENT)
        return speeds and speeds[-1] < -0.05

    until(goes_back, lambda: f"it does not go back: {speeds[-5:]}")
    subscriber.undeclare()
    token.undeclare()
    until(lambda: kind().endswith("::Twist_"), lambda: f"after its publisher has left it is {kind()}")


def topics(tokens, kind):
    return [p[9].replace("%", "/") for p in (t.split("/") for t in list(tokens.all)) if len(p) == 13 and p[5] == kind]


def twist_of(odometry):
    """The forward speed of a nav_msgs/msg/Odometry."""
    at = 12
    for _ in range(2):  # frame_id, child_frame_id
        at = (at + 3) // 4 * 4
        (size,) = struct.unpack_from("<I", odometry, at)
        at += 4 + size
    at = 4 + (at - 4 + 7) // 8 * 8 + 7 * 8 + 36 * 8
    return struct.unpack_from("<d", odometry, at)[0]


def test_who_comes_late_gets_what_is_latched(peer, tokens):
    latched = [t for t in topics(tokens, "MP") if t == "/tf_static" or t.endswith("/robot_description")]
    key, its = tokens.endpoint("MP", latched[0])
    replies = [r.ok for r in peer.get(f"{key}/@adv/**?_anyke;_max=1", timeout=PATIENCE) if r.ok]
    assert replies, latched
    assert all(str(s.key_expr) == key and len(s.attachment.to_bytes()) == 33 for s in replies)


def test_simdeck_finds_itself_over_zenoh(tokens):
    env = {**os.environ, "HOME": tempfile.mkdtemp()}
    answer = subprocess.run([SIMDECK, "list", "--rmw", "zenoh", "--zenoh-router", f"tcp/127.0.0.1:{PORT}"], env=env,
                            capture_output=True, text=True, timeout=PATIENCE * 3)
    assert answer.returncode == 0 and "/simdeck" in answer.stdout, answer


@contextlib.contextmanager
def command(*arguments):
    """A simdeck that ends well, at the latest with the block."""
    env = {**os.environ, "HOME": tempfile.mkdtemp(), "RMW_IMPLEMENTATION": "rmw_zenoh_cpp"}
    with subprocess.Popen([SIMDECK, *arguments], env=env, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as p:
        try:
            yield p
        finally:
            p.terminate()
    assert p.returncode == 0, (arguments, p.returncode)


def test_simdeck_conforms_over_zenoh(router):
    with command("run", "bench", "--domain", "7"), command("conform", "--domain", "7") as judge:
        said, _ = judge.communicate(timeout=PATIENCE * 4)
    assert " 0 failed" in said and "passed   topic.respawn" in said, said


def test_worlds_of_one_process_stand_in_their_namespaces_over_both(router, peer):
    tokens = Tokens(peer, domain=8)
    with command("run", "bench", "empty", "--each-namespace", "--rmw", "dds,zenoh", "--domain", "8"):
        until(lambda: {"/bench/clock", "/empty/clock"} <= set(topics(tokens, "MP")), lambda: topics(tokens, "MP"))
        assert not {"/clock", "/tf"} & set(topics(tokens, "MP"))
        assert len({t.split("/")[2] for t in tokens.all}) == 1, "they share no session"
        for rmw, node in (("dds", "/bench/simdeck"), ("zenoh", "/empty/simdeck")):
            with command("list", "--node", node, "--rmw", rmw, "--domain", "8") as over:
                said, _ = over.communicate(timeout=PATIENCE)
            assert f"entities of {node}" in said, said


def test_a_router_that_lies_stalls_or_floods_does_not_stop_the_simulator(simdeck):
    def liar(connection):
        with connection:
            connection.settimeout(1)
            try:
                connection.recv(4096)
                connection.sendall(b"\xff\xff" + bytes(70_000))
                time.sleep(1)
            except OSError:
                pass

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=lambda: [liar(server.accept()[0]) for _ in range(2)], daemon=True).start()
        env = {**os.environ, "HOME": tempfile.mkdtemp()}
        ran = subprocess.run([SIMDECK, "run", "world://@cache@/bench", "--duration", "5s", "--rmw", "zenoh",
                              "--zenoh-router", f"tcp/127.0.0.1:{server.getsockname()[1]}"], env=env,
                             capture_output=True, text=True, timeout=PATIENCE * 2)
    assert ran.returncode == 0 and "breaks the protocol" in ran.stderr, ran
