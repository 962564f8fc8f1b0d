package physics

import "math"

// block is the scratch for solving the rows of a limb together.
type block struct {
	answers []float64 // by row and degree of freedom: what a unit of impulse does
	couple  []float64 // by row and row: the velocity that a unit of one's impulse makes at the other
	off     []float64 // by row: how far it is from what it wants
	free    []int32   // rows that are not held
	factor  []float64
	delta   []float64
	step    []float64
}

func grown(s []float64, n int) []float64 {
	for cap(s) < n {
		s = append(s[:cap(s)], 0)
	}
	return s[:n]
}

// couple finds what the rows do to each other, in this substep.
func (l *limb) couple() {
	n, m, b := len(l.dofs), len(l.rows), &l.block
	b.answers, b.couple = grown(b.answers, m*n), grown(b.couple, m*m)
	b.off, b.delta, b.factor = grown(b.off, m), grown(b.delta, m), grown(b.factor, m*m)
	for r := range l.rows {
		row := &l.rows[r]
		x := b.answers[r*n : r*n+n]
		l.spread(row, x)
		l.divide(x)
		for s := range r + 1 {
			v := l.rowDot(&l.rows[s], x)
			b.couple[r*m+s], b.couple[s*m+r] = v, v
		}
		if row.kind == rowSpeed {
			row.give = float64(brakeGive * b.couple[r*m+r])
		}
	}
	if len(l.loops) > 0 {
		l.loosen()
	}
}

// spread writes by how much a row looks at each degree of freedom.
func (l *limb) spread(row *limbRow, x []float64) {
	if row.wide > 0 {
		copy(x, l.wide[row.wide-1:])
		return
	}
	clear(x)
	x[row.i] = row.ci
	if row.j >= 0 {
		x[row.j] = row.cj
	}
	if row.k >= 0 {
		x[row.k] = row.ck
	}
}

// rowDot is what a row sees of a change of each degree of freedom.
func (l *limb) rowDot(o *limbRow, x []float64) float64 {
	if o.wide > 0 {
		v := 0.0
		for d, c := range l.wide[o.wide-1:][:len(x)] {
			v += float64(c * x[d])
		}
		return v
	}
	v := float64(o.ci * x[o.i])
	if o.j >= 0 {
		v += float64(o.cj * x[o.j])
	}
	if o.k >= 0 {
		v += float64(o.ck * x[o.k])
	}
	return v
}

// warmRows applies what the rows did in the last substep.
func (l *limb) warmRows() {
	for r := range l.rows {
		if row := &l.rows[r]; row.sum != 0 {
			l.applyRow(r, row.sum)
		}
	}
}

func (l *limb) applyRow(r int, impulse float64) {
	n := len(l.dofs)
	for i, x := range l.block.answers[r*n : r*n+n] {
		l.dofs[i].v += float64(impulse * x)
	}
}

// near enough, in rad/s or m/s, for a row to have what it wants.
const rowTolerance = 1e-11

// solveRows finds the impulses with which every row has what it wants or pushes as hard as it may: a
// quadratic program with bounds, solved by the primal active-set method from what held last time.
func (l *limb) solveRows(calm bool) {
	if len(l.rows) == 0 {
		return
	}
	b := &l.block
	worst := 0.0
	for r := range l.rows {
		row := &l.rows[r]
		target := row.target
		if calm {
			target = row.calm
		}
		b.off[r] = l.rowSpeed(row) + float64(row.give*row.sum) - target
		row.held = row.sum == row.lo && b.off[r] >= 0 || row.sum == row.hi && b.off[r] <= 0
		if !row.held {
			worst = max(worst, math.Abs(b.off[r]))
		}
		b.delta[r] = 0
	}
	if worst <= rowTolerance {
		return
	}
	for range 4*len(l.rows) + 4 {
		if l.descend() && !l.letGo() {
			break
		}
	}
	for r := range l.rows {
		if b.delta[r] != 0 {
			l.applyRow(r, b.delta[r])
		}
	}
}

// descend moves the free rows towards where all have what they want; false: one came to its bound on
// the way and is held from now on.
func (l *limb) descend() bool {
	b, m := &l.block, len(l.rows)
	b.listFree(l.rows)
	step := l.solveFree()
	reach, stop := 1.0, -1
	for f, r := range b.free {
		row := &l.rows[r]
		bound := row.hi
		if step[f] < 0 {
			bound = row.lo
		}
		if room := bound - row.sum; math.Abs(step[f]*reach) > math.Abs(room) {
			reach, stop = max(0, room/step[f]), int(r)
		}
	}
	for f, r := range b.free {
		row := &l.rows[r]
		d := float64(step[f] * reach)
		if int(r) == stop {
			if d = row.hi - row.sum; step[f] < 0 {
				d = row.lo - row.sum
			}
			row.held = true
		}
		row.sum = max(row.lo, min(row.hi, row.sum+d))
		b.delta[r] += d
		b.off[r] += float64(row.give * d)
		for s := range m {
			b.off[s] += float64(b.couple[int(r)*m+s] * d)
		}
	}
	return stop < 0
}

func (b *block) listFree(rows []limbRow) {
	b.free = b.free[:0]
	for r := range rows {
		if !rows[r].held {
			b.free = append(b.free, int32(r))
		}
	}
}

// letGo frees the held row that most wants to leave its bound; false: there is none.
func (l *limb) letGo() bool {
	most, which := rowTolerance, -1
	for r := range l.rows {
		row := &l.rows[r]
		if !row.held || row.lo == row.hi {
			continue
		}
		wants := -l.block.off[r]
		if row.sum == row.hi {
			wants = -wants
		}
		if wants > most {
			most, which = wants, r
		}
	}
	if which >= 0 {
		l.rows[which].held = false
	}
	return which >= 0
}

// factorFree makes the Cholesky factor of what the free rows do to each other, with the diagonal inverted;
// rows that want the same thing share it, thanks to a hair on the diagonal.
func (l *limb) factorFree() {
	b, m, n := &l.block, len(l.rows), len(l.block.free)
	c := b.factor[:n*n]
	for i, r := range b.free {
		row := c[i*n : i*n+n]
		for j := range i + 1 {
			v := b.couple[int(r)*m+int(b.free[j])]
			if i == j {
				v = float64(v*(1+1e-12)) + l.rows[r].give + l.rows[r].hair
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

// solveFree is by how much the free rows' impulses must change.
func (l *limb) solveFree() []float64 {
	b, n := &l.block, len(l.block.free)
	l.factorFree()
	b.step = grown(b.step, n)
	c, x := b.factor[:n*n], b.step
	for i, r := range b.free {
		v := -b.off[r]
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
