package dynamics

import (
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// directIsland is a set of connected joints solved by one factorisation. Gauss–Seidel over joints converges
// only where each joint leaves the others' results nearly intact. Take a body held farther from its centre of
// mass than its radius of gyration. An impulse along the lever hardly moves it, and the slightest one across
// rotates it. The joints then undo each other, their ends separate, and the correction throws the body. As
// one system, J·M⁻¹·Jᵀ·λ = -J·v, factored in each substep, joints hold to rounding at any lever and mass
// ratio. The source is Baraff, Linear-time dynamics using Lagrange multipliers, 1996. The same holds for a
// light body between the ground and a much heavier one. Arms and wheels of usual proportions do without,
// which is faster.
//
// No impulse is kept for a warm start: the solution is exact. Motors, limits and friction along a joint's
// axis act with the direct island's response.
type directIsland struct {
	firstJoint, endJoint int32   // of solver.directJoints
	firstRow, rowEnd     int32   // of solver.directRows
	firstBody, bodyEnd   int32   // of solver.directBodies
	limitRows            int32   // number of limit rows
	regularization       float64 // ε relative to each row's diagonal
}

const (
	// maxLeverRatio is the compliance of a joint's end by rotation over that by translation from which its
	// joints are solved directly. A wheel's own end has 0, a link's 6, the corner of a chassis 10.
	maxLeverRatio = 30
	// directMassRatio is the mass ratio from which a joint is solved directly if the light body lies on
	// something; chosen.
	directMassRatio = 100
	// maxFactorSize bounds the entries of an island's factors, and so their cost; larger islands are solved
	// by iterations.
	maxFactorSize = 40_000
	// loopRowRegularization is ε of the rows of an island with a loop, whose joints may be redundant or
	// inconsistent by rounding.
	loopRowRegularization = 1e-8
	// loopRefinements is the number of iterative refinements that remove the error of ε.
	loopRefinements = 8
	// minPivotRatio is the least pivot relative to the row's diagonal; a row below it is redundant up to
	// rounding.
	minPivotRatio = 1e-14
)

// factorDirectIslands updates and factors all direct islands, after their joints' geometry.
func (s *solver) factorDirectIslands() {
	for i := range s.directIslands {
		k := &s.directIslands[i]
		for n := k.firstRow; n < k.rowEnd; n++ {
			s.directRows[n].update(s)
		}
		k.factor(s)
	}
	for i := range s.jointConstraints {
		s.jointConstraints[i].axisResponseValid = false
	}
	s.axisResponses = s.axisResponses[:0]
}

// update updates a row from its joint. The farther its end is, the faster its position error may be
// corrected.
func (q *directRow) update(s *solver) {
	r := &s.jointConstraints[q.joint]
	wa, wb := &s.masses[q.bodyA], &s.masses[q.bodyB]
	if q.part == axisDirection {
		q.updateLimit(s)
		q.turnA, q.turnB, q.massA, q.massB = wa.invInertia.Apply(q.armA), wb.invInertia.Apply(q.armB),
			wa.invMass, wb.invMass
		return
	}
	turns := q.part >= 3
	u := r.constraintDirection(q.part)
	q.along, q.armA, q.armB = r.constraintJacobian(q.part)
	if turns {
		q.bias = clampLength(r.angularError.Scale(s.softJoint.bias), maxAngularRecovery).Dot(u)
	} else {
		q.bias = clampLength(r.positionErrorVector.Scale(s.softJoint.bias),
			float64(maxLinearRecovery*max(1, r.armA.Len()))).Dot(u)
	}
	q.turnA, q.turnB, q.massA, q.massB = wa.invInertia.Apply(q.armA), wb.invInertia.Apply(q.armB), wa.invMass,
		wb.invMass
}

// factor computes J·M⁻¹·Jᵀ and its Cholesky factor within the skyline.
func (k *directIsland) factor(s *solver) {
	for i := k.firstRow; i < k.rowEnd; i++ {
		q := &s.directRows[i]
		own, first := s.directFactor.Row(i), int(s.directFactor.First(i))
		for n := range own {
			own[n] = q.coupling(&s.directRows[first+n])
		}
		s.directFactor.FactorRow(i, k.regularization, minPivotRatio)
		if q.limit.inactive {
			s.directFactor.LeaveOut(i)
		}
	}
}

// directBody is a body of a direct island.
type directBody struct {
	bodyIndex int32  // in solver.states
	v, w      r3.Vec // part of its velocity that corrects position errors
}

// solveDirectIslands solves all direct islands.
func (s *solver) solveDirectIslands(useBias bool) {
	for i := range s.directIslands {
		if k := &s.directIslands[i]; useBias {
			k.solveWithBias(s)
		} else {
			k.relax(s)
		}
	}
}

// solveWithBias solves the joints with position correction, and saves the correcting velocities per body.
func (k *directIsland) solveWithBias(s *solver) {
	k.satisfy(s)
	bodies := s.directBodies[k.firstBody:k.bodyEnd]
	for n := range bodies {
		m := &s.states[bodies[n].bodyIndex]
		bodies[n].v, bodies[n].w = m.v, m.w
	}
	for n := k.firstRow; n < k.rowEnd; n++ {
		s.directRHS[n] = -s.directRows[n].bias
	}
	k.solve(s)
	k.applyImpulses(s)
	k.forgetBiasImpulse(s)
	for n := range bodies {
		m := &s.states[bodies[n].bodyIndex]
		bodies[n].v, bodies[n].w = m.v.Sub(bodies[n].v), m.w.Sub(bodies[n].w)
	}
}

// relax removes the correcting velocities, as far as they would add energy. Part of them is legitimate: a
// body that circles its joint has moved straight off the circle, and the correction turns it back.
func (k *directIsland) relax(s *solver) {
	bodies := s.directBodies[k.firstBody:k.bodyEnd]
	before := 0.0
	for n := range bodies {
		b := &bodies[n]
		m := &s.states[b.bodyIndex]
		m.v, m.w = m.v.Sub(b.v), m.w.Sub(b.w)
		before += s.kineticEnergyOf(b.bodyIndex)
	}
	k.satisfy(s)
	after := 0.0
	for n := range bodies {
		b := &bodies[n]
		after += s.kineticEnergyOf(b.bodyIndex)
		m := &s.states[b.bodyIndex]
		b.v, m.v = m.v, b.v
		b.w, m.w = m.w, b.w
	}
	k.zeroVelocity(s, false) // project the correcting velocities onto the joints
	k.forgetBiasImpulse(s)
	double, square := 0.0, 0.0
	for n := range bodies {
		b := &bodies[n]
		m, wt := &s.states[b.bodyIndex], &s.masses[b.bodyIndex]
		turn := s.angularMomentumOf(b.bodyIndex)
		square += float64(0.5*m.v.Len2())/wt.invMass + float64(0.5*m.w.Dot(turn))
		double += m.v.Dot(b.v)/wt.invMass + turn.Dot(b.w)
	}
	part := fractionWithinEnergy(square, double, before-after)
	for n := range bodies {
		b := &bodies[n]
		m := &s.states[b.bodyIndex]
		m.v, m.w = b.v.AddScaled(part, m.v), b.w.AddScaled(part, m.w)
	}
}

// satisfy removes all velocity in constrained directions. Limits enter and leave the active set until all are
// consistent.
func (k *directIsland) satisfy(s *solver) {
	turned := true
	for i := int32(0); turned && i <= k.limitRows; i++ {
		k.zeroVelocity(s, true)
		turned = k.updateActiveLimits(s)
	}
	if turned {
		k.zeroVelocity(s, true)
	}
	if k.regularization == 0 {
		return
	}
	for range loopRefinements {
		k.zeroVelocity(s, true)
	}
}

// zeroVelocity removes the velocities of active rows; closing leaves limits the approach up to their
// distance.
func (k *directIsland) zeroVelocity(s *solver, closing bool) {
	for n := k.firstRow; n < k.rowEnd; n++ {
		q := &s.directRows[n]
		s.directRHS[n] = -q.rowSpeed(s)
		if closing {
			s.directRHS[n] -= float64(q.limit.sign * q.limit.closingSpeed)
		}
	}
	k.solve(s)
	k.applyImpulses(s)
}

// storeDirectImpulses stores the rows' impulses in the joints.
func (s *solver) storeDirectImpulses() {
	for i := range s.directRows {
		q := &s.directRows[i]
		r := &s.jointConstraints[q.joint]
		if q.part == axisDirection {
			r.storeLimitImpulse(q)
		} else if q.part < 3 {
			r.linearImpulse = r.linearImpulse.With(int(q.part), q.impulse)
		} else {
			r.angularImpulse = r.angularImpulse.With(int(q.part-3), q.impulse)
		}
	}
}

// Limits of joints in a direct island are rows of it, active while they push. An example is a load on a slide
// with a thin rod at its end. A limit solved in turn would leave the heavy body behind it to the light one
// before it.

// axisDirection is the index in constrainedDirections of the direction along or about the joint's axis.
const axisDirection = 6

// directLimit is a limit's state as a row; the zero value is a row that is always active.
type directLimit struct {
	sign         float64 // of its impulse: 1: lower limit, -1: upper; 0: both
	closingSpeed float64 // m/s or rad/s of approach allowed
	inactive     bool    // not in the active set
}

// storeLimitImpulse stores the impulse of the active limit.
func (r *jointConstraint) storeLimitImpulse(q *directRow) {
	r.impulseLower, r.impulseUpper = 0, 0
	switch {
	case q.limit.inactive:
	case q.limit.sign < 0:
		r.impulseUpper = -q.impulse
	default:
		r.impulseLower = q.impulse
	}
}

// updateLimit updates a limit row. An inactive one takes the nearer limit.
func (q *directRow) updateLimit(s *solver) {
	r, t := &s.jointConstraints[q.joint], &q.limit
	q.setAxis(r)
	room := r.position - r.lower
	if t.sign == 0 {
		q.bias = max(-maxAngularRecovery, min(maxAngularRecovery, float64(s.softJoint.bias*room)))
		return
	}
	if upper := r.upper - r.position; t.inactive && upper < room || !t.inactive && t.sign < 0 {
		t.sign, room = -1, upper
	} else {
		t.sign = 1
	}
	t.closingSpeed = float64(max(0, room) * s.invH)
	q.bias = float64(t.sign * max(-maxAngularRecovery, float64(s.softJoint.bias*min(0, room))))
}

// updateActiveLimits releases limits that pull and activates those that are violated; false: no change.
func (k *directIsland) updateActiveLimits(s *solver) bool {
	turned := k.releaseLimits(s)
	for n := k.firstRow; n < k.rowEnd; n++ {
		q := &s.directRows[n]
		if q.limit.inactive && float64(q.limit.sign*q.rowSpeed(s))+
			q.limit.closingSpeed < -limitSpeedTolerance {
			q.limit.inactive, turned = false, true
		}
	}
	if turned {
		k.refactor(s)
	}
	return turned
}

// limitSpeedTolerance is the violation, m/s or rad/s, at which a limit becomes active.
const limitSpeedTolerance = 1e-9

// releaseLimits removes pulling impulses and deactivates their limits; true: there were some.
func (k *directIsland) releaseLimits(s *solver) (gone bool) {
	if k.limitRows == 0 {
		return false
	}
	for n := k.firstRow; n < k.rowEnd; n++ {
		if q := &s.directRows[n]; !q.limit.inactive && float64(q.limit.sign*q.impulse) < 0 {
			q.applyImpulse(s, -q.impulse)
			q.limit.inactive, gone = true, true
		}
	}
	return gone
}

// refactor refactors the island after a change of its active limits.
func (k *directIsland) refactor(s *solver) {
	k.factor(s)
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		s.jointConstraints[i].axisResponseValid = false
	}
	if len(s.directResponses) > 0 {
		s.refreshDirectResponses()
	}
}

