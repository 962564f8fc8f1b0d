package sdf

import (
	"math"
	"slices"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// The <state> of a saved world has its models' state at that time. It lists poses of models and links in the
// world, joint positions, velocities, inserted models and names of deleted ones. Elements are called as in
// SDFormat up to 1.11 (<model>, <link>, <joint>, <light>) or as in 1.12 (<model_state>, <link_state> …).

// stateKids is the children of an element of a state, by either name.
func stateKids(n *xmltree.Node, kind string) []*xmltree.Node {
	return append(n.All(kind), n.All(kind+"_state")...)
}

// saved is the state of a world, its insertions and deletions applied; nil: it has none.
func (m *model) saved(spec *scene.WorldSpec) (*xmltree.Node, error) {
	var state *xmltree.Node
	for _, k := range m.node.All("state") {
		if of := k.Get("world_name"); of != "" && of != m.name && of != "default" && of != "__default__" ||
			state != nil {
			m.doc.Note(scene.Suspicious, k,
				"a state of world %q, or a second one; only the first of this world is read", of)
			continue
		}
		state = k
		if err := m.changes(k, spec); err != nil {
			return nil, err
		}
	}
	return state, nil
}

// changes applies the insertions and deletions of a state to the models of a world.
func (m *model) changes(n *xmltree.Node, spec *scene.WorldSpec) error {
	if in := n.Child("insertions"); in != nil {
		for _, k := range in.Kids {
			switch {
			case k.Name != "model" && k.Name != "light":
				m.doc.Note(scene.Unsupported, k, "<%s> inserted into a saved world", k.Name)
			case k.Name == "model" && m.names[k.Get("name")] != nil: // saved as a part of the world as well
			default:
				if err := m.worldElement(k, spec); err != nil {
					return err
				}
			}
		}
	}
	if out := n.Child("deletions"); out != nil {
		m.remove(out.All("name"))
	}
	return nil
}

// remove takes the models and lights of those names out of a world.
func (m *model) remove(names []*xmltree.Node) {
	there, gone := map[string]bool{}, map[string]bool{}
	for _, e := range m.subs {
		there[e.name] = true
	}
	for i := range m.inWorld.lamps {
		there[m.inWorld.lamps[i].Name] = true
	}
	for _, k := range names {
		name := k.Value()
		if !there[name] || gone[name] {
			m.doc.Note(scene.Suspicious, k, "the state deletes %q, which the world does not have", name)
		}
		gone[name] = true
	}
	m.subs = slices.DeleteFunc(m.subs, func(e *entity) bool { return gone[e.name] })
	m.inWorld.lamps = slices.DeleteFunc(m.inWorld.lamps, func(l lamp) bool { return gone[l.Name] })
}

// state moves what stands in a world to where its state says.
func (m *model) state(n *xmltree.Node, spec *scene.WorldSpec) error {
	if n == nil {
		return nil
	}
	for _, k := range stateKids(n, "model") {
		i := slices.IndexFunc(spec.Models, func(p scene.Placed) bool { return p.Name == k.Get("name") })
		if i < 0 {
			m.doc.Note(scene.Suspicious, k, "the state moves model %q, which the world does not have",
				k.Get("name"))
			continue
		}
		if err := m.stateOf(k, &spec.Models[i]); err != nil {
			return err
		}
	}
	for _, k := range stateKids(n, "light") {
		i := slices.IndexFunc(spec.Lights, func(l scene.Light) bool { return l.Name == k.Get("name") })
		p, _, err := pose(m.doc, k, m.version)
		switch {
		case err != nil:
			return err
		case i < 0:
			m.doc.Note(scene.Suspicious, k, "the state moves light %q, which the world does not have",
				k.Get("name"))
		case k.Child("pose") != nil:
			spec.Lights[i].Pose = p
		}
	}
	return nil
}

// snapshot is the state of a model, by the flat names of its parts.
type snapshot struct {
	links  map[string]r3.Pose // in the world
	joints map[string]float64
	twist  map[string]r3.Twist // in the world's axes
}

func (m *model) stateOf(n *xmltree.Node, placed *scene.Placed) error {
	at, _, err := pose(m.doc, n, m.version)
	if err != nil {
		return err
	}
	if n.Child("pose") != nil {
		placed.Pose = at
	}
	if s := n.Child("scale"); s != nil {
		if v, err := m.doc.Vec(s, s.Text); err != nil || v != r3.V(1, 1, 1) {
			m.doc.Note(scene.Unsupported, s, "model %q is scaled by %q in the state; it keeps its size",
				placed.Name, s.Value())
		}
	}
	shot := snapshot{map[string]r3.Pose{}, map[string]float64{}, map[string]r3.Twist{}}
	if err := m.gather(n, "", &shot); err != nil {
		return err
	}
	shot.apply(placed)
	return nil
}

// gather reads the states of links and joints, those of nested models under their names.
func (m *model) gather(n *xmltree.Node, prefix string, shot *snapshot) error {
	for _, k := range stateKids(n, "link") {
		name := prefix + k.Get("name")
		p, _, err := pose(m.doc, k, m.version)
		if err != nil {
			return err
		}
		if k.Child("pose") != nil {
			shot.links[name] = p
		}
		if t := m.velocity(k); t != (r3.Twist{}) {
			shot.twist[name] = t
		}
	}
	for _, k := range stateKids(n, "joint") {
		if q, ok := m.position(k); ok {
			shot.joints[prefix+k.Get("name")] = q
		}
	}
	for _, k := range stateKids(n, "model") {
		if err := m.gather(k, prefix+k.Get("name")+"::", shot); err != nil {
			return err
		}
	}
	return nil
}

// velocity of a link; one that is none is noted.
func (m *model) velocity(k *xmltree.Node) r3.Twist {
	var t r3.Twist
	read := func(n *xmltree.Node, count int) []float64 {
		if n.Value() == "" {
			return make([]float64, 6)
		}
		f, err := m.doc.Numbers(n, n.Text, count)
		if err != nil {
			m.doc.Note(scene.Suspicious, n, "%v; using zero velocity", err)
			return make([]float64, 6)
		}
		return f
	}
	if n := k.Child("velocity"); n != nil {
		f := read(n, 6)
		t = r3.Twist{Linear: r3.V(f[0], f[1], f[2]), Angular: r3.V(f[3], f[4], f[5])}
	}
	if n := k.Child("linear_velocity"); n != nil {
		f := read(n, 3)
		t.Linear = r3.V(f[0], f[1], f[2])
	}
	if n := k.Child("angular_velocity"); n != nil {
		f := read(n, 3)
		t.Angular = r3.V(f[0], f[1], f[2])
		if isTrue(n.Get("degrees")) {
			t.Angular = t.Angular.Scale(degree)
		}
	}
	return t
}

// position of a joint's first axis.
func (m *model) position(k *xmltree.Node) (float64, bool) {
	if n := k.Find("axis_state", "position"); n.Value() != "" {
		q := m.doc.Loose(k.Child("axis_state"), "position", 0)
		if isTrue(n.Get("degrees")) {
			q *= degree
		}
		return q, true
	}
	for _, n := range k.All("angle") {
		if axis := n.Get("axis"); axis != "" && axis != "0" {
			continue
		}
		f, err := m.doc.Numbers(n, n.Text, 1)
		if err != nil {
			m.doc.Note(scene.Suspicious, n, "%v; the joint keeps its position", err)
			return 0, false
		}
		return f[0], true
	}
	return 0, false
}

// apply moves a model: trees of joints by the link that they hang from, links by their joints' positions, and
// loose links one by one. The description is copied where it changes: others may be built of it.
func (s *snapshot) apply(placed *scene.Placed) {
	spec := *placed.Model
	spec.Links, spec.Joints = slices.Clone(spec.Links), slices.Clone(spec.Joints)
	tops := s.tops(&spec)
	anchors := s.anchors(&spec, tops)
	for k, anchor := range anchors {
		at := s.links[spec.Links[anchor].Name]
		if k == 0 { // the model goes along
			placed.Pose = at.Mul(placed.Model.Links[anchor].Pose.Inverse())
			continue
		}
		shift := placed.Pose.Relative(at).Mul(placed.Model.Links[anchor].Pose.Inverse())
		for i := range spec.Links {
			if tops[i] == tops[anchor] {
				spec.Links[i].Pose = shift.Mul(placed.Model.Links[i].Pose)
			}
		}
	}
	for i := range spec.Joints {
		j := &spec.Joints[i]
		if q, known := s.joints[j.Name]; known {
			j.Initial = q
		} else if q, known := s.angle(&spec, j); known {
			j.Initial = q
		}
	}
	if c := spec.Canonical; c < len(spec.Links) {
		spec.Frame = spec.Links[c].Pose
		placed.Twist = s.twist[spec.Links[c].Name]
	}
	placed.Model = &spec
}

// anchors is a link of each tree whose place the state knows: the canonical one first, else where it hangs
// from.
func (s *snapshot) anchors(spec *scene.ModelSpec, tops []int) []int {
	var out []int
	if c := spec.Canonical; c < len(tops) {
		if _, known := s.links[spec.Links[c].Name]; known {
			out = append(out, c)
		}
	}
	for i, top := range tops {
		_, known := s.links[spec.Links[i].Name]
		if known && i == top && (len(out) == 0 || tops[out[0]] != i) {
			out = append(out, i)
		}
	}
	return out
}

// tops is each link's root in its tree of joints: of connected links, the first that is no child of another.
func (*snapshot) tops(spec *scene.ModelSpec) []int {
	parent := make([]int, len(spec.Links))
	for i := range parent {
		parent[i] = -1
	}
	for i := range spec.Joints {
		j := &spec.Joints[i]
		if j.Parent != scene.World && parent[j.Child] < 0 {
			parent[j.Child] = j.Parent
		}
	}
	tops := make([]int, len(spec.Links))
	for i := range tops {
		at := i
		for steps := 0; parent[at] >= 0 && steps < len(parent); steps++ {
			at = parent[at]
		}
		tops[i] = at
	}
	return tops
}

// angle is the position of a joint for its links' poses in the state; within 1e-6 it is zero.
func (s *snapshot) angle(spec *scene.ModelSpec, j *scene.Joint) (float64, bool) {
	if j.Parent == scene.World {
		return 0, false
	}
	parent, ok := s.links[spec.Links[j.Parent].Name]
	child, too := s.links[spec.Links[j.Child].Name]
	if !ok || !too {
		return 0, false
	}
	zero := spec.Links[j.Parent].Pose.Relative(spec.Links[j.Child].Pose).Mul(j.Pose)
	moved := zero.Relative(parent.Relative(child).Mul(j.Pose))
	q := 0.0
	switch j.Kind {
	case scene.Revolute, scene.Continuous, scene.Screw:
		q = 2 * math.Atan2(r3.V(moved.Rot.X, moved.Rot.Y, moved.Rot.Z).Dot(j.Axis), moved.Rot.W)
		q = math.Remainder(q, 2*math.Pi)
	case scene.Prismatic:
		q = moved.Pos.Dot(j.Axis)
	}
	if math.Abs(q) < 1e-6 {
		q = 0
	}
	return q, true
}
