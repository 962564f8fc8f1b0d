package physics

import "simdeck/sim/r3"

// A joint in maximal coordinates may have a link of a limb at one or both of its ends: a wheel hangs on a base that
// carries an arm, or two trees hold each other. It then acts through the links' responses. One that closes a loop within
// a limb is solved with it (limbloop.go).

// tie notes which ends of a joint are links.
func (w *World) tie(r *jointRow, j *joint) {
	r.limbB = w.limbEnd(j.child)
	if j.parent >= 0 {
		r.limbA = w.limbEnd(j.parent)
	}
	for _, e := range [2]*limbEnd{&r.limbA, &r.limbB} {
		if e.limb != nil {
			r.tied, e.limb.tied = true, true
		}
	}
}

// placeTied shows the solver where the links are after a substep.
func (w *World) placeTied(l *limb) {
	s := &w.solver
	com, rot := w.basePose(l)
	swift := !l.quiet && (l.swift || l.isSwift(s.h, suddenly))
	if swift {
		l.takeAlong(s.h)
	}
	w.poseLimb(l, 0, com, rot)
	if swift {
		w.twistBase(l, com)
		w.carryOn(l, com, rot)
	}
	for i := range l.links {
		k := &l.links[i]
		at := s.index[k.body]
		s.moving[at].dp = k.com.Sub(w.motion[k.body].com)
		s.rots[at] = k.rot
	}
}

// refreshTied reads the velocities of the links at the ends of a joint.
func (s *solver) refreshTied(r *jointRow) {
	for _, e := range [2]*limbEnd{&r.limbA, &r.limbB} {
		if e.limb != nil {
			k := s.velocity(e)
			s.moving[e.moving].v, s.moving[e.moving].w = k.v, k.w
		}
	}
}

// strikeTied applies an impulse j and moments about the COMs, against end A and to end B.
func (s *solver) strikeTied(r *jointRow, j, momentA, momentB r3.Vec) {
	s.strike(&r.limbA, j.Neg(), momentA.Neg())
	s.strike(&r.limbB, j, momentB)
	s.refreshTied(r)
}

// answerTied is what an impulse j and moments do to the velocities of both ends.
func (s *solver) answerTied(r *jointRow, j, momentA, momentB r3.Vec) (a, b kick) {
	a, b = s.answer(&r.limbA, j.Neg(), momentA.Neg()), s.answer(&r.limbB, j, momentB)
	if l := r.limbA.limb; l != nil && l == r.limbB.limb {
		ra, rb := &l.reaches[r.limbA.reach], &l.reaches[r.limbB.reach]
		ab, ba := l.cross(l.answers, ra, rb), l.cross(l.answers, rb, ra)
		x, y := ab.apply(j, momentB), ba.apply(j.Neg(), momentA.Neg())
		a, b = kick{a.v.Add(x.v), a.w.Add(x.w)}, kick{b.v.Add(y.v), b.w.Add(y.w)}
	}
	return a, b
}

// yielding lets a joint yield freely in the directions in which its links do not move at all, as those of a planar loop
// or of one with joints to spare, and in the others as it does: to push there would change nothing now, but where the
// links have turned a little. It is k + ε²·k⁻¹, whose inverse is Tikhonov's of k.
func yielding(k r3.Mat) r3.Mat {
	size := k.XX + k.YY + k.ZZ
	hair := k
	hair.XX += float64(1e-9 * size)
	hair.YY += float64(1e-9 * size)
	hair.ZZ += float64(1e-9 * size)
	part := float64(yieldingPart * size)
	return k.Add(inverseSymmetric(&hair).Scale(float64(part * part)))
}

// yieldingPart is how little of what it yields in all a joint yields in a direction in which half of it is held.
const yieldingPart = 1e-4

// tiedTurning is how much the ends yield to a torque between them.
func (s *solver) tiedTurning(r *jointRow) r3.Mat {
	var c [3]r3.Vec
	for i := range c {
		e := r3.Vec{}.With(i, 1)
		a, b := s.answerTied(r, r3.Vec{}, e, e)
		c[i] = b.w.Sub(a.w)
	}
	return yielding(r3.Columns(c[0], c[1], c[2]))
}

// tiedMass is how much the ends yield to an impulse between them.
func (s *solver) tiedMass(r *jointRow) r3.Mat {
	var c [3]r3.Vec
	for i := range c {
		e := r3.Vec{}.With(i, 1)
		a, b := s.answerTied(r, e, r.armA.Cross(e), r.armB.Cross(e))
		c[i] = b.v.Add(b.w.Cross(r.armB)).Sub(a.v).Sub(a.w.Cross(r.armA))
	}
	return yielding(r3.Columns(c[0], c[1], c[2]))
}
