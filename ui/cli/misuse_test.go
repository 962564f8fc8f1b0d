package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/sim/scene"
)

// whole is a program with every command, on a simulator that does what it is asked.
func whole(t *testing.T) Program {
	t.Helper()
	keys, err := os.ReadFile("../../keymap.yaml")
	if err != nil {
		t.Fatal(err)
	}
	nothing := func(context.Context, Options) error { return nil }
	return Program{
		Version: "test", Keymap: keys, DefaultWorld: "world://demo", Console: nothing, Run: nothing,
		Serve: func(context.Context, Options, SSH) error { return nil },
		Shot:  func(context.Context, Options, Shot) error { return nil },
		Bench: func(_ context.Context, _ Options, b Bench) error {
			return (&benched{World: "demo", Steps: 1}).print(b)
		},
		Doctor: func(context.Context, Options) []Finding { return []Finding{{Area: "network", What: "lo"}} },
		Library: func(o Options) (scene.Library, scene.Resource, error) {
			return library{}, scene.Resource{URI: o.World}, nil
		},
		Far: func(context.Context, Options, Target, func()) error { return nil },
		Fleet: func(ctx context.Context, _ Options, _ Target,
			work func(context.Context, sim.Fleet) error) error {
			return work(ctx, lonely{})
		},
		Attach: func(ctx context.Context, _ ROS, target Target,
			work func(context.Context, Remote) error) error {
			if target.Node == "nobody" {
				return errors.New("no simulator on domain 0")
			}
			return work(ctx, &simulator{})
		},
		Conform: func(_ context.Context, _ ROS, _ Target, c Conform, out io.Writer) error {
			if !c.JSON {
				return errors.New("the suite was not asked for JSON")
			}
			_, err := io.WriteString(out, "{\"checks\":[]}\n")
			return err
		},
		Record: func(context.Context, Options, Topics) (Recorded, error) {
			return Recorded{Messages: 3},
				nil
		},
	}
}

// lonely is a fleet of one simulator.
type lonely struct{ sim.Fleet }

func (lonely) Members() []sim.Member {
	return []sim.Member{{Name: "/simdeck", Factor: -1, Entities: -1}}
}

// outcome is the result of a command line.
type outcome struct {
	code           int
	stdout, stderr string
}

// called runs a command line as main does, in a home of its own.
func called(t *testing.T, args ...string) outcome {
	t.Helper()
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, home)
	}
	var out, complaints bytes.Buffer
	code := Main(whole(t), args, &out, &complaints)
	return outcome{code, out.String(), complaints.String()}
}

// everyCommand calls f with each command that can be run and the words that run it.
func everyCommand(t *testing.T, f func(words []string, c *cobra.Command)) {
	t.Helper()
	var walk func(c *cobra.Command, words []string)
	walk = func(c *cobra.Command, words []string) {
		if c.Runnable() {
			f(words, c)
		}
		for _, child := range c.Commands() {
			walk(child, append(slices.Clone(words), child.Name()))
		}
	}
	walk(Tree(whole(t)), nil)
}

// a document is one JSON value, a stream one in each line.
const (
	document = iota
	stream
)

// jsonCalls are calls with --json of every command that has it. %s is a four-run sweep, %d a folder to make,
// %r a recording. A command without a row fails the test below.
var jsonCalls = map[string]struct {
	args []string
	form int
	fail []string // a call that fails with another error than usage
}{
	"worlds":     {args: []string{}, fail: []string{"--config", "/nowhere/x.yaml"}},
	"spawnables": {args: []string{}, fail: []string{"--config", "/nowhere/x.yaml"}},
	"poses":      {args: []string{"demo"}, fail: []string{"x.world"}},
	"check":      {args: []string{"demo", "robot.urdf"}, fail: []string{"--strict", "demo"}},
	"replay":     {args: []string{"%r"}, fail: []string{"nowhere"}},
	"bisect":     {args: []string{"%r", "%r"}, fail: []string{"%r", "nowhere"}},
	"sweep":      {args: []string{"%s", "--list"}, fail: []string{"nowhere.yaml"}},
	"record":     {args: []string{"%d"}, fail: []string{"x.rec", "--world", "nowhere"}},
	"shot":       {args: []string{"--out", "a.png"}, fail: []string{"--config", "/nowhere/x.yaml"}},
	"benchmark":  {args: []string{}, fail: []string{"--config", "/nowhere/x.yaml"}},
	"attach":     {args: []string{"--all", "--timeout", "100ms"}, fail: []string{"--node", "nobody"}},
	"call":       {args: []string{"get_entities"}, fail: []string{"refuses"}},
	"play":       {args: []string{}, fail: []string{"--node", "nobody"}},
	"pause":      {args: []string{}, fail: []string{"--node", "nobody"}},
	"stop":       {args: []string{}, fail: []string{"--node", "nobody"}},
	"step":       {args: []string{"3"}, fail: []string{"--node", "nobody"}},
	"reset":      {args: []string{"time"}, fail: []string{"--node", "nobody"}},
	"spawn":      {args: []string{"model://box"}, fail: []string{"model://taken"}},
	"delete":     {args: []string{"a", "b"}, fail: []string{"nobody"}},
	"list":       {args: []string{}, fail: []string{"["}},
	"conform":    {args: []string{}, fail: []string{"--config", "/nowhere/x.yaml"}},
	"doctor":     {args: []string{}, fail: []string{"--config", "/nowhere/x.yaml"}},
	"config":     {args: []string{}, fail: []string{"--config", "/nowhere/x.yaml"}},
	"keys":       {args: []string{}, fail: []string{"--keymap", "/nowhere/x.yaml"}},
	"version":    {args: []string{}},
}

