// Simdeck is a terminal console with a robot simulator inside: it simulates
// robots, shows them and serves them to ROS 2 from one static binary.
//
// This file and session.go only wire: options become engines, ROS bridges and a console.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"simdeck/ros"
	"simdeck/ros/attach"
	"simdeck/ros/attach/fleet"
	"simdeck/ros/attach/mirror"
	"simdeck/ros/bag"
	"simdeck/ros/conform"
	"simdeck/ros/doctor"
	"simdeck/ros/transport"
	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/format/ego"
	"simdeck/sim/scene"
	"simdeck/ui"
	"simdeck/ui/cli"
	"simdeck/ui/escape"
	"simdeck/ui/sshd"
	"simdeck/worlds"
)

//go:embed keymap.yaml
var keys []byte

var version = "0.1.0-dev" // set by the linker in releases

// stderr is the only way to it: no string from outside passes it as a command to the terminal.
var stderr = escape.NewWriter(os.Stderr)

func main() {
	os.Exit(cli.Main(cli.Program{
		Version:      version,
		Keymap:       keys,
		DefaultWorld: "world://@cache@/bench",
		Console:      console,
		Run:          headless,
		Serve:        serve,
		Shot:         shot,
		Bench:        bench,
		Doctor:       examine,
		Library:      listing,
		Far:          farConsole,
		Fleet:        allOf,
		Attach:       remote,
		Conform:      conforms,
		Record:       recordGraph,
		Services:     attach.Names,
		Fields:       attach.FieldsOf,
	}, os.Args[1:], os.Stdout, stderr))
}

// console opens the console on an engine in this process.
func console(ctx context.Context, o cli.Options) error {
	logTo, done := cli.LogFile()
	defer done()
	s, err := openAll(ctx, o, logger(logTo, o))
	if err != nil {
		return err
	}
	return s.run(ctx, func(ctx context.Context) error {
		return ui.Run(ctx, s.uiConfig(o.View))
	})
}

// logger writes lines of the level that was asked for.
func logger(to io.Writer, o cli.Options) *slog.Logger {
	return slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{Level: o.Log}))
}

// headless runs until a signal, the asked duration, or QUITTING.
func headless(ctx context.Context, o cli.Options) error {
	log := logger(stderr, o)
	for _, o := range o.All() {
		o.View.Rewind, o.Recordings = 0, "" // nobody could ask for them
	}
	s, err := openAll(ctx, o, log)
	if err != nil {
		return err
	}
	for _, one := range s.all {
		one.Waiting = cli.Waiting{Unattended: true, Alone: one.alone}
	}
	return s.run(ctx, s.logEvents)
}

// serve runs as headless does, and lets operators in by SSH.
func serve(ctx context.Context, o cli.Options, door cli.SSH) error {
	log := logger(stderr, o)
	s, err := openAll(ctx, o, log)
	if err != nil {
		return err
	}
	operators, err := sshd.New(sshd.Config{Console: s.uiConfig(o.View), Address: door.Listen, HostKey: door.HostKey, Keys: door.Keys,
		Sessions: door.Sessions, Idle: door.Idle, Version: version, Log: log, LaxModes: door.LaxModes,
		Limits: sshd.Limits{Start: door.Start, Rate: door.Rate, Full: door.Full, Grace: door.Grace, MaxPenalty: door.MaxPenalty, Exempt: door.Exempt}})
	if errors.Is(err, sshd.ErrLimits) {
		return cli.Usage(err)
	} else if err != nil {
		return err
	}
	s.all[0].Metrics.CountSessions(operators.Inside) // several worlds have no metrics
	return s.run(ctx, func(ctx context.Context) error {
		go s.logEvents(ctx)
		return operators.Run(ctx)
	})
}

