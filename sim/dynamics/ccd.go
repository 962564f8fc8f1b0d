package dynamics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Bodies that come further in a step than speculation looks ahead are followed on their way: a body's core,
// which is it without the outer half of its thickness, may not go through what stands there. The first
// meeting is found by conservative advancement (Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
// Systems", 1996), and the step ends there for this body; its velocity stays, and the contact that is now there
// answers in the next step. A core is clear of the floor that its body slides on, so that nothing catches.

const (
	// fastThreshold of its half thickness is how far a body comes in a step before it is followed.
	fastThreshold = 0.5
	// bulletThreshold of its half thickness is from where on it is followed past moving bodies too.
	bulletThreshold = 6.0
	// ccdTolerance is how near, in metres, a core comes to what it meets.
	ccdTolerance = 1e-4
	// maxAdvancements bounds the search; what has not been decided by then counts as met, which costs time but no wall.
	maxAdvancements = 48
)

// motionSweep is the way of a body through a step.
type motionSweep struct {
	slot                  int32
	bullet                bool
	com                   r3.Vec
	rot                   r3.Quat
	translation, rotation r3.Vec
	radius                float64 // m, of its furthest point from its centre of mass
	turning               float64 // m that a point of it moves by turning, at most
	otherTurning          float64 // m, the same of what it meets
	screwMotion           bool    // it goes along a screw, by reel
	screwVelocity         r3.Vec
	fraction              float64 // the part of the step that it has, so far
}

// isFreeBody reports that a body may be stopped on its way: joints are kept by the solver only where all their bodies
// take the whole step.
func (w *World) isFreeBody(slot int32) bool {
	b := &w.bodies[slot]
	return b.kind == Dynamic && len(b.joints) == 0 && b.articulation == 0
}

// isBullet reports that a body is followed past moving bodies when it comes so many metres in a step.
func (w *World) isBullet(slot int32, way float64) bool {
	return w.bodies[slot].bullet || way > float64(bulletThreshold*w.massProps[slot].halfThickness)
}

// addFastBody remembers the way of a body that is fast; it is still where the step began.
func (w *World) addFastBody(d *workerScratch, slot int32, dp, da r3.Vec) {
	in, m := &w.massProps[slot], &w.motion[slot]
	if in.halfThickness > 1e9 {
		return // nothing that collides
	}
	way := dp.Len()
	turning := float64(da.Len() * max(0, in.radius-in.halfThickness))
	if way+turning <= float64(fastThreshold*in.halfThickness) {
		return
	}
	if !w.isFreeBody(slot) {
		w.addFastJointed(d, slot, m.com.Add(dp), w.solver.rotations[w.solver.index[slot]])
		return
	}
	d.fastBodies = append(d.fastBodies, motionSweep{
		slot: slot, bullet: w.isBullet(slot, way), com: m.com, rot: m.rot, translation: dp, rotation: da, radius: in.radius, turning: float64(da.Len() * in.radius), fraction: 1,
	})
}

// continuousCollision ends the step of each fast body where its core first meets something.
func (w *World) continuousCollision() {
	s := &w.solver
	w.stats.Swept += len(s.fastBodies)
	longest := 0.0
	for i := range s.fastBodies {
		longest = max(longest, s.fastBodies[i].translation.Len())
	}
	for i := range s.fastBodies {
		sw := &s.fastBodies[i]
		w.sweepBody(sw, s.fastBodies[:i], longest)
		if sw.fraction >= 1 {
			continue
		}
		w.stats.Stopped++
		p := sw.poseAt(sw.fraction, w.massProps[sw.slot].com)
		m := &w.motion[sw.slot]
		m.w = p.Rot.Rotate(m.rot.RotateBack(m.w)) // as the body feels it: its energy does not change
		m.com, m.rot, m.origin = sw.com.AddScaled(sw.fraction, sw.translation), p.Rot, p.Pos
		if !w.bodies[sw.slot].noGravity { // the time that it has not had
			m.v = m.v.AddScaled(float64((sw.fraction-1)*w.lastDt), w.cfg.Gravity)
		}
		w.placeGeoms(sw.slot, false)
	}
	s.fastBodies = s.fastBodies[:0]
}

// poseAt is the pose of the body's frame at a part of the step.
func (sw *motionSweep) poseAt(t float64, com r3.Vec) r3.Pose {
	rot := sw.rot.Turn(sw.rotation.Scale(t))
	if sw.screwMotion {
		return r3.Pose{Pos: sw.com.Add(screwMotion(sw.screwVelocity, sw.rotation, t)).Sub(rot.Rotate(com)), Rot: rot}
	}
	return r3.Pose{Pos: sw.com.AddScaled(t, sw.translation).Sub(rot.Rotate(com)), Rot: rot}
}

