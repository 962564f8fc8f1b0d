package linalg

import (
	"math"
	"testing"
)

// TestBoxQPLeavesASolutionAndImprovesAnythingElse: a first guess whose gradient is three quarters of the
// tolerance is the solution already, to the last bit. One with one and a half times the tolerance is
// improved. The tolerance is 1e-9 m/s, and a part of 1e-13 where large terms cancel each other.
func TestBoxQPLeavesASolutionAndImprovesAnythingElse(t *testing.T) {
	for _, term := range []float64{1e-3, 1e9} {
		tolerance := 1e-9 + 1e-13*term
		for part, moves := range map[float64]bool{0.75: false, 1.5: true} {
			var b BoxQP
			b.Reset(1)
			b.Hessian[0], b.Linear[0], b.Lower[0], b.Upper[0] = 1, -term, 0, math.Inf(1)
			guess := term + part*tolerance
			b.X[0] = guess
			if !b.Solve() || math.Abs(b.X[0]-term) > tolerance {
				t.Errorf("terms of %v: %v, want %v within %v", term, b.X[0], term, tolerance)
			}
			if moved := b.X[0] != guess; moved != moves {
				t.Errorf("terms of %v, off by %v of the tolerance: moved %v", term, part, moved)
			}
		}
	}
}

// TestAStepThatItsBoundsSpoilEndsAtTheFirst: two coupled unknowns want to move in opposite directions, and a
// bound ends the way of one. The step keeps a part of the gain that the gradient promises. Below a tenth of
// it both end there together. Above, the other goes its whole way.
func TestAStepThatItsBoundsSpoilEndsAtTheFirst(t *testing.T) {
	const coupling = 0.9
	for gain, together := range map[float64]bool{0.07: true, 0.15: false} {
		var b BoxQP
		b.Reset(2)
		copy(b.Hessian, []float64{1, coupling, coupling, 1})
		copy(b.Linear, []float64{coupling - 1, 1 - coupling}) // unbounded, the solution is (1, -1)
		// At (x, -1) the objective is x²/2 - x + 0.4; the gradient times the step is -0.2.
		bound := 1 - math.Sqrt(0.2-0.4*gain)
		copy(b.Lower, []float64{-2, -2})
		copy(b.Upper, []float64{bound, 2})
		clear(b.X)
		b.computeGradient()
		b.solveFree()
		b.takeStep()
		want := -1.0
		if together {
			want = -bound
		}
		if b.X[0] != bound || math.Abs(b.X[1]-want) > 1e-12 {
			t.Errorf("gain %v: the step ends at %v, want %v", gain, b.X, [2]float64{bound, want})
		}
	}
}

// TestBoxQPEndsAtTenStepsPerUnknown: a matrix that is not symmetric makes each step overshoot, so that the
// unknowns double for ever. Their size counts the steps.
func TestBoxQPEndsAtTenStepsPerUnknown(t *testing.T) {
	var b BoxQP
	b.Reset(2)
	// A step takes the lower triangle for both. With -a(a-b)/(1-a²) = 2, errors of the second unknown double.
	const lower, upper = 0.5, 0.5 + 2*(1-0.25)/0.5
	copy(b.Hessian, []float64{1, upper, lower, 1})
	copy(b.Linear, []float64{0, 0})
	copy(b.Lower, []float64{math.Inf(-1), math.Inf(-1)})
	copy(b.Upper, []float64{math.Inf(1), math.Inf(1)})
	copy(b.X, []float64{1, 1})
	solved := b.Solve()
	if steps := math.Log2(math.Abs(b.X[1])); solved || math.Round(steps) != 20 {
		t.Errorf("solved: %v, after some %.1f steps for two unknowns, want 20", solved, steps)
	}
}
