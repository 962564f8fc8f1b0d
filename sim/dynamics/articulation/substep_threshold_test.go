package articulation

import (
	"math"
	"testing"

	"simdeck/sim/r3"
)

// wheel is one link on a hinge through its centre of mass that turns at w, rad/s.
func wheel(w float64) *Articulation {
	art := new(Articulation)
	art.AddLink(-1, Joint{Type: Continuous, RotA: r3.Identity(), RotB: r3.Identity()},
		Body{Mass: 1, Inertia: r3.Diag(r3.V(0.01, 0.01, 0.01))})
	art.dofs[0].v = w
	art.forwardKinematics(0, still())
	art.computeInertia(0)
	return art
}

// satellite is a floating base alone that turns at w, rad/s, about its axis.
func satellite(w float64) *Articulation {
	art := new(Articulation)
	art.AddFloatingBase(Body{Mass: 1, Inertia: r3.Diag(r3.V(0.01, 0.02, 0.03))})
	art.SetFloatingBase(r3.Vec{}, r3.Identity(), r3.Vec{}, r3.V(0, 0, w))
	art.forwardKinematics(0, still())
	art.computeInertia(0)
	art.computeLinkInertias()
	return art
}

// spinningRods are two rods on ball joints that turn about crossed axes, so that bias forces change their
// speeds.
func spinningRods() *Articulation {
	art := new(Articulation)
	rod := Body{Mass: 1, Inertia: r3.Diag(r3.V(0.03, 0.03, 0.001))}
	j := Joint{Type: Ball, AnchorA: r3.V(0, 0, -0.3), AnchorB: r3.V(0, 0, 0.3), RotA: r3.Identity(),
		RotB: r3.Identity()}
	art.AddLink(art.AddLink(-1, j, rod), j, rod)
	for d, v := range []float64{5, 0, 2, -3, 4, 1} {
		art.dofs[d].v = v
	}
	art.forwardKinematics(0, still())
	art.computeLinkInertias()
	return art
}

// TestBiasForcesThatChangeTheEnergyByMoreThanATenthAreNotTaken: where they are not, velocities stay as they
// were, and momenta are carried instead.
func TestBiasForcesThatChangeTheEnergyByMoreThanATenthAreNotTaken(t *testing.T) {
	const h = 0.01
	after := func(energy float64) (has float64, taken, moved bool) {
		art := spinningRods()
		art.computeInertia(h)
		before := art.AppendVelocities(nil)
		art.carried.kineticEnergy = energy
		taken = art.integrateBiasForces(h)
		for d, v := range art.AppendVelocities(nil) {
			moved = moved || math.Abs(v-before[d]) > 1e-12
		}
		has, _ = art.kineticEnergyAndMomentum()
		return has, taken, moved
	}
	has, _, _ := after(math.Inf(1)) // all that it changes is within that
	for off, want := range map[float64]bool{-0.14: false, -0.07: true, 0.07: true, 0.14: false} {
		if _, taken, moved := after(has / (1 + off)); taken != want || moved != want {
			t.Errorf("bias forces change the energy by a part of %v: taken %v, velocities change %v, want %v",
				off, taken, moved, want)
		}
	}
}

// TestTheWholeOfAStiffBodyMayHaveAHundredThousandthTooMuchEnergy: beyond that its spin is slowed to what it
// should have.
func TestTheWholeOfAStiffBodyMayHaveAHundredThousandthTooMuchEnergy(t *testing.T) {
	for excess, slowed := range map[float64]bool{0.7e-5: false, 1.4e-5: true} {
		art := satellite(10)
		has, _ := art.kineticEnergyAndMomentum()
		art.scaleToEnergy((1-excess)*has, maxSpeedGain)
		if got := art.dofs[5].v < 10*(1-0.4*excess); got != slowed {
			t.Errorf("a body with an excess of %v turns at %v rad/s, was at 10", excess, art.dofs[5].v)
		}
	}
}

