package linalg

import "math"

// Skyline is the Cholesky factorization of symmetric positive semidefinite matrices in skyline storage. A row
// keeps its entries from the first nonzero up to the diagonal, and the factor fits in their place. See George
// and Liu, "Computer Solution of Large Sparse Positive Definite Systems", 1981, ch. 4. Several matrices stand
// behind each other, block by block, with one numbering of rows and columns.
//
// Entries are eliminated as in FactorCholesky, but the pivots' threshold and the rows left out differ, and
// substitution backwards scatters where SolveCholesky gathers. To merge the two changes bits.
type Skyline struct {
	first    []int32 // by row: its first column
	offset   []int32 // by row: where column 0 would stand in entries; may be negative
	entries  []float64
	invPivot []float64 // by row: 1 over the factor's diagonal; 0: the row is redundant or left out
}

// Reset removes all rows.
func (f *Skyline) Reset() { f.Truncate(0) }

// Truncate removes row n and all after it.
func (f *Skyline) Truncate(n int) {
	end := 0
	if n > 0 {
		end = int(f.offset[n-1]) + n
	}
	f.first, f.offset, f.invPivot, f.entries = f.first[:n], f.offset[:n], f.invPivot[:n], f.entries[:end]
}

// AddRow adds a row whose first entry that is not zero stands in a column, at most its own. Its entries are
// undefined.
func (f *Skyline) AddRow(first int32) {
	n := int32(len(f.first))
	at := len(f.entries)
	f.first, f.offset = append(f.first, first), append(f.offset, int32(at)-first)
	f.invPivot = append(f.invPivot, 0)
	f.entries = Grow(f.entries, at+int(n-first)+1)
}

// Entries returns the number of entries stored, of all rows.
func (f *Skyline) Entries() int { return len(f.entries) }

// First returns the first column of a row.
func (f *Skyline) First(row int32) int32 { return f.first[row] }

// Row returns the entries of a row from column First(row) to the diagonal. The caller sets them to those of
// the matrix before FactorRow.
func (f *Skyline) Row(row int32) []float64 {
	return f.entries[f.offset[row]+f.first[row] : f.offset[row]+row+1]
}

// left returns the entries of a row's factor left of the diagonal.
func (f *Skyline) left(row int32) []float64 {
	return f.entries[f.offset[row]+f.first[row] : f.offset[row]+row]
}

// FactorRow replaces a row by its factor, once the rows before it are factored. The diagonal is raised by a
// part of itself, the regularization. A row is redundant, and takes no part in solutions, where elimination
// leaves no more of its diagonal than the part minPivot of it.
func (f *Skyline) FactorRow(row int32, regularization, minPivot float64) {
	from := f.first[row]
	own := f.Row(row)
	for n := from; n < row; n++ {
		start := max(from, f.first[n])
		sum := own[n-from]
		left, right := f.entries[f.offset[row]+start:f.offset[row]+n],
			f.entries[f.offset[n]+start:f.offset[n]+n]
		for m, x := range left {
			sum -= float64(x * right[m])
		}
		own[n-from] = float64(sum * f.invPivot[n])
	}
	whole := own[row-from]
	pivot := float64(whole * (1 + regularization))
	for _, x := range own[:row-from] {
		pivot -= float64(x * x)
	}
	f.invPivot[row] = 0
	if pivot > float64(minPivot*whole) {
		f.invPivot[row] = 1 / math.Sqrt(pivot)
	}
}

// LeaveOut makes a factored row take no part in solutions.
func (f *Skyline) LeaveOut(row int32) { f.invPivot[row] = 0 }

// Solve replaces x, by row, by the solution of the block of rows from begin to end. The unknowns of redundant
// rows and of those left out become zero.
func (f *Skyline) Solve(begin, end int32, x []float64) {
	for i := begin; i < end; i++ {
		sum := x[i]
		for n, c := range f.left(i) {
			sum -= float64(c * x[int(f.first[i])+n])
		}
		x[i] = float64(sum * f.invPivot[i])
	}
	for i := end - 1; i >= begin; i-- {
		x[i] = float64(x[i] * f.invPivot[i])
		for n, c := range f.left(i) {
			x[int(f.first[i])+n] -= float64(c * x[i])
		}
	}
}

// SolvePairs is Solve for six right-hand sides; x begins with row begin.
func (f *Skyline) SolvePairs(begin int32, x []VecPair) {
	for i := range x {
		row := begin + int32(i)
		sum, inv := x[i], f.invPivot[row]
		for n, c := range f.left(row) {
			o := &x[int(f.first[row]-begin)+n]
			sum.Lin, sum.Ang = sum.Lin.AddScaled(-c, o.Lin), sum.Ang.AddScaled(-c, o.Ang)
		}
		x[i] = VecPair{sum.Lin.Scale(inv), sum.Ang.Scale(inv)}
	}
	for i := len(x) - 1; i >= 0; i-- {
		row := begin + int32(i)
		inv := f.invPivot[row]
		x[i] = VecPair{x[i].Lin.Scale(inv), x[i].Ang.Scale(inv)}
		for n, c := range f.left(row) {
			o := &x[int(f.first[row]-begin)+n]
			o.Lin, o.Ang = o.Lin.AddScaled(-c, x[i].Lin), o.Ang.AddScaled(-c, x[i].Ang)
		}
	}
}
