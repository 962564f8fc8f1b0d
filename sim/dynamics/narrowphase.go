package dynamics

import (
	"math"

	"simdeck/sim/dynamics/collide"
)

// touchDistance is the gap, in m, below which a contact counts as touching and wakes a sleeping body.
const touchDistance = 1e-3

// narrowScratch is a worker's scratch of the narrow phase. Nothing of it outlives a contact.
type narrowScratch struct {
	query   collide.Query
	touched []int32
	old     [maxMeshManifolds]manifold
}

// instance is a geom at its place, for the narrow phase.
func (gs *geomSet) instance(s int32) collide.Instance {
	return collide.Instance{Geometry: &gs.all[s].Geometry, Placement: &gs.placements[s].Placement}
}

// updateContact finds the manifolds of a contact anew, unless the old ones are still valid. Points that are
// still there keep their impulses.
func (w *World) updateContact(d *workerScratch, i int32) {
	c := &w.contacts.all[i]
	a, b := &w.geoms.bounds[c.a], &w.geoms.bounds[c.b]
	c.gapsStale, c.validUntil = false, 0
	near := maxCoherentMotion // m of motion until the bounds no longer overlap
	if !c.plane {
		near = a.lookahead + b.lookahead - speculation - a.box.Gap(&b.box)
	}
	if near < 0 {
		c.count, c.recycled = 0, false
		w.bodies.setMotionBound(c, -near)
		return
	}
	margin := w.bodies.margin(w.time.dt, c)
	if w.recycle(i, margin, near) {
		return
	}
	sc := &d.narrow
	kept := copy(sc.old[:], w.contacts.manifolds[c.base:c.base+c.count])
	w.findManifolds(&sc.query, c, margin)
	if margin > speculation && len(sc.query.Manifolds()) > 0 && w.hasPassedThrough(c, sc.query.MinGap()) {
		sc.query.Clear()
	}
	c.count = 0
	found := sc.query.Manifolds()
	for k := range found {
		if found[k].Count == 0 || c.count == w.geoms.maxManifolds(c) {
			continue
		}
		m := d.nextManifold(w, c)
		c.count++
		m.reduceFrom(&found[k], w.bodies.motion[c.bodyA].com)
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
	w.rememberPoses(i, sc.query.Separation(), near)
}

// findManifolds runs the narrow phase on a contact, and takes out internal edges of one geom, then of the
// other. Neighbors are gathered only where there is something to hide.
func (w *World) findManifolds(q *collide.Query, c *contact, margin float64) {
	q.Begin(w.geoms.instance(c.a), w.geoms.instance(c.b), margin)
	onA := w.bodies.all[c.bodyB].kind != Static && w.bodies.all[c.bodyA].kind == Static
	overMesh := q.Triangles() > 0
	enabled := overMesh && w.geoms.addNeighbors(&w.bodies, &w.joints, q, c, onA)
	q.Collide()
	if len(q.Manifolds()) == 0 {
		return
	}
	if !overMesh {
		enabled = w.geoms.addNeighbors(&w.bodies, &w.joints, q, c, onA)
	}
	if enabled {
		q.RemoveInternalEdges()
	}
	if len(q.Manifolds()) > 0 && w.geoms.addNeighborsOfOther(&w.bodies, &w.joints, q, c, !onA) {
		q.RemoveInternalEdges()
	}
}

// nextManifold is where the next manifold of a contact goes: into its block, or into the scratch until
// commitManifolds.
func (d *workerScratch) nextManifold(w *World, c *contact) *manifold {
	if c.capacity > 0 {
		return &w.contacts.manifolds[c.base+c.count]
	}
	d.newManifolds = append(d.newManifolds, manifold{})
	return &d.newManifolds[len(d.newManifolds)-1]
}

// margin is the gap, in m, up to which two geoms get points: the speculative distance, more where one could
// pass through the other in the next step.
func (bs *bodySet) margin(dt float64, c *contact) float64 {
	v := bs.motion[c.bodyB].v.Sub(bs.motion[c.bodyA].v)
	thin := min(bs.massProps[c.bodyA].halfThickness, bs.massProps[c.bodyB].halfThickness)
	d2 := float64(v.Len2() * float64(dt*dt))
	if d2 <= float64(0.25*float64(thin*thin)) {
		return speculation
	}
	return speculation + bs.sweptMargin(dt, c, math.Sqrt(d2))
}
