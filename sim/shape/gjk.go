package shape

import (
	"simdeck/sim/r3"
)

// Closest is the shortest way between two convex shapes, in the world frame.
type Closest struct {
	Distance float64 // below zero: how deep they overlap
	A, B     r3.Vec  // the points of A and B; when they overlap, the deepest of each in the other
	Normal   r3.Vec  // of unit length, from A towards B
}

// Distance finds the shortest way between two convex shapes, or the shortest way to part them.
func Distance(a Convex, pa r3.Pose, b Convex, pb r3.Pose) Closest {
	qa, qb := ProxyOf(a, 0), ProxyOf(b, 0)
	c := Between(&qa, &qb, pa.Relative(pb))
	return Closest{c.Distance, pa.Apply(c.A), pa.Apply(c.B), pa.Rot.Rotate(c.Normal)}
}

// Between is Distance for proxies, in the frame of the first; rel is the pose of the second in it.
func Between(a, b *Proxy, rel r3.Pose) Closest {
	p := &pairSupport{a, b, rel.Rot.Mat(), rel.Pos}
	s, parted := gjk(p, rel.Pos)
	c := Closest{}
	if parted {
		c.A, c.B = s.points()
		v := c.B.Sub(c.A)
		c.Distance = v.Len()
		n, ok := s.away(v)
		if ok {
			c.Normal = n
		} else {
			parted = false
		}
	}
	if !parted {
		c = expand(p, &s)
	}
	c.A = c.A.AddScaled(a.Radius, c.Normal)
	c.B = c.B.AddScaled(-b.Radius, c.Normal)
	c.Distance -= a.Radius + b.Radius
	return c
}

const (
	gjkIterations = 64
	// gjkExact is the least gain of a new point, relative to the distance squared.
	gjkExact = 1e-12
	// gjkFlat is the squared sine of the angle below which a tetrahedron is flat.
	gjkFlat = 1e-20
	// gjkRounding is the square of how exact a volume is, relative to the lengths of the edges that it is
	// made of.
	gjkRounding = 1e-29
	// coreTouch is the distance in metres below which the cores count as overlapping.
	coreTouch = 1e-10
)

// gjk walks a simplex of the Minkowski difference towards the origin (Gilbert, Johnson and Keerthi,
// 1988). It returns the simplex nearest to the origin, and whether the cores are apart.
func gjk(p *pairSupport, towards r3.Vec) (simplex, bool) {
	dir := towards
	if dir.Len2() < 1e-20 {
		dir = r3.Vec{X: 1}
	}
	var s simplex
	s.c[0], s.weight[0], s.n = p.at(dir), 1, 1
	v := s.c[0].w
	for range gjkIterations {
		d2 := v.Len2()
		if d2 < coreTouch*coreTouch {
			return s, false
		}
		c := p.at(v.Neg())
		if d2-v.Dot(c.w) <= float64(gjkExact*d2) || s.has(c.w) {
			return s, true
		}
		before := s
		s.c[s.n] = c
		s.n++
		if s.reduce() {
			return s, false
		}
		next := s.nearest()
		if next.Len2() >= d2 {
			return before, true // rounding: no closer than before
		}
		v = next
	}
	return s, true
}

// simplex is up to four corners and the weights of its point nearest to the origin.
type simplex struct {
	c      [4]corner
	weight [4]float64
	n      int
}

func (s *simplex) has(w r3.Vec) bool {
	for i := range s.n {
		if s.c[i].w == w {
			return true
		}
	}
	return false
}

func (s *simplex) nearest() r3.Vec {
	var v r3.Vec
	for i := range s.n {
		v = v.AddScaled(s.weight[i], s.c[i].w)
	}
	return v
}

func (s *simplex) points() (a, b r3.Vec) {
	for i := range s.n {
		a = a.AddScaled(s.weight[i], s.c[i].a)
		b = b.AddScaled(s.weight[i], s.c[i].b)
	}
	return a, b
}

