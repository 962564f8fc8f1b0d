package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestABallOnAnArmOfThreeRadiiIsSolvedDirectly: its end yields 45 times as much by turning as by moving. On
// an arm of two radii it yields 20 times as much, and iterations hold it.
func TestABallOnAnArmOfThreeRadiiIsSolvedDirectly(t *testing.T) {
	for arm, islands := range map[float64]int{2: 0, 3: 1} {
		s := newScene(t, 0, earth())
		post := s.fixed(shape.Sphere{Radius: 0.01}, at(0, 0, 1))
		b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0.1*arm, 0, 1), 0)
		s.ball(post, b, r3.V(0, 0, 1))
		s.stepChecked(0.001, 1)
		if got := len(s.solver.directIslands); got != islands {
			t.Errorf("an arm of %v radii: %d direct islands, want %d", arm, got, islands)
		}
	}
}

// TestAHubWithFiftyWeldedPinsIsSolvedJointByJoint: with forty its joints are one system, whose factors fill
// 29,000 numbers. Those of 52 pins would fill 49,000, and each step would wait for them.
func TestAHubWithFiftyWeldedPinsIsSolvedJointByJoint(t *testing.T) {
	for pins, islands := range map[int]int{40: 1, 52: 0} {
		s := newScene(t, 0, Config{NoSleep: true})
		hub := s.body(shape.Sphere{Radius: 0.1}, 10, at(0, 0, 0), 1)
		for i := range pins {
			turn := 2 * math.Pi * float64(i) / float64(pins)
			x, y := math.Cos(turn), math.Sin(turn)
			pin := s.body(shape.Sphere{Radius: 0.01}, 0.01, at(x, y, 0), 1)
			must[JointID](t)(s.AddJoint(JointDef{Type: Fixed, Parent: hub, Child: pin,
				ChildFrame: at(-x, -y, 0)}))
		}
		s.step(0.001, 1)
		if got := len(s.solver.directIslands); got != islands {
			t.Errorf("%d pins: %d direct islands, want %d", pins, got, islands)
		}
	}
}

// TestARingIsOpenFromATwentiethOfItsLevers: a smaller gap closes by bias velocities.
func TestARingIsOpenFromATwentiethOfItsLevers(t *testing.T) {
	for gap, open := range map[float64]bool{0.035: false, 0.07: true} {
		s := &solver{}
		s.directJoints = []int32{0}
		s.jointConstraints = []jointConstraint{{}}
		r := &s.jointConstraints[0]
		r.armA, r.armB = r3.V(0.3, 0, 0), r3.V(0, -0.4, 0)
		r.positionErrorVector = r3.V(0, 0, 0.7*gap)
		if k := (&directIsland{endJoint: 1}); k.isOpen(s) != open {
			t.Errorf("a gap of %v of the levers: open %v, want %v", gap, !open, open)
		}
	}
}

// twoRows is a solver with an island of two rows between a body and the ground. Their directions are at an
// angle, rad.
func twoRows(angle float64) (*solver, *directIsland) {
	s, k := &solver{}, &directIsland{rowEnd: 2}
	for _, along := range []r3.Vec{{X: 1}, {X: math.Cos(angle), Y: math.Sin(angle)}} {
		s.directRows = append(s.directRows, directRow{bodyB: 1, along: along, massB: 1})
		s.directFactor.AddRow(0)
	}
	k.factor(s)
	return s, k
}

// TestARowThatRepeatsAnotherButForRoundingIsLeftOut: two rows at 83 nanoradians hold the same direction as
// far as rounding tells. Those at 118 hold two.
func TestARowThatRepeatsAnotherButForRoundingIsLeftOut(t *testing.T) {
	for part, held := range map[float64]bool{0.7e-14: false, 1.4e-14: true} {
		s, k := twoRows(math.Asin(math.Sqrt(part)))
		x := []float64{0, 1}
		s.directFactor.Solve(k.firstRow, k.rowEnd, x)
		if got := x[1] != 0; got != held {
			t.Errorf("%v of a row is its own: it holds %v, want %v", part, got, held)
		}
	}
}

