package engine

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// TestAMotorThatHoldsKeepsItsJoint compares two arms that stick out: one falls, the other's motor holds it up
// until it is told to let go.
func TestAMotorThatHoldsKeepsItsJoint(t *testing.T) {
	arm := func(name string, hold bool) *scene.ModelSpec {
		m := scenetest.Solid(name, 1, scene.Geom{Name: "rod", Kind: scene.Box, Size: r3.V(0.4, 0.05, 0.05)})
		m.Joints = []scene.Joint{{Name: "hinge", Kind: scene.Revolute, Parent: scene.World, Child: 0,
			Pose: at(-0.2, 0, 0), Axis: r3.V(0, 1, 0),
			Limit: scene.Limit{Set: true, Lower: -2, Upper: 2, Effort: 10}, Initial: 0.3, Hold: hold}}
		return m
	}
	lib := &scenetest.Library{ModelSpecs: map[string]*scene.ModelSpec{"limp": arm("limp", false),
		"held": arm("held", true)},
		WorldSpecs: map[string]*scene.WorldSpec{"empty": {Name: "empty", Gravity: r3.V(0, 0, -9.81)}}}
	w, err := NewWorld(Options{})
	if err != nil {
		t.Fatal(err)
	}
	act := func(c sim.Command) {
		t.Helper()
		if _, err := w.Apply(c, Load(lib, c)); err != nil {
			t.Fatal(err)
		}
	}
	act(sim.LoadWorld{Resource: sim.Resource{URI: "empty"}})
	for i, name := range []string{"held", "limp"} {
		act(sim.Spawn{Name: name, Resource: sim.Resource{URI: name},
			Pose: sim.FramedPose{Pose: at(0, float64(i), 1)}})
	}
	act(sim.SetState{State: sim.Playing})
	steps := func(n int) (held, limp float64) {
		for range n {
			if err := w.Step(); err != nil {
				t.Fatal(err)
			}
		}
		s := w.Snapshot()
		return s.JointsOf(0)[0].Position, s.JointsOf(1)[0].Position
	}
	held, limp := steps(500)
	if math.Abs(held-0.3) > 1e-3 {
		t.Errorf("the held arm is at %g rad, it began at 0.3", held)
	}
	if limp < 1 {
		t.Errorf("the limp arm is at %g rad: it has not fallen", limp)
	}
	act(sim.SetJoint{Name: "held", Joint: "hinge", Mode: sim.JointEffort, Target: 0})
	if held, _ = steps(500); held < 1 {
		t.Errorf("the arm that was let go is at %g rad: it has not fallen", held)
	}
}
