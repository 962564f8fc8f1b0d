package dynamics

import "simdeck/sim/r3"

// A joint that closes a loop of links is solved with the articulation. Its constraints are rows of the QP
// beside motors and limits, by J·M⁻¹·Jᵀ of all loops at once (Featherstone, RBDA 2008, ch. 8). Solved in turn
// beside the articulation, it and the other rows would undo each other; a loop with hardly any freedom would
// then be thrown by the residual. Positions are projected in loop_project.go.

// loopJoint is a loop-closing joint in this step. The loop may close through a static or kinematic body.
type loopJoint struct {
	row                               jointConstraint // its constants and geometry
	linkA, linkB                      int32           // links; -1: a static or kinematic body, or the world
	firstRow, linearRows, angularRows int             // first row, and the numbers of linear and angular ones
	// inverse effective masses of the bodies if they were free: linear, angular
	freeCompliance [2]float64
}

// addLoopJoint adds a joint that closes a loop to its articulation; false: it closes none.
func (w *World) addLoopJoint(slot int32) bool {
	j := &w.joints.all[slot]
	number, c := int32(0), loopJoint{linkA: -1, linkB: -1}
	for _, e := range [2]struct {
		body int32
		link *int32
	}{{j.parent, &c.linkA}, {j.child, &c.linkB}} {
		if e.body < 0 || w.bodies.all[e.body].kind != Dynamic {
			continue
		}
		b := &w.bodies.all[e.body]
		if b.articulation == 0 || number != 0 && b.articulation != number {
			return false
		}
		number, *e.link = b.articulation, b.link
		in := &w.bodies.massProps[e.body]
		turn := in.invInertia.XX + in.invInertia.YY + in.invInertia.ZZ
		anchor := j.anchorB
		if e.link == &c.linkA {
			anchor = j.anchorA
		}
		c.freeCompliance[0] += in.invMass + float64(turn*anchor.Len2())
		c.freeCompliance[1] += turn
	}
	if number == 0 || !w.bodies.isAwake(w.articulations[number-1].links[0].body) || j.coupling.on ||
		w.joints.isCouplingLeader(slot) {
		return false // couplings act on joint constraints and joints of an articulation
	}
	art := &w.articulations[number-1]
	j.scaleImpulses(w.time.warmStartRatio(w.solver.h))
	j.impulseDamping = float64(j.impulseDamping * w.time.warmStartRatio(w.solver.h))
	c.row = jointConstraint{
		slot: slot, kind: j.kind, position: j.position,
		jointFrames: j.jointFrames, jointLimits: jointLimits{pitch: j.pitch},
	}
	art.loops = append(art.loops, c)
	art.step.actuated = art.step.actuated || j.friction > 0 || j.damping > 0 || j.stiffness > 0 ||
		j.motor.mode != motorOff || j.locked()
	return true
}

// isCouplingLeader reports that another joint follows this one.
func (js *jointSet) isCouplingLeader(slot int32) bool {
	for i := range js.all {
		if g := &js.all[i].coupling; g.on && g.leader == slot {
			return true
		}
	}
	return false
}

// loopEndState is the pose of an end's body, and the part of its velocity that does not depend on joint
// velocities.
func (tree *kinematicTree) loopEndState(w *World, link, body int32) (com r3.Vec, rot r3.Quat,
	v velocityChange) {
	if link >= 0 {
		k := &tree.links[link]
		return k.com, k.rot, velocityChange{tree.baseMotion.twist.linearAt(k.arm), tree.baseMotion.twist.ang}
	}
	if body < 0 {
		return r3.Vec{}, r3.Identity(), velocityChange{}
	}
	m := &w.bodies.motion[body]
	com, rot = m.com, m.rot
	if w.bodies.all[body].kind == Kinematic {
		v = velocityChange{m.v, m.w}
		if i := w.solver.index[body]; i != 0 {
			mv := &w.solver.states[i]
			com, rot = com.Add(mv.deltaPosition), rot.Turn(mv.deltaRotation)
		}
	}
	return com, rot, v
}

// updateGeometry computes the ends and position errors at the links' present poses. It returns the ends'
// velocities by the base and by kinematic bodies.
func (c *loopJoint) updateGeometry(w *World, art *articulation) (a, b velocityChange) {
	r, j := &c.row, &w.joints.all[c.row.slot]
	comA, rotA, a := art.loopEndState(w, c.linkA, j.parent)
	comB, rotB, b := art.loopEndState(w, c.linkB, j.child)
	frameA, frameB := rotA.Mul(r.rotA), rotB.Mul(r.rotB)
	m := frameA.Mat()
	r.p1, r.p2, r.axis = m.Col(0), m.Col(1), m.Col(2)
	r.armA, r.armB = rotA.Rotate(r.anchorA), rotB.Rotate(r.anchorB)
	r.positionErrorVector = comB.Sub(comA).Add(r.armB).Sub(r.armA)
	r.armA = r.armA.Add(r.positionErrorVector) // both ends act at B's anchor
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

// positionError is the error of a constrained direction, m or rad.
func (r *jointConstraint) positionError(part uint8) float64 {
	if part < 3 {
		return r.positionErrorVector.Dot(r.constraintDirection(part))
	}
	return r.angularError.Dot(r.constraintDirection(part))
}

// jacobianRow writes the Jacobian of a direction to x, by degree of freedom.
func (c *loopJoint) jacobianRow(art *articulation, x []float64, along, armA, armB r3.Vec) {
	clear(x)
	if c.linkB >= 0 {
		k := &art.links[c.linkB]
		for d := k.lastDof; d >= 0; d = art.dofs[d].parent {
			s := &art.dofs[d].axis
			x[d] += along.Dot(s.linearAt(k.arm)) + armB.Dot(s.ang)
		}
	}
	if c.linkA >= 0 {
		k := &art.links[c.linkA]
		for d := k.lastDof; d >= 0; d = art.dofs[d].parent {
			s := &art.dofs[d].axis
			x[d] -= along.Dot(s.linearAt(k.arm)) + armA.Dot(s.ang)
		}
	}
}

// storeLoopState stores position and effort in the loop joints.
func (art *articulation) storeLoopState(w *World) {
	for i := range art.loops {
		slot := art.loops[i].row.slot
		j := &w.joints.all[slot]
		j.effort = 0
		if j.motor.mode != motorOff {
			j.effort = float64(j.impulseDrive * w.solver.invH)
		}
		j.linearImpulse, j.angularImpulse = r3.Vec{}, r3.Vec{}
		w.joints.measure(&w.bodies, slot, true)
	}
}
