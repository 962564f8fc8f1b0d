package shape

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
)

// maxHullVertices is the most that ConvexHull keeps, whatever it is asked for.
const maxHullVertices = 255

// ConvexHull wraps points. It adds the furthest point outside again and again (Barber, Dobkin and
// Huhdanpaa, "The Quickhull Algorithm", 1996), so stopping at maxVertices (0 means 64) gives a good
// simplification from within. Flat, empty or not finite input is an ErrShape.
func ConvexHull(points []r3.Vec, maxVertices int) (*Hull, error) {
	if maxVertices <= 0 {
		maxVertices = 64
	}
	b := &hullBuilder{points: points, limit: min(max(maxVertices, 4), maxHullVertices)}
	if err := b.start(); err != nil {
		return nil, err
	}
	for b.used < b.limit && b.grow() {
	}
	return b.finish()
}

// hullFace is a triangle of the hull in the making and the points that it alone has to care for.
type hullFace struct {
	v       [3]int32
	next    [3]int32 // the faces across its edges: from v[k] to v[k+1]
	normal  r3.Vec
	offset  float64
	outside []int32
	far     int32 // of outside, the furthest
	farBy   float64
	dead    bool
}

type hullBuilder struct {
	points []r3.Vec
	faces  []hullFace
	eps    float64
	limit  int
	used   int
	todo   []int32 // scratch of carve
	moved  []int32 // scratch of compact
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
	for _, f := range [4][3]int32{{t[0], t[1], t[2]}, {t[0], t[2], t[3]}, {t[0], t[3], t[1]}, {t[1], t[3], t[2]}} {
		b.addFace(f)
	}
	b.link(0)
	b.used = 4
	all := make([]int32, len(b.points))
	for i := range all {
		all[i] = int32(i)
	}
	b.assign(all, 0)
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

func (b *hullBuilder) addFace(v [3]int32) {
	p, q, r := b.points[v[0]], b.points[v[1]], b.points[v[2]]
	n, _ := q.Sub(p).Cross(r.Sub(p)).Unit()
	b.faces = append(b.faces, hullFace{v: v, next: [3]int32{-1, -1, -1}, normal: n, offset: n.Dot(p), far: -1, farBy: b.eps})
}

// assign gives each point to the first live face from index from on that it lies outside of most.
func (b *hullBuilder) assign(points []int32, from int) {
	for _, i := range points {
		best, at := b.eps, -1
		for k := from; k < len(b.faces); k++ {
			f := &b.faces[k]
			if f.dead {
				continue
			}
			if d := f.normal.Dot(b.points[i]) - f.offset; d > best {
				best, at = d, k
			}
		}
		if at < 0 {
			continue
		}
		f := &b.faces[at]
		f.outside = append(f.outside, i)
		if best > f.farBy {
			f.far, f.farBy = i, best
		}
	}
}

// grow adds the point that is furthest outside; false when there is none.
func (b *hullBuilder) grow() bool {
	seed, by := -1, 0.0
	for i := range b.faces {
		if f := &b.faces[i]; !f.dead && f.far >= 0 && f.farBy > by {
			seed, by = i, f.farBy
		}
	}
	if seed < 0 {
		return false
	}
	apex := b.faces[seed].far
	rim, orphans := b.carve(seed, apex)
	from := len(b.faces)
	for _, e := range rim {
		b.addFace([3]int32{e.from, e.to, apex})
		b.faces[len(b.faces)-1].next[0] = e.face
		b.faces[e.face].next[e.edge] = int32(len(b.faces) - 1)
	}
	b.link(from)
	b.assign(orphans, from)
	b.used++
	return true
}

// link finds, for the edges of the faces from index on whose other side is not known, the face there among them.
func (b *hullBuilder) link(from int) {
	for i := from; i < len(b.faces); i++ {
		for k := range 3 {
			if b.faces[i].next[k] < 0 {
				b.faces[i].next[k] = b.across(from, b.faces[i].v[k], b.faces[i].v[(k+1)%3])
			}
		}
	}
}

// across finds the face from index on that has the edge u→v the other way round; -1: none has.
func (b *hullBuilder) across(from int, u, v int32) int32 {
	for i := from; i < len(b.faces); i++ {
		f := &b.faces[i]
		if (f.v[0] == v && f.v[1] == u) || (f.v[1] == v && f.v[2] == u) || (f.v[2] == v && f.v[0] == u) {
			return int32(i)
		}
	}
	return -1
}

// rimEdge is an edge of the hole that a new corner is connected to, and the live face behind it.
type rimEdge struct{ from, to, face, edge int32 }

// carve kills the faces around seed that the apex sees and returns the directed edges around the
// hole and the points that the dead faces cared for, the apex left out.
func (b *hullBuilder) carve(seed int, apex int32) (rim []rimEdge, orphans []int32) {
	at := b.points[apex]
	b.faces[seed].dead = true
	b.todo = append(b.todo[:0], int32(seed))
	for k := 0; k < len(b.todo); k++ {
		f := &b.faces[b.todo[k]]
		for _, i := range f.outside {
			if i != apex { // a corner is outside of nothing, however thin its faces are
				orphans = append(orphans, i)
			}
		}
		f.outside = nil
		for _, other := range f.next {
			if other < 0 || b.faces[other].dead {
				continue
			}
			o := &b.faces[other]
			if o.normal.Dot(at)-o.offset > b.eps {
				o.dead = true
				b.todo = append(b.todo, other)
			}
		}
	}
	b.compact()
	for i := range b.faces {
		f := &b.faces[i]
		for k, other := range f.next {
			if other < 0 {
				rim = append(rim, rimEdge{f.v[(k+1)%3], f.v[k], int32(i), int32(k)})
			}
		}
	}
	return rim, orphans
}

// compact removes the dead faces; the edges to them lead nowhere.
func (b *hullBuilder) compact() {
	b.moved = b.moved[:0]
	live := b.faces[:0]
	for i := range b.faces {
		if b.faces[i].dead {
			b.moved = append(b.moved, -1)
			continue
		}
		b.moved = append(b.moved, int32(len(live)))
		live = append(live, b.faces[i])
	}
	b.faces = live
	for i := range b.faces {
		for k, other := range b.faces[i].next {
			if other >= 0 {
				b.faces[i].next[k] = b.moved[other]
			}
		}
	}
}
