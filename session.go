package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"simdeck/ros"
	"simdeck/ros/bag"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/cli"
	"simdeck/ui/metrics"
)

// session is an engine with its bridge to ROS.
type session struct {
	cli.Running
	bridge *ros.Bridge // nil without ROS
	alone  bool        // the bridge is there for recordings only
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
	if err := o.Take(link.LookUpWorld(ctx, cli.NamesWorld)); err != nil {
		return nil, link, err
	}
	o.Tell = func(err error) { log.Warn("meshes are computed anew each time", "reason", err) }
	lib, world, err := library(o)
	if err != nil {
		return nil, link, err
	}
	recorder, err := cli.NewRecorder(disk{}, o, version)
	if err != nil {
		return nil, link, err
	}
	telling := cli.NewProgress(stderr)
	defer telling.Stop() // the screen is the console's then; without one the log tells
	var engine *sim.Engine
	err = cli.Loading(ctx, func() (err error) {
		engine, err = sim.NewContext(ctx, sim.Config{Library: lib, Clients: lib.ForClients(), World: world, Start: o.Start(), RealTime: o.Pace(), StepSize: o.Step, Seed: o.Seed, OnFault: o.OnFault, Limits: o.Limits, Until: o.Duration,
			Rewind: o.View.Rewind, Workers: o.Workers, Recorder: recorder.First(), CommandHistory: o.Chronicle(), OnProgress: telling.Report, Monitor: metrics.Watch(o.Metrics)})
		return err
	})
	if err != nil {
		return nil, link, err
	}
	recorder.Engine, recorder.Log = engine, log
	s := &session{Running: cli.Running{Engine: engine, Recorder: recorder, Duration: o.Duration, Log: log}, alone: o.ROS.Off}
	traffic := func() (metrics.Traffic, bool) { return metrics.Traffic(s.bridge.Traffic()), s.bridge != nil }
	s.Metrics, err = metrics.Open(metrics.Config{Address: o.Metrics, Engine: engine, Graph: traffic, Version: version, Log: log})
	return s, link, err
}

// connect gives an engine its bridge.
func (s *session) connect(o cli.Options, link ros.Config) (err error) {
	if o.ROS.Off && (o.Record == "" || !o.RecordsTopics()) {
		return nil
	}
	if s.Trace, err = o.OpenTrace(s.Log); err != nil {
		return err
	}
	link.Network.Tap = s.Trace
	if s.bridge, err = ros.New(link, s.Engine); err != nil {
		return fmt.Errorf("ROS 2 cannot start: %w (--no-ros runs without it)", err)
	}
	if s.Bridge = s.bridge.Run; o.Record != "" {
		s.Ready = s.bridge.Ready()
	}
	return s.recordTopics(o)
}

// sessions are one session, or several that share a network.
type sessions struct {
	all    []*session
	shared *ros.Network // nil: they share none
}

// openAll builds all worlds that the options ask for and starts nothing.
func openAll(ctx context.Context, o cli.Options, log *slog.Logger) (*sessions, error) {
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
		g.all, links, names = append(g.all, s), append(links, link), append(names, s.Engine.Snapshot().Model.World.Name)
	}
	if !o.ROS.Off {
		var err error
		if g.shared, err = ros.NewNetwork(links[0]); err != nil {
			return nil, fmt.Errorf("ROS 2 cannot start: %w (--no-ros runs without it)", err)
		}
	}
	for i, label := range cli.Labels(names) {
		s := g.all[i]
		s.Log = log.With("world", label)
		links[i].Namespace, links[i].Log, links[i].Shared = cli.Inside(o.ROS.Namespace, label), s.Log, g.shared
		if err := s.connect(o.Each[i], links[i]); err != nil {
			return nil, err
		}
		if g.shared != nil && s.bridge.Status().Name != node.Join(links[i].Namespace, "simdeck") && links[i].Worker == nil {
			return nil, fmt.Errorf("%w: --ros-args renames the nodes of several worlds alike: want --namespace, or no __ns and __node", cli.ErrUsage)
		}
	}
	return g, nil
}

// run runs all sessions behind front.
func (g *sessions) run(ctx context.Context, front func(context.Context) error) error {
	if g.shared == nil && len(g.all) == 1 {
		return g.all[0].Run(ctx, front)
	}
	network := func(context.Context) error { return nil }
	if g.shared != nil {
		network = g.shared.Run
	}
	return cli.RunAll(ctx, each(g.all, func(s *session) *cli.Running { return &s.Running }), network, front)
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
func (g *sessions) uiConfig(v cli.View) ui.Config {
	c := g.all[0].uiConfig(v)
	for _, s := range g.all[1:] {
		c.Worlds = append(c.Worlds, worldOf(s.uiConfig(v)))
	}
	if c.Worlds != nil {
		c.Worlds = append([]ui.World{worldOf(c)}, c.Worlds...)
	}
	return c
}

// worldOf is the world of a console.
func worldOf(c ui.Config) ui.World {
	return ui.World{Backend: c.Backend, Link: c.Link, Graph: c.ROSGraph, Recorder: c.Recorder, Preferences: c.Preferences}
}

// recordTopics has recordings hold what the bridge publishes.
func (s *session) recordTopics(o cli.Options) error {
	if _, err := bag.ParseSelection(o.Topics); err != nil || !o.RecordsTopics() {
		return asked(err)
	}
	return asked(s.Recorder.With(func(dir string, in cli.RecordingFolder) (cli.TopicRecording, error) {
		open := func(string) (bag.Folder, error) { return shared{in}, nil }
		return s.bridge.Record(bag.Config{Dir: dir, Open: open, Topics: o.Topics, Library: "simdeck " + version, Log: s.Log})
	}))
}

func (s *session) uiConfig(v cli.View) ui.Config {
	c := view(s.Engine, v)
	c.Recorder = s.Recorder
	if !s.alone {
		c.Link = func() ui.Link {
			st := s.bridge.Status()
			return ui.Link{On: true, Domain: st.Domain, Peers: st.Peers, Name: st.Name, Fault: st.Fault}
		}
		c.ROSGraph = func() ui.ROSGraph { return graphOf(s.bridge.Graph()) }
	}
	return c
}

// graphOf is the ROS graph in the console's words.
func graphOf(g node.Graph) ui.ROSGraph {
	named := func(n node.Named) ui.ROSName { return ui.ROSName(n) }
	return ui.ROSGraph{Nodes: g.Nodes, Topics: each(g.Topics, named), Services: each(g.Services, named)}
}

// disk is where recordings are kept: the system's.
type disk struct{}

func (disk) Open(folder string) (cli.RecordingFolder, error) { return bag.OpenFolder(folder) }

func (disk) Remove(folder string) error { return os.Remove(folder) }

// shared is a folder that somebody else closes.
type shared struct{ cli.RecordingFolder }

func (shared) Close() error { return nil }
