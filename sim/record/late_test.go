package record

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// tape is a recording that is being made.
type tape struct {
	bytes.Buffer
	*Writer
	written chan error
}

// newTape is a recording that has not begun.
func newTape(t *testing.T, seed uint64) *tape {
	p := &tape{written: make(chan error, 1)}
	p.Writer = NewWriter(&p.Buffer, taping(seed))
	go func() { p.written <- p.Run(t.Context()) }()
	return p
}

// begin records an engine from now on.
func begin(t *testing.T, e *engine.Engine, seed uint64) *tape {
	t.Helper()
	p := newTape(t, seed)
	if err := e.Record(sim.WithSender(t.Context(), "tester"), p.Writer, "tape"); err != nil {
		t.Fatal(err)
	}
	return p
}

// end ends it, and gives what is written.
func (p *tape) end(t *testing.T, e *engine.Engine) []byte {
	t.Helper()
	if err := e.Record(t.Context(), nil, ""); err != nil {
		t.Fatal(err)
	}
	if err := <-p.written; err != nil {
		t.Fatal(err)
	}
	return p.Buffer.Bytes()
}

// driven is an engine that plays, and nobody records it yet.
func driven(t *testing.T, seed uint64) *engine.Engine {
	t.Helper()
	return begun(t, sim.Playing, seed, nil)
}

// begun is an engine in a state, with a recorder or nil.
func begun(t *testing.T, start sim.State, seed uint64, r sim.Recorder) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Config{Library: fakeLibrary{}, World: sim.Resource{URI: "yard"},
		Start:    start,
		RealTime: engine.AsFastAsPossible, Seed: seed,
		Rewind: taping(seed).Rewind, Recorder: r})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- e.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
	return e
}

func TestARecordingThatBeginsLateIsWholeAndCanBeDoneAgain(t *testing.T) {
	for seed := range uint64(4) {
		e, r := driven(t, seed), rand.New(rand.NewPCG(seed, 7))
		var steps uint64
		for range 3 {
			for range 60 {
				_, _ = e.Do(t.Context(), deed(r))
			}
			for _, c := range []sim.Command{sim.SetState{State: sim.Paused}, sim.StepWorld{N: 100}} {
				_, _ = e.Do(t.Context(), c)
			}
			p := begin(t, e, seed)
			for range 40 {
				_, _ = e.Do(t.Context(), deed(r))
			}
			text := p.end(t, e)
			did, err := replay(t, text, fakeLibrary{})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, bytes.SplitAfterN(text, []byte("\n"), 2)[0])
			}
			if did.Cut {
				t.Errorf("seed %d: the recording ends within a line", seed)
			}
			if did.Before > 0 {
				t.Errorf("seed %d: %d steps from before the recording are done again", seed, did.Before)
			}
			steps += did.Steps
		}
		if steps < 100 {
			t.Errorf("seed %d: %d steps compared", seed, steps)
		}
	}
}

func TestOnlyWhatCanBeDoneAgainIsRecorded(t *testing.T) {
	e := driven(t, 1)
	if err := e.Record(t.Context(), nil, ""); !errors.Is(err, sim.ErrIncorrectState) {
		t.Errorf("ending what has not begun: %v", err)
	}
	p := begin(t, e, 1)
	if err := e.Record(t.Context(), p.Writer, "again"); !errors.Is(err, sim.ErrIncorrectState) ||
		!strings.Contains(err.Error(), "already") {
		t.Errorf("a second recording: %v", err)
	}
	p.end(t, e)
	events := e.Snapshot().Events
	for i, want := range []string{"a recording begins: tape", "the recording ends"} {
		if got := events[len(events)-2+i].Text; got != want {
			t.Errorf("the log says %q, want %q", got, want)
		}
	}
	for range 5 {
		_, _ = e.Do(t.Context(), sim.StepWorld{N: 1})
	}
	if did, err := replay(t, begin(t, e, 1).end(t, e), fakeLibrary{}); err != nil || did.Commands != 1 ||
		did.Before != 0 {
		t.Errorf("of a world that stands: %+v, %v", did, err)
	}
	if _, err := e.Do(t.Context(), sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}); err != nil {
		t.Fatal(err)
	}
	if did, err := replay(t, begin(t, e, 1).end(t, e), fakeLibrary{}); err != nil || did.Commands != 1 {
		t.Errorf("of a world that was loaded anew: %+v, %v", did, err)
	}
}

