package engine

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/sim/scenetest"
)

func TestStepsThatWereEndedAreAnsweredAlsoWhenOthersBeginInTheSameRound(t *testing.T) {
	e, err := New(Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"},
		Start: sim.Paused})
	if err != nil {
		t.Fatal(err)
	}
	var asked []*call
	for _, c := range []sim.Command{sim.StepWorld{N: 1000}, sim.SetState{State: sim.Playing},
		sim.SetState{State: sim.Paused}, sim.StepWorld{N: 5}} {
		k := &call{ctx: t.Context(), command: c, sender: "test", answer: make(chan reply, 1)}
		asked = append(asked, k)
		e.accept(k)
	}
	for range 20 {
		e.iterate(time.Unix(0, 0))
	}
	for i, want := range []struct {
		err   error
		steps uint64
	}{{sim.ErrCancelled, 0}, {nil, 0}, {nil, 0}, {nil, 5}} {
		select {
		case a := <-asked[i].answer:
			stepped, _ := a.reply.(sim.Stepped)
			if !errors.Is(a.err, want.err) || stepped.Completed != want.steps {
				t.Errorf("%s was answered %+v, %v; want %d steps, %v", sim.Describe(asked[i].command),
					a.reply,
					a.err, want.steps, want.err)
			}
		default:
			t.Errorf("%s was not answered", sim.Describe(asked[i].command))
		}
	}
}

func TestAThousandCommandsThatWaitAreDoneBeforeOneStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const crowd = 1000
		at := map[uint64]int{}
		e, err := New(Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"},
			Start:    sim.Playing,
			RealTime: AsFastAsPossible,
			Recorder: logger(func(l sim.LogEntry) {
				if _, is := l.Command.(sim.DriveEntity); is {
					at[l.Step]++
				}
			})})
		if err != nil {
			t.Fatal(err)
		}
		var all, loop sync.WaitGroup
		for range crowd {
			all.Go(func() { do(t, e, sim.DriveEntity{Name: "rover", Twist: twist(1, 0)}) })
		}
		synctest.Wait() // all that the queue has no room for wait to be let in
		ctx, stop := context.WithCancel(t.Context())
		loop.Go(func() { _ = e.Run(ctx) })
		all.Wait()
		stop()
		loop.Wait()
		if len(at) != 1 || at[0] != crowd {
			t.Errorf("commands by the step before which they were done: %v, want all %d before the first", at,
				crowd)
		}
	})
}
