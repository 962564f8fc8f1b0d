package gazebo

import (
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// device reads a model's plugin that is a sensor by itself in Gazebo Classic: IMU, GPS, force-torque, and
// ground truth. False: it is none. Links are looked up behind prefix in spec, joints in joints.
func device(d *source.Doc, n *xmltree.Node, spec *scene.ModelSpec, joints map[string]int,
	prefix string) bool {
	r := reader{d: d, n: n}
	switch word := plain(n); {
	case strings.Contains(word, "odometrypublisher"):
		r.odometryPublisher(spec)
	case strings.Contains(word, "gazeborosp3d"):
		r.p3d(spec, prefix)
	case strings.Contains(word, "gazeborosimu"):
		r.mount(spec, prefix, scene.Sensor{Kind: scene.IMU, IMU: r.oldIMU()})
	case strings.Contains(word, "gazeborosgps"):
		g := r.oldNoise("gaussianNoise")
		v := r.oldNoise("velocityGaussianNoise")
		r.mount(spec, prefix, scene.Sensor{Kind: scene.GPS,
			GPS: scene.GPSSpec{Horizontal: g[0], Vertical: g[2], SpeedHorizontal: v[0], SpeedVertical: v[2]}})
	case strings.Contains(word, "gazeborosmagnetic"):
		r.mount(spec, prefix, scene.Sensor{Kind: scene.Magnetometer})
	case strings.Contains(word, "gazeborosftsensor"):
		name := r.text("joint_name", "jointName")
		i, ok := joints[prefix+name]
		if !ok {
			d.Note(scene.Suspicious, n, "plugin %s measures joint %q, which is not there%s", PluginName(n),
				name, source.NearKey(prefix+name, joints))
			break
		}
		j := &spec.Joints[i]
		r.put(&spec.Links[j.Child], scene.Sensor{Kind: scene.ForceTorque, Pose: j.Pose,
			Force: scene.ForceSpec{Set: true, Joint: i, Frame: "child"}}, "wrench")
	default:
		return false
	}
	return true
}

// plain is the file and the name of a plugin without what releases write differently.
func plain(n *xmltree.Node) string {
	return strings.NewReplacer("_", "", "-", "", ":",
		"").Replace(strings.ToLower(n.Get("filename") + " " + n.Get("name")))
}

// mount fixes a sensor to the link that the plugin names.
func (r *reader) mount(spec *scene.ModelSpec, prefix string, s scene.Sensor) {
	name := r.text("body_name", "bodyName")
	var names []string
	for i := range spec.Links {
		if spec.Links[i].Name == prefix+name {
			s.Pose = r.offset("xyzOffset", "rpyOffset")
			r.put(&spec.Links[i], s, "")
			return
		}
		names = append(names, spec.Links[i].Name)
	}
	r.d.Note(scene.Suspicious, r.n, "plugin %s stands on link %q, which is not there%s", PluginName(r.n),
		name, source.Near(prefix+name, names))
}

// put gives a link a sensor with what all such plugins say: rate, topic and frame.
func (r *reader) put(l *scene.Link, s scene.Sensor, remapped string) {
	s.Name = r.n.Get("name")
	s.Rate = max(0, Loose(r.d, r.n, "updateRate", Loose(r.d, r.n, "update_rate", 0)))
	s.Topic, s.Frame = named(r.space(), r.topic(remapped)),
		r.text("frame_name", "frameName", "frameId", "frame_id")
	l.Sensors = append(l.Sensors, s)
}

// space is the namespace of a plugin.
func (r *reader) space() string {
	if s := r.n.Find("ros", "namespace").Value(); s != "" {
		return s
	}
	return r.text("robotNamespace")
}

// topic is the topic of a plugin; was is its name before remapping.
func (r *reader) topic(was string) string {
	for _, k := range r.n.Child("ros").All("remapping") {
		if from, to, _ := strings.Cut(k.Value(), ":="); strings.TrimPrefix(from, "~/") == was && to != "" {
			return to
		}
	}
	return r.text("topicName", "topic_name", "serviceName")
}

// offset is a pose from two elements: a position, and roll, pitch and yaw.
func (r *reader) offset(xyz, rpy string) r3.Pose {
	at := [2]r3.Vec{}
	for i, name := range [...]string{xyz, rpy} {
		k := r.n.Child(name)
		if k.Value() == "" {
			continue
		}
		v, err := r.d.Vec(k, k.Text)
		if err != nil {
			r.d.Note(scene.Suspicious, k, "%v; using zero", err)
		}
		at[i] = v
	}
	return r3.Pose{Pos: at[0], Rot: r3.FromRPY(at[1].X, at[1].Y, at[1].Z)}
}

// oldIMU is the noise of an IMU: one number for all, or by axes for the rates and the forces.
func (r *reader) oldIMU() scene.IMUSpec {
	all := r.oldNoise("gaussianNoise")
	out := scene.IMUSpec{Turn: all, Force: all}
	if r.n.Child("rateGaussianNoise") != nil {
		out.Turn = r.oldNoise("rateGaussianNoise")
	}
	if r.n.Child("accelGaussianNoise") != nil {
		out.Force = r.oldNoise("accelGaussianNoise")
	}
	return out
}

// oldNoise is that of x, y and z: three deviations, or one for all.
func (r *reader) oldNoise(name string) (out [3]scene.Noise) {
	words := strings.Fields(r.n.ValueOf(name))
	for i := range out {
		if len(words) == 0 {
			break
		}
		f, err := source.ParseFloat(words[min(i, len(words)-1)])
		if err != nil || !(f >= 0 && f < 1e9) {
			r.d.Note(scene.Suspicious, r.n.Child(name),
				"<%s> is %q; deviations that are not negative are meant", name, r.n.ValueOf(name))
			return [3]scene.Noise{}
		}
		out[i].Std = f
	}
	return out
}
