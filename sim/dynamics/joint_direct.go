package dynamics

import (
	"sort"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// directIsland is a set of connected joints solved by one factorisation. Gauss–Seidel over joints converges
// only where each joint leaves the others' results nearly intact. Take a body held farther from its centre of
// mass than its radius of gyration. An impulse along the lever hardly moves it, and the slightest one across
// rotates it. The joints then undo each other, their ends separate, and the correction throws the body. As
// one system, J·M⁻¹·Jᵀ·λ = -J·v, factored in each substep, joints hold to rounding at any lever and mass
// ratio. The source is Baraff, Linear-time dynamics using Lagrange multipliers, 1996. The same holds for a
// light body between the ground and a much heavier one. Arms and wheels of usual proportions do without,
// which is faster.
//
// No impulse is kept for a warm start: the solution is exact. Motors, limits and friction along a joint's
// axis act with the direct island's response.
type directIsland struct {
	firstJoint, endJoint int32   // of solver.directJoints
	firstRow, rowEnd     int32   // of solver.directRows
	firstBody, bodyEnd   int32   // of solver.directBodies
	limitRows            int32   // number of limit rows
	regularization       float64 // ε relative to each row's diagonal
}

const (
	// maxLeverRatio is the compliance of a joint's end by rotation over that by translation from which its
	// joints are solved directly. A wheel's own end has 0, a link's 6, the corner of a chassis 10.
	maxLeverRatio = 30
	// directMassRatio is the mass ratio from which a joint is solved directly.
	directMassRatio = 100
	// maxFactorSize bounds the entries of an island's factors, and so their cost; larger islands are solved
	// by iterations.
	maxFactorSize = 40_000
	// loopRowRegularization is ε of the rows of an island with a loop, whose joints may be redundant or
	// inconsistent by rounding.
	loopRowRegularization = 1e-8
	// loopRefinements is the number of iterative refinements that remove the error of ε.
	loopRefinements = 8
	// minPivotRatio is the least pivot relative to the row's diagonal; a row below it is redundant up to
	// rounding.
	minPivotRatio = 1e-14
)

// needsDirect reports that a joint must be solved directly with all joints connected to it.
func (r *jointConstraint) needsDirect(s *solver, contacts *contactSet, active *activeSet) bool {
	return r.hasFarAnchor(s) || r.isStrained(s, contacts, active)
}

// isStrained reports that a joint connects a heavy body to a light one in face contact. The light body must
// pass the load on through the joint; an iteration passes on about its weight, and the ends separate.
func (r *jointConstraint) isStrained(s *solver, contacts *contactSet, active *activeSet) bool {
	ma, mb := s.masses[r.a].invMass, s.masses[r.b].invMass
	switch {
	case ma == 0 || mb == 0:
		return false
	case ma > float64(directMassRatio*mb):
		return active.isInFaceContact(contacts, s.slots[r.a])
	}
	return mb > float64(directMassRatio*ma) && active.isInFaceContact(contacts, s.slots[r.b])
}

// isInFaceContact reports that a body has a contact of faces or edges. Rolling contacts are left to
// iterations, in which their points move along.
func (as *activeSet) isInFaceContact(contacts *contactSet, slot int32) bool {
	for _, i := range as.contacts {
		if c := &contacts.all[i]; c.count > 0 && c.hasFaces && !c.sensor &&
			(c.bodyA == slot || c.bodyB == slot) {
			return true
		}
	}
	return false
}

// hasFarAnchor reports that a joint's end is far from its centre of mass.
func (r *jointConstraint) hasFarAnchor(s *solver) bool {
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	return hasLongLever(wa.invMass, &wa.invInertia, r.armA) ||
		hasLongLever(wb.invMass, &wb.invInertia, r.armB)
}

// hasLongLever compares the trace of leverMass with maxLeverRatio.
func hasLongLever(invMass float64, inv *r3.Mat, arm r3.Vec) bool {
	turn := float64(arm.Len2()*(inv.XX+inv.YY+inv.ZZ)) - arm.Dot(inv.Times(arm))
	return turn > float64(maxLeverRatio*invMass)
}

// buildDirectIslands finds the direct islands: joints connected by bodies, where one is far or strained.
func (s *solver) buildDirectIslands(bodies *bodySet, contacts *contactSet, active *activeSet) {
	s.directJoints, s.directRows = s.directJoints[:0], s.directRows[:0]
	s.directFactor.Reset()
	s.directBodies, s.directResponses = s.directBodies[:0], s.directResponses[:0]
	far := false
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		r.directIsland = 0
		far = far || !r.onArticulation && r.needsDirect(s, contacts, active)
	}
	if !far {
		return
	}
	for _, list := range [3]*[]int32{&s.firstRowOf, &s.directIslandOf, &s.directResponseOf} {
		*list = linalg.Grow(*list, len(s.states))
		clear(*list)
	}
	for i := range s.jointConstraints {
		if r := &s.jointConstraints[i]; r.directIsland == 0 && !r.onArticulation {
			s.buildDirectIsland(bodies, contacts, active, int32(i))
		}
	}
	s.factorDirectIslands()
}

