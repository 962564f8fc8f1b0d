"""Scale: the cost of many robots, with a real ROS 2 beside them on the same processors. Run it with run.sh bench.

scans: a hundred robots with odometry, tf and a lidar of 200 rays at 20 Hz, one subscriber to each tenth robot. Real-time factor,
share of messages that come, processor time. drives: a thousand robots, each with its own cmd_vel. Time until all move.

    scale.py [scans | drives]
"""

import contextlib
import pathlib
import sys
import tempfile
import time

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from tf2_msgs.msg import TFMessage

from client import BEST_EFFORT, RELIABLE
from conftest import Simdeck
from throughput import cpu

SECONDS = 10
RATE = 20  # Hz, of odometry and scans
SPEED = 0.3  # m/s
SCALE = {"scans": 100, "drives": 1000}

WHEEL = """<link name="{side}"><pose>0 {y} 0.08 -1.5707963267948966 0 0</pose><inertial><mass>0.5</mass>
<inertia><ixx>0.0008</ixx><iyy>0.0008</iyy><izz>0.0016</izz></inertia></inertial>
<collision name="c"><geometry><cylinder><radius>0.08</radius><length>0.04</length></cylinder></geometry></collision></link>
<joint name="{side}_joint" type="revolute"><parent>base_link</parent><child>{side}</child>
<axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint>"""

LIDAR = f"""<sensor name="scan" type="gpu_lidar"><pose>0 0 0.2 0 0 0</pose><topic>scan</topic><update_rate>{RATE}</update_rate>
<always_on>1</always_on><lidar><scan><horizontal><samples>200</samples><min_angle>-3.14159</min_angle>
<max_angle>3.14159</max_angle></horizontal></scan><range><min>0.3</min><max>30</max></range></lidar></sensor>"""


def model(name, x, y, sensor):
    """A robot of two driven wheels and a caster."""
    return f"""<model name="{name}"><pose>{x} {y} 0 0 0 0</pose>
<link name="base_link"><pose>0 0 0.08 0 0 0</pose><inertial><mass>5</mass>
<inertia><ixx>0.04</ixx><iyy>0.07</iyy><izz>0.1</izz></inertia></inertial>
<collision name="body"><pose>0 0 0.05 0 0 0</pose><geometry><box><size>0.3 0.2 0.1</size></box></geometry></collision>
<collision name="caster"><pose>-0.13 0 -0.04 0 0 0</pose><geometry><sphere><radius>0.04</radius></sphere></geometry>
<surface><friction><ode><mu>0.01</mu><mu2>0.01</mu2></ode></friction></surface></collision>{sensor}</link>
{WHEEL.format(side="left", y=0.17)}{WHEEL.format(side="right", y=-0.17)}
<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>left_joint</left_joint>
<right_joint>right_joint</right_joint><wheel_separation>0.34</wheel_separation><wheel_radius>0.08</wheel_radius>
<odom_publish_frequency>{RATE}</odom_publish_frequency></plugin></model>"""


