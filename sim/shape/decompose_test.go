package shape

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"simdeck/sim/r3"
)

// surface collects triangles.
type surface struct {
	vertices  []r3.Vec
	triangles [][3]int32
}

func (s *surface) quad(a, b, c, d r3.Vec) {
	n := int32(len(s.vertices))
	s.vertices = append(s.vertices, a, b, c, d)
	s.triangles = append(s.triangles, [3]int32{n, n + 1, n + 2}, [3]int32{n, n + 2, n + 3})
}

// solidOfCells is the outer surface of unit cubes: rows of text from above, one text per layer from below.
func solidOfCells(layers ...[]string) *surface {
	s := &surface{}
	full := func(x, y, z int) bool {
		return z >= 0 && z < len(layers) && y >= 0 && y < len(layers[z]) && x >= 0 && x < len(layers[z][y]) &&
			layers[z][y][x] == '#'
	}
	for z := range layers {
		for y := range layers[z] {
			for x := range layers[z][y] {
				if !full(x, y, z) {
					continue
				}
				at := func(i, j, k float64) r3.Vec { return r3.V(float64(x)+i, float64(y)+j, float64(z)+k) }
				if !full(x-1, y, z) {
					s.quad(at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0))
				}
				if !full(x+1, y, z) {
					s.quad(at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1))
				}
				if !full(x, y-1, z) {
					s.quad(at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1))
				}
				if !full(x, y+1, z) {
					s.quad(at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0))
				}
				if !full(x, y, z-1) {
					s.quad(at(0, 0, 0), at(0, 1, 0), at(1, 1, 0), at(1, 0, 0))
				}
				if !full(x, y, z+1) {
					s.quad(at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1))
				}
			}
		}
	}
	return s
}

// ring is a torus around z with the given radii.
func ring(major, minor float64, n, m int) *surface {
	s := &surface{}
	at := func(i, k int) r3.Vec {
		a, b := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(k)/float64(m)
		r := major + minor*r3.Cos(b)
		return r3.V(r*r3.Cos(a), r*r3.Sin(a), minor*r3.Sin(b))
	}
	for i := range n {
		for k := range m {
			s.quad(at(i, k), at(i+1, k), at(i+1, k+1), at(i, k+1))
		}
	}
	return s
}

// cup is a pot with a wall and a floor, open above.
func cup(outer, wall, height float64, n int) *surface {
	s := &surface{}
	at := func(r, z float64, i int) r3.Vec {
		a := 2 * math.Pi * float64(i) / float64(n)
		return r3.V(r*r3.Cos(a), r*r3.Sin(a), z)
	}
	profile := [][2]float64{{0, 0}, {outer, 0}, {outer, height}, {outer - wall, height}, {outer - wall, wall},
		{0, wall}}
	for i := range n {
		for k := 1; k < len(profile); k++ {
			p, q := profile[k-1], profile[k]
			s.quad(at(p[0], p[1], i), at(p[0], p[1], i+1), at(q[0], q[1], i+1), at(q[0], q[1], i))
		}
	}
	return s
}

func (s *surface) turned(q r3.Quat) *surface {
	out := &surface{triangles: s.triangles}
	for _, v := range s.vertices {
		out.vertices = append(out.vertices, q.Rotate(v))
	}
	return out
}

func (s *surface) volume() float64 {
	return solidMass(s.vertices, func(yield func(a, b, c int32)) {
		for _, t := range s.triangles {
			yield(t[0], t[1], t[2])
		}
	}, 1).Mass
}

var (
	elbow = solidOfCells([]string{"####", "####", "##..", "##.."}, []string{"####", "####", "##..", "##.."})
	table = solidOfCells([]string{"#...#", ".....", ".....", "#...#"},
		[]string{"#...#", ".....", ".....", "#...#"}, []string{"#...#", ".....", ".....", "#...#"},
		[]string{"#####", "#####", "#####", "#####"})
	tunnel = solidOfCells([]string{"#####", "#...#", "#...#", "#####"},
		[]string{"#####", "#...#", "#...#", "#####"})
	brick = solidOfCells([]string{"##", "##"}, []string{"##", "##"})
	tilt  = r3.AxisAngle(r3.V(1, 2, 3), 0.7)
)

