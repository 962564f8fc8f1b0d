package dynamics

import (
	"testing"

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
