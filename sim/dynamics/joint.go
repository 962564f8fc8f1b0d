package dynamics

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
	"simdeck/sim/statecodec"
)

// JointType says which degrees of freedom a joint has.
type JointType = articulation.JointType

// The types of joints are those of package articulation, where each is described.
const (
	Fixed      = articulation.Fixed
	Revolute   = articulation.Revolute
	Continuous = articulation.Continuous
	Prismatic  = articulation.Prismatic
	Ball       = articulation.Ball
	Universal  = articulation.Universal
	Screw      = articulation.Screw
	Planar     = articulation.Planar
)

// JointDef describes a joint. Its frames in the two bodies coincide at position 0.
type JointDef struct {
	Type        JointType
	Parent      BodyID  // zero: the world
	Child       BodyID  //
	ParentFrame r3.Pose // in the parent (URDF: the joint's origin); a zero rotation means the identity
	ChildFrame  r3.Pose // in the child (URDF: the identity); a zero rotation means the identity
	Axis        r3.Vec  // in the joint frame; zero: +x, as in URDF
	Axis2       r3.Vec  // Universal: the second axis, made orthogonal to Axis; zero: any
	Pitch       float64 // Screw: m along the axis per revolution
	Limited     bool    // Lower = Upper locks the joint, and its motor does nothing
	// rad or m; a Ball in an articulation: Upper is the largest rotation angle from position 0
	// (package articulation)
	Lower, Upper float64
	Damping      float64 // N·m·s/rad or N·s/m, of each degree of freedom
	// N·m or N, likewise; in maximal coordinates of a Ball as a whole, of a Planar of its slide and its
	// rotation
	Friction float64
	Armature float64 // kg·m² or kg, of the motor as reflected to the joint; only in reduced coordinates
	// of a spring, N·m/rad or N/m; of a Ball in an articulation against any rotation; a Planar has none
	Stiffness   float64
	SpringRest  float64 // rad or m, where the spring is relaxed
	MaxEffort   float64 // of the motor, N·m or N; 0: unlimited
	MaxVelocity float64 // that the motor may ask for, rad/s or m/s; 0: unlimited
	SpeedLimit  float64 // enforced whatever moves the joint, rad/s or m/s; 0: none
	Collide     bool    // parent and child may collide with each other
	User        int     // the caller's index
}

// JointState is the reading of an encoder and a torque sensor. A universal joint reports its first axis;
// ball, planar and fixed joints report zero.
type JointState struct {
	Position float64 // rad or m; a rotation counts on past π
	Velocity float64 // rad/s or m/s
	Effort   float64 // N·m or N, of the motor
}

// jointSet is the joints of a world, indexed by slot.
type jointSet struct {
	ids slotTable
	all []joint
}

// joint is a joint's constants, motor and state.
type joint struct {
	kind          JointType
	collide       bool
	parent, child int32 // body slots; parent -1: the world
	jointFrames
	jointLimits
	jointPassive
	armature    float64 // kg·m² or kg
	maxEffort   float64 // N·m or N
	maxVelocity float64 // rad/s or m/s, that the motor may ask for
	user        int

	motor    motor
	coupling coupling

	// 1 + index of the articulation, and the link that is the child; 0: in maximal coordinates
	articulation, link int32

	position    float64 // rad or m
	nearlyStill bool    // in an articulation: below creepSpeed, whatever the motor does
	effort      float64 // N·m or N, of the motor
	jointImpulses
}

// jointFrames are the joint frames in the two bodies; z is the axis, x the second axis.
type jointFrames struct {
	anchorA, anchorB r3.Vec  // from the COM, body axes; of the world from its origin
	rotA, rotB       r3.Quat // joint frame to body
}

// jointLimits bound a joint's position and speed.
type jointLimits struct {
	limited      bool
	lower, upper float64 // rad or m
	speedLimit   float64 // rad/s or m/s; 0: none
	pitch        float64 // m/rad, of a screw
}

// jointPassive holds the passive efforts of a joint: those without a motor.
type jointPassive struct {
	damping    float64 // N·m·s/rad or N·s/m
	friction   float64 // N·m or N; of a constraint the impulse per substep
	stiffness  float64 // N·m/rad or N/m
	springRest float64 // rad or m
}

