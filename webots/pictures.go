package webots

import (
	"encoding/binary"
	"math"
	"slices"

	"simdeck/sim"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"simdeck/webots/wire"
)

// camera is a Camera or RangeFinder. Its pictures are drawn for the controller, when it wants them: those of
// package sensing come at the rate of the device.
type camera struct {
	base
	of       *scene.Sensor
	draws    *sensor.Camera
	stage    *render.Stage
	model    *sim.Model   // that the stage is of
	lamps    []scene.Glow // likewise
	renderer render.Renderer
	pixels   []byte
	taken    uint64
}

func newCamera(b base, s *scene.Sensor) device {
	draws, err := sensor.NewCamera(s.Kind, &s.Camera)
	if err != nil {
		b.robot.warn("%s: %v", b.called(), err)
		return nil
	}
	b.sensor = -1 // nobody has to compute it
	return &camera{base: b, of: s, draws: draws}
}

// view is the angle that a camera sees from left to right.
func view(c *scene.CameraSpec) float64 {
	if c.Spherical {
		return float64(max(c.Width-1, 1)) / c.FX
	}
	return 2 * math.Atan(float64(c.Width)/2/c.FX)
}

func (c *camera) configure(a *wire.Answer) {
	l := &c.of.Camera
	angle := view(l)
	a.To(c.tag, wire.Configure).Int32(int32(c.tag)).Uint16(uint16(l.Width)).Uint16(uint16(l.Height))
	a.Float64(angle, l.Near).Flag(!l.Spherical)
	if c.of.Kind == scene.DepthCamera {
		a.Float64(l.Far)
		return
	}
	a.Float64(angle, angle).Flag(false).Flag(false).Float64(1, 0, 0, 0, 0)
}

func (c *camera) take(in *wire.Reader, _ *wire.Answer) {
	for in.More() {
		switch command := in.Uint8(); {
		case c.takeSampling(command, in):
		case command == wire.CameraFOV, command == wire.CameraFocal, command == wire.CameraExposure:
			if x := in.Float64(); command == wire.CameraFOV && math.Abs(x-view(&c.of.Camera)) > 1e-9 {
				c.robot.warn("%s keeps its field of view", c.called())
			}
		case command == wire.CameraRecognition:
			in.Uint16()
			c.robot.warn("%s recognizes nothing", c.called())
		case command == wire.CameraSegmentation:
			in.Uint8()
			c.robot.warn("%s makes no segmentation", c.called())
		default:
			c.robot.skip(c.called(), command, in)
		}
	}
}

func (c *camera) tell(a *wire.Answer) {
	if !c.due() {
		return
	}
	s := c.robot.snapshot
	if c.model != s.Model || !slices.Equal(c.lamps, s.Lamps) {
		c.model, c.lamps, c.stage = s.Model, s.Lamps, sim.NewStage(s.Model, s.Lamps)
	}
	c.taken++
	pose := s.LinksOf(c.robot.index)[c.spec.Link].Pose.Mul(c.of.Pose.Upright())
	noise := sensor.NewNoise(sensor.Key{Entity: s.Model.Entities[c.robot.index].ID, Sensor: uint64(c.tag),
		Sample: c.taken})
	m := c.draws.Take(pose, c.stage, s.Poses(nil), &c.renderer, noise)
	if c.of.Kind == scene.DepthCamera {
		c.robot.picture(a, c.tag, ranges(nil, m.Depth))
		return
	}
	out := make([]byte, 4*m.Width*m.Height)
	for i := range m.Width * m.Height {
		out[4*i], out[4*i+1], out[4*i+2], out[4*i+3] = m.RGB[3*i+2], m.RGB[3*i+1], m.RGB[3*i], 255
	}
	c.robot.picture(a, c.tag, out)
}

// ranges appends distances as bytes; what is too near or too far is endless.
func ranges(dst []byte, all []float32) []byte {
	for _, x := range all {
		if math.IsInf(float64(x), -1) {
			x = float32(math.Inf(1))
		}
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return dst
}

// lidar tells the ranges of its layers, and where it was asked for, the points.
type lidar struct {
	base
	of    *scene.Sensor
	cloud bool
	told  uint64 // the sample that was told last
}

func (l *lidar) configure(a *wire.Answer) {
	s := &l.of.Lidar
	a.To(l.tag, wire.Configure).Int32(int32(l.tag)).Uint16(uint16(s.Columns)).Uint16(uint16(s.Rows))
	a.Float64(s.MaxAngle-s.MinAngle, s.MinRange).Flag(false).Float64(s.MaxRange).Uint16(uint16(s.Rows))
	rate := l.of.Rate
	a.Float64(rate, rate, rate, s.MaxElevation-s.MinElevation, float64(s.Columns))
}

func (l *lidar) take(in *wire.Reader, _ *wire.Answer) {
	for in.More() {
		switch command := in.Uint8(); {
		case l.takeSampling(command, in):
		case command == wire.LidarPointCloud:
			l.cloud = true
		case command == wire.LidarNoPointCloud:
			l.cloud = false
		case command == wire.LidarFrequency:
			in.Float64()
			l.robot.warn("%s keeps its frequency", l.called())
		default:
			l.robot.skip(l.called(), command, in)
		}
	}
}

func (l *lidar) tell(a *wire.Answer) {
	if !l.due() {
		return
	}
	s := l.sample()
	m, ok := s.Data.(*sim.LidarScan)
	if !ok && l.told == 0 { // it has a picture from the first step on, which shows nothing yet
		m = &sim.LidarScan{Spec: &l.of.Lidar, Ranges: make([]float32, l.of.Lidar.Columns*l.of.Lidar.Rows)}
		for i := range m.Ranges {
			m.Ranges[i] = float32(math.Inf(1))
		}
	} else if !ok || s.Seq == l.told {
		return
	}
	l.told = s.Seq
	l.robot.picture(a, l.tag, l.scan(m))
}

// scan is a scan as the library has it: layers from the highest, each from the left, then the points.
func (l *lidar) scan(m *sim.LidarScan) []byte {
	s := &l.of.Lidar
	turned := make([]float32, 0, len(m.Ranges))
	for layer := range s.Rows {
		for column := range s.Columns {
			turned = append(turned, m.Ranges[(s.Rows-1-layer)*s.Columns+s.Columns-1-column])
		}
	}
	out := ranges(nil, turned)
	if !l.cloud {
		return out
	}
	le := binary.LittleEndian
	for i, x := range turned {
		layer, column := i/s.Columns, i%s.Columns
		up, left := s.Elevation(s.Rows-1-layer), s.Azimuth(s.Columns-1-column)
		far := float64(x)
		for _, v := range [3]float64{far * math.Cos(up) * math.Cos(left), far * math.Cos(up) * math.Sin(left),
			far * math.Sin(up)} {
			out = le.AppendUint32(out, math.Float32bits(float32(v)))
		}
		out = le.AppendUint32(out, uint32(layer))
		out = le.AppendUint32(out, 0) // s, since the beginning of the scan
	}
	return out
}

// picture hands a picture to the controller.
func (r *robot) picture(a *wire.Answer, tag uint16, pixels []byte) {
	if r.images != nil {
		r.images.write(a, tag, pixels, r)
		return
	}
	a.Image(tag, pixels)
}
