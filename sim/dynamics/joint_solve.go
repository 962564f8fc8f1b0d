package dynamics

import "simdeck/sim/r3"

const (
	// maxLinearRecovery is the largest speed of position correction, m/s.
	maxLinearRecovery = 5.0
	// maxAngularRecovery is the largest speed of angular correction, rad/s.
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
	s.warmStartMultiDofFriction()
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
	s.solveDirectIslands(useBias)
	s.solveMultiDofFriction()
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
	if m := &r.drive; m.kp > 0 {
		compliance := s.invH / (m.kd + float64(s.h*m.kp))
		bias := float64((r.position - m.target) * float64(float64(s.h*m.kp)*compliance))
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

// clampLength scales v to a length of at most most.
func clampLength(v r3.Vec, most float64) r3.Vec {
	if l := v.Len(); l > most {
		return v.Scale(most / l)
	}
	return v
}
