package vehicle

import (
	"math"

	"simdeck/sim/r3"
)

// targetsAckermann steers all wheels about one point on the line of the rear axle (Ackermann's geometry),
// each at its own speed. A turn that is asked of a car at a stand leaves its wheels as they are.
func (d *Drive) targetsAckermann(v, w, dt float64) JointTargets {
	want := d.steer
	switch {
	case d.Steered():
		want = d.car.control.Steer
	case math.Abs(v) > 1e-6:
		want = r3.Atan(float64(w*d.spec.WheelBase) / v)
	}
	if d.limit > 0 {
		want = clamp(want, d.limit)
	}
	d.steer = approach(d.steer, want, float64(d.steerRate()*dt))
	tan := r3.Tan(d.steer)
	d.angular = float64(d.linear*tan) / d.spec.WheelBase
	return d.wheelsOf(tan)
}

// wheelsOf returns the steering and the speeds of wheels that roll without slip (Ackermann's geometry).
func (d *Drive) wheelsOf(tan float64) JointTargets {
	var a JointTargets
	for side, sign := range [2]float64{-1, 1} {
		// A wheel at half the width to the right, of a car that turns left, goes further.
		at := func(width float64) float64 { return 1 + float64(sign*tan*width)/(2*d.spec.WheelBase) }
		a.Steer[side] = r3.Atan2(tan, at(d.kingpins()))
		ahead := at(d.spec.Separation)
		a.Wheels[Left+side] = float64(d.linear*ahead) / d.spec.Radius
		rim := math.Sqrt(float64(ahead*ahead) + float64(tan*tan))
		a.Wheels[SteeredLeft+side] = float64(d.linear*math.Copysign(rim, ahead)) / d.spec.Radius
	}
	return a
}

func (d *Drive) kingpins() float64 {
	if d.spec.KingpinWidth > 0 {
		return d.spec.KingpinWidth
	}
	return d.spec.Separation
}

// twistAckermann goes by the mean of the wheels that are not steered and by where
// the steering stands. Without such wheels the steered ones count by what their
// direction leaves of their way.
func (d *Drive) twistAckermann(w [4]float64, steer [2]float64) planarTwist {
	tan := d.middle(steer)
	ahead := (w[Left] + w[Right]) / 2
	if ahead == 0 {
		for side := range 2 {
			ahead += float64(w[SteeredLeft+side]*r3.Cos(steer[side])) / 2
		}
	}
	on := planarTwist{forward: ahead, yaw: float64(ahead*tan) / d.spec.WheelBase}
	if d.Car() {
		on.lateral = float64(on.yaw * d.spec.Car.Rear)
	}
	return on
}

// middle is the tangent of the steering at the middle of the axle: the cotangent
// there is the mean of those at its ends.
func (d *Drive) middle(steer [2]float64) float64 {
	l, r := r3.Tan(steer[0]), r3.Tan(steer[1])
	if sum := l + r; float64(l*r) > 0 {
		return float64(2*l*r) / sum
	}
	return (l + r) / 2
}
