package webots

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/webots/wire"
)

// supervisor shows the world to a controller as a tree of nodes: a root whose children are the entities.
type supervisor struct {
	*robot
	ids  map[uint64]int32  // of nodes, by the IDs of entities; the root is 0
	defs map[uint64]string // of entities that it has made
	next int32
}

func newSupervisor(r *robot) *supervisor {
	return &supervisor{robot: r, ids: map[uint64]int32{}, defs: map[uint64]string{}}
}

const rootNode = 0

// field is a field of a node that a supervisor can read; what it cannot change is refused.
type field struct {
	name string
	kind int32
}

// entityFields are the fields of an entity; those after the first three are a robot's.
var entityFields = []field{{"translation", wire.FieldVec3}, {"rotation", wire.FieldRotation},
	{"name", wire.FieldString}, {"model", wire.FieldString}, {"controller", wire.FieldString},
	{"customData", wire.FieldString}, {"supervisor", wire.FieldBool}}

var rootFields = []field{{"children", wire.FieldNode + wire.ManyValues}}

// idOf is the id of an entity's node.
func (v *supervisor) idOf(e *sim.EntityModel) int32 {
	id, known := v.ids[e.ID]
	if !known {
		v.next++
		id = v.next
		v.ids[e.ID] = id
	}
	return id
}

// entity is the entity of a node, as an index; -1: it is the root, or gone.
func (v *supervisor) entityOf(id int32) int {
	for i := range v.snapshot.Model.Entities {
		if known, ok := v.ids[v.snapshot.Model.Entities[i].ID]; ok && known == id {
			return i
		}
	}
	return -1
}

// fieldsOf are the fields of a node.
func (v *supervisor) fieldsOf(id int32) []field {
	if id == rootNode {
		return rootFields
	}
	i := v.entityOf(id)
	switch {
	case i < 0:
		return nil
	case v.snapshot.Model.Entities[i].Spec.Robot != nil:
		return entityFields
	}
	return entityFields[:3]
}

// defOf is the DEF of an entity.
func (v *supervisor) defOf(e *sim.EntityModel) string {
	if def, own := v.defs[e.ID]; own {
		return def
	}
	return e.Spec.Def
}

// typeOf is the type of an entity's node.
func typeOf(e *sim.EntityModel) string {
	if e.Spec.Robot != nil {
		return "Robot"
	}
	return "Solid"
}

// writeNode tells of a node: its id, type, tag, parent, whether it is a PROTO, and its model. One that is not
// there has the id 0.
func (v *supervisor) writeNode(a *wire.Answer, i int) {
	if i < 0 {
		a.Int32(0).Int32(0).Int32(-1).Int32(-1).Flag(false)
		return
	}
	e := &v.snapshot.Model.Entities[i]
	a.Int32(v.idOf(e)).Int32(int32(v.server.nodes[typeOf(e)])).Int32(-1).Int32(rootNode).Flag(false)
}

func (v *supervisor) modelOf(i int) string {
	if i < 0 {
		return ""
	}
	return typeOf(&v.snapshot.Model.Entities[i])
}

// configure tells a supervisor of its own node.
func (v *supervisor) configure(a *wire.Answer) {
	e := &v.snapshot.Model.Entities[v.index]
	a.To(0, wire.Configure).Int32(v.idOf(e)).Int32(rootNode).Flag(false).Flag(false).Text(typeOf(e))
	a.Text(v.defOf(e))
}

// change carries out a command at once, and looks at what came of it.
func (v *supervisor) change(ctx context.Context, c sim.Command) (sim.Reply, bool) {
	v.pace(ctx)
	reply, err := v.server.c.Backend.Do(ctx, c)
	if err != nil {
		if ctx.Err() == nil {
			v.warn("%s: %v", sim.Describe(c), err)
		}
		return nil, false
	}
	v.find(v.server.c.Backend.Snapshot())
	return reply, true
}

