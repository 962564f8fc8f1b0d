package dynamics

import "simdeck/sim/r3"

// jointConstraint is a joint as the solver sees it in this step. Its geometry follows the bodies from
// substep to substep.
type jointConstraint struct {
	a, b  int32 // indices of moving; a is 0 for the world
	slot  int32
	kind  JointType
	drive motorDrive

	onArticulation bool // an end is a link of a limb
	endA, endB     constraintEnd

	directIsland      int32 // 1 + its index; not above 0: none
	axisResponseValid bool  // what the knot answers along the axis is known
	axisResponse      int32 // where that is

	limited      bool
	lower, upper float64
	damping      float64
	stiffness    float64
	springRest   float64
	pitch        float64
	friction     float64 // impulse per substep
	speedLimit   float64

	comOffsetStart r3.Vec // com B - com A when the step began
	anchorA        r3.Vec // in body axes; for the world from the origin
	anchorB        r3.Vec
	rotA           r3.Quat
	rotB           r3.Quat
	position       float64
	positionBefore float64 // position when the substep began
	speedBefore    float64 // how fast it ran then

	// Follows the bodies.
	armA, armB          r3.Vec
	axis, p1, p2        r3.Vec // world; p1, p2 span the plane across the axis
	positionErrorVector r3.Vec // joint end B - joint end A, but for what is free
	angularError        r3.Vec // rotation vector from A's end to B's, but for what is free
	linMass             r3.Mat // inverse of the effective mass; prismatic: XX, XY, YY only
	angMass             r3.Mat // likewise; hinges: XX, XY, YY only
	axisMass            float64

	linearImpulse, angularImpulse                 r3.Vec // accumulated impulses; components along p1, p2 where only those count
	impulseDrive, impulseDamping, impulseFriction float64
	impulseLower, impulseUpper                    float64
	impulseVelocityLimit                          float64
}

// prepareJoints lays out the joints with an awake body, in the order of their slots.
func (w *World) prepareJoints() {
	s := &w.solver
	s.jointConstraints, s.directIslands, s.multiDofFriction = s.jointConstraints[:0], s.directIslands[:0], s.multiDofFriction[:0]
	for i := range w.joints {
		if !w.jointIDs.inUse(int32(i)) {
			continue
		}
		j := &w.joints[i]
		if j.articulation != 0 {
			continue
		}
		if w.isAwake(j.child) || j.parent >= 0 && w.isAwake(j.parent) {
			if w.addLoopJoint(int32(i)) {
				continue
			}
			w.requestLinkResponse(j.child)
			if j.parent >= 0 {
				w.requestLinkResponse(j.parent)
			}
			w.prepareJoint(int32(i))
		}
	}
	w.buildDirectIslands()
}

func (w *World) prepareJoint(slot int32) {
	s := &w.solver
	j := &w.joints[slot]
	k := w.warmStartRatio()
	s.jointConstraints = append(s.jointConstraints, jointConstraint{})
	r := &s.jointConstraints[len(s.jointConstraints)-1]
	*r = jointConstraint{
		slot: slot, kind: j.kind, drive: j.drive(s.h),
		limited: j.limited, lower: j.lower, upper: j.upper,
		damping: j.damping, stiffness: j.stiffness, springRest: j.springRest, pitch: j.pitch, friction: float64(j.friction * s.h), speedLimit: j.speedLimit,
		anchorA: j.anchorA, anchorB: j.anchorB, rotA: j.rotA, rotB: j.rotB, position: j.position,
		linearImpulse: j.linearImpulse.Scale(k), angularImpulse: j.angularImpulse.Scale(k),
		impulseDrive: float64(j.impulseDrive * k), impulseDamping: float64(j.impulseDamping * k), impulseFriction: float64(j.impulseFriction * k),
		impulseLower: float64(j.impulseLower * k), impulseUpper: float64(j.impulseUpper * k), impulseVelocityLimit: float64(j.impulseVelocityLimit * k),
	}
	r.b = w.addFixedBody(j.child)
	r.comOffsetStart = w.motion[j.child].com
	if j.parent >= 0 {
		r.a = w.addFixedBody(j.parent)
		r.comOffsetStart = r.comOffsetStart.Sub(w.motion[j.parent].com)
	}
	s.prepareMultiDofFriction(int32(len(s.jointConstraints)-1), j, k)
	w.assignJointEnds(r, j)
	if !r.onArticulation {
		s.updateJointGeometry(r)
	}
}

// addFixedBody is the index of a body that a joint needs, even where it does not move.
func (w *World) addFixedBody(slot int32) int32 {
	if i := w.solver.index[slot]; i != 0 {
		return i
	}
	return w.addBody(slot)
}

