package sdf

import (
	"math"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// unlimited is the size from which a limit means that there is none: files write 1e16.
const unlimited = 1e15

// read resolves a joint. False: its kind is not known, which is noted.
func (j *joint) read(b *builder) (scene.Joint, bool, error) {
	d, n := j.doc, j.node
	out := scene.Joint{Name: j.owner.prefix + j.name, Parent: scene.World}
	if j.owner.isAbsent(j.child) || j.owner.isAbsent(j.parent) {
		d.Note(scene.Missing, n, "joint %q connects to a model that is missing; left out%s", j.name,
			j.owner.lacking())
		return out, false, nil
	}
	child, err := j.owner.bodyOf(n, j.child)
	if err != nil {
		return out, false, err
	}
	parent, err := j.owner.bodyOf(n, j.parent)
	switch {
	case err != nil:
		return out, false, err
	case child == nil:
		return out, false, d.Errorf(n, "joint %q has the world as child", j.name)
	case child == parent:
		return out, false, d.Errorf(n, "joint %q joins link %q to itself", j.name, child.name)
	}
	out.Child = child.index
	if parent != nil {
		out.Parent = parent.index
	}
	at, err := j.owner.entityPose(j.entity)
	if err != nil {
		return out, false, err
	}
	at = j.owner.top.Mul(at)
	out.Pose = child.top.Relative(at)
	return j.kind(b, out, at)
}

// sensors gives the sensors that stand in a joint to its child link.
func (j *joint) sensors(b *builder, index int) error {
	out := &b.spec.Joints[index]
	for _, n := range j.node.All("sensor") {
		if e, ok := gazebo.Encoder(j.doc, n); ok {
			out.Encoder = e
			continue
		}
		at, _, err := pose(j.doc, n, j.owner.version)
		if err == nil {
			err = j.doc.Take(n, source.SensorParts)
		}
		if err != nil {
			return err
		}
		s := gazebo.Sensor(j.doc, n, out.Pose.Mul(at))
		if s.Kind != scene.ForceTorque {
			j.doc.Note(scene.Suspicious, n,
				"sensor %q of type %q is in a joint; attached to the child link", s.Name,
				n.Get("type"))
		}
		s.Force.Set, s.Force.Joint = s.Kind == scene.ForceTorque, index
		l := &b.spec.Links[out.Child]
		l.Sensors = append(l.Sensors, s)
	}
	return nil
}

// jointTypes are those of the format.
var jointTypes = []string{"revolute", "continuous", "prismatic", "fixed", "ball", "universal", "revolute2",
	"screw", "gearbox"}

// kind reads what depends on the type; at is the joint frame in the outermost model.
func (j *joint) kind(b *builder, out scene.Joint, at r3.Pose) (scene.Joint, bool, error) {
	d, n := j.doc, j.node
	switch text := n.Get("type"); text {
	case "fixed":
		out.Kind = scene.Fixed
		return out, true, nil
	case "ball":
		out.Kind = scene.Ball
		return out, true, nil
	case "revolute":
		out.Kind = scene.Revolute
	case "continuous":
		out.Kind = scene.Continuous
	case "prismatic":
		out.Kind = scene.Prismatic
	case "screw":
		out.Kind = scene.Screw
	case "universal", "revolute2":
		out.Kind = scene.Universal
	case "gearbox":
		b.gears = append(b.gears, gearbox{j, out.Parent, out.Child, at})
		return out, false, nil
	case "":
		return out, false, d.Errorf(n, "joint %q has no type", j.name)
	default:
		return out, false, d.Errorf(n,
			"joint %q has type %q; known are revolute, continuous, prismatic, fixed, ball, universal, revolute2, screw and gearbox%s",
			j.name, text, source.Near(text, jointTypes))
	}
	if n.Child("axis") == nil {
		d.Note(scene.Suspicious, n, "%s joint %q has no <axis>; using z", n.Get("type"), j.name)
	}
	var err error
	if out.Axis, err = j.axis(n.Child("axis"), at); err != nil {
		return out, false, err
	}
	if out.Kind == scene.Universal {
		if out.Axis2, err = j.axis(n.Child("axis2"), at); err != nil {
			return out, false, err
		}
	}
	if err = j.screw(&out); err == nil {
		err = j.motion(b, n.Child("axis"), &out)
	}
	return out, err == nil, err
}

// axis reads a unit vector and turns it into the joint frame.
func (j *joint) axis(n *xmltree.Node, at r3.Pose) (r3.Vec, error) {
	xyz := n.Child("xyz")
	if xyz.Value() == "" {
		return r3.V(0, 0, 1), nil
	}
	v, err := j.doc.Vec(xyz, xyz.Text)
	if err != nil {
		return v, err
	}
	v, ok := v.Unit()
	if !ok {
		return v, j.doc.Errorf(xyz, "axis %q of joint %q has no direction", xyz.Value(), j.name)
	}
	frame := xyz.Get("expressed_in")
	old := isTrue(n.ValueOf("use_parent_model_frame")) ||
		(j.owner.version.before(1, 5) && n.Child("use_parent_model_frame") == nil)
	if frame == "" && old {
		frame = "__model__"
	}
	if frame == "" || frame == j.name {
		return v, nil
	}
	if j.frame != "" && frame == "__model__" {
		frame = j.frame
	}
	in, err := j.owner.poseIn(xyz, frame)
	if err != nil {
		j.doc.Note(scene.Suspicious, xyz,
			"the axis of joint %q is expressed in %q, which is not in %q; using the joint's own frame",
			j.name, frame, j.owner.name)
		return v, nil
	}
	return at.Rot.RotateBack(j.owner.top.Mul(in).Rot.Rotate(v)), nil
}

// screw reads the pitch: metres per turn since 1.10, before that radians per metre with the opposite sign.
func (j *joint) screw(out *scene.Joint) error {
	if out.Kind != scene.Screw {
		return nil
	}
	var err error
	if k := j.node.Child("screw_thread_pitch"); k != nil {
		out.Pitch, err = j.doc.Number(k, k.Text)
		return err
	}
	old, err := j.doc.Float(j.node, "thread_pitch", 1)
	if err == nil && old != 0 {
		out.Pitch = -2 * math.Pi / old
	}
	return err
}

// motion reads limits, dynamics and mimic of an axis.
func (j *joint) motion(b *builder, axis *xmltree.Node, out *scene.Joint) error {
	d, limit := j.doc, axis.Child("limit")
	var err error
	if out.Limit, err = limits(d, limit); err != nil {
		return err
	}
	if out.Kind == scene.Continuous {
		out.Limit.Set = false
	}
	if out.Kind == scene.Revolute && !out.Limit.Set {
		out.Kind = scene.Continuous
	}
	dyn := axis.Child("dynamics")
	for _, f := range []struct {
		name string
		to   *float64
	}{{"damping", &out.Damping}, {"friction", &out.Friction}, {"spring_stiffness", &out.Stiffness},
		{"spring_reference", &out.SpringRest}} {
		if *f.to, err = d.Float(dyn, f.name, 0); err != nil {
			return err
		}
	}
	if out.Initial, err = d.Float(axis, "initial_position", 0); err != nil {
		return err
	}
	if k := axis.Child("mimic"); k != nil {
		b.mimics = append(b.mimics, mimic{j, k, len(b.spec.Joints)})
	}
	return nil
}

// limits reads <limit>. Anything beyond 1e15 is no limit; a lower above the upper is noted and both are
// swapped.
func limits(d *source.Doc, n *xmltree.Node) (scene.Limit, error) {
	out := scene.Limit{}
	value := func(name string, otherwise float64) (float64, error) {
		k := n.Child(name)
		if k.Value() == "" {
			return otherwise, nil
		}
		f, err := source.ParseFloat(k.Text)
		if err != nil || math.IsNaN(f) {
			return 0, d.Errorf(k, "%q in <%s> is not a number", k.Value(), name)
		}
		return f, nil
	}
	var v [4]float64
	for i, name := range []string{"lower", "upper", "effort", "velocity"} {
		var err error
		if v[i], err = value(name, [4]float64{math.Inf(-1), math.Inf(1), -1, -1}[i]); err != nil {
			return out, err
		}
	}
	if v[0] > v[1] {
		d.Note(scene.Suspicious, n, "lower limit %g is above the upper %g; they are swapped", v[0], v[1])
		v[0], v[1] = v[1], v[0]
	}
	if v[0] > -unlimited || v[1] < unlimited {
		out.Set, out.Lower, out.Upper = true, max(v[0], -unlimited), min(v[1], unlimited)
	}
	if v[2] > 0 && v[2] < unlimited {
		out.Effort = v[2]
	}
	if v[3] > 0 && v[3] < unlimited {
		out.Velocity = v[3]
	}
	return out, nil
}

// mimic is a <mimic> whose leader is looked up once all joints are read.
type mimic struct {
	joint *joint
	node  *xmltree.Node
	index int // of the follower
}

func (m mimic) resolve(b *builder) error {
	d, name := m.joint.doc, m.joint.owner.prefix+m.node.Get("joint")
	leader, ok := b.jointIndex[name]
	if !ok || leader == m.index {
		return d.Errorf(m.node, "joint %q follows joint %q, which is not there%s", m.joint.name,
			m.node.Get("joint"), source.NearKey(m.node.Get("joint"), b.jointIndex))
	}
	multiplier, err := d.Float(m.node, "multiplier", 1)
	if err != nil {
		return err
	}
	offset, err := d.Float(m.node, "offset", 0)
	if err != nil {
		return err
	}
	reference, err := d.Float(m.node, "reference", 0)
	if err != nil {
		return err
	}
	b.spec.Joints[m.index].Mimic = scene.Mimic{Joint: leader, Multiplier: multiplier,
		Offset: offset - multiplier*reference, Set: true}
	return nil
}