func TestEveryCommandWithJSONPrintsNothingElse(t *testing.T) {
	seen := map[string]bool{}
	everyCommand(t, func(words []string, c *cobra.Command) {
		name := strings.Join(words, " ")
		if c.Flags().Lookup("json") == nil {
			if !slices.Contains(append(withoutJSON, runOfSweep, "bash", "zsh", "fish", "powershell"),
				c.Name()) {
				t.Errorf("%s has no --json", c.CommandPath())
			}
			return
		}
		row, known := jsonCalls[name]
		if seen[name] = true; !known {
			t.Errorf("%s has no row in jsonCalls", c.CommandPath())
			return
		}
		args := append(append(slices.Clone(words), filledIn(t, row.args)...), "--json")
		got := called(t, args...)
		if err := isJSON(got.stdout, row.form); err != nil || got.code != 0 {
			t.Errorf("%q exits with %d, %v:\n%s%s", args, got.code, err, got.stdout, got.stderr)
		}
		if err := isJSON(got.stderr, stream); err != nil && got.stderr != "" {
			t.Errorf("%q: stderr: %v:\n%s", args, err, got.stderr)
		}
		failsInJSON(t, append(append(slices.Clone(words), "--json"), "--unknown-flag"), 2)
		if row.fail != nil {
			failsInJSON(t, append(append(slices.Clone(words), "--json"), row.fail...), 0)
		}
	})
	for name := range jsonCalls {
		if !seen[name] {
			t.Errorf("jsonCalls has a row for %q, which is no command", name)
		}
	}
}

// failsInJSON calls what must fail, and checks that the error is an object on stderr.
func failsInJSON(t *testing.T, args []string, code int) {
	t.Helper()
	got := called(t, args...)
	var f failure
	lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
	d := json.NewDecoder(strings.NewReader(lines[len(lines)-1]))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil || f.Message == "" || f.Code == "" || f.ExitCode != got.code ||
		got.code == 0 || code != 0 && (got.code != code || f.Code != "usage") {
		t.Errorf("%q exits with %d and %+v, %v:\n%s", args, got.code, f, err, got.stderr)
	}
	if err := isJSON(got.stderr, stream); err != nil {
		t.Errorf("%q: stderr: %v:\n%s", args, err, got.stderr)
	}
	if err := isJSON(got.stdout, document); got.stdout != "" && (err != nil || code != 0) {
		t.Errorf("%q prints %v:\n%s", args, err, got.stdout)
	}
}

// isJSON checks the form of an output.
func isJSON(text string, form int) error {
	if form == document {
		d := json.NewDecoder(strings.NewReader(text))
		var v any
		if err := d.Decode(&v); err != nil {
			return err
		}
		if _, err := d.Token(); err != io.EOF {
			return fmt.Errorf("something stands behind the document: %v", err)
		}
		return nil
	}
	for line := range strings.Lines(text) {
		if !json.Valid([]byte(line)) {
			return fmt.Errorf("no JSON: %q", line)
		}
	}
	return nil
}

// filledIn puts files of this test into arguments.
func filledIn(t *testing.T, args []string) []string {
	t.Helper()
	out := slices.Clone(args)
	for i, a := range out {
		switch a {
		case "%s":
			out[i] = sweepFile(t, fourRuns)
		case "%d":
			out[i] = filepath.Join(t.TempDir(), "recording")
		case "%r":
			out[i] = filepath.Join(t.TempDir(), "monday")
			taped(t, out[i])
		}
	}
	return out
}

