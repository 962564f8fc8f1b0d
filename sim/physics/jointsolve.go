package physics

import "simdeck/sim/r3"

const (
	// reelSpeed is the fastest, in m/s, that a joint's ends are drawn together.
	reelSpeed = 5.0
	// unskewSpeed is the same for turning, rad/s.
	unskewSpeed = 20.0
)

func (s *solver) warmJoints() {
	for i := range s.joints {
		r := &s.joints[i]
		if r.tied {
			s.follow(r)
			s.refreshTied(r)
		}
		r.felt = r.position
		if r.kind != Ball {
			lower, upper := r.jLower, r.jUpper
			if r.knot > 0 { // and stops are rows of it
				lower, upper = 0, 0
			}
			s.along(r, r.jDrive+r.jDamp+r.jStick+lower-upper+r.jBrake+r.drive.push)
		}
		if r.knot > 0 {
			continue
		}
		if r.kind != Ball {
			s.wring(r, r.skewing(r.ang))
		}
		s.hold(r, r.lin)
	}
	s.warmFrees()
}

// skewing is an angular impulse whose components may be those along p1 and p2.
func (r *jointRow) skewing(j r3.Vec) r3.Vec {
	if r.kind == Fixed || r.kind == Prismatic {
		return j
	}
	return r.across(j)
}

// hold applies what holds the ends together: all of an impulse, or its components along p1, p2 and the
// axis; on a screw the last one turns the ends too.
func (s *solver) hold(r *jointRow, j r3.Vec) {
	switch r.kind {
	case Prismatic:
		s.pull(r, r.across(j))
	case Screw:
		s.pull(r, r.across(j).AddScaled(j.Z, r.axis))
		s.wring(r, r.axis.Scale(float64(-r.pitch*j.Z)))
	case Planar:
		s.pull(r, r.axis.Scale(j.Z))
	default:
		s.pull(r, j)
	}
}

// across is the vector with components x along p1 and y along p2.
func (r *jointRow) across(v r3.Vec) r3.Vec { return r.p1.Scale(v.X).AddScaled(v.Y, r.p2) }

// solveJoints is one pass over all joints; push says whether errors of position are worked off.
func (s *solver) solveJoints(push bool) {
	so := rigid()
	if push {
		so = s.softJoint
	}
	s.solveKnots(push)
	s.solveFrees()
	for i := range s.joints {
		r := &s.joints[i]
		if r.tied {
			s.refreshTied(r)
		}
		if r.turns() || r.kind == Prismatic {
			if r.knot > 0 && !r.answered && r.acts() {
				s.answerKnot(r)
			}
			s.solveDrive(r)
			if r.speedLimit > 0 {
				s.brake(r)
			}
			if r.limited && r.knot <= 0 {
				s.solveLimits(r, so, push)
			}
		}
		if r.knot > 0 {
			continue
		}
		if !r.tied && (r.kind == Revolute || r.kind == Continuous) {
			s.solveHinge(r, so)
			continue
		}
		s.solveSkew(r, so)
		s.solveApart(r, so)
	}
}

// acts reports that something is solved along the joint's axis.
func (r *jointRow) acts() bool {
	return r.damping > 0 || r.stiffness > 0 || r.friction > 0 || r.speedLimit > 0 || r.drive.on
}

// solveDrive solves damping, friction and motor: all want a velocity along the axis.
func (s *solver) solveDrive(r *jointRow) {
	if r.damping > 0 || r.stiffness > 0 {
		s.solveSpring(r)
	}
	if r.friction > 0 {
		j := max(-r.friction, min(r.friction, r.jStick-float64(r.axisMass*s.speed(r))))
		d := j - r.jStick
		r.jStick = j
		s.along(r, d)
	}
	if !r.drive.on {
		return
	}
	var j float64
	if m := &r.drive; m.kp > 0 {
		give := s.invH / (m.kd + float64(s.h*m.kp))
		bias := float64((r.position - m.target) * float64(float64(s.h*m.kp)*give))
		j = r.jDrive - (s.speed(r)+bias+float64(give*r.jDrive))/(1/r.axisMass+give)
	} else {
		j = r.jDrive - float64(r.axisMass*(s.speed(r)-m.target))
	}
	j = max(-r.drive.limit, min(r.drive.limit, j))
	d := j - r.jDrive
	r.jDrive = j
	s.along(r, d)
}

