"""Many subscriptions of one process: simdeck sends each message to all of them at once, and every one gets every message."""

from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from client import BEST_EFFORT, LATCHED, RELIABLE, Listener

MANY = 100
BURST, BURSTS = 20, 15  # steps at once, and how often


def seconds(stamp):
    return stamp.sec * 10**9 + stamp.nanosec


def same(listeners, stamp_of):
    """All that any of them got, from when the last one began until the first one ended, each of them has."""
    heard = [{stamp_of(m) for m in l.messages} for l in listeners]
    begin, end = max(map(min, heard)), min(map(max, heard))
    kept = [{s for s in one if begin <= s <= end} for one in heard]
    everything = set.union(*kept)
    assert len(everything) > 50, f"{len(everything)} messages in common"
    for i, one in enumerate(kept):
        assert one == everything, f"subscription {i} of {len(kept)} lacks {len(everything - one)} of {len(everything)} messages"


def topic(ros, ending):
    def found():
        return sorted(t for t, _ in ros.node.get_topic_names_and_types() if t.endswith(ending) and t.count("/") == 2)

    return ros.until(found, f"a topic …{ending}")[0]


def test_a_hundred_subscriptions_of_each_kind_all_get_every_message(start):
    # In bursts of steps, each after all have the one before: what the queues of a client in Python lose when it falls behind says
    # nothing of the wire.
    simdeck = start("--paused")
    ros = simdeck.client("many")
    scans = topic(ros, "/scan")
    clocks = [Listener(ros.node, Clock, "/clock", RELIABLE) for _ in range(MANY)]
    late = []

    def another():
        ros.ok("step_simulation", steps=BURST)
        now = ros.now()
        ros.until(lambda: all(l.last and seconds(l.last.clock) >= now for l in [*clocks, *late]), "the newest tick at all", 120)

    another()
    burst = ros.begin("step_simulation", steps=BURST)
    late += [Listener(ros.node, Clock, "/clock", RELIABLE) for _ in range(MANY)]  # while the others get theirs
    loose = [Listener(ros.node, Clock, "/clock", BEST_EFFORT) for _ in range(MANY)]
    trees = [Listener(ros.node, TFMessage, "/tf_static", LATCHED) for _ in range(MANY)]
    texts = [Listener(ros.node, String, topic(ros, "/robot_description"), LATCHED) for _ in range(MANY)]
    rays = [Listener(ros.node, LaserScan, scans, RELIABLE if i % 2 else BEST_EFFORT) for i in range(MANY)]
    ros.until(burst.done, "the steps of the second burst", 120)
    for _ in range(BURSTS):
        another()
    ros.until(lambda: another() or all(l.messages for l in [*loose, *rays]), "a tick and a scan at all that want one", 120)
    ros.until(lambda: all(l.messages for l in [*trees, *texts]), "the frames and the description at all", 120)
    same([*clocks, *late], lambda m: seconds(m.clock))
    assert len({l.last.data for l in texts}) == 1, "not all have the same description"
    assert all(len(l.messages) == 1 for l in texts), "a latched message came twice"
    frames = [{t.child_frame_id for m in l.messages for t in m.transforms} for l in trees]
    assert all(f == frames[0] for f in frames), "not all have the same frames"
    ros.close()
    simdeck.quit()
