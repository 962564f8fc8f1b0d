package engine

import (
	"simdeck/sim"
	"simdeck/sim/r3"
)

// jointMotion measures one; nil for joints that one number describes.
func (w *World) jointMotion(e *entity, j int) *sim.JointMotion {
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
	return &sim.JointMotion{Pose: a.Relative(b), Twist: seen.RotateBack(a.Rot)}
}
