package webots

import (
	"cmp"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/webots/wire"
)

// rootNode is the number of the root.
const rootNode = 0

// node is a node that a controller has been told of, by its number.
type node struct {
	id     int32
	entity uint64 // whose tree it is in; 0: it is in the world's
	tree   *scene.WebotsTree
	of     *scene.TreeNode
	owner  *scene.NodeState // of the node, or the nearest around it, that is part of a model; nil: there is none
	at     *sim.Model       // in which index was looked up
	index  int              // of its entity; standing or gone
}

// Indices of nodes without an entity.
const (
	standing = -1 // nothing moves it, and nobody removes it
	gone     = -2
)

// nodeKey tells nodes apart: entities that are made of one file share its tree.
type nodeKey struct {
	entity uint64
	of     *scene.TreeNode
}

// nodes are the nodes of the world as a supervisor sees them: those of its file, and those of entities that
// came later or are not of Webots.
type nodes struct {
	ids     map[nodeKey]*node
	numbers map[int32]*node
	next    int32
	made    map[uint64]*scene.WebotsTree // of entities that are not of Webots
	defs    listing[string]              // of bodies of PROTOs
	links   listing[int]                 // of nodes
	tagged  map[int]*scene.TreeNode      // devices of the robot, by 1 + their indices

	at    *sim.Model // of which the following are
	byID  map[uint64]int
	roots []*node
	lists map[listKey][]*node
}

// listKey names a list of nodes: a field of a node.
type listKey struct {
	entity uint64
	of     *scene.TreeNode
	field  int
}

func newNodes() nodes {
	root := &node{of: &scene.TreeNode{Class: rootClass, Base: "Group"}}
	return nodes{ids: map[nodeKey]*node{}, numbers: map[int32]*node{rootNode: root},
		made: map[uint64]*scene.WebotsTree{}}
}

// worldTree is the tree of the world's file; nil: there is none.
func (v *supervisor) worldTree() *scene.WebotsTree { return v.snapshot.Model.File.Tree }

// number is a node of a tree with its number, which it keeps.
func (v *supervisor) number(entity uint64, tree *scene.WebotsTree, of *scene.TreeNode) *node {
	key := nodeKey{entity, of}
	if n := v.ids[key]; n != nil {
		return n
	}
	v.next++
	n := &node{id: v.next, entity: entity, tree: tree, of: of}
	for up := of; up != nil && n.owner == nil; up = up.Parent {
		if up.State != nil && up.State.Model != "" {
			n.owner = up.State
		}
	}
	v.ids[key], v.numbers[n.id] = n, n
	return n
}

// beside is another node of the same tree.
func (v *supervisor) beside(n *node, of *scene.TreeNode) *node { return v.number(n.entity, n.tree, of) }

// node is the node of a number; nil: there is none, or it is gone.
func (v *supervisor) node(id int32) *node {
	v.refresh()
	if n := v.numbers[id]; n != nil && v.indexOf(n) != gone {
		return n
	}
	return nil
}

// indexOf is the index of a node's entity in the snapshot, or standing or gone.
func (v *supervisor) indexOf(n *node) int {
	if m := v.snapshot.Model; n.at != m {
		v.refresh()
		n.at, n.index = m, v.lookUp(n)
	}
	return n.index
}

func (v *supervisor) lookUp(n *node) int {
	if n.entity != 0 {
		i, there := v.byID[n.entity]
		if !there || n.owner != nil && n.tree.Models[n.owner.Model] == nil {
			return gone
		}
		return i
	}
	if n.owner == nil {
		return standing
	}
	if i, there := v.snapshot.Find(n.owner.Model); there && !v.snapshot.Model.Entities[i].Spawned {
		return i
	}
	return gone
}

