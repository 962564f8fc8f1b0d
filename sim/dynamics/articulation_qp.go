package dynamics

import "math"

// articulationQP is the scratch for solving the rows of a limb together.
type articulationQP struct {
	rows              []articulationRow
	denseCoefficients []float64 // by degree of freedom, of rows that depend on many
	rowResponses      []float64 // by row and degree of freedom: what a unit of impulse does
	coupling          []float64 // by row and row: the velocity that a unit of one's impulse makes at the other
	residual          []float64 // by row: how far it is from what it wants
	free              []int32   // rows that are not held
	factor            []float64
	delta             []float64
	step              []float64
}

func resizedScratch(s []float64, n int) []float64 {
	for cap(s) < n {
		s = append(s[:cap(s)], 0)
	}
	return s[:n]
}

// computeCoupling finds what the rows do to each other, in this substep.
func (l *articulation) computeCoupling() {
	n, m, b := len(l.dofs), len(l.qp.rows), &l.qp
	b.rowResponses, b.coupling = resizedScratch(b.rowResponses, m*n), resizedScratch(b.coupling, m*m)
	b.residual, b.delta, b.factor = resizedScratch(b.residual, m), resizedScratch(b.delta, m), resizedScratch(b.factor, m*m)
	for r := range l.qp.rows {
		row := &l.qp.rows[r]
		x := b.rowResponses[r*n : r*n+n]
		row.scatter(l, x)
		l.solveInertia(x)
		for s := range r + 1 {
			v := l.qp.rows[s].dot(l, x)
			b.coupling[r*m+s], b.coupling[s*m+r] = v, v
		}
		if row.kind == rowVelocityLimit {
			row.compliance = float64(velocityLimitCompliance * b.coupling[r*m+r])
		}
	}
	if len(l.loops) > 0 {
		l.regularizeRows()
	}
}

// scatter writes by how much a row looks at each degree of freedom.
func (row *articulationRow) scatter(l *articulation, x []float64) {
	if row.dense > 0 {
		copy(x, l.qp.denseCoefficients[row.dense-1:])
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

// dot is what a row sees of a change of each degree of freedom.
func (o *articulationRow) dot(l *articulation, x []float64) float64 {
	if o.dense > 0 {
		v := 0.0
		for d, c := range l.qp.denseCoefficients[o.dense-1:][:len(x)] {
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

// warmStartRows applies what the rows did in the last substep.
func (b *articulationQP) warmStartRows(dofs []dof) {
	for r := range b.rows {
		if row := &b.rows[r]; row.impulse != 0 {
			b.applyRow(dofs, r, row.impulse)
		}
	}
}

func (b *articulationQP) applyRow(dofs []dof, r int, impulse float64) {
	n := len(dofs)
	for i, x := range b.rowResponses[r*n : r*n+n] {
		dofs[i].v += float64(impulse * x)
	}
}

// near enough, in rad/s or m/s, for a row to have what it wants.
const rowTolerance = 1e-11

// solveRowQP finds the impulses with which every row has what it wants or pushes as hard as it may: a
// quadratic program with bounds, solved by the primal active-set method from what held last time.
func (l *articulation) solveRowQP(relax bool) {
	if len(l.qp.rows) == 0 {
		return
	}
	b := &l.qp
	worst := 0.0
	for r := range l.qp.rows {
		row := &l.qp.rows[r]
		target := row.target
		if relax {
			target = row.relaxedTarget
		}
		b.residual[r] = row.speed(l) + float64(row.compliance*row.impulse) - target
		row.atBound = row.impulse == row.lower && b.residual[r] >= 0 || row.impulse == row.upper && b.residual[r] <= 0
		if !row.atBound {
			worst = max(worst, math.Abs(b.residual[r]))
		}
		b.delta[r] = 0
	}
	if worst <= rowTolerance {
		return
	}
	for range 4*len(l.qp.rows) + 4 {
		if b.activeSetStep() && !b.releaseRow() {
			break
		}
	}
	for r := range l.qp.rows {
		if b.delta[r] != 0 {
			b.applyRow(l.dofs, r, b.delta[r])
		}
	}
}

// activeSetStep moves the free rows towards where all have what they want; false: one came to its bound on
// the way and is held from now on.
func (b *articulationQP) activeSetStep() bool {
	m := len(b.rows)
	b.listFree()
	step := b.solveFreeRows()
	fraction, stop := 1.0, -1
	for f, r := range b.free {
		row := &b.rows[r]
		bound := row.upper
		if step[f] < 0 {
			bound = row.lower
		}
		if room := bound - row.impulse; math.Abs(step[f]*fraction) > math.Abs(room) {
			fraction, stop = max(0, room/step[f]), int(r)
		}
	}
	for f, r := range b.free {
		row := &b.rows[r]
		d := float64(step[f] * fraction)
		if int(r) == stop {
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
	return stop < 0
}

func (b *articulationQP) listFree() {
	b.free = b.free[:0]
	for r := range b.rows {
		if !b.rows[r].atBound {
			b.free = append(b.free, int32(r))
		}
	}
}

// releaseRow frees the held row that most wants to leave its bound; false: there is none.
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

// factorFreeRows makes the Cholesky factor of what the free rows do to each other, with the diagonal inverted;
// rows that want the same thing share it, thanks to a hair on the diagonal.
func (b *articulationQP) factorFreeRows() {
	m, n := len(b.rows), len(b.free)
	c := b.factor[:n*n]
	for i, r := range b.free {
		row := c[i*n : i*n+n]
		for j := range i + 1 {
			v := b.coupling[int(r)*m+int(b.free[j])]
			if i == j {
				v = float64(v*(1+1e-12)) + b.rows[r].compliance + b.rows[r].regularization
			}
			other := c[j*n : j*n+n]
			for k := range j {
				v -= float64(row[k] * other[k])
			}
			if i == j {
				row[j] = 1 / math.Sqrt(max(v, 1e-300))
			} else {
				row[j] = float64(v * other[j])
			}
		}
	}
}

// solveFreeRows is by how much the free rows' impulses must change.
func (b *articulationQP) solveFreeRows() []float64 {
	n := len(b.free)
	b.factorFreeRows()
	b.step = resizedScratch(b.step, n)
	c, x := b.factor[:n*n], b.step
	for i, r := range b.free {
		v := -b.residual[r]
		for k := range i {
			v -= float64(c[i*n+k] * x[k])
		}
		x[i] = float64(v * c[i*n+i])
	}
	for i := n - 1; i >= 0; i-- {
		v := x[i]
		for k := i + 1; k < n; k++ {
			v -= float64(c[k*n+i] * x[k])
		}
		x[i] = float64(v * c[i*n+i])
	}
	return x
}
