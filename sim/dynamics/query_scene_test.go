package dynamics

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

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

// mustAgree casts a packet and each of its rays alone, and wants the same bits.
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
	for range 3 { // with the race detector: casting reads nothing that a step writes
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
