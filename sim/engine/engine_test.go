package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scenetest"
)

func TestTheEngineKeepsPaceWithTheWallClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Playing})
		time.Sleep(10 * time.Second)
		synctest.Wait()
		s := e.Snapshot()
		if d := s.Time - 10*time.Second; d < -idlePeriod || d > 0 {
			t.Errorf("simulated %v in 10 s", s.Time)
		}
		if math.Abs(s.Pacing.Measured-1) > 0.02 || s.Pacing.Asked != 1 {
			t.Errorf("pacing %+v, want 1", s.Pacing)
		}
		do(t, e, sim.SetPacing{RealTime: 0.5})
		from := e.Snapshot().Time
		time.Sleep(10 * time.Second)
		if d := e.Snapshot().Time - from; d < 4850*time.Millisecond || d > 5050*time.Millisecond {
			t.Errorf("simulated %v in 10 s at half speed", d)
		}
		do(t, e, sim.SetState{State: sim.Paused})
		at := e.Snapshot()
		time.Sleep(time.Minute)
		if s := e.Snapshot(); s.Time != at.Time || s.Seq != at.Seq || s.Pacing.Measured != 0 {
			t.Errorf("paused, and went from %v to %v, snapshot %d to %d, measured %v", at.Time, s.Time,
				at.Seq, s.Seq, s.Pacing.Measured)
		}
	})
}

// TestTimeStandsWhereItIsToEnd, to the step, however fast it goes; the last picture shows it.
func TestTimeStandsWhereItIsToEnd(t *testing.T) {
	for _, pace := range []float64{1, AsFastAsPossible} {
		synctest.Test(t, func(t *testing.T) {
			e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Playing, RealTime: pace,
				Until: 1500 * time.Millisecond})
			time.Sleep(5 * time.Second)
			if s := e.Snapshot(); s.Time != 1500*time.Millisecond || s.State != sim.Playing {
				t.Errorf("at a factor of %v it is %v at %v, want PLAYING at 1.5 s", pace, s.State, s.Time)
			}
			do(t, e, sim.SetState{State: sim.Quitting})
		})
	}
}

func TestWhatWasChangedShowsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, Config{World: sim.Resource{URI: "yard"}})
		do(t, e, sim.SetState{State: sim.Paused})
		if s := e.Snapshot(); s.State != sim.Paused {
			t.Errorf("state %v", s.State)
		}
		do(t, e, sim.Spawn{Name: "b", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: at(0, 5, 2)}})
		s := e.Snapshot()
		if got := where(t, s, "b").Pose.Pos; !near(got, r3.V(0, 5, 2)) {
			t.Errorf("b at %v", got)
		}
		do(t, e, sim.DriveEntity{Name: "rover", Twist: twist(1, 0)})
		s = e.Snapshot()
		if i, _ := s.Find("rover"); s.OdomOf(i)[0].Target != twist(1, 0) {
			t.Error("the drive's target does not show")
		}
		r := do(t, e, sim.StepWorld{N: 250}).(sim.Stepped)
		if s := e.Snapshot(); r.Completed != 250 || r.Time != time.Second || s.Time != time.Second ||
			s.Step != 250 {
			t.Errorf("%+v, snapshot at %v, step %d", r, s.Time, s.Step)
		}
		if s := e.Snapshot(); s.Stats.Commands != 5 || s.Stats.Refused != 0 || s.Stats.Steps != 250 {
			t.Errorf("%+v", s.Stats)
		}
	})
}

func TestATellingOfManyRobotsIsNotAPictureEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, Config{World: sim.Resource{URI: "yard"}})
		spawn := sim.SpawnBatch{}
		for i := range 300 {
			spawn.Spawns = append(spawn.Spawns,
				sim.Spawn{Name: fmt.Sprintf("r%03d", i), Resource: sim.Resource{URI: "rover"},
					Pose: sim.FramedPose{Pose: at(2*float64(i), 20, 0)}})
		}
		do(t, e, spawn)
		do(t, e, sim.SetState{State: sim.Paused})
		heard := e.Subscribe(sim.Lossless(1000, time.Second))
		defer heard.Close()
		from := e.Snapshot()
		var all sync.WaitGroup
		for i := range 300 {
			all.Go(func() { do(t, e, sim.DriveEntity{Name: fmt.Sprintf("r%03d", i), Twist: twist(1, 0)}) })
		}
		all.Wait()
		if s := e.Snapshot(); s.Seq > from.Seq+1 || len(heard.C()) > 1 {
			t.Errorf("%d pictures after 300 commands, and a lossless reader was given %d; want one at most, and none",
				s.Seq-from.Seq, len(heard.C())-1)
		}
		time.Sleep(targetPeriod)
		synctest.Wait()
		s := e.Snapshot()
		for i := range 300 {
			if k, _ := s.Find(fmt.Sprintf("r%03d", i)); s.OdomOf(k)[0].Target != twist(1, 0) {
				t.Fatalf("%v after the command the target of robot %d does not show, though the world stands still",
					targetPeriod, i)
			}
		}
		if time.Sleep(time.Second); e.Snapshot().Seq != s.Seq {
			t.Errorf("%d more pictures of a world to which nothing was done", e.Snapshot().Seq-s.Seq)
		}
	})
}

