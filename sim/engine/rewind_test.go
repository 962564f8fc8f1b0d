package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scenetest"
)

// pausedHash is the hash of the world as if it were paused.
func pausedHash(w *World) uint64 {
	state, job := w.state.now, w.job
	w.state.now, w.job = sim.Paused, stepJob{}
	h := w.Hash()
	w.state.now, w.job = state, job
	return h
}

// remembering is a world with everything in it that keeps its past.
func remembering(t testing.TB, reach time.Duration) *World {
	t.Helper()
	w, err := NewWorld(Options{Seed: 3, Rewind: reach})
	if err != nil {
		t.Fatal(err)
	}
	load := sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}
	if _, err := w.Apply(load, Load(scenetest.NewLibrary(), load)); err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.SetState{State: sim.Playing})
	return w
}

// deed is one of many things that can be done to the world.
func deed(r *rand.Rand) sim.Command {
	name := func() string { return fmt.Sprintf("b%d", r.IntN(4)) }
	pose := r3.Pose{Pos: r3.V(r.Float64()*6-3, r.Float64()*6-3, r.Float64()*2),
		Rot: r3.FromRPY(r.Float64(), r.Float64(), r.Float64())}
	switch r.IntN(9) {
	case 0, 1:
		return sim.Spawn{Name: name(), Resource: sim.Resource{URI: []string{"ball", "box", "rover",
			"arm"}[r.IntN(4)]}, Pose: sim.FramedPose{Pose: pose}}
	case 2:
		return sim.Delete{Names: []string{name()}}
	case 3:
		return sim.SetEntityState{Name: name(), Pose: &pose,
			Accel: &r3.Twist{Linear: r3.V(r.Float64()*50, 0, 20)}}
	case 4:
		return sim.Reset{Scope: []sim.ResetScope{sim.ResetTime, sim.ResetState, sim.ResetSpawned,
			sim.ResetAll}[r.IntN(4)]}
	case 5:
		return sim.SetState{State: []sim.State{sim.Playing, sim.Paused, sim.Stopped}[r.IntN(3)]}
	case 6:
		return sim.StepWorld{N: uint64(r.IntN(50))}
	}
	return sim.DriveEntity{Name: "rover", Twist: twist(r.Float64(), r.Float64()-0.5)}
}

func TestGoingBackGivesEveryStepOfThePastAgain(t *testing.T) {
	w := remembering(t, time.Hour)
	r := rand.New(rand.NewPCG(5, 0))
	lib := scenetest.NewLibrary()
	hashes := []uint64{pausedHash(w)} // by age
	for round := range 12 {
		for len(hashes) < 250*(round%3+1) {
			for range r.IntN(3) {
				c := deed(r)
				_, _ = w.Apply(c, Load(lib, c))
			}
			if !w.Due() {
				if w.state.now == sim.Stopped {
					apply(t, w, sim.SetState{State: sim.Paused})
				}
				apply(t, w, sim.SetState{State: sim.Playing})
			}
			for range 1 + r.IntN(30) {
				if !w.Due() {
					break
				}
				if err := w.Step(); err != nil {
					t.Fatal(err)
				}
				hashes = append(hashes, pausedHash(w))
			}
		}
		if w.state.now == sim.Stopped {
			apply(t, w, sim.SetState{State: sim.Paused})
		}
		back := 1 + r.IntN(len(hashes)-1)
		total, events, highest := w.Total(), len(w.events.events), w.entities.lastID
		reply := apply(t, w, sim.Rewind{Back: time.Duration(back) * w.clock.stepSize}).(sim.Rewound)
		at := len(hashes) - 1 - back
		if pausedHash(w) != hashes[at] || w.State() != sim.Paused || reply.Time != w.Time() {
			t.Fatalf("round %d: %d steps back, at step %d of %d: another world than was there; %s", round,
				back, at, len(hashes)-1, w.State())
		}
		if w.Total() != total || len(w.events.events) < events || w.entities.lastID != highest {
			t.Fatalf("going back changed the count of steps, the log, or gives numbers of entities again")
		}
		if err := w.Validate(); err != nil {
			t.Fatal(err)
		}
		hashes = hashes[:at+1]
		apply(t, w, sim.SetState{State: sim.Playing})
	}
}

