package dynamics

import "math"

// Temporal coherence: most contacts of a heap are between bodies that hardly move, and the narrow phase would
// find the same again. Each contact therefore has a bound on the motion of its two bodies, added up, before
// anything about it can change: whether their bounds overlap, whether it has manifolds, whether these are
// valid. Until then the narrow phase skips it, and its gaps are updated when the solver builds its rows. The
// result is the same to the bit.

// motionBound bounds the motion of all points of a body.
type motionBound struct {
	accumulated float64 // m, since the last rebaseMotion
	predicted   float64 // m, after the next step at the present velocity
}

const (
	// maxCoherentMotion is the largest bound of a contact, in m; invalidatingMotion is more than that.
	maxCoherentMotion  = 0.4
	invalidatingMotion = 1.0
	// coherentPart is the part of a bound that counts: arms are a little longer than radii, and arcs than
	// chords.
	coherentPart = 0.9
	// coherenceSlop bounds the rounding error of sums of motion, in m.
	coherenceSlop = 1e-9
)

// invalidate makes the next step update all contacts of a body.
func (bs *bodySet) invalidate(slot int32) {
	t := &bs.motionBounds[slot]
	t.accumulated += invalidatingMotion
	t.predicted += invalidatingMotion
}

// invalidateAll makes the next step update all contacts.
func (bs *bodySet) invalidateAll() {
	for i := range bs.motionBounds {
		bs.invalidate(int32(i))
	}
}

// accumulateMotion adds the motion of a body in a step: shift in m, turn in rad. Speed, in m/s, predicts the
// next step.
func (bs *bodySet) accumulateMotion(dt float64, slot int32, shift, turn, speed float64) {
	t := &bs.motionBounds[slot]
	t.accumulated += shift + float64(turn*bs.massProps[slot].radius)
	t.predicted = t.accumulated + float64(speed*dt)
}

// stillValid reports that nothing about a contact can have changed.
func (bs *bodySet) stillValid(c *contact) bool {
	return bs.motionBounds[c.bodyA].predicted+bs.motionBounds[c.bodyB].predicted < c.validUntil
}

// setMotionBound sets how far the bodies of a contact may move, in m, before anything about it changes.
func (bs *bodySet) setMotionBound(c *contact, motion float64) {
	c.validUntil = bs.motionBounds[c.bodyA].accumulated + bs.motionBounds[c.bodyB].accumulated +
		float64(coherentPart*min(motion, maxCoherentMotion)) - coherenceSlop
}

// rebaseMotion restarts the sums at zero, so that small motions are not lost in large sums.
func (cs *contactSet) rebaseMotion(bodies *bodySet) {
	for _, r := range cs.pairs.sorted {
		c := &cs.all[r.contact]
		c.validUntil -= bodies.motionBounds[c.bodyA].accumulated +
			bodies.motionBounds[c.bodyB].accumulated
	}
	for i := range bodies.motionBounds {
		t := &bodies.motionBounds[i]
		t.accumulated, t.predicted = 0, t.predicted-t.accumulated
	}
}

// leverRatio is the ratio of an arm to a body's radius, at least 1; 1 for static bodies.
func (bs *bodySet) leverRatio(slot int32, arm float64) float64 {
	if bs.all[slot].kind == Static {
		return 1
	}
	radius := bs.massProps[slot].radius
	if !(radius > 0) {
		return math.Inf(1)
	}
	return max(1, arm/radius)
}
