package dynamics

import (
	"math"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
)

// articulationContact is a manifold with a link, or a body of a direct island, on at least one side. Each row
// carries the twist changes of both ends per unit impulse.
type articulationContact struct {
	a, b     constraintEnd
	manifold int32
	// normal rows; then torsion, two tangents, and three of rolling where it is resisted
	firstRow, normalCount int32

	combinedMaterial
	withStatic                  bool
	normalImpulse, torsionLever float64
	slidingFraction             float64 // as in friction.go
	surface                     surfaceMotion
}

// articulationContactRow is one direction of an articulationContact: a unit impulse along it acts on b with
// moment armCrossNormalB, and on a oppositely.
type articulationContactRow struct {
	direction, armCrossNormalA, armCrossNormalB r3.Vec
	deltaA, deltaB                              velocityChange // by a unit impulse
	effectiveMass                               float64
	minCompliance                               float64 // lower bound of the inverse effective mass
	gap, lever                                  float64 // m
	impulse, maxImpulse                         float64
	savedImpulse                                float64 // impulse before the contact was last solved
	pushOutScale                                float64 // part of the recovery speed allowed here
	relativeNormalVelocity                      float64
}

// setMoment sets the moment of a row's unit impulse about the center of mass of one body.
func (r *articulationContactRow) setMoment(sideB bool, moment r3.Vec) {
	if sideB {
		r.armCrossNormalB = moment
	} else {
		r.armCrossNormalA = moment
	}
}

// addArticulationContact takes a contact whose bodies include a link or a body of a direct island; false:
// neither.
func (cs *contactSet) addArticulationContact(bodies *bodySet, s *solver, contact int32) bool {
	c := &cs.all[contact]
	if bodies.all[c.bodyA].articulation == 0 && bodies.all[c.bodyB].articulation == 0 &&
		!s.inDirectIsland(c.bodyA) && !s.inDirectIsland(c.bodyB) {
		return false
	}
	cs.updateGaps(bodies, contact)
	s.articulationContactIDs = append(s.articulationContactIDs, contact)
	return true
}

// buildArticulationContacts builds the rows, once all contacts are known. It returns the number of contacts.
func (cb *contactBuilder) buildArticulationContacts(articulations articulationList) int {
	s := cb.solver
	s.articulationContacts, s.articulationContactRows = s.articulationContacts[:0],
		s.articulationContactRows[:0]
	for _, i := range s.articulationContactIDs {
		c := &cb.contacts.all[i]
		articulations.requestResponse(cb.bodies, c.bodyA)
		articulations.requestResponse(cb.bodies, c.bodyB)
		s.requestDirectResponse(c.bodyA)
		s.requestDirectResponse(c.bodyB)
	}
	for _, i := range s.articulationContactIDs {
		c := &cb.contacts.all[i]
		for k := range c.count {
			cb.buildArticulationContact(articulations, c, &cb.contacts.poses[i], c.base+k)
		}
	}
	if len(s.directResponses) > 0 {
		s.computeDirectResponses()
	}
	n := len(s.articulationContactIDs)
	s.articulationContactIDs = s.articulationContactIDs[:0]
	return n
}

// buildArticulationContact builds the rows of a manifold.
func (cb *contactBuilder) buildArticulationContact(articulations articulationList, c *contact,
	h *manifoldPose, index int32) {
	s, bodies := cb.solver, cb.bodies
	p := articulationContact{a: articulations.end(bodies, s, c.bodyA),
		b: articulations.end(bodies, s, c.bodyB), manifold: index,
		firstRow: int32(len(s.articulationContactRows))}
	s.articulationContactRows = cb.appendManifoldRows(s.articulationContactRows, &p, c, h)
	s.articulationContacts = append(s.articulationContacts, p)
}