// take carries out a command; false: it is none of a supervisor.
func (v *supervisor) take(ctx context.Context, command uint8, in *wire.Reader, a *wire.Answer) bool {
	switch command {
	case wire.ChangeMode, wire.SimulationQuit, wire.SimulationReset, wire.ReloadWorld, wire.LoadWorld,
		wire.ResetPhysics:
		v.simulate(ctx, command, in)
	case wire.NodeFromDef, wire.NodeFromID, wire.NodeFromTag, wire.NodeSelected:
		v.look(command, in, a)
	case wire.FieldFromName, wire.FieldFromIndex, wire.FieldCount:
		v.lookForField(command, in, a)
	case wire.FieldGet:
		v.get(in, a)
	case wire.FieldSet:
		v.set(ctx, in)
	case wire.FieldInsert:
		v.insert(ctx, in, a)
	case wire.FieldRemove:
		_, _, index := in.Int32(), in.Int32(), int(in.Int32())
		if index >= 0 && index < len(v.snapshot.Model.Entities) {
			v.remove(ctx, index, a)
		}
	case wire.NodeRemove:
		v.remove(ctx, v.entityOf(in.Int32()), a)
	case wire.NodePosition, wire.NodeOrientation, wire.NodePose, wire.NodeCenterOfMass, wire.NodeVelocity,
		wire.NodeStaticBalance, wire.NodeContactPoints:
		v.measure(command, in, a)
	case wire.NodeRestart:
		v.restart(in.Int32())
	case wire.NodeSetVelocity, wire.NodeResetPhysics, wire.NodeAddForce:
		v.push(ctx, command, in)
	default:
		return v.decline(command, in, a)
	}
	return true
}

// decline reads a command that is not served, and answers where the library waits for an answer.
func (v *supervisor) decline(command uint8, in *wire.Reader, a *wire.Answer) bool {
	sizes := map[uint8]int{wire.StopMovie: 0, wire.StopAnimation: 0,
		wire.NodeSetVisibility: 9, wire.NodeMoveViewpoint: 4, wire.NodeAddForceAt: 53, wire.NodeAddTorque: 29,
		wire.NodeSetJoint: 16, wire.NodeExport: 4, wire.HeadsetUsed: 0, wire.HeadsetPosition: 0,
		wire.HeadsetOrientation: 0, wire.NodeSaveState: 4, wire.NodeLoadState: 4, wire.ExportImage: 1,
		wire.NodeProto: 8, wire.StartMovie: 12, wire.StartAnimation: 0, wire.SetLabel: 30, wire.SaveWorld: 1}
	size, known := sizes[command]
	if !known {
		return v.track(command, in)
	}
	first := in.Bytes(size)
	switch command {
	case wire.NodeSaveState, wire.NodeLoadState, wire.ExportImage, wire.StartMovie, wire.StartAnimation:
		in.Text()
	case wire.SetLabel:
		in.Text()
		in.Text()
	case wire.SaveWorld:
		if len(first) == 1 && first[0] == 1 {
			in.Text()
		}
		a.To(0, wire.SaveWorld).Flag(false)
	case wire.NodeExport:
		a.To(0, command).Text("")
	case wire.NodeProto:
		a.To(0, command).Int32(-1).Flag(false).Int32(0).Text("")
	case wire.HeadsetUsed:
		a.To(0, command).Flag(false)
	case wire.HeadsetPosition:
		a.To(0, command).Float64(math.NaN(), math.NaN(), math.NaN())
	case wire.HeadsetOrientation:
		a.To(0, command).Float64(make([]float64, 9)...)
	}
	v.warn("command %d of a supervisor is not served", command)
	return true
}

// track reads that values are to be told unasked. They are told when they are asked for.
func (v *supervisor) track(command uint8, in *wire.Reader) bool {
	switch command {
	case wire.TrackField:
		in.Bytes(9)
	case wire.TrackPose:
		in.Bytes(8)
	case wire.TrackContactPoints:
		in.Bytes(5)
	default:
		v.skip("the supervisor", command, in)
		return false
	}
	if in.Uint8() == 1 {
		in.Int32()
	}
	return true
}

