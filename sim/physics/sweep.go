package physics

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
	// fastPart of its half thickness is how far a body comes in a step before it is followed.
	fastPart = 0.5
	// bulletPart of its half thickness is from where on it is followed past moving bodies too.
	bulletPart = 6.0
	// sweepNear is how near, in metres, a core comes to what it meets.
	sweepNear = 1e-4
	// advances bounds the search; what has not been decided by then counts as met, which costs time but no wall.
	advances = 48
)

// sweep is the way of a body through a step.
type sweep struct {
	slot    int32
	bullet  bool
	com     r3.Vec
	rot     r3.Quat
	dp, da  r3.Vec
	reach   float64 // m, of its furthest point from its centre of mass
	turning float64 // m that a point of it moves by turning, at most
	other   float64 // m, the same of what it meets
	curved  bool    // it goes along a screw, by reel
	reel    r3.Vec
	first   float64 // the part of the step that it has, so far
}

// freeMover reports that a body may be stopped on its way: joints are kept by the solver only where all their bodies
// take the whole step.
func (w *World) freeMover(slot int32) bool {
	b := &w.bodies[slot]
	return b.kind == Dynamic && len(b.joints) == 0 && b.limb == 0
}

// isBullet reports that a body is followed past moving bodies when it comes so many metres in a step.
func (w *World) isBullet(slot int32, way float64) bool {
	return w.bodies[slot].bullet || way > float64(bulletPart*w.inert[slot].thin)
}

// noteSweep remembers the way of a body that is fast; it is still where the step began.
func (w *World) noteSweep(d *desk, slot int32, dp, da r3.Vec) {
	in, m := &w.inert[slot], &w.motion[slot]
	if in.thin > 1e9 {
		return // nothing that collides
	}
	way := dp.Len()
	turning := float64(da.Len() * max(0, in.reach-in.thin))
	if way+turning <= float64(fastPart*in.thin) {
		return
	}
	if !w.freeMover(slot) {
		w.noteTied(d, slot, m.com.Add(dp), w.solver.rots[w.solver.index[slot]])
		return
	}
	d.sweeps = append(d.sweeps, sweep{
		slot: slot, bullet: w.isBullet(slot, way), com: m.com, rot: m.rot, dp: dp, da: da, reach: in.reach, turning: float64(da.Len() * in.reach), first: 1,
	})
}

// followFast ends the step of each fast body where its core first meets something.
func (w *World) followFast() {
	s := &w.solver
	w.stats.Swept += len(s.sweeps)
	longest := 0.0
	for i := range s.sweeps {
		longest = max(longest, s.sweeps[i].dp.Len())
	}
	for i := range s.sweeps {
		sw := &s.sweeps[i]
		w.sweepBody(sw, s.sweeps[:i], longest)
		if sw.first >= 1 {
			continue
		}
		w.stats.Stopped++
		p := sw.body(sw.first, w.inert[sw.slot].com)
		m := &w.motion[sw.slot]
		m.w = p.Rot.Rotate(m.rot.RotateBack(m.w)) // as the body feels it: its energy does not change
		m.com, m.rot, m.origin = sw.com.AddScaled(sw.first, sw.dp), p.Rot, p.Pos
		if !w.bodies[sw.slot].noGravity { // the time that it has not had
			m.v = m.v.AddScaled(float64((sw.first-1)*w.lastDt), w.cfg.Gravity)
		}
		w.placeGeoms(sw.slot, false)
	}
	s.sweeps = s.sweeps[:0]
}

// body is the pose of the body's frame at a part of the step.
func (sw *sweep) body(t float64, com r3.Vec) r3.Pose {
	rot := sw.rot.Turn(sw.da.Scale(t))
	if sw.curved {
		return r3.Pose{Pos: sw.com.Add(screw(sw.reel, sw.da, t)).Sub(rot.Rotate(com)), Rot: rot}
	}
	return r3.Pose{Pos: sw.com.AddScaled(t, sw.dp).Sub(rot.Rotate(com)), Rot: rot}
}

