package dynamics

import (
	"math"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
)

// A joint that closes a loop of links is solved with the articulation (package articulation, loop.go), which
// asks for the directions that the joint holds. They follow from the joint's frames as for a joint
// constraint.

// loopJoint is the geometry of a loop-closing joint in this step. The loop may close through a static or
// kinematic body.
type loopJoint struct {
	row          jointConstraint // its constants and geometry
	linkA, linkB int32           // links; -1: a static or kinematic body, or the world
}

// addLoop adds a joint that closes a loop to its articulation; false: it closes none.
func (as articulationList) addLoop(bodies *bodySet, joints *jointSet, time *stepTime, s *solver,
	slot int32) bool {
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
	j.scaleImpulses(time.warmStartRatio(s.h))
	j.impulseDamping = float64(j.impulseDamping * time.warmStartRatio(s.h))
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
func (art *worldArticulation) loopEndState(w *World, link, body int32) (com r3.Vec, rot r3.Quat,
	v velocityChange) {
	if link >= 0 {
		com, rot = art.LinkPose(link)
		v.v, v.w = art.BaseTwistAt(link)
		return com, rot, v
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
func (c *loopJoint) updateGeometry(w *World, art *worldArticulation) (a, b velocityChange) {
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
		r.position = articulation.UnwrapAngle(r.position, r3.Atan2(second.Dot(r.p2), second.Dot(r.p1)), false)
		r.p1 = second.Cross(r.axis)
		r.angularError = r.p1.Scale(r.axis.Dot(second))
	case Revolute, Continuous, Screw, Planar:
		r.position = articulation.UnwrapAngle(r.position, articulation.TwistAngle(frameA, frameB), false)
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

// storeLoopState stores position and effort in the loop joints.
func (art *worldArticulation) storeLoopState(w *World) {
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

// LoopDirections returns the directions that a loop joint holds, at the links' present poses.
func (a *articulatedJoints) LoopDirections(loop int, h float64, ahead bool) []articulation.Direction {
	c := &a.art.loops[loop]
	r := &c.row
	position := r.position
	va, vb := c.updateGeometry(a.w, a.art)
	if ahead {
		r.position = position
	}
	r.positionErrorVector, r.angularError = clampLength(r.positionErrorVector, float64(maxLinearRecovery*h)),
		clampLength(r.angularError, float64(maxAngularRecovery*h))
	a.directions = a.directions[:0]
	holds := r.constrainedDirections()
	for part, held := range holds[:axisDirection] {
		if !held {
			continue
		}
		along, armA, armB := r.constraintJacobian(uint8(part))
		a.directions = append(a.directions, articulation.Direction{
			Along: along, ArmA: armA, ArmB: armB, Angular: part >= 3, Error: r.positionError(uint8(part)),
			Drift: along.Dot(vb.v.Sub(va.v)) + armB.Dot(vb.w) - armA.Dot(va.w),
		})
	}
	return a.directions
}

// AddLoopRows adds the rows along the axis of a loop joint.
func (a *articulatedJoints) AddLoopRows(loop int) {
	w, art := a.w, a.art
	c := &art.loops[loop]
	j, h := &w.joints.all[c.row.slot], w.solver.h
	if !j.kind.HasAxis() {
		return
	}
	var axis directRow
	axis.setAxis(&c.row)
	row, v := art.NewLoopRow(loop, c.row.slot, axis.along, axis.armA, axis.armB)
	if j.damping > 0 || j.stiffness > 0 { // implicit
		damp, k := row, j.damping+float64(h*j.stiffness)
		damp.Lower, damp.Upper, damp.Compliance = math.Inf(-1), math.Inf(1), w.solver.invH/k
		damp.Target = float64((j.springRest-c.row.position)*j.stiffness) / k
		damp.RelaxedTarget = damp.Target
		art.addRow(&damp, rowDamping, j)
	}
	if j.friction > 0 {
		stick := row
		stick.Lower, stick.Upper = -float64(j.friction*h), float64(j.friction*h)
		art.addRow(&stick, rowFriction, j)
	}
	switch d := j.drive(h); {
	case d.on:
		art.addMotorRow(row, j, &d, c.row.position, h)
	case d.effort != 0:
		effort := row
		effort.Lower, effort.Upper = d.effort, d.effort
		art.addRow(&effort, rowDrive, j)
	}
	if j.speedLimit > 0 {
		art.addVelocityLimit(row, j, v)
	}
	if j.limited {
		art.addLimits(row, j, c.row.position, v, h)
	}
}

// loopPosition is the position of a loop joint, rad or m.
func (art *worldArticulation) loopPosition(slot int32) float64 {
	for i := range art.loops {
		if art.loops[i].row.slot == slot {
			return art.loops[i].row.position
		}
	}
	return 0
}
