package linalg

import "slices"

// SparseLTDL is the LᵀDL factorization of a sparse symmetric positive definite matrix whose pattern is the
// union of cliques of unknowns. The last unknown is eliminated first, so a matrix with branch-induced
// sparsity fills nowhere when descendants come after their ancestors (BranchedLTDL). The symbolic
// factorization follows the elimination tree (Davis, "Direct Methods for Sparse Linear Systems", 2006,
// chapter 4).
//
// A pattern is built by Reset, AddClique and Analyze. Then Diagonal and Row set the matrix, and Factor and
// Solve work on it, any number of times.
type SparseLTDL struct {
	start    []int32   // by unknown: where its entries begin in columns; one more at the end
	columns  []int32   // ascending, of lower unknowns only
	entries  []float64 // of the matrix, then of L
	diagonal []float64 // of the matrix, then 1/D

	pattern [][]int32 // scratch: the columns of a row while the pattern is built
}

// Reset begins a pattern of n unknowns that are coupled with none.
func (f *SparseLTDL) Reset(n int) {
	f.pattern = Grow(f.pattern, n)
	for i := range f.pattern {
		f.pattern[i] = f.pattern[i][:0]
	}
	f.start, f.diagonal = Grow(f.start, n+1), Grow(f.diagonal, n)
}

// AddClique couples all of the unknowns with each other. They are ascending.
func (f *SparseLTDL) AddClique(unknowns []int32) {
	if n := len(unknowns); n > 1 {
		f.merge(unknowns[n-1], unknowns[:n-1])
	}
}

// merge adds ascending columns to the pattern of a row.
func (f *SparseLTDL) merge(row int32, columns []int32) {
	have := f.pattern[row]
	if len(have) >= len(columns) && slices.Equal(have[len(have)-len(columns):], columns) {
		return
	}
	n := len(have)
	have = append(have, columns...)
	if n > 0 && columns[0] <= have[n-1] {
		slices.Sort(have)
		have = slices.Compact(have)
	}
	f.pattern[row] = have
}

// Analyze ends the pattern: it adds the fill of the elimination, which runs along the elimination tree.
func (f *SparseLTDL) Analyze() {
	for i := len(f.pattern) - 1; i >= 0; i-- {
		if c := f.pattern[i]; len(c) > 1 {
			f.merge(c[len(c)-1], c[:len(c)-1])
		}
	}
	f.columns = f.columns[:0]
	for i, c := range f.pattern {
		f.start[i] = int32(len(f.columns))
		f.columns = append(f.columns, c...)
	}
	f.start[len(f.pattern)] = int32(len(f.columns))
	f.entries = Grow(f.entries, len(f.columns))
}

// Len returns the number of unknowns.
func (f *SparseLTDL) Len() int { return len(f.diagonal) }

// Clear sets the matrix to zero.
func (f *SparseLTDL) Clear() {
	clear(f.entries)
	clear(f.diagonal)
}

// Row returns the lower unknowns that unknown i is coupled with, ascending, and their entries.
func (f *SparseLTDL) Row(i int32) (columns []int32, entries []float64) {
	a, b := f.start[i], f.start[i+1]
	return f.columns[a:b:b], f.entries[a:b:b]
}

// Diagonal returns the diagonal of the matrix.
func (f *SparseLTDL) Diagonal() []float64 { return f.diagonal }

// CopyMatrix takes the entries of another matrix with the same pattern.
func (f *SparseLTDL) CopyMatrix(o *SparseLTDL) {
	copy(f.entries, o.entries)
	copy(f.diagonal, o.diagonal)
}

// CopyPattern takes the pattern of another matrix. The entries are undefined afterwards.
func (f *SparseLTDL) CopyPattern(o *SparseLTDL) {
	f.start, f.columns = append(f.start[:0], o.start...), append(f.columns[:0], o.columns...)
	f.entries, f.diagonal = Grow(f.entries, len(o.entries)), Grow(f.diagonal, len(o.diagonal))
}

// AddScaledOuter adds k·x·xᵀ, where x has the given ascending unknowns, a clique of the pattern.
func (f *SparseLTDL) AddScaledOuter(k float64, unknowns []int32, x []float64) {
	for p := len(unknowns) - 1; p >= 0; p-- {
		i, kx := unknowns[p], float64(k*x[p])
		f.diagonal[i] += float64(kx * x[p])
		columns, entries := f.Row(i)
		at := len(columns) - 1
		for q := p - 1; q >= 0; q-- {
			for columns[at] != unknowns[q] {
				at--
			}
			entries[at] += float64(kx * x[q])
		}
	}
}

// Times returns y = A·x before Factor.
func (f *SparseLTDL) Times(x, y []float64) {
	for i, d := range f.diagonal {
		y[i] = float64(d * x[i])
	}
	for i := range f.diagonal {
		columns, entries := f.Row(int32(i))
		xi, sum := x[i], 0.0
		for k, j := range columns {
			sum += float64(entries[k] * x[j])
			y[j] += float64(entries[k] * xi)
		}
		y[i] += sum
	}
}

// Factor replaces the matrix A by L and D of A = LᵀDL.
func (f *SparseLTDL) Factor() {
	for i := len(f.diagonal) - 1; i >= 0; i-- {
		inv := 1 / f.diagonal[i]
		f.diagonal[i] = inv
		columns, entries := f.Row(int32(i))
		for k := len(columns) - 1; k >= 0; k-- {
			j := columns[k]
			a := float64(entries[k] * inv)
			f.diagonal[j] -= float64(a * entries[k])
			up, into := f.Row(j)
			if len(up) == k { // coupled with the same unknowns
				for c, e := range entries[:k] {
					into[c] -= float64(a * e)
				}
			} else {
				at := len(up) - 1
				for c := k - 1; c >= 0; c-- {
					for up[at] != columns[c] {
						at--
					}
					into[at] -= float64(a * entries[c])
				}
			}
			entries[k] = a
		}
	}
}

// Solve replaces x by A⁻¹·x.
func (f *SparseLTDL) Solve(x []float64) {
	for i := len(f.diagonal) - 1; i >= 0; i-- {
		xi := x[i]
		if xi == 0 {
			continue
		}
		columns, entries := f.Row(int32(i))
		for k, j := range columns {
			x[j] -= float64(entries[k] * xi)
		}
		x[i] = float64(xi * f.diagonal[i])
	}
	for i := range f.diagonal {
		columns, entries := f.Row(int32(i))
		xi := x[i]
		for k, j := range columns {
			xi -= float64(entries[k] * x[j])
		}
		x[i] = xi
	}
}

// Add adds to the entry of unknown i and a lower one, which are coupled.
func (f *SparseLTDL) Add(i, lower int32, x float64) {
	columns, entries := f.Row(i)
	a, b := 0, len(columns)
	for a < b {
		if m := (a + b) / 2; columns[m] < lower {
			a = m + 1
		} else {
			b = m
		}
	}
	entries[a] += x
}
