package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/ui/cli/batch"
)

// sweepFile writes a sweep into a folder of its own.
func sweepFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

const fourRuns = "duration: 1s\nmatrix: {world: [world://demo, world://empty], seed: 1..2, jitter.x: [[0, 0]]}\n"

func TestASweepListsItsRuns(t *testing.T) {
	l := run(t, []string{"sweep", sweepFile(t, fourRuns), "--list"}, nil)
	if l.err != nil || l.out != "0 duration=1s world=world://demo seed=1 jitter.x=0 0\n1 duration=1s world=world://demo seed=2 jitter.x=0 0\n"+
		"2 duration=1s world=world://empty seed=1 jitter.x=0 0\n3 duration=1s world=world://empty seed=2 jitter.x=0 0\n" {
		t.Errorf("%v\n%s", l.err, l.out)
	}
}

func TestWhatIsAskedWronglyOfASweepIsSaid(t *testing.T) {
	file := sweepFile(t, fourRuns)
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"", 2, "missing argument FILE: want"},
		{file + " " + file, 2, "surplus argument"},
		{file + " --collect", 2, "missing argument RESULTS"},
		{file + " --index 4", 2, "index 4"},
		{file + " --index -1", 2, "index -1"},
		{file + " --workers -1", 2, "workers -1"},
		{file + ".not", 3, "no such file"},
		{sweepFile(t, "world: a\nduration: 1s\nmatrix: {sede: 1}\n"), 3,
			`s.yaml:3:10: "sede"`},
		{file + " --collect " + file + ".not", 1, "no such file"},
	} {
		l := run(t, append([]string{"sweep"}, strings.Fields(c.args)...), nil)
		if ExitCode(l.err) != c.code || !strings.Contains(l.err.Error(), c.says) {
			t.Errorf("sweep %s: %d, %v, want %d with %q", c.args, ExitCode(l.err), l.err, c.code, c.says)
		}
	}
}

func TestResultsThatOthersWroteArePutTogether(t *testing.T) {
	file := sweepFile(t, fourRuns)
	wrong := filepath.Join(t.TempDir(), "wrong.log")
	if err := os.WriteFile(wrong, []byte(`{"sweep":"0123456789ab","version":"test","index":0,"outcome":"passed"}`+
		"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if l := run(t, []string{"sweep", file, "--collect", wrong}, nil); !errors.Is(l.err, batch.ErrOther) ||
		!strings.Contains(l.err.Error(), wrong) {
		t.Errorf("of another sweep: %v", l.err)
	}
	digest := strings.TrimSpace(run(t, []string{"sweep", file, "--digest"}, nil).out)
	row := func(index, outcome string) string {
		return `{"sweep":"` + digest + `","version":"test","index":` + index + `,"outcome":"` + outcome +
			`","hash":"00000000000000ab","steps":250,"time":1}` + "\n"
	}
	logs := []string{filepath.Join(t.TempDir(), "a.log"), filepath.Join(t.TempDir(), "b.log")}
	for i, text := range []string{"simdeck: hello\n" + row("3", "passed") + row("3", "crashed"),
		"[pod/x-1] " + row("1", "failed") + row("0", "passed")} {
		if err := os.WriteFile(logs[i], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	l := run(t, []string{"sweep", file, "--out", out, "--collect", logs[0], logs[1]}, nil)
	if ExitCode(l.err) != 1 || !strings.HasSuffix(l.out,
		"run 1 world=world://demo seed=2: failed\n2 of 3 passed, 1 failed; 1 not done\n") {
		t.Errorf("%v\n%s", l.err, l.out)
	}
	if table, err := os.ReadFile(filepath.Join(out, "results.csv")); err != nil ||
		strings.Count(string(table), "\n") != 4 ||
		!strings.Contains(string(table), "3,1s,world://empty,2,0 0,passed,,1,250,00000000000000ab") {
		t.Errorf("%v\n%s", err, table)
	}
}
