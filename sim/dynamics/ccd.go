package dynamics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Continuous collision: the core of a fast body, its shape without the outer half of the thickness, must not
// pass through other geoms. The time of impact is found by conservative advancement (Mirtich, "Impulse-based
// Dynamic Simulation of Rigid Body Systems", 1996). The body's step ends there; its velocity stays, and the
// new contact acts in the next step. A core is clear of the floor that its body slides on, so that it does
// not catch.

const (
	// fastThreshold is the motion in a step, in half thicknesses, from which on a body is swept.
	fastThreshold = 0.5
	// bulletThreshold is that from which on it is swept against moving bodies too.
	bulletThreshold = 6.0
	// ccdTolerance is the distance, in m, at which a core counts as touching.
	ccdTolerance = 1e-4
	// maxAdvancements bounds the iterations; an undecided sweep counts as an impact, so that no wall is
	// passed.
	maxAdvancements = 48
)

// motionSweep is the motion of a body through a step.
type motionSweep struct {
	slot                  int32
	bullet                bool
	com                   r3.Vec
	rot                   r3.Quat
	translation, rotation r3.Vec
	radius                float64 // m, of its furthest point from its centre of mass
	turning               float64 // m, bound of the motion of its points by rotation
	otherTurning          float64 // m, the same of the other body
	screwMotion           bool    // along a screw, with screwVelocity
	screwVelocity         r3.Vec
	fraction              float64 // of the step, up to the first impact so far
}

// isFree reports that a dynamic body has no joints. It may be stopped alone: joints hold only where all
// their bodies take the whole step.
func (bs *bodySet) isFree(slot int32) bool {
	b := &bs.all[slot]
	return b.kind == Dynamic && len(b.joints) == 0 && b.articulation == 0
}

// isBullet reports that a body that moves so far in a step, in m, is swept against moving bodies too.
func (bs *bodySet) isBullet(slot int32, way float64) bool {
	return bs.all[slot].bullet || way > float64(bulletThreshold*bs.massProps[slot].halfThickness)
}

// addFastBody notes the motion of a fast body, which is still at the pose where the step began.
func (w *World) addFastBody(d *workerScratch, slot int32, dp, da r3.Vec) {
	in, m := &w.bodies.massProps[slot], &w.bodies.motion[slot]
	if in.halfThickness > 1e9 {
		return // no geom that collides
	}
	way := dp.Len()
	turning := float64(da.Len() * max(0, in.radius-in.halfThickness))
	if way+turning <= float64(fastThreshold*in.halfThickness) {
		return
	}
	if !w.bodies.isFree(slot) {
		w.addFastJointed(d, slot, m.com.Add(dp), w.solver.rotations[w.solver.index[slot]])
		return
	}
	d.fastBodies = append(d.fastBodies, motionSweep{
		slot: slot, bullet: w.bodies.isBullet(slot, way), com: m.com, rot: m.rot, translation: dp,
		rotation: da,
		radius:   in.radius, turning: float64(da.Len() * in.radius), fraction: 1,
	})
}

// continuousCollision ends the step of each fast body at its core's first impact.
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
		p := sw.poseAt(sw.fraction, w.bodies.massProps[sw.slot].com)
		m := &w.bodies.motion[sw.slot]
		m.w = p.Rot.Rotate(m.rot.RotateBack(m.w)) // constant in the body's frame: its energy does not change
		m.com, m.rot, m.origin = sw.com.AddScaled(sw.fraction, sw.translation), p.Rot, p.Pos
		if !w.bodies.all[sw.slot].noGravity { // for the rest of the step
			m.v = m.v.AddScaled(float64((sw.fraction-1)*w.time.dt), w.cfg.Gravity)
		}
		w.geoms.place(&w.bodies, &w.time, w.scratch, sw.slot, false)
	}
	s.fastBodies = s.fastBodies[:0]
}

