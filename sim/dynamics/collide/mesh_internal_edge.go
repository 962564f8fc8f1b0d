package collide

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Files often hold a whole floor as one mesh of many closed boxes. Where the boxes stand side by side, their
// side faces coincide, and an edge belongs to one triangle or to more than two. Triangles of one mesh then
// hide edges and faces of each other, as neighboring geometries do (internal_edge.go).

const (
	// edgeProbe is the distance along an edge, m, at which a hidden contact is tested again. The edge of a
	// wall that ends on a floor is free above the floor.
	edgeProbe = 1e-3
)

// isInternalMeshEdge reports that other triangles of the surface hide the edge of the triangle at the
// contact.
func (q *Query) isInternalMeshEdge(tri *meshTriangle, c *shape.Closest) bool {
	for k := range 3 {
		p, r := tri.triangle[k], tri.triangle[(k+1)%3]
		if e := q.mesh.surface.Edge(tri.index, k); e == shape.EdgeFlat || e == shape.EdgeValley ||
			lineDistance2(c.A, p, r) > NeighborDistance*NeighborDistance {
			continue
		}
		if !q.isCoveredByMesh(tri.index, c.A, c.Normal, edgeLeanTolerance) {
			return false
		}
		way, ok := r.Sub(p).Unit()
		for _, far := range [2]float64{edgeProbe, -edgeProbe} {
			x := c.A.AddScaled(far, way)
			if on := x.Sub(p).Dot(way); ok && on > 0 && x.Sub(r).Dot(way) < 0 &&
				!q.isCoveredByMesh(tri.index, x, c.Normal, edgeLeanTolerance) {
				return false
			}
		}
		return true
	}
	return false
}

// isCoveredByMesh reports that a triangle other than t, which faces the other geometry, hides a point from a
// contact along dir. All is in the surface's frame.
func (q *Query) isCoveredByMesh(t int32, point, dir r3.Vec, lean float64) bool {
	s, e := &q.mesh, &q.edges
	for _, o := range s.triangles {
		p, _, _ := s.surface.Triangle(o)
		n := s.surface.Normal(o)
		if o == t || s.middle.Sub(p).Dot(n) < 0 || point.Sub(p).Dot(n) > NeighborDistance {
			continue
		}
		if e.cone.findTriangle(s.surface, o, point, s.middle, dir, NeighborDistance, internalEdgeDepth) &&
			e.cone.outsideCone(dir, &e.parts).Len2() >= float64(lean*lean) {
			return true
		}
	}
	return false
}

// hasConvexEdge reports that triangle t has an open or convex edge, beside which others may hide it.
func hasConvexEdge(s shape.Surface, t int32) bool {
	for k := range 3 {
		if e := s.Edge(t, k); e == shape.EdgeOpen || e == shape.EdgeRidge {
			return true
		}
	}
	return false
}

// removeHiddenPoints drops the points of q.mesh.one on a face that other triangles or neighbors hide. The
// side of a closed mesh is hidden like its edge: a geometry across the edge penetrates the side as deep as it
// is long. It reports whether points are left.
func (q *Query) removeHiddenPoints(tri *meshTriangle) bool {
	s, e, within := &q.mesh, &q.edges, hasConvexEdge(q.mesh.surface, tri.index)
	if !e.enabled && !within {
		return true
	}
	m, p, n := &s.one, e.support.Placement, 0
	for i := range m.Count {
		x := m.Points[i].Position
		if e.enabled && e.isCovered(p.Pose.Apply(x), p.Mat.Apply(m.Normal), faceLeanTolerance) ||
			within && q.isCoveredByMesh(tri.index, x, m.Normal, faceLeanTolerance) {
			continue
		}
		m.Points[n] = m.Points[i]
		n++
	}
	m.Count = n
	return n > 0
}

// isOutsideRidge reports that a triangle shows its back only because the geometry stands over another face,
// beyond a ridge at the closest point. Over the top of a table, its sides are seen from within. The geometry
// does not touch such a triangle, and would catch on it when it slides off the table.
func (s *meshQuery) isOutsideRidge(tri *meshTriangle, closest r3.Vec) bool {
	const same2 = facePlaneTolerance * facePlaneTolerance
	for k := range 3 {
		a, b := tri.triangle[k], tri.triangle[(k+1)%3]
		if s.surface.Edge(tri.index, k) != shape.EdgeRidge ||
			lineDistance2(closest, a, b) > MaxInternalEdgeDepth*MaxInternalEdgeDepth {
			continue
		}
		outside := false
		near := r3.Vec{X: MaxInternalEdgeDepth, Y: MaxInternalEdgeDepth, Z: MaxInternalEdgeDepth}
		shape.QuerySurface(s.surface, r3.BoxAround(closest, near), func(o int32) bool {
			if o == tri.index {
				return true
			}
			p, q, r := s.surface.Triangle(o)
			shared := 0
			for _, x := range [3]r3.Vec{p, q, r} {
				if x.Sub(a).Len2() < same2 || x.Sub(b).Len2() < same2 {
					shared++
				}
			}
			outside = shared == 2 && s.middle.Sub(p).Dot(s.surface.Normal(o)) >= 0
			return !outside
		})
		if outside {
			return true
		}
	}
	return false
}

// lineDistance2 is the square of the distance of x from the line through p and q, in m².
func lineDistance2(x, p, q r3.Vec) float64 {
	e := q.Sub(p)
	return float64(x.Sub(p).Cross(e).Len2() * inverseOrZero(e.Len2()))
}
