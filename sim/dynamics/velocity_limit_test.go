package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// fallingBar is a joint of a type whose child is a bar that gravity moves along or about it, in an
// articulation or not.
func fallingBar(t *testing.T, kind JointType, tree bool, limit float64) (*scene, JointID) {
	t.Helper()
	s := newScene(t, 0.5, Config{Gravity: r3.V(0, 0, -9.81)})
	b := s.body(shape.Box{Half: r3.V(0.5, 0.02, 0.02)}, 2, at(0.5, 0, 0), 0)
	d := JointDef{Type: kind, Child: b, ChildFrame: at(-0.5, 0, 0), Axis: r3.V(0, 1, 0), SpeedLimit: limit}
	if kind == Prismatic {
		d.Axis = r3.V(0, 0, 1)
	}
	j := must[JointID](t)(s.AddJoint(d))
	if tree {
		s.check(s.Articulate([]JointID{j}))
	}
	return s, j
}

// TestAJointMovesNoFasterThanItsSpeedLimit whatever acts: weight, an effort, a stiff spring, a hit.
func TestAJointMovesNoFasterThanItsSpeedLimit(t *testing.T) {
	pushes := map[string]func(*scene, JointID){
		"weight": func(*scene, JointID) {},
		"effort": func(s *scene, j JointID) { s.check(s.Joint(j).SetMotorEffort(-300)) },
		"spring": func(s *scene, j JointID) { s.check(s.Joint(j).SetMotorPosition(3, 1e5, 10, 300)) },
		"servo":  func(s *scene, j JointID) { s.check(s.Joint(j).SetMotorPosition(-4, 0, 0, 0)) },
		"blow": func(s *scene, j JointID) {
			s.check(s.Body(s.added[0]).SetTwist(r3.Twist{Angular: r3.V(0, 9, 0), Linear: r3.V(0, 0, -4.5)}))
		},
	}
	for name, push := range pushes {
		for _, kind := range []JointType{Continuous, Prismatic} {
			for _, tree := range []bool{false, true} {
				for _, dt := range stepLengths {
					s, j := fallingBar(t, kind, tree, 0.7)
					push(s, j)
					// that 300 N·m or N would add in a substep, rad/s or m/s
					gain := dt / float64(substepsFor(dt, true)) * 300 / 0.67
					most, settled := 0.0, 1
					if !tree { // hinge and speed limit settle over some steps
						settled = 25
					}
					for i := range int(1.5 / dt) {
						s.stepChecked(dt, 1)
						if i >= settled {
							most = max(most, math.Abs(s.Joint(j).State().Velocity))
						}
					}
					bound, give := 0.705, 2*velocityLimitCompliance // trees alone take half the substeps
					if !tree {                                      // the hinge's own impulses pass the limit
						bound, give = 0.72, 4*velocityLimitCompliance
					}
					if name == "effort" || name == "spring" {
						bound += give * gain
					}
					if most > bound || most < 0.69 {
						t.Errorf("%s, %v, tree %v, dt %.4f: up to %v, want 0.7", name, kind, tree, dt, most)
					}
				}
			}
		}
	}
}

// TestASpeedLimitChangesNothingBelowIt: results are equal, and a motor may run at the limit.
func TestASpeedLimitChangesNothingBelowIt(t *testing.T) {
	for _, tree := range []bool{false, true} {
		free, a := fallingBar(t, Continuous, tree, 0)
		kept, b := fallingBar(t, Continuous, tree, 20) // the bar falls to 5.4 rad/s
		for range 500 {
			free.stepChecked(0.004, 1)
			kept.stepChecked(0.004, 1)
			if free.Joint(a).State() != kept.Joint(b).State() {
				t.Fatalf("tree %v: %+v without a limit, %+v below it", tree, free.Joint(a).State(),
					kept.Joint(b).State())
			}
		}
		s, j := fallingBar(t, Continuous, tree, 0.5)
		s.check(s.Joint(j).SetMotorVelocity(-0.5, 100)) // up, at the limit
		s.stepChecked(0.004, 250)
		if v := s.Joint(j).State().Velocity; math.Abs(v+0.5) > 1e-4 {
			t.Errorf("tree %v: lifted at %v rad/s, want 0.5", tree, v)
		}
	}
}

// TestASpeedLimitDoesNotDelayLimitRecovery: a position limit's overrun is corrected faster than the speed
// limit.
func TestASpeedLimitDoesNotDelayLimitRecovery(t *testing.T) {
	for _, tree := range []bool{false, true} {
		s := newScene(t, 0.5, Config{})
		b := s.body(shape.Cylinder{Radius: 0.2, Half: 0.05}, 1, at(0, 0, 1), 0)
		j := must[JointID](t)(s.AddJoint(JointDef{Type: Revolute, Child: b, ParentFrame: at(0, 0, 1),
			Axis: r3.V(0, 0, 1), Limited: true, Lower: -0.5, Upper: 0.5, SpeedLimit: 0.1}))
		if tree {
			s.check(s.Articulate([]JointID{j}))
		}
		s.check(s.Body(b).SetPose(r3.Pose{Pos: r3.V(0, 0, 1), Rot: r3.AxisAngle(r3.V(0, 0, 1), 0.8)}))
		s.MeasureJoints()
		s.stepChecked(0.004, 500)
		if st := s.Joint(j).State(); st.Position > 0.5+1e-2 || math.Abs(st.Velocity) > 0.11 {
			t.Errorf("tree %v: from beyond its limit: %+v", tree, st)
		}
	}
}
