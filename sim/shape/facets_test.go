package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

// A plane cuts the cap 2π·R·h off a ball.
func TestTheWettedPartOfABallIsThatOfItsCap(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	f := NewFacets(Sphere{0.7}, r3.Pose{Pos: r3.V(1, 2, 3), Rot: r3.AxisAngle(r3.V(0.6, 0.8, 0), 1)})
	for range 200 {
		n, _ := randomVec(r, 1).Unit()
		h := 1.4 * r.Float64()
		area, shadow := f.Below(n, n.Dot(r3.V(1, 2, 3))-0.7+h)
		if want := 2 * pi * 0.7 * h; math.Abs(area-want) > 0.005*f.Area {
			t.Errorf("to a depth of %.3f m along %v it has %.4f m², want %.4f", h, n, area, want)
		}
		if most := pi * 0.49; max(shadow.X, shadow.Y, shadow.Z) > 1.0001*most {
			t.Errorf("shadows of %v m², the whole has %.4f", shadow, most)
		}
	}
}

func TestSurfacesAndShadowsOfWholeSolidsAreExact(t *testing.T) {
	const tilt = 0.4
	sin, cos := math.Sincos(tilt)
	for _, c := range []struct {
		s      Shape
		area   float64
		shadow r3.Vec // tilted about x
	}{
		{Box{r3.V(0.5, 1, 1.5)}, 22, r3.V(6, 3*cos+2*sin, 2*cos+3*sin)},
		{Sphere{0.5}, pi, r3.V(pi/4, pi/4, pi/4)},
		{Cylinder{0.5, 1}, 2.5 * pi, r3.V(2, 2*cos+pi/4*sin, 2*sin+pi/4*cos)},
		{Capsule{0.5, 1}, 3 * pi, r3.V(2+pi/4, 2*cos+pi/4, 2*sin+pi/4)},
	} {
		f := NewFacets(c.s, r3.Pose{Rot: r3.AxisAngle(r3.V(1, 0, 0), tilt)})
		area, shadow := f.Below(r3.V(0, 0.6, 0.8), 10)
		if math.Abs(area-c.area) > 1e-9 || math.Abs(f.Area-c.area) > 1e-9 || shadow.Dist(c.shadow) > 1e-9 ||
			f.Shadow.Dist(c.shadow) > 1e-9 {
			t.Errorf("%v: %.6f m² and shadows of %v; want %.6f m² and %v", c.s.Kind(), area, shadow, c.area,
				c.shadow)
		}
		if area, shadow = f.Below(r3.V(0, 0.6, 0.8), -10); area != 0 || shadow != (r3.Vec{}) {
			t.Errorf("%v: above the plane it has %v m² and shadows of %v below", c.s.Kind(), area, shadow)
		}
	}
	if f := NewFacets(Plane{}, r3.IdentityPose()); f.Area != 0 {
		t.Errorf("a plane has %v m²", f.Area)
	}
}

// A cut solid has its sides up to the plane and its bottom, and casts shadows as high as it is.
func TestTheWettedPartOfUprightSolidsIsKnown(t *testing.T) {
	const depth = 0.6
	for _, c := range []struct {
		s      Shape
		area   float64
		shadow r3.Vec
	}{
		{Box{r3.V(0.5, 1, 1.5)}, 2 + 6*depth, r3.V(2*depth, depth, 2)},
		{Cylinder{0.5, 1}, pi/4 + pi*depth, r3.V(depth, depth, pi/4)},
		{Capsule{0.5, 1}, pi/2 + pi*(depth-0.5), r3.V(pi/8+depth-0.5, pi/8+depth-0.5, pi/4)},
	} {
		f, b := NewFacets(c.s, r3.IdentityPose()), c.s.Bounds(r3.IdentityPose())
		area, shadow := f.Below(r3.V(0, 0, 1), b.Min.Z+depth)
		if math.Abs(area/c.area-1) > 0.01 || shadow.Sub(c.shadow).MaxAbs() > 0.01*c.area {
			t.Errorf("%v: %.4f m² and shadows of %v; want %.4f m² and %v", c.s.Kind(), area, shadow, c.area,
				c.shadow)
		}
	}
}

func TestTheSurfaceOfAHullIsThatOfItsFaces(t *testing.T) {
	hull, err := ConvexHull([]r3.Vec{{}, {X: 3}, {Y: 4}, {Z: 2}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := NewFacets(hull, r3.IdentityPose())
	// Three right triangles, and the one that closes them: half of the root of the squares of their doubles.
	want := 6 + 3 + 4 + math.Sqrt(36+9+16)
	if math.Abs(f.Area-want) > 1e-9 || f.Shadow.Dist(r3.V(4, 3, 6)) > 1e-9 {
		t.Errorf("%v m² and shadows of %v, want %v m²", f.Area, f.Shadow, want)
	}
	// A quarter of the height from the top off: a triangle of a quarter of the size is left out.
	area, _ := f.Below(r3.V(0, 0, 1), 1.5)
	if cut := (want - 6) / 16; math.Abs(area-(want-cut)) > 1e-9 {
		t.Errorf("below 1.5 m it has %v m², want %v", area, want-cut)
	}
}

func BenchmarkFacetsBelow(b *testing.B) {
	f := NewFacets(Sphere{0.7}, r3.IdentityPose())
	for b.Loop() {
		f.Below(r3.V(0, 0.6, 0.8), 0.1)
	}
}
