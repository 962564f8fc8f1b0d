package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

func TestAnIslandTakesTheFewestSubstepsInWhichNothingMovesFar(t *testing.T) {
	for _, c := range []struct {
		what        string
		spin, speed float64
		dt          float64
		want        int
	}{
		{"at rest, 5 ms", 0, 0, 0.005, 1},
		{"at rest, 6 ms", 0, 0, 0.006, 2},
		{"turns by 0.045 rad", 9, 0, 0.005, 1},
		{"turns by 0.055 rad", 11, 0, 0.005, 2},
		{"moves by 9 mm", 0, 1.8, 0.005, 1},
		{"moves by 11 mm", 0, 2.2, 0.005, 2},
		{"turns by 0.055 rad and moves by 21 mm", 11, 4.2, 0.005, 3},
	} {
		r := newtonRoot{spin: c.spin, speed: c.speed}
		if n := r.substeps(c.dt); n != c.want {
			t.Errorf("%s: %d substeps, want %d", c.what, n, c.want)
		}
	}
}

func TestAnIslandIsLeftToPassesWhereNoRobotTouchesOrItIsFast(t *testing.T) {
	for _, c := range []struct {
		what     string
		root     newtonRoot
		substeps int
		want     bool
	}{
		{"a robot, eight substeps", newtonRoot{articulated: true, touches: true, parts: 1}, 8, true},
		{"a robot, nine substeps", newtonRoot{articulated: true, touches: true, parts: 1}, 9, false},
		{"a robot in the air", newtonRoot{articulated: true, parts: 1}, 1, false},
		{"boxes", newtonRoot{touches: true, parts: 2, pairs: 1}, 1, false},
		{"a robot in a heap of 32", newtonRoot{articulated: true, touches: true, parts: 32, pairs: 496}, 1,
			true},
		{"a robot in a heap of 33", newtonRoot{articulated: true, touches: true, parts: 33, pairs: 528}, 1,
			false},
		{"500 in 7 cycles", newtonRoot{articulated: true, touches: true, parts: 500, pairs: 506}, 1, true},
		{"500 in 8 cycles", newtonRoot{articulated: true, touches: true, parts: 500, pairs: 507}, 1, false},
		{"a robot with a loop", newtonRoot{articulated: true, touches: true, parts: 1, refused: true}, 1,
			false},
	} {
		if c.root.solvable(c.substeps) != c.want {
			t.Errorf("%s: solved by Newton's method: %v, want %v", c.what, !c.want, c.want)
		}
	}
}

// TestRobotsThatTouchEachOtherInTheAirAreAnIslandThatFloats: a robot that touches itself is left to passes,
// and arms that hang on something do not float.
func TestRobotsThatTouchEachOtherInTheAirAreAnIslandThatFloats(t *testing.T) {
	for name, c := range map[string]struct {
		apart           float64 // m, of the second robot
		hang            bool
		islands, floats int
	}{"one that touches itself": {5, false, 0, 0}, "two that touch": {0.05, false, 1, 1},
		"two arms that touch": {0.05, true, 1, 0}} {
		s := newScene(t, 0.6, Config{})
		for i := range 2 {
			from := at(float64(i)*c.apart, 0, 1)
			post := BodyID{}
			if !c.hang {
				post = s.body(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), 1, from, 0)
			}
			arm := s.body(shape.BoxOf(r3.V(0.3, 0.04, 0.04)), 0.3, from.Mul(at(0.1, 0, 0)), 0)
			hinge := JointDef{Type: Revolute, Parent: post, Child: arm, ParentFrame: at(0, 0, 0),
				ChildFrame: at(-0.1, 0, 0), Axis: r3.V(0, 1, 0), Collide: true}
			if c.hang {
				hinge.ParentFrame = from
			}
			s.check(s.Articulate([]JointID{must[JointID](s)(s.AddJoint(hinge))}))
		}
		s.step(0.004, 1)
		floats := 0
		for i := range s.solver.newtonIslands {
			if s.solver.newtonIslands[i].floats {
				floats++
			}
		}
		if n := len(s.solver.newtonIslands); n != c.islands || floats != c.floats {
			t.Errorf("%s: %d islands, of which %d float; want %d and %d", name, n, floats, c.islands, c.floats)
		}
	}
}

