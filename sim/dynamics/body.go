package dynamics

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/statecodec"
)

// BodyType is the cause of a body's motion.
type BodyType uint8

const (
	// Static bodies never move, except by SetPose.
	Static BodyType = iota
	// Kinematic bodies move by their twist and are stopped by nothing.
	Kinematic
	// Dynamic bodies move as forces, contacts and joints make them.
	Dynamic
)

// String is the type's name in lower case.
func (t BodyType) String() string {
	switch t {
	case Static:
		return "static"
	case Kinematic:
		return "kinematic"
	case Dynamic:
		return "dynamic"
	}
	return fmt.Sprintf("body type %d", uint8(t))
}

// BodyDef describes a body to be made. A dynamic body needs Mass and Inertia; other types ignore them.
type BodyDef struct {
	Type           BodyType
	Pose           r3.Pose  // of the body's frame; a zero rotation means none
	Twist          r3.Twist // of the frame's origin
	Mass           float64  // kg
	COM            r3.Vec   // centre of mass, body frame
	Inertia        r3.Mat   // kg·m² about the COM, body axes
	Group          int32    // bodies of the same group other than 0 never collide with one another
	LinearDamping  float64  // 1/s
	AngularDamping float64  // 1/s
	NoGravity      bool
	NoSleep        bool
	// does not pass through moving bodies either, however thin both are; fast bodies never do
	Bullet bool
	User   int // the caller's own index
}

// bodySet is the bodies of a world: arrays by access pattern, all indexed by slot.
type bodySet struct {
	ids          slotTable
	all          []body
	motion       []bodyPoseVelocity
	massProps    []massProperties
	motionBounds []motionBound
}

// body is the bookkeeping of a body.
type body struct {
	kind               BodyType
	noGravity          bool
	noSleep            bool
	bullet             bool
	asleep             bool
	contained          bool // asleep, and nothing wakes it: see contain.go
	group              int32
	user               int
	geoms              []int32  // slots, ascending
	joints             []int32  // slots, ascending
	noCollision        []BodyID // that it passes through; shared by copies of the world
	articulation, link int32    // 1 + index of the articulation that it is a link of, and which; 0: none
	linDamping         float64
	angDamping         float64
	force              r3.Vec // during the next step, at the COM
	torque             r3.Vec
	stillTime          float64  // s for which the body has been slow enough to sleep
	nextInIsland       int32    // the next body of the sleeping island, in a ring
	velocityBefore     r3.Twist // of the COM before the last step
}

// bodyPoseVelocity holds the pose and velocity of a body, which a step changes.
type bodyPoseVelocity struct {
	com    r3.Vec
	rot    r3.Quat
	v, w   r3.Vec // of the COM
	origin r3.Vec // of the body's frame: com - rot·local com, or exactly what SetPose said
}

// massProperties holds the constant properties of a body.
type massProperties struct {
	mass, invMass       float64
	com                 r3.Vec
	inertia, invInertia r3.Mat  // about the COM in body axes, and its inverse
	principalMoments    r3.Vec  // principal ones
	principalAxes       r3.Quat // their frame in the body's
	spherical           bool    // inertia is the same about every axis: gyroscopic terms vanish
	radius              float64 // m, the furthest point of any geom from the COM
	halfThickness       float64 // m, the smallest half thickness of any geom; +Inf without geoms
}

// motionBound bounds the motion of all points of a body.
type motionBound struct {
	accumulated float64 // m, since the last rebaseMotion
	predicted   float64 // m, after the next step at the present velocity
}

func (d *BodyDef) check() error {
	if d.Pose.Rot == (r3.Quat{}) {
		d.Pose.Rot = r3.Identity()
	}
	p, ok := d.Pose.Unit()
	if !ok {
		return fmt.Errorf("%w: body pose %v: must be finite, its quaternion not zero", ErrInvalid, d.Pose)
	}
	d.Pose = p
	if !d.Twist.IsFinite() {
		return fmt.Errorf("%w: body twist %v is not finite", ErrInvalid, d.Twist)
	}
	if !(d.LinearDamping >= 0) || !(d.AngularDamping >= 0) ||
		math.IsInf(d.LinearDamping+d.AngularDamping, 1) {
		return fmt.Errorf("%w: damping %v, %v 1/s must be finite and not negative", ErrInvalid,
			d.LinearDamping, d.AngularDamping)
	}
	if d.Type > Dynamic {
		return fmt.Errorf("%w: %v", ErrInvalid, d.Type)
	}
	if d.Type != Dynamic {
		d.Mass, d.COM, d.Inertia = 0, r3.Vec{}, r3.Mat{}
		return nil
	}
	m := shape.Mass{Mass: d.Mass, COM: d.COM, Inertia: d.Inertia}
	if err := m.Check(); err != nil {
		return fmt.Errorf("%w: dynamic body: %w", ErrInvalid, err)
	}
	return nil
}

