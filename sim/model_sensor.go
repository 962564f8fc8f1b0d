package sim

import (
	"slices"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"simdeck/sim/shape"
)

// sensorBudget is what the sensors of one model share.
type sensorBudget struct{ rays, pixels int }

// compileSensor prepares a sensor. One that cannot be run is noted.
func (p *compiledModel) compileSensor(link int, s *scene.Sensor, budget *sensorBudget) modelSensor {
	d := modelSensor{link: link, spec: s}
	var err error
	switch s.Kind {
	case scene.Lidar:
		if budget.rays <= 0 {
			p.note(scene.Unsupported, "sensor %q is not run: those before it have more than %d rays", s.Name, sensor.MaxRays)
			return d
		}
		if d.lidar, err = sensor.NewLidar(&s.Lidar); err == nil {
			budget.rays -= d.lidar.Rays()
		}
	case scene.Camera, scene.DepthCamera, scene.RGBDCamera:
		if budget.pixels <= 0 {
			p.note(scene.Unsupported, "sensor %q is not run: the pictures of those before it are too large", s.Name)
			return d
		}
		if d.camera, err = sensor.NewCamera(s.Kind, &s.Camera); err == nil {
			budget.pixels -= d.camera.Pixels()
		}
	case scene.ForceTorque:
		if d.loads = p.sensorLoads(s); d.loads == nil {
			p.note(scene.Unsupported, "sensor %q is not run: it stands in no joint, in one of a loop, or in a model that never moves", s.Name)
			return d
		}
	case scene.Contact:
		d.listens = p.listenedGeoms(link, s)
	case scene.IMU, scene.GPS, scene.Magnetometer, scene.AirPressure, scene.Altimeter:
	default:
		p.note(scene.Unsupported, "sensor %q is not run: its kind is not known", s.Name)
		return d
	}
	if err != nil {
		p.note(scene.Suspicious, "sensor %q is not run: %v", s.Name, err)
		return d
	}
	d.enabled = true
	return d
}

// listenedGeoms says by collision shape of a link whether a contact sensor feels it.
// Names that are none of the link's, as those that Gazebo makes of URDF's, mean
// all of them.
func (p *compiledModel) listenedGeoms(link int, s *scene.Sensor) []bool {
	l := &p.spec.Links[link]
	felt, named := make([]bool, len(l.Collisions)), false
	for i := range felt {
		felt[i] = slices.Contains(s.Contact.Collisions, l.Collisions[i].Name)
		named = named || felt[i]
	}
	if named {
		return felt
	}
	if len(s.Contact.Collisions) > 0 {
		p.note(scene.Inferred, "contact sensor %q feels all of link %q, which has no collision %q", s.Name, l.Name, s.Contact.Collisions[0])
	}
	for i := range felt {
		felt[i] = true
	}
	return felt
}

// sensorLoad is a link that hangs on a joint, with its mass in its body's frame.
type sensorLoad struct {
	link, body int
	mass       shape.Mass
}

// sensorLoads are the links on the child's side of a sensor's joint; nil when the
// joint has no such side: both ends hang together elsewhere, too.
func (p *compiledModel) sensorLoads(s *scene.Sensor) []sensorLoad {
	if !s.Force.Set || p.static || s.Force.Joint < 0 || s.Force.Joint >= len(p.spec.Joints) {
		return nil
	}
	reached := []int{p.spec.Joints[s.Force.Joint].Child}
	for at := 0; at < len(reached); at++ {
		for i := range p.spec.Joints {
			j := &p.spec.Joints[i]
			if i == s.Force.Joint || j.Child != reached[at] && j.Parent != reached[at] {
				continue
			}
			next := j.Child + j.Parent - reached[at]
			if next == scene.World {
				return nil
			}
			if !slices.Contains(reached, next) {
				reached = append(reached, next)
			}
		}
	}
	if slices.Contains(reached, p.spec.Joints[s.Force.Joint].Parent) {
		return nil
	}
	out := make([]sensorLoad, 0, len(reached))
	for _, link := range reached {
		at := p.placements[link]
		b := sensorLoad{link: link, body: at.body}
		switch whole := &p.bodies[at.body]; {
		case whole.kind != dynamics.Dynamic:
			return nil
		case whole.root == link && p.isOnlyLink(link):
			b.mass = whole.mass // with what was taken in place of what the file does not say
		default:
			b.mass = p.linkMasses[link].Moved(at.pose)
		}
		out = append(out, b)
	}
	return out
}

// isOnlyLink reports whether a body is made of one link only.
func (p *compiledModel) isOnlyLink(link int) bool {
	for i := range p.placements {
		if i != link && p.placements[i].body == p.placements[link].body {
			return false
		}
	}
	return true
}

// channels are the numbers that a sensor reports, with the errors that it
// keeps.
func (w *World) channels(e *entity, i int) []sensor.Channel {
	s := e.model.sensors[i].spec
	var noise []scene.Noise
	switch s.Kind {
	case scene.IMU:
		noise = slices.Concat(s.IMU.Turn[:], s.IMU.Force[:])
	case scene.ForceTorque:
		noise = slices.Concat(s.Force.Force[:], s.Force.Torque[:])
	case scene.Magnetometer:
		noise = s.Magnetic[:]
	case scene.GPS:
		g := &s.GPS
		noise = []scene.Noise{g.Horizontal, g.Horizontal, g.Vertical, g.SpeedHorizontal, g.SpeedHorizontal, g.SpeedVertical}
	case scene.AirPressure:
		noise = []scene.Noise{s.Noise}
	case scene.Altimeter:
		noise = []scene.Noise{s.Noise, s.Speed}
	}
	rate := s.Rate
	if rate <= 0 {
		rate = 1 / w.stepSize.Seconds()
	}
	out := make([]sensor.Channel, len(noise))
	for k := range noise {
		out[k] = sensor.NewChannel(noise[k], w.noiseKey(e, i), k, rate)
	}
	return out
}

// biasAndNoise is what three channels from the first on say of a vector.
func (m *sensorState) biasAndNoise(first int, v r3.Vec) r3.Vec {
	c := m.channels[first : first+3]
	return r3.V(c[0].Report(v.X, m.seq), c[1].Report(v.Y, m.seq), c[2].Report(v.Z, m.seq))
}
