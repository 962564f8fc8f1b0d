package physics

import (
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
func (w *World) hold(i int32, distance float64) {
	c, h := &w.contacts.all[i], &w.contacts.holds[i]
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	*h = hold{turnA: a.rot, turnB: b.rot, apart: b.com.Sub(a.com)}
	if c.count == 0 {
		c.held, h.slack = distance > 0, distance
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

// stillHeld brings the gaps of a held contact up to date; false when it must be looked at anew.
func (w *World) stillHeld(i int32, margin float64) bool {
	c, h := &w.contacts.all[i], &w.contacts.holds[i]
	if !c.held {
		return false
	}
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	da, db := turnSince(h.turnA, a.rot), turnSince(h.turnB, b.rot)
	shift := b.com.Sub(a.com).Sub(h.apart)
	if c.count == 0 {
		moved := shift.Len() + float64(da.Len()*w.inert[c.bodyA].reach) + float64(db.Len()*w.inert[c.bodyB].reach)
		return h.slack-moved > margin
	}
	limit := float64(h.slack * h.slack)
	reach := float64(h.slack / holdPart)
	if max(da.Len2(), db.Len2()) > holdTurn*holdTurn || float64(db.Sub(da).Len2()*float64(reach*reach)) > limit {
		return false
	}
	for k := c.base; k < c.base+c.count; k++ {
		if !w.manifolds[k].follow(h, shift, da, db, limit) {
			return false
		}
	}
	return true
}

// follow brings the gaps up to date; false when a point's two sides have moved too far from each other.
func (m *manifold) follow(h *hold, shift, da, db r3.Vec, limit float64) bool {
	for k := range m.n {
		p := &m.points[k]
		parted := shift.Add(swing(db, p.armB(h, m))).Sub(swing(da, p.arm))
		if parted.Len2() > limit {
			return false
		}
		p.gap = p.found + parted.Dot(m.normal)
	}
	return true
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