// jointImpulses are the impulses of the last substep, with which the next one starts.
type jointImpulses struct {
	linearImpulse, angularImpulse                 r3.Vec
	impulseDrive, impulseDamping, impulseFriction float64
	impulseLower, impulseUpper, impulseCoupling   float64
	impulseVelocityLimit                          float64
	// in an articulation: about the second and third degree of freedom
	impulseFriction2, impulseFriction3 float64
	// in maximal coordinates: of degrees of freedom without a position
	multiDofDampingImpulse, multiDofFrictionImpulse r3.Vec
}

// connects reports that the joint is between two bodies, by slot.
func (j *joint) connects(a, b int32) bool {
	return j.parent == a && j.child == b || j.parent == b && j.child == a
}

// locked reports that the limits leave no range: the joint is fixed, and its motor does nothing.
func (j *joint) locked() bool { return j.limited && j.kind.HasAxis() && j.lower == j.upper }

// scaleImpulses scales stored impulses to this step's substep length.
func (j *joint) scaleImpulses(k float64) {
	if k == 1 {
		return
	}
	for _, m := range [...]*float64{&j.impulseDrive, &j.impulseFriction, &j.impulseFriction2,
		&j.impulseFriction3, &j.impulseLower, &j.impulseUpper, &j.impulseCoupling, &j.impulseVelocityLimit} {
		*m = float64(*m * k)
	}
}

// check validates the definition and normalises frames and axis.
func (d *JointDef) check() error {
	for _, p := range [2]*r3.Pose{&d.ParentFrame, &d.ChildFrame} {
		if p.Rot == (r3.Quat{}) {
			p.Rot = r3.Identity()
		}
		u, ok := p.Unit()
		if !ok {
			return fmt.Errorf("%w: joint frame %v: must be finite, its quaternion not zero", ErrInvalid, *p)
		}
		*p = u
	}
	if d.Axis == (r3.Vec{}) {
		d.Axis = r3.Vec{X: 1}
	}
	axis, ok := d.Axis.Unit()
	if !ok {
		return fmt.Errorf("%w: joint axis %v has no direction", ErrInvalid, d.Axis)
	}
	d.Axis = axis
	if d.Type > Planar {
		return fmt.Errorf("%w: %v", ErrInvalid, d.Type)
	}
	if d.Limited && !(d.Lower <= d.Upper) {
		return fmt.Errorf("%w: joint limits %v to %v: the lower is above the upper", ErrInvalid, d.Lower,
			d.Upper)
	}
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"damping", d.Damping}, {"friction", d.Friction}, {"maximal effort", d.MaxEffort},
		{"maximal velocity", d.MaxVelocity},
		{"armature", d.Armature}, {"stiffness", d.Stiffness}, {"speed limit", d.SpeedLimit},
	} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("%w: joint %s %v, must be finite and not negative", ErrInvalid, f.name, f.value)
		}
	}
	for _, f := range [2]float64{d.Pitch, d.SpringRest} {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%w: joint pitch %v and spring rest %v must be finite", ErrInvalid, d.Pitch,
				d.SpringRest)
		}
	}
	return nil
}

// align rotates z to the axis, and x to the second axis where there is one.
func (d *JointDef) align() r3.Quat {
	if d.Type == Universal {
		if x, ok := d.Axis2.AddScaled(-d.Axis2.Dot(d.Axis), d.Axis).Unit(); ok {
			return r3.Columns(x, d.Axis.Cross(x), d.Axis).Quat()
		}
	}
	return r3.Between(r3.Vec{Z: 1}, d.Axis)
}

func (js *jointSet) alive(id JointID) bool { return js.ids.isCurrent(id.slot, id.gen) }

func (js *jointSet) id(slot int32) JointID { return JointID{uint32(slot), js.ids.gen[slot]} }

// Joint is a joint of a world by its id, to be asked and to be driven. Of a joint that is gone it says zero
// values, and errors that wrap ErrGone.
type Joint struct {
	w  *World
	id JointID
}

// Joint is the joint with an id.
func (w *World) Joint(id JointID) Joint { return Joint{w, id} }

func (h Joint) alive() bool { return h.w.joints.alive(h.id) }

