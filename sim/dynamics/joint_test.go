package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// rotor is a disc of inertia 0.02 kg·m² about a vertical axis through its middle, fixed to the world.
func rotor(t *testing.T, d JointDef) (*scene, JointID) {
	t.Helper()
	s := newScene(t, 0.5, earth())
	b := s.body(shape.Cylinder{Radius: 0.2, Half: 0.05}, 1, at(0, 0, 1), 0)
	d.Child, d.Axis, d.ParentFrame = b, r3.V(0, 0, 1), at(0, 0, 1)
	if d.Type == Fixed {
		d.Type = Continuous
	}
	return s, must[JointID](t)(s.AddJoint(d))
}

func TestAnEffortAcceleratesARotorByItsInertia(t *testing.T) {
	s, j := rotor(t, JointDef{})
	s.check(s.Joint(j).SetMotorEffort(0.1))
	s.stepChecked(0.001, 1000)
	st := s.Joint(j).State()
	if math.Abs(st.Velocity-5) > 1e-3 || math.Abs(st.Position-2.5) > 0.01 || math.Abs(st.Effort-0.1) > 1e-12 {
		t.Errorf("0.1 N·m on 0.02 kg·m² for 1 s: %+v, want 5 rad/s and 2.5 rad", st)
	}
}

func TestDampingSlowsARotorExponentially(t *testing.T) {
	for _, dt := range stepLengths {
		s, j := rotor(t, JointDef{Damping: 0.02}) // time constant 1 s
		s.check(s.Body(s.added[0]).SetTwist(r3.Twist{Angular: r3.V(0, 0, 10)}))
		s.stepChecked(dt, int(math.Round(1/dt)))
		if v := s.Joint(j).State().Velocity; math.Abs(v/(10/math.E)-1) > 0.01 {
			t.Errorf("dt %.4f: %v rad/s after one time constant, want %v", dt, v, 10/math.E)
		}
	}
	s, j := rotor(t, JointDef{Damping: 1e6})
	s.check(s.Body(s.added[0]).SetTwist(r3.Twist{Angular: r3.V(0, 0, 10)}))
	s.stepChecked(0.004, 5)
	if v := s.Joint(j).State().Velocity; math.Abs(v) > 1e-3 {
		t.Errorf("an enormous damper leaves %v rad/s", v)
	}
}

func TestJointFrictionStopsARotorAndHoldsIt(t *testing.T) {
	s, j := rotor(t, JointDef{Friction: 0.1}) // decelerates by 5 rad/s²
	s.check(s.Body(s.added[0]).SetTwist(r3.Twist{Angular: r3.V(0, 0, 10)}))
	s.stepChecked(0.001, 1000)
	if v := s.Joint(j).State().Velocity; math.Abs(v-5) > 0.01 {
		t.Errorf("%v rad/s after 1 s, want 5", v)
	}
	s.stepChecked(0.001, 1100)
	s.check(s.Joint(j).SetMotorEffort(0.09))
	s.stepChecked(0.001, 500)
	if v := s.Joint(j).State().Velocity; math.Abs(v) > 1e-6 {
		t.Errorf("turns at %v under less than its friction", v)
	}
	s.check(s.Joint(j).SetMotorEffort(0.12))
	s.stepChecked(0.001, 1000)
	if v := s.Joint(j).State().Velocity; math.Abs(v-1) > 0.01 {
		t.Errorf("%v rad/s after 1 s with 0.02 N·m to spare, want 1", v)
	}
}

func TestAPositionCountsOnPastAFullTurn(t *testing.T) {
	s, j := rotor(t, JointDef{})
	s.check(s.Joint(j).SetMotorVelocity(-20, 0))
	s.stepChecked(1.0/60, 600)
	if p := s.Joint(j).State().Position; math.Abs(p+200) > 0.5 {
		t.Errorf("position %v after 10 s at -20 rad/s", p)
	}
}

