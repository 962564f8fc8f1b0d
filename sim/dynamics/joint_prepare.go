package dynamics

import "simdeck/sim/r3"

// jointConstraint is a joint in maximal coordinates as the solver sees it in this step. Its geometry is
// updated in each substep.
type jointConstraint struct {
	a, b  int32 // indices in solver.states; a is 0 for the world
	slot  int32
	kind  JointType
	drive motorDrive
	jointFrames
	jointLimits
	jointPassive

	onArticulation    bool // an end is a link of an articulation
	endA, endB        constraintEnd
	directIsland      int32 // 1 + its index; not above 0: none
	axisResponseValid bool  // the direct island's response to an impulse along the axis is known
	axisResponse      int32 // its offset in solver.axisResponses

	comOffsetStart r3.Vec  // m, COM of B - COM of A when the step began
	position       float64 // rad or m
	positionBefore float64 // position when the substep began
	speedBefore    float64 // rad/s or m/s, when the substep began
	jointGeometry
	jointImpulses
}

// jointGeometry is where a constraint's ends are in a substep, and its effective masses.
type jointGeometry struct {
	armA, armB          r3.Vec // m, from the COMs
	axis, p1, p2        r3.Vec // world; p1, p2 span the plane across the axis
	positionErrorVector r3.Vec // m, joint end B - joint end A, without the free directions
	angularError        r3.Vec // rotation vector from A's end to B's, without the free directions
	linMass             r3.Mat // effective mass; Prismatic: XX, XY, YY only
	angMass             r3.Mat // likewise; hinges: XX, XY, YY only
	axisMass            float64
}

// prepareJoints builds the constraints of joints with an awake body, in slot order.
func prepareJoints(w *World) {
	s := &w.solver
	s.jointConstraints, s.directIslands, s.multiDofFriction = s.jointConstraints[:0], s.directIslands[:0],
		s.multiDofFriction[:0]
	for i := range w.joints.all {
		if !w.joints.ids.inUse(int32(i)) {
			continue
		}
		j := &w.joints.all[i]
		if j.articulation != 0 {
			continue
		}
		if w.bodies.isAwake(j.child) || j.parent >= 0 && w.bodies.isAwake(j.parent) {
			if w.articulations.addLoop(&w.bodies, &w.joints, &w.time, &w.solver, int32(i)) {
				continue
			}
			w.articulations.requestResponse(&w.bodies, j.child)
			if j.parent >= 0 {
				w.articulations.requestResponse(&w.bodies, j.parent)
			}
			prepareJoint(w, int32(i))
		}
	}
	w.solver.buildDirectIslands(&w.bodies, &w.contacts, &w.active)
}

// prepareJoint builds the constraint of a joint, with its warm start.
func prepareJoint(w *World, slot int32) {
	s := &w.solver
	j := &w.joints.all[slot]
	k := w.time.warmStartRatio(w.solver.h)
	s.jointConstraints = append(s.jointConstraints, jointConstraint{})
	r := &s.jointConstraints[len(s.jointConstraints)-1]
	*r = jointConstraint{
		slot: slot, kind: j.kind, drive: j.drive(s.h), position: j.position,
		jointFrames: j.jointFrames, jointLimits: j.jointLimits, jointPassive: j.jointPassive,
	}
	r.friction = float64(j.friction * s.h)
	r.linearImpulse, r.angularImpulse = j.linearImpulse.Scale(k), j.angularImpulse.Scale(k)
	r.impulseDrive, r.impulseDamping, r.impulseFriction = float64(j.impulseDrive*k),
		float64(j.impulseDamping*k), float64(j.impulseFriction*k)
	r.impulseLower, r.impulseUpper, r.impulseVelocityLimit = float64(j.impulseLower*k),
		float64(j.impulseUpper*k), float64(j.impulseVelocityLimit*k)
	r.b = w.solver.addFixed(&w.bodies, w.cfg.Gravity, w.solver.h, j.child)
	r.comOffsetStart = w.bodies.motion[j.child].com
	if j.parent >= 0 {
		r.a = w.solver.addFixed(&w.bodies, w.cfg.Gravity, w.solver.h, j.parent)
		r.comOffsetStart = r.comOffsetStart.Sub(w.bodies.motion[j.parent].com)
	}
	s.prepareMultiDofFriction(int32(len(s.jointConstraints)-1), j, k)
	r.assignEnds(w, j)
	if !r.onArticulation {
		r.updateGeometry(s)
	}
}

