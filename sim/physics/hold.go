package physics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// hold is where two bodies were when the manifolds between them were found. As long as they have hardly
// moved since, neither against each other nor in the world, the manifolds stay: only the gaps follow the
// bodies. Lever arms that follow every tremor would feed it: under the load of a tall stack a shift of
// the arms by a hair changes the torques at once, the warm-started impulses answer a step late, and the
// stack begins to sway. So box3d and Rapier do it too ("contact recycling"). It also saves the search.
type hold struct {
	slack        float64 // m that the bodies may move against each other; without manifolds: their distance
	turnA, turnB r3.Quat
	apart        r3.Vec // centre of mass of B - that of A
}

const (
	// holdPart and holdMost bound how far bodies move against each other while their manifolds are held:
	// a part of the smaller one's reach, but not more than so many metres.
	holdPart = 0.01
	holdMost = 0.005
	// holdTurn is how far, in radians, a body turns while they are.
	holdTurn = 0.05
)

// hasFaces says of which shapes contacts are held: what rolls has a new point of contact all the time.
func hasFaces(k shape.Kind) bool {
	return k >= shape.KindBox
}

// hold notes where the bodies are, for which the manifolds have just been found, or that there are none
// because the geoms are so far apart.
func (w *World) hold(i int32, distance, near float64) {
	c, h := &w.contacts.all[i], &w.contacts.holds[i]
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	*h = hold{turnA: a.rot, turnB: b.rot, apart: b.com.Sub(a.com)}
	if c.count == 0 {
		if c.held, h.slack = distance > 0, distance; c.held {
			w.calmFor(c, min(near, distance-speculation))
		}
		return
	}
	if c.held = c.faces; !c.held {
		return
	}
	reach := w.inert[c.bodyA].reach
	if r := w.inert[c.bodyB].reach; r > 0 {
		reach = min(reach, r)
	}
	h.slack = min(holdMost, float64(holdPart*reach))
}

// stillHeld brings the gaps of a held contact up to date; false when it must be looked at anew. The boxes are near
// each other, and have so many metres to go until they are not.
func (w *World) stillHeld(i int32, margin, near float64) bool {
	c, h := &w.contacts.all[i], &w.contacts.holds[i]
	if !c.held {
		return false
	}
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	da, db := turnSince(h.turnA, a.rot), turnSince(h.turnB, b.rot)
	shift := b.com.Sub(a.com).Sub(h.apart)
	if c.count == 0 {
		moved := shift.Len() + float64(da.Len()*w.inert[c.bodyA].reach) + float64(db.Len()*w.inert[c.bodyB].reach)
		if h.slack-moved <= margin {
			return false
		}
		w.calmFor(c, min(near, h.slack-moved-speculation))
		return true
	}
	limit := float64(h.slack * h.slack)
	reach := float64(h.slack / holdPart)
	turned, used := max(da.Len2(), db.Len2()), float64(db.Sub(da).Len2()*float64(reach*reach))
	if turned > holdTurn*holdTurn || used > limit {
		return false
	}
	for k := c.base; k < c.base+c.count; k++ {
		if used = max(used, w.manifolds[k].follow(h, shift, da, db)); used > limit {
			return false
		}
	}
	w.calmHeld(c, h, near, math.Sqrt(turned), math.Sqrt(used))
	return true
}

// calmHeld notes how far the bodies may move until the manifolds between them are no longer held, after they have
// turned by so much, in radians, and the points' two sides have moved so far from each other, in metres.
func (w *World) calmHeld(c *contact, h *hold, near, turned, used float64) {
	if c.sensor {
		return
	}
	longA, longB := 0.0, 0.0
	for k := c.base; k < c.base+c.count; k++ {
		m := &w.manifolds[k]
		for n := range m.n {
			longA, longB = max(longA, m.points[n].arm.Len2()), max(longB, m.points[n].armB(h, m).Len2())
		}
	}
	far := max(w.far(c.bodyA, math.Sqrt(longA)), w.far(c.bodyB, math.Sqrt(longB)))
	w.calmFor(c, min(near, (h.slack-used)/far, float64((holdTurn-turned)*h.slack/holdPart)))
}

// catchUp brings the gaps of a contact up to date that nothing has changed about.
func (w *World) catchUp(i int32) {
	c := &w.contacts.all[i]
	if !c.lags {
		return
	}
	c.lags = false
	h := &w.contacts.holds[i]
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	for k := c.base; k < c.base+c.count; k++ {
		w.manifolds[k].followBodies(h, a.com, b.com, a.rot, b.rot)
	}
}

// followBodies brings the gaps up to date to where the bodies are.
func (m *manifold) followBodies(h *hold, comA, comB r3.Vec, rotA, rotB r3.Quat) {
	m.follow(h, comB.Sub(comA).Sub(h.apart), turnSince(h.turnA, rotA), turnSince(h.turnB, rotB))
}

// follow brings the gaps up to date, and returns how far a point's two sides have moved from each other at most, in
// metres squared.
func (m *manifold) follow(h *hold, shift, da, db r3.Vec) float64 {
	most := 0.0
	for k := range m.n {
		p := &m.points[k]
		parted := shift.Add(swing(db, p.armB(h, m))).Sub(swing(da, p.arm))
		most = max(most, parted.Len2())
		p.gap = p.found + parted.Dot(m.normal)
	}
	return most
}

// armB is the point's arm from B's centre of mass.
func (p *point) armB(h *hold, m *manifold) r3.Vec {
	return p.arm.AddScaled(p.found, m.normal).Sub(h.apart)
}

// spot is where a point is on A's surface.
func (w *World) spot(i int32, p *point) r3.Vec {
	a := &w.motion[w.contacts.all[i].bodyA]
	return a.com.Add(p.arm).Add(swing(turnSince(w.contacts.holds[i].turnA, a.rot), p.arm))
}

// turnSince is the rotation vector from one orientation to another that is near.
func turnSince(from, to r3.Quat) r3.Vec {
	q := to.Mul(from.Conj())
	k := 2.0
	if q.W < 0 {
		k = -2
	}
	return r3.Vec{X: float64(k * q.X), Y: float64(k * q.Y), Z: float64(k * q.Z)}
}

// swing is by how much a small rotation moves the end of an arm, to second order.
func swing(d, arm r3.Vec) r3.Vec {
	x := d.Cross(arm)
	return x.AddScaled(0.5, d.Cross(x))
}
