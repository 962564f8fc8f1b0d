package dynamics

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// coupledPair is two discs of 0.02 kg·m² on upright axles and a box of 3 kg on a slide; each may be an
// articulation.
func coupledPair(t *testing.T, trees [3]bool) (*scene, [3]JointID) {
	t.Helper()
	s := newScene(t, 0.5, Config{})
	var j [3]JointID
	for i := range j {
		p, kind, axis := at(float64(i), 0, 1), Continuous, r3.V(0, 0, 1)
		var b BodyID
		if i < 2 {
			b = s.body(shape.Cylinder{Radius: 0.2, Half: 0.05}, 1, p, 0)
		} else {
			b, kind, axis = s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 3, p, 0), Prismatic, r3.V(1, 0, 0)
		}
		j[i] = must[JointID](t)(s.AddJoint(JointDef{Type: kind, Child: b, ParentFrame: p, Axis: axis}))
		if trees[i] {
			s.check(s.Articulate(j[i : i+1]))
		}
	}
	return s, j
}

// TestCoupledJointsMoveTogetherInAnyCoordinates: a train of two wheels and a rack, in reduced or maximal
// coordinates. The effort accelerates the inertia of all, reflected by the ratios, and positions stay
// coupled.
func TestCoupledJointsMoveTogetherInAnyCoordinates(t *testing.T) {
	for _, trees := range [][3]bool{{}, {true, true, true}, {true, false, false}, {false, true, false},
		{false, false, true}, {true, false, true}} {
		for _, dt := range stepLengths {
			s, j := coupledPair(t, trees)
			s.check(s.SetCoupling(j[1], j[0], -3, 0.5)) // the offset of 0.5 is an initial error
			s.check(s.SetCoupling(j[2], j[1], 0.05, 0))
			s.check(s.Joint(j[0]).SetMotorEffort(0.1))
			n := int(math.Round(0.5 / dt))
			s.stepChecked(dt, n)
			v := s.Joint(j[0]).State().Velocity
			s.stepChecked(dt, 2*n)
			a, b, c := s.Joint(j[0]).State(), s.Joint(j[1]).State(), s.Joint(j[2]).State()
			inertia := 0.02 + 9*0.02 + 9*0.05*0.05*3
			if got, want := (a.Velocity-v)/(2*float64(n)*dt), 0.1/inertia; math.Abs(got/want-1) > 1e-3 {
				t.Errorf("trees %v, dt %.4f: speeds up by %v rad/s², want %v", trees, dt, got, want)
			}
			if math.Abs(b.Velocity+3*a.Velocity) > 1e-4 || math.Abs(c.Velocity-0.05*b.Velocity) > 1e-4 {
				t.Errorf("trees %v, dt %.4f: turns at %v, %v and slides at %v", trees, dt, a.Velocity,
					b.Velocity, c.Velocity)
			}
			if math.Abs(b.Position+3*a.Position-0.5) > 1e-4 || math.Abs(c.Position-0.05*b.Position) > 1e-4 {
				t.Errorf("trees %v, dt %.4f: stands at %v, %v and %v", trees, dt, a.Position, b.Position,
					c.Position)
			}
		}
	}
}

// TestACouplingOnOneChassisConservesAngularMomentum: both wheels are on one free body, so reactions count.
func TestACouplingOnOneChassisConservesAngularMomentum(t *testing.T) {
	for _, arm := range []bool{false, true} {
		s := newScene(t, 0.5, Config{NoSleep: true})
		base := s.body(shape.Box{Half: r3.V(0.3, 0.2, 0.1)}, 2, at(0, 0, 0), 1)
		var j [2]JointID
		for i := range j {
			p := r3.V(0.4*float64(i)-0.2, 0, 0.2)
			j[i] = s.hinge(base, s.body(shape.Cylinder{Radius: 0.15, Half: 0.02}, 1,
				r3.Pose{Pos: p, Rot: r3.Identity()}, 1), p, r3.V(0, 0, 1))
		}
		if arm { // one wheel and the base are a tree, and the other wheel is coupled to it
			s.check(s.Articulate(j[:1]))
		}
		s.check(s.SetCoupling(j[1], j[0], 2, 0))
		s.check(s.Joint(j[0]).SetMotorEffort(0.05))
		s.stepChecked(0.004, 250)
		_, l := s.momentum()
		a, b := s.Joint(j[0]).State(), s.Joint(j[1]).State()
		// Lagrange: base turns by -(I/J)(1+2)θ', J being the whole about the middle.
		wheel := s.Body(s.added[1]).Mass().Inertia.ZZ
		whole := s.Body(base).Mass().Inertia.ZZ + 2*(wheel+0.04)
		want := 0.05 / (wheel*5 - 9*wheel*wheel/whole)
		if math.Abs(a.Velocity/want-1) > 2e-3 || math.Abs(b.Velocity-2*a.Velocity) > 1e-4 || l.Len() > 1e-4 {
			t.Errorf("arm %v: %v rad/s after 1 s, want %v; the other %v; momentum %v", arm, a.Velocity, want,
				b.Velocity, l)
		}
	}
}

