package shape

import "simdeck/sim/r3"

// EdgeKind says how the surface of a mesh goes on across an edge of a triangle.
type EdgeKind uint8

const (
	// EdgeOpen edges belong to one triangle, or to more than two: contacts may press on them from both sides.
	EdgeOpen EdgeKind = iota
	// EdgeFlat edges join two triangles that lie (nearly) in one plane: nothing can catch on them.
	EdgeFlat
	// EdgeRidge edges stand out on the side that the triangles face.
	EdgeRidge
	// EdgeValley edges stand out on the back.
	EdgeValley
)

// flatEdge is the cosine of the angle between neighbours below which their edge is flat: 5°.
const flatEdge = 0.9961947

// Edge is how the surface goes on across edge k of a triangle, from its corner k to the next.
func (m *Mesh) Edge(tri int32, k int) EdgeKind { return m.edges[tri][k] }

// findEdges compares neighbours, by position: files often give each triangle vertices of its own.
func (m *Mesh) findEdges() {
	type edge struct{ a, b r3.Vec }
	type side struct {
		tri   int32
		count int
	}
	sides := make(map[edge]side, 3*len(m.triangles))
	for i, t := range m.triangles {
		for k := range 3 {
			e := edge{m.vertices[t[k]], m.vertices[t[(k+1)%3]]}
			s := sides[e]
			sides[e] = side{int32(i), s.count + 1}
		}
	}
	m.edges = make([][3]EdgeKind, len(m.triangles))
	m.closed = true
	for i, t := range m.triangles {
		for k := range 3 {
			a, b := m.vertices[t[k]], m.vertices[t[(k+1)%3]]
			own, other := sides[edge{a, b}], sides[edge{b, a}]
			if own.count != other.count {
				m.closed = false
			}
			if own.count == 1 && other.count == 1 {
				m.edges[i][k] = m.edgeKind(int32(i), other.tri, a)
			}
		}
	}
}

// edgeKind compares two triangles that share a point a on their common edge.
func (m *Mesh) edgeKind(i, j int32, a r3.Vec) EdgeKind {
	n, o := m.Normal(i), m.Normal(j)
	if n.Dot(o) > flatEdge {
		return EdgeFlat
	}
	p, q, r := m.Triangle(j)
	if n.Dot(p.Add(q).Add(r).Scale(1.0/3).Sub(a)) < 0 {
		return EdgeRidge
	}
	return EdgeValley
}

// Normal is the unit normal of a triangle, towards the side from which it is counter-clockwise.
func (m *Mesh) Normal(tri int32) r3.Vec {
	a, b, c := m.Triangle(tri)
	n, _ := b.Sub(a).Cross(c.Sub(a)).Unit()
	return n
}
