package simif

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/engine"
)

func (y *yard) setParameter(name, value string, taken bool) {
	y.T.Helper()
	r := rostest.Ask(y.Stage, "/simdeck/set_parameters", rclinterfaces.SetParametersService(),
		&rclinterfaces.SetParametersRequest{
			Parameters: []rclinterfaces.Parameter{{Name: name,
				Value: rclinterfaces.ParameterValue{Type: 4, StringValue: value}}}})
	if len(r.Results) != 1 || r.Results[0].Successful != taken || !taken && r.Results[0].Reason == "" {
		y.T.Errorf("setting %s to %q: %+v, want taken %v", name, value, r.Results, taken)
	}
}

func TestFeaturesAreThoseThatAreServed(t *testing.T) {
	inTheYard(t, func(y *yard) {
		f := rostest.Ask(y.Stage, "/get_simulator_features", simif2.GetSimulatorFeaturesService(),
			&simif2.GetSimulatorFeaturesRequest{}).Features
		services := map[string][]uint16{
			"spawn_entity": {0, 9}, "delete_entity": {1}, "get_named_poses": {2},
			"get_named_pose_bounds": {3}, "get_entities": {4, 8},
			"get_entity_bounds": {5, 6, 7}, "get_entity_state": {10}, "set_entity_state": {11},
			"get_entity_info": {12},
			"set_entity_info": {13}, "get_spawnables": {14}, "reset_simulation": {20, 21, 22, 23},
			"get_simulation_state": {24},
			"set_simulation_state": {25, 26}, "step_simulation": {31, 32}, "load_world": {40, 41},
			"get_available_worlds": {42, 45},
			"unload_world":         {43}, "get_current_world": {44}, "spawn_entities": {50},
			"get_entities_states": nil, "get_simulator_features": nil,
		}
		codes := []uint16{33} // simulate_steps, the action
		for _, s := range (&Services{}).table() {
			has, known := services[s.name]
			if !known {
				t.Errorf("%s is served and no feature names it", s.name)
			}
			codes = append(codes, has...)
		}
		slices.Sort(codes)
		if !slices.Equal(codes, f.Features) {
			t.Errorf("announced are %v, served are %v", f.Features, codes)
		}
		if want := "sdf urdf xacro mjcf proto prefab spawnable map"; strings.Join(f.SpawnFormats, " ") != want {
			t.Errorf("the formats are %q", f.SpawnFormats)
		}
		var custom map[string]any
		if err := json.Unmarshal([]byte(f.CustomInfo), &custom); err != nil || custom["version"] != "1.2.3" ||
			strings.Contains(f.CustomInfo, "\n") {
			t.Errorf("custom_info is %q: %v", f.CustomInfo, err)
		}
	})
}

func TestStatesFollowTheStandard(t *testing.T) {
	inTheYard(t, func(y *yard) {
		for _, c := range []struct {
			to   sim.State
			code uint8
			then sim.State
		}{
			{sim.Paused, 101, sim.Paused}, {sim.Playing, ok, sim.Playing}, {sim.Playing, 101, sim.Playing},
			{sim.NoWorld, 103, sim.Playing}, {sim.LoadingWorld, 103, sim.Playing},
			{77, operationFailed, sim.Playing},
			{sim.Stopped, ok, sim.Stopped}, {sim.Stopped, 101, sim.Stopped}, {sim.Paused, ok, sim.Paused},
			{sim.Stopped, ok, sim.Stopped},
			{sim.Playing, ok, sim.Playing}, {sim.Paused, ok, sim.Paused},
		} {
			want(t, "to "+c.to.String(), y.become(c.to), c.code)
			if s := y.now(); s != c.then {
				t.Errorf("after asking for %v it is %v, want %v", c.to, s, c.then)
			}
		}
	})
}

