package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

// oddMeshes are meshes on which single precision, ties and flat boxes go wrong first.
func oddMeshes(t testing.TB) map[string]*Mesh {
	moved := func(m *Mesh, scale float64, by r3.Vec) *Mesh {
		v := make([]r3.Vec, len(m.vertices))
		for i, p := range m.vertices {
			v[i] = p.Scale(scale).Add(by)
		}
		return mustMesh(t, v, m.triangles)
	}
	shell := bumpyShell(t, 40)
	return map[string]*Mesh{
		"shell": shell, "tiny": moved(shell, 1e-4, r3.V(3, -2, 1)),
		"far": moved(shell, 1, r3.V(9e4, -8e4, 7e4)), "huge": moved(shell, 5e4, r3.Vec{}),
		"floor": flatGrid(t, 30), "chain": chain(t, 100),
		"one": mustMesh(t, []r3.Vec{{}, {X: 1}, {Y: 1}}, [][3]int32{{0, 1, 2}}),
	}
}

func mustMesh(t testing.TB, v []r3.Vec, tri [][3]int32) *Mesh {
	t.Helper()
	m, err := NewMesh(v, tri)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// flatGrid lies in the plane z = 0: its boxes have no height.
func flatGrid(t testing.TB, n int32) *Mesh {
	var v []r3.Vec
	var tri [][3]int32
	for j := range n + 1 {
		for i := range n + 1 {
			v = append(v, r3.V(float64(i-n/2), float64(j-n/2), 0))
			if a := j*(n+1) + i; i < n && j < n {
				tri = append(tri, [3]int32{a, a + 1, a + n + 2}, [3]int32{a, a + n + 2, a + n + 1})
			}
		}
	}
	return mustMesh(t, v, tri)
}

// chain is triangles each of which is smaller than the one before: cuts by surface make a list of them.
func chain(t testing.TB, n int) *Mesh {
	var v []r3.Vec
	var tri [][3]int32
	size := 1e4
	for i := range n {
		v = append(v, r3.V(size, 0, size), r3.V(size, size, size), r3.V(0.9*size, 0.5*size, 0.8*size))
		tri = append(tri, [3]int32{int32(3 * i), int32(3*i + 1), int32(3*i + 2)})
		size *= 0.85
	}
	return mustMesh(t, v, tri)
}

// oddRay is a ray into a mesh: from near or far, to a corner, to an edge or anywhere, slanted or along
// an axis.
func oddRay(r *rand.Rand, m *Mesh) r3.Ray {
	size := m.bounds.Half().MaxAbs()
	from := m.bounds.Centre().Add(randomVec(r, size*[]float64{0.01, 1, 3, 1000}[r.IntN(4)]))
	a, b, c := m.Triangle(int32(r.IntN(len(m.triangles))))
	to := []r3.Vec{a, a.Add(b).Scale(0.5), a.Add(b).Add(c).Scale(1.0 / 3),
		m.bounds.Centre().Add(randomVec(r, size))}[r.IntN(4)]
	if axis := r.IntN(5); axis < 3 {
		from = to.With(axis, from.At(axis))
		if r.IntN(2) == 0 {
			from = from.With((axis+1)%3, from.At((axis+1)%3)+float64(size*1e-9*r.NormFloat64()))
		}
	}
	return r3.Ray{Origin: from, Dir: to.Sub(from).Scale([]float64{1, 1e-6, 1e3}[r.IntN(3)])}
}

func TestBothWaysThroughTheTreeGiveTheSameBits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	r := rand.New(rand.NewPCG(3, 4))
	hits := 0
	for name, m := range oddMeshes(t) {
		for range 300_000 {
			ray, limit := oddRay(r, m), []float64{math.Inf(1), 1e9, 3 * r.Float64()}[r.IntN(3)]
			var a, b wideRay
			if ok := a.prepare(&m.wide, &ray, limit); ok != b.prepare(&m.wide, &ray, limit) || !ok {
				continue
			}
			m.wide.cast(&a)
			m.wide.walk(&b)
			if a != b {
				t.Fatalf("%s: ray %v within %v: %v at %v, in Go %v at %v", name, ray, limit, a.tri, a.best,
					b.tri, b.best)
			}
			if a.tri >= 0 {
				hits++
			}
		}
	}
	if hits < 500_000 {
		t.Errorf("only %d rays hit", hits)
	}
}

func TestNoBoxHidesATriangle(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	hits := 0
	for name, m := range oddMeshes(t) {
		for range 4000 {
			ray := oddRay(r, m)
			s, ok := shearFor(ray)
			if !ok {
				continue
			}
			best := math.Inf(1)
			for i := range m.triangles {
				if d, ok := s.meet(m.Triangle(int32(i))); ok {
					best = min(best, d)
				}
			}
			h, ok := m.CastRay(ray, math.Inf(1))
			if ok != !math.IsInf(best, 1) || ok && h.T != best {
				t.Fatalf("%s: ray %v: tree says %v %v, brute force %v", name, ray, h.T, ok, best)
			}
			if d, ok2 := m.Reach(ray, math.Inf(1)); ok2 != ok || ok && d != h.T {
				t.Fatalf("%s: ray %v reaches %v %v, hits at %v %v", name, ray, d, ok2, h.T, ok)
			}
			if _, again := m.Reach(ray, best); again != ok {
				t.Fatalf("%s: a hit at the limit %v counts: %v", name, best, again)
			}
			if _, again := m.Reach(ray, math.Nextafter(best, -1)); ok && again {
				t.Fatalf("%s: a hit at %v counts within less", name, best)
			}
			if ok {
				hits++
			}
		}
	}
	if hits < 8000 {
		t.Errorf("only %d rays hit", hits)
	}
}

