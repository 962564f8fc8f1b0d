package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// disc is a disc on an upright axle in reduced coordinates, and its joint.
func (s *scene) disc(d JointDef) (BodyID, JointID) {
	s.Helper()
	b := s.body(shape.Cylinder{Radius: 0.2, Half: 0.05}, 1, at(0, 0, 1), 0)
	d.Child, d.Axis, d.ParentFrame = b, r3.V(0, 0, 1), at(0, 0, 1)
	j := must[JointID](s)(s.AddJoint(d))
	s.check(s.Articulate([]JointID{j}))
	return b, j
}

// TestASubstepTakesBackAFifthOfAnOverrun: of a hinge that is 0.1 rad beyond its upper or its lower stop, or
// beside a position in which it is locked.
func TestASubstepTakesBackAFifthOfAnOverrun(t *testing.T) {
	for name, d := range map[string]JointDef{"upper stop": {Lower: -2, Upper: -0.1},
		"lower stop": {Lower: 0.1, Upper: 2}, "lock": {Lower: 0.1, Upper: 0.1}} {
		s := newScene(t, 0.5, Config{Substeps: 1})
		d.Type, d.Limited = Revolute, true
		_, j := s.disc(d)
		s.stepChecked(0.01, 1)
		if part := math.Abs(s.Joint(j).State().Position) / 0.1; part < 0.17 || part > 0.23 {
			t.Errorf("%s: a part of %v of 0.1 rad is taken back", name, part)
		}
	}
}

// TestAMotorHasArrivedBelowATenThousandthOfARadianPerSecond: it is a spring, still far from its target, and
// its body may sleep.
func TestAMotorHasArrivedBelowATenThousandthOfARadianPerSecond(t *testing.T) {
	for speed, arrived := range map[float64]bool{0: true, 0.7e-4: true, 1.4e-4: false} {
		s := newScene(t, 0.5, Config{})
		b, j := s.disc(JointDef{Type: Continuous})
		s.check(s.Joint(j).SetMotorPosition(0.5, 1e-9, 0, 0))
		s.check(s.Body(b).SetTwist(r3.Twist{Angular: r3.V(0, 0, speed)}))
		s.stepChecked(0.001, 1)
		if active := s.joints.all[j.slot].motorActive(); active == arrived {
			t.Errorf("at %v rad/s: has arrived %v, want %v", speed, !active, arrived)
		}
	}
}

// TestAJointIsSolvedDirectlyFromAHundredTimesTheMassOn: between a light foot that lies on the ground, and
// what stands on it.
func TestAJointIsSolvedDirectlyFromAHundredTimesTheMassOn(t *testing.T) {
	for mass, direct := range map[float64]bool{70: false, 140: true} {
		s := newScene(t, 0.5, earth())
		s.ground()
		foot := s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.2)), 1, at(0, 0, 0.1), 1)
		load := s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.2)), mass, at(0, 0, 0.3), 1)
		must[JointID](t)(s.AddJoint(JointDef{Type: Ball, Parent: foot, Child: load,
			ParentFrame: at(0, 0, 0.1), ChildFrame: at(0, 0, -0.1)}))
		s.stepChecked(0.001, 2)
		if got := len(s.solver.directIslands) > 0; got != direct {
			t.Errorf("%v kg on 1 kg: solved directly %v, want %v", mass, got, direct)
		}
	}
}

// TestAJointClosesByAQuarterInASubstep: half the damping would close it by 37 %, twice the damping by 15 %.
func TestAJointClosesByAQuarterInASubstep(t *testing.T) {
	s := newScene(t, 0.5, Config{Substeps: 1})
	const open = 1e-4
	post := s.fixed(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), at(0, 0, 0))
	b := s.body(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), 1, at(0, 0, 0), 0)
	must[JointID](t)(s.AddJoint(JointDef{Type: Fixed, Parent: post, Child: b}))
	s.check(s.Body(b).SetPose(at(open, 0, 0)))
	s.stepChecked(0.001, 1)
	if part := 1 - s.Body(b).Pose().Pos.X/open; part < 0.2 || part > 0.3 {
		t.Errorf("a substep closes %v of an opening", part)
	}
}

// TestASpringIsSemiImplicitUpToATenthAndImplicitFromAHalfOn: of (ω·h)².
func TestASpringIsSemiImplicitUpToATenthAndImplicitFromAHalfOn(t *testing.T) {
	const mass, h = 2, 0.01
	for z, want := range map[float64][2]float64{0.07: {0, 0}, 0.14: {0.01, 0.3}, 0.45: {0.7, 0.99},
		0.6: {1, 1}} {
		if got, _ := springImplicitTerms(z*mass/(h*h), 0, mass, h); got < want[0] || got > want[1] {
			t.Errorf("(ω·h)² = %v: a part of %v is implicit, want %v", z, got, want)
		}
	}
}