// sweepBody shortens the way of a body to its first meeting; before are those whose way is decided, and longest the
// longest way of all, in metres.
func (w *World) sweepBody(sw *sweep, before []sweep, longest float64) {
	com := w.inert[sw.slot].com
	for _, g := range w.bodies[sw.slot].geoms {
		a := &w.geoms[g]
		if a.sensor || a.core == nil {
			continue
		}
		// Turned or not, the geom stays within this box.
		box := swept(a.shape.Bounds(sw.body(0, com).Mul(a.local)).Grow(sw.turning+sw.sag()), sw.dp)
		reach := box
		if sw.bullet {
			reach = box.Grow(longest)
		}
		w.solver.swept = w.tree.query(&reach, w.solver.swept[:0])
		for _, o := range w.solver.swept {
			b := &w.geoms[o]
			if moving := w.bodies[b.body].kind == Dynamic; b.sensor || moving && !sw.bullet || !w.mayCollide(g, o) {
				continue
			}
			if b.surface == nil {
				sw.advance(a, com, &b.proxy, w.placed[o].pose, w.wayOf(b.body, before))
			} else {
				w.sweepSurface(sw, a, com, b, w.placed[o].pose, box, false)
			}
		}
	}
}

// wayOf is what a body has moved in the step, along a line; nothing once it has been followed itself.
func (w *World) wayOf(slot int32, before []sweep) r3.Vec {
	i := w.solver.index[slot]
	if i == 0 || w.bodies[slot].limb != 0 {
		return r3.Vec{}
	}
	for k := range before {
		if before[k].slot == slot {
			return r3.Vec{}
		}
	}
	return w.solver.moving[i].dp
}

// sweepSurface looks at the triangles on the way, but for those whose plane the geom does not reach; whole asks for the
// meeting with itself, not with its core.
func (w *World) sweepSurface(sw *sweep, a *geom, com r3.Vec, b *geom, at r3.Pose, box r3.Box, whole bool) {
	from := at.Relative(sw.body(0, com).Mul(a.local))
	way := at.Rot.RotateBack(sw.dp)
	middle := from.Apply(a.middle)
	shape.QuerySurface(b.surface, box.Moved(at.Inverse()), func(t int32) bool {
		p, q, r := b.surface.Triangle(t)
		n := b.surface.Normal(t)
		if middle.Sub(p).Dot(n) < 0 {
			n = n.Neg()
		}
		near := from.Pos.Sub(p).Dot(n) - a.proxy.Furthest(from.Rot.RotateBack(n.Neg()))
		if near+min(0, way.Dot(n))-sw.turningAlong(at.Rot.Rotate(n))-sw.sag() <= sweepNear {
			tri := shape.TriangleProxy(p, q, r)
			if !whole {
				sw.advance(a, com, &tri, at, r3.Vec{})
			} else if t, met := sw.search(&a.proxy, a, com, &tri, at, r3.Vec{}); met {
				sw.first = t
			}
		}
		return true
	})
}

// advance shortens the way to where a geom meets something that stands at a pose when the step ends and has come
// there along a line. It counts that the core meets it; the way then ends where the geom itself does, for the contact
// to find it just before. What overlaps already is the solver's, up to the first core that does not: to hold it where
// it is could stop what turns out of the overlap.
func (sw *sweep) advance(g *geom, com r3.Vec, other *shape.Proxy, end r3.Pose, came r3.Vec) {
	outer := 0
	for proxy := &g.proxy; sw.between(proxy, g, 0, com, other, end, came).Distance <= 2*sweepNear; outer++ {
		if outer == len(g.core) {
			return
		}
		proxy = &g.core[outer]
	}
	t, met := sw.search(&g.core[max(0, outer-1)], g, com, other, end, came)
	if !met {
		return
	}
	sw.first = t
	if outer == 0 {
		sw.first, _ = sw.search(&g.proxy, g, com, other, end, came)
	}
}

// between is the distance at a part of the step, in the frame of the geom.
func (sw *sweep) between(proxy *shape.Proxy, g *geom, t float64, com r3.Vec, other *shape.Proxy, end r3.Pose, came r3.Vec) shape.Closest {
	end.Pos = end.Pos.AddScaled(t-1, came)
	return shape.Between(proxy, other, sw.body(t, com).Mul(g.local).Relative(end))
}

