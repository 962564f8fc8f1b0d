package dynamics

import "simdeck/sim/r3"

const (
	// maxLinearRecovery is the largest speed of position correction, m/s; chosen so that parted ends do not shoot together.
	maxLinearRecovery = 5.0
	// maxAngularRecovery is the largest speed of angular correction, rad/s; chosen likewise.
	maxAngularRecovery = 20.0
)

// warmStartJoints applies the impulses of the last substep. Direct islands start from zero.
func (s *solver) warmStartJoints() {
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		if r.onArticulation {
			r.updateGeometry(s)
			r.refreshEndVelocities(s)
		}
		r.positionBefore = r.position
		if r.kind != Ball {
			lower, upper := r.impulseLower, r.impulseUpper
			if r.directIsland > 0 { // limits are rows of the island
				lower, upper = 0, 0
			}
			r.applyAlongAxis(s, r.impulseDrive+r.impulseDamping+r.impulseFriction+lower-upper+
				r.impulseVelocityLimit+r.drive.effort)
		}
		if r.directIsland > 0 {
			continue
		}
		if r.kind != Ball {
			r.applyAngular(s, r.angularInWorld(r.angularImpulse))
		}
		r.applyLinearHold(s, r.linearImpulse)
	}
}

// angularInWorld converts an angular impulse from components along p1 and p2 to world axes, where the joint
// has those.
func (r *jointConstraint) angularInWorld(j r3.Vec) r3.Vec {
	if r.kind == Fixed || r.kind == Prismatic {
		return j
	}
	return r.inPlane(j)
}

// applyLinearHold applies the linear constraint impulse: all of j, or its components along p1, p2 and the
// axis. A screw's third component also turns the ends.
func (r *jointConstraint) applyLinearHold(s *solver, j r3.Vec) {
	switch r.kind {
	case Prismatic:
		r.applyLinear(s, r.inPlane(j))
	case Screw:
		r.applyLinear(s, r.inPlane(j).AddScaled(j.Z, r.axis))
		r.applyAngular(s, r.axis.Scale(float64(-r.pitch*j.Z)))
	case Planar:
		r.applyLinear(s, r.axis.Scale(j.Z))
	default:
		r.applyLinear(s, j)
	}
}

// inPlane is the vector with components X along p1 and Y along p2.
func (r *jointConstraint) inPlane(v r3.Vec) r3.Vec { return r.p1.Scale(v.X).AddScaled(v.Y, r.p2) }

// solveJoints is one iteration over all joints; useBias corrects position errors.
func (s *solver) solveJoints(useBias bool) {
	so := rigid()
	if useBias {
		so = s.softJoint
	}
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		if r.onArticulation {
			r.refreshEndVelocities(s)
		}
		if r.kind.Turns() || r.kind == Prismatic {
			if r.directIsland > 0 && !r.axisResponseValid && r.hasAxisRows() {
				r.computeAxisResponse(s)
			}
			r.solveAxis(s)
			if r.speedLimit > 0 {
				r.solveVelocityLimit(s)
			}
			if r.limited && r.directIsland <= 0 {
				r.solveLimits(s, so, useBias)
			}
		}
		if r.directIsland > 0 {
			continue
		}
		if !r.onArticulation && (r.kind == Revolute || r.kind == Continuous) {
			r.solveHinge(s, so)
			continue
		}
		r.solveAngular(s, so)
		r.solveLinear(s, so)
	}
}

// hasAxisRows reports that damping, spring, friction, speed limit or motor act along the axis.
func (r *jointConstraint) hasAxisRows() bool {
	return r.damping > 0 || r.stiffness > 0 || r.friction > 0 || r.speedLimit > 0 || r.drive.on
}

// solveAxis solves spring, friction and motor along the axis.
func (r *jointConstraint) solveAxis(s *solver) {
	if r.damping > 0 || r.stiffness > 0 {
		r.solveSpring(s)
	}
	if r.friction > 0 {
		j := max(-r.friction, min(r.friction, r.impulseFriction-float64(r.axisMass*r.speed(s))))
		d := j - r.impulseFriction
		r.impulseFriction = j
		r.applyAlongAxis(s, d)
	}
	if !r.drive.on {
		return
	}
	var j float64
	if m := &r.drive; m.kp > 0 || m.kd > 0 {
		compliance, bias := s.invH/(m.kd+float64(s.h*m.kp)), -m.target
		if m.kp > 0 {
			bias = float64((r.position - m.target) * float64(float64(s.h*m.kp)*compliance))
		}
		j = r.impulseDrive - (r.speed(s)+bias+float64(compliance*r.impulseDrive))/(1/r.axisMass+compliance)
	} else {
		j = r.impulseDrive - float64(r.axisMass*(r.speed(s)-m.target))
	}
	j = max(-r.drive.limit, min(r.drive.limit, j))
	d := j - r.impulseDrive
	r.impulseDrive = j
	r.applyAlongAxis(s, d)
}

