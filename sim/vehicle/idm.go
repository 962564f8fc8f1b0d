package vehicle

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// hardest is the strongest braking of a follower, m/s²: about that of a car on a dry road.
const hardest = 9.0

// closest is the shortest distance, m, that a follower reckons with: at zero the model brakes without bound.
const closest = 0.05

// Lead is the vehicle, or the line, ahead of a follower.
type Lead struct {
	Gap   float64 // m, from bumper to bumper; +Inf: there is nothing
	Speed float64 // m/s along the lane
}

// Free is a road with nothing ahead.
func Free() Lead { return Lead{Gap: math.Inf(1)} }

// Nearer is the lead that makes a follower brake harder.
func Nearer(d *scene.IDM, speed float64, a, b Lead) Lead {
	if FollowAccel(d, speed, b) < FollowAccel(d, speed, a) {
		return b
	}
	return a
}

// FollowAccel is the intelligent driver model (Treiber et al., 2000; see scene.IDM): the acceleration, in m/s²,
// of a driver at a speed behind what is ahead. A driver who goes faster than desired brakes by no more than is
// comfortable, and a desired speed of zero is a wish to stand.
func FollowAccel(d *scene.IDM, speed float64, ahead Lead) float64 {
	free := -d.B
	switch {
	case d.V0 > 0 && speed > 0:
		free = max(free, float64(d.A*(1-r3.Exp(float64(d.Delta*r3.Log(speed/d.V0))))))
	case d.V0 > 0:
		free = d.A
	}
	if math.IsInf(ahead.Gap, 1) {
		return max(free, -hardest)
	}
	wanted := d.S0 + max(0, float64(speed*d.T)+
		float64(speed*(speed-ahead.Speed))/(2*math.Sqrt(float64(d.A*d.B))))
	ratio := wanted / max(ahead.Gap, closest)
	return max(free-float64(d.A*float64(ratio*ratio)), -hardest)
}

// Advance is the distance and the speed after a time at an acceleration. Nothing drives backwards by braking:
// it stands from when it has stopped.
func Advance(speed, accel, dt float64) (distance, after float64) {
	after = speed + float64(accel*dt)
	if after >= 0 {
		return float64((speed + after) / 2 * dt), after
	}
	return float64(speed*speed) / (-2 * accel), 0
}
