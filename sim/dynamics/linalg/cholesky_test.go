package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// gram returns J·Jᵀ + ridge·1 for a random n×rank J whose columns differ by up to spread decades; with a
// ridge, positive definite.
func gram(r *rand.Rand, n, rank int, spread, ridge float64) []float64 {
	j := make([]float64, n*rank)
	for i := range j {
		j[i] = r.NormFloat64() * math.Pow(10, spread*float64(i%rank)/float64(rank))
	}
	a := make([]float64, n*n)
	for i := range n {
		for k := range n {
			a[i*n+k] = Dot(j[i*rank:(i+1)*rank], j[k*rank:(k+1)*rank])
		}
		a[i*n+i] += ridge
	}
	return a
}

func random(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// eliminate solves a·x = b by Gaussian elimination with partial pivoting: the oracle.
func eliminate(a, b []float64) []float64 {
	n := len(b)
	a, x := append([]float64(nil), a...), append([]float64(nil), b...)
	for c := range n {
		p := c
		for r := c; r < n; r++ {
			if math.Abs(a[r*n+c]) > math.Abs(a[p*n+c]) {
				p = r
			}
		}
		for k := range n {
			a[c*n+k], a[p*n+k] = a[p*n+k], a[c*n+k]
		}
		x[c], x[p] = x[p], x[c]
		for r := c + 1; r < n; r++ {
			f := a[r*n+c] / a[c*n+c]
			for k := c; k < n; k++ {
				a[r*n+k] -= f * a[c*n+k]
			}
			x[r] -= f * x[c]
		}
	}
	for r := n - 1; r >= 0; r-- {
		for k := r + 1; k < n; k++ {
			x[r] -= a[r*n+k] * x[k]
		}
		x[r] /= a[r*n+r]
	}
	return x
}

// largestDifference returns the largest |a - b| over the largest |b|.
func largestDifference(a, b []float64) float64 {
	worst, size := 0.0, 0.0
	for i := range a {
		worst, size = max(worst, math.Abs(a[i]-b[i])), max(size, math.Abs(b[i]))
	}
	return worst / size
}

func TestCholeskySolvesWhatEliminationSolves(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		n := 1 + r.IntN(30)
		a, b := gram(r, n, n, 1, 1), random(r, n)
		want := eliminate(a, b)
		FactorCholesky(a, n, nil)
		SolveCholesky(a, n, b)
		if d := largestDifference(b, want); d > 1e-10 {
			t.Fatalf("%d unknowns: differs from elimination by a part of %v", n, d)
		}
	}
}

func TestTheLateDiagonalIsPartOfTheMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		n := 1 + r.IntN(20)
		a, b, late := gram(r, n, n, 1, 1), random(r, n), random(r, n)
		whole := append([]float64(nil), a...)
		for i := range late {
			late[i] = math.Abs(late[i])
			whole[i*n+i] += late[i]
		}
		want := eliminate(whole, b)
		FactorCholesky(a, n, late)
		SolveCholesky(a, n, b)
		if d := largestDifference(b, want); d > 1e-10 {
			t.Fatalf("%d unknowns: differs from elimination by a part of %v", n, d)
		}
	}
}

func TestCholeskyLeavesTheUpperTriangleAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const n = 7
	a := gram(r, n, n, 1, 1)
	for i := range n {
		for k := i + 1; k < n; k++ {
			a[i*n+k] = math.NaN()
		}
	}
	x := random(r, n)
	FactorCholesky(a, n, nil)
	SolveCholesky(a, n, x)
	for i := range n {
		if math.IsNaN(x[i]) {
			t.Fatalf("unknown %d has seen the upper triangle", i)
		}
		for k := i + 1; k < n; k++ {
			if !math.IsNaN(a[i*n+k]) {
				t.Fatalf("element %d, %d was written", i, k)
			}
		}
	}
}

func TestRepeatedRowsShareTheSolution(t *testing.T) {
	const regularization = 1e-8
	a := []float64{1 + regularization, 1, 1, 1 + regularization}
	x := []float64{1, 1}
	FactorCholesky(a, 2, nil)
	SolveCholesky(a, 2, x)
	if math.Abs(x[0]+x[1]-1) > 1e-7 || math.Abs(x[0]-x[1]) > 1e-6 {
		t.Errorf("two equal rows share 1 as %v", x)
	}
	a = []float64{1, 1, 1, 1} // singular: the pivot is held above zero
	FactorCholesky(a, 2, nil)
	for _, v := range a {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("factor of a singular matrix: %v", a)
		}
	}
}

func TestKernelsAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const n = 12
	a, x := gram(r, n, n, 1, 1), random(r, n)
	factor := make([]float64, n*n)
	var b BoxQP
	var s DisjointSets[int32]
	var sky Skyline
	forest, _ := branched(r, randomForest(r, n))
	pairs := make([]VecPair, n)
	work := func() {
		sky.Reset()
		for row := range int32(n) {
			sky.AddRow(row / 2)
			clear(sky.Row(row))
			sky.Row(row)[row-row/2] = 1
			sky.FactorRow(row, 0, 0)
		}
		sky.Solve(0, n, x)
		sky.SolvePairs(0, pairs)
		forest.Factor()
		forest.Solve(x)
		forest.SolvePairs(pairs, n-1)
		copy(factor, a)
		FactorCholesky(factor, n, nil)
		SolveCholesky(factor, n, x)
		b.Reset(n)
		copy(b.Hessian, a)
		for i := range n {
			b.Linear[i], b.X[i], b.Lower[i], b.Upper[i] = x[i], 0, -0.1, 0.1
		}
		b.Solve()
		s = s.Reset(n)
		s.Union(3, 5)
	}
	work()
	if got := testing.AllocsPerRun(20, work); got > 0 {
		t.Errorf("%v allocations", got)
	}
}
