package sdf

import (
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// described is the link where build has put it.
func (l *link) described() (scene.Link, error) {
	if l.ready != nil {
		out := *l.ready
		out.Pose = l.top
		return out, nil
	}
	return l.read(l.static)
}

// read fills a link of the description.
func (l *link) read(static bool) (scene.Link, error) {
	d, n, usual := l.doc, l.node, l.owner.forLinks()
	out := scene.Link{
		Pose:        l.top,
		SelfCollide: d.Bool(n, "self_collide", usual.selfCollide),
		NoGravity:   !d.Bool(n, "gravity", true),
		Kinematic:   d.Bool(n, "kinematic", false),
		Drag:        gazebo.Decay(d, n.Child("velocity_decay")),
		Wind:        d.Bool(n, "enable_wind", false) || usual.wind,
	}
	for _, k := range n.Kids {
		switch k.Name {
		case "light":
			if !static {
				d.Note(scene.Unsupported, k, "<light> of a link that can move is not run")
			}
		case "battery":
			gazebo.LinkBattery(d, k)
		case "projector", "audio_sink", "audio_source", "particle_emitter":
			d.Note(scene.Unsupported, k, "<%s> of a link is not run", k.Name)
		}
	}
	collisions, sensors := source.Names{}, source.Names{}
	var err error
	for _, k := range n.Kids {
		switch k.Name {
		case "collision":
			err = l.collision(k, &out, l.unique(k, collisions))
		case "visual":
			err = l.visual(k, &out)
		case "sensor":
			var at r3.Pose
			if at, err = l.pose(k); err == nil {
				err = d.Take(k, source.SensorParts)
			}
			if err == nil {
				s := gazebo.Sensor(d, k, at)
				s.Name = l.unique(k, sensors)
				out.Sensors = append(out.Sensors, s)
			}
		}
		if err != nil {
			return out, err
		}
	}
	out.Sensors = gazebo.OpticalFlows(d, n.All("sensor"), out.Sensors)
	out.Added = addedMass(d, n.Find("inertial", "fluid_added_mass"))
	out.Inertial, err = l.inertial(static, out.Collisions)
	return out, err
}

// unique is the name of an element that no other of its kind in the link has; of a second one, with a number.
func (l *link) unique(k *xmltree.Node, taken source.Names) string {
	name := k.Get("name")
	free := taken.Take(name)
	if free != name {
		l.doc.Note(scene.Suspicious, k, "a second %s %q in link %q; it is called %q", k.Name, name, l.name, free)
	}
	return free
}

// pose is the pose of an element of the link in the link's frame.
func (l *link) pose(k *xmltree.Node) (r3.Pose, error) {
	p, relative, err := pose(l.doc, k, l.owner.version)
	if err != nil || relative == "" || relative == l.name {
		return p, err
	}
	at, err := l.owner.poseIn(k, relative)
	if err != nil {
		l.doc.Note(scene.Suspicious, k,
			"<%s> is placed relative to %q, which is not in %q; using the link's own frame", k.Name,
			relative, l.owner.name)
		return p, nil
	}
	return l.top.Relative(l.owner.top.Mul(at)).Mul(p), nil
}

func (l *link) collision(k *xmltree.Node, out *scene.Link, name string) error {
	g, ok, err := l.geom(k)
	if err != nil {
		return err
	}
	g.Name = name
	g.Retro = gazebo.Loose(l.doc, k, "laser_retro", 0)
	g.Surface, err = surface(l.doc, k.Child("surface"))
	touching(l.doc, k.Find("surface", "contact"), &g)
	if ok {
		out.Collisions = append(out.Collisions, g)
	} else if g.Kind == scene.MeshGeom || g.Kind == scene.Heightfield {
		out.Lost = append(out.Lost, g.Name)
	}
	return err
}

func (l *link) visual(k *xmltree.Node, out *scene.Link) error {
	g, ok, err := l.geom(k)
	if err != nil {
		return err
	}
	for _, p := range k.All("plugin") {
		if !gazebo.IsIdle(p) {
			l.doc.Note(scene.Unsupported, p, "plugin %s of a visual is not run", gazebo.PluginName(p))
		}
	}
	g.Material = material(l.doc, k)
	cover(l.doc, k.Find("geometry", "heightmap"), &g)
	g.Retro = gazebo.Loose(l.doc, k, "laser_retro", 0)
	g.NoShadow = !l.doc.Bool(k, "cast_shadows", true)
	if ok {
		out.Visuals = append(out.Visuals, g)
	}
	return nil
}

// geom reads name, pose and shape; false when the shape cannot be had.
func (l *link) geom(k *xmltree.Node) (scene.Geom, bool, error) {
	g := scene.Geom{Name: k.Get("name")}
	err := l.doc.Part(k)
	if err != nil {
		return g, false, err
	}
	if g.Pose, err = l.pose(k); err != nil {
		return g, false, err
	}
	shape := k.Child("geometry")
	if shape == nil {
		l.doc.Note(scene.Suspicious, k, "<%s> has no <geometry>", k.Name)
		return g, false, nil
	}
	ok, err := geometry(l.doc, shape, &g)
	if l.doc.Flat(k, err) {
		return g, false, nil
	}
	return g, ok, err
}

// inertial reads the mass distribution; without one the format's default holds: 1 kg and 1 kg·m² about each
// axis.
func (l *link) inertial(static bool, shapes []scene.Geom) (scene.Inertial, error) {
	d, n := l.doc, l.node.Child("inertial")
	in := scene.Inertial{Mass: 1, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(1, 1, 1))}
	if n == nil {
		if !static {
			d.Note(scene.Inferred, l.node,
				"link %q has no <inertial>; using SDF's default: 1 kg and 1 kg·m²", l.name)
		}
		return in, nil
	}
	if isTrue(n.Get("auto")) {
		return l.automatic(n, shapes)
	}
	var err error
	if in.Mass, err = d.Float(n, "mass", 1); err != nil {
		return in, err
	}
	if in.Mass < 0 {
		return in, d.Errorf(n, "link %q has a mass of %g kg", l.name, in.Mass)
	}
	if in.Pose, _, err = pose(d, n, l.owner.version); err != nil {
		return in, err
	}
	in.Inertia = tensor(d, n.Child("inertia"))
	if why := source.SuspiciousInertia(in); why != "" && !static {
		d.Note(scene.Suspicious, n, "link %q: %s", l.name, why)
	}
	return in, nil
}

