package engine_test

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// TestSurfacesOfAnMJCFFileMoveAsInMuJoCo: a belt, a turntable, and a plane under a ball. The
// reference is MuJoCo 4.0.0 on the same file after 2 s.
func TestSurfacesOfAnMJCFFileMoveAsInMuJoCo(t *testing.T) {
	file := `<mujoco><option timestep="0.002"/><worldbody>
		<geom type="box" size="2 .5 .05" euler="0 0 30" surfacevel="0.5 0 0" friction="0.6"/>
		<body name="a" pos="0 0 .15"><freejoint/><geom type="box" size=".1 .1 .1" friction="0.6"/></body>
		<geom type="cylinder" fromto="5 0 -.05 5 0 .05" size="1" surfacevel="0 0 0 0 0 1" friction="0.6"/>
		<body name="b" pos="5 0 .15"><freejoint/><geom type="box" size=".1 .1 .1" friction="0.6"/></body>
		<geom type="plane" pos="10 0 0" size="2 2 .1" surfacevel="0 -1 0" friction="0.6"/>
		<body name="c" pos="10 0 .1"><freejoint/><geom type="sphere" size=".1" friction="0.6"/></body>
		</worldbody></mujoco>`
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := sim.LoadWorld{Resource: scene.Resource{Document: file}}
	if _, err := w.Apply(c, engine.Load(mounted(t), c)); err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.SetState{State: sim.Playing})
	advance(t, w, 1000)
	for name, want := range map[string]struct {
		pos, linear r3.Vec
		turn        float64
	}{
		"a": {r3.V(0.84475, 0.48201, 0.14997), r3.V(0.43301, 0.25, 0), 0},
		"b": {r3.V(5, 0, 0.14997), r3.Vec{}, -1},
		"c": {r3.V(10, -0.56477, 0.09989), r3.V(0, -0.28587, 0), 0},
	} {
		i, ok := w.Snapshot().Find(name)
		if !ok {
			t.Fatalf("no entity %q", name)
		}
		e := w.Snapshot().Entities[i]
		if e.Pose.Pos.Dist(want.pos) > 0.01 || e.Twist.Linear.Dist(want.linear) > 5e-3 ||
			math.Abs(e.Twist.Angular.Z-want.turn) > 0.01 {
			t.Errorf("%s is at %v with %v; in MuJoCo at %v with %v", name, e.Pose.Pos, e.Twist, want.pos, want.linear)
		}
	}
}
