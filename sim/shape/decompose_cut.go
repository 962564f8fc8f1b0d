package shape

import (
	"math"
	"slices"

	"simdeck/sim/r3"
)

// mostPlanes bounds the planes along an axis that are tried first; those beside the best are tried then.
const mostPlanes = 12

// compassPoints is the number of directions in which the hulls of tried cuts are measured.
const compassPoints = 98

// compass are all directions with components of at most 2, the opposite of the first the last.
func compass() (out [compassPoints]r3.Vec) {
	n := 0
	for x := -2; x <= 2; x++ {
		for y := -2; y <= 2; y++ {
			for z := -2; z <= 2; z++ {
				if x%2 != 0 || y%2 != 0 || z%2 != 0 {
					out[n], _ = r3.V(float64(x), float64(y), float64(z)).Unit()
					n++
				}
			}
		}
	}
	return out
}

// cellSlabs is a part along an axis, slab by slab of cells.
type cellSlabs struct {
	axis, first int
	cells       []float64 // in the slabs below a plane: one more than there are slabs
	own         []extents // of each slab
	below       []extents // of all slabs below a plane
	above       []extents // of all others
}

// extents are the outermost points of a grid by direction.
type extents struct {
	at  [compassPoints]int32 // -1: there is none
	far [compassPoints]float64
}

// nowhere is the ends of no points.
func nowhere() (e extents) {
	for i := range e.at {
		e.at[i], e.far[i] = -1, math.Inf(-1)
	}
	return e
}

// include moves the ends out to those of others; of equals the own stay.
func (e *extents) include(o *extents) {
	for i, far := range &o.far {
		if far > e.far[i] {
			e.at[i], e.far[i] = o.at[i], far
		}
	}
}

// splitCandidate is a plane, what it costs: the volumes of the hulls on both sides; and the parts there, once
// they were made.
type splitCandidate struct {
	axis, plane int
	cost        float64
	halves      []*part
}

// bestCut finds the plane that leaves the least volume in the hulls of both sides; equal halves are liked a
// little. Where no plane gains much, as the first through a cup, the next cuts decide.
func (d *decomposer) bestCut(p *part) (best splitCandidate, ok bool) {
	all := d.cuts(p)
	best.cost = math.Inf(1)
	for _, t := range all {
		if t.cost < best.cost {
			best, ok = t, true
		}
	}
	if len(all) < 2 || p.size-best.cost > float64(0.1*p.excess()) {
		return best, ok
	}
	least := math.Inf(1)
	for _, t := range all {
		then := 0.0
		t.halves = d.halve(p, t.axis, t.plane)
		for _, q := range t.halves {
			next := q.size
			for _, u := range d.cuts(q) {
				next = min(next, u.cost)
			}
			then += next
		}
		if then < least {
			best, least = t, then
		}
	}
	return best, ok
}

// cuts are the best planes along each axis.
func (d *decomposer) cuts(p *part) []splitCandidate {
	if p.lastSplit != nil {
		return p.lastSplit
	}
	p.lastSplit = []splitCandidate{}
	d.slice(p)
	for a := range 3 {
		n := p.hi[a] - p.lo[a]
		if n < 2 {
			continue
		}
		s := &d.cellSlabs[a]
		best, known := splitCandidate{axis: a, plane: -1, cost: math.Inf(1)}, make([]bool, n)
		try := func(k int) {
			if k < 1 || k >= n || known[k] {
				return
			}
			known[k] = true
			if cost := d.cost(s, k, n, best.cost); cost < best.cost {
				best.cost, best.plane = cost, p.lo[a]+k
			}
		}
		step := max(1, n/mostPlanes)
		for k := step; k < n; k += step {
			try(k)
		}
		for best.plane >= 0 && step > 1 {
			step = (step + 1) / 2
			at := best.plane - p.lo[a]
			try(at - step)
			try(at + step)
		}
		if best.plane >= 0 {
			p.lastSplit = append(p.lastSplit, best)
		}
	}
	return p.lastSplit
}

// slice makes the slabs of a part along each axis.
func (d *decomposer) slice(p *part) {
	for a := range 3 {
		s, n := &d.cellSlabs[a], p.hi[a]-p.lo[a]
		s.axis, s.first = a, p.lo[a]
		s.own, s.below, s.above = slices.Grow(s.own[:0], n)[:n], slices.Grow(s.below[:0], n+1)[:n+1],
			slices.Grow(s.above[:0], n+1)[:n+1]
		for k := range n {
			s.own[k] = d.nowhere
		}
		s.below[0], s.above[n] = d.nowhere, d.nowhere
		s.cells = append(s.cells[:0], make([]float64, n+1)...)
	}
	d.reach(p)
	for z := p.lo[2]; z < p.hi[2]; z++ {
		for y := p.lo[1]; y < p.hi[1]; y++ {
			row, total := d.grid.index([3]int{0, y, z}), 0.0
			for x := p.lo[0]; x < p.hi[0]; x++ {
				w := cellWeight(d.grid.state[row+x])
				d.cellSlabs[0].cells[x-p.lo[0]+1] += w
				total += w
			}
			d.cellSlabs[1].cells[y-p.lo[1]+1] += total
			d.cellSlabs[2].cells[z-p.lo[2]+1] += total
		}
	}
	for a := range 3 {
		s, n := &d.cellSlabs[a], p.hi[a]-p.lo[a]
		for k := range n {
			s.cells[k+1] += s.cells[k]
			s.below[k+1] = s.below[k]
			s.below[k+1].include(&s.own[k])
			s.above[n-1-k] = s.own[n-1-k]
			s.above[n-1-k].include(&s.above[n-k])
		}
	}
}

