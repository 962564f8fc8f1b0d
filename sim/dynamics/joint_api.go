package dynamics

import (
	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
)

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

// MeasureJoints measures all joint positions from the bodies' poses, after SetPose. Angles restart within
// [-π, π].
func (w *World) MeasureJoints() {
	w.measureArticulations(true)
	for i := range w.joints.all {
		if w.joints.ids.inUse(int32(i)) && w.joints.all[i].articulation == 0 {
			w.joints.measure(&w.bodies, int32(i), false)
		}
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
	j := &h.w.joints.all[h.id.slot]
	a, b := j.ends(&h.w.bodies)
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
func (w *World) Joints(dst []JointID) []JointID {
	for i := range w.joints.all {
		if w.joints.ids.inUse(int32(i)) {
			dst = append(dst, w.joints.id(int32(i)))
		}
	}
	return dst
}
