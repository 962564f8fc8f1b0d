package ros

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/transport"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

func newEngine(t *testing.T) *engine.Engine {
	t.Helper()
	return rostest.Engine(t, nil, scene.Resource{Document: `<sdf version="1.9"><world name="w">
<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
</world></sdf>`}, sim.Paused)
}

// run starts something; the channel gives how it ended.
func run(ctx context.Context, f func(context.Context) error) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- f(ctx) }()
	return ended
}

func TestQuittingOverROSIsAnsweredThenTheNodeLeavesAndTheBridgeEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		net, e := netsim.New(1), newEngine(t)
		b, err := New(Config{Transport: net.Host("sim"), Namespace: "north",
			Args: []string{"-p", "real_time_factor:=2"}}, e)
		if err != nil {
			t.Fatal(err)
		}
		client, err := node.New(node.Config{Name: "client", Transport: net.Host("client")})
		if err != nil {
			t.Fatal(err)
		}
		engineEnds, bridgeEnds, clientEnds := run(ctx, e.Run), run(ctx, b.Run), run(ctx, client.Run)

		set, err1 := node.NewClient(client, "/north/set_simulation_state", simif2.SetSimulationStateService())
		get, err2 := node.NewClient(client, "/north/simdeck/get_parameters",
			rclinterfaces.GetParametersService())
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if err := get.WaitReady(ctx); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		p, err := get.Call(ctx, &rclinterfaces.GetParametersRequest{Names: []string{"real_time_factor",
			"step_size"}})
		if err != nil || p.Values[0].DoubleValue != 2 || p.Values[1].DoubleValue != 0.004 {
			t.Errorf("the parameters are %+v, %v: want the factor of the command line and the step of the engine",
				p, err)
		}
		if s := b.Status(); s.Name != "/north/simdeck" || s.Peers != 1 || s.Nodes != 1 || s.Services != 32 ||
			s.Publishers < 5 || s.Fault != "" {
			t.Errorf("the status is %+v", s)
		}
		quitting := simif2.SimulationState{State: simif2.SimulationStateQuitting}
		r, err := set.Call(ctx, &simif2.SetSimulationStateRequest{State: quitting})
		if err != nil || r.Result.Result != simif2.ResultOK {
			t.Errorf("quitting is answered with %+v, %v", r, err)
		}
		for what, ended := range map[string]<-chan error{"engine": engineEnds, "bridge": bridgeEnds} {
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("the %s ends with %v", what, err)
				}
			case <-time.After(5 * time.Second):
				t.Errorf("the %s goes on", what)
			}
		}
		time.Sleep(100 * time.Millisecond)
		if nodes := client.Graph().Nodes; !slices.Equal(nodes, []string{"/client"}) {
			t.Errorf("after the end the graph has %q", nodes)
		}
		cancel()
		if err := <-clientEnds; err != nil {
			t.Error(err)
		}
	})
}

func TestAFactorThatIsSetOverROSIsTheEngines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		net, e := netsim.New(1), newEngine(t)
		b, err := New(Config{Transport: net.Host("sim")}, e)
		if err != nil {
			t.Fatal(err)
		}
		engineEnds, bridgeEnds := run(ctx, e.Run), run(ctx, b.Run)
		time.Sleep(time.Second)
		p := b.node.Parameters()
		set := func(v float64) error {
			return p.Set(ctx, rclinterfaces.Parameter{Name: "real_time_factor", Value: node.DoubleValue(v)})
		}
		if err := set(0.5); err != nil || e.Snapshot().Pacing.Asked != 0.5 {
			t.Errorf("the engine is asked for %g, %v", e.Snapshot().Pacing.Asked, err)
		}
		if err := set(-1); !errors.Is(err, node.ErrParameter) {
			t.Errorf("a factor of -1 gives %v", err)
		}
		if _, err := e.Do(ctx, sim.SetPacing{RealTime: 3}); err != nil {
			t.Fatal(err)
		}
		if v, _ := p.Get("real_time_factor"); v.DoubleValue != 3 {
			t.Errorf("after another set it to 3 the parameter is %g", v.DoubleValue)
		}
		cancel()
		if err := errors.Join(<-engineEnds, <-bridgeEnds); err != nil {
			t.Error(err)
		}
	})
}

func TestABridgeThatCannotBeSaysWhy(t *testing.T) {
	net, e := netsim.New(1), newEngine(t)
	for _, c := range []struct {
		name   string
		config Config
		want   error
		says   string
	}{
		{"name", Config{Transport: net.Host("a"), Node: "sim deck"}, node.ErrName, "sim deck"},
		{"namespace", Config{Transport: net.Host("b"), Namespace: "/a//b"}, node.ErrName, "/a//b"},
		{"argument", Config{Transport: net.Host("c"), Args: []string{"--ros-args", "-r", "x"}}, node.ErrArgs,
			"NAME:=VALUE"},
		{"a value of what only shows",
			Config{Transport: net.Host("e"), Args: []string{"-p", "step_size:=0.1"}}, node.ErrParameter,
			"0.004"},
		{"a value beyond its range", Config{Transport: net.Host("f"),
			Args: []string{"-p", "real_time_factor:=-3"}}, node.ErrParameter, "-3"},
		{"a state that is none", Config{Transport: net.Host("g"),
			Args: []string{"-p", "start_state:=quitting"}}, node.ErrParameter, "quitting"},
		{"a seed from ROS", Config{Transport: net.Host("h"), Args: []string{"-p", "seed:=7"}},
			node.ErrParameter, "seed"},
		{"no such parameter file", Config{Transport: net.Host("i"),
			Args: []string{"--params-file", "/does/not/exist.yaml"}}, node.ErrArgs, "exist.yaml"},
		{"remapped to nonsense", Config{Transport: net.Host("d"), Args: []string{"-r", "__ns:=/1"}},
			node.ErrName, "/1"},
		{"no such interface", Config{Network: transport.Config{Interfaces: []string{"nosuch0"}}}, nil,
			"nosuch0"},
	} {
		_, err := New(c.config, e)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v that mentions %q", c.name, err, c.want, c.says)
		}
	}
}
