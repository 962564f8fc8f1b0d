package dynamics

import (
	"math"
	"unsafe"

	"simdeck/sim/r3"
)

// contactBuilder has the parts of a world for building contact rows.
type contactBuilder struct {
	bodies   *bodySet
	geoms    *geomSet
	contacts *contactSet
	solver   *solver
	time     *stepTime
	cfg      *Config
}

// build builds the batches from first to end.
func (cb *contactBuilder) build(d *workerScratch, first, end int32) {
	s := cb.solver
	for i := first; i < end; i++ {
		if i+prefetchPacks < end {
			cb.prefetchPack(i + prefetchPacks)
		}
		l, b := &s.packs[i], &s.batches[i]
		rows := s.rows[l.first : l.first+l.n]
		if l.constraintIndex[width-1] < 0 {
			*b = contactBatch{}
			clear(rows)
		}
		b.firstRow, b.rowCount, b.movableMask, b.followsBodyMask, b.slipMask = l.first, l.n, 0, 0, 0
		for lane, t := range l.constraintIndex {
			if t >= 0 {
				cb.buildLane(d, i, lane, &l.constraints[lane])
			}
		}
	}
}

// buildLane builds the lane of one manifold.
func (cb *contactBuilder) buildLane(d *workerScratch, at int32, lane int, t *contactConstraint) {
	s := cb.solver
	b := &s.batches[at]
	c, h, m := &cb.contacts.all[t.contact], &cb.contacts.poses[t.contact], &cb.contacts.manifolds[t.manifold]
	if c.gapsStale {
		comA, rotA := cb.bodyPose(t.a, c.bodyA)
		comB, rotB := cb.bodyPose(t.b, c.bodyB)
		m.updateGapsTo(h, comA, comB, rotA, rotB)
	}
	wa, wb := &s.masses[t.a], &s.masses[t.b]
	b.a[lane], b.b[lane] = t.a, t.b
	b.massA[lane], b.massB[lane] = wa.invMass, wb.invMass
	if wa.invMass > 0 {
		b.movableMask |= 1 << lane
	}
	if wb.invMass > 0 {
		b.movableMask |= 1 << (width + lane)
	}
	jointed := cb.isJointed(t.a, c.bodyA) || cb.isJointed(t.b, c.bodyB)
	so := &s.softMoving
	if wa.invMass == 0 || wb.invMass == 0 {
		so = &s.softFixed
		if jointed {
			b.followsBodyMask |= 1 << lane
		}
	}
	b.biasRate.set(lane, so.bias)
	b.massScale.set(lane, so.mass)
	b.impulseScale.set(lane, so.impulse)
	n := m.normal
	b.normal.set(lane, n)
	middle, found := m.frictionCenter()
	warm := s.warmStartScale
	if m.noWarmStart {
		warm, m.noWarmStart = 0, false
	}
	rows := s.rows[b.firstRow : b.firstRow+b.rowCount]
	for k := range rows {
		rows[k].build(lane, m, h, k, wa, wb, middle, warm)
	}
	b.updateSpinMass(lane, wa, wb)
	b.spinImpulse[lane] = float64(m.spin * warm)
	var special *combinedMaterial
	if cb.geoms.surfaces[c.a].special || cb.geoms.surfaces[c.b].special {
		p := cb.geoms.combineMaterials(cb.cfg.Mix, c)
		special = &p
	}
	cb.buildFriction(b, lane, c, m, special, middle, middle.AddScaled(found, n).Sub(h.separation), wa, wb)
	j1, j2 := m.friction.Dot(b.t1.at(lane)), m.friction.Dot(b.t2.at(lane))
	b.applySliding(lane, j1, j2, m.normalImpulse())
	b.tangentImpulse1[lane], b.tangentImpulse2[lane] = float64(warm*j1), float64(warm*j2)
	cb.buildExtras(d, at, lane, c, m, special)
	if special != nil {
		cb.buildSpecial(d, at, lane, c, m, special)
	}
	cb.addReweighted(d, at, lane, c, m)
	if t.a*t.b == 0 {
		d.addRollingContact(cb, at, lane, c, h, m)
	}
}

