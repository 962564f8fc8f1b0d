package dynamics

import (
	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/dynamics/linalg"
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

// A joint in maximal coordinates may have links at its ends, such as a wheel on a base that carries an arm.
// It acts through the links' impulse responses. A joint that closes a loop within one articulation is a row
// of it (loop.go).

// assignEnds finds which ends of a joint are links.
func (r *jointConstraint) assignEnds(w *World, j *joint) {
	r.endB = w.articulations.end(&w.bodies, &w.solver, j.child)
	if j.parent >= 0 {
		r.endA = w.articulations.end(&w.bodies, &w.solver, j.parent)
	}
	for _, e := range [2]*constraintEnd{&r.endA, &r.endB} {
		if e.link.Valid() {
			r.onArticulation = true
			e.link.Articulation().MarkExternalJoint()
		}
	}
}

// publishExternallyJointed writes the links' poses after a substep to the solver.
func (art *worldArticulation) publishExternallyJointed(w *World) {
	s := &w.solver
	base := art.baseOf(w)
	art.RefreshExternallyJointed(s.h, &base)
	for i := range art.links {
		slot := art.links[i].body
		at := s.index[slot]
		com, rot := art.LinkPose(int32(i))
		s.states[at].deltaPosition = com.Sub(w.bodies.motion[slot].com)
		s.rotations[at] = rot
	}
}

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

// tikhonovEpsilon is ε of regularizeMass as a part of the trace of k.
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
	s.energyClamps.begin(s)
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
