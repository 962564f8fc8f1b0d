package dynamics

import (
	"math"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
)

// The rows of an articulation: motors, joint friction, limits and couplings, with the impulses that joints
// remember.

// rowKind says which stored impulse of a joint a row starts from.
type rowKind uint8

const (
	rowDrive rowKind = iota
	rowFriction
	rowLower
	rowUpper
	rowCoupling
	rowVelocityLimit
	rowFriction2 // about the joint's second degree of freedom
	rowFriction3
	rowDamping // of a loop joint, whose damping is not in the inertia
)

// storedImpulse is the joint's field for the impulse of a kind of row.
func (j *joint) storedImpulse(k rowKind) *float64 {
	switch k {
	case rowDrive:
		return &j.impulseDrive
	case rowFriction:
		return &j.impulseFriction
	case rowLower:
		return &j.impulseLower
	case rowUpper:
		return &j.impulseUpper
	case rowVelocityLimit:
		return &j.impulseVelocityLimit
	case rowFriction2:
		return &j.impulseFriction2
	case rowFriction3:
		return &j.impulseFriction3
	case rowDamping:
		return &j.impulseDamping
	}
	return &j.impulseCoupling
}

// articulatedJoints is the joints of an articulation, as package articulation asks for them.
type articulatedJoints struct {
	bodies     *bodySet
	joints     *jointSet
	solver     *solver
	art        *worldArticulation
	h          float64                  // s, of a substep
	elapsed    float64                  // s, since the step began, where Newton's method solves
	direct     bool                     // it does
	directions []articulation.Direction // scratch
}

// joints returns the joints of the articulation; they are valid until those of another one are asked for.
func (art *worldArticulation) joints(bodies *bodySet, joints *jointSet, s *solver) *articulatedJoints {
	a := &s.articulatedJoints
	a.set(art, bodies, joints, s, s.h)
	return a
}

// set makes them the joints of an articulation, in a substep of h seconds.
func (a *articulatedJoints) set(art *worldArticulation, bodies *bodySet, joints *jointSet, s *solver,
	h float64) {
	a.bodies, a.joints, a.solver, a.art, a.h, a.direct = bodies, joints, s, art, h, false
}

// setDirect is set for Newton's method, a time after the step began.
func (a *articulatedJoints) setDirect(art *worldArticulation, bodies *bodySet, joints *jointSet, s *solver,
	h, elapsed float64) {
	a.set(art, bodies, joints, s, h)
	a.direct, a.elapsed = true, elapsed
}

// isActuated reports that a motor, friction, coupling or locked joint acts.
func (art *worldArticulation) isActuated(joints *jointSet) bool {
	for i := range art.links {
		slot := art.links[i].joint
		if slot < 0 {
			continue
		}
		j := &joints.all[slot]
		if j.friction > 0 && j.kind.DOFs() > 0 || j.motor.mode != motorOff && j.motor.mode != motorEffort ||
			j.coupling.on || j.locked() {
			return true
		}
	}
	return false
}

// SetEfforts sets the efforts of motors in effort mode.
func (a *articulatedJoints) SetEfforts() {
	joints, art := a.joints, a.art
	for i := range art.links {
		slot := art.links[i].joint
		if slot < 0 || joints.all[slot].kind.DOFs() == 0 {
			continue
		}
		effort := 0.0
		if j := &joints.all[slot]; j.motor.mode == motorEffort {
			effort = float64(j.drive(a.h).effort * (1 / a.h))
		}
		art.SetEffort(int32(i), effort)
	}
}

// AddRows adds the rows of joints between links.
func (a *articulatedJoints) AddRows() {
	joints, art := a.joints, a.art
	h := a.h
	for i := range art.links {
		slot := art.links[i].joint
		first, count := art.FirstDOF(int32(i))
		if slot < 0 || count == 0 {
			continue
		}
		j := &joints.all[slot]
		row := articulation.RowOf(first, slot)
		if j.friction > 0 {
			stick := row
			stick.Lower, stick.Upper = -float64(j.friction*h), float64(j.friction*h)
			for d, kind := range [...]rowKind{rowFriction, rowFriction2, rowFriction3} {
				if int32(d) < count {
					stick.SetDOF(first + int32(d))
					art.addRow(&stick, kind, j)
				}
			}
		}
		if j.kind == Ball && j.limited {
			art.addConeLimit(row, int32(i), j, h)
		}
		if !j.kind.HasAxis() {
			continue
		}
		q, v := art.Q(first), art.V(first)
		if d := j.drive(h); d.on {
			art.addMotorRow(row, j, &d, q, h)
		}
		if j.speedLimit > 0 {
			art.addVelocityLimit(row, j, v)
		}
		if j.limited {
			art.addLimits(row, j, q, v, h)
		}
		if j.coupling.on {
			art.addCoupling(joints, row, j, h)
		}
	}
}

