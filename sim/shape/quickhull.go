package shape

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"simdeck/sim/r3"
)

// maxHullVertices is the most that ConvexHull keeps, whatever it is asked for.
const maxHullVertices = 255

// ConvexHull wraps points. It adds furthest points (Barber, Dobkin and Huhdanpaa, "The Quickhull Algorithm",
// 1996), so stopping at maxVertices (0 means 64) leaves a good inner approximation. Flat, empty or not finite
// input is an ErrShape.
func ConvexHull(points []r3.Vec, maxVertices int) (*Hull, error) {
	return (&hullBuilder{}).hull(points, maxVertices)
}

// hullFace is a triangle of the hull in the making and the points that it alone has to care for.
type hullFace struct {
	v       [3]int32
	next    [3]int32 // the faces across its edges: from v[k] to v[k+1]
	born    int32    // faces made before it; -1: removed, and its slot is free
	far     int32    // of the points outside, the furthest
	first   int32    // of the points outside, by hullBuilder.after; -1: none
	last    int32
	normal  r3.Vec
	offset  float64
	size    float64 // twice its area
	outside float64 // of far, more than eps; 0: none is
}

// hullBuilder makes hulls, one after the other, in the same memory.
type hullBuilder struct {
	points        []r3.Vec
	faces         []hullFace
	after         []int32 // by point: the next outside of the same face; -1: none
	starts        []int32 // by point: the new face whose rim edge begins there
	eps           float64
	limit         int
	used          int
	born          int32
	volume        float64
	patchVertices bool // a rim met itself: neighbours may not agree about each other

	free, dead, orphans []int32
	horizon             []horizonEdge
}

// hull wraps points as ConvexHull does.
func (b *hullBuilder) hull(points []r3.Vec, maxVertices int) (*Hull, error) {
	if err := b.begin(points, maxVertices); err != nil {
		return nil, err
	}
	for b.used < b.limit && b.grow() {
	}
	return b.finish()
}

// volumeOf is the volume of the hull of points, as soon as it is known to be above most: whatever it is then.
// Points without a hull have none.
func (b *hullBuilder) volumeOf(points []r3.Vec, maxVertices int, most float64) float64 {
	if b.begin(points, maxVertices) != nil {
		return 0
	}
	for b.volume <= most && b.used < b.limit && b.grow() {
	}
	return b.volume
}

func (b *hullBuilder) begin(points []r3.Vec, maxVertices int) error {
	if maxVertices <= 0 {
		maxVertices = 64
	}
	b.points, b.limit = points, min(max(maxVertices, 4), maxHullVertices)
	b.faces, b.free, b.born, b.patchVertices = b.faces[:0], b.free[:0], 0, false
	b.after, b.starts = slices.Grow(b.after[:0], len(points))[:len(points)],
		slices.Grow(b.starts[:0], len(points))[:len(points)]
	return b.start()
}

func (b *hullBuilder) start() error {
	box := r3.EmptyBox()
	for i, p := range b.points {
		if !p.IsFinite() || p.MaxAbs() > maxSize {
			return fmt.Errorf("%w: hull point %d is %v, must be within %v m", ErrShape, i, p, maxSize)
		}
		box = box.Extend(p)
	}
	if len(b.points) < 4 {
		return fmt.Errorf("%w: a hull of %d points, needs 4 or more", ErrShape, len(b.points))
	}
	b.eps = float64(1e-9 * max(box.Size().MaxAbs(), minSize))
	t, err := b.tetrahedron(box)
	if err != nil {
		return err
	}
	for _, f := range [4][3]int32{{t[0], t[1], t[2]}, {t[0], t[2], t[3]}, {t[0], t[3], t[1]},
		{t[1], t[3], t[2]}} {
		b.addFace(f)
	}
	for i := range b.faces {
		for k := range 3 {
			b.faces[i].next[k] = b.across(0, b.faces[i].v[k], b.faces[i].v[(k+1)%3])
		}
	}
	p := b.points
	b.volume = p[t[1]].Sub(p[t[0]]).Cross(p[t[2]].Sub(p[t[0]])).Dot(p[t[0]].Sub(p[t[3]])) / 6
	b.used = 4
	b.orphans = b.orphans[:0]
	for i := range p {
		b.orphans = append(b.orphans, int32(i))
	}
	b.assign([]int32{0, 1, 2, 3})
	return nil
}

