package dynamics

import (
	"sort"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// prepareJoints builds the constraints of joints with an awake body, in slot order.
func (s *solver) prepareJoints(bodies *bodySet, joints *jointSet, articulations articulationList,
	gravity r3.Vec) {
	s.jointConstraints, s.directIslands, s.multiDofFriction = s.jointConstraints[:0], s.directIslands[:0],
		s.multiDofFriction[:0]
	for i := range joints.all {
		if !joints.ids.inUse(int32(i)) {
			continue
		}
		j := &joints.all[i]
		if j.articulation != 0 {
			continue
		}
		if bodies.isAwake(j.child) || j.parent >= 0 && bodies.isAwake(j.parent) {
			if articulations.addLoop(bodies, joints, s, int32(i)) {
				continue
			}
			articulations.requestResponse(bodies, j.child)
			if j.parent >= 0 {
				articulations.requestResponse(bodies, j.parent)
			}
			s.prepareJoint(bodies, articulations, gravity, int32(i), j)
		}
	}
}

// prepareJoint builds the constraint of a joint, with its warm start.
func (s *solver) prepareJoint(bodies *bodySet, articulations articulationList, gravity r3.Vec, slot int32,
	j *joint) {
	k := s.warmStartScale
	s.jointConstraints = append(s.jointConstraints, jointConstraint{})
	r := &s.jointConstraints[len(s.jointConstraints)-1] // field by field: a constraint is too large to copy
	r.slot, r.kind, r.drive, r.position = slot, j.kind, j.drive(s.h), j.position
	r.jointFrames, r.jointLimits, r.jointPassive = j.jointFrames, j.jointLimits, j.jointPassive
	r.friction = float64(j.friction * s.h)
	r.linearImpulse, r.angularImpulse = j.linearImpulse.Scale(k), j.angularImpulse.Scale(k)
	r.impulseDrive, r.impulseDamping, r.impulseFriction = float64(j.impulseDrive*k),
		float64(j.impulseDamping*k), float64(j.impulseFriction*k)
	r.impulseLower, r.impulseUpper, r.impulseVelocityLimit = float64(j.impulseLower*k),
		float64(j.impulseUpper*k), float64(j.impulseVelocityLimit*k)
	r.b = s.addFixed(bodies, gravity, s.h, j.child)
	r.comOffsetStart = bodies.motion[j.child].com
	if j.parent >= 0 {
		r.a = s.addFixed(bodies, gravity, s.h, j.parent)
		r.comOffsetStart = r.comOffsetStart.Sub(bodies.motion[j.parent].com)
	}
	s.prepareMultiDofFriction(int32(len(s.jointConstraints)-1), j, k)
	r.assignEnds(bodies, articulations, s, j)
	if !r.onArticulation {
		r.updateGeometry(s)
	}
}

// assignEnds finds which ends of a joint are links.
func (r *jointConstraint) assignEnds(bodies *bodySet, articulations articulationList, s *solver, j *joint) {
	r.endB = articulations.end(bodies, s, j.child)
	if j.parent >= 0 {
		r.endA = articulations.end(bodies, s, j.parent)
	}
	for _, e := range [2]*constraintEnd{&r.endA, &r.endB} {
		if e.link.Valid() {
			r.onArticulation = true
			e.link.Articulation().MarkExternalJoint()
		}
	}
}

// addLoop adds a joint that closes a loop to its articulation; false: it closes none.
func (as articulationList) addLoop(bodies *bodySet, joints *jointSet, s *solver, slot int32) bool {
	j := &joints.all[slot]
	number, c := int32(0), loopJoint{linkA: -1, linkB: -1}
	var freeCompliance [2]float64
	for _, e := range [2]struct {
		body int32
		link *int32
	}{{j.parent, &c.linkA}, {j.child, &c.linkB}} {
		if e.body < 0 || bodies.all[e.body].kind != Dynamic {
			continue
		}
		b := &bodies.all[e.body]
		if b.articulation == 0 || number != 0 && b.articulation != number {
			return false
		}
		number, *e.link = b.articulation, b.link
		in := &bodies.massProps[e.body]
		turn := in.invInertia.XX + in.invInertia.YY + in.invInertia.ZZ
		anchor := j.anchorB
		if e.link == &c.linkA {
			anchor = j.anchorA
		}
		freeCompliance[0] += in.invMass + float64(turn*anchor.Len2())
		freeCompliance[1] += turn
	}
	if number == 0 || !bodies.isAwake(as[number-1].links[0].body) || j.coupling.on ||
		joints.isCouplingLeader(slot) {
		return false // couplings act on joint constraints and joints of an articulation
	}
	art := &as[number-1]
	j.scaleImpulses(s.warmStartScale)
	j.impulseDamping = float64(j.impulseDamping * s.warmStartScale)
	c.row = jointConstraint{
		slot: slot, kind: j.kind, position: j.position,
		jointFrames: j.jointFrames, jointLimits: jointLimits{pitch: j.pitch},
	}
	art.loops = append(art.loops, c)
	art.AddLoop(c.linkA, c.linkB, freeCompliance)
	if j.friction > 0 || j.damping > 0 || j.stiffness > 0 || j.motor.mode != motorOff || j.locked() {
		art.MarkActuated()
	}
	return true
}

// prepareMultiDofFriction adds a joint's damping and friction, with its warm start.
func (s *solver) prepareMultiDofFriction(at int32, j *joint, warm float64) {
	if j.damping == 0 && j.friction == 0 || j.kind != Ball && j.kind != Planar && j.kind != Universal {
		return
	}
	s.multiDofFriction = append(s.multiDofFriction, multiDofFriction{
		joint: at, damping: j.damping, friction: float64(j.friction * s.h),
		dampingImpulse:  j.multiDofDampingImpulse.Scale(warm),
		frictionImpulse: j.multiDofFrictionImpulse.Scale(warm),
	})
}

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

// warmLimit is the limit that was active in the last step, or none.
func (r *jointConstraint) warmLimit() directLimit {
	switch {
	case r.lower == r.upper:
		return directLimit{}
	case r.impulseLower > 0:
		return directLimit{sign: 1}
	case r.impulseUpper > 0:
		return directLimit{sign: -1}
	}
	return directLimit{sign: 1, inactive: true}
}