// simulate changes how the simulation goes.
func (v *supervisor) simulate(ctx context.Context, command uint8, in *wire.Reader) {
	switch command {
	case wire.ChangeMode:
		switch mode := in.Int32(); mode {
		case modePause:
			v.to(ctx, sim.Paused)
		case modeRealTime, modeFast:
			factor := 1.0
			if mode == modeFast {
				factor = 0
			}
			v.change(ctx, sim.SetPacing{RealTime: factor})
			v.to(ctx, sim.Playing)
		default:
			v.warn("mode %d of the simulation; want 0 to 2", mode)
		}
	case wire.SimulationQuit:
		in.Int32()
		v.to(ctx, sim.Quitting)
	case wire.SimulationReset, wire.ReloadWorld:
		v.change(ctx, sim.Reset{Scope: sim.ResetAll})
	case wire.LoadWorld:
		v.change(ctx, sim.LoadWorld{Resource: sim.Resource{URI: in.Text()}, IgnoreMissingAssets: true})
	case wire.ResetPhysics:
		for i := range v.snapshot.Model.Entities {
			if e := &v.snapshot.Model.Entities[i]; !e.Static {
				v.change(ctx, sim.SetEntityState{Name: e.Name, Twist: &r3.Twist{}})
			}
		}
	}
}

func (v *supervisor) to(ctx context.Context, s sim.State) {
	if v.server.c.Backend.Snapshot().State != s {
		v.change(ctx, sim.SetState{State: s})
	}
}

// look finds a node.
func (v *supervisor) look(command uint8, in *wire.Reader, a *wire.Answer) {
	found := -1
	switch command {
	case wire.NodeFromDef:
		def := in.Text()
		in.Int32() // of a PROTO inside of which it is looked for
		for i := range v.snapshot.Model.Entities {
			if v.defOf(&v.snapshot.Model.Entities[i]) == def && def != "" {
				found = i
				break
			}
		}
		v.writeNode(a.To(0, command), found)
		a.Text(v.modelOf(found))
		return
	case wire.NodeFromID:
		found = v.entityOf(in.Int32())
	case wire.NodeFromTag:
		in.Int32()
		v.warn("devices are no nodes for a supervisor")
	}
	v.writeNode(a.To(0, command), found)
	a.Flag(false).Text(v.modelOf(found)) // no part of a PROTO
	if found >= 0 {
		a.Text(v.defOf(&v.snapshot.Model.Entities[found]))
	} else {
		a.Text("")
	}
}

// lookForField finds a field by its name or place, or counts them.
func (v *supervisor) lookForField(command uint8, in *wire.Reader, a *wire.Answer) {
	node := in.Int32()
	all := v.fieldsOf(node)
	if command == wire.FieldCount {
		in.Uint8()
		a.To(0, command).Int32(int32(len(all)))
		return
	}
	found := -1
	proto := v.readProto(in)
	if command == wire.FieldFromName {
		name := in.Text()
		found = slices.IndexFunc(all, func(f field) bool { return f.name == name })
		if found < 0 {
			v.warn("no field %q of a node is served; there are translation, rotation, name, and a robot's", name)
		}
	} else if i := in.Int32(); i >= 0 && int(i) < len(all) {
		found = int(i)
	}
	inside := in.Uint8() != 0 || proto != noProto
	a.To(0, command)
	if found < 0 || inside {
		a.Int32(-1).Int32(0).Flag(false).Int32(-1)
		v.writeShown(a, -1, -1)
		a.Text("")
		return
	}
	count := int32(-1)
	if all[found].kind >= wire.ManyValues {
		count = int32(len(v.snapshot.Model.Entities))
	}
	a.Int32(int32(found)).Int32(all[found].kind).Flag(false).Int32(count)
	v.writeShown(a, node, int32(found))
	a.Text(all[found].name)
}

