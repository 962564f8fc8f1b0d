package record

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// played does a recording again from a time until another.
func played(t testing.TB, text []byte, from, until time.Duration) (Played, *engine.World) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlayer(r, fakeLibrary{})
	if err != nil {
		t.Fatal(err)
	}
	p.From, p.Until = from, until
	did, err := p.Run(t.Context())
	if err != nil {
		t.Fatalf("from %v until %v: %v; %+v", from, until, err, did)
	}
	return did, p.World
}

// stepped records a paused yard in which things are done between steps of a second.
func stepped(t *testing.T, seconds int, deeds map[int]sim.Command) []byte {
	t.Helper()
	p := newTape(t, 3)
	e := begun(t, sim.Paused, 3, p.Writer)
	for k := range seconds {
		if c := deeds[k]; c != nil {
			if _, err := e.Do(t.Context(), c); err != nil {
				t.Fatalf("at %d s: %v", k, err)
			}
		}
		if _, err := e.Do(t.Context(),
			sim.StepWorld{N: uint64(time.Second / e.Snapshot().StepSize)}); err != nil {
			t.Fatal(err)
		}
	}
	return p.end(t, e)
}

func TestASeekComputesAtMostThePeriodOfTheStatesThatAreKept(t *testing.T) {
	text := stepped(t, 65, map[int]sim.Command{
		3: sim.Spawn{Name: "b", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: at(0.3, 0.2, 4)}},
		44: sim.SetEntityState{Name: "low", Pose: new(at(0.4, 0, 3))},
	})
	if n := bytes.Count(text, []byte("\n"+string(stateBegins))); n != 6 {
		t.Fatalf("%d states in 65 s, want 6", n)
	}
	all, whole := played(t, text, 0, 0)
	if all.Leapt != 0 || all.Skipped != 0 || all.Steps != 65*250 {
		t.Fatalf("the whole: %+v", all)
	}
	for _, seconds := range []int{1, 9, 10, 11, 25, 39, 41, 52, 60, 64} {
		did, w := played(t, text, time.Duration(seconds)*time.Second, 0)
		if want := uint64(seconds/10) * 10 * 250; did.Leapt != want || did.Skipped > 10*250 ||
			did.Leapt+did.Skipped+did.Steps != all.Steps {
			t.Errorf("from %d s: %+v, want a leap to step %d and %d steps in all", seconds, did, want,
				all.Steps)
		}
		if w.Hash() != whole.Hash() || w.Time() != whole.Time() {
			t.Errorf("from %d s the world comes to %016x at %v, and as a whole to %016x at %v", seconds,
				w.Hash(), w.Time(), whole.Hash(), whole.Time())
		}
	}
	if did, w := played(t, text, 52*time.Second, 54*time.Second); w.Time() != 54*time.Second ||
		did.Leapt != 50*250 {
		t.Errorf("until 54 s: %+v, at %v", did, w.Time())
	}
}

func TestASeekBeginsBeforeWhatIsTakenBackLater(t *testing.T) {
	text := stepped(t, 50, map[int]sim.Command{42: sim.Rewind{Back: 5 * time.Second},
		47: sim.Rewind{Back: 3 * time.Second}})
	_, whole := played(t, text, 0, 0)
	// 42 s, back to 37 s, on to 42 s, back to 39 s: the state at 40 s is of what was taken back.
	did, w := played(t, text, 41*time.Second, 0)
	if did.Leapt != 30*250 || w.Hash() != whole.Hash() {
		t.Errorf("%+v, %016x; want a leap to 30 s and %016x", did, w.Hash(), whole.Hash())
	}
	if did, _ := played(t, text, 41*time.Second, 41500*time.Millisecond); did.Leapt != 40*250 {
		t.Errorf("until before it is taken back: %+v, want a leap to 40 s", did)
	}
}

