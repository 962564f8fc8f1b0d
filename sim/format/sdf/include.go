package sdf

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// include reads the model that <include> names. One that cannot be had is noted; see lack.
func (m *model) include(n *xmltree.Node) error {
	uri := n.ValueOf("uri")
	if uri == "" {
		m.doc.Note(scene.Missing, n, "<include> names no <uri>; left out")
		return nil
	}
	if m.doc.Budget.Includes--; m.doc.Budget.Includes < 0 {
		return m.doc.Errorf(n, "more than 5000 includes in one world")
	}
	p, relative, err := pose(m.doc, n, m.version)
	if err != nil {
		return err
	}
	sub, lack, err := m.fetch(n, uri)
	if err != nil {
		return err
	}
	if lack != nil {
		m.miss(n, uri)
		return m.lack(n, uri, p, relative, lack)
	}
	if sub == nil {
		if b := m.doc.Budget; b.Parts < 0 || b.Links < 0 {
			return m.doc.Errorf(n, "include %s: with it the document has more than %d links, or %d parts in all",
				uri, source.MaxLinks, source.MaxParts)
		}
		return nil
	}
	if k := n.Child(paramsTag); k != nil && (sub.node == nil || sub.robot != nil) {
		m.doc.Note(scene.Unsupported, k, "<%s> are applied to models of SDF; include %s is none", paramsTag,
			uri)
	}
	if sub.node == nil {
		return m.includeOther(n, sub, p, relative)
	}
	if n.Child("pose") == nil && sub.robot == nil {
		if p, relative, err = pose(sub.doc, sub.node, sub.version); err != nil {
			return err
		}
	}
	sub.instance.source = uri
	m.override(n, sub)
	if sub.robot != nil {
		return m.addRobot(n, sub, p, relative)
	}
	if isTrue(n.Get("merge")) {
		if !m.world || len(sub.links) == 0 {
			return m.merge(n, sub, p, relative)
		}
		m.doc.Note(scene.Unsupported, n,
			"include %s: only models of models can be merged into a world, this one has links; it stays a model",
			uri)
	}
	return m.addModel(n, sub, p, relative)
}

// fetch reads the included document; nil when it holds no model. lack says why it cannot be had, and err that
// documents include each other.
func (m *model) fetch(n *xmltree.Node, uri string) (sub *model, lack, err error) {
	inner, err := m.doc.Files.Model(uri, m.doc)
	if errors.Is(err, source.ErrCircle) {
		return nil, nil, err
	}
	if err != nil {
		return nil, err, nil
	}
	if inner.StandIn != "" {
		m.doc.Note(scene.Inferred, n, "include %s: %s", uri, inner.StandIn)
	}
	if r, ok := m.doc.Files.(source.Robots); ok &&
		(inner.Tree.Root.Name == "robot" || inner.Tree.Root.Name == "map") {
		sub, err = robot(r, inner)
	} else {
		sub, err = included(inner, func(model *xmltree.Node) (*xmltree.Node,
			error) {
			return tailored(m.doc, n, model)
		})
	}
	switch {
	case errors.Is(err, source.ErrCircle):
		return nil, nil, err
	case err != nil:
		m.doc.Note(scene.Unreadable, n, "include %s: %v; left out", uri, err)
		m.miss(n, uri)
		return nil, nil, nil
	}
	return sub, nil, nil
}

// miss remembers the name of a model that could not be included: joints to it are left out as well.
func (m *model) miss(n *xmltree.Node, uri string) {
	name := n.ValueOf("name")
	if name == "" {
		name = path.Base(uri)
	}
	m.missing(name)
	m.lost = append(m.lost, uri)
	m.unmerged = m.unmerged || isTrue(n.Get("merge"))
}

// lacking ends a message that something is not there: it names the models that could not be included.
func (m *model) lacking() string {
	const listed = 5
	switch n := len(m.lost); {
	case n == 0:
		return ""
	case n > listed:
		return fmt.Sprintf("; missing are %s and %d more", strings.Join(m.lost[:listed], ", "), n-listed)
	}
	return "; missing is " + strings.Join(m.lost, ", ")
}

// missing remembers the name of a model that is not there.
func (m *model) missing(name string) {
	if m.absent == nil {
		m.absent = map[string]bool{}
	}
	m.absent[name] = true
}

// The name of the frame of a merged model: its own name between these.
const mergedPrefix, mergedSuffix = "_merged__", "__model__"

// shown is a name as its file says it.
func shown(name string) string {
	if inner, ok := strings.CutPrefix(name, mergedPrefix); ok {
		return strings.TrimSuffix(inner, mergedSuffix)
	}
	return name
}

// near asks whether a name was misspelled that is one of the model's own.
func (m *model) near(name string) string {
	var known []string
	for _, k := range slices.Sorted(maps.Keys(m.names)) {
		if !strings.HasPrefix(k, mergedPrefix) {
			known = append(known, k)
		}
	}
	return source.Near(name, known)
}

