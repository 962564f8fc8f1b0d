package physics

import (
	"math"
	"slices"

	"simdeck/sim/r3"
)

// A contact of a limb acts on the limb as it is braced: motors that hold, stops that are leant on, friction
// that sticks and gears answer to it at once, within its own impulse. Were they to answer only when it is
// their turn again, a foot on a leg that a motor holds would seem as light as the shin, though it bears the
// trunk: it would need some hundred passes to find what it carries, push meanwhile too little and then too
// much, and the leg would tremble. Where a row comes to its bound on the way, the contact goes on without it.

// bracedLeast is how little a braced limb yields at least, as a part of what it yields with nothing that holds.
// Where joints that hold are all that could yield, as between two links of one that leans on its stop, a
// contact that found that it is pressed would otherwise push without end.
const bracedLeast = 0.01

// braceLimbs finds how the limbs that are touched answer, with the rows that now hold; where they are those
// of the pass before, and it is still the same substep, nothing is to be done.
func (w *World) braceLimbs(again bool) {
	s := &w.solver
	if len(s.limbPatches) == 0 {
		return
	}
	changed := !again
	for _, i := range s.limbs {
		if l := &w.limbs[i]; len(l.reaches) > 0 && l.brace(again) {
			changed = true
		}
	}
	if changed {
		s.weighLimbPatches()
	}
}

// brace finds the braced answers of all reaches; false: they are known.
func (l *limb) brace(again bool) bool {
	b := &l.block
	b.listFree(l.rows)
	if again && slices.Equal(b.free, l.braces) {
		return false
	}
	l.braces = append(l.braces[:0], b.free...)
	l.braced = append(l.braced[:0], l.answers...)
	if n := len(l.braces) * len(l.reaches); cap(l.backs) < n {
		l.backs = make([]answer, n, 2*n)
	} else {
		l.backs = l.backs[:n]
	}
	l.factorFree()
	for r := range l.reaches {
		c := &l.reaches[r]
		l.holdBack(c, l.backs[r*len(l.braces):][:len(l.braces)])
		c.braced = l.cross(l.braced, c, c)
	}
	return true
}

// holdBack takes from an answer what the rows that hold push back; back is their impulses.
func (l *limb) holdBack(c *reach, back []answer) {
	b, n, m := &l.block, len(l.dofs), len(l.braces)
	x := l.braced[int(c.at) : int(c.at)+n]
	for i, r := range l.braces {
		y := l.rowAnswer(&l.rows[r], x)
		for k := range i {
			y.add(-b.factor[i*m+k], &back[k])
		}
		back[i] = y.scaled(b.factor[i*m+i])
	}
	for i := m - 1; i >= 0; i-- {
		y := back[i]
		for k := i + 1; k < m; k++ {
			y.add(b.factor[k*m+i], &back[k])
		}
		back[i] = y.scaled(-b.factor[i*m+i])
	}
	for i, r := range l.braces {
		for d, a := range b.answers[int(r)*n : int(r)*n+n] {
			if a != 0 {
				x[d].add(a, &back[i])
			}
		}
	}
}

// rowAnswer is what a row sees of an answer of each degree of freedom.
func (l *limb) rowAnswer(row *limbRow, x []answer) answer {
	if row.wide > 0 {
		y := answer{}
		for d, c := range l.wide[row.wide-1:][:len(x)] {
			y.add(c, &x[d])
		}
		return y
	}
	y := x[row.i].scaled(row.ci)
	if row.j >= 0 {
		y.add(row.cj, &x[row.j])
	}
	if row.k >= 0 {
		y.add(row.ck, &x[row.k])
	}
	return y
}

func (a *answer) add(k float64, b *answer) {
	a.lin, a.ang = a.lin.AddScaled(k, b.lin), a.ang.AddScaled(k, b.ang)
}

func (a *answer) scaled(k float64) answer { return answer{a.lin.Scale(k), a.ang.Scale(k)} }

// strikeBraced applies an impulse at the COM of a link, and what the rows push back.
func (l *limb) strikeBraced(c *reach, at int32, f, t r3.Vec) {
	for i := range l.dofs {
		x := &l.braced[int(c.at)+i]
		l.dofs[i].v += x.lin.Dot(f) + x.ang.Dot(t)
	}
	for i, r := range l.braces {
		x := &l.backs[int(at)*len(l.braces)+i]
		row := &l.rows[r]
		row.sum = max(row.lo, min(row.hi, row.sum+x.lin.Dot(f)+x.ang.Dot(t)))
	}
}

// noteImpulses keeps what a patch pushes, to go back to a part of the way.
func (s *solver) noteImpulses(p *limbPatch) {
	rows := s.allRows(p)
	for k := range rows {
		rows[k].was = rows[k].j
	}
}

// strikeWithin applies the impulses that a patch has found; true: only a part of them, up to where a row of a
// limb came to its bound. From there on that row no longer braces the limb, and the patch is to be solved anew.
func (s *solver) strikeWithin(p *limbPatch, onA, onB *kick) bool {
	part, limb, row := 1.0, (*limb)(nil), 0
	for _, e := range [2]struct {
		end *limbEnd
		on  *kick
	}{{&p.a, onA}, {&p.b, onB}} {
		if e.end.limb == nil {
			continue
		}
		if k, r := e.end.limb.bears(e.end.reach, e.on); k < part {
			part, limb, row = k, e.end.limb, r
		}
	}
	s.strikeBraced(&p.a, onA.v.Scale(part), onA.w.Scale(part))
	s.strikeBraced(&p.b, onB.v.Scale(part), onB.w.Scale(part))
	if limb == nil {
		return false
	}
	rows := s.allRows(p)
	for k := range rows {
		r := &rows[k]
		r.j = r.was + float64(part*(r.j-r.was))
	}
	limb.rows[row].held = true
	limb.brace(false)
	s.weighLimbPatches()
	return true
}

// bears is the part of an impulse on a link up to which the rows that brace the limb stay within their bounds,
// and the first that does not.
func (l *limb) bears(at int32, on *kick) (part float64, first int) {
	part = 1
	for i, r := range l.braces {
		x, row := &l.backs[int(at)*len(l.braces)+i], &l.rows[r]
		d := x.lin.Dot(on.v) + x.ang.Dot(on.w)
		room := row.hi - row.sum
		if d < 0 {
			room = row.lo - row.sum
		}
		if float64(part*math.Abs(d)) > math.Abs(room)+1e-12 {
			part, first = room/d, int(r)
		}
	}
	return part, first
}

// rememberRows keeps for the next substep what the rows of limbs push.
func (w *World) rememberRows() {
	for _, i := range w.solver.limbs {
		for r := range w.limbs[i].rows {
			if row := &w.limbs[i].rows[r]; row.kind != rowLoop {
				*w.joints[row.joint].memory(row.kind) = row.sum
			}
		}
	}
}
