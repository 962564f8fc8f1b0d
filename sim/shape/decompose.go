package shape

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
)

// Cut says how finely Decompose follows a surface. Zero fields take the defaults.
type Cut struct {
	Parts    int     // hulls at most; default 12, never more than 64; 1: the convex hull
	Error    float64 // volume that hulls may have too much, as a share of the solid's; default 0.05
	Vertices int     // of each hull of several; default 48. A single one has 64
}

func (c Cut) filled() Cut {
	if c.Parts <= 0 {
		c.Parts = 12
	}
	if !(c.Error > 0) {
		c.Error = 0.05
	}
	if c.Vertices <= 0 {
		c.Vertices = 48
	}
	c.Parts, c.Vertices = min(c.Parts, 64), min(c.Vertices, maxHullVertices)
	return c
}

// Decompose approximates the solid inside a surface by convex hulls. It takes a single one when that is not
// much larger than the solid, else the hulls of its parts between planes along the axes. Each cut is that of
// a grid's planes that leaves the least volume in both hulls. The part with the most excess volume is cut
// first, and neighbors whose common hull costs little are joined again. The hulls of the parts are those of
// the surface between the planes, not of the grid's cells. (The idea of cutting by the volume that hulls
// waste: Mamou and Ghorbel, "A Simple and Efficient Approach for 3D Mesh Approximate Convex Decomposition",
// 2009.) A heap of triangles that reach across each other by the million gets a single hull too. Errors are
// those of ConvexHull; indices out of range are an ErrShape too.
func Decompose(vertices []r3.Vec, triangles [][3]int32, c Cut) ([]*Hull, error) {
	c = c.filled()
	for i, t := range triangles {
		for _, v := range t {
			if v < 0 || int(v) >= len(vertices) {
				return nil, fmt.Errorf("%w: triangle %d uses vertex %d of %d", ErrShape, i, v, len(vertices))
			}
		}
	}
	whole, err := ConvexHull(vertices, 64)
	if err != nil || c.Parts == 1 || len(triangles) < 4 {
		return []*Hull{whole}, err
	}
	hull, solid := whole.Mass(1).Mass, enclosed(vertices, triangles)
	if solid > 0 && solid < float64(hull*1.001) && hull-solid <= float64(c.Error*solid) {
		return []*Hull{whole}, nil
	}
	box := r3.EmptyBox()
	for _, t := range triangles {
		for _, v := range t {
			box = box.Extend(vertices[v])
		}
	}
	d := &decomposer{cut: c, vertices: vertices, triangles: triangles, compass: compass(), nowhere: nowhere(),
		seen: make([]int32, len(vertices))}
	if d.grid, d.cell = newVoxels(vertices, triangles, box), 1; d.grid == nil {
		return []*Hull{whole}, nil
	}
	d.taken = make([]int32, len(d.grid.points))
	first := &part{hi: d.grid.n, hull: whole, size: hull}
	for i := range triangles {
		first.tris = append(first.tris, int32(i))
	}
	for i := range d.grid.points {
		first.points = append(first.points, int32(i))
	}
	d.weigh(first)
	// the surface is closed and does not overlap itself: its volume is known
	if k := solid / float64(first.volume*d.grid.h*d.grid.h*d.grid.h); k > 0.8 && k < 1.25 {
		d.cell = k
	}
	d.cell *= float64(d.grid.h * float64(d.grid.h*d.grid.h))
	d.weigh(first)
	if first.excess() <= float64(c.Error*first.volume) {
		return []*Hull{whole}, nil
	}
	d.parts, d.volume = []*part{first}, first.volume
	d.divide()
	d.join()
	if d.enough != nil && len(d.parts) == len(d.enough) && wasted(d.enough) < wasted(d.parts) {
		d.parts = d.enough
	}
	return d.hulls()
}

// enclosed is the volume inside a closed surface; anything for others.
func enclosed(vertices []r3.Vec, triangles [][3]int32) float64 {
	return solidMass(vertices, func(yield func(a, b, c int32)) {
		for _, t := range triangles {
			yield(t[0], t[1], t[2])
		}
	}, 1).Mass
}

