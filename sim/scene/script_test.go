package scene

import (
	"math"
	"testing"

	"simdeck/sim/r3"
)

func TestAScriptGoesThroughItsWaypoints(t *testing.T) {
	s := Script{Delay: 1, Waypoints: []Waypoint{
		{0, r3.IdentityPose()}, {2, r3.PoseRPY(2, 0, 0, 0, 0, 0)}, {3, r3.PoseRPY(2, 0, 0, 0, 0, math.Pi/2)},
		{5, r3.PoseRPY(2, 2, 0, 0, 0, math.Pi/2)},
	}}
	for _, c := range []struct{ t, x, y, yaw float64 }{
		{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 1, 0, 0}, {3, 2, 0, 0}, {3.5, 2, 0, math.Pi / 4},
		{4, 2, 0, math.Pi / 2}, {5, 2, 1, math.Pi / 2}, {9, 2, 2, math.Pi / 2},
	} {
		p := s.At(c.t)
		if p.Pos.Dist(r3.V(c.x, c.y, 0)) > 1e-12 || math.Abs(p.Rot.Yaw()-c.yaw) > 1e-12 {
			t.Errorf("at %v s: %v, want %v", c.t, p, c)
		}
	}
	s.Loop = true
	if a, b := s.At(2.5), s.At(7.5); a != b {
		t.Errorf("the second round is another: %v, %v", a, b)
	}
	if p := (&Script{}).At(3); p != r3.IdentityPose() {
		t.Errorf("nothing to follow: %v", p)
	}
	round := Script{Waypoints: []Waypoint{{0, r3.IdentityPose()}, {1, r3.PoseRPY(1, 0, 0, 0, 0, 0)},
		{2, r3.PoseRPY(1, 1, 0, 0, 0, 0)}}}
	straight := round
	straight.Tension = 1
	if p := round.At(0.9).Pos; p.Y >= 0 {
		t.Errorf("a round curve swings out before the corner, not %v", p)
	}
	if p := straight.At(0.9).Pos; p.Y != 0 {
		t.Errorf("a straight one does not: %v", p)
	}
}
