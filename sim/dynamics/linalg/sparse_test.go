package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomSparse is a sparse matrix of random cliques, and the same as a full one.
func randomSparse(r *rand.Rand, n int) (*SparseLTDL, []float64) {
	f, full := &SparseLTDL{}, make([]float64, n*n)
	cliques := make([][]int32, 1+r.IntN(2*n))
	f.Reset(n)
	for i := range cliques {
		for range 1 + r.IntN(4) {
			cliques[i] = append(cliques[i], int32(r.IntN(n)))
		}
		slices.Sort(cliques[i])
		cliques[i] = slices.Compact(cliques[i])
		f.AddClique(cliques[i])
	}
	f.Analyze()
	f.Clear()
	for i := range n {
		k := 0.1 + r.Float64()
		f.Diagonal()[i] += k
		full[i*n+i] += k
	}
	for _, c := range cliques {
		x := make([]float64, len(c))
		for i := range x {
			x[i] = r.NormFloat64()
		}
		k := r.ExpFloat64()
		f.AddScaledOuter(k, c, x)
		for i, a := range c {
			for j, b := range c {
				full[int(a)*n+int(b)] += k * x[i] * x[j]
			}
		}
	}
	return f, full
}

func TestTheSparseFactorsOfRandomCliquesSolveAsTheFullMatrixSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + r.IntN(40)
		f, full := randomSparse(r, n)
		x, b, product := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for i := range n {
			b[i] = Dot(full[i*n:i*n+n], x)
		}
		f.Times(x, product)
		var factors SparseLTDL
		factors.CopyPattern(f)
		factors.CopyMatrix(f)
		factors.Factor()
		y := slices.Clone(b)
		factors.Solve(y)
		for i := range n {
			if math.Abs(product[i]-b[i]) > 1e-11*(1+math.Abs(b[i])) {
				t.Fatalf("n = %d: the product is %v, of the full matrix %v", n, product, b)
			}
			if math.Abs(y[i]-x[i]) > 1e-9*(1+math.Abs(x[i])) {
				t.Fatalf("n = %d: solved %v, want %v", n, y, x)
			}
		}
	}
}

func TestAForestFillsNowhere(t *testing.T) {
	var f SparseLTDL
	f.Reset(7)
	for _, path := range [][]int32{{0, 1, 2, 3}, {0, 1, 4}, {5, 6}} {
		f.AddClique(path)
	}
	f.Analyze()
	for i, want := range [][]int32{{}, {0}, {0, 1}, {0, 1, 2}, {0, 1}, {}, {5}} {
		if columns, _ := f.Row(int32(i)); !slices.Equal(columns, want) {
			t.Errorf("row %d has %v, want %v", i, columns, want)
		}
	}
}