func TestSolidsAreCutIntoFewHullsThatWasteLittle(t *testing.T) {
	for _, c := range []struct {
		name  string
		solid *surface
		cut   Cut
		most  int     // hulls
		waste float64 // of the volume of the solid
	}{
		{"a block", brick, Cut{}, 1, 1e-9},
		{"a block, turned", brick.turned(tilt), Cut{}, 1, 1e-9},
		{"an elbow", elbow, Cut{}, 2, 0.02},
		{"an elbow, turned", elbow.turned(tilt), Cut{}, 12, 0.06},
		{"a table", table, Cut{}, 5, 0.02},
		{"a tunnel", tunnel, Cut{}, 4, 0.02},
		{"a ring", ring(1, 0.3, 48, 16), Cut{}, 12, 0.22},
		{"a ring of 24", ring(1, 0.3, 48, 16), Cut{Parts: 24}, 24, 0.09},
		{"a cup", cup(1, 0.1, 2, 32), Cut{Parts: 16}, 16, 0.25},
		{"a table in one", table, Cut{Parts: 1}, 1, 2},
	} {
		hulls, err := Decompose(c.solid.vertices, c.solid.triangles, c.cut)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want, got := c.solid.volume(), 0.0
		for _, h := range hulls {
			got += h.Mass(1).Mass
		}
		t.Logf("%s: %d hulls, %+.1f %% of the volume", c.name, len(hulls), 100*(got/want-1))
		if len(hulls) > c.most || got > want*(1+c.waste) || got < want*0.95 {
			t.Errorf("%s: %d hulls of %.4g m³ for a solid of %.4g, want at most %d that waste %g %%", c.name,
				len(hulls), got, want, c.most, 100*c.waste)
		}
		if far := furthestOutside(c.solid, hulls); far > 0.03 {
			t.Errorf("%s: a vertex is %.3g m outside all hulls", c.name, far)
		}
	}
}

// furthestOutside is the greatest distance of a vertex of the surface outside of all hulls.
func furthestOutside(s *surface, hulls []*Hull) float64 {
	worst := 0.0
	for _, v := range s.vertices {
		least := math.Inf(1)
		for _, h := range hulls {
			most := math.Inf(-1)
			for i, n := range h.normals {
				most = max(most, n.Dot(v)-h.offsets[i])
			}
			least = min(least, most)
		}
		worst = max(worst, least)
	}
	return worst
}

func TestAHoleStaysOpen(t *testing.T) {
	s := ring(1, 0.3, 48, 16)
	hulls, err := Decompose(s.vertices, s.triangles, Cut{})
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range hulls {
		if hit, ok := h.CastRay(r3.Ray{Origin: r3.V(0.1, 0.1, 2), Dir: r3.V(0, 0, -1)}, 10); ok {
			t.Errorf("hull %d closes the hole of the ring: a ray meets it at %g", i, hit.T)
		}
	}
}

func TestASheetAndAnOpenSurfaceAreCutToo(t *testing.T) {
	corner := &surface{} // two walls of a room, without thickness
	corner.quad(r3.V(0, 0, 0), r3.V(2, 0, 0), r3.V(2, 0, 1), r3.V(0, 0, 1))
	corner.quad(r3.V(0, 0, 0), r3.V(0, 0, 1), r3.V(0, 2, 1), r3.V(0, 2, 0))
	hulls, err := Decompose(corner.vertices, corner.triangles, Cut{})
	if err != nil {
		t.Fatal(err)
	}
	volume := 0.0
	for _, h := range hulls {
		volume += h.Mass(1).Mass
	}
	if len(hulls) > 12 || volume > 0.2 { // the hull of both is 2 m³
		t.Errorf("%d hulls of %.3g m³", len(hulls), volume)
	}
	flat := &surface{}
	flat.quad(r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(1, 1, 0), r3.V(0, 1, 0))
	if _, err := Decompose(flat.vertices, flat.triangles, Cut{}); err == nil {
		t.Error("a flat surface has a hull")
	}
	if _, err := Decompose(brick.vertices, [][3]int32{{0, 1, 99}}, Cut{}); err == nil {
		t.Error("an index out of range is taken")
	}
}

func TestDecompositionIsTheSameEveryTimeAndEverywhere(t *testing.T) {
	s := cup(1, 0.1, 2, 32).turned(tilt)
	var first string
	for range 2 {
		hulls, err := Decompose(s.vertices, s.triangles, Cut{})
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New64a()
		for _, hull := range hulls {
			for _, v := range hull.Vertices() {
				fmt.Fprintf(h, "%x %x %x\n", math.Float64bits(v.X), math.Float64bits(v.Y),
					math.Float64bits(v.Z))
			}
		}
		got := fmt.Sprintf("%d hulls, %016x", len(hulls), h.Sum64())
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%s, then %s", first, got)
		}
	}
}

func BenchmarkDecompose(b *testing.B) {
	for name, s := range map[string]*surface{"ring of 100k triangles": ring(1, 0.3, 500, 100),
		"cup": cup(1, 0.1, 2, 64)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Decompose(s.vertices, s.triangles, Cut{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