func TestRaysWithoutAPlaceMeetNothing(t *testing.T) {
	m := bumpyShell(t, 8)
	for name, c := range map[string]struct {
		ray   r3.Ray
		limit float64
	}{
		"direction of no length": {r3.Ray{}, 10},
		"origin that is NaN":     {r3.Ray{Origin: r3.V(math.NaN(), 0, 0), Dir: r3.V(1, 0, 0)}, 10},
		"origin at no end":       {r3.Ray{Origin: r3.V(math.Inf(-1), 0, 0), Dir: r3.V(1, 0, 0)}, math.Inf(1)},
		"direction that is NaN":  {r3.Ray{Dir: r3.V(math.NaN(), 1, 0)}, 10},
		"limit that is NaN":      {r3.Ray{Dir: r3.V(1, 0, 0)}, math.NaN()},
		"limit below zero":       {r3.Ray{Dir: r3.V(1, 0, 0)}, -1},
	} {
		if h, ok := m.CastRay(c.ray, c.limit); ok {
			t.Errorf("%s: hit %v", name, h)
		}
	}
}

// deepest is the longest way to a leaf of the binary tree.
func deepest(m *Mesh, at int32) int {
	n := &m.nodes[at]
	if n.count > 0 {
		return 1
	}
	return 1 + max(deepest(m, n.first), deepest(m, n.first+1))
}

func TestNoMeshOverflowsTheStacks(t *testing.T) {
	meshes := oddMeshes(t)
	meshes["long chain"] = chain(t, 2000)
	for name, m := range meshes {
		if _, deep := m.widen(); deep > wideStack {
			t.Errorf("%s: %d nodes may be left to visit, at most %d", name, deep, wideStack)
		}
		if n := deepest(m, 0); n > treeStack {
			t.Errorf("%s: %d levels, at most %d", name, n, treeStack)
		}
	}
	// Cut in halves, as where the cuts by surface go too deep.
	m := bumpyShell(t, 60)
	items := make([]buildItem, len(m.triangles))
	for i := range items {
		a, b, c := m.Triangle(int32(i))
		box := r3.Box{Min: a.Min(b).Min(c), Max: a.Max(b).Max(c)}
		items[i] = buildItem{box: box, tri: m.triangles[i]}
	}
	m.buildRoot(items, maxDepth)
	halves, deep := m.widen()
	if levels := int(math.Log2(float64(len(items)))); deepest(m, 0) > levels || deep > 7*levels+1 {
		t.Errorf("%d levels and a stack of %d for %d triangles", deepest(m, 0), deep, len(items))
	}
	whole := bumpyShell(t, 60)
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		ray := r3.Ray{Origin: randomVec(r, 2), Dir: randomVec(r, 1)}
		var w wideRay
		if !w.prepare(&halves, &ray, 100) {
			continue
		}
		halves.cast(&w)
		if d, ok := whole.Reach(ray, 100); ok != (w.tri >= 0) || ok && d != w.best {
			t.Fatalf("ray %v: %v %v, in halves %v %v", ray, d, ok, w.best, w.tri)
		}
	}
	twins := make([][3]int32, 1000) // of one place: no cut parts them
	for i := range twins {
		twins[i] = [3]int32{0, 1, 2}
	}
	m = mustMesh(t, []r3.Vec{{}, {X: 1}, {Y: 1}}, twins)
	if d, ok := m.Reach(r3.Ray{Origin: r3.V(0.2, 0.2, 1), Dir: r3.V(0, 0, -1)}, 2); !ok || d != 1 {
		t.Errorf("a thousand triangles in one place: %v %v", d, ok)
	}
	found := 0
	m.Query(m.bounds, func(int32) bool { found++; return true })
	if found != len(twins) {
		t.Errorf("%d of %d triangles in one place found", found, len(twins))
	}
}

func BenchmarkRayOfALidar(b *testing.B) {
	m := bumpyShell(b, 224)
	b.Run("fastest", func(b *testing.B) { castRing(b, m, m.wide.cast) })
	b.Run("in Go", func(b *testing.B) { castRing(b, m, m.wide.walk) })
}

func castRing(b *testing.B, m *Mesh, cast func(*wideRay)) {
	var w wideRay
	for i := 0; b.Loop(); i++ {
		sin, cos := r3.SinCos(float64(i) * 0.002)
		if ray := (r3.Ray{Dir: r3.V(cos, sin, 0.1)}); w.prepare(&m.wide, &ray, 100) {
			cast(&w)
		}
	}
}

func TestTheNumberBelowIsThatOfTheStandardLibrary(t *testing.T) {
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 1e-50, -1e-50, 1e-45, -1e-45, 1e30, -1e30,
		1e39, -1e39, math.MaxFloat32, -math.MaxFloat32, 0.1, -0.1, math.Inf(1), math.Inf(-1)} {
		if got, want := under(x), math.Nextafter32(float32(x), float32(math.Inf(-1))); got != want {
			t.Errorf("below %g is %g, want %g", x, got, want)
		}
	}
}
