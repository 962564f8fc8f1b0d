package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
)

// articulationQP is the rows of an articulation and the scratch for solving them together.
type articulationQP struct {
	rows              []articulationRow
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
func (art *articulation) computeCoupling() {
	n, m, b := len(art.dofs), len(art.qp.rows), &art.qp
	b.rowResponses, b.coupling = linalg.Grow(b.rowResponses, m*n), linalg.Grow(b.coupling, m*m)
	b.residual, b.delta, b.factor = linalg.Grow(b.residual, m), linalg.Grow(b.delta, m),
		linalg.Grow(b.factor, m*m)
	for r := range art.qp.rows {
		row := &art.qp.rows[r]
		x := b.rowResponses[r*n : r*n+n]
		row.scatter(art, x)
		art.inertiaFactor.Solve(x)
		for s := range r + 1 {
			v := art.qp.rows[s].dot(art, x)
			b.coupling[r*m+s], b.coupling[s*m+r] = v, v
		}
		if row.kind == rowVelocityLimit {
			row.compliance = float64(velocityLimitCompliance * b.coupling[r*m+r])
		}
	}
	if len(art.loops) > 0 {
		art.regularizeRows()
	}
}

// scatter writes the row's Jacobian to x, by degree of freedom.
func (row *articulationRow) scatter(art *articulation, x []float64) {
	if row.dense > 0 {
		copy(x, art.qp.denseCoefficients[row.dense-1:])
		return
	}
	clear(x)
	x[row.i] = row.coefI
	if row.j >= 0 {
		x[row.j] = row.coefJ
	}
	if row.k >= 0 {
		x[row.k] = row.coefK
	}
}

// dot is the row's Jacobian times x.
func (o *articulationRow) dot(art *articulation, x []float64) float64 {
	if o.dense > 0 {
		v := 0.0
		for d, c := range art.qp.denseCoefficients[o.dense-1:][:len(x)] {
			v += float64(c * x[d])
		}
		return v
	}
	v := float64(o.coefI * x[o.i])
	if o.j >= 0 {
		v += float64(o.coefJ * x[o.j])
	}
	if o.k >= 0 {
		v += float64(o.coefK * x[o.k])
	}
	return v
}

// warmStartRows applies the impulses of the last substep.
func (b *articulationQP) warmStartRows(dofs []dof) {
	for r := range b.rows {
		if row := &b.rows[r]; row.impulse != 0 {
			b.applyRow(dofs, r, row.impulse)
		}
	}
}

// applyRow applies an impulse of row r.
func (b *articulationQP) applyRow(dofs []dof, r int, impulse float64) {
	n := len(dofs)
	for i, x := range b.rowResponses[r*n : r*n+n] {
		dofs[i].v += float64(impulse * x)
	}
}

// rowTolerance is the velocity error at which a row counts as satisfied, rad/s or m/s.
const rowTolerance = 1e-11

// solveRowQP solves the box-constrained QP: each row reaches its target or is at a bound. It is the primal
// active-set method (Nocedal and Wright, Numerical Optimization, ch. 16), started from the last active set.
func (art *articulation) solveRowQP(relax bool) {
	if len(art.qp.rows) == 0 {
		return
	}
	b := &art.qp
	worst := 0.0
	for r := range art.qp.rows {
		row := &art.qp.rows[r]
		target := row.target
		if relax {
			target = row.relaxedTarget
		}
		b.residual[r] = row.speed(art) + float64(row.compliance*row.impulse) - target
		row.atBound = row.impulse == row.lower && b.residual[r] >= 0 || row.impulse == row.upper &&
			b.residual[r] <= 0
		if !row.atBound {
			worst = max(worst, math.Abs(b.residual[r]))
		}
		b.delta[r] = 0
	}
	if worst <= rowTolerance {
		return
	}
	for range 4*len(art.qp.rows) + 4 {
		if b.activeSetStep() && !b.releaseRow() {
			break
		}
	}
	for r := range art.qp.rows {
		if b.delta[r] != 0 {
			b.applyRow(art.dofs, r, b.delta[r])
		}
	}
}

// activeSetStep moves the free rows towards their common solution; false: one reached its bound, which is
// active now.
func (b *articulationQP) activeSetStep() bool {
	m := len(b.rows)
	b.listFree()
	step := b.solveFreeRows()
	fraction, blocking := 1.0, -1
	for f, r := range b.free {
		row := &b.rows[r]
		bound := row.upper
		if step[f] < 0 {
			bound = row.lower
		}
		if room := bound - row.impulse; math.Abs(step[f]*fraction) > math.Abs(room) {
			fraction, blocking = max(0, room/step[f]), int(r)
		}
	}
	for f, r := range b.free {
		row := &b.rows[r]
		d := float64(step[f] * fraction)
		if int(r) == blocking {
			if d = row.upper - row.impulse; step[f] < 0 {
				d = row.lower - row.impulse
			}
			row.atBound = true
		}
		row.impulse = max(row.lower, min(row.upper, row.impulse+d))
		b.delta[r] += d
		b.residual[r] += float64(row.compliance * d)
		for s := range m {
			b.residual[s] += float64(b.coupling[int(r)*m+s] * d)
		}
	}
	return blocking < 0
}

// listFree lists the rows that are not at a bound.
func (b *articulationQP) listFree() {
	b.free = b.free[:0]
	for r := range b.rows {
		if !b.rows[r].atBound {
			b.free = append(b.free, int32(r))
		}
	}
}

// releaseRow frees the bound row with the largest multiplier of the wrong sign; false: none has one.
func (b *articulationQP) releaseRow() bool {
	most, which := rowTolerance, -1
	for r := range b.rows {
		row := &b.rows[r]
		if !row.atBound || row.lower == row.upper {
			continue
		}
		wants := -b.residual[r]
		if row.impulse == row.upper {
			wants = -wants
		}
		if wants > most {
			most, which = wants, r
		}
	}
	if which >= 0 {
		b.rows[which].atBound = false
	}
	return which >= 0
}

// factorFreeRows computes the Cholesky factor of the free rows' coupling, with inverted diagonal. A relative
// ε of 1e-12 on the diagonal lets redundant rows share their impulse.
func (b *articulationQP) factorFreeRows() {
	m, n := len(b.rows), len(b.free)
	c := b.factor[:n*n]
	for i, r := range b.free {
		for j, other := range b.free[:i+1] {
			c[i*n+j] = b.coupling[int(r)*m+int(other)]
		}
		row := &b.rows[r]
		c[i*n+i] = float64(c[i*n+i]*(1+1e-12)) + row.compliance + row.regularization
	}
	linalg.FactorCholesky(c, n, nil)
}

// solveFreeRows returns the impulse changes of the free rows.
func (b *articulationQP) solveFreeRows() []float64 {
	n := len(b.free)
	b.factorFreeRows()
	b.step = linalg.Grow(b.step, n)
	for i, r := range b.free {
		b.step[i] = -b.residual[r]
	}
	linalg.SolveCholesky(b.factor[:n*n], n, b.step)
	return b.step
}
