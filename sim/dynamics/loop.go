package dynamics

import "simdeck/sim/r3"

// A joint that closes a ring of a limb's links is solved with the limb: what it holds are rows of the limb's block, beside
// its motors and stops, by what the joints of the tree do to its ends (J·M⁻¹·Jᵀ of all that close rings, at once).
// A joint that waits for its turn beside the tree is undone by the others turn by turn, and undoes them: a ring that its
// joints leave hardly free is then thrown by what is left. See loop_project.go for how the ends stay together.

// loopJoint is such a joint in this step. The ring may close through what does not move of itself.
type loopJoint struct {
	row          jointConstraint // its constants, and where it is
	linkA, linkB int32           // links; -1: what does not move of itself
	// Of its rows in the block: the first, how many hold its ends together, and how many hold them straight.
	firstRow, linearRows, angularRows int
	freeCompliance                    [2]float64 // by how much its bodies would yield if they were free: to impulses, and to torques
}

// addLoopJoint makes a joint a loop of the limb in which it closes a ring; false: it does not.
func (w *World) addLoopJoint(slot int32) bool {
	j := &w.joints[slot]
	number, c := int32(0), loopJoint{linkA: -1, linkB: -1}
	for _, e := range [2]struct {
		body int32
		link *int32
	}{{j.parent, &c.linkA}, {j.child, &c.linkB}} {
		if e.body < 0 || w.bodies[e.body].kind != Dynamic {
			continue
		}
		b := &w.bodies[e.body]
		if b.articulation == 0 || number != 0 && b.articulation != number {
			return false
		}
		number, *e.link = b.articulation, b.link
		in := &w.massProps[e.body]
		turn := in.invInertia.XX + in.invInertia.YY + in.invInertia.ZZ
		anchor := j.anchorB
		if e.link == &c.linkA {
			anchor = j.anchorA
		}
		c.freeCompliance[0] += in.invMass + float64(turn*anchor.Len2())
		c.freeCompliance[1] += turn
	}
	if number == 0 || !w.isAwake(w.articulations[number-1].links[0].body) || j.coupling.on || w.isCouplingLeader(slot) {
		return false // gears know ordinary joints, and those of limbs
	}
	l := &w.articulations[number-1]
	j.scaleImpulses(w.warmStartRatio())
	j.impulseDamping = float64(j.impulseDamping * w.warmStartRatio())
	c.row = jointConstraint{
		slot: slot, kind: j.kind, position: j.position,
		jointFrames: j.jointFrames, jointLimits: jointLimits{pitch: j.pitch},
	}
	l.loops = append(l.loops, c)
	l.step.actuated = l.step.actuated || j.friction > 0 || j.damping > 0 || j.stiffness > 0 || j.motor.mode != motorOff || j.locked()
	return true
}

// isCouplingLeader reports that another joint follows this one.
func (w *World) isCouplingLeader(slot int32) bool {
	for i := range w.joints {
		if g := &w.joints[i].coupling; g.on && g.leader == slot {
			return true
		}
	}
	return false
}

// loopEndState is where an end's body is now, and how it moves if that does not follow from the limb's joints.
func (l *kinematicTree) loopEndState(w *World, link, body int32) (com r3.Vec, rot r3.Quat, v velocityChange) {
	if link >= 0 {
		k := &l.links[link]
		return k.com, k.rot, velocityChange{l.root.twist.linearAt(k.arm), l.root.twist.ang}
	}
	if body < 0 {
		return r3.Vec{}, r3.Identity(), velocityChange{}
	}
	m := &w.motion[body]
	com, rot = m.com, m.rot
	if w.bodies[body].kind == Kinematic {
		v = velocityChange{m.v, m.w}
		if i := w.solver.index[body]; i != 0 {
			mv := &w.solver.states[i]
			com, rot = com.Add(mv.deltaPosition), rot.Turn(mv.deltaRotation)
		}
	}
	return com, rot, v
}

// follow finds where a loop's ends are, with the links where they are; it returns by which velocity they part as the
// base, and what does not move of itself, carry them.
func (c *loopJoint) updateGeometry(w *World, l *articulation) (a, b velocityChange) {
	r, j := &c.row, &w.joints[c.row.slot]
	comA, rotA, a := l.loopEndState(w, c.linkA, j.parent)
	comB, rotB, b := l.loopEndState(w, c.linkB, j.child)
	frameA, frameB := rotA.Mul(r.rotA), rotB.Mul(r.rotB)
	m := frameA.Mat()
	r.p1, r.p2, r.axis = m.Col(0), m.Col(1), m.Col(2)
	r.armA, r.armB = rotA.Rotate(r.anchorA), rotB.Rotate(r.anchorB)
	r.positionErrorVector = comB.Sub(comA).Add(r.armB).Sub(r.armA)
	r.armA = r.armA.Add(r.positionErrorVector) // ends push each other at one point: B's, as A sees it
	switch r.kind {
	case Universal:
		second := frameB.Rotate(r3.Vec{X: 1})
		r.position = unwrapAngle(r.position, r3.Atan2(second.Dot(r.p2), second.Dot(r.p1)), false)
		r.p1 = second.Cross(r.axis)
		r.angularError = r.p1.Scale(r.axis.Dot(second))
	case Revolute, Continuous, Screw, Planar:
		r.position = unwrapAngle(r.position, twistAngle(frameA, frameB), false)
		r.updateHingeError(frameB.Rotate(r3.Vec{Z: 1}))
	case Fixed, Prismatic:
		r.angularError = frameB.Mul(frameA.Conj()).Vector()
	}
	along := r.positionErrorVector.Dot(r.axis)
	switch r.kind {
	case Prismatic:
		r.position = along
		r.positionErrorVector = r.positionErrorVector.AddScaled(-along, r.axis)
	case Screw:
		r.positionErrorVector = r.positionErrorVector.AddScaled(float64(-r.pitch*r.position), r.axis)
	case Planar:
		r.positionErrorVector = r.axis.Scale(along)
	}
	return a, b
}

// positionError is by how much a part of a loop's ends is not where it should be, m or rad.
func (r *jointConstraint) positionError(part uint8) float64 {
	if part < 3 {
		return r.positionErrorVector.Dot(r.constraintDirection(part))
	}
	return r.angularError.Dot(r.constraintDirection(part))
}

// jacobianRow writes by how much a row along and about which A and B count looks at each degree of freedom.
func (c *loopJoint) jacobianRow(l *articulation, x []float64, along, armA, armB r3.Vec) {
	clear(x)
	if c.linkB >= 0 {
		k := &l.links[c.linkB]
		for d := k.lastDof; d >= 0; d = l.dofs[d].parent {
			s := &l.dofs[d].axis
			x[d] += along.Dot(s.linearAt(k.arm)) + armB.Dot(s.ang)
		}
	}
	if c.linkA >= 0 {
		k := &l.links[c.linkA]
		for d := k.lastDof; d >= 0; d = l.dofs[d].parent {
			s := &l.dofs[d].axis
			x[d] -= along.Dot(s.linearAt(k.arm)) + armA.Dot(s.ang)
		}
	}
}

// storeLoopState copies what encoders and torque sensors say to the joints that close loops.
func (l *articulation) storeLoopState(w *World) {
	for i := range l.loops {
		slot := l.loops[i].row.slot
		j := &w.joints[slot]
		j.effort = 0
		if j.motor.mode != motorOff {
			j.effort = float64(j.impulseDrive * w.solver.invH)
		}
		j.linearImpulse, j.angularImpulse = r3.Vec{}, r3.Vec{}
		w.measureJoint(slot, true)
	}
}
