package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// interrupting is a library whose reader is interrupted when it has read.
type interrupting struct {
	scene.Library
	interrupt func()
}

func (l interrupting) World(r scene.Resource) (*scene.WorldSpec, error) {
	defer l.interrupt()
	return l.Library.World(r)
}

func (l interrupting) Model(r scene.Resource) (*scene.ModelSpec, error) {
	defer l.interrupt()
	return l.Library.Model(r)
}

func TestLoadingEndsWithItsContext(t *testing.T) {
	for name, c := range map[string]sim.Command{
		"a world":  sim.LoadWorld{Resource: sim.Resource{URI: "yard"}},
		"a model":  sim.Spawn{Name: "late", Resource: sim.Resource{URI: "ball"}},
		"a batch":  sim.SpawnBatch{Spawns: []sim.Spawn{{Name: "late", Resource: sim.Resource{URI: "ball"}}}},
		"a size":   sim.Measure{Resource: sim.Resource{URI: "ball"}},
		"the same": sim.Restore{World: sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		l := LoadContext(ctx, interrupting{scenetest.NewLibrary(), cancel}, c)
		if _, isMeasure := c.(sim.Measure); isMeasure {
			l = Loaded{models: []loadedModel{(&reader{lib: interrupting{scenetest.NewLibrary(),
				cancel}}).model(ctx, sim.Resource{URI: "ball"})}}
		}
		err := l.err
		for _, m := range l.models {
			err = errors.Join(err, m.err)
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s that is interrupted: %v, want that it was", name, err)
		}
		if l := LoadContext(ctx, scenetest.NewLibrary(),
			sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}); !errors.Is(l.err, context.Canceled) ||
			l.world != nil {
			t.Errorf("what is interrupted from the beginning: %v, %v", l.world, l.err)
		}
	}
}

func TestALoadThatIsInterruptedLeavesTheWorldAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		lib := scenetest.NewLibrary()
		e := running(t, Config{Library: interrupting{lib, func() {}}, World: sim.Resource{URI: "yard"},
			Start: sim.Playing})
		time.Sleep(time.Second)
		lib.Gate = cancel
		if _, err := e.Do(ctx, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}); !errors.Is(err,
			context.Canceled) {
			t.Errorf("a load that is interrupted: %v, want that it was", err)
		}
		if s := e.Snapshot(); s.State != sim.Playing || s.Time < 900*time.Millisecond ||
			len(s.Entities) == 0 {
			t.Errorf("then it is %v at %v with %d entities; want it as it was", s.State, s.Time,
				len(s.Entities))
		}
		do(t, e, sim.SetState{State: sim.Quitting})
	})
}
