package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/escape"
)

// hostile answers everything with one string, and with poses that no robot has.
type hostile string

func (h hostile) Title() string { return string(h) }

func (h hostile) Do(_ context.Context, c sim.Command) (sim.Reply, error) {
	switch c.(type) {
	case sim.StepWorld:
		return sim.Stepped{Completed: math.MaxUint64, Time: math.MinInt64}, nil
	case sim.Spawn:
		return sim.Spawned{Name: string(h)}, nil
	case sim.ListSpawnables:
		return sim.Spawnables{List: []sim.Spawnable{h.spawnable()}}, nil
	case sim.Delete:
		return nil, errors.New(string(h))
	}
	return sim.Done{}, nil
}

func (h hostile) spawnable() sim.Spawnable {
	return sim.Spawnable{URI: string(h), Name: string(h),
		Info: scene.Info{Description: string(h), Tags: []string{string(h), string(h)}}}
}

func (h hostile) Entities(_ context.Context, filter string) (time.Duration, []Entity, error) {
	if filter != "" {
		return 0, nil, errors.New(string(h))
	}
	inf := math.Inf(1)
	state := sim.EntityState{Pose: r3.Pose{Pos: r3.V(1e17, -1e300, inf), Rot: r3.Quat{W: math.NaN()}},
		Twist: r3.Twist{Linear: r3.V(math.NaN(), 5e-324, -inf)}}
	return math.MaxInt64, []Entity{{string(h), &state}, {string(h) + "2", nil}}, nil
}

func (h hostile) Call(_ context.Context, service string, _ []string) (Answer, error) {
	text, _ := json.Marshal(map[string]string{"x": string(h)})
	a := Answer{Simulator: string(h), Service: string(h), Name: string(h), Message: string(h), JSON: text,
		Text: "x: " + escape.Line(string(h)) + "\n"}
	if service == "told" {
		a.Code = resultOK
	}
	return a, nil
}

func (h hostile) Members() []sim.Member {
	return []sim.Member{{ID: string(h), Name: string(h), Host: string(h), World: string(h),
		State: sim.State(200), Timed: true, Time: math.MaxInt64, Factor: 1e300, Entities: math.MaxInt,
		Fault: string(h)}}
}

func (h hostile) Forget(string) {}

// hostileFleet is a Fleet: its Do has other parameters.
type hostileFleet struct{ hostile }

func (hostileFleet) Do(context.Context, []string, sim.Command) error { return nil }

// hostileLibrary is a library whose files hold the string wherever a file can.
type hostileLibrary string

func (h hostileLibrary) World(r scene.Resource) (*scene.WorldSpec, error) {
	if strings.HasSuffix(r.URI, "bad") {
		return nil, fmt.Errorf("%w: %s", scene.ErrParse, string(h))
	}
	note := scene.Note{Kind: scene.Missing, File: string(h), Line: 4, Text: string(h)}
	return &scene.WorldSpec{Name: string(h),
		NamedPoses: []scene.NamedPose{{Name: string(h), Description: string(h), Tags: []string{string(h)}}},
		Models: []scene.Placed{{Name: string(h),
			Model: &scene.ModelSpec{Name: string(h), Notes: scene.Notes{note}}}}}, nil
}

func (h hostileLibrary) Model(scene.Resource) (*scene.ModelSpec, error) {
	return nil, fmt.Errorf("%w: %s", scene.ErrNotFound, string(h))
}

func (h hostileLibrary) Spawnables([]string) ([]scene.Spawnable, []string) {
	return []scene.Spawnable{hostile(h).spawnable()}, []string{string(h)}
}

func (h hostileLibrary) Worlds([]string) ([]scene.WorldInfo, []string) {
	return []scene.WorldInfo{{Name: string(h), URI: string(h), Description: string(h),
		Tags: []string{string(h)}}}, []string{string(h)}
}

func (h hostileLibrary) Formats() []string { return nil }

// program is one to which everything outside says s.
func (h hostile) program() Program {
	s := string(h)
	return Program{
		Version: "test", Keymap: []byte("{}"), DefaultWorld: "demo",
		Services: func() []string { return []string{"told"} },
		Attach: func(ctx context.Context, _ ROS, _ Target, work func(context.Context, Remote) error) error {
			return work(ctx, h)
		},
		Far: func(context.Context, Options, Target, func()) error { return errors.New(s) },
		Fleet: func(ctx context.Context, _ Options, _ Target,
			work func(context.Context, sim.Fleet) error) error {
			return work(ctx, hostileFleet{h})
		},
		Conform: func(_ context.Context, _ ROS, _ Target, _ Conform, out io.Writer) error {
			_, _ = io.WriteString(out, escape.Line(s)+"\n")
			return fmt.Errorf("%w: %s", ErrUsage, s)
		},
		Doctor: func(context.Context, Options) []Finding {
			return []Finding{{Area: "network", What: s, Bad: true, Said: s, Fix: s}}
		},
		Record: func(context.Context, Options, Topics) (Recorded, error) { return Recorded{Lost: 1}, nil },
		Run:    func(context.Context, Options) error { return errors.New(s) },
		Library: func(o Options) (scene.Library, scene.Resource, error) {
			return hostileLibrary(s), scene.Resource{URI: o.World}, nil
		},
	}
}

