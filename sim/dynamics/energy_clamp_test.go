package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestTheEnergyClampScalesImpulsesToTheEnergyBudget: the fraction is 1 where the impulses cost energy, else
// the largest one that does not raise the energy. Where none meets the budget, it is the minimizer.
func TestTheEnergyClampScalesImpulsesToTheEnergyBudget(t *testing.T) {
	for _, c := range []struct {
		name string
		give energyClamp
		want float64
	}{
		{"impulses that stop", energyClamp{kineticBefore: 2, constant: 2, linear: -4, quadratic: 2}, 1},
		{"impulses that throw back as fast as it came",
			energyClamp{kineticBefore: 2, constant: 2, linear: -8, quadratic: 8}, 1},
		{"impulses that throw back faster",
			energyClamp{kineticBefore: 2, constant: 2, linear: -8, quadratic: 16}, 0.5},
		{"impulses that throw back faster, by a spring",
			energyClamp{kineticBefore: 2, workDone: 8, constant: 2, linear: -8, quadratic: 16}, 1},
		{"impulses that push what already leaves",
			energyClamp{kineticBefore: 2, constant: 2, linear: 4, quadratic: 2}, 0},
		{"a rod that has turned to where the same momentum is more energy",
			energyClamp{kineticBefore: 1, constant: 2, linear: -1, quadratic: 1}, 0.5},
	} {
		got := c.give
		got.fraction = 1
		got.computeFraction()
		if math.Abs(got.fraction-c.want) > 1e-9 {
			t.Errorf("%s: keeps %v of them, want %v", c.name, got.fraction, c.want)
		}
	}
}

// TestJointErrorsDecayAlikeNearAndFar: a joint error of 5 cm decays below 0.1 mm in 0.1 s, however far the
// joint is from the centers of mass.
func TestJointErrorsDecayAlikeNearAndFar(t *testing.T) {
	for _, kind := range []JointType{Planar, Prismatic} {
		for _, out := range []float64{0, 1, 40} {
			s := newScene(t, 0, Config{})
			a := s.body(shape.BoxOf(r3.V(1, 1, 1)), 100, at(0, 0, 0), 0)
			along := r3.V(1, 0, 0)
			if kind == Planar {
				along = r3.V(0, 0, 1)
			}
			b := s.body(shape.BoxOf(r3.V(1, 1, 1)), 100, at(out, 0, 0.05), 0)
			j := must[JointID](s)(s.AddJoint(JointDef{Type: kind, Parent: a, Child: b, Axis: along}))
			for range 50 {
				s.stepChecked(0.002, 1)
			}
			if gap := s.Joint(j).Gap(); gap > 1e-4 {
				t.Errorf("%v, %v m out: of 5 cm are %v m left", kind, out, gap)
			}
		}
	}
}

// TestAFastRodStaysOnItsBallJoint: a rod of 1 g on a lever of 0.3 m turns at 300 rad/s, a tenth of a turn per
// substep. Its joint separates by less than 1 cm.
func TestAFastRodStaysOnItsBallJoint(t *testing.T) {
	s := newScene(t, 0, Config{})
	hub := s.body(shape.Sphere{Radius: 0.1}, 50, at(0, 0, 0), 0)
	rod := s.body(shape.BoxOf(r3.V(0.02, 0.002, 0.002)), 0.001, at(0.3, 0, 0), 0)
	j := must[JointID](s)(s.AddJoint(JointDef{Type: Ball, Parent: hub, Child: rod,
		ChildFrame: at(-0.3, 0, 0)}))
	s.check(s.Body(rod).SetTwist(r3.Twist{Linear: r3.V(0, 90, 0), Angular: r3.V(0, 0, 300)}))
	gap := 0.0
	for range 500 {
		s.stepChecked(0.004, 1)
		gap = max(gap, s.Joint(j).Gap())
	}
	if gap > 0.01 {
		t.Errorf("a rod on an arm of 0.3 m leaves its joint by %v m", gap)
	}
}

// TestTheEnergyClampLetsRoundingPass: impulses that add a part of 10⁻¹⁰ of the energy stay whole.
func TestTheEnergyClampLetsRoundingPass(t *testing.T) {
	for more, whole := range map[float64]bool{0: true, 0.7e-10: true, 1.4e-10: false} {
		c := energyClamp{kineticBefore: 4, quadratic: 4 * (1 + more), fraction: 1}
		c.computeFraction()
		if got := c.fraction == 1; got != whole || c.fraction < 1-1e-9 {
			t.Errorf("a part of %v more than the budget: keeps %v of the impulses", more, c.fraction)
		}
	}
}

// TestTheEnergyClampMakesEightPassesAtMost: a body with too much energy is held at two points, and each pass
// takes a part of it. A budget that six passes meet leaves it as they do. One that takes twelve is met by
// scaling all impulses.
func TestTheEnergyClampMakesEightPassesAtMost(t *testing.T) {
	after := func(passes int, budget float64) (energyClamp, r3.Twist) {
		w := newScene(t, 0.5, Config{NoSleep: true})
		b := w.body(shape.BoxOf(r3.V(1, 1, 1)), 1, at(0, 0, 0), 0)
		for _, x := range []float64{-0.1, 0.1} {
			must[JointID](t)(w.AddJoint(JointDef{Type: Ball, Child: b, ParentFrame: at(x, 0.1, 0),
				ChildFrame: at(x, 0.1, 0)}))
		}
		w.stepChecked(0.001, 1)
		s, i := &w.solver, w.solver.index[b.slot]
		s.states[i].v, s.states[i].w = r3.V(1, 2, 3), r3.V(2, -1, 3)
		c := energyClamps{clampOf: make([]int32, len(s.states)), clamps: make([]energyClamp, len(s.states)),
			clampedBodies: []clampedBody{{bodyIndex: i}}}
		for k := range c.clampOf {
			c.clampOf[k], c.clamps[k].fraction = -1, 1
		}
		c.clampOf[i] = i
		for range passes {
			c.clamps[i].fraction = 0
			c.iterate(s)
		}
		if passes == 0 {
			c.clamps[i] = energyClamp{kineticBefore: budget, fraction: 1}
			c.apply(s)
		}
		c.clamps[i].kineticBefore = s.kineticEnergyOf(i)
		return c.clamps[i], r3.Twist{Linear: s.states[i].v, Angular: s.states[i].w}
	}
	for passes, same := range map[int]bool{1: true, 6: true, 12: false} {
		manual, want := after(passes, 0)
		_, got := after(0, manual.kineticBefore)
		if (got == want) != same {
			t.Errorf("a budget that takes %d passes: moves with %v, after these passes with %v", passes, got, want)
		}
	}
}
