package linalg

import "simdeck/sim/r3"

// BranchedLTDL is the LᵀDL factorization of a symmetric positive definite matrix with branch-induced
// sparsity. Entry i, j is zero unless one is an ancestor of the other in a forest. The mass matrix of a joint
// tree is one (Featherstone, "Efficient factorization of the joint-space inertia matrix for branched
// kinematic trees", 2005; RBDA, table 6.3). Only entries of ancestors are read or written, and L has no
// others.
//
// The factorization begins at the leaves; FactorCholesky begins at the first row and knows no zeros. To merge
// the two changes bits.
type BranchedLTDL struct {
	parent []int32 // the next unknown towards the root; -1: none
	// runStart is the first unknown of the run, each the parent of the next, that ends with this one. Loops
	// over ancestors go run by run, through memory in a row.
	runStart        []int32
	entries         []float64 // n×n by rows; its lower triangle is the matrix, then L
	inverseDiagonal []float64 // of D
}

// Reset removes all unknowns.
func (f *BranchedLTDL) Reset() {
	f.parent, f.runStart, f.entries, f.inverseDiagonal = f.parent[:0], f.runStart[:0], f.entries[:0],
		f.inverseDiagonal[:0]
}

// AddUnknown adds an unknown below its parent, which is -1 or the number of an earlier one. The entries of
// the matrix are undefined afterwards.
func (f *BranchedLTDL) AddUnknown(parent int32) {
	n := int32(len(f.parent))
	start := n
	if parent >= 0 && parent == n-1 {
		start = f.runStart[parent]
	}
	f.parent, f.runStart = append(f.parent, parent), append(f.runStart, start)
	f.entries = Grow(f.entries, int((n+1)*(n+1)))
	f.inverseDiagonal = Grow(f.inverseDiagonal, int(n+1))
}

// CopyShape makes the forest that of another factorization. The entries of the matrix are undefined
// afterwards.
func (f *BranchedLTDL) CopyShape(o *BranchedLTDL) {
	n := len(o.parent)
	f.parent, f.runStart = append(f.parent[:0], o.parent...), append(f.runStart[:0], o.runStart...)
	f.entries, f.inverseDiagonal = Grow(f.entries, n*n), Grow(f.inverseDiagonal, n)
}

// Len returns the number of unknowns.
func (f *BranchedLTDL) Len() int { return len(f.parent) }

// Size returns about how many bytes the factorization takes.
func (f *BranchedLTDL) Size() int { return 16*len(f.parent) + 8*len(f.entries) }

// Row returns row i of the matrix before Factor, and of L after it. The caller sets the entries of i and of
// its ancestors; all others are meaningless.
func (f *BranchedLTDL) Row(i int) []float64 {
	n := len(f.parent)
	return f.entries[i*n : i*n+n]
}

// Factor replaces the matrix A by L and D of A = LᵀDL.
func (f *BranchedLTDL) Factor() {
	n, parent, runStart := len(f.parent), f.parent, f.runStart
	for k := n - 1; k >= 0; k-- {
		row := f.entries[k*n : k*n+n]
		inv := 1 / row[k]
		f.inverseDiagonal[k] = inv
		for i := parent[k]; i >= 0; i = parent[i] {
			a := float64(row[i] * inv)
			up := f.entries[int(i)*n : int(i)*n+n]
			for j := i; j >= 0; {
				top := runStart[j]
				for e := top; e <= j; e++ {
					up[e] -= float64(a * row[e])
				}
				j = parent[top]
			}
			row[i] = a
		}
	}
}

// Solve replaces x by A⁻¹·x.
func (f *BranchedLTDL) Solve(x []float64) {
	n, parent, runStart := len(f.parent), f.parent, f.runStart
	x = x[:n]
	for i := n - 1; i >= 0; i-- {
		xi := x[i]
		if xi == 0 {
			continue
		}
		row := f.entries[i*n : i*n+n]
		for j := parent[i]; j >= 0; {
			top := runStart[j]
			for k := top; k <= j; k++ {
				x[k] -= float64(row[k] * xi)
			}
			j = parent[top]
		}
		x[i] = float64(xi * f.inverseDiagonal[i])
	}
	for i := range n {
		row := f.entries[i*n : i*n+n]
		xi := x[i]
		for j := parent[i]; j >= 0; {
			top := runStart[j]
			for k := j; k >= top; k-- {
				xi -= float64(row[k] * x[k])
			}
			j = parent[top]
		}
		x[i] = xi
	}
}

// SolvePairs is Solve for six right-hand sides, which are zero but for last and its ancestors.
func (f *BranchedLTDL) SolvePairs(x []VecPair, last int32) {
	n, parent := len(f.parent), f.parent
	for i := last; i >= 0; i = parent[i] {
		xi := &x[i]
		row := f.entries[int(i)*n : int(i)*n+n]
		for j := parent[i]; j >= 0; j = parent[j] {
			x[j].Lin = x[j].Lin.AddScaled(-row[j], xi.Lin)
			x[j].Ang = x[j].Ang.AddScaled(-row[j], xi.Ang)
		}
		inv := f.inverseDiagonal[i]
		xi.Lin, xi.Ang = xi.Lin.Scale(inv), xi.Ang.Scale(inv)
	}
	for i := range n {
		row := f.entries[i*n : i*n+n]
		lin, ang := x[i].Lin, x[i].Ang
		for j := parent[i]; j >= 0; j = parent[j] {
			lin = lin.AddScaled(-row[j], x[j].Lin)
			ang = ang.AddScaled(-row[j], x[j].Ang)
		}
		x[i] = VecPair{lin, ang}
	}
}

// VecPair is one row of six right-hand sides: those of the three components of a force and of a moment.
type VecPair struct{ Lin, Ang r3.Vec }

// AddScaled adds k·b.
func (a *VecPair) AddScaled(k float64, b *VecPair) {
	a.Lin, a.Ang = a.Lin.AddScaled(k, b.Lin), a.Ang.AddScaled(k, b.Ang)
}

// Scale returns k times the pair.
func (a *VecPair) Scale(k float64) VecPair { return VecPair{a.Lin.Scale(k), a.Ang.Scale(k)} }
