"""Many subscriptions of one process: simdeck sends each message to all of them at once, and every one gets every message."""

from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from client import BEST_EFFORT, LATCHED, RELIABLE, Listener

MANY = 100


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
    # At a pace that a client in Python can follow: what its own queues lose says nothing of the wire.
    simdeck = start("--rtf", "0.2")
    ros = simdeck.client("many")
    scans = topic(ros, "/scan")
    clocks = [Listener(ros.node, Clock, "/clock", RELIABLE) for _ in range(MANY)]
    ros.until(lambda: all(len(l.messages) > 20 for l in clocks), "the clock at all")
    late = [Listener(ros.node, Clock, "/clock", RELIABLE) for _ in range(MANY)]  # while the others get theirs
    loose = [Listener(ros.node, Clock, "/clock", BEST_EFFORT) for _ in range(MANY)]
    trees = [Listener(ros.node, TFMessage, "/tf_static", LATCHED) for _ in range(MANY)]
    texts = [Listener(ros.node, String, topic(ros, "/robot_description"), LATCHED) for _ in range(MANY)]
    rays = [Listener(ros.node, LaserScan, scans, RELIABLE if i % 2 else BEST_EFFORT) for i in range(MANY)]
    ros.until(lambda: all(len(l.messages) > 300 for l in [*clocks, *late]), "300 ticks at all", 120)
    ros.until(lambda: all(l.messages for l in [*loose, *trees, *texts, *rays]), "something at all others", 120)
    same([*clocks, *late], lambda m: seconds(m.clock))
    assert len({l.last.data for l in texts}) == 1, "not all have the same description"
    assert all(len(l.messages) == 1 for l in texts), "a latched message came twice"
    frames = [{t.child_frame_id for m in l.messages for t in m.transforms} for l in trees]
    assert all(f == frames[0] for f in frames), "not all have the same frames"
    ros.close()
    simdeck.quit()
