package physics

import "simdeck/sim/r3"

// jointRow is a joint as the solver sees it in this step. Its geometry follows the bodies from
// substep to substep.
type jointRow struct {
	a, b  int32 // indices of moving; a is 0 for the world
	slot  int32
	kind  JointType
	drive drive

	tied         bool // an end is a link of a limb
	limbA, limbB limbEnd

	knot     int32 // 1 + its index; not above 0: none
	answered bool  // what the knot answers along the axis is known
	answer   int32 // where that is

	limited      bool
	lower, upper float64
	damping      float64
	stiffness    float64
	springRest   float64
	pitch        float64
	friction     float64 // impulse per substep
	speedLimit   float64

	start    r3.Vec // com B - com A when the step began
	anchorA  r3.Vec // in body axes; for the world from the origin
	anchorB  r3.Vec
	rotA     r3.Quat
	rotB     r3.Quat
	position float64
	felt     float64 // position when the substep began
	began    float64 // how fast it ran then

	// Follows the bodies.
	armA, armB   r3.Vec
	axis, p1, p2 r3.Vec // world; p1, p2 span the plane across the axis
	apart        r3.Vec // joint end B - joint end A, but for what is free
	skewed       r3.Vec // rotation vector from A's end to B's, but for what is free
	linMass      r3.Mat // inverse of the effective mass; prismatic: XX, XY, YY only
	angMass      r3.Mat // likewise; hinges: XX, XY, YY only
	axisMass     float64

	lin, ang              r3.Vec // accumulated impulses; components along p1, p2 where only those count
	jDrive, jDamp, jStick float64
	jLower, jUpper        float64
	jBrake                float64
}

// prepareJoints lays out the joints with an awake body, in the order of their slots.
func (w *World) prepareJoints() {
	s := &w.solver
	s.joints, s.knots, s.frees = s.joints[:0], s.knots[:0], s.frees[:0]
	for i := range w.joints {
		if !w.jointIDs.used(int32(i)) {
			continue
		}
		j := &w.joints[i]
		if j.limb != 0 {
			continue
		}
		if w.moves(j.child) || j.parent >= 0 && w.moves(j.parent) {
			if w.closeRing(int32(i)) {
				continue
			}
			w.reachLink(j.child)
			if j.parent >= 0 {
				w.reachLink(j.parent)
			}
			w.prepareJoint(int32(i))
		}
	}
	w.tieKnots()
}

func (w *World) prepareJoint(slot int32) {
	s := &w.solver
	j := &w.joints[slot]
	k := w.warmScale()
	s.joints = append(s.joints, jointRow{})
	r := &s.joints[len(s.joints)-1]
	*r = jointRow{
		slot: slot, kind: j.kind, drive: j.drive(s.h),
		limited: j.limited, lower: j.lower, upper: j.upper,
		damping: j.damping, stiffness: j.stiffness, springRest: j.springRest, pitch: j.pitch, friction: float64(j.friction * s.h), speedLimit: j.speedLimit,
		anchorA: j.anchorA, anchorB: j.anchorB, rotA: j.rotA, rotB: j.rotB, position: j.position,
		lin: j.lin.Scale(k), ang: j.ang.Scale(k),
		jDrive: float64(j.jDrive * k), jDamp: float64(j.jDamp * k), jStick: float64(j.jStick * k),
		jLower: float64(j.jLower * k), jUpper: float64(j.jUpper * k), jBrake: float64(j.jBrake * k),
	}
	r.b = w.placeInSolver(j.child)
	r.start = w.motion[j.child].com
	if j.parent >= 0 {
		r.a = w.placeInSolver(j.parent)
		r.start = r.start.Sub(w.motion[j.parent].com)
	}
	s.prepareFree(int32(len(s.joints)-1), j, k)
	w.tie(r, j)
	if !r.tied {
		s.follow(r)
	}
}

// placeInSolver is the index of a body that a joint needs, even where it does not move.
func (w *World) placeInSolver(slot int32) int32 {
	if i := w.solver.index[slot]; i != 0 {
		return i
	}
	return w.enlist(slot)
}

