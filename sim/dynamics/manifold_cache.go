package dynamics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// manifoldPose is where two bodies were when the manifolds between them were found. As long as they have hardly
// moved since, neither against each other nor in the world, the manifolds stay: only the gaps follow the
// bodies. Lever arms that follow every tremor would feed it: under the load of a tall stack a shift of
// the arms by a hair changes the torques at once, the warm-started impulses answer a step late, and the
// stack begins to sway. So box3d and Rapier do it too ("contact recycling"). It also saves the search.
type manifoldPose struct {
	allowedMotion float64 // m that the bodies may move against each other; without manifolds: their distance
	turnA, turnB  r3.Quat
	separation    r3.Vec // centre of mass of B - that of A
}

const (
	// recycleMotionPart and maxRecycleMotion bound how far bodies move against each other while their manifolds are held:
	// a part of the smaller one's reach, but not more than so many metres.
	recycleMotionPart = 0.01
	maxRecycleMotion  = 0.005
	// maxRecycleTurn is how far, in radians, a body turns while they are.
	maxRecycleTurn = 0.05
)

// hasFaces says of which shapes contacts are held: what rolls has a new point of contact all the time.
func hasFaces(k shape.Kind) bool {
	return k >= shape.KindBox
}

// rememberPoses notes where the bodies are, for which the manifolds have just been found, or that there are none
// because the geoms are so far apart.
func (w *World) rememberPoses(i int32, distance, near float64) {
	c, h := &w.contacts.all[i], &w.contacts.poses[i]
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	*h = manifoldPose{turnA: a.rot, turnB: b.rot, separation: b.com.Sub(a.com)}
	if c.count == 0 {
		if c.recycled, h.allowedMotion = distance > 0, distance; c.recycled {
			w.setMotionBound(c, min(near, distance-speculation))
		}
		return
	}
	if c.recycled = c.hasFaces; !c.recycled {
		return
	}
	reach := w.massProps[c.bodyA].radius
	if r := w.massProps[c.bodyB].radius; r > 0 {
		reach = min(reach, r)
	}
	h.allowedMotion = min(maxRecycleMotion, float64(recycleMotionPart*reach))
}

// recycle brings the gaps of a held contact up to date; false when it must be looked at anew. The boxes are near
// each other, and have so many metres to go until they are not.
func (w *World) recycle(i int32, margin, near float64) bool {
	c, h := &w.contacts.all[i], &w.contacts.poses[i]
	if !c.recycled {
		return false
	}
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	da, db := rotationBetween(h.turnA, a.rot), rotationBetween(h.turnB, b.rot)
	shift := b.com.Sub(a.com).Sub(h.separation)
	if c.count == 0 {
		moved := shift.Len() + float64(da.Len()*w.massProps[c.bodyA].radius) + float64(db.Len()*w.massProps[c.bodyB].radius)
		if h.allowedMotion-moved <= margin {
			return false
		}
		w.setMotionBound(c, min(near, h.allowedMotion-moved-speculation))
		return true
	}
	limit := float64(h.allowedMotion * h.allowedMotion)
	reach := float64(h.allowedMotion / recycleMotionPart)
	turned, used := max(da.Len2(), db.Len2()), float64(db.Sub(da).Len2()*float64(reach*reach))
	if turned > maxRecycleTurn*maxRecycleTurn || used > limit {
		return false
	}
	for k := c.base; k < c.base+c.count; k++ {
		if used = max(used, w.manifolds[k].updateGaps(h, shift, da, db)); used > limit {
			return false
		}
	}
	w.setRecycledBound(c, h, near, math.Sqrt(turned), math.Sqrt(used))
	return true
}

// setRecycledBound notes how far the bodies may move until the manifolds between them are no longer held, after they have
// turned by so much, in radians, and the points' two sides have moved so far from each other, in metres.
func (w *World) setRecycledBound(c *contact, h *manifoldPose, near, turned, used float64) {
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
	far := max(w.leverRatio(c.bodyA, math.Sqrt(longA)), w.leverRatio(c.bodyB, math.Sqrt(longB)))
	w.setMotionBound(c, min(near, (h.allowedMotion-used)/far, float64((maxRecycleTurn-turned)*h.allowedMotion/recycleMotionPart)))
}

// updateGaps brings the gaps of a contact up to date that nothing has changed about.
func (w *World) updateGaps(i int32) {
	c := &w.contacts.all[i]
	if !c.gapsStale {
		return
	}
	c.gapsStale = false
	h := &w.contacts.poses[i]
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	for k := c.base; k < c.base+c.count; k++ {
		w.manifolds[k].updateGapsTo(h, a.com, b.com, a.rot, b.rot)
	}
}

// updateGapsTo brings the gaps up to date to where the bodies are.
func (m *manifold) updateGapsTo(h *manifoldPose, comA, comB r3.Vec, rotA, rotB r3.Quat) {
	m.updateGaps(h, comB.Sub(comA).Sub(h.separation), rotationBetween(h.turnA, rotA), rotationBetween(h.turnB, rotB))
}

// updateGaps brings the gaps up to date, and returns how far a point's two sides have moved from each other at most, in
// metres squared.
func (m *manifold) updateGaps(h *manifoldPose, shift, da, db r3.Vec) float64 {
	most := 0.0
	for k := range m.n {
		p := &m.points[k]
		parted := shift.Add(rotateArm(db, p.armB(h, m))).Sub(rotateArm(da, p.arm))
		most = max(most, parted.Len2())
		p.gap = p.gapWhenFound + parted.Dot(m.normal)
	}
	return most
}

// armB is the point's arm from B's centre of mass.
func (p *contactPoint) armB(h *manifoldPose, m *manifold) r3.Vec {
	return p.arm.AddScaled(p.gapWhenFound, m.normal).Sub(h.separation)
}

// pointOnA is where a point is on A's surface.
func (w *World) pointOnA(i int32, p *contactPoint) r3.Vec {
	a := &w.motion[w.contacts.all[i].bodyA]
	return a.com.Add(p.arm).Add(rotateArm(rotationBetween(w.contacts.poses[i].turnA, a.rot), p.arm))
}

// rotationBetween is the rotation vector from one orientation to another that is near.
func rotationBetween(from, to r3.Quat) r3.Vec {
	q := to.Mul(from.Conj())
	k := 2.0
	if q.W < 0 {
		k = -2
	}
	return r3.Vec{X: float64(k * q.X), Y: float64(k * q.Y), Z: float64(k * q.Z)}
}

// rotateArm is by how much a small rotation moves the end of an arm, to second order.
func rotateArm(d, arm r3.Vec) r3.Vec {
	x := d.Cross(arm)
	return x.AddScaled(0.5, d.Cross(x))
}