// tensor reads <inertia>; numbers that are none are noted, and the default stands for them.
func tensor(d *source.Doc, n *xmltree.Node) r3.Mat {
	var v [6]float64
	for i, name := range []string{"ixx", "iyy", "izz", "ixy", "ixz", "iyz"} {
		otherwise := 0.0
		if i < 3 {
			otherwise = 1
		}
		v[i] = d.Loose(n, name, otherwise)
	}
	return r3.Mat{XX: v[0], XY: v[3], XZ: v[4], YX: v[3], YY: v[1], YZ: v[5], ZX: v[4], ZY: v[5], ZZ: v[2]}
}

// addedMassRows are the names of the upper half of the matrix, row by row.
var addedMassRows = [6]string{"xx xy xz xp xq xr", "yy yz yp yq yr", "zz zp zq zr", "pp pq pr", "qq qr", "rr"}

// addedMass reads the inertia of the fluid that moves along with a link; one that cannot be is noted.
func addedMass(d *source.Doc, n *xmltree.Node) *scene.AddedMass {
	if n == nil {
		return nil
	}
	var m [6][6]float64
	for i, row := range addedMassRows {
		for k, name := range strings.Fields(row) {
			m[i][i+k] = d.Loose(n, name, 0)
			m[i+k][i] = m[i][i+k]
		}
	}
	if m == ([6][6]float64{}) {
		return nil
	}
	a, why := source.AddedMass(m)
	if why != "" {
		d.Note(scene.Suspicious, n, "<fluid_added_mass> is left out: %s", why)
	}
	return a
}

// automatic sums the collision shapes with their densities (SDFormat 1.11, <inertial auto="true">).
func (l *link) automatic(n *xmltree.Node, shapes []scene.Geom) (scene.Inertial, error) {
	usual, err := l.doc.Float(n, "density", 1000)
	if err != nil {
		return scene.Inertial{}, err
	}
	var parts []scene.Inertial
	byName := map[string]*xmltree.Node{}
	for _, k := range l.node.All("collision") {
		byName[k.Get("name")] = k
	}
	for i := range shapes {
		density, err := l.doc.Float(byName[shapes[i].Name], "density", usual)
		if err != nil {
			return scene.Inertial{}, err
		}
		if part, ok := source.Solid(&shapes[i], density); ok {
			parts = append(parts, part)
		}
	}
	total := source.Sum(parts)
	if k := n.Child("mass"); k != nil && total.Mass > 0 {
		mass, err := l.doc.Float(n, "mass", total.Mass)
		if err != nil {
			return total, err
		}
		total.Inertia = total.Inertia.Scale(mass / total.Mass)
		total.Mass = mass
	}
	if total.Mass <= 0 {
		l.doc.Note(scene.Suspicious, n, "link %q has no shape to take its mass from; using 1 kg", l.name)
		return scene.Inertial{Mass: 1, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(1, 1, 1))}, nil
	}
	return total, nil
}
