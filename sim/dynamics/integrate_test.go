package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestASubstepOfFreeRotationIsSplitIntoEightPartsAtMost: as many as a turn needs are like so many substeps.
// A turn that needs sixteen gets eight.
func TestASubstepOfFreeRotationIsSplitIntoEightPartsAtMost(t *testing.T) {
	for parts, all := range map[int]bool{2: true, 8: true, 16: false} {
		s := newScene(t, 0, Config{})
		b := s.body(shape.BoxOf(r3.V(0.5, 0.3, 0.1)), 1, at(0, 0, 0), 0)
		in := &s.bodies.massProps[b.slot]
		first, middle, last := in.momentOrder()
		m := in.principalMoments
		k, l := 1/m.At(first)-1/m.At(middle), 1/m.At(last)-1/m.At(middle)
		h := (float64(parts) - 0.1) / (2 * math.Sqrt(math.Abs(k*l))) // at a momentum of one
		momentum, _ := r3.V(1, 2, 3).Unit()
		once, many := in.splitRotation(r3.Identity(), momentum, h), r3.Identity()
		for range parts {
			many = in.splitRotation(many, momentum, h/float64(parts))
		}
		if apart := rotationBetween(once, many).Len(); apart < 1e-12 != all {
			t.Errorf("a turn for %d parts ends %v rad from so many substeps, want equal %v", parts, apart, all)
		}
	}
}

// TestAFreeBodyTurnsAtMostAQuarterTurnInASubstep: a faster spin comes down to that.
func TestAFreeBodyTurnsAtMostAQuarterTurnInASubstep(t *testing.T) {
	s := newScene(t, 0.5, Config{Substeps: 1})
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0), 0)
	s.check(s.Body(b).SetTwist(r3.Twist{Angular: r3.V(0, 1e5, 0)}))
	s.step(0.001, 1)
	if spin := s.Body(b).Twist().Angular.Len(); spin == 0 || spin > 500*math.Pi+1 {
		t.Errorf("it turns at %v rad/s after a step of a millisecond, want at most a quarter turn in that", spin)
	}
}
