package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestBoxQPSatisfiesItsOptimalityConditions solves random problems of condition up to a million, of which
// some rows repeat others, from any first guess, and checks the Karush–Kuhn–Tucker conditions.
func TestBoxQPSatisfiesItsOptimalityConditions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var b BoxQP
	for range 300 {
		n := 1 + r.IntN(40)
		b.Reset(n)
		rank := 1 + r.IntN(n)
		j := make([]float64, n*rank)
		for i := range j {
			j[i] = r.NormFloat64() * math.Pow(10, float64(i%rank%4))
		}
		for i := range n {
			for k := range n {
				b.Hessian[i*n+k] = Dot(j[i*rank:(i+1)*rank], j[k*rank:(k+1)*rank])
			}
			b.Hessian[i*n+i] += 0.01
			b.Linear[i], b.X[i] = r.NormFloat64(), 3*r.NormFloat64()
			b.Lower[i], b.Upper[i] = 0, 1e200
			if r.IntN(3) == 0 {
				b.SetSymmetricBound(i, r.Float64())
			}
		}
		if !b.Solve() {
			t.Errorf("%d unknowns of rank %d: not solved", n, rank)
			continue
		}
		if err := b.wrong(); err != nil {
			t.Errorf("%d unknowns of rank %d: %v", n, rank, err)
		}
	}
}

// wrong returns the first optimality condition that X violates.
func (b *BoxQP) wrong() error {
	for i := range b.N {
		x, v := b.X[i], b.Linear[i]+Dot(b.Hessian[i*b.N:(i+1)*b.N], b.X)
		slack := 1e-6
		switch {
		case x < b.Lower[i] || x > b.Upper[i]:
			return fmt.Errorf("unknown %d is %v, not within %v to %v", i, x, b.Lower[i], b.Upper[i])
		case x > b.Lower[i] && v > slack || x < b.Upper[i] && v < -slack:
			return fmt.Errorf("unknown %d is %v within %v to %v, with gradient %v", i, x, b.Lower[i],
				b.Upper[i], v)
		}
	}
	return nil
}

// TestBoxQPFindsTheBestOfAllActiveSets tries each unknown of small problems free, at its lower and at its
// upper bound.
func TestBoxQPFindsTheBestOfAllActiveSets(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var b BoxQP
	for range 200 {
		n := 1 + r.IntN(5)
		b.Reset(n)
		copy(b.Hessian, gram(r, n, n, 1, 0.1))
		for i := range n {
			b.Linear[i], b.X[i], b.Lower[i], b.Upper[i] = 3*r.NormFloat64(), r.NormFloat64(), -r.Float64(),
				r.Float64()
		}
		best := b.bestActiveSet()
		if !b.Solve() {
			t.Fatalf("%d unknowns: not solved", n)
		}
		if got := b.objective(b.X); math.Abs(got-best) > 1e-9*(1+math.Abs(best)) {
			t.Fatalf("%d unknowns: objective %v, the best active set has %v", n, got, best)
		}
	}
}

func (b *BoxQP) objective(x []float64) (sum float64) {
	for i := range x {
		sum += x[i] * (b.Linear[i] + 0.5*Dot(b.Hessian[i*b.N:(i+1)*b.N], x))
	}
	return sum
}

// bestActiveSet returns the least objective of all 3ᴺ active sets whose solution is within the bounds.
func (b *BoxQP) bestActiveSet() float64 {
	n, best := b.N, math.Inf(1)
	a, q, x := make([]float64, n*n), make([]float64, n), []float64(nil)
	for set := range int(math.Pow(3, float64(n))) {
		for i, s := 0, set; i < n; i, s = i+1, s/3 {
			clear(a[i*n : (i+1)*n])
			switch s % 3 {
			case 0:
				copy(a[i*n:], b.Hessian[i*n:(i+1)*n])
				q[i] = -b.Linear[i]
			case 1:
				a[i*n+i], q[i] = 1, b.Lower[i]
			case 2:
				a[i*n+i], q[i] = 1, b.Upper[i]
			}
		}
		x = eliminate(a, q)
		feasible := true
		for i := range x {
			feasible = feasible && x[i] >= b.Lower[i]-1e-12 && x[i] <= b.Upper[i]+1e-12
		}
		if feasible {
			best = min(best, b.objective(x))
		}
	}
	return best
}

func TestASymmetricBoundChangesByMoreThanAFiftieth(t *testing.T) {
	var b BoxQP
	b.Reset(1)
	b.SetSymmetricBound(0, 1)
	for _, c := range []struct {
		limit float64
		want  bool
	}{{1.01, false}, {0.98, true}, {0.99, false}, {1.5, true}} {
		if got := b.SetSymmetricBound(0, c.limit); got != c.want || b.Lower[0] != -c.limit ||
			b.Upper[0] != c.limit {
			t.Errorf("to %v: changed %v, want %v; within %v and %v", c.limit, got, c.want, b.Lower[0],
				b.Upper[0])
		}
	}
}

// TestBoxQPEndsThoughItDoesNotConverge: a matrix that is not symmetric makes each step overshoot, so that the
// unknowns double for ever. Their size counts the steps.
func TestBoxQPEndsThoughItDoesNotConverge(t *testing.T) {
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
	if steps := math.Log2(math.Abs(b.X[1])); solved || math.Round(steps) > 20 {
		t.Errorf("solved: %v, after some %.1f steps for two unknowns, want at most 20", solved, steps)
	}
}
