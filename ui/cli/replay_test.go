package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/record"
	"simdeck/sim/scene"
)

// taped makes a recording of an empty world that some steps were done in.
func taped(t *testing.T, dir string) {
	t.Helper()
	r, err := NewRecording(Options{World: "world://empty", Record: dir, Seed: 5, RealTime: -1}, "8.8")
	if err != nil {
		t.Fatal(err)
	}
	world, err := sim.NewWorld(sim.Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	command, step := r.Hooks()
	for _, c := range []sim.Command{sim.LoadWorld{Resource: sim.Resource{URI: "world://empty"}}, sim.SetState{State: sim.Playing}} {
		if _, err := world.Apply(c, sim.Load(library{}, c)); err != nil {
			t.Fatal(err)
		}
		command(sim.LogEntry{Command: c, Sender: "start", Hash: world.Hash()})
	}
	for range 700 {
		if err := world.Step(); err != nil {
			t.Fatal(err)
		}
		step(world.Total(), world.Hash())
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := r.Run(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestReplayTellsWhetherARecordingIsTheSame(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "monday")
	taped(t, dir)
	file := filepath.Join(dir, commandLog)
	for _, name := range []string{dir, file} {
		l := run(t, []string{"replay", name}, nil)
		if l.err != nil || !strings.Contains(l.out, "world://empty, recorded by simdeck 8.8: 2 commands and 700 steps (2.8s) are the same") {
			t.Errorf("%q, %v", l.out, l.err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(b []byte) {
		if err := os.WriteFile(file, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(text[:len(text)-5])
	if l := run(t, []string{"replay", dir}, nil); l.err != nil || !strings.Contains(l.out, "ends within a line") {
		t.Errorf("%q, %v", l.out, l.err)
	}
	at := bytes.LastIndex(text, []byte(`"steps":"`)) + 9
	bad := bytes.Clone(text)
	if bad[at]++; bad[at] == '[' || bad[at] == '{' || bad[at] == ':' {
		bad[at] = 'A'
	}
	write(bad)
	if l := run(t, []string{"replay", dir}, nil); !errors.Is(l.err, record.ErrDiverged) || ExitCode(l.err) != 1 || !strings.Contains(l.err.Error(), "at step 501") {
		t.Errorf("%v, exit code %d", l.err, ExitCode(l.err))
	}
	write([]byte("nothing\n"))
	if l := run(t, []string{"replay", dir}, nil); !errors.Is(l.err, scene.ErrParse) || ExitCode(l.err) != 3 {
		t.Errorf("%v, exit code %d", l.err, ExitCode(l.err))
	}
	if l := run(t, []string{"replay", dir + "-gone"}, nil); !errors.Is(l.err, scene.ErrNotFound) || ExitCode(l.err) != 3 {
		t.Errorf("%v, exit code %d", l.err, ExitCode(l.err))
	}
}

func TestARecordingIsNeverWrittenOver(t *testing.T) {
	dir := t.TempDir()
	taped(t, dir)
	if _, err := NewRecording(Options{World: "w", Record: dir}, "1"); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "holds a recording already") {
		t.Errorf("%v", err)
	}
	if r, err := NewRecording(Options{World: "w"}, "1"); r != nil || err != nil {
		t.Errorf("nothing was asked for: %v, %v", r, err)
	}
	var none *Recording
	if command, step := none.Hooks(); command != nil || step != nil {
		t.Error("without a recording the engine calls nobody")
	}
}
