"""Prints the frames of pymavlink.txt: pip install pymavlink==2.4.50; python frames.py > pymavlink.txt"""
import importlib

messages = {
    "HEARTBEAT": dict(type=0, autopilot=8, base_mode=32, custom_mode=305419896, system_status=4),
    "HIL_ACTUATOR_CONTROLS": dict(time_usec=1234567890123, controls=[0.5, -0.25, 1, 0] + [0.0625 * i for i in range(12)],
                                  mode=129, flags=1),
    "HIL_SENSOR": dict(time_usec=4000, xacc=0.5, yacc=-1.5, zacc=-9.75, xgyro=0.125, ygyro=-0.25, zgyro=0.375,
                       xmag=0.21875, ymag=0.015625, zmag=0.4375, abs_pressure=955.5, diff_pressure=0.25,
                       pressure_alt=488.5, temperature=11.75, fields_updated=8191, id=0),
    "HIL_GPS": dict(time_usec=1000000, fix_type=3, lat=473977420, lon=-85455940, alt=488055, eph=30, epv=40, vel=512,
                    vn=-300, ve=400, vd=-12, cog=12687, satellites_visible=10, id=2, yaw=35999),
    "HIL_OPTICAL_FLOW": dict(time_usec=12000, sensor_id=2, integration_time_us=20000, integrated_x=-0.0625, integrated_y=0.03125,
                             integrated_xgyro=0.5, integrated_ygyro=-0.25, integrated_zgyro=0.125, temperature=1175,
                             quality=255, time_delta_distance_us=4000, distance=2.5),
    "DISTANCE_SENSOR": dict(time_boot_ms=12, min_distance=20, max_distance=3500, current_distance=251, type=1, id=101,
                            orientation=25, covariance=4, horizontal_fov=0.5, vertical_fov=0.25,
                            quaternion=[0.5, -0.5, 0.5, -0.5], signal_quality=100),
    "HIL_STATE_QUATERNION": dict(time_usec=8000, attitude_quaternion=[0.5, -0.5, 0.5, 0.5], rollspeed=0.25,
                                 pitchspeed=-0.5, yawspeed=0.75, lat=473977420, lon=85455940, alt=488055, vx=100,
                                 vy=-200, vz=300, ind_airspeed=1500, true_airspeed=1600, xacc=1, yacc=-2, zacc=-1000),
}
for version in (1, 2):
    dialect = importlib.import_module("pymavlink.dialects.v%d0.common" % version)
    link = dialect.MAVLink(None, srcSystem=3, srcComponent=200)
    link.seq = 7
    for name, fields in messages.items():
        kind = getattr(dialect, "MAVLink_%s_message" % name.lower())
        extra = {"mavlink_version": 3} if name == "HEARTBEAT" else {}
        known = {k: v for k, v in fields.items() if k in kind.fieldnames}  # version 1 has no extensions
        print(version, name, kind(**known, **extra).pack(link).hex())
        link.seq += 1