// followJoints recomputes every joint's geometry after the bodies have moved.
func (s *solver) followJoints() {
	for i := range s.joints {
		r := &s.joints[i]
		if r.turns() {
			w := s.moving[r.b].w.Sub(s.moving[r.a].w).Dot(r.axis)
			r.position += float64(s.h * w)
		}
		s.follow(r)
	}
	if len(s.knots) > 0 {
		s.tighten()
		s.followKnots()
	}
}

func (s *solver) follow(r *jointRow) {
	ta, tb := &s.rots[r.a], &s.rots[r.b]
	wa, wb := &s.weight[r.a], &s.weight[r.b]
	frameA, frameB := ta.Mul(r.rotA), tb.Mul(r.rotB)
	m := frameA.Mat()
	r.p1, r.p2, r.axis = m.Col(0), m.Col(1), m.Col(2)
	r.armA, r.armB = ta.Rotate(r.anchorA), r3.Vec{}
	if r.anchorB != r.armB {
		r.armB = tb.Rotate(r.anchorB)
	}
	r.apart = r.start.Add(s.moving[r.b].dp.Sub(s.moving[r.a].dp)).Add(r.armB).Sub(r.armA)
	inv := wa.inv.Add(wb.inv)
	if r.tied {
		inv = s.tiedTurning(r)
	}
	switch r.kind {
	case Universal:
		s.followCross(r, frameB.Rotate(r3.Vec{X: 1}), inv)
	case Revolute, Continuous, Screw, Planar:
		r.lean(frameB.Rotate(r3.Vec{Z: 1}))
		r.angMass = acrossMass(&inv, r.p1, r.p2)
		r.axisMass = invertOrZero(applied(&inv, r.axis).Dot(r.axis))
	case Fixed, Prismatic:
		r.skewed = frameB.Mul(frameA.Conj()).Vector()
		r.angMass = inverseSymmetric(&inv)
	}
	switch r.kind {
	case Prismatic:
		s.followSlide(r)
		return
	case Screw:
		s.followThread(r)
		return
	case Planar:
		s.followPlane(r)
		return
	}
	r.armA = r.armA.Add(limitTo(r.apart, partedMost))
	k := s.endMass(wa, wb, r)
	r.linMass = inverseSymmetric(&k)
}

// partedMost is how far, in m, ends may have parted that push each other at one point: B's, as A sees it. So
// what a load parts them by turns with A.
const partedMost = 0.01

// lean takes the child's axis, which a load has turned a little from the parent's, for what a hinge turns about:
// so the load holds it there, and it does not go round with the wheel.
func (r *jointRow) lean(axis r3.Vec) {
	r.skewed = r.axis.Cross(axis)
	if r.axis.Dot(axis) < 0.9 || r.kind == Screw || r.kind == Planar {
		return
	}
	r.p1, _ = r.p1.AddScaled(-r.p1.Dot(axis), axis).Unit()
	r.p2 = axis.Cross(r.p1)
	r.axis = axis
}

// turns reports that the position is an angle about the axis.
func (r *jointRow) turns() bool {
	return r.kind == Revolute || r.kind == Continuous || r.kind == Screw || r.kind == Universal
}

// followCross: the two axes of a universal joint stay square to each other; about both the ends turn
// freely.
func (s *solver) followCross(r *jointRow, second r3.Vec, inv r3.Mat) {
	r.p1, r.p2 = second.Cross(r.axis), r3.Vec{}
	r.skewed = r.p1.Scale(r.axis.Dot(second))
	r.angMass = r3.Mat{XX: invertOrZero(applied(&inv, r.p1).Dot(r.p1))}
	r.axisMass = invertOrZero(applied(&inv, r.axis).Dot(r.axis))
}

// followThread: a screw is a slide whose way along the axis follows the turn about it; that is the
// third component of the slide's impulse.
func (s *solver) followThread(r *jointRow) {
	along := r.apart.Dot(r.axis)
	r.armA = r.armA.AddScaled(along, r.axis)
	k := s.endMass(&s.weight[r.a], &s.weight[r.b], r)
	r.linMass = acrossMass(&k, r.p1, r.p2)
	inv := s.weight[r.a].inv.Add(s.weight[r.b].inv)
	if r.tied {
		inv = s.tiedTurning(r)
	}
	turn := applied(&inv, r.axis).Dot(r.axis)
	r.linMass.ZZ = invertOrZero(applied(&k, r.axis).Dot(r.axis) + float64(r.pitch*r.pitch*turn))
	r.apart = r.apart.AddScaled(float64(-r.pitch*r.position), r.axis)
}

