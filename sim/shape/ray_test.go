package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

// TestRaysStopWhereTheShapeBegins walks along every ray in small steps, with the distance to a tiny
// ball as the oracle of what is outside.
func TestRaysStopWhereTheShapeBegins(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	probe := Sphere{1e-5}
	outside := func(s Convex, p r3.Vec) float64 {
		return Distance(s, r3.IdentityPose(), probe, r3.Pose{Pos: p, Rot: r3.Identity()}).Distance +
			probe.Radius
	}
	hits := 0
	for range 60 {
		for _, s := range convexes(t, r) {
			o := randomVec(r, 2)
			ray := r3.Ray{Origin: o, Dir: randomVec(r, 0.6).Sub(o).Scale(0.2 + r.Float64())}
			h, ok := s.CastRay(ray, 5)
			end := 5.0
			if ok {
				hits++
				end = h.T
				if d := outside(s, ray.At(h.T)); h.T > 0 && math.Abs(d) > 1e-6 {
					t.Fatalf("%v: hit at %v is %v off the surface", s.Kind(), h.T, d)
				}
				if math.Abs(h.Normal.Len()-1) > 1e-9 || h.Normal.Dot(ray.Dir) > 0 {
					t.Fatalf("%v: normal %v of ray %v", s.Kind(), h.Normal, ray.Dir)
				}
				checkNormal(t, s, ray, h)
			}
			for i := 0; i < 100 && end > 0; i++ {
				x := end * (float64(i) + 0.5) / 100
				if d := outside(s, ray.At(x)); d < -1e-6 {
					t.Fatalf("%v: ray %v was inside by %v at %v, reported %v %v", s.Kind(), ray, -d, x, h, ok)
				}
			}
			if h, ok := s.CastRay(r3.Ray{Origin: insidePoint(s), Dir: r3.V(0, 2, 0)}, 1); !ok || h.T != 0 {
				t.Fatalf("%v: a ray from inside gave %v %v", s.Kind(), h, ok)
			}
		}
	}
	if hits < 100 {
		t.Errorf("only %d rays hit", hits)
	}
}

// checkNormal: the support plane of the normal goes through the hit point.
func checkNormal(t *testing.T, s Convex, ray r3.Ray, h Hit) {
	t.Helper()
	if h.T == 0 {
		return
	}
	if gap := s.Support(h.Normal).Sub(ray.At(h.T)).Dot(h.Normal); math.Abs(gap) > 1e-6 {
		t.Fatalf("%v: %v is not the surface's normal at the hit (%v inside)", s.Kind(), h.Normal, gap)
	}
}

func insidePoint(s Convex) r3.Vec {
	var c r3.Vec
	dirs := []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}
	for _, d := range dirs {
		c = c.Add(s.Support(d))
	}
	return c.Scale(1 / float64(len(dirs)))
}

func TestRaysMeetPlanesFromAbove(t *testing.T) {
	h, ok := Plane{}.CastRay(r3.Ray{Origin: r3.V(0, 0, 2), Dir: r3.V(1, 0, -1)}, 10)
	if !ok || h.T != 2 || h.Normal != r3.V(0, 0, 1) {
		t.Errorf("got %v %v", h, ok)
	}
	if _, ok := (Plane{}).CastRay(r3.Ray{Origin: r3.V(0, 0, 2), Dir: r3.V(1, 0, -1)}, 1.9); ok {
		t.Error("hit beyond the limit")
	}
	if _, ok := (Plane{}).CastRay(r3.Ray{Origin: r3.V(0, 0, 2), Dir: r3.V(1, 0, 0)}, 1e9); ok {
		t.Error("a parallel ray hit")
	}
}

// shear is the oracle of rays and triangles. It turns space so that the ray runs along +z from the origin; a
// triangle is hit when its projection contains the origin.
type shear struct {
	origin     r3.Vec
	kx, ky, kz int
	sx, sy, sz float64
}

