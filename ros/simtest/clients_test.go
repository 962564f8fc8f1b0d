package simtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rtps"
)

// patience is the time-out of a client's call.
const patience = 8 * time.Second

// client is a ROS node on a host of its own.
type client struct {
	w     *world
	name  string
	host  *netsim.Host
	node  *node.Node
	stop  context.CancelFunc
	ended chan error
	heard uint64
	known map[string]any // clients of services by name
	pubs  map[string]*node.Publisher[geometrymsgs.Twist]
	subs  []interface{ Close() error }

	mu      sync.Mutex
	pending int
}

// call is a client's call.
type call struct {
	who, what   string
	begun       time.Time
	took        time.Duration
	code        uint8
	err         error
	spawns      string // the name that was asked for, where the call spawns
	undisturbed bool
}

// join puts a client on the network.
func (w *world) join() {
	w.joined++
	c := &client{w: w, name: fmt.Sprintf("client%d", w.joined), ended: make(chan error, 1),
		known: map[string]any{}, pubs: map[string]*node.Publisher[geometrymsgs.Twist]{}}
	c.host = w.net.Host(c.name)
	n, err := node.New(node.Config{Name: c.name, Transport: c.host})
	if err != nil {
		w.t.Fatal(err)
	}
	var ctx context.Context
	ctx, c.stop = context.WithCancel(context.Background())
	c.node = n
	go func() { c.ended <- n.Run(ctx) }()
	w.clients = append(w.clients, c)
	w.trace.add(c.name, "joins")
}

// leave takes a client off the network: it says farewell, or it dies.
func (w *world) leave(r *rand.Rand) {
	if len(w.clients) == 0 {
		return
	}
	i := r.IntN(len(w.clients))
	c := w.clients[i]
	w.clients = slices.Delete(w.clients, i, i+1)
	if w.disturbed = true; r.IntN(2) == 0 {
		c.host.Move([4]byte{})
		w.trace.add(c.name, "is killed")
	} else {
		w.trace.add(c.name, "leaves")
	}
	c.stop()
	w.gone = append(w.gone, c)
}

// wait waits for the end of a client whose context has ended.
func (c *client) wait() {
	if err := <-c.ended; err != nil {
		c.w.fail("client %s ended with %v", c.name, err)
	}
}

// ask calls a service on a goroutine of its own and notes the answer.
func ask[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](c *client, service string, svc msgs.Service[Q, S], q *Q,
	code func(*S) uint8, spawns string) {
	k, ok := c.known[service].(*node.Client[Q, S])
	if !ok {
		var err error
		if k, err = node.NewClient[Q, S, PQ, PS](c.node, service, svc); err != nil {
			c.w.fail("client of %s: %v", service, err)
			return
		}
		c.known[service] = k
	}
	c.do(service, spawns, func(ctx context.Context) (uint8, error) {
		s, err := k.Call(ctx, q)
		if err != nil {
			return 0, err
		}
		return code(s), nil
	})
}

// do runs a call beside the others.
func (c *client) do(what, spawns string, f func(context.Context) (uint8, error)) {
	k := &call{who: c.name, what: what, begun: time.Now(), spawns: spawns}
	quiet := c.w.undisturbed()
	c.mu.Lock()
	c.pending++
	c.mu.Unlock()
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		k.code, k.err = f(ctx)
		k.took, k.undisturbed = time.Since(k.begun), quiet && c.w.undisturbed()
		c.mu.Lock()
		c.pending--
		c.mu.Unlock()
		c.w.answered(k)
	}()
}

// numbers that strangers send.
var odd = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e17, 1e-320}

// somewhere is a pose over the ground, and seldom one that is none.
func somewhere(r *rand.Rand) geometrymsgs.Pose {
	p := geometrymsgs.Pose{Position: geometrymsgs.Point{X: r.Float64()*8 - 4, Y: r.Float64()*8 - 4,
		Z: 0.5 + r.Float64()}, Orientation: geometrymsgs.Quaternion{W: 1}}
	if r.IntN(20) == 0 {
		p.Position.X = odd[r.IntN(len(odd))]
	}
	if r.IntN(30) == 0 {
		p.Orientation.W = odd[r.IntN(len(odd))]
	}
	return p
}

