package engine

import (
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestOdometryDriftsFromTheTruthAndTheSameWayAgain(t *testing.T) {
	drifting := scenetest.Rover()
	drifting.Drives[0].Odometry.Drift = scene.Drift{Scale: 0.02, Walk: 0.005}
	ground := scene.Placed{Name: "ground", Model: scenetest.Ground(), Pose: r3.IdentityPose()}
	run := func(w *World) (truth, odom r3.Pose) {
		apply(t, w, sim.DriveEntity{Name: "a", Twist: twist(0.5, 0.1)})
		steps(t, w, 1000)
		s := w.Snapshot()
		i, _ := s.Find("a")
		return s.Entities[i].Pose, s.OdomOf(i)[0].Pose
	}
	w := played(t, earthward(), ground, scene.Placed{Name: "a", Model: drifting, Pose: r3.IdentityPose()})
	truth, odom := run(w)
	true2, exact := run(played(t, earthward(), ground,
		scene.Placed{Name: "a", Model: scenetest.Rover(), Pose: r3.IdentityPose()}))
	if truth != true2 {
		t.Errorf("what odometry believes moved the robot: %v and %v", truth, true2)
	}
	if d := odom.Pos.Dist(exact.Pos); d < 0.001 || d > 0.3 {
		t.Errorf("drift of %v m after 2 m", d)
	}
	apply(t, w, sim.Reset{})
	if _, again := run(w); again != odom {
		t.Errorf("after a reset it drifts to %v, before to %v", again, odom)
	}
}