func TestAVelocityMotorStaysWithinItsEffortLimit(t *testing.T) {
	s, j := rotor(t, JointDef{MaxEffort: 0.1, MaxVelocity: 3})
	s.check(s.Joint(j).SetMotorVelocity(100, 0))
	s.stepChecked(0.001, 400)
	if st := s.Joint(j).State(); math.Abs(st.Velocity-2) > 1e-3 || math.Abs(st.Effort-0.1) > 1e-9 {
		t.Errorf("after 0.4 s at 0.1 N·m: %+v, want 2 rad/s", st)
	}
	s.stepChecked(0.001, 600)
	if st := s.Joint(j).State(); math.Abs(st.Velocity-3) > 1e-6 || math.Abs(st.Effort) > 1e-6 {
		t.Errorf("at its greatest velocity: %+v", st)
	}
}

func TestPositionMotorsArriveAndStay(t *testing.T) {
	motors := map[string]func(*scene, JointID) error{
		"spring": func(s *scene, j JointID) error {
			return s.Joint(j).SetMotorPosition(1.2, 5, 0.5,
				0)
		},
		"stiff spring": func(s *scene, j JointID) error {
			return s.Joint(j).SetMotorPosition(1.2, 1e6, 1e3,
				0)
		},
		"servo": func(s *scene, j JointID) error { return s.Joint(j).SetMotorPosition(1.2, 0, 0, 0) },
	}
	for name, set := range motors {
		for _, dt := range stepLengths {
			s, j := rotor(t, JointDef{})
			s.check(set(s, j))
			highest := 0.0
			for range int(4 / dt) {
				s.stepChecked(dt, 1)
				highest = max(highest, s.Joint(j).State().Position)
			}
			if st := s.Joint(j).State(); math.Abs(st.Position-1.2) > 2e-3 || math.Abs(st.Velocity) > 1e-2 ||
				highest > 1.35 {
				t.Errorf("%s, dt %.4f: %+v, went up to %v", name, dt, st, highest)
			}
		}
	}
}

func TestLimitsHold(t *testing.T) {
	s, j := rotor(t, JointDef{Type: Revolute, Limited: true, Lower: -0.5, Upper: 0.8})
	for _, c := range []struct{ effort, want float64 }{{1, 0.8}, {-1, -0.5}} {
		s.check(s.Joint(j).SetMotorEffort(c.effort))
		furthest := 0.0
		for range 2000 {
			s.stepChecked(0.001, 1)
			furthest = max(furthest, s.Joint(j).State().Position*c.effort)
		}
		if p := s.Joint(j).State().Position; math.Abs(p-c.want) > 2e-3 || furthest > math.Abs(c.want)+0.02 {
			t.Errorf("pushed by %v it is at %v (furthest %v), want %v", c.effort, p, furthest, c.want)
		}
	}
}

func TestAPrismaticJointSlidesWithinItsLimits(t *testing.T) {
	s := newScene(t, 0.5, earth())
	b := s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 2, at(0, 0, 1), 0)
	j := must[JointID](t)(s.AddJoint(JointDef{
		Type: Prismatic, Child: b, ParentFrame: at(0, 0, 1), Axis: r3.V(0, 0, 1), Limited: true, Lower: -0.3,
		Upper: 0.3,
	}))
	s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0), Angular: r3.V(3, 3,
		3)})) // none of which is free
	s.stepChecked(0.001, 200)
	if p, want := s.Joint(j).State().Position, -0.5*9.81*0.2*0.2; math.Abs(p-want) > 2e-3 {
		t.Errorf("fell %v in 0.2 s, want %v", p, want)
	}
	s.stepChecked(0.001, 1000)
	if st := s.Joint(j).State(); math.Abs(st.Position+0.3) > 1e-3 || math.Abs(st.Velocity) > 1e-3 {
		t.Errorf("at its limit: %+v", st)
	}
	s.check(s.Joint(j).SetMotorPosition(0.1, 0, 0, 100))
	s.stepChecked(0.001, 2000)
	if st := s.Joint(j).State(); math.Abs(st.Position-0.1) > 2e-3 || math.Abs(st.Effort-2*9.81) > 0.05 {
		t.Errorf("lifted: %+v, want 0.1 m with 19.62 N", st)
	}
	p := s.Body(b).Pose()
	if math.Hypot(p.Pos.X, p.Pos.Y) > 1e-4 || p.Rot.Vector().Len() > 1e-3 {
		t.Errorf("left its rail: %v", p)
	}
}

