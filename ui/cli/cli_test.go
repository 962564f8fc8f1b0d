package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// line runs a command line in a home of its own and gives what it asked for.
type line struct {
	options Options
	ran     string
	shot    Shot
	bench   Bench
	ssh     SSH
	out     string
	err     error
}

func run(t *testing.T, args []string, files map[string]string, environ ...string) line {
	t.Helper()
	home := t.TempDir()
	for name, content := range files {
		file := filepath.Join(home, "simdeck", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var l line
	note := func(name string) func(context.Context, Options) error {
		return func(_ context.Context, o Options) error { l.ran, l.options = name, o; return nil }
	}
	keys, err := os.ReadFile("../../keymap.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := Program{
		Version: "test", Keymap: keys, DefaultWorld: "world://demo", Console: note("console"),
		Run: note("run"), Viewers: note("viewers"),
		Shot: func(_ context.Context, o Options, s Shot) error {
			l.ran, l.options, l.shot = "shot", o,
				s
			return nil
		},
		Bench: func(_ context.Context, o Options, b Bench) error {
			l.ran, l.options, l.bench = "bench", o, b
			return nil
		},
		Doctor: func(_ context.Context, o Options) []Finding {
			if slices.Contains(o.ROS.Interfaces, "sick") {
				return []Finding{{Area: "network", What: "sockets", Bad: true, Said: "no such interface",
					Fix: "another"}}
			}
			return []Finding{{Area: "network", What: "multicast lo", Said: "heard"}}
		},
		Serve: func(_ context.Context, o Options, s SSH) error {
			l.ran, l.options, l.ssh = "serve", o,
				s
			return nil
		},
		Library: func(o Options) (scene.Library, scene.Resource, error) {
			return library{}, scene.Resource{URI: o.World}, nil
		},
	}
	var out bytes.Buffer
	rest, ros := splitROS(args)
	root := newRoot(&session{Program: p, rosArgs: ros, environ: append(environ, "XDG_CONFIG_HOME="+home)})
	root.SetArgs(rest)
	root.SetOut(&out)
	root.SetErr(&out)
	l.err = root.ExecuteContext(t.Context())
	l.out = out.String()
	return l
}

// library knows one world and one model.
type library struct{}

func (library) World(r scene.Resource) (*scene.WorldSpec, error) {
	switch {
	case strings.HasSuffix(r.URI, "bad.world"):
		return nil, fmt.Errorf("%w: bad.world:3:7: <pose> wants 6 numbers, has 5", scene.ErrParse)
	case strings.HasSuffix(r.URI, "empty"):
		return &scene.WorldSpec{Name: "empty"}, nil
	case !strings.HasSuffix(r.URI, "demo"):
		return nil, fmt.Errorf("%w: %s", scene.ErrUnsupportedFormat, r.URI)
	}
	note := scene.Note{Kind: scene.Missing, File: "demo.sdf", Line: 4, Column: 2, Text: "mesh"}
	return &scene.WorldSpec{
		Name: "demo", NamedPoses: []scene.NamedPose{{Name: "dock", Tags: []string{"x"},
			Pose: r3.PoseRPY(1, 2, 3, 0, 0, 0)}},
		Models: []scene.Placed{{Model: &scene.ModelSpec{Notes: scene.Notes{note}}},
			{Model: &scene.ModelSpec{Notes: scene.Notes{note}}}},
	}, nil
}

func (library) Model(r scene.Resource) (*scene.ModelSpec, error) {
	if !strings.HasSuffix(r.URI, "robot.urdf") {
		return nil, fmt.Errorf("%w: %s", scene.ErrNotFound, r.URI)
	}
	return &scene.ModelSpec{Name: "robot", Format: "urdf", Static: true, Links: make([]scene.Link, 3)}, nil
}

func (library) Spawnables([]string) ([]scene.Spawnable, []string) {
	return []scene.Spawnable{{URI: "model://cup", Name: "cup", Info: scene.Info{Tags: []string{"small"}}}},
		[]string{"folder x cannot be read"}
}

func (library) Worlds([]string) ([]scene.WorldInfo, []string) {
	return []scene.WorldInfo{{Name: "demo", URI: "world://demo"}}, nil
}

func (library) Formats() []string { return nil }

func TestWithoutArgumentsTheConsoleOpensTheDemo(t *testing.T) {
	l := run(t, nil, nil)
	want := Options{World: "world://demo", Progress: l.options.Progress, RealTime: -1,
		Limits:    sim.DefaultLimits(),
		Recording: Recording{Later: ".local/state/simdeck/recordings"}, Log: slog.LevelInfo,
		ROS: ROS{Lockstep: Lockstep{Patience: 10 * time.Second}},
		View: View{Theme: "ansi", Dir: ".local/state/simdeck", Back: "auto", Color: "auto", Pictures: "auto", Glyphs: "auto",
			Start: sim.Playing, Rewind: 30 * time.Second, Keymap: l.options.View.Keymap}}
	if l.err != nil || l.ran != "console" || !reflect.DeepEqual(l.options, want) {
		t.Errorf("%s with %+v, %v", l.ran, l.options, l.err)
	}
	if l.options.View.Keymap.Action("everywhere", "space") != "sim.toggle" {
		t.Error("the keymap did not come along")
	}
}

func TestEveryFlagReachesItsOption(t *testing.T) {
	l := run(t, []string{
		"run", "my.xml", "--keyframe", "arms up", "--paused", "--rtf", "2.5", "--step", "2ms", "--seed", "7",
		"--workers", "2",
		"--duration", "1m", "--path", "a,b", "--domain", "42",
		"--namespace", "/ns", "--record", "tape", "--no-ros", "--interface", "eth0", "--peers", "h1,h2",
		"--log-level", "debug", "--on-fault", "pause", "--limits", "overlaps=0,loop=9",
		"--ros-args", "-r", "__ns:=/x", "--params-file", "p.yaml",
	}, nil, "ROS_AUTOMATIC_DISCOVERY_RANGE=localhost")
	want := Options{
		World: "my.xml?keyframe=arms+up", Paused: true, RealTime: 2.5, Step: 2 * time.Millisecond, Seed: 7,
		Workers:  2,
		Duration: time.Minute, Recording: Recording{Dir: "tape", Later: ".local/state/simdeck/recordings"},
		Path: []string{"a", "b"}, Log: slog.LevelDebug,
		OnFault: sim.PauseOnFault, Limits: sim.Limits{Entities: 20000, Bodies: 50000, Links: 20000,
			Joints: 20000, Loop: 9},
		ROS: ROS{
			Off: true, Domain: 42, Namespace: "/ns", Interfaces: []string{"eth0"},
			Peers: []string{"h1", "h2"}, Range: "LOCALHOST",
			Args:     []string{"-r", "__ns:=/x", "--params-file", "p.yaml"},
			Lockstep: Lockstep{Patience: 10 * time.Second},
		},
		View: l.options.View, Progress: l.options.Progress,
	}
	if l.err != nil || l.ran != "run" || !reflect.DeepEqual(l.options, want) {
		t.Errorf("%s with\n%+v\nwant\n%+v\n%v", l.ran, l.options, want, l.err)
	}
}

func TestAFlagBeatsTheEnvironmentAndThatTheFile(t *testing.T) {
	file := map[string]string{"simdeck.yaml": "domain: 3\nseed: 3\nrtf: 3\npeers: [f1, f2]\nno-ros: true\ntheme: safe\n"}
	l := run(t, []string{"--domain", "1"}, file, "SIMDECK_DOMAIN=2", "ROS_DOMAIN_ID=9", "SIMDECK_SEED=2",
		"ROS_STATIC_PEERS=e1;e2")
	o := l.options
	if l.err != nil || o.ROS.Domain != 1 || o.Seed != 2 || o.RealTime != 3 ||
		!reflect.DeepEqual(o.ROS.Peers, []string{"e1", "e2"}) || !o.ROS.Off || o.View.Theme != "safe" {
		t.Errorf("got %+v, %v", o, l.err)
	}
	if o = run(t, nil, file, "ROS_DOMAIN_ID=9").options; o.ROS.Domain != 9 ||
		!reflect.DeepEqual(o.ROS.Peers, []string{"f1", "f2"}) {
		t.Errorf("got %+v", o)
	}
	if r := run(t, nil, nil, "ROS_LOCALHOST_ONLY=1").options.ROS.Range; r != "LOCALHOST" {
		t.Errorf("ROS_LOCALHOST_ONLY gives %q", r)
	}
	out := run(t, []string{"config", "--domain", "1"}, file, "SIMDECK_SEED=2").out
	for _, want := range []string{"flag --domain", "SIMDECK_SEED", "simdeck.yaml", "# default"} {
		if !strings.Contains(out, want) {
			t.Errorf("config does not name %s:\n%s", want, out)
		}
	}
}

func TestWhatIsWrongIsOneLineWithTheRightExitCode(t *testing.T) {
	for _, c := range []struct {
		args    []string
		files   map[string]string
		environ string
		code    int
		want    string
	}{
		{args: []string{"--nope"}, code: 2, want: "unknown flag: --nope"},
		{args: []string{"--domain", "233"}, code: 2, want: "domain 233 from flag --domain: want 0 to 232"},
		{args: []string{"--domain", "x"}, code: 2, want: `"x"`},
		{args: []string{"--rtf", "-2"}, code: 2, want: "want 0 for as fast as possible, or more"},
		{args: []string{"--rtf", "NaN"}, code: 2, want: "rtf NaN"},
		{args: []string{"--step", "-1ms"}, code: 2, want: "want more than 0"},
		{args: []string{"run", "--step", "0"}, code: 2, want: "step 0s from flag --step: want more than 0"},
		{args: []string{"run", "--durration", "3s"}, code: 2,
			want: "unknown flag: --durration; did you mean --duration?"},
		{args: []string{"help", "rnu"}, code: 2, want: `no command "rnu"; did you mean "run"?`},
		{args: []string{"help", "nope"}, code: 2, want: `no command "nope"; simdeck help lists them`},
		{args: []string{"man", "nope"}, code: 2, want: `no command "nope"`},
		{args: []string{"rnu"}, code: 2, want: `did you mean "run"?`},
		{args: []string{"doctor", "x"}, code: 2,
			want: `surplus argument "x": want none; example: simdeck doctor`},
		{args: []string{"replay"}, code: 2,
			want: "missing argument RECORDING: want simdeck replay RECORDING; example: simdeck replay monday"},
		{args: []string{"check", "demoo"}, code: 3, want: `did you mean "demo"?`},
		{args: []string{"--paused", "--stopped"}, code: 2, want: "want one of them"},
		{args: []string{"--log-level", "loud"}, code: 2, want: "want debug, info, warn or error"},
		{args: []string{"a", "b"}, code: 2,
			want: `surplus argument "b": want one WORLD, or --each-namespace`},
		{args: []string{"spawnable"}, code: 2, want: `did you mean "spawnables"?`},
		{args: []string{"shot", "--size", "10x4"}, code: 2, want: "want columns and rows"},
		{environ: "SIMDECK_DOMAIN=many", code: 2,
			want: `domain "many" from SIMDECK_DOMAIN: want a whole number`},
		{files: map[string]string{"simdeck.yaml": "domian: 3\n"}, code: 1,
			want: `key "domian" is not known; did you mean "domain"?`},
		{files: map[string]string{"simdeck.yaml": "zzzzzz: 3\n"}, code: 1, want: "there are paused"},
		{files: map[string]string{"simdeck.yaml": "a: [\n"}, code: 1, want: "simdeck.yaml"},
		{args: []string{"--config", "/nowhere/x.yaml"}, code: 1, want: "/nowhere/x.yaml"},
		{files: map[string]string{"keymap.yaml": "everywhere:\n  sim.step: [q]\n"}, code: 1,
			want: "keymap.yaml:2: key q of sim.step is already taken by app.quit"},
		{args: []string{"--keymap", "/nowhere/keys.yaml"}, code: 1, want: "/nowhere/keys.yaml"},
		{args: []string{"poses", "x.world"}, code: 3, want: "unsupported format"},
		{args: []string{"check", "x/bad.world"}, code: 3, want: "not found"},
		{args: []string{"check"}, code: 2, want: "missing argument FILE: want simdeck check FILE"},
	} {
		l := run(t, c.args, c.files, c.environ)
		if code := ExitCode(l.err); code != c.code || l.err == nil ||
			!strings.Contains(oneLine(l.err), c.want) || strings.Contains(oneLine(l.err), "\n") {
			t.Errorf("%v %v %s: code %d, %v\nwant code %d, %s", c.args, c.files, c.environ, code, l.err,
				c.code, c.want)
		}
		if l.ran != "" {
			t.Errorf("%v ran %s all the same", c.args, l.ran)
		}
	}
	if ExitCode(fmt.Errorf("engine: %w", ErrLost)) != 4 || ExitCode(errors.New("x")) != 1 ||
		ExitCode(nil) != 0 {
		t.Error("exit codes")
	}
}

func TestTheLibraryIsListed(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"worlds"}, []string{"demo", "world://demo"}},
		{[]string{"worlds", "--json"}, []string{`"uri": "world://demo"`}},
		{[]string{"spawnables"}, []string{"cup", "model://cup", "small", "folder x cannot be read"}},
		{[]string{"poses"}, []string{"dock", "1.000 2.000 3.000"}},
		{[]string{"poses", "--json"}, []string{`"name": "dock"`, `"position": [`}},
		{[]string{"check", "demo"}, []string{`world "demo", 2 models, 1 named poses`,
			"demo.sdf:4:2: missing: mesh", "1 missing"}},
		{[]string{"check", "robot.urdf"},
			[]string{`model "robot" (urdf), 3 links`, "loaded without warnings"}},
		{[]string{"keys"}, []string{"sim.toggle", "play or pause the simulation"}},
		{[]string{"keys", "--markdown"}, []string{"| `space` | play or pause the simulation |"}},
		{[]string{"--version"}, []string{"test"}},
	} {
		l := run(t, c.args, nil)
		if l.err != nil {
			t.Errorf("%v: %v", c.args, l.err)
		}
		for _, want := range c.want {
			if !strings.Contains(l.out, want) {
				t.Errorf("%v does not print %q:\n%s", c.args, want, l.out)
			}
		}
	}
}