// appendManifoldRows appends the rows of the manifold of p to rows, and sets what p holds of its material.
func (cb *contactBuilder) appendManifoldRows(rows []articulationContactRow, p *articulationContact,
	c *contact, h *manifoldPose) []articulationContactRow {
	s, bodies, geoms := cb.solver, cb.bodies, cb.geoms
	m := &cb.contacts.manifolds[p.manifold]
	p.normalCount = m.n
	p.withStatic = bodies.all[c.bodyA].kind != Dynamic || bodies.all[c.bodyB].kind != Dynamic
	friction := m.frictionScale()
	p.combinedMaterial = geoms.combineMaterials(cb.cfg.Mix, c)
	p.mu1, p.mu2 = float64(friction*p.mu1), float64(friction*p.mu2)
	scale := s.warmStartScale
	ma, mb := &bodies.motion[c.bodyA], &bodies.motion[c.bodyB]
	middle, found := m.frictionCenter()
	for k := range m.n {
		pt := &m.points[k]
		r := articulationContactRow{
			direction: m.normal, armCrossNormalA: pt.arm.Cross(m.normal),
			armCrossNormalB: pt.armB(h, m).Cross(m.normal),
			gap:             pt.gap, impulse: float64(m.impulses[k] * scale), lever: pt.arm.Sub(middle).Len(),
		}
		if r.gap < 0 {
			r.gap = min(0, r.gap+p.allowedPenetration)
		}
		r.relativeNormalVelocity = m.normal.Dot(mb.v.Sub(ma.v)) +
			r.armCrossNormalB.Dot(mb.w) - r.armCrossNormalA.Dot(ma.w)
		rows = append(rows, r)
	}
	armA, armB := middle, middle.AddScaled(found, m.normal).Sub(h.separation)
	t1, t2 := geoms.tangents(c, m.normal)
	if geoms.surfaceMoves(c) {
		p.surface = geoms.surfaceMotion(c, ma.com.Add(armA), m.normal, t1, t2)
		dv := mb.v.Add(mb.w.Cross(armB)).Sub(ma.v).Sub(ma.w.Cross(armA))
		p.surface.slideAt(dv, mb.w.Sub(ma.w), m.normal, t1, t2, m.meanLever())
	}
	load := m.normalImpulse()
	p.slidingFraction = slidingFraction(m.friction.Dot(t1), m.friction.Dot(t2), float64(p.mu1*load),
		float64(p.mu2*load))
	rows = append(rows,
		articulationContactRow{armCrossNormalA: m.normal, armCrossNormalB: m.normal,
			impulse: float64(m.spin * scale)},
		articulationContactRow{direction: t1, armCrossNormalA: armA.Cross(t1),
			armCrossNormalB: armB.Cross(t1), impulse: float64(scale * m.friction.Dot(t1))},
		articulationContactRow{direction: t2, armCrossNormalA: armA.Cross(t2),
			armCrossNormalB: armB.Cross(t2), impulse: float64(scale * m.friction.Dot(t2))},
	)
	if p.rolling > 0 {
		for i := range 3 {
			e := r3.Vec{}.With(i, 1)
			rows = append(rows, articulationContactRow{armCrossNormalA: e, armCrossNormalB: e,
				impulse: float64(scale * m.rolling.At(i))})
		}
	}
	return rows
}

// splitRows returns normal rows and the rest.
func (p *articulationContact) splitRows(s *solver) (normal, rest []articulationContactRow) {
	all := p.allRows(s)
	return all[:p.normalCount], all[p.normalCount:]
}

// warmStartArticulationContacts applies the impulses of the last substep. The reactions of motors and limits
// are in their own warm starts.
func (s *solver) warmStartArticulationContacts() {
	for i := range s.articulationContacts {
		p := &s.articulationContacts[i]
		var fa, ta, fb, tb r3.Vec
		rows := p.allRows(s)
		for k := range rows {
			r := &rows[k]
			fa, ta = fa.AddScaled(-r.impulse, r.direction), ta.AddScaled(-r.impulse, r.armCrossNormalA)
			fb, tb = fb.AddScaled(r.impulse, r.direction), tb.AddScaled(r.impulse, r.armCrossNormalB)
		}
		p.a.applyImpulse(s, fa, ta)
		p.b.applyImpulse(s, fb, tb)
	}
}

// updateArticulationContactMasses recomputes the rows of all contacts, with the reactions of held rows.
func (s *solver) updateArticulationContactMasses() {
	for i := range s.articulationContacts {
		s.articulationContacts[i].updateMass(s)
	}
}

