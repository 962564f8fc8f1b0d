package engine

import (
	"fmt"

	"simdeck/sim"
	"simdeck/sim/dynamics"
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
		return nil, fmt.Errorf("%w: entity %q has %d drives, there is no drive %d", sim.ErrNotFound, name,
			len(e.drives), index)
	}
	return &e.drives[index], nil
}

// driveEntity gives a robot's drive a velocity command.
func (w *World) driveEntity(c sim.DriveEntity) error {
	d, err := w.driveOf(c.Name, c.Drive)
	if err != nil {
		return err
	}
	if !d.enabled {
		return fmt.Errorf("%w: drive %d of entity %q is not run; see its notes", sim.ErrUnsupported, c.Drive,
			c.Name)
	}
	if !c.Twist.IsFinite() {
		return fmt.Errorf("%w: velocity command %v for %q; finite numbers are right", sim.ErrFailed, c.Twist,
			c.Name)
	}
	d.Command(c.Twist, w.time)
	d.undoCarStep()
	w.sampleStep++
	return nil
}

// drive sets the motors of a drive for the step to come.
func (w *World) drive(e *entity, d *drive, dt float64) {
	if !d.enabled || d.idle {
		return
	}
	asked := d.SetTarget(w.time, dt)
	d.current = asked
	if d.Kinematic() {
		w.moveKinematically(e, d, dt)
	}
	if d.target == asked {
		return // a robot at rest may sleep
	}
	d.target = asked
	w.driveWheels(d)
}

// brakeDrive holds the wheels of a drive still.
func (w *World) brakeDrive(d *drive) {
	d.target = vehicle.JointTargets{}
	w.driveWheels(d)
}

func (w *World) driveWheels(d *drive) {
	for k, wheels := range d.wheels {
		for _, j := range wheels {
			// The joints of an entity live as long as it does.
			_ = w.physics.Joint(j).SetMotorVelocity(d.target.Wheels[k], d.torque)
		}
	}
	for side, joints := range d.steer {
		for _, j := range joints {
			_ = w.physics.Joint(j).SetMotorPosition(d.target.Steer[side], 0, 0, 0)
		}
	}
}

// moveKinematically moves a robot exactly as its kinematic drive is told, in the plane of
// its base; what moves it along the base's z stays. It slides on the ground
// without friction. One that is told to stand still and does is left to sleep.
func (w *World) moveKinematically(e *entity, d *drive, dt float64) {
	base := w.linkPose(e, e.model.Spec.Canonical)
	was := w.linkTwist(e, e.model.Spec.Canonical)
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
	for _, id := range e.bodies {
		at, com := w.physics.Body(id).Pose().Pos, w.physics.Body(id).COM()
		own := w.physics.Body(id).Twist()
		chord := goal.Apply(base.ApplyInverse(com)).Sub(com).Scale(1 / dt)
		own.Linear = own.Linear.Sub(was.At(at.Sub(base.Pos))) // how it moves against the base
		// The bodies of an entity live as long as it does, and the sums are finite.
		_ = w.physics.Body(id).SetTwist(r3.Twist{
			Linear:  chord.Sub(to.Angular.Cross(com.Sub(at))).Add(own.Linear),
			Angular: own.Angular.Sub(was.Angular).Add(to.Angular),
		})
	}
}

// integrateTwist is where a frame comes in a time that moves with a twist of its own in its plane.
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
	d.odometryError.apply(&wheels, w.step)
	d.Observe(wheels, steer, dt)
	if d.Car() {
		w.senseCar(e, d, dt)
	}
	if !d.schedule.Due(w.time) {
		return
	}
	d.odometry.Seq++
	d.odometry.Time = w.time
	d.odometry.Pose, d.odometry.Twist = d.Estimate()
	if d.Car() {
		d.odometry.Pose, d.odometry.Car = d.origin.Mul(d.odometry.Pose), w.carSnapshot(e, d, dt)
	}
	w.sampleStep++
	w.samplesReady = true
}

func (w *World) meanAngle(wheels []dynamics.JointID) float64 {
	if len(wheels) == 0 {
		return 0
	}
	sum := 0.0
	for _, j := range wheels {
		sum += w.physics.Joint(j).State().Position
	}
	return sum / float64(len(wheels))
}

// setJoint sets the motor of a joint.
func (w *World) setJoint(c sim.SetJoint) error {
	return w.setJoints(sim.SetJoints{Name: c.Name,
		Targets: []sim.JointTarget{{Joint: c.Joint, Mode: c.Mode, Target: c.Target}}})
}

// setJoints sets the motors of some joints, or with an error none.
func (w *World) setJoints(c sim.SetJoints) error {
	e, err := w.find(c.Name)
	if err != nil {
		return err
	}
	which := make([]int, len(c.Targets))
	for k, t := range c.Targets {
		if which[k], err = e.actuatedJoint(t.Joint); err != nil {
			return err
		}
		if !finite(t.Target) {
			return fmt.Errorf("%w: target %v for joint %q of %q; a finite number is right", sim.ErrFailed,
				t.Target, t.Joint, c.Name)
		}
		if t.Mode < sim.JointPosition || t.Mode > sim.JointEffort {
			return fmt.Errorf("%w: %s for joint %q of %q; position, velocity and effort are right",
				sim.ErrUnsupported, t.Mode, t.Joint, c.Name)
		}
	}
	for _, i := range which {
		w.cancelForJoint(e, i)
	}
	for k, t := range c.Targets {
		i := which[k]
		if err := w.setMotor(e, i, motor{t.Mode, t.Target}); err != nil {
			return fmt.Errorf("%w: joint %q of %q: %w", sim.ErrFailed, t.Joint, c.Name, err)
		}
		e.motors[i] = motor{t.Mode, t.Target}
		e.release(i)
	}
	return nil
}

