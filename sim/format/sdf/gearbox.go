package sdf

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// gearbox is a joint that gears two others: its child's angle against a reference body is −ratio times its
// parent's. The joints between the reference body and the two carry it out.
type gearbox struct {
	joint         *joint
	parent, child int
	at            r3.Pose // of the joint frame, in the outermost model
}

// resolve makes the child's joint follow the parent's; where they are not there, or one follows another
// already, it is noted.
func (g gearbox) resolve(b *builder) error {
	d, n := g.joint.doc, g.joint.node
	ratio, err := d.Float(n, "gearbox_ratio", 1)
	if err != nil {
		return err
	}
	body, err := g.joint.owner.bodyOf(n, n.ValueOf("gearbox_reference_body"))
	if err != nil || body == nil {
		d.Note(scene.Suspicious, n, "joint %q: its gearbox_reference_body %q is no link; left out",
			g.joint.name, n.ValueOf("gearbox_reference_body"))
		return nil
	}
	var joints [2]int
	var signs [2]float64
	for i, link := range [2]int{g.parent, g.child} {
		axis, err := g.joint.axis(n.Child([2]string{"axis", "axis2"}[i]), g.at)
		if err != nil {
			return err
		}
		if joints[i], signs[i] = b.turning(body.index, link, g.at.Rot.Rotate(axis)); joints[i] < 0 {
			d.Note(scene.Unsupported, n, "joint %q: no revolute joint is between %q and link %d that it gears; left out",
				g.joint.name, body.name, link)
			return nil
		}
	}
	follower := &b.spec.Joints[joints[1]]
	if follower.Mimic.Set || joints[0] == joints[1] {
		d.Note(scene.Unsupported, n, "joint %q: joint %q follows another one already; left out", g.joint.name,
			follower.Name)
		return nil
	}
	// The teeth mesh as the file shows them: it is turns from there that are in proportion.
	factor := -ratio * signs[0] * signs[1]
	follower.Mimic = scene.Mimic{Set: true, Joint: joints[0], Multiplier: factor,
		Offset: follower.Initial - factor*b.spec.Joints[joints[0]].Initial}
	return nil
}

// turning is the joint by which a link turns against a body. Its sign is 1 about the given axis of the
// outermost model and -1 against it; without such a joint it is -1, 0.
func (b *builder) turning(body, link int, axis r3.Vec) (joint int, sign float64) {
	for i := range b.spec.Joints {
		j := &b.spec.Joints[i]
		if j.Kind != scene.Revolute && j.Kind != scene.Continuous {
			continue
		}
		way := 1.0
		switch {
		case j.Parent == body && j.Child == link:
		case j.Parent == link && j.Child == body:
			way = -1
		default:
			continue
		}
		own := b.spec.Links[j.Child].Pose.Rot.Rotate(j.Pose.Rot.Rotate(j.Axis))
		if own.Dot(axis) < 0 {
			way = -way
		}
		return i, way
	}
	return -1, 0
}
