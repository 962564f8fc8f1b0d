// Simdeck is a terminal console with a robot simulator inside: it simulates
// robots, shows them and serves them to ROS 2 from one static binary.
//
// This file only wires: options become engines, ROS bridges and a console.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"simdeck/autopilot"
	"simdeck/ros"
	"simdeck/ros/attach"
	"simdeck/ros/attach/fleet"
	"simdeck/ros/attach/mirror"
	"simdeck/ros/attach/workers"
	"simdeck/ros/bag"
	"simdeck/ros/conform"
	"simdeck/ros/doctor"
	"simdeck/ros/node"
	"simdeck/ros/serve/storage"
	"simdeck/ros/transport"
	"simdeck/ros/zenoh/rmw"
	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/format/ego"
	"simdeck/sim/record"
	"simdeck/sim/scene"
	"simdeck/ui"
	"simdeck/ui/admission"
	"simdeck/ui/cli"
	supervised "simdeck/ui/cli/workers"
	"simdeck/ui/cli/worldfile"
	"simdeck/ui/escape"
	"simdeck/ui/fetch"
	"simdeck/ui/metrics"
	"simdeck/ui/readfile"
	"simdeck/ui/sshd"
	"simdeck/ui/viewers"
	"simdeck/webots"
	"simdeck/worlds"
)

//go:embed keymap.yaml
var keys []byte

var (
	linked  string // version, which the linker sets in releases
	version = cli.VersionOf(linked)
)

// stderr is the only way to it: no string from outside passes it as a command to the terminal.
var stderr = escape.NewWriter(os.Stderr)

