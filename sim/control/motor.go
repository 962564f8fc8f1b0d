package control

import (
	"fmt"
	"math"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
)

// motor is the command of a joint; mode 0: none.
type motor struct {
	mode          sim.JointMode
	target        float64
	speed, effort float64 // bounds of the command; 0: the joint's own
}

// SetJoints sets the motors of some joints, or with an error none.
//
// A target of effort for an actuator of a transmission, by its name, is the actuator's input. A target of
// velocity for a belt, by the name of its link, is its speed, m/s, from a time on. One of position for a
// buoyancy engine, by the name of its link, is its volume, m³.
func (c *Controller) SetJoints(p Dynamics, targets []sim.JointTarget, now time.Duration) (err error) {
	inputs, targets, err := c.actuators.inputs(c.name, targets)
	if err != nil {
		return err
	}
	volumes, targets, err := c.bladderSet.volumes(targets)
	if err != nil {
		return err
	}
	belts, targets, err := c.tracks.speeds(targets)
	if err != nil {
		return err
	}
	which, speeds := make([]int, len(targets)), make([]float64, len(targets))
	for k, t := range targets {
		if which[k], err = c.actuatedJoint(t.Joint); err != nil {
			return err
		}
		if !finite(t.Target) {
			return fmt.Errorf("%w: target %v for joint %q of %q; want a finite number", sim.ErrFailed,
				t.Target, t.Joint, c.name)
		}
		if !(t.Speed >= 0 && t.Effort >= 0 && finite(t.Speed) && finite(t.Effort)) {
			return fmt.Errorf("%w: a bound of %v on the speed and of %v on the effort of joint %q of %q; want 0 or more",
				sim.ErrFailed, t.Speed, t.Effort, t.Joint, c.name)
		}
		if t.Mode < sim.JointPosition || t.Mode > sim.JointEffort {
			return fmt.Errorf("%w: %s for joint %q of %q; want position, velocity or effort",
				sim.ErrUnsupported, t.Mode, t.Joint, c.name)
		}
		if t.Mode == sim.JointEffort && c.model.Spec.Joints[which[k]].Kinematic {
			return fmt.Errorf("%w: effort for joint %q of %q, whose link has no mass; want position or velocity",
				sim.ErrUnsupported, t.Joint, c.name)
		}
		if r := c.rotorOf(which[k]); r >= 0 {
			if speeds[k], err = c.rotorSet.target(r, &t); err != nil {
				return err
			}
		}
	}
	for _, i := range which {
		c.cancelForJoint(p, i)
	}
	for k, t := range targets {
		i := which[k]
		m := motor{t.Mode, t.Target, t.Speed, t.Effort}
		if r := c.rotorOf(i); r >= 0 {
			c.rotorSet.all[r].told, c.motors[i] = speeds[k], m
			ground(c.drives, c.model.Spec.Flow.Rotors, i)
			p.Body(c.bodies[c.model.Placements[c.model.Spec.Joints[i].Child].Body]).Wake()
			continue
		}
		if err := c.setMotor(p, i, m); err != nil {
			return fmt.Errorf("%w: joint %q of %q: %w", sim.ErrFailed, t.Joint, c.name, err)
		}
		c.motors[i] = m
		c.release(i)
	}
	c.tracks.set(belts, now, c.drives)
	c.bladderSet.set(volumes)
	return c.actuators.tell(p, inputs)
}

// setMotor sets the motor of a joint, within the limits of the joint. Commands that go through an activation
// are set before the step to come (activate).
func (c *Controller) setMotor(p Dynamics, joint int, m motor) error {
	if c.activates(joint, m.mode) {
		return nil
	}
	if a := &c.model.Spec.Joints[joint].Servo.Activation; a.Kind == scene.Integrator &&
		m.mode == sim.JointPosition {
		m.target = a.Clamp(m.target)
		c.activations[joint] = m.target
	}
	return c.drive(p, joint, m)
}

