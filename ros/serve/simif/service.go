package simif

import (
	"context"
	"fmt"
	"sync"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// Config is the configuration of the services. Node and Backend are required.
type Config struct {
	Node    *node.Node
	Backend sim.Backend
	Formats []string // of models that can be spawned
	Version string   // of the simulator, for people
	Habits  Habits   // of other simulators
	Prefix  string   // of the services, absolute; "": the node's namespace
}

// Services are the services of one simulator.
type Services struct {
	node    *node.Node
	backend sim.Backend
	formats []string
	version string
	habits  Habits
	prefix  string

	mu     sync.Mutex
	bounds scene.BoundsKind // that GetEntityBounds answers
}

// New makes the services on a node; they answer while the node runs. Errors
// wrap node.ErrName or say why a service could not be made.
func New(c Config) (*Services, error) {
	s := &Services{node: c.Node, backend: c.Backend, formats: c.Formats, version: c.Version, habits: c.Habits,
		prefix: c.Prefix, bounds: scene.BoxBounds}
	if c.Habits != 0 {
		s.backend = habitBackend{c.Backend, c.Habits}
	}
	for _, r := range s.table() {
		_, err := c.Node.Serve(node.ServerConfig{Name: s.named(r.name), Lines: r.lines,
			Concurrency: r.serialized, PerClient: r.perClient(), Untyped: r.untyped()})
		if err != nil {
			return nil, fmt.Errorf("simulation_interfaces: %w", err)
		}
	}
	if err := s.serveSteps(); err != nil {
		return nil, fmt.Errorf("simulation_interfaces: %w", err)
	}
	return s, s.declare(c.Node.Parameters())
}

// named is the name of a service.
func (s *Services) named(service string) string {
	if s.prefix == "" {
		return service
	}
	return node.Join(s.prefix, service)
}

// row is a service with its definitions: that of 2.x, that of 1.x where it is
// another on the wire, and drafts.
type row struct {
	name       string
	serialized int // 0: one after the other, in the order in which they came
	lines      []node.Line
	v1         bool // the second line is 1.x
}

// untyped is the line of those who announce no type hash: Humble, which speaks
// 1.x.
func (r row) untyped() int {
	if r.v1 {
		return 1
	}
	return 0
}

// Requests that read files, or that take long, let others of their kind go on.
const (
	readers  = 4
	lasting  = 8
	spawning = 16 // one at a time of each client, in their order
)

// perClient leaves room for others where several requests are answered at once.
func (r row) perClient() int {
	if r.serialized == spawning {
		return 1
	}
	return max(1, r.serialized/2)
}

// table is the list of all services.
func (s *Services) table() []row {
	return []row{
		{name: "get_simulator_features", lines: []node.Line{s.features2()}},
		{name: "get_spawnables", serialized: readers, v1: true,
			lines: []node.Line{s.spawnables2(), s.spawnables1()}},
		{name: "spawn_entity", serialized: spawning, v1: true, lines: []node.Line{s.spawn2(), s.spawn1()}},
		{name: "spawn_entities", serialized: spawning,
			lines: []node.Line{s.spawnAll2(), s.spawnAllDraft()}},
		{name: "delete_entity", lines: []node.Line{s.delete2()}},
		{name: "get_entities", lines: []node.Line{s.entities2()}},
		{name: "get_entities_states", lines: []node.Line{s.states2()}},
		{name: "get_entity_state", lines: []node.Line{s.state2()}},
		{name: "set_entity_state", v1: true, lines: []node.Line{s.setState2(), s.setState1()}},
		{name: "get_entity_info", lines: []node.Line{s.info2()}},
		{name: "set_entity_info", lines: []node.Line{s.setInfo2()}},
		{name: "get_entity_bounds", lines: []node.Line{s.bounds2()}},
		{name: "get_named_poses", lines: []node.Line{s.poses2()}},
		{name: "get_named_pose_bounds", lines: []node.Line{s.poseBounds2()}},
		{name: "get_simulation_state", lines: []node.Line{s.simulation2()}},
		{name: "set_simulation_state", lines: []node.Line{s.setSimulation2()}},
		{name: "step_simulation", serialized: lasting, lines: []node.Line{s.step2()}},
		{name: "reset_simulation", lines: []node.Line{s.reset2()}},
		{name: "get_available_worlds", serialized: readers, lines: []node.Line{s.worlds2()}},
		{name: "get_current_world", lines: []node.Line{s.world2()}},
		{name: "load_world", serialized: readers, v1: true, lines: []node.Line{s.load2(), s.load1()}},
		{name: "unload_world", lines: []node.Line{s.unload2()}},
	}
}

// line is a codec around a neutral function: decode makes its argument from a request, encode the response
// from its answer or error.
func line[N, A, Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](svc msgs.Service[Q, S],
	decode func(*Q) (N, error), do func(context.Context, N) (A, error), encode func(A, error) *S) node.Line {
	var none A
	return node.NewLine[Q, S, PQ, PS](svc, func(ctx context.Context, _ node.Caller, q *Q) *S {
		n, err := decode(q)
		if err != nil {
			return encode(none, err)
		}
		return encode(do(sim.WithSender(ctx, "ros"), n))
	}, func(err error) *S { return encode(none, err) })
}

// nothing is the argument or answer of a service that has none.
type nothing struct{}

// declare makes the parameters that choose how is answered.
func (s *Services) declare(p *node.Parameters) error {
	return p.Declare(context.Background(), node.Declaration{
		Name: "bounds_type", Default: node.StringValue("box"),
		Description: "what get_entity_bounds answers: box, sphere or convex_hull",
		Set: func(_ context.Context, v node.Value) error {
			kind, ok := map[string]scene.BoundsKind{
				"box": scene.BoxBounds, "sphere": scene.SphereBounds,
				"convex_hull": scene.HullBounds}[v.StringValue]
			if !ok {
				return fmt.Errorf("%q is no kind of bounds: want box, sphere or convex_hull", v.StringValue)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.bounds = kind
			return nil
		},
	})
}