func TestSteppingNeedsAPauseAndIsExact(t *testing.T) {
	inTheYard(t, func(y *yard) {
		at := func() time.Duration {
			s := y.state("crate_a").State.Header.Stamp
			return node.SimDuration(s)
		}
		want(t, "none", y.step(0), ok)
		if at() != 0 {
			t.Errorf("no steps took %v", at())
		}
		want(t, "250", y.step(250), ok)
		if at() != time.Second {
			t.Errorf("250 steps of 4 ms end at %v", at())
		}
		if n := simif2.NewStepSimulationRequest().Steps; n != 1 {
			t.Errorf("the default is %d steps", n)
		}
		want(t, "to playing", y.become(sim.Playing), ok)
		want(t, "while playing", y.step(1), operationFailed)
		want(t, "to stopped", y.become(sim.Stopped), ok)
		want(t, "while stopped", y.step(1), operationFailed)
	})
}

// slow is a backend whose steps take until they are told to end. In a synctest
// bubble a real engine that steps for ever would hold the time.
type slow struct {
	*engine.Engine
	begun, end chan struct{}
}

func (s slow) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	if _, steps := c.(sim.StepWorld); !steps {
		return s.Engine.Do(ctx, c)
	}
	select {
	case s.begun <- struct{}{}:
		<-s.end
		return sim.Stepped{Completed: 7, Time: 28 * time.Millisecond},
			fmt.Errorf("%w: stopped", sim.ErrCancelled)
	default:
		return nil, fmt.Errorf("%w: steps are being done", sim.ErrIncorrectState)
	}
}

func TestALongStepHoldsUpNothingElse(t *testing.T) {
	var backend slow
	between := func(e *engine.Engine) sim.Backend {
		backend = slow{e, make(chan struct{}, 1), make(chan struct{})}
		return backend
	}
	inTheYardWith(t, between, func(y *yard) {
		first := make(chan simif2.Result, 1)
		go func() { first <- y.step(1 << 40) }()
		time.Sleep(time.Minute / 2)
		want(t, "a second one", y.step(1), incorrectState)
		if n := len(y.entities(simif2.EntityFilters{}).Entities); n != 4 {
			t.Errorf("meanwhile %d entities are listed", n)
		}
		close(backend.end)
		r := <-first
		want(t, "the long one", r, operationFailed)
		if !strings.Contains(r.ErrorMessage, "7 of 1099511627776 steps") {
			t.Errorf("it says %q, want how far it came", r.ErrorMessage)
		}
	})
}

func TestEachScopeResetsWhatItNames(t *testing.T) {
	for _, c := range []struct {
		scope                uint8
		code                 uint8
		time, state, spawned bool // reset to the initial value afterwards
	}{
		{1, ok, true, false, false}, {2, ok, false, true, false}, {4, ok, false, false, true},
		{5, ok, true, false, true},
		{0, ok, true, true, true}, {255, ok, true, true, true}, {8, featureUnsupported, false, false, false},
	} {
		inTheYard(t, func(y *yard) {
			want(t, "spawn", y.spawn(crateAt("extra", 30, 0, 0.3)).Result, ok)
			want(t, "step", y.step(10), ok)
			moved := y.state("crate_a").State
			moved.Pose.Position.X = 7
			want(t, "move", y.setState(simif2.SetEntityStateRequest{Entity: "crate_a", State: moved,
				SetPose: true}), ok)
			want(t, "reset", y.reset(c.scope), c.code)
			s := y.state("crate_a").State
			got := [3]bool{s.Header.Stamp.Nanosec == 0, s.Pose.Position.X == 0,
				y.state("extra").Result.Result == notFound}
			if got != [3]bool{c.time, c.state, c.spawned} {
				t.Errorf("scope %d: time, state and spawned are as at the start: %v; want %v %v %v", c.scope,
					got, c.time, c.state, c.spawned)
			}
			if y.now() != sim.Paused {
				t.Errorf("scope %d: the simulation is %v after the reset", c.scope, y.now())
			}
		})
	}
}

