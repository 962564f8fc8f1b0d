package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// leg adds thigh, shin and foot under a trunk, with a bent knee; limit is the distance to the knee's limit,
// rad.
func (s *scene) leg(trunk BodyID, hip r3.Pose, limit, effort float64) []JointID {
	knee := hip.Mul(at(0, 0, -0.2))
	low := knee.Mul(r3.Pose{Rot: r3.AxisAngle(r3.V(0, 1, 0), -legBend)})
	thigh := s.body(shape.Capsule{Radius: 0.02, Half: 0.06}, 1, hip.Mul(at(0, 0, -0.1)), 1)
	shin := s.body(shape.Capsule{Radius: 0.01, Half: 0.06}, 0.15, low.Mul(at(0, 0, -0.1)), 1)
	s.geom(shin, shape.Sphere{Radius: 0.022}, at(0, 0, -0.1))
	add := func(parent, child BodyID, frame r3.Pose, upper float64) JointID {
		j := must[JointID](s)(s.AddJoint(JointDef{
			Type: Revolute, Parent: parent, Child: child, ParentFrame: s.Body(parent).Pose().Relative(frame),
			ChildFrame: s.Body(child).Pose().Relative(frame),
			Axis:       r3.V(0, 1, 0), Limited: true, Lower: -2, Upper: upper, MaxEffort: effort,
		}))
		s.check(s.Joint(j).SetMotorPosition(0, 0, 0, 0))
		return j
	}
	return []JointID{add(trunk, thigh, hip, 2), add(thigh, shin, low, limit)}
}

const legBend = 0.8

// legHeight is the height of a hip whose foot is 2 mm above the ground, m.
func legHeight() float64 { return 0.2 + float64(0.2*math.Cos(legBend)) + 0.022 + 0.002 }

// hopper is one leg under a trunk of 10 kg that slides up and down.
func (s *scene) hopper(limit, effort float64) (trunk BodyID, leg []JointID) {
	s.ground()
	h := legHeight()
	trunk = s.body(shape.Box{Half: r3.V(0.25, 0.12, 0.06)}, 10, at(0, 0, h), 1)
	slide := must[JointID](s)(s.AddJoint(JointDef{Type: Prismatic, Child: trunk, ParentFrame: at(0, 0, h),
		Axis: r3.V(0, 0, 1)}))
	leg = s.leg(trunk, at(0, 0, h), limit, effort)
	s.check(s.Articulate(append([]JointID{slide}, leg...)))
	return trunk, leg
}

// fourLegs is a trunk of 10 kg on four legs.
func (s *scene) fourLegs(limit float64) (trunk BodyID, joints []JointID) {
	s.ground()
	h := legHeight()
	trunk = s.body(shape.Box{Half: r3.V(0.25, 0.12, 0.06)}, 10, at(0, 0, h), 1)
	for i := range 4 {
		joints = append(joints, s.leg(trunk, at(0.2*float64(1-2*(i/2)), 0.15*float64(1-2*(i%2)), h), limit,
			40)...)
	}
	s.check(s.Articulate(joints))
	return trunk, joints
}

// TestLegsHeldByMotorsStandStill with knees at their limits, near them and far from them, without sleep.
func TestLegsHeldByMotorsStandStill(t *testing.T) {
	for _, dt := range []float64{0.002, 0.004} {
		for _, limit := range []float64{0, 0.01, 1} {
			for _, legs := range []int{1, 4} {
				s := newScene(t, 0.8, earth())
				var trunk BodyID
				var joints []JointID
				if legs == 1 {
					trunk, joints = s.hopper(limit, 40)
				} else {
					trunk, joints = s.fourLegs(limit)
				}
				s.stepChecked(dt, int(2/dt))
				before, fastest := s.Body(trunk).Pose().Pos, 0.0
				for range int(0.5 / dt) {
					s.stepChecked(dt, 1)
					for _, j := range joints {
						fastest = max(fastest, math.Abs(s.Joint(j).State().Velocity))
					}
				}
				if drift := s.Body(trunk).Pose().Pos.Dist(before); fastest > 1e-8 || drift > 1e-8 {
					t.Errorf(
						"dt %v, %d legs, limit %v rad away: a joint moves at %.2g rad/s, the trunk by %.2g m",
						dt, legs, limit, fastest, drift)
				}
			}
		}
	}
}

// TestAFootFeelsTheWholeMassThatMotorsHold, and motors carry it within the contact's own step.
func TestAFootFeelsTheWholeMassThatMotorsHold(t *testing.T) {
	s := newScene(t, 0.8, earth())
	s.solver.passesOnly = true
	_, leg := s.hopper(0.5, 40)
	s.stepChecked(0.004, 1000)
	const mass = 11.15
	r := &s.solver.articulationContactRows[0]
	if m := 1 / r.speed(&r.deltaA, &r.deltaB); math.Abs(m-mass) > 1e-6 {
		t.Errorf("a foot under %v kg feels %v kg", mass, m)
	}
	if load := s.load(); math.Abs(load-mass*9.81) > 1e-6 {
		t.Errorf("the foot's normal force is %v N, want %v", load, mass*9.81)
	}
	// The motor balances the moments of the ground and of the shin's weight about the knee.
	c := s.Contacts(nil)[0]
	push := c.Normal.Scale(c.Points[0].Force).Add(c.Friction)
	if push.Z < 0 {
		push = push.Neg()
	}
	shin := s.joints.all[leg[1].slot].child
	knee := s.Body(s.bodies.id(shin)).Pose().Apply(r3.V(0, 0, 0.1))
	turn := c.Points[0].Position.Sub(knee).Cross(push).Add(s.bodies.motion[shin].com.Sub(knee).Cross(r3.V(0,
		0,
		-0.15*9.81)))
	if e := s.Joint(leg[1]).State().Effort; math.Abs(e+turn.Y) > 0.01 || math.Abs(e) < 10 {
		t.Errorf("the motor of the knee gives %v N·m, the foot asks for %v", e, -turn.Y)
	}
}

// TestALegTooWeakForItsTrunkSinksAtItsEffortLimit: no motor exceeds its limit meanwhile.
func TestALegTooWeakForItsTrunkSinksAtItsEffortLimit(t *testing.T) {
	for _, c := range []struct {
		effort float64
		stands bool
	}{{20, true}, {12, false}} { // 10 kg and the thigh load a foot 0.143 m in front of the knee: 15.7 N·m
		s := newScene(t, 0, earth())
		trunk, leg := s.hopper(0.5, c.effort)
		from := s.Body(trunk).Pose().Pos.Z
		for range 250 {
			s.stepChecked(0.004, 1)
			for _, j := range leg {
				if e := s.Joint(j).State().Effort; math.Abs(e) > c.effort*(1+1e-12) {
					t.Fatalf("a motor of %v N·m gives %v", c.effort, e)
				}
			}
		}
		if sunk := from - s.Body(trunk).Pose().Pos.Z; (sunk < 0.01) != c.stands {
			t.Errorf("with motors of %v N·m the trunk sinks by %v m", c.effort, sunk)
		}
	}
}
