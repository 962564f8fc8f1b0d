package urdf

import (
	"math"
	"strconv"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// unlimited is the size from which a limit means that there is none: files write 1e16.
const unlimited = 1e15

func (r *robot) readJoints(root *xmltree.Node) error {
	for _, n := range root.All("joint") {
		if r.hangsInTheAir(n) {
			r.lost = append(r.lost, n)
			continue
		}
		j, err := r.joint(n)
		if err != nil {
			return err
		}
		r.joints[j.Name] = len(r.spec.Joints)
		r.spec.Joints = append(r.spec.Joints, j)
		r.nodes = append(r.nodes, n)
	}
	return nil
}

// hangsInTheAir notes that a joint names a link that is not there.
func (r *robot) hangsInTheAir(n *xmltree.Node) bool {
	for _, which := range [...]string{"parent", "child"} {
		k := n.Child(which)
		name := k.Get("link")
		if _, there := r.links[name]; k == nil || there {
			continue
		}
		r.doc.Note(scene.Missing, k, "joint %q: there is no link %q%s; left out", n.Get("name"), name,
			source.NearKey(name, r.links))
		return true
	}
	return false
}

// dropLoose leaves out what no joint ties to the rest any more, where joints were left out: the largest tree
// stays, the first of those.
func (r *robot) dropLoose(*xmltree.Node) error {
	spec := r.spec
	if len(r.lost) == 0 {
		return nil
	}
	tree := make([]int, len(spec.Links)) // the first link of each link's tree, in the end
	for i := range tree {
		tree[i] = i
	}
	first := func(i int) int {
		for tree[i] != i {
			tree[i] = tree[tree[i]]
			i = tree[i]
		}
		return i
	}
	for _, j := range spec.Joints {
		a, b := first(j.Parent), first(j.Child)
		tree[max(a, b)] = min(a, b)
	}
	size, largest := make([]int, len(tree)), 0
	for i := range tree {
		size[first(i)]++
	}
	for i := range size {
		if size[i] > size[largest] {
			largest = i
		}
	}
	if size[largest] == len(tree) {
		return nil
	}
	moved := make([]int, len(tree))
	links, rest := spec.Links[:0], spec.Links[largest].Name
	for i, l := range spec.Links {
		if first(i) != largest {
			r.doc.Note(scene.Missing, r.lost[0], "link %q is left out: no joint ties it to link %q any more", l.Name,
				rest)
			delete(r.links, l.Name)
			continue
		}
		moved[i], r.links[l.Name] = len(links), len(links)
		links = append(links, l)
	}
	r.keepJoints(func(j *scene.Joint) bool {
		keep := first(j.Child) == largest
		j.Parent, j.Child = moved[j.Parent], moved[j.Child]
		return keep
	})
	spec.Links = links
	return nil
}

// keepJoints drops those that keep does not want. It may change them.
func (r *robot) keepJoints(keep func(*scene.Joint) bool) {
	joints, nodes, moved := r.spec.Joints[:0], r.nodes[:0], map[int]int{}
	for i, j := range r.spec.Joints {
		if !keep(&j) {
			delete(r.joints, j.Name)
			continue
		}
		moved[i], r.joints[j.Name] = len(joints), len(joints)
		joints, nodes = append(joints, j), append(nodes, r.nodes[i])
	}
	mimics := r.mimics[:0]
	for _, m := range r.mimics {
		if at, kept := moved[m.joint]; kept {
			mimics = append(mimics, mimic{m.node, at})
		}
	}
	r.spec.Joints, r.nodes, r.mimics = joints, nodes, mimics
}

// joint reads one; its origin becomes the pose of the child link, still in the parent's frame.
func (r *robot) joint(n *xmltree.Node) (scene.Joint, error) {
	d := r.doc
	j := scene.Joint{Name: n.Get("name"), Pose: r3.IdentityPose(), Axis: r3.V(1, 0, 0)}
	if j.Name == "" {
		return j, d.Errorf(n, "<joint> has no name")
	}
	if at, taken := r.joints[j.Name]; taken {
		raw, _ := n.Attr("name")
		if first, _ := r.nodes[at].Attr("name"); first == raw {
			return j, d.Errorf(n, "a second joint %q", j.Name)
		}
		j.Name = r.apart(n, raw, j.Name, func(name string) bool { _, taken := r.joints[name]; return taken })
	}
	var err error
	if j.Kind, err = r.kind(n); err != nil {
		return j, err
	}
	if j.Parent, err = r.end(n, "parent"); err != nil {
		return j, err
	}
	if j.Child, err = r.end(n, "child"); err != nil {
		return j, err
	}
	if j.Parent == j.Child {
		return j, d.Errorf(n, "joint %q joins link %q to itself", j.Name, r.spec.Links[j.Child].Name)
	}
	if r.spec.Links[j.Child].Pose, err = r.origin(n); err != nil {
		return j, err
	}
	if k := n.Child("axis"); k != nil && j.Kind != scene.Fixed && j.Kind != scene.Floating {
		v, err := d.Vec(k, k.Get("xyz"))
		if err != nil {
			return j, err
		}
		unit, ok := v.Unit()
		if !ok {
			return j, d.Errorf(k, "axis %q of joint %q has no direction", k.Get("xyz"), j.Name)
		}
		j.Axis = unit
	}
	if err = r.dynamics(n, &j); err == nil {
		err = r.limit(n, &j)
	}
	if k := n.Child("mimic"); k != nil {
		r.mimics = append(r.mimics, mimic{k, len(r.spec.Joints)})
	}
	return j, err
}

func (r *robot) kind(n *xmltree.Node) (scene.JointKind, error) {
	kinds := map[string]scene.JointKind{"fixed": scene.Fixed, "revolute": scene.Revolute,
		"continuous": scene.Continuous,
		"prismatic":  scene.Prismatic, "floating": scene.Floating, "planar": scene.Planar}
	text := n.Get("type")
	kind, known := kinds[text]
	switch {
	case known:
		return kind, nil
	case text == "":
		return 0, r.doc.Errorf(n, "joint %q has no type", n.Get("name"))
	}
	return 0, r.doc.Errorf(n, "joint %q has type %q; known are fixed, revolute, continuous, prismatic, floating and planar%s",
		n.Get("name"), text, source.NearKey(text, kinds))
}

// apart returns a free name for an element whose name differs from another's by spaces alone.
func (r *robot) apart(n *xmltree.Node, raw, name string, taken func(string) bool) string {
	free := name
	for k := 1; taken(free); k++ {
		free = name + "_" + strconv.Itoa(k)
	}
	r.doc.Note(scene.Suspicious, n, "the name %q of this <%s> is %q without its spaces, which is used; it is called %q",
		raw, n.Name, name, free)
	return free
}

func (r *robot) end(n *xmltree.Node, which string) (int, error) {
	k := n.Child(which)
	if k == nil {
		return 0, r.doc.Errorf(n, "joint %q has no <%s>", n.Get("name"), which)
	}
	raw, _ := k.Attr("link")
	i, ok := r.byText[raw]
	if !ok {
		i, ok = r.links[k.Get("link")]
	}
	if !ok {
		return 0, r.doc.Errorf(k, "joint %q: there is no link %q%s", n.Get("name"), k.Get("link"),
			source.NearKey(k.Get("link"), r.links))
	}
	return i, nil
}

func (r *robot) dynamics(n *xmltree.Node, j *scene.Joint) error {
	k := n.Child("dynamics")
	for _, f := range []struct {
		name string
		to   *float64
	}{{"damping", &j.Damping}, {"friction", &j.Friction}} {
		text, written := k.Attr(f.name)
		if !written {
			continue
		}
		v, err := r.doc.Number(k, text)
		if err != nil {
			return err
		}
		*f.to = v
	}
	return nil
}

// limit reads <limit>, which joints with an end stop must have. Effort and velocity of zero count as not
// given.
func (r *robot) limit(n *xmltree.Node, j *scene.Joint) error {
	k := n.Child("limit")
	stops := j.Kind == scene.Revolute || j.Kind == scene.Prismatic
	if k == nil {
		if stops {
			return r.doc.Errorf(n, "%s joint %q has no <limit>", n.Get("type"), j.Name)
		}
		return nil
	}
	var v [4]float64
	for i, name := range []string{"lower", "upper", "effort", "velocity"} {
		text, written := k.Attr(name)
		if !written {
			continue
		}
		f, err := source.ParseFloat(text)
		if err != nil || math.IsNaN(f) {
			_, err = r.doc.Number(k, text)
			return err
		}
		v[i] = f
	}
	lower, upper := v[0], v[1]
	if lower > upper {
		r.doc.Note(scene.Suspicious, k, "joint %q: lower limit %g is above the upper %g; they are swapped",
			j.Name, lower, upper)
		lower, upper = upper, lower
	}
	if stops && (lower > -unlimited || upper < unlimited) {
		j.Limit.Set, j.Limit.Lower, j.Limit.Upper = true, max(lower, -unlimited), min(upper, unlimited)
	}
	if j.Kind == scene.Revolute && !j.Limit.Set {
		j.Kind = scene.Continuous
	}
	r.motors[j.Name] = v[2] > 0 || v[3] > 0
	if v[2] > 0 && v[2] < unlimited {
		j.Limit.Effort = v[2]
	}
	if v[3] > 0 && v[3] < unlimited {
		j.Limit.Velocity = v[3]
	}
	return nil
}

// mimic is a <mimic> whose leader is looked up once all joints are read.
type mimic struct {
	node  *xmltree.Node
	joint int
}

func (r *robot) followMimics(*xmltree.Node) error {
	for _, m := range r.mimics {
		follower := &r.spec.Joints[m.joint]
		leader, ok := r.joints[m.node.Get("joint")]
		if !ok && len(r.lost) > 0 {
			r.doc.Note(scene.Missing, m.node, "joint %q follows joint %q, which is left out: it moves freely",
				follower.Name, m.node.Get("joint"))
			continue
		}
		if !ok || leader == m.joint {
			return r.doc.Errorf(m.node, "joint %q follows joint %q, which is itself or not there%s",
				follower.Name, m.node.Get("joint"), source.NearKey(m.node.Get("joint"), r.joints))
		}
		out := scene.Mimic{Joint: leader, Multiplier: 1, Set: true}
		for _, f := range []struct {
			name string
			to   *float64
		}{{"multiplier", &out.Multiplier}, {"offset", &out.Offset}} {
			if text, written := m.node.Attr(f.name); written {
				v, err := r.doc.Number(m.node, text)
				if err != nil {
					return err
				}
				*f.to = v
			}
		}
		if out.Multiplier == 0 {
			r.doc.Note(scene.Suspicious, m.node, "joint %q follows with a multiplier of zero: it never moves",
				follower.Name)
		}
		follower.Mimic = out
	}
	return r.noCircles()
}

// noCircles refuses joints that follow each other around.
func (r *robot) noCircles() error {
	for _, m := range r.mimics {
		at := m.joint
		for range r.mimics {
			if !r.spec.Joints[at].Mimic.Set {
				break
			}
			if at = r.spec.Joints[at].Mimic.Joint; at == m.joint {
				return r.doc.Errorf(m.node, "joint %q follows itself by way of others",
					r.spec.Joints[at].Name)
			}
		}
	}
	return nil
}