// flail is a body in the air with a rod that hangs from it and swings onto the ground, at an angular
// velocity.
func flail(t testing.TB, spin float64) *scene {
	s := newScene(t, 0.6, Config{})
	s.ground()
	upright := r3.AxisAngle(r3.V(0, 1, 0), math.Pi/2)
	body := s.body(shape.BoxOf(r3.V(0.2, 0.1, 0.1)), 1, at(0, 0, 0.3), 1)
	rod := s.body(shape.BoxOf(r3.V(0.3, 0.04, 0.04)), 0.3, r3.Pose{Pos: r3.V(0.1, 0, 0.15), Rot: upright}, 1)
	s.check(s.Articulate([]JointID{must[JointID](s)(s.AddJoint(JointDef{Type: Revolute, Parent: body,
		Child:       rod,
		ParentFrame: r3.Pose{Pos: r3.V(0.1, 0, 0), Rot: upright}, ChildFrame: at(-0.15, 0, 0),
		Axis: r3.V(0, 1, 0)}))}))
	s.check(s.Body(rod).SetTwist(r3.Twist{Linear: r3.V(-0.15*spin, 0, -0.3), Angular: r3.V(0, spin, 0)}))
	s.check(s.Body(body).SetTwist(r3.Twist{Linear: r3.V(0, 0, -0.3)}))
	return s
}

// TestASubstepWithAWrongEnergyIsSolvedAgain without bias forces. Their error is more than 1e-4 of the energy
// then, at an impact on a robot that turns so fast.
func TestASubstepWithAWrongEnergyIsSolvedAgain(t *testing.T) {
	for _, c := range []struct {
		turn   float64 // rad/s
		solves int
	}{{2.95, 2}, {3.1, 1}, {5.25, 1}, {5.4, 2}} {
		s := flail(t, 0)
		for _, b := range s.added {
			twist := s.Body(b).Twist()
			twist.Angular.Z += c.turn
			s.check(s.Body(b).SetTwist(twist))
		}
		s.step(0.004, 1)
		if n := s.solver.newtonIslands[0].solves; n != c.solves {
			t.Errorf("%v rad/s: %d solves, want %d", c.turn, n, c.solves)
		}
	}
}

// TestAnOverlapOfARobotIsWorkedOffByATenthInASubstep of 5 ms, and no faster than 5 cm/s stays.
func TestAnOverlapOfARobotIsWorkedOffByATenthInASubstep(t *testing.T) {
	for _, c := range []struct{ depth, rise, speed float64 }{{0.002, 0.0002, 0.04}, {0.01, 0.001, 0.05}} {
		s := robotsApart(t, 1)
		s.check(s.SetGravity(r3.Vec{}))
		for _, b := range s.added {
			p := s.Body(b).Pose()
			p.Pos.Z = 0.05 - c.depth
			s.check(s.Body(b).SetPose(p))
			s.check(s.Body(b).SetTwist(r3.Twist{}))
		}
		from := s.Body(s.added[0]).Pose().Pos.Z
		s.step(0.005, 1)
		rise, speed := s.Body(s.added[0]).Pose().Pos.Z-from, s.Body(s.added[0]).Twist().Linear.Z
		if math.Abs(rise-c.rise) > 0.1*c.rise || math.Abs(speed-c.speed) > 0.1*c.speed {
			t.Errorf("%v m deep: rises by %v m and goes on at %v m/s, want %v and %v", c.depth, rise, speed,
				c.rise, c.speed)
		}
	}
}

// turntable is a plate on the ground with a light rod that turns above it, up to a stop.
func turntable(t testing.TB, gravity float64) (s *scene, plate, rod BodyID) {
	s = newScene(t, 0.6, Config{Gravity: r3.V(0, 0, -gravity)})
	s.ground()
	plate = s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.002)), 1, at(0, 0, 0.001), 1)
	rod = s.body(shape.BoxOf(r3.V(0.3, 0.04, 0.001)), 1e-4, at(0.15, 0, 0.01), 1)
	s.check(s.Articulate([]JointID{must[JointID](s)(s.AddJoint(JointDef{Type: Revolute, Parent: plate,
		Child:   rod,
		Limited: true, Lower: -1, Upper: 0, ParentFrame: at(0, 0, 0.009), ChildFrame: at(-0.15, 0, 0),
		Axis: r3.V(0, 0, 1)}))}))
	s.step(0.001, 1)
	return s, plate, rod
}

