package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

func (js *jointSet) alive(id JointID) bool { return js.ids.isCurrent(id.slot, id.gen) }

func (js *jointSet) id(slot int32) JointID { return JointID{uint32(slot), js.ids.gen[slot]} }

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
		j.position = unwrapAngle(j.position, r3.Atan2(x.Y, x.X), !counting)
	case Revolute, Continuous, Screw:
		angle := twistAngle(j.endRotations(bodies))
		if counting {
			angle = j.position + wrap(angle-j.position)
		}
		j.position = angle
	}
}

// twistAngle is the angle of b against a about their z axis, in [-π, π].
func twistAngle(a, b r3.Quat) float64 {
	q := a.Conj().Mul(b)
	return wrap(float64(2 * r3.Atan2(q.Z, q.W)))
}

// wrap reduces an angle to [-π, π].
func wrap(a float64) float64 {
	return a - float64(2*math.Pi*math.Floor(float64(a*(0.5/math.Pi))+0.5))
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

// JointState is a joint's position, velocity and motor effort; zero for a removed joint.
func (w *World) JointState(id JointID) JointState {
	if !w.joints.alive(id) {
		return JointState{}
	}
	j := &w.joints.all[id.slot]
	s := JointState{Position: j.position, Effort: j.effort}
	if !j.hasAxis() {
		return s
	}
	if j.articulation != 0 {
		if art := &w.articulations[j.articulation-1]; w.bodies.isAwake(j.child) {
			s.Velocity = art.dofs[art.links[j.link].firstDof].v
		}
		return s
	}
	a, b := j.ends(&w.bodies)
	axis := a.Rot.Rotate(r3.Vec{Z: 1})
	va, vb := j.twistsAt(&w.bodies, b.Pos)
	if j.turns() {
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

// JointGap is the distance of the joint's ends in constrained directions, m.
func (w *World) JointGap(id JointID) float64 {
	if !w.joints.alive(id) {
		return 0
	}
	j := &w.joints.all[id.slot]
	a, b := j.ends(&w.bodies)
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

// JointFrame is the world pose of the joint's frame at its parent; z is the axis.
func (w *World) JointFrame(id JointID) r3.Pose {
	if !w.joints.alive(id) {
		return r3.IdentityPose()
	}
	a, _ := w.joints.all[id.slot].ends(&w.bodies)
	return a
}

// JointBodies returns the two bodies; parent is zero for the world.
func (w *World) JointBodies(id JointID) (parent, child BodyID) {
	if !w.joints.alive(id) {
		return BodyID{}, BodyID{}
	}
	j := &w.joints.all[id.slot]
	return w.bodies.id(j.parent), w.bodies.id(j.child)
}

// JointUser is the caller's index from the JointDef.
func (w *World) JointUser(id JointID) int {
	if !w.joints.alive(id) {
		return 0
	}
	return w.joints.all[id.slot].user
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
