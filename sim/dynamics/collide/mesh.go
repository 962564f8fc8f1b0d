package collide

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// sameNormalCosine is the cosine between normals of triangles that share a manifold: 10°.
	sameNormalCosine = 0.985
	// maxTriangles bounds the triangles of a surface that a pair is tested against; others are skipped and
	// counted.
	maxTriangles = 512
	// edgeManifoldTolerance is the difference, m, by which the way to a flat or concave edge must be shorter
	// than to its faces. A rod across a gentle ridge touches it in its middle, over neither face.
	edgeManifoldTolerance = 1e-6
	// maxBackDepth is the largest depth, m, past a face seen from the back of a body that touches an edge. A
	// body that stands across an edge of a solid has its middle behind the side face, but is not in it.
	maxBackDepth = 0.005
)

// meshQuery is a convex geometry near a surface, in the surface's frame.
type meshQuery struct {
	surface   shape.Surface
	field     *shape.Field // the surface, when it is a heightfield
	other     solid        // the convex geometry
	pose      r3.Pose      // its pose
	middle    r3.Vec       // its middle
	triangles []int32      // near it
	skipped   int          // triangles beyond maxTriangles
	edge      Manifold     // the shortest way to a flat or concave edge, which no face may explain
	one       Manifold     // of one triangle
}

// meshTriangle is a triangle under test.
type meshTriangle struct {
	solid
	index int32
	face  r3.Vec // its normal on the side of the other's middle
	front bool   // the normal is the triangle's own
}

// beginMesh finds the triangles near A (mid phase), or pushes A out of a heightfield that it has sunk into.
func (q *Query) beginMesh() {
	s, a, b := &q.mesh, q.a, q.b
	s.surface, s.field = b.Surface, b.Field
	s.other = solid{geometry: a.Geometry, proxy: &a.Proxy}
	s.pose = b.Pose.Relative(a.Pose)
	s.middle = s.pose.Apply(a.Middle)
	if s.field != nil && s.collideSunken() {
		q.addManifold(&s.one, 0)
		return
	}
	box := a.Shape.Bounds(s.pose).Grow(q.margin)
	shape.QuerySurface(s.surface, box, func(t int32) bool {
		if len(s.triangles) == maxTriangles {
			s.skipped++
			return true
		}
		s.triangles = append(s.triangles, t)
		return true
	})
}

// collideMesh tests A against each triangle near it and merges points by normal: a flat floor of many
// triangles is one manifold.
func (q *Query) collideMesh() {
	s := &q.mesh
	s.edge.Count = 0
	for _, t := range s.triangles {
		a, b, c := s.surface.Triangle(t)
		proxy := shape.TriangleProxy(a, b, c)
		tri := meshTriangle{solid: solid{proxy: &proxy, triangle: [3]r3.Vec{a, b, c}}, index: t}
		s.one.Count = 0
		if q.collideTriangle(&tri) {
			q.addManifold(&s.one, uint32(t))
		}
	}
	if s.edge.Count > 0 && q.MinGap() > s.edge.Points[0].Gap+edgeManifoldTolerance {
		q.addManifold(&s.edge, 0)
	}
}

// addManifold moves a manifold from the surface's frame and side to the world's frame and A's side, and
// merges it. Triangle makes the ids of its points differ from those of other triangles.
func (q *Query) addManifold(one *Manifold, triangle uint32) {
	pose := q.b.Pose
	for i := range one.Count {
		p := &one.Points[i]
		p.Position = pose.Apply(p.Position.AddScaled(p.Gap, one.Normal))
		p.ID ^= triangle * 2654435761
	}
	one.Normal = pose.Rot.Rotate(one.Normal).Neg()
	q.mergeManifold(one)
}

// collideSunken makes the contact of a geometry whose middle is below a heightfield: the plane of the
// triangle above it pushes it up. It reports false when the middle is not below.
func (s *meshQuery) collideSunken() bool {
	t, height, over := s.field.Over(s.middle)
	if !over || height >= 0 {
		return false
	}
	normal := s.field.Normal(t)
	p, _, _ := s.field.Triangle(t)
	var f feature
	s.other.feature(s.pose.Rot.RotateBack(normal.Neg()), &f)
	s.one.start(normal)
	for i := range f.n {
		at := s.pose.Apply(f.p[i])
		gap := at.Sub(p).Dot(normal)
		s.one.add(at.AddScaled(-gap, normal), gap, uint32(f.id[i]))
	}
	return true
}

