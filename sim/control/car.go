package control

import (
	"fmt"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/vehicle"
)

// DriveCar tells a car, or what steers like one, what its driver does.
func (c *Controller) DriveCar(index int, driver vehicle.Control, now time.Duration) error {
	d, err := c.driveAt(index)
	if err != nil {
		return err
	}
	switch {
	case !d.enabled || !d.Obeys(&driver):
		return fmt.Errorf("%w: drive %d of entity %q is not a car's; want a velocity command, or, where it steers, an angle and a speed",
			sim.ErrUnsupported, index, c.name)
	case !driver.Valid():
		return fmt.Errorf("%w: control %+v for %q; want finite numbers, gears 0 to %d and pedals 0 to %d",
			sim.ErrFailed, driver, c.name, vehicle.Forward, vehicle.ByAccel)
	}
	for _, v := range [...]*float64{&driver.Steer, &driver.SteerRate, &driver.Speed, &driver.Accel} {
		*v = boundSpeed(*v)
	}
	d.patrol.yielded = true
	d.Control(driver, now)
	d.takeBackWheels()
	return nil
}

// beginCar sets a car going where it stands.
func (c *Controller) beginCar(p Dynamics, d *drive, clock Clock) {
	d.Begin(clock.Now)
	spec := &c.model.Spec.Drives[0]
	for side, steers := range [2][]int{spec.SteerLeft, spec.SteerRight} {
		for _, k := range c.model.Spec.Carried(steers[0]) {
			if c.model.Joints[k].Moves {
				d.steeringJoints[side] = c.joints[k]
			}
		}
	}
	d.origin, _ = c.base(p)
	d.odometry.Pose, d.odometry.Time = d.origin, clock.Now
	_, d.odometry.Twist = d.Estimate()
	d.odometry.Car = c.carReading(p, d, clock, Surroundings{})
}

// Moved tells the drives that the entity was put somewhere else, or, where twisted, given a velocity, and
// reports whether it has a car. The odometry of cars goes on from there.
func (c *Controller) Moved(p Dynamics, twisted bool, clock Clock, around Surroundings) (cars bool) {
	for i := range c.drives {
		d := &c.drives[i]
		d.Carried()
		if !d.enabled || !d.Car() {
			continue
		}
		base, twist := c.base(p)
		believed, _ := d.Estimate()
		d.origin = base.Mul(believed.Inverse())
		if twisted {
			d.SetVelocity(twist.RotateBack(base.Rot))
		}
		d.odometry.Pose, d.odometry.Car = base, c.carReading(p, d, clock, around)
		cars = true
	}
	return cars
}

// senseCar tells a car how a step moved it, and whether it ran into something.
func (c *Controller) senseCar(p Dynamics, d *drive, dt float64, touches bool) {
	base, twist := c.base(p)
	own := twist.RotateBack(base.Rot)
	if d.Kinematic() { // a body goes straight ahead within a step: along the chord of its arc
		own.Linear = r3.AxisAngle(r3.V(0, 0, 1), float64(0.5*own.Angular.Z*dt)).Rotate(own.Linear)
	}
	d.SetMeasured(own)
	if touches {
		d.collisions++
	}
}

// carReading is the reading of a car after a step.
func (c *Controller) carReading(p Dynamics, d *drive, clock Clock, around Surroundings) *sim.CarReading {
	base, twist := c.base(p)
	s := &sim.CarReading{CarState: d.Dashboard(clock.dt()), Pose: base, Bumps: d.collisions}
	rim := d.current.Wheels
	if !d.Kinematic() {
		rim = wheelSpeeds(p, d)
		s.Twist = twist.RotateBack(base.Rot)
		s.Accel = around.Accel.RotateBack(base.Rot)
	}
	for i, side := range [4]int{vehicle.SteeredLeft, vehicle.SteeredRight, vehicle.Left, vehicle.Right} {
		s.Wheels[i] = rim[side] * c.model.Spec.Drives[0].Radius
	}
	return s
}

// wheelSpeeds are the speeds of a car's wheels in the order of package vehicle, rad/s.
func wheelSpeeds(p Dynamics, d *drive) (rad [4]float64) {
	for side := range 2 {
		rad[vehicle.SteeredLeft+side] = p.Joint(d.steeringJoints[side]).State().Velocity
		for _, j := range d.wheels[vehicle.Left+side] {
			rad[vehicle.Left+side] += p.Joint(j).State().Velocity / float64(len(d.wheels[vehicle.Left+
				side]))
		}
	}
	return rad
}
