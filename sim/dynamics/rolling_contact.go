package dynamics

import (
	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// rollingContact is a manifold of a round geom with its centre of mass off its axis, or tilted on its rim: a
// rocking disc. Its contact point moves relative to the body and to the ground. A point fixed for a whole
// step would push ahead of the body on its way up and behind it on its way down. A rocking disc would gain
// energy with every swing. So these points move in each substep. Links of articulations and bodies of direct
// islands are left out: their responses go by the arms of the whole step.
type rollingContact struct {
	batch, lane          int32
	body                 int32 // in solver.states
	side                 bool  // the body is B
	rot                  r3.Quat
	rotation             r3.Quat // from rot to the orientation when the substep began
	normal, outward      r3.Vec  // outward: out of the round geom
	n                    int
	points               [maxManifoldPoints]rollingPoint
	impacting            bool
	corrected            bool   // gyroscopicCorrection is in the velocity of the body
	gyroscopicCorrection r3.Vec // rad/s
}

// rollingPoint is a point of a rollingContact when the step began.
type rollingPoint struct {
	arm      r3.Vec  // of the body
	bodyPart r3.Vec  // the part of it that turns with the body
	axis     r3.Vec  // of a cylinder's rim; zero: none
	radius   float64 // m, of that
	gap      float64
	inCenter bool // counts for the centre of friction
}

const (
	// minEccentricity is the distance of a centre of mass from the axis, as a part of the radius, from which
	// it is off.
	minEccentricity = 0.01
	// minTilt is the sine of the angle between axis and ground from which on a capsule or cylinder stands on
	// one rim.
	minTilt = 0.05
	// rollingPointTolerance is the largest distance of a contact point from the lowest point of a rim, as a
	// part of the radius.
	rollingPointTolerance = 0.05
)

// rollingContactOf is the rolling contact of a manifold; false: its points stay.
func (cb *contactBuilder) rollingContactOf(c *contact, h *manifoldPose, m *manifold) (rollingContact, bool) {
	s := cb.solver
	a, b := s.index[c.bodyA], s.index[c.bodyB]
	switch {
	case cb.bodies.all[c.bodyA].kind == Dynamic && b == 0:
		return cb.rollingContactOn(m, h, c.a, a, false)
	case cb.bodies.all[c.bodyB].kind == Dynamic && a == 0:
		return cb.rollingContactOn(m, h, c.b, b, true)
	}
	return rollingContact{}, false
}

// rollingContactOn is the rolling contact of a geom of a body in solver.states, which is on side B or not.
func (cb *contactBuilder) rollingContactOn(m *manifold, h *manifoldPose, geom, body int32,
	side bool) (rollingContact,
	bool) {
	slot := cb.solver.slots[body]
	e, moves := cb.roundContact(m, h, geom, slot, side)
	e.body = body
	off, axis := cb.roundAxis(geom, slot)
	return e, moves && cb.geoms.all[geom].hasMovingContactPoint(off, axis, e.outward)
}

// roundAxis is the middle of a geom from its body's center of mass, and the direction of its axis.
func (cb *contactBuilder) roundAxis(geom, slot int32) (off, axis r3.Vec) {
	p := &cb.geoms.placements[geom].Pose
	return p.Pos.Sub(cb.bodies.motion[slot].com), p.Rot.Rotate(r3.Vec{Z: 1})
}

// roundContact is the points of a manifold on a geom of a body, on side B or not. False: the geom is not
// round, or none of them moves with its roundness.
func (cb *contactBuilder) roundContact(m *manifold, h *manifoldPose, geom, slot int32,
	side bool) (e rollingContact, moves bool) {
	g := &cb.geoms.all[geom]
	if g.Kind != shape.KindSphere && g.Kind != shape.KindCapsule && g.Kind != shape.KindCylinder {
		return e, false
	}
	out := m.normal
	if side {
		out = out.Neg()
	}
	off, axis := cb.roundAxis(geom, slot)
	e = rollingContact{side: side, rot: cb.bodies.motion[slot].rot, normal: m.normal, outward: out,
		n: int(m.n)}
	for k := range m.n {
		arm := m.points[k].arm
		if side {
			arm = m.points[k].armB(h, m)
		}
		var round bool
		e.points[k], round = g.rollingPoint(arm, off, axis, out)
		moves = moves || round
		e.points[k].gap = m.points[k].gap
	}
	m.markCenterPoints(&e)
	return e, moves
}

// hasMovingContactPoint reports that contact points of a geom may move; off is its middle from the centre of
// mass.
func (g *geom) hasMovingContactPoint(off, axis, out r3.Vec) bool {
	tilt := 0.0
	switch g.Kind {
	case shape.KindCapsule, shape.KindCylinder:
		off, tilt = off.AddScaled(-off.Dot(axis), axis), axis.Dot(out)
	case shape.KindSphere:
	default:
		return false
	}
	return off.Len2() >= float64(minEccentricity*minEccentricity*g.Half.X*g.Half.X) ||
		float64(tilt*tilt) >= minTilt*minTilt
}

// addRollingContact adds the rolling contact of a lane, where it is one.
func (d *workerScratch) addRollingContact(cb *contactBuilder, at int32, lane int, c *contact, h *manifoldPose,
	m *manifold) {
	if c.hasFaces && !cb.bodies.isFreshManifold(c, h) {
		return
	}
	e, ok := cb.rollingContactOf(c, h, m)
	if !ok {
		return
	}
	e.batch, e.lane = at, int32(lane)
	if n := len(d.reweighted) - 1; n >= 0 && d.reweighted[n].batch == at &&
		d.reweighted[n].lane == int32(lane) {
		e.impacting = d.reweighted[n].noWarmStart
		d.reweighted[n].rolling = !e.impacting &&
			len(cb.bodies.all[c.bodyA].joints)+len(cb.bodies.all[c.bodyB].joints) == 0
	}
	d.rollingContacts = append(d.rollingContacts, e)
}

// isFreshManifold reports that the manifolds of a contact were found where its bodies are now.
func (bs *bodySet) isFreshManifold(c *contact, h *manifoldPose) bool {
	a, b := &bs.motion[c.bodyA], &bs.motion[c.bodyB]
	return h.turnA == a.rot && h.turnB == b.rot && h.separation == b.com.Sub(a.com)
}

// markCenterPoints marks the points of the friction centre, as manifold.frictionCenter chooses them.
func (m *manifold) markCenterPoints(e *rollingContact) {
	n := 0
	for pass := 0; pass < 2 && n == 0; pass++ {
		for k := range m.n {
			if pass == 1 || m.points[k].gap < touchDistance {
				e.points[k].inCenter = true
				n++
			}
		}
	}
}

// rollingPoint is the motion of the contact point at the end of an arm. off is the geom's middle relative to
// the center of mass; false for a fixed point.
func (g *geom) rollingPoint(arm, off, axis, out r3.Vec) (rollingPoint, bool) {
	stays := rollingPoint{arm: arm, bodyPart: arm}
	end := off
	if g.Kind != shape.KindSphere {
		along := arm.Sub(off).Dot(axis)
		if along < 0 {
			end = off.AddScaled(-g.Half.Z, axis)
		} else {
			end = off.AddScaled(g.Half.Z, axis)
		}
	}
	near := float64(rollingPointTolerance * rollingPointTolerance * g.Half.X * g.Half.X)
	if g.Kind != shape.KindCylinder {
		if arm.Sub(end.AddScaled(g.Half.X, out)).Len2() > near {
			return stays, false
		}
		return rollingPoint{arm: arm, bodyPart: end}, true
	}
	down := out.AddScaled(-out.Dot(axis), axis)
	u, ok := down.Unit()
	if !ok || down.Len2() < collide.MinRimTilt*collide.MinRimTilt ||
		arm.Sub(end.AddScaled(g.Half.X, u)).Len2() > near {

		return stays, false
	}
	return rollingPoint{arm: arm, bodyPart: arm.AddScaled(-g.Half.X, u), axis: axis, radius: g.Half.X}, true
}

// at is the arm after the rotation q of the body.
func (p *rollingPoint) at(q r3.Quat, out r3.Vec) r3.Vec {
	base := q.Rotate(p.bodyPart)
	if p.radius == 0 {
		return base.Add(p.arm.Sub(p.bodyPart))
	}
	axis := q.Rotate(p.axis)
	u, ok := out.AddScaled(-out.Dot(axis), axis).Unit()
	if !ok {
		return q.Rotate(p.arm)
	}
	return base.AddScaled(p.radius, u)
}

// Rolling contacts are integrated to second order, so that bodies keep their energy however far they turn in
// a step. The impulse acts at the contact point of the substep's beginning; the velocity that must vanish is
// measured at the contact point of its middle. With one point for both, a wheel at 20 rad/s loses a third of
// its energy in ten seconds at a step of a millisecond. With both in the middle, gravity acts half a substep
// late, which is worse.
//
// A free body that is not round also turns of itself, after its contacts were solved (integrate.go). Contacts
// use its velocity in the middle of the substep too. Half of the gyroscopic change is added before the pass
// with bias, and removed before relaxation, when the body has turned.

const (
	// measureFraction is the part of a substep after which contact points are measured.
	measureFraction = 0.5
	// rollingIterations is the number of further passes over rolling contacts, which depend much on their
	// friction.
	rollingIterations = 4
	// minRollingCompliance is the least compliance between the two points, relative to that at one point.
	// Without it a thin body that turns far within a substep may yield in the wrong direction.
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

// moveRollingContacts moves contact points to their positions at the beginning of a substep.
func (s *solver) moveRollingContacts() {
	for i := range s.rollingContacts {
		if e := &s.rollingContacts[i]; e.isSteady(s) {
			e.move(s)
		}
	}
}

// gap is the gap at the start of the step, m, of a point of the arm with the moment r. Rows add the motion
// since then and get the current gap.
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
		b.leaveFriction(lane)
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
func (s *solver) predictRollingContacts(bodies *bodySet) {
	for i := range s.rollingContacts {
		if e := &s.rollingContacts[i]; e.isSteady(s) {
			e.predict(s)
		}
	}
	s.addGyroscopicCorrections(bodies, measureFraction)
}

func (e *rollingContact) predict(s *solver) {
	b, lane := &s.batches[e.batch], int(e.lane)
	e.rotation = e.rotationSince(s)
	then := e.rotation.Turn(s.states[e.body].w.Scale(float64(measureFraction * s.h)))
	mass := b.massA[lane] + b.massB[lane]
	var moments [maxManifoldPoints]r3.Vec
	var inverseMasses [maxManifoldPoints]float64
	for k := range e.n {
		turn, side := s.rows[int(b.firstRow)+k].rollingSide(e)
		moments[k] = e.points[k].at(then, e.outward).Cross(e.normal)
		inverseMasses[k] = mass + moments[k].Dot(turn.at(lane))
		if !(inverseMasses[k] >= float64(minRollingCompliance*(mass+side.at(lane).Dot(turn.at(lane))))) {
			return
		}
	}
	for k := range e.n {
		r := &s.rows[int(b.firstRow)+k]
		_, side := r.rollingSide(e)
		side.set(lane, moments[k])
		r.gap.set(lane, e.gap(s, &e.points[k], side.at(lane)))
		r.mass.set(lane, 1/inverseMasses[k])
	}
	b.setFrictionCenter(e, then)
}

// addGyroscopicCorrections adds to free rolling bodies the gyroscopic change of velocity in a part of a
// substep.
func (s *solver) addGyroscopicCorrections(bodies *bodySet, part float64) {
	for i := range s.rollingContacts {
		e := &s.rollingContacts[i]
		t, m := &s.flags[e.body], &s.states[e.body]
		if !t.gyroscopic || t.jointed || t.gyroscopicCorrection || !e.isSteady(s) {
			continue
		}
		in, rot := &bodies.massProps[s.slots[e.body]], &s.rotations[e.body]
		momentum := rot.Rotate(in.inertia.Apply(rot.RotateBack(m.w)))
		e.gyroscopicCorrection = s.masses[e.body].applyInvInertia(momentum.Cross(m.w)).
			Scale(float64(part * s.h))
		m.w = m.w.Add(e.gyroscopicCorrection)
		e.corrected, t.gyroscopicCorrection = true, true
	}
}

// removeGyroscopicCorrections takes these changes out again.
func (s *solver) removeGyroscopicCorrections() {
	for i := range s.rollingContacts {
		if e := &s.rollingContacts[i]; e.corrected {
			s.states[e.body].w = s.states[e.body].w.Sub(e.gyroscopicCorrection)
			e.corrected, s.flags[e.body].gyroscopicCorrection = false, false
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

// newtonRoundContact is a manifold of a round geom of a body in an island of Newton's method. Its points move
// in each substep. A wheel that turns fast about an axis that turns slowly would else lift one end of its
// tread, and press the other down.
type newtonRoundContact struct {
	rollingContact
	contact int32  // in the island
	center  r3.Vec // from the center of mass to that of friction, when the step began
}

// moveRows moves the arms of a contact's rows on the side of the round geom.
func (r *newtonRoundContact) moveRows(rows []articulationContactRow) {
	moved, counted := r3.Vec{}, 0
	for i := range r.n {
		p := &r.points[i]
		arm := p.at(r.rotation, r.outward)
		rows[i].setMoment(r.side, arm.Cross(r.normal))
		if p.inCenter {
			moved, counted = moved.Add(arm.Sub(p.arm)), counted+1
		}
	}
	center := r.center.AddScaled(1/float64(counted), moved)
	for i := r.n + 1; i < r.n+3; i++ {
		rows[i].setMoment(r.side, center.Cross(rows[i].direction))
	}
}
