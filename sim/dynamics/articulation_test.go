package dynamics

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// articulatedArm is scene D's arm in reduced coordinates.
func (s *scene) articulatedArm() arm {
	a := s.arm()
	s.check(s.Articulate(a.joints[:]))
	return a
}

// TestAFreeArmInReducedCoordinatesFollowsTheExactSolution compares scene Dpassive with RK4 at 1e-5 s
// (SCENES.md).
//
// MuJoCo 4.0 on the same scene, with the error of the energy and of the tip at 0.5 and 1 s:
//
//	implicit, dt 1/240 s:     -13.4 J, 0.012 m, 0.085 m
//	implicit, dt 0.001 s:      -3.4 J, 0.003 m, 0.075 m
//	implicitfast, dt 1/240 s: +15.8 J, 0.022 m, 0.229 m
func TestAFreeArmInReducedCoordinatesFollowsTheExactSolution(t *testing.T) {
	for _, c := range []struct{ dt, energy, half, one float64 }{{1.0 / 240, 0.15, 2e-4, 0.02},
		{0.001, 0.01, 2e-5, 0.002}} {
		s := newScene(t, 0.5, earth())
		a := s.articulatedArm()
		e0, gap, drift := s.energy(), 0.0, 0.0
		n := int(math.Round(1 / c.dt))
		var half r3.Vec
		for i := range n {
			s.stepChecked(c.dt, 1)
			gap, drift = max(gap, s.armGap(a)), max(drift, math.Abs(s.energy()-e0))
			if i+1 == n/2 {
				half = s.armTip(a)
			}
		}
		d1, d2 := half.Dist(r3.V(.639523, .045954, -.517029)),
			s.armTip(a).Dist(r3.V(-.737065, -.052793, .761471))
		t.Logf("dt %.5f: energy off by %.3g J of %.4f, tip by %.3g and %.3g m, gap %.3g m", c.dt, drift, e0,
			d1, d2, gap)
		if gap > 1e-9 || drift > c.energy || d1 > c.half || d2 > c.one {
			t.Errorf("dt %.5f: gap %v m, energy off by %v J, tip by %v and %v m", c.dt, gap, drift, d1, d2)
		}
	}
}

func TestAnArmInReducedCoordinatesHoldsItsPoseExactly(t *testing.T) {
	for _, dt := range stepLengths {
		s := newScene(t, 0.5, earth())
		a := s.articulatedArm()
		for _, j := range a.joints {
			s.check(s.Joint(j).SetMotorVelocity(0, 200))
		}
		tip := s.armTip(a)
		s.stepChecked(dt, int(math.Round(10/dt)))
		if sag := s.armTip(a).Dist(tip); sag > 1e-9 || s.armGap(a) > 1e-9 {
			t.Errorf("dt %.4f: sags by %v m in 10 s, joints part by %v m", dt, sag, s.armGap(a))
		}
		// The shoulder carries the weight of all links beyond it.
		moment, shoulder := 0.0, s.Joint(a.joints[1]).Frame().Pos
		for _, b := range a.links[1:] {
			moment += s.Body(b).Mass().Mass * 9.81 * s.Body(b).COM().Sub(shoulder).X
		}
		if e := s.Joint(a.joints[1]).State().Effort; math.Abs(e+moment) > 1e-6 {
			t.Errorf("dt %.4f: the shoulder holds with %v N·m, the weight asks for %v", dt, e, -moment)
		}
	}
}

func TestAMotorTooWeakForItsArmSinksAtItsEffortLimit(t *testing.T) {
	s := newScene(t, 0.5, earth())
	a := s.articulatedArm()
	for i, j := range a.joints {
		limit := 200.0
		if i == 1 {
			limit = 5
		}
		s.check(s.Joint(j).SetMotorVelocity(0, limit))
	}
	s.stepChecked(1.0/240, 60)
	if st := s.Joint(a.joints[1]).State(); math.Abs(math.Abs(st.Effort)-5) > 1e-9 || st.Velocity < 0.5 {
		t.Errorf("a shoulder of 5 N·m: %+v", st)
	}
	if st := s.Joint(a.joints[2]).State(); math.Abs(st.Velocity) > 1e-9 {
		t.Errorf("the elbow moves: %+v", st)
	}
}

// chain is bodies connected one to the next by a type of joint, the first to the base.
func (s *scene) chain(kind JointType, base BodyID, n int) (joints []JointID) {
	for i := range n {
		b := s.body(shape.Box{Half: r3.V(0.05, 0.08, 0.2)}, 1+float64(i),
			r3.Pose{Pos: r3.V(0.4*float64(i), 0, 2), Rot: r3.AxisAngle(r3.V(1, 1, 0), 0.3)}, 1)
		at := s.Body(b).Pose().Mul(r3.Pose{Pos: r3.V(0, 0.05, 0.2),
			Rot: r3.AxisAngle(r3.V(0, 1, 1), 0.2*float64(i))})
		parent := at
		if base != (BodyID{}) {
			parent = s.Body(base).Pose().Relative(at)
		}
		joints = append(joints, must[JointID](s)(s.AddJoint(JointDef{
			Type: kind, Parent: base, Child: b, ParentFrame: parent,
			ChildFrame: s.Body(b).Pose().Relative(at),
			Axis:       r3.V(0, 1, 0.3), Axis2: r3.V(1, 0, 0), Pitch: 0.1,
		})))
		base = b
	}
	return joints
}

var kinds = []JointType{Fixed, Revolute, Continuous, Prismatic, Ball, Universal, Screw, Planar}