// refresh lists the children of the root anew when entities came or went, and forgets the nodes of those that
// do not return.
func (v *supervisor) refresh() {
	m := v.snapshot.Model
	if v.at == m {
		return
	}
	v.at, v.byID, v.lists = m, make(map[uint64]int, len(m.Entities)), map[listKey][]*node{}
	for i := range m.Entities {
		v.byID[m.Entities[i].ID] = i
	}
	for key, n := range v.ids {
		if _, there := v.byID[key.entity]; key.entity != 0 && !there {
			delete(v.ids, key)
			delete(v.numbers, n.id)
			delete(v.made, key.entity)
		}
	}
	v.roots = v.roots[:0]
	w := v.worldTree()
	if w != nil {
		for _, of := range w.Root.Given[0].Nodes {
			if n := v.number(0, w, of); v.indexOf(n) != gone {
				v.roots = append(v.roots, n)
			}
		}
	}
	first := len(v.roots)
	for i := range m.Entities {
		e := &m.Entities[i]
		if w == nil || e.Spawned || w.Models[e.Name] == nil {
			tree := v.treeOf(e)
			v.roots = append(v.roots, v.number(e.ID, tree, tree.Root))
		}
	}
	slices.SortFunc(v.roots[first:], func(a, b *node) int { return cmp.Compare(a.entity, b.entity) })
}

// list are the nodes of a field that are still there.
func (v *supervisor) list(n *node, of *scene.TreeNode, field int) []*node {
	if n.id == rootNode {
		return v.roots
	}
	key := listKey{n.entity, of, field}
	out, known := v.lists[key]
	if !known {
		for _, k := range of.Value(field).Nodes {
			if inner := v.beside(n, k); v.indexOf(inner) != gone {
				out = append(out, inner)
			}
		}
		v.lists[key] = out
	}
	return out
}

// treeOf is the tree of an entity that is not in the world's.
func (v *supervisor) treeOf(e *sim.EntityModel) *scene.WebotsTree {
	if e.Spec.Tree != nil {
		return e.Spec.Tree
	}
	if v.made[e.ID] == nil {
		v.made[e.ID] = foreignTree(e)
	}
	return v.made[e.ID]
}

// Classes of nodes that no file of Webots describes.
var (
	rootClass = classOf("Group", scene.NodeField{Name: "children", Kind: scene.FieldNode + scene.FieldList})

	foreignFields = []scene.NodeField{
		{Name: "translation", Kind: scene.FieldVec3, Default: scene.FieldValue{Numbers: []float64{0, 0, 0}}},
		{Name: "rotation", Kind: scene.FieldRotation, Default: scene.FieldValue{Numbers: []float64{0, 0, 1, 0}}},
		{Name: "children", Kind: scene.FieldNode + scene.FieldList}, text("name")}
	foreignSolid = classOf("Solid", foreignFields...)
	foreignRobot = classOf("Robot", append(slices.Clip(foreignFields), text("model"), text("controller"),
		text("customData"), scene.NodeField{Name: "supervisor", Kind: scene.FieldBool,
			Default: scene.FieldValue{Bools: []bool{false}}})...)
)

func text(name string) scene.NodeField {
	return scene.NodeField{Name: name, Kind: scene.FieldString, Default: scene.FieldValue{Strings: []string{""}}}
}

func classOf(name string, fields ...scene.NodeField) *scene.NodeClass {
	c := &scene.NodeClass{Name: name, Fields: fields, Index: map[string]int{}}
	for i := range fields {
		c.Index[fields[i].Name] = i
	}
	return c
}

