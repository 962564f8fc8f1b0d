package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// integrateRotation rotates a body through a substep. An anisotropic body keeps its angular momentum, not its
// angular velocity.
func (s *solverBodies) integrateRotation(bodies *bodySet, h float64, i int32) {
	m, rot, wt, in := &s.states[i], &s.rotations[i], &s.masses[i], &bodies.massProps[s.slots[i]]
	switch {
	case !s.flags[i].gyroscopic:
		*rot = rot.Turn(m.w.Scale(h))
		if wt.invMass == 0 {
			return
		}
	default:
		momentum := rot.Rotate(in.inertia.Apply(rot.RotateBack(m.w)))
		if m.w.Cross(momentum).Len2()*h*h <= 1e-12*momentum.Len2() { // about a principal axis
			*rot = rot.Turn(m.w.Scale(h))
			break
		}
		*rot = in.splitRotation(*rot, momentum, h)
		m.w = rot.Rotate(in.invInertia.Apply(rot.RotateBack(momentum)))
	}
	wt.invInertia = in.invInertia.TurnedSymmetric(*rot)
}

// maxSplittingSteps bounds the parts of a substep in splitRotation.
const maxSplittingSteps = 8

// splitRotation is the orientation of a free body after h seconds at constant angular momentum. The
// Hamiltonian is that of a sphere with the middle principal moment plus two corrections about one axis each.
// Each part is a rotation about a constant axis, and the first commutes with the others. Energy is exact for
// bodies with two equal moments, and bounded for others (Dullweber, Leimkuhler and McLachlan, Symplectic
// splitting methods for rigid body molecular dynamics, 1997).
func (in *massProperties) splitRotation(rot r3.Quat, momentum r3.Vec, h float64) r3.Quat {
	first, middle, last := in.momentOrder()
	moment := in.principalMoments.At(middle)
	k, l := 1/in.principalMoments.At(first)-1/moment, 1/in.principalMoments.At(last)-1/moment
	if math.Abs(k) < math.Abs(l) {
		first, last, k, l = last, first, l, k
	}
	q := rot.Mul(in.principalAxes)
	most := float64(momentum.Len() * h)
	n := 1.0
	if l != 0 {
		n = max(1, min(maxSplittingSteps, math.Ceil(float64(2*most*math.Sqrt(math.Abs(float64(k*l)))))))
	}
	for range int(n) {
		q = rotateAboutPrincipalAxis(q, momentum, last, float64(0.5*l*h)/n)
		q = rotateAboutPrincipalAxis(q, momentum, first, float64(k*h)/n)
		q = rotateAboutPrincipalAxis(q, momentum, last, float64(0.5*l*h)/n)
	}
	return q.Mul(in.principalAxes.Conj()).Turn(momentum.Scale(h / moment))
}

// momentOrder is the axes of the smallest, middle and largest principal moment.
func (in *massProperties) momentOrder() (first, middle, last int) {
	first, middle, last = 0, 1, 2
	if in.principalMoments.X > in.principalMoments.Y {
		first, middle = 1, 0
	}
	if z := in.principalMoments.Z; z < in.principalMoments.At(first) {
		return 2, first, middle
	} else if z < in.principalMoments.At(middle) {
		return first, 2, middle
	}
	return first, middle, last
}

// rotateAboutPrincipalAxis rotates about a principal axis by each times the momentum about it.
func rotateAboutPrincipalAxis(q r3.Quat, momentum r3.Vec, axis int, each float64) r3.Quat {
	if each == 0 {
		return q
	}
	about := q.Rotate(r3.Vec{}.With(axis, 1))
	return q.Turn(about.Scale(float64(each * about.Dot(momentum))))
}
