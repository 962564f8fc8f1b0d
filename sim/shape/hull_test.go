package shape

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"simdeck/sim/r3"
)

func cubeMesh(t testing.TB, h float64) *Mesh {
	t.Helper()
	v := make([]r3.Vec, 8)
	for i := range v {
		v[i] = Box{r3.V(h, h, h)}.Support(r3.V(float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2)-0.5))
	}
	quads := [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}
	var tri [][3]int32
	for _, q := range quads {
		tri = append(tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	m, err := NewMesh(v, tri)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bumpyShell is a closed surface around the origin of n × n cells, as in scene Fshell.
func bumpyShell(t testing.TB, n int) *Mesh {
	t.Helper()
	var v []r3.Vec
	var tri [][3]int32
	for j := 0; j <= n; j++ {
		for i := range n {
			th, ph := math.Pi*float64(j)/float64(n), 2*math.Pi*float64(i)/float64(n)
			rad, sin := 1+0.08*math.Sin(6*ph)*math.Sin(5*th), math.Sin(th)
			if j == n {
				sin = 0 // or the pole would be a ring of points around a tiny hole
			}
			v = append(v, r3.V(rad*sin*math.Cos(ph), rad*sin*math.Sin(ph), rad*math.Cos(th)))
		}
	}
	for j := range n {
		for i := range n {
			a, b := int32(j*n+i), int32(j*n+(i+1)%n)
			c, d := a+int32(n), b+int32(n)
			tri = append(tri, [3]int32{a, c, b}, [3]int32{b, c, d})
		}
	}
	m, err := NewMesh(v, tri)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestHullsHoldTheirPointsAndAreConvex(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	for range 200 {
		points := make([]r3.Vec, 4+r.IntN(300))
		for i := range points {
			points[i] = randomVec(r, 1)
		}
		h, err := ConvexHull(points, 255)
		if err != nil {
			t.Fatal(err)
		}
		for f, n := range h.normals {
			for _, p := range points {
				if d := n.Dot(p) - h.offsets[f]; d > 1e-7 {
					t.Fatalf("point %v is %v outside face %d", p, d, f)
				}
			}
			for _, v := range h.faces[f] {
				if d := n.Dot(h.vertices[v]) - h.offsets[f]; d < -1e-6 {
					t.Fatalf("vertex of face %d is %v below it", f, -d)
				}
			}
		}
		checkEuler(t, h)
	}
}

// checkEuler: vertices - edges + faces = 2, and every edge is shared by two faces in opposite senses.
func checkEuler(t *testing.T, h *Hull) {
	t.Helper()
	edges := map[[2]int32]bool{}
	for _, f := range h.faces {
		for k, u := range f {
			e := [2]int32{u, f[(k+1)%len(f)]}
			if edges[e] {
				t.Fatalf("edge %v occurs twice", e)
			}
			edges[e] = true
		}
	}
	for e := range edges {
		if !edges[[2]int32{e[1], e[0]}] {
			t.Fatalf("edge %v has no other side", e)
		}
	}
	if x := len(h.vertices) - len(edges)/2 + len(h.faces); x != 2 {
		t.Fatalf("Euler characteristic %d", x)
	}
}

func TestTheHullOfACubeHasSixFaces(t *testing.T) {
	m := cubeMesh(t, 0.5)
	points := append([]r3.Vec(nil), m.vertices...)
	r := rand.New(rand.NewPCG(12, 12))
	for range 500 { // inside and on the faces: none may stay
		p := randomVec(r, 0.5)
		points = append(points, p, p.With(r.IntN(3), 0.5))
	}
	h, err := ConvexHull(points, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(h.vertices) != 8 || len(h.faces) != 6 {
		t.Errorf("%d vertices, %d faces", len(h.vertices), len(h.faces))
	}
	checkEuler(t, h)
}

func TestAHullKeepsToItsVertexLimit(t *testing.T) {
	h, err := ConvexHull(bumpyShell(t, 40).vertices, 32)
	if err != nil {
		t.Fatal(err)
	}
	if len(h.vertices) > 32 || len(h.vertices) < 24 {
		t.Errorf("%d vertices", len(h.vertices))
	}
	if v := h.Mass(1).Mass; v < 2.5 || v > 5 {
		t.Errorf("volume %v of about 4.2 is left", v)
	}
	checkEuler(t, h)
}

func TestPointsThatSpanNoVolumeMakeNoHull(t *testing.T) {
	flat := []r3.Vec{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {X: 0.3, Y: 0.2}}
	line := []r3.Vec{{}, {X: 1}, {X: 2}, {X: 3}}
	for _, points := range [][]r3.Vec{nil, flat, line, flat[:3], {{}, {}, {}, {}},
		{{X: math.NaN()}, {}, {}, {}}} {
		if _, err := ConvexHull(points, 0); !errors.Is(err, ErrShape) {
			t.Errorf("%v: %v", points, err)
		}
	}
}

func TestMeshesThatCannotBeAreRefused(t *testing.T) {
	v := []r3.Vec{{}, {X: 1}, {Y: 1}}
	for _, tri := range [][][3]int32{nil, {{0, 1, 3}}, {{-1, 0, 1}}, {{0, 0, 1}}} {
		if _, err := NewMesh(v, tri); !errors.Is(err, ErrShape) {
			t.Errorf("%v: %v", tri, err)
		}
	}
	if _, err := NewMesh([]r3.Vec{{X: math.Inf(1)}, {}, {}}, [][3]int32{{0, 1, 2}}); !errors.Is(err,
		ErrShape) {
		t.Error("an infinite vertex was accepted")
	}
	m, err := NewMesh(v, [][3]int32{{0, 1, 1}, {0, 1, 2}})
	if err != nil || len(m.Triangles()) != 1 || m.Closed() {
		t.Errorf("%v %v", m, err)
	}
}

func TestEdgesKnowHowTheSurfaceGoesOn(t *testing.T) {
	m := cubeMesh(t, 0.5)
	flat, ridge := 0, 0
	for i := range m.triangles {
		for k := range 3 {
			switch m.Edge(int32(i), k) {
			case EdgeFlat:
				flat++
			case EdgeRidge:
				ridge++
			default:
				t.Errorf("edge %d of triangle %d is %d", k, i, m.Edge(int32(i), k))
			}
		}
	}
	if flat != 12 || ridge != 24 || !m.Closed() {
		t.Errorf("%d flat (6 diagonals seen twice), %d ridges (12 edges seen twice), closed %v", flat, ridge,
			m.Closed())
	}
	valley, err := NewMesh([]r3.Vec{{}, {Y: 1}, {X: 1, Z: 1}, {X: -1, Z: 1}},
		[][3]int32{{1, 0, 2}, {0, 1, 3}})
	if err != nil || valley.Edge(0, 0) != EdgeValley || valley.Edge(0, 1) != EdgeOpen || valley.Closed() {
		t.Errorf("valley: %v %v", valley, err)
	}
}

func TestAFaceThatFoldsOntoItselfIsAnErrorAndNoCrash(t *testing.T) {
	b := &hullBuilder{points: []r3.Vec{r3.V(0, 0, 0), r3.V(1, 0, 0)},
		faces: []hullFace{{v: [3]int32{0, 1, 0}, next: [3]int32{-1, -1, -1}}}}
	if h, err := b.finish(); !errors.Is(err, ErrShape) {
		t.Errorf("%v, %v", h, err)
	}
}

func TestACornerOfAHullIsNotAPointOutsideOfIt(t *testing.T) {
	b := &hullBuilder{}
	if err := b.begin(tetra(), 8); err != nil {
		t.Fatal(err)
	}
	apex := int32(len(b.points) - 1)
	b.faces[0].first, b.faces[0].last, b.after[2], b.after[apex] = 2, apex, apex, -1
	if b.addHorizonFaces(0, apex); !slices.Equal(b.orphans, []int32{2}) {
		t.Errorf("left to care for: %v, want the other point alone", b.orphans)
	}
}

// tetra is the corners of a tetrahedron and a point above it.
func tetra() []r3.Vec {
	return []r3.Vec{r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1), r3.V(1, 1, 1)}
}