// forgetBiasImpulse removes the impulses of position correction from the limits' sums.
func (k *directIsland) forgetBiasImpulse(s *solver) {
	if k.limitRows == 0 {
		return
	}
	for n := k.firstRow; n < k.rowEnd; n++ {
		if q := &s.directRows[n]; q.part == axisDirection {
			q.impulse -= s.directRHS[n]
		}
	}
}

// Velocity correction fails where a loop of a direct island is stretched to its limit, with a light link
// between heavy ones. It would throw the link, and the error of ε would open the loop further. Such loops are
// projected like those of an articulation: bodies shift by the least change in the metric of inertia, and no
// momentum results. The shifts come from impulses between bodies, so the common centre of mass stays.

const (
	// openAnchorRatio is the gap of a loop's joint, as a part of its levers, from which the island is
	// projected.
	openAnchorRatio = 0.05
	// projectionRegularization is loopRowRegularization for position projection.
	projectionRegularization = 1e-5
	// maxProjectionTurn bounds the rotation by one projection, rad.
	maxProjectionTurn = 0.4
	// maxProjections bounds the projections per substep: large rotations are nonlinear.
	maxProjections = 16
)

// projectOpenIslands projects the direct islands whose loops are open.
func (s *solver) projectOpenIslands(bodies *bodySet) {
	projected := false
	for i := range s.directIslands {
		k := &s.directIslands[i]
		for n := 0; n < maxProjections && k.regularization > 0 && k.isOpen(s); n++ {
			k.project(s, bodies)
			projected = true
		}
	}
	if projected {
		s.refreshDirectResponses()
	}
}

