package dynamics

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestABoxIsLoadedFromFourTimesItsOwnWeight: a body of ten kilograms on one of one kilogram is carried by a
// crane, but for a part of its weight.
func TestABoxIsLoadedFromFourTimesItsOwnWeight(t *testing.T) {
	for weights, loaded := range map[float64]int{2.8: 0, 5.6: 1} {
		s := pressed(t, 10, 0)
		for range 500 {
			s.check(s.Body(s.added[1]).ApplyWrench(r3.V(0, 0, (10-weights)*9.81), r3.Vec{}, r3.Vec{}))
			s.stepChecked(0.004, 1)
		}
		if got := s.solver.loadedBodies; got != loaded {
			t.Errorf("a load of %v times its weight: %d loaded bodies, want %d", weights, got, loaded)
		}
	}
}

// TestSixteenBodiesOfAWorldAreLoaded: of twenty under heavy ones; the others are left to passes.
func TestSixteenBodiesOfAWorldAreLoaded(t *testing.T) {
	for pairs, want := range map[int]int{12: 12, 20: 16} {
		s := newScene(t, 0.8, earth())
		s.ground()
		for i := range pairs {
			s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.1)), 1, at(float64(i), 0, 0.05), 0)
			s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.4)), 100, at(float64(i), 0, 0.3), 0)
		}
		s.stepChecked(0.004, 100)
		if got := s.solver.loadedBodies; got != want {
			t.Errorf("%d light boxes under heavy ones: %d are loaded, want %d", pairs, got, want)
		}
	}
}

// TestALoadIsFollowedThroughEightBodies: a column of light boxes is under a heavy one, and the pair at the
// ground comes first. So the load goes down by one box in a round.
func TestALoadIsFollowedThroughEightBodies(t *testing.T) {
	for boxes, want := range map[int]int{7: 7, 12: 8} {
		s := newScene(t, 0.8, earth())
		s.ground()
		for i := range boxes {
			s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.1)), 1, at(0, 0, 0.05+0.1*float64(i)), 0)
		}
		s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.4)), 1000, at(0, 0, 0.1*float64(boxes)+0.2), 0)
		s.stepChecked(0.004, 20)
		if got := s.solver.loadedBodies; got != want {
			t.Errorf("a column of %d boxes: %d are loaded, want %d", boxes, got, want)
		}
	}
}
