package physics

import "simdeck/sim/r3"

// Stops of joints in a knot are rows of it, which hold while they push and are away else: a stop that answered only when
// it is its turn would leave what is far behind it, and heavy, to what is light before it, as a load on a slide at whose
// end is a thin rod.

// axisPart is the part of holds that is along or about the joint's axis.
const axisPart = 6

// stop is a joint's stop as a row of a knot; the zero value is of a row that always holds.
type stop struct {
	sign float64 // of its impulses: 1: the lower one, -1: the upper one; 0: both
	free float64 // m/s or rad/s by which it may still come closer
	away bool    // it does not hold
}

// stop is the one that held in the last step, or none.
func (r *jointRow) stop() stop {
	switch {
	case r.lower == r.upper:
		return stop{}
	case r.jLower > 0:
		return stop{sign: 1}
	case r.jUpper > 0:
		return stop{sign: -1}
	}
	return stop{sign: 1, away: true}
}

// keepStop tells the joint what its stops push.
func (r *jointRow) keepStop(q *knotRow) {
	r.jLower, r.jUpper = 0, 0
	switch {
	case q.stop.away:
	case q.stop.sign < 0:
		r.jUpper = -q.j
	default:
		r.jLower = q.j
	}
}

// alongAxis makes it the row along a joint's axis.
func (q *knotRow) alongAxis(r *jointRow) {
	q.along, q.armA, q.armB = r3.Vec{}, r.axis, r.axis
	if r.kind == Prismatic {
		q.along, q.armA, q.armB = r.axis, r.armA.Cross(r.axis), r.armB.Cross(r.axis)
	}
}

// aimStop brings the row of a stop up to date. One that is away is the nearer one.
func (s *solver) aimStop(q *knotRow) {
	r, t := &s.joints[q.joint], &q.stop
	q.alongAxis(r)
	room := r.position - r.lower
	if t.sign == 0 {
		q.bias = max(-unskewSpeed, min(unskewSpeed, float64(s.softJoint.bias*room)))
		return
	}
	if upper := r.upper - r.position; t.away && upper < room || !t.away && t.sign < 0 {
		t.sign, room = -1, upper
	} else {
		t.sign = 1
	}
	t.free = float64(max(0, room) * s.invH)
	q.bias = float64(t.sign * max(-unskewSpeed, float64(s.softJoint.bias*min(0, room))))
}

// turnStops lets those stops of a knot go that pull, and those hold that are come to; false: there are none.
func (s *solver) turnStops(k *knot) bool {
	turned := s.letGo(k)
	for n := k.row; n < k.rowEnd; n++ {
		q := &s.knotRows[n]
		if q.stop.away && float64(q.stop.sign*s.speedAlong(q))+q.stop.free < -stopTolerance {
			q.stop.away, turned = false, true
		}
	}
	if turned {
		s.refactor(k)
	}
	return turned
}

// stopTolerance is the speed, m/s or rad/s, with which a stop may be come to.
const stopTolerance = 1e-9

// letGo takes back what the stops of a knot pull; true: some did, and are away now.
func (s *solver) letGo(k *knot) (gone bool) {
	if k.stops == 0 {
		return false
	}
	for n := k.row; n < k.rowEnd; n++ {
		if q := &s.knotRows[n]; !q.stop.away && float64(q.stop.sign*q.j) < 0 {
			s.strikeRow(q, -q.j)
			q.stop.away, gone = true, true
		}
	}
	return gone
}

// letGoOf is letGo for what a patch touches.
func (s *solver) letGoOf(p *limbPatch) (gone bool) {
	for _, e := range [2]*limbEnd{&p.a, &p.b} {
		if e.knot == 0 {
			continue
		}
		if k := &s.knots[s.knotReaches[e.knot-1].knot]; s.letGo(k) {
			s.refactor(k)
			s.stillKnot(k, true)
			gone = true
		}
	}
	return gone
}

// refactor is for a knot of whose stops others hold than before.
func (s *solver) refactor(k *knot) {
	s.factor(k)
	for _, i := range s.knotted[k.first:k.end] {
		s.joints[i].answered = false
	}
	if len(s.knotReaches) > 0 {
		s.followKnots()
	}
}

// forgetPush takes what drew ends together from what the stops of a knot are known to push.
func (s *solver) forgetPush(k *knot) {
	if k.stops == 0 {
		return
	}
	for n := k.row; n < k.rowEnd; n++ {
		if q := &s.knotRows[n]; q.part == axisPart {
			q.j -= q.push
		}
	}
}
