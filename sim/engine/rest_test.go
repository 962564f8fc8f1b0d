package engine_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// stillMoving are the files of the corpus in which something still moves after 5 s, and why.
var stillMoving = []struct{ file, why string }{
	{"sdf/gazebo_models/models/double_pendulum_with_base/", "a pendulum without friction swings on"},
	{"sdf/gazebo_models/models/demo_joint_types/", "joints without friction or motor swing and turn on"},
	{"sdf/gz_sim_examples/world_joint.sdf", "a pendulum without friction swings on"},
	{"sdf/gz_sim_examples/lights.sdf", "a ball rolls on: the ground has no rolling friction"},
	{"sdf/gz_sim_examples/actor.sdf", "an actor walks"},
	{"sdf/sdformat_models/models/test_actor/", "an actor walks"},
	{"sdf/gz_sim_examples/contact_sensor.sdf", "a ball rolls down what is tilted"},
	{"sdf/gz_sim_examples/mimic_fast_slow_pendulums_world.sdf", "pendulums without friction swing on"},
	{"sdf/gz_sim_examples/auto_inertia_rolling_shapes.sdf", "round bodies roll down a slope"},
	{"sdf/gz_sim_examples/polylines.sdf",
		"a tall block that fell from five metres rocks on its edges into the fifth second"},
	{"sdf/gz_sim_examples/physics_options.sdf", "bodies slide and roll down a slope"},
	{"sdf/gz_sim_examples/joint_controller.sdf",
		"a controller turns the joint at the velocity that the file gives"},
	{"sdf/gz_sim_tests/demo_joint_types.sdf", "joints without friction or motor swing and turn on"},
	{"sdf/gz_sim_tests/canonical.sdf", "balls and cylinders roll on: the ground has no rolling friction"},
	{"sdf/gz_sim_tests/friction.sdf", "a box slides down a slope without friction"},
	{"sdf/gz_sim_tests/double_pendulum.sdf", "a pendulum without friction swings on"},
	{"sdf/gz_sim_tests_b/entity_semantics.sdf", "a ball rolls on: the ground has no rolling friction"},
	{"sdf/gz_sim_tests_b/joints_in_world.sdf", "a pendulum without friction swings on"},
	{"sdf/gz_sim_tests_b/revolute_joint.sdf", "a pendulum without friction swings on"},
	{"sdf/gz_sim_tests_b/trisphere_cycle_wheel_slip.sdf", "a cycle rolls down a slope"},
	{"sdf/gz_sim_tests_b/nondefault_canonical.sdf",
		"a round body rolls on: the ground has no rolling friction"},
	{"sdf/sdformat_models/models/test_model_with_frames/",
		"round links roll on: the ground has no rolling friction"},
	{"sdf/sdformat_models/includes.sdf", "an actor walks"},
	{"sdf/sdformat_models/double_pendulum.sdf", "a pendulum without friction swings on"},
	{"sdf/sdformat_spec/basic_shapes.sdf",
		"a cone and a cylinder roll on: the ground has no rolling friction"},
	{"sdf/sdformat_spec/model_frame_relative_to_joint.sdf",
		"a ball rolls on: the ground has no rolling friction"},
	{"sdf/sdformat_spec/resolve_uris.sdf", "a round body rolls on: the ground has no rolling friction"},
	{"sdf/sdformat_spec/world_complete.sdf", "an actor walks"},
	{"urdf/large_model_1201_links/", "chains of continuous joints without friction or motor swing on"},
	{"urdf/sdformat_urdf_cases/cfm_damping_implicit_spring_damper.urdf",
		"a pendulum without friction swings on"},
	{"urdf/sdformat_urdf_cases/urdf_gazebo_extensions.urdf", "a pendulum swings on"},
	{"urdf/sdformat_urdf_cases/fixed_joint_reduction", "a pendulum without friction swings on"},
}

