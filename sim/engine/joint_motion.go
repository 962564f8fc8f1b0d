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
	a, b := w.physics.Body(parent).Pose().Mul(p.Def.ParentFrame),
		w.physics.Body(child).Pose().Mul(p.Def.ChildFrame)
	seen := r3.Twist{
		Linear:  w.physics.Body(child).VelocityAt(b.Pos).Sub(w.physics.Body(parent).VelocityAt(b.Pos)),
		Angular: w.physics.Body(child).Twist().Angular.Sub(w.physics.Body(parent).Twist().Angular),
	}
	return &sim.JointMotion{Pose: a.Relative(b), Twist: seen.RotateBack(a.Rot)}
}
