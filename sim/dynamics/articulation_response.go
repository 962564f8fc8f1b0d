package dynamics

import (
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// linkResponse is an articulation's response to an impulse at the COM of one of its links.
type linkResponse struct {
	link        int32
	bodyIndex   int32          // index of the solver
	offset      int32          // of its entries in responseCache.dofs
	self        responseMatrix // change of the link's own twist
	constrained responseMatrix // likewise, with the reactions of held rows
}

// responseCache is the impulse responses of an articulation in a substep.
type responseCache struct {
	links           []linkResponse
	dofs            []linalg.VecPair // of all link responses, degree of freedom by degree of freedom
	constrainedDofs []linalg.VecPair // likewise, with the reactions of the held rows
	heldRows        []int32          // rows strictly within their bounds, which react to impulses
	rowReactions    []linalg.VecPair // by link response and held row: the reaction impulse
}

// responseMatrix maps an impulse f and an angular impulse t to a twist change: v = vf·f + vt·t, w = wf·f +
// wt·t. It is a block of the inverse operational-space inertia (Featherstone, RBDA 2008, ch. 10).
type responseMatrix struct{ vf, vt, wf, wt r3.Mat }

// velocityChange is a change of a COM's twist, or an impulse there.
type velocityChange struct{ v, w r3.Vec }

// apply is the twist change by an impulse f and an angular impulse t.
func (k *responseMatrix) apply(f, t r3.Vec) velocityChange {
	return velocityChange{k.vf.Apply(f).Add(k.vt.Apply(t)), k.wf.Apply(f).Add(k.wt.Apply(t))}
}

// requestLinkResponse adds a response of a link whose articulation is awake.
func (w *World) requestLinkResponse(body int32) {
	b := &w.bodies.all[body]
	if b.articulation == 0 || !w.bodies.isAwake(body) {
		return
	}
	art := &w.articulations[b.articulation-1]
	k := &art.links[b.link]
	if k.response == 0 {
		art.response.links = append(art.response.links,
			linkResponse{link: b.link, bodyIndex: w.solver.index[body]})
		k.response = int32(len(art.response.links))
	}
	art.step.inContact = true
}

// computeLinkResponses computes all link responses for a substep.
func (art *articulation) computeLinkResponses() {
	n := len(art.dofs)
	if need := n * len(art.response.links); cap(art.response.dofs) < need {
		art.response.dofs = make([]linalg.VecPair, need, 2*need)
	} else {
		art.response.dofs = art.response.dofs[:need]
	}
	for r := range art.response.links {
		c := &art.response.links[r]
		c.offset = int32(r * n)
		x := art.response.dofs[r*n : r*n+n]
		clear(x)
		k := &art.links[c.link]
		for d := k.lastDof; d >= 0; d = art.dofs[d].parent {
			s := &art.dofs[d].axis
			x[d] = linalg.VecPair{Lin: s.linearAt(k.arm), Ang: s.ang}
		}
		art.inertiaFactor.SolvePairs(x, k.lastDof)
		c.self = art.crossResponse(art.response.dofs, c, c)
	}
}

// crossResponse is the response of a's link to an impulse at b's link.
func (tree *kinematicTree) crossResponse(responses []linalg.VecPair, a, b *linkResponse) responseMatrix {
	var k responseMatrix
	ka := &tree.links[a.link]
	for d := ka.lastDof; d >= 0; d = tree.dofs[d].parent {
		s := &tree.dofs[d].axis
		v, x := s.linearAt(ka.arm), &responses[int(b.offset)+int(d)]
		addOuter(&k.vf, v, x.Lin)
		addOuter(&k.vt, v, x.Ang)
		addOuter(&k.wf, s.ang, x.Lin)
		addOuter(&k.wt, s.ang, x.Ang)
	}
	return k
}

// addOuter adds a·bᵀ to m.
func addOuter(m *r3.Mat, a, b r3.Vec) {
	m.XX += float64(a.X * b.X)
	m.XY += float64(a.X * b.Y)
	m.XZ += float64(a.X * b.Z)
	m.YX += float64(a.Y * b.X)
	m.YY += float64(a.Y * b.Y)
	m.YZ += float64(a.Y * b.Z)
	m.ZX += float64(a.Z * b.X)
	m.ZY += float64(a.Z * b.Y)
	m.ZZ += float64(a.Z * b.Z)
}

// applyImpulse applies an impulse at the link's COM.
func (c *linkResponse) applyImpulse(art *articulation, f, t r3.Vec) {
	for i := range art.dofs {
		x := &art.response.dofs[int(c.offset)+i]
		art.dofs[i].v += x.Lin.Dot(f) + x.Ang.Dot(t)
	}
}

// comVelocity is the velocity of the link's COM.
func (k *link) comVelocity(tree *kinematicTree) velocityChange {
	m := tree.baseMotion.twist
	for d := k.lastDof; d >= 0; d = tree.dofs[d].parent {
		m.addScaled(tree.dofs[d].v, &tree.dofs[d].axis)
	}
	return velocityChange{m.linearAt(k.arm), m.ang}
}

// constraintEnd is one side of a contact or joint: a link of an awake articulation, or a body of the solver.
type constraintEnd struct {
	articulation   *articulation // nil: a body
	response       int32         // index in responseCache.links
	bodyIndex      int32
	directResponse int32 // 1 + index of its directResponse; 0: none
}

// constraintEnd builds the end for a body.
func (w *World) constraintEnd(body int32) constraintEnd {
	e := constraintEnd{bodyIndex: w.solver.index[body]}
	if w.solver.inDirectIsland(body) {
		e.directResponse = w.solver.directResponseOf[e.bodyIndex]
	}
	if b := &w.bodies.all[body]; b.articulation != 0 && !b.contained {
		art := &w.articulations[b.articulation-1]
		if r := art.links[b.link].response; r != 0 {
			e.articulation, e.response = art, r-1
		}
	}
	return e
}

// impulseResponse is the velocity change of the end by an impulse at its COM.
func (e *constraintEnd) impulseResponse(s *solver, f, t r3.Vec) velocityChange {
	if e.articulation != nil {
		return e.articulation.response.links[e.response].self.apply(f, t)
	}
	if e.directResponse > 0 {
		return s.directResponses[e.directResponse-1].self.apply(f, t)
	}
	wt := &s.masses[e.bodyIndex]
	return velocityChange{f.Scale(wt.invMass), wt.invInertia.Apply(t)}
}

// velocity is the present velocity of the end's COM.
func (e *constraintEnd) velocity(s *solver) velocityChange {
	if e.articulation != nil {
		a := e.articulation
		return a.links[a.response.links[e.response].link].comVelocity(&a.kinematicTree)
	}
	m := &s.states[e.bodyIndex]
	return velocityChange{m.v, m.w}
}

// applyImpulse applies an impulse at the end's COM.
func (e *constraintEnd) applyImpulse(s *solver, f, t r3.Vec) {
	if e.articulation != nil {
		e.articulation.response.links[e.response].applyImpulse(e.articulation, f, t)
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
func (e *constraintEnd) constrainedImpulseResponse(s *solver, f, t r3.Vec) velocityChange {
	if e.articulation != nil {
		return e.articulation.response.links[e.response].constrained.apply(f, t)
	}
	return e.impulseResponse(s, f, t)
}

// applyConstrainedImpulse is applyImpulse with the reactions of an articulation's held rows.
func (e *constraintEnd) applyConstrainedImpulse(s *solver, f, t r3.Vec) {
	if e.articulation != nil {
		e.articulation.response.links[e.response].applyConstrainedImpulse(e.articulation, e.response, f, t)
		return
	}
	e.applyImpulse(s, f, t)
}
