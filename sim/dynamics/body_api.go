package dynamics

import (
	"fmt"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Alive reports that the id names a body of this world.
func (w *World) Alive(id BodyID) bool { return w.bodies.ids.isCurrent(id.slot, id.gen) }

// Pose is the pose of a body's frame; the identity for a body that is gone.
func (w *World) Pose(id BodyID) r3.Pose {
	if !w.Alive(id) {
		return r3.IdentityPose()
	}
	m := &w.bodies.motion[id.slot]
	return r3.Pose{Pos: m.origin, Rot: m.rot}
}

// COM is the centre of mass.
func (w *World) COM(id BodyID) r3.Vec {
	if !w.Alive(id) {
		return r3.Vec{}
	}
	return w.bodies.motion[id.slot].com
}

// Twist is the velocity of the body's frame: of its origin, along world axes.
func (w *World) Twist(id BodyID) r3.Twist {
	if !w.Alive(id) {
		return r3.Twist{}
	}
	m := &w.bodies.motion[id.slot]
	return r3.Twist{Linear: r3.Twist{Linear: m.v, Angular: m.w}.At(m.origin.Sub(m.com)), Angular: m.w}
}

// VelocityAt is the velocity of the body's material point that is now at a place.
func (w *World) VelocityAt(id BodyID, point r3.Vec) r3.Vec {
	if !w.Alive(id) {
		return r3.Vec{}
	}
	m := &w.bodies.motion[id.slot]
	return r3.Twist{Linear: m.v, Angular: m.w}.At(point.Sub(m.com))
}

// Acceleration is the mean over the last step of the COM's acceleration, gravity's effect included,
// and of the angular acceleration. What SetTwist changed does not count.
func (w *World) Acceleration(id BodyID) r3.Twist {
	if !w.Alive(id) || w.time.dt == 0 {
		return r3.Twist{}
	}
	m, b := &w.bodies.motion[id.slot], &w.bodies.all[id.slot]
	k := 1 / w.time.dt
	return r3.Twist{Linear: m.v.Sub(b.velocityBefore.Linear).Scale(k),
		Angular: m.w.Sub(b.velocityBefore.Angular).Scale(k)}
}

// Mass is the body's mass, in its frame; zero for static and kinematic bodies.
func (w *World) Mass(id BodyID) shape.Mass {
	if !w.Alive(id) {
		return shape.Mass{}
	}
	in := &w.bodies.massProps[id.slot]
	return shape.Mass{Mass: in.mass, COM: in.com, Inertia: in.inertia}
}

// Type is what moves the body.
func (w *World) Type(id BodyID) BodyType {
	if !w.Alive(id) {
		return Static
	}
	return w.bodies.all[id.slot].kind
}

// User is the caller's index from the BodyDef.
func (w *World) User(id BodyID) int {
	if !w.Alive(id) {
		return 0
	}
	return w.bodies.all[id.slot].user
}

// Awake reports that the body is being moved: not static, not asleep.
func (w *World) Awake(id BodyID) bool {
	return w.Alive(id) && w.bodies.all[id.slot].kind != Static && !w.bodies.all[id.slot].asleep
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
func (w *World) SetPose(id BodyID, p r3.Pose) error {
	slot, err := w.bodies.slot(id)
	if err != nil {
		return err
	}
	p, ok := p.Unit()
	if !ok {
		return fmt.Errorf("%w: pose %v of %v: must be finite, its quaternion not zero", ErrInvalid, p, id)
	}
	w.active.wakeAround(&w.bodies, &w.contacts, slot)
	tw := w.Twist(id)
	w.bodies.setPose(slot, p)
	w.bodies.setTwist(slot, tw)
	w.contacts.dropOfBody(&w.active, slot)
	w.geoms.place(&w.bodies, &w.time, slot, true)
	w.invalidateJoints(slot)
	w.active.wake(&w.bodies, slot)
	w.active.wakeOverlapping(&w.bodies, &w.geoms, slot)
	return nil
}

// SetTwist sets the velocity of the body's frame and wakes it. A static body has none. In a tree in reduced
// coordinates it is the momentum of the body that is set: the joints of the tree share all bodies' as they
// would a hit.
func (w *World) SetTwist(id BodyID, t r3.Twist) error {
	slot, err := w.bodies.slot(id)
	if err != nil {
		return err
	}
	if !t.IsFinite() {
		return fmt.Errorf("%w: twist %v of %v is not finite", ErrInvalid, t, id)
	}
	w.bodies.setTwist(slot, t)
	w.invalidateJoints(slot)
	w.active.wake(&w.bodies, slot)
	return nil
}

// ApplyWrench adds a force at a point, and a torque, that act during the next Step only; the body wakes.
func (w *World) ApplyWrench(id BodyID, force, torque, point r3.Vec) error {
	slot, err := w.bodies.slot(id)
	if err != nil {
		return err
	}
	if !force.IsFinite() || !torque.IsFinite() || !point.IsFinite() {
		return fmt.Errorf("%w: wrench %v N, %v N·m at %v on %v is not finite", ErrInvalid, force, torque,
			point, id)
	}
	b := &w.bodies.all[slot]
	if b.kind != Dynamic || b.contained {
		return nil
	}
	b.force = b.force.Add(force)
	b.torque = b.torque.Add(torque).Add(point.Sub(w.bodies.motion[slot].com).Cross(force))
	w.active.wake(&w.bodies, slot)
	return nil
}

// Wake wakes a body and the sleeping bodies that it rests with.
func (w *World) Wake(id BodyID) {
	if w.Alive(id) {
		w.active.wake(&w.bodies, int32(id.slot))
	}
}
