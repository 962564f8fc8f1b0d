package engine

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// spoilt are worlds that cannot be loaded: some cannot be read, some not be compiled, some not be built.
func spoilt() *scenetest.Library {
	late := scenetest.Box(1)
	late.Links[0].Inertial.Mass = nan()
	twice := func(name string) scene.Placed {
		return scene.Placed{Name: name, Model: scenetest.Box(1), Pose: at(0, 0, 1)}
	}
	s := scenetest.NewLibrary()
	for name, spec := range map[string]*scene.WorldSpec{
		"step size": {StepSize: 5},
		"gravity":   {Gravity: r3.V(nan(), 0, 0)},
		"pose": {Models: []scene.Placed{{Name: "a", Model: scenetest.Ball(),
			Pose: at(nan(), 0, 0)}}},
		"named pose": {NamedPoses: []scene.NamedPose{{Name: "a", Pose: at(nan(), 0, 0)}}},
		"named pose twice": {NamedPoses: []scene.NamedPose{{Name: "a", Pose: at(0, 0, 0)},
			{Name: "a", Pose: at(0, 0, 0)}}},
		"model": {Models: []scene.Placed{{Name: "a", Model: &scene.ModelSpec{},
			Pose: at(0, 0, 0)}}},
		"two of a name": {Models: []scene.Placed{twice("a"), twice("a")}},
		"second model":  {Models: []scene.Placed{twice("a"), {Name: "b", Model: late, Pose: at(0, 0, 0)}}},
		"missing mesh": {Models: []scene.Placed{twice("a")},
			Notes: scene.Notes{{Kind: scene.Missing, Text: "x.stl"}}},
	} {
		s.WorldSpecs[name] = spec
	}
	return s
}

// unloadable are the resources of worlds that cannot be loaded.
func unloadable() []sim.Resource {
	all := []sim.Resource{{}, {URI: "nowhere"}, {Document: "<sdf"}}
	sound := scenetest.NewLibrary()
	for name := range spoilt().WorldSpecs {
		if sound.WorldSpecs[name] == nil {
			all = append(all, sim.Resource{URI: name})
		}
	}
	return all
}

// lately is a Loaded that fails only when it is put into the dynamics: its model has an impossible value.
func lately(t *testing.T, c sim.LoadWorld) Loaded {
	l := Load(scenetest.NewLibrary(), c)
	if l.err != nil {
		t.Fatal(l.err)
	}
	last := len(l.models) - 1
	broken := *l.models[last].model
	broken.Bodies = append([]model.Body(nil), broken.Bodies...)
	broken.Bodies[len(broken.Bodies)-1].Mass.Mass = nan()
	l.models[last].model = &broken
	return l
}

