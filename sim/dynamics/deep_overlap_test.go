package dynamics

import (
	"testing"

	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestABodyDeepInTwoGeomsIsPushedOut: a thin rod starts deep in a floor and in the wall on it. Each of the
// two geoms can take the other's face for an internal edge; without a contact the rod would fall through
// both.
func TestABodyDeepInTwoGeomsIsPushedOut(t *testing.T) {
	for name, wall := range map[string]r3.Pose{"on the floor": at(-1, 0, 1),
		"reaching below it": at(-1, 0, 0.5)} {
		for _, deep := range []float64{3e-3, 5e-3} {
			s := newScene(t, 0.5, Config{Gravity: r3.V(0, 0, -9.81)})
			s.fixed(shape.BoxOf(r3.V(4, 4, 1)), at(0, 0, -0.5))
			s.fixed(shape.BoxOf(r3.V(0.2, 2, 2)), wall)
			b := s.body(shape.BoxOf(r3.V(1.4e-3, 29e-3, 1.4e-3)), 1e-4, at(-0.9+0.7e-3-deep, 0, 0.7e-3-deep),
				0)
			s.step(1.0/120, 240)
			if p := s.Body(b).Pose().Pos; p.X < -0.906 || p.Z < -collide.MaxInternalEdgeDepth {
				t.Errorf("a wall %s: from %g m deep in both it comes to %v", name, deep, p)
			}
		}
	}
}
