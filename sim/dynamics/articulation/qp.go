package articulation

import (
	"math"

	"simdeck/sim/dynamics/linalg"
)

// Rows is the rows of an articulation in a substep, and the scratch for solving them together.
type Rows struct {
	list              []Row
	denseCoefficients []float64 // by degree of freedom, of rows that depend on many
	rowResponses      []float64 // by row and degree of freedom: velocity change by a unit impulse, M⁻¹·Jᵀ
	coupling          []float64 // by row and row: J·M⁻¹·Jᵀ
	residual          []float64 // by row: velocity error
	free              []int32   // rows not at a bound
	factor            []float64
	delta             []float64
	step              []float64
}

// computeCoupling computes M⁻¹·Jᵀ and J·M⁻¹·Jᵀ of the rows for this substep.
func (b *Rows) computeCoupling(inertia *linalg.BranchedLTDL) {
	n, m := inertia.Len(), len(b.list)
	b.rowResponses, b.coupling = linalg.Grow(b.rowResponses, m*n), linalg.Grow(b.coupling, m*m)
	b.residual, b.delta, b.factor = linalg.Grow(b.residual, m), linalg.Grow(b.delta, m),
		linalg.Grow(b.factor, m*m)
	for r := range b.list {
		row := &b.list[r]
		x := b.rowResponses[r*n : r*n+n]
		row.scatter(b, x)
		inertia.Solve(x)
		for s := range r + 1 {
			v := b.list[s].dot(b, x)
			b.coupling[r*m+s], b.coupling[s*m+r] = v, v
		}
		if row.RelativeCompliance > 0 {
			row.Compliance = float64(row.RelativeCompliance * b.coupling[r*m+r])
		}
	}
}

// warmStartRows applies the impulses of the last substep.
func (b *Rows) warmStartRows(dofs []dof) {
	for r := range b.list {
		if row := &b.list[r]; row.Impulse != 0 {
			b.applyRow(dofs, r, row.Impulse)
		}
	}
}

// applyRow applies an impulse of row r.
func (b *Rows) applyRow(dofs []dof, r int, impulse float64) {
	n := len(dofs)
	for i, x := range b.rowResponses[r*n : r*n+n] {
		dofs[i].v += float64(impulse * x)
	}
}

// rowTolerance is the velocity error at which a row counts as satisfied, rad/s or m/s; less is rounding.
const rowTolerance = 1e-11

// SolveRows solves the box-constrained QP: each row reaches its target, or with relax its relaxed target, or
// is at a bound. It is the primal active-set method (Nocedal and Wright, Numerical Optimization, ch. 16),
// started from the last active set.
func (art *Articulation) SolveRows(relax bool) {
	if len(art.Rows.list) == 0 {
		return
	}
	b := &art.Rows
	worst := 0.0
	for r := range art.Rows.list {
		row := &art.Rows.list[r]
		target := row.Target
		if relax {
			target = row.RelaxedTarget
		}
		b.residual[r] = row.speed(&art.Rows, art.dofs) + float64(row.Compliance*row.Impulse) - target
		row.atBound = row.Impulse == row.Lower && b.residual[r] >= 0 || row.Impulse == row.Upper &&
			b.residual[r] <= 0
		if !row.atBound {
			worst = max(worst, math.Abs(b.residual[r]))
		}
		b.delta[r] = 0
	}
	if worst <= rowTolerance {
		return
	}
	for range 4*len(art.Rows.list) + 4 {
		if b.activeSetStep() && !b.releaseRow() {
			break
		}
	}
	for r := range art.Rows.list {
		if b.delta[r] != 0 {
			b.applyRow(art.dofs, r, b.delta[r])
		}
	}
}

// activeSetStep moves the free rows towards their common solution; false: one reached its bound, which is
// active now.
func (b *Rows) activeSetStep() bool {
	m := len(b.list)
	b.listFree()
	step := b.solveFreeRows()
	fraction, blocking := 1.0, -1
	for f, r := range b.free {
		row := &b.list[r]
		bound := row.Upper
		if step[f] < 0 {
			bound = row.Lower
		}
		if room := bound - row.Impulse; math.Abs(step[f]*fraction) > math.Abs(room) {
			fraction, blocking = max(0, room/step[f]), int(r)
		}
	}
	for f, r := range b.free {
		row := &b.list[r]
		d := float64(step[f] * fraction)
		if int(r) == blocking {
			if d = row.Upper - row.Impulse; step[f] < 0 {
				d = row.Lower - row.Impulse
			}
			row.atBound = true
		}
		row.Impulse = max(row.Lower, min(row.Upper, row.Impulse+d))
		b.delta[r] += d
		b.residual[r] += float64(row.Compliance * d)
		for s := range m {
			b.residual[s] += float64(b.coupling[int(r)*m+s] * d)
		}
	}
	return blocking < 0
}

// listFree lists the rows that are not at a bound.
func (b *Rows) listFree() {
	b.free = b.free[:0]
	for r := range b.list {
		if !b.list[r].atBound {
			b.free = append(b.free, int32(r))
		}
	}
}

// releaseRow frees the bound row with the largest multiplier of the wrong sign; false: none has one.
func (b *Rows) releaseRow() bool {
	most, which := rowTolerance, -1
	for r := range b.list {
		row := &b.list[r]
		if !row.atBound || row.Lower == row.Upper {
			continue
		}
		wants := -b.residual[r]
		if row.Impulse == row.Upper {
			wants = -wants
		}
		if wants > most {
			most, which = wants, r
		}
	}
	if which >= 0 {
		b.list[which].atBound = false
	}
	return which >= 0
}

// factorFreeRows computes the Cholesky factor of the free rows' coupling, with inverted diagonal. A relative
// ε of 1e-12 on the diagonal lets redundant rows share their impulse.
func (b *Rows) factorFreeRows() {
	m, n := len(b.list), len(b.free)
	c := b.factor[:n*n]
	for i, r := range b.free {
		for j, other := range b.free[:i+1] {
			c[i*n+j] = b.coupling[int(r)*m+int(other)]
		}
		row := &b.list[r]
		c[i*n+i] = float64(c[i*n+i]*(1+1e-12)) + row.Compliance + row.regularization
	}
	linalg.FactorCholesky(c, n, nil)
}

// solveFreeRows returns the impulse changes of the free rows.
func (b *Rows) solveFreeRows() []float64 {
	n := len(b.free)
	b.factorFreeRows()
	b.step = linalg.Grow(b.step, n)
	for i, r := range b.free {
		b.step[i] = -b.residual[r]
	}
	linalg.SolveCholesky(b.factor[:n*n], n, b.step)
	return b.step
}
