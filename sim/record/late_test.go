package record

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// tape is a recording that is being made.
type tape struct {
	bytes.Buffer
	*Writer
	written chan error
}

// begin records an engine from now on.
func begin(t *testing.T, e *engine.Engine, seed uint64) *tape {
	t.Helper()
	p := &tape{written: make(chan error, 1)}
	p.Writer = NewWriter(&p.Buffer, taping(seed))
	go func() { p.written <- p.Run(t.Context()) }()
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
func driven(t *testing.T, seed uint64, commandHistory int) *engine.Engine {
	t.Helper()
	return begun(t, sim.Playing, seed, commandHistory)
}

// begun is an engine that nobody records yet, in a state.
func begun(t *testing.T, start sim.State, seed uint64, commandHistory int) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Config{Library: fakeLibrary{}, World: sim.Resource{URI: "yard"},
		Start:    start,
		RealTime: engine.AsFastAsPossible, Seed: seed,
		Rewind: taping(seed).Rewind, CommandHistory: commandHistory})
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
		e, r := driven(t, seed, 1000), rand.New(rand.NewPCG(seed, 7))
		var before, steps uint64
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
			before, steps = before+did.Before, steps+did.Steps
		}
		if before < 100 || steps < 100 {
			t.Errorf("seed %d: %d steps before the recordings, %d in them", seed, before, steps)
		}
	}
}

func TestOnlyWhatCanBeDoneAgainIsRecorded(t *testing.T) {
	e := driven(t, 1, 5)
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
		t.Errorf("after more than is kept: %+v, %v", did, err)
	}
	if _, err := e.Do(t.Context(), sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}); err != nil {
		t.Fatal(err)
	}
	if did, err := replay(t, begin(t, e, 1).end(t, e), fakeLibrary{}); err != nil || did.Commands != 1 {
		t.Errorf("of a world that was loaded anew: %+v, %v", did, err)
	}
}

// TestARecordingBeginsWithTheStateWhereTooMuchWasDone: it holds no step from before, and what follows is done
// again and compared, rewinding too.
func TestARecordingBeginsWithTheStateWhereTooMuchWasDone(t *testing.T) {
	for seed := range uint64(2) {
		e, r := driven(t, seed, 10), rand.New(rand.NewPCG(seed, 8))
		var steps uint64
		for range 2 {
			for range 40 {
				_, _ = e.Do(t.Context(), deed(r))
			}
			if e.Snapshot().State == sim.NoWorld {
				_, _ = e.Do(t.Context(), sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
			}
			for range 12 {
				_, _ = e.Do(t.Context(), sim.SetPacing{})
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
	e := driven(t, 1, 100)
	p := begin(t, e, 1)
	if _, err := e.Do(t.Context(), sim.SetState{State: sim.Quitting}); err != nil {
		t.Fatal(err)
	}
	if err := <-p.written; err != nil {
		t.Fatal(err)
	}
	if did, err := replay(t, p.Buffer.Bytes(), fakeLibrary{}); err != nil || did.Commands != 3 {
		t.Errorf("%+v, %v", did, err)
	}
	if err := e.Record(t.Context(), nil, ""); !errors.Is(err, sim.ErrClosed) {
		t.Errorf("ending it then: %v", err)
	}
}
