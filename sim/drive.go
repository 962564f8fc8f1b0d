package sim

import (
	"fmt"

	"simdeck/sim/physics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/vehicle"
)

// driveOf finds a drive of an entity.
func (w *World) driveOf(name string, index int) (*drive, error) {
	e, err := w.find(name)
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= len(e.drives) {
		return nil, fmt.Errorf("%w: entity %q has %d drives, there is no drive %d", ErrNotFound, name, len(e.drives), index)
	}
	return &e.drives[index], nil
}

// driveEntity gives a robot's drive a velocity command.
func (w *World) driveEntity(c DriveEntity) error {
	d, err := w.driveOf(c.Name, c.Drive)
	if err != nil {
		return err
	}
	if !d.runs {
		return fmt.Errorf("%w: drive %d of entity %q is not run; see its notes", ErrUnsupported, c.Drive, c.Name)
	}
	if !c.Twist.IsFinite() {
		return fmt.Errorf("%w: velocity command %v for %q; finite numbers are right", ErrFailed, c.Twist, c.Name)
	}
	d.Command(c.Twist, w.time)
	d.takeBack()
	w.measured++
	return nil
}

// drive sets the motors of a drive for the step to come.
func (w *World) drive(e *entity, d *drive, dt float64) {
	if !d.runs || d.released {
		return
	}
	asked := d.Ask(w.time, dt)
	d.rolling = asked
	if d.Kinematic() {
		w.glide(e, d, dt)
	}
	if d.asked == asked {
		return // a robot at rest may sleep
	}
	d.asked = asked
	w.turn(d)
}

// brake holds the wheels of a drive still.
func (w *World) brake(d *drive) {
	d.asked = vehicle.Asked{}
	w.turn(d)
}

func (w *World) turn(d *drive) {
	for k, wheels := range d.wheels {
		for _, j := range wheels {
			// The joints of an entity live as long as it does.
			_ = w.physics.SetMotorVelocity(j, d.asked.Wheels[k], d.torque)
		}
	}
	for side, joints := range d.steer {
		for _, j := range joints {
			_ = w.physics.SetMotorPosition(j, d.asked.Steer[side], 0, 0, 0)
		}
	}
}

// glide moves a robot exactly as its kinematic drive is told, in the plane of
// its base; what moves it along the base's z stays. It slides on the ground
// without friction. One that is told to stand still and does is left to sleep.
func (w *World) glide(e *entity, d *drive, dt float64) {
	base := w.linkPose(e, e.plan.spec.Canonical)
	was := w.linkTwist(e, e.plan.spec.Canonical)
	local, want := base.Rot.RotateBack(was.Linear), d.Asking()
	want.Linear.Z = local.Z
	to := want.Rotate(base.Rot)
	off := to
	off.Linear, off.Angular = off.Linear.Sub(was.Linear), off.Angular.Sub(was.Angular)
	if d.Asking() == (r3.Twist{}) && off.Linear.Len()+off.Angular.Len() < 1e-3 {
		return
	}
	// A body goes straight ahead within a step: so its centre of mass is told the chord of its arc.
	goal := base.Mul(arc(want, dt))
	for _, id := range e.bodies {
		at, com := w.physics.Pose(id).Pos, w.physics.COM(id)
		own := w.physics.Twist(id)
		chord := goal.Apply(base.ApplyInverse(com)).Sub(com).Scale(1 / dt)
		own.Linear = own.Linear.Sub(was.At(at.Sub(base.Pos))) // how it moves against the base
		// The bodies of an entity live as long as it does, and the sums are finite.
		_ = w.physics.SetTwist(id, r3.Twist{
			Linear:  chord.Sub(to.Angular.Cross(com.Sub(at))).Add(own.Linear),
			Angular: own.Angular.Sub(was.Angular).Add(to.Angular),
		})
	}
}