// TestASubcycleTurnsLinksByATwentiethOfARadianAtMost: in as few parts as that takes, and never more than
// sixteen. A spring may release its energy at any time, and takes all of them.
func TestASubcycleTurnsLinksByATwentiethOfARadianAtMost(t *testing.T) {
	art := wheel(0)
	for _, turn := range []float64{0.01, 0.04, 0.07, 0.12, 0.33, 0.71, 3, 100} {
		n := art.subcycleCount(turn)
		if bounded := n == 16; turn/n > 0.05 && !bounded || n > 1 && turn/(n-1) <= 0.05 || n > 16 {
			t.Errorf("a turn of %v rad takes %v parts", turn, n)
		}
	}
	art.dofs[0].stiffness = 1
	if n := art.subcycleCount(0.01); n != 16 {
		t.Errorf("an articulation with a spring takes %v parts, want 16", n)
	}
}

// TestARobotThatStandsOnTheGroundLosesNothingToConservation: from a turn of a milliradian in a substep on its
// energy and momentum are counted, below it they are not. In free space they always are.
func TestARobotThatStandsOnTheGroundLosesNothingToConservation(t *testing.T) {
	const h = 0.001
	for turn, counted := range map[float64]bool{0: false, 0.7e-3: false, 1.4e-3: true} {
		art := satellite(turn / h)
		if !art.needsConservation(h) {
			t.Errorf("turns by %v rad in free space and is not counted", turn)
		}
		art.MarkContact()
		if got := art.needsConservation(h); got != counted {
			t.Errorf("turns by %v rad in contact: counted %v, want %v", turn, got, counted)
		}
	}
}

// TestAHitMakesLinksFastFromThreeTimesTheTurnOn: what was slow when the substep began carries momenta from
// 0.03 rad in a substep. An articulation that was fast before carries them at any turn.
func TestAHitMakesLinksFastFromThreeTimesTheTurnOn(t *testing.T) {
	const h = 0.001
	for turn, fast := range map[float64]bool{0.02: false, 0.043: true} {
		for _, rule := range []integrator{semiImplicit, carryMomenta} {
			art := wheel(turn / h)
			art.BeginStep(false)
			art.step.untouched, art.step.integrator = false, rule
			art.saveFastMomenta(h)
			if got := art.carried.time != 0; got != (fast || rule == carryMomenta) {
				t.Errorf("turns by %v rad, rule %v: carries momenta %v", turn, rule, got)
			}
		}
	}
}

// TestBiasForcesAreThoseOfTheMiddleFromAMilliradianOn: bias forces of rods that turn less in a substep are
// those of its beginning, to the bit.
func TestBiasForcesAreThoseOfTheMiddleFromAMilliradianOn(t *testing.T) {
	for turn, middle := range map[float64]bool{0.7e-3: false, 1.4e-3: true} {
		art := spinningRods()
		art.computeBias(1, 0, biasTerms{inertial: true})
		h := turn / art.step.maxAngularSpeed
		art.computeInertia(h)
		art.computeBias(h, 0, biasTerms{external: true, inertial: true})
		art.solveVelocityDelta(h)
		first := append([]float64(nil), art.velocityDelta...)
		art.step.integrator = semiImplicit
		art.integrateSmoothForces(h)
		differs := false
		for d, v := range art.velocityDelta {
			differs = differs || v != first[d]
		}
		if differs != middle {
			t.Errorf("turns by %v rad: other bias forces than those of the beginning: %v, want %v", turn, differs,
				middle)
		}
	}
}

// TestARowThatIsMetToRoundingStaysAsItIs: a row whose speed is off by less than 10⁻¹¹ rad/s is left alone, to
// the bit. One that is off by more gets its target.
func TestARowThatIsMetToRoundingStaysAsItIs(t *testing.T) {
	for off, moves := range map[float64]bool{0.7e-11: false, 1.4e-11: true} {
		art := wheel(off)
		row := RowOf(0, 0)
		row.Lower, row.Upper = math.Inf(-1), math.Inf(1)
		art.Rows.Add(&row)
		art.Rows.computeCoupling(&art.inertiaFactor)
		art.SolveRows(false)
		if moved := art.dofs[0].v != off; moved != moves || moves && math.Abs(art.dofs[0].v) > 1e-20 {
			t.Errorf("off by %v rad/s: it turns at %v rad/s afterwards", off, art.dofs[0].v)
		}
	}
}