// misuses are, for every command, arguments that are missing, surplus or wrong, with what is said of them.
// "surplus" is written where any number is right, "missing" where none is needed.
var misuses = map[string]struct{ missing, surplus, wrong string }{
	"": {surplus: `a b → surplus argument "b": want one WORLD, or --each-namespace`,
		wrong: `--domain 233 → domain 233 from flag --domain: want 0 to 232`},
	"run": {surplus: `a b → surplus argument "b": want one WORLD`,
		wrong: `--rtf fast → --rtf "fast": want a number`},
	"serve": {surplus: `a b → surplus argument "b": want one WORLD`,
		wrong: `--sessions 0 → sessions 0 from flag --sessions: want 1 to 1000`},
	"worlds": {surplus: `x → surplus argument "x": want none`,
		wrong: `--spawn-from x → spawn-from x from flag --spawn-from: want`},
	"spawnables": {surplus: `x → surplus argument "x": want none`,
		wrong: `--spawn-from x → spawn-from x from flag --spawn-from: want`},
	"poses": {surplus: `a b → surplus argument "b": want simdeck poses [WORLD]`,
		wrong: `--spawn-from x → spawn-from x from`},
	"check": {missing: `→ missing argument FILE: want simdeck check FILE…`,
		wrong: `x --overwrite → --overwrite without --write-info: want both`},
	"replay": {missing: `→ missing argument RECORDING: want simdeck replay RECORDING`,
		surplus: `a b → surplus argument "b": want simdeck replay RECORDING`,
		wrong:   `a --seek 3s --until 2s → --seek 3s --until 2s: want times of a recording`},
	"bisect": {missing: `a → missing argument RECORDING: want simdeck bisect RECORDING RECORDING`,
		surplus: `a b c → surplus argument "c": want simdeck bisect RECORDING RECORDING`,
		wrong:   `a b --spawn-from x → spawn-from x from flag --spawn-from: want`},
	"sweep": {missing: `→ missing argument FILE: want simdeck sweep FILE [RESULTS …]`,
		surplus: `a b → surplus argument "b": want simdeck sweep FILE`,
		wrong:   `%s --index 4 → --index 4: want one of the 4 runs, from 0 on`},
	runOfSweep: {surplus: `x → surplus argument "x": want none`,
		wrong: `--nope → unknown flag: --nope: want one of simdeck sweep-run --help-all`},
	"record": {missing: `→ missing argument DIR: want simdeck record DIR [TOPIC …]`,
		wrong: `d --duration -1s → duration -1s from flag --duration: want more than 0`},
	"shot": {surplus: `a b → surplus argument "b": want simdeck shot [WORLD]`,
		wrong: `--size 10x4 → --size "10x4": want columns and rows like 120x40`},
	"benchmark": {surplus: `a b → surplus argument "b": want simdeck benchmark [WORLD]`,
		wrong: `--for 0s → --for 0s: want more than 0`},
	"attach": {surplus: `x → surplus argument "x": want none`,
		wrong: `--all --node x → --all and --node x: want one of them`},
	"call": {missing: `→ missing argument SERVICE: want simdeck call SERVICE [FIELD=VALUE …]`,
		wrong: `x --timeout -1s → --timeout -1s: want more than 0`},
	"play": {surplus: `x → surplus argument "x": want none`,
		wrong: `--timeout soon → --timeout "soon": want a time with its unit`},
	"pause": {surplus: `x → surplus argument "x": want none`,
		wrong: `--domain x → --domain "x": want a whole number`},
	"stop": {surplus: `x → surplus argument "x": want none`,
		wrong: `--node → missing value of --node: want a string`},
	"step": {surplus: `1 2 → surplus argument "2": want simdeck step [N]`,
		wrong: `many → steps "many": want a whole number from 0 on`},
	"reset": {surplus: `time fast → scope "fast": want`,
		wrong: `fast → scope "fast": want time, state, spawned or all`},
	"spawn": {missing: `→ missing argument URI: want simdeck spawn URI`,
		surplus: `b 1 2 3 4 5 → pose "1 2 3 4 5": want X Y, X Y Z or X Y Z YAW`,
		wrong:   `b c 1 x → pose "x": want a number of metres or radians`},
	"delete": {missing: `→ missing argument NAME: want simdeck delete NAME …`,
		wrong: `a --timeout -1s → --timeout -1s: want more than 0`},
	"list": {surplus: `a b → surplus argument "b": want simdeck list [FILTER]`,
		wrong: `--timeout -1s → --timeout -1s: want more than 0`},
	"conform": {surplus: `x → surplus argument "x": want none`,
		wrong: `--timeout -1s → --timeout -1s: want more than 0`},
	"tour": {surplus: `x → surplus argument "x": want none`,
		wrong: `--paused=maybe → --paused "maybe": want true or false`},
	"doctor": {surplus: `x → surplus argument "x": want none`,
		wrong: `--domain -1 → domain -1 from flag --domain: want 0 to 232`},
	"config": {surplus: `x → surplus argument "x": want none`,
		wrong: `--paused=maybe → --paused "maybe": want true or false`},
	"keys": {surplus: `x → surplus argument "x": want none`,
		wrong: `--markdwon → unknown flag: --markdwon; did you mean --markdown?`},
	"workers": {surplus: `x → surplus argument "x": want simdeck workers {--file FILE | --topic NAME} [-- FLAG …]`,
		wrong: `--most 0 → --most 0: want 1 or more`},
	"version": {surplus: `x → surplus argument "x": want none`,
		wrong: `--jsn → unknown flag: --jsn; did you mean --json?`},
	"help": {surplus: `run now → no command "now"`, wrong: `rnu → no command "rnu"; did you mean "run"?`},
	"man":  {surplus: `run now → no command "now"`, wrong: `rnu → no command "rnu"; did you mean "run"?`},
	"completion": {missing: `→ missing argument SHELL: want bash, fish, powershell, zsh`,
		wrong: `ksh → shell "ksh": want bash, fish, powershell, zsh`},
	"completion bash": {surplus: `x → surplus argument "x": want none`,
		wrong: `--=x → flag "--=x": want --NAME or --NAME=VALUE`},
	"completion zsh":        {surplus: `x → surplus argument "x": want none`, wrong: `-q → unknown flag: -q`},
	"completion fish":       {surplus: `x → surplus argument "x": want none`, wrong: `-q → unknown flag: -q`},
	"completion powershell": {surplus: `x → surplus argument "x": want none`, wrong: `-q → unknown flag: -q`},
}

