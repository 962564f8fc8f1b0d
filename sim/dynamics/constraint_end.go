package dynamics

import (
	"math"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/dynamics/newton"
	"simdeck/sim/r3"
)

// velocityChange is a change of a COM's twist, or an impulse there.
type velocityChange struct{ v, w r3.Vec }

// requestResponse asks for the response of a link whose articulation is awake.
func (as articulationList) requestResponse(bodies *bodySet, body int32) {
	b := &bodies.all[body]
	if b.articulation == 0 || !bodies.isAwake(body) {
		return
	}
	as[b.articulation-1].RequestResponse(b.link)
}

// constraintEnd is one side of a contact or joint: a link of an awake articulation, or a body of the solver.
type constraintEnd struct {
	link           articulation.LinkEnd // not valid: a body
	bodyIndex      int32
	directResponse int32 // 1 + index of its directResponse; 0: none
}

// end builds the end for a body.
func (as articulationList) end(bodies *bodySet, s *solver, body int32) constraintEnd {
	e := constraintEnd{bodyIndex: s.index[body]}
	if s.inDirectIsland(body) {
		e.directResponse = s.directResponseOf[e.bodyIndex]
	}
	if b := &bodies.all[body]; b.articulation != 0 && !b.contained {
		e.link = as[b.articulation-1].LinkEnd(b.link)
	}
	return e
}

// impulseResponse is the velocity change of the end by an impulse at its COM.
func (e *constraintEnd) impulseResponse(s *solver, f, t r3.Vec) (c velocityChange) {
	if e.link.Valid() {
		c.v, c.w = e.link.ImpulseResponse(f, t)
		return c
	}
	if e.directResponse > 0 {
		c.v, c.w = s.directResponses[e.directResponse-1].self.Apply(f, t)
		return c
	}
	wt := &s.masses[e.bodyIndex]
	return velocityChange{f.Scale(wt.invMass), wt.invInertia.Apply(t)}
}

// velocity is the present velocity of the end's COM.
func (e *constraintEnd) velocity(s *solver) (c velocityChange) {
	if e.link.Valid() {
		c.v, c.w = e.link.Velocity()
		return c
	}
	m := &s.states[e.bodyIndex]
	return velocityChange{m.v, m.w}
}

// applyImpulse applies an impulse at the end's COM.
func (e *constraintEnd) applyImpulse(s *solver, f, t r3.Vec) {
	if e.link.Valid() {
		e.link.ApplyImpulse(f, t)
		return
	}
	m, wt := &s.states[e.bodyIndex], &s.masses[e.bodyIndex]
	m.v = m.v.AddScaled(wt.invMass, f)
	m.w = m.w.Add(wt.invInertia.Apply(t))
	if e.directResponse > 0 {
		s.directResponses[e.directResponse-1].applyImpulse(s, f, t)
	}
}

// constrainedImpulseResponse is impulseResponse with the reactions of an articulation's held rows.
func (e *constraintEnd) constrainedImpulseResponse(s *solver, f, t r3.Vec) (c velocityChange) {
	if e.link.Valid() {
		c.v, c.w = e.link.ConstrainedImpulseResponse(f, t)
		return c
	}
	return e.impulseResponse(s, f, t)
}

// applyConstrainedImpulse is applyImpulse with the reactions of an articulation's held rows.
func (e *constraintEnd) applyConstrainedImpulse(s *solver, f, t r3.Vec) {
	if e.link.Valid() {
		e.link.ApplyConstrainedImpulse(f, t)
		return
	}
	e.applyImpulse(s, f, t)
}

// A joint in maximal coordinates may have links at its ends, such as a tow bar between two robots.
// It acts through the links' impulse responses. A joint that closes a loop within one articulation is a row
// of it (articulation_rows.go).

// refreshEndVelocities writes the velocities of links at the ends to the solver.
func (r *jointConstraint) refreshEndVelocities(s *solver) {
	for _, e := range [2]*constraintEnd{&r.endA, &r.endB} {
		if e.link.Valid() {
			k := e.velocity(s)
			s.states[e.bodyIndex].v, s.states[e.bodyIndex].w = k.v, k.w
		}
	}
}

// applyToLinks applies an impulse j and moments about the COMs, to end B and in the opposite sense to end A.
func (r *jointConstraint) applyToLinks(s *solver, j, momentA, momentB r3.Vec) {
	r.endA.applyImpulse(s, j.Neg(), momentA.Neg())
	r.endB.applyImpulse(s, j, momentB)
	r.refreshEndVelocities(s)
}

