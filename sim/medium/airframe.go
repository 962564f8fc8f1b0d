package medium

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// OnAirframe is the force of the air at the centre of pressure of an aircraft, and its moment. Damping is the
// part of the moment by the aircraft's turning, and torque the rest. The centre moves by v against the air;
// all are in the link's axes. Deflected are the sums over its control surfaces. Source: the documentation of
// Gazebo's AdvancedLiftDrag.
func OnAirframe(a *scene.Airframe, v r3.Twist, density float64, deflected *scene.Coefficients) (force,
	torque, damping r3.Vec) {
	x, z := a.Forward, a.Upward.Neg()
	y := z.Cross(x)
	plane := v.Linear.AddScaled(-v.Linear.Dot(y), y) // of lift and drag
	speed := plane.Len()
	if speed <= leastFlow {
		return r3.Vec{}, r3.Vec{}, r3.Vec{}
	}
	ahead := plane.Scale(1 / speed)
	down := ahead.Cross(y)
	attack := r3.Atan2(ahead.Dot(z), ahead.Dot(x))
	slip := r3.Atan2(v.Linear.Dot(y), v.Linear.Dot(x))
	span := math.Sqrt(a.Area * a.Aspect)
	if a.Density > 0 {
		density = a.Density
	}
	push := 0.5 * density * speed * speed * a.Area
	moment := func(c *scene.Coefficients) r3.Vec {
		return x.Scale(c.Roll*push*span).AddScaled(c.Pitch*push*a.Chord, y).AddScaled(c.Yaw*push*span, z)
	}
	c := steady(a, attack, slip, deflected)
	torque = moment(&c)
	turn := [3]float64{v.Angular.Dot(x) * span, v.Angular.Dot(y) * a.Chord, v.Angular.Dot(z) * span}
	for i := range turn {
		c = c.AddScaled(turn[i]/(2*speed), &a.Rates[i])
	}
	force = ahead.Scale(-c.Drag*push).AddScaled(c.Side*push, y).AddScaled(-c.Lift*push, down)
	return force, torque, moment(&c).Sub(torque)
}

// steady are the coefficients of an aircraft that does not turn. Beyond the stall it is a flat plate.
func steady(a *scene.Airframe, attack, slip float64, deflected *scene.Coefficients) scene.Coefficients {
	detached := 1/(1+r3.Exp(-a.Blend*(attack-a.Stall))) + 1/(1+r3.Exp(a.Blend*(attack+a.Stall)))
	detached = min(1, detached)
	sin, cos := r3.SinCos(attack)
	c := a.Level.AddScaled(attack, &a.Attack)
	c.Lift = float64((1-detached)*c.Lift) + float64(detached*2*math.Copysign(sin*sin, attack)*cos)
	held := max(-a.Stall, min(a.Stall, attack))
	c.Pitch = a.Level.Pitch + float64(a.Attack.Pitch*held) + float64(a.PitchStall*(attack-held))
	c = c.AddScaled(slip, &a.Slip).AddScaled(1, &scene.Coefficients{Lift: deflected.Lift})
	if a.Efficiency > 0 {
		c.Drag += float64(c.Lift * c.Lift / (math.Pi * a.Aspect * a.Efficiency))
	}
	plate := 2 / (1 + r3.Exp(a.Plate[0]+float64(a.Plate[1]*max(a.Aspect, 1/a.Aspect))))
	c.Drag = float64((1-detached)*c.Drag) + float64(detached*plate*sin*sin)
	rest := *deflected
	rest.Lift = 0
	return c.AddScaled(1, &rest)
}
