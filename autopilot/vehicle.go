package autopilot

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"simdeck/sim"
	"simdeck/sim/medium"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// vehicle is a model in the world with what its autopilot commands and feels.
type vehicle struct {
	Vehicle
	id       atomic.Uint64          // of the entity; 0: it is not in the world
	felt     atomic.Pointer[[]bool] // by sensor of the entity
	index    int                    // in the snapshot
	snapshot *sim.Snapshot
	model    *sim.EntityModel
	plan     scene.Autopilot
	feels    map[scene.SensorKind][]int // sensors by kind, in the order of the model
	last     []float64                  // that was commanded, by channel
	refused  int
	clock    clock
	ranges   []float64
	finders  []finder
}

// isIn reports that the vehicle is in the world as it was.
func (v *vehicle) isIn(s *sim.Snapshot) bool {
	i, ok := s.Find(v.Entity)
	if !ok || s.Model.Entities[i].ID != v.id.Load() {
		return false
	}
	v.index = i
	return true
}

// wants reports that the vehicle's autopilot feels a sensor. It is called from any goroutine.
func (v *vehicle) wants(entity uint64, sensor int) bool {
	felt := v.felt.Load()
	return entity == v.id.Load() && felt != nil && sensor < len(*felt) && (*felt)[sensor]
}

// isFelt reports that autopilots feel a sensor. Pictures are none of them, and cost much.
func isFelt(s *scene.Sensor) bool {
	switch s.Kind {
	case scene.Lidar:
		return s.Lidar.Columns*s.Lidar.Rows == 1
	case scene.Camera, scene.DepthCamera, scene.RGBDCamera:
		return false
	}
	return true
}

// take finds the vehicle in a snapshot. False: it is not there.
func (v *vehicle) take(s *sim.Snapshot) (found bool, err error) {
	i, ok := s.Find(v.Entity)
	if !ok || s.State == sim.LoadingWorld {
		v.id.Store(0)
		return false, nil
	}
	e := &s.Model.Entities[i]
	v.snapshot, v.index, v.model = s, i, e
	if v.id.Swap(e.ID) != e.ID {
		v.last, v.refused = nil, 0
	}
	if v.plan, err = planOf(e, v.Protocol); err != nil {
		return false, err
	}
	v.feels = map[scene.SensorKind][]int{}
	felt := make([]bool, len(e.Sensors))
	v.felt.Store(&felt)
	for k, m := range e.Sensors {
		felt[k] = isFelt(m.Spec)
		own := m.Spec.Kind == scene.IMU && m.Spec.Name == v.plan.IMU && v.plan.IMU != ""
		if list := v.feels[m.Spec.Kind]; own {
			v.feels[m.Spec.Kind] = slices.Insert(list, 0, k)
		} else {
			v.feels[m.Spec.Kind] = append(list, k)
		}
	}
	return true, nil
}

// planOf is the connection of a model to an autopilot by its file. Where that says nothing, each rotor is
// driven by the output of its number, from standing still to its greatest speed. Betaflight has numbers of
// its own for four rotors.
func planOf(e *sim.EntityModel, protocol string) (scene.Autopilot, error) {
	if e.Spec == nil {
		return scene.Autopilot{}, fmt.Errorf("%w: the model of %q is not known", ErrVehicle, e.Name)
	}
	plan := scene.Autopilot{Protocol: protocol}
	for _, a := range e.Spec.Autopilots {
		if a.Protocol == protocol {
			plan = a
		}
	}
	if plan.Channels = ofRotors(plan.Channels, e.Spec.Flow.Rotors); len(plan.Channels) > 0 {
		return plan, nil
	}
	corners, isX := quadX(e.Spec)
	for i, r := range e.Spec.Flow.Rotors {
		output := r.Index
		if isX && protocol == scene.Betaflight {
			output = corners[i]
		}
		if r.Most > 0 {
			plan.Channels = append(plan.Channels, scene.AutopilotChannel{Output: output, Joint: r.Joint,
				Scale: r.Most, Min: 1000, Max: 2000})
		}
	}
	if len(plan.Channels) == 0 {
		return plan, fmt.Errorf("%w: %q has no rotors with a greatest speed, and its file names no channels",
			ErrVehicle, e.Name)
	}
	return plan, nil
}

