package collide

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Static geometries, or those of one body, often stand side by side and make one surface, as tiles do. A
// sliding body must not catch on edges and faces that neighbors hide ("ghost collisions", Catto 2020;
// Terdiman, "Contact generation for meshes").
//
// Each pair of geometries is still tested alone; its contact is then judged at its place on the geometry that
// it presses on, the support. The solids there together allow as normals only those that each of them allows.
// For a convex solid that is its normal cone. The rule needs no shared vertices and no flush faces. An inner
// corner between a floor and a wall allows no normal at all. A contact there counts if it is free a little
// further along its face or edge.
const (
	// NeighborDistance is the largest horizontal or vertical distance, m, of two geometries that make one
	// surface.
	NeighborDistance = 2e-4
	// MaxInternalEdgeDepth is the depth, in m, from which on a contact is kept in any case. A body that spin
	// or weight pressed into an inner corner must come out, although each geometry hides the contact of the
	// other.
	MaxInternalEdgeDepth = 2e-3
	// internalEdgeDepth is the depth below a face, m, up to which a point counts as on it.
	internalEdgeDepth = 2 * NeighborDistance
	// faceLeanTolerance and edgeLeanTolerance are the sine up to which contacts with faces, or with edges,
	// may lean into a neighbor. Nearly flat seams must not lose face contacts, and nothing catches on them.
	faceLeanTolerance, edgeLeanTolerance = 0.1, 0.002
	// maxFreeDistance is the distance along its face or edge, m, within which a contact must be free.
	maxFreeDistance = 0.1
	// opposedCosine is the cosine between faces below which nothing fits between them.
	opposedCosine = -0.5
	// facePlaneTolerance is the largest distance of a point of a face from its plane, m.
	facePlaneTolerance = 1e-6
)

// internalEdges judges the contacts of a pair on one of its geometries, the support.
type internalEdges struct {
	enabled        bool
	support        Instance // is pressed on
	other          Instance // presses
	normalSign     float64  // 1 when normals point out of the support, else -1
	middle         r3.Vec   // of the other, in the world's frame
	neighbors      []Instance
	supportCone    normalCone
	cone           normalCone // of a neighbor, or scratch
	parts          [maxConeFacets]float64
	coveringFacets [maxConeFacets]facet // of the neighbors that hide a contact
	coveringCount  int
	face           Manifold // of a face beside
}

// EnableInternalEdges makes RemoveInternalEdges judge contacts on A, or on B, and forgets the neighbors. For
// a surface it also makes Collide judge them; it must be called between Begin and Collide then.
func (q *Query) EnableInternalEdges(onA bool) {
	e := &q.edges
	e.support, e.other, e.normalSign = q.b, q.a, -1
	if onA {
		e.support, e.other, e.normalSign = q.a, q.b, 1
	}
	e.enabled = true
	e.neighbors = e.neighbors[:0]
	e.middle = e.other.Pose.Apply(e.other.Middle)
}

// AddNeighbor adds a geometry that stands beside the support and collides with the other geometry too.
func (q *Query) AddNeighbor(n Instance) { q.edges.neighbors = append(q.edges.neighbors, n) }

// RemoveInternalEdges drops manifolds on what neighbors of the support hide, or moves them to a face beside
// that they do not hide. Deep ones stay.
func (q *Query) RemoveInternalEdges() {
	e, n := &q.edges, 0
	for k := range q.count {
		m := &q.manifolds[k]
		if m.minGap() < -MaxInternalEdgeDepth || e.isUncovered(m) || e.moveToFace(m, q.margin) {
			if n != k {
				q.manifolds[n] = *m
			}
			n++
		}
	}
	q.count = n
}

// isUncovered reports that a point of a manifold presses on what no neighbor hides.
func (e *internalEdges) isUncovered(m *Manifold) bool {
	dir := m.Normal.Scale(e.normalSign)
	for i := range m.Count {
		at := e.pointOnSupport(m, i)
		if !e.isCovered(at, dir, edgeLeanTolerance) {
			return true
		}
		faces, lean := e.supportingFaces(at, dir), edgeLeanTolerance
		if faces < 2 {
			lean = faceLeanTolerance
		}
		if !e.isCovered(at, dir, lean) || e.isFreeBeyond(at, dir, faces, lean) {
			return true
		}
	}
	return false
}

// pointOnSupport is the position of point i of a manifold on the support.
func (e *internalEdges) pointOnSupport(m *Manifold, i int) r3.Vec {
	at := m.Points[i].Position
	if e.normalSign < 0 {
		at = at.AddScaled(m.Points[i].Gap, m.Normal)
	}
	return e.unroundOnSupport(at, m.Normal.Scale(e.normalSign))
}

// isCovered reports that some neighbor hides a point from a contact along dir, and collects the faces of all
// that do.
func (e *internalEdges) isCovered(at, dir r3.Vec, lean float64) bool {
	e.coveringCount = 0
	covered := false
	for i := range e.neighbors {
		n := e.neighbors[i]
		if n.Surface != nil {
			covered = e.isCoveredBySurface(n, at, dir, lean) || covered
		} else if e.cone.find(n, at, dir) && e.coneCovers(dir, lean) {
			covered = true
		}
	}
	return covered
}

