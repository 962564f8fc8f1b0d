package dynamics

import (
	"fmt"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

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

// COM is the centre of mass.
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

// Acceleration is the mean over the last step of the COM's acceleration, gravity's effect included,
// and of the angular acceleration. What SetTwist changed does not count.
func (h Body) Acceleration() r3.Twist {
	if !h.Alive() || h.w.time.dt == 0 {
		return r3.Twist{}
	}
	m, b := &h.w.bodies.motion[h.id.slot], &h.w.bodies.all[h.id.slot]
	k := 1 / h.w.time.dt
	return r3.Twist{Linear: m.v.Sub(b.velocityBefore.Linear).Scale(k),
		Angular: m.w.Sub(b.velocityBefore.Angular).Scale(k)}
}

// Mass is the body's mass, in its frame; zero for static and kinematic bodies.
func (h Body) Mass() shape.Mass {
	if !h.Alive() {
		return shape.Mass{}
	}
	in := &h.w.bodies.massProps[h.id.slot]
	return shape.Mass{Mass: in.mass, COM: in.com, Inertia: in.inertia}
}

// Type is what moves the body.
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
func (w *World) Bodies(dst []BodyID) []BodyID {
	for i := range w.bodies.all {
		if w.bodies.ids.inUse(int32(i)) {
			dst = append(dst, w.bodies.id(int32(i)))
		}
	}
	return dst
}

// SetPose moves a body's frame there at once; its twist stays. The memory of its contacts is dropped,
// it wakes, and so does what it touched. Bodies that joints tie to it are not moved along.
func (h Body) SetPose(p r3.Pose) error {
	slot, err := h.w.bodies.slot(h.id)
	if err != nil {
		return err
	}
	p, ok := p.Unit()
	if !ok {
		return fmt.Errorf("%w: pose %v of %v: must be finite, its quaternion not zero", ErrInvalid, p, h.id)
	}
	h.w.active.wakeAround(&h.w.bodies, &h.w.contacts, slot)
	tw := h.Twist()
	h.w.bodies.setPose(slot, p)
	h.w.bodies.setTwist(slot, tw)
	h.w.contacts.dropOfBody(&h.w.active, slot)
	h.w.geoms.place(&h.w.bodies, &h.w.time, slot, true)
	h.w.invalidateJoints(slot)
	h.w.active.wake(&h.w.bodies, slot)
	h.w.active.wakeOverlapping(&h.w.bodies, &h.w.geoms, slot)
	return nil
}

// SetTwist sets the velocity of the body's frame and wakes it. A static body has none. In a tree in reduced
// coordinates it is the momentum of the body that is set: the joints of the tree share all bodies' as they
// would a hit.
func (h Body) SetTwist(t r3.Twist) error {
	slot, err := h.w.bodies.slot(h.id)
	if err != nil {
		return err
	}
	if !t.IsFinite() {
		return fmt.Errorf("%w: twist %v of %v is not finite", ErrInvalid, t, h.id)
	}
	h.w.bodies.setTwist(slot, t)
	h.w.invalidateJoints(slot)
	h.w.active.wake(&h.w.bodies, slot)
	return nil
}

// ApplyWrench adds a force at a point, and a torque, that act during the next Step only; the body wakes.
func (h Body) ApplyWrench(force, torque, point r3.Vec) error {
	slot, err := h.w.bodies.slot(h.id)
	if err != nil {
		return err
	}
	if !force.IsFinite() || !torque.IsFinite() || !point.IsFinite() {
		return fmt.Errorf("%w: wrench %v N, %v N·m at %v on %v is not finite", ErrInvalid, force, torque,
			point, h.id)
	}
	b := &h.w.bodies.all[slot]
	if b.kind != Dynamic || b.contained {
		return nil
	}
	b.force = b.force.Add(force)
	b.torque = b.torque.Add(torque).Add(point.Sub(h.w.bodies.motion[slot].com).Cross(force))
	h.w.active.wake(&h.w.bodies, slot)
	return nil
}

// Wake wakes a body and the sleeping bodies that it rests with.
func (h Body) Wake() {
	if h.Alive() {
		h.w.active.wake(&h.w.bodies, int32(h.id.slot))
	}
}
