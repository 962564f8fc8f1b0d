package shape

import (
	"math"

	"simdeck/sim/r3"
)

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

// FlatEdge is the cosine of the angle between neighbours below which their edge is flat: 5°.
const FlatEdge = 0.9961947

// Edge is the kind of edge k of a triangle, from its corner k to the next.
func (m *Mesh) Edge(tri int32, k int) EdgeKind { return m.edges[tri][k] }

// findEdges compares neighbours, by position: files often give each triangle vertices of its own.
func (m *Mesh) findEdges() {
	place := places(m.vertices)
	sides := m.buildHalfEdgeIndex(place)
	m.edges = make([][3]EdgeKind, len(m.triangles))
	m.closed = true
	for i, t := range m.triangles {
		for k := range 3 {
			a, b := place[t[k]], place[t[(k+1)%3]]
			own, other := sides.find(a, b), sides.find(b, a)
			if own.count != other.count {
				m.closed = false
			}
			if own.count == 1 && other.count == 1 {
				m.edges[i][k] = m.edgeKind(int32(i), other.tri, m.vertices[t[k]])
			}
		}
	}
}

// places gives vertices at the same position the same number.
func places(vertices []r3.Vec) []int32 {
	size := uint64(4)
	for size < 2*uint64(len(vertices)) {
		size *= 2
	}
	table := make([]int32, size) // a vertex, from 1
	out := make([]int32, len(vertices))
	for i, v := range vertices {
		h := uint64(0)
		for _, f := range [3]float64{v.X, v.Y, v.Z} {
			h = (h ^ math.Float64bits(f+0)) * 0x9e3779b97f4a7c15 // +0: both zeros are one place
			h ^= h >> 29
		}
		at := h & (size - 1)
		for ; table[at] != 0 && vertices[table[at]-1] != v; at = (at + 1) & (size - 1) {
		}
		if table[at] == 0 {
			table[at] = int32(i) + 1
		}
		out[i] = table[at] - 1
	}
	return out
}

// halfEdgeIndex finds the data of a directed edge by the numbers of its ends. The edges that leave a vertex
// are adjacent, and those of neighboring vertices are near in memory, as in files.
type halfEdgeIndex struct {
	first []int32 // by place: where the edges that leave it begin
	edges []edgeSide
	many  *edgeTable // the edges of places that more leave than can be looked through
}

// edgeSide holds the target of an edge, the last triangle that has it, and the number of those.
type edgeSide struct {
	to         int32
	tri, count int32
}

// mostEdges is the most edges of a vertex that are searched linearly; a cone's tip has more.
const mostEdges = 32

func (m *Mesh) buildHalfEdgeIndex(place []int32) *halfEdgeIndex {
	f := &halfEdgeIndex{first: make([]int32, len(place)+1), edges: make([]edgeSide, 3*len(m.triangles))}
	for _, t := range m.triangles {
		for _, v := range t {
			f.first[place[v]+1]++
		}
	}
	crowded := 0
	for i := range place {
		if n := int(f.first[i+1]); n > mostEdges {
			crowded += n
		}
		f.first[i+1] += f.first[i]
	}
	f.many = newEdgeTable(crowded)
	for i, t := range m.triangles {
		for k := range 3 {
			from, to := place[t[k]], place[t[(k+1)%3]]
			s := f.at(from, to)
			s.to, s.tri, s.count = to, int32(i), s.count+1
		}
	}
	return f
}

// at is the place of an edge that some triangle has.
func (f *halfEdgeIndex) at(from, to int32) *edgeSide {
	edges := f.edges[f.first[from]:f.first[from+1]]
	if len(edges) > mostEdges {
		return f.many.at(from, to)
	}
	i := 0
	for edges[i].count > 0 && edges[i].to != to {
		i++
	}
	return &edges[i]
}

// find returns the record of an edge; its count is 0 when no triangle has it.
func (f *halfEdgeIndex) find(from, to int32) edgeSide {
	edges := f.edges[f.first[from]:f.first[from+1]]
	if len(edges) > mostEdges {
		return *f.many.at(from, to)
	}
	for i := range edges {
		if edges[i].to == to || edges[i].count == 0 {
			if edges[i].to == to {
				return edges[i]
			}
			break
		}
	}
	return edgeSide{}
}

// edgeTable finds edges in any number.
type edgeTable struct {
	slots []edgeSide
	from  []int32
}

func newEdgeTable(edges int) *edgeTable {
	size := 8
	for size < 4*edges { // both directions of each, half empty
		size *= 2
	}
	return &edgeTable{make([]edgeSide, size), make([]int32, size)}
}

// at is the place of an edge; its count is 0 when nobody has it. The table has room for both directions.
func (e *edgeTable) at(from, to int32) *edgeSide {
	h := (uint64(uint32(from))<<32 | uint64(uint32(to))) * 0x9e3779b97f4a7c15
	mask := uint64(len(e.slots) - 1)
	for at := (h ^ h>>32) & mask; ; at = (at + 1) & mask {
		s := &e.slots[at]
		if s.count == 0 || e.from[at] == from && s.to == to {
			e.from[at], s.to = from, to
			return s
		}
	}
}

// edgeKind compares two triangles that share a point a on their common edge.
func (m *Mesh) edgeKind(i, j int32, a r3.Vec) EdgeKind {
	n, o := m.Normal(i), m.Normal(j)
	if n.Dot(o) > FlatEdge {
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
