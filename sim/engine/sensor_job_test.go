package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensing"
	"simdeck/sim/sensor"
)

// cloudShelf has a yard whose rover has a lidar of many rays at 5 Hz and one of
// few at 12 Hz.
func cloudShelf() *scenetest.Library {
	lib := scenetest.NewLibrary()
	mast := &lib.WorldSpecs["yard"].Models[3].Model.Links[4]
	cloud := scene.LidarSpec{Columns: 900, Rows: 16, MinAngle: -math.Pi, MaxAngle: math.Pi,
		MinElevation: -0.4, MaxElevation: 0.2, MinRange: 0.12, MaxRange: 10, NoiseStd: 0.01}
	mast.Sensors = []scene.Sensor{{Name: "cloud", Kind: scene.Lidar, Rate: 5, Lidar: cloud},
		{Name: "eye", Kind: scene.Lidar, Rate: 12, Lidar: mast.Sensors[0].Lidar}}
	lib.ModelSpecs["rover"].Links[4].Sensors = mast.Sensors
	return lib
}

// cloudYard is a world with it, playing.
func cloudYard(t testing.TB) *World {
	t.Helper()
	w, err := NewWorld(Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []sim.Command{sim.LoadWorld{Resource: sim.Resource{URI: "yard"}},
		sim.SetState{State: sim.Playing},
		sim.DriveEntity{Name: "rover", Twist: twist(0.4, 0.7)}} {
		if _, err := w.Apply(c, Load(cloudShelf(), c)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// album keeps the samples of each sensor of the rover by name, and reports ones that come twice and differ,
// disordered or missing ones.
type album map[string][]sim.Sample

func (a album) look(t testing.TB, s *sim.Snapshot) {
	t.Helper()
	i, ok := s.Find("rover")
	if !ok {
		return
	}
	for k, sample := range s.SamplesOf(i) {
		name := s.Model.Entities[i].Sensors[k].Spec.Name
		if sample.Data == nil {
			continue
		}
		if sample.Time > s.Time {
			t.Fatalf("%s: a sample of %v in a snapshot of %v", name, sample.Time, s.Time)
		}
		n := len(a[name])
		if n > 0 && a[name][n-1] == sample {
			continue
		}
		if n > 0 && sample.Seq != a[name][n-1].Seq+1 && sample.Seq != 1 {
			t.Fatalf("%s: sample %d of %v after %d of %v", name, sample.Seq, sample.Time, a[name][n-1].Seq,
				a[name][n-1].Time)
		}
		a[name] = append(a[name], sample)
	}
}

// mustEqual compares two albums to the last bit.
func (a album) mustEqual(t testing.TB, b album) {
	t.Helper()
	for name := range b {
		if len(a[name]) != len(b[name]) {
			t.Errorf("%s: %d samples, want %d", name, len(a[name]), len(b[name]))
			continue
		}
		for i, x := range a[name] {
			y := b[name][i]
			if x.Seq != y.Seq || x.Time != y.Time || x.Frame != y.Frame ||
				!slices.Equal(x.Data.(*sim.LidarScan).Ranges, y.Data.(*sim.LidarScan).Ranges) {
				t.Fatalf("%s: sample %d of %v is not sample %d of %v", name, x.Seq, x.Time, y.Seq, y.Time)
			}
		}
	}
}

func TestWhoComputesAScanDoesNotShow(t *testing.T) {
	play := func(w *World) (album, []uint64) {
		a, hashes := album{}, []uint64{}
		for range 250 {
			if err := w.Step(); err != nil {
				t.Fatal(err)
			}
			a.look(t, w.Snapshot())
			w.collectSamples()
			a.look(t, w.Snapshot())
			hashes = append(hashes, w.Hash())
		}
		w.drainSamples()
		a.look(t, w.Snapshot())
		return a, hashes
	}
	want, hashes := play(cloudYard(t))
	if len(want["cloud"]) != 5 || len(want["eye"]) != 12 {
		t.Fatalf("%d and %d samples in a second, want 5 and 12", len(want["cloud"]), len(want["eye"]))
	}
	for _, workers := range []int{0, 1, 2, 7} { // with none, every sample is late
		w := cloudYard(t)
		c := sensing.NewPool()
		c.Start(workers)
		w.sensing.Submit = c.Submit
		got, same := play(w)
		c.Stop()
		got.mustEqual(t, want)
		if !slices.Equal(hashes, same) {
			t.Errorf("%d goroutines at the scans changed the world", workers)
		}
	}
}

func TestALateSampleComesBeforeTheNext(t *testing.T) {
	w := cloudYard(t)
	w.sensing.Submit = func(*sensing.Job) {} // nobody works at it
	for w.Time() < 199*time.Millisecond {
		_ = w.Step()
	}
	cloud := func() sim.Sample { w.collectSamples(); return scanOf(t, w) }
	for w.Time() < 396*time.Millisecond {
		if _ = w.Step(); cloud().Data != nil {
			t.Fatalf("at %v there is a sample that nobody computed", w.Time())
		}
	}
	_ = w.Step()
	if got := cloud(); got.Seq != 1 || got.Time != 200*time.Millisecond || w.Time() != 400*time.Millisecond {
		t.Fatalf("at %v sample %d of %v; the first was to be waited for when the second was due", w.Time(),
			got.Seq, got.Time)
	}
	w.drainSamples()
	if got := cloud(); got.Seq != 2 || got.Time != 400*time.Millisecond || w.sensing.Pending() != 0 {
		t.Errorf("settled, and sample %d of %v is the last, %d are on their way", got.Seq, got.Time,
			w.sensing.Pending())
	}
}

func TestASampleWhoseSensorHasGoneIsDropped(t *testing.T) {
	for name, c := range map[string]struct {
		command sim.Command
		kept    bool
	}{
		"deleted":         {sim.Delete{Names: []string{"second"}}, false},
		"all reset":       {sim.Reset{}, false},
		"time reset":      {sim.Reset{Scope: sim.ResetTime}, false},
		"state reset":     {sim.Reset{Scope: sim.ResetState}, true},
		"another touched": {sim.Delete{Names: []string{"crate"}}, true},
	} {
		w := cloudYard(t)
		spawn := sim.Spawn{Name: "second", Resource: sim.Resource{URI: "rover"},
			Pose: sim.FramedPose{Pose: at(0, -2, 0)}}
		if _, err := w.Apply(spawn, Load(cloudShelf(), spawn)); err != nil {
			t.Fatal(err)
		}
		w.sensing.Submit = func(*sensing.Job) {}
		for w.Time() < 200*time.Millisecond {
			_ = w.Step()
		}
		apply(t, w, c.command)
		w.drainSamples()
		s := w.Snapshot()
		if i, ok := s.Find("second"); ok && (s.SamplesOf(i)[0].Data != nil) != c.kept {
			t.Errorf("%s: there is a sample: %v, want %v", name, !c.kept, c.kept)
		}
		if w.sensing.Pending() != 0 {
			t.Errorf("%s: %d samples are still on their way", name, w.sensing.Pending())
		}
	}
}

// show runs commands on an engine and returns what a lossless reader saw.
func show(t *testing.T, c Config, commands []sim.Command) (album, []uint64) {
	t.Helper()
	hashes := []uint64{}
	c.Library, c.World, c.Seed = cloudShelf(), sim.Resource{URI: "yard"}, 3
	c.Recorder = logger(func(l sim.LogEntry) {
		if _, pacing := l.Command.(sim.SetPacing); !pacing {
			hashes = append(hashes, l.Hash)
		}
	})
	e := running(t, c)
	sub := e.Subscribe(sim.Lossless(100000, time.Hour))
	for _, command := range commands {
		do(t, e, command)
		if s := e.Snapshot(); s.State == sim.Paused {
			i, _ := s.Find("rover")
			for k, hz := range []int64{5, 12} {
				if got, want := s.SamplesOf(i)[k].Seq, uint64(s.Time.Nanoseconds()*hz/1e9); got != want {
					t.Errorf("%s: paused at %v with sample %d of sensor %d, want %d", sim.Describe(command),
						s.Time, got, k, want)
				}
			}
		}
	}
	do(t, e, sim.SetState{State: sim.Quitting})
	<-e.ended
	a := album{}
	for s := range sub.C() {
		a.look(t, s)
	}
	if sub.Dropped() != 0 {
		t.Fatalf("the reader was too slow")
	}
	return a, hashes
}

func TestALosslessReaderSeesEverySampleOnceAndInOrder(t *testing.T) {
	script := []sim.Command{
		sim.SetState{State: sim.Paused}, sim.DriveEntity{Name: "rover", Twist: twist(0.4, 0.7)},
		sim.StepWorld{N: 50}, sim.StepWorld{N: 1},
		sim.StepWorld{N: 200},
		sim.Reset{Scope: sim.ResetState}, sim.StepWorld{N: 99},
		sim.Spawn{Name: "b", Resource: sim.Resource{URI: "ball"}, Pose: sim.FramedPose{Pose: at(2, 0.3, 1)}},
		sim.StepWorld{N: 151},
		sim.Delete{Names: []string{"b"}}, sim.StepWorld{N: 50}, sim.Reset{}, sim.StepWorld{N: 120},
		sim.SetPacing{RealTime: 0}, sim.StepWorld{N: 130},
	}
	want, hashes := show(t, Config{}, script)
	if n := len(want["cloud"]); n != 11+5 {
		t.Errorf("%d clouds in 2.204 s and 1 s, want 16", n)
	}
	for name, c := range map[string]Config{"again": {}, "flat out": {RealTime: AsFastAsPossible},
		"always": {Sensors: SensorsAlways}} {
		got, same := show(t, c, script)
		got.mustEqual(t, want)
		if !slices.Equal(hashes, same) {
			t.Errorf("%s: the world went another way", name)
		}
	}
}

func TestPlayingPausesWithEverySampleThere(t *testing.T) {
	for _, c := range []Config{{RealTime: AsFastAsPossible}, {RealTime: 1}} {
		synctest.Test(t, func(t *testing.T) {
			var script []sim.Command
			for range 10 {
				script = append(script, sim.SetState{State: sim.Playing},
					sim.DriveEntity{Name: "rover", Twist: twist(0.4, 0.7)},
					sim.SetState{State: sim.Paused}, sim.StepWorld{N: 60})
			}
			got, _ := show(t, c, append(script, sim.SetState{State: sim.Playing}, sim.Reset{},
				sim.SetState{State: sim.Paused}, sim.StepWorld{N: 50}))
			if len(got["cloud"]) < 12 {
				t.Errorf("only %d clouds", len(got["cloud"]))
			}
		})
	}
}

func TestASampleThatIsDoneIsShownWithoutWaitingForAStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, Config{Library: cloudShelf(), World: sim.Resource{URI: "yard"}, Start: sim.Playing,
			RealTime: 0.004})
		sub := e.Subscribe(sim.Lossless(1000, time.Hour))
		time.Sleep(50500 * time.Millisecond) // 50 steps, the next one a second later
		synctest.Wait()
		if s := e.Snapshot(); s.Time != 200*time.Millisecond || scanIn(t, s).Seq != 1 {
			t.Errorf("at %v with sample %d, want the first one at 200ms", s.Time, scanIn(t, s).Seq)
		}
		sub.Close()
	})
}