// turnedRing is a ball of a radius of 0.1 m on two ball joints with a post, at its centre and beside it. A
// step has built the island. Then the ball is turned by an angle about the vertical, rad.
func turnedRing(t *testing.T, beside, angle float64) (s *scene, turn func() float64) {
	s = newScene(t, 0, Config{NoSleep: true, Substeps: 1})
	post := s.fixed(shape.Sphere{Radius: 0.01}, at(0, 0, 0))
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0), 1)
	s.ball(post, b, r3.Vec{})
	s.ball(post, b, r3.V(beside, 0, 0))
	far := s.body(shape.Sphere{Radius: 0.01}, 1e-6, at(0, 0, 0.5), 1) // makes the island a direct one
	s.ball(b, far, r3.Vec{})
	s.step(0.001, 1)
	if len(s.solver.directIslands) != 1 {
		t.Fatalf("%d direct islands, want 1", len(s.solver.directIslands))
	}
	rot := &s.solver.rotations[s.solver.index[b.slot]]
	*rot = r3.AxisAngle(r3.V(0, 0, 1), angle)
	s.solver.masses[s.solver.index[b.slot]].invInertia = s.bodies.massProps[b.slot].invInertia
	for i := range s.solver.jointConstraints {
		s.solver.jointConstraints[i].updateGeometry(&s.solver)
	}
	s.solver.factorDirectIslands()
	return s, func() float64 { return 2 * math.Atan2(rot.Z, rot.W) }
}

// TestOneProjectionTurnsABodyByFourTenthsOfARadianAtMost: the ends of a body
// that turns farther go on arcs.
func TestOneProjectionTurnsABodyByFourTenthsOfARadianAtMost(t *testing.T) {
	for angle, want := range map[float64]float64{0.3: math.Sin(0.3), 0.7: 0.4, 1.5: 0.4} {
		s, turn := turnedRing(t, 0.08, angle)
		s.solver.directIslands[0].project(&s.solver, &s.bodies)
		if back := angle - turn(); math.Abs(back-want) > 0.04*want {
			t.Errorf("turned by %v rad: one projection turns it back by %v rad, want %v", angle, back, want)
		}
	}
}

// TestARingThatIsHardlyHeldIsClosedByAThirdInAProjection: along a direction that is held by a part of 10⁻⁵.
// Half of it would be closed if the rows before yielded nothing. A direction held by a thousandth closes at
// once.
func TestARingThatIsHardlyHeldIsClosedByAThirdInAProjection(t *testing.T) {
	const moment = 0.4 * 0.1 * 0.1 // of a kilogram
	for part, want := range map[float64][2]float64{1e-3: {0.97, 1}, 1e-5: {0.27, 0.4}} {
		const angle = 0.1
		s, turn := turnedRing(t, math.Sqrt(part*moment), angle)
		s.solver.directIslands[0].project(&s.solver, &s.bodies)
		if back := (angle - turn()) / angle; back < want[0] || back > want[1] {
			t.Errorf("held by %v: one projection closes %v of the gap, want %v", part, back, want)
		}
	}
}

// TestASubstepClosesARingThatWasTurnedNearlyRound: by ten projections. A tenth of a microradian from
// round it would take nineteen, and the next substep goes on.
func TestASubstepClosesARingThatWasTurnedNearlyRound(t *testing.T) {
	for angle, closed := range map[float64]bool{3.12: true, math.Pi - 1e-7: false} {
		s, turn := turnedRing(t, 0.08, angle)
		s.solver.projectOpenIslands(&s.bodies)
		if got := turn() < 0.1; got != closed {
			t.Errorf("turned by %v rad: a substep leaves %v rad", angle, turn())
		}
		s.solver.projectOpenIslands(&s.bodies)
		if turn() > 0.1 {
			t.Errorf("turned by %v rad: two substeps leave %v rad", angle, turn())
		}
	}
}

// TestAMotorTurnsAWheelThatIsWeldedToABillionTimesAsMuch: less of the wheel's own compliance is rounding, and
// the motor does not act.
func TestAMotorTurnsAWheelThatIsWeldedToABillionTimesAsMuch(t *testing.T) {
	for part, turns := range map[float64]bool{0.7e-9: false, 1.4e-9: true} {
		s := newScene(t, 0, Config{NoSleep: true})
		post := s.fixed(shape.Sphere{Radius: 0.01}, at(0, 0, 0))
		wheel := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0), 1)
		heavy := s.body(shape.Sphere{Radius: 0.1}, 1/part, at(0, 0, 0), 1)
		j := s.hinge(post, wheel, r3.Vec{}, r3.V(0, 0, 1))
		must[JointID](t)(s.AddJoint(JointDef{Type: Fixed, Parent: wheel, Child: heavy}))
		pin := s.body(shape.Sphere{Radius: 0.01}, 1e-6, at(0, 0, 0.5), 1) // makes the island a direct one
		s.ball(wheel, pin, r3.Vec{})
		s.check(s.Joint(j).SetMotorVelocity(1, 1e9))
		s.stepChecked(0.001, 1)
		if len(s.solver.directIslands) != 1 {
			t.Fatalf("%d direct islands, want 1", len(s.solver.directIslands))
		}
		r := &s.solver.jointConstraints[0]
		if got := r.axisMass > 0; !r.axisResponseValid || got != turns {
			t.Errorf("welded to %v times its moment: an effective moment of %v kg·m², want one %v", 1/part, r.axisMass,
				turns)
		}
	}
}
