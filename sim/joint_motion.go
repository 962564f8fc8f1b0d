package sim

import "simdeck/sim/r3"

// JointMotion is how a joint with several freedoms stands and moves: the joint's frame on the child's side,
// seen from that on the parent's. At zero, as the file has the links, both are one.
type JointMotion struct {
	Pose  r3.Pose
	Twist r3.Twist // as the parent sees it, in its axes
}

// jointMotion measures one; nil for joints that one number describes.
func (w *World) jointMotion(e *entity, j int) *JointMotion {
	if e.model.Spec.Joints[j].Kind.HasPosition() {
		return nil
	}
	p := &e.model.Joints[j]
	parent, child := e.bodies[p.Parent], e.bodies[p.Child]
	a, b := w.physics.Pose(parent).Mul(p.Def.ParentFrame), w.physics.Pose(child).Mul(p.Def.ChildFrame)
	seen := r3.Twist{
		Linear:  w.physics.VelocityAt(child, b.Pos).Sub(w.physics.VelocityAt(parent, b.Pos)),
		Angular: w.physics.Twist(child).Angular.Sub(w.physics.Twist(parent).Angular),
	}
	return &JointMotion{a.Relative(b), seen.RotateBack(a.Rot)}
}
