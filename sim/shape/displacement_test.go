package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

// byLines sums a convex solid along lines that a ray finds, as a second way to compute what is below a plane.
func byLines(s Shape, normal r3.Vec, offset float64) (sum Displacement) {
	const lines = 400
	b := s.Bounds(r3.IdentityPose())
	size := b.Size()
	cell := size.X * size.Y / (lines * lines)
	for i := range lines {
		for j := range lines {
			x := b.Min.X + (float64(i)+0.5)/lines*size.X
			y := b.Min.Y + (float64(j)+0.5)/lines*size.Y
			up := r3.Ray{Origin: r3.V(x, y, b.Min.Z-1), Dir: r3.V(0, 0, 1)}
			down := r3.Ray{Origin: r3.V(x, y, b.Max.Z+1), Dir: r3.V(0, 0, -1)}
			foot, ok := s.CastRay(up, size.Z+2)
			head, also := s.CastRay(down, size.Z+2)
			if !ok || !also {
				continue
			}
			low, high := b.Min.Z-1+foot.T, b.Max.Z+1-head.T
			edge := (offset - normal.X*x - normal.Y*y) / normal.Z
			if normal.Z > 0 {
				high = min(high, edge)
			} else {
				low = max(low, edge)
			}
			if high > low {
				v := (high - low) * cell
				sum = sum.plus(Displacement{v, r3.V(x, y, (low+high)/2).Scale(v)})
			}
		}
	}
	return sum
}

