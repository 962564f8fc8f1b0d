package shape

import (
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

// mappedHulls are hulls of many vertices: round and flat ones, ones with large faces, and ones far from their
// origin.
func mappedHulls(t *testing.T, r *rand.Rand) []*Hull {
	var out []*Hull
	for i := range 40 {
		size := r3.V(1, r.Float64(), 1e-3+0.1*r.Float64())
		middle := r3.V(0, 0, 0)
		if i%3 == 0 {
			middle = r3.V(10*r.NormFloat64(), 30, 0)
		}
		var points []r3.Vec
		for range 20 + r.IntN(400) {
			p := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
			switch u, _ := p.Unit(); {
			case i%4 == 0: // a prism with many sides
				flat, _ := r3.V(p.X, p.Y, 0).Unit()
				p = r3.V(flat.X, flat.Y, float64(1-2*(len(points)%2)))
			default:
				p = u
			}
			points = append(points, middle.Add(p.Mul(size)))
		}
		h, err := ConvexHull(points, 0)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h)
	}
	return out
}

// TestAHullWithAMapAnswersAsOneWithout: bit for bit, along random directions and along the normals, edges and
// axes, where several vertices are nearly or exactly as far.
func TestAHullWithAMapAnswersAsOneWithout(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	for n, h := range mappedHulls(t, r) {
		plain := &Hull{vertices: h.vertices, faces: h.faces, normals: h.normals, offsets: h.offsets}
		whole, core := ProxyOf(h, 0), CoreOf(h, 1e-4)
		if whole.near == nil {
			t.Fatalf("hull %d of %d vertices has no map", n, len(h.vertices))
		}
		plainCore := core
		plainCore.near = nil
		dirs := []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}, {X: 1, Y: 1}, {Y: -1, Z: 1}, {}}
		dirs = append(dirs, h.normals...)
		for _, f := range h.faces {
			dirs = append(dirs, h.vertices[f[0]].Sub(h.vertices[f[1]]))
		}
		for range 3000 {
			d := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
			dirs = append(dirs, d, d.Mul(r3.V(1e-3, 1, 1)), d.Mul(r3.V(1, 1e-6, 1e-3)))
		}
		for _, d := range dirs {
			if got, want := h.Support(d), plain.Support(d); got != want || whole.support(d) != want {
				t.Fatalf("hull %d along %v: %v with a map, want %v", n, d, got, want)
			}
			if got, want := core.support(d), plainCore.support(d); got != want {
				t.Fatalf("core of hull %d along %v: %v with a map, want %v", n, d, got, want)
			}
			if got, want := h.FaceAlong(d), plain.FaceAlong(d); got != want {
				t.Fatalf("hull %d along %v: face %d with a map, want %d", n, d, got, want)
			}
			u, ok := d.Unit()
			if p := (r3.Pose{Pos: u, Rot: r3.AxisAngle(u, d.Len())}); ok && h.Bounds(p) != plain.Bounds(p) {
				t.Fatalf("hull %d at %v: bounds %v with a map, want %v", n, p, h.Bounds(p), plain.Bounds(p))
			}
		}
	}
}

// TestAMapListsFewPoints: at most one in eight on average, whatever the shape.
func TestAMapListsFewPoints(t *testing.T) {
	for n, h := range mappedHulls(t, rand.New(rand.NewPCG(5, 8))) {
		m := ProxyOf(h, 0).near
		if each := float64(len(m.points)) / float64(len(m.first)-1); each > float64(len(h.vertices))/7 {
			t.Errorf("hull %d of %d vertices: %.1f in a list", n, len(h.vertices), each)
		}
	}
}
