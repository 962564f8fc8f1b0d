package webots

import (
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"simdeck/webots/wire"
)

const prismatic = scene.Prismatic

// gps tells where it is: in the world, or on the earth where the world says so.
type gps struct{ base }

func (g *gps) configure(a *wire.Answer) {
	a.To(g.tag, wire.Configure)
	if g.robot.spec.Robot.Geographic {
		a.Int32(1)
	} else {
		a.Int32(0)
	}
}

func (g *gps) tell(a *wire.Answer) {
	if !g.due() {
		return
	}
	at := g.frame()
	place := at.Pose.Pos
	if std := g.spec.Noise; std > 0 {
		noise := g.robot.noise
		place = place.Add(r3.V(noise.NormFloat64(), noise.NormFloat64(), noise.NormFloat64()).Scale(std))
	}
	a.To(g.tag, wire.GPSData)
	if earth := &g.robot.snapshot.Model.Earth; g.robot.spec.Robot.Geographic && earth.Set {
		on := sensor.Locate(earth, sensor.East(earth, place))
		a.Float64(on.Latitude*180/math.Pi, on.Longitude*180/math.Pi, on.Altitude)
	} else {
		a.Float64(numbers(place)...)
	}
	a.Float64(at.Twist.Linear.Len()).Float64(numbers(at.Twist.Linear)...)
}

// inertialUnit tells how it is turned in the world.
type inertialUnit struct{ base }

func (u *inertialUnit) configure(a *wire.Answer) {
	a.To(u.tag, wire.Configure).Float64(u.spec.Noise).Text("ENU")
}

func (u *inertialUnit) tell(a *wire.Answer) {
	if !u.due() {
		return
	}
	q := u.frame().Pose.Rot
	if std := u.spec.Noise; std > 0 {
		noise := u.robot.noise
		q = q.Turn(r3.V(noise.NormFloat64(), noise.NormFloat64(), noise.NormFloat64()).Scale(std))
	}
	a.To(u.tag, wire.InertialUnitData).Float64(q.X, q.Y, q.Z, q.W)
}

// vectorSensor is a Gyro, Accelerometer or Compass: it tells a vector in its own frame.
type vectorSensor struct{ base }

func (v *vectorSensor) configure(a *wire.Answer) { v.writeTable(a.To(v.tag, wire.Configure)) }

func (v *vectorSensor) tell(a *wire.Answer) {
	if !v.due() {
		return
	}
	axes := v.frame().Pose.Rot
	switch v.spec.Node {
	case "Gyro":
		a.To(v.tag, wire.GyroData)
		v.write(a, axes.RotateBack(v.frame().Twist.Angular))
	case "Compass": // to the north: y in the world
		a.To(v.tag, wire.CompassData)
		v.write(a, axes.RotateBack(r3.V(0, 1, 0)))
	case "Accelerometer":
		s := v.sample()
		m, ok := s.Data.(*sim.IMUReading)
		if !ok {
			return
		}
		a.To(v.tag, wire.AccelerometerData)
		v.write(a, axes.RotateBack(s.Frame.Rot.Rotate(m.SpecificForce)))
	}
}

func (v *vectorSensor) write(a *wire.Answer, x r3.Vec) {
	a.Float64(v.look(x.X), v.look(x.Y), v.look(x.Z))
}

// altimeter tells its height.
type altimeter struct{ base }

func (h *altimeter) tell(a *wire.Answer) {
	if h.due() {
		z := h.frame().Pose.Pos.Z + h.spec.Noise*h.robot.noise.NormFloat64()
		a.To(h.tag, wire.AltimeterData).Float64(z)
	}
}

// distanceSensor tells what its lookup table makes of the distance that its rays measure.
type distanceSensor struct {
	base
	weights []float64 // by rays; their sum is 1
	lidar   *scene.LidarSpec
}