// known are names of entities that clients speak of, beside those that they have spawned.
var known = []string{"ball", "cart", "ground", "ghost", "", "../etc", "-rf", "a\x1b[2Jb", "cart/base"}

func (w *world) someName(r *rand.Rand) string {
	if i := r.IntN(len(known) + len(w.spawned)); i >= len(known) {
		return w.spawned[i-len(known)]
	} else {
		return known[i]
	}
}

var models = []string{"model://ball", "model://ball", "model://crate", "model://cart", "model://ghost",
	"file:///etc/shadow", ""}

// act has a client do something.
func (c *client) act(r *rand.Rand) {
	w := c.w
	if len(w.spawned) > 0 && r.IntN(8) == 0 {
		name := w.spawned[r.IntN(len(w.spawned))]
		w.trace.add(c.name, "delete_entity %q", name)
		ask(c, "/delete_entity", simif2.DeleteEntityService(), &simif2.DeleteEntityRequest{Entity: name},
			func(s *simif2.DeleteEntityResponse) uint8 { return s.Result.Result }, "")
		return
	}
	switch r.IntN(12) {
	case 0, 1, 2:
		c.spawn(r)
	case 3:
		c.setState(r)
	case 4, 5:
		c.look(r)
	case 6:
		c.simulate(r)
	case 7:
		c.steps(r)
	case 8:
		c.replace(r)
	case 9, 10:
		c.listen(r)
	default:
		c.drive(r)
	}
}

func (c *client) spawn(r *rand.Rand) {
	w := c.w
	w.asked++
	q := simif2.SpawnEntityRequest{Name: fmt.Sprintf("thing%d", w.asked)}
	q.EntityResource.URI = models[r.IntN(len(models))]
	q.InitialPose.Pose = somewhere(r)
	if w.spawned = append(w.spawned, q.Name); r.IntN(10) == 0 {
		q.Name = known[r.IntN(len(known))]
	}
	w.trace.add(c.name, "spawn_entity %q of %s at %v", q.Name, q.EntityResource.URI,
		q.InitialPose.Pose.Position)
	ask(c, "/spawn_entity", simif2.SpawnEntityService(), &q,
		func(s *simif2.SpawnEntityResponse) uint8 { return s.Result.Result }, q.Name)
}

func (c *client) setState(r *rand.Rand) {
	q := simif2.SetEntityStateRequest{Entity: c.w.someName(r), SetPose: r.IntN(3) > 0,
		SetTwist: r.IntN(3) == 0, SetAcceleration: r.IntN(5) == 0}
	q.State.Pose = somewhere(r)
	q.State.Twist.Linear = geometrymsgs.Vector3{X: r.Float64()*4 - 2}
	q.State.Acceleration.Linear = geometrymsgs.Vector3{Z: r.Float64() * 20}
	if r.IntN(20) == 0 {
		q.State.Twist.Angular.Y = odd[r.IntN(len(odd))]
	}
	c.w.trace.add(c.name, "set_entity_state %q", q.Entity)
	ask(c, "/set_entity_state", simif2.SetEntityStateService(), &q,
		func(s *simif2.SetEntityStateResponse) uint8 { return s.Result.Result }, "")
}