// noProto says that a field is a node's own.
const noProto = -1

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

// get tells the value of a field.
func (v *supervisor) get(in *wire.Reader, a *wire.Answer) {
	node, proto := in.Int32(), v.readProto(in)
	at := in.Int32()
	in.Uint8()
	all := v.fieldsOf(node)
	a.To(0, wire.FieldGet)
	if at < 0 || int(at) >= len(all) {
		a.Int32(0) // the node is gone
		return
	}
	f := all[at]
	a.Int32(f.kind).Int32(node)
	if v.server.c.Release >= protoFields {
		a.Int32(proto)
	}
	a.Int32(at)
	if node == rootNode {
		index := int(in.Int32())
		if index < 0 || index >= len(v.snapshot.Model.Entities) {
			a.Int32(0)
			return
		}
		v.writeNode(a, index)
		a.Text(v.modelOf(index)).Text(v.defOf(&v.snapshot.Model.Entities[index]))
		return
	}
	i := v.entityOf(node)
	e, pose := &v.snapshot.Model.Entities[i], v.snapshot.Entities[i].Pose
	switch f.name {
	case "translation":
		a.Float64(numbers(pose.Pos)...)
	case "rotation":
		axis, angle := axisAngle(pose.Rot)
		a.Float64(axis.X, axis.Y, axis.Z, angle)
	case "name":
		a.Text(v.nameOf(e))
	case "model":
		a.Text(e.Spec.Robot.Model)
	case "controller":
		a.Text(e.Spec.Controller)
	case "customData":
		a.Text(v.server.air.customData(e))
	case "supervisor":
		a.Flag(e.Spec.Robot.Supervisor)
	}
}

func (v *supervisor) nameOf(e *sim.EntityModel) string {
	if e.Spec.Robot != nil {
		return e.Spec.Robot.Name
	}
	return e.Name
}

// axisAngle is a turn as a unit axis and an angle; no turn is about z.
func axisAngle(q r3.Quat) (axis r3.Vec, angle float64) {
	d := q.Vector()
	angle = d.Len()
	axis, ok := d.Unit()
	if !ok {
		return r3.V(0, 0, 1), 0
	}
	return axis, angle
}

// set changes the value of a field.
func (v *supervisor) set(ctx context.Context, in *wire.Reader) {
	node, at, kind := in.Int32(), in.Int32(), in.Int32()
	in.Int32() // place in a list
	var x [4]float64
	text := ""
	switch kind &^ wire.ManyValues {
	case wire.FieldBool:
		in.Uint8()
	case wire.FieldInt32:
		in.Int32()
	case wire.FieldString:
		text = in.Text()
	default:
		for i := range map[int32]int{wire.FieldFloat: 1, wire.FieldVec2: 2, wire.FieldVec3: 3,
			wire.FieldColor: 3, wire.FieldRotation: 4}[kind&^wire.ManyValues] {
			x[i] = in.Float64()
		}
	}
	all, i := v.fieldsOf(node), v.entityOf(node)
	if in.Err() != nil || i < 0 || at < 0 || int(at) >= len(all) || all[at].kind != kind {
		return
	}
	e, pose := &v.snapshot.Model.Entities[i], v.snapshot.Entities[i].Pose
	switch all[at].name {
	case "translation":
		pose.Pos = r3.V(x[0], x[1], x[2])
	case "rotation":
		axis, ok := r3.V(x[0], x[1], x[2]).Unit()
		if !ok {
			v.warn("a rotation about %v %v %v; want an axis", x[0], x[1], x[2])
			return
		}
		pose.Rot = r3.AxisAngle(axis, x[3])
	case "customData":
		v.server.air.setCustomData(e, text)
		return
	default:
		v.warn("the field %s of %s cannot be set", all[at].name, e.Name)
		return
	}
	v.change(ctx, sim.SetEntityState{Name: e.Name, Pose: &pose})
}

