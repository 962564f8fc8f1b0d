// Package sensing computes what sensors say: a Pipeline for a world, Sensors for each of its entities. After
// a step it begins the samples that are due. Proprioceptive samples (inertia, forces, contacts, pose) are
// ready at once. Lidars and cameras use an immutable view of the step and are computed in parts beside the
// loop, by a Pool of goroutines. No result depends on which goroutine computes a sample, or when.
//
// The models of sensors are package sensor's, pictures are package render's. Sensors see the world through
// World and change nothing of it. Nothing in the world depends on a sample: schedules, numbers of samples
// and integrals of optical flow are state, samples are not.
//
// Units are SI: metres, radians, seconds. Frames follow REP 103.
package sensing

import (
	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/sensor"
	"simdeck/sim/statecodec"
)

// Origin identifies the sensors' entity and the streams of their errors.
type Origin struct {
	Entity string
	ID     uint64 // of the entity
	Key    uint64 // of its random streams
	Seed   uint64
	Model  *model.Model
	Bodies []dynamics.BodyID // by Model.Bodies
}

// Sensors are the sensors of an entity, and the encoders of its joints. The zero value has none.
type Sensors struct {
	name          string
	id, key, seed uint64
	model         *model.Model
	bodies        []dynamics.BodyID
	states        []state   // by Model.Sensors
	encoders      []encoder // by Model.Joints
}

// NewSensors makes the sensors of an entity whose schedules begin now.
func NewSensors(o Origin, clock Clock) Sensors {
	e := Sensors{name: o.Entity, id: o.ID, key: o.Key, seed: o.Seed, model: o.Model, bodies: o.Bodies,
		encoders: newEncoders(&o, clock.StepSize), states: make([]state, len(o.Model.Sensors))}
	e.Restart(clock)
	return e
}

// Restart begins anew, without samples, at a clock that was set.
func (e *Sensors) Restart(clock Clock) {
	for i := range e.states {
		e.states[i] = state{schedule: sensor.NewSchedule(e.model.Sensors[i].Spec.Rate, clock.Now),
			channels: e.channels(i, clock.StepSize)}
	}
}

// Len is the number of sensors, by Model.Sensors.
func (e *Sensors) Len() int { return len(e.states) }

// Count is the number of samples of a sensor that were due since its clock was set, computed or not.
func (e *Sensors) Count(sensor int) uint64 { return e.states[sensor].seq }

// ContinueFrom takes up the samples and schedules of the sensors that these replace.
func (e *Sensors) ContinueFrom(old *Sensors) { copy(e.states, old.states) }

// CopyFrom makes these sensors what others are, in the memory that they have. A sample is not kept: it is of
// a time that may not come again, and may be large.
func (e *Sensors) CopyFrom(o *Sensors) {
	states := e.states[:0]
	*e = *o
	for i := range o.states {
		s := &o.states[i]
		states = append(states, state{schedule: s.schedule, seq: s.seq, channels: s.channels, flow: s.flow})
	}
	e.states = states
}

// AppendSamples appends the newest samples. A snapshot shows them: their memory is not written again.
func (e *Sensors) AppendSamples(dst []sim.Sample) []sim.Sample {
	for i := range e.states {
		dst = append(dst, e.states[i].sample)
		e.states[i].published = true
	}
	return dst
}

// Hash takes in the schedules and integrals.
func (e *Sensors) Hash(d *statecodec.Digest) {
	for i := range e.states {
		d.Word(uint64(e.states[i].schedule.Next()))
		d.Word(e.states[i].seq)
		if e.hasFlow(i) {
			e.states[i].flow.hash(d)
		}
	}
}

// CodeState visits the schedules and integrals.
func (e *Sensors) CodeState(v statecodec.Visitor) {
	for i := range e.states {
		e.states[i].schedule.CodeState(v)
		v(&e.states[i].seq)
		if e.hasFlow(i) {
			e.states[i].flow.codeState(v)
		}
	}
}

// linkPose is a link's frame in the world.
func (e *Sensors) linkPose(w World, link int) r3.Pose {
	at := &e.model.Placements[link]
	return w.Dynamics().Body(e.bodies[at.Body]).Pose().Mul(at.Pose)
}