// decomposer is a solid being cut.
type decomposer struct {
	cut       Cut
	vertices  []r3.Vec
	triangles [][3]int32
	grid      *voxels
	cell      float64 // m³ that a cell inside stands for
	parts     []*part
	enough    []*part // parts when they were as many as wanted
	volume    float64 // of the solid, by its cells
	compass   [compassPoints]r3.Vec
	nowhere   extents
	builder   hullBuilder
	seen      []int32 // by vertex: the stamp of what it was taken into last
	taken     []int32 // by point of the grid: likewise
	stamp     int32
	cellSlabs [3]cellSlabs // of the part that was sliced last
	near      []r3.Vec     // scratch of side and bridge
}

// part is the part of the solid between two cells of the grid.
type part struct {
	lo, hi    [3]int
	tris      []int32 // that may be in it
	points    []int32 // of the grid
	hull      *Hull
	size      float64          // of the hull
	volume    float64          // of the solid in it
	finished  bool             // no cut makes it better
	lastSplit []splitCandidate // the best cuts along each axis; nil: not known yet
}

func (p *part) excess() float64 { return p.size - p.volume }

func wasted(parts []*part) float64 {
	total := 0.0
	for _, p := range parts {
		total += p.excess()
	}
	return total
}

// weigh measures a part. Cells on the surface count by half.
func (d *decomposer) weigh(p *part) {
	cells := 0.0
	for z := p.lo[2]; z < p.hi[2]; z++ {
		for y := p.lo[1]; y < p.hi[1]; y++ {
			row := d.grid.index([3]int{0, y, z})
			for x := p.lo[0]; x < p.hi[0]; x++ {
				cells += cellWeight(d.grid.state[row+x])
			}
		}
	}
	p.size = p.hull.Mass(1).Mass
	p.volume = float64(cells * d.cell)
}

func cellWeight(state uint8) float64 {
	switch state {
	case cellInside:
		return 1
	case cellSurface:
		return 0.5
	}
	return 0
}

// divide cuts the worst part until little is wasted or there are twice as many as wanted.
func (d *decomposer) divide() {
	for len(d.parts) < 2*d.cut.Parts {
		worst := -1
		for i, p := range d.parts {
			if !p.finished && (worst < 0 || p.excess() > d.parts[worst].excess()) {
				worst = i
			}
		}
		if worst < 0 || wasted(d.parts) <= float64(0.5*d.cut.Error*d.volume) {
			return
		}
		p := d.parts[worst]
		cut, ok := d.bestCut(p)
		if !ok {
			p.finished = true
			continue
		}
		halves := cut.halves
		if halves == nil {
			halves = d.halve(p, cut.axis, cut.plane)
		}
		if len(halves) == 0 {
			p.finished = true
			continue
		}
		d.parts = append(append(d.parts[:worst:worst], halves...), d.parts[worst+1:]...)
		if len(d.parts) == d.cut.Parts {
			d.enough = append([]*part(nil), d.parts...)
		}
	}
}

// halve makes the parts on both sides of a plane; one without a surface is none.
func (d *decomposer) halve(p *part, axis, plane int) []*part {
	below, above := &part{lo: p.lo, hi: p.hi}, &part{lo: p.lo, hi: p.hi}
	below.hi[axis], above.lo[axis] = plane, plane
	for _, i := range p.points {
		if d.grid.points[i].cell[axis] < plane {
			below.points = append(below.points, i)
		} else {
			above.points = append(above.points, i)
		}
	}
	at := d.grid.plane(axis, plane)
	for _, i := range p.tris {
		t := d.triangles[i]
		a, b, c := d.vertices[t[0]].At(axis), d.vertices[t[1]].At(axis), d.vertices[t[2]].At(axis)
		if min(a, b, c) <= at {
			below.tris = append(below.tris, i)
		}
		if max(a, b, c) >= at {
			above.tris = append(above.tris, i)
		}
	}
	var out []*part
	for _, q := range []*part{below, above} {
		if d.wrap(q) {
			d.weigh(q)
			out = append(out, q)
		}
	}
	return out
}