// TestAnImplicitDamperTakesAsMuchAsAnExactOne: as long as it takes a fifth in a substep. A harder one is not
// strengthened by more than it needs there.
func TestAnImplicitDamperTakesAsMuchAsAnExactOne(t *testing.T) {
	const mass, h = 2, 0.01
	for _, x := range []float64{0.01, 0.05, 0.1, 0.18, 0.3, 3, 1000} {
		_, damper := springImplicitTerms(0, x*mass/h, mass, h)
		left, exact := 1/(1+damper*h/mass), math.Exp(-x)
		if off := math.Abs(left - exact); x < 0.2 && off > 1e-3 {
			t.Errorf("h·c/m = %v: %v of the speed is left, want %v", x, left, exact)
		}
		if gain := damper * h / mass / x; gain > 1.15 {
			t.Errorf("h·c/m = %v: a damper is %v times as strong", x, gain)
		}
	}
}

// TestAStopActsFromAnApproachOfANanometrePerSecondOn: what is slower is rounding, and leaves the active set
// of a direct island as it is.
func TestAStopActsFromAnApproachOfANanometrePerSecondOn(t *testing.T) {
	s := newScene(t, 0.5, earth())
	s.ground()
	plate := s.body(shape.Box{Half: r3.V(0.3, 0.3, 0.02)}, 0.2, at(0, 0, 0.02), 1)
	load := s.body(shape.Box{Half: r3.V(0.2, 0.2, 0.2)}, 2000, at(0, 0, 1), 1)
	must[JointID](t)(s.AddJoint(JointDef{Type: Prismatic, Parent: plate, Child: load,
		ParentFrame: at(0, 0, 0.98), Axis: r3.V(0, 0, 1), Limited: true, Lower: 0, Upper: 1}))
	s.stepChecked(0.001, 3)
	k := &s.solver.directIslands[0]
	for speed, acts := range map[float64]bool{0: false, 0.7e-9: false, 1.4e-9: true} {
		for _, sign := range []float64{1, -1} { // of the lower stop and of the upper one
			q := &s.solver.directRows[k.rowEnd-1]
			q.limit = directLimit{sign: sign, inactive: true}
			for i := range s.solver.states {
				s.solver.states[i] = bodyState{}
			}
			s.solver.states[q.bodyB].v = r3.V(0, 0, -sign*speed)
			if k.updateActiveLimits(&s.solver); q.part != axisDirection || q.limit.inactive == acts {
				t.Errorf("approaches a stop at %v m/s: it acts %v, want %v", speed, !q.limit.inactive, acts)
			}
		}
	}
}

// TestARingStopsWhereItIsHeldByAHundredMillionth: along a direction in which two rows of a ring hold a body
// by that alone, a factorization with ε halves its speed. The refinements leave some 0.2 % of it. Half or
// twice as many would leave 3 % or a hundred-thousandth. Half or twice the ε would leave 0.005 % or 3 %.
func TestARingStopsWhereItIsHeldByAHundredMillionth(t *testing.T) {
	ring := newScene(t, 0.5, Config{NoSleep: true})
	first := ring.body(shape.Sphere{Radius: 0.03}, 10, at(-0.05, 0, 0), 1)
	second := ring.body(shape.Sphere{Radius: 0.03}, 6, at(0.05, 0, 0), 1)
	for _, y := range []float64{0.15, -0.12} {
		rod := ring.body(shape.Box{Half: r3.V(0.003, 0.012, 0.003)}, 0.001, at(0, y, 0), 1)
		ring.ball(first, rod, r3.V(-0.05, 0, 0))
		ring.ball(second, rod, r3.V(0.05, 0, 0))
	}
	ring.stepChecked(0.001, 1)
	k := directIsland{rowEnd: 2, regularization: ring.solver.directIslands[0].regularization}
	lean := math.Sqrt(2e-8)
	s := solver{}
	s.states, s.masses = make([]bodyState, 2), []bodyMass{{}, {invMass: 1}}
	s.directRHS = make([]float64, 2)
	for _, along := range []r3.Vec{{X: 1}, {X: math.Cos(lean), Y: math.Sin(lean)}} {
		s.directRows = append(s.directRows, directRow{bodyB: 1, along: along, massB: 1})
		s.directFactor.AddRow(0)
	}
	k.factor(&s)
	s.states[1].v = r3.V(0, 1, 0)
	k.satisfy(&s)
	if left := s.states[1].v.Y; left < 0.0005 || left > 0.01 {
		t.Errorf("a part of %v of its speed is left", left)
	}
}