func TestWhatAResetTakesAwayIsShownBefore(t *testing.T) {
	for name, c := range map[string]sim.Command{"reset": sim.Reset{},
		"stop":   sim.SetState{State: sim.Stopped},
		"unload": sim.UnloadWorld{}} {
		e, err := New(Config{Library: cloudShelf(), World: sim.Resource{URI: "yard"}, Start: sim.Playing})
		if err != nil {
			t.Fatal(err)
		}
		e.world.sensing.Submit = func(*sensing.Job) {} // the slowest workers there can be
		sub := e.Subscribe(sim.Lossless(10, time.Hour))
		for e.world.Time() < 202*time.Millisecond {
			_ = e.world.Step()
		}
		if _, err := e.perform(c, Loaded{}, "tester"); err != nil {
			t.Fatal(err)
		}
		e.feed.Close()
		a := album{}
		for s := range sub.C() {
			a.look(t, s)
		}
		if len(a["cloud"]) != 1 || len(a["eye"]) != 2 {
			t.Errorf("%s: a reader saw %d and %d samples, 1 and 2 were due", name, len(a["cloud"]),
				len(a["eye"]))
		}
	}
}

func TestAScanShowsTheWorldAtItsTime(t *testing.T) {
	w := cloudYard(t)
	apply(t, w, sim.DriveEntity{Name: "rover"})
	var held []*sensing.Job
	w.sensing.Submit = func(k *sensing.Job) { held = append(held, k) }
	ahead := func(x float64) { // the crate stands before the rover, its near face at x
		pose := at(x+0.25, 0, 0.25)
		apply(t, w, sim.SetEntityState{Name: "crate", Pose: &pose})
	}
	for i, x := range []float64{1, 1.5, 2} {
		ahead(x)
		for w.Time() < time.Duration(i+1)*200*time.Millisecond {
			_ = w.Step()
		}
		ahead(5) // gone before anybody computes
		_ = w.Step()
		w.drainSamples()
		scan := scanOf(t, w).Data.(*sim.LidarScan)
		nearest := slices.Min(scan.Ranges[10*900+430 : 10*900+470]) // about level, forward
		if math.Abs(float64(nearest)-x) > 0.08 {
			t.Errorf("the crate was at %v m when the sample was due, and %v m are measured", x, nearest)
		}
	}
	if len(held) < 3 {
		t.Errorf("%d scans were handed out", len(held))
	}
}

