package shape

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

func randomVec(r *rand.Rand, s float64) r3.Vec {
	return r3.V(s*(2*r.Float64()-1), s*(2*r.Float64()-1), s*(2*r.Float64()-1))
}

func randomDir(r *rand.Rand) r3.Vec {
	v, _ := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
	return v
}

func randomPose(r *rand.Rand, s float64) r3.Pose {
	q, _ := r3.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Unit()
	return r3.Pose{Pos: randomVec(r, s), Rot: q}
}

func randomHull(t testing.TB, r *rand.Rand) *Hull {
	t.Helper()
	points := make([]r3.Vec, 4+r.IntN(40))
	for i := range points {
		points[i] = randomVec(r, 0.5)
	}
	h, err := ConvexHull(points, 0)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// convexes is one random shape of every convex kind.
func convexes(t testing.TB, r *rand.Rand) []Convex {
	size := func() float64 { return 0.05 + 0.5*r.Float64() }
	return []Convex{
		Sphere{size()}, Capsule{size(), size()}, Cylinder{size(), size()},
		Box{r3.V(size(), size(), size())}, randomHull(t, r),
	}
}

func TestSizesThatCannotBeAreRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	bad := []Shape{
		Sphere{}, Sphere{nan}, Sphere{-1}, Sphere{inf}, Capsule{1, 0}, Capsule{nan, 1}, Cylinder{0, 1},
		Cylinder{1, inf}, Box{r3.V(1, 1, 0)}, Box{r3.V(1, nan, 1)}, (*Hull)(nil), (*Mesh)(nil), &Hull{},
		&Mesh{},
	}
	for _, s := range bad {
		if err := s.Check(); !errors.Is(err, ErrShape) {
			t.Errorf("%#v: %v", s, err)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range convexes(t, r) {
		if err := s.Check(); err != nil {
			t.Errorf("%v: %v", s.Kind(), err)
		}
	}
}

func TestBoundsAreTight(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		for _, s := range convexes(t, r) {
			p := randomPose(r, 3)
			b := s.Bounds(p)
			for axis := range 3 {
				e := r3.Vec{}.With(axis, 1)
				hi := p.Apply(s.Support(p.Rot.RotateBack(e))).At(axis)
				lo := p.Apply(s.Support(p.Rot.RotateBack(e.Neg()))).At(axis)
				if math.Abs(hi-b.Max.At(axis)) > 1e-12 || math.Abs(lo-b.Min.At(axis)) > 1e-12 {
					t.Fatalf("%v axis %d: bounds %v..%v, support says %v..%v", s.Kind(), axis, b.Min, b.Max,
						lo, hi)
				}
			}
		}
	}
}

// TestDistanceIsTheLargestSeparation: the distance of two convex shapes is the largest separation of their
// projections over all directions, negative in overlap. No sampled direction may separate them further, and
// the found normal must separate them by just that much.
func TestDistanceIsTheLargestSeparation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var apart, deep int
	for range 60 {
		as, bs := convexes(t, r), convexes(t, r)
		for _, a := range as {
			for _, b := range bs {
				pa, pb := randomPose(r, 0.4), randomPose(r, 0.8)
				c := Distance(a, pa, b, pb)
				checkSeparation(t, r, a, pa, b, pb, c)
				if c.Distance > 0 {
					apart++
				} else {
					deep++
				}
			}
		}
	}
	if apart < 300 || deep < 300 {
		t.Errorf("the sample is one-sided: %d apart, %d overlapping", apart, deep)
	}
}

func checkSeparation(t *testing.T, r *rand.Rand, a Convex, pa r3.Pose, b Convex, pb r3.Pose, c Closest) {
	t.Helper()
	separation := func(n r3.Vec) float64 {
		fa := pa.Apply(a.Support(pa.Rot.RotateBack(n)))
		fb := pb.Apply(b.Support(pb.Rot.RotateBack(n.Neg())))
		return fb.Sub(fa).Dot(n)
	}
	name := a.Kind().String() + "–" + b.Kind().String()
	if math.Abs(c.Normal.Len()-1) > 1e-9 {
		t.Fatalf("%s: normal %v", name, c.Normal)
	}
	// A curved difference is met by ever smaller faces: depth is exact to a micrometre only.
	if s := separation(c.Normal); math.Abs(s-c.Distance) > 2e-5 {
		t.Fatalf("%s: distance %v, but along its normal it is %v", name, c.Distance, s)
	}
	if d := c.B.Sub(c.A).Dot(c.Normal); math.Abs(d-c.Distance) > 1e-5 {
		t.Fatalf("%s: points are %v apart, distance %v", name, d, c.Distance)
	}
	for range 300 {
		n := randomDir(r)
		if r.IntN(2) == 0 {
			n, _ = c.Normal.AddScaled(0.05, n).Unit()
		}
		if s := separation(n); s > c.Distance+1e-5 {
			t.Fatalf("%s: direction %v parts by %v, more than %v along %v", name, n, s, c.Distance, c.Normal)
		}
	}
}

