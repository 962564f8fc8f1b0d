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

// Config says what is served. Node and Deck are required.
type Config struct {
	Node    *node.Node
	Deck    sim.Deck
	Formats []string // of models that can be spawned
	Version string   // of the simulator, for people
}

// Services are the services of one simulator.
type Services struct {
	deck    sim.Deck
	formats []string
	version string

	mu     sync.Mutex
	bounds scene.BoundsKind // that GetEntityBounds answers
}

// New makes the services on a node; they answer while the node runs. Errors
// wrap node.ErrName or say why a service could not be made.
func New(c Config) (*Services, error) {
	s := &Services{deck: c.Deck, formats: c.Formats, version: c.Version, bounds: scene.BoxBounds}
	for _, r := range s.table() {
		_, err := c.Node.Serve(node.ServerConfig{Name: r.name, Lines: r.lines, Concurrency: r.atOnce,
			Untyped: len(r.lines) - 1}) // Humble announces no hashes and speaks 1.x
		if err != nil {
			return nil, fmt.Errorf("simulation_interfaces: %w", err)
		}
	}
	return s, s.declare(c.Node.Parameters())
}

// row is a service with the lines in which it is served.
type row struct {
	name   string
	atOnce int // 0: one after the other, in the order in which they came
	lines  []node.Line
}

// Those that read files, or last, let others of their kind go on.
const (
	readers = 4
	lasting = 8
)

// table is everything that is served.
func (s *Services) table() []row {
	return []row{
		{"get_simulator_features", 0, []node.Line{s.features2()}},
		{"get_spawnables", readers, []node.Line{s.spawnables2(), s.spawnables1()}},
		{"spawn_entity", 0, []node.Line{s.spawn2(), s.spawn1()}},
		{"spawn_entities", 0, []node.Line{s.spawnAll2()}},
		{"delete_entity", 0, []node.Line{s.delete2()}},
		{"get_entities", 0, []node.Line{s.entities2()}},
		{"get_entities_states", 0, []node.Line{s.states2()}},
		{"get_entity_state", 0, []node.Line{s.state2()}},
		{"set_entity_state", 0, []node.Line{s.setState2(), s.setState1()}},
		{"get_entity_info", 0, []node.Line{s.info2()}},
		{"set_entity_info", 0, []node.Line{s.setInfo2()}},
		{"get_entity_bounds", 0, []node.Line{s.bounds2()}},
		{"get_named_poses", 0, []node.Line{s.poses2()}},
		{"get_named_pose_bounds", 0, []node.Line{s.poseBounds2()}},
		{"get_simulation_state", 0, []node.Line{s.simulation2()}},
		{"set_simulation_state", 0, []node.Line{s.setSimulation2()}},
		{"step_simulation", lasting, []node.Line{s.step2()}},
		{"reset_simulation", 0, []node.Line{s.reset2()}},
		{"get_available_worlds", readers, []node.Line{s.worlds2()}},
		{"get_current_world", 0, []node.Line{s.world2()}},
		{"load_world", readers, []node.Line{s.load2(), s.load1()}},
		{"unload_world", 0, []node.Line{s.unload2()}},
	}
}

// line is a codec around a neutral function: decode makes its argument of a
// request, encode the response of its answer or of what went wrong.
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
				"box": scene.BoxBounds, "sphere": scene.SphereBounds, "convex_hull": scene.HullBounds}[v.StringValue]
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
