package webots

import (
	"math"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// freedom is one axis of a joint.
type freedom struct {
	params ref
	given  bool
	kind   scene.JointKind // Revolute or Prismatic
	axis   r3.Vec          // in the parent's axes
	anchor r3.Vec          // in the parent's frame
	at     float64         // position that the file shows
}

// joint reads a joint in a Solid; in is the frame of what holds it in that Solid's link.
func (b *builder) joint(r ref, link int, in frame) {
	all := b.nodes(r, "endPoint")
	if len(all) == 0 || b.err != nil {
		if r.n.Field("endPoint") == nil { // NULL is meant to be nothing
			b.noteAt(scene.Suspicious, r, "%s without an endPoint moves nothing; left out", r.n.Type)
		}
		return
	}
	end, ok := b.open(all[0])
	if !ok {
		return
	}
	first := b.freedom(r, "jointParameters", in, r3.V(1, 0, 0))
	if r.n.Type == "SliderJoint" {
		first.kind = scene.Prismatic
	}
	j := scene.Joint{Kind: first.kind, Parent: link}
	if r.n.Type == "BallJoint" {
		j.Kind = scene.Ball
	}
	b.drives(r, "device", first, &j)
	if end.n.Type == "SolidReference" {
		b.refs = append(b.refs, loose{end, link, b.between(j, first, in), b.unbound, r, first})
		b.unbound = nil
		return
	}
	if role := baseNodes[end.n.Type].role; role != solid && role != robot && role != device {
		b.noteAt(scene.Unsupported, end, "a %s at the end of a joint; want a Solid", end.n.Type)
		return
	}
	second := freedom{kind: scene.Revolute, at: 0}
	if r.n.Type == "Hinge2Joint" {
		second = b.freedom(r, "jointParameters2", in, r3.V(0, 0, 1))
		second.anchor = first.anchor
	}
	at := b.inside(in, end)
	zero := second.undone(first.undone(at.pose))
	if r.n.Type == "Hinge2Joint" {
		zero = first.undone(second.undone(at.pose))
	}
	if r.n.Type == "BallJoint" {
		zero = at.pose
	}
	to := b.link(end, frame{b.frames[link].pose.Mul(zero), at.scale})
	state := b.state(end, to, r3.IdentityPose())
	moves(state, link, b.pose(in.pose), in.scale)
	if r.n.Type == "Hinge2Joint" {
		j = b.knuckle(r, j, first, second, to)
		first = second
		first.anchor = r3.Vec{} // where the knuckle stands
	}
	b.tie(r, j, first, to)
	b.solid(end, to, frame{r3.IdentityPose(), at.scale})
	state.End = len(b.spec.Links)
}

// freedom reads an axis; anchors and axes are given in the frame that holds the joint.
func (b *builder) freedom(r ref, name string, in frame, axis r3.Vec) freedom {
	f := freedom{kind: scene.Revolute, axis: axis, anchor: in.pose.Pos}
	p, ok := b.node(r, name)
	f.params, f.given = p, ok
	if ok {
		if p.n.Type == "JointParameters" { // a hinge's are along x unless they say otherwise
			axis = r3.V(0, 0, 1)
		}
		v, good := b.vec(p, "axis", axis).Unit()
		if !good {
			b.noteAt(scene.Suspicious, p, "an axis without direction; using %v", axis)
			v = axis
		}
		f.axis = v
		f.at = b.num(p, "position", 0)
		f.anchor = in.pose.Apply(b.vec(p, "anchor", r3.Vec{}).Mul(in.scale))
	}
	f.axis = in.pose.Rot.Rotate(f.axis)
	return f
}

// motion is the displacement of the freedom at a position, in the parent's frame.
func (f freedom) motion(q float64) r3.Pose {
	if f.kind == scene.Prismatic {
		return r3.Pose{Pos: f.axis.Scale(q), Rot: r3.Identity()}
	}
	turn := r3.AxisAngle(f.axis, q)
	return r3.Pose{Pos: f.anchor.Sub(turn.Rotate(f.anchor)), Rot: turn}
}

// undone is the pose of a joint's end at position zero: files have it at their given position.
func (f freedom) undone(p r3.Pose) r3.Pose {
	if f.at == 0 || f.axis == (r3.Vec{}) {
		return p
	}
	return f.motion(-f.at).Mul(p)
}

// between is a joint between its parent's link and another, its frame in the parent's.
func (b *builder) between(j scene.Joint, f freedom, in frame) scene.Joint {
	j.Pose = r3.Pose{Pos: b.turn.Rotate(f.anchor), Rot: r3.Identity()}
	j.Axis = b.turn.Rotate(f.axis)
	return j
}

// tie adds a joint whose child is a link of its own.
func (b *builder) tie(r ref, j scene.Joint, f freedom, to int) {
	child := b.frames[to].pose
	parent := b.frames[j.Parent].pose
	anchor := parent.Apply(f.anchor)
	if j.Kind == scene.Prismatic {
		anchor = child.Pos
	}
	j.Child = to
	j.Pose = r3.Pose{Pos: b.turn.Rotate(child.ApplyInverse(anchor)),
		Rot: b.turn.Mul(child.Rot.Conj()).Mul(parent.Rot).Mul(b.turn.Conj())}
	j.Axis = b.turn.Rotate(f.axis)
	if j.Name == "" {
		j.Name = b.spec.Links[to].Name + "_joint"
		if r.n.Def != "" {
			j.Name = r.n.Def
		}
	}
	j.Name = b.own(j.Name)
	bind(b.spec, b.unbound, j.Name)
	b.unbound = nil
	b.spec.Joints = append(b.spec.Joints, j)
	b.positioned(r, f)
}

// positioned says that a joint of the file, and its parameters, are about the joint that was added last.
func (b *builder) positioned(r ref, f freedom) {
	i := len(b.spec.Joints)
	if b.spec.Joints[i-1].Kind == scene.Ball { // which no number describes
		return
	}
	if f.given {
		b.tree.add(f.params, &scene.NodeState{Model: b.spec.Name, Joints: [2]int{i}})
	}
	if s := b.tree.last(r); r.n.Type == "Hinge2Joint" && s != nil && s.Joints == [2]int{i - 1} {
		s.Joints[1] = i // the second axis of a Hinge2Joint
		return
	}
	b.tree.add(r, &scene.NodeState{Model: b.spec.Name, Joints: [2]int{i}})
}

// knuckle puts a small body between the two axes of a Hinge2Joint, and returns the joint of the second.
func (b *builder) knuckle(r ref, j scene.Joint, first, second freedom, to int) scene.Joint {
	name := b.spec.Links[to].Name + "_knuckle"
	at := frame{b.frames[j.Parent].pose.Mul(r3.Pose{Pos: first.anchor, Rot: r3.Identity()}), r3.V(1, 1, 1)}
	mid := len(b.spec.Links)
	b.spec.Links = append(b.spec.Links, scene.Link{Name: b.own(name), Pose: b.pose(at.pose)})
	b.dynamic, b.frames = append(b.dynamic, b.dynamic[to]), append(b.frames, at)
	mass := 0.1
	b.spec.Links[mid].Inertial = scene.Inertial{Mass: mass, Pose: r3.IdentityPose(),
		Inertia: r3.Diag(r3.V(1, 1, 1).Scale(0.4 * mass * 0.03 * 0.03))}
	b.noteOnce(scene.Inferred, r, "between the two axes of a Hinge2Joint stands a body of %g kg", mass)
	b.tie(r, j, first, mid)
	out := scene.Joint{Kind: scene.Revolute, Parent: mid}
	b.drives(r, "device2", second, &out)
	return out
}

// closeLoops ties joints to the Solids that SolidReferences name.
func (b *builder) closeLoops() {
	for _, l := range b.refs {
		name := b.text(l.r, "solidName", "")
		j := l.joint
		switch to, known := b.solids[name]; {
		case name == "<static environment>":
			// The world is a parent: the joint's own parent hangs on it.
			j.Parent, j.Child = scene.World, l.link
		case known && to != l.link:
			j.Child = to
			j.Pose = b.spec.Links[to].Pose.Relative(b.spec.Links[l.link].Pose.Mul(j.Pose))
		default:
			b.noteAt(scene.Suspicious, l.r,
				"the SolidReference names %q, which is no Solid of the robot; the joint is left out",
				clip(name))
			continue
		}
		if j.Name == "" {
			j.Name = "loop"
		}
		j.Name = b.own(j.Name)
		bind(b.spec, l.devices, j.Name)
		b.spec.Joints = append(b.spec.Joints, j)
		b.positioned(l.of, l.first)
	}
}

// drives reads the stops and springs of a freedom, and the motor that moves it.
func (b *builder) drives(r ref, name string, f freedom, j *scene.Joint) {
	if f.given {
		p := f.params
		j.Damping = max(0, b.num(p, "dampingConstant", 0))
		j.Stiffness = max(0, b.num(p, "springConstant", 0))
		j.Friction = max(0, b.num(p, "staticFriction", 0))
		j.Initial = f.at
		for _, s := range []string{"suspensionSpringConstant", "suspensionDampingConstant"} {
			if b.num(p, s, 0) != 0 {
				b.noteOnce(scene.Unsupported, p,
					"the suspension along a hinge's axis is not run: it is rigid")
			}
		}
		b.stops(p, j, b.num(p, "minStop", 0), b.num(p, "maxStop", 0))
	}
	for _, k := range b.nodes(r, name) {
		d, ok := b.open(k)
		if !ok {
			continue
		}
		switch own := b.text(d, "name", ""); d.n.Type {
		case "RotationalMotor", "LinearMotor":
			j.Name = pickText(own, map[string]string{"RotationalMotor": "rotational motor",
				"LinearMotor": "linear motor"}[d.n.Type])
			b.motor(d, j)
			b.listInJoint(d, j.Parent)
		case "PositionSensor":
			b.listInJoint(d, j.Parent)
			if j.Name == "" {
				j.Name = own
			}
			j.Encoder = scene.Encoder{Position: scene.Noise{Std: max(0, b.num(d, "noise", 0)),
				Precision: max(0, b.num(d, "resolution", -1))}}
			j.Encoder.Set = j.Encoder.Position != scene.Noise{}
		case "Brake":
			b.noteOnce(scene.Unsupported, d, "brakes are not run")
		default:
			b.noteAt(scene.Unsupported, d, "%s in a joint is not run", d.n.Type)
		}
	}
	if j.Kind == scene.Revolute && !j.Limit.Set {
		j.Kind = scene.Continuous
	}
}

func pickText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (b *builder) stops(r ref, j *scene.Joint, lower, upper float64) {
	switch {
	case lower == upper: // 0 and 0: none
	case lower > upper:
		b.noteAt(scene.Suspicious, r, "end stops from %g to %g; they are ignored", lower, upper)
	default:
		j.Limit.Set, j.Limit.Lower, j.Limit.Upper = true, lower, upper
	}
}

// motor reads what a motor can do. Where the joint has no stops, those of the motor hold.
func (b *builder) motor(r ref, j *scene.Joint) {
	force := "maxTorque"
	if r.n.Type == "LinearMotor" {
		force = "maxForce"
	}
	const unlimited = 1e9
	if f := b.num(r, force, 10); f > 0 && f < unlimited {
		j.Limit.Effort = f
	}
	if v := math.Abs(b.num(r, "maxVelocity", 10)); v > 0 && v < unlimited {
		j.Limit.Velocity, j.Limit.MotorOnly = v, true
	}
	if a := b.num(r, "acceleration", -1); a > 0 && a < unlimited {
		j.Limit.Acceleration = a
	}
	if !j.Limit.Set {
		b.stops(r, j, b.num(r, "minPosition", 0), b.num(r, "maxPosition", 0))
	}
	j.Hold = true
	b.factors[j.Name] = b.num(r, "multiplier", 1)
}

// couple lets motors whose names begin alike before "::" move together, as the first of them does.
func (b *builder) couple() {
	leaders := map[string]int{}
	for i := range b.spec.Joints {
		j := &b.spec.Joints[i]
		team, _, several := strings.Cut(j.Name, "::")
		if own, motor := b.factors[j.Name]; several && motor && own != 0 {
			lead, known := leaders[team]
			if !known {
				leaders[team] = i
				continue
			}
			j.Mimic = scene.Mimic{Joint: lead, Multiplier: own / b.factors[b.spec.Joints[lead].Name],
				Set: true}
			j.Hold = false
		}
	}
}
