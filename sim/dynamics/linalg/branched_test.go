package linalg

import (
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

// randomForest returns the parents of a forest of n unknowns, in which about every fourth begins a branch.
func randomForest(r *rand.Rand, n int) []int32 {
	parent := make([]int32, n)
	for i := range parent {
		parent[i] = int32(i) - 1
		if r.IntN(4) == 0 {
			parent[i] = int32(r.IntN(i+1)) - 1
		}
	}
	return parent
}

// branched returns a factorization of a random positive definite matrix with the sparsity of a forest, and
// the full matrix. That is the sum of v·vᵀ over all unknowns, with v on the path from the unknown to its
// root.
func branched(r *rand.Rand, parent []int32) (*BranchedLTDL, []float64) {
	n := len(parent)
	full, v := make([]float64, n*n), make([]float64, n)
	f := new(BranchedLTDL)
	for i := range parent {
		f.AddUnknown(parent[i])
		clear(v)
		for j := int32(i); j >= 0; j = parent[j] {
			v[j] = 0.3 * r.NormFloat64()
		}
		v[i] = 1 + r.Float64()
		for a := range n {
			for b := range n {
				full[a*n+b] += v[a] * v[b]
			}
		}
	}
	for i := range parent {
		copy(f.Row(i)[:i+1], full[i*n:i*n+i+1])
	}
	return f, full
}

func TestBranchedLTDLSolvesWhatEliminationSolves(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 200 {
		n := 1 + r.IntN(30)
		f, full := branched(r, randomForest(r, n))
		x := random(r, n)
		want := eliminate(full, x)
		f.Factor()
		f.Solve(x)
		if d := largestDifference(x, want); d > 1e-8 {
			t.Fatalf("%d unknowns: differs from elimination by a part of %v", n, d)
		}
	}
}

// TestBranchedLTDLFillsNothingIn: L has the zeros of the matrix, and what stands there is never read.
func TestBranchedLTDLFillsNothingIn(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	const rubbish = 1e300
	for range 100 {
		n := 2 + r.IntN(20)
		parent := randomForest(r, n)
		f, full := branched(r, parent)
		related := make([]bool, n*n)
		for i := range n {
			for j := int32(i); j >= 0; j = parent[j] {
				related[i*n+int(j)] = true
			}
			for j := range n {
				if !related[i*n+j] {
					f.Row(i)[j] = rubbish
				}
			}
		}
		x := random(r, n)
		want := eliminate(full, x)
		f.Factor()
		f.Solve(x)
		if d := largestDifference(x, want); d > 1e-8 {
			t.Fatalf("%v: entries of unrelated unknowns were read: off by a part of %v", parent, d)
		}
		for i := range n {
			for j, is := range related[i*n : i*n+n] {
				if !is && f.Row(i)[j] != rubbish {
					t.Fatalf("%v: entry %d, %d was written", parent, i, j)
				}
			}
		}
	}
}

// solvePairs solves six right-hand sides one by one: the oracle of SolvePairs.
func solvePairs(x []VecPair, solve func([]float64)) []VecPair {
	out, column := make([]VecPair, len(x)), make([]float64, len(x))
	for c := range 6 {
		for i := range x {
			column[i] = [2]r3.Vec{x[i].Lin, x[i].Ang}[c/3].At(c % 3)
		}
		solve(column)
		for i, v := range column {
			if c < 3 {
				out[i].Lin = out[i].Lin.With(c, v)
			} else {
				out[i].Ang = out[i].Ang.With(c-3, v)
			}
		}
	}
	return out
}

func randomPair(r *rand.Rand) VecPair {
	return VecPair{r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()),
		r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())}
}

// pairDistance is the largest difference of two lists of pairs.
func pairDistance(a, b []VecPair) (worst float64) {
	for i := range a {
		worst = max(worst, a[i].Lin.Sub(b[i].Lin).MaxAbs(), a[i].Ang.Sub(b[i].Ang).MaxAbs())
	}
	return worst
}

func TestBranchedLTDLSolvesSixSidesAsItSolvesOne(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for range 100 {
		n := 1 + r.IntN(20)
		parent := randomForest(r, n)
		f, _ := branched(r, parent)
		f.Factor()
		x, last := make([]VecPair, n), int32(r.IntN(n))
		for i := last; i >= 0; i = parent[i] {
			x[i] = randomPair(r)
		}
		want := solvePairs(x, f.Solve)
		f.SolvePairs(x, last)
		if d := pairDistance(x, want); d > 1e-9 {
			t.Fatalf("%v: six sides at once differ by %v", parent, d)
		}
	}
}

func TestACopiedForestFactorsAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	var copied BranchedLTDL
	for range 20 {
		n := 1 + r.IntN(20)
		f, full := branched(r, randomForest(r, n))
		copied.CopyShape(f)
		for i := range n {
			copy(copied.Row(i)[:i+1], full[i*n:i*n+i+1])
		}
		x, y := random(r, n), make([]float64, n)
		copy(y, x)
		f.Factor()
		f.Solve(x)
		copied.Factor()
		copied.Solve(y)
		for i := range x {
			if x[i] != y[i] {
				t.Fatalf("unknown %d is %v, of the copy %v", i, x[i], y[i])
			}
		}
	}
}
