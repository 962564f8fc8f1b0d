package attach

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func crate(name string, x float64) sim.Spawn {
	return sim.Spawn{Name: name, Resource: sim.Resource{URI: "model://crate"},
		Pose: sim.FramedPose{Pose: r3.Pose{Pos: r3.V(x, 0, 0.3)}}}
}

// attached is a Remote of a simdeck, and its engine.
func (f *field) attached(o Options) (*Remote, *engine.Engine) {
	f.t.Helper()
	e := f.simdeck("sim", ros.Config{})
	return f.g.Attach(f.find(Want{}), o), e
}

// carriedOut carries out a command that must succeed.
func (f *field) carriedOut(r *Remote, c sim.Command) sim.Reply {
	f.t.Helper()
	reply, err := r.Do(f.soon(), c)
	if err != nil {
		f.t.Fatalf("%#v: %v", c, err)
	}
	return reply
}

func TestEntitiesAreSteppedSpawnedChangedAndListedAsByABackend(t *testing.T) {
	for _, line := range []Line{Line2, Line1} {
		inTheField(t, func(f *field) {
			r, e := f.attached(Options{Line: line})
			do := func(c sim.Command) sim.Reply { t.Helper(); return f.carriedOut(r, c) }
			if got := do(sim.StepWorld{N: 25}); got != (sim.Stepped{Completed: 25,
				Time: 100 * time.Millisecond}) {
				t.Errorf("line %v: 25 steps: %+v", line, got)
			}
			if got := do(crate("box", 9)); got != (sim.Spawned{Name: "box"}) {
				t.Errorf("line %v: spawning: %+v", line, got)
			}
			at := r3.Pose{Pos: r3.V(12, 0, 0.3), Rot: r3.Identity()}
			do(sim.SetEntityState{Name: "box", Pose: &at})
			do(sim.SetEntityState{Name: "box", Twist: &r3.Twist{Linear: r3.V(1, 0, 0)}})
			if s, err := (sim.Entities{Backend: e}).State("box", ""); err != nil || s.Pose.Pos != at.Pos ||
				s.Twist.Linear != r3.V(1, 0, 0) {
				t.Errorf("line %v: set in two goes it is %+v, %v", line, s, err)
			}
			do(sim.SetEntityInfo{Name: "box", Info: scene.Info{Category: scene.Human, Tags: []string{"x"}}})
			if i, err := (sim.Entities{Backend: e}).Info("box"); err != nil || i.Category != scene.Human ||
				!slices.Equal(i.Tags, []string{"x"}) {
				t.Errorf("line %v: its info is %+v, %v", line, i, err)
			}
			batch, ok := do(sim.SpawnBatch{Spawns: []sim.Spawn{crate("b1", 20),
				crate("box", 21)}}).(sim.BatchSpawned)
			if !ok || len(batch.Results) != 2 || batch.Results[0] != (sim.SpawnResult{Name: "b1"}) ||
				!errors.Is(batch.Results[1].Err, sim.ErrNameTaken) {
				t.Errorf("line %v: a batch: %+v", line, batch)
			}
			now, list, err := r.Entities(f.soon(), "b")
			if err != nil || now != 100*time.Millisecond || len(list) != 2 || list[0].Name != "b1" ||
				list[1].State.Pose.Pos.X != 12 {
				t.Errorf("line %v: entities at %v: %+v, %v", line, now, list, err)
			}
			do(sim.Delete{Names: []string{"box", "b1"}})
			do(sim.Reset{})
		})
	}
}

func TestSpawnablesAndWorldsAreListedAndWorldsLoadedAsByABackend(t *testing.T) {
	for _, line := range []Line{Line2, Line1} {
		inTheField(t, func(f *field) {
			r, e := f.attached(Options{Line: line})
			do := func(c sim.Command) sim.Reply { t.Helper(); return f.carriedOut(r, c) }
			spawnables, _ := do(sim.ListSpawnables{}).(sim.Spawnables)
			if len(spawnables.List) != 1 || spawnables.List[0].Name != "model" &&
				spawnables.List[0].Name != "crate" || spawnables.List[0].Info.Description != "A crate" ||
				spawnables.List[0].Info.Bounds.Points[0] != r3.V(0.1, 0.2, 0.3) {
				t.Errorf("line %v: spawnables: %+v", line, spawnables)
			}
			worlds, _ := do(sim.ListWorlds{}).(sim.Worlds)
			if len(worlds.List) != 1 || worlds.List[0].Name != "yard" {
				t.Fatalf("line %v: worlds: %+v", line, worlds)
			}
			do(sim.UnloadWorld{})
			load := sim.LoadWorld{Resource: sim.Resource{URI: worlds.List[0].URI}}
			if w, ok := do(load).(sim.WorldLoaded); !ok ||
				w.World.Name != "yard" {
				t.Errorf("line %v: loaded: %+v", line, w)
			}
			do(sim.SetState{State: sim.Playing})
			if e.Snapshot().State != sim.Playing {
				t.Errorf("line %v: it is %v", line, e.Snapshot().State)
			}
		})
	}
}

