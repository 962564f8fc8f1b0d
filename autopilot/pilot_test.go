package autopilot_test

import (
	"math"

	"simdeck/sim/r3"
)

// state is the knowledge of a pilot about its vehicle, in the frames north-east-down and forward-right-down.
type state struct {
	time               float64 // s
	position, velocity r3.Vec  // m, from where it stood first; m/s
	attitude           r3.Quat // from the body's frame to north-east-down
	rates              r3.Vec  // rad/s
}

// pilot flies the quadrotor of our testdata: a controller of position around one of attitude.
type pilot struct{ climb, hover, descent, height float64 } // s, s, s, m

// aFlight climbs to 5 m, stays there, and lands.
var aFlight = pilot{climb: 2, hover: 9, descent: 9, height: 5}

// end is the time after which the motors stand still.
func (p *pilot) end() float64 { return p.hover + p.descent }

// levels are the speeds of the rotors, of 1 at most, by the numbers of their motors.
func (p *pilot) levels(s *state) (levels [4]float64) {
	if s.time < p.climb || s.time >= p.end() {
		return levels
	}
	const mass, gravity, arm, thrust, moment, most = 1.5, 9.81, 0.2, 8.54858e-06, 0.016, 800
	down := -p.height * min(1, (s.time-p.climb)/2)
	if s.time > p.hover {
		down = 0.2 - (p.height+0.2)*(1-(s.time-p.hover)/(p.descent-2)) // into the ground at last
		down = min(down, 0.2)
	}
	a := r3.V(0, 0, down).Sub(s.position).Scale(2).AddScaled(-2.5, s.velocity)
	roll, pitch, yaw := s.attitude.RPY()
	sin, cos := math.Sincos(yaw)
	ahead, right := a.X*cos+a.Y*sin, a.Y*cos-a.X*sin
	tilt := func(v float64) float64 { return max(-0.3, min(0.3, v/gravity)) }
	torque := r3.V(0.035*(60*(tilt(right)-roll)-14*s.rates.X), 0.046*(60*(-tilt(ahead)-pitch)-14*s.rates.Y),
		0.098*(-3*yaw-3*s.rates.Z))
	lift := max(0, mass*(gravity-a.Z)/(math.Cos(roll)*math.Cos(pitch)))
	// at front right, rear left, front left, rear right: forward, right, and the turn of the body
	for i, at := range [4][3]float64{{1, 1, 1}, {-1, -1, 1}, {1, -1, -1}, {-1, 1, -1}} {
		f := lift/4 - at[1]*torque.X/(4*arm) + at[0]*torque.Y/(4*arm) + at[2]*torque.Z/(4*moment)
		levels[i] = min(1, math.Sqrt(max(0, f)/thrust)/most)
	}
	return levels
}