func shearFor(r r3.Ray) (shear, bool) {
	d := [3]float64{r.Dir.X, r.Dir.Y, r.Dir.Z}
	kz := 0
	if math.Abs(d[1]) > math.Abs(d[0]) {
		kz = 1
	}
	if math.Abs(d[2]) > math.Abs(d[kz]) {
		kz = 2
	}
	if d[kz] == 0 {
		return shear{}, false
	}
	next := [5]int{0, 1, 2, 0, 1}
	kx, ky := next[kz+1], next[kz+2]
	return shear{r.Origin, kx, ky, kz, d[kx] / d[kz], d[ky] / d[kz], 1 / d[kz]}, true
}

func (s *shear) point(p r3.Vec) (x, y, z float64) {
	p = p.Sub(s.origin)
	w := p.At(s.kz)
	return p.At(s.kx) - float64(s.sx*w), p.At(s.ky) - float64(s.sy*w), float64(s.sz * w)
}

// meet returns the distance at which the ray crosses the triangle, edges included.
func (s *shear) meet(a, b, c r3.Vec) (float64, bool) {
	var x, y, z [3]float64
	for k, p := range [3]r3.Vec{a, b, c} {
		x[k], y[k], z[k] = s.point(p)
	}
	return crossing(&x, &y, &z)
}

func TestMeshRaysAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	m := bumpyShell(t, 40)
	for range 3000 {
		ray := r3.Ray{Origin: randomVec(r, 2), Dir: randomVec(r, 1)}
		h, ok := m.CastRay(ray, 100)
		s, _ := shearFor(ray)
		best := math.Inf(1)
		for i := range m.triangles {
			if d, ok := s.meet(m.Triangle(int32(i))); ok && d <= 100 {
				best = min(best, d)
			}
		}
		if ok != !math.IsInf(best, 1) || (ok && h.T != best) {
			t.Fatalf("ray %v: tree says %v %v, brute force %v", ray, h, ok, best)
		}
		if ok && h.Normal.Dot(ray.Dir) > 0 {
			t.Fatalf("normal %v along the ray", h.Normal)
		}
	}
}

func TestNoRaySlipsBetweenTriangles(t *testing.T) {
	m := bumpyShell(t, 24)
	// Aim exactly at vertices and at middles of edges, where rounding would let a ray through.
	for i := range m.triangles {
		a, b, c := m.Triangle(int32(i))
		for _, target := range []r3.Vec{a, a.Add(b).Scale(0.5), b.Add(c).Scale(0.5), c} {
			if _, ok := m.CastRay(r3.Ray{Dir: target}, 10); !ok {
				t.Fatalf("the ray towards %v left the closed shell", target)
			}
		}
	}
}

func TestQueryFindsEveryTriangleOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	m := bumpyShell(t, 30)
	for range 200 {
		box := r3.BoxAround(randomVec(r, 1.5), randomVec(r, 0.5).Abs())
		seen := map[int32]int{}
		m.Query(box, func(i int32) bool { seen[i]++; return true })
		for i := range m.triangles {
			a, b, c := m.Triangle(int32(i))
			want := 0
			if (r3.Box{Min: a.Min(b).Min(c), Max: a.Max(b).Max(c)}).Overlaps(box) {
				want = 1
			}
			if seen[int32(i)] != want {
				t.Fatalf("triangle %d reported %d times, want %d", i, seen[int32(i)], want)
			}
		}
	}
	n := 0
	m.Query(m.bounds, func(int32) bool { n++; return n < 3 })
	if n != 3 {
		t.Errorf("query went on to %d after being stopped at 3", n)
	}
}

func BenchmarkMeshRay(b *testing.B) {
	m := bumpyShell(b, 224)
	r := rand.New(rand.NewPCG(1, 2))
	dirs := make([]r3.Vec, 1024)
	for i := range dirs {
		dirs[i] = randomDir(r)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.CastRay(r3.Ray{Dir: dirs[i&1023]}, 100)
	}
}
