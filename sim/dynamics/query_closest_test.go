package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/dynamics/query"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// outside is the distance of a point from a shape by its formula; the point is in the shape's frame.
func outside(s shape.Shape, p r3.Vec) float64 {
	switch s := s.(type) {
	case shape.Sphere:
		return p.Len() - s.Radius
	case shape.Capsule:
		return r3.V(p.X, p.Y, max(0, math.Abs(p.Z)-s.Half)).Len() - s.Radius
	case shape.Box:
		d := p.Abs().Sub(s.Half)
		return d.Max(r3.Vec{}).Len() + min(0, max(d.X, d.Y, d.Z))
	case shape.Cylinder:
		r, z := math.Hypot(p.X, p.Y)-s.Radius, math.Abs(p.Z)-s.Half
		return math.Hypot(max(r, 0), max(z, 0)) + min(0, max(r, z))
	}
	return p.Z
}

func TestTheClosestPointIsWhereTheFormulasSay(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	shapes := []shape.Shape{
		shape.Sphere{Radius: 0.3}, shape.Capsule{Radius: 0.1, Half: 0.4}, shape.BoxOf(r3.V(0.6, 0.3, 0.2)),
		shape.Cylinder{Radius: 0.3, Half: 0.2}, shape.Plane{}, shapetest.FloorMesh(t, 12, 0.5),
		flatField(t, 12, 0.5),
	}
	for i := range 3000 {
		s := newScene(t, 0.5, Config{})
		sh := shapes[i%len(shapes)]
		p := randomPose(r, 1)
		s.fixed(sh, p)
		local := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		want := outside(sh, local)
		if sh.Kind() == shape.KindMesh {
			want = math.Abs(want)
		}
		point := p.Apply(local)
		got, ok := s.Queries().Closest(point, 10, 0)
		if !ok || math.Abs(got.Distance-want) > 1e-6 {
			t.Fatalf("%v: %v from %v, want %v (found: %v)", sh.Kind(), got.Distance, local, want, ok)
		}
		if back := point.AddScaled(-got.Distance, got.Normal); back.Dist(got.Point) > 1e-5 {
			t.Fatalf("%v: point %v, along the normal %v", sh.Kind(), got.Point, back)
		}
		if want > 0.02 {
			if n, ok := s.Queries().Closest(point, want-0.01, 0); ok {
				t.Fatalf("%v: found %v within %v", sh.Kind(), n.Distance, want-0.01)
			}
		}
	}
}

func TestTheClosestOfManyIsTheLeastOfEach(t *testing.T) {
	s := mixedShapes(t, earth())
	s.step(0.004, 300)
	r := rand.New(rand.NewPCG(8, 2))
	for range 300 {
		point := r3.V(r.NormFloat64(), r.NormFloat64(), 2*r.Float64())
		want := math.Inf(1)
		for _, id := range s.Geoms(nil) {
			if n, ok := query.Closest(s.Geom(id).Shape(), s.Geom(id).Pose(), point, 20); ok {
				want = min(want, n.Distance)
			}
		}
		got, ok := s.Queries().Closest(point, 20, 0)
		if !ok || got.Distance != want || !s.Body(got.Body).Alive() {
			t.Fatalf("at %v: %v, want %v", point, got.Distance, want)
		}
	}
	if _, ok := s.Queries().Closest(r3.V(math.NaN(), 0, 0), 1, 0); ok {
		t.Error("something is near no place")
	}
}