// linkResponse is the velocity change of both ends by an impulse j and moments.
func (r *jointConstraint) linkResponse(s *solver, j, momentA, momentB r3.Vec) (a, b velocityChange) {
	a, b = r.endA.impulseResponse(s, j.Neg(), momentA.Neg()), r.endB.impulseResponse(s, j, momentB)
	if art := r.endA.link.Articulation(); art != nil && art == r.endB.link.Articulation() {
		ab, ba := r.endA.link.CrossResponse(r.endB.link), r.endB.link.CrossResponse(r.endA.link)
		av, aw := ab.Apply(j, momentB)
		bv, bw := ba.Apply(j.Neg(), momentA.Neg())
		a, b = velocityChange{a.v.Add(av), a.w.Add(aw)}, velocityChange{b.v.Add(bv), b.w.Add(bw)}
	}
	return a, b
}

// regularizeMass adds compliance in directions in which links hardly move, as in planar or redundant loops.
// An impulse there would change nothing now, but much after a small rotation. The result is k + ε²·k⁻¹, whose
// inverse is the Tikhonov-regularised inverse of k.
func regularizeMass(k r3.Mat) r3.Mat {
	size := k.XX + k.YY + k.ZZ
	regularized := k
	regularized.XX += float64(1e-9 * size)
	regularized.YY += float64(1e-9 * size)
	regularized.ZZ += float64(1e-9 * size)
	part := float64(tikhonovEpsilon * size)
	return k.Add(inverseSymmetric(&regularized).Scale(float64(part * part)))
}

// tikhonovEpsilon is ε of regularizeMass as a part of the trace of k; chosen.
const tikhonovEpsilon = 1e-4

// linkAngularMass is the inverse effective mass of the ends against a torque between them.
func (r *jointConstraint) linkAngularMass(s *solver) r3.Mat {
	var c [3]r3.Vec
	for i := range c {
		e := r3.Vec{}.With(i, 1)
		a, b := r.linkResponse(s, r3.Vec{}, e, e)
		c[i] = b.w.Sub(a.w)
	}
	return regularizeMass(r3.Columns(c[0], c[1], c[2]))
}

// linkMass is the inverse effective mass of the ends against an impulse between them.
func (r *jointConstraint) linkMass(s *solver) r3.Mat {
	var c [3]r3.Vec
	for i := range c {
		e := r3.Vec{}.With(i, 1)
		a, b := r.linkResponse(s, e, r.armA.Cross(e), r.armB.Cross(e))
		c[i] = b.v.Add(b.w.Cross(r.armB)).Sub(a.v).Sub(a.w.Cross(r.armA))
	}
	return regularizeMass(r3.Columns(c[0], c[1], c[2]))
}

// A contact on a body of a direct island must respond with all bodies joined to it, like one on a link. Such
// contacts are articulationContacts, which act through the island's response.

// minDirectCompliance is the least compliance of a body of a direct island relative to the free body's. For a
// body welded to the ground less is rounding, and an impulse by it is unbounded.
const minDirectCompliance = 1e-9

// directResponse is a direct island's response to an impulse at the COM of one of its bodies.
type directResponse struct {
	island    int32
	bodyIndex int32
	offset    int32                       // in solver.directRowResponses: impulses of the island's rows
	self      articulation.ResponseMatrix // change of the body's own twist
}

// inDirectIsland reports that a body, by slot, is in a direct island.
func (s *solver) inDirectIsland(slot int32) bool {
	return len(s.directIslands) > 0 && s.directIslandOf[s.index[slot]] != 0
}

// requestDirectResponse adds a response of a body in a direct island.
func (s *solver) requestDirectResponse(slot int32) {
	if !s.inDirectIsland(slot) {
		return
	}
	at := s.index[slot]
	if s.directResponseOf[at] == 0 {
		s.directResponses = append(s.directResponses,
			directResponse{island: s.directIslandOf[at] - 1, bodyIndex: at})
		s.directResponseOf[at] = int32(len(s.directResponses))
	}
}

// computeDirectResponses computes the responses at the bodies' present poses.
func (s *solver) computeDirectResponses() {
	s.directRowResponses = s.directRowResponses[:0]
	for i := range s.directResponses {
		c := &s.directResponses[i]
		k := &s.directIslands[c.island]
		c.offset = int32(len(s.directRowResponses))
		for n := k.firstRow; n < k.rowEnd; n++ {
			q, y := &s.directRows[n], linalg.VecPair{}
			if q.bodyB == c.bodyIndex {
				y = linalg.VecPair{Lin: q.along.Scale(-q.massB), Ang: q.turnB.Neg()}
			} else if q.bodyA == c.bodyIndex {
				y = linalg.VecPair{Lin: q.along.Scale(q.massA), Ang: q.turnA}
			}
			s.directRowResponses = append(s.directRowResponses, y)
		}
		s.directFactor.SolvePairs(k.firstRow, s.directRowResponses[c.offset:])
		wt := &s.masses[c.bodyIndex]
		c.self = s.crossDirectResponse(c, c)
		c.self.AddBody(wt.invMass, &wt.invInertia)
	}
}

