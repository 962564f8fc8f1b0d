package shape

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*max(1, math.Abs(a), math.Abs(b)) }

func sameMass(a, b Mass, tol float64) bool {
	d := a.Inertia.Add(b.Inertia.Scale(-1))
	worst := max(d.Col(0).MaxAbs(), d.Col(1).MaxAbs(), d.Col(2).MaxAbs())
	return near(a.Mass, b.Mass, tol) && a.COM.Sub(b.COM).MaxAbs() <= tol && worst <= tol*max(1, a.Inertia.XX)
}

func TestMassOfPrimitivesAgreesWithTheirTriangles(t *testing.T) {
	box := Box{r3.V(0.5, 0.5, 0.5)}
	if got, want := cubeMesh(t, 0.5).Mass(2), box.Mass(2); !sameMass(got, want, 1e-12) {
		t.Errorf("cube mesh %v, box %v", got, want)
	}
	for _, s := range []Convex{Sphere{0.7}, Cylinder{0.4, 0.9}, Capsule{0.4, 0.6}, Box{r3.V(0.2, 0.5, 0.9)}} {
		var points []r3.Vec
		n := 255
		for i := range 4000 { // directions on a spiral: an inscribed polyhedron
			z := 1 - 2*(float64(i)+0.5)/4000
			a := float64(i) * 2.399963229728653
			k := math.Sqrt(1 - z*z)
			points = append(points, s.Support(r3.V(k*math.Cos(a), k*math.Sin(a), z)))
		}
		h, err := ConvexHull(points, n)
		if err != nil {
			t.Fatal(err)
		}
		got, want := h.Mass(3), s.Mass(3)
		if math.Abs(got.Mass/want.Mass-1) > 0.05 || math.Abs(got.Inertia.XX/want.Inertia.XX-1) > 0.08 ||
			math.Abs(got.Inertia.ZZ/want.Inertia.ZZ-1) > 0.08 {
			t.Errorf("%v: closed form %v, its hull %v", s.Kind(), want, got)
		}
		if err := want.Check(); err != nil {
			t.Errorf("%v: %v", s.Kind(), err)
		}
	}
}

func TestTwoHalvesWeighAsTheWhole(t *testing.T) {
	whole := Box{r3.V(1, 0.5, 0.25)}.Mass(10)
	half := Box{r3.V(0.5, 0.5, 0.25)}.Mass(10)
	at := func(x float64) r3.Pose { return r3.Pose{Pos: r3.V(x, 0, 0), Rot: r3.Identity()} }
	if got := half.Moved(at(0.5)).Plus(half.Moved(at(-0.5))); !sameMass(got, whole, 1e-12) {
		t.Errorf("halves %v, whole %v", got, whole)
	}
	r := rand.New(rand.NewPCG(13, 13))
	for range 100 {
		p := randomPose(r, 2)
		a := half.Moved(at(0.5)).Plus(half.Moved(at(-0.5))).Moved(p)
		b := half.Moved(p.Mul(at(0.5))).Plus(half.Moved(p.Mul(at(-0.5))))
		if !sameMass(a, b, 1e-11) {
			t.Fatalf("moved together %v, apart %v", a, b)
		}
	}
}

func TestMassesThatCannotBeAreRefused(t *testing.T) {
	good := Box{r3.V(1, 1, 1)}.Mass(1)
	bad := map[string]func(*Mass){
		"no mass":             func(m *Mass) { m.Mass = 0 },
		"negative mass":       func(m *Mass) { m.Mass = -1 },
		"mass not a number":   func(m *Mass) { m.Mass = math.NaN() },
		"centre far away":     func(m *Mass) { m.COM.X = math.Inf(1) },
		"zero inertia":        func(m *Mass) { m.Inertia = r3.Mat{} },
		"inertia not finite":  func(m *Mass) { m.Inertia.XX = math.NaN() },
		"not symmetric":       func(m *Mass) { m.Inertia.XY = 0.1 },
		"triangle inequality": func(m *Mass) { m.Inertia.XX *= 3 },
		"negative moment":     func(m *Mass) { m.Inertia.ZZ = -1 },
	}
	for name, spoil := range bad {
		m := good
		spoil(&m)
		if err := m.Check(); !errors.Is(err, ErrMass) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}
