package sim

import (
	"context"
	"errors"
	"simdeck/sim/model"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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
func unloadable() []Resource {
	all := []Resource{{}, {URI: "nowhere"}, {Document: "<sdf"}}
	sound := scenetest.NewLibrary()
	for name := range spoilt().WorldSpecs {
		if sound.WorldSpecs[name] == nil {
			all = append(all, Resource{URI: name})
		}
	}
	return all
}

// lately is what reading a world gives that fails only when it is put into the dynamics: the model asks for
// what cannot be.
func lately(t *testing.T, c LoadWorld) Loaded {
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
	for _, state := range []State{Stopped, Paused, Playing} {
		for _, r := range append(unloadable(), Resource{URI: "late"}, Resource{URI: "panic"}) {
			w, twin := yard(t, Playing), yard(t, Playing)
			for range 50 {
				if err := errors.Join(w.Step(), twin.Step()); err != nil {
					t.Fatal(err)
				}
			}
			if state != Playing {
				apply(t, w, SetState{state})
				apply(t, twin, SetState{state})
			}
			before, hash := w.Snapshot(), w.Hash()
			apply(t, w, BeginLoad{r})
			if w.State() != LoadingWorld || w.Due() {
				t.Fatalf("%+v: %s while loading, due %t", r, w.State(), w.Due())
			}
			load := LoadWorld{Resource: r}
			var l Loaded
			switch r.URI {
			case "late":
				l = lately(t, LoadWorld{Resource: Resource{URI: "yard"}})
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
	spawn := Spawn{Name: "late_ball", Resource: Resource{URI: "ball"}, Pose: FramedPose{Pose: at(1, 1, 2)}}
	for _, c := range []Command{spawn, SetPacing{2}, Reset{}} {
		for range 20 {
			if err := errors.Join(w.Step(), twin.Step()); err != nil {
				t.Fatal(err)
			}
		}
		apply(t, w, c)
		apply(t, twin, c)
		if w.Hash() != twin.Hash() {
			t.Fatalf("after %s: %016x, and %016x where nothing had been loaded", Describe(c), w.Hash(),
				twin.Hash())
		}
	}
}

func TestALoadThatFailsDoesNotEndASteppingRequest(t *testing.T) {
	w := yard(t, Paused)
	if _, err := w.Apply(StepWorld{10}, Loaded{}); err != nil {
		t.Fatal(err)
	}
	_ = w.Step()
	apply(t, w, BeginLoad{Resource{URI: "nowhere"}})
	if _ = w.Step(); w.Snapshot().Step != 1 || w.Validate() != nil {
		t.Errorf("stepped to %d while loading (%v)", w.Snapshot().Step, w.Validate())
	}
	load := LoadWorld{Resource: Resource{URI: "nowhere"}}
	_, _ = w.Apply(load, Load(scenetest.NewLibrary(), load))
	for w.Due() {
		_ = w.Step()
	}
	if out, err := w.Outcome(); err != nil || out.Completed != 10 {
		t.Errorf("%+v, %v; want 10 steps", out, err)
	}
	if _, err := w.Apply(StepWorld{10}, Loaded{}); err != nil {
		t.Fatal(err)
	}
	apply(t, w, LoadWorld{Resource: Resource{URI: "yard"}})
	if out, err := w.Outcome(); !errors.Is(err, ErrCancelled) || out.Completed != 0 {
		t.Errorf("%+v, %v; want it ended by the world that was loaded", out, err)
	}
}

func TestAPlayingWorldPlaysOnWhenAnotherCannotBeLoaded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lib := spoilt()
		e := running(t, Config{Library: lib, World: Resource{URI: "yard"}, Start: Playing})
		do(t, e, Spawn{Name: "mine", Resource: Resource{URI: "ball"}, Pose: FramedPose{Pose: at(2, 2, 1)}})
		feed := e.Subscribe(Lossless(100_000, 0))
		defer feed.Close()
		lib.Gate = func() { time.Sleep(2 * time.Second) }
		for _, r := range unloadable() {
			var wait sync.WaitGroup
			wait.Go(func() {
				if _, err := e.Do(context.Background(), LoadWorld{Resource: r}); err == nil {
					t.Errorf("%+v: loaded", r)
				}
			})
			time.Sleep(time.Second)
			before := e.Snapshot()
			wait.Wait()
			if s := e.Snapshot(); s.State != Playing || s.Model.World.Name != "yard" ||
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
	w := yard(t, Playing)
	load := LoadWorld{Resource: Resource{URI: "yard"}}
	_, err := w.Apply(load, lately(t, load))
	if !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), "mass") {
		t.Errorf("%v, want what was wrong", err)
	}
}