// sweepBody shortens the way of a body to its first meeting; before are those whose way is decided, and longest the
// longest way of all, in metres.
func (w *World) sweepBody(sw *motionSweep, before []motionSweep, longest float64) {
	com := w.massProps[sw.slot].com
	for _, g := range w.bodies[sw.slot].geoms {
		a := &w.geoms[g]
		if a.sensor || a.core == nil {
			continue
		}
		// Turned or not, the geom stays within this box.
		box := swept(a.Shape.Bounds(sw.poseAt(0, com).Mul(a.local)).Grow(sw.turning+sw.arcHeight()), sw.translation)
		reach := box
		if sw.bullet {
			reach = box.Grow(longest)
		}
		w.solver.ccdCandidates = w.broadTree.query(&reach, w.solver.ccdCandidates[:0])
		for _, o := range w.solver.ccdCandidates {
			b := &w.geoms[o]
			if moving := w.bodies[b.body].kind == Dynamic; b.sensor || moving && !sw.bullet || !w.mayCollide(g, o) {
				continue
			}
			if b.Surface == nil {
				sw.conservativeAdvance(a, com, &b.Proxy, w.placements[o].Pose, w.stepMotion(b.body, before))
			} else {
				w.sweepAgainstSurface(sw, a, com, b, w.placements[o].Pose, box, false)
			}
		}
	}
}

// stepMotion is what a body has moved in the step, along a line; nothing once it has been followed itself.
func (w *World) stepMotion(slot int32, before []motionSweep) r3.Vec {
	i := w.solver.index[slot]
	if i == 0 || w.bodies[slot].articulation != 0 {
		return r3.Vec{}
	}
	for k := range before {
		if before[k].slot == slot {
			return r3.Vec{}
		}
	}
	return w.solver.states[i].deltaPosition
}

// sweepAgainstSurface looks at the triangles on the way, but for those whose plane the geom does not reach; whole asks for the
// meeting with itself, not with its core.
func (w *World) sweepAgainstSurface(sw *motionSweep, a *geom, com r3.Vec, b *geom, at r3.Pose, box r3.Box, whole bool) {
	from := at.Relative(sw.poseAt(0, com).Mul(a.local))
	way := at.Rot.RotateBack(sw.translation)
	middle := from.Apply(a.Middle)
	shape.QuerySurface(b.Surface, box.Moved(at.Inverse()), func(t int32) bool {
		p, q, r := b.Surface.Triangle(t)
		n := b.Surface.Normal(t)
		if middle.Sub(p).Dot(n) < 0 {
			n = n.Neg()
		}
		near := from.Pos.Sub(p).Dot(n) - a.Proxy.Furthest(from.Rot.RotateBack(n.Neg()))
		if near+min(0, way.Dot(n))-sw.turningAlong(at.Rot.Rotate(n))-sw.arcHeight() <= ccdTolerance {
			tri := shape.TriangleProxy(p, q, r)
			if !whole {
				sw.conservativeAdvance(a, com, &tri, at, r3.Vec{})
			} else if t, met := sw.timeOfImpact(&a.Proxy, a, com, &tri, at, r3.Vec{}); met {
				sw.fraction = t
			}
		}
		return true
	})
}

// conservativeAdvance shortens the way to where a geom meets something that stands at a pose when the step ends and has come
// there along a line. It counts that the core meets it; the way then ends where the geom itself does, for the contact
// to find it just before. What overlaps already is the solver's, up to the first core that does not: to hold it where
// it is could stop what turns out of the overlap.
func (sw *motionSweep) conservativeAdvance(g *geom, com r3.Vec, other *shape.Proxy, end r3.Pose, came r3.Vec) {
	outer := 0
	for proxy := &g.Proxy; sw.distanceAt(proxy, g, 0, com, other, end, came).Distance <= 2*ccdTolerance; outer++ {
		if outer == len(g.core) {
			return
		}
		proxy = &g.core[outer]
	}
	t, met := sw.timeOfImpact(&g.core[max(0, outer-1)], g, com, other, end, came)
	if !met {
		return
	}
	sw.fraction = t
	if outer == 0 {
		sw.fraction, _ = sw.timeOfImpact(&g.Proxy, g, com, other, end, came)
	}
}

// distanceAt is the distance at a part of the step, in the frame of the geom.
func (sw *motionSweep) distanceAt(proxy *shape.Proxy, g *geom, t float64, com r3.Vec, other *shape.Proxy, end r3.Pose, came r3.Vec) shape.Closest {
	end.Pos = end.Pos.AddScaled(t-1, came)
	return shape.Between(proxy, other, sw.poseAt(t, com).Mul(g.local).Relative(end))
}

