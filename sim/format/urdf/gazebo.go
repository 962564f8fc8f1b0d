package urdf

import (
	"maps"
	"slices"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// readGazebo applies the <gazebo> elements, which carry what URDF has no words for.
func (r *robot) readGazebo(root *xmltree.Node) error {
	for _, n := range root.All("gazebo") {
		for _, k := range n.Kids { // <mu1 value="1"/> is <mu1>1</mu1>, as Gazebo has it
			if text, written := k.Attr("value"); written {
				k.Text = text
			}
		}
		name, refers := n.Attr("reference")
		link, isLink := r.links[name]
		joint, isJoint := r.joints[name]
		var err error
		switch {
		case !refers || name == "":
			err = r.whole(n)
		case isLink:
			err = r.ofLink(n, &r.spec.Links[link])
		case isJoint:
			err = r.ofJoint(n, joint)
		default:
			r.doc.Note(scene.Suspicious, n, "<gazebo> refers to %q, which is no link or joint%s", name,
				r.near(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// near asks whether the link or joint that is spelled most like a name was meant.
func (r *robot) near(name string) string {
	return source.Near(name, append(slices.Sorted(maps.Keys(r.links)), slices.Sorted(maps.Keys(r.joints))...))
}

// whole reads what is said of the robot as a whole.
func (r *robot) whole(n *xmltree.Node) error {
	for _, k := range n.Kids {
		switch k.Name {
		case "plugin":
			r.controlPlugin(k)
			if err := r.plugin(k); err != nil {
				return err
			}
		case "static":
			r.spec.Static = r.doc.Bool(n, "static", false)
		case "gz:semantics":
			gazebo.Semantics(r.doc, k, &r.spec.Info)
		case "self_collide", "selfCollide":
			for i := range r.spec.Links {
				r.spec.Links[i].SelfCollide = r.doc.Bool(n, k.Name, false)
			}
		default:
			r.doc.Note(scene.Unsupported, k, "<%s> in <gazebo> is not run", k.Name)
		}
	}
	return nil
}

func (r *robot) plugin(n *xmltree.Node) error {
	return gazebo.Plugin(r.doc, n, r.spec, r.joints, "")
}

// ofLink reads what is said of one link.
func (r *robot) ofLink(n *xmltree.Node, l *scene.Link) error {
	d, first := r.doc, len(l.Sensors)
	for _, k := range n.Kids {
		switch k.Name {
		case "sensor":
			if err := d.Take(k, source.SensorParts); err != nil {
				return err
			}
			l.Sensors = append(l.Sensors, gazebo.Sensor(d, k, r.sensorPose(k)))
		case "mu1", "mu2", "mu":
			mu, err := d.Number(k, k.Text)
			if err != nil {
				return err
			}
			friction(l, k.Name, mu)
		case "fdir1":
			v, err := d.Vec(k, k.Text)
			if err != nil {
				return err
			}
			direction, _ := v.Unit()
			for i := range l.Collisions {
				l.Collisions[i].Surface.FrictionDir = direction
			}
		case "selfCollide", "self_collide":
			l.SelfCollide = d.Bool(n, k.Name, false)
		case "turnGravityOff":
			l.NoGravity = d.Bool(n, k.Name, false)
		case "gravity":
			l.NoGravity = !d.Bool(n, k.Name, true)
		case "material":
			paint(l, k.Value())
		case "visual":
			r.visual(k, l)
		case "laserRetro", "laser_retro":
			for i := range l.Collisions {
				l.Collisions[i].Retro = d.Loose(n, k.Name, 0)
			}
		case "kp", "kd", "minDepth", "min_depth":
			v, err := d.Number(k, k.Text)
			if err != nil {
				return err
			}
			stiffness(l, k.Name, v)
		case "maxVel", "max_vel":
			v, err := d.Number(k, k.Text)
			if err != nil {
				return err
			}
			d.Recovery(k, v)
		case "maxContacts", "implicitSpringDamper", "max_contacts", "soft_cfm", "soft_erp":
		case "velocity_decay":
			l.Drag = gazebo.Decay(d, k)
		case "dampingFactor":
			rate := gazebo.Factor(d.Loose(n, k.Name, 0))
			l.Drag = scene.Drag{Linear: rate, Angular: rate}
		case "plugin":
			if err := r.plugin(k); err != nil {
				return err
			}
		default:
			d.Note(scene.Unsupported, k, "<%s> in <gazebo> is not run", k.Name)
		}
	}
	own := gazebo.OpticalFlows(d, n.All("sensor"), slices.Clone(l.Sensors[first:]))
	l.Sensors = append(l.Sensors[:first], own...)
	return nil
}

// paint gives the visuals of a link that have no colour of their own, nor in
// their mesh, that of one of Gazebo's materials.
func paint(l *scene.Link, name string) {
	c, known := gazebo.ScriptColour(name)
	for i := range l.Visuals {
		m, mesh := &l.Visuals[i].Material, l.Visuals[i].Mesh
		if known && m.Colour[3] == 0 && m.Image == nil && (mesh == nil || len(mesh.Looks) == 0) {
			m.Name, m.Colour = name, c
		}
	}
}

// visual reads the material of a link as SDF writes it, which counts more.
func (r *robot) visual(n *xmltree.Node, l *scene.Link) {
	for _, part := range []struct {
		name string
		of   func(*scene.Material) *[4]float32
	}{
		{"ambient", func(m *scene.Material) *[4]float32 { return &m.Ambient }},
		{"diffuse", func(m *scene.Material) *[4]float32 { return &m.Colour }},
		{"specular", func(m *scene.Material) *[4]float32 { return &m.Specular }},
		{"emissive", func(m *scene.Material) *[4]float32 { return &m.Emissive }},
	} {
		k := n.Find("material", part.name)
		if k.Value() == "" {
			continue
		}
		f, err := r.doc.Numbers(k, k.Text, 4)
		if err != nil {
			r.doc.Note(scene.Suspicious, k, "colour %q; four numbers from 0 to 1 are meant", k.Value())
			continue
		}
		for i := range l.Visuals {
			for c := range f {
				part.of(&l.Visuals[i].Material)[c] = float32(max(0, min(1, f[c])))
			}
		}
	}
}

// friction sets a coefficient of every collision shape of a link.
func friction(l *scene.Link, name string, mu float64) {
	for i := range l.Collisions {
		s := &l.Collisions[i].Surface
		if s.Default {
			s.Default, s.Mu, s.Mu2 = false, max(mu, 0), max(mu, 0)
			continue
		}
		if name == "mu2" {
			s.Mu2 = max(mu, 0)
		} else {
			s.Mu = max(mu, 0)
		}
	}
}

// stiffness sets how much every collision shape of a link gives.
func stiffness(l *scene.Link, name string, v float64) {
	for i := range l.Collisions {
		switch s := &l.Collisions[i].Surface; name {
		case "kp":
			s.Stiffness = max(v, 0)
		case "kd":
			s.Damping = max(v, 0)
		default:
			s.AllowedPenetration = max(v, 0)
		}
	}
}

// sensorPose reads the <pose> of a sensor; one that cannot be read is noted.
func (r *robot) sensorPose(n *xmltree.Node) r3.Pose {
	k := n.Child("pose")
	if k.Value() == "" {
		return r3.IdentityPose()
	}
	f, err := r.doc.Numbers(k, k.Text, 6)
	if err != nil {
		r.doc.Note(scene.Suspicious, k, "pose %q of a sensor; six numbers are meant", k.Value())
		return r3.IdentityPose()
	}
	return r3.PoseRPY(f[0], f[1], f[2], f[3], f[4], f[5])
}

// ofJoint reads a joint's spring and sensor, skips parameters of Gazebo's solver and its lumping of links,
// and notes the rest.
func (r *robot) ofJoint(n *xmltree.Node, index int) (err error) {
	j := &r.spec.Joints[index]
	for _, k := range n.Kids {
		switch k.Name {
		case "springStiffness":
			j.Stiffness, err = r.doc.Number(k, k.Text)
		case "springReference":
			j.SpringRest, err = r.doc.Number(k, k.Text)
		case "sensor":
			if e, ok := gazebo.Encoder(r.doc, k); ok {
				j.Encoder = e
				continue
			}
			if err := r.doc.Take(k, source.SensorParts); err != nil {
				return err
			}
			s := gazebo.Sensor(r.doc, k, j.Pose.Mul(r.sensorPose(k)))
			s.Force.Set, s.Force.Joint = s.Kind == scene.ForceTorque, index
			r.spec.Links[j.Child].Sensors = append(r.spec.Links[j.Child].Sensors, s)
		case "preserveFixedJoint", "disableFixedJointLumping", "implicitSpringDamper", "stopCfm", "stopErp",
			"fudgeFactor",
			"provideFeedback", "cfmDamping", "material", "kp", "kd", "selfCollide":
		default:
			r.doc.Note(scene.Unsupported, k, "<%s> in <gazebo> of a joint is not run", k.Name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