func TestALongStepLeavesEverybodyElseAlone(t *testing.T) {
	e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Paused})
	ctx, cancel := context.WithCancel(sim.WithSender(t.Context(), "tester"))
	var wait sync.WaitGroup
	var reply sim.Reply
	var err error
	wait.Go(func() { reply, err = e.Do(ctx, sim.StepWorld{N: 1 << 50}) })
	for e.Snapshot().Step < 10 {
		do(t, e, sim.DriveEntity{Name: "rover", Twist: twist(0.1, 0)})
	}
	do(t, e, sim.Spawn{Name: "b", Resource: sim.Resource{URI: "ball"},
		Pose: sim.FramedPose{Pose: at(0, 5, 2)}})
	if _, err := e.Do(t.Context(), sim.StepWorld{N: 1}); !errors.Is(err, sim.ErrIncorrectState) {
		t.Errorf("a second step: %v, want ErrIncorrectState", err)
	}
	cancel()
	wait.Wait()
	stepped, _ := reply.(sim.Stepped)
	if !errors.Is(err, context.Canceled) || stepped.Completed < 10 {
		t.Errorf("cancelled after %+v: %v", reply, err)
	}
	if s := e.Snapshot(); s.Step != stepped.Completed || s.Time != stepped.Time {
		t.Errorf("stands at step %d, %v; the answer says %+v", s.Step, s.Time, stepped)
	}
	for _, end := range []sim.Command{sim.CancelSteps{}, sim.SetState{State: sim.Paused},
		sim.SetState{State: sim.Stopped}} {
		wait.Go(func() { reply, err = e.Do(t.Context(), sim.StepWorld{N: 1 << 50}) })
		for from := e.Snapshot().Step; e.Snapshot().Step < from+3; {
			do(t, e, sim.DriveEntity{Name: "rover"})
		}
		do(t, e, end)
		wait.Wait()
		if stepped, _ = reply.(sim.Stepped); !errors.Is(err, sim.ErrCancelled) || stepped.Completed < 3 {
			t.Errorf("ended by %s: %+v, %v", sim.Describe(end), reply, err)
		}
	}
}

func TestALosslessReaderHearsTheEndOfEverySteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Paused})
		sub := e.Subscribe(sim.Lossless(100, time.Hour))
		sub.WantSensors(false)
		do(t, e, sim.DriveEntity{Name: "rover"})
		for _, n := range []uint64{1, 2, 4} { // odometry comes every 12.5 steps
			do(t, e, sim.StepWorld{N: n})
			var last *sim.Snapshot
			for len(sub.C()) > 0 {
				last = <-sub.C()
			}
			if want := e.Snapshot().Step; last == nil || last.Step != want {
				t.Errorf("after %d steps the reader's last snapshot is %+v, want that of step %d", n, last,
					want)
			}
		}
	})
}

func TestAStuckReaderSlowsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Playing})
		stuck := e.Subscribe(sim.Lossless(3, 0))
		idle := e.Subscribe(sim.Latest(time.Millisecond))
		quick := e.Subscribe(sim.Lossless(1000, 40*time.Millisecond))
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if s := e.Snapshot(); s.Time < 9900*time.Millisecond {
			t.Errorf("simulated only %v in 10 s", s.Time)
		}
		all := e.Snapshot().Stats.Dropped // idle loses nothing: it wants the newest
		if stuck.Dropped() < 2400 || idle.Dropped() < 2000 || quick.Dropped() != 0 ||
			all < 2400 || all > stuck.Dropped() {
			t.Errorf("dropped %d, %d and %d; stats say %d", stuck.Dropped(), idle.Dropped(), quick.Dropped(),
				all)
		}
		got, samples := 0, uint64(0)
		for last := time.Duration(-1); len(quick.C()) > 0; got++ {
			s := <-quick.C()
			if s.Time < last || s.Time > last+40*time.Millisecond && last >= 0 {
				t.Errorf("from %v to %v", last, s.Time)
			}
			last = s.Time
			i, _ := s.Find("rover")
			if seq := s.SamplesOf(i)[0].Seq; seq > samples+1 {
				t.Errorf("sample %d after %d", seq, samples)
			} else {
				samples = seq
			}
		}
		if got < 250 || samples != 49 && samples != 50 {
			t.Errorf("%d snapshots and %d samples in 10 s", got, samples)
		}
		quick.Close()
		stuck.Close()
		idle.Close()
	})
}