// updateJointsGeometry recomputes every joint's geometry after the bodies have moved.
func (s *solver) updateJointsGeometry() {
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		if r.turns() {
			w := s.states[r.b].w.Sub(s.states[r.a].w).Dot(r.axis)
			r.position += float64(s.h * w)
		}
		s.updateJointGeometry(r)
	}
	if len(s.directIslands) > 0 {
		s.factorDirectIslands()
		s.refreshDirectResponses()
	}
}

func (s *solver) updateJointGeometry(r *jointConstraint) {
	ta, tb := &s.rotations[r.a], &s.rotations[r.b]
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	frameA, frameB := ta.Mul(r.rotA), tb.Mul(r.rotB)
	m := frameA.Mat()
	r.p1, r.p2, r.axis = m.Col(0), m.Col(1), m.Col(2)
	r.armA, r.armB = ta.Rotate(r.anchorA), r3.Vec{}
	if r.anchorB != r.armB {
		r.armB = tb.Rotate(r.anchorB)
	}
	r.positionErrorVector = r.comOffsetStart.Add(s.states[r.b].deltaPosition.Sub(s.states[r.a].deltaPosition)).Add(r.armB).Sub(r.armA)
	inv := wa.invInertia.Add(wb.invInertia)
	if r.onArticulation {
		inv = s.externalJointAngularMass(r)
	}
	switch r.kind {
	case Universal:
		s.updateUniversal(r, frameB.Rotate(r3.Vec{X: 1}), inv)
	case Revolute, Continuous, Screw, Planar:
		r.updateHingeError(frameB.Rotate(r3.Vec{Z: 1}))
		r.angMass = planarMass(&inv, r.p1, r.p2)
		r.axisMass = inverseOrZero(mulVec(&inv, r.axis).Dot(r.axis))
	case Fixed, Prismatic:
		r.angularError = frameB.Mul(frameA.Conj()).Vector()
		r.angMass = inverseSymmetric(&inv)
	}
	switch r.kind {
	case Prismatic:
		s.updatePrismatic(r)
		return
	case Screw:
		s.updateScrew(r)
		return
	case Planar:
		s.updatePlanar(r)
		return
	}
	r.armA = r.armA.Add(clampLength(r.positionErrorVector, maxPositionError))
	k := s.anchorMass(wa, wb, r)
	r.linMass = inverseSymmetric(&k)
}

// maxPositionError is how far, in m, ends may have parted that push each other at one point: B's, as A sees it. So
// what a load parts them by turns with A.
const maxPositionError = 0.01

// updateHingeError takes the child's axis, which a load has turned a little from the parent's, for what a hinge turns about:
// so the load holds it there, and it does not go round with the wheel.
func (r *jointConstraint) updateHingeError(axis r3.Vec) {
	r.angularError = r.axis.Cross(axis)
	if r.axis.Dot(axis) < 0.9 || r.kind == Screw || r.kind == Planar {
		return
	}
	r.p1, _ = r.p1.AddScaled(-r.p1.Dot(axis), axis).Unit()
	r.p2 = axis.Cross(r.p1)
	r.axis = axis
}

// turns reports that the position is an angle about the axis.
func (r *jointConstraint) turns() bool {
	return r.kind == Revolute || r.kind == Continuous || r.kind == Screw || r.kind == Universal
}

// updateUniversal: the two axes of a universal joint stay square to each other; about both the ends turn
// freely.
func (s *solver) updateUniversal(r *jointConstraint, second r3.Vec, inv r3.Mat) {
	r.p1, r.p2 = second.Cross(r.axis), r3.Vec{}
	r.angularError = r.p1.Scale(r.axis.Dot(second))
	r.angMass = r3.Mat{XX: inverseOrZero(mulVec(&inv, r.p1).Dot(r.p1))}
	r.axisMass = inverseOrZero(mulVec(&inv, r.axis).Dot(r.axis))
}

// updateScrew: a screw is a slide whose way along the axis follows the turn about it; that is the
// third component of the slide's impulse.
func (s *solver) updateScrew(r *jointConstraint) {
	along := r.positionErrorVector.Dot(r.axis)
	r.armA = r.armA.AddScaled(along, r.axis)
	k := s.anchorMass(&s.masses[r.a], &s.masses[r.b], r)
	r.linMass = planarMass(&k, r.p1, r.p2)
	inv := s.masses[r.a].invInertia.Add(s.masses[r.b].invInertia)
	if r.onArticulation {
		inv = s.externalJointAngularMass(r)
	}
	turn := mulVec(&inv, r.axis).Dot(r.axis)
	r.linMass.ZZ = inverseOrZero(mulVec(&k, r.axis).Dot(r.axis) + float64(r.pitch*r.pitch*turn))
	r.positionErrorVector = r.positionErrorVector.AddScaled(float64(-r.pitch*r.position), r.axis)
}

