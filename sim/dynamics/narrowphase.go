package dynamics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// touchDistance is the gap in metres from which on a contact wakes a sleeping body and counts as touching.
const touchDistance = 1e-3

// narrowScratch is what the narrow phase works on; nothing of it outlives a contact.
type narrowScratch struct {
	candidates    [maxMeshManifolds]contactPoints
	n             int
	seam          contactPoints // the shortest way to a seam of a surface
	apart         float64       // m, at least, where there are no points
	tris          []int32
	dropped       int // triangles that there was no time for
	touched       []int32
	old           [maxMeshManifolds]manifold
	internalEdges internalEdgeQuery
}

// contactPoints is the points found for one normal, before the choice of four.
type contactPoints struct {
	normal r3.Vec
	n      int
	points [32]candidatePoint
}

type candidatePoint struct {
	pos r3.Vec // on A's surface
	gap float64
	id  uint32
}

func (c *contactPoints) start(normal r3.Vec) { c.normal, c.n = normal, 0 }

// add keeps a candidate; a full cloud is first reduced to its four best.
func (c *contactPoints) add(pos r3.Vec, gap float64, id uint32) {
	if c.n == len(c.points) {
		var keep [maxManifoldPoints]int
		n := c.choosePoints(&keep)
		var best [maxManifoldPoints]candidatePoint
		for i := range n {
			best[i] = c.points[keep[i]]
		}
		c.n = copy(c.points[:], best[:n])
	}
	c.points[c.n] = candidatePoint{pos, gap, id}
	c.n++
}

