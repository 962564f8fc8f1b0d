package dynamics

import "simdeck/sim/r3"

// Rolling contacts are integrated to second order, so that bodies keep their energy however far they turn in
// a step. The impulse acts at the contact point of the substep's beginning; the velocity that must vanish is
// measured at the contact point of its middle. With one point for both, a wheel at 20 rad/s loses a third of
// its energy in ten seconds at a step of a millisecond. With both in the middle, gravity acts half a substep
// late, which is worse.
//
// A free body that is not round also turns of itself, after its contacts were solved (integrate_rotation.go).
// Contacts see its velocity in the middle of the substep too: half of the gyroscopic change is added before
// the pass with bias, and taken off before relaxation, when the body has turned.

const (
	// measureFraction is the part of a substep after which contact points are measured.
	measureFraction = 0.5
	// rollingIterations is the number of further passes over rolling contacts, which depend much on their
	// friction.
	rollingIterations = 4
	// minRollingCompliance is the least compliance between the two points, as a part of that at one point: a
	// thin body that turns far within a substep may yield to the wrong side.
	minRollingCompliance = 0.5
	// maxRollingTurn is the most, rad, that a body turns in a substep for its points to move.
	maxRollingTurn = 0.3
)

// isSteady reports that a body rolls: one that has just hit, or turns far even in a substep, does not.
func (e *rollingContact) isSteady(s *solver) bool {
	return !e.impacting && float64(s.states[e.body].w.Len2()*float64(s.h*s.h)) < maxRollingTurn*maxRollingTurn
}

// rotationSince is the rotation of the body since the step began.
func (e *rollingContact) rotationSince(s *solver) r3.Quat {
	if s.flags[e.body].tracksRotation {
		return s.rotations[e.body].Mul(e.rot.Conj())
	}
	return r3.Identity().Turn(s.states[e.body].deltaRotation)
}

// moveRollingContacts moves contact points to where they are when a substep begins.
func (s *solver) moveRollingContacts() {
	for i := range s.rollingContacts {
		if e := &s.rollingContacts[i]; e.isSteady(s) {
			e.move(s)
		}
	}
}

// gap is the gap, m, that a point of the arm with the moment r would have had when the step began: with the
// motion since, rows come to the gap of now.
func (e *rollingContact) gap(s *solver, p *rollingPoint, r r3.Vec) float64 {
	arm := p.at(e.rotation, e.outward)
	way, turned := e.normal.Dot(arm.Sub(p.arm)), r.Dot(s.states[e.body].deltaRotation)
	if e.side {
		return p.gap + way - turned
	}
	return p.gap - way + turned
}

func (e *rollingContact) move(s *solver) {
	b, lane := &s.batches[e.batch], int(e.lane)
	e.rotation = e.rotationSince(s)
	wa, wb := &s.masses[b.a[lane]], &s.masses[b.b[lane]]
	load := 0.0
	for k := range e.n {
		r, p := &s.rows[int(b.firstRow)+k], &e.points[k]
		load += r.impulse[lane]
		moment := p.at(e.rotation, e.outward).Cross(e.normal)
		_, side := r.rollingSide(e)
		side.set(lane, moment)
		r.gap.set(lane, e.gap(s, p, side.at(lane)))
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

// rollingSide is the turn and the Jacobian of a row on the side of the rolling body.
func (r *contactRow) rollingSide(e *rollingContact) (turn, side *lanes32x3) {
	if e.side {
		return &r.turnB, &r.armCrossNormalB
	}
	return &r.turnA, &r.armCrossNormalA
}

// setFrictionCenter puts the arm of friction where the body touches after the rotation q.
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

// predictRollingContacts lets rows measure at the points of the substep's middle, once it is warm started:
// bodies then turn nearly as they will.
func predictRollingContacts(w *World) {
	s := &w.solver
	for i := range s.rollingContacts {
		if e := &s.rollingContacts[i]; e.isSteady(s) {
			e.predict(s)
		}
	}
	w.solver.addGyroscopicKicks(&w.bodies, measureFraction)
}

func (e *rollingContact) predict(s *solver) {
	b, lane := &s.batches[e.batch], int(e.lane)
	e.rotation = e.rotationSince(s)
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
		r.gap.set(lane, e.gap(s, &e.points[k], side.at(lane)))
		r.mass.set(lane, 1/yields[k])
	}
	b.setFrictionCenter(e, then)
}

// addGyroscopicKicks adds to free rolling bodies the gyroscopic change of velocity in a part of a substep.
func (s *solver) addGyroscopicKicks(bodies *bodySet, part float64) {
	for i := range s.rollingContacts {
		e := &s.rollingContacts[i]
		t, m := &s.flags[e.body], &s.states[e.body]
		if !t.gyroscopic || t.jointed || t.gyroscopicKick || !e.isSteady(s) {
			continue
		}
		in, rot := &bodies.massProps[s.slots[e.body]], &s.rotations[e.body]
		momentum := rot.Rotate(in.inertia.Apply(rot.RotateBack(m.w)))
		e.gyroscopicKick = s.masses[e.body].applyInvInertia(momentum.Cross(m.w)).Scale(float64(part * s.h))
		m.w = m.w.Add(e.gyroscopicKick)
		e.kicked, t.gyroscopicKick = true, true
	}
}

// removeGyroscopicKicks takes these changes out again.
func (s *solver) removeGyroscopicKicks() {
	for i := range s.rollingContacts {
		if e := &s.rollingContacts[i]; e.kicked {
			s.states[e.body].w = s.states[e.body].w.Sub(e.gyroscopicKick)
			e.kicked, s.flags[e.body].gyroscopicKick = false, false
		}
	}
}

// iterateRollingContacts is the further passes over rolling contacts.
func (s *solver) iterateRollingContacts(p *iteration) {
	for range rollingIterations {
		for i := range s.rollingContacts {
			e := &s.rollingContacts[i]
			s.solveContactLane(&s.batches[e.batch], int(e.lane), p)
		}
	}
}
