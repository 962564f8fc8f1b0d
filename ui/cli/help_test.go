package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simdeck/sim/scene"
	"simdeck/ui/cli/batch"
)

func TestHelpShowsCommonFlagsAndHelpAllEveryOneByItsSubject(t *testing.T) {
	short, long := run(t, []string{"run", "--help"}, nil).out, run(t, []string{"run", "--help-all"}, nil).out
	for flag, rare := range map[string]bool{"--paused": false, "--rtf": false, "--help-all": false,
		"--spawn-from": true, "--webots-robot-name": true, "--config": true} {
		if strings.Contains(short, flag+" ") == rare || !strings.Contains(long, flag+" ") {
			t.Errorf("%s, rare %v:\n%s\n%s", flag, rare, short, long)
		}
	}
	at := 0
	for _, heading := range []string{"\nFlags:\n", "\nSimulation:\n", "\nRecording:\n", "\nROS 2:\n"} {
		next := strings.Index(long[at:], heading)
		if next < 0 {
			t.Fatalf("no %q behind %d:\n%s", heading, at, long)
		}
		at += next
	}
	if !strings.Contains(short, "more flags: simdeck run --help-all") ||
		strings.Contains(long, "more flags:") {
		t.Errorf("the flags that are left out:\n%s", short)
	}
}

func TestEveryHeadingIsOfSettingsThatThereAre(t *testing.T) {
	known := map[string]bool{"config": true}
	for _, s := range settings() {
		known[s.key] = true
	}
	for _, h := range headings {
		for _, key := range h.keys {
			if !known[key] {
				t.Errorf("%s: there is no setting %s, or it is in two", h.title, key)
			}
			delete(known, key)
		}
	}
}

func TestCompletionHelpAndManualPagesAreListed(t *testing.T) {
	root := run(t, []string{"help"}, nil).out
	for _, name := range []string{"completion", "help", "man"} {
		if !strings.Contains(root, "\n  "+name+" ") {
			t.Errorf("help does not list %s:\n%s", name, root)
		}
	}
	for _, want := range []string{"#compdef simdeck"} {
		if l := run(t, []string{"completion", "zsh"}, nil); l.err != nil || !strings.Contains(l.out, want) {
			t.Errorf("completion: %v, %.80s", l.err, l.out)
		}
	}
	page := run(t, []string{"man", "run"}, nil).out
	for _, want := range []string{".TH \"SIMDECK-RUN\" 1", ".SH NAME\nsimdeck\\-run \\- ", ".SH \"OPTIONS\"",
		`\fB\-\-webots\-robot\-name\fR \fIstring\fR`, ".SH EXAMPLES"} {
		if !strings.Contains(page, want) {
			t.Errorf("the manual page lacks %q:\n%s", want, page)
		}
	}
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, ".") && !strings.Contains(".TH .SH .TP .PP .B .nf .fi", line[:3]) {
			t.Errorf("%q is no request of the man macros", line)
		}
	}
}

// commandThatRuns is the command that words run, with its flags read as far as they can be.
func commandThatRuns(t *testing.T, args []string) *cobra.Command {
	t.Helper()
	nothing := func(context.Context, Options) error { return nil }
	cmd, rest, err := newRoot(newSession(Program{Console: nothing, Run: nothing,
		Shot:  func(context.Context, Options, Shot) error { return nil },
		Bench: func(context.Context, Options, Bench) error { return nil },
		Library: func(Options) (scene.Library, scene.Resource, error) {
			return nil, scene.Resource{}, scene.ErrNotFound
		},
		Doctor:  func(context.Context, Options) []Finding { return nil },
		Serve:   func(context.Context, Options, SSH) error { return nil },
		Far:     func(context.Context, Options, Target, func()) error { return nil },
		Conform: func(context.Context, ROS, Target, Conform, io.Writer) error { return nil },
		Record:  func(context.Context, Options, Topics) (Recorded, error) { return Recorded{}, nil },
		Attach: func(context.Context, ROS, Target, func(context.Context, Remote) error) error {
			return nil
		}},
		nil)).Find(args)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.ParseFlags(rest) // some are wrong on purpose
	return cmd
}