// setImpulse changes the row's impulse to j.
func (r *articulationContactRow) setImpulse(j float64, a, b, onA, onB *velocityChange) {
	d := j - r.impulse
	r.impulse = j
	a.v, a.w = a.v.AddScaled(d, r.deltaA.v), a.w.AddScaled(d, r.deltaA.w)
	b.v, b.w = b.v.AddScaled(d, r.deltaB.v), b.w.AddScaled(d, r.deltaB.w)
	onA.v, onA.w = onA.v.AddScaled(-d, r.direction), onA.w.AddScaled(-d, r.armCrossNormalA)
	onB.v, onB.w = onB.v.AddScaled(d, r.direction), onB.w.AddScaled(d, r.armCrossNormalB)
}

// solveArticulationContacts is one iteration over the contacts of links.
func (s *solver) solveArticulationContacts(useBias bool, limit float64) {
	for i := range s.articulationContacts {
		s.articulationContacts[i].solve(s, useBias, limit)
	}
}

// solve is one iteration; it repeats while rows of an articulation or direct island leave their active set.
func (p *articulationContact) solve(s *solver, useBias bool, limit float64) {
	for more := true; more; {
		a, b := p.a.velocity(s), p.b.velocity(s)
		var onA, onB velocityChange
		p.saveImpulses(s)
		p.solveNormal(s, useBias, limit, &a, &b, &onA, &onB)
		p.solveFriction(s, &a, &b, &onA, &onB)
		more = p.applyWithinRowBounds(s, &onA, &onB) || p.releaseLimits(s)
	}
}

// solveNormal solves the normal rows; limit is the recovery speed, m/s.
func (p *articulationContact) solveNormal(s *solver, useBias bool, limit float64, a, b, onA,
	onB *velocityChange) {
	normal, _ := p.splitRows(s)
	ma, mb := &s.states[p.a.bodyIndex], &s.states[p.b.bodyIndex]
	usual := &s.softMoving
	if p.withStatic {
		usual = &s.softFixed
	}
	p.normalImpulse, p.torsionLever = 0, 0
	for k := range normal {
		r := &normal[k]
		gap := r.gap + r.direction.Dot(mb.deltaPosition.Sub(ma.deltaPosition)) +
			r.armCrossNormalB.Dot(mb.deltaRotation) - r.armCrossNormalA.Dot(ma.deltaRotation)
		bias, ms, is := 0.0, 1.0, 0.0
		if gap > 0 {
			bias = float64(gap * s.invH)
		} else if so, sprung := s.contactSoftness(&p.combinedMaterial, r.effectiveMass, *usual); sprung ||
			useBias {
			bias, ms, is = max(float64(so.bias*gap), -float64(limit*r.pushOutScale)), so.mass, so.impulse
		}
		j := r.impulse - float64(r.effectiveMass*ms*(r.speed(a, b)+bias)) - float64(is*r.impulse)
		r.setImpulse(max(j, 0), a, b, onA, onB)
		r.maxImpulse = max(r.maxImpulse, r.impulse)
		p.normalImpulse += r.impulse
		p.torsionLever += float64(r.impulse * r.lever)
	}
}

