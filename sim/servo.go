package sim

import "fmt"

// updateMotors starts the servos of an entity's joints.
func (w *World) updateMotors(e *entity) error {
	for i := range e.joints {
		spec := &e.model.Spec.Joints[i]
		if !(spec.Servo.Stiffness > 0) || !e.model.IsActuated(i) {
			continue
		}
		e.motors[i] = motor{JointPosition, spec.Servo.Target}
		if err := w.setMotor(e, i, e.motors[i]); err != nil {
			return fmt.Errorf("joint %q: %w", spec.Name, err)
		}
	}
	return nil
}