// updatePlanar: a planar joint holds its ends together along the axis only.
func (s *solver) updatePlanar(r *jointConstraint) {
	held := r.axis.Scale(r.positionErrorVector.Dot(r.axis))
	r.armA, r.positionErrorVector = r.armA.Add(r.positionErrorVector.Sub(held)), held
	k := s.anchorMass(&s.masses[r.a], &s.masses[r.b], r)
	r.linMass = r3.Mat{ZZ: inverseOrZero(mulVec(&k, r.axis).Dot(r.axis))}
}

// updatePrismatic: on a slide the force acts where B's end is, so A's arm reaches there; not beyond the
// limits, nor to where an error has pulled the end.
func (s *solver) updatePrismatic(r *jointConstraint) {
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	r.position = r.positionErrorVector.Dot(r.axis)
	r.positionErrorVector = r.positionErrorVector.AddScaled(-r.position, r.axis)
	reach := r.position
	if r.limited {
		reach = max(r.lower, min(r.upper, reach))
	}
	r.armA = r.armA.AddScaled(reach, r.axis)
	k := s.anchorMass(wa, wb, r)
	r.linMass = planarMass(&k, r.p1, r.p2)
	r.axisMass = inverseOrZero(mulVec(&k, r.axis).Dot(r.axis))
}

// applyLinear applies an impulse to both ends of a joint.
func (s *solver) applyLinear(r *jointConstraint, j r3.Vec) {
	if r.onArticulation {
		s.applyExternalJointImpulse(r, j, r.armA.Cross(j), r.armB.Cross(j))
		return
	}
	a, b := &s.states[r.a], &s.states[r.b]
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	a.v = a.v.AddScaled(-wa.invMass, j)
	b.v = b.v.AddScaled(wb.invMass, j)
	a.w = a.w.Sub(wa.applyInvInertia(r.armA.Cross(j)))
	b.w = b.w.Add(wb.applyInvInertia(r.armB.Cross(j)))
}

// applyAngular applies an angular impulse to both ends.
func (s *solver) applyAngular(r *jointConstraint, j r3.Vec) {
	if r.onArticulation {
		s.applyExternalJointImpulse(r, r3.Vec{}, j, j)
		return
	}
	a, b := &s.states[r.a], &s.states[r.b]
	a.w = a.w.Sub(s.masses[r.a].applyInvInertia(j))
	b.w = b.w.Add(s.masses[r.b].applyInvInertia(j))
}

// applyAlongAxis applies an impulse along or about the joint's axis.
func (s *solver) applyAlongAxis(r *jointConstraint, j float64) {
	if r.directIsland > 0 {
		if !r.axisResponseValid {
			s.computeAxisResponse(r)
		}
		s.applyAxisResponse(r, j)
	}
	if r.kind == Prismatic {
		s.applyLinear(r, r.axis.Scale(j))
	} else {
		s.applyAngular(r, r.axis.Scale(j))
	}
}

// jointSpeed is the velocity of the joint's position.
func (s *solver) jointSpeed(r *jointConstraint) float64 {
	if r.kind == Prismatic {
		return s.anchorVelocity(r).Dot(r.axis)
	}
	return s.states[r.b].w.Sub(s.states[r.a].w).Dot(r.axis)
}

// anchorVelocity is the velocity of joint end B against A.
func (s *solver) anchorVelocity(r *jointConstraint) r3.Vec {
	a, b := &s.states[r.a], &s.states[r.b]
	return b.v.Add(b.w.Cross(r.armB)).Sub(a.v).Sub(a.w.Cross(r.armA))
}

// finishJoints stores what the next step starts from and reads the positions.
func (w *World) finishJoints() {
	s := &w.solver
	s.storeDirectImpulses()
	w.finishMultiDofFriction()
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		j := &w.joints[r.slot]
		j.linearImpulse, j.angularImpulse = r.linearImpulse, r.angularImpulse
		j.impulseDrive, j.impulseDamping, j.impulseFriction, j.impulseLower, j.impulseUpper, j.impulseVelocityLimit = r.impulseDrive, r.impulseDamping, r.impulseFriction, r.impulseLower, r.impulseUpper, r.impulseVelocityLimit
		j.effort = float64(r.impulseDrive * s.invH)
		if r.drive.effort != 0 {
			j.effort = float64(r.drive.effort * s.invH)
		}
		w.measureJoint(r.slot, true)
	}
}
