package sdf

import (
	"strings"

	"simdeck/sim/asset/markup"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Kind of what a document holds: "world", "model" or neither.
func Kind(root *markup.Node) string {
	for _, k := range root.Kids {
		if k.Name == "world" || k.Name == "model" {
			return k.Name
		}
	}
	return ""
}

// Model reads the first model of a document. Errors wrap scene.ErrParse.
func Model(d *source.Doc) (*scene.ModelSpec, error) {
	root := d.Tree.Root
	v, err := versionOf(d, root)
	if err != nil {
		return nil, err
	}
	n := root.Child("model")
	if n == nil {
		if w := root.Child("world"); w != nil {
			return nil, d.Errorf(w, "this is a world; a model is needed")
		}
		return nil, d.Errorf(root, "<sdf> holds no <model>")
	}
	for _, k := range root.Kids {
		if k != n {
			d.Note(scene.Unsupported, k, "<%s> beside the model; only the first model of a file is read", k.Name)
		}
	}
	m, err := collect(d, n, v)
	if err != nil {
		return nil, err
	}
	p, relative, err := pose(d, n, v)
	if err != nil {
		return nil, err
	}
	if relative != "" && relative != "world" {
		return nil, d.Errorf(n, "the pose of the outermost model is relative to %q; there is only the world", relative)
	}
	if m.placement != "" {
		at, err := m.poseIn(n, m.placement)
		if err != nil {
			return nil, err
		}
		p = p.Mul(at.Inverse())
	}
	spec, err := build(d, m)
	if err != nil {
		return nil, err
	}
	if len(spec.Links) == 0 {
		return nil, d.Errorf(n, "model %q has no link", m.name)
	}
	spec.Placement, spec.Notes = p, *d.Notes
	return spec, nil
}

// World reads the first world of a document. Errors wrap scene.ErrParse.
func World(d *source.Doc) (*scene.WorldSpec, error) {
	root := d.Tree.Root
	v, err := versionOf(d, root)
	if err != nil {
		return nil, err
	}
	n := root.Child("world")
	if n == nil {
		return nil, d.Errorf(root, "<sdf> holds no <world>")
	}
	for _, k := range root.All("world") {
		if k != n {
			d.Note(scene.Unsupported, k, "a second <world>; only the first is read")
		}
	}
	m := &model{doc: d, node: n, version: v, world: true, name: n.Get("name"), names: map[string]*entity{}}
	if m.name == "" {
		m.name = "default"
	}
	spec := &scene.WorldSpec{Name: m.name, Gravity: r3.V(0, 0, -9.8), Description: n.ValueOf("simdeck:description"),
		Tags: strings.Fields(n.ValueOf("simdeck:tags"))}
	for _, k := range n.Kids {
		if err := m.worldElement(k, spec); err != nil {
			return nil, err
		}
	}
	state, err := m.saved(spec)
	if err != nil {
		return nil, err
	}
	if err := m.tie(n.All("joint")); err != nil {
		return nil, err
	}
	if err := m.models(spec); err != nil {
		return nil, err
	}
	if err := m.state(state, spec); err != nil {
		return nil, err
	}
	for _, k := range n.All("actor") {
		if err := m.actor(k, spec); err != nil {
			return nil, err
		}
	}
	if err := m.poses(spec); err != nil {
		return nil, err
	}
	spec.Lights = append(spec.Lights, m.lights...)
	spec.Notes = *d.Notes
	return spec, nil
}

func (m *model) worldElement(k *markup.Node, spec *scene.WorldSpec) error {
	switch k.Name {
	case "model", "include", "frame":
		return m.element(k)
	case "light":
		l, err := light(m.doc, k, m.version)
		spec.Lights = append(spec.Lights, l)
		return err
	case "gravity":
		g, err := m.doc.Vec(k, k.Text)
		spec.Gravity = g
		return err
	case "population":
		return m.population(k)
	case "actor": // read after the models
	case "physics":
		physics(m.doc, k, spec)
	case "plugin":
		worldPlugin(m.doc, k)
	case "scene":
		spec.Ambience = ambience(m.doc, k)
	case "spherical_coordinates", "magnetic_field", "atmosphere":
		earth(m.doc, k, &spec.Earth)
	case "gui", "audio", "wind", "world":
	case "joint", "state": // read when all models are known
	default:
		if !strings.Contains(k.Name, ":") || strings.Contains(k.Name, "::") {
			m.doc.Note(scene.Unsupported, k, "<%s> of a world is not run", k.Name)
		}
	}
	return nil
}

// physics reads the step and the asked speed; values that are none are noted and the engine's defaults hold.
func physics(d *source.Doc, n *markup.Node, spec *scene.WorldSpec) {
	if step := d.Loose(n, "max_step_size", 0); step > 0 {
		spec.StepSize = step
	} else if n.Child("max_step_size") != nil {
		d.Note(scene.Suspicious, n.Child("max_step_size"), "a step of %q s; the engine's default is taken", n.ValueOf("max_step_size"))
	}
	factor := d.Loose(n, "real_time_factor", 0)
	if factor < 0 {
		d.Note(scene.Suspicious, n.Child("real_time_factor"), "a real-time factor of %g; the engine's default is taken", factor)
		factor = 0
	}
	if f, err := source.ParseFloat(n.ValueOf("real_time_factor")); err == nil && f == 0 {
		spec.Unpaced = true
	}
	spec.RealTime = factor
}

// worldPlugin passes over the systems whose work the engine does anyway and notes the rest.
func worldPlugin(d *source.Doc, n *markup.Node) {
	name := strings.ToLower(n.Get("filename") + " " + n.Get("name"))
	for _, known := range []string{"physics", "user-commands", "usercommands", "scene-broadcaster", "scenebroadcaster",
		"gz-sim-sensors", "systems::sensors", "imu", "contact",
		"air-pressure", "altimeter", "magnetometer", "forcetorque", "navsat", "libgazebo_ros_init", "libgazebo_ros_factory", "libgazebo_ros_state"} {
		if strings.Contains(name, known) {
			return
		}
	}
	d.Note(scene.Unsupported, n, "plugin %s is not run", gazebo.PluginName(n))
}

// likeness is what two included models have in common when one description serves both.
type likeness struct {
	node   *markup.Node
	static bool
}

// models builds the models of a world in the order of the file.
func (m *model) models(spec *scene.WorldSpec) error {
	alike := map[likeness]*scene.ModelSpec{}
	for _, e := range m.subs {
		at, err := m.entityPose(e)
		if err != nil {
			return err
		}
		if e.sub.robot != nil {
			spec.Models = append(spec.Models, e.sub.placedRobot(e.name, at))
			continue
		}
		if !e.sub.hasLink() {
			m.doc.Note(scene.Suspicious, e.node, "model %q has no link; left out", e.name)
			continue
		}
		m.top = at.Inverse() // for the joints of the world
		key := likeness{e.sub.node, e.sub.static}
		built := alike[key]
		if built == nil || !e.sub.shared {
			if built, err = build(e.sub.doc, e.sub); err != nil {
				return err
			}
			if e.sub.shared {
				alike[key] = built
			}
		}
		if err := e.sub.linkLights(spec, e.name, at); err != nil {
			return err
		}
		spec.Models = append(spec.Models, scene.Placed{Name: e.name, Model: built, Pose: at, Static: e.sub.static,
			Deletable: e.sub.deletable, Namespace: e.sub.namespace})
	}
	return nil
}

// poses makes named poses of the frames of a world.
func (m *model) poses(spec *scene.WorldSpec) error {
	for _, e := range m.order {
		if e.kind != frameKind {
			continue
		}
		if _, err := m.bodyOf(e.node, e.name); err != nil {
			return err
		}
		at, err := m.entityPose(e)
		if err != nil {
			return err
		}
		p := scene.NamedPose{Name: e.name, Pose: at, Description: e.node.ValueOf("simdeck:description"),
			Tags: strings.Fields(e.node.ValueOf("simdeck:tags"))}
		if k := e.node.Child("simdeck:bounds"); k != nil {
			p.Bounds = bounds(m.doc, k)
		}
		spec.NamedPoses = append(spec.NamedPoses, p)
	}
	return nil
}
