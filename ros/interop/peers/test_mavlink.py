"""PX4's interface for simulators, spoken by pymavlink: who flies the quadrotor is none of simdeck's code."""

import math
import os
import pathlib
import time

import pytest

os.environ["MAVLINK20"] = "1"  # before it is imported
from pymavlink import mavutil
from pymavlink.dialects.v20 import common as mav

FIELD = pathlib.Path(__file__).parents[3] / "autopilot" / "testdata" / "field.sdf"
PORT, EVERY = 4560, 4000  # µs: of a step, and so of HIL_SENSOR
ARMED = mav.MAV_MODE_FLAG_SAFETY_ARMED | mav.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED
MASS, ARM, THRUST, MOMENT, MOST = 1.5, 0.2, 8.54858e-06, 0.016, 800  # of the quadrotor in FIELD
INERTIA = 0.035, 0.046, 0.098
MOTORS = (1, 1, 1), (-1, -1, 1), (1, -1, -1), (-1, 1, -1)  # by number: forward and right of the middle, and the turn that they give


def angles(state):
    """Roll, pitch and yaw of a HIL_STATE_QUATERNION, rad."""
    w, x, y, z = state.attitude_quaternion
    return (math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), math.asin(max(-1, min(1, 2 * (w * y - z * x)))),
            math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


class Autopilot:
    """The end of PX4: it hears of its vehicle, and answers each HIL_SENSOR."""

    def __init__(self, simdeck):
        end = time.monotonic() + 60
        while "an autopilot may connect" not in simdeck.text():
            simdeck.check()
            assert time.monotonic() < end, f"nobody listens on port {PORT}"
            time.sleep(0.05)
        self.link = mavutil.mavlink_connection(f"tcp:127.0.0.1:{PORT}", source_system=1, source_component=1, dialect="common")
        self.check, self.counts, self.start = simdeck.check, {}, None
        self.sensors = self.truth = self.fix = self.beat = self.flow = None
        self.ranges = {}  # by ID

    def hear(self):
        """Reads until the sensors of a step have come."""
        while True:
            message = self.link.recv_match(blocking=True, timeout=60)
            self.check()
            assert message is not None, f"a minute of silence after {self.counts}"
            kind = message.get_type()
            assert kind != "BAD_DATA", message
            self.counts[kind] = self.counts.get(kind, 0) + 1
            match kind:
                case "HEARTBEAT":
                    self.beat = message
                case "HIL_GPS":
                    self.fix = message
                case "HIL_OPTICAL_FLOW":
                    self.flow = message
                case "DISTANCE_SENSOR":
                    self.ranges[message.id] = message
                case "HIL_STATE_QUATERNION":
                    self.truth, self.start = message, self.start or message
                case "HIL_SENSOR":
                    assert self.sensors is None or message.time_usec == self.sensors.time_usec + EVERY, "a step was left out"
                    self.sensors = message
                    return

    def answer(self, levels):
        controls = [*levels, *[0.0] * (16 - len(levels))]
        self.link.mav.hil_actuator_controls_send(self.sensors.time_usec, controls, ARMED, 1)  # the flag of lockstep

    def fly(self, height, north=0, east=0):
        """Levels of the motors that lead to a height above the start and a place from there, m, and hold it."""
        goal = north, east, -height
        s, first = self.truth, self.start
        roll, pitch, yaw = angles(s)
        turned = math.remainder(yaw - angles(first)[2], math.tau)
        metre = math.radians(1e-7) * 6378137
        place = (s.lat - first.lat) * metre, (s.lon - first.lon) * metre * math.cos(math.radians(s.lat * 1e-7)), (first.alt - s.alt) / 1000
        north, east, down = (2 * (to - at) - 2.5 * v / 100 for to, at, v in zip(goal, place, (s.vx, s.vy, s.vz)))
        ahead, right = north * math.cos(yaw) + east * math.sin(yaw), east * math.cos(yaw) - north * math.sin(yaw)
        tilt = lambda v: max(-0.3, min(0.3, v / 9.81))
        torque = (INERTIA[0] * (60 * (tilt(right) - roll) - 14 * s.rollspeed), INERTIA[1] * (60 * (-tilt(ahead) - pitch) - 14 * s.pitchspeed),
                  INERTIA[2] * (-3 * turned - 3 * s.yawspeed))
        lift = max(0, MASS * (9.81 - down) / (math.cos(roll) * math.cos(pitch)))
        forces = (lift / 4 - at[1] * torque[0] / (4 * ARM) + at[0] * torque[1] / (4 * ARM) + at[2] * torque[2] / (4 * MOMENT) for at in MOTORS)
        self.answer([min(1, math.sqrt(max(0, f) / THRUST) / MOST) for f in forces])
        return place


@pytest.fixture
def autopilot(start):
    s = start(FIELD, "--autopilot", f"px4:quad:{PORT}", "--rtf", "0")
    a = Autopilot(s)
    yield a
    a.link.close()
    s.kill()  # of its port


# Sensors that look down from the quadrotor: PX4's optical flow sensor, a lidar of one beam and a sonar.
EYES = """<sensor name="flow_camera" type="camera"><pose>0 0 -0.06 0 1.570796 0</pose><update_rate>50</update_rate>
  <camera><image><width>100</width><height>100</height></image><clip><near>0.1</near><far>30</far></clip></camera></sensor>
  <sensor name="optical_flow" type="custom" gz:type="optical_flow"/>
  <sensor name="lidar" type="gpu_lidar"><pose>0 0 -0.06 0 1.570796 0</pose><update_rate>50</update_rate><ray>
  <scan><horizontal><samples>1</samples><min_angle>0</min_angle><max_angle>0</max_angle></horizontal></scan><range><min>0.1</min><max>30</max></range></ray></sensor>
  <sensor name="sonar" type="sonar"><pose>0 0 -0.06 0 0 0</pose><update_rate>20</update_rate><sonar><min>0.02</min><max>5</max><radius>0</radius></sonar></sensor>"""


