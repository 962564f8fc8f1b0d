package conform

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"testing/synctest"

	"simdeck/ros/attach"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/engine"
)

// serve makes a server of one definition.
func serve[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](t *testing.T, n *node.Node, name string,
	svc msgs.Service[Q, S], answer func(*Q) *S) {
	t.Helper()
	line := node.NewLine[Q, S, PQ, PS](svc,
		func(_ context.Context, _ node.Caller, q *Q) *S { return answer(q) }, nil)
	if _, err := n.Serve(node.ServerConfig{Name: name, Lines: []node.Line{line}}); err != nil {
		t.Fatal(err)
	}
}

// subset serves as little as a simulator can, privately and in 1.x, with mistakes of real ones, in the given
// state.
func subset(t *testing.T, state uint8) func(*node.Node) {
	return func(n *node.Node) {
		serve(t, n, "~/get_simulator_features", simif1.GetSimulatorFeaturesService(),
			func(*simif1.GetSimulatorFeaturesRequest) *simif1.GetSimulatorFeaturesResponse {
				return &simif1.GetSimulatorFeaturesResponse{Features: simif1.SimulatorFeatures{
					Features: []uint16{24,
						25, 14, 14, 99}}}
			})
		serve(t, n, "~/get_simulation_state", simif1.GetSimulationStateService(),
			func(*simif1.GetSimulationStateRequest) *simif1.GetSimulationStateResponse {
				return &simif1.GetSimulationStateResponse{State: simif1.SimulationState{State: state},
					Result: simif1.Result{Result: 1}}
			})
		serve(t, n, "~/set_simulation_state", simif1.SetSimulationStateService(),
			func(*simif1.SetSimulationStateRequest) *simif1.SetSimulationStateResponse {
				return &simif1.SetSimulationStateResponse{Result: simif1.Result{Result: 7}}
			})
		serve(t, n, "~/delete_entity", simif1.DeleteEntityService(),
			func(*simif1.DeleteEntityRequest) *simif1.DeleteEntityResponse {
				return &simif1.DeleteEntityResponse{Result: simif1.Result{Result: 2}}
			})
		serve(t, n, "~/fetch", simif1.GetEntitiesService(),
			func(*simif1.GetEntitiesRequest) *simif1.GetEntitiesResponse {
				return &simif1.GetEntitiesResponse{Result: simif1.Result{Result: 1}}
			})
	}
}

// examineOther runs the suite over a simulator that is a node alone.
func examineOther(t *testing.T, o Options, setup func(*node.Node), look func(*Report, error)) {
	t.Helper()
	attached(t, setup, func(ctx context.Context, r *attach.Remote) { look(Run(ctx, r, o)) })
}

// attached gives the Remote of a simulator that is a node alone.
func attached(t *testing.T, setup func(*node.Node), work func(context.Context, *attach.Remote)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		net := netsim.New(1)
		n, err1 := node.New(node.Config{Name: "poor", Transport: net.Host("sim")})
		g, err2 := attach.Open(attach.Config{Transport: net.Host("user")})
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		setup(n)
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- n.Run(ctx) }()
		err := g.Run(ctx, func(ctx context.Context) error {
			s, err := g.Find(ctx, attach.Want{})
			if err != nil {
				return err
			}
			work(ctx, g.Attach(s, attach.Options{}))
			return nil
		})
		cancel()
		if err := errors.Join(err, <-ended); err != nil {
			t.Error(err)
		}
	})
}

func TestWhatIsNotAdvertisedIsSkippedAndSaidSo(t *testing.T) {
	var told int
	examineOther(t, Options{Progress: func(Result) { told++ }}, subset(t, 1), func(r *Report, err error) {
		if err != nil {
			t.Fatal(err)
		}
		is := map[string]Result{}
		for _, one := range r.Results {
			is[one.Check.ID] = one
		}
		for id, want := range map[string]Result{
			"step.single":         {Status: Skipped, Detail: "step_simulation is not served"},
			"delete.unknown":      {Status: Skipped, Detail: "DELETING is not advertised"},
			"action.steps":        {Status: Skipped, Detail: "simulate_steps is not served"},
			"features.served":     {Status: Failed, Detail: "SPAWNABLES without get_spawnables"},
			"features.advertised": {Status: Failed, Detail: "no feature is advertised for delete_entity"},
			"features.known":      {Status: Failed, Detail: "14 is there twice"},
			"names.services":      {Status: Failed, Detail: "a GetEntities is served as /poor/fetch"},
			"names.prefix":        {Status: Differs, Detail: "node /poor serves under /poor, want /"},
			"state.known":         {Status: Passed},
			"state.no-world": {Status: Failed,
				Detail: "asking for NO_WORLD: a code that set_simulation_state does not have (7), want INCORRECT_TRANSITION (103)"},
			"answers.codes":   {Status: Failed, Detail: "set_simulation_state answers 7"},
			"answers.reasons": {Status: Failed, Detail: "without one: set_simulation_state with 7"},
			"state.quit":      {Status: Skipped, Detail: "it ends the simulator; --quit asks for that"},
		} {
			if got := is[id]; got.Status != want.Status || got.Detail != want.Detail {
				t.Errorf("%s %v: %s\nwant %v: %s", id, got.Status, got.Detail, want.Status, want.Detail)
			}
		}
		if told != len(Checks()) || r.Err() == nil {
			t.Errorf("of %d checks %d were told; the error is %v", len(Checks()), told, r.Err())
		}
	})
}

