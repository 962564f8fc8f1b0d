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

// sweeper is what continuous collision reads and writes of a world.
type sweeper struct {
	bodies *bodySet
	geoms  *geomSet
	joints *jointSet
	solver *solver
	time   *stepTime
	cfg    *Config
}

func sweeperOf(w *World) sweeper {
	return sweeper{&w.bodies, &w.geoms, &w.joints, &w.solver, &w.time, &w.cfg}
}

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

// addFast notes the motion of a fast body, which is still at the pose where the step began.
func (c *sweeper) addFast(d *workerScratch, slot int32, dp, da r3.Vec) {
	in, m := &c.bodies.massProps[slot], &c.bodies.motion[slot]
	if in.halfThickness > 1e9 {
		return // no geom that collides
	}
	way := dp.Len()
	turning := float64(da.Len() * max(0, in.radius-in.halfThickness))
	if way+turning <= float64(fastThreshold*in.halfThickness) {
		return
	}
	if !c.bodies.isFree(slot) {
		c.bodies.addFastJointed(d, slot, m.com.Add(dp), c.solver.rotations[c.solver.index[slot]])
		return
	}
	d.fastBodies = append(d.fastBodies, motionSweep{
		slot: slot, bullet: c.bodies.isBullet(slot, way), com: m.com, rot: m.rot, translation: dp,
		rotation: da,
		radius:   in.radius, turning: float64(da.Len() * in.radius), fraction: 1,
	})
}

// run ends the step of each fast body at its core's first impact.
func (c *sweeper) run(stats *Stats) {
	s := c.solver
	stats.Swept += len(s.fastBodies)
	longest := 0.0
	for i := range s.fastBodies {
		longest = max(longest, s.fastBodies[i].translation.Len())
	}
	for i := range s.fastBodies {
		sw := &s.fastBodies[i]
		c.sweep(sw, s.fastBodies[:i], longest)
		if sw.fraction >= 1 {
			continue
		}
		stats.Stopped++
		p := sw.poseAt(sw.fraction, c.bodies.massProps[sw.slot].com)
		m := &c.bodies.motion[sw.slot]
		m.w = p.Rot.Rotate(m.rot.RotateBack(m.w)) // constant in the body's frame: its energy does not change
		m.com, m.rot, m.origin = sw.com.AddScaled(sw.fraction, sw.translation), p.Rot, p.Pos
		if !c.bodies.all[sw.slot].noGravity { // for the rest of the step
			m.v = m.v.AddScaled(float64((sw.fraction-1)*c.time.dt), c.cfg.Gravity)
		}
		c.geoms.place(c.bodies, c.time, sw.slot, false)
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

// sweep shortens a body's motion to its first impact. Before are the sweeps that are done, longest is the
// longest translation of all, in m.
func (c *sweeper) sweep(sw *motionSweep, before []motionSweep, longest float64) {
	com := c.bodies.massProps[sw.slot].com
	for _, g := range c.bodies.all[sw.slot].geoms {
		a := &c.geoms.all[g]
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
		c.solver.ccdCandidates = c.geoms.tree.Query(&reach, c.solver.ccdCandidates[:0])
		for _, o := range c.solver.ccdCandidates {
			b := &c.geoms.all[o]
			if moving := c.bodies.all[b.body].kind == Dynamic; b.sensor || moving && !sw.bullet ||
				!c.geoms.mayCollide(c.bodies, c.joints, g, o) {
				continue
			}
			if b.Surface == nil {
				sw.conservativeAdvance(a, com, &b.Proxy, c.geoms.placements[o].Pose, c.stepMotion(b.body,
					before))
			} else {
				sw.sweepSurface(a, com, b, c.geoms.placements[o].Pose, box, false)
			}
		}
	}
}

// stepMotion is a body's translation in the step; zero once its own sweep is done.
func (c *sweeper) stepMotion(slot int32, before []motionSweep) r3.Vec {
	i := c.solver.index[slot]
	if i == 0 || c.bodies.all[slot].articulation != 0 {
		return r3.Vec{}
	}
	for k := range before {
		if before[k].slot == slot {
			return r3.Vec{}
		}
	}
	return c.solver.states[i].deltaPosition
}

// sweepSurface sweeps a geom against the triangles whose planes it reaches. Whole takes the geom
// instead of its core.
func (sw *motionSweep) sweepSurface(a *geom, com r3.Vec, b *geom, at r3.Pose, box r3.Box,
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
func (n *narrowphase) hasPassedThrough(c *contact, least float64) bool {
	a, b, mover, other := c.a, c.b, c.bodyA, c.bodyB
	if n.bodies.all[mover].kind != Dynamic {
		a, b, mover, other = b, a, other, mover
	}
	if least <= 0 || n.geoms.all[b].Kind == shape.KindPlane || n.geoms.all[a].core == nil {
		return false
	}
	m, o, in := &n.bodies.motion[mover], &n.bodies.motion[other], &n.bodies.massProps[mover]
	dt := n.time.dt
	sw := motionSweep{slot: mover, com: m.com, rot: m.rot, translation: m.v.Sub(o.v).Scale(dt),
		rotation: m.w.Scale(dt), radius: in.radius, fraction: 1}
	if !n.bodies.isFree(mover) || float64(sw.translation.Len2()) <= float64(
		fastThreshold*fastThreshold*float64(in.halfThickness*in.halfThickness)) {
		return false
	}
	if n.bodies.all[other].kind != Dynamic {
		sw.translation = sw.translation.AddScaled(float64(0.5*float64(dt*dt)), n.cfg.Gravity)
	}
	sw.otherTurning = float64(dt * float64(o.w.Len()*n.bodies.massProps[other].radius))
	sw.turning = float64(sw.rotation.Len()*in.radius) + sw.otherTurning
	g, h := &n.geoms.all[a], &n.geoms.all[b]
	if h.Surface == nil {
		_, met := sw.timeOfImpact(&g.Proxy, g, in.com, &h.Proxy, n.geoms.placements[b].Pose, r3.Vec{})
		return !met
	}
	box := swept(g.Shape.Bounds(n.geoms.placements[a].Pose).Grow(sw.turning), sw.translation)
	sw.sweepSurface(g, in.com, h, n.geoms.placements[b].Pose, box, true)
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
