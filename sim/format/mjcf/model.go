package mjcf

import (
	"math"
	"strconv"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// subtree is all bodies that move when a joint of body i does: bodies are numbered so that they follow it.
func (b *build) subtree(i int) []int {
	in := map[int]bool{i: true}
	out := []int{i}
	for k := i + 1; k < len(b.bodies) && b.bodies[k].parent >= i; k++ {
		if in[b.bodies[k].parent] {
			in[k] = true
			out = append(out, k)
		}
	}
	return out
}

// felt is the inertia that a joint feels, all others held, in kg·m² or kg.
func (b *build) felt(j *joint) float64 {
	at := b.bodies[j.body].at
	pos, axis := at.Apply(j.pos), at.Rot.Rotate(j.axis)
	sum := j.armature
	for _, k := range b.subtree(j.body) {
		n := b.bodies[k]
		if j.kind == scene.Prismatic {
			sum += n.mass.Mass
			continue
		}
		centre := n.at.Mul(n.mass.Pose)
		arm := centre.Pos.Sub(pos).Cross(axis)
		local := centre.Rot.RotateBack(axis)
		sum += n.mass.Mass*arm.Len2() + local.Dot(n.mass.Inertia.Apply(local))
	}
	return sum
}

// resolveTimeConstants finds the springs that are given by how fast they come to rest.
func (b *build) resolveTimeConstants() {
	for _, j := range b.joints {
		if t := j.timeConstant; t[0] > 0 && j.kind != scene.Ball {
			m := b.felt(j)
			j.stiff, j.damping = m/(t[0]*t[0]*t[1]*t[1]), 2*m/t[0]
		}
	}
}

// finish finds the motors of joints, once all actuators and their inputs are known.
func (b *build) finish() error {
	newPairing(b).meet()
	b.round()
	b.move()
	for _, t := range b.tendons {
		b.strain(t)
	}
	b.pullAll()
	for _, j := range b.joints {
		j.splitOff(b)
		if len(j.drives) > 0 {
			b.actuate(j)
		}
	}
	return nil
}

// trees are the bodies of the world, each with all that hangs on it or is tied to it.
func (b *build) trees() [][]int {
	root := make(forest, len(b.bodies))
	for i := 1; i < len(b.bodies); i++ {
		if root[i] = i; b.bodies[i].parent > 0 {
			root[i] = root[b.bodies[i].parent]
		}
	}
	join := func(i, k int) {
		if from, to := root.find(i), root.find(k); min(from, to) > 0 {
			root[max(from, to)] = min(from, to)
		}
	}
	for _, t := range b.equalities {
		join(t.bodies[0], t.bodies[1])
	}
	for _, j := range b.joints {
		if j.mimic != nil {
			join(j.body, b.joints[j.mimic.joint].body)
		}
	}
	for i := range b.transmissions {
		first := 0
		for _, k := range b.transmissions[i].bodies(b) {
			if join(first, k); first == 0 {
				first = k
			}
		}
	}
	var out [][]int
	number := map[int]int{}
	for i := 1; i < len(b.bodies); i++ {
		k, known := number[root.find(i)]
		if !known {
			k = len(out)
			number[root.find(i)] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}

// forest is disjoint sets (union–find): of each element one that is nearer to the root of its tree, or
// itself.
type forest []int

// find is the root of an element; the way to it becomes shorter.
func (f forest) find(i int) int {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// assembly is bodies on their way to a model.
type assembly struct {
	*build
	spec   *scene.ModelSpec
	links  map[int]int // by body
	joints map[int]int // by joint of the file
	// the joint between a body and its parent, the last one of several
	carriers map[int]int
	names    source.Names
	jnames   source.Names
	tnames   source.Names
}

// reserve makes room for the links and joints of bodies. All joints of a body but one have a virtual link.
func (s *assembly) reserve(bodies []int) {
	joints := 0
	for _, i := range bodies {
		joints += max(1, len(s.build.bodies[i].joints))
	}
	s.spec.Links, s.spec.Joints = make([]scene.Link, 0, joints), make([]scene.Joint, 0, joints)
}

// model makes a model of bodies, in the order of the file.
func (b *build) model(name string, bodies []int) *scene.ModelSpec {
	s := &assembly{build: b, links: map[int]int{}, joints: map[int]int{},
		carriers: map[int]int{}, names: source.Names{},
		jnames: source.Names{}, tnames: source.Names{},
		spec: &scene.ModelSpec{Name: name, Format: "mjcf", Static: true, Placement: r3.IdentityPose(),
			// meshes that move touch with their convex hulls
			Info: scene.Info{Convex: scene.Convex{Parts: 1}}}}
	s.reserve(bodies)
	for _, i := range bodies {
		s.add(i)
	}
	for _, i := range bodies {
		s.hang(i)
	}
	for _, i := range bodies {
		for _, k := range b.bodies[i].joints {
			if m := b.joints[k].mimic; m != nil {
				s.spec.Joints[s.joints[k]].Mimic = scene.Mimic{Set: true, Joint: s.joints[m.joint],
					Multiplier: m.factor, Offset: m.offset}
			}
		}
	}
	s.bind()
	s.transmit()
	s.equip()
	s.spec.Keyframes = b.keyframes
	s.spec.Canonical = s.links[bodies[0]]
	s.spec.Frame = b.moved(b.bodies[bodies[0]])
	return s.spec
}

// moved is the pose of a body in the world at the start, when those above it are at zero.
func (b *build) moved(n *body) r3.Pose {
	at := n.at
	for _, i := range n.joints {
		at = b.joints[i].behind(at)
	}
	return at
}

// behind is the pose of a body behind a joint at the start, from that before it.
func (j *joint) behind(at r3.Pose) r3.Pose {
	by := r3.IdentityPose()
	turn, turned := j.turn.Unit()
	switch {
	case j.kind == scene.Prismatic:
		by.Pos = j.axis.Scale(j.initial)
	case j.kind == scene.Revolute:
		by.Rot = r3.AxisAngle(j.axis, j.initial)
	case turned:
		by.Rot = turn
	}
	hinge := r3.Pose{Pos: j.pos, Rot: r3.Identity()}
	return at.Mul(hinge).Mul(by).Mul(hinge.Inverse())
}

// gimbal reports that three hinges of a body, which nothing refers to, have a common point and no limits.
// They are a ball joint, and as such have no singular position.
func (b *build) gimbal(n *body) bool {
	if len(n.joints) != 3 {
		return false
	}
	j := [3]*joint{b.joints[n.joints[0]], b.joints[n.joints[1]], b.joints[n.joints[2]]}
	for _, x := range j {
		if x.name != "" || x.kind != scene.Revolute || x.limited || x.stiff != 0 || x.armature != 0 ||
			x.mimic != nil || x.initial != 0 || x.speed != 0 || x.pos != j[0].pos ||
			x.damping != j[0].damping || x.friction != j[0].friction {
			return false
		}
	}
	return math.Abs(j[0].axis.Cross(j[1].axis).Dot(j[2].axis)) > 0.1
}

// round makes gimbals ball joints.
func (b *build) round() {
	for _, n := range b.bodies {
		if b.gimbal(n) {
			b.joints[n.joints[0]].kind = scene.Ball
			n.joints = n.joints[:1]
			b.joints[n.joints[0]].elem.note(scene.Inferred,
				"three hinges that cross in one point are a ball joint")
		}
	}
}

// add makes a body a link, behind one without mass for each joint that it has more than one.
func (s *assembly) add(i int) {
	n := s.bodies[i]
	for k := range max(0, len(n.joints)-1) {
		s.spec.Links = append(s.spec.Links,
			scene.Link{Name: s.names.Take(n.name + "_axis" + strconv.Itoa(k+1)), Pose: n.at, Virtual: true,
				Twist: n.twists[k], Inertial: scene.Inertial{Pose: r3.IdentityPose()}})
	}
	l := scene.Link{Name: s.names.Take(n.name), Pose: n.at, Inertial: n.mass, SelfCollide: true,
		NoGravity: n.weight == 1, Kinematic: n.mocap, Fluid: s.fluidOf(n)}
	if n.weight != 1 {
		l.Lift = n.weight
	}
	if k := len(n.twists); k > 0 { // the world itself has none
		l.Twist = n.twists[k-1]
	}
	if n.mass.Pose.Rot == (r3.Quat{}) {
		l.Inertial.Pose = r3.IdentityPose()
	}
	for _, g := range n.geoms {
		switch {
		case g.lost && g.touches():
			l.Lost = append(l.Lost, g.Name)
		case g.lost || g.Kind == 0:
		default:
			if g.touches() {
				l.Collisions = append(l.Collisions, g.Geom)
			}
			if g.group < hidden {
				l.Visuals = append(l.Visuals, g.seen())
			}
		}
	}
	s.links[i] = len(s.spec.Links)
	for _, t := range n.sites {
		if t.name != "" {
			s.spec.Frames = append(s.spec.Frames,
				scene.Frame{Name: t.name, Link: len(s.spec.Links), Pose: t.pose})
		}
	}
	l.Sensors = append(l.Sensors, n.cameras...)
	s.spec.Links = append(s.spec.Links, l)
	if n.free || n.mocap || len(n.joints) > 0 {
		s.spec.Static = false
	}
}

// fluidOf is the fluid around a body; nil: there is none.
func (s *assembly) fluidOf(n *body) *scene.Fluid {
	if s.set.fluid.Density == 0 && s.set.fluid.Viscosity == 0 {
		return nil
	}
	f := s.set.fluid
	for _, g := range n.geoms {
		if g.fluid != nil && !g.lost {
			if half, ok := g.halfAxes(); ok {
				f.Ellipsoids = append(f.Ellipsoids, scene.NewEllipsoid(g.Pose, half, *g.fluid))
			}
		}
	}
	return &f
}

// hidden is the first group of shapes that MuJoCo's viewer does not show.
const hidden = 3

// hang joins a body to its parent: by its joints one after the other, or for good.
func (s *assembly) hang(i int) {
	n := s.bodies[i]
	if i == 0 || n.free || n.mocap {
		return
	}
	parent := scene.World
	if n.parent > 0 {
		parent = s.links[n.parent]
	}
	child := s.links[i]
	if len(n.joints) == 0 {
		if parent != scene.World || !s.spec.Static {
			s.carriers[i] = len(s.spec.Joints)
			s.spec.Joints = append(s.spec.Joints,
				scene.Joint{Name: s.jnames.Take(n.name + "_fixed"), Kind: scene.Fixed, Parent: parent,
					Child: child, Pose: r3.IdentityPose()})
		}
		return
	}
	for k, index := range n.joints {
		j := s.build.joints[index]
		out := j.spec()
		out.Encoder = j.encoder
		out.Parent, out.Child = parent, child-len(n.joints)+1+k
		name := j.name
		if name == "" {
			name = n.name + "_joint" + strconv.Itoa(k+1)
		}
		out.Name = s.jnames.Take(name)
		s.joints[index], s.carriers[i] = len(s.spec.Joints), len(s.spec.Joints)
		s.spec.Joints = append(s.spec.Joints, out)
		parent = out.Child
	}
	if len(n.joints) > 1 && n.parent > 0 && !s.set.noFilter {
		s.spec.Apart = append(s.spec.Apart, [2]int{s.links[n.parent], child})
	}
}

// spec is a joint as scenes have it, but for its ends.
func (j *joint) spec() scene.Joint {
	out := scene.Joint{Kind: j.kind, Pose: r3.Pose{Pos: j.pos, Rot: r3.Identity()}, Axis: j.axis,
		Damping: j.damping, Friction: j.friction, Armature: j.armature, Stiffness: j.stiff,
		SpringRest: j.spring - j.ref,
		Initial:    j.initial, InitialTurn: j.turn, Servo: j.servo}
	out.Limit.Effort = j.effort
	switch {
	case j.kind == scene.Ball:
		out.SpringRest = 0
		out.Limit.Set, out.Limit.Upper = j.limited, max(j.lower, j.upper)
	case j.limited:
		out.Limit.Set, out.Limit.Lower, out.Limit.Upper = true, j.lower-j.ref, j.upper-j.ref
	case j.kind == scene.Revolute:
		out.Kind = scene.Continuous
	}
	return out
}

// bind adds what equality constraints tie together, and which bodies do not touch.
func (s *assembly) bind() {
	for _, t := range s.equalities {
		child, ok := s.links[t.bodies[0]]
		parent, other := s.links[t.bodies[1]]
		if !ok || !other && t.bodies[1] != 0 {
			continue
		}
		if t.bodies[1] == 0 {
			parent = scene.World
		}
		name := t.name
		if name == "" {
			name = "tie"
		}
		s.spec.Joints = append(s.spec.Joints,
			scene.Joint{Name: s.jnames.Take(name), Kind: t.kind, Parent: parent, Child: child,
				Pose: t.at, ParentPose: t.other, Axis: r3.V(0, 0, 1)})
	}
	for _, p := range s.apart {
		a, okA := s.links[p[0]]
		c, okB := s.links[p[1]]
		if okA && okB && a != c {
			s.spec.Apart = append(s.spec.Apart, [2]int{a, c})
		}
	}
}

// equip adds the sensors.
func (s *assembly) equip() {
	for _, d := range s.devices {
		link, ok := s.links[d.body]
		if !ok {
			continue
		}
		sensor := d.sensor
		if d.loaded {
			// MuJoCo's points from the child to the parent: what holds it up.
			f := &sensor.Force
			f.Set, f.Joint, f.Frame, f.ParentToChild = true, s.carriers[d.body], "sensor", true
		}
		s.spec.Links[link].Sensors = append(s.spec.Links[link].Sensors, sensor)
	}
}
