package webots

import (
	"context"
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/webots/wire"
)

// noProto says that a field is a node's own.
const noProto = -1

// fieldsOf is the node whose fields are meant: the node itself, one of the PROTOs that make it, or its base
// node inside of them. Nil: there is none, or its body is not at hand.
func fieldsOf(n *node, proto int32, inside bool) *scene.TreeNode {
	of := n.of
	switch {
	case proto >= 0:
		for ; proto > 0 && of != nil; proto-- {
			of = of.Body
		}
		if of == nil || !of.Class.Proto {
			return nil
		}
	case inside:
		for of != nil && of.Class.Proto {
			of = of.Body
		}
	}
	return of
}

// lookForField finds a field by its name or place, or counts them.
func (v *supervisor) lookForField(command uint8, in *wire.Reader, a *wire.Answer) {
	id, proto := in.Int32(), int32(noProto)
	if command != wire.FieldCount {
		proto = v.readProto(in)
	}
	name, at := "", -1
	switch command {
	case wire.FieldFromName:
		name = in.Text()
	case wire.FieldFromIndex:
		at = int(in.Int32())
	}
	inside := in.Uint8() != 0
	n := v.node(id)
	var of *scene.TreeNode
	if n != nil {
		of = fieldsOf(n, proto, inside)
	}
	switch {
	case command == wire.FieldCount:
		count := int32(-1)
		if of != nil {
			count = int32(len(of.Class.Fields))
		}
		a.To(0, command).Int32(count)
		return
	case of == nil:
		at = -1
	case command == wire.FieldFromName:
		i, known := of.Class.Index[name]
		if at = i; !known {
			at = -1
			v.warn("%s has no field %q", n.called(), name[:min(len(name), 60)])
		}
	}
	a.To(0, command)
	if of == nil || at < 0 || at >= len(of.Class.Fields) {
		a.Int32(-1).Int32(0).Flag(false).Int32(-1)
		v.writeShown(a, -1, -1)
		a.Text("")
		return
	}
	f := &of.Class.Fields[at]
	count := int32(-1)
	switch {
	case f.Kind == scene.FieldNode+scene.FieldList:
		count = int32(len(v.list(n, of, at)))
	case f.Kind >= scene.FieldList:
		count = int32(of.Value(at).Len(f.Kind))
	}
	a.Int32(int32(at)).Int32(int32(f.Kind)).Flag(inside || proto >= 0 || n.of.Hidden).Int32(count)
	if of == n.of && !of.Hidden {
		v.writeShown(a, id, int32(at))
	} else {
		v.writeShown(a, -1, -1)
	}
	a.Text(f.Name)
}

// readProto reads the number of the PROTO that a field belongs to.
func (v *supervisor) readProto(in *wire.Reader) int32 {
	if v.server.c.Release < protoFields {
		return noProto
	}
	return in.Int32()
}

// writeShown tells which field of the scene tree a field is.
func (v *supervisor) writeShown(a *wire.Answer, node, at int32) {
	if v.server.c.Release >= protoFields {
		a.Int32(node).Int32(at)
	}
}

// value is the value of a field without nodes: the state of what moves, and else that of the file.
func (v *supervisor) value(n *node, of *scene.TreeNode, at int) scene.FieldValue {
	if now, state := v.stateOf(n, of, &of.Class.Fields[at]); state {
		return now
	}
	return *of.Value(at)
}

// stateOf is the value of a field that is state; false: it is none.
func (v *supervisor) stateOf(n *node, of *scene.TreeNode, f *scene.NodeField) (scene.FieldValue, bool) {
	s, i := of.State, v.indexOf(n)
	if s == nil || i < 0 {
		return scene.FieldValue{}, false
	}
	numeric := func(x ...float64) (scene.FieldValue, bool) { return scene.FieldValue{Numbers: x}, true }
	switch {
	case f.Name == "translation" && f.Kind == scene.FieldVec3 && s.Moves:
		return numeric(numbers(v.local(s, i).Pos)...)
	case f.Name == "rotation" && f.Kind == scene.FieldRotation && s.Moves:
		axis, angle := axisAngle(v.local(s, i).Rot)
		return numeric(axis.X, axis.Y, axis.Z, angle)
	case f.Name == "linearVelocity" && f.Kind == scene.FieldVec3 && s.End > 0:
		return numeric(numbers(v.linkOf(s, i).Twist.Linear)...)
	case f.Name == "angularVelocity" && f.Kind == scene.FieldVec3 && s.End > 0:
		return numeric(numbers(v.linkOf(s, i).Twist.Angular)...)
	case jointOfField(of, f) > 0:
		if joints := v.snapshot.JointsOf(i); jointOfField(of, f) <= len(joints) {
			return numeric(joints[jointOfField(of, f)-1].Position)
		}
	case isCustomData(of, f):
		e := &v.snapshot.Model.Entities[i]
		return scene.FieldValue{Strings: []string{v.server.air.customData(e)}}, true
	}
	return scene.FieldValue{}, false
}

