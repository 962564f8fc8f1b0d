"""Records what a session of eclipse-zenoh and a router say to each other: the captures of ros/zenoh/wire/testdata.

    netns.sh single PYTHON zenoh_tap.py FILE

A line is a batch in hex, behind > from the session or < from the router. The keys are those of rmw_zenoh.
"""

import socket
import sys
import threading
import time

import zenoh

HASH = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
TOPIC = f"0/chatter/std_msgs::msg::dds_::String_/{HASH}"
SERVICE = "0/add_two_ints/example_interfaces::srv::dds_::AddTwoInts_/RIHS01_00"
ATTACHMENT = (7).to_bytes(8, "little") + (10**18).to_bytes(8, "little") + bytes([16]) + bytes(range(16))


def session(mode, port):
    """A session that knows nobody but whom it is told of."""
    config = zenoh.Config()
    config.insert_json5("mode", f'"{mode}"')
    config.insert_json5("scouting/multicast/enabled", "false")
    config.insert_json5("scouting/gossip/enabled", "false")
    config.insert_json5("transport/shared_memory/enabled", "false")
    config.insert_json5("listen/endpoints" if mode == "router" else "connect/endpoints", f'["tcp/127.0.0.1:{port}"]')
    return zenoh.open(config)


class Tap:
    """Passes batches on between a session at its own port and the router, and notes them."""

    def __init__(self, port, router):
        self.lines = []
        self.listener = socket.create_server(("127.0.0.1", port))
        self.router = router
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        near, _ = self.listener.accept()
        far = socket.create_connection(("127.0.0.1", self.router))
        threading.Thread(target=self.copy, args=(near, far, ">"), daemon=True).start()
        self.copy(far, near, "<")

    def copy(self, source, target, mark):
        file = source.makefile("rb")
        while len(size := file.read(2)) == 2:
            batch = file.read(int.from_bytes(size, "little"))
            self.lines.append(f"{mark} {batch.hex()}")
            target.sendall(size + batch)


def main():
    router = session("router", 7447)
    tap = Tap(7448, 7447)
    other = session("client", 7447)
    answer = lambda query: query.reply(query.key_expr, b"\0\1\0\0sum", attachment=query.attachment)
    kept = [other.declare_queryable(SERVICE, answer, complete=True),
            other.liveliness().declare_token("@ros2_lv/0/aa/0/0/NN/%/%/other")]
    time.sleep(0.3)

    one = session("client", 7448)
    kept += [one.declare_subscriber(TOPIC, lambda sample: None),
             one.liveliness().declare_subscriber("@ros2_lv/0/**", lambda sample: None, history=True),
             one.liveliness().declare_token("@ros2_lv/0/bb/0/0/NN/%/%/one"),
             one.declare_queryable(SERVICE + "x", answer, complete=True)]
    time.sleep(0.3)
    other.put(TOPIC, b"\0\1\0\0hello", attachment=ATTACHMENT)
    other.put(TOPIC, bytes(100_000), attachment=ATTACHMENT)
    publisher = one.declare_publisher(TOPIC)
    publisher.put(b"\0\1\0\0world", attachment=ATTACHMENT, encoding="application/cdr")
    for reply in one.get(SERVICE, payload=b"\0\1\0\0ask", attachment=ATTACHMENT,
                         target=zenoh.QueryTarget.ALL_COMPLETE, consolidation=zenoh.ConsolidationMode.NONE):
        assert reply.ok.payload.to_bytes() == b"\0\1\0\0sum"
    for reply in other.get(SERVICE + "x", payload=b"\0\1\0\0ask", attachment=ATTACHMENT):
        assert reply.ok.payload.to_bytes() == b"\0\1\0\0sum"
    more = other.liveliness().declare_token("@ros2_lv/0/aa/0/1/NN/%/%/late")
    time.sleep(0.2)
    more.undeclare()
    time.sleep(3)  # a keep-alive each
    one.close()
    time.sleep(0.3)
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write("\n".join(tap.lines) + "\n")
    other.close()
    router.close()


main()