// TestWhatIsLeftOfAnImpactIsItsCompliance: of the speed along a row, as a part of the effective mass.
func TestWhatIsLeftOfAnImpactIsItsCompliance(t *testing.T) {
	left := func(what string, part, want float64) {
		if part < 0.7*want || part > 1.6*want {
			t.Errorf("%s: %.3g of the speed is left, want some %v", what, part, want)
		}
	}
	s, plate, rod := turntable(t, 0)
	for _, b := range []BodyID{plate, rod} {
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(0.1, 0, -1)}))
	}
	s.step(0.001, 1)
	v := s.Body(plate).Twist().Linear
	left("along the normal", -v.Z, 1e-3)
	left("along the ground", v.X/0.1, 1e-4)
	s, plate, rod = turntable(t, 9.81)
	s.check(s.Body(rod).SetTwist(r3.Twist{Linear: r3.V(0, 0.15, 0), Angular: r3.V(0, 0, 1)}))
	s.step(0.001, 1)
	left("about a joint", s.Body(rod).Twist().Angular.Z-s.Body(plate).Twist().Angular.Z, 1e-7)
}

// solvedByNewton fails where the last step solved no island by Newton's method.
func solvedByNewton(t *testing.T, s *scene) {
	t.Helper()
	if len(s.solver.newtonIslands) == 0 {
		t.Error("passes solved it")
	}
}

func TestARobotBouncesOffTheGroundWithItsRestitution(t *testing.T) {
	for _, e := range []float64{0.3, 0.8} {
		s := robotsApart(t, 1)
		s.check(s.SetGravity(r3.Vec{}))
		for _, b := range s.added {
			p := s.Body(b).Pose()
			p.Pos.Z += 0.001
			s.check(s.Body(b).SetPose(p))
			s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(0, 0, -1)}))
			for _, g := range s.World.bodies.all[b.slot].geoms {
				s.geoms.all[g].material.Restitution, s.geoms.surfaces[g].special = e, true
			}
		}
		before := s.kinetic()
		s.step(0.004, 1)
		solvedByNewton(t, s)
		if v := s.Body(s.added[0]).Twist().Linear.Z; math.Abs(v-e) > 0.02*e {
			t.Errorf("restitution %v: the body parts at %v m/s after 1 m/s", e, v)
		}
		if after := s.kinetic(); after > before {
			t.Errorf("restitution %v: %v J became %v J", e, before, after)
		}
	}
}

// TestARobotThatIsPushedSlipsInProportion to the force on each point of contact (SDF's slip).
func TestARobotThatIsPushedSlipsInProportion(t *testing.T) {
	s := robotsApart(t, 1)
	const slip, force = 0.05, 4.0
	for _, b := range s.added {
		s.check(s.Body(b).SetTwist(r3.Twist{}))
		for _, g := range s.World.bodies.all[b.slot].geoms {
			m := &s.geoms.all[g].material
			m.Slip, m.Slip2, s.geoms.surfaces[g].special = slip, slip, true
		}
	}
	for range 500 {
		s.check(s.Body(s.added[0]).ApplyWrench(r3.V(0, force, 0), r3.Vec{}, r3.Vec{}))
		s.step(0.004, 1)
	}
	solvedByNewton(t, s)
	if v := s.Body(s.added[0]).Twist().Linear.Y; v < 0.2*slip*force || v > 1.01*slip*force {
		t.Errorf("%v N drive it at %v m/s, want up to %v", force, v, slip*force)
	}
}

func TestARobotRidesOnAKinematicPlate(t *testing.T) {
	s := newScene(t, 0.6, earth())
	plate := must[BodyID](s)(s.AddBody(BodyDef{Type: Kinematic, Pose: at(0, 0, -0.05)}))
	s.geom(plate, shape.BoxOf(r3.V(4, 4, 0.1)), r3.Pose{})
	s.check(s.Body(plate).SetTwist(r3.Twist{Linear: r3.V(0.3, 0, 0.1)}))
	body := s.body(shape.BoxOf(r3.V(0.2, 0.1, 0.1)), 1, at(0, 0, 0.05), 1)
	arm := s.body(shape.BoxOf(r3.V(0.3, 0.04, 0.04)), 0.3, at(0.25, 0, 0.05), 1)
	s.check(s.Articulate([]JointID{must[JointID](s)(s.AddJoint(JointDef{Type: Revolute, Parent: body,
		Child: arm, ParentFrame: at(0.1, 0, 0), ChildFrame: at(-0.15, 0, 0), Axis: r3.V(0, 1, 0)}))}))
	s.step(0.004, 500)
	solvedByNewton(t, s)
	v := s.Body(body).Twist().Linear
	if v.Dist(r3.V(0.3, 0, 0.1)) > 1e-3 {
		t.Errorf("it moves at %v, and the plate at (0.3, 0, 0.1)", v)
	}
}