func newDistanceSensor(b base, s *scene.Sensor) *distanceSensor {
	d := &distanceSensor{base: b, lidar: &s.Lidar}
	sum := 0.0
	for i := range s.Lidar.Columns {
		w := 1.0
		if b.spec.Aperture > 0 && b.spec.Width > 0 {
			w = math.Exp(-math.Pow(s.Lidar.Azimuth(i)/(b.spec.Aperture*b.spec.Width), 2))
		}
		d.weights = append(d.weights, w)
		sum += w
	}
	for i := range d.weights {
		d.weights[i] /= sum
	}
	return d
}

// distanceKinds are the types of distance sensors as the library counts them.
var distanceKinds = map[string]int32{"generic": 0, "infra-red": 1, "sonar": 2, "laser": 3}

func (d *distanceSensor) configure(a *wire.Answer) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := 1; i < len(d.spec.Table); i += 3 {
		lo, hi = min(lo, d.spec.Table[i]), max(hi, d.spec.Table[i])
	}
	a.To(d.tag, wire.Configure).Int32(distanceKinds[d.spec.Kind]).Float64(lo, hi, d.spec.Aperture)
	d.writeTable(a)
}

func (d *distanceSensor) tell(a *wire.Answer) {
	if !d.due() {
		return
	}
	m, ok := d.sample().Data.(*sim.LidarScan)
	if !ok || len(m.Ranges) != len(d.weights) {
		return
	}
	mean, nearest := 0.0, d.lidar.MaxRange
	for i, x := range m.Ranges {
		far := max(d.lidar.MinRange, min(float64(x), d.lidar.MaxRange))
		mean, nearest = mean+d.weights[i]*far, min(nearest, far)
	}
	if d.spec.Kind == "sonar" {
		mean = nearest
	}
	// the noise of the table is in what the rays measured
	a.To(d.tag, wire.DistanceSensorData).Float64(lookup(noiseless(d.spec.Table), mean, nil))
}

// noiseless is a lookup table without noise.
func noiseless(table []float64) []float64 {
	out := append([]float64(nil), table...)
	for i := 2; i < len(out); i += 3 {
		out[i] = 0
	}
	return out
}

// touchSensor tells whether it is touched, or by what force.
type touchSensor struct{ base }

// touchKinds are the types of touch sensors as the library counts them.
var touchKinds = map[string]int32{"bumper": 0, "force": 1, "force-3d": 2}

func (t *touchSensor) configure(a *wire.Answer) {
	t.writeTable(a.To(t.tag, wire.Configure).Int32(touchKinds[t.spec.Kind]))
}

func (t *touchSensor) tell(a *wire.Answer) {
	if !t.due() {
		return
	}
	m, ok := t.sample().Data.(*sim.ContactReadings)
	if !ok {
		return
	}
	var force r3.Vec
	for i := range m.Contacts {
		for _, p := range m.Contacts[i].Points {
			force = force.Add(p.Force)
		}
	}
	own := t.frame().Pose.Rot.RotateBack(force)
	switch t.spec.Kind {
	case "force-3d":
		a.To(t.tag, wire.TouchSensorData3D).Float64(t.look(own.X), t.look(own.Y), t.look(own.Z))
	case "force": // along x, which looks out of it
		a.To(t.tag, wire.TouchSensorData).Float64(t.look(math.Abs(own.X)))
	default:
		touched := 0.0
		if len(m.Contacts) > 0 {
			touched = 1
		}
		a.To(t.tag, wire.TouchSensorData).Float64(touched)
	}
}

// led gives the lamp of its shapes the light that a value stands for.
type led struct {
	base
	changed bool
	light   scene.Glow // that it was set to
}

func (l *led) take(in *wire.Reader, _ *wire.Answer) {
	for in.More() {
		command := in.Uint8()
		if command != wire.LEDSet {
			l.robot.skip(l.called(), command, in)
			return
		}
		l.light, l.changed = l.spec.LED.Glow(in.Int32()), l.spec.LED.Lamp >= 0
		if l.spec.LED.Lamp < 0 {
			l.robot.warn("%s is set, and has no Shape with an appearance that shows it", l.called())
		}
	}
}

func (l *led) tell(*wire.Answer) {}
