package shape

import (
	"math"

	"simdeck/sim/r3"
)

// Kinds of grid cells.
const (
	cellInside uint8 = iota
	cellSurface
	cellOutside
)

const (
	mostCells  = 40_000 // of a grid, roughly
	finestEdge = 96     // cells along the longest edge
	mostVisits = 50_000_000
)

// voxels is a surface in a grid of cubes: which of them it passes, which it encloses. A surface with holes
// larger than a cell encloses nothing.
type voxels struct {
	n      [3]int
	origin r3.Vec
	h      float64 // m: edge of a cell
	state  []uint8
	points []voxelPoint // of the surface, cell by cell
}

// voxelPoint is a point of the surface in a cell.
type voxelPoint struct {
	cell [3]int
	at   r3.Vec
}

// newVoxels needs a box with a volume. Nil: the triangles reach over so many cells that it is no surface, but
// a heap of them, and would take minutes.
func newVoxels(vertices []r3.Vec, triangles [][3]int32, box r3.Box) *voxels {
	size := box.Size()
	longest := size.MaxAbs()
	thick := longest / finestEdge
	volume := max(size.X, thick) * max(size.Y, thick) * max(size.Z, thick)
	g := &voxels{h: max(thick, math.Cbrt(volume/mostCells))}
	for i := range 3 { // an empty cell all around, and sides in the middle of cells: half of those is solid
		g.n[i] = int(size.At(i)/g.h+0.5) + 4
		g.origin = g.origin.With(i, box.Min.At(i)-float64(1.5*g.h))
	}
	visits := 0
	for _, t := range triangles {
		a, b, c := vertices[t[0]], vertices[t[1]], vertices[t[2]]
		lo, hi := g.cellOf(a.Min(b).Min(c)), g.cellOf(a.Max(b).Max(c))
		if visits += (hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1) * (hi[2] - lo[2] + 1); visits > mostVisits {
			return nil
		}
	}
	g.state = make([]uint8, g.n[0]*g.n[1]*g.n[2])
	g.markSurface(vertices, triangles)
	g.flood()
	return g
}

func (g *voxels) index(c [3]int) int { return (c[2]*g.n[1]+c[1])*g.n[0] + c[0] }

// cellOf is the cell that holds a point.
func (g *voxels) cellOf(p r3.Vec) (c [3]int) {
	q := p.Sub(g.origin)
	for i := range 3 {
		c[i] = max(0, min(g.n[i]-1, int(q.At(i)/g.h)))
	}
	return c
}

// plane is the coordinate along an axis at which cell k begins.
func (g *voxels) plane(axis, k int) float64 { return g.origin.At(axis) + float64(float64(k)*g.h) }

// extremes are the vertices of a cell that reach furthest down and up each axis.
type extremes [6]r3.Vec

// markSurface finds the cells that the surface passes, and points of it in each: its outermost vertices, else
// the most central point.
func (g *voxels) markSurface(vertices []r3.Vec, triangles [][3]int32) {
	// of a cell's points in ends, else in middles, from 1; negative: middles
	place := make([]int32, len(g.state))
	var ends []extremes
	var middles []r3.Vec
	used := make([]bool, len(vertices))
	for _, t := range triangles {
		for _, v := range t {
			if !used[v] {
				used[v] = true
				ends = g.extend(ends, place, vertices[v])
			}
		}
	}
	for _, t := range triangles {
		a, b, c := vertices[t[0]], vertices[t[1]], vertices[t[2]]
		lo, hi := g.cellOf(a.Min(b).Min(c)), g.cellOf(a.Max(b).Max(c))
		for z := lo[2]; z <= hi[2]; z++ {
			for y := lo[1]; y <= hi[1]; y++ {
				for x := lo[0]; x <= hi[0]; x++ {
					cell := [3]int{x, y, z}
					i := g.index(cell)
					if g.state[i] == cellSurface && place[i] != 0 {
						continue
					}
					centre := g.origin.Add(r3.V(float64(x)+0.5, float64(y)+0.5, float64(z)+0.5).Scale(g.h))
					if lo != hi && !touchesCube(a.Sub(centre), b.Sub(centre), c.Sub(centre),
						float64(0.500001*g.h)) {
						continue
					}
					g.state[i] = cellSurface
					if place[i] == 0 {
						middles = append(middles, nearestOf(centre, a, b, c))
						place[i] = -int32(len(middles))
					}
				}
			}
		}
	}
	g.collect(place, ends, middles)
}