// build builds the row of point k of a manifold; a lane with fewer points gets rows without effect.
func (r *contactRow) build(lane int, m *manifold, h *manifoldPose, k int, wa, wb *bodyMass, middle r3.Vec,
	warm float64) {
	if k >= int(m.n) {
		zero := r3.Vec{}
		r.armCrossNormalA.set(lane, zero)
		r.armCrossNormalB.set(lane, zero)
		r.turnA.set(lane, zero)
		r.turnB.set(lane, zero)
		r.mass[lane], r.gap[lane], r.lever[lane], r.impulse[lane] = 0, 0, 0, 0
		return
	}
	p := &m.points[k]
	ra, rb := p.arm.Cross(m.normal), p.armB(h, m).Cross(m.normal)
	r.armCrossNormalA.set(lane, ra)
	r.armCrossNormalB.set(lane, rb)
	r.updateMass(lane, ra, rb, wa, wb)
	r.gap.set(lane, p.gap)
	r.lever.set(lane, p.arm.Sub(middle).Len())
	r.impulse[lane] = float64(m.impulses[k] * warm)
}

// buildFriction builds the two tangents, along the direction of the material where it has one.
func (cb *contactBuilder) buildFriction(b *contactBatch, lane int, c *contact, m *manifold,
	special *combinedMaterial,
	armA, armB r3.Vec, wa, wb *bodyMass) {
	ga, gb := &cb.geoms.surfaces[c.a], &cb.geoms.surfaces[c.b]
	t1, t2 := cb.geoms.tangents(c, m.normal)
	b.t1.set(lane, t1)
	b.t2.set(lane, t2)
	mu1, mu2, torsion := cb.cfg.Mix.combine(ga.friction, gb.friction),
		cb.cfg.Mix.combine(ga.friction2, gb.friction2), max(ga.torsional, gb.torsional)
	if special != nil {
		mu1, mu2, torsion = special.mu1, special.mu2, special.torsion
	}
	grip := m.frictionScale()
	b.mu1.set(lane, float64(grip*mu1))
	b.mu2.set(lane, float64(grip*mu2))
	b.torsion.set(lane, torsion)
	b.armA.set(lane, armA)
	b.armB.set(lane, armB)
	b.updateFrictionMass(lane, armA, armB, t1, t2, wa, wb)
}

// bodyPose is the centre of mass and the orientation of a body, by its index in solver.states or by its slot.
func (cb *contactBuilder) bodyPose(at, slot int32) (r3.Vec, r3.Quat) {
	if at != 0 {
		return cb.solver.masses[at].com, cb.solver.rotations[at]
	}
	m := &cb.bodies.motion[slot]
	return m.com, m.rot
}

// isJointed reports that a body, by its index in solver.states or by its slot, is on a joint.
func (cb *contactBuilder) isJointed(at, slot int32) bool {
	if at != 0 {
		return cb.solver.flags[at].jointed
	}
	return len(cb.bodies.all[slot].joints) > 0
}

// buildExtras adds rolling friction and restitution, which few contacts have.
func (cb *contactBuilder) buildExtras(d *workerScratch, at int32, lane int, c *contact, m *manifold,
	special *combinedMaterial) {
	s := cb.solver
	b := &s.batches[at]
	ga, gb := &cb.geoms.surfaces[c.a], &cb.geoms.surfaces[c.b]
	lever, restitution, threshold := max(ga.rolling, gb.rolling), max(ga.restitution, gb.restitution),
		restitutionThreshold
	if special != nil {
		lever, restitution, threshold = special.rolling, special.restitution, special.threshold
	}
	if lever > 0 {
		mass, _ := s.masses[b.a[lane]].invInertia.Add(s.masses[b.b[lane]].invInertia).Inverse()
		d.rollingFriction = append(d.rollingFriction,
			rollingFriction{at, int32(lane), lever, mass, m.rolling.Scale(s.warmStartScale)})
	}
	if restitution == 0 {
		return
	}
	x, y := &s.states[b.a[lane]], &s.states[b.b[lane]]
	for k := range m.n {
		r := &s.rows[b.firstRow+k]
		v := m.normal.Dot(y.v.Sub(x.v)) +
			r.armCrossNormalB.at(lane).Dot(y.w) - r.armCrossNormalA.at(lane).Dot(x.w)
		if v < -threshold {
			d.restitution = append(d.restitution,
				restitutionPoint{at, int32(lane), b.firstRow + k, restitution, v, 0})
		}
	}
}

