package dynamics

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// BodyType says what moves a body.
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

// bodyPoseVelocity is what a step changes.
type bodyPoseVelocity struct {
	com    r3.Vec
	rot    r3.Quat
	v, w   r3.Vec // of the COM
	origin r3.Vec // of the body's frame: com - rot·local com, or exactly what SetPose said
}

// massProperties is what a body has for good.
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

// AddBody makes a body without geoms; an ErrInvalid says what is wrong with the description.
func (w *World) AddBody(d BodyDef) (BodyID, error) {
	if err := d.check(); err != nil {
		return BodyID{}, err
	}
	in := massProperties{mass: d.Mass, com: d.COM, inertia: d.Inertia, halfThickness: math.Inf(1)}
	if d.Type == Dynamic {
		inv, ok := d.Inertia.Inverse()
		if !ok {
			return BodyID{}, fmt.Errorf("%w: inertia %v cannot be inverted", ErrInvalid, d.Inertia)
		}
		in.invMass, in.invInertia = 1/d.Mass, inv
		lo, axes := d.Inertia.Eigen()
		in.principalMoments, in.principalAxes = lo, axes
		in.spherical = lo.Sub(r3.Vec{X: lo.X, Y: lo.X, Z: lo.X}).MaxAbs() < float64(1e-9*lo.X)
	}
	slot, grown := w.bodies.ids.allocate()
	if grown {
		w.bodies.all = append(w.bodies.all, body{})
		w.bodies.motion = append(w.bodies.motion, bodyPoseVelocity{})
		w.bodies.massProps = append(w.bodies.massProps, massProperties{})
		w.bodies.motionBounds = append(w.bodies.motionBounds, motionBound{})
	}
	b := &w.bodies.all[slot]
	*b = body{
		kind: d.Type, noGravity: d.NoGravity, noSleep: d.NoSleep, bullet: d.Bullet, group: d.Group,
		user:  d.User,
		geoms: b.geoms[:0], joints: b.joints[:0],
		linDamping: d.LinearDamping, angDamping: d.AngularDamping, nextInIsland: slot,
	}
	w.bodies.massProps[slot] = in
	w.bodies.setPose(slot, d.Pose)
	w.bodies.setTwist(slot, d.Twist)
	w.active.dirty = true
	return BodyID{uint32(slot), w.bodies.ids.gen[slot]}, nil
}

// RemoveBody takes a body out with its geoms and joints and wakes what it touched.
func (w *World) RemoveBody(id BodyID) error {
	slot, err := w.bodies.slot(id)
	if err != nil {
		return err
	}
	w.Release([]BodyID{id})
	w.active.wakeAround(&w.bodies, &w.contacts, slot)
	b := &w.bodies.all[slot]
	for len(b.joints) > 0 {
		w.removeJoint(b.joints[0])
	}
	for len(b.geoms) > 0 {
		w.removeGeom(b.geoms[0])
	}
	w.bodies.all[slot] = body{geoms: b.geoms[:0], joints: b.joints[:0], nextInIsland: slot}
	w.bodies.motion[slot] = bodyPoseVelocity{}
	w.bodies.massProps[slot] = massProperties{}
	w.bodies.ids.release(slot)
	w.active.dirty = true
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