func TestFixedAndBallJointsHold(t *testing.T) {
	for _, kind := range []JointType{Fixed, Ball} {
		s := newScene(t, 0.5, earth())
		a := s.body(shape.Box{Half: r3.V(0.2, 0.05, 0.05)}, 1, at(0.2, 0, 1), 0)
		b := s.body(shape.Box{Half: r3.V(0.2, 0.05, 0.05)}, 1, at(0.6, 0, 1), 0)
		must[JointID](t)(s.AddJoint(JointDef{Type: Fixed, Child: a, ParentFrame: at(0, 0, 1),
			ChildFrame: at(-0.2, 0, 0)}))
		j := must[JointID](t)(s.AddJoint(JointDef{Type: kind, Parent: a, Child: b, ParentFrame: at(0.2, 0, 0),
			ChildFrame: at(-0.2, 0, 0)}))
		gap := 0.0
		for range 2000 {
			s.stepChecked(0.001, 1)
			gap = max(gap, s.Joint(j).Gap())
		}
		z := s.Body(b).Pose().Pos.Z
		if kind == Fixed && math.Abs(z-1) > 5e-3 {
			t.Errorf("a cantilever of two sags to %v", z)
		}
		if kind == Ball && z > 0.99 {
			t.Errorf("on a ball joint it does not hang: %v", z)
		}
		if gap > 1e-3 {
			t.Errorf("%v: ends part by %v", kind, gap)
		}
		if st := s.Joint(j).State(); st != (JointState{}) {
			t.Errorf("%v: %+v", kind, st)
		}
	}
}

func TestJointedBodiesDoNotCollideUntilTheJointIsRemoved(t *testing.T) {
	s := newScene(t, 0.5, Config{})
	a := s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(0, 0, 0), 0)
	b := s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(0.15, 0, 0), 0)
	j := s.hinge(a, b, r3.V(0.075, 0, 0), r3.V(0, 0, 1))
	s.stepChecked(0.004, 50)
	if n := len(s.Contacts(nil)); n != 0 {
		t.Errorf("%d contacts between parent and child", n)
	}
	if p, c := s.Joint(j).Bodies(); p != a || c != b {
		t.Errorf("joint of %v and %v", p, c)
	}
	s.check(s.RemoveJoint(j))
	s.stepChecked(0.004, 250)
	if x := s.Body(b).Pose().Pos.X - s.Body(a).Pose().Pos.X; x < 0.199 {
		t.Errorf("untied, they still overlap: %v apart", x)
	}
}

func TestMeasureJointsReadsPosesThatWereSet(t *testing.T) {
	s, j := rotor(t, JointDef{})
	s.check(s.Joint(j).SetMotorVelocity(20, 0))
	s.stepChecked(0.004, 500)
	s.check(s.Body(s.added[0]).SetTwist(r3.Twist{}))
	s.check(s.Body(s.added[0]).SetPose(r3.Pose{Pos: r3.V(0, 0, 1), Rot: r3.AxisAngle(r3.V(0, 0, 1), 0.7)}))
	s.MeasureJoints()
	if p := s.Joint(j).State().Position; math.Abs(p-0.7) > 1e-9 {
		t.Errorf("position %v, want 0.7", p)
	}
}

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
					// speed that 300 N·m or N add in a substep, rad/s or m/s
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
