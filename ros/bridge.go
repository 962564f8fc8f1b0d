// Package ros puts a simulator on the ROS 2 graph: one node with the profiles
// that robots and tools expect, over a sim.Backend. It knows sim's vocabulary and
// nothing of the console.
package ros

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"simdeck/ros/bag"
	"simdeck/ros/node"
	"simdeck/ros/rtps"
	"simdeck/ros/serve"
	"simdeck/ros/serve/gazebo"
	"simdeck/ros/serve/lockstep"
	"simdeck/ros/serve/robot"
	"simdeck/ros/serve/simif"
	"simdeck/ros/serve/vehicle"
	"simdeck/ros/serve/worker"
	"simdeck/ros/transport"
	"simdeck/sim"
)

// Config says who the bridge is on which network. The zero value is /simdeck
// on domain 0, on every interface.
type Config struct {
	Network   transport.Config // domain, interfaces, peers, range
	Transport rtps.Transport   // nil: UDP as Network says
	// makes the middleware in place of DDS, which has no use for Transport and the rest of Network than the
	// domain; nil: DDS
	Middleware func() (node.Middleware, error)
	// that the bridge shares with those of other worlds, in place of both; everything of its world stands in
	// its namespace then; nil: its own
	Shared    *Network
	Node      string   // "": "simdeck", or "simdeck_2" and so on where another node has that name
	Namespace string   // "" = "/"
	Args      []string // arguments after --ros-args
	Seed      uint64   // of the simulator, shown as a parameter
	Version   string   // of the simulator, for people
	Host      string   // name of the machine, told to others; "": not told
	Legacy    string   // gazebo.Classic or gazebo.O3DE: whose gazebo_msgs to serve too; "": none
	Habits    []string // of other simulators, in simulation_interfaces: words of simif.ParseHabits
	Services  string   // namespace of its services, absolute; "": that of the node
	// topics and frames of one robot have no prefix; see robot.Config
	SingleRobot bool
	Lockstep    Lockstep       // commands for which the world waits; zero: those that its file asks for
	NoLockstep  bool           // another bridge of the same world has it wait
	Worker      *worker.Config // be a simulation worker of l2_msgs; nil: not
	Log         *slog.Logger   // gets what /rosout gets; nil: nobody
	// is told of faults of simdeck that others have brought to light; nil: only the log is
	Faults func(node.Fault)
}

// quitLook is the interval of looks at whether the simulator quits.
const quitLook = 100 * time.Millisecond

// Bridge is a simulator on the ROS graph.
type Bridge struct {
	domain  uint32
	backend heldBackend
	node    *node.Node
	robots  *robot.RobotPublisher
	udp     *transport.UDP // nil: the transport was given
	clock   string         // topic

	mu    sync.Mutex
	fault string
}