// look asks for what changes nothing.
func (c *client) look(r *rand.Rand) {
	name := c.w.someName(r)
	n := r.IntN(6)
	c.w.trace.add(c.name, "look %d at %q", n, name)
	switch n {
	case 0:
		ask(c, "/get_entities", simif2.GetEntitiesService(), &simif2.GetEntitiesRequest{},
			func(s *simif2.GetEntitiesResponse) uint8 { return s.Result.Result }, "")
	case 1:
		ask(c, "/get_entity_state", simif2.GetEntityStateService(),
			&simif2.GetEntityStateRequest{Entity: name},
			func(s *simif2.GetEntityStateResponse) uint8 { return s.Result.Result }, "")
	case 2:
		ask(c, "/get_spawnables", simif2.GetSpawnablesService(),
			&simif2.GetSpawnablesRequest{Sources: []string{"", "/", "model://"}[:r.IntN(3)]},
			func(s *simif2.GetSpawnablesResponse) uint8 { return s.Result.Result }, "")
	case 3:
		ask(c, "/get_entities_states", simif2.GetEntitiesStatesService(), &simif2.GetEntitiesStatesRequest{},
			func(s *simif2.GetEntitiesStatesResponse) uint8 { return s.Result.Result }, "")
	case 4:
		ask(c, "/get_entity_bounds", simif2.GetEntityBoundsService(),
			&simif2.GetEntityBoundsRequest{Entity: name},
			func(s *simif2.GetEntityBoundsResponse) uint8 { return s.Result.Result }, "")
	default:
		ask(c, "/get_simulation_state", simif2.GetSimulationStateService(),
			&simif2.GetSimulationStateRequest{},
			func(s *simif2.GetSimulationStateResponse) uint8 { return s.Result.Result }, "")
	}
}

// simulate changes the state of the simulation, or how fast it goes.
func (c *client) simulate(r *rand.Rand) {
	switch n := r.IntN(10); {
	case n < 7:
		// playing, paused, stopped, and what cannot be asked for
		to := []uint8{1, 1, 1, 2, 2, 0, 5, 77}[r.IntN(8)]
		c.w.trace.add(c.name, "set_simulation_state %d", to)
		ask(c, "/set_simulation_state", simif2.SetSimulationStateService(),
			&simif2.SetSimulationStateRequest{State: simif2.SimulationState{State: to}},
			func(s *simif2.SetSimulationStateResponse) uint8 { return s.Result.Result }, "")
	case n < 9:
		scope := []uint8{0, 1, 2, 4, 255, 9}[r.IntN(6)]
		c.w.trace.add(c.name, "reset_simulation %d", scope)
		ask(c, "/reset_simulation", simif2.ResetSimulationService(),
			&simif2.ResetSimulationRequest{Scope: scope},
			func(s *simif2.ResetSimulationResponse) uint8 { return s.Result.Result }, "")
	default:
		factor := []float64{0.5, 1, 2, -1, math.NaN()}[r.IntN(5)]
		c.w.trace.add(c.name, "real_time_factor %g", factor)
		q := &rclinterfaces.SetParametersRequest{Parameters: []rclinterfaces.Parameter{{
			Name:  "real_time_factor",
			Value: node.DoubleValue(factor)}}}
		ask(c, "/simdeck/set_parameters", rclinterfaces.SetParametersService(), q,
			func(s *rclinterfaces.SetParametersResponse) uint8 { return uint8(len(s.Results)) }, "")
	}
}

// steps asks for steps: by the service, or by the action, which may be cancelled.
func (c *client) steps(r *rand.Rand) {
	n, cancels := uint64(r.IntN(200)), r.IntN(3) == 0
	if r.IntN(2) == 0 {
		c.w.trace.add(c.name, "step_simulation %d", n)
		ask(c, "/step_simulation", simif2.StepSimulationService(), &simif2.StepSimulationRequest{Steps: n},
			func(s *simif2.StepSimulationResponse) uint8 { return s.Result.Result }, "")
		return
	}
	type goals = node.ActionClient[simif2.SimulateStepsGoal, simif2.SimulateStepsResult,
		simif2.SimulateStepsFeedback]
	a, ok := c.known["steps"].(*goals)
	if !ok {
		var err error
		if a, err = node.NewActionClient(c.node, "/simulate_steps",
			simif2.SimulateStepsAction()); err != nil {
			c.w.fail("client of /simulate_steps: %v", err)
			return
		}
		c.known["steps"] = a
	}
	c.w.trace.add(c.name, "simulate_steps %d, cancelled: %v", n, cancels)
	c.do("simulate_steps", "", func(ctx context.Context) (uint8, error) {
		h, err := a.Send(ctx, &simif2.SimulateStepsGoal{Steps: n}, nil)
		if err != nil {
			return 0, err
		}
		if cancels {
			if _, err := a.CancelAll(ctx); err != nil && !errors.Is(err, node.ErrCancelRefused) {
				return 0, err
			}
		}
		_, result, err := h.Result(ctx)
		if err != nil {
			return 0, err
		}
		return result.Result.Result, nil
	})
}