// nodeText takes apart the text of a node: DEF, type.
var (
	nodeText = regexp.MustCompile(`^\s*(?:DEF\s+(\S+)\s+)?([A-Za-z_][\w-]*)\s*\{`)
	nameText = regexp.MustCompile(`\bname\s+"([^"\\]{1,100})"`)
)

// insert puts a node into the world, from its text.
func (v *supervisor) insert(ctx context.Context, in *wire.Reader, a *wire.Answer) {
	node, at := in.Int32(), in.Int32()
	in.Int32()
	text := in.Text()
	if in.Err() != nil {
		return
	}
	id := int32(-1)
	if node == rootNode && at == 0 {
		id = v.importNode(ctx, text)
	} else {
		v.warn("nodes are imported among the children of the root only")
	}
	a.To(0, wire.FieldInsert).Int32(id)
	v.countChildren(a)
}

// importNode spawns what a text describes, as a PROTO without fields; -1: it cannot be.
func (v *supervisor) importNode(ctx context.Context, text string) int32 {
	parts := nodeText.FindStringSubmatch(text)
	if parts == nil {
		v.warn("a node is imported whose text begins with %q; want its type", text[:min(len(text), 40)])
		return -1
	}
	name := strings.ToLower(parts[2])
	if given := nameText.FindStringSubmatch(text); given != nil {
		name = given[1]
	}
	document := "#VRML_SIM R2023b utf8\nPROTO Imported [ ]\n{\n" + text + "\n}\n"
	reply, ok := v.change(ctx, sim.Spawn{Name: sim.NameFrom(name), AllowRenaming: true,
		Resource: scene.Resource{Document: document}})
	spawned, named := reply.(sim.Spawned)
	if !ok || !named {
		return -1
	}
	i, there := v.snapshot.Find(spawned.Name)
	if !there {
		return -1
	}
	e := &v.snapshot.Model.Entities[i]
	v.defs[e.ID] = parts[1]
	at := e.Spec.Placement // spawned models stand at the origin
	v.change(ctx, sim.SetEntityState{Name: e.Name, Pose: &at})
	return v.idOf(e)
}

// countChildren tells how many children the root has now.
func (v *supervisor) countChildren(a *wire.Answer) {
	a.To(0, wire.FieldCountChanged).Int32(rootNode).Text("children")
	a.Int32(int32(len(v.snapshot.Model.Entities)))
}

// remove takes an entity out of the world.
func (v *supervisor) remove(ctx context.Context, i int, a *wire.Answer) {
	if i < 0 {
		return
	}
	e := v.snapshot.Model.Entities[i]
	if _, ok := v.change(ctx, sim.Delete{Names: []string{e.Name}}); ok {
		a.To(0, wire.NodeRemove).Int32(v.idOf(&e))
		v.countChildren(a)
	}
}

// restart starts the controller of a robot again, where it was started from here.
func (v *supervisor) restart(node int32) {
	i := v.entityOf(node)
	if i < 0 {
		return
	}
	e := &v.snapshot.Model.Entities[i]
	if p := v.server.started.of(e.ID); p != nil {
		p.restart()
		return
	}
	v.warn("the controller of %s was not started from here, and is not started again", e.Name)
}