// ends is the world poses of the two joint frames.
func (j *joint) ends(bodies *bodySet) (a, b r3.Pose) {
	m := &bodies.motion[j.child]
	b = r3.Pose{Pos: m.com, Rot: m.rot}.Mul(r3.Pose{Pos: j.anchorB, Rot: j.rotB})
	a = r3.Pose{Pos: j.anchorA, Rot: j.rotA}
	if j.parent >= 0 {
		m := &bodies.motion[j.parent]
		a = r3.Pose{Pos: m.com, Rot: m.rot}.Mul(a)
	}
	return a, b
}

// endRotations is the world rotations of the two joint frames.
func (j *joint) endRotations(bodies *bodySet) (a, b r3.Quat) {
	a = j.rotA
	if j.parent >= 0 {
		a = bodies.motion[j.parent].rot.Mul(a)
	}
	return a, bodies.motion[j.child].rot.Mul(j.rotB)
}

// measure computes the position from the bodies; counting continues an angle past π by the nearest turn.
func (js *jointSet) measure(bodies *bodySet, slot int32, counting bool) {
	j := &js.all[slot]
	switch j.kind {
	case Prismatic:
		a, b := j.ends(bodies)
		j.position = b.Pos.Sub(a.Pos).Dot(a.Rot.Rotate(r3.Vec{Z: 1}))
	case Universal:
		a, b := j.endRotations(bodies)
		x := a.RotateBack(b.Rotate(r3.Vec{X: 1}))
		j.position = articulation.UnwrapAngle(j.position, r3.Atan2(x.Y, x.X), !counting)
	case Revolute, Continuous, Screw:
		angle := articulation.TwistAngle(j.endRotations(bodies))
		if counting {
			angle = j.position + articulation.WrapAngle(angle-j.position)
		}
		j.position = angle
	}
}

// State is a joint's position, velocity and motor effort; zero for a removed joint.
func (h Joint) State() JointState {
	if !h.alive() {
		return JointState{}
	}
	j := &h.w.joints.all[h.id.slot]
	s := JointState{Position: j.position, Effort: j.effort}
	if !j.kind.HasAxis() {
		return s
	}
	if j.articulation != 0 {
		if art := &h.w.articulations[j.articulation-1]; h.w.bodies.isAwake(j.child) {
			first, _ := art.FirstDOF(j.link)
			s.Velocity = art.V(first)
		}
		return s
	}
	a, b := j.ends(&h.w.bodies)
	axis := a.Rot.Rotate(r3.Vec{Z: 1})
	va, vb := j.twistsAt(&h.w.bodies, b.Pos)
	if j.kind.Turns() {
		s.Velocity = vb.Angular.Sub(va.Angular).Dot(axis)
	} else {
		s.Velocity = vb.Linear.Sub(va.Linear).Dot(axis)
	}
	return s
}

// CountTurns adds whole turns to the angle of a joint that turns, of a universal joint to the first, so that
// it is the nearest to one, rad. Only a screw's bodies are elsewhere after a turn. Other joints have no turns.
func (h Joint) CountTurns(near float64) {
	if !h.alive() {
		return
	}
	j := &h.w.joints.all[h.id.slot]
	if !j.kind.Turns() {
		return
	}
	j.position = articulation.UnwrapAngle(near, j.position, false)
	if j.articulation != 0 {
		articulation.CountTurns(&h.w.articulations[j.articulation-1].Tree, j.link, near)
	}
}

// twistsAt is the twists of both bodies at the world point p.
func (j *joint) twistsAt(bodies *bodySet, p r3.Vec) (va, vb r3.Twist) {
	mb := &bodies.motion[j.child]
	vb = r3.Twist{Linear: mb.v, Angular: mb.w}
	vb.Linear = vb.At(p.Sub(mb.com))
	if j.parent >= 0 {
		ma := &bodies.motion[j.parent]
		va = r3.Twist{Linear: ma.v, Angular: ma.w}
		va.Linear = va.At(p.Sub(ma.com))
	}
	return va, vb
}

// Gap is the distance of the joint's ends in constrained directions, m.
func (h Joint) Gap() float64 {
	if !h.alive() {
		return 0
	}
	return h.w.joints.gap(&h.w.bodies, int32(h.id.slot))
}

func (js *jointSet) gap(bodies *bodySet, slot int32) float64 {
	j := &js.all[slot]
	a, b := j.ends(bodies)
	d := a.Rot.RotateBack(b.Pos.Sub(a.Pos))
	switch j.kind {
	case Prismatic:
		d.Z = 0
	case Screw:
		d.Z -= float64(j.pitch * j.position)
	case Planar:
		d.X, d.Y = 0, 0
	}
	return d.Len()
}