// away is the direction of the nearest point v of the difference, seen from the simplex. It is perpendicular
// to the simplex's edges and faces. v itself is not to the last digit, as a difference of nearby points.
func (s *simplex) away(v r3.Vec) (r3.Vec, bool) {
	var n r3.Vec
	switch s.n {
	case 2:
		e := s.c[1].w.Sub(s.c[0].w)
		n = v.AddScaled(-v.Dot(e)/e.Len2(), e)
	case 3:
		e, f := s.c[1].w.Sub(s.c[0].w), s.c[2].w.Sub(s.c[0].w)
		n = e.Cross(f)
		if n.Len2() < float64(1e-12*float64(e.Len2()*f.Len2())) {
			return v.Unit()
		}
	default:
		return v.Unit()
	}
	n, ok := n.Unit()
	if n.Dot(v) < 0 {
		n = n.Neg()
	}
	return n, ok
}

// keep leaves the corners with the given indices, with weights.
func (s *simplex) keep(index [3]int, weight [3]float64, n int) {
	var c [3]corner
	for i := range n {
		c[i] = s.c[index[i]]
	}
	for i := range n {
		s.c[i], s.weight[i] = c[i], weight[i]
	}
	s.n = n
}

// reduce leaves the smallest part of the simplex that holds its point nearest to the origin; true
// when the origin is inside a tetrahedron.
func (s *simplex) reduce() bool {
	switch s.n {
	case 2:
		f := nearestOnSegment(s, 0, 1)
		s.keep(f.index, f.weight, f.n)
	case 3:
		f := nearestOnTriangle(s, 0, 1, 2)
		s.keep(f.index, f.weight, f.n)
	case 4:
		return s.reduceTetrahedron()
	}
	return false
}

func (s *simplex) reduceTetrahedron() bool {
	best, found := feature{}, false
	faces := [4][4]int{{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}}
	for _, f := range faces {
		a := s.c[f[0]].w
		e, g, up := s.c[f[1]].w.Sub(a), s.c[f[2]].w.Sub(a), s.c[f[3]].w.Sub(a)
		n := e.Cross(g)
		side, other := -n.Dot(a), n.Dot(up)
		// The origin is beyond this face when the fourth corner is on the other side; a flat
		// tetrahedron, on whose sides rounding decides, encloses nothing.
		flat := float64(other*other) <= float64(max(float64(gjkFlat*n.Len2()),
			float64(gjkRounding*float64(e.Len2()*g.Len2())))*up.Len2())
		if float64(side*other) >= 0 && !flat {
			continue
		}
		c := nearestOnTriangle(s, f[0], f[1], f[2])
		if !found || c.d2 < best.d2 {
			best, found = c, true
		}
	}
	if !found {
		return true
	}
	s.keep(best.index, best.weight, best.n)
	return false
}

// feature is a vertex, edge or triangle of a simplex with the weights of its nearest point.
type feature struct {
	index  [3]int
	weight [3]float64
	n      int
	d2     float64
}

func nearestOnSegment(s *simplex, i, j int) feature {
	a, b := s.c[i].w, s.c[j].w
	ab := b.Sub(a)
	t, l := -a.Dot(ab), ab.Len2()
	switch {
	case t <= 0 || l == 0:
		return feature{index: [3]int{i}, weight: [3]float64{1}, n: 1, d2: a.Len2()}
	case t >= l:
		return feature{index: [3]int{j}, weight: [3]float64{1}, n: 1, d2: b.Len2()}
	}
	t /= l
	return feature{[3]int{i, j}, [3]float64{1 - t, t}, 2, a.AddScaled(t, ab).Len2()}
}

// nearestOnTriangle decides between the plane of the triangle and its edges (Ericson, "Real-Time
// Collision Detection", 5.1.5, with the areas taken from the triangle's normal).
func nearestOnTriangle(s *simplex, i, j, k int) feature {
	a, b, c := s.c[i].w, s.c[j].w, s.c[k].w
	n := b.Sub(a).Cross(c.Sub(a))
	l := n.Len2()
	u, v, w := n.Dot(b.Cross(c)), n.Dot(c.Cross(a)), n.Dot(a.Cross(b))
	if l > 0 && u > 0 && v > 0 && w > 0 {
		sum := u + v + w
		h := n.Dot(a)
		return feature{[3]int{i, j, k}, [3]float64{u / sum, v / sum, w / sum}, 3, float64(h*h) / l}
	}
	best := nearestOnSegment(s, i, j)
	if f := nearestOnSegment(s, j, k); f.d2 < best.d2 {
		best = f
	}
	if f := nearestOnSegment(s, k, i); f.d2 < best.d2 {
		best = f
	}
	return best
}
