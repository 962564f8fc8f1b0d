// Package linalg holds the linear algebra of the dynamics: factorizations, the box-constrained quadratic
// program, and union-find. Its kernels know numbers and indices, and neither bodies nor joints, so they are
// tested against oracles without a world.
//
// Every kernel promises three things to its callers:
//   - The same bits on every machine. The order of operations is part of a kernel's contract. Every product
//     inside a sum is rounded by itself, float64(x*y) + z, so that no compiler fuses the two.
//   - No allocation once scratch has grown to the size of the problem.
//   - No state between calls, but for scratch and for what a type says.
//
// Kernels that compute the same in another order stay apart on purpose: merging them would change results'
// last bits, and every recorded hash. Each says which others it could become one with.
package linalg

// Dot returns the inner product of two vectors, summed in ascending order. The second may be longer than the
// first.
func Dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// Grow returns the scratch with length n and keeps what it holds, also beyond its old length.
func Grow[T any](scratch []T, n int) []T {
	if cap(scratch) < n {
		scratch = append(scratch[:cap(scratch)], make([]T, n-cap(scratch))...)
	}
	return scratch[:n]
}
