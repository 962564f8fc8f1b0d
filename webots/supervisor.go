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

// supervisor shows the world to a controller as a tree of nodes, and changes it.
type supervisor struct {
	*robot
	nodes
	saved map[savedKey]savedState
}

func newSupervisor(r *robot) *supervisor {
	return &supervisor{robot: r, nodes: newNodes(), saved: map[savedKey]savedState{}}
}

// configure tells a supervisor of its own node.
func (v *supervisor) configure(a *wire.Answer) {
	n := v.top(v.index)
	a.To(0, wire.Configure).Int32(n.id).Int32(v.parentOf(n)).Flag(n.of.Class.Proto).Flag(n.of.Hidden)
	a.Text(n.model()).Text(n.def())
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
		v.look(ctx, command, in, a)
	case wire.NodeProto:
		v.proto(in, a)
	case wire.FieldFromName, wire.FieldFromIndex, wire.FieldCount:
		v.lookForField(command, in, a)
	case wire.FieldGet:
		v.get(in, a)
	case wire.FieldSet:
		v.set(ctx, in)
	case wire.FieldInsert:
		v.insert(ctx, in, a)
	case wire.FieldRemove:
		v.removeAt(ctx, in, a)
	case wire.NodeRemove:
		v.remove(ctx, v.node(in.Int32()), a)
	case wire.NodePosition, wire.NodeOrientation, wire.NodePose, wire.NodeCenterOfMass, wire.NodeVelocity,
		wire.NodeStaticBalance, wire.NodeContactPoints:
		v.measure(command, in, a)
	case wire.NodeRestart:
		v.restart(in.Int32())
	case wire.NodeSetJoint:
		v.placeJoint(ctx, in)
	case wire.NodeSaveState, wire.NodeLoadState:
		v.keep(ctx, command, in)
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
		wire.NodeExport: 4, wire.HeadsetUsed: 0, wire.HeadsetPosition: 0,
		wire.HeadsetOrientation: 0, wire.ExportImage: 1, wire.StartMovie: 12, wire.StartAnimation: 0, wire.SetLabel: 30, wire.SaveWorld: 1}
	size, known := sizes[command]
	if !known {
		return v.track(command, in)
	}
	first := in.Bytes(size)
	switch command {
	case wire.ExportImage, wire.StartMovie, wire.StartAnimation:
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
func (v *supervisor) look(ctx context.Context, command uint8, in *wire.Reader, a *wire.Answer) {
	var found *node
	switch command {
	case wire.NodeFromDef:
		def, proto := in.Text(), in.Int32()
		if proto > 0 || strings.Contains(def, ".") {
			v.pace(ctx) // many nodes may be looked at
		}
		if proto <= 0 {
			found = v.byDef(def)
		} else if n := v.node(proto); n != nil {
			found = v.inProto(n, def)
		}
		v.writeNode(a.To(0, command), found)
		a.Text(found.model())
		return
	case wire.NodeFromID:
		found = v.node(in.Int32())
	case wire.NodeFromTag:
		found = v.byTag(in.Int32())
	}
	v.writeNode(a.To(0, command), found)
	a.Flag(found != nil && found.of.Hidden).Text(found.model()).Text(found.def())
}

// proto tells of a PROTO that makes a node: the outermost, or the one inside of another.
func (v *supervisor) proto(in *wire.Reader, a *wire.Answer) {
	n, at := v.node(in.Int32()), in.Int32()+1
	a.To(0, wire.NodeProto)
	if n != nil && at >= 0 {
		if of := fieldsOf(n, at, false); of != nil {
			a.Int32(at).Flag(of.Body != nil && of.Body.Class.Proto).Int32(int32(len(of.Class.Fields))).Text(of.Class.Name)
			return
		}
	}
	a.Int32(-1).Flag(false).Int32(0).Text("")
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

// nodeText takes apart the text of a node: its type; nameText its name.
var (
	nodeText = regexp.MustCompile(`^\s*(?:DEF\s+\S+\s+)?([A-Za-z_][\w-]*)\s*\{`)
	nameText = regexp.MustCompile(`\bname\s+"([^"\\]{1,100})"`)
)

// insert puts a node into the world, from its text.
func (v *supervisor) insert(ctx context.Context, in *wire.Reader, a *wire.Answer) {
	id, at := in.Int32(), in.Int32()
	in.Int32()
	n := v.node(id)
	if n == nil || at < 0 || int(at) >= len(n.of.Class.Fields) {
		in.Drop() // nobody knows what it is a value of
		return
	}
	f := &n.of.Class.Fields[at]
	g := readGiven(in, f.Kind)
	if in.Err() != nil {
		return
	}
	made := int32(-1)
	if n.id == rootNode {
		made = v.importNode(ctx, g.text)
	} else {
		v.warn("nothing is put into the field %s of %s: nodes are imported among the children of the root", f.Name,
			n.called())
	}
	if f.Kind.Single() == scene.FieldNode {
		a.To(0, wire.FieldInsert).Int32(made)
		v.countChildren(a)
	}
}

// importNode spawns what a text describes, as a PROTO without fields; -1: it cannot be.
func (v *supervisor) importNode(ctx context.Context, text string) int32 {
	parts := nodeText.FindStringSubmatch(text)
	if parts == nil {
		v.warn("a node is imported whose text begins with %q; want its type", text[:min(len(text), 40)])
		return -1
	}
	name := strings.ToLower(parts[1])
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
	at := e.Spec.Placement // spawned models stand at the origin
	v.change(ctx, sim.SetEntityState{Name: e.Name, Pose: &at})
	if i, there = v.snapshot.Find(spawned.Name); !there {
		return -1
	}
	return v.top(i).id
}

// countChildren tells how many children the root has now.
func (v *supervisor) countChildren(a *wire.Answer) {
	v.refresh()
	a.To(0, wire.FieldCountChanged).Int32(rootNode).Text("children").Int32(int32(len(v.roots)))
}

// removeAt removes a node of a list.
func (v *supervisor) removeAt(ctx context.Context, in *wire.Reader, a *wire.Answer) {
	n, at, index := v.node(in.Int32()), int(in.Int32()), int(in.Int32())
	if n == nil || at < 0 || at >= len(n.of.Class.Fields) {
		return
	}
	f := &n.of.Class.Fields[at]
	if f.Kind.Single() != scene.FieldNode {
		v.warn("nothing is removed from the field %s of %s", f.Name, n.called())
		return
	}
	if f.Kind < scene.FieldList {
		index = 0
	}
	if all := v.list(n, n.of, at); index >= 0 && index < len(all) {
		v.remove(ctx, all[index], a)
	}
}

// remove takes an entity out of the world, by its top node.
func (v *supervisor) remove(ctx context.Context, n *node, a *wire.Answer) {
	if n == nil {
		return
	}
	i := v.indexOf(n)
	if i < 0 || n.of.State == nil || !n.of.State.Top {
		v.warn("%s is not removed: it is part of another node, or of the world", n.called())
		return
	}
	if _, ok := v.change(ctx, sim.Delete{Names: []string{v.snapshot.Model.Entities[i].Name}}); ok {
		a.To(0, wire.NodeRemove).Int32(n.id)
		v.countChildren(a)
	}
}

// restart starts the controller of a robot again, where it was started from here.
func (v *supervisor) restart(id int32) {
	n := v.node(id)
	if n == nil || v.indexOf(n) < 0 {
		return
	}
	e := &v.snapshot.Model.Entities[v.indexOf(n)]
	if p := v.server.started.of(e.ID); p != nil {
		p.restart()
		return
	}
	v.warn("the controller of %s was not started from here, and is not started again", e.Name)
}

// stand is where a node is, and how it moves; false: it has no pose.
func (v *supervisor) stand(n *node) (sim.LinkState, bool) {
	if n == nil || n.of.State == nil || !n.of.State.Posed {
		return sim.LinkState{}, false
	}
	if i := v.indexOf(n); i >= 0 {
		return v.linkOf(n.of.State, i), true
	}
	return sim.LinkState{Pose: n.of.State.Pose}, true
}

// unknown are numbers of what is not known.
func unknown(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// measure tells where a node is, how it moves, and what it touches.
func (v *supervisor) measure(command uint8, in *wire.Reader, a *wire.Answer) {
	var from int32
	if command == wire.NodePose {
		from = in.Int32()
	}
	id, descendants := in.Int32(), false
	if command == wire.NodeContactPoints {
		descendants = in.Uint8() != 0
	}
	n := v.node(id)
	at, posed := v.stand(n)
	if !posed && n != nil {
		v.warn("%s has no pose and no velocity: a Pose, a Solid or a node that derives from them has", n.called())
	}
	a.To(0, command)
	counts := map[uint8]int{wire.NodePosition: 3, wire.NodeOrientation: 9, wire.NodePose: 16,
		wire.NodeCenterOfMass: 3, wire.NodeVelocity: 6}
	if command == wire.NodePose {
		a.Int32(from).Int32(id)
	}
	if count := counts[command]; count > 0 && !posed {
		a.Float64(unknown(count)...)
		return
	}
	switch command {
	case wire.NodePosition:
		a.Float64(numbers(at.Pose.Pos)...)
	case wire.NodeOrientation:
		x, y, z := at.Pose.Rot.Rows()
		a.Float64(slices.Concat(numbers(x), numbers(y), numbers(z))...)
	case wire.NodePose:
		pose := at.Pose
		if base, ok := v.stand(v.node(from)); ok {
			pose = base.Pose.Relative(pose)
		}
		x, y, z := pose.Rot.Rows()
		a.Float64(x.X, x.Y, x.Z, pose.Pos.X, y.X, y.Y, y.Z, pose.Pos.Y, z.X, z.Y, z.Z, pose.Pos.Z, 0, 0, 0, 1)
	case wire.NodeCenterOfMass:
		a.Float64(numbers(v.centerOfMass(n, at.Pose.Pos))...)
	case wire.NodeVelocity:
		a.Float64(slices.Concat(numbers(at.Twist.Linear), numbers(at.Twist.Angular))...)
	case wire.NodeStaticBalance:
		v.warn("no static balance is computed")
		a.Flag(false)
	case wire.NodeContactPoints:
		a.Int32(id).Flag(descendants)
		v.writeContacts(a, n, descendants)
	}
}

// links is the part of an entity's links that a node stands for, with those below it.
func (v *supervisor) linksOf(n *node) (entity, first, end int) {
	i := v.indexOf(n)
	if i < 0 || n.of.State == nil {
		return standing, 0, 0
	}
	s, all := n.of.State, len(v.snapshot.LinksOf(i))
	return i, min(s.Link, all), min(max(s.End, s.Link+1), all)
}

// centerOfMass is that of a node's links, in the world; otherwise what has no mass.
func (v *supervisor) centerOfMass(n *node, otherwise r3.Vec) (out r3.Vec) {
	i, first, end := v.linksOf(n)
	total := 0.0
	for k := first; k < end; k++ {
		m := &v.snapshot.Model.Entities[i].Spec.Links[k].Inertial
		out = out.AddScaled(m.Mass, v.snapshot.LinksOf(i)[k].Pose.Apply(m.Pose.Pos))
		total += m.Mass
	}
	if total == 0 {
		return otherwise
	}
	return out.Scale(1 / total)
}

// writeContacts tells the points at which a node touches other entities, with those below it or without.
func (v *supervisor) writeContacts(a *wire.Answer, n *node, descendants bool) {
	if n == nil {
		a.Int32(0)
		return
	}
	i, first, end := v.linksOf(n)
	if !descendants {
		end = min(end, first+1)
	}
	var at []r3.Vec
	var links []int
	for k := range v.snapshot.Contacts {
		c := &v.snapshot.Contacts[k]
		for _, side := range [...][2]int{{c.A, c.LinkA}, {c.B, c.LinkB}} {
			if side[0] == i && side[1] >= first && side[1] < end {
				at, links = append(at, c.Position), append(links, side[1])
			}
		}
	}
	a.Int32(int32(len(at)))
	for k, p := range at {
		a.Float64(numbers(p)...).Int32(v.byLink(n, links[k]).id)
	}
}

// push sets the velocity of an entity, or accelerates it during the next step.
func (v *supervisor) push(ctx context.Context, command uint8, in *wire.Reader) {
	id := in.Int32()
	var x [6]float64
	count := map[uint8]int{wire.NodeSetVelocity: 6, wire.NodeAddForce: 3}[command]
	for k := range count {
		x[k] = in.Float64()
	}
	relative := command == wire.NodeAddForce && in.Uint8() != 0
	n := v.node(id)
	if in.Err() != nil || n == nil {
		return
	}
	i := v.indexOf(n)
	if i < 0 || n.of.State == nil || !n.of.State.Top && command != wire.NodeResetPhysics {
		v.warn("%s is not pushed: forces act, and velocities are set, on whole robots and objects", n.called())
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

// placeJoint puts a joint at a position.
func (v *supervisor) placeJoint(ctx context.Context, in *wire.Reader) {
	n, to, axis := v.node(in.Int32()), in.Float64(), in.Int32()
	if in.Err() != nil || n == nil {
		return
	}
	s, i := n.of.State, v.indexOf(n)
	if s == nil || i < 0 || axis < 1 || int(axis) > len(s.Joints) || s.Joints[axis-1] == 0 {
		v.warn("%s has no axis %d whose position can be set", n.called(), axis)
		return
	}
	v.setJoint(ctx, i, s.Joints[axis-1], to)
}

// savedKey names a saved state of a node.
type savedKey struct {
	node nodeKey
	name string
}

// savedState is the place of an entity, and the positions of its joints.
type savedState struct {
	pose   r3.Pose
	joints []sim.JointPlace
}

const (
	maxSaved     = 1000
	maxStateName = 200
	initialState = "__init__" // of the file; nobody saves it
)

// keep saves the state of an entity, or brings back a saved one, at rest.
func (v *supervisor) keep(ctx context.Context, command uint8, in *wire.Reader) {
	n, name := v.node(in.Int32()), in.Text()
	if in.Err() != nil || n == nil {
		return
	}
	i := v.indexOf(n)
	if i < 0 || n.of.State == nil || !n.of.State.Top {
		v.warn("the state of %s is not saved: whole robots and objects can be", n.called())
		return
	}
	key := savedKey{nodeKey{n.entity, n.of}, name}
	if command == wire.NodeSaveState {
		if _, again := v.saved[key]; !again && len(v.saved) >= maxSaved || len(name) > maxStateName {
			v.warn("the state of %s is not saved: at most %d states with names of %d bytes are", n.called(), maxSaved,
				maxStateName)
			return
		}
		v.saved[key] = v.stateNow(i)
		return
	}
	s, known := v.saved[key]
	if name == initialState {
		s, known = v.stateOfFile(n, i)
	}
	if !known {
		v.warn("%s has no saved state %q", n.called(), name[:min(len(name), maxStateName)])
		return
	}
	entity := v.snapshot.Model.Entities[i].Name
	v.change(ctx, sim.SetEntityState{Name: entity, Pose: &s.pose, Twist: &r3.Twist{}})
	if len(s.joints) > 0 {
		v.change(ctx, sim.SetJointPositions{Name: entity, Positions: s.joints})
	}
}

// stateNow is the state of an entity.
func (v *supervisor) stateNow(i int) savedState {
	s := savedState{pose: v.snapshot.Entities[i].Pose}
	now := v.snapshot.JointsOf(i)
	for k := range now {
		if j := &v.snapshot.Model.Entities[i].Spec.Joints[k]; placeable(j) {
			at := now[k].Position
			if j.Limit.Set {
				at = min(max(at, j.Limit.Lower), j.Limit.Upper)
			}
			s.joints = append(s.joints, sim.JointPlace{Joint: j.Name, Position: at})
		}
	}
	return s
}

// stateOfFile is the state that an entity's file gives it; false: it is not known.
func (v *supervisor) stateOfFile(n *node, i int) (savedState, bool) {
	s := savedState{pose: n.of.State.Start}
	for k := range v.snapshot.Model.Entities[i].Spec.Joints {
		if j := &v.snapshot.Model.Entities[i].Spec.Joints[k]; placeable(j) {
			s.joints = append(s.joints, sim.JointPlace{Joint: j.Name, Position: j.Initial})
		}
	}
	return s, s.pose != r3.Pose{}
}

// placeable reports that a joint can be put at a position.
func placeable(j *scene.Joint) bool {
	return (j.Kind == scene.Revolute || j.Kind == scene.Continuous || j.Kind == scene.Prismatic) && !j.Mimic.Set
}

// takeSupervisor carries out a command of a supervisor; false: the rest of the message cannot be read.
func (r *robot) takeSupervisor(ctx context.Context, command uint8, in *wire.Reader, a *wire.Answer) bool {
	if r.supervisor == nil {
		r.skip(fmt.Sprintf("%q, which is no supervisor,", r.spec.Robot.Name), command, in)
		return false
	}
	return r.supervisor.take(ctx, command, in, a)
}
