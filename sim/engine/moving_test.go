package engine

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestAModelOfASavedWorldGoesOnWithItsVelocity(t *testing.T) {
	twist := r3.Twist{Linear: r3.V(1, 0, 0), Angular: r3.V(0, 0, 0.5)}
	w := played(t, r3.Vec{}, scene.Placed{Name: "ball", Model: scenetest.Ball(), Pose: at(0, 0, 5),
		Twist: twist}, scene.Placed{Name: "rover", Model: scenetest.Rover(), Pose: at(9, 0, 5), Twist: twist})
	if got := w.entities.list[0].linkTwist(w.physics, 0); got.Linear.Dist(twist.Linear) > 1e-12 ||
		got.Angular.Dist(twist.Angular) > 1e-12 {
		t.Errorf("the ball begins with %v", got)
	}
	steps(t, w, 100)
	for _, e := range w.entities.list {
		moved := e.linkPose(w.physics, 0).Pos.Sub(e.initialPose.Pos)
		if want := 100 * w.clock.stepSize.Seconds(); moved.X < 0.9*want || moved.X > 1.1*want {
			t.Errorf("%s moved by %v in %g s", e.name, moved, want)
		}
	}
	if err := w.rebuildWorld(); err != nil {
		t.Fatal(err)
	}
	if got := w.entities.list[1].linkTwist(w.physics, 0); got.Linear.Dist(twist.Linear) > 1e-9 {
		t.Errorf("after a reset the rover begins with %v", got)
	}
}