// hostileCommands are all command lines that print what others say; those with --json print JSON alone.
func hostileCommands(s string) [][]string {
	return [][]string{
		{"list"}, {"list", "x"}, {"list", "--json"}, {"call", "told"}, {"call", "told", "--json"},
		{"call", "refused"}, {"delete", s}, {"delete", "--json", "--", s},
		{"play"}, {"pause", "--json"}, {"stop"}, {"step", "3"}, {"reset"}, {"spawn", s},
		{"spawn", "--json", "--", s}, {"attach"},
		{"attach", "--all", "--json", "--timeout", "1ns"}, {"conform"}, {"doctor"}, {"doctor", "--json"},
		{"record", s, "--duration", "1ns"}, {"run", s},
		{"worlds"}, {"worlds", "--json"}, {"spawnables"}, {"spawnables", "--json"}, {"poses"},
		{"poses", "--json"}, {"check", s}, {"check", "bad"}, {"check", "x", "--json"},
		{"config", "--namespace", s}, {"config", "--" + s}, {s}, {"run", "--theme", s},
		{"__complete", "delete", ""},
	}
}

// printed is the output of a command line on a terminal.
func printed(s string, args []string) (stdout, stderr string) {
	var out, errs bytes.Buffer
	Main(hostile(s).program(), args, &out, &errs)
	return out.String(), errs.String()
}

func checkPrinted(t *testing.T, s string, without ...string) {
	t.Helper()
	if strings.ContainsRune(s, 0) {
		return // no argument of a process holds one
	}
	for i, args := range hostileCommands(s) {
		if slices.Contains(without, args[0]) {
			continue
		}
		out, errs := printed(s, args)
		for _, text := range []string{out, errs} {
			if at := strings.IndexFunc(text, commands); at >= 0 || !utf8.ValidString(text) {
				t.Fatalf("%q of %q: a terminal would take a command at %d of %q", args, s, at, text)
			}
		}
		if slices.Contains(args, "--json") {
			if out != "" && !json.Valid([]byte(out)) {
				t.Errorf("%q of %q: no JSON: %s", args, s, out)
			}
			continue
		}
		// A name with a line feed makes no line that looks like the program's own.
		if want := tameLines()[i]; slices.Equal(args, hostileCommands("tame")[i]) &&
			args[0] != "__complete" && args[0] != "doctor" && out != "" && strings.Count(out, "\n") != want {
			t.Errorf("%q of %q: %d lines, and %d of a plain word:\n%s", args, s, strings.Count(out, "\n"),
				want, out)
		}
	}
}

// tameLines are the numbers of lines that each command line prints for a plain word.
var tameLines = sync.OnceValue(func() (lines []int) {
	for _, args := range hostileCommands("tame") {
		out, _ := printed("tame", args)
		lines = append(lines, strings.Count(out, "\n"))
	}
	return lines
})

// commands reports a character that a terminal does not draw.
func commands(r rune) bool {
	return r != '\n' && r != '\t' &&
		(unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029)
}

// hostileStrings are texts from a simulator elsewhere.
var hostileStrings = []string{
	"a\x1b]52;c;aGFja2Vk\x07\x1b]0;pwned\x07\x1b[2J\x1b[31mX", "b\x9b31m", "b\u009b31m", "\u202egnp.exe",
	"x\nsimdeck: all is well", "\r\x7f\b\v", "\xff\xfe\xc3",
	"\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\", "\x1bP$q\x1b\\", "\x1b[6n\x1b[c", "%s%d\\u001b",
	"--node=x", "\u2028\u0085",
}

func TestNoStringFromOutsideReachesATerminalAsACommand(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 3 s")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	for _, s := range hostileStrings {
		t.Run(strconv.QuoteToASCII(s), func(t *testing.T) { checkPrinted(t, s) })
	}
}

// FuzzPrinting: whatever those outside say, no command line prints it raw.
func FuzzPrinting(f *testing.F) {
	f.Setenv("XDG_CONFIG_HOME", f.TempDir())
	f.Setenv("XDG_STATE_HOME", f.TempDir())
	f.Setenv("HOME", f.TempDir())
	for _, s := range hostileStrings {
		f.Add(s)
	}
	// which takes its time with the clock
	f.Fuzz(func(t *testing.T, s string) { checkPrinted(t, s, "doctor") })
}

func TestWhatCommandsPrintGoesThroughTheEscapingPrinter(t *testing.T) {
	files, err := filepath.Glob("*.go")
	more, _ := filepath.Glob("batch/*.go")
	if files = append(files, more...); err != nil || len(files) < 40 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "batch/order.go" { // which writes into a hash
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "fmt" &&
					(strings.HasPrefix(s.Sel.Name, "Fprint") || strings.HasPrefix(s.Sel.Name, "Print")) {
					t.Errorf("%v: fmt.%s: want escape.Fprintf or escape.Fprintln, which keep what comes from outside in its line",
						set.Position(s.Pos()), s.Sel.Name)
				}
			}
			return true
		})
	}
}