// setMotor sets the motor of a joint, within the limits of the joint.
func (w *World) setMotor(e *entity, joint int, m motor) error {
	j, spec, def := e.joints[joint], &e.model.Spec.Joints[joint], &e.model.Joints[joint].Def
	switch m.mode {
	case sim.JointPosition:
		return w.physics.Joint(j).SetMotorPosition(clampToLimits(spec, m.target), spec.Servo.Stiffness,
			spec.Servo.Damping, 0)
	case sim.JointVelocity:
		target := m.target
		if v := def.MaxVelocity; v > 0 {
			target = max(-v, min(v, target))
		}
		return w.physics.Joint(j).SetMotorVelocity(target, 0)
	case sim.JointEffort:
		target := m.target
		if f := def.MaxEffort; f > 0 {
			target = max(-f, min(f, target))
		}
		return w.physics.Joint(j).SetMotorEffort(target)
	}
	return fmt.Errorf("%w: %s; position, velocity and effort are right", sim.ErrUnsupported, m.mode)
}

// holdJoints lets motors that keep their joint where it is, or turn it, do so until they are commanded.
func (w *World) holdJoints(e *entity) {
	for i := range e.model.Spec.Joints {
		spec := &e.model.Spec.Joints[i]
		if !e.model.IsActuated(i) {
			continue
		}
		if spec.Speed != 0 && finite(spec.Speed) {
			e.motors[i] = motor{sim.JointVelocity, spec.Speed}
			_ = w.setMotor(e, i, e.motors[i]) // it is finite, too
			continue
		}
		if !spec.Hold || !finite(spec.Initial) {
			continue
		}
		e.motors[i] = motor{sim.JointPosition, clampToLimits(spec, spec.Initial)}
		// The target is finite.
		_ = w.physics.Joint(e.joints[i]).SetMotorPosition(e.motors[i].target, 0, 0, 0)
	}
}

// clampToLimits is the position nearest to q that a joint can take: a motor that
// pushes on against a stop only bends it.
func clampToLimits(spec *scene.Joint, q float64) float64 {
	if !spec.Limit.Set || spec.Limit.Lower > spec.Limit.Upper {
		return q
	}
	return max(spec.Limit.Lower, min(spec.Limit.Upper, q))
}

// release makes drives let go of a wheel that is commanded by itself.
func (e *entity) release(joint int) {
	for i := range e.drives {
		d := &e.drives[i]
		for _, wheels := range [...][]dynamics.JointID{d.wheels[0], d.wheels[1], d.wheels[2], d.wheels[3],
			d.steer[0], d.steer[1]} {
			for _, j := range wheels {
				d.idle = d.idle || j == e.joints[joint]
			}
		}
	}
}

// mimic makes joints follow others. A motor is touched only when its target
// changes, so that a robot at rest may sleep.
func (w *World) mimic(e *entity) {
	for i := range e.model.Spec.Joints {
		m := &e.model.Spec.Joints[i].Mimic
		if !e.model.IsMimic(i) || e.model.IsCoupled(i) {
			continue
		}
		leader := w.physics.Joint(e.joints[m.Joint]).State().Position
		target := clampToLimits(&e.model.Spec.Joints[i], float64(m.Multiplier*leader)+m.Offset)
		if d := target - e.motors[i].target; e.motors[i].mode != 0 && d < 1e-9 && d > -1e-9 {
			continue
		}
		e.motors[i] = motor{sim.JointPosition, target}
		// The target is finite as long as the joints are.
		_ = w.physics.Joint(e.joints[i]).SetMotorPosition(target, 0, 0, 0)
	}
}

// coupleDrive gives a drive its joints, in the order of package vehicle.
func (e *entity) coupleDrive(d *drive, spec *scene.Drive) {
	steered := make([]bool, len(e.model.Bodies))
	for side, joints := range [2][]int{spec.SteerLeft, spec.SteerRight} {
		for _, j := range joints {
			d.steer[side] = append(d.steer[side], e.joints[j])
			steered[e.model.Joints[j].Child] = true
		}
	}
	for side, wheels := range [2][]int{spec.Left, spec.Right} {
		for k, j := range wheels {
			at := vehicle.Left + side
			switch {
			case spec.Kind == scene.Mecanum:
				at = vehicle.FrontLeft + side + 2*k
			case steered[e.model.Joints[j].Parent]:
				at = vehicle.SteeredLeft + side
			}
			d.wheels[at] = append(d.wheels[at], e.joints[j])
		}
	}
}

// updateMotors starts the servos of an entity's joints.
func (w *World) updateMotors(e *entity) error {
	for i := range e.joints {
		spec := &e.model.Spec.Joints[i]
		if !(spec.Servo.Stiffness > 0) || !e.model.IsActuated(i) {
			continue
		}
		e.motors[i] = motor{sim.JointPosition, spec.Servo.Target}
		if err := w.setMotor(e, i, e.motors[i]); err != nil {
			return fmt.Errorf("joint %q: %w", spec.Name, err)
		}
	}
	return nil
}
