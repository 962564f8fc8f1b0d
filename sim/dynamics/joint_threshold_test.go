package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestBothEndsActAtOnePointUntilTheyPartByAHundredthOfAMetre: beyond, the arm of the parent ends short of the
// child's anchor.
func TestBothEndsActAtOnePointUntilTheyPartByAHundredthOfAMetre(t *testing.T) {
	for apart, together := range map[float64]bool{0.007: true, 0.014: false} {
		for _, along := range []r3.Vec{{X: 1}, {Z: -1}} {
			s := newScene(t, 0, Config{NoSleep: true})
			post := s.fixed(shape.Sphere{Radius: 0.01}, at(0, 0, 1))
			b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0.1, 0, 1), 0)
			s.ball(post, b, r3.V(0, 0, 1))
			s.stepChecked(0.001, 1)
			r := &s.solver.jointConstraints[0]
			child := &s.solver.states[r.b]
			child.deltaPosition = child.deltaPosition.AddScaled(apart, along)
			r.updateGeometry(&s.solver)
			endA := s.solver.masses[r.a].com.Add(s.solver.states[r.a].deltaPosition).Add(r.armA)
			endB := s.solver.masses[r.b].com.Add(child.deltaPosition).Add(r.armB)
			if gap := endB.Sub(endA).Len(); gap < 1e-6 != together {
				t.Errorf("parted by %v m along %v: the ends act %v m apart, want at one point %v", apart, along,
					gap, together)
			}
		}
	}
}

// TestASpeedLimitYieldsByAPartOfWhatAMotorAddsInASubstep: a motor drives a bar far past its limit. A tree
// holds it but for a hundredth. A hinge between bodies passes on its own impulses after the limit.
func TestASpeedLimitYieldsByAPartOfWhatAMotorAddsInASubstep(t *testing.T) {
	for tree, want := range map[bool]float64{true: 0.01, false: 0.04} {
		const limit, effort, inertia = 0.7, 300, 2 * (0.25 + 1.0016/12)
		s, j := fallingBar(t, Continuous, tree, limit)
		s.cfg.Gravity = r3.Vec{}
		s.check(s.Joint(j).SetMotorEffort(effort))
		s.stepChecked(0.001, 200)
		over := s.Joint(j).State().Velocity - limit
		if part := over / (0.001 * effort / inertia); math.Abs(part-want) > 0.3*want {
			t.Errorf("tree %v: %v rad/s over the limit, a part of %v of what a substep adds, want %v", tree, over,
				part, want)
		}
	}
}

// TestADirectionYieldsTwiceAsMuchWhereItsOwnPartIsATenthousandth: less of the whole compliance is more
// regularised than its own, as loops hold it nearly. More is less regularised.
func TestADirectionYieldsTwiceAsMuchWhereItsOwnPartIsATenthousandth(t *testing.T) {
	for part, more := range map[float64]bool{0.3e-4: true, 0.7e-4: true, 1.4e-4: false, 3e-4: false} {
		const whole = 5
		own := part * whole
		k := regularizeMass(r3.Diag(r3.V(0.4*whole, 0.6*whole, own)))
		if got := k.ZZ > 2*own; got != more {
			t.Errorf("a part of %v of the whole: it yields %v times as much, want more than twice %v", part,
				k.ZZ/own, more)
		}
		if k.XX > 0.4*whole*(1+1e-6) || k.YY > 0.6*whole*(1+1e-6) {
			t.Errorf("a part of %v of the whole: free directions yield %v and %v, want %v and %v", part, k.XX, k.YY,
				0.4*whole, 0.6*whole)
		}
	}
}

// TestAContactYieldsAsAThousandMassesOfItsArticulationAtLeast: near a joint's axis a link would resist like
// more. Elsewhere it yields as it does.
func TestAContactYieldsAsAThousandMassesOfItsArticulationAtLeast(t *testing.T) {
	for masses, bounded := range map[float64]bool{0.5: false, 700: false, 1400: true, math.Inf(1): true} {
		const total = 0.25 // 1/kg
		own := total / masses
		r := articulationContactRow{direction: r3.V(0, 0, 1)}
		r.regularize(own, total)
		if got := r.minCompliance > own; got != bounded {
			t.Errorf("a contact like %v masses: its compliance is bounded %v, want %v", masses, got, bounded)
		}
	}
}
