package dynamics

import (
	"cmp"
	"math"
	"slices"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Continuous collision: the core of a fast body, its shape without the outer half of the thickness, must not
// pass through other geoms. The time of impact is found by conservative advancement (Mirtich, "Impulse-based
// Dynamic Simulation of Rigid Body Systems", 1996). The body's step ends there; its velocity stays, and the
// new contact acts in the next step. A core is clear of the floor that its body slides on, so that it does
// not catch.

const (
	// fastThreshold is the motion in a step, in half thicknesses, from which on a body is swept. Cores are
	// half as thick as bodies.
	fastThreshold = 0.5
	// bulletThreshold is the motion from which on it is swept against moving bodies too; chosen.
	bulletThreshold = 6.0
	// ccdTolerance is the distance, in m, at which a core counts as touching; chosen.
	ccdTolerance = 1e-4
	// maxAdvancements bounds the iterations; an undecided sweep counts as an impact, so that no wall is
	// passed.
	maxAdvancements = 48
)

// sweeper has the parts of a world for continuous collision.
type sweeper struct {
	bodies        *bodySet
	geoms         *geomSet
	joints        *jointSet
	articulations articulationList
	solver        *solver
	time          *stepTime
	cfg           *Config
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
		c.sweep(sw, longest)
		s.states[s.index[sw.slot]].deltaPosition = r3.Vec{} // no motion is left
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

// sweep shortens a body's motion to its first impact. Longest is the longest translation of all swept bodies,
// in m.
func (c *sweeper) sweep(sw *motionSweep, longest float64) {
	com := c.bodies.massProps[sw.slot].com
	for _, g := range c.bodies.all[sw.slot].geoms {
		a := &c.geoms.all[g]
		if a.sensor || a.core == nil {
			continue
		}
		// The geom stays within these boxes, also when it rotates.
		start := a.Shape.Bounds(sw.poseAt(0, com).Mul(a.local)).Grow(sw.turning + sw.arcHeight())
		box := swept(start, sw.translation)
		reach := box
		if sw.bullet {
			reach = box.Grow(longest)
		}
		c.solver.ccdCandidates = c.geoms.tree.Query(&reach, c.solver.ccdCandidates[:0])
		for _, o := range c.solver.ccdCandidates {
			b := &c.geoms.all[o]
			came := c.stepMotion(b.body)
			if moving := c.bodies.all[b.body].kind == Dynamic; b.sensor || moving && !sw.bullet ||
				!sw.comesNear(&start, &c.geoms.placements[o].tight, came) ||
				!c.geoms.mayCollide(c.bodies, c.joints, g, o) {
				continue
			}
			end := c.geoms.placements[o].Pose
			if b.Surface != nil {
				sw.sweepSurface(a, com, b, end, box, false)
			} else if !sw.staysClear(a, com, &b.Proxy, end, came) {
				sw.conservativeAdvance(a, com, &b.Proxy, end, came)
			}
		}
	}
}

// stepMotion is a body's translation in the step; zero once its own sweep is done.
func (c *sweeper) stepMotion(slot int32) r3.Vec {
	i := c.solver.index[slot]
	if i == 0 || c.bodies.all[slot].articulation != 0 {
		return r3.Vec{}
	}
	return c.solver.states[i].deltaPosition
}

// comesNear reports that a geom, which starts within one box, may touch another that came to its own box at
// the end of the step.
func (sw *motionSweep) comesNear(start, end *r3.Box, came r3.Vec) bool {
	from := r3.Box{Min: start.Min.Add(came), Max: start.Max.Add(came)}
	way := swept(from, sw.translation.Sub(came))
	return way.Near(end, 2*ccdTolerance)
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

// conservativeAdvance shortens the motion to a geom's impact with another proxy, which came along a line to
// its pose at the end. The core decides whether there is an impact; the motion then ends where the geom
// itself touches, for the contact to be found. Overlaps at the start are left to the solver, up to the first
// core without overlap: stopping them could hinder an escaping rotation.
func (sw *motionSweep) conservativeAdvance(g *geom, com r3.Vec, other *shape.Proxy, end r3.Pose,
	came r3.Vec) {
	outer := 0
	first := sw.distanceAt(&g.Proxy, g, 0, com, other, end, came)
	for ; first.Distance <= 2*ccdTolerance; outer++ {
		if outer == len(g.core) {
			return
		}
		first = sw.distanceAt(&g.core[outer], g, 0, com, other, end, came)
	}
	if float64(sw.approachSpeed(&first, g, 0, com, came)*sw.fraction) <= first.Distance-ccdTolerance {
		return // neither does its core, which is inside
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

// staysClear reports that a plane across the line between two geoms parts them all the way. It is a quick
// test before that of the shortest way.
func (sw *motionSweep) staysClear(g *geom, com r3.Vec, other *shape.Proxy, end r3.Pose, came r3.Vec) bool {
	at := sw.poseAt(0, com).Mul(g.local)
	end.Pos = end.Pos.Sub(came)
	rel := at.Relative(end)
	n, ok := rel.Pos.Sub(g.Middle).Unit()
	if !ok {
		return false
	}
	gap := rel.Pos.Dot(n) - other.Furthest(rel.Rot.RotateBack(n.Neg())) - g.Proxy.Furthest(n)
	c := shape.Closest{Distance: gap, Normal: n}
	return gap > 2*ccdTolerance &&
		float64(sw.approachSpeed(&c, g, 0, com, came)*sw.fraction) <= gap-ccdTolerance
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

// approachSpeed bounds the approach along the normal of the shortest way at fraction t, in m per step.
func (sw *motionSweep) approachSpeed(c *shape.Closest, g *geom, t float64, com, came r3.Vec) float64 {
	n := sw.poseAt(t, com).Rot.Mul(g.local.Rot).Rotate(c.Normal)
	if sw.screwMotion {
		return sw.turningAlong(n) + sw.screwVelocity.Len()
	}
	return sw.turningAlong(n) + n.Dot(sw.translation.Sub(came))
}

// timeOfImpact is the fraction of the step, up to sw.fraction, at which a proxy of the geom touches the
// other.
func (sw *motionSweep) timeOfImpact(proxy *shape.Proxy, g *geom, com r3.Vec, other *shape.Proxy, end r3.Pose,
	came r3.Vec) (t float64, met bool) {
	for range maxAdvancements {
		c := sw.distanceAt(proxy, g, t, com, other, end, came)
		speed := sw.approachSpeed(&c, g, t, com, came)
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

// Continuous collision of jointed bodies: they are swept against static and kinematic geoms and stopped
// together. At the first impact of a core the step ends for all bodies connected by joints. Sweeps are screws
// from the pose before the step to that after it, since a body on a hinge moves along an arc. Articulations
// go back in joint coordinates, so that their joints hold. Other joints open by the difference between the
// screws and the true motions; the solver closes them.

// addFastJointed notes the motion of a fast jointed body, which is still at the pose where the step began.
func (bs *bodySet) addFastJointed(d *workerScratch, slot int32, com r3.Vec, rot r3.Quat) {
	m := &bs.motion[slot]
	if bs.all[slot].kind == Dynamic {
		d.fastJointed = append(d.fastJointed, bs.screwSweep(slot, r3.Pose{Pos: m.com, Rot: m.rot}, com,
			rot))
	}
}

// screwSweep is the screw motion of a body's center of mass and axes from one pose to another.
func (bs *bodySet) screwSweep(slot int32, from r3.Pose, com r3.Vec, rot r3.Quat) motionSweep {
	radius := bs.massProps[slot].radius
	sw := motionSweep{slot: slot, com: from.Pos, rot: from.Rot, translation: com.Sub(from.Pos),
		rotation: rot.Mul(from.Rot.Conj()).Vector(), radius: radius, fraction: 1, screwMotion: true}
	sw.turning = float64(sw.rotation.Len() * radius)
	sw.screwVelocity = screwVelocity(sw.translation, sw.rotation)
	return sw
}

// screwMotion is the displacement at fraction t of a point with this initial velocity in a frame that rotates
// by t·da.
func screwMotion(velocity, da r3.Vec, t float64) r3.Vec {
	angle := float64(t * da.Len())
	out := velocity.Scale(t)
	if angle < 1e-6 {
		return out
	}
	sin, cos := r3.SinCos(angle)
	u, _ := da.Unit()
	across := out.Sub(u.Scale(u.Dot(out)))
	return out.AddScaled(sin/angle-1, across).AddScaled((1-cos)/angle, u.Cross(across))
}

// screwVelocity is the initial velocity with which screwMotion arrives at dp for t = 1.
func screwVelocity(dp, da r3.Vec) r3.Vec {
	half := float64(0.5 * da.Len())
	if half < 1e-6 {
		return dp
	}
	sin, cos := r3.SinCos(half)
	u, _ := da.Unit()
	across := dp.Sub(u.Scale(u.Dot(dp)))
	return dp.AddScaled(float64(half*cos)/sin-1, across).AddScaled(-half, u.Cross(across))
}

// arcHeight bounds the height of the screw's arc over its chord, in m.
func (sw *motionSweep) arcHeight() float64 {
	if !sw.screwMotion {
		return 0
	}
	return float64(0.5*sw.translation.Len()) * r3.Tan(min(0.25*sw.rotation.Len(), 1))
}

// publishFastLinks publishes a tree of links at the end of a step, and notes the motions of fast links.
func (c *sweeper) publishFastLinks(d *workerScratch, l *worldArticulation) {
	d.startPoses = linalg.Grow(d.startPoses, len(l.links))
	for i := range l.links {
		m := &c.bodies.motion[l.links[i].body]
		d.startPoses[i].Pos, d.startPoses[i].Rot = m.com, m.rot
	}
	d.escaped = l.publish(c.bodies, c.geoms, c.time, true, d.escaped)
	for i := range l.links {
		slot := l.links[i].body
		in, m := &c.bodies.massProps[slot], &c.bodies.motion[slot]
		if in.halfThickness > 1e9 || c.bodies.all[slot].kind != Dynamic {
			continue
		}
		// π·|vector part| of the quaternion is at least the rotation angle: a quick bound to sort out slow
		// links.
		way := m.com.Dist(d.startPoses[i].Pos)
		q := m.rot.Mul(d.startPoses[i].Rot.Conj())
		turn := float64(math.Pi * math.Sqrt(float64(q.X*q.X)+float64(q.Y*q.Y)+float64(q.Z*q.Z)))
		if way+float64(turn*max(0, in.radius-in.halfThickness)) > float64(fastThreshold*in.halfThickness) {
			d.fastJointed = append(d.fastJointed, c.bodies.screwSweep(slot, d.startPoses[i], m.com, m.rot))
		}
	}
}

// runJointed ends the step of bodies connected by joints at the first impact of a core of
// theirs.
func (c *sweeper) runJointed(stats *Stats) {
	s := c.solver
	stats.Swept, stats.Stopped = len(s.fastJointed), 0
	if len(s.fastJointed) == 0 {
		return
	}
	for i := range s.fastJointed {
		c.sweep(&s.fastJointed[i], 0)
	}
	slices.SortFunc(s.fastJointed, func(a, b motionSweep) int {
		return cmp.Or(cmp.Compare(a.fraction, b.fraction), cmp.Compare(a.slot, b.slot))
	})
	s.rewound = linalg.Grow(s.rewound, len(c.bodies.all))
	clear(s.rewound)
	for i := range s.fastJointed {
		if sw := &s.fastJointed[i]; sw.fraction < 1 && !s.rewound[sw.slot] {
			stats.Stopped++
			c.rewindConnected(sw.slot, sw.fraction)
		}
	}
	s.fastJointed = s.fastJointed[:0]
}

// rewindConnected moves all bodies connected with one back to a fraction of the step.
func (c *sweeper) rewindConnected(slot int32, part float64) {
	s, bodies := c.solver, c.bodies
	s.connected = append(s.connected[:0], slot)
	s.rewound[slot] = true
	add := func(next int32) {
		if next >= 0 && !s.rewound[next] && bodies.all[next].kind == Dynamic {
			s.rewound[next] = true
			s.connected = append(s.connected, next)
		}
	}
	for k := 0; k < len(s.connected); k++ {
		b := &bodies.all[s.connected[k]]
		for _, j := range b.joints {
			add(c.joints.all[j].parent)
			add(c.joints.all[j].child)
		}
	}
	before := bodies.potentialEnergy(c.cfg.Gravity, s.connected)
	for _, b := range s.connected {
		if bodies.all[b].articulation == 0 {
			c.rewind(b, part)
		}
	}
	for _, b := range s.connected {
		if bodies.all[b].articulation != 0 && bodies.all[b].link == 0 {
			c.rewindArticulation(&c.articulations[bodies.all[b].articulation-1], part)
		}
	}
	bodies.removeEnergy(c.articulations, s.connected,
		bodies.potentialEnergy(c.cfg.Gravity, s.connected)-before)
}

// potentialEnergy is the potential energy of bodies in gravity, in J.
func (bs *bodySet) potentialEnergy(gravity r3.Vec, bodies []int32) float64 {
	sum := 0.0
	for _, b := range bodies {
		if !bs.all[b].noGravity {
			sum -= float64(bs.massProps[b].mass * gravity.Dot(bs.motion[b].com))
		}
	}
	return sum
}

// removeEnergy scales the velocities of connected bodies by one factor to remove kinetic energy, in J: a body
// moved back up never fell.
func (bs *bodySet) removeEnergy(articulations []worldArticulation, bodies []int32, energy float64) {
	if energy <= 0 {
		return
	}
	sum := 0.0
	for _, b := range bodies {
		m, in := &bs.motion[b], &bs.massProps[b]
		spin := m.rot.RotateBack(m.w)
		sum += float64(0.5*in.mass*m.v.Len2()) + float64(0.5*spin.Dot(in.inertia.Apply(spin)))
	}
	part := math.Sqrt(max(0, sum-energy) / max(sum, energy))
	for _, b := range bodies {
		m := &bs.motion[b]
		m.v, m.w = m.v.Scale(part), m.w.Scale(part)
		if bs.all[b].articulation != 0 && bs.all[b].link == 0 {
			l := &articulations[bs.all[b].articulation-1]
			l.ScaleVelocities(part)
		}
	}
}

// rewind moves one body back to a fraction of the step.
func (c *sweeper) rewind(slot int32, part float64) {
	s := c.solver
	i := s.index[slot]
	if i == 0 {
		return
	}
	m, mv := &c.bodies.motion[slot], &s.states[i]
	m.com, m.rot = m.com.AddScaled(part-1, mv.deltaPosition), m.rot.Turn(mv.deltaRotation.Scale(part-1))
	for k := range s.fastJointed {
		if sw := &s.fastJointed[k]; sw.slot == slot {
			m.com, m.rot = sw.com.Add(screwMotion(sw.screwVelocity, sw.rotation, part)),
				sw.rot.Turn(sw.rotation.Scale(part))
		}
	}
	m.origin = m.com.Sub(m.rot.Rotate(c.bodies.massProps[slot].com))
	mv.deltaPosition, mv.deltaRotation = mv.deltaPosition.Scale(part), mv.deltaRotation.Scale(part)
	c.geoms.place(c.bodies, c.time, slot, false)
}

// rewindArticulation moves an articulation back to a fraction of the step, in joint coordinates.
func (c *sweeper) rewindArticulation(l *worldArticulation, part float64) {
	l.Rewind(part, c.solver.h)
	c.geoms.refresh(c.bodies, l.publish(c.bodies, c.geoms, c.time, true, nil))
	l.storeJointState(c.joints, c.solver.invH)
}