func TestASeekFindsTheFirstTimeThatIsReached(t *testing.T) {
	text := stepped(t, 60, map[int]sim.Command{25: sim.Reset{Scope: sim.ResetTime}})
	_, whole := played(t, text, 0, 0)
	if did, w := played(t, text, 22*time.Second, 0); did.Leapt != 20*250 || w.Hash() != whole.Hash() {
		t.Errorf("22 s, which come twice: %+v", did)
	}
	if did, w := played(t, text, 33*time.Second, 0); did.Leapt != 50*250 || w.Hash() != whole.Hash() {
		t.Errorf("33 s, 58 s after the beginning: %+v, want a leap to step %d", did, 50*250)
	}
}

func TestAStateThatCannotBeTakenUpIsPassedOver(t *testing.T) {
	text := stepped(t, 25, nil)
	_, whole := played(t, text, 0, 0)
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, l := range lines {
		if isState(l) {
			lines[i] = []byte(strings.Replace(string(l), `"Version":1`, `"Version":99`, 1))
		}
	}
	did, w := played(t, bytes.Join(lines, nil), 22*time.Second, 0)
	if did.Leapt != 0 || did.Skipped < 21*250 || w.Hash() != whole.Hash() {
		t.Errorf("%+v", did)
	}
}

func TestSeeksOfAnyRecordingComeToTheSameEnd(t *testing.T) {
	leapt := uint64(0)
	for seed := range uint64(6) {
		e, deeds := driven(t, seed), rand.New(rand.NewPCG(seed, 9))
		p := begin(t, e, seed)
		for range 40 { // many seconds pass on any machine
			_, _ = e.Do(t.Context(), deed(deeds))
			if e.Snapshot().State == sim.NoWorld {
				_, _ = e.Do(t.Context(), sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
			}
			_, _ = e.Do(t.Context(), sim.SetState{State: sim.Paused})
			if _, err := e.Do(t.Context(), sim.StepWorld{N: 250}); err != nil {
				t.Fatal(err)
			}
		}
		text := p.end(t, e)
		_, whole := played(t, text, 0, 0)
		r := rand.New(rand.NewPCG(seed, 5))
		for range 4 {
			did, w := played(t, text, time.Duration(1+r.IntN(40_000))*time.Millisecond, 0)
			if leapt += did.Leapt; w.Hash() != whole.Hash() || w.Total() != whole.Total() {
				t.Errorf("seed %d: %+v: %016x after %d steps, want %016x after %d", seed, did, w.Hash(),
					w.Total(), whole.Hash(), whole.Total())
			}
		}
	}
	if leapt == 0 {
		t.Error("nothing was ever leapt over")
	}
}

func at(x, y, z float64) r3.Pose { return r3.Pose{Pos: r3.V(x, y, z), Rot: r3.Identity()} }

func TestTheWayForwardAgainIsReplayed(t *testing.T) {
	p := newTape(t, 3)
	e := begun(t, sim.Paused, 3, p.Writer)
	for _, c := range []sim.Command{sim.StepWorld{N: 12 * 250}, sim.Rewind{Back: 6 * time.Second},
		sim.Rewind{Back: -4 * time.Second}, sim.Rewind{Back: -time.Hour}, sim.Rewind{Back: time.Hour},
		sim.Rewind{Back: -11 * time.Second}, sim.StepWorld{N: 12 * 250}} {
		if _, err := e.Do(t.Context(), c); err != nil {
			t.Fatalf("%s: %v", sim.Describe(c), err)
		}
	}
	text := p.end(t, e)
	_, whole := played(t, text, 0, 0)
	if whole.Time() != 23*time.Second {
		t.Errorf("it ends at %v, want 11 s and 12 s more", whole.Time())
	}
	did, w := played(t, text, 21*time.Second, 0)
	if did.Leapt != 20*250 || w.Hash() != whole.Hash() { // steps, 8 s after the way forward
		t.Errorf("from 21 s: %+v, %016x; want %016x", did, w.Hash(), whole.Hash())
	}
}
