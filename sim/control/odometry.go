package control

import (
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"simdeck/sim/vehicle"
)

// Surroundings is a car's input from its world after a step.
type Surroundings struct {
	Accel   r3.Twist // of the base, in the world frame, over the last step
	Touches bool     // anything but ground
}

// Drives is the number of drives, by ModelSpec.Drives.
func (c *Controller) Drives() int { return len(c.drives) }

// IsCar reports whether a drive runs and is a car's, which Observe tells of its Surroundings.
func (c *Controller) IsCar(i int) bool { return c.drives[i].enabled && c.drives[i].Car() }

// HasCar reports whether some drive runs and is a car's.
func (c *Controller) HasCar() bool {
	for i := range c.drives {
		if c.IsCar(i) {
			return true
		}
	}
	return false
}

// Observe lets a drive look at its wheels after a step, and reports whether it shows a new odometry.
func (c *Controller) Observe(p Dynamics, i int, clock Clock, around Surroundings) bool {
	d := &c.drives[i]
	if !d.enabled {
		return false
	}
	var wheels [4]float64
	var steer [2]float64
	for k := range wheels {
		wheels[k] = meanAngle(p, d.wheels[k])
	}
	for side, links := range c.model.Spec.Drives[i].Tracks {
		if len(links) > 0 {
			wheels[vehicle.Left+side] = c.tracks.way(links)
		}
	}
	for side := range steer {
		steer[side] = meanAngle(p, d.steer[side])
	}
	if !d.propelled() {
		d.odometryError.apply(&wheels, clock.Step)
		d.Observe(wheels, steer, clock.dt())
	}
	if d.Car() {
		c.senseCar(p, d, clock.dt(), around.Touches)
	}
	if !d.schedule.Due(clock.Now) {
		return false
	}
	d.odometry.Seq++
	d.odometry.Time = clock.Now
	d.odometry.Pose, d.odometry.Twist = d.Estimate()
	if d.propelled() {
		base, twist := c.base(p) // from where it began
		d.odometry.Pose, d.odometry.Twist = d.origin.Relative(base), twist.RotateBack(base.Rot)
	}
	if d.Car() {
		d.odometry.Pose, d.odometry.Car = d.origin.Mul(d.odometry.Pose), c.carReading(p, d, clock, around)
	}
	return true
}

// Odometry is a drive's estimate of its base, with the command in force.
func (c *Controller) Odometry(i int, now time.Duration) sim.Odometry {
	d := &c.drives[i]
	o := d.odometry
	if d.enabled {
		o.Target = d.Target(now)
	}
	return o
}

// RestartOdometry sets the odometry to a clock that was set from one time to another.
func (c *Controller) RestartOdometry(from, to time.Duration) {
	for i := range c.drives {
		d := &c.drives[i]
		d.Rebase(from, to)
		d.odometry.Seq, d.odometry.Time = 0, to
		d.schedule = sensor.NewSchedule(odomRate(&c.model.Spec.Drives[i]), to)
	}
}

// ContinueOdometry has the odometry counted on from that of the controller which this one replaces.
func (c *Controller) ContinueOdometry(old *Controller, now time.Duration) {
	for i := range c.drives {
		c.drives[i].odometry.Seq, c.drives[i].odometry.Time = old.drives[i].odometry.Seq, now
	}
}

func odomRate(d *scene.Drive) float64 {
	if d.Odometry.Rate > 0 {
		return d.Odometry.Rate
	}
	return vehicle.DefaultOdomRate
}

func meanAngle(p Dynamics, wheels []dynamics.JointID) float64 {
	if len(wheels) == 0 {
		return 0
	}
	sum := 0.0
	for _, j := range wheels {
		sum += p.Joint(j).State().Position
	}
	return sum / float64(len(wheels))
}
