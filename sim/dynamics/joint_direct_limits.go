package dynamics

import "simdeck/sim/r3"

// Limits of joints in a direct island are rows of it, active while they push. An example is a load on a slide
// with a thin rod at its end. A limit solved in turn would leave the heavy body behind it to the light one
// before it.

// axisDirection is the index in constrainedDirections of the direction along or about the joint's axis.
const axisDirection = 6

// directLimit is a limit's state as a row; the zero value is a row that is always active.
type directLimit struct {
	sign         float64 // of its impulse: 1: lower limit, -1: upper; 0: both
	closingSpeed float64 // m/s or rad/s of approach allowed
	inactive     bool    // not in the active set
}

// warmLimit is the limit that was active in the last step, or none.
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

// storeLimitImpulse stores the impulse of the active limit.
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

// updateLimit updates a limit row. An inactive one takes the nearer limit.
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

// updateActiveLimits releases limits that pull and activates those that are violated; false: no change.
func (k *directIsland) updateActiveLimits(s *solver) bool {
	turned := k.releaseLimits(s)
	for n := k.firstRow; n < k.rowEnd; n++ {
		q := &s.directRows[n]
		if q.limit.inactive && float64(q.limit.sign*q.rowSpeed(s))+
			q.limit.closingSpeed < -limitSpeedTolerance {
			q.limit.inactive, turned = false, true
		}
	}
	if turned {
		k.refactor(s)
	}
	return turned
}

// limitSpeedTolerance is the violation, m/s or rad/s, at which a limit becomes active.
const limitSpeedTolerance = 1e-9

// releaseLimits removes pulling impulses and deactivates their limits; true: there were some.
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

// releaseLimits is directIsland.releaseLimits for the islands at a contact.
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

// refactor refactors the island after a change of its active limits.
func (k *directIsland) refactor(s *solver) {
	k.factor(s)
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		s.jointConstraints[i].axisResponseValid = false
	}
	if len(s.directResponses) > 0 {
		s.refreshDirectResponses()
	}
}

// forgetBiasImpulse removes the impulses of position correction from the limits' sums.
func (k *directIsland) forgetBiasImpulse(s *solver) {
	if k.limitRows == 0 {
		return
	}
	for n := k.firstRow; n < k.rowEnd; n++ {
		if q := &s.directRows[n]; q.part == axisDirection {
			q.impulse -= s.directRHS[n]
		}
	}
}