// followPlane: a planar joint holds its ends together along the axis only.
func (s *solver) followPlane(r *jointRow) {
	held := r.axis.Scale(r.apart.Dot(r.axis))
	r.armA, r.apart = r.armA.Add(r.apart.Sub(held)), held
	k := s.endMass(&s.weight[r.a], &s.weight[r.b], r)
	r.linMass = r3.Mat{ZZ: invertOrZero(applied(&k, r.axis).Dot(r.axis))}
}

// followSlide: on a slide the force acts where B's end is, so A's arm reaches there; not beyond the
// limits, nor to where an error has pulled the end.
func (s *solver) followSlide(r *jointRow) {
	wa, wb := &s.weight[r.a], &s.weight[r.b]
	r.position = r.apart.Dot(r.axis)
	r.apart = r.apart.AddScaled(-r.position, r.axis)
	reach := r.position
	if r.limited {
		reach = max(r.lower, min(r.upper, reach))
	}
	r.armA = r.armA.AddScaled(reach, r.axis)
	k := s.endMass(wa, wb, r)
	r.linMass = acrossMass(&k, r.p1, r.p2)
	r.axisMass = invertOrZero(applied(&k, r.axis).Dot(r.axis))
}

// pull applies an impulse to both ends of a joint.
func (s *solver) pull(r *jointRow, j r3.Vec) {
	if r.tied {
		s.strikeTied(r, j, r.armA.Cross(j), r.armB.Cross(j))
		return
	}
	a, b := &s.moving[r.a], &s.moving[r.b]
	wa, wb := &s.weight[r.a], &s.weight[r.b]
	a.v = a.v.AddScaled(-wa.invMass, j)
	b.v = b.v.AddScaled(wb.invMass, j)
	a.w = a.w.Sub(wa.spun(r.armA.Cross(j)))
	b.w = b.w.Add(wb.spun(r.armB.Cross(j)))
}

// wring applies an angular impulse to both ends.
func (s *solver) wring(r *jointRow, j r3.Vec) {
	if r.tied {
		s.strikeTied(r, r3.Vec{}, j, j)
		return
	}
	a, b := &s.moving[r.a], &s.moving[r.b]
	a.w = a.w.Sub(s.weight[r.a].spun(j))
	b.w = b.w.Add(s.weight[r.b].spun(j))
}

// along applies an impulse along or about the joint's axis.
func (s *solver) along(r *jointRow, j float64) {
	if r.knot > 0 {
		if !r.answered {
			s.answerKnot(r)
		}
		s.answerAlong(r, j)
	}
	if r.kind == Prismatic {
		s.pull(r, r.axis.Scale(j))
	} else {
		s.wring(r, r.axis.Scale(j))
	}
}

// speed is the velocity of the joint's position.
func (s *solver) speed(r *jointRow) float64 {
	if r.kind == Prismatic {
		return s.parting(r).Dot(r.axis)
	}
	return s.moving[r.b].w.Sub(s.moving[r.a].w).Dot(r.axis)
}

// parting is the velocity of joint end B against A.
func (s *solver) parting(r *jointRow) r3.Vec {
	a, b := &s.moving[r.a], &s.moving[r.b]
	return b.v.Add(b.w.Cross(r.armB)).Sub(a.v).Sub(a.w.Cross(r.armA))
}

// finishJoints stores what the next step starts from and reads the positions.
func (w *World) finishJoints() {
	s := &w.solver
	s.untieKnots()
	w.finishFrees()
	for i := range s.joints {
		r := &s.joints[i]
		j := &w.joints[r.slot]
		j.lin, j.ang = r.lin, r.ang
		j.jDrive, j.jDamp, j.jStick, j.jLower, j.jUpper, j.jBrake = r.jDrive, r.jDamp, r.jStick, r.jLower, r.jUpper, r.jBrake
		j.effort = float64(r.jDrive * s.invH)
		if r.drive.push != 0 {
			j.effort = float64(r.drive.push * s.invH)
		}
		w.measureJoint(r.slot, true)
	}
}