func TestWhatARewindLeftCanBeGoneToAgain(t *testing.T) {
	w := remembering(t, time.Hour)
	r := rand.New(rand.NewPCG(7, 0))
	lib := scenetest.NewLibrary()
	hashes := []uint64{pausedHash(w)} // by age
	for range 6 {
		for range 40 {
			if c := deed(r); c != (sim.SetState{State: sim.Stopped}) {
				_, _ = w.Apply(c, Load(lib, c))
			}
			if !w.Due() {
				apply(t, w, sim.SetState{State: sim.Playing})
			}
			for range 1 + r.IntN(20) {
				if w.Due() && w.Step() == nil {
					hashes = append(hashes, pausedHash(w))
				}
			}
		}
		_, _ = w.Apply(sim.Delete{Names: []string{"crate"}}, Loaded{}) // at the end: it is gone to, too
		newest, end := pausedHash(w), len(hashes)-1
		at := end
		for range 12 {
			to := r.IntN(end + 1)
			if r.IntN(4) == 0 {
				to = end
			}
			apply(t, w, sim.Rewind{Back: time.Duration(at-to) * w.clock.stepSize})
			want := hashes[to]
			if to == end {
				want = newest
			}
			if to != at && pausedHash(w) != want {
				t.Fatalf("from step %d to %d of %d: another world than was there", at, to, end)
			}
			if past := w.Snapshot().Past; past.Now != w.history.at(uint64(to)) ||
				past.Newest != w.history.at(uint64(end)) {
				t.Fatalf("at step %d of %d: %+v", to, end, past)
			}
			if at = to; r.IntN(2) == 0 { // a look around and a robot's own commands end no way forward
				apply(t, w, sim.SetState{State: sim.Playing})
				apply(t, w, sim.DriveEntity{Name: "rover"})
				if at == end {
					newest = pausedHash(w)
				}
			}
			if err := w.Validate(); err != nil {
				t.Fatal(err)
			}
		}
		apply(t, w, sim.Rewind{Back: w.history.at(uint64(at / 2))})
		at -= at / 2
		apply(t, w, sim.SetState{State: sim.Playing})
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes[:at+1], pausedHash(w))
		if got := apply(t, w, sim.Rewind{Back: -time.Hour}); got.(sim.Rewound).Back != 0 {
			t.Fatalf("the world went on another way, and there is still one forward: %+v", got)
		}
	}
}

func TestMarksBelongToTheWayThatTheWorldCame(t *testing.T) {
	e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Paused, Rewind: time.Minute})
	marks := func() (texts []string) {
		for _, m := range e.Snapshot().Past.Marks {
			texts = append(texts, fmt.Sprintf("%v %s", m.At, m.Text))
		}
		return texts
	}
	step := e.Snapshot().StepSize
	do(t, e, sim.StepWorld{N: 10})
	do(t, e, sim.Delete{Names: []string{"crate"}})
	do(t, e, sim.StepWorld{N: 10})
	want := []string{fmt.Sprintf("%v delete crate", 10*step)}
	if got := marks(); !slices.Equal(got, want) {
		t.Errorf("marks %q, want %q", got, want)
	}
	do(t, e, sim.Rewind{Back: 15 * step})
	if got := marks(); !slices.Equal(got, want) {
		t.Errorf("before the deletion, with the way forward: marks %q, want %q", got, want)
	}
	do(t, e, sim.StepWorld{N: 1})
	if got := marks(); len(got) != 0 {
		t.Errorf("the crate is there, and still %q", got)
	}
}

func TestGoingBackUndoesADeletionAndAReset(t *testing.T) {
	w := remembering(t, time.Minute)
	steps := func(n int) {
		for range n {
			_ = w.Step()
		}
	}
	steps(100)
	want, id := pausedHash(w), w.entities.list[0].id
	steps(20)
	apply(t, w, sim.Delete{Names: []string{"crate"}})
	steps(10)
	apply(t, w, sim.Reset{Scope: sim.ResetAll})
	steps(70)
	apply(t, w, sim.Rewind{Back: 100 * w.clock.stepSize})
	if pausedHash(w) != want || w.entities.list[0].id != id {
		t.Error("another world than was there")
	}
	if _, there := w.entities.lookup("crate"); !there || w.Time() != 100*w.clock.stepSize {
		t.Errorf("crate there: %v, at %v", there, w.Time())
	}
}