// poseAt is the pose of the body's frame at fraction t of the step.
func (sw *motionSweep) poseAt(t float64, com r3.Vec) r3.Pose {
	rot := sw.rot.Turn(sw.rotation.Scale(t))
	if sw.screwMotion {
		return r3.Pose{Pos: sw.com.Add(screwMotion(sw.screwVelocity, sw.rotation, t)).Sub(rot.Rotate(com)),
			Rot: rot}
	}
	return r3.Pose{Pos: sw.com.AddScaled(t, sw.translation).Sub(rot.Rotate(com)), Rot: rot}
}

// sweepBody shortens a body's motion to its first impact. Before are the sweeps that are done, longest is the
// longest translation of all, in m.
func (w *World) sweepBody(sw *motionSweep, before []motionSweep, longest float64) {
	com := w.bodies.massProps[sw.slot].com
	for _, g := range w.bodies.all[sw.slot].geoms {
		a := &w.geoms.all[g]
		if a.sensor || a.core == nil {
			continue
		}
		// The geom stays within this box, also when it rotates.
		box := swept(a.Shape.Bounds(sw.poseAt(0, com).Mul(a.local)).Grow(sw.turning+sw.arcHeight()),
			sw.translation)
		reach := box
		if sw.bullet {
			reach = box.Grow(longest)
		}
		w.solver.ccdCandidates = w.geoms.tree.Query(&reach, w.solver.ccdCandidates[:0])
		for _, o := range w.solver.ccdCandidates {
			b := &w.geoms.all[o]
			if moving := w.bodies.all[b.body].kind == Dynamic; b.sensor || moving && !sw.bullet ||
				!w.geoms.mayCollide(&w.bodies, &w.joints, g, o) {
				continue
			}
			if b.Surface == nil {
				sw.conservativeAdvance(a, com, &b.Proxy, w.geoms.placements[o].Pose, w.stepMotion(b.body,
					before))
			} else {
				w.sweepAgainstSurface(sw, a, com, b, w.geoms.placements[o].Pose, box, false)
			}
		}
	}
}

// stepMotion is a body's translation in the step; zero once its own sweep is done.
func (w *World) stepMotion(slot int32, before []motionSweep) r3.Vec {
	i := w.solver.index[slot]
	if i == 0 || w.bodies.all[slot].articulation != 0 {
		return r3.Vec{}
	}
	for k := range before {
		if before[k].slot == slot {
			return r3.Vec{}
		}
	}
	return w.solver.states[i].deltaPosition
}

