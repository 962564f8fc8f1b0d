package medium

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// OnRotor is the force at the hub of a rotor that turns at speed, rad/s, and the torque on its mount. Its
// hub moves by v against the air; all are in the world's axes. Source: Martin and Salaün, "The true role of
// accelerometer feedback in quadrotor control", ICRA 2010. Source of the inflow: Fossen, "Guidance and
// Control of Ocean Vehicles", 1994, section 4.1.
func OnRotor(r *scene.Rotor, axis, v r3.Vec, speed float64) (force, torque r3.Vec) {
	along, turning := v.Dot(axis), math.Abs(speed)
	across := v.AddScaled(-along, axis)
	thrust := float64(r.Thrust*speed*turning) - float64(r.Inflow*turning*along)
	moment := float64(r.Torque*speed*turning) - float64(r.Windmill*turning*along)
	if r.Stall > 0 {
		moment = max(-r.Stall, min(r.Stall, moment))
	}
	force = axis.Scale(thrust).AddScaled(-turning*r.SideDrag, across)
	torque = axis.Scale(-moment).AddScaled(-turning*r.Rolling, across)
	return force, torque
}

// SpeedFor is the speed, rad/s, at which a rotor at rest has a thrust, N.
func SpeedFor(r *scene.Rotor, thrust float64) float64 {
	if r.Thrust == 0 || math.IsNaN(r.Thrust) {
		return 0
	}
	speed := math.Sqrt(math.Abs(thrust) / math.Abs(r.Thrust))
	if (thrust < 0) != (r.Thrust < 0) {
		return -speed
	}
	return speed
}

// NextSpeed is the speed of a rotor after a step of dt seconds in which it is told another, rad/s.
func NextSpeed(r *scene.Rotor, speed, told, dt float64) float64 {
	if told == speed {
		return told
	}
	constant := r.Fall
	if told > speed {
		constant = r.Rise
	}
	next := told
	if constant > 0 {
		next += float64((speed - told) * r3.Exp(-dt/constant))
	}
	if r.Accel > 0 {
		most := float64(r.Accel * dt)
		next = max(speed-most, min(speed+most, next))
	}
	if math.Abs(next-told) <= 1e-9*max(1, math.Abs(told)) {
		return told
	}
	return next
}

// Allowed is the speed nearest to another, rad/s, that a rotor may be told.
func Allowed(r *scene.Rotor, speed float64) float64 {
	least := 0.0
	if r.Reverses {
		least = math.Inf(-1)
		if r.Most > 0 {
			least = -r.Most
		}
	}
	most := math.Inf(1)
	if r.Most > 0 {
		most = r.Most
	}
	return max(least, min(most, speed))
}