// New checks names and arguments and binds the sockets; it starts nothing.
// Errors wrap node.ErrName, node.ErrArgs, simif.ErrHabit or lockstep.ErrTopic, or say which port
// or interface cannot be used.
func New(c Config, d sim.Backend) (*Bridge, error) {
	args, err := node.ParseArgs(c.Args)
	if err != nil {
		return nil, err
	}
	b := &Bridge{domain: c.Network.Domain, backend: heldBackend{d, &sim.Hold{}}}
	if c.Transport == nil && c.Shared == nil && c.Middleware == nil {
		if b.udp, err = transport.Open(c.Network); err != nil {
			return nil, fmt.Errorf("ROS: %w", err)
		}
		c.Transport = b.udp
	}
	if err := b.setup(c, args); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// IsUsage reports whether an error of New is one of words in its Config, and not of the network.
func IsUsage(err error) bool {
	return errors.Is(err, simif.ErrHabit) || errors.Is(err, lockstep.ErrTopic)
}

// setup makes the node with what it serves.
func (b *Bridge) setup(c Config, args node.Args) error {
	var other node.Middleware
	var err error
	if c.Middleware != nil && c.Shared == nil {
		if other, err = c.Middleware(); err != nil {
			return fmt.Errorf("ROS: %w", err)
		}
	}
	n, err := node.New(node.Config{Middleware: other,
		Name: cmp.Or(c.Node, "simdeck"), OrAlike: c.Node == "", Namespace: c.Namespace, Args: args,
		Domain: c.Network.Domain, Host: c.Host, Transport: c.Transport, Context: c.Shared.context(),
		Log: c.Log, Faults: c.Faults})
	if err != nil {
		return fmt.Errorf("ROS: %w", err)
	}
	b.node = n
	habits, err := simif.ParseHabits(c.Habits)
	if err != nil {
		return fmt.Errorf("ROS: %w", err)
	}
	if _, err := simif.New(simif.Config{Node: n, Backend: b.backend,
		Formats: b.backend.Capabilities().Formats,
		Version: c.Version, Habits: habits, Prefix: c.Services}); err != nil {
		return fmt.Errorf("ROS: %w", err)
	}
	if err := b.setupWorld(c); err != nil {
		return fmt.Errorf("ROS: %w", err)
	}
	topic := "/diagnostics"
	if c.Shared != nil || c.Worker != nil {
		topic = "diagnostics"
	}
	if err := b.declareDiagnostics(topic); err != nil {
		return fmt.Errorf("ROS: %w", err)
	}
	if err := gazebo.NewTools(n, b.backend); err != nil {
		return fmt.Errorf("ROS: %w", err)
	}
	if c.Legacy != "" {
		if err := gazebo.New(n, b.backend, c.Legacy); err != nil {
			return fmt.Errorf("ROS: %w", err)
		}
	}
	if err := errors.Join(b.declarePacing(), b.declareStart(c.Seed), b.declareLockstep(c)); err != nil {
		return fmt.Errorf("ROS: %w", err)
	}
	n.Go(b.watchNameConflicts)
	return nil
}

// setupWorld makes what shows the world: on topics of the whole graph with the vehicle profile, or as one
// world of many.
func (b *Bridge) setupWorld(c Config) (err error) {
	b.clock = "clock"
	switch {
	case c.Worker != nil:
		if b.robots, err = c.Worker.RobotConfig().New(b.node, b.backend); err == nil {
			_, err = worker.New(*c.Worker, b.node, b.backend)
		}
	case c.Shared != nil:
		b.robots, err = robot.Config{Inside: true, Single: c.SingleRobot}.New(b.node, b.backend)
	default:
		vehicle.New(b.node, b.backend)
		b.clock = "/clock"
		b.robots, err = robot.Config{Single: c.SingleRobot}.New(b.node, b.backend)
	}
	return err
}

// Run keeps the bridge on the network. It returns nil when ctx ends or the
// simulator quits: callers are answered first, then the node leaves the graph.
func (b *Bridge) Run(ctx context.Context) error {
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	go func() {
		b.untilTheEngineEnds(ctx)
		quit()
	}()
	err := b.node.Run(ctx)
	if err != nil {
		b.mu.Lock()
		b.fault = err.Error()
		b.mu.Unlock()
		return fmt.Errorf("ROS: %w", err)
	}
	return nil
}

// untilTheEngineEnds waits for the end of the picture stream, and until the last pictures are recorded.
func (b *Bridge) untilTheEngineEnds(ctx context.Context) {
	pictures := b.backend.Subscribe(sim.Latest(quitLook))
	defer pictures.Close()
	pictures.WantSensors(false)
	serve.EachSnapshot(ctx, pictures, func(*sim.Snapshot) bool { return true }, serve.Ticker{})
	if b.backend.hold.On() {
		select {
		case <-b.backend.hold.Left():
		case <-ctx.Done():
		}
	}
}

// heldBackend is a backend that waits for those who publish all of it while a recording is made.
type heldBackend struct {
	sim.Backend
	hold *sim.Hold
}

func (h heldBackend) Subscribe(d sim.Delivery) *sim.Subscription {
	return h.Backend.Subscribe(d.Holding(h.hold))
}

// source is a simulation that is recorded.
type source struct {
	from      heldBackend
	lost, out uint64 // before the recording
}

func (s *source) Hold(on bool) {
	if on {
		s.lost, s.out = s.from.hold.Lost(), s.from.Snapshot().Stats.Late
	}
	s.from.hold.Set(on)
}

// Losses are snapshots that nobody published, and samples of sensors that were left out.
func (s *source) Losses() map[string]uint64 {
	out := s.from.Snapshot().Stats.Late
	return map[string]uint64{"snapshots": s.from.hold.Lost() - s.lost,
		"samples": max(out, s.out) - s.out}
}

// Record begins a recording of all published messages, at their simulated time, after the stored ones that
// late subscribers would get. The simulation waits for it. Its Run writes and ends it. Sensors that it wants
// are computed as for a subscriber. One is made at a time. Errors are those of bag.New.
func (b *Bridge) Record(c bag.Config) (*bag.Recorder, error) {
	c.Source = &source{from: b.backend}
	r, err := bag.New(c)
	if err == nil {
		r.Tap(b.node, b.robots.Now)
	}
	return r, err
}

// Ready is closed when all that the simulator does from then on is published. An engine that begins to run
// then is recorded from its first step on.
func (b *Bridge) Ready() <-chan struct{} { return b.robots.Ready() }

// Close gives the sockets back when Run was never called.
func (b *Bridge) Close() error {
	if b.udp == nil {
		return nil
	}
	return b.udp.Close()
}
