package model

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// leastLever is the smallest pivot by which the rotors of a multicopter must be able to turn it, in parts of
// their largest.
const leastLever = 1e-9

// Allocation shares torques about the axes of the base, N·m, and a thrust along its z, N, among the rotors
// of a multicopter. The sum of squares is the least. Nil: they cannot turn it about every axis.
func (m *Model) Allocation(f *scene.Flight) (shares [][4]float64, rotors []int) {
	wrenches, rotors := m.wrenches(f.Joints)
	var effects [][4]float64 // by rotors: its torques and thrust, by its own thrust
	for _, w := range wrenches {
		effects = append(effects, [4]float64{w[3], w[4], w[5], w[2]})
	}
	var square [4][4]float64
	for _, e := range effects {
		for i := range e {
			for k := range e {
				square[i][k] += float64(e[i] * e[k])
			}
		}
	}
	inverse, ok := invert(square)
	if !ok {
		return nil, nil
	}
	shares = make([][4]float64, len(effects))
	for n, e := range effects {
		for i := range e {
			for k := range e {
				shares[n][k] += float64(e[i] * inverse[i][k])
			}
		}
	}
	return shares, rotors
}

// wrenches are the forces and torques of rotors at a thrust of 1 N about the centre of mass, in the frame of
// the base.
func (m *Model) wrenches(joints []int) (effects [][6]float64, rotors []int) {
	base := m.Spec.Links[m.Spec.Canonical].Pose.Upright()
	whole := m.Whole()
	for _, joint := range joints {
		for i := range m.Spec.Flow.Rotors {
			r := &m.Spec.Flow.Rotors[i]
			if r.Joint != joint || r.Thrust == 0 {
				continue
			}
			j := &m.Spec.Joints[joint]
			link := m.Spec.Links[j.Child].Pose.Upright()
			hub := base.Rot.RotateBack(link.Apply(j.Pose.Pos).Sub(whole.COM))
			axis := base.Rot.RotateBack(link.Rot.Rotate(r.Axis))
			torque := hub.Cross(axis).AddScaled(-r.Torque/r.Thrust, axis)
			effects = append(effects, [6]float64{axis.X, axis.Y, axis.Z, torque.X, torque.Y, torque.Z})
			rotors = append(rotors, i)
		}
	}
	return effects, rotors
}

// Whole is the mass of all bodies, added masses included, at the spawning pose.
func (m *Model) Whole() (whole shape.Mass) {
	for i := range m.Bodies {
		whole = whole.Plus(m.Bodies[i].Mass.Moved(m.Bodies[i].Pose))
	}
	return whole
}

// AboutBase is the mass of all bodies, kg, and their moments of inertia, kg·m², at the spawning pose. They
// are about the axes of the base through the centre of mass.
func (m *Model) AboutBase() (mass float64, moments [3]float64) {
	whole := m.Whole()
	base := m.Spec.Links[m.Spec.Canonical].Pose.Upright().Rot
	for k, axis := range [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		axis = base.Rotate(axis)
		moments[k] = axis.Dot(whole.Inertia.Apply(axis))
	}
	return whole.Mass, moments
}

// invert is the inverse of a matrix by Gauss and Jordan; false: it has none.
func invert(a [4][4]float64) (out [4][4]float64, ok bool) {
	size := 0.0
	for i := range a {
		out[i][i] = 1
		size = max(size, math.Abs(a[i][i]))
	}
	for k := range a {
		best := k
		for i := k; i < len(a); i++ {
			if math.Abs(a[i][k]) > math.Abs(a[best][k]) {
				best = i
			}
		}
		if !(math.Abs(a[best][k]) > leastLever*size) {
			return out, false
		}
		a[k], a[best], out[k], out[best] = a[best], a[k], out[best], out[k]
		pivot := a[k][k]
		for j := range a {
			a[k][j], out[k][j] = a[k][j]/pivot, out[k][j]/pivot
		}
		for i := range a {
			f := a[i][k]
			if i == k || f == 0 {
				continue
			}
			for j := range a {
				a[i][j] -= float64(f * a[k][j])
				out[i][j] -= float64(f * out[k][j])
			}
		}
	}
	return out, true
}
