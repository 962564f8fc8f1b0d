// Package vehicle holds the drives of robots: the wheel targets of a velocity command, and the odometry from
// the wheels' turning. It knows neither bodies nor the clock; it is told angles and times.
package vehicle

import (
	"math"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// DefaultOdomRate is the rate of odometry estimates of a drive without another one, Hz.
const DefaultOdomRate = 30

// The wheels of a drive, as indices of JointTargets.Wheels and of what Observe is
// told. A differential drive has one value for each side, an Ackermann drive
// another for wheels that are steered themselves.
const (
	Left = iota
	Right
	SteeredLeft
	SteeredRight
)

// The wheels of a mecanum drive.
const (
	FrontLeft = iota
	FrontRight
	RearLeft
	RearRight
)

// JointTargets are a drive's targets for its joints.
type JointTargets struct {
	Wheels [4]float64 // rad/s
	Steer  [2]float64 // rad, left and right
}

// Drive drives a robot by its wheels. Commands and velocities are in the base
// frame (REP-103): Linear.X forward, Linear.Y to the left (mecanum only),
// Angular.Z to the left.
type Drive struct {
	spec     *scene.Drive
	limit    float64 // rad, of the steering at the middle of the axle; 0: none
	target   r3.Twist
	since    time.Duration // when target was given
	linear   float64       // m/s, asked of the wheels now: target within the limits
	lateral  float64       // m/s
	angular  float64       // rad/s
	steer    float64       // rad, likewise
	angles   [4]float64    // rad, of the wheels at the last Observe
	observed bool
	x, y     float64 // m, in the odometry frame
	yaw      float64 // rad, counts on past a turn
	speed    r3.Twist
	car      carDynamics
}

// New is a drive at rest, whose steering joints, where it has any, reach as far
// as steerLimit (rad; 0: no limit).
func New(d *scene.Drive, steerLimit float64) Drive {
	if d.SteerLimit > 0 && (steerLimit == 0 || d.SteerLimit < steerLimit) {
		steerLimit = d.SteerLimit
	}
	return Drive{spec: d, limit: steerLimit}
}

// Command sets the target twist at a time. Components that the drive cannot follow are ignored.
func (d *Drive) Command(t r3.Twist, now time.Duration) {
	if d.Car() {
		d.controlTwist(t, now)
		return
	}
	d.car.control = Control{}
	d.target = r3.Twist{Linear: r3.V(t.Linear.X, 0, 0), Angular: r3.V(0, 0, t.Angular.Z)}
	switch d.spec.Kind {
	case scene.Mecanum:
		d.target.Linear.Y = t.Linear.Y
	case scene.Multicopter, scene.Vessel, scene.FixedWing:
		d.target.Linear = t.Linear
	}
	d.since = now
}

// Target is the command in force at a time: zero when none came for longer
// than the drive's time-out.
func (d *Drive) Target(now time.Duration) r3.Twist {
	if d.spec.Timeout > 0 && (now-d.since).Seconds() > d.spec.Timeout {
		return r3.Twist{}
	}
	return d.target
}

// Rebase keeps the age of the command when the clock is set.
func (d *Drive) Rebase(from, to time.Duration) { d.since += to - from }

// SetTarget returns the joints' targets for the step of dt seconds that begins at now.
func (d *Drive) SetTarget(now time.Duration, dt float64) JointTargets {
	if d.Car() {
		return d.targetsCar(now, dt)
	}
	t := d.Target(now)
	v, w := clamp(t.Linear.X, d.spec.MaxLinearSpeed), clamp(t.Angular.Z, d.spec.MaxAngularSpeed)
	d.linear = approach(d.linear, v, float64(least(d.spec.MaxLinearAccel, d.car.control.Accel)*dt))
	if d.WithoutCar() {
		d.lateral = approach(d.lateral, clamp(t.Linear.Y, d.spec.MaxLinearSpeed),
			float64(d.spec.MaxLinearAccel*dt))
		d.angular = approach(d.angular, w, float64(d.spec.MaxAngularAccel*dt))
		return JointTargets{}
	}
	switch d.spec.Kind {
	case scene.Ackermann:
		return d.targetsAckermann(v, w, dt)
	case scene.Mecanum:
		d.lateral = approach(d.lateral, clamp(t.Linear.Y, d.spec.MaxLinearSpeed),
			float64(d.spec.MaxLinearAccel*dt))
		d.angular = approach(d.angular, w, float64(d.spec.MaxAngularAccel*dt))
		return d.targetsMecanum()
	}
	d.angular = approach(d.angular, w, float64(d.spec.MaxAngularAccel*dt))
	return d.targetsDifferential()
}

// Kinematic reports that the base moves as it is told, whatever the wheels do.
func (d *Drive) Kinematic() bool { return d.spec.Kinematic }

// WithoutCar reports that a kinematic drive has no wheels at all.
func (d *Drive) WithoutCar() bool {
	return d.spec.Kinematic && len(d.spec.Left)+len(d.spec.Right) == 0
}

// Targets is the velocity in the base frame that the last Ask wanted during its step.
func (d *Drive) Targets() r3.Twist {
	if d.Car() {
		return d.car.mean()
	}
	return r3.Twist{Linear: r3.V(d.linear, d.lateral, 0), Angular: r3.V(0, 0, d.angular)}
}

// clamp limits x to ±limit; 0 is no limit.
func clamp(x, limit float64) float64 {
	if limit <= 0 {
		return x
	}
	return max(-limit, min(limit, x))
}

// least is the lesser of two limits, of which 0 is none.
func least(a, b float64) float64 {
	if a <= 0 || b > 0 && b < a {
		return b
	}
	return a
}

// approach takes x towards to by at most d; 0 is no limit.
func approach(x, to, d float64) float64 {
	if d <= 0 {
		return to
	}
	return x + clamp(to-x, d)
}

// Observe integrates the odometry over a step of dt seconds. At its end the wheels have these angles, rad (an
// index may stand for the mean of several wheels), the steering joints theirs. Between two observations the
// wheels are assumed to turn evenly. The path is then an arc of a circle, and the result is exact for every
// constant command at any step.
func (d *Drive) Observe(wheels [4]float64, steer [2]float64, dt float64) {
	if !d.observed {
		d.angles, d.observed = wheels, true
		return
	}
	if d.Car() && d.spec.Kinematic {
		t := d.car.mean()
		d.advance(planarTwist{float64(t.Linear.X * dt), float64(t.Linear.Y * dt), float64(t.Angular.Z * dt)},
			dt)
		d.speed = d.car.current
		return
	}
	if d.WithoutCar() {
		d.advance(planarTwist{float64(d.linear * dt), float64(d.lateral * dt), float64(d.angular * dt)}, dt)
		return
	}
	var way [4]float64 // m, at the rim
	for i := range way {
		way[i] = float64((wheels[i] - d.angles[i]) * d.spec.Radius)
	}
	d.angles = wheels
	switch d.spec.Kind {
	case scene.Ackermann:
		d.advance(d.twistAckermann(way, steer), dt)
	case scene.Mecanum:
		d.advance(d.twistMecanum(way), dt)
	default:
		d.advance(d.twistDifferential(way), dt)
	}
}

// Carried says that the robot was put somewhere else: how far its wheels turned
// since the last Observe is not known, and does not count.
func (d *Drive) Carried() { d.observed = false }

// planarTwist is a piece of a circle in the base frame.
type planarTwist struct{ forward, lateral, yaw float64 }

// advance adds a piece of the way.
func (d *Drive) advance(p planarTwist, dt float64) {
	k := sinc(p.yaw / 2)
	s, c := r3.SinCos(d.yaw + p.yaw/2)
	x, y := float64(p.forward*k), float64(p.lateral*k)
	d.x += float64(x*c) - float64(y*s)
	d.y += float64(x*s) + float64(y*c)
	d.yaw += p.yaw
	d.speed = r3.Twist{Linear: r3.V(p.forward/dt, p.lateral/dt, 0), Angular: r3.V(0, 0, p.yaw/dt)}
}

// sinc is sin(x)/x.
func sinc(x float64) float64 {
	if math.Abs(x) < 1e-4 {
		return 1 - float64(x*x)/6
	}
	return r3.Sin(x) / x
}

// Estimate is the drive's odometry: its pose relative to the first Observe, and its velocity in the base
// frame.
func (d *Drive) Estimate() (r3.Pose, r3.Twist) {
	return r3.Pose{Pos: r3.V(d.x, d.y, 0), Rot: r3.AxisAngle(r3.V(0, 0, 1), d.yaw)}, d.speed
}

// State is everything of the drive that decides what it does next; a car's CarNumbers come besides.
func (d *Drive) State() [17]float64 {
	return [17]float64{d.target.Linear.X, d.target.Linear.Y, d.target.Angular.Z, d.since.Seconds(),
		d.linear, d.lateral, d.angular, d.steer, d.angles[0], d.angles[1], d.angles[2], d.angles[3],
		d.x, d.y, d.yaw, d.speed.Linear.X, d.speed.Angular.Z}
}
