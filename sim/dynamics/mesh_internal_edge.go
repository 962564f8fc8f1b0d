package dynamics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Files often hold a whole floor as one mesh of many closed boxes. Where these stand side by side their sides lie on each
// other, and their edges are of one triangle each or of more than two: what the triangles of one mesh hide of each other is
// found as between meshes.

// seamProbe is how far, in metres, along its edge a contact is looked at that other triangles hide: above the floor on
// which the edge of a wall ends it is free.
const seamProbe = 1e-3

// isInternalMeshEdge reports that a triangle's edge, at which a contact is, is hidden by other triangles of its surface.
func (sc *narrowScratch) isInternalMeshEdge(m shape.Surface, tri *[3]r3.Vec, t int32, middle r3.Vec, c *shape.Closest) bool {
	for k := range 3 {
		p, q := tri[k], tri[(k+1)%3]
		if e := m.Edge(t, k); e == shape.EdgeFlat || e == shape.EdgeValley || lineDistance2(c.A, p, q) > internalEdgeDistance*internalEdgeDistance {
			continue
		}
		if !sc.isCoveredByMesh(m, t, c.A, middle, c.Normal, edgeLeanTolerance) {
			return false
		}
		way, ok := q.Sub(p).Unit()
		for _, far := range [2]float64{seamProbe, -seamProbe} {
			x := c.A.AddScaled(far, way)
			if on := x.Sub(p).Dot(way); ok && on > 0 && x.Sub(q).Dot(way) < 0 && !sc.isCoveredByMesh(m, t, x, middle, c.Normal, edgeLeanTolerance) {
				return false
			}
		}
		return true
	}
	return false
}

// isCoveredByMesh reports that some other triangle, of those near the contact, that faces the geom hides a place from a
// contact along dir. All is in the surface's frame.
func (sc *narrowScratch) isCoveredByMesh(m shape.Surface, t int32, at, middle, dir r3.Vec, lean float64) bool {
	v := &sc.internalEdges
	for _, o := range sc.tris {
		p, _, _ := m.Triangle(o)
		n := m.Normal(o)
		if o == t || middle.Sub(p).Dot(n) < 0 || at.Sub(p).Dot(n) > internalEdgeDistance {
			continue
		}
		if v.other.addTriangleFaces(m, o, at, middle, dir, internalEdgeDistance, internalEdgeDepth) && v.other.outsideCone(dir, &v.parts).Len2() >= float64(lean*lean) {
			return true
		}
	}
	return false
}

// hasConvexEdge reports that a triangle has an edge beside which others may hide it.
func hasConvexEdge(m shape.Surface, t int32) bool {
	for k := range 3 {
		if e := m.Edge(t, k); e == shape.EdgeOpen || e == shape.EdgeRidge {
			return true
		}
	}
	return false
}

// removeHiddenPoints takes points away that press on a face where something hides it: other triangles, or what stands beside the
// surface. The side of a closed mesh is hidden as its edge is: a geom that lies across the seam is as far in it as it is
// long. The cloud is in the frame of the surface. False when nothing is left.
func (w *World) removeHiddenPoints(sc *narrowScratch, cl *contactPoints, m shape.Surface, t int32, middle r3.Vec) bool {
	v, within := &sc.internalEdges, hasConvexEdge(m, t)
	if !v.enabled && !within {
		return true
	}
	p, n := &w.placements[v.pressed], 0
	for i := range cl.n {
		x := cl.points[i].pos
		if v.enabled && w.isCovered(v, p.pose.Apply(x), p.mat.Apply(cl.normal), faceLeanTolerance) || within && sc.isCoveredByMesh(m, t, x, middle, cl.normal, faceLeanTolerance) {
			continue
		}
		cl.points[n] = cl.points[i]
		n++
	}
	cl.n = n
	return n > 0
}

// ridgeTolerance is how near an edge, in metres, a contact with the back of a triangle is taken to be at the edge.
const ridgeTolerance = internalEdgeMaxDepth

// outsideRidge reports that a triangle is seen from the back only because its geom stands over another face of the solid,
// beyond a ridge that the closest point lies at: over the top of a table, from where its sides are seen from within. Such
// a geom does not touch the triangle, and would else catch on it when it slides off the table.
func outsideRidge(m shape.Surface, tri *[3]r3.Vec, t int32, at, middle r3.Vec) bool {
	for k := range 3 {
		if m.Edge(t, k) != shape.EdgeRidge || lineDistance2(at, tri[k], tri[(k+1)%3]) > ridgeTolerance*ridgeTolerance {
			continue
		}
		outside := false
		shape.QuerySurface(m, r3.BoxAround(at, r3.Vec{X: ridgeTolerance, Y: ridgeTolerance, Z: ridgeTolerance}), func(o int32) bool {
			if o == t {
				return true
			}
			p, q, r := m.Triangle(o)
			shares := 0
			for _, x := range [3]r3.Vec{p, q, r} {
				if x.Sub(tri[k]).Len2() < facePlaneTolerance*facePlaneTolerance || x.Sub(tri[(k+1)%3]).Len2() < facePlaneTolerance*facePlaneTolerance {
					shares++
				}
			}
			outside = shares == 2 && middle.Sub(p).Dot(m.Normal(o)) >= 0
			return !outside
		})
		if outside {
			return true
		}
	}
	return false
}

// lineDistance2 is the square of the distance of a point from the line through two others.
func lineDistance2(x, p, q r3.Vec) float64 {
	e := q.Sub(p)
	return float64(x.Sub(p).Cross(e).Len2() * inverseOrZero(e.Len2()))
}
