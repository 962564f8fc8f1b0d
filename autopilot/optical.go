package autopilot

import (
	"math"
	"time"

	"simdeck/autopilot/mavlink"
	"simdeck/sim"
	"simdeck/sim/r3"
)

// finder is the newest measurement of a range finder of one beam.
type finder struct {
	reading
	sonar       bool
	looks       r3.Vec  // direction of the beam, in the body's frame
	width       float64 // rad, of the beam
	least, most float64 // m
	deviation   float64 // m, of its error
	metres      float64 // +Inf: nothing is in reach; -Inf: something is too near
}

// flow is the newest measurement of an optical flow sensor.
type flow struct {
	reading
	*sim.OpticalFlow
}

// reading identifies a sample of a sensor of the vehicle.
type reading struct {
	sensor int
	seq    uint64
	age    time.Duration
}

// optical takes the measurements of what looks at the ground; attitude turns the autopilot's body frame into
// the world's.
func (m *motion) optical(v *vehicle, attitude r3.Quat) {
	v.finders, m.flow = v.finders[:0], nil
	samples, links := v.snapshot.SamplesOf(v.index), v.snapshot.LinksOf(v.index)
	for i, s := range v.model.Sensors {
		sample := &samples[i]
		r := reading{sensor: i, seq: sample.Seq, age: v.snapshot.Time - sample.Time}
		f := finder{reading: r, looks: r3.V(0, 0, -1)}
		switch d := sample.Data.(type) {
		case *sim.OpticalFlow:
			if m.flow == nil {
				m.flow = &flow{r, d}
			}
			continue
		case *sim.SonarRange:
			f.sonar, f.metres, f.least, f.most = true, d.Metres, d.Spec.MinRange, d.Spec.MaxRange
			f.width, f.deviation = 2*d.Spec.HalfAngle, s.Spec.Noise.Std
		case *sim.LidarScan:
			if !isFelt(s.Spec) {
				continue
			}
			f.metres, f.least, f.most = float64(d.Ranges[0]), d.Spec.MinRange, d.Spec.MaxRange
			up, out := r3.SinCos(d.Spec.Elevation(0))
			side, ahead := r3.SinCos(d.Spec.Azimuth(0))
			f.looks, f.deviation = r3.V(out*ahead, out*side, up), d.Spec.NoiseStd
		default:
			continue
		}
		frame := links[s.Link].Pose.Rot.Mul(s.Spec.Pose.Upright().Rot)
		f.looks = attitude.RotateBack(frame.Rotate(f.looks))
		v.finders = append(v.finders, f)
	}
	m.finders = v.finders
}

// directions have names in MAVLink; axes are in the body's frame.
var directions = []struct {
	axis r3.Vec
	word uint8
}{
	{r3.V(0, 0, 1), mavlink.LooksDown}, {r3.V(0, 0, -1), mavlink.LooksUp},
	{r3.V(1, 0, 0), mavlink.LooksAhead}, {r3.V(-1, 0, 0), mavlink.LooksBack},
	{r3.V(0, 1, 0), mavlink.LooksRight}, {r3.V(0, -1, 0), mavlink.LooksLeft},
}

// alike is the cosine of the angle by which a finder may be off a direction that has a name, as
// gazebo_mavlink_interface has it.
const alike = 0.99

// direction is the name of the direction into which a finder looks.
func (f *finder) direction() uint8 {
	for _, d := range directions {
		if f.looks.Dot(d.axis) > alike {
			return d.word
		}
	}
	return mavlink.LooksElsewhere
}

// sonarIDs is the first ID of sonars, behind those of lidars, as gazebo_mavlink_interface has it.
const sonarIDs = 100

// distance is the message of a finder; id counts the finders of its kind.
func (m *motion) distance(f *finder, id uint8) mavlink.DistanceSensor {
	d := mavlink.DistanceSensor{Time: uint32((m.time - f.age) / time.Millisecond), Least: cmU(f.least),
		Most: cmU(f.most), Type: mavlink.RangeLaser, ID: id, Orientation: f.direction(),
		Variance: uint8(min(254, math.Round(f.deviation*f.deviation*1e4))),
		Width:    float32(f.width), Height: float32(f.width), Quality: mavlink.RangePerfect}
	if f.sonar {
		d.Type, d.ID = mavlink.RangeUltrasound, sonarIDs+id
	}
	if d.Orientation == mavlink.LooksElsewhere {
		q := r3.Between(r3.V(1, 0, 0), f.looks)
		d.Attitude = [4]float32{float32(q.W), float32(q.X), float32(q.Y), float32(q.Z)}
	}
	switch {
	case math.IsInf(f.metres, 1): // 0 cm, as gazebo_lidar_plugin has it
		d.Quality = mavlink.RangeInvalid
	case math.IsInf(f.metres, -1):
		d.Distance, d.Quality = d.Least, mavlink.RangeInvalid
	default:
		d.Distance = cmU(f.metres)
	}
	return d
}

// hilFlow is the message of the optical flow sensor, with the range of the first finder that looks down.
func (m *motion) hilFlow() mavlink.HILOpticalFlow {
	out := mavlink.HILOpticalFlow{Time: uint64((m.time - m.flow.age) / time.Microsecond),
		Period: uint32(m.flow.Time / time.Microsecond), X: float32(m.flow.X), Y: float32(m.flow.Y),
		Turn: floats(m.flow.Turn), Distance: -1, Quality: m.flow.Quality,
		Temperature: fixed[int16]((m.kelvin-zeroCelsius)*100, math.MinInt16, math.MaxInt16)}
	if !m.flow.Spec.Gyro {
		none := float32(math.NaN())
		out.Turn = [3]float32{none, none, none}
	}
	for i := range m.finders {
		f := &m.finders[i]
		if f.direction() != mavlink.LooksDown {
			continue
		}
		if !math.IsInf(f.metres, 0) {
			out.Distance = float32(f.metres)
			out.DistanceAge = uint32(max(0, f.age-m.flow.age) / time.Microsecond)
		}
		break
	}
	return out
}

// tellOptical adds the measurements of what looks at the ground, each once.
func (l *px4Link) tellOptical(m *motion) {
	var lidars, sonars uint8
	for i := range m.finders {
		f, id := &m.finders[i], &lidars
		if f.sonar {
			id = &sonars
		}
		if l.isNew(&f.reading) {
			d := m.distance(f, *id)
			l.add(mavlink.DistanceSensorID, d.AppendPayload)
		}
		*id++
	}
	if m.flow != nil && l.isNew(&m.flow.reading) {
		f := m.hilFlow()
		l.add(mavlink.HILOpticalFlowID, f.AppendPayload)
	}
}

// isNew reports that a sample was not told yet, and keeps that it is now.
func (l *px4Link) isNew(r *reading) bool {
	if l.told[r.sensor] == r.seq {
		return false
	}
	l.told[r.sensor] = r.seq
	return true
}
