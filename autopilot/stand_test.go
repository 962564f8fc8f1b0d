package autopilot_test

import (
	"context"
	"log/slog"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/autopilot"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/logtest"
	"simdeck/sim/scene"
)

const generous = time.Minute // for what comes at once

// stand is a running world with a server for its autopilots.
type stand struct {
	t      *testing.T
	engine *engine.Engine
	server *autopilot.Server
	stop   func() // ends the run, and waits for it
	log    logtest.Journal
}

// field is the world of our testdata.
func field(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/field.sdf")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fly runs a world for a simulated time as fast as its autopilots let it.
func fly(t *testing.T, world string, until time.Duration, c autopilot.Config) *stand {
	t.Helper()
	return flyIn(t, format.NewLibrary(format.Config{}), sim.Resource{Document: world}, until, c)
}

// flyIn is fly in a world of a library.
func flyIn(t *testing.T, library scene.Library, world sim.Resource, until time.Duration,
	c autopilot.Config) *stand {
	t.Helper()
	s := &stand{t: t}
	var err error
	s.engine, err = engine.New(engine.Config{Library: library, World: world, Start: sim.Playing,
		RealTime: engine.AsFastAsPossible, Until: until})
	if err != nil {
		t.Fatal(err)
	}
	c.Backend, c.Log = s.engine, slog.New(slog.NewTextHandler(&s.log, nil))
	s.server, err = autopilot.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	s.stop = sync.OnceFunc(func() { stop(); ended.Wait() })
	t.Cleanup(s.stop)
	ended.Go(func() { _ = s.server.Run(ctx) })
	ended.Go(func() {
		if err := s.engine.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

// waitFor waits until something holds.
func (s *stand) waitFor(what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(generous); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("never: %s; the log says\n%s", what, s.log.String())
		}
	}
}

// logged waits until the log holds a text.
func (s *stand) logged(text string) {
	s.t.Helper()
	s.waitFor("a log of "+text, func() bool { return strings.Contains(s.log.String(), text) })
}

// height is that of a model above where the quadrotor stands.
func (s *stand) height(name string) float64 {
	now := s.engine.Snapshot()
	i, ok := now.Find(name)
	if !ok {
		s.t.Fatalf("there is no %s", name)
	}
	return now.Entities[i].Pose.Pos.Z - 0.055
}

// flight is the course of a flight, as its pilot saw it.
type flight struct {
	hover  float64 // m, by how much it was away from its place at the end of the hover
	landed float64 // m, how high it was at the end
	hash   uint64
}

// watch keeps what is held against a flight.
func (f *flight) watch(p *pilot, s *state) {
	if s.time <= p.hover {
		f.hover = math.Hypot(math.Hypot(s.position.X, s.position.Y), s.position.Z+p.height)
	}
	f.landed = -s.position.Z
}

// holds reports what a flight should have been.
func (f *flight) holds(t *testing.T) {
	t.Helper()
	if !(f.hover < 0.1) {
		t.Errorf("after 5 s at its height it is %g m away from its place", f.hover)
	}
	if !(math.Abs(f.landed) < 0.02) {
		t.Errorf("it has landed at a height of %g m", f.landed)
	}
	if f.hash == 0 {
		t.Error("the world has no hash")
	}
}
