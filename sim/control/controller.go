// Package control moves robots by their motors: drives with velocity commands, joint servos, coupled joints,
// trajectories, and scripts that carry models. A Controller is the state machine of one entity.
//
// It measures and commands bodies and joints through Dynamics, by their handles, and knows neither the world
// nor its other entities. Data of a car's surroundings come as a value. Order: Actuate before a step of the
// dynamics; Observe and CheckTrajectory after it. The state of a Controller is visited word by word for
// hashes, recordings and rewinding.
//
// Units are SI: metres, radians, kilograms, seconds. Frames follow REP 103.
package control

import (
	"fmt"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Dynamics are the bodies and joints that controllers measure and command: dynamics.World has them.
type Dynamics interface {
	Body(id dynamics.BodyID) dynamics.Body
	Joint(id dynamics.JointID) dynamics.Joint
	Transmission(id dynamics.TransmissionID) dynamics.Transmission
	Geom(id dynamics.GeomID) dynamics.Geom
	Gravity() r3.Vec // m/s², in the world frame
}

// Clock is the simulated time at a step.
type Clock struct {
	Now      time.Duration // simulated, since the last reset of time
	StepSize time.Duration
	Step     uint64 // since the last reset of time
}

// dt is the step size in seconds.
func (c Clock) dt() float64 { return c.StepSize.Seconds() }

// Controller moves one entity by its own motors. The zero value has nothing to move.
type Controller struct {
	rotorSet
	bladderSet
	batterySet
	tracks       trackSet
	name         string // of the entity, for errors
	model        *model.Model
	bodies       []dynamics.BodyID  // by Model.Bodies
	joints       []dynamics.JointID // by Model.Joints; zero: holds still
	motors       []motor            // by Model.Joints
	activations  []float64          // by Model.Joints; nil: no servo has one
	actuators    actuators
	drives       []drive               // by ModelSpec.Drives
	trajectories []trajectoryExecution // that go on, or ended lately
	mimics       bool                  // some joint follows another by its motor
	profiles     []int                 // joints whose motors follow a velocity profile
	actor        Actor
	signal       Signal
	lamps        Lamps
}

// New makes the controller of an entity, without drives: of bodies, joints and transmissions by those of the
// model.
func New(entity string, m *model.Model, bodies []dynamics.BodyID, joints []dynamics.JointID,
	transmissions []dynamics.TransmissionID) Controller {
	c := Controller{name: entity, model: m, bodies: bodies, joints: joints,
		motors: make([]motor, len(m.Joints)), activations: newActivations(m),
		rotorSet: rotorSet{entity: entity, of: m, links: bodies, hinges: joints,
			all: make([]rotor, len(m.Spec.Flow.Rotors))},
		bladderSet: newBladders(entity, m, bodies),
		batterySet: newBatteries(entity, m.Spec),
		tracks:     newTracks(entity, m, bodies),
		actor:      newActor(entity, m.Spec.Actor), signal: newSignal(entity, m.Spec.Signal),
		lamps: newLamps(entity, m.Spec)}
	for i := range m.Joints {
		c.mimics = c.mimics || m.IsMimic(i) && !m.IsCoupled(i)
	}
	c.profiles, c.actuators = profiledJoints(m), newActuators(m, transmissions)
	return c
}

// Active reports whether there is anything to do at a step.
func (c *Controller) Active() bool {
	return len(c.drives) > 0 || c.mimics || len(c.trajectories) > 0 || len(c.activations) > 0 ||
		len(c.profiles) > 0 || len(c.actuators.all) > 0 || len(c.rotorSet.all) > 0 || len(c.tracks.all) > 0 ||
		len(c.bladderSet.all) > 0 || len(c.batterySet.all) > 0 || c.Actor() != nil || c.Signal() != nil
}

// Actuate sets the motors for the step to come, in a medium for propellers and bladders.
func (c *Controller) Actuate(p Dynamics, clock Clock, m *medium.Medium) {
	if power(c, p, clock) {
		command(c, p, clock, m)
	}
	c.rotorSet.spin(p, clock, m)
	c.bladderSet.pump(p, clock, m)
	c.tracks.run(p, clock)
}

// command sets the motors, which have power.
func command(c *Controller, p Dynamics, clock Clock, m *medium.Medium) {
	for _, i := range c.profiles { // before trajectories, which take a joint for as long as they go on
		c.followProfile(p, i, clock.dt())
	}
	for i := range c.drives {
		c.actuateDrive(p, i, clock, m)
	}
	if c.mimics {
		c.mimic(p)
	}
	if len(c.trajectories) > 0 {
		c.trackTrajectories(p, clock)
	}
	c.activate(p, clock)
	c.actuators.actuate(p, clock)
}

// CopyFrom makes a controller what another is, in the memory that it has.
func (c *Controller) CopyFrom(o *Controller) {
	motors, drives, trajectories := c.motors[:0], c.drives[:0], c.trajectories[:0]
	activations, lamps, actuators := c.activations[:0], c.lamps.glows[:0], c.actuators.all[:0]
	rotors, tracks, bladders := c.rotorSet.all[:0], c.tracks.all[:0], c.bladderSet.all[:0]
	batteries := c.batterySet.all[:0]
	*c = *o
	c.motors, c.drives = append(motors, o.motors...), append(drives, o.drives...)
	c.activations = append(activations, o.activations...)
	c.rotorSet.all = append(rotors, o.rotorSet.all...)
	c.tracks.all = append(tracks, o.tracks.all...)
	c.bladderSet.all = append(bladders, o.bladderSet.all...)
	c.batterySet.all = append(batteries, o.batterySet.all...)
	c.actuators.all = append(actuators, o.actuators.all...)
	c.lamps.glows = append(lamps, o.lamps.glows...)
	c.trajectories = append(trajectories, o.trajectories...)
}

// actuatedJoint is the index of a joint that a motor can move.
func (c *Controller) actuatedJoint(name string) (int, error) {
	i := slices.IndexFunc(c.model.Spec.Joints, func(j scene.Joint) bool { return j.Name == name })
	if i < 0 {
		return 0, fmt.Errorf("%w: entity %q has no joint %q", sim.ErrNotFound, c.name, name)
	}
	if !c.model.IsActuated(i) {
		return 0, fmt.Errorf("%w: joint %q of %q has no motor: it is fixed, follows another, or is a %v joint",
			sim.ErrUnsupported, name, c.name, c.model.Joints[i].Def.Type)
	}
	return i, nil
}

// base is the canonical link's frame in the world, and how fast it moves.
func (c *Controller) base(p Dynamics) (r3.Pose, r3.Twist) {
	at := &c.model.Placements[c.model.Spec.Canonical]
	body := p.Body(c.bodies[at.Body]).Pose()
	t := p.Body(c.bodies[at.Body]).Twist()
	t.Linear = t.At(body.Rot.Rotate(at.Pose.Pos))
	return body.Mul(at.Pose), t
}
