package dynamics

import (
	"simdeck/sim/dynamics/articulation"
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
