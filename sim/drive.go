package sim

import (
	"fmt"
	"math"

	"simdeck/sim/physics"
	"simdeck/sim/scene"
)

// driveEntity gives a robot's drive a velocity command.
func (w *World) driveEntity(c DriveEntity) error {
	e, err := w.find(c.Name)
	if err != nil {
		return err
	}
	if c.Drive < 0 || c.Drive >= len(e.drives) {
		return fmt.Errorf("%w: entity %q has %d drives, there is no drive %d", ErrNotFound, c.Name, len(e.drives), c.Drive)
	}
	d := &e.drives[c.Drive]
	if !d.runs {
		return fmt.Errorf("%w: drive %d of entity %q is not run; see its notes", ErrUnsupported, c.Drive, c.Name)
	}
	if !c.Twist.IsFinite() {
		return fmt.Errorf("%w: velocity command %v for %q; finite numbers are right", ErrFailed, c.Twist, c.Name)
	}
	d.Command(c.Twist, w.time)
	if d.released {
		d.released = false
		d.asked = [2]float64{math.NaN(), math.NaN()} // whatever the wheels do, ask anew
	}
	w.measured++
	return nil
}

// drive sets the wheel motors of a drive for the step to come.
func (w *World) drive(d *drive, dt float64) {
	if !d.runs || d.released {
		return
	}
	left, right := d.Wheels(w.time, dt)
	if d.asked == [2]float64{left, right} {
		return // a robot at rest may sleep
	}
	d.asked = [2]float64{left, right}
	w.turn(d)
}

// brake holds the wheels of a drive still.
func (w *World) brake(d *drive) {
	d.asked = [2]float64{}
	w.turn(d)
}

func (w *World) turn(d *drive) {
	for side, wheels := range [2][]physics.JointID{d.left, d.right} {
		for _, j := range wheels {
			// The joints of an entity live as long as it does.
			_ = w.physics.SetMotorVelocity(j, d.asked[side], d.torque)
		}
	}
}

// odometry lets a drive look at its wheels after a step, and shows what it
// believes when that is due.
func (w *World) odometry(d *drive, dt float64) {
	d.Observe(w.meanAngle(d.left), w.meanAngle(d.right), dt)
	if !d.schedule.Due(w.time) {
		return
	}
	d.shown.Seq++
	d.shown.Time = w.time
	d.shown.Pose, d.shown.Twist = d.Estimate()
	w.measured++
	w.news = true
}

func (w *World) meanAngle(wheels []physics.JointID) float64 {
	sum := 0.0
	for _, j := range wheels {
		sum += w.physics.JointState(j).Position
	}
	return sum / float64(len(wheels))
}

// setJoint sets the motor of a joint.
func (w *World) setJoint(c SetJoint) error {
	e, err := w.find(c.Name)
	if err != nil {
		return err
	}
	i, ok := e.joint(c.Joint)
	if !ok {
		return fmt.Errorf("%w: entity %q has no joint %q", ErrNotFound, c.Name, c.Joint)
	}
	if !finite(c.Target) {
		return fmt.Errorf("%w: target %v for joint %q of %q; a finite number is right", ErrFailed, c.Target, c.Joint, c.Name)
	}
	spec := &e.plan.spec.Joints[i]
	if !e.plan.joints[i].moves || spec.Mimic.Set || !e.plan.joints[i].driven() {
		return fmt.Errorf("%w: joint %q of %q has no motor: it is fixed, follows another, or is a %v joint", ErrUnsupported, c.Joint, c.Name, e.plan.joints[i].def.Type)
	}
	if err := w.setMotor(e.joints[i], spec, motor{c.Mode, c.Target}); err != nil {
		return fmt.Errorf("%w: joint %q of %q: %w", ErrFailed, c.Joint, c.Name, err)
	}
	e.motors[i] = motor{c.Mode, c.Target}
	e.release(i)
	return nil
}

func (w *World) setMotor(j physics.JointID, spec *scene.Joint, m motor) error {
	switch m.mode {
	case JointPosition:
		return w.physics.SetMotorPosition(j, withinStops(spec, m.target), 0, 0, 0)
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
		for _, wheels := range [2][]physics.JointID{d.left, d.right} {
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