// collideTriangle is collideConvex for a triangle, into q.mesh.one. On internal edges the normal of the face
// counts. It reports whether there are points.
func (q *Query) collideTriangle(tri *meshTriangle) bool {
	s := &q.mesh
	if !s.chooseSide(tri) {
		return false
	}
	if s.pose.Pos.Sub(tri.triangle[0]).Dot(tri.face)-
		s.other.proxy.Furthest(s.pose.Rot.RotateBack(tri.face.Neg())) > q.margin {
		return false // off the triangle's plane
	}
	c := shape.Between(tri.proxy, s.other.proxy, s.pose)
	unround(&tri.solid, &s.other, s.pose, &c)
	if c.Distance > q.margin {
		return false
	}
	if !tri.front && s.isOutsideRidge(tri, c.A) {
		return false
	}
	buried := c.Distance < -MaxInternalEdgeDepth
	if q.edges.enabled && q.isEdgeCovered(tri, &c) || q.isInternalMeshEdge(tri, &c) {
		return tri.front && q.collideAdjacentFace(tri) && (c.Distance <= 0 || s.one.removeBehind()) &&
			(buried || q.removeHiddenPoints(tri))
	}
	if away := tri.face.Dot(c.Normal); away < 0 || s.isOnFlatEdge(tri, &c) {
		if away > shape.FlatEdge && (s.edge.Count == 0 || c.Distance < s.edge.Points[0].Gap) {
			s.edge.start(c.Normal)
			s.edge.add(c.A, c.Distance, closestPointID)
		}
		if !s.one.collideFace(&tri.solid, &s.other, s.pose, tri.face, q.margin) || !tri.front &&
			s.one.minGap() < c.Distance-maxBackDepth {
			return false
		}
		return (c.Distance <= 0 || s.one.removeBehind()) && (buried || q.removeHiddenPoints(tri))
	}
	s.one.clipFeatures(&tri.solid, &s.other, s.pose, &c, q.margin)
	return s.one.Count > 0
}

// chooseSide turns a triangle's face to the other's middle: the two sides of a thin surface do not pull a
// body halfway through it apart. A heightfield has one side; slopes that face away are behind a ridge, and
// false.
func (s *meshQuery) chooseSide(tri *meshTriangle) bool {
	tri.face = s.surface.Normal(tri.index)
	tri.front = s.middle.Sub(tri.triangle[0]).Dot(tri.face) >= 0
	if tri.front {
		return true
	}
	if s.field != nil {
		return false
	}
	tri.face = tri.face.Neg()
	return true
}

// isOnFlatEdge reports that the closest point lies only on flat edges, or concave ones on the contact's side:
// nothing touches those alone.
func (s *meshQuery) isOnFlatEdge(tri *meshTriangle, c *shape.Closest) bool {
	on, flat := 0, 0
	for k := range 3 {
		p, q := tri.triangle[k], tri.triangle[(k+1)%3]
		e := q.Sub(p)
		l2 := e.Len2()
		if c.A.Sub(p).Cross(e).Len2() > float64(1e-12*float64(l2*l2)) {
			continue
		}
		on++
		switch s.surface.Edge(tri.index, k) {
		case shape.EdgeFlat:
			flat++
		case shape.EdgeRidge:
			if !tri.front {
				flat++
			}
		case shape.EdgeValley:
			if tri.front {
				flat++
			}
		}
	}
	return on > 0 && on == flat
}

// collideFace makes the contact with one face of a solid, with this normal; what lies beside the face belongs
// to a neighboring one. Rel is the pose of other in the face's frame.
func (m *Manifold) collideFace(face, other *solid, rel r3.Pose, normal r3.Vec, margin float64) bool {
	var fa, fb feature
	face.feature(normal, &fa)
	other.feature(rel.Rot.RotateBack(normal.Neg()), &fb)
	for i := range fb.n {
		fb.p[i] = rel.Apply(fb.p[i])
	}
	m.start(normal)
	if fb.n > 1 {
		m.clipFace(&fa, &fb, margin, false)
		return m.Count > 0
	}
	p := fb.p[0]
	for k := range fa.n {
		e := fa.p[(k+1)%fa.n].Sub(fa.p[k])
		if p.Sub(fa.p[k]).Dot(e.Cross(normal)) > float64(1e-6*e.Len2()) {
			return false
		}
	}
	gap := p.Sub(fa.p[0]).Dot(normal)
	if gap > margin {
		return false
	}
	m.add(p.AddScaled(-gap, normal), gap, 0)
	return true
}

// mergeManifold adds the points of a triangle to the manifold of nearly the same normal, or begins one. When
// there is none free, the shallowest gives way.
func (q *Query) mergeManifold(one *Manifold) {
	for i := range q.count {
		m := &q.manifolds[i]
		if m.Normal.Dot(one.Normal) > sameNormalCosine {
			m.merge(one)
			return
		}
	}
	at := q.count
	if at == len(q.manifolds) {
		at = 0
		for i := range q.count {
			if q.manifolds[i].minGap() > q.manifolds[at].minGap() {
				at = i
			}
		}
		if one.minGap() >= q.manifolds[at].minGap() {
			return
		}
	} else {
		q.count++
	}
	q.manifolds[at].start(one.Normal)
	q.manifolds[at].merge(one)
}
