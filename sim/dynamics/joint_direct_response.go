package dynamics

import (
	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

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
