package dynamics

import (
	"sort"

	"simdeck/sim/dynamics/articulation"
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

// couplingRow is the coupling of two joints that are not of one articulation. It acts through an
// articulation's inertia or through a joint constraint's two bodies. Couplings within an articulation are
// rows of it (articulation_rows.go).
type couplingRow struct {
	follower, leader couplingEnd
	slot             int32   // of the follower
	ratio            float64 // of velocities; 0: the follower is at its limit
	mass             float64
	target           float64 // velocity that corrects the position error, with bias
	impulse          float64 // of the substep
}

// couplingEnd is one joint of a couplingRow.
type couplingEnd struct {
	articulation *articulation.Articulation // nil: row is a joint constraint
	dof          int32
	row          int32
	offset       int32 // of M⁻¹·Jᵀ in solver.couplingResponses
}

// prepareCouplings builds the couplings beyond one articulation of awake joints, in order of the followers'
// slots. Joint constraints must exist.
func (s *solver) prepareCouplings(bodies *bodySet, joints *jointSet, articulations articulationList) {
	s.couplings, s.couplingResponses = s.couplings[:0], s.couplingResponses[:0]
	for i := range joints.all {
		j := &joints.all[i]
		if !j.coupling.on || j.coupledInArticulation(joints) {
			continue
		}
		r := couplingRow{slot: int32(i), impulse: j.impulseCoupling}
		if j.articulation == 0 {
			r.impulse = float64(r.impulse * s.warmStartScale)
		}
		if r.follower.resolve(bodies, j, articulations, s, int32(i)) &&
			r.leader.resolve(bodies, &joints.all[j.coupling.leader], articulations, s, j.coupling.leader) {
			s.couplings = append(s.couplings, r)
		}
	}
}

// resolve finds what moves a joint in this step; false: it does not move.
func (e *couplingEnd) resolve(bodies *bodySet, j *joint, articulations articulationList, s *solver,
	slot int32) bool {
	if j.articulation == 0 {
		at := sort.Search(len(s.jointConstraints),
			func(i int) bool { return s.jointConstraints[i].slot >= slot })
		e.row = int32(at)
		return at < len(s.jointConstraints) && s.jointConstraints[at].slot == slot
	}
	if !bodies.isAwake(j.child) {
		return false
	}
	e.articulation = &articulations[j.articulation-1].Articulation
	e.articulation.MarkContact() // other bodies act on it
	e.dof, _ = e.articulation.FirstDOF(j.link)
	e.offset = int32(len(s.couplingResponses))
	s.couplingResponses = linalg.Grow(s.couplingResponses,
		len(s.couplingResponses)+e.articulation.DOFs())
	return true
}

// beginCouplings computes responses and targets, and applies the warm start.
func (s *solver) beginCouplings(joints *jointSet) {
	for i := range s.couplings {
		r := &s.couplings[i]
		r.follower.updateResponse(s)
		r.leader.updateResponse(s)
		j := &joints.all[r.slot]
		want := float64(j.coupling.ratio*r.leader.position(s)) + j.coupling.offset
		r.ratio = j.coupling.ratio
		if j.limited && (want < j.lower || want > j.upper) {
			want, r.ratio = max(j.lower, min(j.upper, want)), 0
		}
		off := r.follower.position(s) - want
		r.target = max(-maxAngularRecovery, min(maxAngularRecovery, float64(-limitRecovery*off*s.invH)))
		r.mass = r.measureMass(s)
		r.applyImpulse(s, r.impulse)
	}
}

// updateResponse computes an articulation's response to a unit impulse at the joint.
func (e *couplingEnd) updateResponse(s *solver) {
	if e.articulation == nil {
		return
	}
	x := s.couplingResponses[e.offset : int(e.offset)+e.articulation.DOFs()]
	clear(x)
	x[e.dof] = 1
	e.articulation.SolveInertia(x)
}

// position is the joint's position, rad or m.
func (e *couplingEnd) position(s *solver) float64 {
	if e.articulation != nil {
		return e.articulation.Q(e.dof)
	}
	return s.jointConstraints[e.row].position
}

// speed is the joint's velocity, rad/s or m/s.
func (e *couplingEnd) speed(s *solver) float64 {
	if e.articulation != nil {
		return e.articulation.V(e.dof)
	}
	r := &s.jointConstraints[e.row]
	if r.onArticulation {
		r.refreshEndVelocities(s)
	}
	return r.speed(s)
}

// speed is the velocity error of the coupling.
func (r *couplingRow) speed(s *solver) float64 {
	v := r.follower.speed(s)
	if r.ratio != 0 {
		v -= float64(r.ratio * r.leader.speed(s))
	}
	return v
}

// applyImpulse applies an impulse to the follower and its reaction to the leader.
func (r *couplingRow) applyImpulse(s *solver, j float64) {
	r.follower.applyImpulse(s, j)
	if r.ratio != 0 {
		r.leader.applyImpulse(s, float64(-r.ratio*j))
	}
}

// applyImpulse applies an impulse along the joint.
func (e *couplingEnd) applyImpulse(s *solver, j float64) {
	if e.articulation == nil {
		s.jointConstraints[e.row].applyAlongAxis(s, j)
		return
	}
	e.articulation.AddScaledVelocities(j, s.couplingResponses[e.offset:int(e.offset)+e.articulation.DOFs()])
}

// measureMass measures the effective mass by a unit impulse, since both joints may share a body or an
// articulation. All velocities are restored.
func (r *couplingRow) measureMass(s *solver) float64 {
	before := r.speed(s)
	s.savedBodies, s.savedDofs = s.savedBodies[:0], s.savedDofs[:0]
	r.follower.save(s)
	r.leader.save(s)
	r.applyImpulse(s, 1)
	after := r.speed(s)
	r.leader.restore(s)
	r.follower.restore(s)
	return inverseOrZero(after - before)
}

// save saves the velocities that an impulse at the end changes.
func (e *couplingEnd) save(s *solver) {
	for _, art := range e.articulations(s) {
		if art != nil {
			s.savedDofs = art.AppendVelocities(s.savedDofs)
		}
	}
	if e.articulation == nil {
		r := &s.jointConstraints[e.row]
		s.savedBodies = append(s.savedBodies, s.states[r.a], s.states[r.b])
	}
}

// restore undoes save; the second end first.
func (e *couplingEnd) restore(s *solver) {
	arts := e.articulations(s)
	for i := len(arts) - 1; i >= 0; i-- {
		art := arts[i]
		if art == nil {
			continue
		}
		from := len(s.savedDofs) - art.DOFs()
		art.SetVelocities(s.savedDofs[from:])
		s.savedDofs = s.savedDofs[:from]
	}
	if e.articulation == nil {
		r := &s.jointConstraints[e.row]
		n := len(s.savedBodies)
		s.states[r.a], s.states[r.b] = s.savedBodies[n-2], s.savedBodies[n-1]
		s.savedBodies = s.savedBodies[:n-2]
	}
}

// articulations returns the articulations that an impulse at the end moves.
func (e *couplingEnd) articulations(s *solver) [2]*articulation.Articulation {
	if e.articulation != nil {
		return [2]*articulation.Articulation{e.articulation}
	}
	r := &s.jointConstraints[e.row]
	return [2]*articulation.Articulation{r.endA.link.Articulation(), r.endB.link.Articulation()}
}

// solveCouplings is one iteration over the couplings; useBias corrects position errors.
func (s *solver) solveCouplings(useBias bool) {
	for i := range s.couplings {
		r := &s.couplings[i]
		want := 0.0
		if useBias {
			want = r.target
		}
		j := float64(r.mass * (want - r.speed(s)))
		r.impulse += j
		r.applyImpulse(s, j)
	}
}

// finishCouplings stores the impulses for the next step.
func (js *jointSet) finishCouplings(s *solver) {
	for i := range s.couplings {
		r := &s.couplings[i]
		js.all[r.slot].impulseCoupling = r.impulse
	}
}