func TestOnlyWhatIsKeptCanBeGoneBackTo(t *testing.T) {
	w := remembering(t, time.Second)
	for range 1000 {
		_ = w.Step()
	}
	oldest, before := w.history.at(w.history.checkpoints[0].age), pausedHash(w)
	for _, back := range []time.Duration{0, -time.Second} { // nothing was left: there is no way forward
		if got := apply(t, w, sim.Rewind{Back: back}); got != (sim.Rewound{Time: 4 * time.Second}) ||
			pausedHash(w) != before || w.State() != sim.Paused {
			t.Errorf("back by %v: %+v, %s", back, got, w.State())
		}
	}
	if got := apply(t, w, sim.Rewind{Back: time.Hour}); got != (sim.Rewound{Time: oldest,
		Back: 4*time.Second - oldest}) {
		t.Errorf("back by more than is kept: %+v, to %v", got, oldest)
	}
	apply(t, w, sim.SetState{State: sim.Stopped})
	if _, err := w.Apply(sim.Rewind{Back: w.clock.stepSize}, Loaded{}); !errors.Is(err,
		sim.ErrIncorrectState) {
		t.Errorf("stopped: %v", err)
	}
	apply(t, w, sim.UnloadWorld{})
	if _, err := w.Apply(sim.Rewind{Back: w.clock.stepSize}, Loaded{}); !errors.Is(err, sim.ErrUnsupported) {
		t.Errorf("without a world: %v", err)
	}
	none := yard(t, sim.Paused)
	if _, err := none.Apply(sim.Rewind{Back: time.Second}, Loaded{}); !errors.Is(err, sim.ErrUnsupported) {
		t.Errorf("without a past: %v", err)
	}
}

func TestThePastStaysWithinItsMemory(t *testing.T) {
	w := remembering(t, time.Hour)
	var most int
	spawns := make([]sim.Spawn, 300)
	for i := range spawns { // apart, so that they are asleep soon: it is the copies that count here
		spawns[i] = sim.Spawn{Name: "b", AllowRenaming: true, Resource: sim.Resource{URI: "box"},
			Pose: sim.FramedPose{Pose: at(9+2*float64(i%20), 9+2*float64(i/20), 0.3)}}
	}
	apply(t, w, sim.SpawnBatch{Spawns: spawns})
	for i := range 9000 {
		if i%50 == 0 {
			apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.3, 0.1)})
		}
		_ = w.Step()
		most = max(most, w.history.size())
	}
	if limit := maxCheckpoints + maxCheckpoints/4; most > limit || most < maxCheckpoints/2 {
		t.Errorf("at most %d MiB were kept, %d are allowed; a test that does not get there proves nothing",
			most>>20, limit>>20)
	}
	if n := len(w.history.entries); n > 9000/50+10 {
		t.Errorf("%d commands are kept", n)
	}
	apply(t, w,
		sim.Rewind{Back: time.Duration(w.history.age-w.history.checkpoints[0].age) * w.clock.stepSize})
}

func TestGoingBackInTheMiddleOfAStepWorldAnswersIt(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Paused, Rewind: time.Minute})
	do(t, e, sim.StepWorld{N: 50})
	answer := make(chan error, 1)
	go func() {
		_, err := e.Do(t.Context(), sim.StepWorld{N: 1 << 40})
		answer <- err
	}()
	for e.Snapshot().Step < 200 {
		time.Sleep(time.Millisecond)
	}
	do(t, e, sim.Rewind{Back: time.Duration(100) * e.Snapshot().StepSize})
	if err := <-answer; !errors.Is(err, sim.ErrCancelled) {
		t.Errorf("%v", err)
	}
}

func TestCommandsToAPausedWorldTakeBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("gives tens of thousands of commands")
	}
	w := remembering(t, time.Minute)
	for range 20 {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
	}
	apply(t, w, sim.Rewind{Back: 10 * time.Millisecond}) // a way forward is left, too
	apply(t, w, sim.Spawn{Name: "b0", Resource: sim.Resource{URI: "ball"}, Pose: sim.FramedPose{Pose: r3.IdentityPose()}})
	at := r3.Pose{Pos: r3.V(1, 2, 3), Rot: r3.Identity()}
	for i := range maxHistoryEntries + 1000 {
		if i%2 == 0 {
			apply(t, w, sim.SetEntityState{Name: "b0", Pose: &at})
		} else {
			apply(t, w, sim.SetPacing{RealTime: 1})
		}
		if n := len(w.history.entries); n > maxHistoryEntries+1 {
			t.Fatalf("%d commands are kept, want at most %d", n, maxHistoryEntries)
		}
	}
	before := pausedHash(w)
	apply(t, w, sim.SetState{State: sim.Playing})
	for range 5 {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
	}
	apply(t, w, sim.Rewind{Back: time.Hour})
	if got := pausedHash(w); got != before {
		t.Errorf("back at the beginning the world is %x, and was %x", got, before)
	}
}