// addFixed is the solver index of a joint's body, even where it does not move.
func (s *solverBodies) addFixed(bodies *bodySet, gravity r3.Vec, h float64, slot int32) int32 {
	if i := s.index[slot]; i != 0 {
		return i
	}
	return s.add(bodies, gravity, h, slot)
}

// updateJointsGeometry recomputes every joint's geometry after the bodies have moved.
func (s *solver) updateJointsGeometry() {
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		if r.kind.Turns() {
			w := s.states[r.b].w.Sub(s.states[r.a].w).Dot(r.axis)
			r.position += float64(s.h * w)
		}
		r.updateGeometry(s)
	}
	if len(s.directIslands) > 0 {
		s.factorDirectIslands()
		s.refreshDirectResponses()
	}
}

// updateGeometry computes axes, arms, position errors and effective masses at the bodies' present poses.
func (r *jointConstraint) updateGeometry(s *solver) {
	ta, tb := &s.rotations[r.a], &s.rotations[r.b]
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	frameA, frameB := ta.Mul(r.rotA), tb.Mul(r.rotB)
	m := frameA.Mat()
	r.p1, r.p2, r.axis = m.Col(0), m.Col(1), m.Col(2)
	r.armA, r.armB = ta.Rotate(r.anchorA), r3.Vec{}
	if r.anchorB != r.armB {
		r.armB = tb.Rotate(r.anchorB)
	}
	r.positionErrorVector = r.comOffsetStart.Add(
		s.states[r.b].deltaPosition.Sub(s.states[r.a].deltaPosition)).
		Add(r.armB).Sub(r.armA)
	inv := wa.invInertia.Add(wb.invInertia)
	if r.onArticulation {
		inv = r.linkAngularMass(s)
	}
	switch r.kind {
	case Universal:
		r.updateUniversal(frameB.Rotate(r3.Vec{X: 1}), inv)
	case Revolute, Continuous, Screw, Planar:
		r.updateHingeError(frameB.Rotate(r3.Vec{Z: 1}))
		r.angMass = planarMass(&inv, r.p1, r.p2)
		r.axisMass = inverseOrZero(inv.Times(r.axis).Dot(r.axis))
	case Fixed, Prismatic:
		r.angularError = frameB.Mul(frameA.Conj()).Vector()
		r.angMass = inverseSymmetric(&inv)
	}
	switch r.kind {
	case Prismatic:
		r.updatePrismatic(s)
		return
	case Screw:
		r.updateScrew(s)
		return
	case Planar:
		r.updatePlanar(s)
		return
	}
	r.armA = r.armA.Add(clampLength(r.positionErrorVector, maxPositionError))
	k := r.anchorMass(s, wa, wb)
	r.linMass = inverseSymmetric(&k)
}

// maxPositionError bounds the position error, m, up to which both ends act at B's anchor. The error under
// load then rotates with A.
const maxPositionError = 0.01

// updateHingeError makes the child's axis the hinge's axis, which a load tilts against the parent's. The tilt
// then stays with the load and does not rotate with the wheel.
func (r *jointConstraint) updateHingeError(axis r3.Vec) {
	r.angularError = r.axis.Cross(axis)
	if r.axis.Dot(axis) < 0.9 || r.kind == Screw || r.kind == Planar {
		return
	}
	r.p1, _ = r.p1.AddScaled(-r.p1.Dot(axis), axis).Unit()
	r.p2 = axis.Cross(r.p1)
	r.axis = axis
}

// updateUniversal constrains the two axes to be orthogonal; rotations about both are free.
func (r *jointConstraint) updateUniversal(second r3.Vec, inv r3.Mat) {
	r.p1, r.p2 = second.Cross(r.axis), r3.Vec{}
	r.angularError = r.p1.Scale(r.axis.Dot(second))
	r.angMass = r3.Mat{XX: inverseOrZero(inv.Times(r.p1).Dot(r.p1))}
	r.axisMass = inverseOrZero(inv.Times(r.axis).Dot(r.axis))
}

