package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// blind is a library whose cameras are left out: nobody looks at their pictures here.
type blind struct{ scene.Library }

func (b blind) World(r scene.Resource) (*scene.WorldSpec, error) {
	w, err := b.Library.World(r)
	if err != nil {
		return nil, err
	}
	for i := range w.Models {
		m := *w.Models[i].Model
		m.Links = slices.Clone(m.Links)
		for k := range m.Links {
			m.Links[k].Sensors = slices.DeleteFunc(slices.Clone(m.Links[k].Sensors),
				func(s scene.Sensor) bool { return s.Kind == scene.Camera })
		}
		w.Models[i].Model = &m
	}
	return w, nil
}

// restless are files in which something still moves after 5 s, and why that is right.
var restless = map[string]string{
	"dm_control_suite/manipulator.xml":             "the unpowered arm swings in its dampers, and the ball rolls",
	"mjx_test_data/sensor/model.xml":               falls,
	"mjx_test_data/sensor/sensor.xml":              "pendulums without dampers swing on",
	"mjx_test_data/pendula.xml":                    falls,
	"mjx_test_data/tendon/fixed.xml":               "pendulums without dampers swing on",
	"mjx_test_data_b/tendon/armature.xml":          falls,
	"mjx_test_data_b/actuator/general_dyntype.xml": falls,
	"mujoco_models/replicate/newton_cradle.xml":    "balls on strings swing on",
	"mujoco_models/replicate/stonehenge.xml":       "the wrecking ball rolls on among the stones",
	"mujoco_models/sleep/dominos.xml":              "the last rows still topple",
	"mujoco_models/surfacevel/treadmill.xml":       "the rider whom the belt threw off still slides; MuJoCo's by 4 mm then",
}

const falls = "it hangs on a slide without an end, or has no contacts, and falls"

// short are files that are played for one second only, at their own step: they are many bodies.
var short = map[string]bool{"mujoco_models/humanoid/22_humanoids.xml": true,
	"mujoco_models/replicate/leaves.xml": true, "mujoco_models/replicate/bowl.xml": true}

func TestEveryModelOfMuJoCoSettlesInItsOwnWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 3 s")
	}
	t.Run("own", func(t *testing.T) {
		lib := blind{mounted(t, own(t)+"/mjcf")}
		if far, late, err := restingDistance(t, lib, own(t)+"/mjcf/arm.xml", false); err != nil ||
			far > 0.1 ||
			late > 1e-3 {
			t.Errorf("arm.xml: something moves %.3g m, and %.3g m in the fifth second: %v", far, late, err)
		}
		if far, late, err := restingDistance(t, lib, own(t)+"/mjcf/pendulum.xml", false); err != nil ||
			far > 1 || late < 1e-2 {
			t.Errorf("pendulum.xml: something moves %.3g m, and %.3g m in the fifth second: %v", far, late,
				err)
		}
	})
	t.Run("corpus", func(t *testing.T) { realModelsOfMuJoCoSettle(t) })
}

func realModelsOfMuJoCoSettle(t *testing.T) {
	dir := corpus(t)
	lists, err := filepath.Glob(filepath.Join(dir, "mjcf", "*", "item.json"))
	if err != nil || len(lists) < 8 {
		t.Fatalf("%d items, %v", len(lists), err)
	}
	settled := 0
	for _, list := range lists {
		var e struct{ Main []string }
		data, err := os.ReadFile(list)
		if err == nil {
			err = json.Unmarshal(data, &e)
		}
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Dir(list)
		for _, f := range e.Main {
			name := path.Join(filepath.Base(folder), f)
			if strings.HasPrefix(name, "aloha_fragments/") {
				continue // no models of their own; the readers' tests see them refused
			}
			settled++
			far, late, err := restingDistance(t, blind{mounted(t, folder)}, filepath.Join(folder, f),
				short[name])
			why := restless[name]
			switch {
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case far > 200: // a free fall of 5 s is 123 m, and some overlap at the start
				t.Errorf("%s: something flew %.3g m", name, far)
			case late > 1e-3 && why == "" && !short[name]:
				t.Errorf("%s: something moves %.3g m in the fifth second", name, late)
			case short[name]:
			case late <= 1e-3 && why != "":
				t.Logf("%s rests, although %s", name, why)
			}
		}
	}
	if settled < 37 {
		t.Errorf("%d files", settled)
	}
}

// restingDistance plays a world for 5 s, or a short time: how far a link went, and how far in the last
// second.
func restingDistance(t *testing.T, lib scene.Library, uri string, brief bool) (far, late float64, err error) {
	o, steps := engine.Options{StepSize: 4 * time.Millisecond}, 1250
	if brief {
		o, steps = engine.Options{}, 300
	}
	w, err := engine.NewWorld(o)
	if err != nil {
		return 0, 0, err
	}
	c := sim.LoadWorld{Resource: scene.Resource{URI: uri}, IgnoreMissingAssets: true}
	if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
		return 0, 0, err
	}
	do(t, w, sim.SetState{State: sim.Playing})
	start := w.Snapshot().Links
	fourth := start
	for i := range steps {
		if i == steps*4/5 {
			fourth = w.Snapshot().Links
		}
		if err := w.Step(); err != nil {
			return 0, 0, fmt.Errorf("step %d: %w", i, err)
		}
	}
	for i, l := range w.Snapshot().Links {
		far = max(far, l.Pose.Pos.Dist(start[i].Pose.Pos))
		late = max(late, l.Pose.Pos.Dist(fourth[i].Pose.Pos))
	}
	return far, late, w.Validate()
}