// drive hands the target of a motor to the dynamics.
func (c *Controller) drive(p Dynamics, joint int, m motor) error {
	j, spec, def := c.joints[joint], &c.model.Spec.Joints[joint], &c.model.Joints[joint].Def
	most := boundEffort(m.effort, def.MaxEffort)
	switch m.mode {
	case sim.JointPosition:
		if spec.Servo.Stiffness == 0 {
			return p.Joint(j).SetMotorServo(clampToLimits(spec, m.target), m.speed, most)
		}
		return p.Joint(j).SetMotorPosition(clampToLimits(spec, m.target), spec.Servo.Stiffness,
			spec.Servo.Damping, most)
	case sim.JointVelocity:
		target := boundSpeed(m.target)
		if v := def.MaxVelocity; v > 0 {
			target = max(-v, min(v, target))
		}
		if spec.Servo.Stiffness == 0 {
			return p.Joint(j).SetMotorDamper(target, spec.Servo.Damping, most)
		}
		return p.Joint(j).SetMotorVelocity(target, most)
	case sim.JointEffort:
		target := m.target
		for _, f := range [2]float64{def.MaxEffort, most} {
			if f > 0 {
				target = max(-f, min(f, target))
			}
		}
		return p.Joint(j).SetMotorEffort(target)
	}
	return fmt.Errorf("%w: %s; want position, velocity or effort", sim.ErrUnsupported, m.mode)
}

// boundEffort is the bound of a command within the joint's own; 0: the joint's own.
func boundEffort(asked, own float64) float64 {
	if own > 0 && asked > own {
		return own
	}
	return asked
}

// StartMotors lets motors do what the description says until commanded: keep their joint's position, turn it,
// or hold it as a servo.
func (c *Controller) StartMotors(p Dynamics) error {
	c.holdJoints(p)
	c.actuators.start(p)
	for i := range c.joints {
		spec := &c.model.Spec.Joints[i]
		mode := servoMode(&spec.Servo)
		if mode == 0 || !c.model.IsActuated(i) {
			continue
		}
		if a := &spec.Servo.Activation; a.Kind != 0 {
			c.activations[i] = a.Clamp(a.Initial)
			if a.Kind == scene.Integrator {
				mode = sim.JointVelocity
			}
		}
		c.motors[i] = motor{mode: mode, target: spec.Servo.Target}
		if err := c.setMotor(p, i, c.motors[i]); err != nil {
			return fmt.Errorf("joint %q: %w", spec.Name, err)
		}
	}
	return nil
}

// holdJoints lets motors that keep their joint where it is, or turn it, do so until they are commanded.
func (c *Controller) holdJoints(p Dynamics) {
	for i := range c.model.Spec.Joints {
		spec := &c.model.Spec.Joints[i]
		if !c.model.IsActuated(i) {
			continue
		}
		if spec.Speed != 0 && finite(spec.Speed) {
			c.motors[i] = motor{mode: sim.JointVelocity, target: spec.Speed}
			_ = c.setMotor(p, i, c.motors[i]) // it is finite, too
			continue
		}
		if !spec.Hold || !finite(c.model.Initial[i]) {
			continue
		}
		c.motors[i] = motor{mode: sim.JointPosition, target: clampToLimits(spec, c.model.Initial[i])}
		// The target is finite.
		_ = p.Joint(c.joints[i]).SetMotorPosition(c.motors[i].target, 0, 0, 0)
	}
}

// mimic makes joints follow others. A motor is touched only when its target
// changes, so that a robot at rest may sleep.
func (c *Controller) mimic(p Dynamics) {
	for i := range c.model.Spec.Joints {
		m := &c.model.Spec.Joints[i].Mimic
		if !c.model.IsMimic(i) || c.model.IsCoupled(i) {
			continue
		}
		leader := p.Joint(c.joints[m.Joint]).State().Position
		target := clampToLimits(&c.model.Spec.Joints[i], float64(m.Multiplier*leader)+m.Offset)
		if d := target - c.motors[i].target; c.motors[i].mode != 0 && d < 1e-9 && d > -1e-9 {
			continue
		}
		c.motors[i] = motor{mode: sim.JointPosition, target: target}
		// The target is finite as long as the joints are.
		_ = p.Joint(c.joints[i]).SetMotorPosition(target, 0, 0, 0)
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

// finite reports whether x is a number.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Placed notes that a joint of an entity was put at a position. A trajectory that it follows ends, and a
// motor that holds a position holds this one.
func Placed(c *Controller, p Dynamics, joint int, q float64) error {
	c.cancelForJoint(p, joint)
	if m := c.motors[joint]; m.mode == sim.JointPosition {
		m.target = q
		if err := c.setMotor(p, joint, m); err != nil {
			return fmt.Errorf("%w: joint %q of %q: %w", sim.ErrFailed, c.model.Spec.Joints[joint].Name,
				c.name, err)
		}
		c.motors[joint] = m
	}
	return nil
}