// foreignTree is the tree of an entity without one: a Solid or a robot, and nothing inside.
func foreignTree(e *sim.EntityModel) *scene.WebotsTree {
	s := &scene.NodeState{Model: e.Name, Top: true, Posed: true, Link: e.Spec.Canonical, End: len(e.Spec.Links),
		Pose: r3.IdentityPose(), Moves: true, FrameLink: -1, Frame: r3.IdentityPose(), Scale: r3.V(1, 1, 1)}
	n := &scene.TreeNode{Class: foreignSolid, Base: "Solid", Def: e.Spec.Def, State: s}
	give := func(name string, v scene.FieldValue) {
		v.Field = n.Class.Index[name]
		n.Given = append(n.Given, v)
	}
	name := e.Name
	if r := e.Spec.Robot; r != nil {
		n.Class, n.Base, name = foreignRobot, "Robot", r.Name
		give("model", scene.FieldValue{Strings: []string{r.Model}})
		give("controller", scene.FieldValue{Strings: []string{e.Spec.Controller}})
		give("supervisor", scene.FieldValue{Bools: []bool{r.Supervisor}})
	}
	give("name", scene.FieldValue{Strings: []string{name}})
	t := &scene.WebotsTree{Root: n, Models: map[string]*scene.TreeNode{e.Name: n}}
	if n.Def != "" {
		t.Defs = map[string][]*scene.TreeNode{n.Def: {n}}
	}
	return t
}

// top is the top node of an entity.
func (v *supervisor) top(i int) *node {
	e, w := &v.snapshot.Model.Entities[i], v.worldTree()
	if w != nil && !e.Spawned {
		if of := w.Models[e.Name]; of != nil {
			return v.number(0, w, of)
		}
	}
	tree := v.treeOf(e)
	return v.number(e.ID, tree, tree.Root)
}

// byDef is the first node with a DEF; nil: there is none. "A.B.C" is a C inside of a B inside of an A.
func (v *supervisor) byDef(def string) *node {
	v.refresh()
	around := strings.Split(def, ".")
	last := around[len(around)-1]
	around = around[:len(around)-1]
	find := func(entity uint64, t *scene.WebotsTree) *node {
		for _, of := range t.Defs[last] {
			if !isInside(of, around) {
				continue
			}
			if n := v.number(entity, t, of); v.indexOf(n) != gone {
				return n
			}
		}
		return nil
	}
	if w := v.worldTree(); w != nil && last != "" {
		if n := find(0, w); n != nil {
			return n
		}
	}
	for _, r := range v.roots {
		if r.entity == 0 || last == "" {
			continue
		}
		if n := find(r.entity, r.tree); n != nil {
			return n
		}
	}
	return nil
}

// isInside reports that nodes with these DEFs are around a node, the outermost first.
func isInside(n *scene.TreeNode, around []string) bool {
	for up := n.Parent; up != nil && len(around) > 0; up = up.Parent {
		if up.Def == around[len(around)-1] {
			around = around[:len(around)-1]
		}
	}
	return len(around) == 0
}

// listing lists what is inside of nodes, by DEF or by link. It remembers lists until they have too many nodes.
type listing[K comparable] struct {
	of   map[*scene.TreeNode]map[K]*scene.TreeNode
	size int
}

const maxListed = 200_000

// list is the list of a node, which fill makes the first time. Of several nodes of a key the first counts.
func (l *listing[K]) list(n *scene.TreeNode, fill func(add func(K, *scene.TreeNode))) map[K]*scene.TreeNode {
	if have := l.of[n]; have != nil {
		return have
	}
	if l.of == nil || l.size > maxListed {
		l.of, l.size = map[*scene.TreeNode]map[K]*scene.TreeNode{}, 0
	}
	made := map[K]*scene.TreeNode{}
	fill(func(key K, k *scene.TreeNode) {
		if made[key] == nil {
			made[key] = k
		}
	})
	l.of[n], l.size = made, l.size+1+len(made)
	return made
}

// inProto is the first node with a DEF inside of the body of a PROTO; nil: there is none, or no body at hand.
func (v *supervisor) inProto(n *node, def string) *node {
	if n.of.Body == nil || def == "" {
		return nil
	}
	all := v.defs.list(n.of, func(add func(string, *scene.TreeNode)) {
		walk(n.of.Body, true, func(k *scene.TreeNode) { add(k.Def, k) })
	})
	if found := all[def]; found != nil {
		return v.beside(n, found)
	}
	return nil
}

