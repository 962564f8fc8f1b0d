package sdf

import (
	"slices"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// robot reads an included URDF or map as a model that is whole already.
func robot(r source.Robots, d *source.Doc) (*model, error) {
	spec, err := r.Robot(d)
	if err != nil {
		return nil, err
	}
	m := &model{doc: d, node: d.Tree.Root, name: spec.Name, robot: spec, static: spec.Static, info: spec.Info,
		names: map[string]*entity{}}
	for i := range spec.Links { // frames and joints around it may name them
		l := &spec.Links[i]
		e := &entity{kind: linkKind, name: l.Name, node: m.node, pose: l.Pose,
			link: &link{node: m.node, owner: m, doc: d, name: l.Name, ready: l}}
		m.names[l.Name] = e
		m.order, m.links = append(m.order, e), append(m.links, e.link)
	}
	if spec.Canonical < len(spec.Links) {
		m.canonical = spec.Links[spec.Canonical].Name
	}
	return m, nil
}

// addRobot puts an included URDF into a world as it is, or among what is nested in a model.
func (m *model) addRobot(n *xmltree.Node, sub *model, p r3.Pose, relative string) error {
	if !m.world {
		if isTrue(n.Get("merge")) {
			m.doc.Note(scene.Unsupported, n,
				"include %s: a URDF is not merged; it stays a model in the model", n.ValueOf("uri"))
		}
		return m.addModel(n, sub, p.Mul(sub.robot.Placement), relative)
	}
	if n.Child("placement_frame") != nil || len(n.All("plugin")) > 0 {
		m.doc.Note(scene.Unsupported, n,
			"include %s: <placement_frame> and <plugin> are not applied to a URDF", n.ValueOf("uri"))
	}
	sub.placement = ""
	return m.addModel(n, sub, p, relative)
}

// placedRobot is the robot with what the include says of it.
func (m *model) placedRobot(name string, at r3.Pose) scene.Placed {
	spec := *m.robot
	spec.Source, spec.Info = m.instance.source, m.info
	m.instance.patrol.assign(name, &spec)
	return scene.Placed{Name: name, Model: &spec, Pose: at.Mul(spec.Placement), Static: m.static,
		Deletable: m.instance.deletable, Namespace: m.instance.namespace}
}

// robot takes the joints of a robot that is nested in a model, and what else names them or links by their
// index.
func (b *builder) robot(m *model) {
	r, first := m.robot, len(b.spec.Joints)
	at := func(link int) int {
		if link < 0 {
			return link // the world
		}
		return m.links[link].index
	}
	shifted := func(joints []int) []int {
		joints = slices.Clone(joints)
		for i := range joints {
			joints[i] += first
		}
		return joints
	}
	for _, j := range r.Joints {
		j.Name, j.Parent, j.Child = m.prefix+j.Name, at(j.Parent), at(j.Child)
		if j.Mimic.Set {
			j.Mimic.Joint += first
		}
		b.jointIndex[j.Name] = len(b.spec.Joints)
		b.spec.Joints = append(b.spec.Joints, j)
	}
	for _, l := range m.links {
		sensors := slices.Clone(l.ready.Sensors)
		for i := range sensors {
			if sensors[i].Force.Set {
				sensors[i].Force.Joint += first
			}
		}
		b.spec.Links[l.index].Sensors = sensors
	}
	for _, f := range r.Frames {
		if f.Name = m.prefix + f.Name; f.Link < 0 {
			f.Pose = m.top.Mul(f.Pose)
		}
		f.Link = at(f.Link)
		b.spec.Frames = append(b.spec.Frames, f)
	}
	for _, pair := range r.Apart {
		b.spec.Apart = append(b.spec.Apart, [2]int{at(pair[0]), at(pair[1])})
	}
	for _, d := range r.Drives {
		d.Left, d.Right, d.SteerLeft, d.SteerRight = shifted(d.Left), shifted(d.Right), shifted(d.SteerLeft),
			shifted(d.SteerRight)
		b.spec.Drives = append(b.spec.Drives, d)
	}
}

// linkLights gives a world the lights that stand on the links of a static model.
func (m *model) linkLights(spec *scene.WorldSpec, name string, at r3.Pose) error {
	for _, e := range m.order {
		if e.link == nil || !m.static {
			continue
		}
		for _, n := range e.node.All("light") {
			l, err := light(m.doc, n, m.version)
			if err != nil {
				return err
			}
			p, err := m.entityPose(e)
			if err != nil {
				return err
			}
			l.Name, l.Pose = name+"::"+e.name+"::"+l.Name, at.Mul(p).Mul(l.Pose)
			spec.Lights = append(spec.Lights, l)
		}
	}
	return nil
}