// solveLimits keeps the position between its limits; before it reaches one it may still come closer.
func (s *solver) solveLimits(r *jointRow, so softness, push bool) {
	if r.lower == r.upper {
		bias := max(-unskewSpeed, min(unskewSpeed, float64(so.bias*(r.position-r.lower))))
		d := -float64(r.axisMass*so.mass*(s.speed(r)+bias)) - float64(so.impulse*r.jLower)
		r.jLower += d
		s.along(r, d)
		return
	}
	for side := range 2 {
		sign, room, sum := 1.0, r.position-r.lower, &r.jLower
		if side == 1 {
			sign, room, sum = -1, r.upper-r.position, &r.jUpper
		}
		bias, ms, is := 0.0, 1.0, 0.0
		if room > 0 {
			bias = float64(room * s.invH)
		} else if push {
			bias, ms, is = max(float64(so.bias*room), -unskewSpeed), so.mass, so.impulse
		}
		j := *sum - float64(r.axisMass*ms*(float64(sign*s.speed(r))+bias)) - float64(is**sum)
		j = max(j, 0)
		d := j - *sum
		*sum = j
		s.along(r, float64(sign*d))
	}
}

// solveSkew holds the orientation that the joint leaves no freedom in.
func (s *solver) solveSkew(r *jointRow, so softness) {
	if r.kind == Ball {
		return
	}
	v := s.moving[r.b].w.Sub(s.moving[r.a].w)
	bias := limitTo(r.skewed.Scale(so.bias), unskewSpeed)
	v = v.Add(bias)
	if r.kind != Fixed && r.kind != Prismatic {
		v = r3.Vec{X: v.Dot(r.p1), Y: v.Dot(r.p2)}
	}
	d := applied(&r.angMass, v).Scale(-so.mass).AddScaled(-so.impulse, r.ang)
	r.ang = r.ang.Add(d)
	s.wring(r, r.skewing(d))
}

// solveApart holds the ends together; a slide's only across its axis.
func (s *solver) solveApart(r *jointRow, so softness) {
	v := s.parting(r).Add(limitTo(r.apart.Scale(so.bias), reelSpeed))
	switch r.kind {
	case Prismatic, Planar:
		v = r3.Vec{X: v.Dot(r.p1), Y: v.Dot(r.p2), Z: v.Dot(r.axis)}
	case Screw:
		spin := s.moving[r.b].w.Sub(s.moving[r.a].w).Dot(r.axis)
		v = r3.Vec{X: v.Dot(r.p1), Y: v.Dot(r.p2), Z: v.Dot(r.axis) - float64(r.pitch*spin)}
	}
	d := applied(&r.linMass, v).Scale(-so.mass).AddScaled(-so.impulse, r.lin)
	r.lin = r.lin.Add(d)
	s.hold(r, d)
}

// solveHinge is solveSkew and solveApart, to the bit, for the joints that there are most of: wheels. What both
// compute with is read and written once.
func (s *solver) solveHinge(r *jointRow, so softness) {
	a, b := &s.moving[r.a], &s.moving[r.b]
	ta, tb := &s.weight[r.a], &s.weight[r.b]
	wa, wb := a.w, b.w
	v := wb.Sub(wa)
	if so.bias != 0 {
		v = v.Add(limitTo(r.skewed.Scale(so.bias), unskewSpeed))
	}
	x, y := v.Dot(r.p1), v.Dot(r.p2)
	m := &r.angMass
	dx := float64(-so.mass*(float64(m.XX*x)+float64(m.XY*y))) + float64(-so.impulse*r.ang.X)
	dy := float64(-so.mass*(float64(m.YX*x)+float64(m.YY*y))) + float64(-so.impulse*r.ang.Y)
	r.ang.X += dx
	r.ang.Y += dy
	j := r.p1.Scale(dx).AddScaled(dy, r.p2)
	wa, wb = wa.Sub(ta.spun(j)), wb.Add(tb.spun(j))

	v = b.v.Add(wb.Cross(r.armB)).Sub(a.v).Sub(wa.Cross(r.armA))
	if so.bias != 0 {
		v = v.Add(limitTo(r.apart.Scale(so.bias), reelSpeed))
	}
	j = applied(&r.linMass, v).Scale(-so.mass).AddScaled(-so.impulse, r.lin)
	r.lin = r.lin.Add(j)
	a.v, b.v = a.v.AddScaled(-ta.invMass, j), b.v.AddScaled(tb.invMass, j)
	a.w, b.w = wa.Sub(ta.spun(r.armA.Cross(j))), wb.Add(tb.spun(r.armB.Cross(j)))
}

func limitTo(v r3.Vec, most float64) r3.Vec {
	if l := v.Len(); l > most {
		return v.Scale(most / l)
	}
	return v
}
