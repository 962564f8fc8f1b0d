package scene

import (
	"math"

	"simdeck/sim/r3"
)

// Servo is the effort of a joint's motor as its file has it (MJCF's actuators): Stiffness·(target − q) −
// Damping·q̇. Without Stiffness it is Damping·(target − q̇), without both the target. The zero value is none,
// and a joint is free until it is commanded.
type Servo struct {
	Stiffness  float64 // N·m/rad or N/m
	Damping    float64 // N·m·s/rad or N·s/m
	Target     float64 // before it is commanded: rad or m; rad/s or m/s; N·m or N
	Activation Activation
}

// ActivationKind is the way in which a servo's target follows commands (MuJoCo, dyntype).
type ActivationKind uint8

// Activation kinds.
const (
	Integrator  ActivationKind = iota + 1 // its rate is told
	Filter                                // it falls behind by a time constant, in Euler's steps
	FilterExact                           // likewise, in closed form
	Muscular                              // by two time constants that depend on the activation, of 0 to 1
)

// Activation is the dynamics between the commands of a servo and its target, in the unit of the target. The
// zero value is none: commands act at once.
type Activation struct {
	Kind         ActivationKind
	TimeConstant float64 // s, of filters; of Muscular to rise
	Release      float64 // s, of Muscular to fall
	Smoothing    float64 // of Muscular: width of the transition between rising and falling
	Initial      float64
	Limited      bool // Lower and Upper hold
	Lower, Upper float64
	Early        bool // the effort of a step is of the activation after it
}

// Next is the activation after a step of dt seconds under a command: a target, or of an Integrator its
// rate.
func (a *Activation) Next(now, told, dt float64) float64 {
	next := now
	switch a.Kind {
	case Integrator:
		next += float64(told * dt)
	case Filter:
		next += float64((told - now) * (dt / max(1e-15, a.TimeConstant)))
	case FilterExact:
		next += float64((told - now) * (1 - r3.Exp(-dt/max(1e-15, a.TimeConstant))))
	}
	if a.Kind == Muscular {
		next += float64(dt * a.muscular(now, told))
	}
	if a.Kind != Integrator && math.Abs(next-told) <= 1e-12*math.Abs(told) {
		next = told // a joint at rest may sleep
	}
	return a.Clamp(next)
}

// muscular is the rate of a muscle's activation (Millard and others, 2013, as MuJoCo has it).
func (a *Activation) muscular(now, told float64) float64 {
	bent := 0.5 + float64(1.5*max(0, min(1, now)))
	rise, fall := float64(a.TimeConstant*bent), a.Release/bent
	toGo := max(0, min(1, told)) - now
	tau := fall
	if toGo > 0 {
		tau = rise
	}
	if a.Smoothing >= 1e-15 {
		x := max(0, min(1, toGo/a.Smoothing+0.5))
		x = float64(float64(x*x*x) * (10 + float64(x*(float64(6*x)-15))))
		tau = fall + float64((rise-fall)*x)
	}
	return toGo / max(1e-15, tau)
}

// Clamp is the activation that is allowed and nearest.
func (a *Activation) Clamp(x float64) float64 {
	if !a.Limited {
		return x
	}
	return max(a.Lower, min(a.Upper, x))
}
