package physics

import "math"

// Most contacts of a heap are between bodies that hardly move: whatever the search found about them in the last
// step, it would find again. So each contact says how far its two bodies may move, taken together, before anything
// about it can change: whether their boxes are near, whether its manifolds hold, whether there are any. Until then
// nobody looks at it; the gaps of its points follow when it is laid out for the solver. What comes out is to the
// bit what looking would have found.

// travel is how far a body has moved, as the points furthest from its centre of mass count it.
type travel struct {
	gone float64 // m, since tidyContacts last began to count
	next float64 // m, after the next step, at the velocity that it has
}

const (
	// calmMost is the most, in metres, that a contact lets its bodies move unseen; stirred is more than that.
	calmMost = 0.4
	stirred  = 1.0
	// calmPart of a way may be gone: arms reach a little further than their bodies, and arcs are longer than chords.
	calmPart = 0.9
	// calmHair is what may be lost, in metres, where ways are added up.
	calmHair = 1e-9
)

// stir lets all contacts of a body be looked at in the next step.
func (w *World) stir(slot int32) {
	t := &w.travels[slot]
	t.gone += stirred
	t.next += stirred
}

// stirAll lets all contacts be looked at in the next step.
func (w *World) stirAll() {
	for i := range w.travels {
		w.stir(int32(i))
	}
}

// wander counts the way of a body in a step: by a shift and a turn, in metres and radians, to where it moves at a
// speed, in m/s.
func (w *World) wander(slot int32, shift, turn, speed float64) {
	t := &w.travels[slot]
	t.gone += shift + float64(turn*w.inert[slot].reach)
	t.next = t.gone + float64(speed*w.lastDt)
}

// calm reports that nothing about a contact has changed.
func (w *World) calm(c *contact) bool {
	return w.travels[c.bodyA].next+w.travels[c.bodyB].next < c.calm
}

// calmFor notes how far the bodies of a contact may move, in metres, before anything changes.
func (w *World) calmFor(c *contact, way float64) {
	c.calm = w.travels[c.bodyA].gone + w.travels[c.bodyB].gone + float64(calmPart*min(way, calmMost)) - calmHair
}

// recount begins to count ways anew, so that the small ones do not get lost in large sums.
func (w *World) recount() {
	for _, r := range w.pairs.order {
		c := &w.contacts.all[r.contact]
		c.calm -= w.travels[c.bodyA].gone + w.travels[c.bodyB].gone
	}
	for i := range w.travels {
		t := &w.travels[i]
		t.gone, t.next = 0, t.next-t.gone
	}
}

// far is how much longer than a body's reach an arm is, at least 1. What never moves has no reach that counts.
func (w *World) far(slot int32, arm float64) float64 {
	if w.bodies[slot].kind == Static {
		return 1
	}
	reach := w.inert[slot].reach
	if !(reach > 0) {
		return math.Inf(1)
	}
	return max(1, arm/reach)
}
