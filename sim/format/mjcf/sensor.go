package mjcf

import (
	"math"
	"strings"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// device is a sensor of the engine that stands for sensors of the file.
type device struct {
	body   int
	sensor scene.Sensor
	loaded bool // it feels the force between its body and the parent
}

// usualRate is the rate of sensors, in Hz: the file says nothing of it.
const usualRate = 100

// camera reads a view. MuJoCo's look along -z with y up; the engine's along x with z up.
func (r *reader) camera(e elem, c context) error {
	a, err := r.classes.attrs(e, c.given)
	if err != nil {
		return err
	}
	pose, err := r.set.pose(a)
	if err != nil {
		return err
	}
	owner := r.out.bodies[c.body]
	s := scene.Sensor{Kind: scene.Camera, Rate: 30}
	if s.Name, err = r.out.register("camera", e, c, len(owner.cameras)); err != nil {
		return err
	}
	if s.Name == "" {
		s.Name = "camera"
	}
	s.Pose = c.frame.Mul(pose).Mul(r3.Pose{Rot: r3.Columns(r3.V(0, 0, -1), r3.V(-1, 0, 0),
		r3.V(0, 1, 0)).Quat()})
	width, height := 320.0, 240.0
	if f, err := a.numbers("resolution", 2, 2); err != nil {
		return err
	} else if f != nil && f[0] > 1 && f[1] > 1 {
		width, height = math.Round(f[0]), math.Round(f[1])
	}
	if !(width*height <= 16<<20) {
		return e.errorf("a camera of %g × %g pixels; want at most 16 million", width, height)
	}
	fovy, err := a.number("fovy", 45)
	if err != nil {
		return err
	}
	if !(fovy > 0.1 && fovy < 179) {
		e.note(scene.Suspicious, "fovy=%g; using 45°", fovy)
		fovy = 45
	}
	f := height / 2 / r3.Tan(fovy*degree/2)
	s.Camera = scene.CameraSpec{Width: int(width), Height: int(height), FX: f, FY: f, CX: width / 2,
		CY: height / 2, Near: 0.01, Far: 100}
	if mode := a.text("mode"); mode != "" && mode != "fixed" {
		e.note(scene.Unsupported, "mode=%q of a camera: it is fixed to its body", clip(mode))
	}
	owner.cameras = append(owner.cameras, s)
	return nil
}

// inStates are sensors of what the engine tells of every entity anyway: joint positions, poses and
// velocities.
const inStates = " jointpos jointvel jointactuatorfrc actuatorfrc actuatorpos actuatorvel framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel clock ballquat ballangvel "

// sensor reads what measures at a site or in a joint.
func (b *build) sensor(e elem, prefix string) error {
	switch e.Name {
	case "gyro", "accelerometer", "magnetometer", "touch", "force", "torque", "rangefinder", "velocimeter":
		return b.atSite(e, prefix)
	}
	if err := b.subject(e, prefix); err != nil {
		return err
	}
	if e.Name == "jointpos" || e.Name == "jointvel" {
		return b.encoder(e, prefix)
	}
	if !strings.Contains(inStates, " "+e.Name+" ") {
		e.note(scene.Unsupported, "sensor <%s> is not run", clip(e.Name))
	}
	return nil
}

// encoder reads what measures a joint; one without noise tells what the state of the joint does.
func (b *build) encoder(e elem, prefix string) error {
	joints, err := b.lookup("joint", e, "joint", prefix)
	if err != nil {
		return err
	}
	noise, _ := attrs{e}.number("noise", 0)
	for _, i := range joints {
		k, n := &b.joints[i].encoder, scene.Noise{Std: max(0, noise)}
		if e.Name == "jointpos" {
			k.Position = n
		} else {
			k.Velocity, k.Tacho = n, true
		}
		k.Set = k.Set || n.Std > 0
	}
	return nil
}

// subject checks that what a sensor speaks of is there.
func (b *build) subject(e elem, prefix string) error {
	for _, kind := range []string{"joint", "tendon", "actuator", "site", "body", "camera", "geom"} {
		if _, ok := e.Attr(kind); !ok {
			continue
		}
		if _, err := b.lookup(kind, e, kind, prefix); err != nil {
			return err
		}
	}
	return nil
}

func (b *build) atSite(e elem, prefix string) error {
	if e.Name == "rangefinder" && e.Get("site") == "" {
		e.note(scene.Unsupported, "a <rangefinder> in a camera is not run")
		return nil
	}
	sites, err := b.lookup("site", e, "site", prefix)
	if err != nil {
		return err
	}
	for _, i := range sites {
		s := b.sites[i]
		if e.Name == "velocimeter" {
			continue // poses and velocities of links are told anyway
		}
		d := device{body: s.body,
			sensor: scene.Sensor{Name: prefix + e.Get("name"), Pose: s.pose, Rate: usualRate}}
		if d.sensor.Name == "" {
			d.sensor.Name = plain(s.name) + "_" + e.Name
		}
		if err := e.doc.Take(e.Node, source.SensorParts); err != nil {
			return err
		}
		b.device(e, d)
	}
	return nil
}

// devicePlace is the key by which two sensors are one device.
type devicePlace struct {
	body int
	kind scene.SensorKind
	pose r3.Pose
}

// device adds a sensor; gyro and accelerometer, force and torque in one place are one.
func (b *build) device(e elem, d device) {
	noise, _ := attrs{e}.number("noise", 0)
	n := scene.Noise{Std: max(0, noise)}
	three := [3]scene.Noise{n, n, n}
	switch e.Name {
	case "gyro", "accelerometer":
		d.sensor.Kind = scene.IMU
	case "magnetometer":
		d.sensor.Kind, d.sensor.Magnetic = scene.Magnetometer, three
	case "touch":
		d.sensor.Kind = scene.Contact
		e.note(scene.Unsupported, "a <touch> sensor feels contacts of its whole body, not of its site's volume alone")
	case "force", "torque":
		d.sensor.Kind = scene.ForceTorque
		if d.loaded = !b.stands(d.body); !d.loaded {
			e.note(scene.Unsupported, "a <%s> sensor of a body that is free, or stands in the world, is not run",
				e.Name)
			return
		}
	case "rangefinder":
		d.sensor.Kind = scene.Lidar
		// its ray goes along z
		d.sensor.Pose = d.sensor.Pose.Mul(r3.Pose{Rot: r3.AxisAngle(r3.V(0, 1, 0), -math.Pi/2)})
		if n := b.untouchable(d.body); n > 0 {
			e.note(scene.Unsupported, "a <rangefinder> does not see geoms that touch nothing, as MuJoCo's do; here are %d", n)
		}
		d.sensor.Lidar = scene.LidarSpec{Columns: 1, Rows: 1, MaxRange: 100, NoiseStd: n.Std}
	}
	at, place := &d.sensor, devicePlace{d.body, d.sensor.Kind, d.sensor.Pose}
	if i, known := b.places[place]; known &&
		(d.sensor.Kind == scene.IMU || d.sensor.Kind == scene.ForceTorque) {
		at = &b.devices[i].sensor
	}
	switch e.Name {
	case "gyro":
		at.IMU.Turn = three
	case "accelerometer":
		at.IMU.Force = three
	case "force":
		at.Force.Force = three
	case "torque":
		at.Force.Torque = three
	}
	if at == &d.sensor {
		b.places[place] = len(b.devices)
		b.devices = append(b.devices, d)
	}
}

// untouchable counts the visible geoms that touch nothing, of other bodies than one.
func (b *build) untouchable(own int) (n int) {
	for i, body := range b.bodies {
		for _, g := range body.geoms {
			if i != own && !g.touches() && g.Kind != 0 && g.Material.Colour[3] > 0 {
				n++
			}
		}
	}
	return n
}

// stands reports that a body is free, or one of the world that never moves: nothing carries it.
func (b *build) stands(body int) bool {
	n := b.bodies[body]
	if body == 0 || n.free || n.mocap {
		return true
	}
	for ; body > 0; body = b.bodies[body].parent {
		if n := b.bodies[body]; n.free || n.mocap || len(n.joints) > 0 {
			return false
		}
	}
	return true
}
