package webots

import (
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// builder makes one model of the tree below a Solid.
type builder struct {
	*reader
	spec    *scene.ModelSpec
	turn    r3.Quat // from the file's axes to the model's
	robot   bool
	wheels  bool   // it is a DifferentialWheels
	dynamic []bool // by link: it has Physics
	frames  []frame
	names   source.Names
	solids  map[string]int // links by the names of their Solids
	refs    []loose
	factors map[string]float64 // of motors, by their joints
	imus    map[int]int        // by link: the sensor that gyro and accelerometer share
	loose   []free
	unbound []int // devices of the joint that is being read
	led     led
	world   r3.Pose // of the model frame, in the file's axes
	states  []*scene.NodeState
}

// loose is a joint whose other end is named, and found when all Solids are read.
type loose struct {
	r     ref
	link  int
	joint scene.Joint

	devices []int // of the joint
	of      ref
	first   freedom
}

// free is a Solid with Physics inside one without: it is a body of its own.
type free struct {
	r  ref
	at frame // in the model's frame
}

// model reads a Solid that stands in the world, or in a group there, with all that hangs on it. Def is its
// name in the file, which that of a PROTO stands before.
func (rd *reader) model(r ref, def string, f frame) {
	isRobot := baseNodes[r.n.Type].role == robot
	own := rd.inside(f, r)
	b := rd.builder(r, own.pose, isRobot)
	b.spec.Info.Category = scene.Object
	if isRobot {
		b.spec.Info.Category = scene.Robot
	}
	b.wheels = r.n.Type == "DifferentialWheels"
	if b.spec.Def = def; isRobot {
		b.controlled(r)
	}
	link := b.link(r, frame{r3.IdentityPose(), own.scale})
	state := b.state(r, link, r3.IdentityPose())
	state.Top = true
	moves(state, -1, rd.inWorld(f.pose), f.scale)
	b.solid(r, link, frame{r3.IdentityPose(), own.scale})
	state.End = len(b.spec.Links)
	b.closeLoops()
	b.couple()
	b.decideBase(r)
	if isRobot {
		if r.n.Type == "DifferentialWheels" {
			b.oldDrive(r)
		} else {
			b.inferDrive(r)
		}
		switch c := rd.text(r, "controller", "void"); c {
		case "void", "<none>", "":
		case scene.ExternController, "<generic>":
			b.spec.Controller = c
		default:
			b.spec.Controller = c
			rd.noteAt(scene.Inferred, r, "controller %q is run with --run-controllers only: without it the robot waits for commands", clip(c))
		}
	}
	b.finish()
	for _, l := range b.loose {
		rd.model(l.r, l.r.n.Def, frame{own.pose.Mul(l.at.pose), l.at.scale})
	}
}

func (rd *reader) builder(r ref, at r3.Pose, isRobot bool) *builder {
	name := rd.text(r, "name", lower(r))
	b := &builder{reader: rd, robot: isRobot, turn: rd.axes.local(isRobot, r.file.yUp), names: source.Names{},
		solids: map[string]int{}, imus: map[int]int{}, factors: map[string]float64{}, world: at}
	b.spec = &scene.ModelSpec{Name: rd.unique(name), Format: "webots", Frame: r3.IdentityPose(),
		Placement: r3.IdentityPose()}
	return b
}

// finish puts the model into the world.
func (b *builder) finish() {
	if b.err != nil {
		return
	}
	at := r3.Pose{Pos: b.axes.world.Rotate(b.world.Pos),
		Rot: b.axes.world.Mul(b.world.Rot).Mul(b.turn.Conj())}
	if q, ok := at.Rot.Unit(); ok {
		at.Rot = q
	}
	for _, s := range b.states {
		if s.Top {
			s.Start = at
		}
	}
	b.reader.spec.Models = append(b.reader.spec.Models,
		scene.Placed{Name: b.spec.Name, Model: b.spec, Pose: at, Static: b.spec.Static})
}

// scenery is a model of what is only seen: shapes that stand in no Solid.
func (rd *reader) scenery(r ref, f frame) {
	b := rd.builder(r, f.pose, false)
	b.spec.Static = true
	b.link(r, worldFrame)
	b.child(r, 0, frame{r3.IdentityPose(), f.scale})
	top := rd.tree.last(r)
	if top == nil {
		top = b.state(r, 0, r3.IdentityPose())
	}
	if len(b.spec.Links[0].Visuals) == 0 && len(b.spec.Links) == 1 {
		rd.names.Release(b.spec.Name)
		for _, s := range b.states { // they stand in the world
			*s = scene.NodeState{Posed: s.Posed, Pose: rd.inWorld(f.pose).Mul(s.Pose)}
		}
		return
	}
	top.Top = true
	moves(top, -1, rd.inWorld(f.pose), f.scale)
	b.finish()
}

// pose turns a pose from the file's axes to those of the model, on both sides.
func (b *builder) pose(p r3.Pose) r3.Pose {
	return r3.Pose{Pos: b.turn.Rotate(p.Pos), Rot: b.turn.Mul(p.Rot).Mul(b.turn.Conj())}
}

// fixed turns a pose from the file's axes on the outside only: of a shape that has its own axes.
func (b *builder) fixed(p r3.Pose) r3.Pose {
	return r3.Pose{Pos: b.turn.Rotate(p.Pos), Rot: b.turn.Mul(p.Rot)}
}

// link adds a link for a Solid that stands in a frame of the model.
func (b *builder) link(r ref, at frame) int {
	i := len(b.spec.Links)
	name := b.text(r, "name", lower(r))
	if i == 0 && b.robot {
		name = "base_link"
	}
	if main := b.main.doc; main.Budget.Links <= 0 {
		b.fail(r.file, r.n.Pos, "more links than one document may have")
		return 0
	} else {
		main.Budget.Links--
	}
	if _, taken := b.solids[b.text(r, "name", lower(r))]; !taken {
		b.solids[b.text(r, "name", lower(r))] = i
	}
	b.spec.Links = append(b.spec.Links, scene.Link{Name: b.own(name), Pose: b.pose(at.pose),
		Immersions: immersions(b, r)})
	_, physics := b.get(r, "physics")
	b.dynamic = append(b.dynamic, physics)
	b.frames = append(b.frames, at)
	return i
}

// own is a name that nothing in the model has yet.
func (b *builder) own(name string) string {
	if name == "" {
		name = "link"
	}
	return b.names.Take(name)
}

// solid reads what a Solid is made of into its link; in is the frame of the Solid in the link.
func (b *builder) solid(r ref, link int, in frame) {
	if b.flag(r, "selfCollision", false) {
		b.spec.Links[link].SelfCollide = true
	}
	if b.flag(r, "locked", false) && b.dynamic[link] {
		b.noteAt(scene.Unsupported, r, "locked is not run: %q stays free", b.spec.Links[link].Name)
	}
	for _, name := range []string{"linearVelocity", "angularVelocity"} {
		if v, ok := b.get(r, name); ok && !v.Empty() && !zeros(v.Numbers) {
			b.note(scene.Unsupported, v.file, v.Pos, "%s of a Solid is not run", name)
		}
	}
	b.bounding(r, link, in)
	if p, ok := b.node(r, "physics"); ok {
		b.physics(r, p, link, in)
	}
	for i, k := range b.nodes(r, "children") {
		if b.err != nil {
			return
		}
		if r.n.Type == "LED" && i > 0 {
			b.led.glowing = false // only its first child shows it
		}
		if o, ok := b.open(k); ok {
			b.child(o, link, in)
		}
	}
}

func zeros(all []float64) bool {
	for _, x := range all {
		if x != 0 {
			return false
		}
	}
	return len(all) > 0
}

// child reads an opened node inside a Solid.
func (b *builder) child(r ref, link int, in frame) {
	if b.err != nil {
		return
	}
	switch baseNodes[r.n.Type].role {
	case visual:
		b.visual(r, link, in)
	case group:
		inner := b.inside(in, r)
		b.state(r, link, b.pose(inner.pose))
		for _, k := range b.nodes(r, "children") {
			if o, ok := b.open(k); ok {
				b.child(o, link, inner)
			}
			if b.err != nil {
				return
			}
		}
	case solid, robot:
		b.nested(r, link, in)
	case device:
		b.device(r, link, in)
	case joint:
		b.joint(r, link, in)
	case propeller:
		readPropeller(b, r, link, in)
	case light:
		if b.led.lamp > 0 {
			b.noteAt(scene.Unsupported, r, "%s of an LED is not run: its shapes glow, and light nothing", r.n.Type)
			return
		}
		b.noteOnce(scene.Inferred, r, "lights inside of Solids stand where these are at the beginning")
		at := b.world.Mul(b.frames[link].pose).Mul(in.pose)
		b.light(r, at)
	case surrounding:
	default:
		if r.n.Type == "Slot" {
			if o, ok := b.node(r, "endPoint"); ok {
				b.child(o, link, in)
			}
			return
		}
		b.noteAt(scene.Unsupported, r, "%s is not run", r.n.Type)
	}
}

// nested reads a Solid inside another: a link fixed to it, or a body of its own where only the inner one has
// Physics.
func (b *builder) nested(r ref, link int, in frame) {
	_, physics := b.get(r, "physics")
	at := b.inside(in, r)
	if physics && !b.robot && !b.moving() {
		whole := frame{b.frames[link].pose.Mul(in.pose), in.scale}
		b.loose = append(b.loose, free{r, whole})
		return
	}
	to := b.link(r, frame{b.frames[link].pose.Mul(at.pose), at.scale})
	state := b.state(r, to, r3.IdentityPose())
	if side := b.text(r, "name", ""); b.wheels && link == 0 &&
		(side == "left wheel" || side == "right wheel") {
		b.oldWheel(side, to)
		moves(state, link, b.pose(in.pose), in.scale)
	} else {
		b.fix(link, to)
	}
	b.solid(r, to, frame{r3.IdentityPose(), at.scale})
	state.End = len(b.spec.Links)
}

// moving reports that some link has Physics.
func (b *builder) moving() bool {
	for _, d := range b.dynamic {
		if d {
			return true
		}
	}
	return false
}

// fix joins a link to another for good.
func (b *builder) fix(parent, child int) {
	b.spec.Joints = append(b.spec.Joints,
		scene.Joint{Name: b.own(b.spec.Links[child].Name + "_fixed"), Kind: scene.Fixed,
			Parent: parent, Child: child, Pose: r3.IdentityPose(), Axis: r3.V(1, 0, 0)})
}

// decideBase decides what holds the model: of one without Physics only motors move something, and a base
// without it stands in the world.
func (b *builder) decideBase(r ref) {
	motors := b.err == nil && b.robot && b.moveKinematically(r)
	switch {
	case !b.moving() && !motors:
		b.spec.Static = true
		if b.spec.HasMovingJoint() {
			b.noteAt(scene.Unsupported, r, "nothing of %q has Physics, and no motor moves it: its joints are held still",
				b.spec.Name)
		}
	case !b.dynamic[0]:
		b.spec.Joints = append(b.spec.Joints,
			scene.Joint{Name: b.own("world_fixed"), Kind: scene.Fixed, Parent: scene.World,
				Pose: r3.IdentityPose(), Axis: r3.V(1, 0, 0)})
	}
	if b.spec.Static && b.spec.Info.Category == scene.Object {
		b.spec.Info.Category = scene.StaticObject
	}
}
