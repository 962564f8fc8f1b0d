package dynamics

import (
	"fmt"
	"math"
	"testing"
)

// TestADamperPullsARotorToItsSpeedExponentially: the rotor of 0.02 kg·m² has a time constant of 1 s, in both
// coordinates. A limit of the effort holds.
func TestADamperPullsARotorToItsSpeedExponentially(t *testing.T) {
	for _, reduced := range []bool{false, true} {
		for _, dt := range stepLengths {
			t.Run(fmt.Sprintf("reduced=%v dt=%.4f", reduced, dt), func(t *testing.T) {
				s, j := rotor(t, JointDef{})
				if reduced {
					s.check(s.Articulate([]JointID{j}))
				}
				s.check(s.Joint(j).SetMotorDamper(10, 0.02, 0))
				s.stepChecked(dt, int(math.Round(1/dt)))
				want := 10 * (1 - 1/math.E)
				if v := s.Joint(j).State().Velocity; math.Abs(v/want-1) > 0.01 {
					t.Errorf("%v rad/s after one time constant, want %v", v, want)
				}
				s.check(s.Joint(j).SetMotorDamper(-100, 2, 0.05))
				before := s.Joint(j).State().Velocity
				s.stepChecked(dt, int(math.Round(1/dt)))
				if v := s.Joint(j).State().Velocity - before; math.Abs(v/-2.5-1) > 0.01 {
					t.Errorf("%v rad/s by at most 0.05 N·m within 1 s, want -2.5", v)
				}
			})
		}
	}
}

func TestAServoWithoutLimitsGoesToAFarTargetAtABoundedSpeed(t *testing.T) {
	for _, reduced := range []bool{false, true} {
		for _, target := range []float64{1e300, -math.MaxFloat64} {
			s, j := rotor(t, JointDef{})
			if reduced {
				s.check(s.Articulate([]JointID{j}))
			}
			s.check(s.Joint(j).SetMotorServo(target, 0, 0))
			s.stepChecked(0.004, 100)
			v := s.Joint(j).State().Velocity * math.Copysign(1, target)
			if v > 1.0001*maxServoSpeed || v < 0.99*maxServoSpeed {
				t.Errorf("reduced=%v: %v rad/s towards %g", reduced, v, target)
			}
		}
	}
}
