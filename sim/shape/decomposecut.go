package shape

import (
	"math"

	"simdeck/sim/r3"
)

// mostPlanes bounds the planes along an axis that are tried first; those beside the best are tried then.
const mostPlanes = 12

// compass are the directions in which the hulls of tried cuts are measured: all with components of at most 2.
func compass() []r3.Vec {
	var out []r3.Vec
	for x := -2; x <= 2; x++ {
		for y := -2; y <= 2; y++ {
			for z := -2; z <= 2; z++ {
				if x%2 != 0 || y%2 != 0 || z%2 != 0 {
					u, _ := r3.V(float64(x), float64(y), float64(z)).Unit()
					out = append(out, u)
				}
			}
		}
	}
	return out
}

// slices is a part along an axis: its volume and its outermost points, slice by slice.
type slices struct {
	grid   *voxels
	axis   int
	first  int       // of the slices
	volume []float64 // in cells
	ends   [][]int32 // by slice and direction: a point of the grid; -1: none
	dirs   []r3.Vec
}

// tried is a plane and what it costs: the volumes of the hulls on both sides.
type tried struct {
	axis, plane int
	cost        float64
}

// bestCut finds the plane that leaves the least volume in the hulls of both sides; equal halves are liked a little.
// Where no plane gains much, as the first through a cup, the next cuts decide.
func (d *decomposer) bestCut(p *part) (best tried, ok bool) {
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
		for _, q := range d.halve(p, t.axis, t.plane) {
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
func (d *decomposer) cuts(p *part) []tried {
	var out []tried
	dirs := compass()
	for a := range 3 {
		n := p.hi[a] - p.lo[a]
		if n < 2 {
			continue
		}
		s := d.slice(p, a, dirs)
		best, known := tried{axis: a, plane: -1, cost: math.Inf(1)}, make([]bool, n)
		try := func(k int) {
			if k < 1 || k >= n || known[k] {
				return
			}
			known[k] = true
			if cost, cuts := s.cost(k); cuts && cost < best.cost {
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
			out = append(out, best)
		}
	}
	return out
}

func (d *decomposer) slice(p *part, axis int, dirs []r3.Vec) *slices {
	n := p.hi[axis] - p.lo[axis]
	s := &slices{grid: d.grid, axis: axis, first: p.lo[axis], volume: make([]float64, n), ends: make([][]int32, n), dirs: dirs}
	reach := make([][]float64, n)
	for i := range s.ends {
		s.ends[i], reach[i] = make([]int32, len(dirs)), make([]float64, len(dirs))
		for k := range dirs {
			s.ends[i][k], reach[i][k] = -1, math.Inf(-1)
		}
	}
	for _, i := range p.points {
		at := &d.grid.points[i]
		row := at.cell[axis] - s.first
		ends, far := s.ends[row], reach[row]
		for k, u := range dirs {
			if r := u.Dot(at.at); r > far[k] {
				ends[k], far[k] = i, r
			}
		}
	}
	for z := p.lo[2]; z < p.hi[2]; z++ {
		for y := p.lo[1]; y < p.hi[1]; y++ {
			for x := p.lo[0]; x < p.hi[0]; x++ {
				c := [3]int{x, y, z}
				s.volume[c[axis]-s.first] += cellWeight(d.grid.state[d.grid.index(c)])
			}
		}
	}
	return s
}

// cost of cutting before slice k: the volumes of both hulls. False: one side has no surface.
func (s *slices) cost(k int) (float64, bool) {
	below, volumeBelow, ok := s.side(0, k, k-1, k)
	above, volumeAbove, too := s.side(k, len(s.ends), k, k)
	cell := float64(s.grid.h * float64(s.grid.h*s.grid.h))
	return below + above + float64(0.02*float64(cell*math.Abs(volumeBelow-volumeAbove))), ok && too
}

// side is the volume of the hull of the slices from…to, closed by the slice that touches the plane.
func (s *slices) side(from, to, touching, plane int) (hull, cells float64, ok bool) {
	var points []r3.Vec
	taken := map[int32]bool{}
	for k, u := range s.dirs {
		best, far := int32(-1), math.Inf(-1)
		for row := from; row < to; row++ {
			if i := s.ends[row][k]; i >= 0 {
				if r := u.Dot(s.grid.points[i].at); r > far {
					best, far = i, r
				}
			}
		}
		if best >= 0 && !taken[best] {
			taken[best] = true
			points = append(points, s.grid.points[best].at)
		}
	}
	if len(points) == 0 {
		return 0, 0, false
	}
	x := s.grid.plane(s.axis, s.first+plane)
	closing := map[int32]bool{}
	for _, i := range s.ends[touching] {
		if i >= 0 && !closing[i] {
			closing[i] = true
			points = append(points, s.grid.points[i].at.With(s.axis, x))
		}
	}
	for row := from; row < to; row++ {
		cells += s.volume[row]
	}
	h, err := ConvexHull(points, 40)
	if err != nil {
		return 0, cells, true // flat
	}
	return h.Mass(1).Mass, cells, true
}

// clipped are the corners of the surface within a part's box: its vertices there, and where the box cuts its triangles.
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

// clipPolygon appends what of a polygon lies above (sign 1) or below (-1) a plane (Sutherland and Hodgman, "Reentrant
// Polygon Clipping", 1974).
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