func TestWorldsAreListedLoadedAndUnloaded(t *testing.T) {
	inTheYard(t, func(y *yard) {
		current := func() *simif2.GetCurrentWorldResponse {
			return rostest.Ask(y.Stage, "/get_current_world", simif2.GetCurrentWorldService(),
				&simif2.GetCurrentWorldRequest{})
		}
		unload := func() simif2.Result {
			return rostest.Ask(y.Stage, "/unload_world", simif2.UnloadWorldService(),
				&simif2.UnloadWorldRequest{}).Result
		}
		available := func(q simif2.GetAvailableWorldsRequest) *simif2.GetAvailableWorldsResponse {
			return rostest.Ask(y.Stage, "/get_available_worlds", simif2.GetAvailableWorldsService(), &q)
		}
		if w := current(); w.World.Name != "yard" || w.World.Description != "A yard" ||
			!slices.Equal(w.World.Tags, []string{"test", "outdoor"}) {
			t.Errorf("the world is %+v", w.World)
		}
		list := available(simif2.GetAvailableWorldsRequest{Filter: simif2.TagsFilter{Tags: []string{"outdoor",
			"indoor"}}})
		want(t, "available", list.Result, ok)
		if len(list.Worlds) != 1 || list.Worlds[0].Name != "yard" {
			t.Fatalf("the worlds are %+v", list.Worlds)
		}
		if n := len(available(simif2.GetAvailableWorldsRequest{Filter: simif2.TagsFilter{
			Tags: []string{"outdoor",
				"indoor"}, FilterMode: 1}}).Worlds); n != 0 {
			t.Errorf("%d worlds are outdoor and indoor", n)
		}
		missing := simif2.GetAvailableWorldsRequest{AdditionalSources: []string{"/does/not/exist"}}
		want(t, "a source that is not there", available(missing).Result, operationFailed)
		missing.ContinueOnError = true
		want(t, "the same, going on", available(missing).Result, ok)

		want(t, "unload", unload(), ok)
		want(t, "unload again", unload(), 101)
		want(t, "current without one", current().Result, 101)
		want(t, "entities without one", y.entities(simif2.EntityFilters{}).Result, incorrectState)
		want(t, "play without one", y.become(sim.Playing), 103)
		want(t, "spawn without one", y.spawn(crateAt("x", 0, 0, 0)).Result, incorrectState)
		want(t, "step without one", y.step(1), incorrectState)

		r := y.load(list.Worlds[0].WorldResource.URI)
		want(t, "load", r.Result, ok)
		if r.World.Name != "yard" || y.now() != sim.Stopped {
			t.Errorf("loaded is %q, the state is %v", r.World.Name, y.now())
		}
		want(t, "nothing", y.load("").Result, 102)
		want(t, "format", y.load("world://@cache@/models/crate/drawing.usd").Result, 101)
		want(t, "unknown", y.load("world://@cache@/atlantis").Result, notFound)
		want(t, "broken", y.load("/broken/world.sdf").Result, notFound)
		broken := rostest.Ask(y.Stage, "/load_world", simif2.LoadWorldService(), &simif2.LoadWorldRequest{
			WorldResource: simif2.Resource{ResourceString: "<sdf version='1.9'>\n<world name='w'>"}})
		want(t, "syntax", broken.Result, 103)
		if y.now() != sim.Stopped {
			t.Errorf("after a world that failed to load the state is %v", y.now())
		}
	})
}

func TestQuittingIsAnswered(t *testing.T) {
	inTheYard(t, func(y *yard) {
		want(t, "quit", y.become(sim.Quitting), ok)
		select {
		case <-y.Ended:
		case <-time.After(time.Minute):
			t.Error("the engine goes on")
		}
		if _, err := y.Engine.Do(context.Background(), sim.StepWorld{N: 1}); err == nil {
			t.Error("the engine takes commands after it quit")
		}
	})
}
