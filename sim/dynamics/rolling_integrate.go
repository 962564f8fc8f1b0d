package dynamics

import "simdeck/sim/r3"

// What rolls on a rim moves by a rule of second order, so that it keeps its energy however far it turns in a step. The
// ground pushes where the rim touches when the substep begins; what must not slip or sink is the point that will touch in the
// middle of the substep, for that is how the body moves through it. Pushed and measured at one and the same point, a wheel
// loses what its velocity changes by within a substep with each of them: at 20 rad/s a third of its energy in ten seconds
// at a step of a millisecond. Measured and pushed in the middle alone, gravity pulls half a substep late, which is worse.
//
// What also turns of itself, because it is not round, does so after the contacts were solved (integrate_rotation.go). For them its
// velocity is that of the middle too: half of what the substep makes of it is added before they are solved, or taken off after
// it has turned.

const (
	// measureFraction is the part of a substep after which points are measured.
	measureFraction = 0.5
	// rollingIterations is how many more passes go over the points of a rim. They depend much on what friction does at them.
	rollingIterations = 4
	// minRollingCompliance is the least that a point may yield to what is pushed at another moment, as a part of what it does at the
	// same one: what is thin and turns far within a substep may yield to the wrong side.
	minRollingCompliance = 0.5
	// maxRollingTurn is how far, in radians, a body may turn in a substep for its points to be moved.
	maxRollingTurn = 0.3
)

// isRollingSteadily reports that a body rolls on a rim: what has just hit, or turns far even in a substep, does not.
func (s *solver) isRollingSteadily(e *rollingContact) bool {
	return !e.impacting && float64(s.states[e.body].w.Len2()*float64(s.h*s.h)) < maxRollingTurn*maxRollingTurn
}

// rotationSince is by how much the body of a rim has turned since the step began.
func (s *solver) rotationSince(e *rollingContact) r3.Quat {
	if s.flags[e.body].tracksRotation {
		return s.rotations[e.body].Mul(e.rot.Conj())
	}
	return r3.Identity().Turn(s.states[e.body].deltaRotation)
}

// moveRollingContacts moves the points of rims to where they are when a substep begins.
func (s *solver) moveRollingContacts() {
	for i := range s.rollingContacts {
		if e := &s.rollingContacts[i]; s.isRollingSteadily(e) {
			s.moveRollingContact(e)
		}
	}
}

// rollingGap is what the gap of a point was when the step began, seen from an arm with the moment r, so that with what has moved
// since it comes out as it is now.
func (s *solver) rollingGap(e *rollingContact, p *rollingPoint, r r3.Vec) float64 {
	arm := p.at(e.rotation, e.outward)
	way, turned := e.normal.Dot(arm.Sub(p.arm)), r.Dot(s.states[e.body].deltaRotation)
	if e.side {
		return p.gap + way - turned
	}
	return p.gap - way + turned
}

func (s *solver) moveRollingContact(e *rollingContact) {
	b, lane := &s.batches[e.batch], int(e.lane)
	e.rotation = s.rotationSince(e)
	wa, wb := &s.masses[b.a[lane]], &s.masses[b.b[lane]]
	load := 0.0
	for k := range e.n {
		r, p := &s.rows[int(b.firstRow)+k], &e.points[k]
		load += r.impulse[lane]
		moment := p.at(e.rotation, e.outward).Cross(e.normal)
		_, side := r.rollingSide(e)
		side.set(lane, moment)
		r.gap.set(lane, s.rollingGap(e, p, side.at(lane)))
		r.updateMass(lane, r.armCrossNormalA.at(lane), r.armCrossNormalB.at(lane), wa, wb)
	}
	b.setFrictionCenter(e, e.rotation)
	b.updateSpinMass(lane, wa, wb)
	b.updateFrictionMass(lane, b.armA.at(lane), b.armB.at(lane), b.t1.at(lane), b.t2.at(lane), wa, wb)
	b.applySliding(lane, b.tangentImpulse1[lane], b.tangentImpulse2[lane], load)
	if b.slipMask&(1<<lane) != 0 {
		b.invK11[lane], b.invK12[lane], b.invK22[lane] = 0, 0, 0
	}
}

