package physics

import (
	"math"

	"simdeck/sim/r3"
)

// turn rotates a body through one substep. A body that is not round keeps its angular momentum, not its angular
// velocity.
func (w *World) turn(i int32) {
	s := &w.solver
	h, m, rot, wt, in := s.h, &s.moving[i], &s.rots[i], &s.weight[i], &w.inert[s.slots[i]]
	switch {
	case !s.traits[i].gyro:
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
		*rot = in.tumble(*rot, momentum, h)
		m.w = rot.Rotate(in.inv.Apply(rot.RotateBack(momentum)))
	}
	wt.inv = turned(&in.inv, *rot)
}

// tumblesMost is into how many parts tumble cuts its time at most.
const tumblesMost = 8

// tumble is the orientation of a body that turns freely after so many seconds, with its angular momentum, which
// stays. Its energy is that of a round body with the middle one of its three principal moments and two
// corrections, each of one axis. What each of the three parts does alone is a turn about an axis that stays, and the
// first does not mind the others (Dullweber, Leimkuhler and McLachlan, "Symplectic splitting methods for rigid body
// molecular dynamics", 1997). So the energy stays too: of bodies with two equal moments, rods and discs and wheels,
// exactly, of the others to within a bound, however thin they are.
func (in *inertial) tumble(rot r3.Quat, momentum r3.Vec, h float64) r3.Quat {
	first, middle, last := in.order()
	moment := in.moments.At(middle)
	k, l := 1/in.moments.At(first)-1/moment, 1/in.moments.At(last)-1/moment
	if math.Abs(k) < math.Abs(l) {
		first, last, k, l = last, first, l, k
	}
	q := rot.Mul(in.axes)
	most := float64(momentum.Len() * h)
	n := 1.0
	if l != 0 {
		n = max(1, min(tumblesMost, math.Ceil(float64(2*most*math.Sqrt(math.Abs(float64(k*l)))))))
	}
	for range int(n) {
		q = twirled(q, momentum, last, float64(0.5*l*h)/n)
		q = twirled(q, momentum, first, float64(k*h)/n)
		q = twirled(q, momentum, last, float64(0.5*l*h)/n)
	}
	return q.Mul(in.axes.Conj()).Turn(momentum.Scale(h / moment))
}

// order is the axes of the smallest, the middle and the largest principal moment.
func (in *inertial) order() (first, middle, last int) {
	first, middle, last = 0, 1, 2
	if in.moments.X > in.moments.Y {
		first, middle = 1, 0
	}
	if z := in.moments.Z; z < in.moments.At(first) {
		return 2, first, middle
	} else if z < in.moments.At(middle) {
		return first, 2, middle
	}
	return first, middle, last
}

// twirled turns about one of the body's axes by so much for each unit of the momentum about it.
func twirled(q r3.Quat, momentum r3.Vec, axis int, each float64) r3.Quat {
	if each == 0 {
		return q
	}
	about := q.Rotate(r3.Vec{}.With(axis, 1))
	return q.Turn(about.Scale(float64(each * about.Dot(momentum))))
}