// measure tells where an entity is, how it moves, and what it touches.
func (v *supervisor) measure(command uint8, in *wire.Reader, a *wire.Answer) {
	var from int32
	if command == wire.NodePose {
		from = in.Int32()
	}
	node, descendants := in.Int32(), false
	if command == wire.NodeContactPoints {
		descendants = in.Uint8() != 0
	}
	i := v.entityOf(node)
	a.To(0, command)
	pose, twist := r3.IdentityPose(), r3.Twist{}
	if i >= 0 {
		pose, twist = v.snapshot.Entities[i].Pose, v.snapshot.Entities[i].Twist
	}
	switch command {
	case wire.NodePosition:
		a.Float64(numbers(pose.Pos)...)
	case wire.NodeOrientation:
		x, y, z := pose.Rot.Rows()
		a.Float64(slices.Concat(numbers(x), numbers(y), numbers(z))...)
	case wire.NodePose:
		if k := v.entityOf(from); k >= 0 {
			pose = v.snapshot.Entities[k].Pose.Relative(pose)
		}
		x, y, z := pose.Rot.Rows()
		a.Int32(from).Int32(node)
		a.Float64(x.X, x.Y, x.Z, pose.Pos.X, y.X, y.Y, y.Z, pose.Pos.Y, z.X, z.Y, z.Z, pose.Pos.Z, 0, 0, 0, 1)
	case wire.NodeCenterOfMass:
		a.Float64(numbers(v.centerOfMass(i))...)
	case wire.NodeVelocity:
		a.Float64(slices.Concat(numbers(twist.Linear), numbers(twist.Angular))...)
	case wire.NodeStaticBalance:
		v.warn("no static balance is computed")
		a.Flag(false)
	case wire.NodeContactPoints:
		a.Int32(node).Flag(descendants)
		v.writeContacts(a, node, i)
	}
}

// centerOfMass is that of an entity's links, in the world.
func (v *supervisor) centerOfMass(i int) (out r3.Vec) {
	if i < 0 {
		return out
	}
	total, links := 0.0, v.snapshot.LinksOf(i)
	for k := range links {
		m := &v.snapshot.Model.Entities[i].Spec.Links[k].Inertial
		out = out.AddScaled(m.Mass, links[k].Pose.Apply(m.Pose.Pos))
		total += m.Mass
	}
	if total == 0 {
		return v.snapshot.Entities[i].Pose.Pos
	}
	return out.Scale(1 / total)
}

// writeContacts tells the points at which an entity touches others.
func (v *supervisor) writeContacts(a *wire.Answer, node int32, i int) {
	var at []r3.Vec
	for _, c := range v.snapshot.Contacts {
		if c.A == i || c.B == i {
			at = append(at, c.Position)
		}
	}
	a.Int32(int32(len(at)))
	for _, p := range at {
		a.Float64(numbers(p)...).Int32(node)
	}
}

// push sets the velocity of an entity, or accelerates it during the next step.
func (v *supervisor) push(ctx context.Context, command uint8, in *wire.Reader) {
	node := in.Int32()
	var x [6]float64
	n := map[uint8]int{wire.NodeSetVelocity: 6, wire.NodeAddForce: 3}[command]
	for k := range n {
		x[k] = in.Float64()
	}
	relative := command == wire.NodeAddForce && in.Uint8() != 0
	i := v.entityOf(node)
	if in.Err() != nil || i < 0 {
		return
	}
	e := &v.snapshot.Model.Entities[i]
	c := sim.SetEntityState{Name: e.Name}
	linear := r3.V(x[0], x[1], x[2])
	if command != wire.NodeAddForce {
		c.Twist = &r3.Twist{Linear: linear, Angular: r3.V(x[3], x[4], x[5])}
		v.change(ctx, c)
		return
	}
	mass := 0.0
	for k := range e.Spec.Links {
		mass += e.Spec.Links[k].Inertial.Mass
	}
	if mass == 0 {
		v.warn("a force on %s, which has no mass", e.Name)
		return
	}
	if relative {
		linear = v.snapshot.Entities[i].Pose.Rot.Rotate(linear)
	}
	c.Accel = &r3.Twist{Linear: linear.Scale(1 / mass)}
	v.change(ctx, c)
}

// takeSupervisor carries out a command of a supervisor; false: the rest of the message cannot be read.
func (r *robot) takeSupervisor(ctx context.Context, command uint8, in *wire.Reader, a *wire.Answer) bool {
	if r.supervisor == nil {
		r.skip(fmt.Sprintf("%q, which is no supervisor,", r.spec.Robot.Name), command, in)
		return false
	}
	return r.supervisor.take(ctx, command, in, a)
}
