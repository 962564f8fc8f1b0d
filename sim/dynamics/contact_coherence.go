package dynamics

import "math"

// Most contacts of a heap are between bodies that hardly move: whatever the search found about them in the last
// step, it would find again. So each contact says how far its two bodies may move, taken together, before anything
// about it can change: whether their boxes are near, whether its manifolds hold, whether there are any. Until then
// nobody looks at it; the gaps of its points follow when it is laid out for the solver. What comes out is to the
// bit what looking would have found.

// motionBound is how far a body has moved, as the points furthest from its centre of mass count it.
type motionBound struct {
	accumulated float64 // m, since compactContacts last began to count
	predicted   float64 // m, after the next step, at the velocity that it has
}

const (
	// maxCoherentMotion is the most, in metres, that a contact lets its bodies move unseen; stirred is more than that.
	maxCoherentMotion  = 0.4
	invalidatingMotion = 1.0
	// coherentPart of a way may be gone: arms reach a little further than their bodies, and arcs are longer than chords.
	coherentPart = 0.9
	// coherenceSlop is what may be lost, in metres, where ways are added up.
	coherenceSlop = 1e-9
)

// invalidate lets all contacts of a body be looked at in the next step.
func (w *World) invalidate(slot int32) {
	t := &w.motionBounds[slot]
	t.accumulated += invalidatingMotion
	t.predicted += invalidatingMotion
}

// invalidateAll lets all contacts be looked at in the next step.
func (w *World) invalidateAll() {
	for i := range w.motionBounds {
		w.invalidate(int32(i))
	}
}

// accumulateMotion counts the way of a body in a step: by a shift and a turn, in metres and radians, to where it moves at a
// speed, in m/s.
func (w *World) accumulateMotion(slot int32, shift, turn, speed float64) {
	t := &w.motionBounds[slot]
	t.accumulated += shift + float64(turn*w.massProps[slot].radius)
	t.predicted = t.accumulated + float64(speed*w.lastDt)
}

// stillValid reports that nothing about a contact has changed.
func (w *World) stillValid(c *contact) bool {
	return w.motionBounds[c.bodyA].predicted+w.motionBounds[c.bodyB].predicted < c.validUntil
}

// setMotionBound notes how far the bodies of a contact may move, in metres, before anything changes.
func (w *World) setMotionBound(c *contact, way float64) {
	c.validUntil = w.motionBounds[c.bodyA].accumulated + w.motionBounds[c.bodyB].accumulated + float64(coherentPart*min(way, maxCoherentMotion)) - coherenceSlop
}

// rebaseMotion begins to count ways anew, so that the small ones do not get lost in large sums.
func (w *World) rebaseMotion() {
	for _, r := range w.pairs.sorted {
		c := &w.contacts.all[r.contact]
		c.validUntil -= w.motionBounds[c.bodyA].accumulated + w.motionBounds[c.bodyB].accumulated
	}
	for i := range w.motionBounds {
		t := &w.motionBounds[i]
		t.accumulated, t.predicted = 0, t.predicted-t.accumulated
	}
}

// leverRatio is how much longer than a body's reach an arm is, at least 1. What never moves has no reach that counts.
func (w *World) leverRatio(slot int32, arm float64) float64 {
	if w.bodies[slot].kind == Static {
		return 1
	}
	reach := w.massProps[slot].radius
	if !(reach > 0) {
		return math.Inf(1)
	}
	return max(1, arm/reach)
}
