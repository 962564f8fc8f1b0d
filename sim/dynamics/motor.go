package dynamics

import (
	"fmt"
	"math"
)

// motorMode is the quantity that a joint's motor controls.
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
	limit  float64 // of the effort, N·m or N; +Inf: none
}

// motorActive reports that the motor may move a resting joint, so that its bodies must stay awake.
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

// SetMotorOff turns the motor off; damping and friction remain. Error: ErrGone.
func (h Joint) SetMotorOff() error { return h.setMotor(motor{}) }

// SetMotorVelocity makes the motor hold a velocity, rad/s or m/s, by at most maxEffort, N·m or N; 0: the
// joint's own limit. Errors: ErrGone, ErrInvalid.
func (h Joint) SetMotorVelocity(velocity, maxEffort float64) error {
	return h.setMotor(motor{mode: motorVelocity, target: velocity, limit: maxEffort})
}

// SetMotorPosition makes the motor hold a position, rad or m, as a spring of stiffness kp (N·m/rad or N/m)
// and a damper kd (N·m·s/rad or N·s/m). Both are implicit, so any gain is stable. With kp = 0 it is a servo
// that moves at up to the joint's MaxVelocity and holds by at most maxEffort. Errors: ErrGone, ErrInvalid.
func (h Joint) SetMotorPosition(position, kp, kd, maxEffort float64) error {
	m := motor{mode: motorPosition, target: position, kp: kp, kd: kd, limit: maxEffort}
	if kp == 0 {
		m.mode = motorServo
	}
	return h.setMotor(m)
}

// SetMotorEffort applies a torque or force, N·m or N, until changed. Errors: ErrGone, ErrInvalid.
func (h Joint) SetMotorEffort(effort float64) error {
	return h.setMotor(motor{mode: motorEffort, target: effort})
}

// setMotor validates a motor, sets it and wakes the joint's bodies.
func (h Joint) setMotor(m motor) error {
	if !h.alive() {
		return fmt.Errorf("%w: %v", ErrGone, h.id)
	}
	for _, v := range [4]float64{m.target, m.kp, m.kd, m.limit} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: motor of %v: target %v, kp %v, kd %v, effort %v must be finite",
				ErrInvalid, h.id, m.target, m.kp, m.kd, m.limit)
		}
	}
	if m.kp < 0 || m.kd < 0 || m.limit < 0 {
		return fmt.Errorf("%w: motor of %v: kp %v, kd %v, effort %v must not be negative", ErrInvalid, h.id,
			m.kp, m.kd, m.limit)
	}
	j := &h.w.joints.all[h.id.slot]
	if !j.kind.HasAxis() {
		if m.mode == motorOff {
			return nil
		}
		return fmt.Errorf("%w: %v is %v: it has no axis to drive", ErrInvalid, h.id, j.kind)
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
	h.w.active.wake(&h.w.bodies, j.child)
	if j.parent >= 0 {
		h.w.active.wake(&h.w.bodies, j.parent)
	}
	return nil
}

// motorDrive is a motor as the solver sees it in this step: a velocity or spring target within an impulse
// limit.
type motorDrive struct {
	on     bool
	target float64 // rad/s or m/s; a position when kp > 0
	kp, kd float64 // spring and damper when kp > 0
	limit  float64 // impulse per substep
	effort float64 // impulse per substep, in effort mode
}

// drive computes the motor's targets for substeps of h, s.
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

// clampToSpeedLimit bounds a velocity target by MaxVelocity and SpeedLimit.
func (j *joint) clampToSpeedLimit(v float64) float64 {
	for _, most := range [2]float64{j.maxVelocity, j.speedLimit} {
		if most > 0 {
			v = max(-most, min(most, v))
		}
	}
	return v
}