// shot simulates for a while and draws the console's frame, or what a camera sees.
func shot(ctx context.Context, o cli.Options, shot cli.Shot) error {
	o.ROS.Off, o.Duration = true, shot.After
	s, err := open(ctx, o, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	s.Waiting = cli.Waiting{Unattended: true, Alone: true}
	return s.Shoot(ctx, shot, func(to io.Writer) error {
		c := s.uiConfig(o.View)
		c.Preferences = nil // what a terminal is remembered by is not for files
		return ui.Shot(c, shot.Width, shot.Height, shot.Actions(), shot.Format(), to)
	})
}

// bench measures an engine that nobody else watches.
func bench(ctx context.Context, o cli.Options, b cli.Bench) error {
	s, err := open(ctx, o, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return s.Run(ctx, func(ctx context.Context) error { return b.Measure(ctx, s.Engine) })
}

// examine looks at network and terminal.
func examine(ctx context.Context, o cli.Options) []cli.Finding {
	all := each(doctor.Examine(ctx, attachConfig(o.ROS)), func(f doctor.Finding) cli.Finding { return cli.Finding(f) })
	return append(all, each(ui.Examine(view(nil, o.View), os.Stdin, os.Stdout), func(f ui.Fact) cli.Finding { return cli.Finding(f) })...)
}

// recordGraph records topics of the graph.
func recordGraph(ctx context.Context, o cli.Options, t cli.Topics) (cli.Recorded, error) {
	c := bag.Config{Dir: t.Dir, Topics: t.Want, Library: "simdeck " + version, Log: logger(stderr, o)}
	g, err := attach.Open(attachConfig(o.ROS))
	if err != nil {
		return cli.Recorded{}, err
	}
	r, err := bag.FromGraph(ctx, g, c, t.Wall)
	return cli.Recorded(r), asked(err)
}

// view is the console on a deck as the options want it to look.
func view(d sim.Backend, v cli.View) ui.Config {
	return ui.Config{Backend: d, Keymap: v.Keymap, Preferences: &cli.Preferences{Dir: v.Dir, World: func() string { return d.Snapshot().Model.World.Name }}, Theme: v.Theme, Back: v.Back, Symbols: v.Symbols, Color: v.Color, Pictures: v.Pictures, Plain: v.Plain, ReadOnly: v.ReadOnly, Seed: v.Seed}
}

// each gives every one of a list in other words.
func each[A, B any](list []A, to func(A) B) (all []B) {
	for _, a := range list {
		all = append(all, to(a))
	}
	return all
}

func rosConfig(o cli.ROS, seed uint64, log *slog.Logger) ros.Config {
	host, _ := os.Hostname() // without one the address says where it is
	c := ros.Config{Network: network(o), Host: host, Namespace: o.Namespace, LegacyGazebo: o.LegacyGazebo, Args: o.Args, Seed: seed, Version: version, Log: log}
	if o.Off { // there is a bridge for the sake of a recording only
		c.Transport = transport.Mute{}
	}
	if w := o.Worker; w != nil && !o.Off {
		c.AsWorker(w.ReportPath, w.ObjectConfig, w.Robot)
	}
	return c
}

func network(o cli.ROS) transport.Config {
	return transport.Config{Domain: uint32(o.Domain), Interfaces: o.Interfaces, StaticPeers: o.Peers, Range: transport.RangeOf(o.Range)}
}

// remote finds a simulator on the graph and works on it.
func remote(ctx context.Context, o cli.ROS, t cli.Target, work func(context.Context, cli.Remote) error) error {
	return asked(attach.Work(ctx, attachConfig(o), attach.Target(t), func(ctx context.Context, r *attach.Remote) error {
		return work(ctx, far{r})
	}))
}

// farConsole opens the console on a simulator of the graph. Leaving it leaves the simulator as it is.
func farConsole(ctx context.Context, o cli.Options, t cli.Target) error {
	logTo, done := cli.LogFile()
	defer done()
	c := attachConfig(o.ROS)
	c.Log = logger(logTo, o)
	return asked(mirror.Show(ctx, c, attach.Target(t), func(ctx context.Context, m *mirror.Mirror) error {
		return ui.Run(ctx, farView(m, o))
	}))
}

// allOf looks at every simulator of the graph while work does, or an operator.
func allOf(ctx context.Context, o cli.Options, t cli.Target, work func(context.Context, sim.Fleet) error) error {
	return asked(fleet.Show(ctx, attachConfig(o.ROS), func(ctx context.Context, f *fleet.Fleet) error {
		if work != nil {
			return work(ctx, f)
		}
		c := view(nil, o.View)
		c.Link = func() ui.Link { return ui.Link{On: true, Domain: o.ROS.Domain, Peers: f.Peers()} }
		return ui.RunFleet(ctx, c, f, func(ctx context.Context, id string) error {
			return f.Look(ctx, id, attach.Options{Answer: t.Timeout}, func(ctx context.Context, m *mirror.Mirror) error { return ui.Run(ctx, farView(m, o)) })
		})
	}))
}

// farView is the console of a simulator elsewhere.
func farView(m *mirror.Mirror, o cli.Options) ui.Config {
	c := view(m, o.View)
	c.Unsupported, c.Reconnects = m.Refuses, true
	c.Link = func() ui.Link {
		s := m.Status()
		return ui.Link{On: true, Domain: o.ROS.Domain, Peers: s.Peers, Name: s.Name, Fault: s.Fault, Far: s.Line}
	}
	return c
}

// conforms tests a simulator on the graph.
func conforms(ctx context.Context, o cli.ROS, t cli.Target, c cli.Conform, out io.Writer) error {
	return asked(conform.Examine(ctx, attachConfig(o), attach.Target(t), conform.Request(c), out))
}

func attachConfig(o cli.ROS) attach.Config {
	return attach.Config{Network: network(o), Node: fmt.Sprintf("_simdeck_%d", os.Getpid()), Args: o.Args}
}

// asked tells what a user asked wrongly from what went wrong.
func asked(err error) error {
	if attach.Misasked(err) || errors.Is(err, conform.ErrRequest) || errors.Is(err, bag.ErrPattern) || errors.Is(err, bag.ErrExists) {
		return fmt.Errorf("%w: %w", cli.ErrUsage, err)
	}
	return err
}

// far is a simulator on the graph in the command line's words.
type far struct{ *attach.Remote }

func (f far) Entities(ctx context.Context, filter string) (time.Duration, []cli.Entity, error) {
	at, list, err := f.Remote.Entities(ctx, filter)
	return at, each(list, func(e attach.Entity) cli.Entity { return cli.Entity(e) }), err
}

func (f far) Call(ctx context.Context, service string, fields []string) (cli.Answer, error) {
	a, err := f.Remote.Call(ctx, service, fields)
	return cli.Answer(a), err
}

// listing is library, for commands that look through it or do again what was done with it.
func listing(o cli.Options) (scene.Library, scene.Resource, error) {
	lib, world, err := library(o)
	if err == nil && o.AsClients {
		lib = lib.ForClients()
	}
	return lib, world, err
}

// library is the embedded worlds, then what the options name; and the resource that the asked world is.
func library(o cli.Options) (*format.Library, scene.Resource, error) {
	folders, world, err := o.SearchFolders()
	vehicle, wrong := ego.ParseSettings(o.Vehicle)
	if err = errors.Join(err, cli.Usage(wrong)); err != nil {
		return nil, scene.Resource{}, err
	}
	config := format.Config{Vehicle: vehicle, Roots: []asset.Root{{Name: asset.Cache, FS: worlds.FS()}}, Reach: o.SpawnFrom}
	for i, f := range folders {
		config.Roots = append(config.Roots, asset.Root{Name: fmt.Sprintf("path%d", i+1), FS: f.FS, Base: f.Dir, Readers: asset.Readers(f.For), Unlisted: f.Unlisted})
	}
	if cache, err := cli.NewMeshCache(o.Cache); err == nil { // without it loading only takes longer
		cache.Tell = o.Tell
		config.Store = cache
	}
	return format.NewLibrary(config), scene.Resource{URI: world, Document: o.Text}, nil
}
