package bundle

import (
	"math"
	"slices"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxSensors bounds the sensors of a vehicle, maxRays the rays and pixels of one.
const maxSensors, maxRays = 64, 4 << 20

// calibration reads the cameras and lidars of the vehicle.
func (b *bundle) calibration() error {
	t, err := b.tableOf(true, "sensors", "calibration")
	if err != nil {
		return err
	}
	for _, kind := range []struct {
		key  string
		read func(*table, *yaml.Node, *scene.Sensor) error
	}{{"cameras", b.camera}, {"lidars", b.lidar}} {
		ids, nodes, err := t.listed(kind.key)
		if err != nil {
			return err
		}
		for i, id := range ids {
			s := scene.Sensor{Name: clean(id)}
			if err := b.mounted(t, nodes[i], kind.key, &s); err != nil {
				return err
			}
			if err := kind.read(t, nodes[i], &s); err != nil {
				return err
			}
			b.car.sensors = append(b.car.sensors, s)
		}
	}
	return b.transforms()
}

// listed lists the entries of a key, which is a map by name or a list of entries with an id.
func (t *table) listed(key string) (ids []string, nodes []*yaml.Node, err error) {
	n := t.find(key)
	if n == nil {
		return nil, nil, nil
	}
	for i, k := range n.Content {
		switch {
		case n.Kind == yaml.MappingNode && i%2 == 0:
			ids = append(ids, k.Value)
		case n.Kind == yaml.MappingNode:
			nodes = append(nodes, k)
		default:
			id := child(k, "id")
			if id == nil {
				id = child(k, "name")
			}
			if id == nil {
				return nil, nil, t.fail(k, "an entry of %s has no id", key)
			}
			ids, nodes = append(ids, id.Value), append(nodes, k)
		}
	}
	if len(ids) > maxSensors {
		return nil, nil, t.fail(n, "%d %s, at most %d are read", len(ids), key, maxSensors)
	}
	seen := map[string]bool{}
	for i, id := range ids {
		if id == "" || seen[id] {
			return nil, nil, t.fail(nodes[i], "a second %q in %s, or one without a name", clip(id), key)
		}
		seen[id] = true
	}
	return ids, nodes, nil
}

// mounted reads where a sensor stands and how often it measures.
func (b *bundle) mounted(t *table, n *yaml.Node, kind string, s *scene.Sensor) error {
	single := map[string]string{"cameras": "camera", "lidars": "lidar"}[kind]
	s.Frame = single + "_" + s.Name
	if k := child(n, "frame_id"); k != nil && k.Value != "" {
		s.Frame = k.Value
	}
	s.Rate = map[string]float64{"cameras": b.rates.camera, "lidars": b.rates.lidar}[kind]
	if err := t.value(child(n, "rate_hz"), &s.Rate, 0.001, 1000, "rate_hz"); err != nil {
		return err
	}
	s.Topic = "/" + single + "/" + s.Name + map[string]string{"cameras": "/image_raw",
		"lidars": "/points"}[kind]
	ex := child(n, "extrinsics")
	if ex == nil {
		b.note(t, n, scene.Suspicious, "%s %q has no extrinsics; it stands at base_link", single, s.Name)
	}
	var err error
	s.Pose, err = t.poseIn(ex, []string{"translation", "position"},
		[]string{"rotation", "quaternion", "orientation", "rotation_quat"})
	s.Name = single + "_" + s.Name
	return err
}

// camera reads intrinsics and distortion. The frame of a calibrated camera is the optical one, z forward; a
// scene.Sensor looks along x.
func (b *bundle) camera(t *table, n *yaml.Node, s *scene.Sensor) error {
	s.Kind = scene.Camera
	in := child(n, "intrinsics")
	if in == nil {
		return t.fail(n, "%s has no intrinsics", s.Name)
	}
	var width, height float64
	c := scene.CameraSpec{Near: b.look.near, Far: b.look.far}
	for _, f := range []struct {
		to          *float64
		least, most float64
		key         string
	}{{&width, 1, 8192, "width"}, {&height, 1, 8192, "height"}, {&c.FX, 1, 1e5, "fx"}, {&c.FY, 1, 1e5, "fy"},
		{&c.CX, -1e5, 1e5, "cx"}, {&c.CY, -1e5, 1e5, "cy"}} {
		k := child(in, f.key)
		if k == nil {
			k = child(n, "image_"+f.key)
		}
		if k == nil {
			return t.fail(in, "%s: intrinsics without %s", s.Name, f.key)
		}
		if err := t.value(k, f.to, f.least, f.most, f.key); err != nil {
			return err
		}
	}
	if c.Width, c.Height = int(width), int(height); c.Width*c.Height > maxRays {
		return t.fail(in, "%s: %d × %d pixels, at most %d in all are drawn", s.Name, c.Width, c.Height,
			maxRays)
	}
	if err := b.distortion(t, n, s.Name, &c); err != nil {
		return err
	}
	c.Optical = s.Frame
	c.InfoTopic = "/camera/" + s.Name[len("camera_"):] + "/camera_info"
	turn, err := t.convention(n)
	s.Camera, s.Pose.Rot = c, s.Pose.Rot.Mul(turn)
	return err
}

// distortion reads the coefficients of a lens, which stand by themselves or among the intrinsics. Those of
// another model than radtan are left out, with a note.
func (b *bundle) distortion(t *table, n *yaml.Node, name string, c *scene.CameraSpec) error {
	in := child(n, "intrinsics")
	for _, key := range []string{"model", "distortion_model"} {
		if k := child(in, key); k != nil &&
			!slices.Contains([]string{"pinhole", "radtan", "plumb_bob", "none"}, k.Value) {
			b.note(t, k, scene.Unsupported, "%s: %s %q is drawn as a pinhole without distortion", name, key,
				clip(k.Value))
			return nil
		}
	}
	k := child(n, "distortion")
	switch {
	case k == nil && child(in, "k1") == nil:
		return nil
	case k == nil:
		k = in
	case child(k, "coefficients") != nil:
		k = child(k, "coefficients")
	}
	f, err := t.numbers(k, "k1", "k2", "p1", "p2")
	copy(c.Distortion[:], f)
	return err
}

// Rotations of a camera's frame to one with x forward and y left (REP-103).
var (
	opticalToBody  = r3.Quat{W: 0.5, X: 0.5, Y: -0.5, Z: 0.5} // from z forward and x right
	backwardToBody = r3.Quat{W: 0.5, X: -0.5, Y: 0.5, Z: 0.5} // from z backward and x right
)

// convention is the rotation from the frame for which a camera's extrinsics are given. That is the optical
// one unless camera_convention says ros (z backward), or they say convention: body.
func (t *table) convention(n *yaml.Node) (r3.Quat, error) {
	ex, k := child(n, "extrinsics"), child(n, "camera_convention")
	of := child(ex, "convention")
	switch {
	case ex == nil || of != nil && of.Value == "body":
		return r3.Identity(), nil
	case k == nil || k.Value == "opencv":
		return opticalToBody, nil
	case k.Value == "ros":
		return backwardToBody, nil
	}
	return r3.Identity(), t.fail(k, "camera_convention %q; want opencv or ros", clip(k.Value))
}

// lidar reads the pattern of the rays.
func (b *bundle) lidar(t *table, n *yaml.Node, s *scene.Sensor) error {
	s.Kind = scene.Lidar
	if spec := child(n, "spec"); spec != nil {
		n = spec
	}
	l := scene.LidarSpec{MinRange: 0.5, MaxRange: 100}
	channels, step := 32.0, 0.2
	for _, f := range []struct {
		to          *float64
		least, most float64
		key         string
	}{{&channels, 1, 1024, "channels"}, {&step, 0.01, 90, "horizontal_resolution"},
		{&l.MinRange, 0, 1e4, "min_range"}, {&l.MaxRange, 0.01, 1e4, "max_range"}} {
		if err := t.value(child(n, f.key), f.to, f.least, f.most, f.key); err != nil {
			return err
		}
	}
	low, high := -25.0, 15.0
	if k := child(n, "vertical_fov"); k != nil {
		f, err := t.numbers(k, "min", "max")
		if err != nil {
			return err
		}
		if low, high = f[0], f[1]; !(low <= high) || low < -90 || high > 90 {
			return t.fail(k, "%s: a vertical field of view from %g° to %g°; from -90 up to 90 is possible",
				s.Name, low, high)
		}
	}
	if !(l.MinRange < l.MaxRange) {
		return t.fail(n, "%s: min_range %g m is not below max_range %g m", s.Name, l.MinRange, l.MaxRange)
	}
	l.Rows, l.Columns = int(channels), int(math.Round(360/step))
	if l.Rows*l.Columns > maxRays {
		return t.fail(n, "%s: %d × %d rays, at most %d in all are cast", s.Name, l.Rows, l.Columns, maxRays)
	}
	turn := 2 * math.Pi / float64(l.Columns)
	l.MinAngle, l.MaxAngle = -math.Pi, math.Pi-turn
	l.MinElevation, l.MaxElevation = low*math.Pi/180, high*math.Pi/180
	s.Lidar = l
	return nil
}

// transforms compares tf_static with the calibration, which counts.
func (b *bundle) transforms() error {
	t, err := b.tableOf(false, "sensors", "tf_static")
	if err != nil || t == nil {
		return err
	}
	list := t.find("transforms")
	if list == nil {
		return nil
	}
	for _, n := range list.Content {
		frame := child(n, "child_frame_id")
		at := n
		if inner := child(n, "transform"); inner != nil {
			at = inner
		}
		p, err := t.poseIn(at, []string{"translation"}, []string{"rotation"})
		if err != nil {
			return err
		}
		for i := range b.car.sensors {
			if s := &b.car.sensors[i]; frame != nil && s.Frame == frame.Value &&
				s.Pose.Pos.Dist(p.Pos) > 1e-3 {
				b.note(t, n, scene.Suspicious,
					"%s stands at %v here and at %v in the calibration, which counts", s.Frame, p.Pos,
					s.Pose.Pos)
			}
		}
	}
	return nil
}
