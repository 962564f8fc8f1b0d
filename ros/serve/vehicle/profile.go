package vehicle

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/node"
	"simdeck/ros/serve"
	"simdeck/sim"
)

// How often, and how many pictures may wait.
const (
	statusPeriod = 100 * time.Millisecond // of the wall clock
	farApart     = time.Hour              // of simulated time: every odometry is news by itself
	queue        = 512
)

// Frames of the profile.
const (
	mapFrame  = "map"
	odomFrame = "odom"
	baseFrame = "base_link"
)

// Profile is the vehicle profile of a backend on a node.
type Profile struct {
	node    *node.Node
	backend sim.Backend

	states []node.Version[sim.Odometry] // definitions of /vehicle/state
	state  *node.VersionedPublisher[sim.Odometry]
	status *node.Publisher[gssimmsgs.SimulationStatus]
	world  *node.Publisher[gssimmsgs.WorldInfo]
	report report

	traffic traffic
	clock   serve.Clock
	// Of the loop.
	open  bool
	fault string          // why it could not be opened, as it was told
	shown *sim.Model      // model of the published world
	seen  *sim.CarReading // that was published last
}

// New puts the profile on a node; it is on the graph from the first world with
// an ego vehicle on, while the node runs.
func New(n *node.Node, d sim.Backend) *Profile { return start(n, d, node.NewVersion(vehicleState)) }

// start is New with the state of the vehicle in several definitions.
func start(n *node.Node, d sim.Backend, states ...node.Version[sim.Odometry]) *Profile {
	p := &Profile{node: n, backend: d, states: states}
	p.traffic = traffic{node: n, now: p.clock.Now}
	n.Go(p.run)
	return p
}

// run publishes until the engine or the node ends.
func (p *Profile) run(ctx context.Context) {
	pictures := p.backend.Subscribe(sim.Lossless(queue, farApart))
	defer pictures.Close()
	pictures.WantSensors(false)
	p.show(p.backend.Snapshot())
	serve.EachSnapshot(ctx, pictures, func(s *sim.Snapshot) bool {
		p.show(s)
		return true
	}, serve.Ticker{Period: statusPeriod, Do: p.tellStatus})
}

// tellStatus publishes the status of the simulation, once there is an ego vehicle.
func (p *Profile) tellStatus(time.Time) {
	if p.open {
		p.tell(p.status.Publish(p.report.status(p.backend.Snapshot())))
	}
}

// show publishes what is new in a picture.
func (p *Profile) show(s *sim.Snapshot) {
	p.clock.Show(s)
	if !p.open && (s.Model.Site == nil || !p.begin()) {
		return
	}
	if p.shown == nil || p.shown.Site != s.Model.Site {
		p.shown = s.Model
		if s.Model.Site != nil {
			p.tell(p.world.Publish(worldInfo(s)))
		}
	}
	p.tell(p.traffic.show(s))
	i, ok := egoOf(s)
	if !ok {
		return
	}
	o := &s.OdomOf(i)[0]
	if o.Car == p.seen {
		return
	}
	p.seen = o.Car
	p.tell(p.state.Publish(o))
}

// begin puts the profile on the graph, and reports whether it is there.
func (p *Profile) begin() bool {
	var errs [3]error
	p.state, errs[0] = node.NewVersionedPublisher(p.node, "/vehicle/state", node.BurstQoS(queue), p.states...)
	p.status, errs[1] = node.NewPublisher[gssimmsgs.SimulationStatus](p.node, "/sim/status",
		node.DefaultQoS())
	p.world, errs[2] = node.NewPublisher[gssimmsgs.WorldInfo](p.node, "/sim/world_info", node.LatchedQoS())
	err := errors.Join(errors.Join(errs[:]...), p.subscribeCommands(), p.serve(), p.serveScenarios())
	if err != nil {
		if p.fault != err.Error() {
			p.fault = err.Error()
			p.node.Log().Error("the vehicle profile cannot be served", "error", err)
		}
		return false
	}
	p.state.TimedBy(p.clock.Now)
	p.world.TimedBy(p.clock.Now)
	p.open = true
	return true
}

func (p *Profile) tell(err error) {
	if err != nil {
		p.node.Log().Error("the vehicle profile could not publish", "error", err)
	}
}

// errNoEgo is the error of requests about a missing ego vehicle.
var errNoEgo = errors.New("no ego vehicle")

// egoOf is the index of the ego vehicle, which has a car's drive that runs.
func egoOf(s *sim.Snapshot) (int, bool) {
	if s.Model.Site == nil {
		return 0, false
	}
	i, ok := s.Find(s.Model.Site.Ego)
	if !ok {
		return 0, false
	}
	o := s.OdomOf(i)
	return i, len(o) > 0 && o[0].Car != nil
}

// ego is the name of the ego vehicle.
func (p *Profile) ego() (string, error) {
	m := p.backend.Snapshot().Model
	if m.Site == nil {
		return "", fmt.Errorf("%w: the world %q declares none", errNoEgo, m.World.Name)
	}
	return m.Site.Ego, nil
}

// report collects what the next status says.
type report struct {
	mu      sync.Mutex
	refused map[string]string // by the type of the message: why the last one was
	bumps   uint64            // that were told
	of      uint64            // the entity whose bumps these are
}
