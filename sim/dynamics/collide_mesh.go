package dynamics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// sameNormalCosine is the cosine between normals of triangles that share a manifold: 10°.
	sameNormalCosine = 0.985
	// maxTriangles is how many triangles of a surface one geom is tested against in a step.
	maxTriangles = 512 // Stats.TrianglesLeft counts those beyond
)

// collideSurface tests a convex geom against the triangles around it and gathers the points by normal,
// so that a flat floor of many triangles is one patch of contact.
func (w *World) collideSurface(sc *narrowScratch, a *geom, pa *geomPlacement, b *geom, pb *geomPlacement, margin float64) {
	rel := pb.pose.Relative(pa.pose)
	middle := rel.Apply(a.middle)
	other := convexProxy{g: a, proxy: &a.proxy}
	var one contactPoints
	if b.field != nil && collideSunken(&one, b.field, middle, &other, rel) {
		sc.addManifold(&one, pb.pose, 0)
		return
	}
	box := a.shape.Bounds(rel).Grow(margin)
	sc.tris = sc.tris[:0]
	shape.QuerySurface(b.surface, box, func(t int32) bool {
		if len(sc.tris) == maxTriangles {
			sc.dropped++
			return true
		}
		sc.tris = append(sc.tris, t)
		return true
	})
	sc.seam.n = 0
	for _, t := range sc.tris {
		p, q, r := b.surface.Triangle(t)
		proxy := shape.TriangleProxy(p, q, r)
		tri := convexProxy{proxy: &proxy, triangle: [3]r3.Vec{p, q, r}}
		one.n = 0
		if w.collideTriangle(sc, &one, &tri, &other, rel, middle, margin, b, t) {
			sc.addManifold(&one, pb.pose, uint32(t))
		}
	}
	if sc.seam.n > 0 && sc.minGap() > sc.seam.points[0].gap+seamTolerance {
		sc.addManifold(&sc.seam, pb.pose, 0)
	}
}

// seamTolerance is by how much, in m, faces beside a seam may miss the shortest way to it. A rod that lies across a
// gentle ridge touches it in its middle, which neither face is below.
const seamTolerance = 1e-6

// maxBackDepth is by how much, in m, what touches an edge may be past its face seen from the back. What stands across the edge of
// a solid has its middle behind the side, but is not in it.
const maxBackDepth = 0.005

// addManifold turns points in the surface's frame and from it into the world and from the geom, and gathers them.
func (sc *narrowScratch) addManifold(one *contactPoints, pose r3.Pose, t uint32) {
	for i := range one.n {
		c := &one.points[i]
		c.pos = pose.Apply(c.pos.AddScaled(c.gap, one.normal))
		c.id ^= t * 2654435761
	}
	one.normal = pose.Rot.Rotate(one.normal).Neg()
	sc.mergeManifold(one)
}

// collideSunken is the contact with the ground of a heightfield in which the middle of a geom has come to
// be: the plane of the triangle above it pushes it up again. False when it is not in the ground.
func collideSunken(cl *contactPoints, field *shape.Field, middle r3.Vec, other *convexProxy, rel r3.Pose) bool {
	t, height, over := field.Over(middle)
	if !over || height >= 0 {
		return false
	}
	normal := field.Normal(t)
	p, _, _ := field.Triangle(t)
	var f feature
	other.feature(rel.Rot.RotateBack(normal.Neg()), &f)
	cl.start(normal)
	for i := range f.n {
		at := rel.Apply(f.p[i])
		gap := at.Sub(p).Dot(normal)
		cl.add(at.AddScaled(-gap, normal), gap, uint32(f.id[i]))
	}
	return true
}

