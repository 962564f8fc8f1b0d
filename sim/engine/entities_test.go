package engine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestTheManagersNeedNoROS(t *testing.T) {
	e := running(t, Config{World: sim.Resource{URI: "yard"}})
	ctx := t.Context()
	entities, poses, simulator := sim.Entities{Backend: e}, sim.Poses{Backend: e}, sim.ControlAPI{Backend: e}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(simulator.Pause(ctx))
	dock, err := poses.Get("dock")
	check(err)
	name, err := entities.Spawn(ctx,
		sim.Spawn{Name: "r", Resource: sim.Resource{URI: "rover"},
			Pose: sim.FramedPose{Frame: "dock", Pose: r3.IdentityPose()}})
	check(err)
	state, err := entities.State(name, "dock")
	check(err)
	if !near(state.Pose.Pos, r3.Vec{}) || math.Abs(state.Pose.Rot.Yaw()) > 1e-9 {
		t.Errorf("stands at %v in the frame of %v", state.Pose, dock)
	}
	results, err := entities.SpawnAll(ctx,
		sim.Spawn{Name: "a", Resource: sim.Resource{URI: "ball"}, Pose: sim.FramedPose{Pose: at(0, 9, 1)}},
		sim.Spawn{Name: "a", Resource: sim.Resource{URI: "ball"}})
	check(err)
	if results[0].Err != nil || !errors.Is(results[1].Err, sim.ErrNameTaken) {
		t.Errorf("%+v", results)
	}
	names, err := entities.Names(sim.Filter{Categories: []scene.Category{scene.Robot}})
	check(err)
	if strings.Join(names, " ") != "r rover" {
		t.Errorf("robots %v", names)
	}
	check(entities.SetInfo(ctx, "a", scene.Info{Tags: []string{"round"}}))
	info, err := entities.Info("a")
	check(err)
	states, err := entities.States(sim.Filter{Tags: info.Tags}, "")
	check(err)
	if len(states) != 1 || states[0].Name != "a" || !near(states[0].State.Pose.Pos, r3.V(0, 9, 1)) {
		t.Errorf("%+v", states)
	}
	p := at(0, 0, 3)
	check(entities.SetState(ctx, sim.SetEntityState{Name: "a", Pose: &p}))
	bounds, err := entities.Bounds("a", scene.BoxBounds)
	check(err)
	if !near(bounds.Points[0], r3.V(0.5, 0.5, 0.5)) {
		t.Errorf("bounds %v", bounds.Points)
	}
	stepped, err := simulator.Step(ctx, 3)
	check(err)
	if stepped.Completed != 3 {
		t.Errorf("%+v", stepped)
	}
	check(entities.Delete(ctx, "a"))
	check(simulator.Pace(ctx, 2))
	check(simulator.Reset(ctx, sim.ResetTime))
	check(simulator.Play(ctx))
	check(simulator.Stop(ctx))
	if world, err := simulator.World(); err != nil || world.Name != "yard" ||
		simulator.State() != sim.Stopped {
		t.Errorf("%+v, %v, %v", world, err, simulator.State())
	}
	check(simulator.UnloadWorld(ctx))
	if _, err := simulator.World(); !errors.Is(err, sim.ErrNoWorld) {
		t.Errorf("no world: %v", err)
	}
	if w, err := simulator.LoadWorld(ctx, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}); err != nil ||
		w.URI != "yard" {
		t.Errorf("%+v, %v", w, err)
	}
	check(simulator.Quit(ctx))
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	e, err := New(Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"}})
	if err != nil {
		t.Fatal(err)
	}
	_, a := sim.Entities{Backend: e}.State("nobody", "")
	_, b := sim.Entities{Backend: e}.Info("nobody")
	_, c := sim.Entities{Backend: e}.Bounds("nobody", scene.BoxBounds)
	_, d := sim.Poses{Backend: e}.Get("nowhere")
	_, f := sim.Poses{Backend: e}.Bounds("nowhere")
	for i, err := range []error{a, b, c, d, f} {
		if !errors.Is(err, sim.ErrNotFound) {
			t.Errorf("question %d: %v, want ErrNotFound", i, err)
		}
	}
	if _, err := (sim.Entities{Backend: e}).States(sim.Filter{}, "nowhere"); !errors.Is(err,
		sim.ErrInvalidPose) {
		t.Errorf("unknown frame: %v", err)
	}
	if _, err := (sim.Entities{Backend: e}).Names(sim.Filter{Name: "("}); !errors.Is(err, sim.ErrFailed) {
		t.Errorf("bad filter: %v", err)
	}
}

func TestNamedPosesByTags(t *testing.T) {
	e, err := New(Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tags []string
		all  bool
		want int
	}{{nil, false, 2}, {nil, true, 2}, {[]string{"indoor", "start"}, false, 2},
		{[]string{"indoor", "start"}, true, 1}, {[]string{"moon"}, false, 0}} {
		if got, err := (sim.Poses{Backend: e}).List(c.tags, c.all); err != nil || len(got) != c.want {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
	if b, err := (sim.Poses{Backend: e}).Bounds("gate"); err != nil || b.Kind != scene.SphereBounds {
		t.Errorf("%+v, %v", b, err)
	}
	if b, err := (sim.Poses{Backend: e}).Bounds("dock"); err != nil || b.Kind != scene.NoBounds {
		t.Errorf("%+v, %v", b, err)
	}
}
