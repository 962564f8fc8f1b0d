package medium

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// OnHull is the force and the torque of the water at the origin of a hull that moves by v against it. All are
// in the link's axes.
func OnHull(h *scene.Hull, v r3.Twist) (force, torque r3.Vec) {
	motion := [6]float64{v.Linear.X, v.Linear.Y, v.Linear.Z, v.Angular.X, v.Angular.Y, v.Angular.Z}
	var out [6]float64
	for i := range out {
		for k, x := range motion {
			out[i] += float64(h.Linear[i][k] * x)
		}
	}
	for _, q := range h.Quadratic {
		out[q.Force] += float64(q.Value * motion[q.Of] * math.Abs(motion[q.Times]))
	}
	return r3.V(out[0], out[1], out[2]), r3.V(out[3], out[4], out[5])
}

// Split parts an added mass into what a rigid body can have, which is the same along all axes, and the rest.
func Split(a *scene.AddedMass) (mass float64, rest scene.AddedMass) {
	moments, _ := a.Linear.Eigen()
	mass = max(0, min(moments.X, moments.Y, moments.Z))
	rest = scene.AddedMass{Linear: a.Linear.Add(r3.Diag(r3.V(-mass, -mass, -mass))), Mixed: a.Mixed}
	const least = 1e-9
	for _, m := range [...]*r3.Mat{&rest.Linear, &rest.Mixed} {
		if max(m.Col(0).MaxAbs(), m.Col(1).MaxAbs(), m.Col(2).MaxAbs()) <= least*max(1, mass) {
			*m = r3.Mat{}
		}
	}
	return mass, rest
}

// OnAddedMass is the force and the torque of the mass that moves along with a link, without those of its
// accelerations. The link's origin moves by v against the fluid, in its axes. Source: Kirchhoff's equations
// (Lamb, "Hydrodynamics", §124).
func OnAddedMass(a *scene.AddedMass, v r3.Twist) (force, torque r3.Vec) {
	momentum := a.Linear.Apply(v.Linear).Add(a.Mixed.Apply(v.Angular))
	spin := a.Mixed.ApplyT(v.Linear).Add(a.Angular.Apply(v.Angular))
	return momentum.Cross(v.Angular), momentum.Cross(v.Linear).Add(spin.Cross(v.Angular))
}

// Yield is the wrench with which an added mass answers the wrench on a body of a mass with an inertia about
// its centre. With it the wrench accelerates the body and the added mass together. The added mass is about
// arm, from the centre of mass. All are in the axes of the link, and the torques about the centre of mass.
func Yield(a *scene.AddedMass, mass float64, inertia r3.Mat, arm, force, torque r3.Vec) (f, t r3.Vec) {
	// About the centre: its velocity is v, that of the added mass's origin v + ω × arm = v − [arm]·ω.
	s := r3.Skew(arm)
	mixed := a.Mixed.Add(a.Linear.Mul(s).Scale(-1))
	angular := a.Angular.Add(s.Mul(a.Mixed)).Add(a.Mixed.T().Mul(s).Scale(-1)).
		Add(s.Mul(a.Linear).Mul(s).Scale(-1))
	linear := r3.Diag(r3.V(mass, mass, mass)).Add(a.Linear)
	// Schur's complement of the linear quarter; the sum of both masses is positive definite.
	inverse, ok := linear.Inverse()
	if !ok {
		return r3.Vec{}, r3.Vec{}
	}
	coupling := mixed.T().Mul(inverse)
	rest, ok := inertia.Add(angular).Add(coupling.Mul(mixed).Scale(-1)).Inverse()
	if !ok {
		return r3.Vec{}, r3.Vec{}
	}
	turn := rest.Apply(torque.Sub(coupling.Apply(force)))
	accel := inverse.Apply(force.Sub(mixed.Apply(turn)))
	f = a.Linear.Apply(accel).Add(mixed.Apply(turn))
	t = mixed.ApplyT(accel).Add(angular.Apply(turn))
	return f.Neg(), t.Neg()
}
