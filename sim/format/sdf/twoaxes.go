package sdf

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// split makes two hinges of a universal joint whose <axis2> has more than a direction: limits, damping,
// friction, a spring, a mimic. Between them stands a link that weighs nothing. The first keeps the joint's
// name, the second is NAME_2; both are moved and measured as any hinge.
func (b *builder) split(j *joint) error {
	first := &b.spec.Joints[len(b.spec.Joints)-1]
	axis := j.node.Child("axis2")
	if first.Kind != scene.Universal {
		return nil
	}
	mimics := len(b.mimics)
	second := scene.Joint{Name: first.Name + "_2", Kind: scene.Revolute, Parent: len(b.spec.Links),
		Child: first.Child, Pose: first.Pose, Axis: first.Axis2}
	if err := j.motion(b, axis, &second); err != nil {
		return err
	}
	if second.Limit == (scene.Limit{}) && second.Damping == 0 && second.Friction == 0 &&
		second.Stiffness == 0 && second.Initial == 0 && len(b.mimics) == mimics {
		return nil
	}
	for _, taken := b.jointIndex[second.Name]; taken; _, taken = b.jointIndex[second.Name] {
		second.Name += "_"
	}
	at := b.spec.Links[first.Child].Pose.Mul(first.Pose)
	b.spec.Links = append(b.spec.Links,
		scene.Link{Name: first.Name + "_axis", Pose: at, Virtual: true,
			Inertial: scene.Inertial{Pose: r3.IdentityPose()}})
	first.Child, first.Pose, first.Axis2, first.Kind = second.Parent, r3.IdentityPose(), r3.Vec{},
		scene.Revolute
	if !first.Limit.Set {
		first.Kind = scene.Continuous
	}
	b.jointIndex[second.Name] = len(b.spec.Joints)
	b.spec.Joints = append(b.spec.Joints, second)
	j.doc.Note(scene.Inferred, axis,
		"joint %q is two hinges, of which the second is called %q: its axes have limits or dynamics of their own",
		first.Name, second.Name)
	return nil
}
