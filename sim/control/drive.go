package control

import (
	"fmt"
	"math"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"simdeck/sim/vehicle"
)

// drive is a drive and its wheels.
type drive struct {
	vehicle.Drive
	enabled        bool
	idle           bool                  // SetJoint took a wheel; the next command takes it back
	wheels         [4][]dynamics.JointID // as package vehicle counts them
	steer          [2][]dynamics.JointID
	target         vehicle.JointTargets
	current        vehicle.JointTargets // by the last step, whoever has the wheels
	torque         float64
	schedule       sensor.Schedule
	odometry       sim.Odometry
	odometryError  odometryError
	origin         r3.Pose             // of a car: of its odometry in the world
	collisions     uint64              // of a car
	steeringJoints [2]dynamics.JointID // of a car: of the wheels that its steered links carry
	flight         *flight             // of a multicopter, never changed; nil: it is none
	vessel         *vessel             // likewise of a vessel
	aeroplane      *aeroplane          // likewise of an aeroplane
	course         course              // of a vessel or an aeroplane
	patrol         patrol
}

// driveStreams is the first number of the odometry errors' random streams among those of an entity's sensors.
const driveStreams = 1 << 56

// AddDrives gives the entity fresh drives, whose odometry begins now. Of the key the seed and the entity
// count.
func (c *Controller) AddDrives(p Dynamics, key sensor.Key, clock Clock) {
	c.drives = make([]drive, len(c.model.DriveEnabled))
	for i := range c.drives {
		spec := &c.model.Spec.Drives[i]
		d := drive{Drive: vehicle.New(spec, c.model.SteerLimit(spec)), enabled: c.model.DriveEnabled[i]}
		d.odometry.Pose = r3.IdentityPose()
		key.Sensor = driveStreams + uint64(i)
		d.odometryError = newOdometryError(spec, key)
		d.schedule = sensor.NewSchedule(odomRate(spec), clock.Now)
		if d.enabled {
			c.coupleDrive(&d, spec)
			d.torque = c.model.DriveTorque(spec)
			d.target = vehicle.JointTargets{}
			driveWheels(p, &d) // still
			d.patrol.spec = spec.Patrol
			d.flight, d.vessel = newFlight(c.model, spec), newVessel(c.model, spec)
			if d.aeroplane = newAeroplane(c.model, spec); d.propelled() {
				d.origin, _ = c.base(p)
				d.idle = true // its rotors stand until it is commanded
			}
		}
		if d.enabled && d.Car() {
			c.beginCar(p, &d, clock)
		}
		c.drives[i] = d
	}
}

// coupleDrive gives a drive its joints, in the order of package vehicle.
func (c *Controller) coupleDrive(d *drive, spec *scene.Drive) {
	steered := make([]bool, len(c.model.Bodies))
	for side, joints := range [2][]int{spec.SteerLeft, spec.SteerRight} {
		for _, j := range joints {
			d.steer[side] = append(d.steer[side], c.joints[j])
			steered[c.model.Joints[j].Child] = true
		}
	}
	for side, wheels := range [2][]int{spec.Left, spec.Right} {
		for k, j := range wheels {
			at := vehicle.Left + side
			switch {
			case spec.Kind == scene.Mecanum:
				at = vehicle.FrontLeft + side + 2*k
			case steered[c.model.Joints[j].Parent]:
				at = vehicle.SteeredLeft + side
			}
			d.wheels[at] = append(d.wheels[at], c.joints[j])
		}
	}
}

// driveAt finds a drive.
func (c *Controller) driveAt(index int) (*drive, error) {
	if index < 0 || index >= len(c.drives) {
		return nil, fmt.Errorf("%w: entity %q has %d drives, there is no drive %d", sim.ErrNotFound, c.name,
			len(c.drives), index)
	}
	return &c.drives[index], nil
}

// Drive gives a drive a velocity command.
func (c *Controller) Drive(index int, t r3.Twist, now time.Duration) error {
	d, err := c.driveAt(index)
	if err != nil {
		return err
	}
	if !d.enabled {
		return fmt.Errorf("%w: drive %d of entity %q is not run; see its notes", sim.ErrUnsupported, index,
			c.name)
	}
	if !t.IsFinite() {
		return fmt.Errorf("%w: velocity command %v for %q; want finite numbers", sim.ErrFailed, t,
			c.name)
	}
	t = r3.Twist{Linear: boundedVelocity(t.Linear), Angular: boundedVelocity(t.Angular)}
	d.patrol.yielded = true
	d.Command(t, now)
	d.takeBackWheels()
	return nil
}

// boundedVelocity limits the components of a commanded velocity to what a link may have. A drive's own limits
// are often lower.
func boundedVelocity(v r3.Vec) r3.Vec {
	return r3.V(boundSpeed(v.X), boundSpeed(v.Y), boundSpeed(v.Z))
}

// boundSpeed limits a commanded speed to model.MaxSpeed.
func boundSpeed(v float64) float64 {
	return max(-model.MaxSpeed, min(model.MaxSpeed, v))
}

// propelled reports that it is driven by rotors or thrusters, not by wheels or belts.
func (d *drive) propelled() bool { return d.flight != nil || d.vessel != nil || d.aeroplane != nil }

// lags are the integrals of its controller.
func (d *drive) lags() []float64 {
	switch {
	case d.vessel != nil:
		return d.course[:4]
	case d.aeroplane != nil:
		return d.course[:]
	}
	return nil
}