// quadX are the numbers of the motors of Betaflight's mixer QUADX by the rotors of a model: rear right, front
// right, rear left, front left. False: there is not one rotor in each of these corners.
func quadX(m *scene.ModelSpec) (numbers []int, ok bool) {
	if len(m.Flow.Rotors) != 4 {
		return nil, false
	}
	base := m.Links[m.Canonical].Pose.Upright().Inverse()
	var hubs [4]r3.Vec // in the base's frame
	var middle r3.Vec
	for i, r := range m.Flow.Rotors {
		j := &m.Joints[r.Joint]
		hubs[i] = base.Apply(m.Links[j.Child].Pose.Upright().Apply(j.Pose.Pos))
		middle = middle.AddScaled(0.25, hubs[i])
	}
	var taken [4]bool
	for _, h := range hubs {
		number := 0
		if h.X > middle.X {
			number++
		}
		if h.Y > middle.Y {
			number += 2
		}
		if taken[number] {
			return nil, false
		}
		taken[number] = true
		numbers = append(numbers, number)
	}
	return numbers, true
}

// ofRotors are channels with the joints of their rotors, without those that have none.
func ofRotors(channels []scene.AutopilotChannel, rotors []scene.Rotor) (out []scene.AutopilotChannel) {
	for _, c := range channels {
		if c.Joint < 0 {
			i := slices.IndexFunc(rotors, func(r scene.Rotor) bool { return r.Index == c.Motor })
			if i < 0 {
				continue
			}
			c.Joint = rotors[i].Joint
		}
		out = append(out, c)
	}
	return out
}

// command is the command to joints that outputs come to, and whether it is new.
func (v *vehicle) command(out *outputs) (c sim.SetJoints, changed bool) {
	if out.none {
		return c, false
	}
	if v.last == nil {
		v.last = slices.Repeat([]float64{math.NaN()}, len(v.plan.Channels))
	}
	c.Name = v.model.Name
	for i := range v.plan.Channels {
		k := &v.plan.Channels[i]
		value, asked := out.value(k)
		if !asked {
			continue
		}
		changed = changed || value != v.last[i]
		v.last[i] = value
		t := sim.JointTarget{Joint: v.model.Spec.Joints[k.Joint].Name, Target: value, Effort: k.Effort}
		switch k.By {
		case scene.ChannelPosition:
			t.Mode = sim.JointPosition
		case scene.ChannelEffort:
			t.Mode, t.Effort = sim.JointEffort, 0
		default:
			t.Mode = sim.JointVelocity
		}
		c.Targets = append(c.Targets, t)
	}
	return c, changed
}

// value is the target of a channel. False: its output asks for nothing.
func (o *outputs) value(k *scene.AutopilotChannel) (value float64, asked bool) {
	if o.pulses != nil {
		if k.Output < 0 || k.Output >= len(o.pulses) || o.pulses[k.Output] == 0 {
			return 0, false
		}
		part := (o.pulses[k.Output] - k.Min) / (k.Max - k.Min)
		return k.Scale * (max(0, min(1, part)) + k.Offset), true
	}
	if k.Output < 0 || k.Output >= len(o.levels) {
		return 0, false
	}
	level := o.levels[k.Output]
	if !o.armed || math.IsNaN(level) {
		return k.Disarmed, true
	}
	return k.Scale*(max(-1, min(1, level))+k.Offset) + k.Armed, true
}

// clock is the simulated time of an autopilot, which never goes back, whatever the world's does.
type clock struct{ ahead, last time.Duration }

// at is the autopilot's time, for a time of a world with steps of a size.
func (c *clock) at(now, step time.Duration) time.Duration {
	if now+c.ahead <= c.last {
		c.ahead = c.last - now + step
	}
	c.last = now + c.ahead
	return c.last
}

// motion is the motion of a vehicle, as its sensors measure it where it has them. The world's frame is
// north-east-down, the body's forward-right-down.
type motion struct {
	time               time.Duration
	gyro, force        r3.Vec  // rad/s; m/s², of what is felt
	attitude           r3.Quat // from the body's frame to the world's
	position, velocity r3.Vec  // m, from the world's origin; m/s
	truth              bool    // gyro and force are without errors: there is no sensor

	earth    scene.Earth
	place    sensor.Place
	ground   r3.Vec // m/s, velocity that the receiver measures
	located  bool   // place and ground are a receiver's
	field    r3.Vec // T
	compass  bool   // field is a sensor's
	pascal   float64
	kelvin   float64
	pressure bool              // pascal is a sensor's
	air      *sim.AirSpeed     // nil: there is no sensor
	ranges   []float64         // m
	finders  []finder          // those of one beam, sonars and lidars, in the order of the model
	flow     *flow             // nil: there is no sensor
	battery  *sim.BatteryState // the first; nil: there is none
	free     bool              // the world does not wait
}

// zurich is the home of PX4, for worlds that do not say where they lie.
var zurich = scene.Earth{Set: true, Latitude: 47.397742 * math.Pi / 180,
	Longitude: 8.545594 * math.Pi / 180, Elevation: 488}