// reach takes the points of a part into the slabs that they are in. They come row by row along x: those of a
// row are in the same slab of the other axes.
func (d *decomposer) reach(p *part) {
	var row extents
	done := func(y, z int) {
		d.cellSlabs[1].own[y-p.lo[1]].include(&row)
		d.cellSlabs[2].own[z-p.lo[2]].include(&row)
	}
	for n, i := range p.points {
		q := &d.grid.points[i]
		if n == 0 {
			row = d.nowhere
		} else if last := &d.grid.points[p.points[n-1]].cell; last[1] != q.cell[1] || last[2] != q.cell[2] {
			done(last[1], last[2])
			row = d.nowhere
		}
		slab := &d.cellSlabs[0].own[q.cell[0]-p.lo[0]]
		for k := range compassPoints / 2 {
			last, r := compassPoints-1-k, d.compass[k].Dot(q.at)
			if r > row.far[k] {
				row.at[k], row.far[k] = i, r
			}
			if r > slab.far[k] {
				slab.at[k], slab.far[k] = i, r
			}
			if -r > row.far[last] {
				row.at[last], row.far[last] = i, -r
			}
			if -r > slab.far[last] {
				slab.at[last], slab.far[last] = i, -r
			}
		}
	}
	if n := len(p.points); n > 0 {
		last := &d.grid.points[p.points[n-1]].cell
		done(last[1], last[2])
	}
}

// cost of cutting n slabs before slab k: the volumes of both hulls, or anything from most on where it is not
// less. A side without a surface costs more than any.
func (d *decomposer) cost(s *cellSlabs, k, n int, most float64) float64 {
	cell := float64(d.grid.h * float64(d.grid.h*d.grid.h))
	total := float64(0.02 * float64(cell*math.Abs(2*s.cells[k]-s.cells[n])))
	for _, side := range [2]struct {
		of, closing *extents
	}{{&s.below[k], &s.own[k-1]}, {&s.above[k], &s.own[k]}} {
		volume, ok := d.side(side.of, side.closing, s.axis, d.grid.plane(s.axis, s.first+k), most-total)
		if !ok {
			return math.Inf(1)
		}
		if total += volume; total >= most {
			return total
		}
	}
	return total
}

// side is the volume of the hull on one side of a plane, closed by the slab that touches it; or anything
// above most.
func (d *decomposer) side(of, closing *extents, axis int, plane, most float64) (float64, bool) {
	d.near = d.near[:0]
	d.stamp++
	for _, i := range of.at {
		if i >= 0 && d.taken[i] != d.stamp {
			d.taken[i] = d.stamp
			d.near = append(d.near, d.grid.points[i].at)
		}
	}
	if len(d.near) == 0 {
		return 0, false
	}
	d.stamp++
	for _, i := range closing.at {
		if i >= 0 && d.taken[i] != d.stamp {
			d.taken[i] = d.stamp
			d.near = append(d.near, d.grid.points[i].at.With(axis, plane))
		}
	}
	return d.builder.volumeOf(d.near, 40, most), true // a flat part has none
}

// clipped are the corners of the surface within a part's box: its vertices there, and where the box cuts its
// triangles.
func (d *decomposer) clipped(p *part) []r3.Vec {
	d.stamp++
	var out, polygon, next []r3.Vec
	lo := r3.V(d.grid.plane(0, p.lo[0]), d.grid.plane(1, p.lo[1]), d.grid.plane(2, p.lo[2]))
	hi := r3.V(d.grid.plane(0, p.hi[0]), d.grid.plane(1, p.hi[1]), d.grid.plane(2, p.hi[2]))
	box := r3.Box{Min: lo, Max: hi}
	for _, i := range p.tris {
		t := d.triangles[i]
		inside := 0
		for _, v := range t {
			if !box.Holds(d.vertices[v]) {
				continue
			}
			inside++
			if d.seen[v] != d.stamp {
				d.seen[v] = d.stamp
				out = append(out, d.vertices[v])
			}
		}
		if inside == 3 {
			continue
		}
		polygon = append(polygon[:0], d.vertices[t[0]], d.vertices[t[1]], d.vertices[t[2]])
		for axis := range 3 {
			next = clipPolygon(next[:0], polygon, axis, lo.At(axis), 1)
			polygon = clipPolygon(polygon[:0], next, axis, hi.At(axis), -1)
		}
		out = append(out, polygon...)
	}
	return out
}

// clipPolygon appends what of a polygon lies above (sign 1) or below (-1) a plane (Sutherland and Hodgman,
// "Reentrant Polygon Clipping", 1974).
func clipPolygon(out, polygon []r3.Vec, axis int, at, sign float64) []r3.Vec {
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		dp, dq := float64(sign*(p.At(axis)-at)), float64(sign*(q.At(axis)-at))
		if dp >= 0 {
			out = append(out, p)
		}
		if dp > 0 && dq < 0 || dp < 0 && dq > 0 {
			out = append(out, p.Lerp(q, dp/(dp-dq)).With(axis, at))
		}
	}
	return out
}
