package physics

import "simdeck/sim/r3"

// What touches a body of a knot feels all that hangs on it, as what touches a link of a limb does: its contacts are
// limbPatches, which act through how the knot answers.

// knotLeast is how little a body of a knot yields at least, as a part of what it would yield alone. Where joints leave
// nothing that could yield, as of what is welded to the ground and lies on it, less than this is what was rounded, and
// an impulse by it has no bound.
const knotLeast = 1e-9

// knotReach is how a knot answers to a force and a torque at the centre of mass of one of its bodies.
type knotReach struct {
	knot   int32
	moving int32
	at     int32    // in knotReplies: what each row of the knot does about it
	self   answers6 // what becomes of the body
}

// inKnot reports that a body, by its slot, is one of a knot.
func (s *solver) inKnot(slot int32) bool {
	return len(s.knots) > 0 && s.knotOf[s.index[slot]] != 0
}

// reachKnot makes a knotReach of a body of a knot.
func (s *solver) reachKnot(slot int32) {
	if !s.inKnot(slot) {
		return
	}
	at := s.index[slot]
	if s.reachOf[at] == 0 {
		s.knotReaches = append(s.knotReaches, knotReach{knot: s.knotOf[at] - 1, moving: at})
		s.reachOf[at] = int32(len(s.knotReaches))
	}
}

// reachKnots finds how the knots answer to what touches them, where their bodies are now.
func (s *solver) reachKnots() {
	s.knotReplies = s.knotReplies[:0]
	for i := range s.knotReaches {
		c := &s.knotReaches[i]
		k := &s.knots[c.knot]
		c.at = int32(len(s.knotReplies))
		for n := k.row; n < k.rowEnd; n++ {
			q, y := &s.knotRows[n], answer{}
			if q.b == c.moving {
				y = answer{q.along.Scale(-q.massB), q.turnB.Neg()}
			} else if q.a == c.moving {
				y = answer{q.along.Scale(q.massA), q.turnA}
			}
			s.knotReplies = append(s.knotReplies, y)
		}
		s.divideReplies(k, s.knotReplies[c.at:])
		wt := &s.weight[c.moving]
		c.self = s.crossKnot(c, c)
		c.self.vf.XX += wt.invMass
		c.self.vf.YY += wt.invMass
		c.self.vf.ZZ += wt.invMass
		c.self.wt = c.self.wt.Add(wt.inv)
	}
}

// followKnots is reachKnots after the bodies have moved, for what touches them too.
func (s *solver) followKnots() {
	s.reachKnots()
	for i := range s.limbPatches {
		if p := &s.limbPatches[i]; p.a.knot+p.b.knot > 0 {
			s.weighLimbPatch(p)
		}
	}
}

// loosenKnots begins a substep: nothing holds the joints of knots yet.
func (s *solver) loosenKnots() {
	s.beginThrift()
	for i := range s.knotRows {
		s.knotRows[i].j = 0
	}
}

// divideReplies is divideKnot for six right-hand sides.
func (s *solver) divideReplies(k *knot, y []answer) {
	for i := range y {
		q := &s.knotRows[int(k.row)+i]
		sum := y[i]
		for n, x := range s.knotNumbers[q.at+q.from : q.at+k.row+int32(i)] {
			o := &y[int(q.from-k.row)+n]
			sum.lin, sum.ang = sum.lin.AddScaled(-x, o.lin), sum.ang.AddScaled(-x, o.ang)
		}
		y[i] = answer{sum.lin.Scale(q.inv), sum.ang.Scale(q.inv)}
	}
	for i := len(y) - 1; i >= 0; i-- {
		q := &s.knotRows[int(k.row)+i]
		y[i] = answer{y[i].lin.Scale(q.inv), y[i].ang.Scale(q.inv)}
		for n, x := range s.knotNumbers[q.at+q.from : q.at+k.row+int32(i)] {
			o := &y[int(q.from-k.row)+n]
			o.lin, o.ang = o.lin.AddScaled(-x, y[i].lin), o.ang.AddScaled(-x, y[i].ang)
		}
	}
}

// crossKnot is what the joints make of a force and a torque at the body of b for that of a.
func (s *solver) crossKnot(a, b *knotReach) answers6 {
	var out answers6
	k := &s.knots[b.knot]
	for i, y := range s.knotReplies[b.at : b.at+k.rowEnd-k.row] {
		q := &s.knotRows[int(k.row)+i]
		var push, turn r3.Vec
		if q.b == a.moving {
			push, turn = q.along.Scale(q.massB), q.turnB
		} else if q.a == a.moving {
			push, turn = q.along.Scale(-q.massA), q.turnA.Neg()
		} else {
			continue
		}
		addOuter(&out.vf, push, y.lin)
		addOuter(&out.vt, push, y.ang)
		addOuter(&out.wf, turn, y.lin)
		addOuter(&out.wt, turn, y.ang)
	}
	return out
}

// strikeReach lets a knot answer to an impulse at one of its bodies.
func (s *solver) strikeReach(c *knotReach, f, t r3.Vec) {
	k := &s.knots[c.knot]
	for i, y := range s.knotReplies[c.at : c.at+k.rowEnd-k.row] {
		s.strikeRow(&s.knotRows[int(k.row)+i], y.lin.Dot(f)+y.ang.Dot(t))
	}
}

// sameKnot reports that two ends are bodies of one knot.
func (s *solver) sameKnot(a, b *limbEnd) bool {
	return a.knot > 0 && b.knot > 0 && s.knotReaches[a.knot-1].knot == s.knotReaches[b.knot-1].knot
}

// crossKnots is what an impulse at b does to a, and at a to b.
func (s *solver) crossKnots(a, b *limbEnd) (ab, ba answers6) {
	x, y := &s.knotReaches[a.knot-1], &s.knotReaches[b.knot-1]
	return s.crossKnot(x, y), s.crossKnot(y, x)
}
