package engine_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// dancer has a free body, a ball joint, a hinge that counts from 30°, and a body that is moved from outside.
const dancer = `<mujoco model="dancer"><worldbody>
<body name="base" pos="0 0 1"><freejoint/><geom size=".1"/>
<body name="arm" pos="0.2 0 0" euler="0 0 90"><joint name="b" type="ball" pos="0 0.1 0"/><geom size=".1"/>
<body name="hand" pos="0 .3 0"><joint name="h" axis="1 0 0" ref="30"/><geom size=".1"/></body></body></body>
<body name="m" mocap="true" pos="3 0 0"><geom size=".1"/></body></worldbody>
<keyframe><key name="home" qpos="0 0 2 1 0 0 0 1 0 0 0 .1"/>
<key name="arms up" qpos="1 2 3 0.6 0 0.8 0 0.5 0.5 0.5 0.5 0.7" mpos="4 5 6" mquat="0 0 0 1"/></keyframe></mujoco>`

// poses of mj_kinematics (MuJoCo 4.0) after mj_resetDataKeyframe, w x y z.
var armsUp = map[string][7]float64{
	"base": {1.0, 2.0, 3.0, 0.6, 0.0, 0.8, 0.0},
	"arm": {0.876, 2.0, 2.932, -0.565685424949238, 0.5656854249492381, 0.42426406871192857,
		0.42426406871192845},
	"hand": {1.1640000000000001, 2.0, 2.848, -0.6133156548656764, 0.5136573833760075, 0.4599867411492573,
		0.38524303753200545},
	"m": {4, 5, 6, 0, 0, 0, 1},
}

// linkPoses are the poses of all links in the world, by name.
func linkPoses(w *engine.World) map[string]r3.Pose {
	s := w.Snapshot()
	out := map[string]r3.Pose{}
	for i := range s.Entities {
		spec := s.Model.Entities[i].Spec
		for k := range spec.Links {
			out[spec.Links[k].Name] = s.Links[s.Model.Entities[i].FirstLink+k].Pose
		}
	}
	return out
}

func TestAWorldBeginsAtTheKeyframeThatIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "dancer.xml")
	if err := os.WriteFile(file, []byte(dancer), 0o600); err != nil {
		t.Fatal(err)
	}
	lib := mounted(t, dir)
	load := func(keyframe string) (*engine.World, error) {
		w, err := engine.NewWorld(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := sim.LoadWorld{Resource: sim.Resource{URI: file + keyframe}}
		_, err = w.Apply(c, engine.Load(lib, c))
		return w, err
	}
	w, err := load("?keyframe=arms+up")
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		got := linkPoses(w)
		for name, want := range armsUp {
			p := got[name]
			turn := r3.Quat{W: want[3], X: want[4], Y: want[5], Z: want[6]}
			if d := p.Pos.Dist(r3.V(want[0], want[1], want[2])); d > 1e-12 ||
				p.Rot.Mul(turn.Conj()).Vector().Len() > 1e-12 {
				t.Errorf("%s, %s stands at %v, %g m from where MuJoCo has it", when, name, p, d)
			}
		}
	}
	check("at the start")
	for range 100 {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Apply(sim.Reset{}, engine.Loaded{}); err != nil {
		t.Fatal(err)
	}
	check("after a reset")
	if w, err = load(""); err != nil || math.Abs(linkPoses(w)["base"].Pos.Z-2) > 1e-12 {
		t.Errorf("without a keyframe it begins at %v, not at home: %v", linkPoses(w)["base"], err)
	}
	if _, err = load("?keyframe=armsup"); !errors.Is(err, scene.ErrParse) {
		t.Errorf("a keyframe that is not there: %v", err)
	}
}