func TestASimulatorWithoutAWorldIsNotTested(t *testing.T) {
	examineOther(t, Options{}, subset(t, 4), func(r *Report, err error) {
		if !errors.Is(err, ErrNotReady) || r != nil ||
			err.Error() != "/poor is in NO_WORLD: nothing can be tested: load a world first" {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestAGentleRunTakesNothing(t *testing.T) {
	examined(t, sim.Paused, attach.Options{}, Options{Gentle: true}, func(d sim.Backend) sim.Backend {
		return liar{d, func(d sim.Backend, ctx context.Context, c sim.Command) (sim.Reply, error) {
			switch c := c.(type) {
			case sim.Reset, sim.LoadWorld, sim.UnloadWorld:
				t.Errorf("the gentle suite does %s", sim.Describe(c))
			case sim.SetState:
				if c.State == sim.Stopped || c.State == sim.Quitting {
					t.Errorf("the gentle suite does %s", sim.Describe(c))
				}
			}
			return d.Do(ctx, c)
		}}
	}, func(r *Report, e *engine.Engine) {
		if e.Snapshot().Time == 0 || r.Count(Passed) < 80 || r.Count(Failed) > 0 {
			t.Errorf("%s at %v", r.summary(), e.Snapshot().Time)
		}
	})
}

func TestOnlySomeChecksCanBeAskedFor(t *testing.T) {
	examined(t, sim.Paused, attach.Options{},
		Options{Only: regexp.MustCompile(`^poses\.`), Model: "model://crate"}, honest,
		func(r *Report, _ *engine.Engine) {
			if len(r.Results) != 4 || r.Count(Passed) != 4 {
				t.Errorf("%s", r.summary())
			}
		})
}

func TestASimulatorThatDiesIsAFaultAndTheEnd(t *testing.T) {
	mortal := func(n *node.Node) {
		serve(t, n, "~/get_simulation_state", simif1.GetSimulationStateService(),
			func(*simif1.GetSimulationStateRequest) *simif1.GetSimulationStateResponse {
				return &simif1.GetSimulationStateResponse{State: simif1.SimulationState{State: 1},
					Result: simif1.Result{Result: 1}}
			})
		var server *node.Server
		line := node.NewLine(simif1.GetEntitiesService(),
			func(ctx context.Context, _ node.Caller,
				q *simif1.GetEntitiesRequest) *simif1.GetEntitiesResponse {
				if q.Filters.Filter == "conform[" { // which is more than it can read
					if err := server.Close(); err != nil {
						t.Error(err)
					}
					<-ctx.Done()
				}
				return &simif1.GetEntitiesResponse{Result: simif1.Result{Result: 1}, Entities: []string{"a"}}
			}, nil)
		var err error
		if server, err = n.Serve(node.ServerConfig{Name: "~/get_entities",
			Lines: []node.Line{line}}); err != nil {
			t.Fatal(err)
		}
	}
	examineOther(t, Options{Only: regexp.MustCompile(`^(filter|state\.known)`)}, mortal,
		func(r *Report, err error) {
			if err != nil {
				t.Fatal(err)
			}
			is := map[string]Status{}
			for _, one := range r.Results {
				is[one.Check.ID] = one.Status
				if one.Check.ID == "filter.tags" && one.Detail != "connection to the simulator lost" {
					t.Errorf("after its end: %s", one.Detail)
				}
			}
			if is["filter.all"] != Passed || is["filter.invalid"] != Failed || is["filter.tags"] != Skipped ||
				len(r.Left) != 1 {
				t.Errorf("%v, %q", is, r.Left)
			}
		})
}