// propellers are its rotors, by ModelSpec.Flow.Rotors.
func (d *drive) propellers() []int {
	switch {
	case d.flight != nil:
		return d.flight.rotors
	case d.vessel != nil:
		return d.vessel.rotors
	case d.aeroplane != nil:
		return d.aeroplane.rotors
	}
	return nil
}

// takeBackWheels gives a drive the wheels that SetJoint took.
func (d *drive) takeBackWheels() {
	if d.idle {
		d.idle = false
		if d.course = (course{}); !d.propelled() {
			d.target.Wheels[0] = math.NaN() // any wheel speeds: recompute
		}
	}
}

// release makes drives let go of a wheel or a control surface that is commanded by itself.
func (c *Controller) release(joint int) {
	for i := range c.drives {
		d := &c.drives[i]
		for _, wheels := range [...][]dynamics.JointID{d.wheels[0], d.wheels[1], d.wheels[2], d.wheels[3],
			d.steer[0], d.steer[1]} {
			for _, j := range wheels {
				d.idle = d.idle || j == c.joints[joint]
			}
		}
		d.idle = d.idle || d.aeroplane != nil && d.aeroplane.steers(joint)
	}
}

// actuateDrive sets the motors of a drive for the step to come.
func (c *Controller) actuateDrive(p Dynamics, i int, clock Clock, m *medium.Medium) {
	d := &c.drives[i]
	if !d.enabled || d.idle {
		return
	}
	if d.flight != nil {
		base, twist := c.base(p)
		d.flight.fly(p.Gravity(), base, twist, d.Target(clock.Now), &c.rotorSet)
		return
	}
	if d.vessel != nil {
		base, twist := c.base(p)
		d.vessel.swim(base, twist, d.Target(clock.Now), &d.course, clock.dt(), &c.rotorSet)
		return
	}
	if d.aeroplane != nil {
		base, twist := c.base(p)
		d.aeroplane.fly(p.Gravity().Len(), base, twist, d.Target(clock.Now),
			m.At(base.Pos, clock.Now.Seconds()), &d.course, clock.dt(), &c.rotorSet)
		d.aeroplane.deflect(p, c)
		return
	}
	if d.patrol.spec != nil && !d.patrol.yielded {
		base, _ := c.base(p)
		d.Command(d.patrol.steer(base), clock.Now)
	}
	asked := d.SetTarget(clock.Now, clock.dt())
	d.current = asked
	if d.Kinematic() {
		c.moveKinematically(p, d, clock.dt())
	}
	if d.target == asked {
		return // a robot at rest may sleep
	}
	d.target = asked
	driveWheels(p, d)
	c.tracks.follow(&c.model.Spec.Drives[i], &d.target)
}

// driveWheels gives the motors of a drive its targets.
func driveWheels(p Dynamics, d *drive) {
	for k, wheels := range d.wheels {
		for _, j := range wheels {
			// The joints of an entity live as long as it does.
			_ = p.Joint(j).SetMotorVelocity(d.target.Wheels[k], d.torque)
		}
	}
	for side, joints := range d.steer {
		for _, j := range joints {
			_ = p.Joint(j).SetMotorPosition(d.target.Steer[side], 0, 0, 0)
		}
	}
}

// moveKinematically moves a robot exactly as its kinematic drive is told, in the plane of
// its base; what moves it along the base's z stays. It slides on the ground
// without friction. One that is told to stand still and does is left to sleep.
func (c *Controller) moveKinematically(p Dynamics, d *drive, dt float64) {
	base, was := c.base(p)
	local, want := base.Rot.RotateBack(was.Linear), d.Targets()
	want.Linear.Z = local.Z
	to := want.Rotate(base.Rot)
	off := to
	off.Linear, off.Angular = off.Linear.Sub(was.Linear), off.Angular.Sub(was.Angular)
	if d.Targets() == (r3.Twist{}) && off.Linear.Len()+off.Angular.Len() < 1e-3 {
		return
	}
	// A body goes straight ahead within a step: so its centre of mass is told the chord of its arc.
	goal := base.Mul(integrateTwist(want, dt))
	for _, id := range c.bodies {
		at, com := p.Body(id).Pose().Pos, p.Body(id).COM()
		own := p.Body(id).Twist()
		chord := goal.Apply(base.ApplyInverse(com)).Sub(com).Scale(1 / dt)
		own.Linear = own.Linear.Sub(was.At(at.Sub(base.Pos))) // how it moves against the base
		// The bodies of an entity live as long as it does, and the sums are finite.
		_ = p.Body(id).SetTwist(r3.Twist{
			Linear:  chord.Sub(to.Angular.Cross(com.Sub(at))).Add(own.Linear),
			Angular: own.Angular.Sub(was.Angular).Add(to.Angular),
		})
	}
}

// integrateTwist is the displacement of a frame in a time with a constant twist in its plane.
func integrateTwist(t r3.Twist, dt float64) r3.Pose {
	half := float64(0.5 * t.Angular.Z * dt)
	turn := r3.AxisAngle(r3.V(0, 0, 1), half)
	k := dt
	if half != 0 {
		k = float64(dt*r3.Sin(half)) / half
	}
	to := r3.Pose{Pos: turn.Rotate(r3.V(t.Linear.X, t.Linear.Y, 0)).Scale(k), Rot: turn.Mul(turn)}
	to.Pos.Z = float64(t.Linear.Z * dt)
	return to
}