// Frame is the world pose of the joint's frame at its parent; z is the axis.
func (h Joint) Frame() r3.Pose {
	if !h.alive() {
		return r3.IdentityPose()
	}
	a, _ := h.w.joints.all[h.id.slot].ends(&h.w.bodies)
	return a
}

// Bodies returns the two bodies; parent is zero for the world.
func (h Joint) Bodies() (parent, child BodyID) {
	if !h.alive() {
		return BodyID{}, BodyID{}
	}
	j := &h.w.joints.all[h.id.slot]
	return h.w.bodies.id(j.parent), h.w.bodies.id(j.child)
}

// User is the caller's index from the JointDef.
func (h Joint) User() int {
	if !h.alive() {
		return 0
	}
	return h.w.joints.all[h.id.slot].user
}

// Joints appends the ids of all joints, in slot order.
func (w *World) Joints(dst []JointID) []JointID { return appendIDs(dst, &w.joints.ids) }

// motorMode is the quantity that a joint's motor controls.
type motorMode uint8

const (
	motorOff motorMode = iota
	motorVelocity
	motorPosition // a spring and damper
	motorServo    // a velocity towards a position
	motorEffort
)

type motor struct {
	mode   motorMode
	target float64
	kp, kd float64
	limit  float64 // of the effort, N·m or N; +Inf: none
	speed  float64 // of a servo on its way, rad/s or m/s; 0: the joint's own
}

// motorActive reports that the motor may move a resting joint, so that its bodies must stay awake.
func (j *joint) motorActive() bool {
	if j.locked() {
		return false
	}
	switch j.motor.mode {
	case motorVelocity, motorEffort:
		return j.motor.target != 0
	case motorPosition, motorServo:
		if j.nearlyStill {
			return false
		}
		return math.Abs(j.motor.target-j.position) > 1e-3
	}
	return false
}

// SetMotorOff turns the motor off; damping and friction remain. Error: ErrGone.
func (h Joint) SetMotorOff() error { return h.setMotor(motor{}) }

// SetMotorVelocity makes the motor hold a velocity, rad/s or m/s, by at most maxEffort, N·m or N; 0: the
// joint's own limit. Errors: ErrGone, ErrInvalid.
func (h Joint) SetMotorVelocity(velocity, maxEffort float64) error {
	return h.setMotor(motor{mode: motorVelocity, target: velocity, limit: maxEffort})
}

// MotorVelocity is the velocity that the motor was told to hold, rad/s or m/s; false: it holds none.
func (h Joint) MotorVelocity() (velocity float64, set bool) {
	if !h.alive() {
		return 0, false
	}
	m := &h.w.joints.all[h.id.slot].motor
	return m.target, m.mode == motorVelocity
}

// SetMotorDamper pulls towards a velocity, rad/s or m/s, by a damper kd (N·m·s/rad or N·s/m), which is
// implicit, so that any gain is stable. With kd = 0 it is SetMotorVelocity. Errors: ErrGone, ErrInvalid.
func (h Joint) SetMotorDamper(velocity, kd, maxEffort float64) error {
	return h.setMotor(motor{mode: motorVelocity, target: velocity, kd: kd, limit: maxEffort})
}

// SetMotorPosition makes the motor hold a position, rad or m, by a spring kp (N·m/rad or N/m) and a damper kd
// (N·m·s/rad or N·s/m). Both are implicit, so any gain is stable. With kp = 0 it is a servo that moves at up
// to the joint's MaxVelocity and holds by at most maxEffort. Errors: ErrGone, ErrInvalid.
func (h Joint) SetMotorPosition(position, kp, kd, maxEffort float64) error {
	m := motor{mode: motorPosition, target: position, kp: kp, kd: kd, limit: maxEffort}
	if kp == 0 {
		m.mode = motorServo
	}
	return h.setMotor(m)
}

// SetMotorServo is SetMotorPosition without spring and damper, at up to a speed, rad/s or m/s; 0: the joint's
// MaxVelocity. Errors: ErrGone, ErrInvalid.
func (h Joint) SetMotorServo(position, speed, maxEffort float64) error {
	return h.setMotor(motor{mode: motorServo, target: position, speed: speed, limit: maxEffort})
}

