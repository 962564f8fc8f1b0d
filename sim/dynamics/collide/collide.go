// Package collide is the narrow phase of collision detection: two shapes and their poses in, contact
// manifolds out. It knows no body, no velocity and no world; it imports r3 and shape alone.
//
// # Frames and signs
//
// Placements and the manifolds of a Query are in the world's frame, right-handed, in metres. Normals
// have unit length and point from geometry A to geometry B. A gap is measured along the normal: positive
// apart, negative in overlap. A Point lies on A's surface; B's surface is at Position + Gap·Normal. The
// colliders themselves work in a frame that they name: boxes and convex pairs in A's, meshes in the mesh's.
//
// # Pairs
//
// A's kind is not above B's, in the order of the kinds of package shape.
//
//   - box–box: separating axis test over 15 axes, then clipping of the incident face (box.go)
//   - convex–convex: GJK, and EPA in overlap, in package shape; then clipping of facing features (convex.go)
//   - convex–plane: the vertices below the plane, exact for wheels (plane.go)
//   - convex–mesh, convex–heightfield: convex–convex for each triangle near, merged by normal (mesh.go)
//
// A manifold holds all candidate points until Reduce chooses four. Internal edges, which only exist because
// one surface is made of several triangles or geometries, are taken out (internal_edge.go).
//
// # Sources
//
//   - SAT: Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996; Gregorius, "The Separating Axis Test
//     between Convex Polyhedra", GDC 2013
//   - GJK and EPA: Gilbert, Johnson and Keerthi, IEEE J. Robotics and Automation 4, 1988; van den Bergen,
//     "Proximity Queries and Penetration Depth Computation on 3D Game Objects", GDC 2001
//   - manifold reduction: Gregorius, "Robust Contact Creation for Physics Simulations", GDC 2015; Bullet,
//     btPersistentManifold
//   - internal edges: Bullet, btInternalEdgeUtility; Catto, "Ghost Collisions", 2020; van den Bergen,
//     "Smooth Mesh Contacts with GJK", in Game Physics Pearls, 2010
//
// # The border
//
// The package never asks the world. Package dynamics decides which pairs are near, which geoms may collide,
// and which geoms stand beside one: it adds those as neighbors. Three tasks stay in dynamics: manifolds with
// impulses, matching of points with the step before, and validity tests of old manifolds. They work on the
// solver's arrays, which dynamics would have to export.
//
// Products that are added are written float64(x*y) + z: the compiler must not fuse them, or results would
// differ between processors.
package collide

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Instance is a geometry at its place.
type Instance struct {
	*Geometry
	*Placement
}

// Query finds the manifolds of one pair after another. It is the scratch memory of one worker: after the
// first pairs it allocates nothing. Its zero value is ready.
type Query struct {
	a, b       Instance
	margin     float64 // m
	manifolds  [MaxManifolds]Manifold
	count      int
	separation float64 // m
	mesh       meshQuery
	edges      internalEdges
}

// Begin sets the pair and forgets the last one. Points are wanted up to a gap of margin metres. Of a surface,
// which must be B, Begin finds the triangles near A (mid phase).
func (q *Query) Begin(a, b Instance, margin float64) {
	q.a, q.b, q.margin = a, b, margin
	q.count, q.separation = 0, 0
	q.edges.enabled = false
	q.mesh.triangles = q.mesh.triangles[:0]
	if b.Surface != nil {
		q.beginMesh()
	}
}

// Triangles is the number of triangles of a surface that Collide will test; 0 for other pairs.
func (q *Query) Triangles() int { return len(q.mesh.triangles) }

// TakeSkippedTriangles returns the number of triangles beyond the limit of a pair since the last call.
func (q *Query) TakeSkippedTriangles() int {
	n := q.mesh.skipped
	q.mesh.skipped = 0
	return n
}

// Collide finds the manifolds of the pair (narrow phase).
func (q *Query) Collide() {
	a, b, m := q.a, q.b, &q.manifolds[0]
	switch {
	case b.Surface != nil:
		q.collideMesh()
		return
	case b.Kind == shape.KindPlane:
		m.Count = 0
		m.collidePlane(a, b.Placement, q.margin)
	case a.Kind == shape.KindBox && b.Kind == shape.KindBox:
		m.Count = 0
		q.separation = m.collideBoxes(a, b, q.margin)
	case a.Kind == shape.KindSphere && b.Kind == shape.KindSphere:
		m.Count = 0
		m.collideSpheres(a, b, q.margin)
	default:
		m.Count = 0
		sa, sb := solid{geometry: a.Geometry, proxy: &a.Proxy}, solid{geometry: b.Geometry, proxy: &b.Proxy}
		q.separation = m.collideConvex(&sa, &sb, a.Pose.Relative(b.Pose), q.margin)
		m.transform(a.Pose)
	}
	if m.Count > 0 {
		q.count = 1
	}
}

// Manifolds are the manifolds found, in the world's frame, valid until the next Begin. A normal occurs once.
func (q *Query) Manifolds() []Manifold { return q.manifolds[:q.count] }

// Separation is a lower bound of the distance between the geometries, in m, or 0 where none is known.
func (q *Query) Separation() float64 { return q.separation }

// MinGap is the gap of the deepest point found, in m; +Inf without points.
func (q *Query) MinGap() float64 {
	gap := math.Inf(1)
	for i := range q.count {
		if q.manifolds[i].Count > 0 {
			gap = min(gap, q.manifolds[i].minGap())
		}
	}
	return gap
}

// Clear drops the manifolds found.
func (q *Query) Clear() { q.count = 0 }

func (m *Manifold) collideSpheres(a, b Instance, margin float64) {
	d := b.Pose.Pos.Sub(a.Pose.Pos)
	l := d.Len()
	gap := l - a.Half.X - b.Half.X
	if gap > margin {
		return
	}
	n, ok := d.Unit()
	if !ok {
		n = r3.Vec{Z: 1}
	}
	m.start(n)
	m.add(a.Pose.Pos.AddScaled(a.Half.X, n), gap, 0)
}
