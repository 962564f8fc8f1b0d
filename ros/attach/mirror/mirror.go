// Package mirror makes a sim.Backend of a simulator on the ROS graph, as far as simulation_interfaces goes.
// It asks for the state, subscribes to the clock, and makes snapshots of both. It outlives the simulator:
// when that goes, the last picture stays until it is back.
//
// mirror.go is the backend, follow.go the loop that asks, visuals.go what it asks,
// snapshot_build.go what it makes of the answers.
package mirror

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"simdeck/ros/attach"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// Config of a Mirror.
type Config struct {
	Graph   *attach.Graph    // that runs
	Options attach.Options   // how it is talked to
	Period  time.Duration    // between looks at the entities, at least; 0: 100 ms
	Now     func() time.Time // nil: time.Now
}

// Status is the state of the mirror's connection to the simulator.
type Status struct {
	Name  string // of the simulator, on the graph
	Line  string // of simulation_interfaces that is spoken
	Fault string // why nothing new is seen; empty: all is well
	Peers int    // participants on the graph
}

// Mirror is a simulator elsewhere as a sim.Backend. All methods are safe for
// concurrent use.
type Mirror struct {
	c    Config
	feed sim.Feed
	wake chan struct{} // somebody changed something: look at once

	mu     sync.Mutex
	remote *attach.Remote // nil: it has gone
	clock  clock
	frames frames
	log    eventLog
	status atomic.Pointer[Status]

	commands, refused atomic.Uint64
}

var _ sim.Backend = (*Mirror)(nil)

// New makes a mirror of a simulator that was found. It starts nothing; until
// Run has looked, the snapshot is of an empty world in no known state.
func New(c Config, found attach.Simulator) *Mirror {
	if c.Period == 0 {
		c.Period = 100 * time.Millisecond
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	m := &Mirror{c: c, wake: make(chan struct{}, 1), remote: c.Graph.Attach(found, c.Options)}
	m.status.Store(&Status{Name: found.Title()})
	m.feed.Publish(&sim.Snapshot{Seq: 1, State: unknown, Model: &sim.Model{},
		Pacing: sim.Pacing{Asked: notTold}}, c.Now(), true)
	return m
}

// unknown is the state of a simulation that does not tell its state, and
// notTold the real-time factor that is asked of one.
const (
	unknown = sim.Unknown
	notTold = -1
)

// ErrGone is the error of commands while the simulator is not there.
var ErrGone = fmt.Errorf("%w; reconnecting", attach.ErrGone)

// Do carries out a command by the simulator's services; see attach.Remote.Do. A command for several entities
// goes one by one, since the standard has no call for several: see sim.OneByOne.
func (m *Mirror) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	return sim.OneByOne(ctx, c, m.do)
}

// do carries out one command and logs it.
func (m *Mirror) do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	remote := m.there()
	if remote == nil {
		return nil, fmt.Errorf("%s: %w", m.Status().Name, ErrGone)
	}
	reply, err := remote.Do(ctx, c)
	if sim.OnlyAsks(c) {
		return reply, err
	}
	m.commands.Add(1)
	level, text := sim.Info, sim.Describe(c)
	if err != nil {
		m.refused.Add(1)
		level, text = sim.Warn, text+": "+err.Error()
	}
	m.note(level, sim.Sender(ctx), text)
	m.look()
	return reply, err
}

// Snapshot returns the latest snapshot.
func (m *Mirror) Snapshot() *sim.Snapshot { return m.feed.Latest() }

// Subscribe delivers what is seen, as it comes.
func (m *Mirror) Subscribe(d sim.Delivery) *sim.Subscription { return m.feed.Subscribe(d) }

// Capabilities declares which commands the simulator serves. It has no files, recordings or viewers that are
// told.
func (m *Mirror) Capabilities() sim.Capabilities {
	return sim.Capabilities{Unsupported: m.Unsupported, Reconnects: true}
}

// Unsupported says why a command cannot be carried out by this simulator; empty
// when it can be tried. See attach.Remote.Unsupported.
func (m *Mirror) Unsupported(c sim.Command) string {
	remote := m.there()
	if remote == nil {
		return m.Status().Name + ": connection lost, reconnecting"
	}
	return remote.Unsupported(c)
}

// Graph is the ROS graph as this side sees it.
func (m *Mirror) Graph() node.Graph { return m.node().Graph() }

// Status returns the present state of the connection.
func (m *Mirror) Status() Status {
	s := *m.status.Load()
	s.Peers, _ = m.node().Peers()
	return s
}

// look asks the loop to look at once.
func (m *Mirror) look() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// there is the simulator; nil when it has gone.
func (m *Mirror) there() *attach.Remote {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.remote
}

// meet says which simulator there is now; nil: none.
func (m *Mirror) meet(r *attach.Remote) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remote = r
}

func (m *Mirror) node() *node.Node { return m.c.Graph.Node() }

// gone reports whether an error means that the simulator is no longer there.
func gone(err error) bool {
	return errors.Is(err, attach.ErrGone) || errors.Is(err, attach.ErrNoSimulator)
}

// thing is the unchanging data of an entity.
type thing struct {
	id     uint64
	info   scene.Info
	asked  bool // info and bounds were asked for
	bounds scene.Bounds
}
