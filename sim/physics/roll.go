package physics

import "simdeck/sim/r3"

// What rolls on a rim moves by a rule of second order, so that it keeps its energy however far it turns in a step. The
// ground pushes where the rim touches when the substep begins; what must not slip or sink is the point that will touch in the
// middle of the substep, for that is how the body moves through it. Pushed and measured at one and the same point, a wheel
// loses what its velocity changes by within a substep with each of them: at 20 rad/s a third of its energy in ten seconds
// at a step of a millisecond. Measured and pushed in the middle alone, gravity pulls half a substep late, which is worse.
//
// What also turns of itself, because it is not round, does so after the contacts were solved (turn.go). For them its
// velocity is that of the middle too: half of what the substep makes of it is added before they are solved, or taken off after
// it has turned.

const (
	// rimAhead is the part of a substep after which points are measured.
	rimAhead = 0.5
	// rimPasses is how many more passes go over the points of a rim. They depend much on what friction does at them.
	rimPasses = 4
	// rimYields is the least that a point may yield to what is pushed at another moment, as a part of what it does at the
	// same one: what is thin and turns far within a substep may yield to the wrong side.
	rimYields = 0.5
	// rimTurn is how far, in radians, a body may turn in a substep for its points to be moved.
	rimTurn = 0.3
)

// steady reports that a body rolls on a rim: what has just hit, or turns far even in a substep, does not.
func (s *solver) steady(e *rim) bool {
	return !e.hits && float64(s.moving[e.body].w.Len2()*float64(s.h*s.h)) < rimTurn*rimTurn
}

// turnedSince is by how much the body of a rim has turned since the step began.
func (s *solver) turnedSince(e *rim) r3.Quat {
	if s.traits[e.body].exact {
		return s.rots[e.body].Mul(e.rot.Conj())
	}
	return r3.Identity().Turn(s.moving[e.body].da)
}

// rollRims moves the points of rims to where they are when a substep begins.
func (s *solver) rollRims() {
	for i := range s.rims {
		if e := &s.rims[i]; s.steady(e) {
			s.rollRim(e)
		}
	}
}

// gapOf is what the gap of a point was when the step began, seen from an arm with the moment r, so that with what has moved
// since it comes out as it is now.
func (s *solver) gapOf(e *rim, p *rimPoint, r r3.Vec) float64 {
	arm := p.at(e.turned, e.out)
	way, turned := e.normal.Dot(arm.Sub(p.arm)), r.Dot(s.moving[e.body].da)
	if e.side {
		return p.gap + way - turned
	}
	return p.gap - way + turned
}

func (s *solver) rollRim(e *rim) {
	b, lane := &s.batches[e.batch], int(e.lane)
	e.turned = s.turnedSince(e)
	wa, wb := &s.weight[b.a[lane]], &s.weight[b.b[lane]]
	load := 0.0
	for k := range e.n {
		r, p := &s.rows[int(b.first)+k], &e.points[k]
		load += r.j[lane]
		moment := p.at(e.turned, e.out).Cross(e.normal)
		_, side := r.ofRim(e)
		side.set(lane, moment)
		r.gap.set(lane, s.gapOf(e, p, side.at(lane)))
		r.weigh(lane, r.ra.at(lane), r.rb.at(lane), wa, wb)
	}
	b.meetAt(e, e.turned)
	b.weighSpin(lane, wa, wb)
	b.weighFriction(lane, b.armA.at(lane), b.armB.at(lane), b.t1.at(lane), b.t2.at(lane), wa, wb)
	b.slide(lane, b.j1[lane], b.j2[lane], load)
	if b.slips&(1<<lane) != 0 {
		b.k11[lane], b.k12[lane], b.k22[lane] = 0, 0, 0
	}
}

// ofRim is what a row does to the body of a rim, and by what it sees it.
func (r *row) ofRim(e *rim) (turn, side *lean3) {
	if e.side {
		return &r.turnB, &r.rb
	}
	return &r.turnA, &r.ra
}

// meetAt puts the arm of friction where the rim touches when its body has turned by q.
func (b *batch) meetAt(e *rim, q r3.Quat) {
	n, middle := 0.0, r3.Vec{}
	for k := range e.n {
		if e.points[k].counts {
			n, middle = n+1, middle.Add(e.points[k].at(q, e.out))
		}
	}
	if middle = middle.Scale(1 / n); e.side {
		b.armB.set(int(e.lane), middle)
	} else {
		b.armA.set(int(e.lane), middle)
	}
}

// aheadRims lets what is measured at rims be that of the middle of the substep, once the impulses of the one before have
// been applied: by then bodies turn nearly as they will.
func (w *World) aheadRims() {
	s := &w.solver
	for i := range s.rims {
		if e := &s.rims[i]; s.steady(e) {
			s.aheadRim(e)
		}
	}
	w.gyreRims(rimAhead)
}

func (s *solver) aheadRim(e *rim) {
	b, lane := &s.batches[e.batch], int(e.lane)
	e.turned = s.turnedSince(e)
	then := e.turned.Turn(s.moving[e.body].w.Scale(float64(rimAhead * s.h)))
	mass := b.massA[lane] + b.massB[lane]
	var moments [pointsMax]r3.Vec
	var yields [pointsMax]float64
	for k := range e.n {
		turn, side := s.rows[int(b.first)+k].ofRim(e)
		moments[k] = e.points[k].at(then, e.out).Cross(e.normal)
		yields[k] = mass + moments[k].Dot(turn.at(lane))
		if !(yields[k] >= float64(rimYields*(mass+side.at(lane).Dot(turn.at(lane))))) {
			return
		}
	}
	for k := range e.n {
		r := &s.rows[int(b.first)+k]
		_, side := r.ofRim(e)
		side.set(lane, moments[k])
		r.gap.set(lane, s.gapOf(e, &e.points[k], side.at(lane)))
		r.mass.set(lane, 1/yields[k])
	}
	b.meetAt(e, then)
}

// gyreRims adds to the velocity of free bodies on rims by how much it turns of itself in a part of a substep.
func (w *World) gyreRims(part float64) {
	s := &w.solver
	for i := range s.rims {
		e := &s.rims[i]
		t, m := &s.traits[e.body], &s.moving[e.body]
		if !t.gyro || t.jointed || t.gyres || !s.steady(e) {
			continue
		}
		in, rot := &w.inert[s.slots[e.body]], &s.rots[e.body]
		momentum := rot.Rotate(in.inertia.Apply(rot.RotateBack(m.w)))
		e.gyre = s.weight[e.body].spun(momentum.Cross(m.w)).Scale(float64(part * s.h))
		m.w = m.w.Add(e.gyre)
		e.gyres, t.gyres = true, true
	}
}

// ungyreRims takes it away again.
func (s *solver) ungyreRims() {
	for i := range s.rims {
		if e := &s.rims[i]; e.gyres {
			s.moving[e.body].w = s.moving[e.body].w.Sub(e.gyre)
			e.gyres, s.traits[e.body].gyres = false, false
		}
	}
}

// solveRims is some more passes over all rims.
func (s *solver) solveRims(p *pass) {
	for range rimPasses {
		for i := range s.rims {
			e := &s.rims[i]
			s.solveLane(&s.batches[e.batch], int(e.lane), p)
		}
	}
}
