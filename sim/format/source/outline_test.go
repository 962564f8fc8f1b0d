package source

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// volume of a closed mesh by the divergence theorem; closed says that every edge has its opposite.
func volume(m *scene.Mesh) (v float64, closed bool) {
	edges := map[[2]int32]int{}
	for _, t := range m.Triangles {
		a, b, c := m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]
		v += a.Dot(b.Cross(c)) / 6
		for i := range 3 {
			edges[[2]int32{t[i], t[(i+1)%3]}]++
		}
	}
	closed = true
	for e, n := range edges {
		closed = closed && edges[[2]int32{e[1], e[0]}] == n
	}
	return v, closed
}

// star is a polygon that is seen whole from its middle: never crossing, often dented.
func star(r *rand.Rand, n int) (outline []r3.Vec, area float64) {
	for i := range n {
		d := 0.2 + r.Float64()
		a := 2 * math.Pi * (float64(i) + 0.8*r.Float64()) / float64(n)
		outline = append(outline, r3.V(3+d*math.Cos(a), d*math.Sin(a), 0))
	}
	for i, p := range outline {
		q := outline[(i+1)%n]
		area += (p.X*q.Y - q.X*p.Y) / 2
	}
	return outline, area
}

func TestAnExtrudedOutlineIsClosedAndHoldsItsVolume(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 3; n < 60; n++ {
		outline, area := star(r, n)
		if n%2 == 0 { // the other way round, with a doubled corner and the first again at the end
			for i, k := 0, n-1; i < k; i, k = i+1, k-1 {
				outline[i], outline[k] = outline[k], outline[i]
			}
			outline = append(outline, outline[n-1], outline[0])
		}
		m := &scene.Mesh{}
		if !Extrude(m, outline, 0.7) {
			t.Fatalf("%d corners: nothing", n)
		}
		if v, closed := volume(m); !closed || math.Abs(v-0.7*area) > 1e-9*math.Max(1, area) {
			t.Errorf("%d corners: volume %.9g, want %.9g, closed %v", n, v, 0.7*area, closed)
		}
	}
}

func TestOutlinesThatEncloseNothingAreRefused(t *testing.T) {
	for _, o := range [][]r3.Vec{nil, {{}, {}, {}}, {{}, {X: 1}, {X: 2}}, {{}, {X: 1}}} {
		if Extrude(&scene.Mesh{}, o, 1) {
			t.Errorf("%v makes a body", o)
		}
	}
}
