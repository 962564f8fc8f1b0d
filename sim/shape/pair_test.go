package shape

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

// sized is a shape of a kind with sizes around a scale; thin ones are a fiftieth of it somewhere.
func sized(r *rand.Rand, kind Kind, scale float64) Convex {
	size := func() float64 {
		if r.IntN(6) == 0 {
			return 0.02 * scale
		}
		return scale * (0.1 + 0.9*r.Float64())
	}
	switch kind {
	case KindSphere:
		return Sphere{size()}
	case KindCapsule:
		return Capsule{size(), size()}
	case KindCylinder:
		return Cylinder{size(), size()}
	case KindBox:
		return Box{r3.V(size(), size(), size())}
	}
	s := r3.V(size(), size(), size())
	for {
		points := make([]r3.Vec, 4+r.IntN(20))
		for i := range points {
			p := randomVec(r, 1)
			points[i] = r3.V(p.X*s.X, p.Y*s.Y, p.Z*s.Z)
		}
		if h, err := ConvexHull(points, 0); err == nil {
			return h
		}
	}
}

// pairPoses separates two shapes along some direction by about a part of their size. Their axes are equal,
// turned by right angles, or random.
func pairPoses(r *rand.Rand, a, b Convex, scale float64) (pa, pb r3.Pose) {
	pa, pb = randomPose(r, scale), randomPose(r, scale)
	switch r.IntN(4) {
	case 0:
		pb.Rot = pa.Rot
	case 1:
		pb.Rot = pa.Rot.Mul(r3.AxisAngle(r3.Vec{}.With(r.IntN(3), 1), 0.5*math.Pi*float64(r.IntN(4))))
	case 2:
		pb.Rot = pa.Rot.Mul(r3.AxisAngle(r3.Vec{}.With(r.IntN(3), 1), math.Pi*r.Float64()))
	}
	n := randomDir(r)
	if r.IntN(2) == 0 {
		n = pa.Rot.Rotate(r3.Vec{}.With(r.IntN(3), 1))
	}
	gap := []float64{0.3, 1e-3, 1e-7, 0, -1e-7, -1e-3, -0.05, -0.3, -1}[r.IntN(9)] * scale
	from := pa.Apply(a.Support(pa.Rot.RotateBack(n)))
	pb.Pos = r3.Vec{}
	to := pb.Apply(b.Support(pb.Rot.RotateBack(n.Neg())))
	pb.Pos = pa.Pos.AddScaled(from.Sub(pa.Pos).Dot(n)-to.Dot(n)+gap, n)
	if r.IntN(2) == 0 {
		u, v := n.Basis()
		pb.Pos = pb.Pos.AddScaled(scale*(r.Float64()-0.5), u).AddScaled(scale*(r.Float64()-0.5), v)
	}
	return pa, pb
}

// TestDistanceAgreesWithTwoOracles compares every pair of kinds with all features, where both are polyhedra
// with a radius, and with the best of many directions. Shapes measure from a millimetre to a hundred metres
// and are thin and thick. They are apart, touching and deep in each other, aligned and not. Errors are parts
// of the larger shape.
func TestDistanceAgreesWithTwoOracles(t *testing.T) {
	for x := KindSphere; x <= KindHull; x++ {
		for y := x; y <= KindHull; y++ {
			for k := range 120 {
				r := rand.New(rand.NewPCG(uint64(k), uint64(x)*8+uint64(y)))
				scale, ratio := math.Pow(10, 5*r.Float64()-3), 1.0
				if k%4 == 0 {
					ratio = math.Pow(10, 2*r.Float64()-1)
				}
				a, b := sized(r, x, scale), sized(r, y, scale*ratio)
				pa, pb := pairPoses(r, a, b, scale)
				name := fmt.Sprintf("%v–%v, case %d", x, y, k)
				checkAgainstOracles(t, r, name, a, pa, b, pb, scale*max(1, ratio))
			}
		}
	}
}

func checkAgainstOracles(t *testing.T, r *rand.Rand, name string, a Convex, pa r3.Pose, b Convex, pb r3.Pose,
	size float64) {
	t.Helper()
	c := Distance(a, pa, b, pb)
	sa, aSolid := solidOf(a, pa)
	sb, bSolid := solidOf(b, pb)
	// At a cylinder's round rim, the faces of the expanded polytope approach it as far as there is room for
	// them. Where all directions are equal, 48 around leave 1 - cos(π/48). The normal of things a
	// ten-millionth of their size apart has eight digits.
	exact, along := 1e-9, 1e-8
	if !aSolid || !bSolid {
		exact, along = 2.2e-3, 1e-5
	} else if want := byFeatures(&sa, &sb); math.Abs(want-c.Distance) > exact*size {
		t.Errorf("%s: %v apart, by features %v", name, c.Distance, want)
	}
	if best := byDirections(r, a, pa, b, pb); best > c.Distance+exact*size {
		t.Errorf("%s: %v apart, but along some direction %v", name, c.Distance, best)
	}
	apart := pb.Apply(b.Support(pb.Rot.RotateBack(c.Normal.Neg()))).
		Sub(pa.Apply(a.Support(pa.Rot.RotateBack(c.Normal)))).Dot(c.Normal)
	if math.Abs(apart-c.Distance) > along*size || math.Abs(c.Normal.Len()-1) > 1e-12 {
		t.Errorf("%s: %v apart, along its normal %v (length %v) %v", name, c.Distance, c.Normal,
			c.Normal.Len(), apart)
	}
	if off := c.B.Sub(c.A).Sub(c.Normal.Scale(c.Distance)).Len(); off > exact*size {
		t.Errorf("%s: its points are off its way by %v m", name, off)
	}
	for _, p := range []struct {
		what string
		d    float64
	}{{"A", onSurface(a, pa, c.A)}, {"B", onSurface(b, pb, c.B)}} {
		if math.Abs(p.d) > 1e-7*size && math.Abs(p.d) > exact*size {
			t.Errorf("%s: its point on %s lies off it by %v m", name, p.what, p.d)
		}
	}
	back := Distance(b, pb, a, pa)
	if math.Abs(back.Distance-c.Distance) > exact*size {
		t.Errorf("%s: %v apart, the other way round %v", name, c.Distance, back.Distance)
	}
	m := randomPose(r, size)
	moved := Distance(a, m.Mul(pa), b, m.Mul(pb))
	if math.Abs(moved.Distance-c.Distance) > 10*exact*size {
		t.Errorf("%s: %v apart, moved together %v", name, c.Distance, moved.Distance)
	}
	small := r3.Pose{Pos: randomDir(r).Scale(1e-4 * size), Rot: r3.Identity()}
	if near := Distance(a, pa, b, small.Mul(pb)); math.Abs(near.Distance-c.Distance) > (1.0001e-4+
		exact)*size {
		t.Errorf("%s: %v apart, but %v when moved by %v", name, c.Distance, near.Distance, small.Pos.Len())
	}
}

// onSurface is the distance of a point from a shape: that of a ball of radius 0.
func onSurface(c Convex, p r3.Pose, point r3.Vec) float64 {
	ball, core := Proxy{kind: proxyPoint}, ProxyOf(c, 0)
	return Between(&core, &ball, r3.Pose{Pos: p.ApplyInverse(point), Rot: r3.Identity()}).Distance
}