// coneCovers reports that dir leans into the neighbor whose cone was found, and collects its faces.
func (e *internalEdges) coneCovers(dir r3.Vec, lean float64) bool {
	if e.cone.outsideCone(dir, &e.parts).Len2() < float64(lean*lean) {
		return false
	}
	for _, f := range e.cone.facets[:e.cone.n] {
		if e.coveringCount < len(e.coveringFacets) && f.normal.Dot(dir) > opposedCosine {
			e.coveringFacets[e.coveringCount] = f
			e.coveringCount++
		}
	}
	return true
}

// isCoveredBySurface is isCovered for a neighbor that is a surface.
func (e *internalEdges) isCoveredBySurface(n Instance, at, dir r3.Vec, lean float64) bool {
	p, s := n.Placement, n.Surface
	x, along, middle := p.Pose.ApplyInverse(at), p.Mat.ApplyT(dir), p.Pose.ApplyInverse(e.middle)
	covered := false
	shape.QuerySurface(s, r3.BoxAround(x,
		r3.Vec{X: triangleThickness, Y: triangleThickness, Z: triangleThickness}), func(t int32) bool {
		if e.cone.findTriangle(s, t, x, middle, along, NeighborDistance, internalEdgeDepth) {
			for i := range e.cone.n {
				e.cone.facets[i].normal = p.Mat.Apply(e.cone.facets[i].normal)
			}
			covered = e.coneCovers(dir, lean) || covered
		}
		return true
	})
	return covered
}

// supportingFaces finds the support's faces that a contact presses on, and returns their number: 1 a face, 2
// an edge, 3+ a vertex. Contacts on a surface press on faces.
func (e *internalEdges) supportingFaces(at, dir r3.Vec) int {
	c := &e.supportCone
	if e.support.Surface != nil {
		c.n, c.facets[0].normal = 1, dir
		return 1
	}
	if !c.find(e.support, at, dir) {
		c.n, c.facets[0].normal = 1, dir
	}
	c.outsideCone(dir, &e.parts)
	n := 0
	for i := range c.n {
		if e.parts[i] > edgeLeanTolerance {
			c.facets[n] = c.facets[i]
			n++
		}
	}
	c.n = n
	return n
}

// isFreeBeyond reports that the contact is free a little further along the face or edge that it presses on,
// beyond the neighbors that hide it.
func (e *internalEdges) isFreeBeyond(at, dir r3.Vec, faces int, lean float64) bool {
	if faces == 0 || faces > 2 {
		return false
	}
	var ways [maxConeFacets + 1]r3.Vec // out of each covering face, and out of all
	over, n := e.coveringFacets, e.coveringCount
	for i := range n {
		ways[i] = e.tangentAlong(over[i].normal, faces)
		ways[n] = ways[n].Add(ways[i])
	}
	for i, way := range ways[:n+1] {
		l := way.Len()
		if l < edgeLeanTolerance {
			continue
		}
		way = way.Scale(1 / l)
		far := 0.0
		for k, f := range over[:n] {
			if rise := f.normal.Dot(way); rise > edgeLeanTolerance && (k == i || i == n) {
				far = max(far, (1.1*NeighborDistance-f.height)/rise)
			}
		}
		if x := at.AddScaled(far, way); far > 0 && far < maxFreeDistance && e.isOnSupport(x, dir) &&
			!e.isCovered(x, dir, lean) {
			return true
		}
	}
	return false
}

// tangentAlong is the component of x along the face or edge that a contact presses on.
func (e *internalEdges) tangentAlong(x r3.Vec, faces int) r3.Vec {
	n := e.supportCone.facets[0].normal
	if faces == 2 {
		n, _ = n.Cross(e.supportCone.facets[1].normal).Unit()
		return n.Scale(x.Dot(n))
	}
	return x.AddScaled(-x.Dot(n), n)
}

// isOnSupport reports that a point is on the support, where a face looks along dir.
func (e *internalEdges) isOnSupport(at, dir r3.Vec) bool {
	s, p := e.support.Surface, e.support.Placement
	if s == nil {
		return e.cone.find(e.support, at, dir) && e.cone.highest < facePlaneTolerance
	}
	x, along, middle := p.Pose.ApplyInverse(at), p.Mat.ApplyT(dir), p.Pose.ApplyInverse(e.middle)
	found := false
	shape.QuerySurface(s, r3.BoxAround(x,
		r3.Vec{X: facePlaneTolerance, Y: facePlaneTolerance, Z: facePlaneTolerance}), func(t int32) bool {
		found = e.cone.findTriangle(s, t, x, middle, along, NeighborDistance, internalEdgeDepth) &&
			e.cone.highest < facePlaneTolerance && e.cone.facets[0].normal.Dot(along) > FaceCosine
		return !found
	})
	return found
}