// arc is where a frame comes in a time that moves with a twist of its own in its plane.
func arc(t r3.Twist, dt float64) r3.Pose {
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

// odometry lets a drive look at its wheels after a step, and shows what it
// believes when that is due.
func (w *World) odometry(e *entity, d *drive, dt float64) {
	var wheels [4]float64
	var steer [2]float64
	for k := range wheels {
		wheels[k] = w.meanAngle(d.wheels[k])
	}
	for side := range steer {
		steer[side] = w.meanAngle(d.steer[side])
	}
	d.drift.disturb(&wheels, w.step)
	d.Observe(wheels, steer, dt)
	if d.Car() {
		w.feelCar(e, d, dt)
	}
	if !d.schedule.Due(w.time) {
		return
	}
	d.shown.Seq++
	d.shown.Time = w.time
	d.shown.Pose, d.shown.Twist = d.Estimate()
	if d.Car() {
		d.shown.Pose, d.shown.Car = d.origin.Mul(d.shown.Pose), w.dashboard(e, d, dt)
	}
	w.measured++
	w.news = true
}

func (w *World) meanAngle(wheels []physics.JointID) float64 {
	if len(wheels) == 0 {
		return 0
	}
	sum := 0.0
	for _, j := range wheels {
		sum += w.physics.JointState(j).Position
	}
	return sum / float64(len(wheels))
}

// setJoint sets the motor of a joint.
func (w *World) setJoint(c SetJoint) error {
	return w.setJoints(SetJoints{Name: c.Name, Targets: []JointTarget{{c.Joint, c.Mode, c.Target}}})
}

// setJoints sets the motors of some joints, or with an error none.
func (w *World) setJoints(c SetJoints) error {
	e, err := w.find(c.Name)
	if err != nil {
		return err
	}
	which := make([]int, len(c.Targets))
	for k, t := range c.Targets {
		if which[k], err = e.motorised(t.Joint); err != nil {
			return err
		}
		if !finite(t.Target) {
			return fmt.Errorf("%w: target %v for joint %q of %q; a finite number is right", ErrFailed, t.Target, t.Joint, c.Name)
		}
		if t.Mode < JointPosition || t.Mode > JointEffort {
			return fmt.Errorf("%w: %s for joint %q of %q; position, velocity and effort are right", ErrUnsupported, t.Mode, t.Joint, c.Name)
		}
	}
	for _, i := range which {
		w.override(e, i)
	}
	for k, t := range c.Targets {
		i := which[k]
		if err := w.setMotor(e.joints[i], &e.plan.spec.Joints[i], motor{t.Mode, t.Target}); err != nil {
			return fmt.Errorf("%w: joint %q of %q: %w", ErrFailed, t.Joint, c.Name, err)
		}
		e.motors[i] = motor{t.Mode, t.Target}
		e.release(i)
	}
	return nil
}

func (w *World) setMotor(j physics.JointID, spec *scene.Joint, m motor) error {
	switch m.mode {
	case JointPosition:
		return w.physics.SetMotorPosition(j, withinStops(spec, m.target), spec.Servo.Stiffness, spec.Servo.Damping, 0)
	case JointVelocity:
		target := m.target
		if v := positive(spec.Limit.Velocity); v > 0 {
			target = max(-v, min(v, target))
		}
		return w.physics.SetMotorVelocity(j, target, 0)
	case JointEffort:
		target := m.target
		if f := positive(spec.Limit.Effort); f > 0 {
			target = max(-f, min(f, target))
		}
		return w.physics.SetMotorEffort(j, target)
	}
	return fmt.Errorf("%w: %s; position, velocity and effort are right", ErrUnsupported, m.mode)
}

// hold lets motors that keep their joint where it is, or turn it, do so until they are commanded.
func (w *World) hold(e *entity) {
	for i := range e.plan.spec.Joints {
		spec := &e.plan.spec.Joints[i]
		if !e.plan.motor(i) {
			continue
		}
		if spec.Speed != 0 && finite(spec.Speed) {
			e.motors[i] = motor{JointVelocity, spec.Speed}
			_ = w.setMotor(e.joints[i], spec, e.motors[i]) // it is finite, too
			continue
		}
		if !spec.Hold || !finite(spec.Initial) {
			continue
		}
		e.motors[i] = motor{JointPosition, withinStops(spec, spec.Initial)}
		// The target is finite.
		_ = w.physics.SetMotorPosition(e.joints[i], e.motors[i].target, 0, 0, 0)
	}
}

// withinStops is the position nearest to q that a joint can take: a motor that
// pushes on against a stop only bends it.
func withinStops(spec *scene.Joint, q float64) float64 {
	if !spec.Limit.Set || spec.Limit.Lower > spec.Limit.Upper {
		return q
	}
	return max(spec.Limit.Lower, min(spec.Limit.Upper, q))
}

// release makes drives let go of a wheel that is commanded by itself.
func (e *entity) release(joint int) {
	for i := range e.drives {
		d := &e.drives[i]
		for _, wheels := range [...][]physics.JointID{d.wheels[0], d.wheels[1], d.wheels[2], d.wheels[3], d.steer[0], d.steer[1]} {
			for _, j := range wheels {
				d.released = d.released || j == e.joints[joint]
			}
		}
	}
}

// mimic makes joints follow others. A motor is touched only when its target
// changes, so that a robot at rest may sleep.
func (w *World) mimic(e *entity) {
	for i := range e.plan.spec.Joints {
		m := &e.plan.spec.Joints[i].Mimic
		if !e.plan.follows(i) || e.plan.geared(i) {
			continue
		}
		leader := w.physics.JointState(e.joints[m.Joint]).Position
		target := withinStops(&e.plan.spec.Joints[i], float64(m.Multiplier*leader)+m.Offset)
		if d := target - e.motors[i].target; e.motors[i].mode != 0 && d < 1e-9 && d > -1e-9 {
			continue
		}
		e.motors[i] = motor{JointPosition, target}
		// The target is finite as long as the joints are.
		_ = w.physics.SetMotorPosition(e.joints[i], target, 0, 0, 0)
	}
}
