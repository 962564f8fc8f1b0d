package rostest

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/zenoh/rmw"
	"simdeck/ros/zenoh/zenohsim"
	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/scene"
)

// Files is a file system of texts by path, read as anybody's.
func Files(texts map[string]string) fstest.MapFS {
	f := fstest.MapFS{}
	for name, text := range texts {
		f[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return f
}

// Library reads worlds and models from one root, which is named as the cache of spawnables is.
func Library(files fs.FS) *format.Library {
	if files == nil {
		files = fstest.MapFS{}
	}
	return format.NewLibrary(format.Config{Roots: []asset.Root{{Name: asset.Cache, FS: files}}})
}

// Engine makes an engine that reads from a Library of files.
func Engine(t *testing.T, files fs.FS, world scene.Resource, start sim.State) *engine.Engine {
	t.Helper()
	lib := Library(files)
	e, err := engine.New(engine.Config{Library: lib, Clients: lib.ForClients(), World: world, Start: start})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Run runs something until the test ends, or the function that it gives is called, and waits for its end; an
// error fails the test.
func Run(t *testing.T, what string, f func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := f(ctx); err != nil {
			t.Errorf("the %s ended with %v", what, err)
		}
	}()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return stop
}

// Play is the configuration of a stage.
type Play struct {
	Files fs.FS // nil: none
	World scene.Resource
	Start sim.State
	Log   *slog.Logger // of the server; nil: none
	Zenoh bool         // the nodes speak Zenoh, by a router in memory, and not DDS
}

// Stage is a simulator that serves and a client, each on a host of a virtual network, which nobody uses over
// Zenoh.
type Stage struct {
	T      *testing.T
	Net    *netsim.Network
	Engine *engine.Engine
	Server *node.Node
	Client *node.Node
	Ended  <-chan struct{} // closed when the engine has ended
}

// On runs a test on a stage, in a bubble: setup puts on the server what is tested, before anything runs.
func On(t *testing.T, p Play, setup func(*Stage) error, test func(*Stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		s := &Stage{T: t, Ended: ended, Net: netsim.New(1), Engine: Engine(t, p.Files, p.World, p.Start)}
		router := zenohsim.New()
		join := func(name, host string, log *slog.Logger) (*node.Node, error) {
			c := node.Config{Name: name, Log: log}
			if p.Zenoh {
				c.Middleware = rmw.New(rmw.Config{Dialer: router, Log: log})
			} else {
				c.Transport = s.Net.Host(host)
			}
			return node.New(c)
		}
		var err1, err2 error
		s.Server, err1 = join("simdeck", "server", p.Log)
		s.Client, err2 = join("client", "client", nil)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if err := setup(s); err != nil {
			t.Fatal(err)
		}
		Run(t, "engine", func(ctx context.Context) error {
			defer close(ended)
			return s.Engine.Run(ctx)
		})
		Run(t, "server", s.Server.Run)
		Run(t, "client", s.Client.Run)
		test(s)
	})
}

// Do gives the engine a command that must be done.
func (s *Stage) Do(c sim.Command) {
	s.T.Helper()
	if _, err := s.Engine.Do(context.Background(), c); err != nil {
		s.T.Fatal(err)
	}
}

// Until waits for what must come true within 30 s.
func (s *Stage) Until(what string, ok func() bool) {
	s.T.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			s.T.Fatalf("waited 30 s for %s", what)
		}
	}
}

// Has reports whether the client sees a topic, with exactly these types if any are given.
func (s *Stage) Has(topic string, types ...string) bool {
	t, ok := s.topic(topic)
	return ok && (len(types) == 0 || slices.Equal(t.Types, types))
}

// Publishes reports whether the client sees somebody publish a topic.
func (s *Stage) Publishes(topic string) bool {
	t, _ := s.topic(topic)
	return t.Publishers > 0
}

func (s *Stage) topic(name string) (node.Named, bool) {
	for _, t := range s.Client.Graph().Topics {
		if t.Name == name {
			return t, true
		}
	}
	return node.Named{}, false
}