// buildDirectIsland builds the island of a joint and all joints connected to it.
func (s *solver) buildDirectIsland(bodies *bodySet, contacts *contactSet, active *activeSet, seed int32) {
	k := directIsland{firstJoint: int32(len(s.directJoints)), firstRow: int32(len(s.directRows)),
		firstBody: int32(len(s.directBodies))}
	s.directJoints = append(s.directJoints, seed)
	s.jointConstraints[seed].directIsland = -1
	far := false
	for n := k.firstJoint; n < int32(len(s.directJoints)); n++ {
		r := &s.jointConstraints[s.directJoints[n]]
		far = far || r.needsDirect(s, contacts, active)
		for _, at := range [2]int32{r.a, r.b} {
			if s.masses[at].invMass == 0 {
				continue
			}
			for _, slot := range bodies.all[s.slots[at]].joints {
				if i := s.jointConstraintOf(slot); i >= 0 && s.jointConstraints[i].directIsland == 0 &&
					!s.jointConstraints[i].onArticulation {
					s.jointConstraints[i].directIsland = -1
					s.directJoints = append(s.directJoints, i)
				}
			}
		}
	}
	k.endJoint = int32(len(s.directJoints))
	if !far || !k.buildRows(s) {
		s.directRows, s.directBodies = s.directRows[:k.firstRow], s.directBodies[:k.firstBody]
		s.directJoints = s.directJoints[:k.firstJoint]
		s.directFactor.Truncate(int(k.firstRow))
		return
	}
	if !k.isTree(s) {
		k.regularization = loopRowRegularization
	}
	s.directIslands = append(s.directIslands, k)
	for _, b := range s.directBodies[k.firstBody:k.bodyEnd] {
		s.directIslandOf[b.bodyIndex] = int32(len(s.directIslands))
	}
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		s.jointConstraints[i].directIsland = int32(len(s.directIslands))
		s.jointConstraints[i].linearImpulse, s.jointConstraints[i].angularImpulse = r3.Vec{}, r3.Vec{}
	}
}

// jointConstraintOf is a joint's index in this step; -1: it does not move.
func (s *solver) jointConstraintOf(slot int32) int32 {
	at := sort.Search(len(s.jointConstraints), func(i int) bool { return s.jointConstraints[i].slot >= slot })
	if at < len(s.jointConstraints) && s.jointConstraints[at].slot == slot {
		return int32(at)
	}
	return -1
}

// isTree reports that the joints close no loop.
func (k *directIsland) isTree(s *solver) bool {
	nodes, fixed := k.bodyEnd-k.firstBody, int32(0)
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		if r := &s.jointConstraints[i]; s.masses[r.a].invMass == 0 || s.masses[r.b].invMass == 0 {
			fixed = 1 // all static bodies are one node
		}
	}
	return k.endJoint-k.firstJoint == nodes+fixed-1
}

// buildRows builds the rows; false: the factors would exceed maxFactorSize. A row's factor reaches back to
// the first row that shares a body with it (skyline storage).
func (k *directIsland) buildRows(s *solver) bool {
	entries := s.directFactor.Entries()
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		r := &s.jointConstraints[i]
		row := int32(len(s.directRows))
		from := row
		for _, at := range [2]int32{r.a, r.b} {
			if s.masses[at].invMass == 0 {
				continue
			}
			if s.firstRowOf[at] == 0 {
				s.firstRowOf[at] = 1 + row
				s.directBodies = append(s.directBodies, directBody{bodyIndex: at})
			}
			from = min(from, s.firstRowOf[at]-1)
		}
		for part, holds := range r.constrainedDirections() {
			if holds {
				q := directRow{joint: i, part: uint8(part), bodyA: r.a, bodyB: r.b}
				if part == axisDirection {
					q.limit = r.warmLimit()
					k.limitRows++
				}
				s.directRows = append(s.directRows, q)
				s.directFactor.AddRow(from)
				row++
			}
		}
		if s.directFactor.Entries()-entries > maxFactorSize {
			return false
		}
	}
	k.rowEnd, k.bodyEnd = int32(len(s.directRows)), int32(len(s.directBodies))
	s.directRHS = linalg.Grow(s.directRHS, len(s.directRows))
	return true
}

// constrainedDirections says which directions a joint constrains: three linear ones, along the world's axes
// or p1, p2 and the axis, three angular ones, and the limits along the axis.
func (r *jointConstraint) constrainedDirections() [7]bool {
	switch r.kind {
	case Fixed:
		return [7]bool{true, true, true, true, true, true}
	case Ball:
		return [7]bool{true, true, true}
	case Prismatic:
		return [7]bool{true, true, false, true, true, true, r.limited}
	case Universal:
		return [7]bool{true, true, true, true, axisDirection: r.limited}
	case Planar:
		return [7]bool{2: true, 3: true, 4: true}
	}
	return [7]bool{true, true, true, true, true, axisDirection: r.limited}
}