// isOpen reports that a joint's ends are far apart.
func (k *directIsland) isOpen(s *solver) bool {
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		if r := &s.jointConstraints[i]; r.positionErrorVector.Len() > float64(openAnchorRatio*(r.armA.Len()+
			r.armB.Len())) {
			return true
		}
	}
	return false
}

// project shifts the bodies to close the joints.
func (k *directIsland) project(s *solver, all *bodySet) {
	k.regularization = projectionRegularization
	k.factor(s)
	bodies := s.directBodies[k.firstBody:k.bodyEnd]
	s.savedBodies = linalg.Grow(s.savedBodies, len(bodies))
	for n := range bodies {
		m := &s.states[bodies[n].bodyIndex]
		s.savedBodies[n] = *m
		m.v, m.w = r3.Vec{}, r3.Vec{}
	}
	for n := k.firstRow; n < k.rowEnd; n++ {
		if q := &s.directRows[n]; q.part == axisDirection {
			s.directRHS[n] = 0
		} else {
			s.directRHS[n] = -s.jointConstraints[q.joint].positionError(q.part)
		}
	}
	k.solve(s)
	k.applyImpulses(s)
	most := 0.0
	for n := k.firstRow; n < k.rowEnd; n++ {
		s.directRows[n].impulse -= s.directRHS[n]
	}
	for n := range bodies {
		most = max(most, s.states[bodies[n].bodyIndex].w.Len())
	}
	part := maxProjectionTurn / max(most, maxProjectionTurn)
	for n := range bodies {
		m, old := &s.states[bodies[n].bodyIndex], &s.savedBodies[n]
		move, turn := m.v.Scale(part), m.w.Scale(part)
		old.w, m.v, m.w = turn, old.v, old.w
		m.deltaPosition, m.deltaRotation = m.deltaPosition.Add(move), m.deltaRotation.Add(turn)
		at := bodies[n].bodyIndex
		back := s.rotations[at].RotateBack(m.w)
		s.rotations[at] = s.rotations[at].Turn(turn)
		m.w = s.rotations[at].Rotate(back) // its kinetic energy stays
		s.masses[at].invInertia = all.massProps[s.slots[at]].invInertia.TurnedSymmetric(s.rotations[at])
	}
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		s.jointConstraints[i].updateGeometry(s)
	}
	k.regularization = loopRowRegularization
	for n := k.firstRow; n < k.rowEnd; n++ {
		s.directRows[n].update(s)
	}
	k.factor(s)
}
