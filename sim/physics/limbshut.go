package physics

import "math"

// The ends of a joint that closes a loop stay together in two ways. Velocities that would part them are taken out with
// all other rows of the limb's block. What they are apart nevertheless, since links go straight ahead in a substep, is
// taken back at its end by shifting the joints, by the least that does it, measured by the links' inertia; and what the
// velocities have parted by because the links have turned is taken out where they are then. So nothing that draws ends
// together ever becomes motion: a loop that cannot be closed, or hardly, stays open and still.

// shut is the scratch for closing loops.
type shut struct {
	looks   []float64 // by row and degree of freedom
	answers []float64 // likewise: what a unit of impulse does
	couple  []float64 // by row and row
	factor  []float64
	off     []float64 // by row: how far it is off
	fast    []float64 // and how fast
	hair    []float64
	push    []float64
	shift   []float64 // by degree of freedom
	rows    int
	budget
}

const (
	// shiftHair is loopHair for shifts of joints: a loop that is held in a direction by less than about this part of its
	// inertia is not drawn together along it, since that would take long ways.
	shiftHair = 1e-5
	// mostShift is how far, in radians, a shift turns links at most.
	mostShift = 0.1
)

// closeLimbs keeps the limbs that are counted to their budgets at the end of a substep, and closes their loops.
func (w *World) closeLimbs() {
	for _, i := range w.solver.limbs {
		if l := &w.limbs[i]; l.counted && !l.whirled {
			w.closeLimb(l, w.solver.h)
		}
	}
}

// closeLimb closes the loops of a limb, and keeps it to its budget.
func (w *World) closeLimb(l *limb, h float64) {
	com, rot := w.basePose(l)
	budget := w.earned(l, h)
	swift := !l.quiet && !l.tied && (l.swift || l.isSwift(h, suddenly))
	if swift {
		l.takeAlong(h)
	}
	w.poseLimb(l, 0, com, rot)
	w.twistBase(l, com)
	if swift {
		w.carryOn(l, com, rot)
	}
	if !l.shut.exact { // nothing but shifts of joints is counted by the way
		l.noteWay()
		budget += l.springEnergy()
	}
	if len(l.loops) > 0 {
		w.closeLoops(l, h)
		w.poseLimb(l, 0, com, rot)
	}
	w.weighLinks(l)
	budget -= l.springEnergy()
	if l.shut.exact {
		w.keepMomentum(l, h)
		budget += l.workOnWay()
	} else {
		budget += l.workOnWay()
		w.keepMomentum(l, h) // the way of the whole is the one that has been counted
	}
	l.keepBudget(budget)
	l.posed = l.base < 0 || w.bodies[l.base].kind == Static
	if l.touched {
		w.showShut(l)
	}
}

// closeLoops shifts the joints to where the loops close, and takes out by which the velocities part them.
func (w *World) closeLoops(l *limb, h float64) {
	w.weighLimb(l, 0)
	w.gatherShut(l, h)
	l.shiftJoints(w)
	l.straighten()
}

// gatherShut finds all that is to be closed: the loops, and with them the stops and gears that hold or are overrun.
func (w *World) gatherShut(l *limb, h float64) {
	s, n := &l.shut, len(l.dofs)
	s.rows, s.looks, s.off, s.fast, s.hair = 0, s.looks[:0], s.off[:0], s.fast[:0], s.hair[:0]
	most, mostTurn := float64(reelSpeed*h), float64(unskewSpeed*h)
	for i := range l.loops {
		c := &l.loops[i]
		a, b := w.followLoop(l, c)
		c.row.apart, c.row.skewed = limitTo(c.row.apart, most), limitTo(c.row.skewed, mostTurn)
		holds := c.row.holds()
		for part, held := range holds[:axisPart] {
			if !held {
				continue
			}
			along, armA, armB := c.row.lever(uint8(part))
			x := s.add(n, c.row.off(uint8(part)), along.Dot(b.v.Sub(a.v))+armB.Dot(b.w)-armA.Dot(a.w))
			l.look(c, x, along, armA, armB)
			for d, k := range x {
				s.fast[s.rows-1] += float64(k * l.dofs[d].v)
			}
		}
	}
	for r := range l.rows {
		row := &l.rows[r]
		if off, holds := w.overrun(l, row); holds {
			l.spread(row, s.add(n, max(-mostTurn, min(mostTurn, off)), 0))
		}
	}
	l.coupleShut()
}

// add makes a row that is off by so much, and returns by how much it looks at each degree of freedom.
func (s *shut) add(n int, off, fast float64) []float64 {
	s.rows++
	s.off, s.fast, s.hair = append(s.off, off), append(s.fast, fast), append(s.hair, 0)
	s.looks = grown(s.looks, s.rows*n)
	return s.looks[(s.rows-1)*n:]
}

// overrun is by how much a stop or gear is off; false: it is not, nor does it hold.
func (w *World) overrun(l *limb, row *limbRow) (off float64, holds bool) {
	j := &w.joints[row.joint]
	q := 0.0
	switch {
	case row.kind != rowLower && row.kind != rowUpper && row.kind != rowGear:
		return 0, false
	case j.kind == Ball:
		q = l.links[j.link].turn.Vector().Len()
	case row.wide > 0:
		q = l.loopAt(row.joint)
	default:
		q = l.dofs[row.i].q
	}
	switch {
	case row.kind == rowGear:
		return w.gearOff(l, row, j), true
	case row.kind == rowUpper:
		off = max(0, q-j.upper)
	case j.locked():
		return q - j.lower, true
	default:
		off = min(0, q-j.lower)
	}
	return off, off != 0 || row.sum != 0
}