// motion looks at the vehicle in its snapshot.
func (v *vehicle) motion(free bool) motion {
	s := v.snapshot
	body := s.Entities[v.index]
	m := motion{time: v.clock.at(s.Time, s.StepSize), free: free, earth: s.Model.Earth}
	if !m.earth.Set {
		m.earth.Set, m.earth.Latitude, m.earth.Longitude, m.earth.Elevation = true, zurich.Latitude,
			zurich.Longitude, zurich.Elevation
	}
	toModel := r3.Quat{X: 1} // half a turn about x
	if q := v.plan.Body; q != nil {
		toModel = *q
	}
	fromEast := r3.Quat{X: math.Sqrt2 / 2, Y: math.Sqrt2 / 2} // east, north, up
	toNED := fromEast.Mul(r3.AxisAngle(r3.V(0, 0, 1), s.Model.Earth.Heading))
	if q := v.plan.World; q != nil {
		toNED = q.Conj()
	}
	attitude := body.Pose.Rot.Mul(toModel)
	m.attitude, _ = toNED.Mul(attitude).Unit()
	m.position, m.velocity = toNED.Rotate(body.Pose.Pos), toNED.Rotate(body.Twist.Linear)
	m.inertial(v, &body, attitude)
	m.surroundings(v, &body, attitude)
	if all := s.BatteriesOf(v.index); len(all) > 0 {
		m.battery = &all[0]
	}
	return m
}

// sampleOf is the newest sample of the first sensor of a kind; false: there is none yet.
func sampleOf[T any](v *vehicle, kind scene.SensorKind) (data *T, frame r3.Pose, ok bool) {
	for _, i := range v.feels[kind] {
		sample := v.snapshot.SamplesOf(v.index)[i]
		data, ok = any(sample.Data).(*T)
		return data, sample.Frame, ok && data != nil
	}
	return nil, frame, false
}

// inertial takes the measurements of an inertial unit; attitude turns the autopilot's body frame into the
// world's.
func (m *motion) inertial(v *vehicle, body *sim.EntityState, attitude r3.Quat) {
	d, frame, ok := sampleOf[sim.IMUReading](v, scene.IMU)
	if ok {
		m.gyro = attitude.RotateBack(frame.Rot.Rotate(d.AngularVelocity))
		m.force = attitude.RotateBack(frame.Rot.Rotate(d.SpecificForce))
		return
	}
	m.truth = true
	m.gyro = attitude.RotateBack(body.Twist.Angular)
	m.force = attitude.RotateBack(body.Accel.Linear.Sub(v.snapshot.Model.Gravity))
}

// surroundings takes the measurements of the other sensors.
func (m *motion) surroundings(v *vehicle, body *sim.EntityState, attitude r3.Quat) {
	at := body.Pose.Pos
	m.place = sensor.Locate(&m.earth, sensor.East(&m.earth, at))
	m.ground = sensor.East(&m.earth, body.Twist.Linear)
	if d, _, ok := sampleOf[sim.GPSFix](v, scene.GPS); ok && d.Valid {
		m.place, m.ground, m.located = d.Place, d.Velocity, true
	}
	m.field = attitude.RotateBack(sensor.Field(&m.earth, at))
	if d, frame, ok := sampleOf[sim.MagneticField](v, scene.Magnetometer); ok && v.snapshot.Model.Earth.Set {
		m.field, m.compass = attitude.RotateBack(frame.Rot.Rotate(d.Field)), true
	}
	m.pascal, m.kelvin, _ = medium.Air(&m.earth, at.Z)
	if d, _, ok := sampleOf[sim.AirPressure](v, scene.AirPressure); ok && v.snapshot.Model.Earth.Set {
		m.pascal, m.pressure = d.Pascal, true
	}
	m.air, _, _ = sampleOf[sim.AirSpeed](v, scene.AirSpeed)
	v.ranges = v.ranges[:0]
	for _, i := range v.feels[scene.Sonar] {
		if d, ok := v.snapshot.SamplesOf(v.index)[i].Data.(*sim.SonarRange); ok {
			v.ranges = append(v.ranges, max(d.Spec.MinRange, min(d.Spec.MaxRange, d.Metres)))
		}
	}
	m.ranges = v.ranges
	m.optical(v, attitude)
}

// noise is a small error for autopilots that take numbers without one for those of a broken sensor. It
// follows from the vehicle's name and the time alone.
func (m *motion) noise(entity string) sensor.Noise {
	h := fnv.New64a()
	_, _ = io.WriteString(h, entity) // a hash takes all
	return sensor.NewNoise(sensor.Key{Seed: h.Sum64(), Sample: uint64(m.time)})
}
