// Package gazebo reads the common parts of SDF worlds and of URDF's <gazebo> elements: sensors, and Gazebo's
// plugins that drive wheels or publish topics.
package gazebo

import (
	"math"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxRays bounds the rays of one lidar: as many as sensor.MaxRays casts.
const maxRays = 1 << 20

// Sensor reads a <sensor> of SDF, or of a <gazebo> element of URDF, that stands at a pose in its link.
// Unsupported elements are noted, never an error. always_on makes no difference: every sensor measures while
// somebody looks at it.
func Sensor(d *source.Doc, n *xmltree.Node, at r3.Pose) scene.Sensor {
	s := scene.Sensor{Name: n.Get("name"), Pose: at, Topic: n.ValueOf("topic")}
	s.Rate = rate(d, n)
	for _, name := range []string{"gz_frame_id", "ignition_frame_id", "frame_id"} {
		if f := n.ValueOf(name); f != "" && s.Frame == "" {
			s.Frame = f
		}
	}
	kind(d, n, &s)
	latency(d, n, &s)
	for _, p := range n.All("plugin") {
		sensorPlugin(d, p, &s)
	}
	if s.Rate == 0 && isCamera(&s) {
		s.Rate = usualFrames
	}
	return s
}

// kind reads what only sensors of one kind have.
func kind(d *source.Doc, n *xmltree.Node, s *scene.Sensor) {
	switch kind := n.Get("type"); kind {
	case "ray", "lidar", "gpu_ray", "gpu_lidar":
		s.Kind = scene.Lidar
		s.Lidar = lidar(d, n)
	case "imu":
		s.Kind = scene.IMU
		s.IMU = imu(d, n)
	case "camera":
		s.Kind = scene.Camera
		s.Camera = camera(d, n, s)
	case "wideanglecamera", "wide_angle_camera", "multicamera", "thermal", "thermal_camera",
		"segmentation", "segmentation_camera", "boundingbox", "boundingbox_camera":
		s.Kind = scene.Camera
		s.Camera = camera(d, n, s)
		d.Note(scene.Unsupported, n, "sensor %q of type %q is run as a plain camera", s.Name, kind)
	case "depth", "depth_camera":
		s.Kind = scene.DepthCamera
		s.Camera = camera(d, n, s)
	case "rgbd", "rgbd_camera":
		s.Kind = scene.RGBDCamera
		s.Camera = camera(d, n, s)
	case "contact":
		s.Kind = scene.Contact
		s.Contact, s.Topic = contact(n, s.Topic)
	case "force_torque":
		s.Kind = scene.ForceTorque
		s.Force = force(d, n)
	case "gps", "navsat":
		s.Kind = scene.GPS
		s.GPS = gps(d, n)
	case "magnetometer":
		s.Kind = scene.Magnetometer
		s.Magnetic = axes(d, n.Child("magnetometer"))
	case "air_pressure":
		s.Kind = scene.AirPressure
		s.Noise = noise(d, n.Find("air_pressure", "pressure", "noise"))
		if k := n.Child("air_pressure"); k.ValueOf("reference_altitude") != "" {
			level := source.Clamp(d.Loose(k, "reference_altitude", 0), -mostHeight, mostHeight)
			s.SeaLevel = &level
		}
	case "air_speed":
		s.Kind = scene.AirSpeed
		s.Noise = noise(d, n.Find("air_speed", "pressure", "noise"))
	case "sonar":
		s.Kind = scene.Sonar
		s.Sonar = sonar(d, n)
	case "custom":
		custom(d, n, s)
	case "altimeter":
		s.Kind = scene.Altimeter
		s.Noise, s.Speed = noise(d, n.Find("altimeter", "vertical_position", "noise")),
			noise(d, n.Find("altimeter", "vertical_velocity", "noise"))
	default:
		s.Kind = scene.OtherSensor
		d.Note(scene.Unsupported, n, "sensor %q of type %q is not run", s.Name, kind)
	}
}

// isCamera reports whether a sensor takes pictures.
func isCamera(s *scene.Sensor) bool {
	return s.Kind == scene.Camera || s.Kind == scene.DepthCamera || s.Kind == scene.RGBDCamera
}

func rate(d *source.Doc, n *xmltree.Node) float64 {
	r := d.Loose(n, "update_rate", 0)
	if r < 0 {
		d.Note(scene.Suspicious, n.Child("update_rate"), "update_rate of %g Hz; updating at every step", r)
		return 0
	}
	if r > mostRate {
		d.Note(scene.Suspicious, n.Child("update_rate"),
			"update_rate of %g Hz: want at most %g Hz; updating at every step", r, float64(mostRate))
		return 0
	}
	return r
}

// mostRate is the rate of the shortest step, in Hz: no sensor measures more often.
const mostRate = 1 / scene.MinStepSize

// sensorPlugin takes topic and frame from the plugins by which Gazebo Classic published a sensor.
func sensorPlugin(d *source.Doc, p *xmltree.Node, s *scene.Sensor) {
	ros := p.Child("ros")
	r := reader{n: p}
	if isCamera(s) {
		if name := r.text("camera_name", "cameraName"); name != "" {
			s.Topic = name
		}
		if s.Rate == 0 {
			s.Rate = max(0, Loose(d, p, "updateRate", Loose(d, p, "update_rate", 0)))
		}
	}
	if topic := r.text("topicName", "topic_name"); topic != "" {
		s.Topic = topic
	}
	for _, k := range ros.All("remapping") {
		from, to, _ := strings.Cut(k.Value(), ":=")
		if strings.HasSuffix(from, "out") && to != "" {
			s.Topic = to
		}
	}
	for _, k := range ros.All("argument") { // the first releases for ROS 2
		if from, to, ok := strings.Cut(k.Value(), ":="); ok && strings.HasSuffix(from, "out") && to != "" {
			s.Topic = to
		}
	}
	s.Topic = named(ros.ValueOf("namespace"), s.Topic)
	if f := r.text("frame_name", "frameName"); f != "" {
		s.Frame = f
	}
}

// lidar reads the scanning pattern in <lidar> or <ray>.
func lidar(d *source.Doc, n *xmltree.Node) scene.LidarSpec {
	body := n.Child("lidar")
	if body == nil {
		body = n.Child("ray")
	}
	if body == nil {
		d.Note(scene.Suspicious, n, "sensor %q has no <lidar> or <ray>; using 640 rays over a full turn",
			n.Get("name"))
		return scene.LidarSpec{Columns: 640, Rows: 1, MinAngle: -math.Pi, MaxAngle: math.Pi, MinRange: 0.1,
			MaxRange: 10}
	}
	h, v, r := body.Find("scan", "horizontal"), body.Find("scan", "vertical"), body.Child("range")
	out := scene.LidarSpec{
		MinAngle: Loose(d, h, "min_angle", 0), MaxAngle: Loose(d, h, "max_angle", 0),
		MinElevation: Loose(d, v, "min_angle", 0), MaxElevation: Loose(d, v, "max_angle", 0),
		MinRange: Loose(d, r, "min", 0), MaxRange: Loose(d, r, "max", 30),
		Resolution: max(0, Loose(d, r, "resolution", 0)),
		NoiseStd:   max(0, Loose(d, body.Child("noise"), "stddev", 0)),
		NoiseMean:  Loose(d, body.Child("noise"), "mean", 0),
	}
	out.Columns, out.Rows = samples(d, h, 640), samples(d, v, 1)
	elevations(d, v.Child("simdeck:elevations"), &out)
	limit(d, body, &out)
	return out
}

// limit keeps the pattern of a lidar, or of a sonar of many beams, within what is cast.
func limit(d *source.Doc, n *xmltree.Node, out *scene.LidarSpec) {
	h, r := n.Find("scan", "horizontal"), n.Child("range")
	if out.Columns*out.Rows > maxRays {
		d.Note(scene.Suspicious, n, "lidar of %d × %d rays; at most %d are cast", out.Columns, out.Rows,
			maxRays)
		out.Rows, out.Elevations = min(out.Rows, 128), nil
		out.Columns = min(out.Columns, maxRays/out.Rows)
	}
	if out.MinAngle > out.MaxAngle {
		d.Note(scene.Suspicious, h, "min_angle %g is above max_angle %g; they are swapped", out.MinAngle,
			out.MaxAngle)
		out.MinAngle, out.MaxAngle = out.MaxAngle, out.MinAngle
	}
	if out.MinElevation > out.MaxElevation {
		out.MinElevation, out.MaxElevation = out.MaxElevation, out.MinElevation
	}
	if out.MinRange < 0 || out.MaxRange <= out.MinRange {
		d.Note(scene.Suspicious, r, "range from %g m to %g m; using 0.1 m to 30 m", out.MinRange,
			out.MaxRange)
		out.MinRange, out.MaxRange = 0.1, 30
	}
}

// elevations reads where the rings of a lidar look that are not evenly apart, as most of real ones are.
func elevations(d *source.Doc, n *xmltree.Node, out *scene.LidarSpec) {
	var list []float64
	for _, word := range strings.Fields(n.Value()) {
		f, err := source.ParseFloat(word)
		if err != nil || !(math.Abs(f) <= math.Pi/2) || len(list) == 1024 {
			d.Note(scene.Suspicious, n, "elevations with %q: want up to 1024 numbers from -π/2 to π/2; rings are evenly apart",
				word)
			return
		}
		list = append(list, f)
	}
	if len(list) == 0 {
		return
	}
	slices.Sort(list)
	out.Elevations, out.Rows = list, len(list)
	out.MinElevation, out.MaxElevation = list[0], list[len(list)-1]
}

// Loose is Doc.Loose for an element that may not be there; infinite counts as a very large number.
func Loose(d *source.Doc, n *xmltree.Node, name string, otherwise float64) float64 {
	k := n.Child(name)
	if f, err := source.ParseFloat(k.Value()); err == nil && math.IsInf(f, 0) {
		return math.Copysign(1e9, f)
	}
	if k == nil {
		return otherwise
	}
	return d.Loose(n, name, otherwise)
}

// samples is the number of rays of a ring or column: samples × resolution, from 1 to the limit.
func samples(d *source.Doc, n *xmltree.Node, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return counted(d, n, Loose(d, n, "samples", float64(otherwise))*max(0, Loose(d, n, "resolution", 1)))
}

// counted is a number of rays, from 1 to the limit.
func counted(d *source.Doc, n *xmltree.Node, f float64) int {
	switch {
	case f < 1:
		d.Note(scene.Suspicious, n, "%g rays; 1 is cast", f)
		return 1
	case f > maxRays:
		d.Note(scene.Suspicious, n, "%g rays; at most %d are cast", f, maxRays)
		return maxRays
	}
	return int(f + 0.5)
}
