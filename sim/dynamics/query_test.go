package dynamics

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"simdeck/sim/dynamics/query"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
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

func TestRaysSkipTheGivenBodiesAndGroups(t *testing.T) {
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

// outside is the distance of a point, in the shape's frame, from a shape, by its closed form.
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

// bundle is n directions within a half angle of a random one.
func bundle(r *rand.Rand, n int, spread float64) []r3.Vec {
	axis, _ := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
	dirs := make([]r3.Vec, n)
	for i := range dirs {
		dirs[i], _ = axis.AddScaled(spread*r.Float64(),
			r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())).Unit()
	}
	return dirs
}

// mustAgree casts a packet and each of its rays alone, and compares the bits.
func mustAgree(t *testing.T, w *World, v *QueryScene, origin r3.Vec, dirs []r3.Vec, limit float64,
	skip BodyID) (hits int) {
	t.Helper()
	out := make([]float64, len(dirs))
	v.CastPacket(origin, dirs, limit, skip, out)
	for i, d := range dirs {
		want := math.Inf(1)
		if h, ok := w.Queries().CastRayExcept(r3.Ray{Origin: origin, Dir: d}, limit, 0, skip); ok {
			want = h.Distance
			hits++
		}
		if out[i] != want {
			t.Fatalf("from %v along %v within %v m: the packet says %v, the ray alone %v", origin, d, limit,
				out[i], want)
		}
	}
	return hits
}

func TestAPacketGivesTheBitsOfItsRaysAlone(t *testing.T) {
	s := mixedShapes(t, earth())
	s.fixed(shape.Plane{}, r3.PoseRPY(0, 0, -0.3, 0.1, 0, 0))
	s.step(0.004, 300)
	r := rand.New(rand.NewPCG(5, 6))
	v, hits, bodies := s.QueryScene(), 0, s.Bodies(nil)
	for i := range 400 {
		origin := r3.V(r.NormFloat64(), r.NormFloat64(), 0.1+r.Float64())
		skip := BodyID{}
		if i%3 == 0 {
			skip = bodies[r.IntN(len(bodies))]
			origin = s.Body(skip).Pose().Pos
		} else if i%7 == 0 {
			origin = s.Body(bodies[r.IntN(len(bodies))]).Pose().Pos // inside of something, or on the mesh
		}
		hits += mustAgree(t, s.World, v, origin, bundle(r, 1+r.IntN(64), []float64{0, 0.01, 0.1, 2}[i%4]),
			10*r.Float64(), skip)
	}
	// Rays along the axes lie in the faces of boxes.
	axes := []r3.Vec{r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1), r3.V(-1, 0, 0), r3.V(0, -1, 0),
		r3.V(0, 0, -1)}
	hits += mustAgree(t, s.World, v, r3.V(0.3, 0.2, 0.5), axes, 20, BodyID{})
	for _, d := range axes {
		hits += mustAgree(t, s.World, v, r3.V(0.3, 0.2, 0.5), []r3.Vec{d}, 20, BodyID{})
	}
	if hits < 5000 {
		t.Errorf("only %d hits", hits)
	}
}

func TestAPacketFindsGeomsFarFromTheOrigin(t *testing.T) {
	s := newScene(t, 0.5, Config{})
	r := rand.New(rand.NewPCG(9, 9))
	far := r3.V(8e5, -6e5, 3e5)
	for range 300 {
		p := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(8).Add(far)
		s.fixed(shape.Sphere{Radius: 0.2}, r3.Pose{Pos: p, Rot: r3.Identity()})
	}
	v, hits := s.QueryScene(), 0
	for range 100 {
		hits += mustAgree(t, s.World, v, far, bundle(r, 40, 0.05), 100, BodyID{})
	}
	if hits < 20 {
		t.Errorf("only %d hits", hits)
	}
}

func TestARobotDoesNotSeeItsOwnGroup(t *testing.T) {
	s := newScene(t, 0.5, Config{})
	head := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 1), 3)
	s.body(shape.Sphere{Radius: 0.1}, 1, at(1, 0, 1), 3)
	s.body(shape.Sphere{Radius: 0.5}, 1, at(3, 0, 1), 0)
	x, out := []r3.Vec{r3.V(1, 0, 0)}, []float64{0}
	s.QueryScene().CastPacket(r3.V(0, 0, 1), x, 10, head, out)
	if out[0] != 2.5 {
		t.Errorf("sees at %v m, want 2.5", out[0])
	}
	s.QueryScene().CastPacket(r3.V(0, 0, 1), x, 10, BodyID{}, out)
	if out[0] != 0 {
		t.Errorf("from inside of a ball that is not its own it sees at %v m, want 0", out[0])
	}
	v := s.QueryScene()
	if err := s.RemoveBody(head); err != nil {
		t.Fatal(err)
	}
	v.CastPacket(r3.V(0, 0, 1), x, 10, head, out)
	if out[0] != 2.5 {
		t.Errorf("after a body went, an older scene sees at %v m, want 2.5", out[0])
	}
	s.QueryScene().CastPacket(r3.V(0, 0, 1), x, 10, head, out)
	if math.Abs(out[0]-0.9) > 1e-12 {
		t.Errorf("a body that is gone has no group any more: sees at %v m, want 0.9", out[0])
	}
}