// isAbsent reports that a name means something in a model that could not be included.
func (m *model) isAbsent(name string) bool {
	head, _, _ := strings.Cut(name, "::")
	if m.absent[head] {
		return true
	}
	found, _ := m.find(name)
	return m.unmerged && found == nil && !m.own(name) && name != "world"
}

func kindOf(err error) scene.NoteKind {
	if errors.Is(err, scene.ErrParse) || errors.Is(err, scene.ErrUnsupportedFormat) {
		return scene.Unreadable
	}
	return scene.Missing
}

// includeOther takes the light or the actor of an included file, where the include puts it.
func (m *model) includeOther(n *xmltree.Node, sub *model, p r3.Pose, relative string) error {
	name := n.ValueOf("name")
	for _, l := range sub.lights {
		if name != "" {
			l.Name = name
		}
		if n.Child("pose") != nil {
			l.Pose = p
		}
		m.inWorld.lamps = append(m.inWorld.lamps, lamp{l, n, relative})
	}
	if sub.inWorld.actors == nil {
		return nil
	}
	if !m.world {
		m.doc.Note(scene.Unsupported, n, "include %s: an actor inside a model; worlds include them",
			n.ValueOf("uri"))
		return nil
	}
	a := sub.inWorld.actors[0]
	if a.name = name; n.Child("pose") != nil {
		a.pose = &p
	}
	m.inWorld.actors = append(m.inWorld.actors, a)
	return nil
}

// included collects the model of a model file; its node is nil when the file holds only a light or an actor.
// The model is read as tailor gives it back.
func included(d *source.Doc, tailor func(*xmltree.Node) (*xmltree.Node, error)) (*model, error) {
	root := d.Tree.Root
	if root.Name != "sdf" {
		return nil, d.Errorf(root, "root element <%s> is not <sdf>", root.Name)
	}
	v, err := versionOf(d, root)
	if err != nil {
		return nil, err
	}
	defer remarks(d)
	for _, k := range root.Kids {
		switch k.Name {
		case "model":
			if k, err = tailor(k); err != nil {
				return nil, err
			}
			return collect(d, k, v)
		case "light":
			l, err := light(d, k, v)
			return &model{lights: []scene.Light{l}}, err
		case "actor":
			read := includedActor{doc: d, node: k, version: v}
			return &model{inWorld: worldContent{actors: []includedActor{read}}}, nil
		}
	}
	return nil, lacks(d, "model")
}

// override applies what <include> says over what the model says of itself.
func (m *model) override(n *xmltree.Node, sub *model) {
	if name := n.ValueOf("name"); name != "" {
		sub.name = name
	}
	sub.static = m.doc.Bool(n, "static", sub.static)
	if f := n.ValueOf("placement_frame"); f != "" {
		sub.placement = f
	}
	sub.instance.shared = true
	for _, k := range n.Kids {
		if k.Name == "plugin" || strings.HasPrefix(k.Name, "simdeck:") {
			sub.instance.shared = false
		}
	}
	for _, k := range n.All("plugin") {
		sub.plugins = append(sub.plugins, plugin{k, m.doc})
	}
	sub.extras(m.doc, n)
}

// merge takes the contents of an included model into m, fixed to a frame that stands for the model's own.
func (m *model) merge(n *xmltree.Node, sub *model, p r3.Pose, relative string) error {
	if sub.placement != "" {
		at, err := sub.poseIn(n, sub.placement)
		if err != nil {
			return err
		}
		p = p.Mul(at.Inverse())
	}
	proxy, anchor := mergedPrefix+sub.name+mergedSuffix, ""
	m.unmerged = m.unmerged || sub.unmerged
	m.lost = append(m.lost, sub.lost...)
	for name := range sub.absent {
		m.missing(name)
	}
	if !m.world {
		link, err := sub.canonicalLink(n)
		if err != nil {
			return err
		}
		anchor = link.name
	}
	through := func(name string) string {
		if sub.own(name) {
			return proxy
		}
		return name
	}
	stand := &entity{kind: frameKind, name: proxy, node: n, pose: p, relative: relative, attached: anchor}
	if relative == "" && !m.world {
		stand.relative = "__model__"
	}
	m.names[proxy] = stand
	m.order = append(m.order, stand)
	for _, e := range sub.order {
		e.known = false
		if e.kind == frameKind {
			e.attached = through(e.attached)
		}
		if e.base() == "" || sub.own(e.base()) {
			e.relative = proxy
		}
		if e.link != nil {
			e.link.owner = m
		}
		if err := m.add(e); err != nil {
			return err
		}
	}
	for _, j := range sub.joints {
		j.owner, j.parent, j.child, j.frame = m, through(j.parent), through(j.child), proxy
		j.entity.attached = j.child
	}
	if m.instance.patrol == nil {
		m.instance.patrol = sub.instance.patrol
	}
	m.links, m.joints = append(m.links, sub.links...), append(m.joints, sub.joints...)
	for _, e := range sub.subs {
		e.sub.static = e.sub.static || sub.static
	}
	m.subs, m.plugins = append(m.subs, sub.subs...), append(m.plugins, sub.plugins...)
	return nil
}