// moveToFace replaces a manifold on what neighbors hide by that on a face beside, over which the other
// geometry stands. It reports whether any of them is not hidden.
func (e *internalEdges) moveToFace(m *Manifold, margin float64) bool {
	dir, least := m.Normal.Scale(e.normalSign), m.minGap()
	for i := range m.Count {
		at := e.pointOnSupport(m, i)
		e.supportCone.n = 0
		if e.support.Surface == nil {
			e.supportCone.find(e.support, at, dir)
		}
		for faces, k := e.supportCone, 0; k < faces.n; k++ {
			if e.collideFaceBeside(faces.facets[k].normal, margin) && (least <= 0 || e.face.removeBehind()) {
				if e.normalSign < 0 {
					e.face.swapSides()
				}
				if e.isUncovered(&e.face) {
					*m = e.face
					return true
				}
			}
		}
	}
	return false
}

// collideFaceBeside makes the contact with the support's face of this normal: for parts over the face, or
// over a slit beside it.
func (e *internalEdges) collideFaceBeside(normal r3.Vec, margin float64) bool {
	g, pose := e.support.Geometry, e.support.Pose
	rel := pose.Relative(e.other.Pose)
	flat, other := solid{geometry: g, proxy: &g.Proxy},
		solid{geometry: e.other.Geometry, proxy: &e.other.Proxy}
	face := pose.Rot.RotateBack(normal)
	e.face.Count = 0
	var whole feature
	if flat.feature(face, &whole); whole.n < 3 { // a round support has no face
		return false
	}
	if !e.face.collideFace(&flat, &other, rel, face, margin) {
		e.face.addOverFace(&other, rel, face, flat.supportDistance(face), margin, func(x r3.Vec) bool {
			e.cone.reset(NeighborDistance, internalEdgeDepth)
			return e.cone.addFacets(g, x, face)
		})
	}
	e.face.transform(pose)
	return e.face.Count > 0
}

// addOverFace adds the vertices of other over a face with this normal at this height along it, where on
// holds.
func (m *Manifold) addOverFace(other *solid, rel r3.Pose, normal r3.Vec, height, margin float64,
	on func(x r3.Vec) bool) {
	var f feature
	other.feature(rel.Rot.RotateBack(normal.Neg()), &f)
	m.start(normal)
	for i := range f.n {
		x := rel.Apply(f.p[i])
		gap := x.Dot(normal) - height
		if x = x.AddScaled(-gap, normal); gap <= margin && on(x) {
			m.add(x, gap, uint32(f.id[i]))
		}
	}
}

// isEdgeCovered reports that neighbors of a surface hide the edge of a triangle at the contact.
func (q *Query) isEdgeCovered(tri *meshTriangle, c *shape.Closest) bool {
	e := &q.edges
	p := e.support.Placement
	return e.isCovered(p.Pose.Apply(q.unroundOnTriangle(tri.index, c.A, c.Normal)), p.Mat.Apply(c.Normal),
		edgeLeanTolerance)
}

// collideAdjacentFace makes the contact with a triangle's face of what is over it, or over a slit beside it.
func (q *Query) collideAdjacentFace(tri *meshTriangle) bool {
	s, e := &q.mesh, &q.edges
	if !s.one.collideFace(&tri.solid, &s.other, s.pose, tri.face, q.margin) {
		s.one.addOverFace(&s.other, s.pose, tri.face, tri.triangle[0].Dot(tri.face), q.margin,
			func(x r3.Vec) bool {
				return e.cone.findTriangle(s.surface, tri.index, x, s.middle, tri.face, NeighborDistance,
					internalEdgeDepth)
			})
	}
	return s.one.Count > 0
}

// unroundOnSupport is the point of the support that a contact along dir presses on. GJK rounds the edges of
// boxes and cylinders of either geometry: a point near an edge stands for one on the faces there.
func (e *internalEdges) unroundOnSupport(at, dir r3.Vec) r3.Vec {
	g, p := e.support.Geometry, e.support.Placement
	r := g.roundingRadius() + e.other.roundingRadius()
	if g.Surface != nil || r == 0 {
		return at
	}
	x, along := p.Mat.ApplyT(at.Sub(p.Pose.Pos)), p.Mat.ApplyT(dir)
	for range unroundIterations {
		e.supportCone.reset(2*r, 2*r)
		if !e.supportCone.addFacets(g, x, along) {
			return at
		}
		x = e.supportCone.projectOntoFacets(x, along, &e.parts)
	}
	return p.Mat.Apply(x).Add(p.Pose.Pos)
}

// unroundOnTriangle is unroundOnSupport for a triangle, in the surface's frame.
func (q *Query) unroundOnTriangle(t int32, x, along r3.Vec) r3.Vec {
	s, e := &q.mesh, &q.edges
	r := e.other.roundingRadius()
	for range unroundIterations {
		if r == 0 || !e.supportCone.findTriangle(s.surface, t, x, s.middle, along, 2*r, 2*r) {
			break
		}
		x = e.supportCone.projectOntoFacets(x, along, &e.parts)
	}
	return x
}
