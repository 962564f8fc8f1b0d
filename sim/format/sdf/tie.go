package sdf

import (
	"slices"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/scene"
)

// maxTied bounds the links of models that a world's joints make one of, for which the pairs that do not touch
// are listed.
const maxTied = 256

// tie reads the joints of a world, which join its models, or one of them to the world. The engine connects
// links of one entity only, so that models on joints become one with the first one's name. The parts of the
// others are called "other::link", as those of a nested model.
func (m *model) tie(nodes []*xmltree.Node) error {
	for _, n := range nodes {
		if err := m.addJoint(n); err != nil {
			return err
		}
	}
	joints := m.joints
	if m.joints = nil; len(joints) == 0 {
		return nil
	}
	t := newTying(m)
	for _, j := range joints {
		if err := t.tieOne(j); err != nil {
			return err
		}
	}
	m.subs = slices.DeleteFunc(m.subs, func(e *entity) bool { return t.into[e] != nil })
	return nil
}

// tying is the models of a world while its joints make one of several.
type tying struct {
	*model
	holders map[*link]*entity   // in which model a link was written
	into    map[*entity]*entity // the model that each became a part of
	rank    map[*entity]int     // in m.subs
}

func newTying(m *model) *tying {
	t := &tying{m, map[*link]*entity{}, map[*entity]*entity{}, map[*entity]int{}}
	for i, e := range m.subs {
		t.rank[e] = i
		e.sub.eachLink(func(l *link) { t.holders[l] = e })
	}
	return t
}

// eachLink calls f with the links of a model and of those in it.
func (m *model) eachLink(f func(*link)) {
	for _, l := range m.links {
		f(l)
	}
	for _, e := range m.subs {
		e.sub.eachLink(f)
	}
}

// tieOne gives a joint to the model that it belongs to; one that cannot be had is noted.
func (m *tying) tieOne(j *joint) error {
	if m.isAbsent(j.child) || m.isAbsent(j.parent) {
		m.doc.Note(scene.Missing, j.node, "joint %q connects to a model that is missing; left out%s",
			j.name, m.lacking())
		return nil
	}
	parent, err := m.holder(j.node, j.parent)
	if err != nil {
		return err
	}
	child, err := m.holder(j.node, j.child)
	switch {
	case err != nil:
		return err
	case child == nil:
		return m.doc.Errorf(j.node, "joint %q has the world as child", j.name)
	case parent == child && m.same(j):
		m.doc.Note(scene.Suspicious, j.node, "joint %q joins a link to itself; left out", j.name)
		return nil
	case child.sub.robot != nil || parent != nil && parent.sub.robot != nil:
		m.doc.Note(scene.Unsupported, j.node, "joint %q ties a robot read from URDF; it is left out", j.name)
		return nil
	case child.sub.static:
		m.doc.Note(scene.Unsupported, j.node,
			"joint %q has a link of the static model %q as child; it is left out", j.name, child.name)
		return nil
	case parent != nil && parent.sub.static: // static models are fixed to the world
		parent = nil
		if err := m.nail(j); err != nil {
			return err
		}
	}
	into := child
	if parent != nil && parent != child {
		into = parent
		if m.rank[child] < m.rank[parent] {
			into, child = child, parent
		}
		if err := m.swallow(j, into, child); err != nil {
			return err
		}
	}
	into.sub.tied.joints, into.sub.instance.shared = append(into.sub.tied.joints, j), false
	return nil
}

// same reports that both ends of a joint mean one link.
func (m *model) same(j *joint) bool {
	parent, err := m.bodyOf(j.node, j.parent)
	child, other := m.bodyOf(j.node, j.child)
	return err == nil && other == nil && parent == child
}

// holder is the model of the world whose link a name means, or that has become a part of; nil: the world
// itself.
func (m *tying) holder(by *xmltree.Node, name string) (*entity, error) {
	body, err := m.bodyOf(by, name)
	if err != nil || body == nil {
		return nil, err
	}
	e := m.holders[body]
	if e == nil {
		return nil, m.doc.Errorf(by, "%q is no link of a model of this world", name)
	}
	for m.into[e] != nil {
		if next := m.into[m.into[e]]; next != nil { // so that the way is shorter next time
			m.into[e] = next
		}
		e = m.into[e]
	}
	return e, nil
}

// nail fixes the parent of a joint to the world where it stands: the joint's own place must not depend on it.
func (m *model) nail(j *joint) error {
	if _, err := m.entityPose(j.entity); err != nil {
		return err
	}
	j.parent = "world"
	return nil
}

// swallow makes a model of the world a part of another, where it stands.
func (m *tying) swallow(j *joint, into, other *entity) error {
	at, err := m.entityPose(into)
	if err != nil {
		return err
	}
	p, err := m.entityPose(other)
	if err != nil {
		return err
	}
	m.doc.Note(scene.Inferred, j.node, "joint %q ties models %q and %q: they are one entity, called %q",
		j.name, into.name, other.name, into.name)
	m.into[other] = into
	rel := at.Relative(p)
	into.sub.subs = append(into.sub.subs,
		&entity{kind: modelKind, name: other.name, node: other.node, pose: rel, sub: other.sub, known: true,
			inModel: rel})
	into.sub.tied.joints, other.sub.tied.joints = append(into.sub.tied.joints, other.sub.tied.joints...), nil
	into.sub.tied.models = append(into.sub.tied.models, other.sub)
	return nil
}

// separate keeps the collision filters of models that became one. Parts of different models collide, except
// across a joint, and parts of one model do if they did.
func (b *builder) separate(m *model) {
	if len(m.tied.models) == 0 || len(b.spec.Links) > maxTied {
		return
	}
	part := make([]int, len(b.spec.Links))
	for k, other := range m.tied.models {
		other.eachLink(func(l *link) { part[l.index] = k + 1 })
	}
	self := make([]bool, len(part))
	for i := range b.spec.Links {
		self[i], b.spec.Links[i].SelfCollide = b.spec.Links[i].SelfCollide, true
	}
	for i := range part {
		for k := range i {
			if part[i] == part[k] && !(self[i] && self[k]) {
				b.spec.Apart = append(b.spec.Apart, [2]int{k, i})
			}
		}
	}
}
