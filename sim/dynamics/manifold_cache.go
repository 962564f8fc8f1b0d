package dynamics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// manifoldPose is the relative pose of two bodies when the manifolds between them were found. While they have
// hardly moved since, neither against each other nor in the world, the manifolds persist and only the gaps
// follow. box3d and Rapier do the same ("contact recycling"). It saves the narrow phase, and it damps: in a
// tall stack a small shift of the lever arms changes torques at once, warm-started impulses follow a step
// late, and the stack would begin to sway.
type manifoldPose struct {
	allowedMotion float64 // m of relative motion; without manifolds: the distance
	turnA, turnB  r3.Quat
	separation    r3.Vec // center of mass of B minus that of A
}

const (
	// recycleMotionPart and maxRecycleMotion bound the relative motion while manifolds persist: a part of the
	// smaller body's radius, and meters.
	recycleMotionPart = 0.01
	maxRecycleMotion  = 0.005
	// maxRecycleTurn bounds the rotation of a body meanwhile, in rad.
	maxRecycleTurn = 0.05
)

// hasFaces reports that contacts of a kind of shape persist. A shape that rolls always has a new contact
// point.
func hasFaces(k shape.Kind) bool {
	return k >= shape.KindBox
}

// rememberPoses stores the poses for which a contact's manifolds have just been found, or the geoms'
// distance, in m, when there are none. Near is the motion, in m, until their bounds no longer overlap.
func (n *narrowphase) rememberPoses(i int32, distance, near float64) {
	c, h := &n.contacts.all[i], &n.contacts.poses[i]
	a, b := &n.bodies.motion[c.bodyA], &n.bodies.motion[c.bodyB]
	*h = manifoldPose{turnA: a.rot, turnB: b.rot, separation: b.com.Sub(a.com)}
	if c.count == 0 {
		if c.recycled, h.allowedMotion = distance > 0, distance; c.recycled {
			n.bodies.setMotionBound(c, min(near, distance-speculation))
		}
		return
	}
	if c.recycled = c.hasFaces; !c.recycled {
		return
	}
	reach := n.bodies.massProps[c.bodyA].radius
	if r := n.bodies.massProps[c.bodyB].radius; r > 0 {
		reach = min(reach, r)
	}
	h.allowedMotion = min(maxRecycleMotion, float64(recycleMotionPart*reach))
}

// recycle updates the gaps of a contact whose manifolds are still valid. It reports false when the narrow
// phase must run. Near is the motion, in m, until the bounds no longer overlap.
func (n *narrowphase) recycle(i int32, margin, near float64) bool {
	c, h := &n.contacts.all[i], &n.contacts.poses[i]
	if !c.recycled {
		return false
	}
	a, b := &n.bodies.motion[c.bodyA], &n.bodies.motion[c.bodyB]
	da, db := rotationBetween(h.turnA, a.rot), rotationBetween(h.turnB, b.rot)
	shift := b.com.Sub(a.com).Sub(h.separation)
	if c.count == 0 {
		moved := shift.Len() + float64(da.Len()*n.bodies.massProps[c.bodyA].radius) +
			float64(db.Len()*n.bodies.massProps[c.bodyB].radius)
		if h.allowedMotion-moved <= margin {
			return false
		}
		n.bodies.setMotionBound(c, min(near, h.allowedMotion-moved-speculation))
		return true
	}
	limit := float64(h.allowedMotion * h.allowedMotion)
	reach := float64(h.allowedMotion / recycleMotionPart)
	turned, used := max(da.Len2(), db.Len2()), float64(db.Sub(da).Len2()*float64(reach*reach))
	if turned > maxRecycleTurn*maxRecycleTurn || used > limit {
		return false
	}
	for k := c.base; k < c.base+c.count; k++ {
		if used = max(used, n.contacts.manifolds[k].updateGaps(h, shift, da, db)); used > limit {
			return false
		}
	}
	n.setRecycledBound(c, h, near, math.Sqrt(turned), math.Sqrt(used))
	return true
}