func TestAPacketWithoutAFiniteRayMeetsNothing(t *testing.T) {
	s := prims(t)
	v := s.QueryScene()
	for name, c := range map[string]struct {
		origin, dir r3.Vec
		limit       float64
	}{
		"origin":    {r3.V(math.NaN(), 0, 0), r3.V(1, 0, 0), 10},
		"direction": {r3.Vec{}, r3.Vec{}, 10},
		"limit":     {r3.Vec{}, r3.V(0, 0, -1), math.NaN()},
	} {
		out := []float64{1}
		if v.CastPacket(c.origin, []r3.Vec{c.dir}, c.limit, BodyID{}, out); !math.IsInf(out[0], 1) {
			t.Errorf("%s: %v m", name, out[0])
		}
	}
	empty := newScene(t, 0.5, Config{})
	mustAgree(t, empty.World, empty.QueryScene(), r3.Vec{}, []r3.Vec{r3.V(1, 0, 0)}, 10, BodyID{})
}

func TestASceneNeverChanges(t *testing.T) {
	s := mixedShapes(t, earth())
	r := rand.New(rand.NewPCG(7, 7))
	dirs := bundle(r, 500, 2)
	origin := r3.V(0, 0, 0.8)
	first, later := make([]float64, len(dirs)), make([]float64, len(dirs))
	s.step(0.004, 100)
	v := s.QueryScene()
	v.CastPacket(origin, dirs, 20, BodyID{}, first)
	var casters sync.WaitGroup
	for range 3 { // casting reads nothing that a step writes, which the race detector sees
		casters.Go(func() {
			out := make([]float64, len(dirs))
			for range 20 {
				v.CastPacket(origin, dirs, 20, BodyID{}, out)
			}
		})
	}
	s.step(0.004, 100)
	casters.Wait()
	for _, id := range s.Bodies(nil) {
		if err := s.Body(id).SetPose(at(50, 50, 50)); err != nil {
			t.Fatal(err)
		}
	}
	v.CastPacket(origin, dirs, 20, BodyID{}, later)
	for i := range first {
		if first[i] != later[i] {
			t.Fatalf("ray %d: %v m, then %v m in the same scene", i, first[i], later[i])
		}
	}
	mustAgree(t, s.World, s.QueryScene(), r3.V(45, 50, 50), dirs, 20, BodyID{})
}

func TestStaticGeomsAreSharedUntilOneChanges(t *testing.T) {
	s := prims(t)
	s.QueryScene()
	a := s.geoms.static
	s.step(0.004, 3)
	if s.QueryScene(); s.geoms.static != a {
		t.Error("nothing changed, and static geoms were copied")
	}
	statics := s.Bodies(nil)
	for _, c := range []struct {
		name   string
		change func() error
	}{
		{"a body was moved", func() error { return s.Body(statics[5]).SetPose(at(1, 2, 3)) }},
		{"a body was removed", func() error { return s.RemoveBody(statics[7]) }},
		{"another took its slot", func() error {
			s.fixed(shape.Sphere{Radius: 0.3}, at(4, 4, 1))
			return nil
		}},
		{"the last was removed", func() error { return s.RemoveBody(statics[len(statics)-1]) }},
	} {
		before := s.geoms.static
		if err := c.change(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if s.QueryScene(); s.geoms.static == before {
			t.Errorf("%s, and the scene still shows it as it was", c.name)
		}
		mustAgree(t, s.World, s.QueryScene(), r3.V(0, 0, 1), lidar()[:4000], 100, BodyID{})
	}
}

func BenchmarkRayPackets(b *testing.B) {
	s := prims(b)
	dirs := lidar()
	out := make([]float64, 100)
	for b.Loop() {
		v := s.QueryScene()
		for i := 0; i < len(dirs); i += len(out) {
			v.CastPacket(r3.V(0, 0, 1), dirs[i:i+len(out)], 100, BodyID{}, out)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(dirs)), "ns/ray")
}

func BenchmarkQueryScene1000Moving(b *testing.B) {
	s := newScene(b, 0.5, Config{})
	for i := range 1000 {
		s.body(shape.Sphere{Radius: 0.2}, 1, at(float64(i%40), float64(i/40), 1), 0)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.QueryScene()
	}
}