// addRow adds a row with its warm start.
func (art *worldArticulation) addRow(r *articulation.Row, kind rowKind, j *joint) {
	r.Kind, r.Impulse = uint8(kind), *j.storedImpulse(kind)
	art.Rows.Add(r)
}

// addMotorRow adds a motor; kp > 0 makes it an implicit spring and damper, kd alone a damper.
func (art *worldArticulation) addMotorRow(row articulation.Row, j *joint, d *motorDrive, q, h float64) {
	row.Lower, row.Upper = -d.limit, d.limit
	row.Target = d.target
	if k := d.kd + float64(h*d.kp); k > 0 {
		row.Compliance = 1 / float64(h*k)
		if d.kp > 0 {
			row.Target = float64((d.target-q)*d.kp) / k
		}
	}
	row.RelaxedTarget = row.Target
	art.addRow(&row, rowDrive, j)
}

// addVelocityLimit adds the velocity limit of a joint near it, or that a motor drives there.
func (art *worldArticulation) addVelocityLimit(row articulation.Row, j *joint, v float64) {
	if n := art.Rows.Len(); n > 0 {
		if joint, kind, target, ok := art.Rows.Target(n - 1); ok && rowKind(kind) == rowDrive &&
			joint == row.Joint && math.Abs(target) > math.Abs(v) {
			v = target
		}
	}
	if math.Abs(v) < float64(0.5*j.speedLimit) {
		j.impulseVelocityLimit = 0
		return
	}
	row.Lower, row.Upper, row.Target = math.Inf(-1), 0, j.speedLimit
	if v < 0 {
		row.Lower, row.Upper, row.Target = 0, math.Inf(1), -j.speedLimit
	}
	row.RelaxedTarget, row.RelativeCompliance = row.Target, velocityLimitCompliance
	art.addRow(&row, rowVelocityLimit, j)
}

// limitRecovery is the part of a limit's overrun that is corrected per substep; chosen.
const limitRecovery = 0.2

// addLimits adds a limit that is near. Inside the limit the row bounds the approach speed only.
func (art *worldArticulation) addLimits(row articulation.Row, j *joint, q, v, h float64) {
	if j.locked() {
		row.Lower, row.Upper = math.Inf(-1), math.Inf(1)
		row.Target = art.recoverySpeed(float64(limitRecovery*(j.lower-q)) / h)
		art.addRow(&row, rowLower, j)
		return
	}
	near := float64(2*h*math.Abs(v)) + 1e-3
	for _, limit := range [...]struct {
		kind rowKind
		room float64
	}{{rowLower, q - j.lower}, {rowUpper, j.upper - q}} {
		if limit.room > near {
			*j.storedImpulse(limit.kind) = 0
			continue
		}
		art.addLimit(row, j, limit.kind, limit.room, h)
	}
}

// addLimit adds one limit at a distance room, rad or m; below 0: overrun.
func (art *worldArticulation) addLimit(row articulation.Row, j *joint, kind rowKind, room, h float64) {
	row.Target = -room / h
	if room < 0 {
		row.Target = art.recoverySpeed(float64(-limitRecovery*room) / h)
	}
	row.RelaxedTarget = min(row.Target, 0)
	row.Lower, row.Upper = 0, math.Inf(1)
	if kind == rowUpper {
		row.Lower, row.Upper = math.Inf(-1), 0
		row.Target, row.RelaxedTarget = -row.Target, -row.RelaxedTarget
	}
	art.addRow(&row, kind, j)
}