// SetMotorEffort applies a torque or force, N·m or N, until changed. Errors: ErrGone, ErrInvalid.
func (h Joint) SetMotorEffort(effort float64) error {
	return h.setMotor(motor{mode: motorEffort, target: effort})
}

// setMotor validates a motor, sets it and wakes the joint's bodies.
func (h Joint) setMotor(m motor) error {
	if !h.alive() {
		return fmt.Errorf("%w: %v", ErrGone, h.id)
	}
	for _, v := range [5]float64{m.target, m.kp, m.kd, m.limit, m.speed} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: motor of %v: target %v, kp %v, kd %v, effort %v, speed %v must be finite",
				ErrInvalid, h.id, m.target, m.kp, m.kd, m.limit, m.speed)
		}
	}
	if m.kp < 0 || m.kd < 0 || m.limit < 0 || m.speed < 0 {
		return fmt.Errorf("%w: motor of %v: kp %v, kd %v, effort %v, speed %v must not be negative",
			ErrInvalid, h.id, m.kp, m.kd, m.limit, m.speed)
	}
	j := &h.w.joints.all[h.id.slot]
	if !j.kind.HasAxis() {
		if m.mode == motorOff {
			return nil
		}
		return fmt.Errorf("%w: %v is %v: it has no axis to drive", ErrInvalid, h.id, j.kind)
	}
	if m.limit == 0 {
		m.limit = j.maxEffort
	}
	if m.limit == 0 {
		m.limit = math.Inf(1)
	}
	if m == j.motor {
		return nil
	}
	if m.mode != j.motor.mode {
		j.impulseDrive, j.effort = 0, 0
	}
	j.motor = m
	h.w.active.wake(&h.w.bodies, j.child)
	if j.parent >= 0 {
		h.w.active.wake(&h.w.bodies, j.parent)
	}
	return nil
}

// motorDrive is a motor as the solver sees it in this step: a velocity or spring target within an impulse
// limit.
type motorDrive struct {
	on     bool
	target float64 // rad/s or m/s; a position when kp > 0
	kp, kd float64 // spring and damper when one is > 0
	limit  float64 // impulse per substep
	effort float64 // impulse per substep, in effort mode
}

// maxServoSpeed bounds the speed of a servo whose joint has no limit, rad/s or m/s.
const maxServoSpeed = 1e4

// drive computes the motor's targets for substeps of h, s.
func (j *joint) drive(h float64) motorDrive {
	m := &j.motor
	d := motorDrive{limit: float64(m.limit * h)}
	if j.locked() {
		return d
	}
	switch m.mode {
	case motorVelocity:
		d.on, d.target, d.kd = true, j.clampToSpeedLimit(m.target), m.kd
	case motorServo:
		// A third of the way within ten substeps, but not faster than 30 per second.
		rate := min(30, 0.04/h)
		want := max(-maxServoSpeed, min(maxServoSpeed, float64(rate*(m.target-j.position))))
		d.on, d.target = true, j.clampToSpeedLimit(want)
		if m.speed > 0 {
			d.target = max(-m.speed, min(m.speed, d.target))
		}
	case motorPosition:
		d.on, d.target, d.kp, d.kd = true, m.target, m.kp, m.kd
	case motorEffort:
		effort := max(-m.limit, min(m.limit, m.target))
		d.effort = float64(effort * h)
	}
	return d
}

// clampToSpeedLimit bounds a velocity target by MaxVelocity and SpeedLimit.
func (j *joint) clampToSpeedLimit(v float64) float64 {
	for _, most := range [2]float64{j.maxVelocity, j.speedLimit} {
		if most > 0 {
			v = max(-most, min(most, v))
		}
	}
	return v
}

// jointFields is the state of a joint.
var jointFields = statecodec.LayoutOf((*joint).fields)