func TestALoadThatFailsLeavesTheWorldAsItWas(t *testing.T) {
	for _, state := range []sim.State{sim.Stopped, sim.Paused, sim.Playing} {
		for _, r := range append(unloadable(), sim.Resource{URI: "late"}, sim.Resource{URI: "panic"}) {
			w, twin := yard(t, sim.Playing), yard(t, sim.Playing)
			for range 50 {
				if err := errors.Join(w.Step(), twin.Step()); err != nil {
					t.Fatal(err)
				}
			}
			if state != sim.Playing {
				apply(t, w, sim.SetState{State: state})
				apply(t, twin, sim.SetState{State: state})
			}
			before, hash := w.Snapshot(), w.Hash()
			apply(t, w, sim.BeginLoad{Resource: r})
			if w.State() != sim.LoadingWorld || w.Due() {
				t.Fatalf("%+v: %s while loading, due %t", r, w.State(), w.Due())
			}
			load := sim.LoadWorld{Resource: r}
			var l Loaded
			switch r.URI {
			case "late":
				l = lately(t, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
			case "panic":
				l = Loaded{world: &scene.WorldSpec{Models: []scene.Placed{{Name: "a", Pose: at(0, 0, 0)}}},
					models: []loadedModel{{}}}
			default:
				l = Load(spoilt(), load)
			}
			if _, err := w.Apply(load, l); err == nil {
				t.Fatalf("%+v: loaded", r)
			}
			after := w.Snapshot()
			if w.Hash() != hash || w.State() != state || after.Time != before.Time ||
				after.Step != before.Step || after.Model != before.Model {
				t.Errorf("%+v from %s: left %s at %v, %016x, was %016x; same model %t", r, state, w.State(),
					after.Time, w.Hash(), hash, after.Model == before.Model)
			}
			if err := w.Validate(); err != nil {
				t.Error(err)
			}
			goesOnLike(t, w, twin)
		}
	}
}

// goesOnLike steps two worlds and resets them; they are the same all the way.
func goesOnLike(t *testing.T, w, twin *World) {
	t.Helper()
	spawn := sim.Spawn{Name: "late_ball", Resource: sim.Resource{URI: "ball"},
		Pose: sim.FramedPose{Pose: at(1, 1, 2)}}
	for _, c := range []sim.Command{spawn, sim.SetPacing{RealTime: 2}, sim.Reset{}} {
		for range 20 {
			if err := errors.Join(w.Step(), twin.Step()); err != nil {
				t.Fatal(err)
			}
		}
		apply(t, w, c)
		apply(t, twin, c)
		if w.Hash() != twin.Hash() {
			t.Fatalf("after %s: %016x, and %016x where nothing had been loaded", sim.Describe(c), w.Hash(),
				twin.Hash())
		}
	}
}

func TestALoadThatFailsDoesNotEndASteppingRequest(t *testing.T) {
	w := yard(t, sim.Paused)
	if _, err := w.Apply(sim.StepWorld{N: 10}, Loaded{}); err != nil {
		t.Fatal(err)
	}
	_ = w.Step()
	apply(t, w, sim.BeginLoad{Resource: sim.Resource{URI: "nowhere"}})
	if _ = w.Step(); w.Snapshot().Step != 1 || w.Validate() != nil {
		t.Errorf("stepped to %d while loading (%v)", w.Snapshot().Step, w.Validate())
	}
	load := sim.LoadWorld{Resource: sim.Resource{URI: "nowhere"}}
	_, _ = w.Apply(load, Load(scenetest.NewLibrary(), load))
	for w.Due() {
		_ = w.Step()
	}
	if out, err := w.Outcome(); err != nil || out.Completed != 10 {
		t.Errorf("%+v, %v; want 10 steps", out, err)
	}
	if _, err := w.Apply(sim.StepWorld{N: 10}, Loaded{}); err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
	if out, err := w.Outcome(); !errors.Is(err, sim.ErrCancelled) || out.Completed != 0 {
		t.Errorf("%+v, %v; want it ended by the world that was loaded", out, err)
	}
}

func TestAPlayingWorldPlaysOnWhenAnotherCannotBeLoaded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lib := spoilt()
		e := running(t, Config{Library: lib, World: sim.Resource{URI: "yard"}, Start: sim.Playing})
		do(t, e, sim.Spawn{Name: "mine", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: at(2, 2, 1)}})
		feed := e.Subscribe(sim.Lossless(100_000, 0))
		defer feed.Close()
		lib.Gate = func() { time.Sleep(2 * time.Second) }
		for _, r := range unloadable() {
			var wait sync.WaitGroup
			wait.Go(func() {
				if _, err := e.Do(context.Background(), sim.LoadWorld{Resource: r}); err == nil {
					t.Errorf("%+v: loaded", r)
				}
			})
			time.Sleep(time.Second)
			before := e.Snapshot()
			wait.Wait()
			if s := e.Snapshot(); s.State != sim.Playing || s.Model.World.Name != "yard" ||
				len(s.Entities) != len(before.Entities) || s.Time < before.Time {
				t.Fatalf("%+v: %s of %q at %v with %d entities; before it was %v with %d", r, s.State,
					s.Model.World.Name, s.Time, len(s.Entities), before.Time, len(before.Entities))
			}
			at := e.Snapshot().Time
			time.Sleep(time.Second)
			if s := e.Snapshot(); s.Time <= at {
				t.Fatalf("%+v: stands at %v", r, s.Time)
			}
		}
		last, seen := time.Duration(-1), 0
		for more := true; more; {
			select {
			case s := <-feed.C():
				if s.Time < last {
					t.Fatalf("a subscriber saw %v after %v", s.Time, last)
				}
				last, seen = s.Time, seen+1
			default:
				more = false
			}
		}
		if now := e.Snapshot().Time; now-last > 100*time.Millisecond || seen < 100 {
			t.Errorf("a subscriber of before has %d pictures, up to %v of %v", seen, last, now)
		}
	})
}

