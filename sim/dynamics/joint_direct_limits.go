package dynamics

import "simdeck/sim/r3"

// Stops of joints in a knot are rows of it, which hold while they push and are away else: a stop that answered only when
// it is its turn would leave what is far behind it, and heavy, to what is light before it, as a load on a slide at whose
// end is a thin rod.

// axisDirection is the part of holds that is along or about the joint's axis.
const axisDirection = 6

// directLimit is a joint's stop as a row of a knot; the zero value is of a row that always holds.
type directLimit struct {
	sign         float64 // of its impulses: 1: the lower one, -1: the upper one; 0: both
	closingSpeed float64 // m/s or rad/s by which it may still come closer
	inactive     bool    // it does not hold
}

// warmLimit is the one that held in the last step, or none.
func (r *jointConstraint) warmLimit() directLimit {
	switch {
	case r.lower == r.upper:
		return directLimit{}
	case r.impulseLower > 0:
		return directLimit{sign: 1}
	case r.impulseUpper > 0:
		return directLimit{sign: -1}
	}
	return directLimit{sign: 1, inactive: true}
}

// storeLimitImpulse tells the joint what its stops push.
func (r *jointConstraint) storeLimitImpulse(q *directRow) {
	r.impulseLower, r.impulseUpper = 0, 0
	switch {
	case q.limit.inactive:
	case q.limit.sign < 0:
		r.impulseUpper = -q.impulse
	default:
		r.impulseLower = q.impulse
	}
}

// setAxis makes it the row along a joint's axis.
func (q *directRow) setAxis(r *jointConstraint) {
	q.along, q.armA, q.armB = r3.Vec{}, r.axis, r.axis
	if r.kind == Prismatic {
		q.along, q.armA, q.armB = r.axis, r.armA.Cross(r.axis), r.armB.Cross(r.axis)
	}
}

// updateLimit brings the row of a stop up to date. One that is away is the nearer one.
func (q *directRow) updateLimit(s *solver) {
	r, t := &s.jointConstraints[q.joint], &q.limit
	q.setAxis(r)
	room := r.position - r.lower
	if t.sign == 0 {
		q.bias = max(-maxAngularRecovery, min(maxAngularRecovery, float64(s.softJoint.bias*room)))
		return
	}
	if upper := r.upper - r.position; t.inactive && upper < room || !t.inactive && t.sign < 0 {
		t.sign, room = -1, upper
	} else {
		t.sign = 1
	}
	t.closingSpeed = float64(max(0, room) * s.invH)
	q.bias = float64(t.sign * max(-maxAngularRecovery, float64(s.softJoint.bias*min(0, room))))
}

// updateActiveLimits lets those stops of a knot go that pull, and those hold that are come to; false: there are none.
func (k *directIsland) updateActiveLimits(s *solver) bool {
	turned := k.releaseLimits(s)
	for n := k.firstRow; n < k.rowEnd; n++ {
		q := &s.directRows[n]
		if q.limit.inactive && float64(q.limit.sign*q.rowSpeed(s))+q.limit.closingSpeed < -limitSpeedTolerance {
			q.limit.inactive, turned = false, true
		}
	}
	if turned {
		k.refactor(s)
	}
	return turned
}

// limitSpeedTolerance is the speed, m/s or rad/s, with which a stop may be come to.
const limitSpeedTolerance = 1e-9

// releaseLimits takes back what the stops of a knot pull; true: some did, and are away now.
func (k *directIsland) releaseLimits(s *solver) (gone bool) {
	if k.limitRows == 0 {
		return false
	}
	for n := k.firstRow; n < k.rowEnd; n++ {
		if q := &s.directRows[n]; !q.limit.inactive && float64(q.limit.sign*q.impulse) < 0 {
			q.applyImpulse(s, -q.impulse)
			q.limit.inactive, gone = true, true
		}
	}
	return gone
}

// releaseLimits is letGo for what a patch touches.
func (p *articulationContact) releaseLimits(s *solver) (gone bool) {
	for _, e := range [2]*constraintEnd{&p.a, &p.b} {
		if e.directResponse == 0 {
			continue
		}
		if k := &s.directIslands[s.directResponses[e.directResponse-1].island]; k.releaseLimits(s) {
			k.refactor(s)
			k.zeroVelocity(s, true)
			gone = true
		}
	}
	return gone
}

// refactor is for a knot of whose stops others hold than before.
func (k *directIsland) refactor(s *solver) {
	k.factor(s)
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		s.jointConstraints[i].axisResponseValid = false
	}
	if len(s.directResponses) > 0 {
		s.refreshDirectResponses()
	}
}

// forgetBiasImpulse takes what drew ends together from what the stops of a knot are known to push.
func (k *directIsland) forgetBiasImpulse(s *solver) {
	if k.limitRows == 0 {
		return
	}
	for n := k.firstRow; n < k.rowEnd; n++ {
		if q := &s.directRows[n]; q.part == axisDirection {
			q.impulse -= q.rhs
		}
	}
}