// fields walks over the state of a joint.
func (j *joint) fields(f *statecodec.Fields) {
	statecodec.Index(f, &j.motor.mode, uint64(motorEffort), "the motor mode")
	f.Float(&j.motor.target, statecodec.Saved)
	f.Float(&j.motor.kp, statecodec.Saved)
	f.Float(&j.motor.kd, statecodec.Saved)
	f.Float(&j.motor.limit, statecodec.Saved)
	f.Float(&j.motor.speed, statecodec.Saved)
	f.Float(&j.position, statecodec.Hashed|statecodec.Number)
	f.Float(&j.impulseDrive, statecodec.Saved)
	f.Float(&j.impulseDamping, statecodec.Saved)
	f.Float(&j.impulseFriction, statecodec.Saved)
	f.Float(&j.impulseFriction2, statecodec.Saved)
	f.Float(&j.impulseFriction3, statecodec.Saved)
	f.Float(&j.impulseLower, statecodec.Saved)
	f.Float(&j.impulseUpper, statecodec.Saved)
	f.Float(&j.impulseCoupling, statecodec.Saved)
	f.Float(&j.impulseVelocityLimit, statecodec.Saved)
	f.Float(&j.effort, statecodec.Saved)
	f.Vec(&j.multiDofDampingImpulse, statecodec.Saved)
	f.Vec(&j.multiDofFrictionImpulse, statecodec.Saved)
	f.Vec(&j.linearImpulse, statecodec.Finite)
	f.Vec(&j.angularImpulse, statecodec.Finite)
}

func (js *jointSet) copyFrom(o *jointSet) {
	js.ids.copyFrom(&o.ids)
	js.all = append(js.all[:0], o.all...)
}

func (js *jointSet) validate(bodies *bodySet) error {
	for i := range js.all {
		if !js.ids.inUse(int32(i)) {
			continue
		}
		j := &js.all[i]
		if !jointFields.Valid(j) {
			return fmt.Errorf("joint %d is not finite: %+v", i, *j)
		}
		for _, b := range [2]int32{j.parent, j.child} {
			if b >= 0 && (!bodies.ids.inUse(b) || !slices.Contains(bodies.all[b].joints, int32(i))) {
				return fmt.Errorf("joint %d: body %d does not know it", i, b)
			}
		}
	}
	return nil
}

func (js *jointSet) hash(h *statecodec.WordHash) {
	for i := range js.all {
		if js.ids.inUse(int32(i)) {
			h.Word(uint64(i))
			jointFields.Hash(h, &js.all[i])
		}
	}
}

// removeCoupling removes the couplings of a joint that is removed.
func (js *jointSet) removeCoupling(slot int32) {
	for i := range js.all {
		if g := &js.all[i].coupling; g.on && (g.leader == slot || int32(i) == slot) {
			*g = coupling{}
		}
	}
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

// coupledInArticulation reports that a follower and its leader are in one articulation.
func (j *joint) coupledInArticulation(joints *jointSet) bool {
	return j.articulation != 0 && j.articulation == joints.all[j.coupling.leader].articulation
}

// coupling ties a joint's position to another's: ratio·leader + offset.
type coupling struct {
	on            bool
	leader        int32
	ratio, offset float64
}

// SetCoupling couples two joints both ways, like gear wheels or gripper fingers (URDF's mimic). The
// follower's position is held at ratio times the leader's plus offset, rad or m. The joints may be anywhere;
// within one articulation the coupling is exact. Ratio 0 and offset 0 remove it. Errors: ErrGone, ErrInvalid.
func (w *World) SetCoupling(follower, leader JointID, ratio, offset float64) error {
	if !w.joints.alive(follower) || !w.joints.alive(leader) {
		return fmt.Errorf("%w: coupling of %v with %v", ErrGone, follower, leader)
	}
	if math.IsNaN(ratio+offset) || math.IsInf(ratio+offset, 0) {
		return fmt.Errorf("%w: coupling of %v with ratio %v and offset %v, must be finite", ErrInvalid,
			follower, ratio, offset)
	}
	j, lead := &w.joints.all[follower.slot], &w.joints.all[leader.slot]
	if follower == leader || !j.kind.HasAxis() || !lead.kind.HasAxis() {
		return fmt.Errorf("%w: coupling of %v (%v) with %v (%v): both joints must have an axis", ErrInvalid,
			follower, j.kind, leader, lead.kind)
	}
	j.coupling = coupling{on: ratio != 0 || offset != 0, leader: int32(leader.slot), ratio: ratio,
		offset: offset}
	j.impulseCoupling = 0
	for _, k := range [2]*joint{j, lead} {
		for _, b := range [2]int32{k.parent, k.child} {
			if b >= 0 {
				w.active.wake(&w.bodies, b)
			}
		}
	}
	return nil
}
