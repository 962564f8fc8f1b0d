package engine_test

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// reach returns the joint positions that bring the tips of the gripper, pointing down, to a place above the
// floor. joint_1 turns there, joint_2 and joint_3 are two sides of a triangle to the wrist, and joint_5 keeps
// the gripper vertical.
func reach(at r3.Vec) map[string]float64 {
	const upper, fore, tool, shoulder = 0.4, 0.35, 0.28, 0.6
	x, z := math.Hypot(at.X, at.Y), at.Z+tool-shoulder
	elbow := math.Acos((x*x + z*z - upper*upper - fore*fore) / (2 * upper * fore))
	lift := math.Atan2(x, z) - math.Atan2(fore*math.Sin(elbow), upper+fore*math.Cos(elbow))
	return map[string]float64{"joint_1": math.Atan2(at.Y, at.X), "joint_2": lift, "joint_3": elbow,
		"joint_5": math.Pi - lift - elbow}
}

// carry moves the gripper on a straight line in joint space in so many seconds, and waits for half a second.
func carry(t *testing.T, w *engine.World, from, to map[string]float64, s float64) map[string]float64 {
	t.Helper()
	for k := range 50 {
		for _, joint := range []string{"joint_1", "joint_2", "joint_3", "joint_5"} {
			u := float64(k+1) / 50
			u = u * u * (3 - 2*u)
			do(t, w, sim.SetJoint{Name: "arm", Joint: joint, Mode: sim.JointPosition,
				Target: from[joint]*(1-u) + to[joint]*u})
		}
		seconds(t, w, s/50)
	}
	seconds(t, w, 0.5)
	return to
}

func TestTheArmGripsAPartAndPutsItIntoTheTray(t *testing.T) {
	w := open(t, "armcell")
	grip := func(target float64) {
		do(t, w, sim.SetJoint{Name: "arm", Joint: "finger_joint", Mode: sim.JointPosition, Target: target})
		seconds(t, w, 0.5)
	}
	tips := func() r3.Vec { return linkNamed(t, w.Snapshot(), "arm", "flange").Apply(r3.V(0, 0, 0.18)) }
	part := func() r3.Vec {
		s := w.Snapshot()
		i, _ := s.Find("part_1")
		return s.Entities[i].Pose.Pos
	}
	home := map[string]float64{"joint_2": 0.2, "joint_3": 1.5, "joint_5": math.Pi - 1.7}
	grip(0.01)
	here := carry(t, w, home, reach(r3.V(0.55, 0, 0.5)), 1)
	here = carry(t, w, here, reach(r3.V(0.55, 0, 0.415)), 1)
	if d := tips().Dist(r3.V(0.55, 0, 0.415)); d > 2e-3 {
		t.Errorf("the gripper is %.4f m off where it was sent", d)
	}
	grip(-0.04)
	here = carry(t, w, here, reach(r3.V(0.55, 0, 0.6)), 1)
	if z := part().Z; math.Abs(z-0.585) > 5e-3 {
		t.Fatalf("the part is lifted to %.4f m, want 0.585", z)
	}
	held := tips().Sub(part())
	here = carry(t, w, here, reach(r3.V(0, 0.62, 0.6)), 2)
	seconds(t, w, 5)
	if slip := tips().Sub(part()).Len() - held.Len(); math.Abs(slip) > 1e-3 {
		t.Errorf("the part slips by %.4f m in the gripper", slip)
	}
	here = carry(t, w, here, reach(r3.V(0, 0.62, 0.43)), 1)
	grip(0.01)
	carry(t, w, here, reach(r3.V(0, 0.62, 0.6)), 1)
	if at := part(); at.Sub(r3.V(0, 0.62, 0.41)).Len() > 0.01 {
		t.Errorf("the part lies at %v, want the middle of the tray at (0, 0.62, 0.41)", at)
	}
}
