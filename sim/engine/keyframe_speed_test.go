package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// thrown has a free body with a ball joint and a hinge, and a cart of two joints with a pole. All of it moves
// at the start.
const thrown = `<mujoco model="thrown"><option timestep="0.001"/><worldbody>
<body name="base" pos="0 0 1"><freejoint/><geom size=".1"/>
<body name="arm" pos="0.2 0 0" euler="0 0 90"><joint name="b" type="ball" pos="0 0.1 0"/><geom size=".1"/>
<body name="hand" pos="0 .3 0"><joint name="h" axis="1 0 0" ref="30"/><geom size=".1"/></body></body></body>
<body name="cart" pos="5 0 0" euler="20 0 0"><joint name="s" type="slide" axis="1 0 1"/>
<joint name="t" axis="0 1 0" pos="0 0 -.2"/><geom size=".1"/>
<body name="pole" pos="0 0 .4"><joint name="p" axis="0 1 1"/><geom size=".1"/></body></body></worldbody>
<keyframe><key name="home" qpos="1 2 3 0.6 0 0.8 0 0.5 0.5 0.5 0.5 0.7 0.3 -0.4 0.5"
qvel="1 -0.5 2 0.7 -0.3 0.4 1 2 -1 1.5 0.6 -0.8 2"/></keyframe></mujoco>`

// velocities at the start by mj_objectVelocity, and positions after 0.2 s in steps of 10 µs, of MuJoCo 4.0.
var thrownLinks = map[string]struct{ linear, angular, later r3.Vec }{
	"base": {r3.V(1, -0.5, 2), r3.V(0.188, -0.3, -0.784), r3.V(1.200216, 1.900198, 3.203499)},
	"arm":  {r3.V(0.9924, -0.49, 1.8668), r3.V(2.388, -1.3, -0.384), r3.V(1.079551, 1.902694, 3.108596)},
	"hand": {r3.V(1.1016, -0.4, 2.2412), r3.V(2.808, -1.3, 1.056), r3.V(1.379002, 1.919122, 3.100873)},
	"cart": {r3.V(0.276894310, -0.123796631, 0.340128448), r3.V(0, -0.751754097, -0.273616115),
		r3.V(5.076512, -0.041998, 0.115389)},
	"pole": {r3.V(-0.017845208, -0.081176177, 0.223029714), r3.V(-0.550720701, 0.131664397, 1.434095358),
		r3.V(4.969317, -0.173802, 0.477517)},
}

// Velocities may differ by 1e-8 m/s and rad/s, positions after 0.2 s by 1 mm.
func TestAKeyframeGivesVelocitiesAsMuJoCoDoes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "thrown.xml")
	if err := os.WriteFile(file, []byte(thrown), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := sim.LoadWorld{Resource: sim.Resource{URI: file}}
	if _, err := w.Apply(c, engine.Load(mounted(t, dir), c)); err != nil {
		t.Fatal(err)
	}
	links := func() map[string]sim.LinkState {
		s, out := w.Snapshot(), map[string]sim.LinkState{}
		for i := range s.Entities {
			for k, l := range s.Model.Entities[i].Spec.Links {
				out[l.Name] = s.Links[s.Model.Entities[i].FirstLink+k]
			}
		}
		return out
	}
	check := func(when string) {
		t.Helper()
		got := links()
		for name, want := range thrownLinks {
			v := got[name].Twist
			if v.Linear.Dist(want.linear) > 1e-8 || v.Angular.Dist(want.angular) > 1e-8 {
				t.Errorf("%s, %s moves with %v, MuJoCo has %v and %v", when, name, v, want.linear, want.angular)
			}
		}
	}
	check("at the start")
	tell(t, w, sim.SetState{State: sim.Playing})
	run(t, w, 200)
	for name, l := range links() {
		if want, ok := thrownLinks[name]; ok && l.Pose.Pos.Dist(want.later) > 1e-3 {
			t.Errorf("after 0.2 s %s is at %v, MuJoCo has %v", name, l.Pose.Pos, want.later)
		}
	}
	tell(t, w, sim.Reset{})
	check("after a reset")
}
