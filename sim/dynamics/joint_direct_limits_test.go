package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestALimitCarriesAHeavyLoadOnALightBody: two tonnes slide down a rail on a plate of 200 g on the ground,
// and stay at the rail's end.
func TestALimitCarriesAHeavyLoadOnALightBody(t *testing.T) {
	for _, dt := range stepLengths {
		s := newScene(t, 0.5, earth())
		s.ground()
		plate := s.body(shape.Box{Half: r3.V(0.3, 0.3, 0.02)}, 0.2, at(0, 0, 0.02), 1)
		load := s.body(shape.Box{Half: r3.V(0.2, 0.2, 0.2)}, 2000, at(0, 0, 1), 1)
		slide := must[JointID](t)(s.AddJoint(JointDef{
			Type: Prismatic, Parent: plate, Child: load, ParentFrame: at(0, 0, 0.98), Axis: r3.V(0, 0, 1),
			Limited: true, Lower: -0.1, Upper: 0.1,
		}))
		least := s.energy()
		for range int(2 / dt) {
			s.stepChecked(dt, 1)
			e := s.energy()
			if e > least+2000*9.81*0.003 { // the load presses the plate into the ground, which recovers
				t.Fatalf("step %.4f s: %v J, had %v", dt, e, least)
			}
			least = min(least, e)
		}
		if q, deep := s.Joint(slide).State().Position, s.deepest(); math.Abs(q+0.1) > 1e-3 || deep > 0.005 {
			t.Errorf("step %.4f s: the slide ends at %v m, want -0.1; the plate is %v m in the ground", dt, q,
				deep)
		}
	}
}
