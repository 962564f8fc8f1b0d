package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/record"
	"simdeck/sim/scene"
)

// taped makes a recording of an empty world that some steps were done in.
func taped(t *testing.T, dir string, wrong ...uint64) {
	t.Helper()
	r, err := NewRecorder(disk{}, Options{World: "world://empty", Recording: Recording{Dir: dir}, Seed: 5,
		RealTime: -1}, "8.8")
	if err != nil {
		t.Fatal(err)
	}
	world, err := engine.NewWorld(engine.Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	tape := r.First()
	tape.Begin(sim.RecordPosition{}, nil, 0)
	for _, c := range []sim.Command{sim.LoadWorld{Resource: sim.Resource{URI: "world://empty"}},
		sim.SetState{State: sim.Playing}} {
		if _, err := world.Apply(c, engine.Load(library{}, c)); err != nil {
			t.Fatal(err)
		}
		tape.Command(sim.LogEntry{Command: c, Sender: "start", Hash: world.Hash()})
	}
	for range 700 {
		if err := world.Step(); err != nil {
			t.Fatal(err)
		}
		hash := world.Hash()
		if slices.Contains(wrong, world.Total()) {
			hash++
		}
		tape.Step(world.Total(), hash)
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
		if l.err != nil || !strings.Contains(l.out,
			"world://empty, recorded by simdeck 8.8: 2 commands and 700 steps (2.8s) match") {
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
	if l := run(t, []string{"replay", dir}, nil); l.err != nil ||
		!strings.Contains(l.out, "Recording truncated") {
		t.Errorf("%q, %v", l.out, l.err)
	}
	at := bytes.LastIndex(text, []byte(`"steps":"`)) + 9
	bad := bytes.Clone(text)
	if bad[at]++; bad[at] == '[' || bad[at] == '{' || bad[at] == ':' {
		bad[at] = 'A'
	}
	write(bad)
	if l := run(t, []string{"replay", dir}, nil); !errors.Is(l.err, record.ErrDiverged) ||
		ExitCode(l.err) != 1 || !strings.Contains(l.err.Error(), "at step 501") {
		t.Errorf("%v, exit code %d", l.err, ExitCode(l.err))
	}
	write([]byte("nothing\n"))
	if l := run(t, []string{"replay", dir}, nil); !errors.Is(l.err, scene.ErrParse) || ExitCode(l.err) != 3 {
		t.Errorf("%v, exit code %d", l.err, ExitCode(l.err))
	}
	if l := run(t, []string{"replay", dir + "-gone"}, nil); !errors.Is(l.err, scene.ErrNotFound) ||
		ExitCode(l.err) != 3 {
		t.Errorf("%v, exit code %d", l.err, ExitCode(l.err))
	}
}

func TestReplaySeeksATimeAndEndsAtOne(t *testing.T) {
	dir := t.TempDir()
	taped(t, dir) // 700 steps of 4 ms
	file := filepath.Join(dir, commandLog)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(text, []byte(`"steps":"`)) + 9 // the hash of step 501, at 2.004 s
	bad := bytes.Clone(text)
	if bad[at]++; bad[at] == '[' || bad[at] == '{' || bad[at] == ':' {
		bad[at] = 'A'
	}
	if err := os.WriteFile(file, bad, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words, want string
		code        int
	}{
		{"", "diverged at step 501", 1},
		{"--seek 2004ms", "diverged at step 501", 1},
		{"--until 2004ms", "diverged at step 501", 1},
		{"--until 2s", "2 commands and 500 steps (2s) match", 0},
		{"--seek 2008ms", "Skipped 501 steps before 2.008s\nworld://empty, recorded by simdeck 8.8: 2 commands and 199 steps (796ms) match",
			0},
		{"--seek 2500ms --until 2600ms", "2 commands and 26 steps (104ms) match", 0},
		{"--seek 2500ms --until 2600ms --list", "0 entities of world://empty at 2.600 s", 0},
		{"--seek 2500ms --until 2600ms --json", `{"simulator":"world://empty","time":2.6,"entities":[]}`, 0},
		{"--seek 3s", "the recording ends at 2.8s, before 3s", 2},
		{"--seek 3s --until 2s", "the later one last", 2},
		{"--seek -1s", "want times of a recording", 2},
	} {
		l := run(t, append([]string{"replay", dir}, strings.Fields(c.words)...), nil)
		said := l.out
		if l.err != nil {
			said += l.err.Error()
		}
		if ExitCode(l.err) != c.code || !strings.Contains(said, c.want) {
			t.Errorf("replay %s: %q, %v; want %q", c.words, l.out, l.err, c.want)
		}
	}
}

func TestARecordingIsNeverWrittenOver(t *testing.T) {
	dir := t.TempDir()
	taped(t, dir)
	if _, err := NewRecorder(disk{}, Options{World: "w", Recording: Recording{Dir: dir}},
		"1"); !errors.Is(err, ErrUsage) ||
		!strings.Contains(err.Error(), "holds a recording already") {
		t.Errorf("%v", err)
	}
	if r, err := NewRecorder(disk{}, Options{World: "w"}, "1"); err != nil || r.First() != nil {
		t.Errorf("nothing was asked for: %v, %v", r, err)
	}
}

func TestAnOperatorBeginsAndEndsRecordingsWhileTheSimulationRuns(t *testing.T) {
	dir := t.TempDir()
	r, err := NewRecorder(disk{}, Options{World: "world://empty", Recording: Recording{Later: dir},
		RealTime: -1}, "8.8")
	if err != nil {
		t.Fatal(err)
	}
	r.Engine, err = engine.New(engine.Config{Library: library{}, World: sim.Resource{URI: "world://empty"},
		Start: sim.Playing, RealTime: -1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 2)
	go func() { ran <- r.Engine.Run(ctx) }()
	go func() { ran <- r.Run(ctx) }()
	var folders []string
	for range 3 { // within a second: their names differ all the same
		folder, err := r.Start(ctx, sim.RecordingScope{})
		if err != nil {
			t.Fatal(err)
		}
		if now := r.State(); now.Folder != folder || now.Fault != "" || filepath.Dir(folder) != dir {
			t.Errorf("it records into %q, and says %q, %v", folder, now.Folder, now.Fault)
		}
		if _, err := r.Start(ctx, sim.RecordingScope{}); !errors.Is(err, sim.ErrIncorrectState) {
			t.Errorf("two at once: %v", err)
		}
		if _, err := r.Engine.Do(ctx, sim.SetPacing{RealTime: 3}); err != nil {
			t.Fatal(err)
		}
		if len(folders) == 2 {
			break // that one ends with the engine
		}
		if ended, err := r.Stop(ctx); err != nil || ended != folder {
			t.Errorf("ending %q: %q, %v", folder, ended, err)
		}
		if now := r.State().Folder; now != "" {
			t.Errorf("it records into %q still", now)
		}
		folders = append(folders, folder)
	}
	last := r.State().Folder
	stop()
	if err := errors.Join(<-ran, <-ran); err != nil {
		t.Fatal(err)
	}
	for i, folder := range append(folders, last) {
		l := run(t, []string{"replay", folder}, nil)
		if want := "2 commands"; l.err != nil || i < 2 && !strings.Contains(l.out, want) ||
			strings.Contains(l.out, "ends within") {
			t.Errorf("%q, %v; want %s", l.out, l.err, want)
		}
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 3 {
		t.Errorf("what was refused left something: %v, %v", all, err)
	}
}
