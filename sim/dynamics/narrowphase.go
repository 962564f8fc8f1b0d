package dynamics

import (
	"math"
	"slices"
	"unsafe"

	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// touchDistance is the gap, in m, below which a contact counts as touching and wakes a sleeping body.
const touchDistance = 1e-3

// narrowScratch is a worker's scratch of the narrow phase. Nothing of it outlives a contact.
type narrowScratch struct {
	query   collide.Query
	touched []int32
	old     [collide.MaxManifolds]manifold
}

// narrowphase has the parts of a world for the narrow phase.
type narrowphase struct {
	bodies   *bodySet
	geoms    *geomSet
	joints   *jointSet
	contacts *contactSet
	time     *stepTime
	cfg      *Config
}

// update finds the manifolds of a contact anew, unless the old ones are still valid. Points that are
// still there keep their impulses.
func (n *narrowphase) update(d *workerScratch, i int32) {
	c := &n.contacts.all[i]
	a, b := &n.geoms.bounds[c.a], &n.geoms.bounds[c.b]
	c.gapsStale, c.validUntil = false, 0
	near := maxCoherentMotion // m of motion until the bounds no longer overlap
	if !c.plane {
		near = a.lookahead + b.lookahead - speculation - a.box.Gap(&b.box)
	}
	if near < 0 {
		c.count, c.recycled = 0, false
		n.bodies.setMotionBound(c, -near)
		return
	}
	margin := n.bodies.margin(n.time.dt, c)
	if n.recycle(i, margin, near) {
		return
	}
	sc := &d.narrow
	kept := copy(sc.old[:], n.contacts.manifolds[c.base:c.base+c.count])
	n.findManifolds(&sc.query, c, margin)
	if margin > speculation && len(sc.query.Manifolds()) > 0 && n.hasPassedThrough(c, sc.query.MinGap()) {
		sc.query.Clear()
	}
	c.count = 0
	found := sc.query.Manifolds()
	for k := range found {
		if found[k].Count == 0 || c.count == n.geoms.maxManifolds(c) {
			continue
		}
		m := d.nextManifold(n.contacts, c)
		c.count++
		m.reduceFrom(&found[k], n.bodies.motion[c.bodyA].com)
		if c.count == 1 {
			c.points = int8(m.n)
		}
		for k := range kept {
			m.inherit(&sc.old[k])
		}
	}
	if c.capacity == 0 && c.count > 0 {
		d.pendingManifolds = append(d.pendingManifolds, pendingManifold{i, c.count})
	}
	n.rememberPoses(i, sc.query.Separation(), near)
}

// findManifolds runs the narrow phase on a contact, and takes out internal edges of one geom, then of the
// other. Neighbors are gathered only where there is something to hide.
func (n *narrowphase) findManifolds(q *collide.Query, c *contact, margin float64) {
	q.Begin(n.geoms.instance(c.a), n.geoms.instance(c.b), margin)
	onA := n.bodies.all[c.bodyB].kind != Static && n.bodies.all[c.bodyA].kind == Static
	overMesh := q.Triangles() > 0
	enabled := overMesh && n.geoms.addNeighbors(n.bodies, n.joints, q, c, onA)
	q.Collide()
	if len(q.Manifolds()) == 0 {
		return
	}
	if !overMesh {
		enabled = n.geoms.addNeighbors(n.bodies, n.joints, q, c, onA)
	}
	if enabled {
		q.RemoveInternalEdges()
	}
	if len(q.Manifolds()) > 0 && n.geoms.addNeighborsOfOther(n.bodies, n.joints, q, c, !onA) {
		q.RemoveInternalEdges()
	}
}

// nextManifold is the place of a contact's next manifold: in its block, or in the scratch until
// commitManifolds.
func (d *workerScratch) nextManifold(contacts *contactSet, c *contact) *manifold {
	if c.capacity > 0 {
		return &contacts.manifolds[c.base+c.count]
	}
	d.newManifolds = append(d.newManifolds, manifold{})
	return &d.newManifolds[len(d.newManifolds)-1]
}

// margin is the gap, in m, up to which geoms get points: the speculative distance, more where they could
// tunnel next step.
func (bs *bodySet) margin(dt float64, c *contact) float64 {
	v := bs.motion[c.bodyB].v.Sub(bs.motion[c.bodyA].v)
	thin := min(bs.massProps[c.bodyA].halfThickness, bs.massProps[c.bodyB].halfThickness)
	d2 := float64(v.Len2() * float64(dt*dt))
	if d2 <= float64(0.25*float64(thin*thin)) {
		return speculation
	}
	return speculation + bs.sweptMargin(dt, c, math.Sqrt(d2))
}

// finish ends the narrow phase over the active contacts. It gives new manifolds their blocks, wakes touched
// sleeping bodies and updates their contacts, and removes contacts whose fat boxes no longer overlap. It
// appends the contacts that may have manifolds to touching.
func (n *narrowphase) finish(active *activeSet, scratch []workerScratch, stats *Stats,
	touching []int32) []int32 {
	dead := n.commitManifolds(scratch, stats)
	for i := range scratch {
		touching = append(touching, scratch[i].touching...)
	}
	sc := &scratch[0].narrow
	for active.wakeTouching(n.bodies, n.contacts) {
		sc.touched = append(sc.touched[:0], active.contacts...)
		active.rebuild(n.bodies, n.contacts)
		k := 0
		for _, i := range active.contacts {
			// Both lists ascend by pair: contacts that are only in the second have not been updated.
			if k < len(sc.touched) && sc.touched[k] == i {
				k++
				continue
			}
			n.update(&scratch[0], i)
		}
		n.commitManifolds(scratch, stats)
		touching = append(touching[:0], active.contacts...)
	}
	if dead {
		isDead := func(i int32) bool { return n.contacts.all[i].dead }
		active.contacts, touching = slices.DeleteFunc(active.contacts, isDead),
			slices.DeleteFunc(touching, isDead)
		n.contacts.removeDead(active)
		active.dirty = false // the awake set is as before
	}
	return touching
}

// run is the narrow phase of one worker's contacts.
func (n *narrowphase) run(d *workerScratch, contacts []int32) {
	for k, i := range contacts {
		if k+prefetchContacts < len(contacts) {
			if c := &n.contacts.all[contacts[k+prefetchContacts]]; !n.bodies.stillValid(c) {
				n.prefetchContact(c)
			}
		}
		c := &n.contacts.all[i]
		if n.bodies.stillValid(c) {
			if c.count > 0 {
				c.gapsStale = true
				d.touching = append(d.touching, i)
			}
			continue
		}
		a, b := &n.geoms.bounds[c.a], &n.geoms.bounds[c.b]
		if (a.renewedStep >= n.time.steps || b.renewedStep >= n.time.steps || c.plane) &&
			!n.geoms.boxesOverlap(c.a, c.b) {
			c.dead, d.deadContacts = true, true
			c.count = 0
			continue
		}
		n.update(d, i)
		if c.count > 0 {
			d.touching = append(d.touching, i)
		}
	}
}

// commitManifolds copies new manifolds from the workers' scratch into blocks of their own. It reports that
// some contacts are dead.
func (n *narrowphase) commitManifolds(scratch []workerScratch, stats *Stats) (dead bool) {
	for i := range scratch {
		d := &scratch[i]
		from := int32(0)
		for _, p := range d.pendingManifolds {
			c := &n.contacts.all[p.contact]
			n.contacts.allocateManifolds(n.geoms, c)
			copy(n.contacts.manifolds[c.base:], d.newManifolds[from:from+p.count])
			from += p.count
		}
		d.newManifolds, d.pendingManifolds = d.newManifolds[:0], d.pendingManifolds[:0]
		dead = dead || d.deadContacts
		stats.TrianglesLeft += d.narrow.query.TakeSkippedTriangles()
	}
	return dead
}

// wakeTouching wakes the sleeping bodies that an awake body touches. It reports whether there were any.
func (as *activeSet) wakeTouching(bodies *bodySet, contacts *contactSet) bool {
	woke := false
	if !as.hasSleepingSide {
		return false
	}
	for _, i := range as.contacts {
		c := &contacts.all[i]
		if c.count == 0 || c.sensor {
			continue
		}
		for _, s := range [2]int32{c.bodyA, c.bodyB} {
			if bodies.sleeps(s) && contacts.isTouching(bodies, i) {
				as.wake(bodies, s)
				woke = true
			}
		}
	}
	return woke
}

// isTouching reports that a point of a contact is nearer than touchDistance.
func (cs *contactSet) isTouching(bodies *bodySet, i int32) bool {
	cs.updateGaps(bodies, i)
	c := &cs.all[i]
	for _, m := range cs.manifolds[c.base : c.base+c.count] {
		for k := range m.n {
			if m.points[k].gap < touchDistance {
				return true
			}
		}
	}
	return false
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

// prefetchContact prefetches what decides whether a contact is still valid: of B, since A mostly stays the
// same.
func (n *narrowphase) prefetchContact(c *contact) {
	prefetch(unsafe.Pointer(&n.geoms.bounds[c.b]), int(unsafe.Sizeof(fatBound{})))
	prefetch(unsafe.Pointer(&n.bodies.motion[c.bodyB]), int(unsafe.Sizeof(bodyPoseVelocity{})))
	prefetch(unsafe.Pointer(&n.bodies.massProps[c.bodyB].radius), int(unsafe.Sizeof(float64(0))))
}
