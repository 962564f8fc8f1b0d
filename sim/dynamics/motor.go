package dynamics

import (
	"fmt"
	"math"
)

// motorMode is what a joint's motor holds to.
type motorMode uint8

const (
	motorOff motorMode = iota
	motorVelocity
	motorPosition // a spring and damper
	motorServo    // a velocity towards a position
	motorEffort
)

type motor struct {
	mode   motorMode
	target float64
	kp, kd float64
	limit  float64 // of the effort; +Inf: none
}

// motorActive reports that the motor may set a resting joint in motion, so that its bodies must not sleep.
func (j *joint) motorActive() bool {
	if j.locked() {
		return false
	}
	switch j.motor.mode {
	case motorVelocity, motorEffort:
		return j.motor.target != 0
	case motorPosition, motorServo:
		if j.nearlyStill {
			return false
		}
		return math.Abs(j.motor.target-j.position) > 1e-3
	}
	return false
}

// SetMotorOff lets the joint run free, but for its damping and friction.
func (w *World) SetMotorOff(id JointID) error { return w.setMotor(id, motor{}) }

// SetMotorVelocity makes the motor hold a velocity, with at most maxEffort; 0 means the joint's own
// limit.
func (w *World) SetMotorVelocity(id JointID, velocity, maxEffort float64) error {
	return w.setMotor(id, motor{mode: motorVelocity, target: velocity, limit: maxEffort})
}

// SetMotorPosition makes the motor go to a position as a spring of stiffness kp (N·m/rad or N/m) and a
// damper kd (N·m·s/rad or N·s/m), computed implicitly: no gain is unstable. With kp = 0 it is a servo
// that goes there at up to the joint's MaxVelocity and holds, as strongly as maxEffort allows.
func (w *World) SetMotorPosition(id JointID, position, kp, kd, maxEffort float64) error {
	m := motor{mode: motorPosition, target: position, kp: kp, kd: kd, limit: maxEffort}
	if kp == 0 {
		m.mode = motorServo
	}
	return w.setMotor(id, m)
}

// SetMotorEffort makes the motor push with a torque or force until told otherwise.
func (w *World) SetMotorEffort(id JointID, effort float64) error {
	return w.setMotor(id, motor{mode: motorEffort, target: effort})
}

func (w *World) setMotor(id JointID, m motor) error {
	if !w.jointAlive(id) {
		return fmt.Errorf("%w: %v", ErrGone, id)
	}
	for _, v := range [4]float64{m.target, m.kp, m.kd, m.limit} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: motor of %v: target %v, kp %v, kd %v, effort %v must be finite", ErrInvalid, id, m.target, m.kp, m.kd, m.limit)
		}
	}
	if m.kp < 0 || m.kd < 0 || m.limit < 0 {
		return fmt.Errorf("%w: motor of %v: kp %v, kd %v, effort %v must not be negative", ErrInvalid, id, m.kp, m.kd, m.limit)
	}
	j := &w.joints[id.slot]
	if !j.hasAxis() {
		if m.mode == motorOff {
			return nil
		}
		return fmt.Errorf("%w: %v is %v: it has no axis to drive", ErrInvalid, id, j.kind)
	}
	if m.limit == 0 {
		m.limit = j.maxEffort
	}
	if m.limit == 0 {
		m.limit = math.Inf(1)
	}
	if m == j.motor {
		return nil
	}
	if m.mode != j.motor.mode {
		j.impulseDrive, j.effort = 0, 0
	}
	j.motor = m
	w.wake(j.child)
	if j.parent >= 0 {
		w.wake(j.parent)
	}
	return nil
}

// motorDrive is a motor as the solver sees it in this step: a velocity to hold, softly or not, within an
// impulse.
type motorDrive struct {
	on     bool
	target float64 // velocity; a position when kp > 0
	kp, kd float64 // a spring when kp > 0
	limit  float64 // impulse per substep
	effort float64 // impulse per substep, of an effort motor
}

func (j *joint) drive(h float64) motorDrive {
	m := &j.motor
	d := motorDrive{limit: float64(m.limit * h)}
	if j.locked() {
		return d
	}
	switch m.mode {
	case motorVelocity:
		d.on, d.target = true, j.clampToSpeedLimit(m.target)
	case motorServo:
		// A third of the way within ten substeps, but not faster than 30 per second.
		rate := min(30, 0.04/h)
		d.on, d.target = true, j.clampToSpeedLimit(float64(rate*(m.target-j.position)))
	case motorPosition:
		d.on, d.target, d.kp, d.kd = true, m.target, m.kp, m.kd
	case motorEffort:
		effort := max(-m.limit, min(m.limit, m.target))
		d.effort = float64(effort * h)
	}
	return d
}

func (j *joint) clampToSpeedLimit(v float64) float64 {
	for _, most := range [2]float64{j.maxVelocity, j.speedLimit} {
		if most > 0 {
			v = max(-most, min(most, v))
		}
	}
	return v
}