func (bs *bodySet) slot(id BodyID) (int32, error) {
	if !bs.ids.isCurrent(id.slot, id.gen) {
		return 0, fmt.Errorf("%w: %v", ErrGone, id)
	}
	return int32(id.slot), nil
}

func (bs *bodySet) id(slot int32) BodyID {
	if slot < 0 {
		return BodyID{}
	}
	return BodyID{uint32(slot), bs.ids.gen[slot]}
}

// isAwake reports that a body takes part in the step.
func (bs *bodySet) isAwake(slot int32) bool {
	switch b := &bs.all[slot]; b.kind {
	case Dynamic:
		return !b.asleep
	case Kinematic:
		m := &bs.motion[slot]
		return m.v != (r3.Vec{}) || m.w != (r3.Vec{})
	}
	return false
}

// sleeps reports that a body sleeps and can be woken.
func (bs *bodySet) sleeps(slot int32) bool {
	return bs.all[slot].asleep && !bs.all[slot].contained
}

// isFree reports that a dynamic body has no joints. It may be stopped alone: joints hold only where all
// their bodies take the whole step.
func (bs *bodySet) isFree(slot int32) bool {
	b := &bs.all[slot]
	return b.kind == Dynamic && len(b.joints) == 0 && b.articulation == 0
}

// isBullet reports that a body that moves so far in a step, in m, is swept against moving bodies too.
func (bs *bodySet) isBullet(slot int32, way float64) bool {
	return bs.all[slot].bullet || way > float64(bulletThreshold*bs.massProps[slot].halfThickness)
}

// setPose puts a body's frame at a pose, exactly.
func (bs *bodySet) setPose(slot int32, p r3.Pose) {
	m := &bs.motion[slot]
	m.origin, m.rot = p.Pos, p.Rot
	m.com = p.Apply(bs.massProps[slot].com)
}

func (bs *bodySet) setTwist(slot int32, t r3.Twist) {
	b, m := &bs.all[slot], &bs.motion[slot]
	if b.kind == Static || b.contained {
		t = r3.Twist{}
	}
	m.w = t.Angular
	m.v = t.At(m.com.Sub(m.origin))
	b.velocityBefore = r3.Twist{Linear: m.v, Angular: m.w}
	bs.invalidate(slot)
}

// invalidate makes the next step update all contacts of a body.
func (bs *bodySet) invalidate(slot int32) {
	t := &bs.motionBounds[slot]
	t.accumulated += maxCoherentMotion
	t.predicted += maxCoherentMotion
}

// invalidateAll makes the next step update all contacts.
func (bs *bodySet) invalidateAll() {
	for i := range bs.motionBounds {
		bs.invalidate(int32(i))
	}
}

// accumulateMotion adds the motion of a body in a step: shift in m, turn in rad. Speed, in m/s, predicts the
// next step.
func (bs *bodySet) accumulateMotion(dt float64, slot int32, shift, turn, speed float64) {
	t := &bs.motionBounds[slot]
	t.accumulated += shift + float64(turn*bs.massProps[slot].radius)
	t.predicted = t.accumulated + float64(speed*dt)
}

// insertSorted keeps a short list of slots ascending.
func insertSorted(list []int32, slot int32) []int32 {
	at, _ := slices.BinarySearch(list, slot)
	return slices.Insert(list, at, slot)
}

func removeSorted(list []int32, slot int32) []int32 {
	if at, ok := slices.BinarySearch(list, slot); ok {
		return slices.Delete(list, at, at+1)
	}
	return list
}

// Body is a body of a world by its id, to be asked and to be moved. It may be kept as long as its world; of a
// body that is gone it says zero values, and errors that wrap ErrGone.
type Body struct {
	w  *World
	id BodyID
}

// Body is the body with an id.
func (w *World) Body(id BodyID) Body { return Body{w, id} }

