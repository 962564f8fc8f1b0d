package engine_test

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// TestQuadrupedsWithStraightLegsStandStill: they start on their feet with the knees at their limits, the zero
// position. A small disturbance keeps them awake, so that motors and not sleep hold them.
func TestQuadrupedsWithStraightLegsStandStill(t *testing.T) {
	t.Run("own", func(t *testing.T) {
		file := "quadruped.urdf.xacro"
		// the thighs hang straight down, and the knees are bent by their stop of 0.9 rad
		standsStill(t, file, standIn(t, mounted(t, own(t)), own(t)+"/", file, r3.PoseRPY(0, 0, 2, 0, 0, 0)),
			0.2+0.2*math.Cos(0.9)+0.02)
	})
	t.Run("corpus", func(t *testing.T) { realQuadrupedsStandStill(t) })
}

func realQuadrupedsStandStill(t *testing.T) {
	for file, height := range map[string]float64{
		"unitree_go2/pkgs/go2_description/urdf/go2_description.urdf": 0.3791,
		"unitree_a1/pkgs/a1_description/urdf/a1.urdf":                0.3418,
		"unitree_laikago/laikago/urdf/laikago.urdf":                  0.4812,
		"anymal_c/pkgs/anymal_c_simple_description/urdf/anymal.urdf": 0.6306,
	} {
		standsStill(t, file, stand(t, file, r3.PoseRPY(0, 0, 2, 0, 0, 0)), height)
	}
}

// standsStill sets a quadruped down with its trunk at a height, and touches it.
func standsStill(t *testing.T, file string, w *engine.World, height float64) {
	t.Helper()
	advance(t, w, 100)
	down := r3.PoseRPY(0, 0, height, 0, 0, 0)
	do(t, w, sim.SetEntityState{Name: "it", Pose: &down, Twist: &r3.Twist{}})
	advance(t, w, 250)
	before, _ := trunk(t, w)
	fastest := 0.0
	for range 25 {
		do(t, w, sim.SetEntityState{Name: "it", Accel: &r3.Twist{Linear: r3.V(1e-3, 0, 0)}})
		advance(t, w, 10)
		q, _, _ := joints(t, w)
		for _, j := range q {
			fastest = max(fastest, math.Abs(j.Velocity))
		}
	}
	after, asleep := trunk(t, w)
	t.Logf("%s: at %.4f, moves %.2g m in a second, joints at most %.2g rad/s", file, after.Pos,
		after.Pos.Dist(before.Pos), fastest)
	if !upright(after, before) || after.Pos.Dist(before.Pos) > 1e-5 || fastest > 1e-4 || asleep {
		t.Errorf("%s: the trunk is at %v, was at %v a second ago; a joint moves at %v rad/s; asleep %v",
			file, after, before, fastest, asleep)
	}
}
