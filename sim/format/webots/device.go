package webots

import (
	"math"

	"simdeck/sim/asset/vrml"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const (
	maxRays     = 4_000_000
	maxPixels   = 16 << 20
	usualFrames = 30 // Hz: worlds do not say how often a controller looks
)

// seen turns a sensor's frame, x forward and z up, to where devices looked before R2022a: along −z, y up.
var seen = rightUpBack.Conj()

// device reads a Solid that measures or acts. Its shapes belong to the link that carries it, unless it has
// Physics.
func (b *builder) device(r ref, link int, in frame) {
	at := b.inside(in, r)
	if r.n.Type == "LED" {
		defer beginLED(b, r)()
	}
	if _, physics := b.get(r, "physics"); physics {
		to := b.link(r, frame{b.frames[link].pose.Mul(at.pose), at.scale})
		state := b.state(r, to, r3.IdentityPose())
		b.fix(link, to)
		b.solid(r, to, frame{r3.IdentityPose(), at.scale})
		state.End = len(b.spec.Links)
		b.sense(r, to, r3.IdentityPose())
		return
	}
	b.state(r, link, b.pose(at.pose))
	before := len(b.spec.Links[link].Collisions)
	b.solid(r, link, at)
	if r.n.Type == "TouchSensor" {
		b.touch(r, link, at.pose, before)
		return
	}
	b.sense(r, link, at.pose)
	if head, ok := b.node(r, "rotatingHead"); ok { // it is drawn as it stands
		b.nested(head, link, at)
	}
}

// sense adds the sensor that a device is; at is its pose in the link, in the file's axes.
func (b *builder) sense(r ref, link int, at r3.Pose) {
	s := scene.Sensor{Name: b.text(r, "name", lower(ref{n: named(r), file: r.file})), Pose: b.pose(at)}
	looks := at
	if r.file.yUp {
		looks.Rot = at.Rot.Mul(seen)
	}
	switch r.n.Type {
	case "Lidar":
		s.Kind, s.Pose, s.Lidar = scene.Lidar, b.fixed(looks), b.lidar(r)
		s.Rate = max(0, b.num(r, "defaultFrequency", 10))
	case "Camera", "RangeFinder":
		s.Kind, s.Pose, s.Rate = scene.Camera, b.fixed(looks), usualFrames
		if r.n.Type == "RangeFinder" {
			s.Kind = scene.DepthCamera
		}
		s.Camera = b.camera(r)
	case "DistanceSensor":
		if r.file.yUp { // it looks along x, and lies on its side
			looks.Rot = at.Rot.Mul(yUp)
		}
		s.Kind, s.Pose, s.Lidar = scene.Lidar, b.fixed(looks), b.distance(r)
	case "GPS":
		s.Kind = scene.GPS
		std := scene.Noise{Std: max(0, b.num(r, "accuracy", 0))}
		s.GPS = scene.GPSSpec{Horizontal: std, Vertical: std}
	case "Compass":
		s.Kind = scene.Magnetometer
	case "Altimeter":
		s.Kind, s.Noise = scene.Altimeter, scene.Noise{Std: max(0, b.num(r, "accuracy", 0))}
	case "TouchSensor":
		s.Kind = scene.Contact
	case "InertialUnit", "Gyro", "Accelerometer":
		b.list(r, link, at, b.inertial(r, link, s))
		return
	case "Emitter", "Receiver", "LED": // they work for controllers, and measure nothing
		b.list(r, link, at, "")
		return
	default:
		if baseNodes[r.n.Type].role == device {
			b.noteAt(scene.Unsupported, r, "%s%s is not run", r.n.Type, b.called(r))
			b.list(r, link, at, "")
		}
		return
	}
	s.Name = b.own(s.Name)
	b.list(r, link, looksOf(&s, looks, at), s.Name)
	if b.take(r, source.SensorParts) {
		b.spec.Links[link].Sensors = append(b.spec.Links[link].Sensors, s)
	}
}

// looksOf is the frame of a device: that of its rays, or else its own.
func looksOf(s *scene.Sensor, looks, at r3.Pose) r3.Pose {
	switch s.Kind {
	case scene.Lidar, scene.Camera, scene.DepthCamera:
		return looks
	}
	return at
}

// named is a node without its DEF, so that lower gives the default name of its type.
func named(r ref) *vrml.Node {
	n := *r.n
	n.Def = ""
	return &n
}

// inertial puts InertialUnit, Gyro and Accelerometer of a link that are turned alike into one IMU, and gives
// its name.
func (b *builder) inertial(r ref, link int, s scene.Sensor) string {
	if i, known := b.imus[link]; known && r.n.Type != "InertialUnit" {
		if have := &b.spec.Links[link].Sensors[i]; math.Abs(have.Pose.Rot.Conj().Mul(s.Pose.Rot).W) > 1-1e-9 {
			return have.Name
		}
	}
	s.Kind = scene.IMU
	if i, known := b.imus[link]; known { // the inertial unit after the others: it stands for all
		if have := &b.spec.Links[link].Sensors[i]; math.Abs(have.Pose.Rot.Conj().Mul(s.Pose.Rot).W) > 1-1e-9 {
			have.Pose = s.Pose
			return have.Name
		}
	}
	s.Name = b.own(s.Name)
	b.imus[link] = len(b.spec.Links[link].Sensors)
	if b.take(r, source.SensorParts) {
		b.spec.Links[link].Sensors = append(b.spec.Links[link].Sensors, s)
	}
	return s.Name
}

// touch makes a contact sensor of the bounding object that a TouchSensor adds to its link.
func (b *builder) touch(r ref, link int, at r3.Pose, before int) {
	s := scene.Sensor{Name: b.own(b.text(r, "name", "touch sensor")), Kind: scene.Contact, Pose: b.pose(at)}
	for _, g := range b.spec.Links[link].Collisions[before:] {
		s.Contact.Collisions = append(s.Contact.Collisions, g.Name)
	}
	if len(s.Contact.Collisions) == 0 {
		b.noteAt(scene.Suspicious, r, "TouchSensor%s has no bounding object: it feels what touches %q",
			b.called(r), b.spec.Links[link].Name)
	}
	b.list(r, link, at, s.Name)
	if b.take(r, source.SensorParts) {
		b.spec.Links[link].Sensors = append(b.spec.Links[link].Sensors, s)
	}
}

// lidar reads the pattern of a Lidar.
func (b *builder) lidar(r ref) scene.LidarSpec {
	columns, rows := b.num(r, "horizontalResolution", 512), b.num(r, "numberOfLayers", 4)
	if !(columns >= 1 && rows >= 1 && columns*rows <= maxRays) {
		b.noteAt(scene.Suspicious, r, "lidar of %g × %g rays; at most %d are cast", columns, rows, maxRays)
		rows = source.Clamp(rows, 1, 128)
		columns = source.Clamp(columns, 1, maxRays/rows)
	}
	view := source.Clamp(b.num(r, "fieldOfView", 1.5708), 0, 2*math.Pi)
	if b.text(r, "type", "fixed") == "rotating" {
		view = 2 * math.Pi
	}
	high := source.Clamp(b.num(r, "verticalFieldOfView", 0.2), 0, math.Pi)
	if rows == 1 {
		high = 0
	}
	tilt := source.Clamp(b.num(r, "tiltAngle", 0), -math.Pi/2, math.Pi/2)
	out := scene.LidarSpec{Columns: int(columns), Rows: int(rows), MinAngle: -view / 2, MaxAngle: view / 2,
		MinElevation: max(tilt-high/2, -math.Pi/2), MaxElevation: min(tilt+high/2, math.Pi/2)}
	b.ranges(r, &out.MinRange, &out.MaxRange)
	out.Resolution = max(0, b.num(r, "resolution", -1))
	out.NoiseStd = max(0, b.num(r, "noise", 0)) * out.MaxRange
	return out
}

func (b *builder) ranges(r ref, lo, hi *float64) {
	*lo, *hi = b.num(r, "minRange", 0.01), b.num(r, "maxRange", 1)
	if !(*lo >= 0 && *hi > *lo) {
		b.noteAt(scene.Suspicious, r, "a range from %g m to %g m; using 0.01 m to 1 m", *lo, *hi)
		*lo, *hi = 0.01, 1
	}
}

// camera reads the picture of a Camera or RangeFinder.
func (b *builder) camera(r ref) scene.CameraSpec {
	w, h := b.num(r, "width", 64), b.num(r, "height", 64)
	if !(w >= 1 && h >= 1 && w*h <= maxPixels) {
		b.noteAt(scene.Suspicious, r, "a picture of %g × %g pixels; using 64 × 64", w, h)
		w, h = 64, 64
	}
	out := b.projection(r, int(w), int(h))
	out.NoiseStd = max(0, b.num(r, "noise", 0))
	if r.n.Type == "RangeFinder" {
		b.ranges(r, &out.Near, &out.Far)
		out.NoiseStd *= out.Far
		out.Near = max(out.Near, 1e-3)
		return out
	}
	out.Near, out.Far = b.num(r, "near", 0.01), b.num(r, "far", 0)
	if out.Far == 0 { // as far as it goes
		out.Far = 1000
	}
	if !(out.Near > 0 && out.Far > out.Near) {
		b.noteAt(scene.Suspicious, r, "a camera that sees from %g m to %g m; using 0.01 m to 1000 m",
			out.Near, out.Far)
		out.Near, out.Far = 0.01, 1000
	}
	return out
}

// projection is the lens of a camera, planar or spherical. A spherical one has its first and last column at
// the ends of its field of view, and pixels that are as high as wide.
func (b *builder) projection(r ref, w, h int) scene.CameraSpec {
	view := b.num(r, "fieldOfView", 0.7854)
	if b.flag(r, "spherical", false) || b.text(r, "projection", "planar") != "planar" {
		if !(view > 0.001 && view <= 2*math.Pi) {
			b.noteAt(scene.Suspicious, r, "a camera that sees %g rad; at most 2π is run", view)
			view = source.Clamp(view, 0.001, 2*math.Pi)
		}
		f := float64(max(w-1, 1)) / view
		return scene.CameraSpec{Width: w, Height: h, Spherical: true, FX: f, FY: f,
			CX: float64(w-1) / 2, CY: float64(h-1) / 2}
	}
	if !(view > 0.001 && view < 3.1) {
		b.noteAt(scene.Unsupported, r, "a planar camera that sees %g rad; one of at most 3.1 rad is run", view)
		view = source.Clamp(view, 0.001, 3.1)
	}
	f := float64(w) / 2 / math.Tan(view/2)
	return scene.CameraSpec{Width: w, Height: h, FX: f, FY: f, CX: float64(w) / 2, CY: float64(h) / 2}
}

// distance reads the rays of a DistanceSensor: it gives metres here, not the values of its table.
func (b *builder) distance(r ref) scene.LidarSpec {
	rays := source.Clamp(math.Trunc(b.num(r, "numberOfRays", 1)), 1, 1000)
	open := source.Clamp(b.num(r, "aperture", 1.5708), 0, 2*math.Pi)
	out := scene.LidarSpec{Columns: int(rays), Rows: 1, MaxRange: 0.1,
		Resolution: max(0, b.num(r, "resolution", -1))}
	if rays > 1 {
		out.MinAngle, out.MaxAngle = -open/2, open/2
	}
	table := b.many(r, "lookupTable")
	if n := len(table); n >= 3 && n%3 == 0 {
		out.MinRange, out.MaxRange = max(0, table[0]), table[n-3]
		if slope := math.Abs(table[n-2]-table[1]) / (table[n-3] - table[0]); slope > 0 {
			for i := 0; i < n; i += 3 { // the noise of a value, as a part of it, made one of the distance
				out.NoiseStd = min(max(out.NoiseStd, table[i+2]*math.Abs(table[i+1])/slope), out.MaxRange)
			}
		}
	} else if n > 0 {
		b.noteAt(scene.Suspicious, r, "lookupTable of %d numbers; want three for each distance", n)
	}
	if !(out.MaxRange > out.MinRange) {
		b.noteAt(scene.Suspicious, r, "lookupTable from %g m to %g m; using 0 m to 0.1 m", out.MinRange,
			out.MaxRange)
		out.MinRange, out.MaxRange = 0, 0.1
	}
	b.noteOnce(scene.Inferred, r, "distance sensors give metres: what their lookup tables make of them is left to who asks")
	return out
}
