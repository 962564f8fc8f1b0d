package record

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// errBudget is a replay that was given up: a recording may ask for any number of steps.
var errBudget = errors.New("budget")

// budget is a context that ends after so many looks at it; a player looks before each step.
type budget struct {
	context.Context
	left int
}

// Err is errBudget once the budget is used up.
func (b *budget) Err() error {
	if b.left--; b.left < 0 {
		return errBudget
	}
	return nil
}

// replayable is a recording of a few deeds, from the beginning of a world or later with its state.
func replayable(f *testing.F, seed uint64, late bool) []byte {
	f.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, taping(seed))
	world, err := engine.NewWorld(w.header.Options())
	if err != nil {
		f.Fatal(err)
	}
	w.Begin(sim.RecordPosition{}, nil, 0)
	r := rand.New(rand.NewPCG(seed, 3))
	do := func(c sim.Command) {
		at := world.Total()
		_, err := world.Apply(c, engine.Load(fakeLibrary{}, c))
		w.Command(sim.LogEntry{Step: at, Time: world.Time(), Sender: "tester", Command: c, Err: err,
			Hash: world.Hash()})
	}
	do(sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
	do(sim.SetState{State: sim.Playing})
	for range 6 {
		do(deed(r))
		for range 5 {
			if before := world.Total(); world.Step() == nil && world.Total() > before {
				w.Step(world.Total(), world.Hash())
			}
		}
		if late {
			if is, err := world.Restorable(); err == nil {
				w.State(world.Total(), 4*time.Millisecond, is)
			}
		}
	}
	ctx, stop := context.WithCancel(f.Context())
	stop()
	if err := w.Run(ctx); err != nil {
		f.Fatal(err)
	}
	return out.Bytes()
}

// FuzzReplay replays any recording, or a part of it, on a small world. It comes out equal, differs, cannot be
// read, or is abandoned after some hundred steps. The world can be hashed and shown after any command.
func FuzzReplay(f *testing.F) {
	for seed := range uint64(4) {
		text := replayable(f, seed, seed%2 == 1)
		f.Add(text, uint16(0), uint16(0))
		f.Add(text, uint16(40), uint16(90))
	}
	head := `{"simlog":1,"rtf":-1}` + "\n"
	load := `{"at":0,"do":"LoadWorld","with":{"Resource":{"URI":"yard"}},"hash":"0"}` + "\n"
	for _, text := range []string{head + load,
		head + load + `{"at":1,"do":"Rewind","with":{"Back":9223372036854775807}}` + "\n",
		`{"simlog":1,"since":18446744073709551615,"step_ns":1,"rewind_ns":9223372036854775807}` + "\n" +
			load + `{"at":18446744073709551615,"halted":true}` + "\n",
		head + load + `{"at":0,"do":"Spawn","with":{"Name":"x","Resource":{"URI":"ball"},"Pose":{"Pose":{"Pos":{"X":1e308},"Rot":{"W":1}}}}}` +
			"\n" + `{"at":0,"steps":"AAAAAA"}` + "\n"} {
		f.Add([]byte(text), uint16(0), uint16(0))
	}
	f.Fuzz(func(t *testing.T, text []byte, from, until uint16) {
		r, err := NewReader(bytes.NewReader(text))
		if err != nil {
			return // FuzzRecording has what can be wrong with it
		}
		p, err := NewPlayer(r, fakeLibrary{})
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Error(err)
			}
			return
		}
		p.From, p.Until = time.Duration(from)*time.Millisecond, time.Duration(until)*time.Millisecond
		did, err := p.Run(&budget{t.Context(), 300})
		if err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrDiverged) &&
			!errors.Is(err, errBudget) {
			t.Error(err)
		}
		if did.Steps+did.Before+did.Skipped > 300 {
			t.Errorf("%+v", did)
		}
		p.World.Hash()
		p.World.Snapshot()
	})
}