// refreshDirectResponses recomputes responses after the bodies have moved, and the contacts' masses.
func (s *solver) refreshDirectResponses() {
	s.computeDirectResponses()
	for i := range s.articulationContacts {
		if p := &s.articulationContacts[i]; p.a.directResponse+p.b.directResponse > 0 {
			p.updateMass(s)
		}
	}
}

// resetDirectImpulses zeroes the rows' impulses when a substep begins.
func (s *solver) resetDirectImpulses() {
	for i := range s.directRows {
		s.directRows[i].impulse = 0
	}
}

// crossDirectResponse is the joints' part of the response of a's body to an impulse at b's body.
func (s *solver) crossDirectResponse(a, b *directResponse) articulation.ResponseMatrix {
	var out articulation.ResponseMatrix
	k := &s.directIslands[b.island]
	for i, y := range s.directRowResponses[b.offset : b.offset+k.rowEnd-k.firstRow] {
		q := &s.directRows[int(k.firstRow)+i]
		var linear, angular r3.Vec
		if q.bodyB == a.bodyIndex {
			linear, angular = q.along.Scale(q.massB), q.turnB
		} else if q.bodyA == a.bodyIndex {
			linear, angular = q.along.Scale(-q.massA), q.turnA.Neg()
		} else {
			continue
		}
		out.AddOuter(linear, angular, &y)
	}
	return out
}

// applyImpulse applies the joints' reaction to an impulse at the body.
func (c *directResponse) applyImpulse(s *solver, f, t r3.Vec) {
	k := &s.directIslands[c.island]
	for i, y := range s.directRowResponses[c.offset : c.offset+k.rowEnd-k.firstRow] {
		s.directRows[int(k.firstRow)+i].applyImpulse(s, y.Lin.Dot(f)+y.Ang.Dot(t))
	}
}

// sameDirectIsland reports that two ends are in one direct island.
func (s *solver) sameDirectIsland(a, b *constraintEnd) bool {
	return a.directResponse > 0 && b.directResponse > 0 &&
		s.directResponses[a.directResponse-1].island == s.directResponses[b.directResponse-1].island
}

// crossDirectResponses is the responses of a to b and of b to a.
func (s *solver) crossDirectResponses(a, b *constraintEnd) (ab, ba articulation.ResponseMatrix) {
	x, y := &s.directResponses[a.directResponse-1], &s.directResponses[b.directResponse-1]
	return s.crossDirectResponse(x, y), s.crossDirectResponse(y, x)
}

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

// applyImpulse applies an impulse along the row.
func (q *directRow) applyImpulse(s *solver, j float64) {
	q.impulse += j
	a, b := &s.states[q.bodyA], &s.states[q.bodyB]
	a.v = a.v.AddScaled(float64(-q.massA*j), q.along)
	b.v = b.v.AddScaled(float64(q.massB*j), q.along)
	a.w = a.w.AddScaled(-j, q.turnA)
	b.w = b.w.AddScaled(j, q.turnB)
}

// rowSpeed is the velocity of B against A along the row.
func (q *directRow) rowSpeed(s *solver) float64 {
	a, b := &s.states[q.bodyA], &s.states[q.bodyB]
	return q.along.Dot(b.v.Sub(a.v)) + q.armB.Dot(b.w) - q.armA.Dot(a.w)
}

// setAxis makes it the row along a joint's axis.
func (q *directRow) setAxis(r *jointConstraint) {
	q.along, q.armA, q.armB = r3.Vec{}, r.axis, r.axis
	if r.kind == Prismatic {
		q.along, q.armA, q.armB = r.axis, r.armA.Cross(r.axis), r.armB.Cross(r.axis)
	}
}

// solve replaces the rows' right-hand sides by the impulses that change the velocities by them.
func (k *directIsland) solve(s *solver) { s.directFactor.Solve(k.firstRow, k.rowEnd, s.directRHS) }

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

// allRows returns the rows: normal ones, then the rest.
func (p *articulationContact) allRows(s *solver) []articulationContactRow {
	n := 3
	if p.rolling > 0 {
		n = 6
	}
	return s.articulationContactRows[p.firstRow : int(p.firstRow+p.normalCount)+n]
}

