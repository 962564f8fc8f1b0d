package engine

import (
	"context"
	"sync"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func at(x, y, z float64) r3.Pose { return r3.Pose{Pos: r3.V(x, y, z), Rot: r3.Identity()} }

// yard is a world with the yard loaded, in a state.
func yard(t testing.TB, state sim.State) *World {
	t.Helper()
	w, err := NewWorld(Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
	if state != sim.Stopped {
		apply(t, w, sim.SetState{State: state})
	}
	return w
}

// compiled is a description as the engine has it.
func compiled(t testing.TB, spec *scene.ModelSpec) *model.Model {
	t.Helper()
	m, err := model.Compile(spec, false)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// apply carries out a command that must not be refused.
func apply(t testing.TB, w *World, c sim.Command) sim.Reply {
	t.Helper()
	r, err := try(w, c)
	if err != nil {
		t.Fatalf("%s: %v", sim.Describe(c), err)
	}
	return r
}

func try(w *World, c sim.Command) (sim.Reply, error) {
	r, err := w.Apply(c, Load(scenetest.NewLibrary(), c))
	if _, steps := c.(sim.StepWorld); !steps || err != nil || r != nil {
		return r, err
	}
	for w.Stepping() {
		if err := w.Step(); err != nil {
			return nil, err
		}
	}
	return w.Outcome()
}

// steps runs a playing world, and looks after every step whether it is sound.
func steps(t testing.TB, w *World, n int) {
	t.Helper()
	for range n {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		if err := w.Validate(); err != nil {
			t.Fatalf("after step %d: %v", w.Total(), err)
		}
	}
}

// where is the ground truth of an entity.
func where(t testing.TB, s *sim.Snapshot, name string) sim.EntityState {
	t.Helper()
	i, ok := s.Find(name)
	if !ok {
		t.Fatalf("no entity %q", name)
	}
	return s.Entities[i]
}

// running is an engine whose loop runs until the test ends.
func running(t testing.TB, c Config) *Engine {
	t.Helper()
	if c.Library == nil {
		c.Library = scenetest.NewLibrary()
	}
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var loop sync.WaitGroup
	loop.Go(func() {
		if err := e.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		cancel()
		loop.Wait()
	})
	return e
}

// do is Backend.Do of a command that must not be refused.
func do(t testing.TB, d sim.Backend, c sim.Command) sim.Reply {
	t.Helper()
	r, err := d.Do(t.Context(), c)
	if err != nil {
		t.Fatalf("%s: %v", sim.Describe(c), err)
	}
	return r
}

// logger is a Recorder of commands.
type logger func(sim.LogEntry)

func (logger) Begin(sim.RecordPosition, []sim.LogEntry, uint64) {}
func (l logger) Command(e sim.LogEntry)                         { l(e) }
func (logger) Step(uint64, uint64)                              {}
func (logger) State(uint64, time.Duration, sim.Restore)         {}
func (logger) End()                                             {}
func (logger) Full() bool                                       { return false }
