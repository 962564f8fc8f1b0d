package control

import (
	"math"
	"slices"

	"simdeck/sim"
	"simdeck/sim/model"
)

// reachedWithin is the distance from its target, rad or m, at which a motor stops.
const reachedWithin = 1e-6

// profiledJoints are the joints whose motors are bounded in acceleration, or move them kinematically: their
// speed is told anew at each step. Those of drives are not among them, nor those that follow others.
func profiledJoints(m *model.Model) (out []int) {
	for i := range m.Joints {
		spec := &m.Spec.Joints[i]
		if !m.IsActuated(i) || !spec.Kinematic && !(spec.Limit.Acceleration > 0) {
			continue
		}
		driven := false
		for d := range m.Spec.Drives {
			driven = driven || slices.Contains(m.Spec.Drives[d].Joints(), i)
		}
		if !driven {
			out = append(out, i)
		}
	}
	return out
}

// followProfile moves a joint towards its motor's target for a step, by a trapezoidal velocity profile. The
// target of a velocity command is the joint's stop, if it has one. Webots describes its motors so ("Motor" in
// its reference manual).
func (c *Controller) followProfile(p Dynamics, joint int, dt float64) {
	m, def, spec := c.motors[joint], &c.model.Joints[joint].Def, &c.model.Spec.Joints[joint]
	j := p.Joint(c.joints[joint])
	state := j.State()
	speed, goal := math.Inf(1), 0.0
	if def.MaxVelocity > 0 {
		speed = def.MaxVelocity
	}
	switch m.mode {
	case sim.JointPosition:
		goal = clampToLimits(spec, m.target)
		if m.speed > 0 {
			speed = min(speed, m.speed)
		}
	case sim.JointVelocity:
		speed = min(speed, math.Abs(m.target))
		goal = math.Copysign(math.Inf(1), m.target)
		if def.Limited {
			goal = clampToLimits(spec, goal)
		}
	default:
		return
	}
	v := profileVelocity(goal-state.Position, state.Velocity, speed, spec.Limit.Acceleration, dt)
	if now, set := j.MotorVelocity(); set && now == v {
		return // a robot at rest may sleep
	}
	// The joints of an entity live as long as it does, and the speed is finite.
	_ = j.SetMotorVelocity(v, boundEffort(m.effort, def.MaxEffort))
}

// profileVelocity is the velocity of a joint for a step of dt seconds: left is the distance from its target,
// and now its velocity. It is bounded by the speed, and by the acceleration unless that is 0.
func profileVelocity(left, now, speed, acceleration, dt float64) float64 {
	v, distance := speed, math.Abs(left)
	if distance < reachedWithin {
		distance = 0
	}
	if !math.IsInf(distance, 1) {
		v = min(v, distance/dt)
	}
	if acceleration > 0 {
		if step := float64(acceleration * dt); !math.IsInf(distance, 1) {
			// the speed from which steps of that acceleration come to a stop at the target
			v = min(v, float64(step*(math.Sqrt(0.25+2*distance/(step*dt))-0.5)))
		}
	}
	v = math.Copysign(v, left)
	if acceleration > 0 {
		change := float64(acceleration * dt)
		v = max(now-change, min(now+change, v))
	}
	if v == 0 {
		return 0 // and not -0
	}
	return v
}