// updateScrew constrains the displacement along the axis to the rotation, as the third component of the
// linear impulse.
func (r *jointConstraint) updateScrew(s *solver) {
	along := r.positionErrorVector.Dot(r.axis)
	r.armA = r.armA.AddScaled(along, r.axis)
	k := r.anchorMass(s, &s.masses[r.a], &s.masses[r.b])
	r.linMass = planarMass(&k, r.p1, r.p2)
	inv := s.masses[r.a].invInertia.Add(s.masses[r.b].invInertia)
	if r.onArticulation {
		inv = r.linkAngularMass(s)
	}
	turn := inv.Times(r.axis).Dot(r.axis)
	r.linMass.ZZ = inverseOrZero(k.Times(r.axis).Dot(r.axis) + float64(r.pitch*r.pitch*turn))
	r.positionErrorVector = r.positionErrorVector.AddScaled(float64(-r.pitch*r.position), r.axis)
}

// updatePlanar constrains the displacement along the axis only.
func (r *jointConstraint) updatePlanar(s *solver) {
	held := r.axis.Scale(r.positionErrorVector.Dot(r.axis))
	r.armA, r.positionErrorVector = r.armA.Add(r.positionErrorVector.Sub(held)), held
	k := r.anchorMass(s, &s.masses[r.a], &s.masses[r.b])
	r.linMass = r3.Mat{ZZ: inverseOrZero(k.Times(r.axis).Dot(r.axis))}
}

// updatePrismatic puts A's arm at B's anchor, where the force acts, but not beyond the limits, nor along a
// position error.
func (r *jointConstraint) updatePrismatic(s *solver) {
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	r.position = r.positionErrorVector.Dot(r.axis)
	r.positionErrorVector = r.positionErrorVector.AddScaled(-r.position, r.axis)
	along := r.position
	if r.limited {
		along = max(r.lower, min(r.upper, along))
	}
	r.armA = r.armA.AddScaled(along, r.axis)
	k := r.anchorMass(s, wa, wb)
	r.linMass = planarMass(&k, r.p1, r.p2)
	r.axisMass = inverseOrZero(k.Times(r.axis).Dot(r.axis))
}

// applyLinear applies an impulse to both ends.
func (r *jointConstraint) applyLinear(s *solver, j r3.Vec) {
	if r.onArticulation {
		r.applyToLinks(s, j, r.armA.Cross(j), r.armB.Cross(j))
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
func (r *jointConstraint) applyAngular(s *solver, j r3.Vec) {
	if r.onArticulation {
		r.applyToLinks(s, r3.Vec{}, j, j)
		return
	}
	a, b := &s.states[r.a], &s.states[r.b]
	a.w = a.w.Sub(s.masses[r.a].applyInvInertia(j))
	b.w = b.w.Add(s.masses[r.b].applyInvInertia(j))
}

// applyAlongAxis applies an impulse along or about the axis.
func (r *jointConstraint) applyAlongAxis(s *solver, j float64) {
	if r.directIsland > 0 {
		if !r.axisResponseValid {
			r.computeAxisResponse(s)
		}
		r.applyAxisResponse(s, j)
	}
	if r.kind == Prismatic {
		r.applyLinear(s, r.axis.Scale(j))
	} else {
		r.applyAngular(s, r.axis.Scale(j))
	}
}

// speed is the velocity of the joint's position, rad/s or m/s.
func (r *jointConstraint) speed(s *solver) float64 {
	if r.kind == Prismatic {
		return r.anchorVelocity(s).Dot(r.axis)
	}
	return s.states[r.b].w.Sub(s.states[r.a].w).Dot(r.axis)
}

// anchorVelocity is the velocity of end B against A, m/s.
func (r *jointConstraint) anchorVelocity(s *solver) r3.Vec {
	a, b := &s.states[r.a], &s.states[r.b]
	return b.v.Add(b.w.Cross(r.armB)).Sub(a.v).Sub(a.w.Cross(r.armA))
}

// finish stores impulses and positions.
func (js *jointSet) finish(bodies *bodySet, s *solver) {
	s.storeDirectImpulses()
	js.storeMultiDofFriction(s)
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		j := &js.all[r.slot]
		j.linearImpulse, j.angularImpulse = r.linearImpulse, r.angularImpulse
		j.impulseDrive, j.impulseDamping, j.impulseFriction, j.impulseLower, j.impulseUpper,
			j.impulseVelocityLimit = r.impulseDrive, r.impulseDamping, r.impulseFriction, r.impulseLower,
			r.impulseUpper, r.impulseVelocityLimit
		j.effort = float64(r.impulseDrive * s.invH)
		if r.drive.effort != 0 {
			j.effort = float64(r.drive.effort * s.invH)
		}
		js.measure(bodies, r.slot, true)
	}
}
