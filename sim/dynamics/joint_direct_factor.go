package dynamics

import "simdeck/sim/r3"

// directRow is a constrained direction of a joint in a direct island.
type directRow struct {
	joint          int32 // in solver.jointConstraints
	bodyA, bodyB   int32 // in solver.states
	part           uint8 // as in constrainedDirections
	along          r3.Vec
	armA, armB     r3.Vec // angular part of the Jacobian, of A and B
	turnA, turnB   r3.Vec // M⁻¹ times armA and armB
	massA, massB   float64
	bias           float64 // velocity that corrects the position error
	limit          directLimit
	impulse, speed float64 // impulse of the substep; scratch
}

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

// constraintJacobian is the Jacobian of a constrained direction: of linear velocities, and of angular ones of
// A and B.
func (r *jointConstraint) constraintJacobian(part uint8) (along, armA, armB r3.Vec) {
	u := r.constraintDirection(part)
	if part >= 3 {
		return r3.Vec{}, u, u
	}
	armA, armB = r.armA.Cross(u), r.armB.Cross(u)
	if r.kind == Screw && part == 2 {
		armA, armB = armA.AddScaled(-r.pitch, u), armB.AddScaled(-r.pitch, u)
	}
	return u, armA, armB
}

// constraintDirection is the unit vector of a constrained direction.
func (r *jointConstraint) constraintDirection(part uint8) r3.Vec {
	world := r.kind == Fixed || r.kind == Prismatic // angular directions; linear ones below
	if part < 3 {
		world = r.kind != Prismatic && r.kind != Screw && r.kind != Planar
	}
	if world {
		return r3.Vec{}.With(int(part%3), 1)
	}
	return [3]r3.Vec{r.p1, r.p2, r.axis}[part%3]
}

// coupling is the entry of J·M⁻¹·Jᵀ for two rows.
func (q *directRow) coupling(p *directRow) float64 {
	sum := 0.0
	if q.bodyA == p.bodyA {
		sum += float64(q.massA*q.along.Dot(p.along)) + q.turnA.Dot(p.armA)
	}
	if q.bodyB == p.bodyB {
		sum += float64(q.massB*q.along.Dot(p.along)) + q.turnB.Dot(p.armB)
	}
	if q.bodyA == p.bodyB {
		sum -= float64(q.massA*q.along.Dot(p.along)) + q.turnA.Dot(p.armB)
	}
	if q.bodyB == p.bodyA {
		sum -= float64(q.massB*q.along.Dot(p.along)) + q.turnB.Dot(p.armA)
	}
	return sum
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

// solve replaces the rows' right-hand sides by the impulses that change the velocities by them.
func (k *directIsland) solve(s *solver) { s.directFactor.Solve(k.firstRow, k.rowEnd, s.directRHS) }

// applyImpulse applies an impulse along the row.
func (q *directRow) applyImpulse(s *solver, j float64) {
	q.impulse += j
	a, b := &s.states[q.bodyA], &s.states[q.bodyB]
	a.v = a.v.AddScaled(float64(-q.massA*j), q.along)
	b.v = b.v.AddScaled(float64(q.massB*j), q.along)
	a.w = a.w.AddScaled(-j, q.turnA)
	b.w = b.w.AddScaled(j, q.turnB)
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

// angularMomentumOf is a body's angular momentum, kg·m²/s.
func (s *solver) angularMomentumOf(at int32) r3.Vec {
	inertia := inverseSymmetric(&s.masses[at].invInertia)
	return inertia.Apply(s.states[at].w)
}

// kineticEnergyOf is a body's kinetic energy, J.
func (s *solver) kineticEnergyOf(at int32) float64 {
	m := &s.states[at]
	return float64(0.5*m.v.Len2())/s.masses[at].invMass + float64(0.5*m.w.Dot(s.angularMomentumOf(at)))
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

// rowSpeed is the velocity of B against A along the row.
func (q *directRow) rowSpeed(s *solver) float64 {
	a, b := &s.states[q.bodyA], &s.states[q.bodyB]
	return q.along.Dot(b.v.Sub(a.v)) + q.armB.Dot(b.w) - q.armA.Dot(a.w)
}

// applyImpulses applies the impulses of all rows.
func (k *directIsland) applyImpulses(s *solver) {
	for n := k.firstRow; n < k.rowEnd; n++ {
		s.directRows[n].applyImpulse(s, s.directRHS[n])
	}
}

// computeAxisResponse computes the direct island's response to a unit impulse along the joint's axis, and the
// effective mass then.
func (r *jointConstraint) computeAxisResponse(s *solver) {
	k := &s.directIslands[r.directIsland-1]
	rows, rhs := s.directRows[k.firstRow:k.rowEnd], s.directRHS[k.firstRow:k.rowEnd]
	axis := directRow{bodyA: r.a, bodyB: r.b}
	axis.setAxis(r)
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	axis.turnA, axis.turnB, axis.massA, axis.massB = wa.invInertia.Apply(axis.armA),
		wb.invInertia.Apply(axis.armB), wa.invMass, wb.invMass
	for n := range rows {
		rows[n].speed = axis.coupling(&rows[n])
		rhs[n] = -rows[n].speed
	}
	k.solve(s)
	whole := axis.coupling(&axis)
	left := whole
	r.axisResponse = int32(len(s.axisResponses))
	for n := range rows {
		left += float64(rows[n].speed * rhs[n])
		s.axisResponses = append(s.axisResponses, rhs[n])
	}
	r.axisResponseValid, r.axisMass = true, 0
	if left > float64(minDirectCompliance*whole) {
		r.axisMass = 1 / left
	}
}

// applyAxisResponse applies the direct island's response to an impulse along the joint's axis.
func (r *jointConstraint) applyAxisResponse(s *solver, j float64) {
	k := &s.directIslands[r.directIsland-1]
	for n, y := range s.axisResponses[r.axisResponse : r.axisResponse+k.rowEnd-k.firstRow] {
		s.directRows[int(k.firstRow)+n].applyImpulse(s, float64(y*j))
	}
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