// collideTriangle is collideSolids for a triangle, without the edges that only exist because a
// surface is cut into triangles: on those the face's normal counts.
func (w *World) collideTriangle(sc *narrowScratch, cl *contactPoints, tri, other *convexProxy, rel r3.Pose, middle r3.Vec, margin float64, surface *geom, t int32) bool {
	// The side is that of the geom's middle: a body halfway through a thin surface is not pulled
	// apart by its two sides. A heightfield has one side; slopes that look away are behind a ridge.
	face := surface.surface.Normal(t)
	front := middle.Sub(tri.triangle[0]).Dot(face) >= 0
	if !front {
		if surface.field != nil {
			return false
		}
		face = face.Neg()
	}
	// What stands off the triangle's plane needs no search.
	if rel.Pos.Sub(tri.triangle[0]).Dot(face)-other.proxy.Furthest(rel.Rot.RotateBack(face.Neg())) > margin {
		return false
	}
	c := shape.Between(tri.proxy, other.proxy, rel)
	unround(tri, other, rel, &c)
	if c.Distance > margin {
		return false
	}
	if !front && outsideRidge(surface.surface, &tri.triangle, t, c.A, middle) {
		return false
	}
	buried := c.Distance < -internalEdgeMaxDepth
	if sc.internalEdges.enabled && w.coversEdge(&sc.internalEdges, surface.surface, t, middle, &c) || sc.isInternalMeshEdge(surface.surface, &tri.triangle, t, middle, &c) {
		return front && w.collideAdjacentFace(&sc.internalEdges, cl, tri, other, rel, face, margin, surface, t, middle) && (c.Distance <= 0 || cl.isInFront()) &&
			(buried || w.removeHiddenPoints(sc, cl, surface.surface, t, middle))
	}
	if away := face.Dot(c.Normal); away < 0 || isOnSeam(tri, &c, front, surface.surface, t) {
		if away > shape.FlatEdge && (sc.seam.n == 0 || c.Distance < sc.seam.points[0].gap) {
			sc.seam.start(c.Normal)
			sc.seam.add(c.A, c.Distance, 0xffff)
		}
		if !collideFace(cl, tri, other, rel, face, margin) || !front && cl.minGap() < c.Distance-maxBackDepth {
			return false
		}
		return (c.Distance <= 0 || cl.isInFront()) && (buried || w.removeHiddenPoints(sc, cl, surface.surface, t, middle))
	}
	collideGJK(cl, tri, other, rel, &c, margin)
	return cl.n > 0
}

// isOnSeam reports that the closest point lies on an edge which does not stand out on the side
// of the contact.
func isOnSeam(tri *convexProxy, c *shape.Closest, front bool, m shape.Surface, t int32) bool {
	on, seams := 0, 0
	for k := range 3 {
		p, q := tri.triangle[k], tri.triangle[(k+1)%3]
		e := q.Sub(p)
		l2 := e.Len2()
		if c.A.Sub(p).Cross(e).Len2() > float64(1e-12*float64(l2*l2)) {
			continue
		}
		on++
		switch m.Edge(t, k) {
		case shape.EdgeFlat:
			seams++
		case shape.EdgeRidge:
			if !front {
				seams++
			}
		case shape.EdgeValley:
			if front {
				seams++
			}
		}
	}
	return on > 0 && on == seams
}

// isInFront leaves out points behind a face that a geom does not touch: it stands on another slope, and passes below the
// plane of this one. False when none are left.
func (c *contactPoints) isInFront() bool {
	n := 0
	for i := range c.n {
		if c.points[i].gap >= 0 {
			c.points[n] = c.points[i]
			n++
		}
	}
	c.n = n
	return n > 0
}

// collideFace is the contact with a triangle's face alone: what lies beside it belongs to a neighbour.
func collideFace(cl *contactPoints, tri, other *convexProxy, rel r3.Pose, face r3.Vec, margin float64) bool {
	var fa, fb feature
	tri.feature(face, &fa)
	other.feature(rel.Rot.RotateBack(face.Neg()), &fb)
	for i := range fb.n {
		fb.p[i] = rel.Apply(fb.p[i])
	}
	cl.start(face)
	if fb.n > 1 {
		clipFeature(cl, &fa, &fb, margin, false)
		return cl.n > 0
	}
	p := fb.p[0]
	for k := range fa.n {
		e := fa.p[(k+1)%fa.n].Sub(fa.p[k])
		if p.Sub(fa.p[k]).Dot(e.Cross(face)) > float64(1e-6*e.Len2()) {
			return false
		}
	}
	gap := p.Sub(fa.p[0]).Dot(face)
	if gap > margin {
		return false
	}
	cl.add(p.AddScaled(-gap, face), gap, 0)
	return true
}

// mergeManifold adds a triangle's points to the cloud of their direction. When there are more directions than
// manifolds the shallowest give way.
func (sc *narrowScratch) mergeManifold(one *contactPoints) {
	for i := range sc.n {
		cl := &sc.candidates[i]
		if cl.normal.Dot(one.normal) > sameNormalCosine {
			cl.merge(one)
			return
		}
	}
	at := sc.n
	if at == len(sc.candidates) {
		at = 0
		for i := range sc.n {
			if sc.candidates[i].minGap() > sc.candidates[at].minGap() {
				at = i
			}
		}
		if one.minGap() >= sc.candidates[at].minGap() {
			return
		}
	} else {
		sc.n++
	}
	sc.candidates[at].start(one.normal)
	sc.candidates[at].merge(one)
}

// merge adds points, but not twice the same place: triangles share their edges.
func (c *contactPoints) merge(one *contactPoints) {
	for i := range one.n {
		p, twin := &one.points[i], false
		for k := range c.n {
			if c.points[k].pos.Sub(p.pos).Len2() < 1e-10 {
				twin = true
				break
			}
		}
		if !twin {
			c.add(p.pos, p.gap, p.id)
		}
	}
}

func (c *contactPoints) minGap() float64 {
	g := c.points[0].gap
	for i := range c.n {
		g = min(g, c.points[i].gap)
	}
	return g
}