// updateMass recomputes responses and effective masses of the rows.
func (p *articulationContact) updateMass(s *solver) {
	var ab, ba articulation.ResponseMatrix
	same := p.a.link.Valid() && p.a.link.Articulation() == p.b.link.Articulation()
	if same {
		ab, ba = p.a.link.ConstrainedCrossResponse(p.b.link), p.b.link.ConstrainedCrossResponse(p.a.link)
	} else if same = s.sameDirectIsland(&p.a, &p.b); same {
		ab, ba = s.crossDirectResponses(&p.a, &p.b)
	}
	rows := p.allRows(s)
	for k := range rows {
		r := &rows[k]
		back := r.armCrossNormalA.Neg()
		r.deltaA, r.deltaB = p.a.constrainedImpulseResponse(s, r.direction.Neg(), back),
			p.b.constrainedImpulseResponse(s, r.direction, r.armCrossNormalB)
		if same {
			av, aw := ab.Apply(r.direction, r.armCrossNormalB)
			bv, bw := ba.Apply(r.direction.Neg(), back)
			r.deltaA, r.deltaB = velocityChange{r.deltaA.v.Add(av), r.deltaA.w.Add(aw)},
				velocityChange{r.deltaB.v.Add(bv), r.deltaB.w.Add(bw)}
		}
		r.minCompliance, r.pushOutScale = 0, 1
		if p.a.link.Valid() || p.b.link.Valid() {
			fa, fb := p.a.impulseResponse(s, r.direction.Neg(), back),
				p.b.impulseResponse(s, r.direction, r.armCrossNormalB)
			r.regularize(r.speed(&fa, &fb), p.inverseTotalMass())
		} else {
			wa, wb := &s.masses[p.a.bodyIndex], &s.masses[p.b.bodyIndex]
			fa, fb := velocityChange{r.direction.Scale(-wa.invMass), wa.applyInvInertia(back)},
				velocityChange{r.direction.Scale(wb.invMass), wb.applyInvInertia(r.armCrossNormalB)}
			r.minCompliance = float64(minDirectCompliance * r.speed(&fa, &fb))
		}
		r.effectiveMass = inverseOrZero(max(r.speed(&r.deltaA, &r.deltaB), r.minCompliance))
	}
}

// speed is that of b against a along the row, m/s or rad/s.
func (r *articulationContactRow) speed(a, b *velocityChange) float64 {
	return r.direction.Dot(b.v.Sub(a.v)) + r.armCrossNormalB.Dot(b.w) - r.armCrossNormalA.Dot(a.w)
}

// A contact near a joint axis has almost no lever, so the link's effective mass there is tons. Separating it
// at the usual recovery speed would turn the link a thousand times as fast and throw it in the next substep.
// Links get there only by starting in the ground or in a neighbour. So where an articulation is less
// compliant than its total mass, separation is slowed: to the recovery speed at the link's radius of
// gyration. Its effective mass is bounded by minComplianceRatio.

// minComplianceRatio is the least compliance of an articulation at a contact, as a part of its whole mass's.
// It also keeps the friction block of a link that moves in one plane only invertible.
const minComplianceRatio = 1e-3

// minConstrainedCompliance is the least compliance with held rows, as a part of the unconstrained one. Where
// only held joints could move, as between two links at a joint limit, a contact in overlap would otherwise
// push without bound.
const minConstrainedCompliance = 0.01

// regularize bounds the row's compliance from below, and its separation speed. inverseMass is the inverse
// effective mass, 1/kg, total that of the total mass.
func (r *articulationContactRow) regularize(inverseMass, total float64) {
	r.minCompliance = float64(minConstrainedCompliance * inverseMass)
	if r.direction == (r3.Vec{}) || inverseMass >= total {
		return // rotational rows have no lever
	}
	r.minCompliance = max(r.minCompliance, float64(minComplianceRatio*total))
	r.pushOutScale = math.Sqrt(max(0, inverseMass) / total)
}

// inverseTotalMass is 1 over the mass of the heavier articulation at the contact, 1/kg.
func (p *articulationContact) inverseTotalMass() float64 {
	heavy := 0.0
	if p.a.link.Valid() {
		heavy = p.a.link.Articulation().TotalMass()
	}
	if p.b.link.Valid() {
		heavy = max(heavy, p.b.link.Articulation().TotalMass())
	}
	return inverseOrZero(heavy)
}

// newtonEnd is one side of a contact: a link, a free body, a kinematic body, or what stands still.
type newtonEnd struct {
	link, articulation int32 // index in newtonIsland.articulations; -1: none
	body               int32 // index in newtonIsland.bodies; -1: none
	kinematic          int32 // slot; -1: none
}

// problemBody is the number of an end's body in the problem, in which the first free body has a number.
func (e *newtonEnd) problemBody(k *newtonIsland, firstFree int32) int32 {
	switch {
	case e.articulation >= 0:
		return k.trees[e.articulation].Body + e.link
	case e.body >= 0:
		return firstFree + e.body
	}
	return newton.Ground
}