// looseLoop is a hinge that one row of a loop holds, by a part of what holds the loop together. It is open by
// an angle, rad.
func looseLoop(part, open float64) *Articulation {
	art := wheel(0)
	s := &art.projection
	s.rows, s.coupling, s.factor, s.impulses = 1, []float64{part}, make([]float64, 1), make([]float64, 1)
	s.regularization, s.responses, s.positionError = []float64{1}, []float64{part}, []float64{open}
	return art
}

// TestALoopThatIsHardlyHeldIsDrawnHalfWayTogether: one projection closes a loop along a direction in which it
// is held by a thousandth. It half closes it at a hundred-thousandth. It leaves it at what rounding holds.
func TestALoopThatIsHardlyHeldIsDrawnHalfWayTogether(t *testing.T) {
	for part, want := range map[float64][2]float64{1e-3: {0.98, 1}, 1e-5: {0.4, 0.6}, 1e-9: {0, 0.001}} {
		art := looseLoop(part, 0.01)
		art.projection.projectPositions(&art.Tree)
		if closed := -art.dofs[0].q / 0.01; closed < want[0] || closed > want[1] {
			t.Errorf("held by %v: one projection closes %v of it, want %v", part, closed, want)
		}
	}
}

// TestAProjectionTurnsLinksByATenthOfARadianAtMost: a loop that is open by less closes at once.
func TestAProjectionTurnsLinksByATenthOfARadianAtMost(t *testing.T) {
	for open, want := range map[float64]float64{0.07: 0.07, 0.14: 0.1, 1: 0.1} {
		art := looseLoop(1, open)
		art.projection.projectPositions(&art.Tree)
		if turn := -art.dofs[0].q; math.Abs(turn-want) > 1e-3*want {
			t.Errorf("open by %v rad: one projection turns the link by %v rad, want %v", open, turn, want)
		}
	}
}

// TestALoopIsClosedWhileItsEndsPartByATenthOfWhatMovesThem: at most. Beyond that it was hit.
func TestALoopIsClosedWhileItsEndsPartByATenthOfWhatMovesThem(t *testing.T) {
	for part, closed := range map[float64]bool{0: true, 0.07: true, 0.14: false} {
		art := spinningRods()
		row := Row{j: -1, k: -1, dense: art.Rows.newDense(len(art.dofs))}
		x := row.coefficients(&art.Rows, len(art.dofs))
		clear(x)
		x[0], x[3] = 1, -1
		for d := range art.dofs {
			art.dofs[d].vBefore = 0
		}
		art.dofs[0].vBefore, art.dofs[3].vBefore = 1+part, 1-part
		art.Rows.list = append(art.Rows.list, row)
		if got := art.closedWithin(0, 1, 0); got != closed {
			t.Errorf("its ends part by %v of what moves them: closed %v, want %v", part, got, closed)
		}
	}
}

// TestALoopThatIsHardlyHeldIsStoppedHalfWay: one projection removes the speed at which a loop parts along a
// direction in which it is held by a millionth. It removes half of it at a billionth, or at 10⁻¹³ of what
// free bodies of the loop yield. It leaves what only rounding holds.
func TestALoopThatIsHardlyHeldIsStoppedHalfWay(t *testing.T) {
	for _, c := range []struct{ own, free, held, low, high float64 }{
		{1, 0, 1e-6, 0.99, 1}, {1, 0, 1e-9, 0.4, 0.6}, {1, 0, 1e-14, 0, 0.001},
		{0, 1, 1e-10, 0.99, 1}, {0, 1, 1e-13, 0.4, 0.6}, {0, 1, 1e-17, 0, 0.001},
	} {
		art := looseLoop(c.held, 0)
		s := &art.projection
		if c.free > 0 {
			s.regularizeTogether(0, 1, c.free)
		}
		s.velocityError, art.dofs[0].v = []float64{0.01}, 0.01
		s.projectVelocities(&art.Tree)
		if stopped := 1 - art.dofs[0].v/0.01; stopped < c.low || stopped > c.high {
			t.Errorf("held by %v of %v, or of %v of free bodies: %v of its speed is removed", c.held, c.own,
				c.free, stopped)
		}
	}
}