func TestArticulationsOfEveryJointTypeConserveMomentumAndEnergy(t *testing.T) {
	for _, kind := range kinds {
		s := newScene(t, 0.5, Config{NoSleep: true})
		base := s.body(shape.Box{Half: r3.V(0.2, 0.1, 0.1)}, 3, at(-0.4, 0, 2), 1)
		joints := s.chain(kind, base, 3)
		s.check(s.Articulate(joints))
		s.check(s.Body(base).SetTwist(r3.Twist{Linear: r3.V(0.3, 0.1, -0.2), Angular: r3.V(1, -0.5, 0.7)}))
		s.check(s.Body(s.added[3]).SetTwist(r3.Twist{Linear: r3.V(0.1, 0.5, 0), Angular: r3.V(2, 1, -1)}))
		s.MeasureJoints()
		e0 := s.energy()
		p0, l0 := s.momentum()
		for range 1000 {
			s.stepChecked(0.001, 1)
		}
		p1, l1 := s.momentum()
		if e := s.energy(); math.Abs(e-e0) > 2e-4*e0 || p1.Dist(p0) > 1e-3*p0.Len() ||
			l1.Dist(l0) > 1e-3*l0.Len() {
			t.Errorf("%v: energy %v → %v J, momentum %v → %v, angular %v → %v", kind, e0, e, p0, p1, l0, l1)
		}
		if gap := s.Joint(joints[2]).Gap(); gap > 1e-12 {
			t.Errorf("%v: gap %v m", kind, gap)
		}
	}
}

// momentum is the linear and angular momentum of all bodies about the world's origin.
func (s *scene) momentum() (p, l r3.Vec) {
	for _, b := range s.added {
		m := s.Body(b).Mass()
		tw := s.Body(b).Twist()
		v := s.Body(b).VelocityAt(s.Body(b).COM()).Scale(m.Mass)
		p = p.Add(v)
		spin := m.Inertia.Turned(s.Body(b).Pose().Rot).Apply(tw.Angular)
		l = l.Add(s.Body(b).COM().Cross(v)).Add(spin)
	}
	return p, l
}

func TestArticulationsOfEveryJointTypeFallWithoutGainOfEnergy(t *testing.T) {
	for _, kind := range kinds[1:] {
		s := newScene(t, 0.5, earth())
		joints := s.chain(kind, BodyID{}, 3)
		s.check(s.Articulate(joints))
		low, high, e0 := s.energy(), s.energy(), s.energy()
		for range 1000 {
			s.stepChecked(0.001, 1)
			low, high = min(low, s.energy()), max(high, s.energy())
		}
		if high-low > 2e-3*e0 {
			t.Errorf("%v: energy %v to %v of %v J", kind, low, high, e0)
		}
	}
}

// TestReducedAndMaximalCoordinatesAgree for a short falling chain; the maximal ones take small steps.
func TestReducedAndMaximalCoordinatesAgree(t *testing.T) {
	for _, kind := range kinds[1:] {
		fall := func(reduced bool, dt float64) r3.Vec {
			s := newScene(t, 0.5, earth())
			joints := s.chain(kind, BodyID{}, 2)
			if reduced {
				s.check(s.Articulate(joints))
			}
			s.step(dt, int(math.Round(0.3/dt)))
			return s.Body(s.added[1]).COM()
		}
		if a, b := fall(true, 1.0/240), fall(false, 0.00005); a.Dist(b) > 1e-3 {
			t.Errorf("%v: reduced %v, maximal %v", kind, a, b)
		}
	}
}

func TestArticulateRejectsJointsThatAreNoTree(t *testing.T) {
	s := newScene(t, 0.5, earth())
	j := s.chain(Revolute, BodyID{}, 3)
	ring := must[JointID](t)(s.AddJoint(JointDef{Parent: s.added[2], Child: s.added[0]}))
	twice := must[JointID](t)(s.AddJoint(JointDef{Parent: s.added[0], Child: s.added[2]}))
	fixed := s.ground()
	apart := must[JointID](t)(s.AddJoint(JointDef{Parent: fixed,
		Child: s.body(shape.Sphere{Radius: 0.1}, 1, at(3, 0, 1), 0)}))
	for name, ids := range map[string][]JointID{
		"none": nil, "ring": {j[1], j[2], ring}, "child of two": {j[1], j[2], twice},
		"two bases": {j[0], apart}, "twice": {j[0], j[0]}, "gone": {{}},
	} {
		if err := s.Articulate(ids); !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrGone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s.Joint(j[0]).Reduced() {
		t.Error("a refusal has changed something")
	}
	s.check(s.Articulate(j))
	if err := s.Articulate(j); !errors.Is(err, ErrInvalid) || !s.Joint(j[0]).Reduced() {
		t.Errorf("a second time: %v", err)
	}
}

func TestRemovingAJointReturnsItsArticulationToMaximalCoordinates(t *testing.T) {
	s := newScene(t, 0.5, earth())
	a := s.articulatedArm()
	s.stepChecked(0.004, 50)
	s.check(s.RemoveJoint(a.joints[5]))
	if s.Joint(a.joints[0]).Reduced() {
		t.Error("the rest is still a tree")
	}
	s.stepChecked(0.004, 50)
	s.check(s.RemoveBody(a.links[2]))
	s.stepChecked(0.004, 100)
	if z := s.Body(a.links[5]).Pose().Pos.Z; z > 0.5 {
		t.Errorf("the last link has not fallen: %v", z)
	}
}