// sweepAgainstSurface sweeps a geom against the triangles whose planes it reaches. Whole takes the geom
// instead of its core.
func (w *World) sweepAgainstSurface(sw *motionSweep, a *geom, com r3.Vec, b *geom, at r3.Pose, box r3.Box,
	whole bool) {
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

// conservativeAdvance shortens the motion to the impact of a geom with another proxy, which came along a line
// to its pose at the end of the step. The core decides whether there is an impact; the motion then ends where
// the geom itself touches, for the contact to be found. Overlaps at the start are left to the solver, up to
// the first core that does not overlap: to stop them could hinder a rotation out of the overlap.
func (sw *motionSweep) conservativeAdvance(g *geom, com r3.Vec, other *shape.Proxy, end r3.Pose,
	came r3.Vec) {
	outer := 0
	for proxy := &g.Proxy; sw.distanceAt(proxy, g, 0, com, other, end,
		came).Distance <= 2*ccdTolerance; outer++ {
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

// distanceAt is the distance at fraction t of the step, in the frame of the geom.
func (sw *motionSweep) distanceAt(proxy *shape.Proxy, g *geom, t float64, com r3.Vec, other *shape.Proxy,
	end r3.Pose, came r3.Vec) shape.Closest {
	end.Pos = end.Pos.AddScaled(t-1, came)
	return shape.Between(proxy, other, sw.poseAt(t, com).Mul(g.local).Relative(end))
}

// turningAlong bounds the motion of points along n by rotation, in m; it is zero along the axis.
func (sw *motionSweep) turningAlong(n r3.Vec) float64 {
	return float64(sw.rotation.Cross(n).Len()*sw.radius) + sw.otherTurning
}

// timeOfImpact is the fraction of the step, up to sw.fraction, at which a proxy of the geom touches the
// other.
func (sw *motionSweep) timeOfImpact(proxy *shape.Proxy, g *geom, com r3.Vec, other *shape.Proxy, end r3.Pose,
	came r3.Vec) (t float64, met bool) {
	for range maxAdvancements {
		c := sw.distanceAt(proxy, g, t, com, other, end, came)
		// Bound of the approach along the normal, in m per step.
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

// sweptMargin bounds the speculative margin, in m, of two geoms of which one is swept: beyond it the sweep
// finds their impact. Without a bound a body would be stopped by planes through corners that it passes.
func (bs *bodySet) sweptMargin(dt float64, c *contact, way float64) float64 {
	for _, s := range [2][2]int32{{c.bodyA, c.bodyB}, {c.bodyB, c.bodyA}} {
		if bs.isFree(s[0]) && (bs.all[s[1]].kind != Dynamic ||
			bs.isBullet(s[0], float64(bs.motion[s[0]].v.Len()*dt))) {
			way = min(way, bs.massProps[s[0]].halfThickness)
		}
	}
	return way
}

// hasPassedThrough reports that two geoms that are near each other, at a gap of least metres, will not touch
// in the next step either. A speculative contact would only stop a body that flies by. It is asked only for
// fast bodies.
func (w *World) hasPassedThrough(c *contact, least float64) bool {
	a, b, mover, other := c.a, c.b, c.bodyA, c.bodyB
	if w.bodies.all[mover].kind != Dynamic {
		a, b, mover, other = b, a, other, mover
	}
	if least <= 0 || w.geoms.all[b].Kind == shape.KindPlane || w.geoms.all[a].core == nil {
		return false
	}
	m, o, in := &w.bodies.motion[mover], &w.bodies.motion[other], &w.bodies.massProps[mover]
	dt := w.time.dt
	sw := motionSweep{slot: mover, com: m.com, rot: m.rot, translation: m.v.Sub(o.v).Scale(dt),
		rotation: m.w.Scale(dt), radius: in.radius, fraction: 1}
	if !w.bodies.isFree(mover) || float64(sw.translation.Len2()) <= float64(
		fastThreshold*fastThreshold*float64(in.halfThickness*in.halfThickness)) {
		return false
	}
	if w.bodies.all[other].kind != Dynamic {
		sw.translation = sw.translation.AddScaled(float64(0.5*float64(dt*dt)), w.cfg.Gravity)
	}
	sw.otherTurning = float64(dt * float64(o.w.Len()*w.bodies.massProps[other].radius))
	sw.turning = float64(sw.rotation.Len()*in.radius) + sw.otherTurning
	g, h := &w.geoms.all[a], &w.geoms.all[b]
	if h.Surface == nil {
		_, met := sw.timeOfImpact(&g.Proxy, g, in.com, &h.Proxy, w.geoms.placements[b].Pose, r3.Vec{})
		return !met
	}
	box := swept(g.Shape.Bounds(w.geoms.placements[a].Pose).Grow(sw.turning), sw.translation)
	w.sweepAgainstSurface(&sw, g, in.com, h, w.geoms.placements[b].Pose, box, true)
	return sw.fraction >= 1
}

// ccdCores are the nested cores of a convex shape: where one overlaps already, the next still stops the body.
func ccdCores(s shape.Convex) *[3]shape.Proxy {
	half := s.Bounds(r3.IdentityPose()).Half()
	layers := [3]float64{0.5, 0.75, 0.95} // parts of the half thickness
	cores := &[3]shape.Proxy{}
	for i, part := range layers {
		cores[i] = shape.CoreOf(s, float64(part*min(half.X, half.Y, half.Z)))
	}
	return cores
}