func TestArgumentsThatAreMissingSurplusOrWrongAreToldInOneVoice(t *testing.T) {
	seen := map[string]bool{}
	everyCommand(t, func(words []string, c *cobra.Command) {
		name := strings.Join(words, " ")
		row, known := misuses[name]
		if seen[name] = true; !known || row.wrong == "" {
			t.Errorf("%s has no row in misuses", c.CommandPath())
			return
		}
		if err := c.Args(c, nil); err != nil && row.missing == "" {
			t.Errorf("%s needs arguments: misuses lacks what is said where they are missing", c.CommandPath())
		}
		if err := c.Args(c, make([]string, 99)); err != nil && row.surplus == "" {
			t.Errorf("%s takes no more arguments: misuses lacks what is said of a surplus one",
				c.CommandPath())
		}
		for _, m := range []string{row.missing, row.surplus, row.wrong} {
			if m == "" {
				continue
			}
			typed, want, _ := strings.Cut(m, "→ ")
			args := append(slices.Clone(words), filledIn(t, strings.Fields(typed))...)
			got := called(t, args...)
			example := "; example: " + c.CommandPath()
			if got.code != 2 || got.stdout != "" || !strings.HasPrefix(got.stderr, "simdeck: usage: "+want) ||
				strings.Count(got.stderr, "\n") != 1 || strings.Count(got.stderr, "; example: ") != 1 ||
				!strings.Contains(got.stderr, example) {
				t.Errorf("%q exits with %d and says\n%swant %q%s", args, got.code, got.stderr, want, example)
			}
		}
	})
	for name := range misuses {
		if !seen[name] {
			t.Errorf("misuses has a row for %q, which is no command", name)
		}
	}
}

func TestTheExampleOfAnErrorHasTheFlagThatIsWrong(t *testing.T) {
	root := Tree(whole(t))
	for words, want := range map[string]string{
		"sweep --index":   "simdeck sweep braking.yaml --index 17",
		"sweep --nothing": "simdeck sweep braking.yaml",
		"step":            "simdeck step 250",
	} {
		c, flags, err := root.Find(strings.Fields(words))
		if err != nil {
			t.Fatal(err)
		}
		if got := exampleFor(c, fmt.Errorf("%v", flags)); got != want {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
	if got := exampleFor(&cobra.Command{Use: "bare"}, errors.New("--x")); got != "bare" {
		t.Errorf("without examples: %q", got)
	}
}
