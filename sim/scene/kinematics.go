package scene

import (
	"math"

	"simdeck/sim/r3"
)

// LinkPoses appends the poses of all links in the model frame, by forward kinematics from the canonical link,
// which stays where the file has it. The joints are at positions q, by Joints; those that one number does not
// describe stay as the file has them. Of a ring of joints the last one is passed over.
func (m *ModelSpec) LinkPoses(q func(joint int) float64, dst []r3.Pose) []r3.Pose {
	from := len(dst)
	for i := range m.Links {
		dst = append(dst, m.Links[i].Pose.Upright())
	}
	poses, known := dst[from:], make([]bool, len(m.Links))
	next := make([]int, 0, len(m.Links))
	reach := func(link int) {
		if !known[link] {
			known[link] = true
			next = append(next, link)
		}
	}
	follow := func() {
		for ; len(next) > 0; next = next[1:] {
			for j := range m.Joints {
				m.follow(j, next[0], q, poses, known, reach)
			}
		}
	}
	if m.Canonical < len(m.Links) {
		reach(m.Canonical)
	}
	follow()
	for j := range m.Joints { // trees that stand in the world on their own
		if m.Joints[j].Parent == World {
			m.follow(j, World, q, poses, known, reach)
			follow()
		}
	}
	for i := range m.Links {
		reach(i)
		follow()
	}
	return dst
}

// follow places the link at the other end of a joint from one that is placed.
func (m *ModelSpec) follow(j, link int, q func(int) float64, poses []r3.Pose, known []bool,
	reach func(int)) {
	joint := &m.Joints[j]
	child, parent := joint.Child, joint.Parent
	if child < 0 || child >= len(m.Links) || parent >= len(m.Links) {
		return
	}
	// Where the joint frame is in the parent at zero, and how the joint moves it.
	base, turned := r3.IdentityPose(), r3.IdentityPose()
	if parent >= 0 {
		base, turned = m.Links[parent].Pose.Upright(), poses[parent]
	}
	frame := joint.Pose.Upright()
	rest := base.Inverse().Mul(m.Links[child].Pose.Upright()).Mul(frame)
	switch {
	case link == parent && !known[child]:
		poses[child] = turned.Mul(rest).Mul(joint.At(q(j))).Mul(frame.Inverse())
		reach(child)
	case link == child && parent >= 0 && !known[parent]:
		poses[parent] = poses[child].Mul(frame).Mul(joint.At(q(j)).Inverse()).Mul(rest.Inverse())
		reach(parent)
	}
}

// At is the child's joint frame in the parent's, at position q in rad or m; a universal joint's second angle
// is zero.
func (j *Joint) At(q float64) r3.Pose {
	axis, ok := j.Axis.Unit()
	if !ok {
		axis = r3.V(1, 0, 0)
	}
	switch j.Kind {
	case Revolute, Continuous, Universal:
		return r3.Pose{Rot: r3.AxisAngle(axis, q)}
	case Screw:
		return r3.Pose{Pos: axis.Scale(q * j.Pitch / (2 * math.Pi)), Rot: r3.AxisAngle(axis, q)}
	case Prismatic:
		return r3.Pose{Pos: axis.Scale(q), Rot: r3.Identity()}
	}
	return r3.IdentityPose()
}
