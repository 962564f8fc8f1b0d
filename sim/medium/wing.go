package medium

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// leastFlow is the speed in m/s up to which a flow has no direction.
const leastFlow = 0.01

// OnWing is the force of the flow on a wing that moves by v, m/s, against it, at its centre of pressure. Both
// are in the link's axes. The position of its control joint is in rad, the density in kg/m³. Source: the
// documentation of Gazebo's LiftDrag.
func OnWing(w *scene.Wing, v r3.Vec, density, joint float64) r3.Vec {
	if v.Len() <= leastFlow {
		return r3.Vec{}
	}
	up := w.Upward
	if w.Radial {
		var aslant bool
		if up, aslant = v.AddScaled(-v.Dot(w.Forward), w.Forward).Neg().Unit(); !aslant {
			up = w.Upward
		}
	}
	span, ok := w.Forward.Cross(up).Unit()
	if !ok {
		return r3.Vec{}
	}
	// The flow along the span does nothing but weaken what the rest does.
	along := v.Dot(span) / v.Len()
	swept := 1 - float64(along*along)
	flow := v.AddScaled(-v.Dot(span), span)
	speed := flow.Len()
	against, ok := flow.Neg().Unit()
	if !ok {
		return r3.Vec{}
	}
	lift := span.Cross(flow).Scale(1 / speed)
	attack := foldAngle(w.Zero + r3.Atan2(lift.Cross(up).Dot(span), lift.Dot(up)))
	cl := coefficient(w.Lift, attack, w.Stall) * swept
	if attack > w.Stall {
		cl = max(0, cl)
	} else if attack < -w.Stall {
		cl = min(0, cl)
	}
	cl += float64(w.JointLift * joint)
	cd := math.Abs(coefficient(w.Drag, attack, w.Stall) * swept)
	if w.Density > 0 {
		density = w.Density
	}
	pressure := 0.5 * density * speed * speed * w.Area
	return lift.Scale(cl*pressure).AddScaled(cd*pressure, against)
}

// foldAngle is an angle within a quarter turn: a flow from behind is one from ahead.
func foldAngle(a float64) float64 {
	a -= float64(math.Pi * math.Round(a/math.Pi))
	return max(-math.Pi/2, min(math.Pi/2, a))
}

// coefficient is a coefficient at an angle of attack.
func coefficient(s scene.Slope, attack, stall float64) float64 {
	held := max(-stall, min(stall, attack))
	return float64(s.Attached*held) + float64(s.Detached*(attack-held))
}