// rollingSide is what a row does to the body of a rim, and by what it sees it.
func (r *contactRow) rollingSide(e *rollingContact) (turn, side *lanes32x3) {
	if e.side {
		return &r.turnB, &r.armCrossNormalB
	}
	return &r.turnA, &r.armCrossNormalA
}

// setFrictionCenter puts the arm of friction where the rim touches when its body has turned by q.
func (b *contactBatch) setFrictionCenter(e *rollingContact, q r3.Quat) {
	n, middle := 0.0, r3.Vec{}
	for k := range e.n {
		if e.points[k].inCenter {
			n, middle = n+1, middle.Add(e.points[k].at(q, e.outward))
		}
	}
	if middle = middle.Scale(1 / n); e.side {
		b.armB.set(int(e.lane), middle)
	} else {
		b.armA.set(int(e.lane), middle)
	}
}

// predictRollingContacts lets what is measured at rims be that of the middle of the substep, once the impulses of the one before have
// been applied: by then bodies turn nearly as they will.
func (w *World) predictRollingContacts() {
	s := &w.solver
	for i := range s.rollingContacts {
		if e := &s.rollingContacts[i]; s.isRollingSteadily(e) {
			s.predictRollingContact(e)
		}
	}
	w.addGyroscopicKicks(measureFraction)
}

func (s *solver) predictRollingContact(e *rollingContact) {
	b, lane := &s.batches[e.batch], int(e.lane)
	e.rotation = s.rotationSince(e)
	then := e.rotation.Turn(s.states[e.body].w.Scale(float64(measureFraction * s.h)))
	mass := b.massA[lane] + b.massB[lane]
	var moments [maxManifoldPoints]r3.Vec
	var yields [maxManifoldPoints]float64
	for k := range e.n {
		turn, side := s.rows[int(b.firstRow)+k].rollingSide(e)
		moments[k] = e.points[k].at(then, e.outward).Cross(e.normal)
		yields[k] = mass + moments[k].Dot(turn.at(lane))
		if !(yields[k] >= float64(minRollingCompliance*(mass+side.at(lane).Dot(turn.at(lane))))) {
			return
		}
	}
	for k := range e.n {
		r := &s.rows[int(b.firstRow)+k]
		_, side := r.rollingSide(e)
		side.set(lane, moments[k])
		r.gap.set(lane, s.rollingGap(e, &e.points[k], side.at(lane)))
		r.mass.set(lane, 1/yields[k])
	}
	b.setFrictionCenter(e, then)
}

// addGyroscopicKicks adds to the velocity of free bodies on rims by how much it turns of itself in a part of a substep.
func (w *World) addGyroscopicKicks(part float64) {
	s := &w.solver
	for i := range s.rollingContacts {
		e := &s.rollingContacts[i]
		t, m := &s.flags[e.body], &s.states[e.body]
		if !t.gyroscopic || t.jointed || t.gyroscopicKick || !s.isRollingSteadily(e) {
			continue
		}
		in, rot := &w.massProps[s.slots[e.body]], &s.rotations[e.body]
		momentum := rot.Rotate(in.inertia.Apply(rot.RotateBack(m.w)))
		e.gyroscopicKick = s.masses[e.body].applyInvInertia(momentum.Cross(m.w)).Scale(float64(part * s.h))
		m.w = m.w.Add(e.gyroscopicKick)
		e.kicked, t.gyroscopicKick = true, true
	}
}

// removeGyroscopicKicks takes it away again.
func (s *solver) removeGyroscopicKicks() {
	for i := range s.rollingContacts {
		if e := &s.rollingContacts[i]; e.kicked {
			s.states[e.body].w = s.states[e.body].w.Sub(e.gyroscopicKick)
			e.kicked, s.flags[e.body].gyroscopicKick = false, false
		}
	}
}

// iterateRollingContacts is some more passes over all rims.
func (s *solver) iterateRollingContacts(p *iteration) {
	for range rollingIterations {
		for i := range s.rollingContacts {
			e := &s.rollingContacts[i]
			s.solveContactLane(&s.batches[e.batch], int(e.lane), p)
		}
	}
}