func TestAShotHasItsSize(t *testing.T) {
	l := run(t, []string{"shot", "--size", "200x60", "--out", "x.svg", "--after", "3s", "--press",
		"view.camera,view.zoom"}, nil)
	if l.err != nil || l.shot != (Shot{Width: 200, Height: 60, After: 3 * time.Second, File: "x.svg",
		Press: "view.camera,view.zoom"}) {
		t.Errorf("got %+v, %v", l.shot, l.err)
	}
	for _, args := range [][]string{{"--out", "x.gif"}, {"--out", "noend"},
		{"--camera", "r1", "--out", "x.svg"}, {"--video", "2s", "--out", "x.svg"},
		{"--video", "2s", "--camera", "r1", "--out", "x.png"}} {
		if l := run(t, append([]string{"shot"}, args...), nil); ExitCode(l.err) != 2 {
			t.Errorf("%v: %v", args, l.err)
		}
	}
	l = run(t, []string{"shot", "--video", "2s", "--press", "D up:1s"}, nil)
	if l.err != nil || l.shot.Video != 2*time.Second || l.shot.File != "simdeck.gif" ||
		l.shot.Press != "D up:1s" {
		t.Errorf("a video: got %+v, %v", l.shot, l.err)
	}
}

func TestLimitsOfStrangersAreRead(t *testing.T) {
	want := SSH{Start: 5, Rate: 0, Full: 50, Grace: time.Minute, MaxPenalty: -1, LaxModes: true,
		Exempt: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::/32")}}
	l := run(t, []string{"serve", "--max-startups", "5:0:50", "--login-grace", "1m", "--max-penalty", "0",
		"--strict-modes=false",
		"--penalty-exempt", "10.0.0.0/8,2001:db8::/32"}, nil)
	got := l.ssh
	got.Listen, got.Keys, got.HostKey, got.Sessions, got.Idle = "", "", "", 0, 0
	if l.err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, l.err)
	}
	l = run(t, []string{"serve"}, nil)
	if s := l.ssh; l.err != nil || s.Start != 20 || s.Rate != 30 || s.Full != 100 ||
		s.Grace != 30*time.Second || s.MaxPenalty != 10*time.Minute || s.LaxModes {
		t.Errorf("without flags: %+v, %v", s, l.err)
	}
	for _, args := range [][]string{{"--max-startups", "20"}, {"--max-startups", "20:30:100x"},
		{"--max-startups", "20:30:0"}, {"--max-penalty", "-1s"},
		{"--penalty-exempt", "10.0.0.1"}} {
		if l := run(t, append([]string{"serve"}, args...), nil); ExitCode(l.err) != 2 ||
			!strings.Contains(oneLine(l.err), args[0][2:]) {
			t.Errorf("%v: %v", args, l.err)
		}
	}
}

func TestROSArgumentsAreTakenOutUpToTwoDashes(t *testing.T) {
	rest, ros := splitROS([]string{"run", "--ros-args", "-r", "a:=b", "--", "--paused", "--ros-args", "-p",
		"x:=1"})
	if !reflect.DeepEqual(rest, []string{"run", "--paused"}) ||
		!reflect.DeepEqual(ros, []string{"-r", "a:=b", "-p", "x:=1"}) {
		t.Errorf("%q and %q", rest, ros)
	}
}

func TestCommandsThatDoNotExistAreNotListed(t *testing.T) {
	root := newRoot(&session{})
	for _, c := range root.Commands() {
		if c.Name() == "run" || c.Name() == "shot" || c.Name() == "check" {
			t.Errorf("%s is listed without a function", c.Name())
		}
	}
}