func TestARefusalSaysWhoWhatAndWhyAndWrapsWhatAnEngineWould(t *testing.T) {
	nan := crate("n", math.NaN())
	inTheField(t, func(f *field) {
		r, _ := f.attached(Options{})
		for _, c := range []struct {
			command sim.Command
			want    error
			says    string
		}{
			{crate("crate_a", 9), sim.ErrNameTaken, `/simdeck refuses spawn_entity: NAME_NOT_UNIQUE (101): `},
			{crate("a b", 9), sim.ErrNameInvalid, "NAME_INVALID (102)"},
			{sim.Spawn{Name: "x"}, sim.ErrNoResource, "NO_RESOURCE (104)"},
			{sim.Spawn{Name: "x", Resource: sim.Resource{URI: "model://unicorn"}}, sim.ErrNotFound,
				"unicorn"},
			{sim.Spawn{Name: "x", Resource: sim.Resource{Document: "<sdf"}}, sim.ErrParse,
				"RESOURCE_PARSE_ERROR (106)"},
			{nan, sim.ErrInvalidPose, "INVALID_POSE (109)"},
			{sim.Delete{Names: []string{"nobody"}}, sim.ErrNotFound, "NOT_FOUND (2)"},
			{sim.Delete{Names: []string{"crate_a"}}, sim.ErrFailed, "OPERATION_FAILED (4)"},
			{sim.SetState{State: sim.Paused}, sim.ErrAlreadyInState, "ALREADY_IN_TARGET_STATE (101)"},
			{sim.SetState{State: sim.NoWorld}, sim.ErrTransition, "INCORRECT_TRANSITION (103)"},
			{sim.Reset{Scope: 8}, sim.ErrUnsupported, "FEATURE_UNSUPPORTED (0)"},
			{sim.LoadWorld{}, sim.ErrNoResource, "NO_RESOURCE (102)"},
			{sim.UnloadWorld{}, nil, ""}, // the failed load left the world as it was
			{sim.StepWorld{N: 1}, sim.ErrIncorrectState, "INCORRECT_STATE (3)"},
			{sim.UnloadWorld{}, sim.ErrNoWorld, "NO_WORLD_LOADED (101)"},
			{sim.SetPacing{RealTime: 2}, sim.ErrUnsupported,
				"cannot be asked of a simulator over simulation_interfaces"},
		} {
			_, err := r.Do(f.soon(), c.command)
			if !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%#v: %v\nwant %v that says %s", c.command, err, c.want, c.says)
			}
		}
	})
}

func TestADeleteOfSeveralSaysHowFarItCame(t *testing.T) {
	inTheField(t, func(f *field) {
		r, _ := f.attached(Options{})
		if _, err := r.Do(f.soon(), crate("mine", 9)); err != nil {
			t.Fatal(err)
		}
		_, err := r.Do(f.soon(), sim.Delete{Names: []string{"mine", "nobody"}})
		if !errors.Is(err, sim.ErrNotFound) || !strings.HasSuffix(err.Error(), "(deleted before it: mine)") {
			t.Errorf("%v", err)
		}
	})
}

func TestASimulatorWithoutStatesIsListedAsFarAsItTells(t *testing.T) {
	inTheField(t, func(f *field) {
		f.other("poor", "", func(n *node.Node) {
			serve(t, n, "~/get_entities", simif1.GetEntitiesService(),
				func(*simif1.GetEntitiesRequest) *simif1.GetEntitiesResponse {
					return &simif1.GetEntitiesResponse{Result: simif1.Result{Result: 1},
						Entities: []string{"b", "a"}}
				})
		})
		f.other("better", "", func(n *node.Node) {
			serve(t, n, "~/get_entities", simif1.GetEntitiesService(),
				func(*simif1.GetEntitiesRequest) *simif1.GetEntitiesResponse {
					return &simif1.GetEntitiesResponse{Result: simif1.Result{Result: 1},
						Entities: []string{"gone", "there"}}
				})
			serve(t, n, "~/get_entity_state", simif1.GetEntityStateService(),
				func(q *simif1.GetEntityStateRequest) *simif1.GetEntityStateResponse {
					s := simif1.NewGetEntityStateResponse()
					if s.Result.Result = 2; q.Entity == "there" {
						s.Result.Result, s.State.Header.Stamp.Sec = 1, 7
					}
					return s
				})
		})
		_, list, err := f.g.Attach(f.find(Want{Node: "poor"}), Options{}).Entities(f.soon(), "")
		if err != nil || len(list) != 2 || list[0] != (Entity{Name: "a"}) {
			t.Errorf("names only: %+v, %v", list, err)
		}
		at, list, err := f.g.Attach(f.find(Want{Node: "better"}), Options{}).Entities(f.soon(), "")
		if err != nil || at != 7*time.Second || len(list) != 2 || list[0].State != nil ||
			list[1].State == nil {
			t.Errorf("one by one: at %v %+v, %v", at, list, err)
		}
	})
}
