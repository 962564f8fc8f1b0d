package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensing"
)

// storm sends n commands of every kind, good and bad, in an order that
// follows from seed.
func storm(ctx context.Context, d sim.Backend, seed uint64, n int) {
	r := rand.New(rand.NewPCG(seed, 0))
	name := func() string { return fmt.Sprintf("b%d", r.IntN(5)) }
	for range n {
		pose := r3.Pose{Pos: r3.V(r.Float64()*6-3, r.Float64()*6-3, r.Float64()*2),
			Rot: r3.FromRPY(r.Float64(), r.Float64(), r.Float64())}
		var c sim.Command
		switch r.IntN(12) {
		case 0, 1, 2:
			c = sim.Spawn{Name: name(), Resource: sim.Resource{URI: []string{"ball", "box", "rover", "arm",
				"ghost"}[r.IntN(5)]}, Pose: sim.FramedPose{Pose: pose}}
		case 3:
			c = sim.Delete{Names: []string{name()}}
		case 4:
			c = sim.SetEntityState{Name: name(), Pose: &pose}
		case 5:
			c = sim.SetEntityState{Name: "crate", Accel: &r3.Twist{Linear: r3.V(r.Float64()*50, 0, 20)}}
		case 6, 7:
			c = sim.DriveEntity{Name: "rover", Twist: twist(r.Float64(), r.Float64()-0.5)}
		case 8:
			c = sim.Reset{Scope: sim.ResetScope(1 << r.IntN(4))}
		case 9:
			c = sim.SetState{State: []sim.State{sim.Playing, sim.Paused, sim.Playing}[r.IntN(3)]}
		case 10:
			c = sim.StepWorld{N: uint64(r.IntN(20))}
		case 11:
			c = sim.SetEntityInfos{Infos: []sim.SetEntityInfo{{Name: "crate",
				Info: scene.Info{Tags: []string{name()}}}}}
		}
		if _, err := d.Do(ctx, c); errors.Is(err, sim.ErrClosed) {
			return
		}
	}
}

// replay applies a log to a new world, compares what it says, and returns the
// hash after every step.
func replay(t *testing.T, log []sim.LogEntry, withSensors bool) []uint64 {
	t.Helper()
	w, err := NewWorld(Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if !withSensors {
		w.sensing.Wanted = sensing.Never
	}
	lib := scenetest.NewLibrary()
	var hashes []uint64
	for _, e := range log {
		for w.Total() < e.Step {
			if err := w.Step(); err != nil {
				t.Fatal(err)
			}
			hashes = append(hashes, w.Hash())
		}
		if withSensors { // pictures change nothing either
			w.Snapshot()
		}
		_, err := w.Apply(e.Command, Load(lib, e.Command))
		if fmt.Sprint(err) != fmt.Sprint(e.Err) {
			t.Fatalf("step %d, command %d, %s: %v, the log says %v", e.Step, e.Seq, sim.Describe(e.Command),
				err,
				e.Err)
		}
		if w.Hash() != e.Hash {
			t.Fatalf("step %d, command %d, %s: diverged", e.Step, e.Seq, sim.Describe(e.Command))
		}
		if err := w.Validate(); err != nil {
			t.Fatalf("step %d, after %s: %v", e.Step, sim.Describe(e.Command), err)
		}
	}
	return hashes
}

func TestAReplayGivesTheSameHashAtEveryStep(t *testing.T) {
	var log []sim.LogEntry
	e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Playing, RealTime: AsFastAsPossible,
		Seed:     3,
		Recorder: logger(func(l sim.LogEntry) { log = append(log, l) })})
	subscription := e.Subscribe(sim.Lossless(2, 0))
	var crowd sync.WaitGroup
	for i := range uint64(4) {
		crowd.Go(func() { storm(sim.WithSender(t.Context(), fmt.Sprint("tester ", i)), e, i, 60) })
	}
	crowd.Wait()
	subscription.Close()
	do(t, e, sim.SetState{State: sim.Quitting})
	<-e.ended
	if len(log) < 242 || log[0].Sender != "start" {
		t.Fatalf("%d commands in the log, the first by %q", len(log), log[0].Sender)
	}
	a, b := replay(t, log, true), replay(t, log, false)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("two replays differ at step %d", i+1)
		}
	}
	if len(a) < 20 {
		t.Errorf("only %d steps between the commands", len(a))
	}
}

// run plays a fixed list of commands at fixed steps and returns the hashes of
// the log.
func run(t *testing.T, c Config, subscribe bool) []uint64 {
	t.Helper()
	var hashes []uint64
	c.World, c.Start, c.Seed = sim.Resource{URI: "yard"}, sim.Paused, 3
	c.Recorder = logger(func(l sim.LogEntry) {
		if _, pacing := l.Command.(sim.SetPacing); !pacing {
			hashes = append(hashes, l.Hash)
		}
	})
	e := running(t, c)
	if subscribe {
		for range 5 {
			defer e.Subscribe(sim.Lossless(2, 0)).Close()
		}
		go func() {
			for range 1000 {
				e.Snapshot()
			}
		}()
	}
	for i := range 6 {
		do(t, e, sim.SetPacing{RealTime: float64(i % 3)})
		do(t, e, sim.DriveEntity{Name: "rover", Twist: twist(0.4, 0.3*float64(i))})
		do(t, e,
			sim.Spawn{AllowRenaming: true, Resource: sim.Resource{URI: []string{"ball", "rover", "arm"}[i%3]},
				Pose: sim.FramedPose{Pose: at(float64(i), 3, 1)}})
		do(t, e, sim.StepWorld{N: uint64(40 + i)})
	}
	do(t, e, sim.Reset{Scope: sim.ResetState})
	do(t, e, sim.StepWorld{N: 50})
	do(t, e, sim.CancelSteps{})
	do(t, e, sim.SetState{State: sim.Quitting})
	<-e.ended
	return hashes
}

func TestReadersAndPacingChangeNothing(t *testing.T) {
	want := run(t, Config{}, false)
	for name, got := range map[string][]uint64{
		"again":           run(t, Config{}, false),
		"with readers":    run(t, Config{}, true),
		"no sensors":      run(t, Config{Sensors: SensorsNever}, true),
		"flat out":        run(t, Config{RealTime: AsFastAsPossible, Sensors: SensorsAlways}, false),
		"at a tenth":      run(t, Config{RealTime: 0.1}, true),
		"another library": run(t, Config{Library: scenetest.NewLibrary()}, false),
	} {
		if len(got) != len(want) {
			t.Fatalf("%s: %d commands, want %d", name, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: diverged at command %d", name, i)
			}
		}
	}
}