// TestALateRecordingBeginsWithTheState: it holds no step from before, and what follows is done again and
// compared, rewinding too.
func TestALateRecordingBeginsWithTheState(t *testing.T) {
	for seed := range uint64(2) {
		e, r := driven(t, seed), rand.New(rand.NewPCG(seed, 8))
		var steps uint64
		for range 2 {
			for range 40 {
				_, _ = e.Do(t.Context(), deed(r))
			}
			if e.Snapshot().State == sim.NoWorld {
				_, _ = e.Do(t.Context(), sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
			}
			p := begin(t, e, seed)
			for range 40 {
				_, _ = e.Do(t.Context(), deed(r))
				_, _ = e.Do(t.Context(), sim.SetState{State: sim.Paused})
				_, _ = e.Do(t.Context(), sim.StepWorld{N: 5})
			}
			text := p.end(t, e)
			lines := bytes.SplitAfterN(text, []byte("\n"), 3)
			if !bytes.Contains(lines[1], []byte(`"do":"Resume"`)) {
				t.Fatalf("seed %d: it begins with %.100s", seed, lines[1])
			}
			did, err := replay(t, text, fakeLibrary{})
			if err != nil || did.Before > 0 {
				t.Fatalf("seed %d: %+v, %v\n%s", seed, did, err, lines[0])
			}
			steps += did.Steps
			if _, err := replay(t, text, fakeLibrary{raise: 0.25}); steps > 0 && err == nil {
				t.Errorf("seed %d: the files changed, and nothing was found", seed)
			}
			hostile(t, lines, r)
		}
		if steps < 100 {
			t.Errorf("seed %d: %d steps compared", seed, steps)
		}
	}
}

// hostile spoils a state at many places: it is refused, or means the same.
func hostile(t *testing.T, lines [][]byte, r *rand.Rand) {
	t.Helper()
	for range 15 {
		text := bytes.Clone(lines[1])
		at := bytes.Index(text, []byte(`"with":`)) + r.IntN(len(text)-200)
		text[min(at, len(text)-3)] = "0123456789,[]{}-"[r.IntN(16)]
		if _, err := replay(t, bytes.Join([][]byte{lines[0], text}, nil), fakeLibrary{}); err != nil &&
			!errors.Is(err, ErrFormat) && !errors.Is(err, ErrDiverged) {
			t.Errorf("a spoilt state: %v", err)
		}
	}
}

func TestAnEngineThatEndsEndsItsRecording(t *testing.T) {
	e := driven(t, 1)
	p := begin(t, e, 1)
	if _, err := e.Do(t.Context(), sim.SetState{State: sim.Quitting}); err != nil {
		t.Fatal(err)
	}
	if err := <-p.written; err != nil {
		t.Fatal(err)
	}
	if did, err := replay(t, p.Buffer.Bytes(), fakeLibrary{}); err != nil || did.Commands != 2 {
		t.Errorf("%+v, %v", did, err)
	}
	if err := e.Record(t.Context(), nil, ""); !errors.Is(err, sim.ErrClosed) {
		t.Errorf("ending it then: %v", err)
	}
}

// TestARecordingMayBeginInAnyStateAndGoBackBehindItsBeginning: without a world, after a fault or a rewind,
// and with a rewind to a moment before it began.
func TestARecordingMayBeginInAnyStateAndGoBackBehindItsBeginning(t *testing.T) {
	load := sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}
	for name, before := range map[string][]sim.Command{
		"no world":           {sim.StepWorld{N: 10}, sim.UnloadWorld{}},
		"no world, a policy": {sim.UnloadWorld{}, sim.SetFaultPolicy{Policy: sim.PauseOnFault}},
		"stepped":            {sim.StepWorld{N: 300}},
		"after a rewind":     {sim.StepWorld{N: 300}, sim.Rewind{Back: 500 * time.Millisecond}},
		"a fault": {sim.Spawn{Name: "crank", Resource: sim.Resource{URI: "crank"},
			Pose: sim.FramedPose{Pose: at(2, 2, 0.1)}}, sim.StepWorld{N: 5},
			sim.SetJoint{Name: "crank", Joint: "axle", Mode: sim.JointEffort, Target: 1e300},
			sim.StepWorld{N: 50}},
	} {
		e, err := engine.New(engine.Config{Library: cellar{}, World: load.Resource, Start: sim.Paused,
			RealTime: engine.AsFastAsPossible, Seed: 1, Rewind: taping(1).Rewind})
		if err != nil {
			t.Fatal(err)
		}
		ran := make(chan error, 1)
		go func() { ran <- e.Run(t.Context()) }()
		do := func(c sim.Command) {
			if _, err := e.Do(t.Context(), c); err != nil {
				t.Fatalf("%s: %s: %v", name, sim.Describe(c), err)
			}
		}
		for _, c := range before {
			do(c)
		}
		if contained := e.Snapshot().Stats.Contained; (contained > 0) != (name == "a fault") {
			t.Errorf("%s: %d are contained", name, contained)
		}
		p := begin(t, e, 1)
		if e.Snapshot().State == sim.NoWorld {
			do(load)
			do(sim.SetState{State: sim.Paused})
		}
		do(sim.StepWorld{N: 100})
		if len(before) < 2 || name == "after a rewind" || name == "a fault" {
			do(sim.Rewind{Back: 600 * time.Millisecond})
			do(sim.StepWorld{N: 50})
		}
		do(sim.Rewind{Back: 40 * time.Millisecond})
		do(sim.StepWorld{N: 20})
		if did, err := replay(t, p.end(t, e), cellar{}); err != nil || did.Steps < 100 || did.Before > 0 {
			t.Errorf("%s: %+v, %v", name, did, err)
		}
		do(sim.SetState{State: sim.Quitting})
		if err := <-ran; err != nil {
			t.Error(err)
		}
	}
}