// scanIn is the rover's first sample in a snapshot.
func scanIn(t testing.TB, s *sim.Snapshot) sim.Sample {
	t.Helper()
	i, _ := s.Find("rover")
	return s.SamplesOf(i)[0]
}

func TestAFaultInASensorEndsTheEngineWithAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := New(Config{Library: cloudShelf(), World: sim.Resource{URI: "yard"}, Start: sim.Playing,
			RealTime: AsFastAsPossible, Sensors: SensorsAlways})
		if err != nil {
			t.Fatal(err)
		}
		at, _ := e.world.entities.lookup("rover")
		lidar := &e.world.entities.list[at].model.Sensors[0].Lidar
		whole := *lidar
		few := scene.LidarSpec{Columns: 10, Rows: 1, MaxAngle: 1, MaxRange: 10}
		if *lidar, err = sensor.NewLidar(&few); err != nil {
			t.Fatal(err)
		}
		for range 50 { // to the first scan, whose memory is too small for all rays
			_ = e.world.Step()
		}
		*lidar = whole
		err = e.Run(t.Context())
		if !errors.Is(err, sim.ErrFault) || !strings.Contains(fmt.Sprint(err), `sensor 0 of entity "rover"`) {
			t.Errorf("%v, want ErrFault with the sensor", err)
		}
	})
}

// BenchmarkCloudStep is a step of a yard whose cloud is always looked at.
func BenchmarkCloudStep(b *testing.B) {
	w := cloudYard(b)
	for b.Loop() {
		_ = w.Step()
	}
}
