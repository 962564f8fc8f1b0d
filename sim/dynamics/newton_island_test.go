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

func TestAnIslandIsLeftToPassesWhereItIsNotRobotsOnTheGroundOrFast(t *testing.T) {
	for _, c := range []struct {
		what     string
		root     newtonRoot
		substeps int
		want     bool
	}{
		{"a robot, eight substeps", newtonRoot{articulated: true, grounded: true, links: 2}, 8, true},
		{"a robot, nine substeps", newtonRoot{articulated: true, grounded: true, links: 2}, 9, false},
		{"a robot in the air", newtonRoot{articulated: true, links: 2}, 1, false},
		{"boxes", newtonRoot{grounded: true, freeBodies: 2}, 1, false},
		{"a robot under four boxes", newtonRoot{articulated: true, grounded: true, links: 2, freeBodies: 4},
			1, true},
		{"a robot under five boxes", newtonRoot{articulated: true, grounded: true, links: 2, freeBodies: 5},
			1, false},
		{"a robot with a loop", newtonRoot{articulated: true, grounded: true, links: 2, refused: true}, 1,
			false},
	} {
		if c.root.solvable(c.substeps) != c.want {
			t.Errorf("%s: solved by Newton's method: %v, want %v", c.what, !c.want, c.want)
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

// TestAnImpactIsSolvedAgainWithTheBiasForcesAfterIt where it changes turns by 10 mrad in a substep. Where
// these forces would add more than a hundredth of the energy, the substep is halved.
func TestAnImpactIsSolvedAgainWithTheBiasForcesAfterIt(t *testing.T) {
	for _, c := range []struct {
		spin   float64
		solves int
	}{{1.95, 1}, {3.05, 2}, {4.77, 2}, {5.3, 4}} {
		s := flail(t, c.spin)
		s.step(0.004, 1)
		if n := s.solver.newtonIslands[0].solves; n != c.solves {
			t.Errorf("%v rad/s: %d solves, want %d", c.spin, n, c.solves)
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