// loopAt is the position of a joint that closes a loop.
func (l *limb) loopAt(slot int32) float64 {
	for i := range l.loops {
		if l.loops[i].row.slot == slot {
			return l.loops[i].row.position
		}
	}
	return 0
}

// gearOff is by how much a follower is not where its leader wants it.
func (w *World) gearOff(l *limb, row *limbRow, j *joint) float64 {
	lead := &w.joints[j.gear.leader]
	want := float64(j.gear.ratio*l.dofs[l.links[lead.link].first].q) + j.gear.offset
	if row.j < 0 {
		want = max(j.lower, min(j.upper, want))
	}
	return l.dofs[row.i].q - want
}

// coupleShut finds what the rows do to each other where the links are.
func (l *limb) coupleShut() {
	s, n := &l.shut, len(l.dofs)
	m := s.rows
	s.answers, s.couple, s.factor, s.push = grown(s.answers, m*n), grown(s.couple, m*m), grown(s.factor, m*m), grown(s.push, m)
	copy(s.answers, s.looks[:m*n])
	for r := range m {
		x := s.answers[r*n : r*n+n]
		l.divide(x)
		for o := range r + 1 {
			sum := 0.0
			for d, k := range s.looks[o*n : o*n+n] {
				sum += float64(k * x[d])
			}
			s.couple[r*m+o] = sum
		}
	}
	for r := range m {
		s.hair[r] = s.couple[r*m+r]
	}
	r := 0
	for i := range l.loops {
		c := &l.loops[i]
		s.share(r, r+c.ends, c.loose[0])
		s.share(r+c.ends, r+c.ends+c.turns, c.loose[1])
		r += c.ends + c.turns
	}
}

// share gives the rows from first to end as hair all that they yield.
func (s *shut) share(first, end int, loose float64) {
	sum := float64(looseHair / loopHair * loose)
	for r := first; r < end; r++ {
		sum += s.couple[r*s.rows+r]
	}
	for r := first; r < end; r++ {
		s.hair[r] = sum
	}
}

// solve finds the impulses that change what the rows look at by -want, with a part of their hair, and what these do
// to each degree of freedom.
func (l *limb) solveShut(want []float64, hair float64) []float64 {
	s, n, m := &l.shut, len(l.dofs), l.shut.rows
	for i := range m {
		row := s.factor[i*m : i*m+m]
		for j := range i + 1 {
			v := s.couple[i*m+j]
			other := s.factor[j*m : j*m+m]
			for k := range j {
				v -= float64(row[k] * other[k])
			}
			if i == j {
				row[j] = 1 / math.Sqrt(max(v+float64(hair*s.hair[i]), 1e-300))
			} else {
				row[j] = float64(v * other[j])
			}
		}
	}
	for i := range m {
		v := -want[i]
		for k := range i {
			v -= float64(s.factor[i*m+k] * s.push[k])
		}
		s.push[i] = float64(v * s.factor[i*m+i])
	}
	for i := m - 1; i >= 0; i-- {
		v := s.push[i]
		for k := i + 1; k < m; k++ {
			v -= float64(s.factor[k*m+i] * s.push[k])
		}
		s.push[i] = float64(v * s.factor[i*m+i])
	}
	s.shift = grown(s.shift, n)
	clear(s.shift)
	for i := range m {
		for d, x := range s.answers[i*n : i*n+n] {
			s.shift[d] += float64(s.push[i] * x)
		}
	}
	return s.shift
}

// straighten takes out by which the velocities part the ends.
func (l *limb) straighten() {
	for d, x := range l.solveShut(l.shut.fast, loopHair) {
		l.dofs[d].v += x
	}
}

// shiftJoints takes back what the ends are apart.
func (l *limb) shiftJoints(w *World) {
	worst := 0.0
	for _, x := range l.shut.off {
		worst = max(worst, math.Abs(x))
	}
	if worst == 0 {
		return
	}
	shift := l.solveShut(l.shut.off, shiftHair)
	for d := range l.dofs {
		f := &l.dofs[d]
		f.last, f.v = f.v, shift[d]
	}
	part := 1.0
	if turn := l.pace(); turn > mostShift {
		part = mostShift / turn
	}
	w.moveJoints(l, part, 0)
	for d := range l.dofs {
		l.dofs[d].v = l.dofs[d].last
	}
}

// showShut shows the rest of the solver where the links are.
func (w *World) showShut(l *limb) {
	s := &w.solver
	l.moveLinks()
	for i := range l.links {
		k := &l.links[i]
		at := s.index[k.body]
		m := &s.moving[at]
		m.dp, s.rots[at] = k.com.Sub(w.motion[k.body].com), k.rot
		m.da = k.rot.Mul(w.motion[k.body].rot.Conj()).Vector()
		m.v, m.w = k.motion.at(k.arm), k.motion.ang
	}
}
