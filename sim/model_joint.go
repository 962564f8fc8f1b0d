package sim

import (
	"math"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// noLimit is a joint range, in rad or m, beyond which a file means none.
const noLimit = 1e6

// mergeFixed puts every link into a body. Fixed joints make one body of their links,
// and so does a joint to a link that neither weighs anything nor touches
// anything; what is fixed to the world is static.
func (p *compiledModel) mergeFixed() {
	s := p.spec
	world := len(s.Links)
	sets := newUnionFind(len(s.Links) + 1)
	for i := range s.Joints {
		if j := &s.Joints[i]; p.isFixed(j) {
			sets.join(p.attachLink(j), j.Child)
		}
	}
	if p.static {
		for i := range s.Links {
			sets.join(world, i)
		}
	} else {
		p.mergeInto(sets)
	}
	p.placements = make([]linkPlacement, len(s.Links))
	index := make([]int, len(s.Links)+1) // set → body + 1
	number := func(link int) {
		set := sets.find(link)
		if index[set] == 0 {
			index[set] = len(p.bodies) + 1
			p.bodies = append(p.bodies, modelBody{root: link, pose: s.Links[link].Pose.Upright(), kind: dynamics.Dynamic})
		}
		p.placements[link].body = index[set] - 1
	}
	number(s.Canonical) // so that it is the root of body 0
	for i := range s.Links {
		number(i)
		l := &s.Links[i]
		b := &p.bodies[p.placements[i].body]
		p.placements[i].pose = b.pose.Relative(l.Pose.Upright())
		b.floating = b.floating || l.NoGravity
		b.selfCollide = b.selfCollide || l.SelfCollide
		switch {
		case sets.find(i) == sets.find(world):
			b.kind = dynamics.Static
		case l.Kinematic:
			b.kind = dynamics.Kinematic
		}
	}
}

// attachLink is the node of a joint's parent: the world is the one after the links.
func (p *compiledModel) attachLink(j *scene.Joint) int {
	if j.Parent == scene.World {
		return len(p.spec.Links)
	}
	return j.Parent
}

// isFixed reports whether a joint keeps its links together.
func (p *compiledModel) isFixed(j *scene.Joint) bool {
	switch j.Kind {
	case scene.Revolute, scene.Continuous, scene.Prismatic, scene.Ball, scene.Universal, scene.Screw, scene.Planar, scene.Floating:
		return false
	}
	return true
}

// buildJoints describes the joints between bodies. A joint to the world holds on to a
// static body of its own, so that an entity can be moved with its anchor.
func (p *compiledModel) buildJoints() {
	s := p.spec
	p.joints = make([]modelJoint, len(s.Joints))
	anchor := -1
	for i := range s.Joints {
		j := &s.Joints[i]
		child := p.placements[j.Child].body
		kind, ok := p.kindOf(j)
		if !ok || j.Parent != scene.World && p.placements[j.Parent].body == child {
			continue
		}
		parent := anchor
		if j.Parent != scene.World {
			parent = p.placements[j.Parent].body
		} else if anchor < 0 {
			anchor = len(p.bodies)
			parent = anchor
			p.bodies = append(p.bodies, modelBody{root: s.Canonical, pose: r3.IdentityPose(), kind: dynamics.Static})
		}
		if p.bodies[parent].kind != dynamics.Dynamic && p.bodies[child].kind != dynamics.Dynamic {
			continue
		}
		at := s.Links[j.Child].Pose.Upright().Mul(j.Pose.Upright())
		p.joints[i] = modelJoint{moves: true, parent: parent, child: child, def: jointDef(j, kind)}
		p.joints[i].def.ParentFrame = p.bodies[parent].pose.Relative(at)
		p.joints[i].def.ChildFrame = p.bodies[child].pose.Relative(at)
	}
}

// splitUnion finds the bodies of links that do not touch each other.
func (p *compiledModel) splitUnion() {
	for _, pair := range p.spec.Apart {
		a, b := p.placements[pair[0]].body, p.placements[pair[1]].body
		if a != b {
			p.noCollision = append(p.noCollision, [2]int{a, b})
		}
	}
}

// kindOf is the kind of joint that stands for j; false: none does.
func (p *compiledModel) kindOf(j *scene.Joint) (dynamics.JointType, bool) {
	switch j.Kind {
	case scene.Revolute:
		if j.Limit.Set && j.Limit.Upper-j.Limit.Lower < noLimit {
			return dynamics.Revolute, true
		}
		return dynamics.Continuous, true
	case scene.Continuous:
		return dynamics.Continuous, true
	case scene.Prismatic:
		return dynamics.Prismatic, true
	case scene.Ball:
		return dynamics.Ball, true
	case scene.Universal:
		return dynamics.Universal, true
	case scene.Screw:
		return dynamics.Screw, true
	case scene.Planar:
		return dynamics.Planar, true
	}
	return 0, false
}

func jointDef(j *scene.Joint, kind dynamics.JointType) dynamics.JointDef {
	d := dynamics.JointDef{
		Type: kind, Axis: j.Axis, Axis2: j.Axis2, Pitch: j.Pitch,
		Stiffness: nonNegative(j.Stiffness), SpringRest: j.SpringRest,
		Damping: nonNegative(j.Damping), Friction: nonNegative(j.Friction),
		Armature: nonNegative(j.Armature), MaxEffort: nonNegative(j.Limit.Effort), MaxVelocity: nonNegative(j.Limit.Velocity),
	}
	if !j.Limit.MotorOnly {
		d.SpeedLimit = d.MaxVelocity
	}
	d.Limited = j.Limit.Set && kind != dynamics.Continuous && kind != dynamics.Planar &&
		j.Limit.Lower <= j.Limit.Upper && j.Limit.Upper-j.Limit.Lower < noLimit
	if kind == dynamics.Ball {
		d.Limited = d.Limited && 0 < j.Limit.Upper && j.Limit.Upper < math.Pi // which no turn exceeds
	}
	if d.Limited {
		d.Lower, d.Upper = j.Limit.Lower, j.Limit.Upper
	}
	return d
}

// nonNegative is x, or 0, which means none, for what is no usable number.
func nonNegative(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// buildBodies finds the order in which body poses follow from joint positions.
func (p *compiledModel) buildBodies() {
	at := make([][]int, len(p.bodies)) // joints that move, by either body
	for i := range p.joints {
		if j := &p.joints[i]; j.moves {
			at[j.parent], at[j.child] = append(at[j.parent], i), append(at[j.child], i)
		}
	}
	reached := make([]bool, len(p.bodies))
	queue := []int{p.placements[p.spec.Canonical].body}
	reached[queue[0]] = true
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		for _, i := range at[from] {
			j := &p.joints[i]
			b := jointEdge{joint: i, from: from, to: j.child, down: true}
			if j.child == from {
				b.to, b.down = j.parent, false
			}
			if !reached[b.to] {
				reached[b.to] = true
				p.jointEdges = append(p.jointEdges, b)
				queue = append(queue, b.to)
			}
		}
	}
}

// pose places every body of an entity whose canonical link stands at c, with
// the joints at the positions q (by ModelSpec.Joints).
func (p *compiledModel) pose(c r3.Pose, q func(joint int) float64) []r3.Pose {
	out := make([]r3.Pose, len(p.bodies))
	at := p.placements[p.spec.Canonical]
	root := c.Mul(at.pose.Inverse())
	model := root.Mul(p.bodies[at.body].pose.Inverse())
	for i := range p.bodies {
		out[i] = model.Mul(p.bodies[i].pose)
	}
	for _, b := range p.jointEdges {
		d := &p.joints[b.joint].def
		turn := jointMotion(d, q(b.joint))
		if b.down {
			out[b.to] = out[b.from].Mul(d.ParentFrame).Mul(turn).Mul(d.ChildFrame.Inverse())
		} else {
			out[b.to] = out[b.from].Mul(d.ChildFrame).Mul(turn.Inverse()).Mul(d.ParentFrame.Inverse())
		}
	}
	return out
}

// jointMotion is the child's joint frame in the parent's, at position q.
func jointMotion(d *dynamics.JointDef, q float64) r3.Pose {
	axis := d.Axis
	if axis == (r3.Vec{}) {
		axis = r3.V(1, 0, 0)
	}
	switch d.Type {
	case dynamics.Revolute, dynamics.Continuous:
		return r3.Pose{Rot: r3.AxisAngle(axis, q)}
	case dynamics.Universal: // its second angle is zero
		return r3.Pose{Rot: r3.AxisAngle(axis, q)}
	case dynamics.Screw:
		u, _ := axis.Unit()
		return r3.Pose{Pos: u.Scale(q * d.Pitch / (2 * math.Pi)), Rot: r3.AxisAngle(axis, q)}
	case dynamics.Prismatic:
		u, _ := axis.Unit()
		return r3.Pose{Pos: u.Scale(q), Rot: r3.Identity()}
	}
	return r3.IdentityPose()
}
