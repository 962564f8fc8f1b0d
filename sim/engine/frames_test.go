package engine

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
)

func near(a, b r3.Vec) bool { return a.Dist(b) < 1e-9 }

func TestFramesAreFoundByTheirNames(t *testing.T) {
	w := yard(t, sim.Paused)
	apply(t, w, sim.Spawn{Name: "crate/body", Resource: sim.Resource{URI: "ball"},
		Pose: sim.FramedPose{Pose: at(9, 9, 1)}})
	p := r3.PoseRPY(1, 2, 0, 0, 0, math.Pi/2)
	apply(t, w, sim.SetEntityState{Name: "rover", Pose: &p,
		Twist: &r3.Twist{Linear: r3.V(1, 0, 0), Angular: r3.V(0, 0, 2)}})
	s := w.Snapshot()
	for _, c := range []struct {
		name  string
		at    r3.Vec
		speed r3.Vec
	}{
		{"", r3.V(0, 0, 0), r3.V(0, 0, 0)},
		{"world", r3.V(0, 0, 0), r3.V(0, 0, 0)},
		{"rover", r3.V(1, 2, 0), r3.V(1, 0, 0)},
		{"rover/mast", r3.V(1, 2, 0.3), r3.V(1, 0, 0)},
		{"rover/tip", r3.V(1, 2, 0.5), r3.V(1, 0, 0)},
		{"rover/nose", r3.V(1, 2.3, 0), r3.V(1-0.6, 0, 0)},        // 0.3 m ahead, turning left at 2 rad/s
		{"rover/left_wheel", r3.V(0.8, 2, 0.1), r3.V(1, -0.4, 0)}, // 0.2 m to the left
		{"crate/body", r3.V(9, 9, 1), r3.V(0, 0, 0)},              // an entity goes before a link
		{"dock", r3.V(1, -1, 0), r3.V(0, 0, 0)},
	} {
		pose, twist, err := sim.ResolveFrame(s, c.name)
		if err != nil || !near(pose.Pos, c.at) || !near(twist.Linear, c.speed) {
			t.Errorf("%q: at %v with %v, %v; want %v with %v", c.name, pose.Pos, twist.Linear, err, c.at,
				c.speed)
		}
	}
	for _, name := range []string{"nowhere", "rover/none", "rover/", "/", "dock/x"} {
		if _, _, err := sim.ResolveFrame(s, name); !errors.Is(err, sim.ErrInvalidPose) {
			t.Errorf("%q: %v, want ErrInvalidPose", name, err)
		}
	}
}

func TestAStateSeenFromAMovingFrame(t *testing.T) {
	w := yard(t, sim.Paused)
	p, q := r3.PoseRPY(0, 0, 0, 0, 0, math.Pi/2), at(0, 3, 0.25)
	apply(t, w, sim.SetEntityState{Name: "rover", Pose: &p,
		Twist: &r3.Twist{Linear: r3.V(0, 1, 0), Angular: r3.V(0, 0, 1)}})
	apply(t, w, sim.SetEntityState{Name: "crate", Pose: &q, Twist: &r3.Twist{Linear: r3.V(2, 1, 0)}})
	s := w.Snapshot()
	i, _ := s.Find("crate")
	got, err := sim.StateIn(s, i, "rover")
	// The crate is 3 m ahead; the turning frame carries that point along at -3 m/s in world x.
	if err != nil || !near(got.Pose.Pos, r3.V(3, 0, 0.25)) || !near(got.Twist.Linear, r3.V(0, -5, 0)) ||
		!near(got.Twist.Angular, r3.V(0, 0, -1)) {
		t.Errorf("at %v with %+v, %v", got.Pose.Pos, got.Twist, err)
	}
	back, err := sim.PoseIn(s, s.Entities[i].Pose, "rover")
	if err != nil || !near(back.Pos, got.Pose.Pos) {
		t.Errorf("PoseIn gives %v, %v", back.Pos, err)
	}
	if _, err := sim.StateIn(s, i, "nowhere"); !errors.Is(err, sim.ErrInvalidPose) {
		t.Errorf("unknown frame: %v", err)
	}
	// A state read in a frame can be set in it.
	apply(t, w, sim.SetEntityState{Name: "crate", Frame: "rover", Pose: &got.Pose, Twist: &got.Twist})
	again := where(t, w.Snapshot(), "crate")
	if !near(again.Pose.Pos, q.Pos) || !near(again.Twist.Linear, r3.V(2, 1, 0)) ||
		!near(again.Twist.Angular, r3.Vec{}) {
		t.Errorf("set back to %v with %+v", again.Pose.Pos, again.Twist)
	}
}