// buildSpecial builds the rare properties of a lane's contact: its spring, allowed penetration, and friction
// that is compliant or on a surface that moves.
func (cb *contactBuilder) buildSpecial(d *workerScratch, at int32, lane int, c *contact, m *manifold,
	p *combinedMaterial) {
	s := cb.solver
	b := &s.batches[at]
	rows := s.rows[b.firstRow : b.firstRow+b.rowCount]
	n, mass, deepest := 0.0, 0.0, 0.0
	for k := range rows {
		r := &rows[k]
		pointMass := r.mass.at(lane)
		if pointMass == 0 {
			continue
		}
		n, mass = n+1, mass+pointMass
		if gap := r.gap.at(lane); gap < 0 {
			r.gap.set(lane, min(0, gap+p.allowedPenetration))
			deepest = max(deepest, -gap-p.allowedPenetration)
		}
	}
	usual := softness{b.biasRate.at(lane), b.massScale.at(lane), b.impulseScale.at(lane)}
	if so, ok := s.contactSoftness(p, mass/n, usual); ok &&
		deepest <= cb.springSlop(p, mass/n, m.normalImpulse()/n) {
		b.biasRate.set(lane, so.bias)
		b.massScale.set(lane, so.mass)
		b.impulseScale.set(lane, so.impulse)
		d.contactSprings = append(d.contactSprings, contactSpring{at, int32(lane)})
	}
	if moves := cb.geoms.surfaceMoves(c); moves || p.slip1+p.slip2 > 0 {
		f := compliantFriction{batch: at, lane: int32(lane), slip1: p.slip1, slip2: p.slip2}
		if moves {
			center, _ := cb.bodyPose(b.a[lane], c.bodyA)
			n, t1, t2 := b.normal.at(lane), b.t1.at(lane), b.t2.at(lane)
			x, y, armA, armB := &s.states[b.a[lane]], &s.states[b.b[lane]], b.armA.at(lane), b.armB.at(lane)
			f.surface = cb.geoms.surfaceMotion(c, center.Add(armA), n, t1, t2)
			f.surface.slideAt(y.v.Add(y.w.Cross(armB)).Sub(x.v).Sub(x.w.Cross(armA)), y.w.Sub(x.w), n, t1, t2,
				m.meanLever())
		}
		b.slipMask |= 1 << lane
		b.leaveFriction(lane)
		d.compliantFriction = append(d.compliantFriction, f)
	}
}

// storeImpulses stores the impulses from which the next step warm starts, of the batches from first to end.
func (cb *contactBuilder) storeImpulses(first, end int32) {
	s := cb.solver
	for i := first; i < end; i++ {
		if i+prefetchManifoldBatches < end {
			cb.contacts.prefetchManifolds(&s.packs[i+prefetchManifoldBatches])
		}
		b := &s.batches[i]
		for lane, t := range s.packs[i].constraintIndex {
			if t < 0 {
				continue
			}
			m := &cb.contacts.manifolds[s.packs[i].constraints[lane].manifold]
			for k := range b.rowCount {
				m.impulses[k] = s.rows[b.firstRow+k].impulse[lane]
			}
			m.friction = b.t1.at(lane).Scale(b.tangentImpulse1[lane]).AddScaled(b.tangentImpulse2[lane],
				b.t2.at(lane))
			m.spin = b.spinImpulse[lane]
		}
	}
}

// reweightedContact is a lane with a body that is not round. As the body turns, its inverse inertia in the
// world changes: a rod is light about its length and heavy across. Effective masses of the step's beginning
// would give a thin rod that turns fast many times the energy that the impulse takes.
//
// A lane has neither warm start nor overlap recovery where its bodies collide in this step. The same holds
// where a body has turned so far that its contact points are stale, unless they move along
// (rolling_contact.go). Either would throw thin bodies: their points depend on each other so much that passes
// do not take all of it out again. Impulses that begin at zero and only take speed never add energy, however
// far the passes converge.
type reweightedContact struct {
	batch, lane  int32
	noWarmStart  bool
	rolling      bool      // its points move along: rolling_contact.go
	nonSpherical [2]bool   // the body is not round
	inertiaStart [2]r3.Mat // inverse inertias when the step began
	inertiaUsed  [2]r3.Mat // of the effective masses of the lane
}

