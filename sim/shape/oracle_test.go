package shape

import (
	"math"
	"math/rand/v2"
	"sort"

	"simdeck/sim/r3"
)

// Two independent ways to find the distance of convex shapes: over all features of polyhedra, and over
// directions.

// solid is a polyhedron, or less, in the world, and a radius around it.
type solid struct {
	vertices []r3.Vec
	edges    [][2]int
	faces    [][]int
	radius   float64
}

// solidOf is exact; false for a cylinder, which has no features.
func solidOf(c Convex, p r3.Pose) (solid, bool) {
	var s solid
	switch c := c.(type) {
	case Sphere:
		s = solid{vertices: []r3.Vec{{}}, radius: c.Radius}
	case Capsule:
		s = solid{vertices: []r3.Vec{{Z: c.Half}, {Z: -c.Half}}, edges: [][2]int{{0, 1}}, radius: c.Radius}
	case Box:
		for i := range 8 {
			s.vertices = append(s.vertices,
				r3.V(c.Half.X*float64(i&1*2-1), c.Half.Y*float64(i&2-1), c.Half.Z*float64(i&4/2-1)))
			for k := 1; k < 8; k *= 2 {
				if i&k == 0 {
					s.edges = append(s.edges, [2]int{i, i | k})
				}
			}
		}
		s.faces = [][]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}
	case *Hull:
		s.vertices = append(s.vertices, c.Vertices()...)
		for _, f := range c.Faces() {
			var face []int
			for i, v := range f {
				face = append(face, int(v))
				if w := f[(i+1)%len(f)]; v < w {
					s.edges = append(s.edges, [2]int{int(v), int(w)})
				}
			}
			s.faces = append(s.faces, face)
		}
	default:
		return s, false
	}
	for i, v := range s.vertices {
		s.vertices[i] = p.Apply(v)
	}
	return s, true
}

func (s *solid) extent(n r3.Vec) float64 {
	most := math.Inf(-1)
	for _, v := range s.vertices {
		most = max(most, v.Dot(n))
	}
	return most
}

func (s *solid) normal(face []int) r3.Vec {
	a, b, c := s.vertices[face[0]], s.vertices[face[1]], s.vertices[face[2]]
	n, _ := b.Sub(a).Cross(c.Sub(a)).Unit()
	return n
}

// byFeatures is the distance: for those that overlap over all planes that can part them best, for others over
// all pairs of features.
func byFeatures(a, b *solid) float64 {
	parted := math.Inf(-1)
	try := func(n r3.Vec, ok bool) {
		if ok {
			parted = max(parted, -b.extent(n.Neg())-a.extent(n), -a.extent(n.Neg())-b.extent(n))
		}
	}
	for _, s := range [2]*solid{a, b} {
		for _, f := range s.faces {
			try(s.normal(f), true)
		}
	}
	for _, e := range a.edges {
		d, _ := a.vertices[e[1]].Sub(a.vertices[e[0]]).Unit()
		for _, f := range b.edges {
			g, _ := b.vertices[f[1]].Sub(b.vertices[f[0]]).Unit()
			if x := d.Cross(g); x.Len() > 1e-7 {
				try(x.Unit())
			}
		}
	}
	if parted <= 0 && len(a.faces)+len(b.faces) > 0 {
		return parted - a.radius - b.radius
	}
	least := min(toFaces(a, b), toFaces(b, a))
	for _, e := range a.segments() {
		for _, f := range b.segments() {
			least = min(least, segments(e, f))
		}
	}
	return least - a.radius - b.radius
}

func (s *solid) segments() (out [][2]r3.Vec) {
	for _, e := range s.edges {
		out = append(out, [2]r3.Vec{s.vertices[e[0]], s.vertices[e[1]]})
	}
	if len(s.edges) == 0 {
		out = append(out, [2]r3.Vec{s.vertices[0], s.vertices[0]})
	}
	return out
}

// toFaces is the least distance of a corner of a that lies over a face of b.
func toFaces(a, b *solid) float64 {
	least := math.Inf(1)
	for _, f := range b.faces {
		n := b.normal(f)
		for _, v := range a.vertices {
			over := true
			for i := range f {
				p, q := b.vertices[f[i]], b.vertices[f[(i+1)%len(f)]]
				over = over && q.Sub(p).Cross(v.Sub(p)).Dot(n) >= 0
			}
			if h := v.Sub(b.vertices[f[0]]).Dot(n); over && h >= 0 {
				least = min(least, h)
			}
		}
	}
	return least
}

// segments is the distance of two segments: that of their lines where it lies within both, else of an end.
func segments(e, f [2]r3.Vec) float64 {
	least := math.Inf(1)
	for _, p := range e {
		least = min(least, toSegment(p, f))
	}
	for _, p := range f {
		least = min(least, toSegment(p, e))
	}
	d, g := e[1].Sub(e[0]), f[1].Sub(f[0])
	n := d.Cross(g)
	l2 := n.Len2()
	if l2 <= 1e-24*d.Len2()*g.Len2() || l2 == 0 {
		return least
	}
	w := f[0].Sub(e[0])
	s, t := w.Cross(g).Dot(n)/l2, w.Cross(d).Dot(n)/l2
	if s >= 0 && s <= 1 && t >= 0 && t <= 1 {
		least = min(least, math.Abs(w.Dot(n))/math.Sqrt(l2))
	}
	return least
}

func toSegment(p r3.Vec, e [2]r3.Vec) float64 {
	d := e[1].Sub(e[0])
	t := 0.0
	if l2 := d.Len2(); l2 > 0 {
		t = max(0, min(1, p.Sub(e[0]).Dot(d)/l2))
	}
	return p.Dist(e[0].AddScaled(t, d))
}

// byDirections climbs to the direction along which two shapes are furthest apart, from the best of many.
func byDirections(r *rand.Rand, a Convex, pa r3.Pose, b Convex, pb r3.Pose) float64 {
	apart := func(n r3.Vec) float64 {
		return pb.Apply(b.Support(pb.Rot.RotateBack(n.Neg()))).
			Sub(pa.Apply(a.Support(pa.Rot.RotateBack(n)))).Dot(n)
	}
	type start struct {
		n r3.Vec
		s float64
	}
	var starts []start
	add := func(n r3.Vec) { starts = append(starts, start{n, apart(n)}) }
	for range 400 {
		add(randomDir(r))
	}
	for i := range 3 {
		for _, p := range [2]r3.Pose{pa, pb} {
			e := p.Rot.Rotate(r3.Vec{}.With(i, 1))
			add(e)
			add(e.Neg())
		}
	}
	sort.Slice(starts, func(i, k int) bool { return starts[i].s > starts[k].s })
	best := math.Inf(-1)
	for _, c := range starts[:12] {
		for step := 0.2; step > 1e-9; {
			better := false
			for range 10 {
				n, _ := c.n.AddScaled(step, randomDir(r)).Unit()
				if s := apart(n); s > c.s {
					c, better = start{n, s}, true
				}
			}
			if !better {
				step *= 0.6
			}
		}
		best = max(best, c.s)
	}
	return best
}
