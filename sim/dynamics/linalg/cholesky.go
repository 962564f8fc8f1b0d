package linalg

import "math"

// minCholeskyPivot keeps the square root of a pivot that rounding has made negative finite.
const minCholeskyPivot = 1e-300

// FactorCholesky replaces the lower triangle of a symmetric positive definite matrix, n×n by rows, by its
// Cholesky factor L with the diagonal inverted. The strict upper triangle is neither read nor written.
//
// late, if it is not nil, is added to the pivots after elimination: the factor is that of a + diag(late) but
// for rounding. A pivot below 1e-300 becomes 1e-300, so that dependent rows share a solution that the
// regularization of the diagonal decides.
//
// Elements are eliminated by rows, their terms subtracted one by one in ascending order. BoxQP
// eliminates otherwise; to merge it with this changes bits. Skyline and BranchedLTDL are for sparse matrices.
func FactorCholesky(a []float64, n int, late []float64) {
	for i := range n {
		row := a[i*n : i*n+i+1]
		for j := range i {
			other := a[j*n : j*n+j+1]
			v := row[j]
			for k, x := range row[:j] {
				v -= float64(x * other[k])
			}
			row[j] = float64(v * other[j])
		}
		v := row[i]
		for _, x := range row[:i] {
			v -= float64(x * x)
		}
		if late != nil {
			v += late[i]
		}
		row[i] = 1 / math.Sqrt(max(v, minCholeskyPivot))
	}
}

// SolveCholesky replaces x by the solution y of L·Lᵀ·y = x, with the factor of FactorCholesky. Both
// substitutions gather their terms in ascending order of the column.
func SolveCholesky(factor []float64, n int, x []float64) {
	x = x[:n]
	for i := range x {
		row := factor[i*n : i*n+i+1]
		v := x[i]
		for k, c := range row[:i] {
			v -= float64(c * x[k])
		}
		x[i] = float64(v * row[i])
	}
	for i := n - 1; i >= 0; i-- {
		v := x[i]
		for k := i + 1; k < n; k++ {
			v -= float64(factor[k*n+i] * x[k])
		}
		x[i] = float64(v * factor[i*n+i])
	}
}
