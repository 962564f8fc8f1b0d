package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// skyline returns a random positive definite block of n rows behind begin others, and its matrix in full.
func skyline(r *rand.Rand, f *Skyline, n int) (begin int32, full []float64) {
	begin = int32(len(f.first))
	full = make([]float64, n*n)
	first := make([]int, n)
	for i := range n {
		first[i] = r.IntN(i + 1)
		f.AddRow(begin + int32(first[i]))
	}
	for i := range n {
		for j := first[i]; j < i; j++ {
			full[i*n+j] = r.NormFloat64()
			full[j*n+i] = full[i*n+j]
		}
	}
	for i := range n { // diagonally dominant
		full[i*n+i] = 1
		for j := range n {
			if i != j {
				full[i*n+i] += math.Abs(full[i*n+j])
			}
		}
	}
	for i := range n {
		copy(f.Row(begin+int32(i)), full[i*n+first[i]:i*n+i+1])
	}
	return begin, full
}

func TestSkylineSolvesWhatEliminationSolves(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var f Skyline
	for range 100 {
		f.Reset()
		for range 1 + r.IntN(3) {
			n := 1 + r.IntN(25)
			begin, full := skyline(r, &f, n)
			end := begin + int32(n)
			for row := begin; row < end; row++ {
				f.FactorRow(row, 0, 1e-14)
			}
			x := append(make([]float64, begin), random(r, n)...)
			want := eliminate(full, x[begin:])
			pairs := make([]VecPair, n)
			for i := range pairs {
				pairs[i] = randomPair(r)
			}
			six := solvePairs(pairs, func(y []float64) {
				whole := append(make([]float64, begin), y...)
				f.Solve(begin, end, whole)
				copy(y, whole[begin:])
			})
			f.Solve(begin, end, x)
			if d := largestDifference(x[begin:], want); d > 1e-10 {
				t.Fatalf("%d rows from %d: differs from elimination by a part of %v", n, begin, d)
			}
			f.SolvePairs(begin, pairs)
			if d := pairDistance(pairs, six); d > 1e-10 {
				t.Fatalf("%d rows from %d: six sides at once differ by %v", n, begin, d)
			}
		}
	}
}

// TestARedundantRowOfASkylineTakesNoPart: of two equal rows the first has the whole solution.
func TestARedundantRowOfASkylineTakesNoPart(t *testing.T) {
	var f Skyline
	f.AddRow(0)
	f.AddRow(0)
	f.Row(0)[0] = 2
	copy(f.Row(1), []float64{2, 2})
	f.FactorRow(0, 0, 1e-14)
	f.FactorRow(1, 0, 1e-14)
	x := []float64{4, 4}
	f.Solve(0, 2, x)
	if math.Abs(x[0]-2) > 1e-15 || x[1] != 0 {
		t.Errorf("two equal rows have the solution %v, want 2 and 0", x)
	}
	// Regularized, they share it.
	f.Row(0)[0] = 2
	copy(f.Row(1), []float64{2, 2})
	f.FactorRow(0, 1e-6, 1e-14)
	f.FactorRow(1, 1e-6, 1e-14)
	x = []float64{4, 4}
	f.Solve(0, 2, x)
	if math.Abs(x[0]-1) > 1e-5 || math.Abs(x[1]-1) > 1e-5 {
		t.Errorf("two equal rows share 2 as %v", x)
	}
}

// TestARowLeftOutOfASkylineIsZero, and the others solve the matrix without it.
func TestARowLeftOutOfASkylineIsZero(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for range 50 {
		var f Skyline
		n := 2 + r.IntN(10)
		_, full := skyline(r, &f, n)
		out := r.IntN(n)
		for row := range int32(n) {
			f.FactorRow(row, 0, 1e-14)
			if int(row) == out {
				f.LeaveOut(row)
			}
		}
		x := random(r, n)
		b := append([]float64(nil), x...)
		for k := range n {
			full[out*n+k], full[k*n+out] = 0, 0
		}
		full[out*n+out], b[out] = 1, 0
		want := eliminate(full, b)
		f.Solve(0, int32(n), x)
		if d := largestDifference(x, want); x[out] != 0 || d > 1e-10 {
			t.Fatalf("row %d of %d left out is %v; the others differ by a part of %v", out, n, x[out], d)
		}
	}
}

func TestATruncatedSkylineGrowsAgainInItsPlace(t *testing.T) {
	var f Skyline
	f.AddRow(0)
	f.AddRow(0)
	f.AddRow(1)
	if f.Entries() != 5 {
		t.Fatalf("rows of 1, 2 and 2 entries have %d", f.Entries())
	}
	f.Truncate(1)
	f.AddRow(1)
	if f.Entries() != 2 || f.First(1) != 1 || len(f.Row(1)) != 1 {
		t.Errorf("%d entries, the second row from column %d has %v", f.Entries(), f.First(1), f.Row(1))
	}
	f.Reset()
	if f.Entries() != 0 {
		t.Errorf("none is left, %d entries", f.Entries())
	}
}