// TestEverythingOfTheCorpusComesToRest loads each robot, model and world of URDF and SDF in the corpus for 5
// s, models on a ground plane. No body explodes. In the last second none moves by 1 mm, nor any joint by
// 0.001, unless it has no ground or a listed reason. A tall robot with stiff joints rocks on its feet for
// longer, as a block does (Housner 1963). Such a world gets 5 s more.
func TestEverythingOfTheCorpusComesToRest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 24 s")
	}
	t.Run("own", func(t *testing.T) {
		dir, err := filepath.Abs("../../ros/interop/testdata")
		if err != nil {
			t.Fatal(err)
		}
		lib := mounted(t, dir+"/models", dir+"/share", dir+"/worlds", own(t))
		for _, file := range []string{dir + "/worlds/yard.world", dir + "/models/two_wheeler/model.sdf",
			dir + "/share/two_wheeler_description/urdf/two_wheeler.urdf", own(t) + "/quadruped.urdf.xacro"} {
			if w := loadedWorld(t, lib, file); w == nil {
				t.Errorf("%s is refused", file)
			} else if moves := comesToRest(t, file, w, 5); moves != "" {
				t.Errorf("%s: %s", file, moves)
			}
		}
	})
	t.Run("corpus", func(t *testing.T) { realRobotsAndWorldsComeToRest(t) })
}

func realRobotsAndWorldsComeToRest(t *testing.T) {
	dir := corpus(t)
	items, err := filepath.Glob(dir + "/*/*/item.json")
	if err != nil || len(items) < 30 {
		t.Fatalf("%d items, %v", len(items), err)
	}
	used, rested := make([]bool, len(stillMoving)), 0
	for _, item := range items {
		folder := filepath.Dir(item)
		group := filepath.Base(filepath.Dir(folder))
		if group != "urdf" && group != "sdf" { // the others have tests of their own
			continue
		}
		var list struct{ Main []string }
		data, err := os.ReadFile(item)
		if err == nil {
			err = json.Unmarshal(data, &list)
		}
		if err != nil {
			t.Fatal(err)
		}
		lib := mounted(t, folder)
		for _, main := range list.Main {
			name := strings.TrimPrefix(folder, dir+"/") + "/" + main
			w := loadedWorld(t, lib, folder+"/"+main)
			if w == nil {
				continue // readers' tests say why each is refused
			}
			rested++
			seconds := 5
			if strings.Contains(name, "1201_links") { // 5 s take longer than all others together
				seconds = 2
			}
			moves := comesToRest(t, name, w, seconds)
			if moves != "" && !isListed(name) {
				moves = comesToRest(t, name, w, 5)
			}
			for i, r := range stillMoving {
				if strings.HasPrefix(name, r.file) && moves != "" {
					used[i], moves = true, ""
				}
			}
			if moves != "" {
				t.Errorf("%s: %s", name, moves)
			}
		}
	}
	for i, r := range stillMoving {
		if !used[i] {
			t.Logf("%s is at rest; its reason is stale", r.file)
		}
	}
	if rested < 200 {
		t.Errorf("only %d files load", rested)
	}
}

// isListed reports that a file has a reason to move for ever.
func isListed(name string) bool {
	for _, r := range stillMoving {
		if strings.HasPrefix(name, r.file) {
			return true
		}
	}
	return false
}

// loadedWorld plays the world of a file; nil: it is refused.
func loadedWorld(t *testing.T, lib scene.Library, file string) *engine.World {
	t.Helper()
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := sim.LoadWorld{Resource: scene.Resource{URI: file}, IgnoreMissingAssets: true}
	if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
		return nil
	}
	do(t, w, sim.SetState{State: sim.Playing})
	return w
}

// comesToRest runs a world for some seconds and says what of it moves in the last one; nothing is empty.
func comesToRest(t *testing.T, name string, w *engine.World, seconds int) string {
	second := int(math.Round(1 / w.StepSize().Seconds()))
	run := func(n int) bool {
		for range n {
			if err := w.Step(); err != nil {
				t.Errorf("%s: %v", name, err)
				return false
			}
		}
		return true
	}
	if !run((seconds - 1) * second) {
		return ""
	}
	before := w.Snapshot()
	if !run(second) {
		return ""
	}
	if err := w.Validate(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	end := w.Snapshot()
	for i := range end.Entities {
		now, spec := &end.Entities[i], end.Model.Entities[i].Spec
		if fall := now.Twist.Linear.Z; fall < -45 && fall > -52 && now.Pose.Pos.Z < -80 {
			continue // falls freely: it has no shape, or the world no ground
		}
		if d := now.Pose.Pos.Dist(before.Entities[i].Pose.Pos); !(d < 1e-3) {
			return fmt.Sprintf("%s moves %.2g m in a second", end.Model.Entities[i].Name, d)
		}
		for k, j := range end.JointsOf(i) {
			if d := math.Abs(j.Position - before.JointsOf(i)[k].Position); !(d < 1e-3) {
				return fmt.Sprintf("joint %s of %s moves by %.2g in a second", spec.Joints[k].Name,
					end.Model.Entities[i].Name, d)
			}
		}
	}
	return ""
}