func TestLatestComesAtItsPeriod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Playing})
		sub := e.Subscribe(sim.Latest(33 * time.Millisecond))
		n := 0
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); n++ {
			<-sub.C()
		}
		if n < 270 || n > 305 {
			t.Errorf("%d snapshots in 10 s at 30 Hz", n)
		}
		// Paused: the last change arrives, then silence.
		do(t, e, sim.SetState{State: sim.Paused})
		do(t, e, sim.SetEntityState{Name: "crate", Twist: &r3.Twist{Linear: r3.V(1, 0, 0)}})
		time.Sleep(time.Second)
		if got := <-sub.C(); got.Seq != e.Snapshot().Seq {
			t.Errorf("snapshot %d, the newest is %d", got.Seq, e.Snapshot().Seq)
		}
		time.Sleep(time.Second)
		if len(sub.C()) != 0 {
			t.Error("a snapshot though nothing happened")
		}
	})
}

func TestSensorsWorkOnDemand(t *testing.T) {
	for _, c := range []struct {
		policy    SensorPolicy
		subscribe bool
		want      bool
	}{{SensorsOnDemand, false, false}, {SensorsOnDemand, true, true}, {SensorsAlways, false, true},
		{SensorsNever, true, false}} {
		synctest.Test(t, func(t *testing.T) {
			e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Paused, Sensors: c.policy})
			if c.subscribe {
				defer e.Subscribe(sim.Latest(time.Hour)).Close()
			}
			do(t, e, sim.StepWorld{N: 100})
			s := e.Snapshot()
			i, _ := s.Find("rover")
			if got := s.SamplesOf(i)[0].Data != nil; got != c.want {
				t.Errorf("%+v: computed %v", c, got)
			}
		})
	}
}

func TestLoadingLeavesTheLoopFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lib := scenetest.NewLibrary()
		e := running(t, Config{Library: lib, World: sim.Resource{URI: "yard"}, Start: sim.Playing})
		lib.Gate = func() { time.Sleep(5 * time.Second) }
		ctx, cancel := context.WithCancel(t.Context())
		var wait sync.WaitGroup
		wait.Go(func() {
			if r, err := e.Do(ctx, sim.LoadWorld{Resource: sim.Resource{URI: "void"}}); err != nil ||
				r.(sim.WorldLoaded).World.Name != "void" {
				t.Errorf("loaded %v, %v", r, err)
			}
		})
		time.Sleep(time.Second)
		if s := e.Snapshot(); s.State != sim.LoadingWorld {
			t.Errorf("state %v while loading", s.State)
		}
		for _, c := range []sim.Command{sim.LoadWorld{Resource: sim.Resource{URI: "yard"}},
			sim.Spawn{Name: "b", Resource: sim.Resource{URI: "ball"}}, sim.SetState{State: sim.Playing},
			sim.Reset{}} {
			if _, err := e.Do(t.Context(), c); err == nil {
				t.Errorf("%s was accepted while loading", sim.Describe(c))
			}
		}
		cancel() // a load that has begun goes through
		wait.Wait()
		if s := e.Snapshot(); s.State != sim.Stopped || s.Model.World.Name != "void" || len(s.Entities) != 0 {
			t.Errorf("state %v with %+v", s.State, s.Model.World)
		}
		if _, err := e.Do(t.Context(), sim.LoadWorld{Resource: sim.Resource{URI: "nowhere"}}); !errors.Is(err,
			sim.ErrNotFound) {
			t.Errorf("%v, want ErrNotFound", err)
		}
		if s := e.Snapshot(); s.State != sim.Stopped || s.Model.World.Name != "void" {
			t.Errorf("state %v of %q after a load that failed", s.State, s.Model.World.Name)
		}
	})
}

func TestQuittingAnswersFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := New(Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"},
			Start: sim.Paused})
		if err != nil {
			t.Fatal(err)
		}
		var loop, steps sync.WaitGroup
		loop.Go(func() {
			if err := e.Run(t.Context()); err != nil {
				t.Error(err)
			}
		})
		sub := e.Subscribe(sim.Lossless(100000, 0))
		steps.Go(func() {
			if r, err := e.Do(t.Context(), sim.StepWorld{N: 1 << 50}); !errors.Is(err, sim.ErrCancelled) ||
				r.(sim.Stepped).Completed == 0 {
				t.Errorf("the step under way: %+v, %v", r, err)
			}
		})
		for e.Snapshot().Step == 0 {
			do(t, e, sim.DriveEntity{Name: "rover"})
		}
		do(t, e, sim.SetState{State: sim.Quitting})
		loop.Wait()
		steps.Wait()
		var last *sim.Snapshot
		for s := range sub.C() {
			last = s
		}
		if last == nil || last.State != sim.Quitting || e.Snapshot().State != sim.Quitting {
			t.Errorf("the last snapshot is %+v", last)
		}
		if _, err := e.Do(t.Context(), sim.SetState{State: sim.Playing}); !errors.Is(err, sim.ErrClosed) {
			t.Errorf("after the end: %v, want ErrClosed", err)
		}
		if err := e.Run(t.Context()); !errors.Is(err, sim.ErrIncorrectState) {
			t.Errorf("a second run: %v", err)
		}
	})
}

func TestAContextEndsTheEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := New(Config{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		sub := e.Subscribe(sim.Latest(time.Millisecond))
		if err := e.Run(ctx); err != nil {
			t.Error(err)
		}
		for range sub.C() {
		}
		if e.Snapshot().State != sim.Quitting {
			t.Errorf("state %v", e.Snapshot().State)
		}
	})
}

func TestCommandsWaitForTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := New(Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := e.Do(ctx, sim.SetState{State: sim.Paused}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want the deadline", err)
		}
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, err := e.Do(t.Context(), sim.SetState{State: sim.Playing}); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		run, stop := context.WithCancel(t.Context())
		var loop sync.WaitGroup
		loop.Go(func() { _ = e.Run(run) })
		wait.Wait()
		if s := e.Snapshot(); s.State != sim.Playing || s.Stats.Commands != 2 {
			t.Errorf("%v after %d commands: what was given up must not happen", s.State, s.Stats.Commands)
		}
		stop()
		loop.Wait()
	})
}

func TestAFaultOfTheEngineIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		armed := false
		e, err := New(Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"},
			Recorder: logger(func(sim.LogEntry) {
				if armed {
					panic("the log broke")
				}
			})})
		if err != nil {
			t.Fatal(err)
		}
		armed = true
		var loop sync.WaitGroup
		loop.Go(func() {
			if err := e.Run(t.Context()); !errors.Is(err, sim.ErrFault) ||
				!strings.Contains(err.Error(), "the log broke") {
				t.Errorf("%v, want ErrFault with the reason", err)
			}
		})
		if _, err := e.Do(t.Context(), sim.SetState{State: sim.Playing}); !errors.Is(err, sim.ErrClosed) {
			t.Errorf("%v, want ErrClosed", err)
		}
		loop.Wait()
		if e.Snapshot().State != sim.Quitting {
			t.Errorf("state %v", e.Snapshot().State)
		}
	})
}

func TestANewEngineSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		c    Config
		want error
	}{
		"no such world": {Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "nowhere"}},
			sim.ErrNotFound},
		"no library": {Config{World: sim.Resource{URI: "yard"}}, sim.ErrUnsupported},
		"step":       {Config{StepSize: time.Hour}, sim.ErrFailed},
		"start": {Config{Library: scenetest.NewLibrary(), World: sim.Resource{URI: "yard"},
			Start: sim.LoadingWorld}, sim.ErrTransition},
	} {
		if _, err := New(c.c); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestListsNeedNoLoop(t *testing.T) {
	e, _ := New(Config{Library: scenetest.NewLibrary()})
	s, err := sim.Entities{Backend: e}.Spawnables(t.Context())
	if err != nil || len(s.List) != 2 || len(s.Failed) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	w, err := sim.ControlAPI{Backend: e}.Worlds(t.Context())
	if err != nil || len(w.List) != 1 || len(e.Formats()) != 1 {
		t.Errorf("%+v, %v", w, err)
	}
	bare, _ := New(Config{})
	for _, c := range []sim.Command{sim.ListSpawnables{}, sim.ListWorlds{}, sim.BeginLoad{}, nil} {
		if _, err := bare.Do(t.Context(), c); !errors.Is(err, sim.ErrUnsupported) {
			t.Errorf("%T: %v, want ErrUnsupported", c, err)
		}
	}
}