func TestWhyABrokenWorldWasNotBuiltIsSaid(t *testing.T) {
	w := yard(t, sim.Playing)
	load := sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}
	_, err := w.Apply(load, lately(t, load))
	if !errors.Is(err, sim.ErrFailed) || !strings.Contains(err.Error(), "mass") {
		t.Errorf("%v, want what was wrong", err)
	}
}

func TestTheWorldThatALoadReplacedIsTakenUpAsItStood(t *testing.T) {
	for _, state := range []sim.State{sim.Paused, sim.Playing} {
		w, twin := yard(t, sim.Playing), yard(t, sim.Playing)
		spawn := sim.Spawn{Name: "extra", Resource: sim.Resource{URI: "arm"},
			Pose: sim.FramedPose{Pose: at(3, 3, 0)}}
		for _, c := range []sim.Command{spawn, sim.DriveEntity{Name: "rover", Twist: twist(0.4, 0.3)}} {
			apply(t, w, c)
			apply(t, twin, c)
		}
		for range 50 {
			if err := errors.Join(w.Step(), twin.Step()); err != nil {
				t.Fatal(err)
			}
		}
		if state == sim.Paused {
			apply(t, w, sim.SetState{State: state})
			apply(t, twin, sim.SetState{State: state})
			if _, err := w.Apply(sim.StepWorld{N: 10}, Loaded{}); err != nil { // is not continued
				t.Fatal(err)
			}
		}
		apply(t, w, sim.BeginLoad{Resource: sim.Resource{URI: "void"}})
		loaded, _ := apply(t, w, sim.LoadWorld{Resource: sim.Resource{URI: "void"}}).(sim.WorldLoaded)
		if loaded.Before == nil || len(w.Snapshot().Entities) != 0 {
			t.Fatalf("loaded %+v", loaded)
		}
		apply(t, w, *loaded.Before)
		if w.State() != state || w.Hash() != twin.Hash() || w.Stepping() {
			t.Fatalf("%s, %016x, was %s, %016x", w.State(), w.Hash(), state, twin.Hash())
		}
		if state == sim.Paused {
			apply(t, w, sim.SetState{State: sim.Playing})
			apply(t, twin, sim.SetState{State: sim.Playing})
		}
		goesOnLike(t, w, twin)
	}
}

func TestOpeningReadsTheWorldByOneLibraryAndLaterCommandsByAnother(t *testing.T) {
	own, clients := scenetest.NewLibrary(), scenetest.NewLibrary()
	own.WorldSpecs["mine"] = &scene.WorldSpec{Name: "mine"}
	clients.ModelSpecs["theirs"] = scenetest.Ball()
	e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Playing})
	mine := sim.LoadWorld{Resource: sim.Resource{URI: "mine"}}
	spawn := sim.Spawn{Name: "b", Resource: sim.Resource{URI: "theirs"}}
	if _, err := e.Do(t.Context(), mine); !errors.Is(err, sim.ErrNotFound) {
		t.Fatalf("a command loads the user's world: %v", err)
	}
	gone := sim.LoadWorld{Resource: sim.Resource{URI: "no"}}
	if _, err := e.Open(t.Context(), own, clients, gone); err == nil {
		t.Fatal("a world that is not there was opened")
	}
	if _, err := e.Do(t.Context(), spawn); !errors.Is(err, sim.ErrNotFound) {
		t.Fatalf("a world that was not opened changes the library: %v", err)
	}
	r, err := e.Open(t.Context(), own, clients, mine)
	loaded, _ := r.(sim.WorldLoaded)
	if err != nil || loaded.World.Name != "mine" || loaded.Before == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	do(t, e, spawn)
	if _, err := e.Open(t.Context(), own, clients, spawn); !errors.Is(err, sim.ErrUnsupported) {
		t.Errorf("spawning opens a world: %v", err)
	}
	there, _ := do(t, e, sim.LoadWorld{Resource: sim.Resource{URI: "void"}}).(sim.WorldLoaded)
	do(t, e, *there.Before) // a client could not read its world
	if s := e.Snapshot(); s.Model.World.Name != "mine" || len(s.Entities) != 1 {
		t.Errorf("world %s with %d entities", s.Model.World.Name, len(s.Entities))
	}
	if _, err := e.Open(t.Context(), scenetest.NewLibrary(), clients, *loaded.Before); err != nil {
		t.Error(err)
	}
	if s := e.Snapshot(); s.Model.World.Name != "yard" || s.State != sim.Playing {
		t.Errorf("world %s, %s", s.Model.World.Name, s.State)
	}
}
