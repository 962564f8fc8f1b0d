package sdf

import (
	"simdeck/sim/asset/markup"
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
	m := &model{doc: d, node: d.Tree.Root, name: spec.Name, robot: spec, static: spec.Static, info: spec.Info, names: map[string]*entity{}}
	for i := range spec.Links { // frames of the world may be given relative to them
		l := &spec.Links[i]
		m.names[l.Name] = &entity{kind: linkKind, name: l.Name, node: m.node, pose: l.Pose, link: &link{node: m.node, owner: m, doc: d, name: l.Name}}
	}
	return m, nil
}

// addRobot puts an included URDF into a world; within a model there is no place for one.
func (m *model) addRobot(n *markup.Node, sub *model, p r3.Pose, relative string) error {
	if !m.world {
		m.doc.Note(scene.Unsupported, n, "include %s: a URDF inside a model; worlds include them", n.ValueOf("uri"))
		m.miss(n, n.ValueOf("uri"))
		return nil
	}
	if n.Child("placement_frame") != nil || len(n.All("plugin")) > 0 {
		m.doc.Note(scene.Unsupported, n, "include %s: <placement_frame> and <plugin> are not applied to a URDF", n.ValueOf("uri"))
	}
	sub.placement = ""
	return m.addModel(n, sub, p, relative)
}

// placedRobot is the robot with what the include says of it.
func (m *model) placedRobot(name string, at r3.Pose) scene.Placed {
	spec := *m.robot
	spec.Source, spec.Info = m.source, m.info
	return scene.Placed{Name: name, Model: &spec, Pose: at.Mul(spec.Placement), Static: m.static, Deletable: m.deletable, Namespace: m.namespace}
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
