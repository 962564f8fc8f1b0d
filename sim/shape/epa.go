package shape

import (
	"math"

	"simdeck/sim/r3"
)

const (
	epaCorners = 96
	epaFaces   = 256
	// epaExact is the greatest distance, in metres, of the surface beyond the accepted face.
	epaExact = 1e-9
)

// epaFace is a triangle of the polytope grown inside the Minkowski difference.
type epaFace struct {
	v      [3]int16
	normal r3.Vec
	offset float64
	dead   bool
}

// polytope is the state of the expansion; it lives on the stack of its caller.
type polytope struct {
	corners [epaCorners]corner
	faces   [epaFaces]epaFace
	n, m    int
}

// expand finds the shortest separating translation of two overlapping cores, by growing a polytope inside
// their Minkowski difference until a face lies on its surface. See van den Bergen, "Proximity Queries and
// Penetration Depth Computation on 3D Game Objects", 2001.
func expand(p *pairSupport, s *simplex) Closest {
	var t polytope
	if n, flat := t.start(p, s); flat {
		return touching(p, s, n)
	}
	for {
		f := t.nearestFace()
		if f < 0 {
			return touching(p, s, r3.Vec{Z: 1})
		}
		face := t.faces[f]
		c := p.at(face.normal)
		if c.w.Dot(face.normal)-face.offset < epaExact || t.n == epaCorners || !t.add(c, f) {
			return t.closest(&face, c.w.Dot(face.normal))
		}
	}
}

// start makes a tetrahedron around the origin from gjk's simplex; of a flat difference it returns the
// direction without thickness.
func (t *polytope) start(p *pairSupport, s *simplex) (r3.Vec, bool) {
	for i := range s.n {
		t.corners[i] = s.c[i]
	}
	t.n = s.n
	if t.n == 1 {
		for _, d := range [6]r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
			c := p.at(d)
			if c.w.Dist(t.corners[0].w) > 1e-9 {
				t.corners[1], t.n = c, 2
				break
			}
		}
		if t.n == 1 {
			return r3.Vec{Z: 1}, true
		}
	}
	if t.n == 2 && !t.widen(p) {
		u, _ := t.corners[1].w.Sub(t.corners[0].w).Unit()
		n, _ := u.Basis()
		return n, true
	}
	if t.n == 3 {
		if n, flat := t.thicken(p); flat {
			return n, true
		}
	}
	a, b, c, d := t.corners[0].w, t.corners[1].w, t.corners[2].w, t.corners[3].w
	if b.Sub(a).Cross(c.Sub(a)).Dot(d.Sub(a)) > 0 {
		t.corners[1], t.corners[2] = t.corners[2], t.corners[1]
	}
	for _, f := range [4][3]int16{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}} {
		t.addFace(f)
	}
	return r3.Vec{}, false
}

// widen makes a triangle of a segment.
func (t *polytope) widen(p *pairSupport) bool {
	a := t.corners[0].w
	u, _ := t.corners[1].w.Sub(a).Unit()
	x, y := u.Basis()
	for _, d := range [4]r3.Vec{x, x.Neg(), y, y.Neg()} {
		c := p.at(d)
		if u.Cross(c.w.Sub(a)).Len() > 1e-9 {
			t.corners[2], t.n = c, 3
			return true
		}
	}
	return false
}

// thicken makes a tetrahedron of a triangle; true with its normal when there is nothing beside it.
func (t *polytope) thicken(p *pairSupport) (r3.Vec, bool) {
	a := t.corners[0].w
	n, ok := t.corners[1].w.Sub(a).Cross(t.corners[2].w.Sub(a)).Unit()
	if !ok {
		return r3.Vec{Z: 1}, true
	}
	up, down := p.at(n), p.at(n.Neg())
	hu, hd := up.w.Sub(a).Dot(n), -down.w.Sub(a).Dot(n)
	if max(hu, hd) < 1e-9 {
		return n, true
	}
	t.corners[3], t.n = up, 4
	if hd > hu {
		t.corners[3] = down
	}
	// With the origin on the triangle both sides are needed; the expansion finds the other, whose nearest
	// face is then the triangle.
	return r3.Vec{}, false
}