// turningAlong is how far a point moves along a direction by turning, at most: not at all along the axis.
func (sw *motionSweep) turningAlong(n r3.Vec) float64 {
	return float64(sw.rotation.Cross(n).Len()*sw.radius) + sw.otherTurning
}

// timeOfImpact finds the part of the step, within what is left of it, after which a proxy of the geom is near the other.
func (sw *motionSweep) timeOfImpact(proxy *shape.Proxy, g *geom, com r3.Vec, other *shape.Proxy, end r3.Pose, came r3.Vec) (t float64, met bool) {
	for range maxAdvancements {
		c := sw.distanceAt(proxy, g, t, com, other, end, came)
		// Along this normal the two come no nearer than so many metres per step.
		n := sw.poseAt(t, com).Rot.Mul(g.local.Rot).Rotate(c.Normal)
		speed := sw.turningAlong(n)
		if sw.screwMotion {
			speed += sw.screwVelocity.Len()
		} else {
			speed += n.Dot(sw.translation.Sub(came))
		}
		if float64(speed*(sw.fraction-t)) <= c.Distance-ccdTolerance {
			return sw.fraction, false
		}
		if c.Distance <= ccdTolerance {
			return t, true
		}
		t += (c.Distance - float64(0.5*ccdTolerance)) / speed
		if t >= sw.fraction {
			return sw.fraction, false
		}
	}
	return t, true
}

// sweptMargin bounds the speculative margin of two geoms of which one is followed: beyond it their first meeting
// is found on the way. Without a bound a body would be stopped by planes through corners that it passes.
func (w *World) sweptMargin(c *contact, way float64) float64 {
	for _, s := range [2][2]int32{{c.bodyA, c.bodyB}, {c.bodyB, c.bodyA}} {
		if w.isFreeBody(s[0]) && (w.bodies[s[1]].kind != Dynamic || w.isBullet(s[0], float64(w.motion[s[0]].v.Len()*w.lastDt))) {
			way = min(way, w.massProps[s[0]].halfThickness)
		}
	}
	return way
}

// hasPassedThrough reports that two geoms which are near each other, but do not touch, will not in the next step if nothing
// else happens: then a contact between them would only stop what flies by. Asked only where one is fast.
func (w *World) hasPassedThrough(c *contact, least float64) bool {
	a, b, mover, other := c.a, c.b, c.bodyA, c.bodyB
	if w.bodies[mover].kind != Dynamic {
		a, b, mover, other = b, a, other, mover
	}
	if least <= 0 || w.geoms[b].Kind == shape.KindPlane || w.geoms[a].core == nil {
		return false
	}
	m, o, in := &w.motion[mover], &w.motion[other], &w.massProps[mover]
	dt := w.lastDt
	sw := motionSweep{slot: mover, com: m.com, rot: m.rot, translation: m.v.Sub(o.v).Scale(dt), rotation: m.w.Scale(dt), radius: in.radius, fraction: 1}
	if !w.isFreeBody(mover) || float64(sw.translation.Len2()) <= float64(fastThreshold*fastThreshold*float64(in.halfThickness*in.halfThickness)) {
		return false
	}
	if w.bodies[other].kind != Dynamic {
		sw.translation = sw.translation.AddScaled(float64(0.5*float64(dt*dt)), w.cfg.Gravity)
	}
	sw.otherTurning = float64(dt * float64(o.w.Len()*w.massProps[other].radius))
	sw.turning = float64(sw.rotation.Len()*in.radius) + sw.otherTurning
	g, h := &w.geoms[a], &w.geoms[b]
	if h.Surface == nil {
		_, met := sw.timeOfImpact(&g.Proxy, g, in.com, &h.Proxy, w.placements[b].Pose, r3.Vec{})
		return !met
	}
	box := swept(g.Shape.Bounds(w.placements[a].Pose).Grow(sw.turning), sw.translation)
	w.sweepAgainstSurface(&sw, g, in.com, h, w.placements[b].Pose, box, true)
	return sw.fraction >= 1
}

// ccdCores are the cores of a convex shape, one within the other: what has come to overlap by one is held by the next.
func ccdCores(s shape.Convex) *[3]shape.Proxy {
	half := s.Bounds(r3.IdentityPose()).Half()
	layers := [3]float64{0.5, 0.75, 0.95} // parts of the half thickness
	cores := &[3]shape.Proxy{}
	for i, part := range layers {
		cores[i] = shape.CoreOf(s, float64(part*min(half.X, half.Y, half.Z)))
	}
	return cores
}