// addCoupling adds the coupling of two joints of this articulation. Velocities hold at once, position errors
// within a few substeps. Where the leader asks for more than the follower's limits, the follower stays at its
// limit and the leader is free.
func (art *worldArticulation) addCoupling(joints *jointSet, row articulation.Row, j *joint, h float64) {
	lead := &joints.all[j.coupling.leader]
	if !j.coupledInArticulation(joints) {
		return
	}
	row.Lower, row.Upper = math.Inf(-1), math.Inf(1)
	first, _ := art.FirstDOF(lead.link)
	want := float64(j.coupling.ratio*art.Q(first)) + j.coupling.offset
	if j.limited && (want < j.lower || want > j.upper) {
		want = max(j.lower, min(j.upper, want))
	} else {
		row.Couple(first, -j.coupling.ratio)
	}
	off := art.Q(row.DOF()) - want
	row.Target = art.recoverySpeed(float64(-limitRecovery*off) / h)
	art.addRow(&row, rowCoupling, j)
}

// recoverySpeed bounds the velocity that corrects a position error. With loops it is zero, since a loop may
// leave no freedom to move; projectLoops corrects positions then.
func (art *worldArticulation) recoverySpeed(v float64) float64 {
	if art.HasLoops() && !articulation.IsDirect(&art.Articulation) {
		return 0
	}
	return max(-maxAngularRecovery, min(maxAngularRecovery, v))
}

// addConeLimit adds the limit of a spherical joint's rotation angle, when near.
func (art *worldArticulation) addConeLimit(row articulation.Row, link int32, j *joint, h float64) {
	turned, first := art.LinkRotation(link).Vector(), row.DOF()
	away, ok := turned.Unit()
	speed := r3.Vec{X: art.V(first), Y: art.V(first + 1), Z: art.V(first + 2)}.Len()
	room := j.upper - turned.Len()
	if !ok || room > float64(2*h*speed)+1e-3 {
		j.impulseUpper = 0
		return
	}
	row.SetDirection(first, away)
	art.addLimit(row, j, rowUpper, room, h)
}

// LimitError is the position error of a limit or coupling; false: it neither acts nor is violated.
func (a *articulatedJoints) LimitError(row *articulation.Row, h float64) (float64, bool) {
	off, holds := a.limitError(row)
	most := float64(maxAngularRecovery * h)
	return max(-most, min(most, off)), holds
}

// limitError is LimitError without bounds.
func (a *articulatedJoints) limitError(row *articulation.Row) (off float64, holds bool) {
	kind, art := rowKind(row.Kind), a.art
	if row.Loop() || kind != rowLower && kind != rowUpper && kind != rowCoupling {
		return 0, false
	}
	j := &a.joints.all[row.Joint]
	q := 0.0
	switch {
	case j.kind == Ball:
		q = art.LinkRotation(j.link).Vector().Len()
	case row.Dense():
		q = art.loopPosition(row.Joint)
	default:
		q = art.Q(row.DOF())
	}
	switch {
	case kind == rowCoupling:
		return a.couplingError(row, j), true
	case kind == rowUpper:
		off = max(0, q-j.upper)
	case j.locked():
		return q - j.lower, true
	default:
		off = min(0, q-j.lower)
	}
	return off, off != 0 || row.Impulse != 0
}

// couplingError is the follower's position error, rad or m.
func (a *articulatedJoints) couplingError(row *articulation.Row, j *joint) float64 {
	first, _ := a.art.FirstDOF(a.joints.all[j.coupling.leader].link)
	want := float64(j.coupling.ratio*a.art.Q(first)) + j.coupling.offset
	if !row.Coupled() {
		want = max(j.lower, min(j.upper, want))
	}
	return a.art.Q(row.DOF()) - want
}

// storeRowImpulses stores row impulses for the next substep's warm start.
func (as articulationList) storeRowImpulses(joints *jointSet, s *solver) {
	for _, i := range s.activeArticulations {
		as[i].storeRowImpulses(joints)
	}
}

// storeRowImpulses is that of one articulation.
func (art *worldArticulation) storeRowImpulses(joints *jointSet) {
	for r := range art.Rows.Len() {
		if joint, kind, impulse, stored := art.Rows.Impulse(r); stored {
			*joints.all[joint].storedImpulse(rowKind(kind)) = impulse
		}
	}
}

// A joint that closes a loop of links is solved with the articulation (package articulation, loop.go), which
// asks for the directions that the joint holds. They follow from the joint's frames as for a joint
// constraint.

// loopJoint is the geometry of a loop-closing joint in this step. The loop may close through a static or
// kinematic body.
type loopJoint struct {
	row          jointConstraint // its constants and geometry
	linkA, linkB int32           // links; -1: a static or kinematic body, or the world
}

