// Package sdf reads SDFormat worlds and models, versions 1.2 to 1.12, into scene descriptions. It reads
// links, joints, frames and their pose graph (SDFormat's "pose frame semantics"), nested and included models,
// sensors and drives.
//
// A document is read in two passes. collect takes a model's elements with their names; build resolves names
// and flattens nested models, with parts called "inner::name".
package sdf

import (
	"strconv"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// kind of a named thing in a model or world.
type kind uint8

const (
	linkKind kind = iota + 1
	frameKind
	jointKind
	modelKind
)

// entity is a named thing with a pose.
type entity struct {
	kind     kind
	name     string
	node     *xmltree.Node
	pose     r3.Pose // as written
	relative string  // relative_to; empty: the kind's default
	attached string  // frame: attached_to; joint: its child
	link     *link
	sub      *model
	known    bool // inModel holds
	inModel  r3.Pose
	lost     bool  // a joint to a link that is not there
	fixed    bool  // body holds
	body     *link // body of a frame or joint; nil: the world
}

// link of a model; index and top are set by build.
type link struct {
	node  *xmltree.Node
	owner *model
	doc   *source.Doc
	name  string
	index int
	top   r3.Pose // in the frame of the outermost model

	static bool // its model or one around it is

	ready *scene.Link // of a robot that another reader has read; nil: to be read from node
}

// joint of a model.
type joint struct {
	node          *xmltree.Node
	owner         *model
	doc           *source.Doc
	name          string
	entity        *entity
	parent, child string
	frame         string // that stands for the model's own after a merge
}

// plugin of a model and the document that it is written in.
type plugin struct {
	*xmltree.Node
	doc *source.Doc
}

// lamp is a light whose pose is given in a frame.
type lamp struct {
	scene.Light
	node     *xmltree.Node
	relative string
}

// includedActor is an actor with what an <include> says of it.
type includedActor struct {
	doc     *source.Doc
	node    *xmltree.Node
	version version
	name    string   // empty: its own
	pose    *r3.Pose // nil: its own
}

// model is a <model> or <world>, its names not yet resolved.
type model struct {
	doc       *source.Doc
	node      *xmltree.Node
	version   version
	name      string
	world     bool
	static    bool
	canonical string
	placement string
	order     []*entity
	names     map[string]*entity
	links     []*link
	joints    []*joint
	subs      []*entity
	plugins   []plugin
	lights    []scene.Light
	inWorld   worldContent
	robot     *scene.ModelSpec // read from URDF; its links are ready, joints are empty
	absent    map[string]bool  // models that could not be included
	lost      []string         // addresses of models that could not be included
	unmerged  bool             // one of them was to be merged: any name may be one of its parts
	info      scene.Info
	instance  instance
	tied      tied
	top       r3.Pose // in the frame of the outermost model; set by build
	prefix    string  // of the flat names of what is inside
	forAll    linkDefaults
}

// worldContent is the world-only content of a file, unresolved.
type worldContent struct {
	lamps    []lamp
	actors   []includedActor
	standIns []standIn
}

// instance holds the properties that an include gives its model.
type instance struct {
	source    string // address that an include gives; empty: written in the document itself
	shared    bool   // nothing but its file decides what is built of it
	deletable bool
	namespace string
	patrol    *route // nil: none
}

// tied is the set of joints and models that joints of the world make part of a model.
type tied struct {
	joints []*joint // of the world, which tie the model to it or to those that have become parts
	models []*model // other models of the world that have become parts
}

// linkDefaults are the settings of a model for all its links: whether they may touch each other, and whether
// the wind pushes them.
type linkDefaults struct{ read, selfCollide, wind bool }

// forLinks are the model's settings for all its links. They are looked up once, not for each link among all
// children.
func (m *model) forLinks() linkDefaults {
	if !m.forAll.read {
		m.forAll = linkDefaults{read: true, selfCollide: m.doc.Bool(m.node, "self_collide", false),
			wind: m.doc.Bool(m.node, "enable_wind", false)}
	}
	return m.forAll
}

// collect reads the elements of a <model>.
func collect(d *source.Doc, n *xmltree.Node, v version) (*model, error) {
	m := &model{doc: d, node: n, version: v, names: map[string]*entity{}, info: d.Info}
	m.name = n.Get("name")
	if m.name == "" {
		return nil, d.Errorf(n, "<model> has no name")
	}
	if err := m.legal(n, m.name); err != nil {
		return nil, err
	}
	m.static = d.Bool(n, "static", false)
	m.canonical, m.placement = n.Get("canonical_link"), n.Get("placement_frame")
	for _, k := range n.Kids {
		if err := m.element(k); err != nil {
			return nil, err
		}
	}
	m.extras(d, n)
	for _, g := range n.All("gripper") {
		d.Note(scene.Unsupported, g, "<gripper> is not run")
	}
	return m, nil
}

func (m *model) element(k *xmltree.Node) error {
	switch k.Name {
	case "link":
		return m.addLink(k)
	case "joint":
		return m.addJoint(k)
	case "frame":
		return m.addFrame(k)
	case "model":
		sub, err := collect(m.doc, k, m.version)
		if err != nil {
			return err
		}
		pose, relative, err := pose(m.doc, k, m.version)
		if err != nil {
			return err
		}
		return m.addModel(k, sub, pose, relative)
	case "include":
		return m.include(k)
	case "plugin":
		m.plugins = append(m.plugins, plugin{k, m.doc})
	}
	return nil
}

// legal refuses names that the format reserves. Before 1.8, names with "::" were the way to flatten nested
// models.
func (m *model) legal(n *xmltree.Node, name string) error {
	if strings.Contains(name, "::") && !m.version.before(1, 8) {
		return m.doc.Errorf(n, "name %q: \"::\" is reserved for names inside models", name)
	}
	if strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") && len(name) > 3 {
		return m.doc.Errorf(n, "name %q: names between double underscores are reserved", name)
	}
	return nil
}

