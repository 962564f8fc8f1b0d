package engine

import (
	"context"
	"sync"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/scenetest"
)

// TestAControllerInLockstepDecidesWhenStepsAreDoneAndNothingOfThem runs a world to the same time with a
// controller that allows one to three steps at once, and without one.
func TestAControllerInLockstepDecidesWhenStepsAreDoneAndNothingOfThem(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	const until = 2 * time.Second
	run := func(controlled bool) uint64 {
		e, err := New(Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"},
			Start: sim.Playing, RealTime: AsFastAsPossible, Until: until, Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		var m *sim.LockstepMember
		if controlled {
			m = e.Capabilities().Lockstep.Join("test", time.Minute)
			defer m.Leave()
		}
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		var ended sync.WaitGroup
		ended.Go(func() {
			if err := e.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		at := e.Snapshot()
		for n := uint64(1); controlled && at.Time+time.Duration(n)*at.StepSize <= until; n = n%3 + 1 {
			m.Allow(n)
			next := (<-m.Rest()).Snapshot
			if next.Step != at.Step+n {
				t.Errorf("after %d steps from %d it is at %d", n, at.Step, next.Step)
			}
			at = next
		}
		if controlled {
			m.Leave()
		}
		for e.Snapshot().Time < until {
			time.Sleep(time.Millisecond)
		}
		stop()
		ended.Wait()
		return e.finalHash
	}
	if with, without := run(true), run(false); with != without {
		t.Errorf("the hash is %x with a controller and %x without", with, without)
	}
}

// TestEachWorldThatIsLoadedHasANumberOfItsOwn: followers tell worlds apart by it.
func TestEachWorldThatIsLoadedHasANumberOfItsOwn(t *testing.T) {
	e, err := New(Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"}})
	if err != nil {
		t.Fatal(err)
	}
	var ended sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	ended.Go(func() { _ = e.Run(ctx) })
	defer ended.Wait()
	defer stop()
	if got := e.Snapshot().Model.Load; got != 1 {
		t.Errorf("the first world has number %d", got)
	}
	for _, c := range []struct {
		do   sim.Command
		want uint64
	}{{sim.Reset{Scope: sim.ResetAll}, 1}, {sim.LoadWorld{Resource: sim.Resource{URI: "missing"}}, 1},
		{sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}, 2}, {sim.UnloadWorld{}, 2},
		{sim.LoadWorld{Resource: sim.Resource{URI: "void"}}, 3}} {
		_, _ = e.Do(ctx, c.do) // one fails
		if got := e.Snapshot().Model.Load; got != c.want {
			t.Errorf("after %s the world has number %d, want %d", sim.Describe(c.do), got, c.want)
		}
	}
}
