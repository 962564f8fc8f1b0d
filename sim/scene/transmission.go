package scene

import "simdeck/sim/transmission"

// Transmission is a length that follows from the poses of links, and the forces along it. These are MuJoCo's
// tendons, and the actuators of tendons, sites and slider-cranks. The length is that of the path and the
// terms together, with an offset.
type Transmission struct {
	Name    string
	Path    transmission.Path // its bodies are links; transmission.World stands still in the model frame
	Joints  []JointTerm
	Offset  float64 // m or rad
	Passive transmission.Passive
	// SpringAtRest: the spring rests where the springs of all joints do, not within Passive.Rest
	SpringAtRest bool
	// RangeAtRest: Passive.Range is from the length with all joints at zero on
	RangeAtRest bool
	Actuator    *Actuator // nil: there is none
}

// JointTerm is the part of a joint in a length: its position times a coefficient.
type JointTerm struct {
	Joint       int // index into ModelSpec.Joints
	Coefficient float64
}

// Actuator is a force along a transmission (MuJoCo, "Actuation model"). Its length l and speed v are Gear
// times those of the transmission, and its force is gain·u + bias. Along the transmission that counts Gear
// times. The input, or the activation that follows it, is u.
type Actuator struct {
	Gear         float64
	Gain, Bias   [3]float64 // c0 + c1·l + c2·v
	Input        float64    // before it is commanded
	InputLimited bool
	InputRange   [2]float64
	ForceLimited bool
	ForceRange   [2]float64 // N or N·m, before Gear
	Activation   Activation // of u
	// the damping ratio of a servo, whose damping follows from the inertia at rest; 0: Bias has the damping
	DampingRatio float64
	Muscle       *Muscle // in place of Gain and Bias; nil: it is none
}

// Told is an input as it acts: within its range.
func (a *Actuator) Told(input float64) float64 {
	if !a.InputLimited {
		return input
	}
	return max(a.InputRange[0], min(a.InputRange[1], input))
}

// Force is the force along the transmission at u, before its bounds. The others are its derivatives by length
// and speed.
func (a *Actuator) Force(u, length, speed float64) (force, byLength, bySpeed float64) {
	l, v := float64(a.Gear*length), float64(a.Gear*speed)
	if a.Muscle != nil {
		force, byLength, bySpeed = a.Muscle.force(u, l, v)
		square := float64(a.Gear * a.Gear)
		return float64(a.Gear * force), float64(square * byLength), float64(square * bySpeed)
	}
	at := func(c *[3]float64) float64 { return c[0] + float64(c[1]*l) + float64(c[2]*v) }
	force = float64(a.Gear * (float64(at(&a.Gain)*u) + at(&a.Bias)))
	byLength = float64(a.Gear * a.Gear * (float64(a.Gain[1]*u) + a.Bias[1]))
	bySpeed = float64(a.Gear * a.Gear * (float64(a.Gain[2]*u) + a.Bias[2]))
	return force, byLength, bySpeed
}
