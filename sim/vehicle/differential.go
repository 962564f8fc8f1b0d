// Package vehicle holds the drives of robots: what a velocity command asks of
// the wheels, and what the wheels' turning says about the way that was driven.
// It knows neither bodies nor the clock; it is told angles and times.
package vehicle

import (
	"math"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// DefaultOdomRate is how often an odometry estimate is due when a drive does
// not say, in Hz.
const DefaultOdomRate = 30

// Differential drives a robot by the speed difference of its left and right
// wheels. Commands and velocities are in the base frame (REP-103): Linear.X
// forward, Angular.Z to the left.
type Differential struct {
	spec     *scene.Drive
	target   r3.Twist
	since    time.Duration // when target was given
	linear   float64       // m/s, asked of the wheels now: target within the limits
	angular  float64       // rad/s
	left     float64       // rad, mean wheel angles at the last Observe
	right    float64
	observed bool
	x, y     float64 // m, in the odometry frame
	yaw      float64 // rad, counts on past a turn
	speed    r3.Twist
}

// NewDifferential is a drive at rest.
func NewDifferential(d *scene.Drive) Differential { return Differential{spec: d} }

// Command sets the target twist at a time.
func (d *Differential) Command(t r3.Twist, now time.Duration) {
	d.target = r3.Twist{Linear: r3.V(t.Linear.X, 0, 0), Angular: r3.V(0, 0, t.Angular.Z)}
	d.since = now
}

// Target is the command in force at a time: zero when none came for longer
// than the drive's time-out.
func (d *Differential) Target(now time.Duration) r3.Twist {
	if d.spec.Timeout > 0 && (now-d.since).Seconds() > d.spec.Timeout {
		return r3.Twist{}
	}
	return d.target
}

// Rebase keeps the age of the command when the clock is set.
func (d *Differential) Rebase(from, to time.Duration) { d.since += to - from }

// Wheels is the speed in rad/s that the left and right wheels are asked for
// during the step of dt seconds that begins at now.
func (d *Differential) Wheels(now time.Duration, dt float64) (left, right float64) {
	t := d.Target(now)
	v := clamp(t.Linear.X, d.spec.MaxLinearSpeed)
	w := clamp(t.Angular.Z, d.spec.MaxAngularSpeed)
	d.linear = approach(d.linear, v, float64(d.spec.MaxLinearAccel*dt))
	d.angular = approach(d.angular, w, float64(d.spec.MaxAngularAccel*dt))
	half := float64(d.angular * (d.spec.Separation / 2))
	return (d.linear - half) / d.spec.Radius, (d.linear + half) / d.spec.Radius
}

// clamp limits x to ±limit; 0 is no limit.
func clamp(x, limit float64) float64 {
	if limit <= 0 {
		return x
	}
	return max(-limit, min(limit, x))
}

// approach takes x towards to by at most d; 0 is no limit.
func approach(x, to, d float64) float64 {
	if d <= 0 {
		return to
	}
	return x + clamp(to-x, d)
}

// Observe integrates the odometry over a step of dt seconds at whose end the
// wheels stand at these mean angles in rad. Between two observations the
// wheels are taken to turn evenly, so that the way is an arc of a circle and
// the result is exact for every constant command, whatever the step.
func (d *Differential) Observe(left, right, dt float64) {
	if !d.observed {
		d.left, d.right, d.observed = left, right, true
		return
	}
	l, r := float64((left-d.left)*d.spec.Radius), float64((right-d.right)*d.spec.Radius)
	d.left, d.right = left, right
	way, turn := (l+r)/2, (r-l)/d.spec.Separation
	chord := float64(way * sinc(turn/2))
	s, c := r3.SinCos(d.yaw + turn/2)
	d.x += float64(chord * c)
	d.y += float64(chord * s)
	d.yaw += turn
	d.speed = r3.Twist{Linear: r3.V(way/dt, 0, 0), Angular: r3.V(0, 0, turn/dt)}
}

// sinc is sin(x)/x.
func sinc(x float64) float64 {
	if math.Abs(x) < 1e-4 {
		return 1 - float64(x*x)/6
	}
	return r3.Sin(x) / x
}

// Estimate is what the drive believes: its pose in the odometry frame, which
// stands where the drive stood at the first Observe, and its velocity in the
// base frame.
func (d *Differential) Estimate() (r3.Pose, r3.Twist) {
	return r3.Pose{Pos: r3.V(d.x, d.y, 0), Rot: r3.AxisAngle(r3.V(0, 0, 1), d.yaw)}, d.speed
}

// State is everything of the drive that decides what it does next.
func (d *Differential) State() [12]float64 {
	return [12]float64{d.target.Linear.X, d.target.Angular.Z, d.since.Seconds(), d.linear, d.angular,
		d.left, d.right, d.x, d.y, d.yaw, d.speed.Linear.X, d.speed.Angular.Z}
}