// walk visits a node and all inside of it, in the order of the tree, with the bodies of PROTOs or without.
func walk(n *scene.TreeNode, bodies bool, visit func(*scene.TreeNode)) {
	visit(n)
	for i := range n.Given {
		for _, k := range n.Given[i].Nodes {
			if k.Parent == n { // what a PROTO's fields hold is inside of that PROTO
				walk(k, bodies, visit)
			}
		}
	}
	if bodies && n.Body != nil {
		walk(n.Body, bodies, visit)
	}
}

// byTag is the node of a device; nil: there is none.
func (v *supervisor) byTag(tag int32) *node {
	if tag < 1 || int(tag) > len(v.listed) {
		return nil
	}
	self := v.top(v.index)
	if v.tagged == nil {
		v.tagged = map[int]*scene.TreeNode{}
		walk(self.of, true, func(k *scene.TreeNode) {
			if k.State == nil || k.State.Device == 0 {
				return
			}
			if have := v.tagged[k.State.Device]; have == nil || have.Hidden && !k.Hidden {
				v.tagged[k.State.Device] = k
			}
		})
	}
	for i := range v.spec.Robot.Devices {
		if of := v.tagged[i+1]; of != nil && &v.spec.Robot.Devices[i] == v.listed[tag-1] {
			return v.beside(self, of)
		}
	}
	return nil
}

// tagOf is the tag of a device of the robot; -1: it is none.
func (v *supervisor) tagOf(n *node) int32 {
	s := n.of.State
	if s == nil || s.Device == 0 || v.indexOf(n) != v.index || s.Device > len(v.spec.Robot.Devices) {
		return -1
	}
	return int32(slices.Index(v.listed, &v.spec.Robot.Devices[s.Device-1])) + 1
}

// byLink is the node of a link at or below a node; the node itself if none is known.
func (v *supervisor) byLink(n *node, link int) *node {
	all := v.links.list(n.of, func(add func(int, *scene.TreeNode)) {
		walk(n.of, false, func(k *scene.TreeNode) {
			if k.State != nil && k.State.End > 0 {
				add(k.State.Link, k)
			}
		})
	})
	if of := all[link]; of != nil {
		return v.beside(n, of)
	}
	return n
}

// parentOf is the number of the node around a node.
func (v *supervisor) parentOf(n *node) int32 {
	up := n.of.Parent
	if up == nil || n.entity == 0 && up == n.tree.Root {
		return rootNode
	}
	return v.beside(n, up).id
}

// typeOf is the number of a node's base type; of one that the library does not know, that of a similar one.
func (v *supervisor) typeOf(n *node) int32 {
	names := v.server.nodes
	known := names[n.of.Base]
	if known == 0 {
		known = names[similar[n.of.Base]]
	}
	if known == 0 {
		known = names["Group"]
	}
	return int32(known)
}

// similar are types that stand for others: those of other releases.
var similar = map[string]string{"Pose": "Transform", "Supervisor": "Robot", "DifferentialWheels": "Robot",
	"VacuumGripper": "Solid", "Hinge2JointParameters": "HingeJointParameters"}

// writeNode tells of a node: its number, type, tag, parent, and whether it is a PROTO. One that is not there
// has the number 0.
func (v *supervisor) writeNode(a *wire.Answer, n *node) {
	switch {
	case n == nil:
		a.Int32(0).Int32(0).Int32(-1).Int32(-1).Flag(false)
	case n.id == rootNode:
		a.Int32(0).Int32(v.typeOf(n)).Int32(-1).Int32(-1).Flag(false)
	default:
		a.Int32(n.id).Int32(v.typeOf(n)).Int32(v.tagOf(n)).Int32(v.parentOf(n)).Flag(n.of.Class.Proto)
	}
}

// model and def are the type and the DEF of a node; empty: it is not there.
func (n *node) model() string {
	if n == nil {
		return ""
	}
	return n.of.Class.Name
}

func (n *node) def() string {
	if n == nil {
		return ""
	}
	return n.of.Def
}

// called names a node in messages.
func (n *node) called() string {
	name := n.of.Class.Name
	if n.of.Def != "" {
		name += " " + n.of.Def
	}
	return name
}
