package shape

import (
	"math"

	"simdeck/sim/r3"
)

// supportMap lists, for each cell of directions, the points that may be the furthest of many along one of its
// directions. The cells are those of a grid on each side of a cube.
type supportMap struct {
	grid   int     // cells along an edge of the cube
	first  []int32 // by cell: the place of its list in points; one more
	points []int16 // of all cells, ascending in each
}

// hullSupports is the maps of a hull, for directions that are stretched by the hull's half extents. Of a flat
// hull the directions of nearly all vertices would else be in one cell.
type hullSupports struct {
	stretch  r3.Vec
	vertices *supportMap // nil: there are too few
	normals  *supportMap // of the faces; nil: there are too few
}

const (
	// leastMapped is the number of points from which on a map is faster than a look at all.
	leastMapped = 20
	// maxSupportGrid bounds the cells along an edge.
	maxSupportGrid = 8
	// supportRounding is the tolerance of a list, as a part of the largest distance of a point: much more
	// than rounding can change.
	supportRounding = 1e-8
	// flattestMapped is the least extent of a hull with maps, as a part of its greatest distance from its
	// origin. With less the rounding of coordinates would exceed the tolerance.
	flattestMapped = 1e-5
)

// supportsOf makes the maps of a hull.
func supportsOf(h *Hull) *hullSupports {
	b, most := h.Bounds(r3.IdentityPose()), 0.0
	for _, v := range h.vertices {
		most = max(most, v.Len())
	}
	s := &hullSupports{stretch: b.Half()}
	x := s.stretch
	if !(min(x.X, x.Y, x.Z) > float64(flattestMapped*most)) {
		return s
	}
	points := make([]r3.Vec, 0, len(h.normals))
	unstretch := func(v r3.Vec) { points = append(points, r3.Vec{X: v.X / x.X, Y: v.Y / x.Y, Z: v.Z / x.Z}) }
	for _, v := range h.vertices {
		unstretch(v.Sub(b.Centre()))
	}
	s.vertices = newSupportMap(points)
	points = points[:0]
	for _, n := range h.normals {
		unstretch(n)
	}
	s.normals = newSupportMap(points)
	return s
}

// newSupportMap makes the map of points; nil for few.
func newSupportMap(q []r3.Vec) *supportMap {
	if len(q) < leastMapped || len(q) > math.MaxInt16 {
		return nil
	}
	m := &supportMap{grid: min(maxSupportGrid, 2+len(q)/32)}
	most := 0.0
	for _, p := range q {
		most = max(most, p.Len())
	}
	b := supportMapBuilder{points: q, slack: float64(2 * supportRounding * most)}
	for side := range 6 {
		for i := range m.grid {
			for k := range m.grid {
				m.first = append(m.first, int32(len(m.points)))
				for c, at := range [4][2]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
					b.corners[c] = m.direction(side, float64(i+at[0]), float64(k+at[1]))
				}
				m.points = b.appendCell(m.points, m.direction(side, float64(i)+0.5, float64(k)+0.5))
			}
		}
	}
	m.first = append(m.first, int32(len(m.points)))
	return m
}

// direction is the direction at coordinates, in cells, on a side of the cube.
func (m *supportMap) direction(side int, u, v float64) r3.Vec {
	axis, sign := side/2, float64(1-2*(side%2))
	scale := 2 / float64(m.grid)
	return r3.Vec{}.With(axis, sign).With((axis+1)%3, float64(u*scale)-1).With((axis+2)%3,
		float64(v*scale)-1)
}

// furthest is the first of the points that reach furthest along a direction, which is another when it is
// stretched for the map. A nil map looks at all points.
func (m *supportMap) furthest(points []r3.Vec, dir, stretched r3.Vec) int {
	if m == nil {
		return furthestIndex(points, dir)
	}
	x, y, z := math.Abs(stretched.X), math.Abs(stretched.Y), math.Abs(stretched.Z)
	along, u, v, side := stretched.Z, stretched.X, stretched.Y, 4
	switch {
	case x >= y && x >= z:
		along, u, v, side = stretched.X, stretched.Y, stretched.Z, 0
	case y >= z:
		along, u, v, side = stretched.Y, stretched.Z, stretched.X, 2
	}
	if along < 0 {
		along, side = -along, side+1
	}
	if !(along > 0) {
		return furthestIndex(points, dir)
	}
	half := float64(0.5 * float64(m.grid))
	scale := half / along
	i, k := int(float64(u*scale)+half), int(float64(v*scale)+half)
	i, k = min(max(i, 0), m.grid-1), min(max(k, 0), m.grid-1)
	cell := (side*m.grid+i)*m.grid + k
	best, at := math.Inf(-1), 0
	for _, p := range m.points[m.first[cell]:m.first[cell+1]] {
		if d := points[p].Dot(dir); d > best {
			best, at = d, int(p)
		}
	}
	return at
}

// furthestIndex is the first of the points that reach furthest along a direction.
func furthestIndex(points []r3.Vec, dir r3.Vec) int {
	best, at := math.Inf(-1), 0
	for i := range points {
		if d := points[i].Dot(dir); d > best {
			best, at = d, i
		}
	}
	return at
}

// supportMapBuilder lists the points of cells.
type supportMapBuilder struct {
	points  []r3.Vec
	slack   float64
	corners [4]r3.Vec // of the cell
}

// appendCell appends the points that may be the furthest in the cell around a direction. It leaves out a
// point if another is further along all corners, and so along all directions between them.
func (b *supportMapBuilder) appendCell(list []int16, middle r3.Vec) []int16 {
	from := len(list)
	best := b.beyond(furthestIndex(b.points, middle))
	for i := range b.points {
		if !b.isBehind(i, &best) {
			list = append(list, int16(i))
		}
	}
	for _, corner := range b.corners {
		n, at := from, list[from]
		for _, i := range list[from:] {
			if b.points[i].Dot(corner) > b.points[at].Dot(corner) {
				at = i
			}
		}
		best := b.beyond(int(at))
		for _, i := range list[from:] {
			if !b.isBehind(int(i), &best) {
				list[n] = i
				n++
			}
		}
		list = list[:n]
	}
	return list
}

// beyond is the distances of a point along the corners, less the slack.
func (b *supportMapBuilder) beyond(i int) [4]float64 {
	var out [4]float64
	for c := range b.corners {
		out[c] = b.points[i].Dot(b.corners[c]) - b.slack
	}
	return out
}

// isBehind reports that a point is behind best along all corners.
func (b *supportMapBuilder) isBehind(i int, best *[4]float64) bool {
	for c := range b.corners {
		if b.points[i].Dot(b.corners[c]) >= best[c] {
			return false
		}
	}
	return true
}
