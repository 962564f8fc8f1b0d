package dynamics

import (
	"sort"

	"simdeck/sim/r3"
)

// A knot is all joints that hang together, solved at once. Passes over one joint after the other come to what the
// joints together ask only where each of them leaves the others' work nearly as it is. A body that is held far from
// its centre of mass, beside how far its mass lies from there, hardly feels a push along the lever and turns at the
// slightest one across: what holds it straight and what holds its end then undo each other pass by pass, the ends part,
// and what draws them together throws the body. Written as one system, J·M⁻¹·Jᵀ·λ = -J·v, and factored in each
// substep, the joints are held to the last digit, whatever the levers and the masses are, as in Baraff, "Linear-time
// dynamics using Lagrange multipliers" (1996). So are those whose light body lies between the ground and what is much
// heavier. Arms and wheels as they are built do without, which is faster.
//
// Nothing is left for the next substep to begin with: the solution is exact, so it would be the same. What acts along a
// joint's axis, motors and stops and friction, goes through the knot: an impulse there comes with all that the joints
// answer to it.
type directIsland struct {
	firstJoint, endJoint int32   // of the solver's knotted joints
	firstRow, rowEnd     int32   // of its directRows
	factorOffset         int32   // of its factors, where they begin
	firstBody, bodyEnd   int32   // of its directBodies
	limitRows            int32   // of its rows
	regularization       float64 // by which part of its own yielding each row yields besides
}

const (
	// maxLeverRatio is how many times a joint's end yields more to an impulse because the body turns than because it moves,
	// from where on its joints are a knot. A wheel's own end has 0, a link's 6, the corner of a chassis 10.
	maxLeverRatio = 30
	// directMassRatio is how many times as heavy as another body something is that must not hang on it by passes alone.
	directMassRatio = 100
	// maxFactorSize bounds the numbers in a knot's factors, and so the time that they take; what would need more is
	// solved joint by joint.
	maxFactorSize = 40_000
	// loopRowRegularization is by which part of its own yielding each row of a knot yields besides, if its joints close a ring: in one,
	// some of them only repeat what others hold, or contradict it by a hair.
	loopRowRegularization = 1e-8
	// loopRefinements is how many more times what a ring's hair lets through is taken out.
	loopRefinements = 8
	// minPivotRatio is the part of a row's own yielding that must be left when the rows before it are held, for the row to
	// ask anything but what they have rounded.
	minPivotRatio = 1e-14
)

// needsDirect reports that a joint must be solved with all that hang together with it.
func (r *jointConstraint) needsDirect(w *World) bool {
	return r.hasFarAnchor(&w.solver) || r.isStrained(w)
}

// isStrained reports that a joint hangs something heavy on something light that touches something: what the light body
// bears it must hand on through the joint, which passes do by about what it weighs each time, while the ends part.
func (r *jointConstraint) isStrained(w *World) bool {
	s := &w.solver
	ma, mb := s.masses[r.a].invMass, s.masses[r.b].invMass
	switch {
	case ma == 0 || mb == 0:
		return false
	case ma > float64(directMassRatio*mb):
		return w.isInFaceContact(s.slots[r.a])
	}
	return mb > float64(directMassRatio*ma) && w.isInFaceContact(s.slots[r.b])
}

// isInFaceContact reports that something lies on a body, or it on something, with faces or edges. What rolls is left to passes,
// where its points of contact go with it.
func (w *World) isInFaceContact(slot int32) bool {
	for _, i := range w.active {
		if c := &w.contacts.all[i]; c.count > 0 && c.hasFaces && !c.sensor && (c.bodyA == slot || c.bodyB == slot) {
			return true
		}
	}
	return false
}

// hasFarAnchor reports that an end of a joint needs a knot.
func (r *jointConstraint) hasFarAnchor(s *solver) bool {
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	return hasLongLever(wa.invMass, &wa.invInertia, r.armA) || hasLongLever(wb.invMass, &wb.invInertia, r.armB)
}

