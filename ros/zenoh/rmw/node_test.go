package rmw_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/node"
	"simdeck/ros/zenoh/rmw"
	"simdeck/ros/zenoh/zenohsim"
)

// stage is a router with nodes on it.
type stage struct {
	t      *testing.T
	router *zenohsim.Router
}

func onStage(t *testing.T, f func(s *stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(&stage{t, zenohsim.New()}) })
}

// node makes a node of a session of its own, which runs until the test ends.
func (s *stage) node(name string) *node.Node {
	s.t.Helper()
	log := slog.New(slog.NewTextHandler(s.t.Output(), nil))
	n, err := node.New(node.Config{Name: name, Log: log,
		Middleware: rmw.New(rmw.Config{Dialer: s.router, Log: log})})
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *stage) start(all ...*node.Node) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, n := range all {
		running.Go(func() {
			if err := n.Run(ctx); err != nil {
				s.t.Errorf("%s: %v", n.FullName(), err)
			}
		})
	}
	stop = func() { cancel(); running.Wait() }
	s.t.Cleanup(stop)
	settle()
	return stop
}

func settle() { time.Sleep(500 * time.Millisecond); synctest.Wait() }

// heard collects the strings of a topic.
type heard struct {
	mu   sync.Mutex
	list []string
	from []node.Origin
}

func (h *heard) take(_ context.Context, m *stdmsgs.String, o node.Origin) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list, h.from = append(h.list, m.Data), append(h.from, o)
}

func (h *heard) all() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.list)
}

func hear(t *testing.T, n *node.Node, topic string, q node.QoS) *heard {
	t.Helper()
	h := &heard{}
	if _, err := node.NewSubscription(n, topic, q, h.take); err != nil {
		t.Fatal(err)
	}
	return h
}