// solveLimits keeps the position within its limits; inside them it bounds the approach speed only.
func (r *jointConstraint) solveLimits(s *solver, so softness, useBias bool) {
	if r.lower == r.upper {
		bias := max(-maxAngularRecovery, min(maxAngularRecovery, float64(so.bias*(r.position-r.lower))))
		d := -float64(r.axisMass*so.mass*(r.speed(s)+bias)) - float64(so.impulse*r.impulseLower)
		r.impulseLower += d
		r.applyAlongAxis(s, d)
		return
	}
	for side := range 2 {
		sign, room, sum := 1.0, r.position-r.lower, &r.impulseLower
		if side == 1 {
			sign, room, sum = -1, r.upper-r.position, &r.impulseUpper
		}
		bias, ms, is := 0.0, 1.0, 0.0
		if room > 0 {
			bias = float64(room * s.invH)
		} else if useBias {
			bias, ms, is = max(float64(so.bias*room), -maxAngularRecovery), so.mass, so.impulse
		}
		j := *sum - float64(r.axisMass*ms*(float64(sign*r.speed(s))+bias)) - float64(is**sum)
		j = max(j, 0)
		d := j - *sum
		*sum = j
		r.applyAlongAxis(s, float64(sign*d))
	}
}

// solveAngular solves the angular constraint.
func (r *jointConstraint) solveAngular(s *solver, so softness) {
	if r.kind == Ball {
		return
	}
	v := s.states[r.b].w.Sub(s.states[r.a].w)
	bias := clampLength(r.angularError.Scale(so.bias), maxAngularRecovery)
	v = v.Add(bias)
	if r.kind != Fixed && r.kind != Prismatic {
		v = r3.Vec{X: v.Dot(r.p1), Y: v.Dot(r.p2)}
	}
	d := r.angMass.Times(v).Scale(-so.mass).AddScaled(-so.impulse, r.angularImpulse)
	r.angularImpulse = r.angularImpulse.Add(d)
	r.applyAngular(s, r.angularInWorld(d))
}

// solveLinear solves the linear constraint.
func (r *jointConstraint) solveLinear(s *solver, so softness) {
	v := r.anchorVelocity(s).Add(clampLength(r.positionErrorVector.Scale(so.bias), maxLinearRecovery))
	switch r.kind {
	case Prismatic, Planar:
		v = r3.Vec{X: v.Dot(r.p1), Y: v.Dot(r.p2), Z: v.Dot(r.axis)}
	case Screw:
		spin := s.states[r.b].w.Sub(s.states[r.a].w).Dot(r.axis)
		v = r3.Vec{X: v.Dot(r.p1), Y: v.Dot(r.p2), Z: v.Dot(r.axis) - float64(r.pitch*spin)}
	}
	d := r.linMass.Times(v).Scale(-so.mass).AddScaled(-so.impulse, r.linearImpulse)
	r.linearImpulse = r.linearImpulse.Add(d)
	r.applyLinearHold(s, d)
}