def world(count, sensor):
    """Robots in rows, 3 m apart, on a floor with a post between each four."""
    side = int(count**0.5 + 0.999)
    robots = [model(f"r{i:04}", 3 * (i % side), 3 * (i // side), sensor) for i in range(count)]
    posts = "".join(f"""<collision name="p{i}"><pose>{3 * (i % side) + 1.5} {3 * (i // side) + 1.5} 0.5 0 0 0</pose><geometry>
<cylinder><radius>0.1</radius><length>1</length></cylinder></geometry></collision>""" for i in range(count))
    return f"""<sdf version="1.9"><world name="scale"><physics name="p" type="ignored"><max_step_size>0.004</max_step_size></physics>
<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry>
</collision>{posts}</link></model>{"".join(robots)}</world></sdf>"""


@contextlib.contextmanager
def running(text, domain):
    """A simdeck that runs a world, and a client of it."""
    with tempfile.TemporaryDirectory(prefix="scale-") as folder:
        file = pathlib.Path(folder, "scale.sdf")
        file.write_text(text)
        s = Simdeck(file, domain=domain)
        try:
            ros = s.client("scale")
            yield s.process.pid, ros
            ros.close()
            s.quit()
        finally:
            s.kill()


class Count:
    """Counts what arrives, and keeps the last."""

    def __init__(self, ros, kind, topic, qos):
        self.count, self.last = 0, None
        self.subscription = ros.node.create_subscription(kind, topic, self.take, qos)

    def take(self, message):
        self.count, self.last = self.count + 1, message


def seconds(stamp):
    return stamp.sec + stamp.nanosec * 1e-9


def scans(count):
    with running(world(count, LIDAR), 92) as (pid, ros):
        clock, tf = Count(ros, Clock, "/clock", RELIABLE), Count(ros, TFMessage, "/tf", RELIABLE)
        heard = [(Count(ros, Odometry, f"/r{i:04}/odom", RELIABLE), Count(ros, LaserScan, f"/r{i:04}/scan", BEST_EFFORT))
                 for i in range(0, count, 10)]
        ros.until(lambda: clock.last and tf.last and all(o.last and l.last for o, l in heard), "something of each tenth robot", 120)
        time.sleep(1)
        before = [(o.count, l.count) for o, l in heard]
        spent, from_sim, from_wall = cpu(pid), seconds(clock.last.clock), time.monotonic()
        mine = time.process_time()
        while time.monotonic() < from_wall + SECONDS:
            ros.spin()
        wall = time.monotonic() - from_wall
        passed, spent, mine = seconds(clock.last.clock) - from_sim, cpu(pid) - spent, time.process_time() - mine
        odom = [o.count - b for (o, _), (b, _) in zip(heard, before)]
        lidar = [l.count - b for (_, l), (_, b) in zip(heard, before)]
        due = RATE * passed
        print(f"{count} robots, odometry, tf and 200 rays at {RATE} Hz, {len(heard)} heard by rclpy: real-time factor {passed / wall:.3f}, "
              f"odometry {min(odom) / due:.3f} to {max(odom) / due:.3f} and scans {min(lidar) / due:.3f} to {max(lidar) / due:.3f} of what is due, "
              f"simdeck {100 * spent / wall:.0f} % and rclpy {100 * mine / wall:.0f} % of a processor", flush=True)


def drives(count):
    with running(world(count, ""), 93) as (_, ros):
        names = [f"r{i:04}" for i in range(count)]
        begin = time.monotonic()
        out = [ros.node.create_publisher(Twist, f"/{name}/cmd_vel", RELIABLE) for name in names]
        ros.until(lambda: all(p.get_subscription_count() > 0 for p in out), "all to be listened to", 300)
        matched = time.monotonic() - begin

        def places():
            r = ros.ok("get_entities_states")
            return {name: state.pose.position for name, state in zip(r.entities, r.states) if name.startswith("r")}

        start, command = places(), Twist()
        assert len(start) == count, f"{len(start)} robots"
        command.linear.x = SPEED
        told = time.monotonic()
        for p in out:
            p.publish(command)
        sent = time.monotonic() - told
        moved = 0
        while moved < count and time.monotonic() < told + 60:
            now = places()
            moved = sum(abs(now[n].x - start[n].x) + abs(now[n].y - start[n].y) > 0.01 for n in names)
            at = time.monotonic() - told
        print(f"{count} robots: all listen to their cmd_vel after {matched:.1f} s, {count} commands are sent in {sent:.2f} s, "
              f"{moved} have gone 1 cm {at:.2f} s after the first (goal: within 1 s)", flush=True)


if __name__ == "__main__":
    for what in sys.argv[1:] or SCALE:
        {"scans": scans, "drives": drives}[what](SCALE[what])
