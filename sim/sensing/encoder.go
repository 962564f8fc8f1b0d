package sensing

import (
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// encoder measures a joint; the zero value does not.
type encoder struct {
	on, tacho          bool
	position, velocity sensor.Channel
	of                 sim.JointState // that was read last, with what was read of it
	at                 uint64         // in which step
}

// encoderSensors is the first number of the encoders among the streams of an entity's sensors.
const encoderSensors = 1 << 57

// newEncoders are those of an entity's joints, with the errors that each keeps.
func newEncoders(o *Origin, stepSize time.Duration) []encoder {
	out := make([]encoder, len(o.Model.Joints))
	rate := 1 / stepSize.Seconds()
	for i := range out {
		spec := &o.Model.Spec.Joints[i].Encoder
		if !spec.Set || !o.Model.Joints[i].HasMotorAxis() {
			continue
		}
		key := sensor.Key{Seed: o.Seed, Entity: o.Key, Sensor: encoderSensors + uint64(i)}
		out[i] = encoder{on: true, tacho: spec.Tacho,
			position: sensor.NewChannel(spec.Position, key, 0, rate),
			velocity: sensor.NewChannel(spec.Velocity, key, 1, rate)}
		if spec.Velocity != (scene.Noise{}) {
			out[i].tacho = true
		}
	}
	return out
}

// ReadEncoder is the reading of a joint's encoder after a step.
func (e *Sensors) ReadEncoder(joint int, s *sim.JointState, step uint64, dt float64) sim.JointReading {
	return e.encoders[joint].read(s, step, dt)
}

// read is the reading of an encoder after a step. It depends on the state and the number of the step alone,
// not on its readers. A velocity without a measurement of its own is the difference of two readings, one step
// apart: with a coarse resolution it jumps.
func (c *encoder) read(s *sim.JointState, step uint64, dt float64) sim.JointReading {
	if !c.on {
		return sim.JointReading{}
	}
	if c.of.Encoder.Set && c.at == step && c.of.Position == s.Position && c.of.Velocity == s.Velocity {
		return c.of.Encoder
	}
	r := sim.JointReading{Set: true, Velocity: s.Velocity}
	switch {
	case c.tacho:
		r.Velocity = c.velocity.Report(s.Velocity, step)
	case step > 0:
		before := c.position.Report(s.Position-float64(s.Velocity*dt), step-1)
		r.Velocity = (c.position.Report(s.Position, step) - before) / dt
	}
	r.Position = c.position.Report(s.Position, step)
	c.of, c.at = sim.JointState{Position: s.Position, Velocity: s.Velocity, Encoder: r}, step
	return r
}
