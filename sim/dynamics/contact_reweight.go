package dynamics

import (
	"math"
	"sort"

	"simdeck/sim/r3"
)

// reweightedContact is a lane with a body that is not round. As the body turns, its inverse inertia in the
// world changes: a rod is light about its length and heavy across. Effective masses of the step's beginning
// would give a thin rod that turns fast many times the energy that the impulse takes.
//
// A lane does not warm start, nor push overlaps apart, where its bodies hit each other, or where one has
// turned so far that its contact points are no longer where they were, unless they move along
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
	// reweightThreshold is the change of an entry of an inverse inertia, as a part of the largest, from which
	// effective masses are computed anew; noWarmStartThreshold is that from which the lane no longer warm
	// starts.
	reweightThreshold    = 0.01
	noWarmStartThreshold = 0.1
	// impactSpeed is the speed of approach, m/s, from which a new contact is a hit.
	impactSpeed = 0.05
	// noWarmStartIterations is the number of passes over a lane without warm start.
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

// iterateNoWarmStart is the further passes over lanes without warm start, of the batches from first to end.
func (s *solver) iterateNoWarmStart(first, end int32, p *iteration) {
	if len(s.reweighted) == 0 {
		return
	}
	at := sort.Search(len(s.reweighted), func(i int) bool { return s.reweighted[i].batch >= first })
	for ; at < len(s.reweighted) && s.reweighted[at].batch < end; at++ {
		if e := &s.reweighted[at]; e.noWarmStart {
			for range noWarmStartIterations - 1 {
				s.solveContactLane(&s.batches[e.batch], int(e.lane), p)
			}
		}
	}
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
			b.invK11[lane], b.invK12[lane], b.invK22[lane] = 0, 0, 0
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