const (
	// reweightThreshold is the change of an entry of an inverse inertia, relative to the largest, from which
	// on effective masses are recomputed. From noWarmStartThreshold on the lane no longer warm starts.
	reweightThreshold    = 0.01
	noWarmStartThreshold = 0.1
	// impactSpeed is the speed of approach, m/s, from which a new contact is a hit.
	impactSpeed = 0.05
	// noWarmStartIterations is the number of passes over a lane without warm start, chosen: nothing of the
	// substep before helps.
	noWarmStartIterations = 8
)

// addReweighted adds a lane with a body that is not round.
func (cb *contactBuilder) addReweighted(d *workerScratch, at int32, lane int, c *contact, m *manifold) {
	s := cb.solver
	b := &s.batches[at]
	i, k := b.a[lane], b.b[lane]
	if !s.flags[i].gyroscopic && !s.flags[k].gyroscopic {
		return
	}
	d.reweighted = append(d.reweighted,
		reweightedContact{batch: at, lane: int32(lane),
			nonSpherical: [2]bool{s.flags[i].gyroscopic, s.flags[k].gyroscopic}})
	e := &d.reweighted[len(d.reweighted)-1]
	for side, body := range [2]int32{i, k} {
		if e.nonSpherical[side] {
			e.inertiaStart[side] = s.masses[body].invInertia
			e.inertiaUsed[side] = s.masses[body].invInertia
		}
	}
	// Bodies on joints pass a hit on to others, which the points alone do not see.
	if len(cb.bodies.all[c.bodyA].joints)+len(cb.bodies.all[c.bodyB].joints) == 0 && s.isImpact(b, lane, m) {
		e.disableWarmStart(b)
	}
}

// disableWarmStart takes warm start and bias from a lane.
func (e *reweightedContact) disableWarmStart(b *contactBatch) {
	e.noWarmStart = true
	b.biasRate[e.lane], b.massScale[e.lane], b.impulseScale[e.lane] = 0, 1, 0
}

// isImpact reports that the bodies of a lane hit each other.
func (s *solver) isImpact(b *contactBatch, lane int, m *manifold) bool {
	fastest := 0.0
	x, y := &s.states[b.a[lane]], &s.states[b.b[lane]]
	v := m.normal.Dot(y.v.Sub(x.v))
	for k := range m.n {
		r := &s.rows[b.firstRow+k]
		if r.impulse[lane] > 0 {
			return false
		}
		fastest = min(fastest, v+r.armCrossNormalB.at(lane).Dot(y.w)-r.armCrossNormalA.at(lane).Dot(x.w))
	}
	return fastest < -impactSpeed
}

// clearNoWarmStart clears the impulses of lanes without warm start when a substep begins.
func (s *solver) clearNoWarmStart() {
	for i := range s.reweighted {
		e := &s.reweighted[i]
		if !e.noWarmStart {
			continue
		}
		b := &s.batches[e.batch]
		b.tangentImpulse1[e.lane], b.tangentImpulse2[e.lane], b.spinImpulse[e.lane] = 0, 0, 0
		for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
			s.rows[k].impulse[e.lane] = 0
		}
	}
}

// storeNoWarmStart marks the manifolds from which the next step does not warm start.
func (cb *contactBuilder) storeNoWarmStart() {
	s := cb.solver
	for i := range s.reweighted {
		if e := &s.reweighted[i]; e.noWarmStart {
			constraint := &s.coloring.constraints[s.packs[e.batch].constraintIndex[e.lane]]
			cb.contacts.manifolds[constraint.manifold].noWarmStart = true
		}
	}
}

// storeRollingImpulses stores the impulses of rolling friction for the next step.
func (cs *contactSet) storeRollingImpulses(s *solver) {
	for i := range s.rollingFriction {
		r := &s.rollingFriction[i]
		t := s.packs[r.batch].constraintIndex[r.lane]
		cs.manifolds[s.coloring.constraints[t].manifold].rolling = r.impulse
	}
}