// solveHinge is solveAngular and solveLinear, equal to the bit, for hinges: most joints are wheels. Shared
// values are read and written once.
func (r *jointConstraint) solveHinge(s *solver, so softness) {
	a, b := &s.states[r.a], &s.states[r.b]
	ta, tb := &s.masses[r.a], &s.masses[r.b]
	wa, wb := a.w, b.w
	v := wb.Sub(wa)
	if so.bias != 0 {
		v = v.Add(clampLength(r.angularError.Scale(so.bias), maxAngularRecovery))
	}
	x, y := v.Dot(r.p1), v.Dot(r.p2)
	m := &r.angMass
	dx := float64(-so.mass*(float64(m.XX*x)+float64(m.XY*y))) + float64(-so.impulse*r.angularImpulse.X)
	dy := float64(-so.mass*(float64(m.YX*x)+float64(m.YY*y))) + float64(-so.impulse*r.angularImpulse.Y)
	r.angularImpulse.X += dx
	r.angularImpulse.Y += dy
	j := r.p1.Scale(dx).AddScaled(dy, r.p2)
	wa, wb = wa.Sub(ta.applyInvInertia(j)), wb.Add(tb.applyInvInertia(j))

	v = b.v.Add(wb.Cross(r.armB)).Sub(a.v).Sub(wa.Cross(r.armA))
	if so.bias != 0 {
		v = v.Add(clampLength(r.positionErrorVector.Scale(so.bias), maxLinearRecovery))
	}
	j = r.linMass.Times(v).Scale(-so.mass).AddScaled(-so.impulse, r.linearImpulse)
	r.linearImpulse = r.linearImpulse.Add(j)
	a.v, b.v = a.v.AddScaled(-ta.invMass, j), b.v.AddScaled(tb.invMass, j)
	a.w, b.w = wa.Sub(ta.applyInvInertia(r.armA.Cross(j))), wb.Add(tb.applyInvInertia(r.armB.Cross(j)))
}

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

// jointGeometry is the geometry of a constraint's ends in a substep, with its effective masses.
type jointGeometry struct {
	armA, armB          r3.Vec // m, from the COMs
	axis, p1, p2        r3.Vec // world; p1, p2 span the plane across the axis
	positionErrorVector r3.Vec // m, joint end B - joint end A, without the free directions
	angularError        r3.Vec // rotation vector from A's end to B's, without the free directions
	linMass             r3.Mat // effective mass; Prismatic: XX, XY, YY only
	angMass             r3.Mat // likewise; hinges: XX, XY, YY only
	axisMass            float64
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
}

