package control

import (
	"slices"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/scene"
)

// servoMode is the mode in which a servo is told its target; 0: there is no servo.
func servoMode(s *scene.Servo) sim.JointMode {
	switch {
	case s.Stiffness > 0:
		return sim.JointPosition
	case s.Damping > 0:
		return sim.JointVelocity
	case s.Target != 0 || s.Activation.Kind != 0:
		return sim.JointEffort
	}
	return 0
}

// newActivations are the activations of servos by joint; nil: no servo has one.
func newActivations(m *model.Model) []float64 {
	if !slices.ContainsFunc(m.Spec.Joints, func(j scene.Joint) bool { return j.Servo.Activation.Kind != 0 }) {
		return nil
	}
	return make([]float64, len(m.Joints))
}

// activates reports that a command goes through the activation of a joint's servo: the target of a filter,
// the rate of an integrator. All others act at once.
func (c *Controller) activates(joint int, mode sim.JointMode) bool {
	s := &c.model.Spec.Joints[joint].Servo
	switch s.Activation.Kind {
	case 0:
		return false
	case scene.Integrator:
		return mode == sim.JointVelocity
	}
	return mode == servoMode(s)
}

// activate moves the activations by the step to come, and sets their motors. The effort of a step is of the
// activation before it, but where the file wants it early.
func (c *Controller) activate(p Dynamics, clock Clock) {
	for i := range c.activations {
		if !c.activates(i, c.motors[i].mode) {
			continue
		}
		s := &c.model.Spec.Joints[i].Servo
		now := c.activations[i]
		next := s.Activation.Next(now, c.motors[i].target, clock.dt())
		if !finite(next) {
			continue
		}
		c.activations[i] = next
		if s.Activation.Early {
			now = next
		}
		// The target is finite.
		_ = c.drive(p, i, motor{mode: servoMode(s), target: now})
	}
}