func say(t *testing.T, n *node.Node, topic string, q node.QoS) *node.Publisher[stdmsgs.String] {
	t.Helper()
	p, err := node.NewPublisher[stdmsgs.String](n, topic, q)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func publish(t *testing.T, p *node.Publisher[stdmsgs.String], text string) {
	t.Helper()
	if err := p.Publish(&stdmsgs.String{Data: text}); err != nil {
		t.Fatal(err)
	}
}

func TestMessagesGoToEverySubscriberOnce(t *testing.T) {
	onStage(t, func(s *stage) {
		a, b := s.node("a"), s.node("b")
		p := say(t, a, "chatter", node.DefaultQoS())
		far, near := hear(t, b, "/chatter", node.DefaultQoS()), hear(t, a, "/chatter", node.SensorQoS())
		other := hear(t, b, "/other", node.DefaultQoS())
		command := &heard{}
		if _, err := node.NewCommandSubscription(b, "chatter", 5, command.take); err != nil {
			t.Fatal(err)
		}
		s.start(a, b)
		if n := p.Subscribers(); n != 3 {
			t.Errorf("%d subscribers, want 3", n)
		}
		large := strings.Repeat("x", 300_000)
		for _, text := range []string{"one", large} {
			publish(t, p, text)
			settle()
		}
		for name, h := range map[string]*heard{"far": far, "near": near, "command": command} {
			if got := h.all(); !slices.Equal(got, []string{"one", large}) {
				t.Errorf("%s: %d messages", name, len(got))
			}
		}
		if got := other.all(); len(got) != 0 {
			t.Errorf("another topic got %d messages", len(got))
		}
		if far.from[0].SourceTime.IsZero() || !b.Publishers("/chatter")[far.from[0].Publisher] {
			t.Errorf("it came from %+v, the publishers are %v", far.from[0], b.Publishers("/chatter"))
		}
	})
}

func TestLateSubscribersGetWhatIsKept(t *testing.T) {
	onStage(t, func(s *stage) {
		a, b := s.node("a"), s.node("b")
		q := node.LatchedQoS()
		q.Depth = 2
		p := say(t, a, "map", q)
		for _, text := range []string{"one", "two", "three"} {
			publish(t, p, text)
		}
		s.start(a, b)
		late, near := hear(t, b, "map", q), hear(t, a, "map", q)
		volatile := hear(t, b, "map", node.DefaultQoS())
		settle()
		publish(t, p, "four")
		settle()
		for name, h := range map[string]*heard{"late": late, "near": near} {
			if got := h.all(); !slices.Equal(got, []string{"two", "three", "four"}) {
				t.Errorf("%s: %q", name, got)
			}
		}
		if got := volatile.all(); !slices.Equal(got, []string{"four"}) {
			t.Errorf("volatile: %q", got)
		}
	})
}

func TestALatePublisherIsAskedForWhatItKeeps(t *testing.T) {
	onStage(t, func(s *stage) {
		a, b := s.node("a"), s.node("b")
		h := hear(t, b, "map", node.LatchedQoS())
		s.start(b)
		p := say(t, a, "map", node.LatchedQoS())
		publish(t, p, "before it was on the network")
		s.start(a)
		if got := h.all(); len(got) != 1 {
			t.Errorf("%q", got)
		}
	})
}

// lines serves a service in two definitions that share their name.
func lines(t *testing.T, n *node.Node) {
	t.Helper()
	_, err := n.Serve(node.ServerConfig{Name: "/spawn_entity", Lines: []node.Line{
		node.NewLine(simif2.SpawnEntityService(), func(_ context.Context, _ node.Caller,
			q *simif2.SpawnEntityRequest) *simif2.SpawnEntityResponse {
			return &simif2.SpawnEntityResponse{EntityName: "two " + q.Name}
		}, nil),
		node.NewLine(simif1.SpawnEntityService(), func(_ context.Context, _ node.Caller,
			q *simif1.SpawnEntityRequest) *simif1.SpawnEntityResponse {
			return &simif1.SpawnEntityResponse{EntityName: "one " + q.Name}
		}, nil)}})
	if err != nil {
		t.Fatal(err)
	}
}

// servers are those of a service that a node sees.
func servers(n *node.Node, name string) []node.RemoteServer {
	return slices.DeleteFunc(n.Servers(), func(s node.RemoteServer) bool { return s.Name != name })
}

func TestAServiceAnswersInTheDefinitionOfItsCaller(t *testing.T) {
	onStage(t, func(s *stage) {
		a, b := s.node("a"), s.node("b")
		lines(t, a)
		s.start(a, b)
		for _, n := range []*node.Node{b, a} {
			two, err := node.NewClient(n, "/spawn_entity", simif2.SpawnEntityService())
			if err != nil {
				t.Fatal(err)
			}
			one, err := node.NewClient(n, "/spawn_entity", simif1.SpawnEntityService())
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(context.Background(), time.Minute)
			defer stop()
			r2, err := two.Call(ctx, &simif2.SpawnEntityRequest{Name: "x"})
			if err != nil || r2.EntityName != "two x" {
				t.Errorf("2.x from %s: %+v, %v", n.FullName(), r2, err)
			}
			r1, err := one.Call(ctx, &simif1.SpawnEntityRequest{Name: "y"})
			if err != nil || r1.EntityName != "one y" {
				t.Errorf("1.x from %s: %+v, %v", n.FullName(), r1, err)
			}
		}
	})
}

func TestNoRequestGoesToTwoServers(t *testing.T) {
	onStage(t, func(s *stage) {
		a, b, c := s.node("a"), s.node("b"), s.node("c")
		for _, n := range []*node.Node{a, b} {
			_, err := n.Serve(node.ServerConfig{Name: "/off", Lines: []node.Line{node.NewLine(
				stdsrvs.TriggerService(), func(context.Context, node.Caller,
					*stdsrvs.TriggerRequest) *stdsrvs.TriggerResponse {
					t.Error("a server was asked")
					return &stdsrvs.TriggerResponse{}
				}, nil)}})
			if err != nil {
				t.Fatal(err)
			}
		}
		client, err := node.NewClient(c, "/off", stdsrvs.TriggerService())
		if err != nil {
			t.Fatal(err)
		}
		s.start(a, b, c)
		if all := servers(c, "/off"); len(all) != 2 {
			t.Errorf("servers %+v, want two", all)
		}
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		if _, err := client.Call(ctx, &stdsrvs.TriggerRequest{}); err == nil ||
			!strings.Contains(err.Error(), "one of several") {
			t.Errorf("%v", err)
		}
	})
}

func TestAnActionRunsToItsEnd(t *testing.T) {
	onStage(t, func(s *stage) {
		a, b := s.node("a"), s.node("b")
		_, err := node.NewActionServer(a, node.ActionServerConfig[simif2.SimulateStepsGoal,
			simif2.SimulateStepsResult, simif2.SimulateStepsFeedback]{Name: "/steps",
			Action: simif2.SimulateStepsAction(),
			Execute: func(_ context.Context, g *node.Goal[simif2.SimulateStepsGoal,
				simif2.SimulateStepsFeedback]) (*simif2.SimulateStepsResult, error) {
				for i := range g.Request.Steps {
					_ = g.Feedback(&simif2.SimulateStepsFeedback{CompletedSteps: i + 1})
					time.Sleep(time.Second)
				}
				r := &simif2.SimulateStepsResult{}
				r.Result.ErrorMessage = "done"
				return r, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		client, err := node.NewActionClient(b, "/steps", simif2.SimulateStepsAction())
		if err != nil {
			t.Fatal(err)
		}
		s.start(a, b)
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		var steps []uint64
		h, err := client.Send(ctx, &simif2.SimulateStepsGoal{Steps: 3},
			func(f *simif2.SimulateStepsFeedback) { steps = append(steps, f.CompletedSteps) })
		if err != nil {
			t.Fatal(err)
		}
		status, r, err := h.Result(ctx)
		if err != nil || status != node.GoalSucceeded || r.Result.ErrorMessage != "done" || len(steps) == 0 {
			t.Errorf("%+v, %v, %v, feedback %v", r, status, err, steps)
		}
	})
}

func TestTheGraphShowsNodesAndForgetsThem(t *testing.T) {
	onStage(t, func(s *stage) {
		a, b := s.node("a"), s.node("b")
		say(t, a, "chatter", node.SensorQoS())
		lines(t, a)
		s.start(b)
		stop := s.start(a)
		g := b.Graph()
		if !slices.Equal(g.Nodes, []string{"/a", "/b"}) || g.Participants != 1 {
			t.Errorf("%v, %d participants", g.Nodes, g.Participants)
		}
		at := slices.IndexFunc(g.Topics, func(n node.Named) bool { return n.Name == "/chatter" })
		if at < 0 || g.Topics[at].Publishers != 1 ||
			!slices.Equal(g.Topics[at].Types, []string{"std_msgs/msg/String"}) ||
			!slices.Equal(g.Topics[at].QoS, []string{"best effort, volatile, last 5"}) {
			t.Errorf("%+v", g.Topics)
		}
		at = slices.IndexFunc(g.Services, func(n node.Named) bool { return n.Name == "/spawn_entity" })
		if at < 0 || g.Services[at].Publishers != 2 ||
			g.Services[at].Types[0] != "simulation_interfaces/srv/SpawnEntity" {
			t.Errorf("%+v", g.Services)
		}
		want := []string{simif1.SpawnEntityService().Hash, simif2.SpawnEntityService().Hash}
		slices.Sort(want)
		if all := servers(b, "/spawn_entity"); len(all) != 1 || all[0].Node != "/a" ||
			!slices.Equal(slices.Sorted(slices.Values(all[0].Services)), want) {
			t.Errorf("servers %+v, want one that speaks %q", all, want)
		}
		if !b.Complete() {
			t.Error("it is not complete")
		}
		stop()
		settle()
		if g := b.Graph(); !slices.Equal(g.Nodes, []string{"/b"}) || g.Participants != 0 {
			t.Errorf("after it has left: %v, %d participants", g.Nodes, g.Participants)
		}
	})
}

func TestARouterThatComesBackIsToldOfEverything(t *testing.T) {
	onStage(t, func(s *stage) {
		a, b := s.node("a"), s.node("b")
		p, h := say(t, a, "chatter", node.DefaultQoS()), hear(t, b, "chatter", node.DefaultQoS())
		latched := say(t, a, "map", node.LatchedQoS())
		kept := hear(t, b, "map", node.LatchedQoS())
		lines(t, a)
		s.start(a, b)
		publish(t, p, "one")
		settle()
		s.router.SetDown(true)
		settle()
		if g := b.Graph(); !slices.Equal(g.Nodes, []string{"/b"}) {
			t.Errorf("without a router: %v", g.Nodes)
		}
		publish(t, p, "lost")
		publish(t, latched, "kept")
		s.router.SetDown(false)
		time.Sleep(10 * time.Second)
		settle()
		publish(t, p, "two")
		settle()
		if got := h.all(); !slices.Equal(got, []string{"one", "two"}) {
			t.Errorf("%q", got)
		}
		if got := kept.all(); !slices.Equal(got, []string{"kept"}) {
			t.Errorf("kept: %q", got)
		}
		client, err := node.NewClient(b, "/spawn_entity", simif2.SpawnEntityService())
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		r, err := client.Call(ctx, &simif2.SpawnEntityRequest{Name: "x"})
		if err != nil || r.EntityName != "two x" {
			t.Errorf("%+v, %v", r, err)
		}
	})
}