@pytest.fixture
def seeing(start, tmp_path):
    world = tmp_path / "seeing.sdf"
    world.write_text(FIELD.read_text().replace('<link name="base_link">', '<link name="base_link">' + EYES))
    s = start(world, "--autopilot", f"px4:quad:{PORT}", "--rtf", "0")
    a = Autopilot(s)
    yield a
    a.link.close()
    s.kill()  # of its port


def in_body(state):
    """The velocity of a HIL_STATE_QUATERNION forward and to the right of the body, m/s."""
    w, x, y, z = state.attitude_quaternion
    n, e, d = state.vx / 100, state.vy / 100, state.vz / 100
    return ((1 - 2 * (y * y + z * z)) * n + 2 * (x * y + w * z) * e + 2 * (x * z - w * y) * d,
            2 * (x * y - w * z) * n + (1 - 2 * (x * x + z * z)) * e + 2 * (y * z + w * x) * d)


def test_an_autopilot_knows_its_way_by_flow_and_range(seeing):
    a = seeing
    a.hear()
    begin, told = a.sensors.time_usec, 0
    way, truth, turned = [0, 0], [0, 0], [0, 0]  # forward and right of the body, m; since the last flow, rad
    while a.sensors.time_usec < begin + 12_000_000:
        away = a.sensors.time_usec > begin + 6_000_000
        place = a.fly(2, 2 if away else 0, -1 if away else 0)
        a.hear()
        turned = turned[0] + a.sensors.xgyro * EVERY / 1e6, turned[1] + a.sensors.ygyro * EVERY / 1e6
        if a.flow is None:
            continue
        f, a.flow, told = a.flow, None, told + 1
        if away:
            assert f.quality == 255 and f.integration_time_us == 20000 and f.distance > 1
            assert math.isnan(f.integrated_xgyro) and abs(a.ranges[0].current_distance / 100 - f.distance) < 0.01
            seen = (f.integrated_y - turned[1]) * f.distance, (turned[0] - f.integrated_x) * f.distance
            way = [at + by for at, by in zip(way, seen)]
            truth = [at + v * f.integration_time_us / 1e6 for at, v in zip(truth, in_body(a.truth))]
        turned = 0, 0
    assert place == pytest.approx((2, -1, -2), abs=0.1)
    assert truth[0] ** 2 + truth[1] ** 2 == pytest.approx(5, abs=0.5)
    assert way == pytest.approx(truth, abs=0.03), "the way by flow and range"
    lidar, sonar = a.ranges[0], a.ranges[100]
    assert {*a.ranges} == {0, 100} and (lidar.type, sonar.type) == (mav.MAV_DISTANCE_SENSOR_LASER, mav.MAV_DISTANCE_SENSOR_ULTRASOUND)
    for r, most in (lidar, 3000), (sonar, 500):
        assert r.orientation == mav.MAV_SENSOR_ROTATION_PITCH_270 and r.signal_quality == 100 and r.max_distance == most
        assert r.current_distance == pytest.approx(200, abs=10)
    assert told == pytest.approx(600, abs=1) and a.counts["DISTANCE_SENSOR"] == pytest.approx(600 + 240, abs=3)


def test_a_quadrotor_flies_by_an_autopilot_of_pymavlink(autopilot):
    a = autopilot
    a.hear()
    begin = a.sensors.time_usec
    for _ in range(100):  # at rest on the ground
        a.answer([0, 0, 0, 0])
        a.hear()
    s, still = a.sensors, a.truth
    assert (s.xacc, s.yacc, s.zacc) == pytest.approx((0, 0, -9.81), abs=0.1) and (s.xgyro, s.ygyro, s.zgyro) == pytest.approx((0, 0, 0), abs=0.02)
    assert (still.xacc, still.yacc, still.zacc) == pytest.approx((0, 0, -1000), abs=10)  # mG
    assert 900 < s.abs_pressure < 1000 and 0.3 < math.hypot(s.xmag, s.ymag, s.zmag) < 0.6  # hPa and gauss, near Zurich
    assert (still.lat, still.lon, still.alt) == pytest.approx((473977420, 85455940, 488000), abs=200)
    assert s.id == 0 and s.fields_updated & 0x1FFF == s.fields_updated != 0
    place = (0, 0, 0)
    while a.sensors.time_usec < begin + 12_000_000:
        place = a.fly(3)
        a.hear()
    assert place == pytest.approx((0, 0, -3), abs=0.1) and a.sensors.pressure_alt == pytest.approx(488 + 3, abs=3)
    assert (a.fix.lat, a.fix.lon) == pytest.approx((a.truth.lat, a.truth.lon), abs=100) and a.fix.fix_type >= 3 and a.fix.satellites_visible >= 4
    assert a.beat.get_srcSystem() != 0 and a.beat.mavlink_version == 3
    steps = a.counts["HIL_SENSOR"]
    assert a.counts["HIL_STATE_QUATERNION"] == pytest.approx(steps, abs=1)
    assert a.counts["HIL_GPS"] == pytest.approx(120, abs=2) and a.counts["HEARTBEAT"] == pytest.approx(12, abs=1)
