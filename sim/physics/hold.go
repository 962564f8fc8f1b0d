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
	on           bool
	slack        float64 // m that the bodies may move against each other
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
	return k == shape.KindBox || k == shape.KindHull || k == shape.KindPlane || k == shape.KindMesh
}

// hold notes where the bodies are, for which the manifolds have just been found.
func (w *World) hold(c *contact) {
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	c.held = hold{on: c.faces && c.count > 0, turnA: a.rot, turnB: b.rot, apart: b.com.Sub(a.com)}
	if !c.held.on {
		return
	}
	reach := w.inert[c.bodyA].reach
	if r := w.inert[c.bodyB].reach; r > 0 {
		reach = min(reach, r)
	}
	c.held.slack = min(holdMost, float64(holdPart*reach))
}

// stillHeld brings the gaps of a held contact up to date; false when it must be looked at anew.
func (w *World) stillHeld(c *contact) bool {
	h := &c.held
	if !h.on {
		return false
	}
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	da, db := turnSince(h.turnA, a.rot), turnSince(h.turnB, b.rot)
	limit := float64(h.slack * h.slack)
	reach := float64(h.slack / holdPart)
	if max(da.Len2(), db.Len2()) > holdTurn*holdTurn || float64(db.Sub(da).Len2()*float64(reach*reach)) > limit {
		return false
	}
	shift := b.com.Sub(a.com).Sub(h.apart)
	for i := c.base; i < c.base+c.count; i++ {
		m := &w.manifolds[i]
		for k := range m.n {
			p := &m.points[k]
			parted := shift.Add(swing(db, p.armB(c, m))).Sub(swing(da, p.arm))
			if parted.Len2() > limit {
				return false
			}
			p.gap = p.found + parted.Dot(m.normal)
		}
	}
	return true
}

// armB is the point's arm from B's centre of mass.
func (p *point) armB(c *contact, m *manifold) r3.Vec {
	return p.arm.AddScaled(p.found, m.normal).Sub(c.held.apart)
}

// spot is where a point is on A's surface.
func (w *World) spot(c *contact, p *point) r3.Vec {
	a := &w.motion[c.bodyA]
	return a.com.Add(p.arm).Add(swing(turnSince(c.held.turnA, a.rot), p.arm))
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