func TestDistanceOfAlignedShapesIsExact(t *testing.T) {
	unit := Box{r3.V(1, 1, 1)}
	at := func(x, y, z float64) r3.Pose { return r3.Pose{Pos: r3.V(x, y, z), Rot: r3.Identity()} }
	cases := []struct {
		name string
		a, b Convex
		pb   r3.Pose
		want float64
	}{
		{"boxes apart", unit, unit, at(3, 0, 0), 1},
		{"boxes touching", unit, unit, at(2, 0, 0), 0},
		{"boxes overlapping", unit, unit, at(1.5, 0, 0), -0.5},
		{"boxes in one place", unit, unit, at(0, 0, 0), -2},
		{"corner to corner", unit, unit, at(3, 3, 3), math.Sqrt(3)},
		{"spheres", Sphere{1}, Sphere{2}, at(0, 4, 0), 1},
		{"spheres in one place", Sphere{1}, Sphere{2}, at(0, 0, 0), -3},
		{"cylinder standing on a box", unit, Cylinder{0.5, 1}, at(0, 0, 1.9), -0.1},
		{"sphere over a box", unit, Sphere{0.5}, at(0.3, 0.2, 1.6), 0.1},
	}
	for _, c := range cases {
		got := Distance(c.a, r3.IdentityPose(), c.b, c.pb)
		if math.Abs(got.Distance-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got.Distance, c.want)
		}
	}
}

func TestOverlapAgreesWithDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	cube := cubeMesh(t, 0.5)
	for range 200 {
		for _, s := range convexes(t, r) {
			p := randomPose(r, 1)
			want := Distance(Box{r3.V(0.5, 0.5, 0.5)}, r3.IdentityPose(), s, p).Distance
			// The cube's mesh is only its skin: what lies wholly inside touches nothing.
			inside := r3.BoxAround(r3.Vec{}, r3.V(0.5, 0.5, 0.5)).Contains(s.Bounds(p))
			if got := Overlap(s, p, cube, r3.IdentityPose()); math.Abs(want) > 1e-6 &&
				got != (want < 0 && !inside) {
				t.Fatalf("%v at %v: overlap with mesh %v, distance to box %v", s.Kind(), p, got, want)
			}
			lowest := s.Bounds(p).Min.Z
			if got := Overlap(Plane{}, r3.IdentityPose(), s, p); got != (lowest <= 0) &&
				math.Abs(lowest) > 1e-12 {
				t.Fatalf("%v: overlap with plane %v, lowest point %v", s.Kind(), got, lowest)
			}
		}
	}
	if Overlap(Plane{}, r3.IdentityPose(), cube, r3.IdentityPose()) {
		t.Error("two surfaces that never move were compared")
	}
}

// TestASmallShapeIsAsFarFromALargeFloorAsFromAPlane: a floor a thousand times as large makes flat
// simplices, on which the search must not stop early.
func TestASmallShapeIsAsFarFromALargeFloorAsFromAPlane(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	small := []Convex{Cylinder{0.033, 0.009}, Box{r3.V(0.05, 0.02, 0.03)}, Capsule{0.02, 0.05}, Sphere{0.03}}
	for i := range 20000 {
		s := small[i%len(small)]
		floor := Box{r3.V(25, 25, 0.5)}
		p := r3.Pose{Pos: r3.V(4*r.NormFloat64(), 4*r.NormFloat64(), 0),
			Rot: r3.AxisAngle(r3.V(1, 0, 0), -math.Pi/2)}
		if i%3 > 0 {
			p.Rot, _ = r3.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(),
				Z: r.NormFloat64()}.Unit()
		} else {
			p.Rot = p.Rot.Mul(r3.AxisAngle(r3.V(0, 0, 1), 7*r.Float64()))
		}
		lowest := s.Bounds(p).Min.Z
		want := 0.1*r.Float64() - 0.01
		p.Pos.Z += want - lowest
		a, b := ProxyOf(s, 0.0009), ProxyOf(floor, 0.002)
		got := Between(&a, &b, p.Relative(r3.Pose{Pos: r3.V(0, 0, -0.5), Rot: r3.Identity()}))
		if math.Abs(got.Distance-want) > 1e-3 {
			t.Fatalf("%d: %v at %v: %v from the floor, want %v", i, s.Kind(), p, got.Distance, want)
		}
	}
}

// TestAWheelThatRollsOnALargeFloorKeepsTouchingIt: in this pose the last four corners that the search
// looks at lie in the floor's plane but for rounding.
func TestAWheelThatRollsOnALargeFloorKeepsTouchingIt(t *testing.T) {
	a, b := ProxyOf(Cylinder{0.033, 0.009}, 0.0009), ProxyOf(Box{r3.V(25, 25, 1)}, 0.002)
	rel := r3.Pose{
		Pos: r3.V(-0.8611744720735921, 0.8316094470652172, -0.08000110770107745),
		Rot: r3.Quat{W: -0.7005379939123356, X: -0.7005254205345124, Y: -0.09621648303839124,
			Z: -0.0961927370540416},
	}
	if c := Between(&a, &b, rel); math.Abs(c.Distance) > 2e-3 {
		t.Errorf("the wheel stands %v m off the floor", c.Distance)
	}
}