// turningAlong is how far a point moves along a direction by turning, at most: not at all along the axis.
func (sw *sweep) turningAlong(n r3.Vec) float64 {
	return float64(sw.da.Cross(n).Len()*sw.reach) + sw.other
}

// search finds the part of the step, within what is left of it, after which a proxy of the geom is near the other.
func (sw *sweep) search(proxy *shape.Proxy, g *geom, com r3.Vec, other *shape.Proxy, end r3.Pose, came r3.Vec) (t float64, met bool) {
	for range advances {
		c := sw.between(proxy, g, t, com, other, end, came)
		// Along this normal the two come no nearer than so many metres per step.
		n := sw.body(t, com).Rot.Mul(g.local.Rot).Rotate(c.Normal)
		speed := sw.turningAlong(n)
		if sw.curved {
			speed += sw.reel.Len()
		} else {
			speed += n.Dot(sw.dp.Sub(came))
		}
		if float64(speed*(sw.first-t)) <= c.Distance-sweepNear {
			return sw.first, false
		}
		if c.Distance <= sweepNear {
			return t, true
		}
		t += (c.Distance - float64(0.5*sweepNear)) / speed
		if t >= sw.first {
			return sw.first, false
		}
	}
	return t, true
}

// sweptMargin bounds the speculative margin of two geoms of which one is followed: beyond it their first meeting
// is found on the way. Without a bound a body would be stopped by planes through corners that it passes.
func (w *World) sweptMargin(c *contact, way float64) float64 {
	for _, s := range [2][2]int32{{c.bodyA, c.bodyB}, {c.bodyB, c.bodyA}} {
		if w.freeMover(s[0]) && (w.bodies[s[1]].kind != Dynamic || w.isBullet(s[0], float64(w.motion[s[0]].v.Len()*w.lastDt))) {
			way = min(way, w.inert[s[0]].thin)
		}
	}
	return way
}

// passes reports that two geoms which are near each other, but do not touch, will not in the next step if nothing
// else happens: then a contact between them would only stop what flies by. Asked only where one is fast.
func (w *World) passes(c *contact, least float64) bool {
	a, b, mover, other := c.a, c.b, c.bodyA, c.bodyB
	if w.bodies[mover].kind != Dynamic {
		a, b, mover, other = b, a, other, mover
	}
	if least <= 0 || w.geoms[b].kind == shape.KindPlane || w.geoms[a].core == nil {
		return false
	}
	m, o, in := &w.motion[mover], &w.motion[other], &w.inert[mover]
	dt := w.lastDt
	sw := sweep{slot: mover, com: m.com, rot: m.rot, dp: m.v.Sub(o.v).Scale(dt), da: m.w.Scale(dt), reach: in.reach, first: 1}
	if !w.freeMover(mover) || float64(sw.dp.Len2()) <= float64(fastPart*fastPart*float64(in.thin*in.thin)) {
		return false
	}
	if w.bodies[other].kind != Dynamic {
		sw.dp = sw.dp.AddScaled(float64(0.5*float64(dt*dt)), w.cfg.Gravity)
	}
	sw.other = float64(dt * float64(o.w.Len()*w.inert[other].reach))
	sw.turning = float64(sw.da.Len()*in.reach) + sw.other
	g, h := &w.geoms[a], &w.geoms[b]
	if h.surface == nil {
		_, met := sw.search(&g.proxy, g, in.com, &h.proxy, w.placed[b].pose, r3.Vec{})
		return !met
	}
	box := swept(g.shape.Bounds(w.placed[a].pose).Grow(sw.turning), sw.dp)
	w.sweepSurface(&sw, g, in.com, h, w.placed[b].pose, box, true)
	return sw.first >= 1
}

// coresOf are the cores of a convex shape, one within the other: what has come to overlap by one is held by the next.
func coresOf(s shape.Convex) *[3]shape.Proxy {
	half := s.Bounds(r3.IdentityPose()).Half()
	layers := [3]float64{0.5, 0.75, 0.95} // parts of the half thickness
	cores := &[3]shape.Proxy{}
	for i, part := range layers {
		cores[i] = shape.CoreOf(s, float64(part*min(half.X, half.Y, half.Z)))
	}
	return cores
}
