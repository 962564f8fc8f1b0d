package engine_test

import (
	"path/filepath"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// TestLightWheelsBearAHeavyBody: the robot of Webots' lidar.wbt weighs many times what its wheels do. At
// short steps and long it stands on them and does not sag on its axles.
func TestLightWheelsBearAHeavyBody(t *testing.T) {
	t.Run("own", func(t *testing.T) { bearsItsBody(t, own(t)+"/webots/worlds/yard.wbt") })
	t.Run("corpus", func(t *testing.T) {
		bearsItsBody(t, corpus(t)+"/webots/webots_samples/projects/samples/devices/worlds/lidar.wbt")
	})
}

// bearsItsBody looks how far the links of the robots of a world sink in 3 s.
func bearsItsBody(t *testing.T, name string) {
	t.Helper()
	lib := mounted(t, filepath.Dir(filepath.Dir(name)))
	for _, dt := range []time.Duration{time.Millisecond, 2 * time.Millisecond, 4 * time.Millisecond,
		8 * time.Millisecond} {
		w, err := engine.NewWorld(engine.Options{StepSize: dt})
		if err != nil {
			t.Fatal(err)
		}
		c := sim.LoadWorld{Resource: scene.Resource{URI: name}, IgnoreMissingAssets: true}
		if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
			t.Fatal(err)
		}
		do(t, w, sim.SetState{State: sim.Playing})
		heights := func() map[string]float64 {
			s, out := w.Snapshot(), map[string]float64{}
			for i := range s.Model.Entities {
				if e := &s.Model.Entities[i]; len(e.Spec.Joints) > 0 && !e.Static {
					for k, l := range s.LinksOf(i) {
						out[e.Name+"/"+e.Spec.Links[k].Name] = l.Pose.Pos.Z
					}
				}
			}
			return out
		}
		before := heights()
		seconds(t, w, 3)
		after := heights()
		if len(before) == 0 {
			t.Fatal("no robot on wheels")
		}
		for link, z := range after {
			t.Logf("step %v: %s sinks by %.2f mm", w.StepSize(), link, 1e3*(before[link]-z))
			if d := before[link] - z; d > 1e-3 || d < -1e-3 {
				t.Errorf("step %v: %s sinks by %.2f mm", w.StepSize(), link, 1e3*d)
			}
		}
	}
}