// updateContact computes a contact's manifolds anew, unless they still hold, and hands over the impulses
// of points that are still there.
func (w *World) updateContact(d *workerScratch, i int32) {
	c := &w.contacts.all[i]
	a, b := &w.bounds[c.a], &w.bounds[c.b]
	c.gapsStale, c.validUntil = false, 0
	near := maxCoherentMotion // m, until the boxes are no longer near each other
	if !c.plane {
		near = a.lookahead + b.lookahead - speculation - a.box.Gap(&b.box)
	}
	if near < 0 {
		c.count, c.recycled = 0, false
		w.setMotionBound(c, -near)
		return
	}
	margin := w.margin(c)
	if w.recycle(i, margin, near) {
		return
	}
	sc := &d.narrow
	kept := copy(sc.old[:], w.manifolds[c.base:c.base+c.count])
	w.queryAdjacent(&sc.internalEdges, c)
	w.findContactPoints(sc, c, margin)
	if sc.n > 0 && sc.internalEdges.enabled {
		w.removeInternalEdges(sc, margin)
	}
	if sc.n > 0 && w.queryAdjacentOfOther(&sc.internalEdges, c) {
		w.removeInternalEdges(sc, margin)
	}
	if margin > speculation && sc.n > 0 && w.hasPassedThrough(c, sc.minGap()) {
		sc.n = 0
	}
	c.count = 0
	for k := range sc.n {
		cl := &sc.candidates[k]
		if cl.n == 0 || c.count == w.allocateManifolds(c) {
			continue
		}
		m := d.allocateManifold(w, c)
		c.count++
		cl.reduceTo(m, w.motion[c.bodyA].com)
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
	w.rememberPoses(i, sc.apart, near)
}

// allocateManifold is where the next manifold of a contact goes: to its own, or for now on the desk.
func (d *workerScratch) allocateManifold(w *World, c *contact) *manifold {
	if c.capacity > 0 {
		return &w.manifolds[c.base+c.count]
	}
	d.newManifolds = append(d.newManifolds, manifold{})
	return &d.newManifolds[len(d.newManifolds)-1]
}

// margin is how near two geoms must be to get points: as near as speculation wants, or as they may come
// in the next step when one could pass through the other in it.
func (w *World) margin(c *contact) float64 {
	v := w.motion[c.bodyB].v.Sub(w.motion[c.bodyA].v)
	thin := min(w.massProps[c.bodyA].halfThickness, w.massProps[c.bodyB].halfThickness)
	d2 := float64(v.Len2() * float64(w.lastDt*w.lastDt))
	if d2 <= float64(0.25*float64(thin*thin)) {
		return speculation
	}
	return speculation + w.sweptMargin(c, math.Sqrt(d2))
}

// findContactPoints fills the scratch with the points where two geoms are near each other, or with how far
// apart they are at least.
func (w *World) findContactPoints(sc *narrowScratch, c *contact, margin float64) {
	sc.n, sc.apart = 0, 0
	a, b := &w.geoms[c.a], &w.geoms[c.b]
	pa, pb := &w.placements[c.a], &w.placements[c.b]
	cl := &sc.candidates[0]
	cl.n = 0
	switch {
	case b.surface != nil:
		w.collideSurface(sc, a, pa, b, pb, margin)
		return
	case b.kind == shape.KindPlane:
		collidePlane(cl, a, pa, pb, margin)
	case a.kind == shape.KindBox && b.kind == shape.KindBox:
		sc.apart = collideBoxes(cl, a, pa, b, pb, margin)
	case a.kind == shape.KindSphere && b.kind == shape.KindSphere:
		collideBalls(cl, a, pa, b, pb, margin)
	default:
		sa, sb := convexProxy{g: a, proxy: &a.proxy}, convexProxy{g: b, proxy: &b.proxy}
		rel := pa.pose.Relative(pb.pose)
		sc.apart = collideSolids(cl, &sa, &sb, rel, margin)
		cl.toWorld(pa.pose)
	}
	if cl.n > 0 {
		sc.n = 1
	}
}

// minGap is the gap of the deepest point found.
func (sc *narrowScratch) minGap() float64 {
	gap := math.Inf(1)
	for i := range sc.n {
		if sc.candidates[i].n > 0 {
			gap = min(gap, sc.candidates[i].minGap())
		}
	}
	return gap
}

func (c *contactPoints) toWorld(p r3.Pose) {
	c.normal = p.Rot.Rotate(c.normal)
	for i := range c.n {
		c.points[i].pos = p.Apply(c.points[i].pos)
	}
}

func collideBalls(cl *contactPoints, a *geom, pa *geomPlacement, b *geom, pb *geomPlacement, margin float64) {
	d := pb.pose.Pos.Sub(pa.pose.Pos)
	l := d.Len()
	gap := l - a.half.X - b.half.X
	if gap > margin {
		return
	}
	n, ok := d.Unit()
	if !ok {
		n = r3.Vec{Z: 1}
	}
	cl.start(n)
	cl.add(pa.pose.Pos.AddScaled(a.half.X, n), gap, 0)
}

// inherit takes over what the solver remembers from the manifold of the step before.
func (m *manifold) inherit(old *manifold) {
	if m.normal.Dot(old.normal) > 0.9 && m.friction == (r3.Vec{}) {
		m.friction, m.rolling, m.spin = old.friction, old.rolling, old.spin
	}
	m.noWarmStart = m.noWarmStart || old.noWarmStart
	var taken [maxManifoldPoints]bool
	for i := range m.n {
		for k := range old.n {
			if old.ids[k] == m.ids[i] && !taken[k] {
				m.impulses[i], m.matched[i], taken[k] = old.impulses[k], true, true
				break
			}
		}
	}
	m.inheritNearby(old, &taken)
}

// matchDistance is how far, in metres squared, a point may have gone and still be the same when its
// features have changed: a corner that slips over an edge becomes a crossing of edges.
const matchDistance = 0.01 * 0.01

// inheritNearby hands the impulses that no feature asked for to new points in the same places.
func (m *manifold) inheritNearby(old *manifold, taken *[maxManifoldPoints]bool) {
	for i := range m.n {
		if m.matched[i] {
			continue
		}
		at, best := int32(-1), matchDistance
		for k := range old.n {
			if d := old.points[k].arm.Sub(m.points[i].arm).Len2(); !taken[k] && d < best {
				at, best = k, d
			}
		}
		if at >= 0 {
			m.impulses[i], m.matched[i], taken[at] = old.impulses[at], true, true
		}
	}
}

// reduceTo chooses at most four points that carry a load as all of them would.
func (c *contactPoints) reduceTo(m *manifold, com r3.Vec) {
	var keep [maxManifoldPoints]int
	n := c.choosePoints(&keep)
	*m = manifold{normal: c.normal, n: int32(n)}
	for i := range n {
		p := &c.points[keep[i]]
		m.points[i], m.ids[i] = contactPoint{arm: p.pos.Sub(com), gapWhenFound: p.gap, gap: p.gap}, p.id
	}
}

// deepestTolerance is how much less deep than the deepest, in metres, a point may be and still count as deepest.
const deepestTolerance = 5e-4

// deepestTolerancePart is the same as a part of how far the points are from their middle: for what is small.
const deepestTolerancePart = 0.01

// choosePoints picks the outermost of the deepest points, the one furthest from it, and the two that span
// most area with them on either side; a small advantage for earlier points keeps the choice steady. Far is
// what is far across the normal, less by how much higher it is: of what lies flat and is thin, the corners
// of the lower side carry it, not those of the upper side above them.
func (c *contactPoints) choosePoints(keep *[maxManifoldPoints]int) int {
	if c.n <= maxManifoldPoints {
		for i := range c.n {
			keep[i] = i
		}
		return c.n
	}
	const steady = 1.0001
	var middle r3.Vec
	for i := range c.n {
		middle = middle.AddScaled(1/float64(c.n), c.points[i].pos)
	}
	span := 0.0
	for i := range c.n {
		span = max(span, c.points[i].pos.Sub(middle).Len2())
	}
	least := c.minGap()
	deep := least + min(deepestTolerance, float64(deepestTolerancePart*math.Sqrt(span)))
	deepest, best := -1, 0.0
	for i := range c.n {
		d := c.points[i].pos.Sub(middle).Len2()
		if c.points[i].gap <= deep && (deepest < 0 || d > float64(best*steady)) {
			deepest, best = i, d
		}
	}
	a := c.points[deepest].pos
	far, out := deepest, r3.Vec{}
	best = 0
	for i := range c.n {
		v := c.points[i].pos.Sub(a)
		v = v.AddScaled(-v.Dot(c.normal), c.normal)
		if d := v.Len() - (c.points[i].gap - least); d > float64(best*steady) {
			far, best, out = i, d, v
		}
	}
	side, _ := out.Cross(c.normal).Unit()
	lo, hi, less, more := deepest, deepest, 1e-9, 1e-9
	for i := range c.n {
		d, high := c.points[i].pos.Sub(a).Dot(side), c.points[i].gap-least
		if d-high > float64(more*steady) {
			hi, more = i, d-high
		}
		if -d-high > float64(less*steady) {
			lo, less = i, -d-high
		}
	}
	n := 0
	for _, i := range [maxManifoldPoints]int{deepest, far, hi, lo} {
		dup := false
		for k := range n {
			dup = dup || keep[k] == i
		}
		if !dup {
			keep[n] = i
			n++
		}
	}
	return n
}