func (t *polytope) addFace(v [3]int16) bool {
	if t.m == epaFaces {
		return false
	}
	a, b, c := t.corners[v[0]].w, t.corners[v[1]].w, t.corners[v[2]].w
	n, ok := b.Sub(a).Cross(c.Sub(a)).Unit()
	if !ok {
		return false
	}
	t.faces[t.m] = epaFace{v: v, normal: n, offset: n.Dot(a)}
	t.m++
	return true
}

func (t *polytope) nearestFace() int {
	best, at := math.Inf(1), -1
	for i := range t.m {
		f := &t.faces[i]
		if !f.dead && f.offset < best {
			best, at = f.offset, i
		}
	}
	return at
}

// add puts a corner beyond face f and closes the hole of visible faces; false when the polytope is full or
// too thin.
func (t *polytope) add(c corner, f int) bool {
	for i := range t.n {
		if t.corners[i].w.Dist(c.w) < 1e-12 {
			return false
		}
	}
	at := int16(t.n)
	t.corners[t.n] = c
	t.n++
	var rim [epaFaces][2]int16
	n := 0
	for i := range t.m {
		g := &t.faces[i]
		if g.dead || (i != f && g.normal.Dot(c.w)-g.offset <= 1e-12) {
			continue
		}
		g.dead = true
		for k := range 3 {
			n = toggleEdge(rim[:], n, g.v[k], g.v[(k+1)%3])
			if n == epaFaces-1 {
				return false
			}
		}
	}
	t.removeDeadFaces()
	for i := range n {
		if !t.addFace([3]int16{rim[i][0], rim[i][1], at}) {
			return false
		}
	}
	return true
}

// toggleEdge drops the edge v→u if it is there, else adds u→v: what stays is the rim.
func toggleEdge(rim [][2]int16, n int, u, v int16) int {
	for i := range n {
		if rim[i][0] == v && rim[i][1] == u {
			rim[i] = rim[n-1]
			return n - 1
		}
	}
	rim[n] = [2]int16{u, v}
	return n + 1
}

func (t *polytope) removeDeadFaces() {
	m := 0
	for i := range t.m {
		if !t.faces[i].dead {
			t.faces[m] = t.faces[i]
			m++
		}
	}
	t.m = m
}

// closest reads the answer off the face: the projection of the origin, as weights of its corners. The depth
// is the separation along the direction, slightly more than the face's where there was no room for nearer
// ones.
func (t *polytope) closest(f *epaFace, depth float64) Closest {
	a, b, c := &t.corners[f.v[0]], &t.corners[f.v[1]], &t.corners[f.v[2]]
	o := f.normal.Scale(f.offset)
	n := b.w.Sub(a.w).Cross(c.w.Sub(a.w))
	l := n.Len2()
	u := n.Dot(c.w.Sub(b.w).Cross(o.Sub(b.w))) / l
	v := n.Dot(a.w.Sub(c.w).Cross(o.Sub(c.w))) / l
	w := 1 - u - v
	mix := func(x, y, z r3.Vec) r3.Vec { return x.Scale(u).AddScaled(v, y).AddScaled(w, z) }
	half := f.normal.Scale(float64(0.5 * depth))
	middle := mix(a.a, b.a, c.a).Lerp(mix(a.b, b.b, c.b), 0.5)
	return Closest{-depth, middle.Add(half), middle.Sub(half), f.normal}
}

// touching is the answer for cores that overlap without depth along n.
func touching(p *pairSupport, s *simplex, n r3.Vec) Closest {
	if n.Dot(p.pos) < 0 {
		n = n.Neg()
	}
	d := max(0, p.at(n).w.Dot(n))
	mid, _ := s.points() // where the two have their one point in common
	return Closest{-d, mid.AddScaled(0.5*d, n), mid.AddScaled(-0.5*d, n), n}
}
