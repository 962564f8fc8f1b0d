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
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Dynamics are the bodies and joints that controllers measure and command: dynamics.World has them.
type Dynamics interface {
	Body(id dynamics.BodyID) dynamics.Body
	Joint(id dynamics.JointID) dynamics.Joint
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
	name         string // of the entity, for errors
	model        *model.Model
	bodies       []dynamics.BodyID     // by Model.Bodies
	joints       []dynamics.JointID    // by Model.Joints; zero: holds still
	motors       []motor               // by Model.Joints
	activations  []float64             // by Model.Joints; nil: no servo has one
	drives       []drive               // by ModelSpec.Drives
	trajectories []trajectoryExecution // that go on, or ended lately
	mimics       bool                  // some joint follows another by its motor
	profiles     []int                 // joints whose motors follow a velocity profile
	actor        Actor
	signal       Signal
	lamps        Lamps
}

// New makes the controller of an entity, without drives: of bodies by Model.Bodies and joints by
// Model.Joints.
func New(entity string, m *model.Model, bodies []dynamics.BodyID, joints []dynamics.JointID) Controller {
	c := Controller{name: entity, model: m, bodies: bodies, joints: joints,
		motors: make([]motor, len(m.Joints)), activations: newActivations(m),
		actor: newActor(entity, m.Spec.Actor), signal: newSignal(entity, m.Spec.Signal),
		lamps: newLamps(entity, m.Spec)}
	for i := range m.Joints {
		c.mimics = c.mimics || m.IsMimic(i) && !m.IsCoupled(i)
	}
	c.profiles = profiledJoints(m)
	return c
}

// Active reports whether there is anything to do at a step.
func (c *Controller) Active() bool {
	return len(c.drives) > 0 || c.mimics || len(c.trajectories) > 0 || len(c.activations) > 0 ||
		len(c.profiles) > 0 || c.Actor() != nil || c.Signal() != nil
}

// Actuate sets the motors for the step to come.
func (c *Controller) Actuate(p Dynamics, clock Clock) {
	for _, i := range c.profiles { // before trajectories, which take a joint for as long as they go on
		c.followProfile(p, i, clock.dt())
	}
	for i := range c.drives {
		c.actuateDrive(p, &c.drives[i], clock)
	}
	if c.mimics {
		c.mimic(p)
	}
	if len(c.trajectories) > 0 {
		c.trackTrajectories(p, clock)
	}
	c.activate(p, clock)
}

// CopyFrom makes a controller what another is, in the memory that it has.
func (c *Controller) CopyFrom(o *Controller) {
	motors, drives, trajectories := c.motors[:0], c.drives[:0], c.trajectories[:0]
	activations, lamps := c.activations[:0], c.lamps.glows[:0]
	*c = *o
	c.motors, c.drives = append(motors, o.motors...), append(drives, o.drives...)
	c.activations = append(activations, o.activations...)
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