func TestACoupledJointWaitsAtItsLimit(t *testing.T) {
	for _, tree := range []bool{false, true} {
		s := newScene(t, 0.5, Config{})
		var j [2]JointID
		for i := range j {
			p := at(float64(i), 0, 1)
			j[i] = must[JointID](t)(s.AddJoint(JointDef{Type: Revolute,
				Child: s.body(shape.Cylinder{Radius: 0.2, Half: 0.05}, 1, p, 0), ParentFrame: p,
				Axis: r3.V(0, 0, 1), Limited: true, Lower: -1, Upper: 1}))
		}
		if tree {
			s.check(s.Articulate(j[:1]))
		}
		s.check(s.SetCoupling(j[1], j[0], 2, 0))
		s.check(s.Joint(j[0]).SetMotorPosition(0.9, 0, 0, 5))
		s.stepChecked(0.004, 1000)
		if a, b := s.Joint(j[0]).State(), s.Joint(j[1]).State(); math.Abs(a.Position-0.9) > 1e-3 ||
			math.Abs(b.Position-1) > 2e-3 {
			t.Errorf("tree %v: the leader is at %v, the follower at %v; want 0.9 and its limit at 1", tree,
				a.Position, b.Position)
		}
		s.check(s.Joint(j[0]).SetMotorPosition(0.25, 0, 0, 5))
		s.stepChecked(0.004, 1000)
		if b := s.Joint(j[1]).State(); math.Abs(b.Position-0.5) > 1e-3 {
			t.Errorf("tree %v: back it is at %v, want 0.5", tree, b.Position)
		}
	}
}

func TestCoupledJointsSleepAndWakeTogether(t *testing.T) {
	s, j := coupledPair(t, [3]bool{true, false, false})
	s.check(s.SetCoupling(j[1], j[0], 2, 0))
	s.stepChecked(0.004, 500)
	if s.Body(s.added[0]).Awake() || s.Body(s.added[1]).Awake() {
		t.Fatal("at rest they do not sleep")
	}
	s.check(s.Joint(j[0]).SetMotorVelocity(1, 0))
	if !s.Body(s.added[1]).Awake() {
		t.Error("the follower sleeps on")
	}
	s.stepChecked(0.004, 250)
	s.check(s.Joint(j[0]).SetMotorVelocity(0, 0))
	s.stepChecked(0.004, 500)
	if a, b := s.Joint(j[0]).State(), s.Joint(j[1]).State(); math.Abs(b.Position-2*a.Position) > 1e-4 ||
		a.Position < 0.9 {
		t.Errorf("stand at %v and %v", a.Position, b.Position)
	}
	if s.Body(s.added[1]).Awake() {
		t.Error("the follower does not sleep")
	}
}

func TestInvalidCouplingsAreRejected(t *testing.T) {
	s, j := coupledPair(t, [3]bool{})
	ball := must[JointID](t)(s.AddJoint(JointDef{Type: Ball,
		Child: s.body(shape.Sphere{Radius: 0.1}, 1, at(5, 0, 0), 0)}))
	for name, err := range map[string]error{
		"itself": s.SetCoupling(j[0], j[0], 1, 0), "a ball": s.SetCoupling(ball, j[0], 1, 0),
		"of a ball": s.SetCoupling(j[0], ball, 1, 0),
		"NaN":       s.SetCoupling(j[0], j[1], math.NaN(), 0),
		"gone":      s.SetCoupling(JointID{99, 1}, j[0], 1, 0),
	} {
		if !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrGone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.check(s.SetCoupling(j[1], j[0], 2, 0))
	s.check(s.RemoveJoint(j[0]))
	s.check(s.Joint(j[1]).SetMotorVelocity(1, 0))
	s.stepChecked(0.004, 10)
	if v := s.Joint(j[1]).State().Velocity; math.Abs(v-1) > 1e-6 {
		t.Errorf("without its leader it turns at %v", v)
	}
}
