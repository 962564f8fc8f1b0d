package sdf

import (
	"fmt"
	"path"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Kind of what a document holds: "world", "model" or neither. One that only includes a model is that.
func Kind(root *xmltree.Node) string {
	for _, k := range root.Kids {
		if k.Name == "world" || k.Name == "model" {
			return k.Name
		}
	}
	if root.Child("include") != nil {
		return "model"
	}
	return ""
}

// lacks is the error of a document that holds something else, as those of a lamp to be included do.
func lacks(d *source.Doc, want string) error {
	only := ""
	if kids := d.Tree.Root.Kids; len(kids) > 0 {
		only = fmt.Sprintf(", only <%.60s>", kids[0].Name)
		if kids[0].Name == "light" || kids[0].Name == "actor" {
			only += ", which a world can include"
		}
	}
	return d.Errorf(d.Tree.Root, "<sdf> holds no <%s>%s", want, only)
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
		if k := root.Child("include"); k != nil {
			return includedAlone(d, k)
		}
		return nil, lacks(d, "model")
	}
	for _, k := range root.Kids {
		switch {
		case k == n || strings.Contains(k.Name, ":"):
		case Elements().Kid(Elements().Types[0], k.Name) == nil:
			d.Note(scene.Ignored, k, "<%s> in <sdf> is not known", k.Name)
		default:
			d.Note(scene.Unsupported, k, "<%s> beside the model; only the first model of a file is read",
				k.Name)
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
		return nil, d.Errorf(n, "the pose of the outermost model is relative to %q; there is only the world",
			relative)
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
		return nil, d.Errorf(n, "model %q has no link%s", m.name, m.lacking())
	}
	remarks(d)
	spec.Placement, spec.Notes = p, *d.Notes
	return spec, nil
}

// includedAlone reads a document whose root only includes a model, by another name or at another pose perhaps.
func includedAlone(d *source.Doc, n *xmltree.Node) (*scene.ModelSpec, error) {
	model := &xmltree.Node{Name: "model", Pos: n.Pos, Attrs: []xmltree.Attr{{Name: "name", Value: "included"}}}
	merge := *n
	merge.Attrs = append([]xmltree.Attr{{Name: "merge", Value: "true"}}, n.Attrs...)
	merge.Kids = nil
	for _, k := range n.Kids {
		switch k.Name {
		case "name":
			model.Attrs[0].Value = k.Value()
		case "pose", "static":
			model.Kids = append(model.Kids, k)
			continue
		case "uri":
			if n.ValueOf("name") == "" {
				model.Attrs[0].Value = path.Base(k.Value())
			}
		}
		merge.Kids = append(merge.Kids, k)
	}
	model.Kids = append(model.Kids, &merge)
	root := *d.Tree.Root
	root.Kids = []*xmltree.Node{model}
	tree := *d.Tree
	tree.Root = &root
	inner := *d
	inner.Tree = &tree
	return Model(&inner)
}

// World reads the first world of a document. Errors wrap scene.ErrParse.
func World(d *source.Doc) (*scene.WorldSpec, error) {
	root := d.Tree.Root
	v, err := versionOf(d, root)
	if err != nil {
		return nil, err
	}
	n := root.Child("world")
	if n == nil && (root.Child("light") != nil || root.Child("actor") != nil) {
		n = &xmltree.Node{Name: "world", Pos: root.Pos, Kids: root.Kids} // of what a world can include
	}
	if n == nil {
		return nil, lacks(d, "world")
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
	spec := &scene.WorldSpec{Name: m.name, Gravity: r3.V(0, 0, -9.8),
		Description: n.ValueOf("simdeck:description"),
		Tags:        strings.Fields(n.ValueOf("simdeck:tags"))}
	for _, k := range n.Kids {
		if err := m.worldElement(k, spec); err != nil {
			return nil, err
		}
	}
	if err := m.standIns(); err != nil {
		return nil, err
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
	if err := m.hang(spec); err != nil {
		return nil, err
	}
	spec.Lockstep = strings.Fields(m.node.ValueOf("simdeck:lockstep"))
	if err := m.ego(spec); err != nil {
		return nil, err
	}
	if err := m.state(state, spec); err != nil {
		return nil, err
	}
	for _, a := range m.inWorld.actors {
		if err := a.read(spec); err != nil {
			return nil, err
		}
	}
	if err := m.poses(spec); err != nil {
		return nil, err
	}
	m.waves(spec)
	m.water(spec)
	remarks(d)
	spec.Notes = *d.Notes
	return spec, nil
}

// waves takes the waves that a model asks for where the world has none, and notes those without water.
func (m *model) waves(spec *scene.WorldSpec) {
	waves, floats := &spec.Medium.Waves, false
	for i := range spec.Models {
		k := spec.Models[i].Model
		if k == nil { // one that is made from a package when it is spawned
			floats = true
			continue
		}
		floats = floats || len(k.Flow.Floats) > 0
		if waves.Calm() {
			*waves = k.Flow.Waves
		}
	}
	if waves.Calm() {
		return
	}
	at := m.node
	if k := m.node.Child("simdeck:waves"); k != nil {
		at = k
	}
	switch {
	case spec.Gravity == (r3.Vec{}):
		m.doc.Note(scene.Suspicious, at, "the waves of %s need gravity; the water is level", waves.Of)
	case scene.TopLiquid(spec.Medium.Layers) < 0 && !floats:
		m.doc.Note(scene.Suspicious, at, "the waves of %s move nothing: no system Buoyancy has <graded_buoyancy> with water below air",
			waves.Of)
	}
}

// water reads the look of the world's water. Its surface is that of the highest liquid, or the world's
// origin.
func (m *model) water(spec *scene.WorldSpec) {
	k := m.node.Child("simdeck:water")
	if k == nil {
		return
	}
	level, layers := 0.0, spec.Medium.Layers
	if i := scene.TopLiquid(layers); i >= 0 {
		level = layers[i+1].From
	}
	spec.Ambience.Water = gazebo.Water(m.doc, k, level)
}

// worldParts are the elements of a world that are read.
var worldParts = []string{"model", "include", "frame", "light", "gravity", "population", "actor", "physics",
	"plugin", "scene",
	"spherical_coordinates", "magnetic_field", "atmosphere", "wind", "joint", "state"}

func (m *model) worldElement(k *xmltree.Node, spec *scene.WorldSpec) error {
	switch k.Name {
	case "model", "include", "frame":
		return m.element(k)
	case "light":
		l, err := light(m.doc, k, m.version)
		m.inWorld.lamps = append(m.inWorld.lamps, lamp{l, k, k.Child("pose").Get("relative_to")})
		return err
	case "gravity":
		g, err := m.doc.Vec(k, k.Text)
		spec.Gravity = g
		return err
	case "population":
		return m.population(k)
	case "actor":
		m.inWorld.actors = append(m.inWorld.actors, includedActor{doc: m.doc, node: k, version: m.version})
	case "physics":
		if k == m.profile() {
			m.physics(k, spec)
		}
	case "plugin":
		if !gazebo.WorldPlugin(m.doc, k, &spec.Medium) {
			worldPlugin(m.doc, k)
		}
	case "scene":
		spec.Ambience = ambience(m.doc, k)
	case "spherical_coordinates", "magnetic_field", "atmosphere":
		earth(m.doc, k, &spec.Earth)
	case "wind":
		wind(m.doc, k, &spec.Medium.Wind)
	case "simdeck:waves":
		spec.Medium.Waves = gazebo.Waves(m.doc, k)
	case "gui", "audio", "world":
	case "joint", "state": // read when all models are known
	default:
		if !strings.Contains(k.Name, ":") || strings.Contains(k.Name, "::") {
			m.doc.Note(scene.Unsupported, k, "<%s> of a world is not run%s", k.Name,
				source.Near(k.Name, worldParts))
		}
	}
	return nil
}

// profile is the <physics> that holds: the first that says so, else the first.
func (m *model) profile() *xmltree.Node {
	for _, k := range m.node.All("physics") {
		if isTrue(k.Get("default")) {
			return k
		}
	}
	return m.node.Child("physics")
}

// physics reads the step, the asked speed, and gravity where it stood before 1.6; values that are none are
// noted and the engine's defaults hold.
func (m *model) physics(n *xmltree.Node, spec *scene.WorldSpec) {
	d := m.doc
	if k := n.Child("gravity"); k.Value() != "" && m.node.Child("gravity") == nil {
		if g, err := d.Vec(k, k.Text); err == nil {
			spec.Gravity = g
		} else {
			d.Note(scene.Suspicious, k, "%v; gravity stays %g", err, spec.Gravity.Z)
		}
	}
	if step := d.Loose(n, "max_step_size", 0); step >= scene.MinStepSize && step <= scene.MaxStepSize {
		spec.StepSize = step
	} else if n.Child("max_step_size") != nil {
		d.Note(scene.Suspicious, n.Child("max_step_size"), "a step of %q s; want %g to %g s; using the engine's default",
			n.ValueOf("max_step_size"), scene.MinStepSize, scene.MaxStepSize)
	}
	factor := d.Loose(n, "real_time_factor", 0)
	if factor < 0 {
		d.Note(scene.Suspicious, n.Child("real_time_factor"),
			"a real-time factor of %g; using the engine's default", factor)
		factor = 0
	}
	if f, err := source.ParseFloat(n.ValueOf("real_time_factor")); err == nil && f == 0 {
		spec.Unpaced = true
	}
	spec.RealTime = factor
}

// worldPlugin passes over the systems whose work the engine does anyway and notes the rest.
func worldPlugin(d *source.Doc, n *xmltree.Node) {
	if gazebo.IsIdle(n) {
		return
	}
	name := strings.ToLower(n.Get("filename") + " " + n.Get("name"))
	for _, known := range []string{"physics", "user-commands", "usercommands", "scene-broadcaster",
		"scenebroadcaster", "entity-semantics", "entitysemantics",
		"gz-sim-sensors", "systems::sensors", "imu", "contact",
		"air-pressure", "airpressure", "air-speed", "airspeed", "dvl-system", "dopplervelocitylog",
		"multibeam_sonar", "opticalflowsystem", "altimeter", "magnetometer", "forcetorque", "navsat",
		"libgazebo_ros_init", "libgazebo_ros_factory", "libgazebo_ros_state"} {
		if strings.Contains(name, known) {
			return
		}
	}
	d.Note(scene.Unsupported, n, "plugin %s is not run", gazebo.PluginName(n))
}

// likeness is the key by which two included models share one description.
type likeness struct {
	node   *xmltree.Node
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
		if built == nil || !e.sub.instance.shared {
			if built, err = build(e.sub.doc, e.sub); err != nil {
				return err
			}
			if e.sub.instance.shared {
				alike[key] = built
			}
		}
		if err := e.sub.linkLights(spec, e.name, at); err != nil {
			return err
		}
		spec.Models = append(spec.Models,
			scene.Placed{Name: e.name, Model: built, Pose: at, Static: e.sub.static,
				Deletable: e.sub.instance.deletable, Namespace: e.sub.instance.namespace})
	}
	return nil
}

// hang puts the lights of a world where they are in the frames that they are given in, before those of its
// models.
func (m *model) hang(spec *scene.WorldSpec) error {
	var own []scene.Light
	for _, l := range m.inWorld.lamps {
		at, err := m.poseIn(l.node, l.relative)
		if err != nil {
			return err
		}
		l.Pose = at.Mul(l.Pose)
		own = append(own, l.Light)
	}
	spec.Lights = append(own, spec.Lights...)
	return nil
}

// poses makes named poses of the frames of a world.
func (m *model) poses(spec *scene.WorldSpec) error {
	for _, e := range m.order {
		if e.kind != frameKind || e.node.Name != "frame" {
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
