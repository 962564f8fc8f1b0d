package engine

import (
	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
)

// jointMotion measures one; nil for joints that one number describes.
func (e *entity) jointMotion(p *dynamics.World, j int) *sim.JointMotion {
	if e.model.Spec.Joints[j].Kind.HasPosition() {
		return nil
	}
	joint := &e.model.Joints[j]
	parent, child := e.bodies[joint.Parent], e.bodies[joint.Child]
	a, b := p.Body(parent).Pose().Mul(joint.Def.ParentFrame),
		p.Body(child).Pose().Mul(joint.Def.ChildFrame)
	seen := r3.Twist{
		Linear:  p.Body(child).VelocityAt(b.Pos).Sub(p.Body(parent).VelocityAt(b.Pos)),
		Angular: p.Body(child).Twist().Angular.Sub(p.Body(parent).Twist().Angular),
	}
	return &sim.JointMotion{Pose: a.Relative(b), Twist: seen.RotateBack(a.Rot)}
}