// setRecycledBound sets how far the bodies may move until their manifolds are no longer valid. Turned is the
// rotation since they were found, in rad, and used the relative motion of their points, in m.
func (n *narrowphase) setRecycledBound(c *contact, h *manifoldPose, near, turned, used float64) {
	if c.sensor {
		return
	}
	maxA2, maxB2 := 0.0, 0.0
	for k := c.base; k < c.base+c.count; k++ {
		m := &n.contacts.manifolds[k]
		for n := range m.n {
			maxA2, maxB2 = max(maxA2, m.points[n].arm.Len2()), max(maxB2, m.points[n].armB(h, m).Len2())
		}
	}
	ratio := max(n.bodies.leverRatio(c.bodyA, math.Sqrt(maxA2)), n.bodies.leverRatio(c.bodyB,
		math.Sqrt(maxB2)))
	n.bodies.setMotionBound(c, min(near, (h.allowedMotion-used)/ratio,
		float64((maxRecycleTurn-turned)*h.allowedMotion/recycleMotionPart)))
}

// updateGaps updates the gaps of a contact that the narrow phase has skipped.
func (cs *contactSet) updateGaps(bodies *bodySet, i int32) {
	c := &cs.all[i]
	if !c.gapsStale {
		return
	}
	c.gapsStale = false
	h := &cs.poses[i]
	a, b := &bodies.motion[c.bodyA], &bodies.motion[c.bodyB]
	for k := c.base; k < c.base+c.count; k++ {
		cs.manifolds[k].updateGapsTo(h, a.com, b.com, a.rot, b.rot)
	}
}

// updateGapsTo updates the gaps to the bodies' centers of mass and rotations.
func (m *manifold) updateGapsTo(h *manifoldPose, comA, comB r3.Vec, rotA, rotB r3.Quat) {
	m.updateGaps(h, comB.Sub(comA).Sub(h.separation), rotationBetween(h.turnA, rotA),
		rotationBetween(h.turnB, rotB))
}

// updateGaps updates the gaps after a relative shift and rotations of the bodies. It returns the largest
// relative motion of a point's two sides, squared, in m².
func (m *manifold) updateGaps(h *manifoldPose, shift, da, db r3.Vec) float64 {
	most := 0.0
	for k := range m.n {
		p := &m.points[k]
		motion := shift.Add(rotateArm(db, p.armB(h, m))).Sub(rotateArm(da, p.arm))
		most = max(most, motion.Len2())
		p.gap = p.gapWhenFound + motion.Dot(m.normal)
	}
	return most
}

// armB is the lever arm from B's center of mass to B's surface.
func (p *contactPoint) armB(h *manifoldPose, m *manifold) r3.Vec {
	return p.arm.AddScaled(p.gapWhenFound, m.normal).Sub(h.separation)
}

// pointOnA is a point's position on A's surface, in the world's frame.
func (cs *contactSet) pointOnA(bodies *bodySet, i int32, p *contactPoint) r3.Vec {
	a := &bodies.motion[cs.all[i].bodyA]
	return a.com.Add(p.arm).Add(rotateArm(rotationBetween(cs.poses[i].turnA, a.rot), p.arm))
}

// rotationBetween is the rotation vector, in rad, between two orientations that are near.
func rotationBetween(from, to r3.Quat) r3.Vec {
	q := to.Mul(from.Conj())
	k := 2.0
	if q.W < 0 {
		k = -2
	}
	return r3.Vec{X: float64(k * q.X), Y: float64(k * q.Y), Z: float64(k * q.Z)}
}

// rotateArm is the motion of the end of an arm by a small rotation, to second order.
func rotateArm(d, arm r3.Vec) r3.Vec {
	x := d.Cross(arm)
	return x.AddScaled(0.5, d.Cross(x))
}