// Alive reports that the id names a body of this world.
func (h Body) Alive() bool { return h.w.bodies.ids.isCurrent(h.id.slot, h.id.gen) }

// Pose is the pose of a body's frame; the identity for a body that is gone.
func (h Body) Pose() r3.Pose {
	if !h.Alive() {
		return r3.IdentityPose()
	}
	m := &h.w.bodies.motion[h.id.slot]
	return r3.Pose{Pos: m.origin, Rot: m.rot}
}

// COM is the centre of mass of what moves as this body: mass that its assembly moved counts where it is now.
func (h Body) COM() r3.Vec {
	if !h.Alive() {
		return r3.Vec{}
	}
	return h.w.bodies.motion[h.id.slot].com
}

// Twist is the velocity of the body's frame: of its origin, along world axes.
func (h Body) Twist() r3.Twist {
	if !h.Alive() {
		return r3.Twist{}
	}
	m := &h.w.bodies.motion[h.id.slot]
	return r3.Twist{Linear: r3.Twist{Linear: m.v, Angular: m.w}.At(m.origin.Sub(m.com)), Angular: m.w}
}

// VelocityAt is the velocity of the body's material point that is now at a place.
func (h Body) VelocityAt(point r3.Vec) r3.Vec {
	if !h.Alive() {
		return r3.Vec{}
	}
	m := &h.w.bodies.motion[h.id.slot]
	return r3.Twist{Linear: m.v, Angular: m.w}.At(point.Sub(m.com))
}

// Acceleration is the mean over the last step of the COM's acceleration, gravity's effect included, and of
// the angular acceleration. Changes by SetTwist do not count.
func (h Body) Acceleration() r3.Twist {
	if !h.Alive() || h.w.time.dt == 0 {
		return r3.Twist{}
	}
	m, b := &h.w.bodies.motion[h.id.slot], &h.w.bodies.all[h.id.slot]
	k := 1 / h.w.time.dt
	return r3.Twist{Linear: m.v.Sub(b.velocityBefore.Linear).Scale(k),
		Angular: m.w.Sub(b.velocityBefore.Angular).Scale(k)}
}

// Mass is the body's mass as it was given, in its frame; zero for static and kinematic bodies.
func (h Body) Mass() shape.Mass {
	if !h.Alive() {
		return shape.Mass{}
	}
	in := &h.w.bodies.massProps[h.id.slot]
	return shape.Mass{Mass: in.mass, COM: in.com, Inertia: in.inertia}
}

// PrincipalMoments are those of Mass, kg·m², in no order; zero for static and kinematic bodies.
func (h Body) PrincipalMoments() r3.Vec {
	if !h.Alive() {
		return r3.Vec{}
	}
	return h.w.bodies.massProps[h.id.slot].principalMoments
}

// Type is the cause of the body's motion.
func (h Body) Type() BodyType {
	if !h.Alive() {
		return Static
	}
	return h.w.bodies.all[h.id.slot].kind
}

// User is the caller's index from the BodyDef.
func (h Body) User() int {
	if !h.Alive() {
		return 0
	}
	return h.w.bodies.all[h.id.slot].user
}

// Awake reports that the body is being moved: not static, not asleep.
func (h Body) Awake() bool {
	return h.Alive() && h.w.bodies.all[h.id.slot].kind != Static && !h.w.bodies.all[h.id.slot].asleep
}

// Bodies appends the ids of all bodies in the order of their slots.
func (w *World) Bodies(dst []BodyID) []BodyID { return appendIDs(dst, &w.bodies.ids) }

// motionFields and bodyFields are the state of a body, in the order of states. Hashes begin with the origin.
var (
	motionFields     = statecodec.LayoutOf((*bodyPoseVelocity).fields)
	motionHashFields = statecodec.LayoutOf(func(m *bodyPoseVelocity, f *statecodec.Fields) {
		m.originFields(f)
		m.centerFields(f)
	})
	bodyFields = statecodec.LayoutOf((*body).fields)
)

// fields walks over the pose and the velocity.
func (m *bodyPoseVelocity) fields(f *statecodec.Fields) {
	m.centerFields(f)
	m.originFields(f)
}

// centerFields walks over the motion of the center of mass.
func (m *bodyPoseVelocity) centerFields(f *statecodec.Fields) {
	f.Vec(&m.com, statecodec.Hashed|statecodec.Finite)
	f.Quat(&m.rot, statecodec.Hashed)
	f.Vec(&m.v, statecodec.Hashed|statecodec.Finite)
	f.Vec(&m.w, statecodec.Hashed|statecodec.Finite)
}