func displacedSolids(t *testing.T) []Shape {
	hull, err := ConvexHull([]r3.Vec{{X: 1}, {X: -0.4, Y: 0.8}, {Y: -0.7, Z: -0.2}, {Z: 0.9},
		{X: 0.2, Y: 0.3, Z: -0.8}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return []Shape{Sphere{0.7}, Box{r3.V(0.3, 0.5, 0.8)}, Cylinder{0.4, 0.9}, Cylinder{0.9, 0.1},
		Capsule{0.4, 0.6}, hull}
}

func TestThePartBelowAPlaneAgreesWithASumOverLines(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, s := range displacedSolids(t) {
		for range 6 {
			n, _ := randomVec(r, 1).Unit()
			if math.Abs(n.Z) < 0.05 {
				continue
			}
			d := (r.Float64()*2 - 1) * 0.6
			got, want := Below(s, n, d), byLines(s, n, d)
			if math.Abs(got.Volume-want.Volume) > 4e-3 || got.Moment.Sub(want.Moment).MaxAbs() > 4e-3 {
				t.Errorf("%v, normal %v, offset %v: %v, by lines %v", s.Kind(), n, d, got, want)
			}
		}
	}
}

// Two sides of a plane are the whole, and a plane that leaves a solid leaves it whole.
func TestBothSidesOfAPlaneAreTheWholeSolid(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	solids := append(displacedSolids(t), cubeMesh(t, 0.5))
	normals := []r3.Vec{{X: 1}, {Y: -1}, {Z: 1}, {Z: -1}, {X: 0.6, Z: 0.8}, {Y: 1e-10, Z: 1},
		{X: 1, Z: 1e-10}, {X: 1, Z: 1e-7}}
	for range 200 {
		n, _ := randomVec(r, 1).Unit()
		normals = append(normals, n)
	}
	for _, s := range solids {
		whole := Whole(s)
		for _, n := range normals {
			for _, d := range []float64{-3, -0.71, -0.4, -0.05, 0, 1e-9, 0.1, 0.3, 0.65, 3} {
				low, high := Below(s, n, d), Below(s, n.Neg(), -d)
				both := low.plus(high)
				off := max(math.Abs(both.Volume-whole.Volume), both.Moment.Sub(whole.Moment).MaxAbs())
				if off > 1e-8 || low.Volume < -1e-9 || low.Volume > whole.Volume+1e-9 {
					t.Errorf("%v, normal %v, offset %v: %v and %v of %v", s.Kind(), n, d, low, high, whole)
				}
				want := map[float64]float64{3: whole.Volume, -3: 0}
				if v, all := want[d]; all && math.Abs(low.Volume-v) > 1e-9 {
					t.Errorf("%v under a plane at %v m: %v m³, want %v", s.Kind(), d, low.Volume, v)
				}
			}
		}
	}
}

func TestWhatIsBelowAPlaneTakesNoMemory(t *testing.T) {
	for _, s := range append(displacedSolids(t), cubeMesh(t, 0.5)) {
		n := testing.AllocsPerRun(10, func() {
			for _, d := range []float64{-3, 0.1, 3} {
				_ = Below(s, r3.V(0.6, 0, 0.8), d)
			}
		})
		if n != 0 {
			t.Errorf("%v: %v allocations", s.Kind(), n)
		}
	}
}

// The section by the plane is the derivative of the volume, and its offset times it that of the moment.
func TestAPlaneThatRisesAddsItsSection(t *testing.T) {
	const h = 1e-5
	r := rand.New(rand.NewPCG(9, 9))
	for _, s := range displacedSolids(t) {
		for range 100 {
			n, _ := randomVec(r, 1).Unit()
			d := (r.Float64()*2 - 1) * 0.5
			low, high := Below(s, n, d-h), Below(s, n, d+h)
			area := (high.Volume - low.Volume) / (2 * h)
			along := high.Moment.Sub(low.Moment).Dot(n) / (2 * h)
			if math.Abs(along-d*area) > 2e-5 {
				t.Errorf("%v, normal %v, offset %v: a section of %v m² has the moment %v", s.Kind(), n, d, area,
					along)
			}
		}
	}
}

func TestClosedFormsOfWhatIsBelowAPlane(t *testing.T) {
	slope := r3.V(0.6, 0, 0.8)
	for _, c := range []struct {
		what   string
		s      Shape
		normal r3.Vec
		offset float64
		volume float64
		centre r3.Vec
	}{
		{"half a ball", Sphere{1}, r3.V(0, 0, 1), 0, 2 * math.Pi / 3, r3.V(0, 0, -3.0/8)},
		{"a third of a box", Box{r3.V(1, 1, 1.5)}, r3.V(0, 0, 1), -0.5, 4, r3.V(0, 0, -1)},
		{"half a box, aslant", Box{r3.V(1, 2, 0.25)}, r3.V(0, 1, 0), 0, 2, r3.V(0, -1, 0)},
		{"half a lying cylinder", Cylinder{1, 2}, r3.V(1, 0, 0), 0, 2 * math.Pi, r3.V(-4/(3*math.Pi), 0, 0)},
		{"a standing cylinder", Cylinder{1, 2}, r3.V(0, 0, 1), 1, 3 * math.Pi, r3.V(0, 0, -0.5)},
		// The wedge of Archimedes: a cylinder cut through the middle of its foot.
		{"a hoof", Cylinder{1, 1}, r3.V(1, 0, 1).Scale(math.Sqrt2 / 2), -math.Sqrt2 / 2, 2.0 / 3,
			r3.V(-3*math.Pi/16, 0, -1+3*math.Pi/32)},
		{"half a capsule, aslant", Capsule{0.5, 1}, slope, 0, (4.0/3*math.Pi/8 + 2*math.Pi/4) / 2,
			r3.V(math.NaN(), 0, 0)},
		{"a capsule's cap", Capsule{1, 2}, r3.V(0, 0, 1), -2, 2 * math.Pi / 3, r3.V(0, 0, -2-3.0/8)},
	} {
		got := Below(c.s, c.normal, c.offset)
		if math.Abs(got.Volume-c.volume) > 1e-12*max(1, c.volume) {
			t.Errorf("%s: %v m³, want %v", c.what, got.Volume, c.volume)
		}
		if !math.IsNaN(c.centre.X) && got.Centre().Sub(c.centre).MaxAbs() > 1e-12 {
			t.Errorf("%s: its centre is %v, want %v", c.what, got.Centre(), c.centre)
		}
	}
}

func TestSurfacesDisplaceNothing(t *testing.T) {
	open, err := NewMesh([]r3.Vec{{}, {X: 1}, {Y: 1}}, [][3]int32{{0, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Shape{Plane{}, open} {
		if got := Below(s, r3.V(0, 0, 1), 5); got != (Displacement{}) {
			t.Errorf("%v: %v", s.Kind(), got)
		}
	}
}