// extend takes a vertex into the extremes of its cell.
func (g *voxels) extend(ends []extremes, place []int32, p r3.Vec) []extremes {
	i := g.index(g.cellOf(p))
	g.state[i] = cellSurface
	if place[i] == 0 {
		place[i] = int32(len(ends)) + 1
		return append(ends, extremes{p, p, p, p, p, p})
	}
	e := &ends[place[i]-1]
	for k := range 3 {
		if p.At(k) < e[2*k].At(k) {
			e[2*k] = p
		}
		if p.At(k) > e[2*k+1].At(k) {
			e[2*k+1] = p
		}
	}
	return ends
}

// collect lists the points cell by cell.
func (g *voxels) collect(place []int32, ends []extremes, middles []r3.Vec) {
	for z := range g.n[2] {
		for y := range g.n[1] {
			for x := range g.n[0] {
				cell := [3]int{x, y, z}
				switch k := place[g.index(cell)]; {
				case k < 0:
					g.points = append(g.points, voxelPoint{cell, middles[-k-1]})
				case k > 0:
					for i, p := range ends[k-1] {
						if i == 0 || p != ends[k-1][i-1] {
							g.points = append(g.points, voxelPoint{cell, p})
						}
					}
				}
			}
		}
	}
}

// flood finds what is outside: all that can be reached from the first cell, which is empty.
func (g *voxels) flood() {
	step := [3]int{1, g.n[0], g.n[0] * g.n[1]}
	g.state[0] = cellOutside
	for todo := [][3]int{{}}; len(todo) > 0; {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i := g.index(c)
		for k := range 3 {
			for _, d := range [2]int{-1, 1} {
				if c[k]+d < 0 || c[k]+d >= g.n[k] || g.state[i+d*step[k]] != cellInside {
					continue
				}
				g.state[i+d*step[k]] = cellOutside
				next := c
				next[k] += d
				todo = append(todo, next)
			}
		}
	}
}

// touchesCube reports whether a triangle, given from the middle of a cube, meets it (separating axes:
// Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", 2001).
func touchesCube(a, b, c r3.Vec, half float64) bool {
	lo, hi := a.Min(b).Min(c), a.Max(b).Max(c)
	if lo.X > half || lo.Y > half || lo.Z > half || hi.X < -half || hi.Y < -half || hi.Z < -half {
		return false
	}
	edges := [3]r3.Vec{b.Sub(a), c.Sub(b), a.Sub(c)}
	n := edges[0].Cross(edges[1])
	if math.Abs(n.Dot(a)) > float64(half*(math.Abs(n.X)+math.Abs(n.Y)+math.Abs(n.Z))) {
		return false
	}
	for _, e := range edges {
		for _, axis := range [3]r3.Vec{{Y: -e.Z, Z: e.Y}, {X: e.Z, Z: -e.X}, {X: -e.Y, Y: e.X}} {
			p, q, r := axis.Dot(a), axis.Dot(b), axis.Dot(c)
			reach := float64(half * (math.Abs(axis.X) + math.Abs(axis.Y) + math.Abs(axis.Z)))
			if min(p, q, r) > reach || max(p, q, r) < -reach {
				return false
			}
		}
	}
	return true
}

// nearestOf is the point of a triangle that is nearest to p (Ericson, "Real-Time Collision Detection", 2004,
// 5.1.5).
func nearestOf(p, a, b, c r3.Vec) r3.Vec {
	ab, ac, ap := b.Sub(a), c.Sub(a), p.Sub(a)
	d1, d2 := ab.Dot(ap), ac.Dot(ap)
	if d1 <= 0 && d2 <= 0 {
		return a
	}
	bp := p.Sub(b)
	d3, d4 := ab.Dot(bp), ac.Dot(bp)
	if d3 >= 0 && d4 <= d3 {
		return b
	}
	vc := float64(d1*d4) - float64(d3*d2)
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return a.AddScaled(d1/(d1-d3), ab)
	}
	cp := p.Sub(c)
	d5, d6 := ab.Dot(cp), ac.Dot(cp)
	if d6 >= 0 && d5 <= d6 {
		return c
	}
	vb := float64(d5*d2) - float64(d1*d6)
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return a.AddScaled(d2/(d2-d6), ac)
	}
	va := float64(d3*d6) - float64(d5*d4)
	if va <= 0 && d4 >= d3 && d5 >= d6 {
		return b.AddScaled((d4-d3)/((d4-d3)+(d5-d6)), c.Sub(b))
	}
	sum := va + vb + vc
	return a.AddScaled(vb/sum, ab).AddScaled(vc/sum, ac)
}
