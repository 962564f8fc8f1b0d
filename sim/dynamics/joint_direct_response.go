package dynamics

import "simdeck/sim/r3"

// What touches a body of a knot feels all that hangs on it, as what touches a link of a limb does: its contacts are
// articulationContacts, which act through how the knot answers.

// minDirectCompliance is how little a body of a knot yields at least, as a part of what it would yield alone. Where joints leave
// nothing that could yield, as of what is welded to the ground and lies on it, less than this is what was rounded, and
// an impulse by it has no bound.
const minDirectCompliance = 1e-9

// directResponse is how a knot answers to a force and a torque at the centre of mass of one of its bodies.
type directResponse struct {
	island    int32
	bodyIndex int32
	offset    int32          // in directRowResponses: what each row of the knot does about it
	self      responseMatrix // what becomes of the body
}

// inDirectIsland reports that a body, by its slot, is one of a knot.
func (s *solver) inDirectIsland(slot int32) bool {
	return len(s.directIslands) > 0 && s.directIslandOf[s.index[slot]] != 0
}

// requestDirectResponse makes a directResponse of a body of a knot.
func (s *solver) requestDirectResponse(slot int32) {
	if !s.inDirectIsland(slot) {
		return
	}
	at := s.index[slot]
	if s.directResponseOf[at] == 0 {
		s.directResponses = append(s.directResponses, directResponse{island: s.directIslandOf[at] - 1, bodyIndex: at})
		s.directResponseOf[at] = int32(len(s.directResponses))
	}
}

// computeDirectResponses finds how the knots answer to what touches them, where their bodies are now.
func (s *solver) computeDirectResponses() {
	s.directRowResponses = s.directRowResponses[:0]
	for i := range s.directResponses {
		c := &s.directResponses[i]
		k := &s.directIslands[c.island]
		c.offset = int32(len(s.directRowResponses))
		for n := k.firstRow; n < k.rowEnd; n++ {
			q, y := &s.directRows[n], dofResponse{}
			if q.bodyB == c.bodyIndex {
				y = dofResponse{q.along.Scale(-q.massB), q.turnB.Neg()}
			} else if q.bodyA == c.bodyIndex {
				y = dofResponse{q.along.Scale(q.massA), q.turnA}
			}
			s.directRowResponses = append(s.directRowResponses, y)
		}
		k.solveResponses(s, s.directRowResponses[c.offset:])
		wt := &s.masses[c.bodyIndex]
		c.self = s.crossDirectResponse(c, c)
		c.self.vf.XX += wt.invMass
		c.self.vf.YY += wt.invMass
		c.self.vf.ZZ += wt.invMass
		c.self.wt = c.self.wt.Add(wt.invInertia)
	}
}

// refreshDirectResponses is computeDirectResponses after the bodies have moved, for what touches them too.
func (s *solver) refreshDirectResponses() {
	s.computeDirectResponses()
	for i := range s.articulationContacts {
		if p := &s.articulationContacts[i]; p.a.directResponse+p.b.directResponse > 0 {
			p.updateMass(s)
		}
	}
}

// resetDirectImpulses begins a substep: nothing holds the joints of knots yet.
func (s *solver) resetDirectImpulses() {
	s.beginEnergyClamp()
	for i := range s.directRows {
		s.directRows[i].impulse = 0
	}
}

// solveResponses is solveDirect for six right-hand sides.
func (k *directIsland) solveResponses(s *solver, y []dofResponse) {
	for i := range y {
		q := &s.directRows[int(k.firstRow)+i]
		sum := y[i]
		for n, x := range s.directFactors[q.factorOffset+q.firstCoupled : q.factorOffset+k.firstRow+int32(i)] {
			o := &y[int(q.firstCoupled-k.firstRow)+n]
			sum.lin, sum.ang = sum.lin.AddScaled(-x, o.lin), sum.ang.AddScaled(-x, o.ang)
		}
		y[i] = dofResponse{sum.lin.Scale(q.invPivot), sum.ang.Scale(q.invPivot)}
	}
	for i := len(y) - 1; i >= 0; i-- {
		q := &s.directRows[int(k.firstRow)+i]
		y[i] = dofResponse{y[i].lin.Scale(q.invPivot), y[i].ang.Scale(q.invPivot)}
		for n, x := range s.directFactors[q.factorOffset+q.firstCoupled : q.factorOffset+k.firstRow+int32(i)] {
			o := &y[int(q.firstCoupled-k.firstRow)+n]
			o.lin, o.ang = o.lin.AddScaled(-x, y[i].lin), o.ang.AddScaled(-x, y[i].ang)
		}
	}
}

// crossDirectResponse is what the joints make of a force and a torque at the body of b for that of a.
func (s *solver) crossDirectResponse(a, b *directResponse) responseMatrix {
	var out responseMatrix
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
		addOuter(&out.vf, linear, y.lin)
		addOuter(&out.vt, linear, y.ang)
		addOuter(&out.wf, angular, y.lin)
		addOuter(&out.wt, angular, y.ang)
	}
	return out
}

// applyImpulse lets a knot answer to an impulse at one of its bodies.
func (c *directResponse) applyImpulse(s *solver, f, t r3.Vec) {
	k := &s.directIslands[c.island]
	for i, y := range s.directRowResponses[c.offset : c.offset+k.rowEnd-k.firstRow] {
		s.directRows[int(k.firstRow)+i].applyImpulse(s, y.lin.Dot(f)+y.ang.Dot(t))
	}
}

// sameDirectIsland reports that two ends are bodies of one knot.
func (s *solver) sameDirectIsland(a, b *constraintEnd) bool {
	return a.directResponse > 0 && b.directResponse > 0 && s.directResponses[a.directResponse-1].island == s.directResponses[b.directResponse-1].island
}

// crossDirectResponses is what an impulse at b does to a, and at a to b.
func (s *solver) crossDirectResponses(a, b *constraintEnd) (ab, ba responseMatrix) {
	x, y := &s.directResponses[a.directResponse-1], &s.directResponses[b.directResponse-1]
	return s.crossDirectResponse(x, y), s.crossDirectResponse(y, x)
}