// replace loads another world, or none.
func (c *client) replace(r *rand.Rand) {
	if r.IntN(6) == 0 {
		c.w.trace.add(c.name, "unload_world")
		ask(c, "/unload_world", simif2.UnloadWorldService(), &simif2.UnloadWorldRequest{},
			func(s *simif2.UnloadWorldResponse) uint8 { return s.Result.Result }, "")
		return
	}
	q := simif2.LoadWorldRequest{}
	q.WorldResource.URI = []string{yard, yard, "world://@cache@/hall", "world://@cache@/nowhere",
		"file:///etc/passwd"}[r.IntN(5)]
	c.w.trace.add(c.name, "load_world %s", q.WorldResource.URI)
	ask(c, "/load_world", simif2.LoadWorldService(), &q,
		func(s *simif2.LoadWorldResponse) uint8 { return s.Result.Result }, "")
}

// listen subscribes a topic, or ends a subscription.
func (c *client) listen(r *rand.Rand) {
	if len(c.subs) > 6 || len(c.subs) > 0 && r.IntN(4) == 0 {
		i := r.IntN(len(c.subs))
		c.w.trace.add(c.name, "ends subscription %d", i)
		if err := c.subs[i].Close(); err != nil {
			c.w.fail("%s ends a subscription: %v", c.name, err)
		}
		c.subs = slices.Delete(c.subs, i, i+1)
		return
	}
	var err error
	var s interface{ Close() error }
	q := []rtps.QoS{node.DefaultQoS(), node.SensorQoS()}[r.IntN(2)]
	n := r.IntN(3)
	c.w.trace.add(c.name, "subscribes %d", n)
	switch n {
	case 0:
		s, err = node.NewSubscription(c.node, "/clock", q,
			func(context.Context, *rosgraphmsgs.Clock, node.Origin) {})
	case 1:
		s, err = node.NewSubscription(c.node, "/tf", q,
			func(context.Context, *tf2msgs.TFMessage, node.Origin) {})
	default:
		s, err = node.NewSubscription(c.node, "/cart/scan", q,
			func(context.Context, *sensormsgs.LaserScan, node.Origin) {})
	}
	if err != nil {
		c.w.fail("%s subscribes: %v", c.name, err)
		return
	}
	c.subs = append(c.subs, s)
}

// drive publishes a velocity.
func (c *client) drive(r *rand.Rand) {
	topic := []string{"/cart/cmd_vel", "/cmd_vel", "/nobody/cmd_vel"}[r.IntN(3)]
	p := c.pubs[topic]
	if p == nil {
		var err error
		if p, err = node.NewPublisher[geometrymsgs.Twist](c.node, topic, node.DefaultQoS()); err != nil {
			c.w.fail("publisher of %s: %v", topic, err)
			return
		}
		c.pubs[topic] = p
	}
	m := &geometrymsgs.Twist{Linear: geometrymsgs.Vector3{X: r.Float64()*2 - 1},
		Angular: geometrymsgs.Vector3{Z: r.Float64()*2 - 1}}
	if r.IntN(10) == 0 {
		m.Linear.X = odd[r.IntN(len(odd))]
	}
	c.w.trace.add(c.name, "%s %.3f %.3f", topic, m.Linear.X, m.Angular.Z)
	if err := p.Publish(m); err != nil {
		c.w.fail("%s publishes: %v", c.name, err)
	}
}
