package webots

import (
	"maps"
	"slices"

	"simdeck/sim/asset/vrml"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Bounds of a scene tree; what is beyond them is left out of it.
const (
	maxTreeNodes = 100_000
	maxTreeDepth = 600
)

// tree remembers, while models are read, what a scene tree is made of afterwards.
type tree struct {
	entered map[instanceKey]ref                // the nodes that instances of PROTOs make
	states  map[instanceKey][]*scene.NodeState // of base nodes; a node that is used again has several
}

func newTree() tree {
	return tree{entered: map[instanceKey]ref{}, states: map[instanceKey][]*scene.NodeState{}}
}

// keyOfNode tells nodes apart that stand in different instances of a PROTO.
func keyOfNode(r ref) instanceKey {
	key := instanceKey{n: r.n}
	if r.in != nil {
		key.in = r.in.id
	}
	return key
}

// add remembers the state of a base node.
func (t *tree) add(r ref, s *scene.NodeState) *scene.NodeState {
	key := keyOfNode(r)
	t.states[key] = append(t.states[key], s)
	return s
}

// last is the state of a base node that was added last; nil: there is none.
func (t *tree) last(r ref) *scene.NodeState {
	all := t.states[keyOfNode(r)]
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// state adds the state of a node at a pose in a link, in the model's axes.
func (b *builder) state(r ref, link int, at r3.Pose) *scene.NodeState {
	s := &scene.NodeState{Model: b.spec.Name, Posed: true, Link: link, Pose: at}
	b.states = append(b.states, s)
	return b.tree.add(r, s)
}

// moves says that a node moves against a frame that holds it, in a link; -1: in the world.
func moves(s *scene.NodeState, link int, frame r3.Pose, scale r3.Vec) {
	s.Moves, s.FrameLink, s.Frame, s.Scale = true, link, frame, scale
}

// inWorld turns a pose from the file's axes to those of the world, on both sides.
func (rd *reader) inWorld(p r3.Pose) r3.Pose {
	w := rd.axes.world
	return r3.Pose{Pos: w.Rotate(p.Pos), Rot: w.Mul(p.Rot).Mul(w.Conj())}
}

// sceneTree makes the tree of a world, for its supervisors.
func (rd *reader) sceneTree() *scene.WebotsTree {
	m := newTreeMaker(rd)
	root := &scene.TreeNode{Class: baseClasses()["Group"], Base: "Group"}
	m.out.Root = root
	var all []*scene.TreeNode
	for _, n := range rd.main.text.Nodes {
		if made := m.node(place{ref: ref{n: n, file: rd.main}}, root); made != nil {
			all = append(all, made)
		}
	}
	root.Given = []scene.FieldValue{{Nodes: all}}
	return m.finish()
}

// modelTree makes the tree of the PROTO that was read as a model: of its body where it has no fields.
func (rd *reader) modelTree(r ref) *scene.WebotsTree {
	m := newTreeMaker(rd)
	if inside, ok := rd.tree.entered[keyOfNode(r)]; ok && len(r.file.known[r.n.Type].proto.Fields) == 0 {
		m.out.Root = m.node(place{ref: inside, scope: inside.in.id}, nil)
	} else {
		m.out.Root = m.node(place{ref: r}, nil)
	}
	if m.out.Root == nil {
		return nil
	}
	first := rd.spec.Models[0].Name // the others are not part of the model
	maps.DeleteFunc(m.out.Models, func(name string, _ *scene.TreeNode) bool { return name != first })
	return m.finish()
}

// treeMaker makes a scene tree.
type treeMaker struct {
	rd      *reader
	out     *scene.WebotsTree
	left    int // nodes that may still be made
	classes map[*vrml.Proto]*scene.NodeClass
	taken   map[instanceKey]int // of the states of a base node
	used    map[instanceKey]bool
	failed  map[instanceKey]bool // instances whose PROTO makes nothing
	notes   scene.Notes          // of the world
}

func newTreeMaker(rd *reader) *treeMaker {
	return &treeMaker{rd: rd, left: maxTreeNodes, classes: map[*vrml.Proto]*scene.NodeClass{},
		taken: map[instanceKey]int{}, used: map[instanceKey]bool{}, failed: map[instanceKey]bool{}, notes: slices.Clip(*rd.main.doc.Notes),
		out: &scene.WebotsTree{Defs: map[string][]*scene.TreeNode{}, Models: map[string]*scene.TreeNode{}}}
}

// finish notes what was left out. To read fields and PROTOs that nothing else reads is neither an error nor a
// note.
func (m *treeMaker) finish() *scene.WebotsTree {
	m.rd.err, *m.rd.main.doc.Notes = nil, m.notes
	if end := m.rd.main.doc.Budget.Interrupted; end != nil {
		m.rd.err = end()
	}
	if m.left < 0 {
		top := vrml.Pos{Line: 1, Column: 1}
		m.rd.note(scene.Unsupported, m.rd.main, top, "supervisors see the first %d nodes of the world", maxTreeNodes)
	}
	return m.out
}

// place is a node where it stands in a tree.
type place struct {
	ref
	depth  int
	hidden bool
	// tells nodes of a file apart that stand in different instances: that of a body, or of default values
	scope  int
	params map[*vrml.Node]*scene.TreeNode // nodes that the fields of the instance around it hold
	state  *scene.NodeState               // of the instance of a PROTO that makes it; nil: it has its own
}

// node makes a node and all below it; nil: it is left out.
func (m *treeMaker) node(p place, parent *scene.TreeNode) *scene.TreeNode {
	if m.left--; m.left < 0 || p.depth > maxTreeDepth {
		return nil
	}
	n := &scene.TreeNode{Def: p.n.Def, Parent: parent, Hidden: p.hidden, State: p.state}
	key := instanceKey{p.n, p.scope}
	if m.used[key] { // by USE, which has no DEF
		n.Def = ""
	}
	m.used[key] = true
	base := m.base(p.ref)
	if n.Base = base.n.Type; n.State == nil {
		n.State = m.state(base)
	}
	if n.Def != "" && !n.Hidden {
		m.out.Defs[n.Def] = append(m.out.Defs[n.Def], n)
	}
	d := p.file.known[p.n.Type]
	if d == nil {
		if n.Class = baseClasses()[p.n.Type]; n.Class == nil {
			return nil // its PROTO cannot be had, which is noted
		}
		m.fields(n, p)
		m.top(n)
		return n
	}
	if n.Class = m.classes[d.proto]; n.Class == nil {
		n.Class = protoClass(d.proto)
		m.classes[d.proto] = n.Class
	}
	params := m.fields(n, p)
	inside, entered := m.enter(p.ref)
	if !entered {
		return n
	}
	own := maps.Clone(params)
	m.defaults(n, d, p, inside.in.id, own)
	if d.built == nil {
		n.Body = m.node(place{inside, p.depth + 1, true, inside.in.id, own, n.State}, parent)
	}
	m.top(n)
	return n
}

// top remembers the top node of a model: the outermost that is seen.
func (m *treeMaker) top(n *scene.TreeNode) {
	if s := n.State; s != nil && s.Top {
		if have := m.out.Models[s.Model]; have == nil || have.Hidden {
			m.out.Models[s.Model] = n
		}
	}
}

// base is the base node that a node is, or that its PROTO makes; the node itself if that is not known.
func (m *treeMaker) base(r ref) ref {
	for range maxLevel + 1 {
		inside, ok := m.enter(r)
		if !ok {
			break
		}
		r = inside
	}
	return r
}

// enter is the node that an instance of a PROTO makes, which nothing else may have asked for; false: it is none
// of a PROTO, or that fails.
func (m *treeMaker) enter(r ref) (ref, bool) {
	inside, ok := m.rd.tree.entered[keyOfNode(r)]
	_, base := baseNodes[r.n.Type]
	if ok || base && r.file.known[r.n.Type] == nil || r.in != nil && r.in.level >= maxLevel {
		return inside, ok
	}
	d := m.rd.define(r.file, r.n)
	if d == nil || m.failed[keyOfNode(r)] {
		return r, false
	}
	level := 1
	if r.in != nil {
		level = r.in.level + 1
	}
	inside, ok = m.rd.enter(r, d, level)
	if m.rd.err != nil || !ok {
		m.rd.err, m.failed[keyOfNode(r)] = nil, true
		return r, false
	}
	return inside, true
}

// state takes the next state of a base node; nil: there is none.
func (m *treeMaker) state(base ref) *scene.NodeState {
	key := keyOfNode(base)
	all := m.rd.tree.states[key]
	if len(all) == 0 {
		return nil
	}
	i := min(m.taken[key], len(all)-1)
	m.taken[key]++
	return all[i]
}

// fields reads the fields that a node gives, and returns the nodes in them by those of the text.
func (m *treeMaker) fields(n *scene.TreeNode, p place) map[*vrml.Node]*scene.TreeNode {
	nodes := map[*vrml.Node]*scene.TreeNode{}
	for i := range n.Class.Fields {
		f := &n.Class.Fields[i]
		given := p.n.Field(f.Name)
		if given == nil {
			continue
		}
		v, ok := m.rd.is(field{f.Name, &given.Value, p.file, p.in})
		if !ok {
			m.rd.err = nil
			continue
		}
		value := plainValue(f.Kind, v.Value)
		value.Field = i
		if f.Kind.Single() == scene.FieldNode {
			value.Nodes = m.nodes(n, p, v, nodes)
		}
		n.Given = append(n.Given, value)
	}
	return nodes
}

// nodes makes the nodes of a field. Those that the instance around a node has been given are there already.
func (m *treeMaker) nodes(parent *scene.TreeNode, p place, v field, made map[*vrml.Node]*scene.TreeNode) (out []*scene.TreeNode) {
	for _, k := range v.Nodes {
		if have := p.params[k]; have != nil && v.in != p.in {
			out = append(out, have)
			made[k] = have
			continue
		}
		inner := place{ref{k, v.file, v.in}, p.depth + 1, p.hidden, p.scope, p.params, nil}
		if n := m.node(inner, parent); n != nil {
			out = append(out, n)
			made[k] = n
		}
	}
	return out
}

// defaults makes the nodes among the default values of a PROTO's fields, which every instance has for itself.
func (m *treeMaker) defaults(n *scene.TreeNode, d *definition, p place, id int, made map[*vrml.Node]*scene.TreeNode) {
	for i := range n.Class.Fields {
		f := &n.Class.Fields[i]
		if f.Kind.Single() != scene.FieldNode || p.n.Field(f.Name) != nil {
			continue
		}
		v := d.proto.Default(f.Name)
		if v == nil || len(v.Value.Nodes) == 0 {
			continue
		}
		at := place{ref: ref{file: d.file}, depth: p.depth, hidden: p.hidden, scope: -id}
		n.Given = append(n.Given, scene.FieldValue{Field: i,
			Nodes: m.nodes(n, at, field{f.Name, &v.Value, d.file, nil}, made)})
	}
	slices.SortFunc(n.Given, func(a, b scene.FieldValue) int { return a.Field - b.Field })
}