// updateReweighted computes the effective masses of lanes anew whose bodies have turned.
func (s *solver) updateReweighted() {
	for i := range s.reweighted {
		e := &s.reweighted[i]
		b, lane := &s.batches[e.batch], int(e.lane)
		wa, wb := &s.masses[b.a[lane]], &s.masses[b.b[lane]]
		if !e.inertiaChanged(&e.inertiaUsed, wa, wb, reweightThreshold) {
			continue
		}
		if !e.rolling && e.inertiaChanged(&e.inertiaStart, wa, wb, noWarmStartThreshold) {
			e.disableWarmStart(b)
		}
		e.inertiaUsed = [2]r3.Mat{wa.invInertia, wb.invInertia}
		for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
			if r := &s.rows[k]; r.mass[lane] > 0 {
				r.updateMass(lane, r.armCrossNormalA.at(lane), r.armCrossNormalB.at(lane), wa, wb)
			}
		}
		b.updateSpinMass(lane, wa, wb)
		b.updateFrictionMass(lane, b.armA.at(lane), b.armB.at(lane), b.t1.at(lane), b.t2.at(lane), wa, wb)
		if b.slipMask&(1<<lane) != 0 {
			b.leaveFriction(lane)
		}
	}
}

// inertiaChanged reports for either body that its inverse inertia has changed by a part of its largest entry.
func (e *reweightedContact) inertiaChanged(was *[2]r3.Mat, wa, wb *bodyMass, part float64) bool {
	return e.nonSpherical[0] && inertiaChanged(&was[0], &wa.invInertia, part) || e.nonSpherical[1] &&
		inertiaChanged(&was[1], &wb.invInertia, part)
}

// inertiaChanged reports that an inverse inertia has changed by more than a part of its largest entry.
func inertiaChanged(was, is *r3.Mat, part float64) bool {
	most := float64(part * max(is.XX, is.YY, is.ZZ))
	return math.Abs(is.XX-was.XX) > most || math.Abs(is.YY-was.YY) > most || math.Abs(is.ZZ-was.ZZ) > most ||
		math.Abs(is.XY-was.XY) > most || math.Abs(is.XZ-was.XZ) > most || math.Abs(is.YZ-was.YZ) > most
}

// Software prefetch distances. In a large world the data of a task exceed the cache, in an order that the
// hardware prefetcher does not foresee. They change the time alone.
const (
	prefetchContacts        = 6 // contacts, of collideContacts
	prefetchPacks           = 2 // batches, of buildContactBatches
	prefetchManifoldBatches = 4 // batches, of storeImpulses
)

// prefetchPack prefetches the inputs of a batch, and where it is written.
func (cb *contactBuilder) prefetchPack(at int32) {
	s := cb.solver
	l := &s.packs[at]
	for lane, t := range l.constraintIndex {
		if t < 0 {
			continue
		}
		k := &l.constraints[lane]
		const points = unsafe.Offsetof(manifold{}.points)
		prefetch(unsafe.Pointer(&cb.contacts.manifolds[k.manifold]),
			int(points+uintptr(k.pointCount())*unsafe.Sizeof(contactPoint{})))
		prefetch(unsafe.Pointer(&cb.contacts.all[k.contact]), int(unsafe.Sizeof(contact{})))
		prefetch(unsafe.Pointer(&cb.contacts.poses[k.contact]), int(unsafe.Sizeof(manifoldPose{})))
		prefetch(unsafe.Pointer(&s.masses[k.a]), int(unsafe.Offsetof(bodyMass{}.linearDamping)))
		prefetch(unsafe.Pointer(&s.masses[k.b]), int(unsafe.Offsetof(bodyMass{}.linearDamping)))
		prefetch(unsafe.Pointer(&s.rotations[k.a]), int(unsafe.Sizeof(r3.Quat{})))
		prefetch(unsafe.Pointer(&s.rotations[k.b]), int(unsafe.Sizeof(r3.Quat{})))
	}
	prefetch(unsafe.Pointer(&s.batches[at]), int(unsafe.Sizeof(contactBatch{})))
	if l.n > 0 {
		prefetch(unsafe.Pointer(&s.rows[l.first]), int(uintptr(l.n)*unsafe.Sizeof(contactRow{})))
	}
}

// prefetchManifolds prefetches where the impulses of a batch are stored.
func (cs *contactSet) prefetchManifolds(l *contactPack) {
	for lane, t := range l.constraintIndex {
		if t >= 0 {
			prefetch(unsafe.Pointer(&cs.manifolds[l.constraints[lane].manifold]),
				int(unsafe.Offsetof(manifold{}.normal)))
		}
	}
}