// hasLongLever compares the trace of leverMass.
func hasLongLever(invMass float64, inv *r3.Mat, arm r3.Vec) bool {
	turn := float64(arm.Len2()*(inv.XX+inv.YY+inv.ZZ)) - arm.Dot(mulVec(inv, arm))
	return turn > float64(maxLeverRatio*invMass)
}

// buildDirectIslands finds the knots: of joints that have a body in common with each other, all, if one of them is far or strained.
func (w *World) buildDirectIslands() {
	s := &w.solver
	s.directJoints, s.directRows, s.directFactors = s.directJoints[:0], s.directRows[:0], s.directFactors[:0]
	s.directBodies, s.directResponses = s.directBodies[:0], s.directResponses[:0]
	far := false
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		r.directIsland = 0
		far = far || !r.onArticulation && r.needsDirect(w)
	}
	if !far {
		return
	}
	for _, list := range [3]*[]int32{&s.firstRowOf, &s.directIslandOf, &s.directResponseOf} {
		*list = resized(*list, len(s.states))
		clear(*list)
	}
	for i := range s.jointConstraints {
		if r := &s.jointConstraints[i]; r.directIsland == 0 && !r.onArticulation {
			w.buildDirectIsland(int32(i))
		}
	}
	s.factorDirectIslands()
}

// buildDirectIsland makes a knot of a joint and all that hangs together with it.
func (w *World) buildDirectIsland(seed int32) {
	s := &w.solver
	k := directIsland{firstJoint: int32(len(s.directJoints)), firstRow: int32(len(s.directRows)), firstBody: int32(len(s.directBodies)), factorOffset: int32(len(s.directFactors))}
	s.directJoints = append(s.directJoints, seed)
	s.jointConstraints[seed].directIsland = -1
	far := false
	for n := k.firstJoint; n < int32(len(s.directJoints)); n++ {
		r := &s.jointConstraints[s.directJoints[n]]
		far = far || r.needsDirect(w)
		for _, at := range [2]int32{r.a, r.b} {
			if s.masses[at].invMass == 0 {
				continue
			}
			for _, slot := range w.bodies[s.slots[at]].joints {
				if i := s.jointConstraintOf(slot); i >= 0 && s.jointConstraints[i].directIsland == 0 && !s.jointConstraints[i].onArticulation {
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

// jointConstraintOf is where a joint is in this step; -1: it does not move.
func (s *solver) jointConstraintOf(slot int32) int32 {
	at := sort.Search(len(s.jointConstraints), func(i int) bool { return s.jointConstraints[i].slot >= slot })
	if at < len(s.jointConstraints) && s.jointConstraints[at].slot == slot {
		return int32(at)
	}
	return -1
}

// isTree reports that the joints of a knot do not close a ring.
func (k *directIsland) isTree(s *solver) bool {
	nodes, fixed := k.bodyEnd-k.firstBody, int32(0)
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		if r := &s.jointConstraints[i]; s.masses[r.a].invMass == 0 || s.masses[r.b].invMass == 0 {
			fixed = 1 // all that does not move is one
		}
	}
	return k.endJoint-k.firstJoint == nodes+fixed-1
}

// buildRows gives the joints of a knot their rows; false if the factors would have too many numbers. A row's numbers
// reach back to the first row that has a body in common with it.
func (k *directIsland) buildRows(s *solver) bool {
	n := k.factorOffset
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
				q := directRow{joint: i, part: uint8(part), bodyA: r.a, bodyB: r.b, firstCoupled: from, factorOffset: n - from}
				if part == axisDirection {
					q.limit = r.warmLimit()
					k.limitRows++
				}
				s.directRows = append(s.directRows, q)
				n += row - from + 1
				row++
			}
		}
		if n-k.factorOffset > maxFactorSize {
			return false
		}
	}
	k.rowEnd, k.bodyEnd = int32(len(s.directRows)), int32(len(s.directBodies))
	s.directFactors = resizedScratch(s.directFactors, int(n))
	return true
}

// constrainedDirections says which directions a joint leaves no freedom in: three of moving, along the world's axes or along p1, p2
// and the joint's, and three of turning; and whether it has stops along its axis.
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
