package articulation

import (
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// linkResponse is an articulation's response to an impulse at the COM of one of its links.
type linkResponse struct {
	link        int32
	offset      int32          // of its entries in responseCache.dofs
	self        ResponseMatrix // change of the link's own twist
	constrained ResponseMatrix // likewise, with the reactions of held rows
}

// responseCache is the impulse responses of an articulation in a substep.
type responseCache struct {
	links           []linkResponse
	dofs            []linalg.VecPair // of all link responses, degree of freedom by degree of freedom
	constrainedDofs []linalg.VecPair // likewise, with the reactions of the held rows
	heldRows        []int32          // rows strictly within their bounds, which react to impulses
	rowReactions    []linalg.VecPair // by link response and held row: the reaction impulse
}

// ResponseMatrix maps an impulse f and an angular impulse t to a twist change: v = vf·f + vt·t, w = wf·f +
// wt·t. It is a block of the inverse operational-space inertia (Featherstone, RBDA 2008, ch. 10).
type ResponseMatrix struct{ vf, vt, wf, wt r3.Mat }

// Apply returns the twist change by an impulse f and an angular impulse t.
func (k *ResponseMatrix) Apply(f, t r3.Vec) (v, w r3.Vec) {
	return k.vf.Apply(f).Add(k.vt.Apply(t)), k.wf.Apply(f).Add(k.wt.Apply(t))
}

// AddOuter adds the outer product of a twist (v, w) with an impulse that is counted by pair.Lin, pair.Ang.
func (k *ResponseMatrix) AddOuter(v, w r3.Vec, pair *linalg.VecPair) {
	addOuter(&k.vf, v, pair.Lin)
	addOuter(&k.vt, v, pair.Ang)
	addOuter(&k.wf, w, pair.Lin)
	addOuter(&k.wt, w, pair.Ang)
}

// AddBody adds the response of a free body with this inverse mass and inverse inertia.
func (k *ResponseMatrix) AddBody(invMass float64, invInertia *r3.Mat) {
	k.vf.XX += invMass
	k.vf.YY += invMass
	k.vf.ZZ += invMass
	k.wt = k.wt.Add(*invInertia)
}

// computeLinkResponses computes all link responses for a substep.
func (art *Articulation) computeLinkResponses() {
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
func (tree *Tree) crossResponse(responses []linalg.VecPair, a, b *linkResponse) ResponseMatrix {
	var k ResponseMatrix
	ka := &tree.links[a.link]
	for d := ka.lastDof; d >= 0; d = tree.dofs[d].parent {
		s := &tree.dofs[d].axis
		v, x := s.linearAt(ka.arm), &responses[int(b.offset)+int(d)]
		k.AddOuter(v, s.ang, x)
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

// comVelocity is the velocity of the link's COM.
func (k *link) comVelocity(tree *Tree) (v, w r3.Vec) {
	m := tree.baseMotion.twist
	for d := k.lastDof; d >= 0; d = tree.dofs[d].parent {
		m.addScaled(tree.dofs[d].v, &tree.dofs[d].axis)
	}
	return m.linearAt(k.arm), m.ang
}

// RequestResponse asks for the response to impulses at a link in every substep of this step. Contacts, or
// joints in maximal coordinates, act on the articulation from now on.
func (art *Articulation) RequestResponse(link int32) {
	k := &art.links[link]
	if k.response == 0 {
		art.response.links = append(art.response.links, linkResponse{link: link})
		k.response = int32(len(art.response.links))
	}
	art.step.inContact = true
}

// HasResponses reports that responses were asked for in this step.
func (art *Articulation) HasResponses() bool { return len(art.response.links) > 0 }

// LinkEnd returns a link as the end of a constraint; not valid: no response was asked for in this step.
func (art *Articulation) LinkEnd(link int32) LinkEnd {
	if r := art.links[link].response; r != 0 {
		return LinkEnd{art, r - 1}
	}
	return LinkEnd{}
}

// LinkEnd is a link at the end of a constraint that is not of its articulation: a contact, or a joint in
// maximal coordinates. Impulses act at the link's COM. The zero value is no link.
type LinkEnd struct {
	art      *Articulation
	response int32 // index in responseCache.links
}

// Valid reports that there is a link.
func (e LinkEnd) Valid() bool { return e.art != nil }

// Articulation returns that of the link; nil: there is none.
func (e LinkEnd) Articulation() *Articulation { return e.art }

// Velocity returns the present velocity of the link's COM, and its angular velocity.
func (e LinkEnd) Velocity() (v, w r3.Vec) {
	return e.art.links[e.art.response.links[e.response].link].comVelocity(&e.art.Tree)
}

// ImpulseResponse returns the change of the link's twist by an impulse and an angular impulse.
func (e LinkEnd) ImpulseResponse(f, t r3.Vec) (v, w r3.Vec) {
	return e.art.response.links[e.response].self.Apply(f, t)
}

// CrossResponse returns the response of the link to an impulse at another link of the articulation.
func (e LinkEnd) CrossResponse(other LinkEnd) ResponseMatrix {
	c := &e.art.response
	return e.art.crossResponse(c.dofs, &c.links[e.response], &c.links[other.response])
}

// ApplyImpulse applies an impulse and an angular impulse.
func (e LinkEnd) ApplyImpulse(f, t r3.Vec) {
	e.applyImpulse(e.art.response.dofs, f, t)
}

// applyImpulse applies an impulse by the responses of all degrees of freedom to each link.
func (e LinkEnd) applyImpulse(responses []linalg.VecPair, f, t r3.Vec) {
	dofs := e.art.dofs
	own := responses[e.art.response.links[e.response].offset:][:len(dofs)]
	for i := range dofs {
		x := &own[i]
		dofs[i].v += x.Lin.Dot(f) + x.Ang.Dot(t)
	}
}

// AddJacobian adds to x, by degree of freedom, the generalized force of a force and a torque at a link's
// center of mass.
func AddJacobian(art *Articulation, x []float64, link int32, force, torque r3.Vec) {
	k := &art.links[link]
	for d := k.lastDof; d >= 0; d = art.dofs[d].parent {
		s := &art.dofs[d].axis
		x[d] += s.linearAt(k.arm).Dot(force) + s.ang.Dot(torque)
	}
}

// ClearShared sets x to zero where a degree of freedom moves two links alike.
func ClearShared(art *Articulation, x []float64, a, b int32) {
	d, e := art.links[a].lastDof, art.links[b].lastDof
	for d != e {
		if d > e {
			d = art.dofs[d].parent
		} else {
			e = art.dofs[e].parent
		}
	}
	for ; d >= 0; d = art.dofs[d].parent {
		x[d] = 0
	}
}
