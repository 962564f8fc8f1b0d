package control

import (
	"math"

	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// flight is the controller of a multicopter: what it knows of its airframe. Source: Lee, Leok and McClamroch,
// "Geometric tracking control of a quadrotor UAV on SE(3)", CDC 2010, for velocities in place of places.
type flight struct {
	spec   *scene.Flight
	rotors []int // by ModelSpec.Flow.Rotors
	mass   float64
	shares [][4]float64 // by rotors: its thrust for torques about x, y and z of the base, and for thrust
}

// newFlight is the controller of a drive; nil: it is no multicopter's.
func newFlight(m *model.Model, spec *scene.Drive) *flight {
	if spec.Flight == nil {
		return nil
	}
	shares, rotors := m.Allocation(spec.Flight)
	f := &flight{spec: spec.Flight, rotors: rotors, shares: shares}
	for i := range m.Bodies {
		if m.Bodies[i].Type == dynamics.Dynamic {
			f.mass += m.Bodies[i].Mass.Mass
		}
	}
	return f
}

// fly tells the rotors of a multicopter how to follow a velocity, in the base's frame but level.
func (f *flight) fly(gravity r3.Vec, base r3.Pose, twist, told r3.Twist, on *rotorSet) {
	s, list := f.spec, on.of.Spec.Flow.Rotors
	x, y, z := base.Rot.Rotate(r3.V(1, 0, 0)), base.Rot.Rotate(r3.V(0, 1, 0)), base.Rot.Rotate(r3.V(0, 0, 1))
	level := r3.AxisAngle(r3.V(0, 0, 1), base.Rot.Yaw())
	want := bounded(told.Linear, s.MaxLinear)
	off := twist.Linear.Sub(level.Rotate(want))
	accel := bounded(off.Mul(s.Velocity).Scale(-1/f.mass), s.MaxAccel)
	need := accel.Sub(gravity)
	up, ok := need.Unit()
	if !ok {
		up = z
	}
	left, ok := up.Cross(level.Rotate(r3.V(1, 0, 0))).Unit()
	if !ok {
		left = y
	}
	ahead := left.Cross(up)
	// The error of the attitude is ½·(Rdᵀ·R − Rᵀ·Rd)ˇ, in the base's frame.
	bent := ahead.Cross(x).Add(left.Cross(y)).Add(up.Cross(z)).Scale(0.5)
	turn := bounded(r3.V(0, 0, told.Angular.Z), s.MaxAngular)
	spin := base.Rot.RotateBack(twist.Angular).Sub(base.Rot.RotateBack(up.Scale(turn.Z)))
	torque := base.Rot.RotateBack(bent).Mul(s.Attitude).Add(spin.Mul(s.Rate)).Neg()
	thrust := max(0, float64(f.mass*need.Dot(z)))
	yaw := f.yawOf(list, torque, thrust)
	for k, i := range f.rotors {
		one := f.level(k, torque, thrust) + float64(f.shares[k][2]*yaw)
		on.push(i, max(0, one))
	}
}

// level is the thrust of a rotor for a thrust of all and torques but that of yaw, N.
func (f *flight) level(k int, torque r3.Vec, thrust float64) float64 {
	share := &f.shares[k]
	return float64(share[0]*torque.X) + float64(share[1]*torque.Y) + float64(share[3]*thrust)
}

// yawOf is the part of a torque of yaw that leaves all rotors within their bounds. Height and attitude come
// first, or a turn would let it fall.
func (f *flight) yawOf(list []scene.Rotor, torque r3.Vec, thrust float64) float64 {
	part := 1.0
	for k, i := range f.rotors {
		most := math.Inf(1)
		if r := &list[i]; r.Most > 0 {
			most = r.Thrust * r.Most * r.Most
		}
		now, more := max(0, min(most, f.level(k, torque, thrust))), f.shares[k][2]*torque.Z
		switch {
		case more > 0:
			part = min(part, (most-now)/more)
		case more < 0:
			part = min(part, -now/more)
		}
	}
	return part * torque.Z
}

// bounded is a vector within bounds along each axis, of which 0 is none.
func bounded(v, most r3.Vec) r3.Vec {
	clip := func(x, most float64) float64 {
		if !(most > 0) {
			return x
		}
		return math.Max(-most, math.Min(most, x))
	}
	return r3.V(clip(v.X, most.X), clip(v.Y, most.Y), clip(v.Z, most.Z))
}

// ground lets what flies or swims go when one of its rotors is commanded by itself.
func ground(drives []drive, rotors []scene.Rotor, joint int) {
	for i := range drives {
		d := &drives[i]
		for _, k := range d.propellers() {
			d.idle = d.idle || rotors[k].Joint == joint
		}
	}
}
