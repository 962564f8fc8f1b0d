package engine

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/vehicle"
)

// driveCar tells a car, or what steers like one, what its driver does.
func (w *World) driveCar(c sim.DriveCar) error {
	d, err := w.driveOf(c.Name, c.Drive)
	if err != nil {
		return err
	}
	switch {
	case !d.enabled || !d.Obeys(&c.Control):
		return fmt.Errorf(
			"%w: drive %d of entity %q is not a car's; a velocity command is right, or, where it steers, an angle and a speed",
			sim.ErrUnsupported, c.Drive, c.Name)
	case !c.Control.Valid():
		return fmt.Errorf(
			"%w: control %+v for %q; finite numbers, gears 0 to %d and pedals 0 to %d are right",
			sim.ErrFailed, c.Control, c.Name, vehicle.Forward, vehicle.ByAccel)
	}
	d.Control(c.Control, w.time)
	d.undoCarStep()
	w.sampleStep++
	return nil
}

// undoCarStep gives a drive the wheels that SetJoint took.
func (d *drive) undoCarStep() {
	if d.idle {
		d.idle = false
		d.target.Wheels[0] = math.NaN() // whatever the wheels do, ask anew
	}
}

// beginCar sets a car going where it stands.
func (w *World) beginCar(e *entity, d *drive) {
	d.Begin(w.time)
	for side, steers := range [2][]int{e.model.Spec.Drives[0].SteerLeft, e.model.Spec.Drives[0].SteerRight} {
		for _, k := range e.model.Spec.Carried(steers[0]) {
			if e.model.Joints[k].Moves {
				d.steeringJoints[side] = e.joints[k]
			}
		}
	}
	d.origin = w.linkPose(e, e.model.Spec.Canonical)
	d.odometry.Pose, d.odometry.Time = d.origin, w.time
	_, d.odometry.Twist = d.Estimate()
	d.odometry.Car = w.carSnapshot(e, d, w.stepSize.Seconds())
}

// applyCarState tells the drives of an entity that they were put somewhere else. The
// odometry of cars goes on from there.
func (w *World) applyCarState(e *entity, twisted bool) {
	for i := range e.drives {
		d := &e.drives[i]
		d.Carried()
		if !d.enabled || !d.Car() {
			continue
		}
		base, twist := w.linkPose(e, e.model.Spec.Canonical), w.linkTwist(e, e.model.Spec.Canonical)
		believed, _ := d.Estimate()
		d.origin = base.Mul(believed.Inverse())
		if twisted {
			d.SetVelocity(twist.RotateBack(base.Rot))
		}
		d.odometry.Pose, d.odometry.Car = base, w.carSnapshot(e, d, w.stepSize.Seconds())
		w.sampleStep++
	}
}

// senseCar tells a car how a step moved it, and what it ran into.
func (w *World) senseCar(e *entity, d *drive, dt float64) {
	base, twist := w.linkPose(e, e.model.Spec.Canonical), w.linkTwist(e, e.model.Spec.Canonical)
	own := twist.RotateBack(base.Rot)
	if d.Kinematic() { // a body goes straight ahead within a step: along the chord of its arc
		own.Linear = r3.AxisAngle(r3.V(0, 0, 1), float64(0.5*own.Angular.Z*dt)).Rotate(own.Linear)
	}
	d.SetMeasured(own)
	if w.hasBumped(e) {
		d.collisions++
	}
}

// carSnapshot is what a car shows after a step.
func (w *World) carSnapshot(e *entity, d *drive, dt float64) *sim.CarReading {
	link := sim.LinkState{Pose: w.linkPose(e, e.model.Spec.Canonical),
		Twist: w.linkTwist(e, e.model.Spec.Canonical)}
	s := &sim.CarReading{CarState: d.Dashboard(dt), Pose: link.Pose, Bumps: d.collisions}
	rim := d.current.Wheels
	if !d.Kinematic() {
		rim = w.wheelSpeeds(d)
		accel := w.entityState(e, link).Accel
		s.Twist = link.Twist.RotateBack(link.Pose.Rot)
		s.Accel = accel.RotateBack(link.Pose.Rot)
	}
	for i, side := range [4]int{vehicle.SteeredLeft, vehicle.SteeredRight, vehicle.Left, vehicle.Right} {
		s.Wheels[i] = rim[side] * e.model.Spec.Drives[0].Radius
	}
	return s
}

// wheelSpeeds is how fast the wheels of a car turn, as package vehicle counts them.
func (w *World) wheelSpeeds(d *drive) (rad [4]float64) {
	for side := range 2 {
		rad[vehicle.SteeredLeft+side] = w.physics.Joint(d.steeringJoints[side]).State().Velocity
		for _, j := range d.wheels[vehicle.Left+side] {
			rad[vehicle.Left+side] += w.physics.Joint(j).State().Velocity / float64(len(d.wheels[vehicle.Left+
				side]))
		}
	}
	return rad
}

// minUpwardNormal is how steep ground is at most, as the height of its normal.
const minUpwardNormal = 0.7

// hasBumped reports whether an entity touches anything but ground: terrain, or what
// does not move and bears it from below.
func (w *World) hasBumped(e *entity) bool {
	w.currentModel() // with the owners of the bodies
	w.contactScratch = w.physics.Contacts(w.contactScratch[:0])
	for k := range w.contactScratch {
		c := &w.contactScratch[k]
		a, b := w.owner[c.BodyA.Index()], w.owner[c.BodyB.Index()]
		if a == b || a < 0 || b < 0 || w.entities[a] != e && w.entities[b] != e {
			continue
		}
		other, geom := c.BodyB, c.GeomB
		if w.entities[b] == e {
			other, geom = c.BodyA, c.GeomA
		}
		if !w.isSupport(other, geom) || math.Abs(c.Normal.Z) < minUpwardNormal {
			return true
		}
	}
	return false
}

// isSupport reports whether a shape can be ground.
func (w *World) isSupport(body dynamics.BodyID, geom dynamics.GeomID) bool {
	e, user := w.entities[w.owner[body.Index()]], w.physics.Geom(geom).User()
	switch e.model.Spec.Links[model.GeomLink(user)].Collisions[model.GeomCollision(user)].Kind {
	case scene.Plane, scene.Heightfield:
		return true
	}
	return e.static()
}