// jointOfField is the joint whose position a field is, as NodeState has it; 0: it is none.
func jointOfField(of *scene.TreeNode, f *scene.NodeField) int {
	if f.Kind != scene.FieldFloat || of.State == nil {
		return 0
	}
	switch f.Name {
	case "position":
		return of.State.Joints[0]
	case "position2":
		return of.State.Joints[1]
	}
	return 0
}

// isCustomData reports that a field is the customData of a robot, which its controller writes, too.
func isCustomData(of *scene.TreeNode, f *scene.NodeField) bool {
	return f.Name == "customData" && f.Kind == scene.FieldString && of.State != nil && of.State.Top
}

// linkOf is the state of the link that a node is in, at the node.
func (v *supervisor) linkOf(s *scene.NodeState, i int) sim.LinkState {
	if links := v.snapshot.LinksOf(i); s.Link < len(links) {
		return links[s.Link].At(s.Pose)
	}
	return sim.LinkState{Pose: r3.IdentityPose()}
}

// frameOf is the frame that a node's translation is in.
func (v *supervisor) frameOf(s *scene.NodeState, i int) r3.Pose {
	if links := v.snapshot.LinksOf(i); s.FrameLink >= 0 && s.FrameLink < len(links) {
		return links[s.FrameLink].Pose.Mul(s.Frame)
	}
	return s.Frame
}

// local is the pose of a node that moves, in the frame that holds it.
func (v *supervisor) local(s *scene.NodeState, i int) r3.Pose {
	out := v.frameOf(s, i).Relative(v.linkOf(s, i).Pose)
	if s.Scale != r3.V(1, 1, 1) {
		out.Pos = r3.V(out.Pos.X/s.Scale.X, out.Pos.Y/s.Scale.Y, out.Pos.Z/s.Scale.Z)
	}
	return out
}

// get tells the value of a field.
func (v *supervisor) get(in *wire.Reader, a *wire.Answer) {
	id, proto := in.Int32(), v.readProto(in)
	at, inside := in.Int32(), in.Uint8() != 0
	n := v.node(id)
	var of *scene.TreeNode
	if n != nil {
		of = fieldsOf(n, proto, inside)
	}
	a.To(0, wire.FieldGet)
	if of == nil || at < 0 || int(at) >= len(of.Class.Fields) {
		a.Int32(0) // the node is gone
		if in.More() && n == nil {
			in.Drop() // nobody knows whether it was a list, whose place comes next
		}
		return
	}
	f := &of.Class.Fields[at]
	a.Int32(int32(f.Kind)).Int32(id)
	if v.server.c.Release >= protoFields {
		a.Int32(proto)
	}
	a.Int32(at)
	index := 0
	if f.Kind >= scene.FieldList {
		index = int(in.Int32())
	}
	if f.Kind.Single() == scene.FieldNode {
		all := v.list(n, of, int(at))
		if index < 0 || index >= len(all) {
			a.Int32(0) // NULL
			return
		}
		v.writeNode(a, all[index])
		a.Text(all[index].model()).Text(all[index].def())
		return
	}
	value := v.value(n, of, int(at))
	if index < 0 || index >= value.Len(f.Kind) {
		value, index = scene.FieldValue{}, 0 // zeros
	}
	writeValue(a, f.Kind, &value, index)
}

// writeValue tells one value of a field; what is not there is zero, or empty.
func writeValue(a *wire.Answer, kind scene.FieldKind, value *scene.FieldValue, i int) {
	switch count := kind.Numbers(); {
	case kind.Single() == scene.FieldBool:
		a.Flag(i < len(value.Bools) && value.Bools[i])
	case kind.Single() == scene.FieldString:
		s := ""
		if i < len(value.Strings) {
			s = value.Strings[i]
		}
		a.Text(s)
	case kind.Single() == scene.FieldInt32:
		x := 0.0
		if i < len(value.Numbers) {
			x = min(max(value.Numbers[i], math.MinInt32), math.MaxInt32)
		}
		a.Int32(int32(x))
	case (i+1)*count > len(value.Numbers):
		a.Float64(make([]float64, count)...)
	default:
		a.Float64(value.Numbers[i*count : (i+1)*count]...)
	}
}