// wrap gives a part its hull: that of the surface in its box and of the corners of the box that are in the
// solid. False: it has no surface.
func (d *decomposer) wrap(p *part) bool {
	points := d.clipped(p)
	if len(points) == 0 {
		return false
	}
	for k := range 8 {
		corner, within := [3]int{p.lo[0], p.lo[1], p.lo[2]}, [3]int{p.lo[0], p.lo[1], p.lo[2]}
		for i := range 3 {
			if k>>i&1 == 1 {
				corner[i], within[i] = p.hi[i], p.hi[i]-1
			}
		}
		if d.grid.state[d.grid.index(within)] == cellInside {
			points = append(points, r3.V(d.grid.plane(0, corner[0]), d.grid.plane(1, corner[1]),
				d.grid.plane(2, corner[2])))
		}
	}
	hull, err := d.builder.hull(points, 64)
	if err != nil { // flat: as thick as an eighth of a cell
		for _, q := range points[:len(points):len(points)] {
			for k := range 8 {
				s := float64(d.grid.h / 16)
				points = append(points, q.Add(r3.V(float64(k&1*2-1), float64(k>>1&1*2-1),
					float64(k>>2*2-1)).Scale(s)))
			}
		}
		if hull, err = d.builder.hull(points, 64); err != nil {
			return false
		}
	}
	p.hull = hull
	return true
}

// bridge is the volume of the common hull of two parts less theirs: exactly, or a lower bound.
type bridge struct {
	cost  float64
	exact bool
}

// join makes one part of two where that costs least, until there are few enough and more would waste too
// much.
func (d *decomposer) join() {
	total := wasted(d.parts)
	bridges := map[[2]*part]bridge{}
	for len(d.parts) > 1 {
		at, cost := [2]int{}, math.Inf(1)
		for i, p := range d.parts {
			for k, q := range d.parts[i+1:] {
				b, known := bridges[[2]*part{p, q}]
				if !known {
					b.cost = math.Inf(-1)
				}
				if !b.exact && b.cost < cost {
					b = d.bridge(p, q, cost+math.Abs(cost)) // further than needed now: it may be the next
					bridges[[2]*part{p, q}] = b
				}
				if b.exact && b.cost < cost {
					at, cost = [2]int{i, i + 1 + k}, b.cost
				}
			}
		}
		if math.IsInf(cost, 1) || len(d.parts) <= d.cut.Parts && total+cost > float64(d.cut.Error*d.volume) {
			return
		}
		p, q := d.parts[at[0]], d.parts[at[1]]
		u := d.united(p, q)
		if u == nil {
			bridges[[2]*part{p, q}] = bridge{math.Inf(1), true}
			continue
		}
		total += cost
		d.parts[at[0]] = u
		d.parts = append(d.parts[:at[1]], d.parts[at[1]+1:]...)
	}
}

// bridge measures how two parts go together, as far as that is less than most.
func (d *decomposer) bridge(p, q *part, most float64) bridge {
	d.near = append(append(d.near[:0], p.hull.vertices...), q.hull.vertices...)
	own := p.size + q.size
	cost := d.builder.volumeOf(d.near, 64, most+own) - own
	return bridge{cost, cost <= most}
}

// united is two parts under one hull; nil when there is none.
func (d *decomposer) united(p, q *part) *part {
	d.near = append(append(d.near[:0], p.hull.vertices...), q.hull.vertices...)
	hull, err := d.builder.hull(d.near, 64)
	if err != nil {
		return nil
	}
	return &part{hull: hull, size: hull.Mass(1).Mass, volume: p.volume + q.volume}
}

func (d *decomposer) hulls() ([]*Hull, error) {
	out := make([]*Hull, 0, len(d.parts))
	for _, p := range d.parts {
		h, err := ConvexHull(p.hull.vertices, d.cut.Vertices)
		if err != nil {
			h = p.hull
		}
		out = append(out, h)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: nothing is left of %d triangles", ErrShape, len(d.triangles))
	}
	return out, nil
}