// rename gives an entity whose name differs from another's by spaces alone a free one.
func (m *model) rename(e *entity, raw string) error {
	name := e.name
	for k := 1; m.names[e.name] != nil; k++ {
		e.name = name + "_" + strconv.Itoa(k)
	}
	m.doc.Note(scene.Suspicious, e.node, "the name %q of this <%s> is %q without its spaces, which is used; it is called %q",
		raw, e.node.Name, name, e.name)
	if e.kind == modelKind {
		e.sub.name = e.name
	}
	m.names[e.name] = e
	m.order = append(m.order, e)
	return nil
}

// add gives an entity its name; two of one kind must not share it. Of two kinds, references mean the first.
func (m *model) add(e *entity) error {
	switch {
	case e.kind == modelKind:
		e.name = e.sub.name
	case e.name == "": // the frame that stands for a merged model brings its own
		e.name = e.node.Get("name")
	}
	if e.name == "" {
		return m.doc.Errorf(e.node, "<%s> has no name", e.node.Name)
	}
	if err := m.legal(e.node, e.name); err != nil {
		return err
	}
	if err := m.doc.Part(e.node); err != nil {
		return err
	}
	if old := m.names[e.name]; old != nil {
		raw, _ := e.node.Attr("name")
		if first, _ := old.node.Attr("name"); e.kind == modelKind && old.kind == e.kind && old.node != nil && first != raw &&
			e.name == strings.TrimSpace(raw) {
			return m.rename(e, raw)
		}
		if old.kind == e.kind {
			return m.doc.Errorf(e.node, "the name %q of this <%s> is already used in line %d", e.name, e.node.Name,
				old.node.Pos.Line)
		}
		m.doc.Note(scene.Suspicious, e.node,
			"the name %q of this <%s> is that of the <%s> in line %d, which poses and joints mean", e.name,
			e.node.Name, old.node.Name, old.node.Pos.Line)
		m.order = append(m.order, e)
		return nil
	}
	m.names[e.name] = e
	m.order = append(m.order, e)
	return nil
}

func (m *model) addLink(n *xmltree.Node) error {
	p, relative, err := pose(m.doc, n, m.version)
	if err != nil {
		return err
	}
	if err := m.doc.Link(n); err != nil {
		return err
	}
	l := &link{node: n, owner: m, doc: m.doc, name: n.Get("name")}
	m.links = append(m.links, l)
	return m.add(&entity{kind: linkKind, node: n, pose: p, relative: relative, link: l})
}

func (m *model) addFrame(n *xmltree.Node) error {
	p, relative, err := pose(m.doc, n, m.version)
	if err != nil {
		return err
	}
	return m.add(&entity{kind: frameKind, node: n, pose: p, relative: relative,
		attached: n.Get("attached_to")})
}

func (m *model) addJoint(n *xmltree.Node) error {
	p, relative, err := pose(m.doc, n, m.version)
	if err != nil {
		return err
	}
	j := &joint{node: n, owner: m, doc: m.doc, name: n.Get("name")}
	if j.parent, err = m.end(n, "parent"); err != nil {
		return err
	}
	if j.child, err = m.end(n, "child"); err != nil {
		return err
	}
	if j.parent == j.child {
		return m.doc.Errorf(n, "joint %q has %q as parent and as child", j.name, j.parent)
	}
	m.joints = append(m.joints, j)
	j.entity = &entity{kind: jointKind, node: n, pose: p, relative: relative, attached: j.child}
	return m.add(j.entity)
}

// end reads <parent> or <child> of a joint; before 1.7 the name could stand in an element below.
func (m *model) end(n *xmltree.Node, which string) (string, error) {
	name := n.ValueOf(which)
	if name == "" {
		name = n.Find(which, "link").Value()
	}
	if name == "" {
		return "", m.doc.Errorf(n, "joint %q has no <%s>", n.Get("name"), which)
	}
	return name, nil
}

func (m *model) addModel(n *xmltree.Node, sub *model, p r3.Pose, relative string) error {
	if sub.placement != "" {
		at, err := sub.poseIn(n, sub.placement)
		if err != nil {
			return err
		}
		p = p.Mul(at.Inverse())
	}
	e := &entity{kind: modelKind, node: n, pose: p, relative: relative, sub: sub}
	m.subs = append(m.subs, e)
	return m.add(e)
}
