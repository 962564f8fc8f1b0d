package dynamics

import (
	"math/rand/v2"
	"slices"
	"testing"

	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

func TestBodiesThatAreKeptApartPassThroughEachOtherUntilOneIsRemoved(t *testing.T) {
	s := newScene(t, 0.5, earth())
	s.ground()
	box := shape.Box{Half: r3.V(0.5, 0.5, 0.5)}
	low := s.body(box, 1, at(0, 0, 0.5), 0)
	high := s.body(box, 1, at(0, 0, 1.6), 0)
	s.check(s.DisableCollision(low, high))
	s.check(s.DisableCollision(high, low))
	s.check(s.DisableCollision(low, low))
	for range 1000 {
		s.stepChecked(0.001, 1)
	}
	if z := s.Body(high).Pose().Pos.Z; z > 0.51 {
		t.Errorf("the upper box rests at %v m on the one that it is kept apart from", z)
	}
	copied := must[*World](t)(New(earth()))
	copied.CopyFrom(s.World)
	s.check(s.RemoveBody(high))
	if err := s.DisableCollision(low, high); err == nil {
		t.Error("a body that is gone can be kept apart")
	}
	again := s.body(box, 1, at(0, 0, 1.6), 0) // in the slot of the one that was removed
	for range 1000 {
		s.stepChecked(0.001, 1)
		if err := copied.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	if z := s.Body(again).Pose().Pos.Z; z < 1.4 {
		t.Errorf("another box falls through to %v m", z)
	}
	if z := copied.Body(high).Pose().Pos.Z; z > 0.51 {
		t.Errorf("in a copy of the world they touch: %v m", z)
	}
}

func TestKeepingTouchingBodiesApartEndsTheirContact(t *testing.T) {
	s := newScene(t, 0.5, earth())
	s.ground()
	box := shape.Box{Half: r3.V(0.5, 0.5, 0.5)}
	low, high := s.body(box, 1, at(0, 0, 0.5), 0), s.body(box, 1, at(0, 0, 1.5), 0)
	for range 500 {
		s.stepChecked(0.001, 1)
	}
	before := s.Body(high).Pose().Pos.Z
	s.check(s.DisableCollision(low, high))
	for range 1000 {
		s.stepChecked(0.001, 1)
	}
	if after := s.Body(high).Pose().Pos.Z; before < 1.4 || after > 0.6 {
		t.Errorf("the upper box was at %v m and is at %v m; want 1.5 and 0.5", before, after)
	}
}

func TestPartsOfABodyThatTouchAreFoundAmongManyAsAmongFew(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	w, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.AddBody(BodyDef{Type: Dynamic, Pose: r3.IdentityPose(), Mass: 1,
		Inertia: r3.Diag(r3.V(1, 1, 1))})
	if err != nil {
		t.Fatal(err)
	}
	for range 400 {
		pose := r3.Pose{Pos: r3.V(random.Float64(), random.Float64(), random.Float64()),
			Rot: r3.FromRPY(random.Float64(), random.Float64(), 0)}
		if _, err := w.AddGeom(id, GeomDef{Shape: shape.Box{Half: r3.V(0.04, 0.02, 0.01)}, Pose: pose,
			Material: DefaultMaterial()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Step(0.001); err != nil {
		t.Fatal(err)
	}
	var want []uint64
	for s := range w.geoms.all {
		for o := range w.geoms.all {
			a, b := w.geoms.all[s].Shape.Bounds(w.geoms.all[s].local),
				w.geoms.all[o].Shape.Bounds(w.geoms.all[o].local)
			if s != o && a.Near(&b, collide.NeighborDistance) {
				want = append(want, adjacencyKey(int32(s), int32(o)))
			}
		}
	}
	if !slices.Equal(w.geoms.adjacency.keys, want) || len(want) < 100 {
		t.Errorf("%d pairs of parts are known to touch, want %d", len(w.geoms.adjacency.keys), len(want))
	}
}

// TestAFatBoxLastsForThreeStepsOfFastMotion: for two of them it makes room, and one is within the box of the
// step's own motion.
func TestAFatBoxLastsForThreeStepsOfFastMotion(t *testing.T) {
	s := newScene(t, 0.5, Config{})
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0), 0)
	s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(1000, 0, 0)}))
	renewals, last := 0, uint64(0)
	for range 120 {
		s.step(0.001, 1)
		if at := s.geoms.bounds[s.bodies.all[b.slot].geoms[0]].renewedStep; at != last {
			renewals, last = renewals+1, at
		}
	}
	if renewals != 40 {
		t.Errorf("a sphere at 1,000 m/s got %d fat boxes in 120 steps, want 40", renewals)
	}
}