// given is a value that a controller sends.
type given struct {
	x    [4]float64
	text string
}

// readGiven reads a value of a kind.
func readGiven(in *wire.Reader, kind scene.FieldKind) (g given) {
	switch kind.Single() {
	case scene.FieldBool:
		in.Uint8()
	case scene.FieldInt32:
		in.Int32()
	case scene.FieldString, scene.FieldNode: // of a node its text
		g.text = in.Text()
	default:
		for i := range kind.Numbers() {
			g.x[i] = in.Float64()
		}
	}
	return g
}

// set changes the value of a field.
func (v *supervisor) set(ctx context.Context, in *wire.Reader) {
	id, at, kind := in.Int32(), in.Int32(), scene.FieldKind(in.Int32())
	in.Int32() // place in a list
	g := readGiven(in, kind)
	n := v.node(id)
	if in.Err() != nil || n == nil || at < 0 || int(at) >= len(n.of.Class.Fields) {
		return
	}
	f := &n.of.Class.Fields[at]
	if f.Kind != kind {
		return
	}
	if reason := v.assign(ctx, n, f, g); reason != "" {
		v.warn("the field %s of %s cannot be set%s", f.Name, n.called(), reason)
	}
}

// assign gives a field a value, or says why that cannot be.
func (v *supervisor) assign(ctx context.Context, n *node, f *scene.NodeField, g given) string {
	s, i := n.of.State, v.indexOf(n)
	if s == nil || i < 0 || n.of.Hidden {
		return ": only the state of the world is"
	}
	e := &v.snapshot.Model.Entities[i]
	placed := f.Name == "translation" && f.Kind == scene.FieldVec3 || f.Name == "rotation" && f.Kind == scene.FieldRotation
	switch {
	case placed && s.Top:
		return v.moveTo(ctx, n, f.Kind, g)
	case placed && s.Moves:
		return ": its joint moves it, whose position can be set"
	case placed:
		return ": it is fixed to what holds it"
	case jointOfField(n.of, f) > 0:
		v.setJoint(ctx, i, jointOfField(n.of, f), g.x[0])
	case isCustomData(n.of, f):
		v.server.air.setCustomData(e, g.text)
	default:
		return ": poses, positions of joints and customData can be"
	}
	return ""
}

// moveTo moves an entity, whose top node is to have another translation or rotation.
func (v *supervisor) moveTo(ctx context.Context, n *node, kind scene.FieldKind, g given) string {
	s, i := n.of.State, v.indexOf(n)
	to := v.local(s, i)
	if kind == scene.FieldVec3 {
		to.Pos = r3.V(g.x[0], g.x[1], g.x[2])
	} else {
		axis, ok := r3.V(g.x[0], g.x[1], g.x[2]).Unit()
		if !ok {
			return fmt.Sprintf(" to a rotation about %v %v %v; want an axis", g.x[0], g.x[1], g.x[2])
		}
		to.Rot = r3.AxisAngle(axis, g.x[3])
	}
	to.Pos = to.Pos.Mul(s.Scale)
	pose := s.Frame.Mul(to).Mul(s.Pose.Inverse())
	v.change(ctx, sim.SetEntityState{Name: v.snapshot.Model.Entities[i].Name, Pose: &pose})
	return ""
}

// setJoint puts a joint of an entity at a position, within its stops.
func (v *supervisor) setJoint(ctx context.Context, i, joint int, to float64) {
	e := &v.snapshot.Model.Entities[i]
	if joint < 1 || joint > len(e.Spec.Joints) {
		return
	}
	j := &e.Spec.Joints[joint-1]
	if l := &j.Limit; l.Set && !(to >= l.Lower && to <= l.Upper) {
		v.warn("position %g of %q in %s is beyond its stops: it goes to the nearer one", to, j.Name, e.Name)
		to = min(max(to, l.Lower), l.Upper)
	}
	v.change(ctx, sim.SetJointPositions{Name: e.Name, Positions: []sim.JointPlace{{Joint: j.Name, Position: to}}})
}