// solveFriction solves torsion, both tangents, and rolling resistance.
func (p *articulationContact) solveFriction(s *solver, a, b, onA, onB *velocityChange) {
	_, rest := p.splitRows(s)
	spin, r1, r2 := &rest[0], &rest[1], &rest[2]
	limit := float64(0.5*(p.mu1+p.mu2)*p.torsionLever) + float64(p.torsion*p.normalImpulse)
	limit = float64(limit * (1 - p.surface.spinLoss))
	j := spin.impulse - float64(spin.effectiveMass*(spin.speed(a, b)+p.surface.spin))
	spin.setImpulse(max(-limit, min(limit, j)), a, b, onA, onB)

	// Both tangents are one 2×2 block: the response couples them.
	g1, g2 := float64(p.slip1*s.invH), float64(p.slip2*s.invH)
	k11, k22 := r1.speed(&r1.deltaA, &r1.deltaB)+r1.minCompliance+g1,
		r2.speed(&r2.deltaA, &r2.deltaB)+r2.minCompliance+g2
	k12 := r1.speed(&r2.deltaA, &r2.deltaB)
	det := inverseOrZero(float64(k11*k22) - float64(k12*k12))
	b11, b12, b22 := float64(k22*det), float64(-k12*det), float64(k11*det)
	switch {
	case p.mu2 == 0:
		b11, b12, b22 = inverseOrZero(k11), 0, 0
	case p.slidingFraction > 0 && g1+g2 == 0:
		b11, b12, b22 = equalizedMass(b11, b12, b22, p.mu1, p.mu2, p.slidingFraction)
	}
	v1 := r1.speed(a, b) + p.surface.along1 + float64(g1*r1.impulse)
	v2 := r2.speed(a, b) + p.surface.along2 + float64(g2*r2.impulse)
	j1 := r1.impulse - float64(b11*v1) - float64(b12*v2)
	j2 := r2.impulse - float64(b12*v1) - float64(b22*v2)
	load := float64(p.normalImpulse * (1 - p.surface.slideLoss))
	j1, j2 = clampToFrictionCone(j1, j2, float64(p.mu1*load), float64(p.mu2*load))
	r1.setImpulse(j1, a, b, onA, onB)
	r2.setImpulse(j2, a, b, onA, onB)
	if p.rolling <= 0 {
		return
	}
	// All three are one block: stopping a disc about one axis turns it about others.
	roll := rest[3:6]
	x, y, z := &roll[0], &roll[1], &roll[2]
	k := r3.Columns(x.deltaB.w.Sub(x.deltaA.w), y.deltaB.w.Sub(y.deltaA.w), z.deltaB.w.Sub(z.deltaA.w))
	k.XX, k.YY, k.ZZ = k.XX+x.minCompliance, k.YY+y.minCompliance, k.ZZ+z.minCompliance
	inv := inverseSymmetric(&k)
	want := clampLength(r3.Vec{X: x.impulse, Y: y.impulse, Z: z.impulse}.Sub(inv.Times(b.w.Sub(a.w))),
		float64(p.rolling*p.normalImpulse))
	for i := range roll {
		roll[i].setImpulse(want.At(i), a, b, onA, onB)
	}
}

// applyArticulationRestitution applies restitution to rows that were impacting.
func (s *solver) applyArticulationRestitution() {
	for i := range s.articulationContacts {
		p := &s.articulationContacts[i]
		if p.restitution == 0 {
			continue
		}
		a, b := p.a.velocity(s), p.b.velocity(s)
		var onA, onB velocityChange
		normal, _ := p.splitRows(s)
		for k := range normal {
			r := &normal[k]
			if r.relativeNormalVelocity > -p.threshold || r.maxImpulse == 0 {
				continue
			}
			j := r.impulse - float64(r.effectiveMass*(r.speed(&a, &b)+
				float64(p.restitution*r.relativeNormalVelocity)))
			r.setImpulse(max(0, j), &a, &b, &onA, &onB)
		}
		p.a.applyConstrainedImpulse(s, onA.v, onA.w)
		p.b.applyConstrainedImpulse(s, onB.v, onB.w)
	}
}

// storeArticulationImpulses stores the impulses for the next step's warm start.
func (cs *contactSet) storeArticulationImpulses(s *solver) {
	for i := range s.articulationContacts {
		p := &s.articulationContacts[i]
		cs.manifolds[p.manifold].storeRows(p, p.allRows(s))
	}
}

// storeRows keeps the impulses of a contact's rows.
func (m *manifold) storeRows(p *articulationContact, rows []articulationContactRow) {
	normal, rest := rows[:p.normalCount], rows[p.normalCount:]
	for k := range normal {
		m.impulses[k] = normal[k].impulse
	}
	m.spin = rest[0].impulse
	m.friction = rest[1].direction.Scale(rest[1].impulse).AddScaled(rest[2].impulse, rest[2].direction)
	m.rolling = r3.Vec{}
	if p.rolling > 0 {
		m.rolling = r3.Vec{X: rest[3].impulse, Y: rest[4].impulse, Z: rest[5].impulse}
	}
}

// updateConstrainedResponses updates the responses of all articulations in contact to the rows held now. With
// again, in the same substep, an unchanged set of held rows needs no work.
func (as articulationList) updateConstrainedResponses(s *solver, again bool) {
	if len(s.articulationContacts) == 0 {
		return
	}
	changed := !again
	for _, i := range s.activeArticulations {
		if art := &as[i]; art.HasResponses() && art.UpdateConstrainedResponses(again) {
			changed = true
		}
	}
	if changed {
		s.updateArticulationContactMasses()
	}
}