func main() {
	webots.ExitIfGuard(os.Args[1:], os.Stdin)
	os.Exit(cli.Main(cli.Program{
		Version:      version,
		Keymap:       keys,
		DefaultWorld: "world://@cache@/lab",
		IsShipped:    worlds.Has,
		Console:      console,
		Run:          headless,
		Serve:        serve,
		Shot:         shot,
		Bench:        bench,
		Doctor:       examine,
		Library:      listing,
		Wants:        wanted,
		Far:          farConsole,
		Fleet:        allOf,
		Replay:       replayed,
		Attach:       remote,
		Conform:      conforms,
		Record:       recordGraph,
		Viewers:      viewWorkers,
		Requests:     requests,
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
		return ui.Run(ctx, s.uiConfig(o.View, (*session).userConfig))
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
		o.View.Rewind, o.Recording.Later = 0, "" // nobody could ask for them
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
func serve(ctx context.Context, o cli.Options, access cli.SSH) error {
	log := logger(stderr, o)
	s, err := openAll(ctx, o, log)
	if err != nil {
		return err
	}
	operators, err := sshd.New(sshd.Config{Console: s.uiConfig(o.View, (*session).uiConfig),
		Address: access.Listen, HostKey: access.HostKey, Keys: access.Keys,
		Sessions: access.Sessions, Idle: access.Idle, Version: version, Log: log, LaxModes: access.LaxModes,
		Limits: access.Limits()})
	if err != nil {
		return usageOf(admission.ErrLimits, err)
	}
	s.all[0].Metrics.CountSessions(operators.Inside) // several worlds have no metrics
	return s.run(ctx, func(ctx context.Context) error {
		go s.logEvents(ctx)
		return operators.Run(ctx)
	})
}

// shot simulates for a while and draws the console's frame, or what a camera sees.
func shot(ctx context.Context, o cli.Options, shot cli.Shot) error {
	video := ui.VideoRequest{Width: shot.Width, Height: shot.Height, After: shot.After, Length: shot.Video,
		Press: shot.Press}
	if err := ui.CheckShot(shot.Actions(), video, o.View.Keymap); err != nil {
		return cli.Usage(err)
	}
	o.ROS.Off, o.Recording.Later = true, ""
	switch shot.Pace = o.Pace(); {
	case shot.Camera != "": // it steps the world itself
		o.Paused, o.Stopped = true, false
	case shot.Video == 0: // a video ends by itself
		o.Duration, o.Unpaced = max(shot.After, 1), true // a step at least, for samples and odometry
	}
	s, err := open(ctx, o, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	c := s.uiConfig(o.View)
	c.Preferences = nil // preferences by terminal are not for files
	if shot.Video != 0 {
		return s.TakeVideo(ctx, shot, func(ctx context.Context, to io.Writer, drawn *cli.Task) error {
			video.Progress = drawn.Frames
			return ui.Video(ctx, c, video, to)
		})
	}
	s.Waiting = cli.Waiting{Unattended: true, Alone: true}
	return s.TakeScreenshot(ctx, shot, func(to io.Writer) error {
		return ui.Screenshot(c, shot.Width, shot.Height, shot.Actions(), shot.Format(), to)
	})
}

// usageOf makes an error of a kind one of usage.
func usageOf(kind, err error) error {
	if errors.Is(err, kind) {
		return cli.Usage(err)
	}
	return err
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
	host := doctor.Host{Getenv: os.Getenv, ReadFile: os.ReadFile}
	c := attachConfig(o.ROS)
	c.Middleware = nil // it looks at the network of DDS
	all := each(doctor.Examine(ctx, c, host),
		func(f doctor.Finding) cli.Finding { return cli.Finding(f) })
	return append(all, each(ui.Examine(view(nil, o.View), os.Stdin, os.Stdout),
		func(f ui.Fact) cli.Finding { return cli.Finding(f) })...)
}

// viewWorkers shows the simulation workers of the graph to browsers.
func viewWorkers(ctx context.Context, o cli.Options) error {
	log := logger(stderr, o)
	lib, _, err := library(o)
	if err != nil {
		return err
	}
	shown, err := openViewers(o.Viewers, log)
	if err != nil {
		return err
	}
	c := attachConfig(o.ROS)
	c.Node, c.Log = "simdeck_viewers", log
	g, err := attach.Open(c)
	if err != nil {
		return err
	}
	if dir := o.Viewers.Store; dir != "" {
		folder, err := os.OpenRoot(dir)
		if err != nil {
			return cli.Usage(fmt.Errorf("--store: %w", err))
		}
		defer folder.Close()
		if err := storage.Serve(g.Node(), folder.FS()); err != nil {
			return err
		}
	}
	watch := workers.New(workers.Config{Library: lib.ForClients(), IsShipped: worlds.Has, Screen: screen{shown},
		Log: log}, g.Node())
	return g.Run(ctx, func(ctx context.Context) error {
		ctx, leave := context.WithCancel(ctx)
		var watching sync.WaitGroup
		watching.Go(func() { _ = watch.Run(ctx) }) // it gives no error
		err := shown.Run(ctx)
		leave()
		watching.Wait()
		return err
	})
}

// requests tells the simulations that a topic asks for.
func requests(ctx context.Context, o cli.Options, topic string, tell func([]supervised.Simulation)) error {
	c := attachConfig(o.ROS)
	c.Node, c.Log = "simdeck_workers", logger(stderr, o)
	g, err := attach.Open(c)
	if err != nil {
		return err
	}
	asked, err := workers.NewRequests(g.Node(), topic, c.Log)
	if err != nil {
		return cli.Usage(fmt.Errorf("--topic: %w", err))
	}
	return g.Run(ctx, func(ctx context.Context) error {
		asked.Run(ctx, func(all []workers.Request) {
			tell(each(all, func(r workers.Request) supervised.Simulation {
				return supervised.Simulation{Namespace: r.Namespace, ReportPath: r.ReportPath,
					Object: r.Object, Publisher: r.Publisher}
			}))
		})
		return nil
	})
}

// screen shows the worlds of workers to browsers.
type screen struct{ *viewers.Server }

func (s screen) Begin(name string) (show func(*sim.Snapshot, time.Time), end func(), err error) {
	w, err := s.Server.Begin(name)
	if err != nil {
		return nil, nil, err
	}
	return w.Show, func() { s.End(w) }, nil
}

// recordGraph records topics of the graph.
func recordGraph(ctx context.Context, o cli.Options, t cli.Topics) (cli.Recorded, error) {
	recorded := o.Progress.Begin("Recording " + t.Dir)
	defer recorded.End()
	log := slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: o.Log}))
	if !t.JSON {
		log = logger(recorded, o)
	}
	c := bag.Config{Dir: t.Dir, Topics: t.Want, Library: "simdeck " + version, Log: log,
		Progress: recorded.Recorded}
	g, err := attach.Open(attachConfig(o.ROS))
	if err != nil {
		return cli.Recorded{}, err
	}
	r, err := bag.FromGraph(ctx, g, c, t.Wall)
	return cli.Recorded(r), asked(err)
}

// view is the console on a backend as the options want it to look.
func view(d sim.Backend, v cli.View) ui.Config {
	c := ui.Config{Backend: d, Keymap: v.Keymap,
		Preferences: &cli.Preferences{Dir: v.Dir,
			World: func() string { return d.Snapshot().Model.World.Name }}, Theme: v.Theme, Back: v.Back,
		Symbols: v.Symbols, Color: v.Color, Plain: v.Plain, ReadOnly: v.ReadOnly,
		Pictures: ui.Pictures{How: v.Pictures, Glyphs: v.Glyphs}, Tour: v.Tour,
		Seed: v.Seed, Start: v.Start}
	if d != nil { // a view of many simulators
		c.Capabilities = d.Capabilities()
	}
	return c
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
	c := ros.Config{Network: network(o), Host: host, Namespace: o.Namespace, Legacy: o.Legacy,
		Habits: o.Habits, Services: o.Services, SingleRobot: o.Single,
		Lockstep: ros.Lockstep(o.Lockstep), Args: o.Args, Seed: seed, Version: version, Log: log,
		Middleware: middleware(o, o.Middleware(), log)}
	if o.Off { // there is a bridge for the sake of recordings only, and nobody for whom the world could wait
		c.Transport, c.NoLockstep = transport.Mute{}, true
	}
	if w := o.Worker; w != nil && !o.Off {
		c.AsWorker(w.ReportPath, w.ObjectConfig, w.Robot)
	}
	return c
}

// middleware makes what nodes speak with instead of DDS; nil: DDS it is.
func middleware(o cli.ROS, name string, log *slog.Logger) func() (node.Middleware, error) {
	if name != cli.Zenoh || o.Off {
		return nil
	}
	return func() (node.Middleware, error) {
		routers, err := o.ZenohRouters(rmw.Routers)
		if err != nil {
			return nil, err
		}
		args, err := node.ParseArgs(o.Args)
		if err != nil {
			return nil, err
		}
		return rmw.New(rmw.Config{Domain: uint32(o.Domain), Enclave: args.Enclave, Dialer: transport.TCP{},
			Endpoints: routers, Log: log}), nil
	}
}

func network(o cli.ROS) transport.Config {
	return transport.Config{Domain: uint32(o.Domain), Interfaces: o.Interfaces, StaticPeers: o.Peers,
		Range: transport.RangeOf(o.Range)}
}

// remote finds a simulator on the graph and works on it.
func remote(ctx context.Context, o cli.ROS, t cli.Target,
	work func(context.Context, cli.Remote) error) error {
	return asked(attach.Work(ctx, attachConfig(o), attach.Target(t),
		func(ctx context.Context, r *attach.Remote) error {
			return work(ctx, far{r})
		}))
}

// farConsole opens the console on a simulator of the graph. Leaving it leaves the simulator as it is.
func farConsole(ctx context.Context, o cli.Options, t cli.Target, found func()) error {
	logTo, done := cli.LogFile()
	defer done()
	c := attachConfig(o.ROS)
	c.Log = logger(logTo, o)
	return asked(mirror.Show(ctx, c, attach.Target(t), func(ctx context.Context, m *mirror.Mirror) error {
		found()
		return ui.Run(ctx, farView(m, o))
	}))
}

// replayed opens the console on a recording.
func replayed(ctx context.Context, o cli.Options, b *record.Playback) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	over := make(chan error, 1)
	go func() { over <- b.Run(ctx) }()
	err := ui.Run(ctx, view(b, o.View))
	stop()
	return errors.Join(<-over, err)
}

// allOf looks at every simulator of the graph while work does, or an operator.
func allOf(ctx context.Context, o cli.Options, t cli.Target,
	work func(context.Context, sim.Fleet) error) error {
	return asked(fleet.Show(ctx, attachConfig(o.ROS), func(ctx context.Context, f *fleet.Fleet) error {
		if work != nil {
			return work(ctx, f)
		}
		c := view(nil, o.View)
		c.Capabilities.Connection = func() sim.Connection {
			return sim.Connection{On: true,
				Domain: o.ROS.Domain, Peers: f.Peers()}
		}
		return ui.RunFleet(ctx, c, f, func(ctx context.Context, id string) error {
			return f.Look(ctx, id, attach.Options{Answer: t.Timeout},
				func(ctx context.Context, m *mirror.Mirror) error { return ui.Run(ctx, farView(m, o)) })
		})
	}))
}

// farView is the console of a simulator elsewhere.
func farView(m *mirror.Mirror, o cli.Options) ui.Config {
	c := view(m, o.View)
	c.Capabilities.Connection = func() sim.Connection {
		s := m.Status()
		return sim.Connection{On: true, Domain: o.ROS.Domain, Peers: s.Peers, Name: s.Name, Fault: s.Fault,
			Far: s.Line}
	}
	return c
}

// conforms tests a simulator on the graph.
func conforms(ctx context.Context, o cli.ROS, t cli.Target, c cli.Conform, out io.Writer) error {
	return asked(conform.Examine(ctx, attachConfig(o), attach.Target(t), conform.Request(c), out))
}

func attachConfig(o cli.ROS) attach.Config {
	return attach.Config{Network: network(o), Node: fmt.Sprintf("_simdeck_%d", os.Getpid()), Args: o.Args,
		Middleware: middleware(o, o.Middleware(), slog.New(slog.NewTextHandler(stderr, nil)))}
}

// asked tells what a user asked wrongly from what went wrong.
func asked(err error) error {
	if attach.Misasked(err) || errors.Is(err, conform.ErrRequest) || errors.Is(err, bag.ErrPattern) ||
		errors.Is(err, bag.ErrExists) {
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
	config := format.Config{Vehicle: vehicle, Roots: []asset.Root{{Name: asset.Cache, FS: worlds.FS()}},
		Reach: o.SpawnFrom}
	for i, f := range folders {
		config.Roots = append(config.Roots,
			asset.Root{Name: fmt.Sprintf("path%d", i+1), FS: f.FS, Base: f.Dir, Readers: asset.Readers(f.For),
				Unlisted: f.Unlisted, Downloads: f.Downloads})
	}
	if cache, err := cli.NewMeshCache(o.Cache); err == nil { // without it loading only takes longer
		cache.Tell = o.Tell
		config.Store = cache
	}
	return format.NewLibrary(config), scene.Resource{URI: world, Document: o.Text}, nil
}

// wanted lists the files of networks that a world names and that have no copy.
func wanted(ctx context.Context, o cli.Options) ([]fetch.Item, error) {
	lib, world, err := library(o)
	if err != nil {
		return nil, err
	}
	all, err := lib.Wants(ctx, world)
	return each(all, func(a asset.Address) fetch.Item {
		if f := a.Fuel; f != nil {
			return fetch.Item{URL: a.String(), Path: f.Folder(), Archive: true, Version: f.Version,
				Index: f.Description().String()}
		}
		return fetch.Item{URL: a.String(), Path: a.Place()}
	}), err
}

// session is an engine with its bridge to ROS.
type session struct {
	cli.Running
	bridge  *ros.Bridge  // nil without ROS
	beside  *ros.Network // that several worlds share, of a second middleware; nil: none
	alone   bool         // the bridge is there for recordings only
	options cli.Options
}

// open builds what the options ask for and starts nothing.
func open(ctx context.Context, o cli.Options, log *slog.Logger) (*session, error) {
	s, link, err := load(ctx, o, log)
	if err != nil {
		return nil, err
	}
	return s, s.connect(o, link)
}

// load builds an engine, and says how it is to be on the network.
func load(ctx context.Context, o cli.Options, log *slog.Logger) (*session, ros.Config, error) {
	link := rosConfig(o.ROS, o.Seed, log)
	notes := cli.NewFaults(o, version)
	link.Faults = func(f node.Fault) { notes.Note(cli.Fault(f)) }
	asked := o.Progress.Begin("Looking up the world")
	err := o.Take(link.LookUpWorld(ctx, cli.NamesWorld, worlds.Has))
	asked.End()
	if err != nil {
		return nil, link, err
	}
	o.Tell = func(err error) { log.Warn("meshes are recomputed on every start", "reason", err) }
	lib, world, err := library(o)
	if err != nil {
		return nil, link, err
	}
	if err := o.CheckWebots(); err != nil {
		return nil, link, err
	}
	recorder, err := cli.NewRecorder(disk{}, o, version)
	if err != nil {
		return nil, link, err
	}
	loaded := o.Progress.Load(o)
	defer loaded.End() // the screen is the console's then; without one the log tells
	var e *engine.Engine
	err = cli.Loading(ctx, func() (err error) {
		e, err = engine.NewContext(ctx,
			engine.Config{Library: lib, Clients: lib.ForClients(), World: world, Start: o.Start(),
				RealTime: o.Pace(), StepSize: o.Step, Seed: o.Seed, OnFault: o.OnFault, Limits: o.Limits,
				Until: o.Duration, Unpaced: o.Unpaced,
				Rewind: o.View.Rewind, Nap: cli.NewNap(), Workers: o.Workers, Recorder: recorder.First(),
				OnProgress: loaded.Meshes, Monitor: metrics.Watch(o.Metrics)})
		return err
	})
	if err != nil {
		return nil, link, err
	}
	recorder.Engine, recorder.Log = e, log
	s := &session{Running: cli.Running{Engine: e, Recorder: recorder, Duration: o.Duration, Log: log,
		Progress: o.Progress},
		alone: o.ROS.Off, options: o}
	traffic := func() (metrics.Traffic, bool) {
		return metrics.Traffic(s.bridge.Traffic()), s.bridge != nil && !s.alone
	}
	s.Metrics, err = metrics.Open(metrics.Config{Address: o.Metrics, Engine: e, Graph: traffic,
		Version: version, Log: log})
	if err == nil && o.Webots != nil {
		err = s.openControllers(*o.Webots)
	}
	if err == nil && len(o.Autopilots.Vehicles) > 0 {
		err = s.openAutopilots(o.Autopilots)
	}
	return s, link, err
}

// openAutopilots lets autopilots fly vehicles.
func (s *session) openAutopilots(o cli.Autopilots) error {
	a, err := autopilot.OpenNamed(o.Vehicles, autopilot.Config{Address: o.Address, Backend: s.Engine,
		Patience: o.Patience, Log: s.Log})
	if err == nil {
		s.Control(a.Run)
	}
	return usageOf(autopilot.ErrVehicle, err)
}

// openControllers lets controllers of Webots in.
func (s *session) openControllers(o cli.Webots) error {
	folder, user := webots.LocalFolder(os.Getenv)
	w, err := webots.Open(webots.Config{Address: o.Address, Listen: net.Listen, TempFolder: folder, User: user,
		Backend: s.Engine, Robot: o.Robot, Patience: o.Patience, Release: o.Release, Log: s.Log,
		Programs: webots.Programs{Project: o.Project, Open: readfile.Open, Environ: os.Environ(),
			Guard: webots.GuardCommand()}})
	if err == nil {
		s.Control(w.Run)
	}
	return err
}

// connect gives an engine its bridge.
func (s *session) connect(o cli.Options, link ros.Config) (err error) {
	if o.ROS.Off && o.Recording.Later == "" && (o.Recording.Dir == "" || !o.RecordsTopics()) {
		return nil
	}
	if s.Trace, err = o.OpenTrace(s.Log); err != nil {
		return err
	}
	link.Network.Tap = s.Trace
	if s.bridge, err = ros.New(link, s.Engine); ros.IsUsage(err) {
		return cli.Usage(err)
	} else if err != nil {
		return fmt.Errorf("ROS 2 cannot start: %w (--no-ros runs without it)", err)
	}
	s.Bridge = s.bridge.Run
	if len(o.ROS.RMW) > 1 && !o.ROS.Off {
		if err := s.connectBeside(o, link); err != nil {
			return err
		}
	}
	if o.Recording.Dir != "" {
		s.Ready = s.bridge.Ready()
	}
	return s.recordTopics(o)
}

// connectBeside gives an engine a second bridge, which speaks with another middleware.
func (s *session) connectBeside(o cli.Options, link ros.Config) error {
	link.Shared, link.Network.Tap = s.beside, nil
	link.NoLockstep = true // it is the first for whose commands the world waits
	link.Middleware = middleware(o.ROS, o.ROS.RMW[1], s.Log)
	second, err := ros.New(link, s.Engine)
	if err != nil {
		return fmt.Errorf("ROS 2 cannot start over %s: %w", o.ROS.RMW[1], err)
	}
	s.Bridge = cli.Both(s.Bridge, second.Run)
	return nil
}

// sessions are one session, or several that share a network.
type sessions struct {
	all    []*session
	shared *ros.Network    // nil: they share none
	beside *ros.Network    // of a second middleware; nil: there is none
	shown  *viewers.Server // to browsers; nil: to none
}

// openAll builds all worlds that the options ask for and starts nothing.
func openAll(ctx context.Context, o cli.Options, log *slog.Logger) (*sessions, error) {
	g, err := openWorlds(ctx, o, log)
	if err == nil && o.Viewers.Address != "" {
		g.shown, err = openViewers(o.Viewers, log)
	}
	return g, err
}

// openViewers binds the address of the server of browsers.
func openViewers(o cli.Viewers, log *slog.Logger) (*viewers.Server, error) {
	s, err := viewers.Open(viewers.Config{Address: o.Address, Listen: net.Listen, Names: o.Names, Log: log})
	return s, usageOf(viewers.ErrAddress, err)
}

func openWorlds(ctx context.Context, o cli.Options, log *slog.Logger) (*sessions, error) {
	if o.Each == nil {
		s, err := open(ctx, o, log)
		return &sessions{all: []*session{s}}, err
	}
	g := &sessions{}
	var links []ros.Config
	var names []string
	for _, one := range o.Each {
		s, link, err := load(ctx, one, log)
		if err != nil {
			return nil, err
		}
		g.all, links, names = append(g.all, s), append(links, link),
			append(names, s.Engine.Snapshot().Model.World.Name)
	}
	if !o.ROS.Off {
		var err error
		if g.shared, err = ros.NewNetwork(links[0]); err != nil {
			return nil, fmt.Errorf("ROS 2 cannot start: %w (--no-ros runs without it)", err)
		}
		if len(o.ROS.RMW) > 1 {
			second := links[0]
			second.Middleware = middleware(o.ROS, o.ROS.RMW[1], log)
			if g.beside, err = ros.NewNetwork(second); err != nil {
				return nil, fmt.Errorf("ROS 2 cannot start over %s: %w", o.ROS.RMW[1], err)
			}
		}
	}
	for i, label := range cli.Labels(names) {
		s := g.all[i]
		s.Log, s.beside = log.With("world", label), g.beside
		links[i].Namespace, links[i].Log, links[i].Shared = cli.Inside(o.ROS.Namespace, label), s.Log,
			g.shared
		if err := s.connect(o.Each[i], links[i]); err != nil {
			return nil, err
		}
		if g.shared != nil && s.bridge.Status().Name != node.Join(links[i].Namespace, "simdeck") &&
			links[i].Worker == nil {
			return nil, fmt.Errorf("%w: --ros-args renames the nodes of several worlds alike: want --namespace, or no __ns and __node",
				cli.ErrUsage)
		}
	}
	return g, nil
}

// run runs all sessions behind front.
func (g *sessions) run(ctx context.Context, front func(context.Context) error) error {
	if g.shown != nil {
		behind := front
		front = func(ctx context.Context) error { return g.show(ctx, behind) }
	}
	if g.shared == nil && len(g.all) == 1 {
		return g.all[0].Run(ctx, front)
	}
	return cli.RunAll(ctx, each(g.all, func(s *session) *cli.Running { return &s.Running }),
		cli.Both(g.shared.Run, g.beside.Run), front)
}

// show serves browsers while front runs.
func (g *sessions) show(ctx context.Context, front func(context.Context) error) error {
	return g.shown.Beside(ctx, each(g.all, func(s *session) viewers.Shown {
		return viewers.Shown{Backend: s.Engine, Log: s.Log}
	}), front)
}

// logEvents logs what happens in all worlds until ctx or all of them end.
func (g *sessions) logEvents(ctx context.Context) error {
	var all sync.WaitGroup
	for _, s := range g.all {
		all.Go(func() { cli.LogEvents(ctx, s.Engine, s.Log) })
	}
	all.Wait()
	return nil
}

// uiConfig is the console on the first world, which can go to the others.
func (g *sessions) uiConfig(v cli.View, of func(*session, cli.View) ui.Config) ui.Config {
	c := of(g.all[0], v)
	for _, s := range g.all[1:] {
		c.Worlds = append(c.Worlds, worldOf(of(s, v)))
	}
	if c.Worlds != nil {
		c.Worlds = append([]ui.World{worldOf(c)}, c.Worlds...)
	}
	return c
}

// worldOf is the world of a console.
func worldOf(c ui.Config) ui.World {
	return ui.World{Backend: c.Backend, Capabilities: c.Capabilities, Preferences: c.Preferences}
}

// recordTopics has recordings hold what the bridge publishes.
func (s *session) recordTopics(o cli.Options) error {
	if _, err := bag.ParseSelection(o.Recording.Topics); err != nil {
		return asked(err)
	}
	return asked(s.Recorder.With(func(dir string, in cli.RecordingFolder,
		scope sim.RecordingScope) (cli.TopicRecording, error) {
		c := bag.Config{Dir: dir, Topics: scope.Topics, Library: "simdeck " + version, Log: s.Log,
			Open: func(string) (bag.Folder, error) { return bag.Borrowed(in), nil }}
		switch {
		case scope.Kind == sim.RecordState:
			c.Leave = bag.OfSensor
		case s.alone && len(scope.Topics) == 0: // equal runs have equal recordings
			c.Leave = bag.OfMachine
		}
		return s.bridge.Record(c)
	}))
}

func (s *session) uiConfig(v cli.View) ui.Config {
	c := view(s.Engine, v)
	c.Capabilities.Recorder = s.Recorder
	if !s.alone {
		c.Capabilities.Connection = func() sim.Connection {
			st := s.bridge.Status()
			return sim.Connection{On: true, Domain: st.Domain, Peers: st.Peers, Name: st.Name,
				Fault: st.Fault, Note: st.Note}
		}
		c.Capabilities.Graph = func() sim.Graph { return graphOf(s.bridge.Graph()) }
	}
	return c
}

// userConfig is uiConfig for the user who started the program.
func (s *session) userConfig(v cli.View) ui.Config {
	c := s.uiConfig(v)
	c.Backend = worldfile.Engine{Engine: s.Engine, Libraries: s.libraries}
	c.Paths, c.EndsAll = worldfile.Paths, true
	return c
}

// libraries are those of a world as the options open it; without a world of that of the options.
func (s *session) libraries(world scene.Resource) (own, clients scene.Library, r scene.Resource, err error) {
	o := s.options
	if world != (scene.Resource{}) {
		o.World, o.Text = world.URI, world.Document
	}
	lib, r, err := library(o)
	if err != nil {
		return nil, nil, r, err
	}
	return lib, lib.ForClients(), r, nil
}

// graphOf is the ROS graph in the console's words.
func graphOf(g node.Graph) sim.Graph {
	named := func(n node.Named) sim.GraphName { return sim.GraphName(n) }
	return sim.Graph{Nodes: g.Nodes, Topics: each(g.Topics, named), Services: each(g.Services, named)}
}

// disk is the file system of recordings: the system's.
type disk struct{}

func (disk) Open(folder string) (cli.RecordingFolder, error) { return bag.OpenFolder(folder) }

func (disk) Remove(folder string) error { return os.Remove(folder) }