// originFields walks over the origin.
func (m *bodyPoseVelocity) originFields(f *statecodec.Fields) {
	f.Vec(&m.origin, statecodec.Hashed|statecodec.Finite)
}

// fields walks over the state among a body's other fields.
func (b *body) fields(f *statecodec.Fields) {
	f.Vec(&b.force, statecodec.Saved)
	f.Vec(&b.torque, statecodec.Saved)
	f.Float(&b.stillTime, statecodec.Saved)
	f.Twist(&b.velocityBefore, statecodec.Saved)
	f.FlagPair(&b.asleep, &b.contained, statecodec.Hashed)
	statecodec.Slot(f, &b.nextInIsland, "the next body of an island")
}

// copyFrom copies the bodies of another world. It keeps the lists that this world's bodies have, and fills
// them.
func (bs *bodySet) copyFrom(o *bodySet) {
	bs.ids.copyFrom(&o.ids)
	bs.all = bs.all[:min(len(bs.all), len(o.all))]
	for i := range o.all {
		if i == len(bs.all) {
			bs.all = append(bs.all, body{})
		}
		b := &bs.all[i]
		geoms, joints := append(b.geoms[:0], o.all[i].geoms...), append(b.joints[:0], o.all[i].joints...)
		*b = o.all[i]
		b.geoms, b.joints = geoms, joints
	}
	bs.motion = append(bs.motion[:0], o.motion...)
	bs.massProps = append(bs.massProps[:0], o.massProps...)
	bs.motionBounds = append(bs.motionBounds[:0], o.motionBounds...)
}

// validate finds the first body that is not as it must be.
func (bs *bodySet) validate(geoms *geomSet) error {
	for i := range bs.all {
		if !bs.ids.inUse(int32(i)) {
			continue
		}
		if err := bs.validateMotion(int32(i)); err != nil {
			return err
		}
		if err := bs.validateRing(int32(i)); err != nil {
			return err
		}
		b := &bs.all[i]
		for _, s := range b.geoms {
			if !geoms.ids.inUse(s) || geoms.all[s].body != int32(i) {
				return fmt.Errorf("body %d lists geom %d, which is not its own", i, s)
			}
		}
		if !slices.IsSorted(b.geoms) || !slices.IsSorted(b.joints) {
			return fmt.Errorf("body %d: lists out of order: %v %v", i, b.geoms, b.joints)
		}
	}
	return nil
}

// validateMotion: a body's motion is finite, its quaternion of unit length, and what is static or asleep is
// still.
func (bs *bodySet) validateMotion(i int32) error {
	b, m := &bs.all[i], &bs.motion[i]
	if !motionFields.Valid(m) {
		return fmt.Errorf("body %d is not finite: %+v", i, *m)
	}
	q := m.rot
	if n := math.Sqrt(float64(q.W*q.W) + r3.V(q.X, q.Y, q.Z).Len2()); math.Abs(n-1) > 1e-9 {
		return fmt.Errorf("body %d has a quaternion of length %v", i, n)
	}
	still := m.v == (r3.Vec{}) && m.w == (r3.Vec{})
	if b.kind == Static && !still || b.asleep && (b.kind != Dynamic || !still) {
		return fmt.Errorf("body %d (%v, asleep %v) moves at %v", i, b.kind, b.asleep, m.v)
	}
	if b.contained && !b.asleep {
		return fmt.Errorf("body %d is contained and awake", i)
	}
	return nil
}

// validateRing: the bodies of a sleeping island are linked in a ring, and others with themselves.
func (bs *bodySet) validateRing(i int32) error {
	b := &bs.all[i]
	for n, k := 0, i; ; n++ {
		k = bs.all[k].nextInIsland
		if k == i {
			return nil
		}
		if n > len(bs.all) || bs.all[k].asleep != b.asleep || bs.all[k].contained != b.contained ||
			!b.asleep {
			return fmt.Errorf("body %d: its island's ring is broken at %d", i, k)
		}
	}
}

func (bs *bodySet) hash(h *statecodec.WordHash) {
	for i := range bs.all {
		if !bs.ids.inUse(int32(i)) {
			continue
		}
		h.Word(uint64(i))
		motionHashFields.Hash(h, &bs.motion[i])
		bodyFields.Hash(h, &bs.all[i])
	}
}