// saveImpulses saves the impulses, to scale their change back.
func (p *articulationContact) saveImpulses(s *solver) {
	rows := p.allRows(s)
	for k := range rows {
		rows[k].savedImpulse = rows[k].impulse
	}
}

// applyWithinRowBounds applies the impulses found, up to where a row of an articulation reaches its bound.
// That row is at its bound from there on; true: the contact must be solved again.
func (p *articulationContact) applyWithinRowBounds(s *solver, onA, onB *velocityChange) bool {
	part, held, row := 1.0, (*articulation.Articulation)(nil), 0
	for _, e := range [2]struct {
		end *constraintEnd
		on  *velocityChange
	}{{&p.a, onA}, {&p.b, onB}} {
		if !e.end.link.Valid() {
			continue
		}
		if k, r := e.end.link.MaxImpulseFraction(e.on.v, e.on.w); k < part {
			part, held, row = k, e.end.link.Articulation(), r
		}
	}
	p.a.applyConstrainedImpulse(s, onA.v.Scale(part), onA.w.Scale(part))
	p.b.applyConstrainedImpulse(s, onB.v.Scale(part), onB.w.Scale(part))
	if held == nil {
		return false
	}
	rows := p.allRows(s)
	for k := range rows {
		r := &rows[k]
		r.impulse = r.savedImpulse + float64(part*(r.impulse-r.savedImpulse))
	}
	held.ReleaseRow(row)
	s.updateArticulationContactMasses()
	return true
}

// clearFastWarmStart removes the warm start from contacts of fast articulations. Links that have turned would
// respond with added energy; impulses found from zero only dissipate.
func (s *solver) clearFastWarmStart() {
	s.anyNoWarmStart = false
	for i := range s.articulationContacts {
		p := &s.articulationContacts[i]
		if a, b := p.a.link.Articulation(), p.b.link.Articulation(); (a == nil || !a.Fast()) &&
			(b == nil || !b.Fast()) {
			continue
		}
		s.anyNoWarmStart = true
		rows := p.allRows(s)
		for k := range rows {
			rows[k].impulse = 0
		}
	}
}

// iterateArticulationContacts is one iteration over the contacts of links, or several where some have no warm
// start.
func (s *solver) iterateArticulationContacts(useBias bool, limit float64) {
	n := 1
	if s.anyNoWarmStart {
		n = noWarmStartIterations
	}
	for range n {
		s.solveArticulationContacts(useBias, limit)
	}
}

// releaseLimits is directIsland.releaseLimits for the islands at a contact.
func (p *articulationContact) releaseLimits(s *solver) (gone bool) {
	for _, e := range [2]*constraintEnd{&p.a, &p.b} {
		if e.directResponse == 0 {
			continue
		}
		if k := &s.directIslands[s.directResponses[e.directResponse-1].island]; k.releaseLimits(s) {
			k.refactor(s)
			k.zeroVelocity(s, true)
			gone = true
		}
	}
	return gone
}

const (
	// maxCreep is the most, m/s or rad/s, that a row of a contact gives by its compliance under a load that
	// stays. Measured by the soak: from 8e-2 on light links of loops sink, up to 1e-2 stiff rows of recovery
	// lift carts of heavy wheels.
	maxCreep = 7e-2
	// minUnderLoad is the least part of a compliance that such a load leaves: below it is rounding.
	minUnderLoad = 1e-3
)

// underLoad bounds a row's compliance so that it gives by no more than maxCreep under the impulse of the
// substep before. A light body that carries a heavy one is as heavy as that to what carries it.
func underLoad(compliance, impulse float64) float64 {
	if give := float64(compliance * math.Abs(impulse)); give > maxCreep {
		return max(minUnderLoad, maxCreep/give) * compliance
	}
	return compliance
}

// frictionImpulses is the impulses of the substep before, by which the compliances of friction are bounded.
// They are those of the spin, of both tangents, twice, and of rolling.
func frictionImpulses(rows []articulationContactRow) (all [4]float64) {
	all[0] = rows[0].impulse
	all[1] = r3.Hypot(rows[1].impulse, rows[2].impulse)
	all[2] = all[1]
	if len(rows) > 3 {
		all[3] = r3.Vec{X: rows[3].impulse, Y: rows[4].impulse, Z: rows[5].impulse}.Len()
	}
	return all
}
