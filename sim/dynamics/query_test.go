package dynamics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// prims is scene Fprim: the ground and 200 shapes.
func prims(t testing.TB) *scene {
	s := newScene(t, 0.5, earth())
	s.ground()
	s.seed = 777
	for k := range 200 {
		x, y := (s.rnd()-0.5)*40, (s.rnd()-0.5)*40
		s1, s2, s3 := 0.3+s.rnd()*1.2, 0.3+s.rnd()*1.2, 0.3+s.rnd()*1.2
		yaw := s.rnd() * 2 * math.Pi
		if math.Hypot(x, y) < 2 {
			x += 4
		}
		p := r3.PoseRPY(x, y, s3/2, 0, 0, yaw)
		switch {
		case k < 80:
			s.fixed(shape.BoxOf(r3.V(s1, s2, s3)), p)
		case k < 140:
			p.Pos.Z = s1 / 2
			s.fixed(shape.Sphere{Radius: s1 / 2}, p)
		case k < 180:
			s.fixed(shape.Cylinder{Radius: s1 / 2, Half: s3 / 2}, p)
		default:
			p.Pos.Z = s3/2 + s1/2
			s.fixed(shape.Capsule{Radius: s1 / 2, Half: s3 / 2}, p)
		}
	}
	return s
}

// lidar is the directions of scenes F: 50 rings of 2000.
func lidar() []r3.Vec {
	var dirs []r3.Vec
	for ring := range 50 {
		el := (-15 + 30*float64(ring)/49) * math.Pi / 180
		for i := range 2000 {
			a := 2 * math.Pi * float64(i) / 2000
			dirs = append(dirs, r3.V(math.Cos(el)*math.Cos(a), math.Cos(el)*math.Sin(a), math.Sin(el)))
		}
	}
	return dirs
}

func TestTheLidarSceneGivesThePeersNumbers(t *testing.T) {
	s := prims(t)
	hits, sum := 0, 0.0
	for _, d := range lidar() {
		if h, ok := s.Queries().CastRay(r3.Ray{Origin: r3.V(0, 0, 1), Dir: d}, 100, 0); ok {
			hits++
			sum += h.Distance
		}
	}
	// The peers agree on 59,764 hits at a mean of 6.2172 m; they count in single precision.
	if hits < 59759 || hits > 59769 || math.Abs(sum/float64(hits)-6.2172) > 1e-3 {
		t.Errorf("%d hits, mean %.4f m", hits, sum/float64(hits))
	}
}

func TestRaysAgreeWithBruteForce(t *testing.T) {
	s := mixedShapes(t, earth())
	s.step(0.004, 400)
	r := rand.New(rand.NewPCG(31, 31))
	for range 2000 {
		ray := r3.Ray{Origin: r3.V(r.NormFloat64(), r.NormFloat64(), 2*r.Float64()),
			Dir: r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())}
		got, ok := s.Queries().CastRay(ray, 10, 0)
		best, geom := 10.0, int32(-1)
		dir, _ := ray.Dir.Unit()
		for i := range s.geoms.all {
			local := r3.Ray{Origin: ray.Origin, Dir: dir}.Into(s.geoms.placements[i].Pose)
			if h, ok := s.geoms.all[i].Shape.CastRay(local, best); ok && h.T < best {
				best, geom = h.T, int32(i)
			}
		}
		if ok != (geom >= 0) || ok && (math.Abs(got.Distance-best) > 1e-9 || got.Geom.slot != uint32(geom)) {
			t.Fatalf("ray %v: %+v %v, brute force geom %d at %v", ray, got, ok, geom, best)
		}
		if ok && (got.Point.Sub(ray.Origin).Len()-got.Distance > 1e-9 || got.Normal.Dot(ray.Dir) > 0 ||
			got.Body != s.Geom(got.Geom).Body()) {
			t.Fatalf("ray %v: %+v", ray, got)
		}
	}
}

func TestRaysLeaveOutWhatTheyShould(t *testing.T) {
	s := newScene(t, 0.5, Config{})
	add := func(x float64, d GeomDef) BodyID {
		b := must[BodyID](t)(s.AddBody(BodyDef{Pose: at(x, 0, 0)}))
		d.Shape = shape.Sphere{Radius: 0.5}
		must[GeomID](t)(s.AddGeom(b, d))
		return b
	}
	first := add(2, GeomDef{Category: 2, Mask: 1})
	add(4, GeomDef{Sensor: true})
	last := add(6, GeomDef{Category: 4, Mask: 1})
	ray := r3.Ray{Dir: r3.V(3, 0, 0)}
	if h, ok := s.Queries().CastRay(ray, 100, 0); !ok || h.Body != first || math.Abs(h.Distance-1.5) > 1e-12 {
		t.Errorf("nearest: %+v %v", h, ok)
	}
	if h, ok := s.Queries().CastRayExcept(ray, 100, 0, first); !ok || h.Body != last {
		t.Errorf("past the first: %+v %v", h, ok)
	}
	if h, ok := s.Queries().CastRay(ray, 100, 4); !ok || h.Body != last {
		t.Errorf("by mask: %+v %v", h, ok)
	}
	if _, ok := s.Queries().CastRay(ray, 1.4, 0); ok {
		t.Error("hit beyond the limit")
	}
	nan := math.NaN()
	for _, bad := range []r3.Ray{{}, {Dir: r3.V(nan, 0, 0)}, {Origin: r3.V(nan, 0, 0), Dir: r3.V(1, 0, 0)}} {
		if _, ok := s.Queries().CastRay(bad, 100, 0); ok {
			t.Errorf("%v hit something", bad)
		}
	}
}

func TestOverlapQueriesAgreeWithBruteForce(t *testing.T) {
	s := mixedShapes(t, earth())
	s.step(0.004, 400)
	r := rand.New(rand.NewPCG(32, 32))
	for i := range 300 {
		probe := s.someShape(i).(shape.Convex)
		p := randomPose(r, 0.6)
		got := s.Queries().Overlaps(probe, p, 0, nil)
		var want []GeomID
		for _, g := range s.Geoms(nil) {
			if shape.Overlap(probe, p, s.Geom(g).Shape(), s.Geom(g).Pose()) {
				want = append(want, g)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v at %v: %v, brute force %v", probe.Kind(), p, got, want)
		}
		box := probe.Bounds(p)
		for _, g := range s.Geoms(nil) {
			if s.Geom(g).Bounds().Overlaps(box) != slices.Contains(s.Queries().Box(box, nil), g) {
				t.Fatalf("box %v and %v", box, g)
			}
		}
	}
}

func TestSensorsReportAndDoNotPush(t *testing.T) {
	s := newScene(t, 0.5, earth())
	zone := must[BodyID](t)(s.AddBody(BodyDef{Pose: at(0, 0, 1)}))
	sensor := must[GeomID](t)(s.AddGeom(zone,
		GeomDef{Shape: shape.BoxOf(r3.V(1, 1, 1)), Sensor: true, User: 7}))
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 2), 0)
	seen := 0
	for range 240 {
		s.stepChecked(1.0/240, 1)
		for _, c := range s.Contacts(nil) {
			if c.GeomA != sensor && c.GeomB != sensor || c.Points[0].Force != 0 {
				t.Fatalf("contact %+v", c)
			}
			seen++
		}
	}
	if seen == 0 || s.Geom(sensor).User() != 7 {
		t.Error("the sensor has seen nothing")
	}
	if v := s.Body(b).Twist().Linear.Z; math.Abs(v+9.81) > 1e-9 {
		t.Errorf("it fell to %v m/s", v)
	}
}