func TestAnErrorIsAnObjectWhereJSONIsWanted(t *testing.T) {
	for _, c := range []struct {
		args []string
		err  error
		exit int
		code string
	}{
		{[]string{"list", "--json"}, fmt.Errorf("%w: no\tsimulator", ErrUsage), 2, "usage"},
		{[]string{"check", "--json", "x"}, scene.ErrNotFound, 3, "not_found"},
		{[]string{"benchmark", "--json"}, fmt.Errorf("%w: engine fault", ErrLost), 4, "lost"},
		{[]string{"benchmark", "--json"}, io.ErrUnexpectedEOF, 1, "failed"},
	} {
		var b bytes.Buffer
		newSession(Program{}, nil).complain(&b, commandThatRuns(t, c.args), c.args, c.err)
		var got failure
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || got.ExitCode != c.exit ||
			got.Code != c.code || !strings.HasSuffix(oneLine(c.err), got.Message) || got.Message == "" {
			t.Errorf("%v: %s, %v", c.args, b.Bytes(), err)
		}
	}
	for _, args := range [][]string{{"list"}, {"call", "x", "--", "--json"}, {"list", "--json=false"},
		{"man", "--json"}, {"shot", "--out", "--json", "--nowhere"}} {
		var b bytes.Buffer
		newSession(Program{}, nil).complain(&b, commandThatRuns(t, args), args, ErrUsage)
		if b.String() != "simdeck: usage\n" {
			t.Errorf("%v: %q", args, b.String())
		}
	}
}

func TestAMistypedFlagIsFollowedByTheOneThatWasMeant(t *testing.T) {
	for typed, meant := range map[string]string{"--raed-only": "--read-only", "--dommain=3": "--domain",
		"--helpall": "--help-all"} {
		err := run(t, []string{"--no-ros", typed}, nil).err
		if ExitCode(err) != 2 || !strings.Contains(err.Error(), "did you mean "+meant+"?") {
			t.Errorf("%s: %v", typed, err)
		}
	}
	if err := flagError(nil, pflag.ErrHelp); ExitCode(err) != 2 {
		t.Errorf("another error of flags: %v", err)
	}
}

func TestASpawnThatFailsAsksForTheModelThatWasMeant(t *testing.T) {
	if text := on(t, &simulator{}, []string{"spawn", "model://bxo"}); !strings.Contains(text,
		`did you mean "box"?`) {
		t.Error(text)
	}
	if text := on(t, &simulator{}, []string{"spawn", "model://missing"}); strings.Contains(text, "did you mean") {
		t.Error(text)
	}
}

// Commands that print a file of another format or a text for people, or run until they are ended, have no
// --json.
var withoutJSON = []string{"workers", "simdeck", "tour", "run", "serve", "help", "man", "completion"}

func TestEveryCommandThatPrintsSomethingHasJSON(t *testing.T) {
	l := run(t, []string{"config", "--json"}, nil)
	var settings []settingJSON
	if err := json.Unmarshal([]byte(l.out), &settings); err != nil || len(settings) < 20 ||
		settings[0].Key == "" || settings[0].Source == "" {
		t.Errorf("config: %v, %s", err, l.out)
	}
	l = run(t, []string{"keys", "--json"}, nil)
	var keys []bindingJSON
	if err := json.Unmarshal([]byte(l.out), &keys); err != nil || len(keys) < 80 || keys[0].Action == "" ||
		len(keys[0].Keys) == 0 || keys[0].Description == "" {
		t.Errorf("keys: %v, %s", err, l.out)
	}
	l = run(t, []string{"shot", "--json", "--out", "a.png"}, nil)
	var drawn shotJSON
	if err := json.Unmarshal([]byte(l.out), &drawn); err != nil || drawn != (shotJSON{"a.png", "png"}) {
		t.Errorf("shot: %v, %s", err, l.out)
	}
	file := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(file, []byte("world: a.sdf\nduration: 1s\nmatrix:\n  seed: [1, 2]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l = run(t, []string{"sweep", file, "--list", "--json"}, nil)
	var runs []batch.RunJSON
	if err := json.Unmarshal([]byte(l.out), &runs); err != nil || len(runs) != 2 || runs[1].Run != 1 ||
		runs[1].Values["seed"] != "2" {
		t.Errorf("sweep --list: %v, %v, %s", err, l.err, l.out)
	}
	if l = run(t, []string{"sweep", "--example", "--json"}, nil); ExitCode(l.err) != 2 {
		t.Errorf("sweep --example as JSON: %v", l.err)
	}
	for _, cmd := range commandThatRuns(t, nil).Commands() {
		if !cmd.Hidden && !slices.Contains(withoutJSON, cmd.Name()) && cmd.Flags().Lookup("json") == nil {
			t.Errorf("%s prints something and has no --json; see withJSON", cmd.Name())
		}
	}
}