// updateGeometry computes axes, arms, position errors and effective masses at the bodies' present poses.
func (r *jointConstraint) updateGeometry(s *solver) {
	ta, tb := &s.rotations[r.a], &s.rotations[r.b]
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	frameA, frameB := ta.Mul(r.rotA), tb.Mul(r.rotB)
	x, y, z := frameA.Rows() // a matrix would go through memory
	r.p1, r.p2, r.axis = r3.V(x.X, y.X, z.X), r3.V(x.Y, y.Y, z.Y), r3.V(x.Z, y.Z, z.Z)
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
	var k r3.Mat
	r.anchorMass(s, wa, wb, &k)
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
	var k r3.Mat
	r.anchorMass(s, &s.masses[r.a], &s.masses[r.b], &k)
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
	var k r3.Mat
	r.anchorMass(s, &s.masses[r.a], &s.masses[r.b], &k)
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
	var k r3.Mat
	r.anchorMass(s, wa, wb, &k)
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

const (
	// exactSpringLimit is the (ω·h)² up to which a spring is explicit, implicitSpringLimit that from which on
	// it is fully implicit. ω is of the joint's two bodies alone; attached bodies make it slower. Up to eight
	// springs beside each other on the same bodies are stable, which needs (ω·h)² up to 4.
	exactSpringLimit, implicitSpringLimit = 0.1, 0.5
	// maxDamperRate bounds the gain of a damper that makes up for the implicit rule: x/(1 + x) falls short of
	// 1 - exp(-x) by half of x.
	maxDamperRate = 0.1
)

// springImplicitTerms returns the implicit part of the substep, and the damping with which an implicit damper
// dissipates as much as the exact one. mass is the effective mass along or about the axis, kg or kg·m².
func springImplicitTerms(stiffness, damping, mass, h float64) (implicit, damper float64) {
	if mass <= 0 {
		return 1, damping
	}
	z := float64(h*h*stiffness) / mass
	implicit = max(0, min(1, (z-exactSpringLimit)/(implicitSpringLimit-exactSpringLimit)))
	return implicit, float64(damping * (1 + min(maxDamperRate, float64(0.5*h*damping)/mass)))
}

// solveSpring solves the joint's spring and damper. It is semi-implicit Euler: the position is the substep's
// start, the velocity its end. An explicit spring returns its energy to second order in h, where an implicit
// one loses as much as a damping ratio of ω·h/2. Both iterations use the same position and so find the same
// impulse. A spring too stiff for the substep becomes implicit in proportion, and is stable at any stiffness.
func (r *jointConstraint) solveSpring(s *solver) {
	if r.axisMass <= 0 {
		return
	}
	implicit, damper := springImplicitTerms(r.stiffness, r.damping, r.axisMass, s.h)
	k := damper + float64(float64(implicit*s.h)*r.stiffness)
	d := -(float64(k*r.speed(s)) + float64((r.positionBefore-r.springRest)*r.stiffness) +
		float64(s.invH*r.impulseDamping)) / (k/r.axisMass + s.invH)
	r.impulseDamping += d
	r.applyAlongAxis(s, d)
}

// anchorMass sets k to the inverse effective mass of the two ends against an impulse between them. It fills
// matrices in place, because it is the most frequent work on joints and copies would take half of its time.
func (r *jointConstraint) anchorMass(s *solver, wa, wb *bodyMass, k *r3.Mat) {
	if r.onArticulation {
		*k = r.linkMass(s)
		return
	}
	var b r3.Mat
	leverMass(k, &wa.invInertia, r.armA)
	leverMass(&b, &wb.invInertia, r.armB)
	im := wa.invMass + wb.invMass
	k.XX, k.XY, k.XZ = k.XX+b.XX+im, k.XY+b.XY, k.XZ+b.XZ
	k.YX, k.YY, k.YZ = k.YX+b.YX, k.YY+b.YY+im, k.YZ+b.YZ
	k.ZX, k.ZY, k.ZZ = k.ZX+b.ZX, k.ZY+b.ZY, k.ZZ+b.ZZ+im
}

// URDF and SDF give joints a velocity limit. Gazebo's engine enforces it as a constraint whatever moves the
// joint (DART since 6.10: dartsim/dart applied request 1407). Webots bounds only the motor's target, and
// MuJoCo has none. Here it is a unilateral constraint with a small compliance, so its impulse stays bounded
// against joint limits and rigid contacts.

// velocityLimitCompliance is the constraint's compliance relative to the joint's inverse effective mass,
// so that limits of position win.
const velocityLimitCompliance = 0.01

// solveVelocityLimit enforces the velocity limit of a joint constraint.
func (r *jointConstraint) solveVelocityLimit(s *solver) {
	v, sign := r.speed(s), 1.0
	if r.impulseVelocityLimit > 0 || r.impulseVelocityLimit == 0 && v < 0 {
		sign = -1
	}
	over, applied := float64(sign*v)-r.speedLimit, float64(-sign*r.impulseVelocityLimit)
	if over <= 0 && applied == 0 {
		return
	}
	d := (float64(r.axisMass*over) - float64(velocityLimitCompliance*applied)) / (1 + velocityLimitCompliance)
	d = max(d, -applied)
	r.impulseVelocityLimit -= float64(sign * d)
	r.applyAlongAxis(s, float64(-sign*d))
}

// positionError is the error of a constrained direction, m or rad.
func (r *jointConstraint) positionError(part uint8) float64 {
	if part < 3 {
		return r.positionErrorVector.Dot(r.constraintDirection(part))
	}
	return r.angularError.Dot(r.constraintDirection(part))
}

// constrainedDirections says which directions a joint constrains: three linear ones (world axes, or p1, p2,
// axis), three angular ones, and axial limits.
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

// constraintJacobian is the Jacobian of a constrained direction: of linear velocities, and of angular ones of
// A and B.
func (r *jointConstraint) constraintJacobian(part uint8) (along, armA, armB r3.Vec) {
	u := r.constraintDirection(part)
	if part >= 3 {
		return r3.Vec{}, u, u
	}
	armA, armB = r.armA.Cross(u), r.armB.Cross(u)
	if r.kind == Screw && part == 2 {
		armA, armB = armA.AddScaled(-r.pitch, u), armB.AddScaled(-r.pitch, u)
	}
	return u, armA, armB
}

// constraintDirection is the unit vector of a constrained direction.
func (r *jointConstraint) constraintDirection(part uint8) r3.Vec {
	world := r.kind == Fixed || r.kind == Prismatic // angular directions; linear ones below
	if part < 3 {
		world = r.kind != Prismatic && r.kind != Screw && r.kind != Planar
	}
	if world {
		return r3.Vec{}.With(int(part%3), 1)
	}
	return [3]r3.Vec{r.p1, r.p2, r.axis}[part%3]
}
