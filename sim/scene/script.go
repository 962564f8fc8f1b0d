package scene

import (
	"math"
	"sort"

	"simdeck/sim/r3"
)

// Script moves a model along a trajectory (SDF's actor): its links are kinematic.
type Script struct {
	Waypoints []Waypoint // in the order of their times, which grow
	Delay     float64    // s of simulated time before it starts
	Loop      bool       // it starts again at its end, else stays there
	Tension   float64    // of the curve through the positions: 0 is round, 1 straight from point to point
}

// Waypoint is a pose, against the one at which the model was placed, and when it is reached.
type Waypoint struct {
	Time float64 // s since the start
	Pose r3.Pose
}

// At is the model's pose after a simulated time t: on a cardinal spline through the positions, turning evenly
// between waypoints.
func (s *Script) At(t float64) r3.Pose {
	n := len(s.Waypoints)
	if n == 0 {
		return r3.IdentityPose()
	}
	first, last := &s.Waypoints[0], &s.Waypoints[n-1]
	t -= s.Delay
	if s.Loop && t > 0 && last.Time > 0 {
		t = math.Mod(t, last.Time)
	}
	if t <= first.Time {
		return first.Pose
	}
	if t >= last.Time {
		return last.Pose
	}
	i := sort.Search(n, func(i int) bool { return s.Waypoints[i].Time > t })
	a, b := &s.Waypoints[i-1], &s.Waypoints[i]
	span := b.Time - a.Time
	u := (t - a.Time) / span
	ta, tb := s.tangent(i-1).Scale(span), s.tangent(i).Scale(span)
	u2 := float64(u * u)
	u3 := float64(u2 * u)
	bend := float64(3*u2) - float64(2*u3)
	p := a.Pose.Pos.Scale(1 - bend).Add(ta.Scale(u3 - float64(2*u2) + u)).Add(b.Pose.Pos.Scale(bend)).Add(
		tb.Scale(u3 - u2))
	return r3.Pose{Pos: p, Rot: a.Pose.Rot.Slerp(b.Pose.Rot, u)}
}

// tangent is the velocity at a waypoint; at the ends, and at waypoints in the same place, it is zero.
func (s *Script) tangent(i int) r3.Vec {
	if i == 0 || i == len(s.Waypoints)-1 {
		return r3.Vec{}
	}
	a, b := &s.Waypoints[i-1], &s.Waypoints[i+1]
	if here := s.Waypoints[i].Pose.Pos; here == a.Pose.Pos || here == b.Pose.Pos {
		return r3.Vec{}
	}
	return b.Pose.Pos.Sub(a.Pose.Pos).Scale((1 - s.Tension) / (b.Time - a.Time))
}