// tetrahedron picks four points that span a volume, ordered so that the fourth is below (0,1,2).
func (b *hullBuilder) tetrahedron(box r3.Box) ([4]int32, error) {
	axis := 0
	for i := range 3 {
		if box.Size().At(i) > box.Size().At(axis) {
			axis = i
		}
	}
	p := b.points
	i0 := b.furthest(func(v r3.Vec) float64 { return -v.At(axis) })
	i1 := b.furthest(func(v r3.Vec) float64 { return v.Sub(p[i0]).Len2() })
	line := p[i1].Sub(p[i0])
	i2 := b.furthest(func(v r3.Vec) float64 { return line.Cross(v.Sub(p[i0])).Len2() })
	n, ok := line.Cross(p[i2].Sub(p[i0])).Unit()
	if !ok {
		return [4]int32{}, fmt.Errorf("%w: all %d hull points lie on one line", ErrShape, len(p))
	}
	i3 := b.furthest(func(v r3.Vec) float64 { return math.Abs(n.Dot(v.Sub(p[i0]))) })
	h := n.Dot(p[i3].Sub(p[i0]))
	if math.Abs(h) < 1e3*b.eps {
		return [4]int32{}, fmt.Errorf("%w: all %d hull points lie in one plane", ErrShape, len(p))
	}
	if h > 0 {
		i1, i2 = i2, i1
	}
	return [4]int32{i0, i1, i2, i3}, nil
}

func (b *hullBuilder) furthest(f func(r3.Vec) float64) int32 {
	best, at := math.Inf(-1), 0
	for i, p := range b.points {
		if d := f(p); d > best {
			best, at = d, i
		}
	}
	return int32(at)
}

// addFace puts a face where one has died, else behind all.
func (b *hullBuilder) addFace(v [3]int32) int32 {
	p, q, r := b.points[v[0]], b.points[v[1]], b.points[v[2]]
	cross := q.Sub(p).Cross(r.Sub(p))
	n, _ := cross.Unit()
	at := int32(len(b.faces))
	if k := len(b.free) - 1; k >= 0 {
		at, b.free = b.free[k], b.free[:k]
	} else {
		b.faces = append(b.faces, hullFace{})
	}
	b.faces[at] = hullFace{v: v, next: [3]int32{-1, -1, -1}, born: b.born, far: -1, first: -1, last: -1,
		normal: n, offset: n.Dot(p), size: n.Dot(cross)}
	b.born++
	return at
}

// assign gives each orphan to the first of the faces that it lies outside of most.
func (b *hullBuilder) assign(faces []int32) {
	for _, i := range b.orphans {
		best, at := b.eps, int32(-1)
		p := b.points[i]
		for _, k := range faces {
			f := &b.faces[k]
			if d := f.normal.Dot(p) - f.offset; d > best {
				best, at = d, k
			}
		}
		if at < 0 {
			continue
		}
		f := &b.faces[at]
		b.after[i] = -1
		if f.first < 0 {
			f.first = i
		} else {
			b.after[f.last] = i
		}
		f.last = i
		if best > f.outside {
			f.far, f.outside = i, best
		}
	}
}

// grow adds the point that is furthest outside; false when there is none.
func (b *hullBuilder) grow() bool {
	seed, by, born := int32(-1), 0.0, int32(0)
	for i := range b.faces {
		if f := &b.faces[i]; f.outside > by || f.outside == by && seed >= 0 && f.born < born {
			seed, by, born = int32(i), f.outside, f.born
		}
	}
	if seed < 0 {
		return false
	}
	apex := b.faces[seed].far
	b.addHorizonFaces(seed, apex)
	b.dead = b.dead[:0] // from here on the new faces
	for _, e := range b.horizon {
		at := b.addFace([3]int32{e.from, e.to, apex})
		b.faces[at].next[0] = e.face
		b.faces[e.face].next[e.edge] = at
		b.dead = append(b.dead, at)
	}
	b.link(b.dead)
	b.assign(b.dead)
	b.used++
	return true
}

// compact leaves the live faces, the oldest first.
func (b *hullBuilder) compact() {
	live := make([]hullFace, 0, len(b.faces))
	order := make([]int32, 0, len(b.faces))
	for i := range b.faces {
		if b.faces[i].born >= 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(i, k int32) int { return cmp.Compare(b.faces[i].born, b.faces[k].born) })
	moved := make([]int32, len(b.faces))
	for k, i := range order {
		moved[i] = int32(k)
		live = append(live, b.faces[i])
	}
	for i := range live {
		for k, other := range live[i].next {
			if other >= 0 {
				live[i].next[k] = moved[other]
			}
		}
	}
	b.faces = live
}
