package sdf

import (
	"slices"

	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// builder flattens a collected model into a description.
type builder struct {
	doc        *source.Doc
	spec       *scene.ModelSpec
	links      []*link
	jointIndex map[string]int // by flat name
	mimics     []mimic
	gears      []gearbox
}

// build resolves every name of a model.
func build(d *source.Doc, m *model) (*scene.ModelSpec, error) {
	b := &builder{doc: d, jointIndex: map[string]int{}, spec: &scene.ModelSpec{
		Name: m.node.Get("name"), Source: m.instance.source, Format: "sdf", Static: m.static, Info: m.info,
		Placement: r3.IdentityPose(), Frame: r3.IdentityPose()}}
	if err := b.place(m, "", r3.IdentityPose(), false); err != nil {
		return nil, err
	}
	if len(b.links) == 0 {
		return b.spec, nil
	}
	b.spec.Static = !slices.ContainsFunc(b.links, func(l *link) bool { return !l.static })
	for _, l := range b.links {
		out, err := l.described()
		if err != nil {
			return nil, err
		}
		out.Kinematic = out.Kinematic || l.static && !b.spec.Static
		out.Name = l.owner.prefix + l.name
		b.spec.Links = append(b.spec.Links, out)
	}
	if err := b.joints(m); err != nil {
		return nil, err
	}
	b.separate(m)
	for _, f := range b.mimics {
		if err := f.resolve(b); err != nil {
			return nil, err
		}
	}
	for _, g := range b.gears {
		if err := g.resolve(b); err != nil {
			return nil, err
		}
	}
	canonical, err := m.canonicalLink(m.node)
	if err != nil {
		return nil, err
	}
	b.spec.Canonical, b.spec.Frame = canonical.index, canonical.top
	if err := b.plugins(m); err != nil {
		return nil, err
	}
	gazebo.InferAircraft(m.doc, m.node, b.spec)
	gazebo.InferVessel(m.doc, m.node, b.spec)
	m.instance.patrol.assign(m.name, b.spec)
	return b.spec, nil
}

// place gives every link its index, its flat name and its pose in the outermost model. Models nested in a
// static model are static, and so are static models nested in one that is not.
func (b *builder) place(m *model, prefix string, top r3.Pose, static bool) error {
	m.prefix, m.top = prefix, top
	static = static || m.static
	if m.canonical != "" {
		if _, err := m.canonicalLink(m.node); err != nil {
			return err
		}
	}
	m.loseJoints()
	for _, e := range m.order {
		if e.kind == jointKind && (e.lost || m.isAbsent(e.base())) {
			continue
		}
		p, err := m.entityPose(e)
		if err != nil {
			return err
		}
		if at := top.Mul(p); !source.Reachable(at) {
			return m.doc.Errorf(e.node, "the poses that %q is given in add up to %v; want at most %g m",
				e.name, at.Pos, source.MostDistance)
		}
		if e.kind == linkKind {
			e.link.index, e.link.top, e.link.static = len(b.links), top.Mul(p), static
			b.links = append(b.links, e.link)
		}
	}
	for _, s := range m.subs {
		p, err := m.entityPose(s)
		if err != nil {
			return err
		}
		if k := s.sub.instance.patrol; k != nil {
			k.doc.Note(scene.Unsupported, k.node, "patrol: model %q is part of another, which alone can have one", s.name)
		}
		if err := b.place(s.sub, prefix+s.name+"::", top.Mul(p), static); err != nil {
			return err
		}
	}
	return nil
}

// joints reads the joints and frames of a model and of those nested in it.
func (b *builder) joints(m *model) error {
	for _, e := range m.order {
		if e.kind != frameKind || e.node.Name != "frame" {
			continue
		}
		body, err := m.bodyOf(e.node, e.name)
		if err != nil {
			return err
		}
		at := m.top.Mul(e.inModel)
		f := scene.Frame{Name: m.prefix + e.name, Link: -1, Pose: at}
		if body != nil {
			f.Link, f.Pose = body.index, body.top.Relative(at)
		}
		b.spec.Frames = append(b.spec.Frames, f)
	}
	for _, j := range append(slices.Clip(m.joints), m.tied.joints...) {
		if j.entity.lost {
			continue
		}
		out, ok, err := j.read(b)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		b.jointIndex[out.Name] = len(b.spec.Joints)
		b.spec.Joints = append(b.spec.Joints, out)
		if err := j.sensors(b, len(b.spec.Joints)-1); err != nil {
			return err
		}
		if err := b.split(j); err != nil {
			return err
		}
	}
	if m.robot != nil {
		b.robot(m)
	}
	for _, s := range m.subs {
		if err := b.joints(s.sub); err != nil {
			return err
		}
	}
	return nil
}

// plugins finds the drives of a model and of those nested in it.
func (b *builder) plugins(m *model) error {
	for _, p := range m.plugins {
		if err := p.doc.Take(p.Node, source.PluginParts); err != nil {
			return err
		}
		if err := gazebo.Plugin(p.doc, p.Node, b.spec, b.jointIndex, m.prefix); err != nil {
			return err
		}
	}
	for _, s := range m.subs {
		if err := b.plugins(s.sub); err != nil {
			return err
		}
	}
	return nil
}