// loopEndState is the pose of an end's body, and the part of its velocity that does not depend on joint
// velocities.
func (a *articulatedJoints) loopEndState(link, body int32, ahead float64) (com r3.Vec, rot r3.Quat,
	v velocityChange) {
	if link >= 0 {
		com, rot = a.art.LinkPose(link)
		v.v, v.w = a.art.BaseTwistAt(link)
		return com, rot, v
	}
	if body < 0 {
		return r3.Vec{}, r3.Identity(), velocityChange{}
	}
	m := &a.bodies.motion[body]
	com, rot = m.com, m.rot
	if a.bodies.all[body].kind == Kinematic {
		v = velocityChange{m.v, m.w}
		if a.direct { // passes have moved it through the whole step already
			time := a.elapsed + ahead
			com, rot = com.AddScaled(time, m.v), rot.Turn(m.w.Scale(time))
		} else if i := a.solver.index[body]; i != 0 {
			mv := &a.solver.states[i]
			com, rot = com.Add(mv.deltaPosition), rot.Turn(mv.deltaRotation)
		}
	}
	return com, rot, v
}

// updateGeometry computes the ends and position errors at the links' present poses, which are those a time
// ahead. It returns the ends' velocities by the base and by kinematic bodies.
func (c *loopJoint) updateGeometry(joints *articulatedJoints, ahead float64) (a, b velocityChange) {
	r, j := &c.row, &joints.joints.all[c.row.slot]
	comA, rotA, a := joints.loopEndState(c.linkA, j.parent, ahead)
	comB, rotB, b := joints.loopEndState(c.linkB, j.child, ahead)
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

// storeLoopState stores position and effort in the loop joints.
func (art *worldArticulation) storeLoopState(bodies *bodySet, joints *jointSet, invH float64) {
	for i := range art.loops {
		slot := art.loops[i].row.slot
		j := &joints.all[slot]
		j.effort = 0
		if j.motor.mode != motorOff {
			j.effort = float64(j.impulseDrive * invH)
		}
		j.linearImpulse, j.angularImpulse = r3.Vec{}, r3.Vec{}
		joints.measure(bodies, slot, true)
	}
}

const (
	// maxClosingRounds bounds the number of times in a substep that velocities are mended to close loops, and
	// so the time.
	maxClosingRounds = 6
	// closedGap is the gap, m or rad, of a loop joint that is closed; less is rounding.
	closedGap = 1e-11
)

// maxLoopGap is the most, m, by which a loop joint may be open for Newton's method to solve its island. One
// that stays open is stretched, or caught between other things: rows that close it would throw what it holds.
// Passes close it by moves that no velocity keeps.
const maxLoopGap = 1e-6

// hasOpenLoop reports that a joint that closes a loop is open by more than maxLoopGap.
func (art *worldArticulation) hasOpenLoop(bodies *bodySet, joints *jointSet) bool {
	for i := range art.loops {
		if joints.gap(bodies, art.loops[i].row.slot) > maxLoopGap {
			return true
		}
	}
	return false
}

// LoopDirections returns the directions that a loop joint holds, at the links' present poses.
func (a *articulatedJoints) LoopDirections(loop int, h float64, ahead bool) []articulation.Direction {
	c := &a.art.loops[loop]
	r := &c.row
	position, time := r.position, 0.0
	if ahead {
		time = h
	}
	va, vb := c.updateGeometry(a, time)
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
	art, h := a.art, a.h
	c := &art.loops[loop]
	j := &a.joints.all[c.row.slot]
	if !j.kind.HasAxis() {
		return
	}
	var axis directRow
	axis.setAxis(&c.row)
	row, v := art.NewLoopRow(loop, c.row.slot, axis.along, axis.armA, axis.armB)
	if j.damping > 0 || j.stiffness > 0 { // implicit
		damp, k := row, j.damping+float64(h*j.stiffness)
		damp.Lower, damp.Upper, damp.Compliance = math.Inf(-1), math.Inf(1), 1/h/k
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

// closing counts the rounds in which velocities are mended to close loops.
type closing struct {
	gap    float64 // m or rad, after the last round; infinite before the first
	rounds int
}

// next takes the gap after a round. The round must be undone if it opened loops, and there is another one
// while they halve their gap.
func (c *closing) next(gap float64) (undo, again bool) {
	undo = gap > c.gap
	again = gap > closedGap && c.rounds < maxClosingRounds && gap <= float64(0.5*c.gap)
	c.gap, c.rounds = gap, c.rounds+1
	return undo, again
}
