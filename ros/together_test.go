package ros

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/logtest"
)

// domain is several simulators and a client in one domain.
type domain struct {
	t       *testing.T
	net     *netsim.Network
	client  *node.Node
	engines map[string]*engine.Engine
	logs    map[string]*logtest.Journal
	stop    map[string]func()
}

// inADomain runs a test in a bubble.
func inADomain(t *testing.T, f func(d *domain)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &domain{t: t, net: netsim.New(1), engines: map[string]*engine.Engine{},
			logs: map[string]*logtest.Journal{}, stop: map[string]func(){}}
		var err error
		if d.client, err = node.New(node.Config{Name: "client",
			Transport: d.net.Host("client")}); err != nil {
			t.Fatal(err)
		}
		rostest.Run(t, "client", d.client.Run)
		f(d)
	})
}

// simulator starts a simulator on a host of that name.
func (d *domain) simulator(host string, c Config) *Bridge {
	d.t.Helper()
	e, log := newEngine(d.t), &logtest.Journal{}
	c.Transport, c.Log = d.net.Host(host), log.Log()
	b, err := New(c, e)
	if err != nil {
		d.t.Fatal(err)
	}
	engine, bridge := rostest.Run(d.t, "engine of "+host, e.Run), rostest.Run(d.t, "bridge of "+host, b.Run)
	d.engines[host], d.logs[host] = e, log
	d.stop[host] = func() { bridge(); engine() }
	return b
}

func TestTwoSimulatorsInOneDomainAreToldApartByTheirNamespaces(t *testing.T) {
	inADomain(t, func(d *domain) {
		d.simulator("left", Config{Namespace: "/left"})
		d.simulator("right", Config{Args: []string{"-r", "__ns:=/right", "-r", "/clock:=/right/clock"}})
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		ask := func(side string) *simif2.StepSimulationResponse {
			c, err := node.NewClient(d.client, "/"+side+"/step_simulation", simif2.StepSimulationService())
			if err != nil {
				t.Fatal(err)
			}
			r, err := c.Call(ctx, &simif2.StepSimulationRequest{Steps: 5})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		for i, side := range []string{"left", "right"} {
			if r := ask(side); r.Result.Result != simif2.ResultOK {
				t.Errorf("%s answers %+v", side, r)
			}
			if l, r := d.engines["left"].Snapshot().Step, d.engines["right"].Snapshot().Step; l != 5 ||
				r != uint64(5*i) {
				t.Errorf("after a step of %s they are at %d and %d", side, l, r)
			}
		}
		time.Sleep(5 * time.Second)
		if nodes := d.client.Graph().Nodes; !slices.Equal(nodes,
			[]string{"/client", "/left/simdeck", "/right/simdeck"}) {
			t.Errorf("the graph has %q", nodes)
		}
		for side, log := range d.logs {
			if log.Count("level=WARN") > 0 {
				t.Errorf("%s warns though nothing clashes: %s", side, log)
			}
		}
		d.stop["left"]()
		time.Sleep(time.Second)
		if r := ask("right"); r.Result.Result != simif2.ResultOK {
			t.Errorf("after the other has left it answers %+v", r)
		}
	})
}

// A simulator that comes later takes the next name that is free, with its services; the first one is not disturbed.
func TestASimulatorWhoseNameIsTakenHasTheNextOne(t *testing.T) {
	inADomain(t, func(d *domain) {
		d.simulator("one", Config{})
		time.Sleep(time.Second)
		two := d.simulator("two", Config{Args: []string{"-p", "simdeck:clock_rate:=7"}})
		d.simulator("three", Config{Namespace: "/simdeck"})
		time.Sleep(time.Second)
		four := d.simulator("four", Config{})
		time.Sleep(5 * time.Second)
		if nodes := d.client.Graph().Nodes; !slices.Equal(nodes,
			[]string{"/client", "/simdeck", "/simdeck/simdeck", "/simdeck_2", "/simdeck_3"}) {
			t.Errorf("the graph has %q", nodes)
		}
		if s := two.Status(); s.Name != "/simdeck_2" || s.Note == "" || four.Status().Name != "/simdeck_3" {
			t.Errorf("the second is %+v, the fourth %+v", s, four.Status())
		}
		for host, n := range map[string]int{"one": 0, "two": 1, "three": 0, "four": 1} {
			if d.logs[host].Count("is taken") != n {
				t.Errorf("%s logs %s", host, d.logs[host])
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		c, err := node.NewClient(d.client, "/simdeck_2/get_parameters", rclinterfaces.GetParametersService())
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Call(ctx, &rclinterfaces.GetParametersRequest{Names: []string{"clock_rate"}})
		if err != nil || r.Values[0].DoubleValue != 7 {
			t.Errorf("its parameters: %+v, %v", r, err)
		}
		d.stop["one"]()
		time.Sleep(time.Second)
		five := d.simulator("five", Config{})
		time.Sleep(time.Second)
		if name := five.Status().Name; name != "/simdeck" {
			t.Errorf("after the first has left, the next is %s", name)
		}
	})
}

func TestSimulatorsOfOneMomentHaveNamesOfTheirOwn(t *testing.T) {
	inADomain(t, func(d *domain) {
		for i := range 5 {
			d.simulator(strconv.Itoa(i), Config{})
		}
		time.Sleep(3 * time.Second)
		if nodes := d.client.Graph().Nodes; !slices.Equal(nodes,
			[]string{"/client", "/simdeck", "/simdeck_2", "/simdeck_3", "/simdeck_4", "/simdeck_5"}) {
			t.Errorf("the graph has %q", nodes)
		}
	})
}

func TestSimulatorsThatClashSayWhatHelps(t *testing.T) {
	inADomain(t, func(d *domain) {
		d.simulator("one", Config{Args: []string{"-r", "__node:=deck"}})
		d.simulator("two", Config{Args: []string{"-r", "__node:=deck"}})
		time.Sleep(5 * time.Second)
		for host, log := range d.logs {
			if log.Count("__node:=NAME") != 1 || log.Count("publish_clock:=false") != 1 {
				t.Errorf("%s says %q, want each clash once", host, log)
			}
		}
		found := map[string]bool{}
		for _, s := range d.client.Servers() {
			found[s.Name] = true
			if s.Name == "/get_simulation_state" && s.Node != "/deck" {
				t.Errorf("a server is of the node %q", s.Node)
			}
		}
		if !found["/get_simulation_state"] {
			t.Error("no server is seen: the test proves nothing")
		}
	})
}

func TestOneOfTwoSimulatorsCanLeaveTheClockToTheOther(t *testing.T) {
	inADomain(t, func(d *domain) {
		d.simulator("one", Config{})
		d.simulator("two", Config{Node: "other",
			Args: []string{"-r", "__ns:=/two", "-p", "publish_clock:=false"}})
		var mu sync.Mutex
		from := map[string]int{}
		_, err := node.NewSubscription(d.client, "/clock", node.DefaultQoS(),
			func(_ context.Context, _ *rosgraphmsgs.Clock, o node.Origin) {
				mu.Lock()
				defer mu.Unlock()
				from[o.Publisher]++
			})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		for host := range d.engines {
			if _, err := d.engines[host].Do(context.Background(), sim.StepWorld{N: 100}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		mu.Lock()
		defer mu.Unlock()
		if len(from) != 1 {
			t.Errorf("the time comes from %d simulators", len(from))
		}
		for host, log := range d.logs {
			if log.Count("level=WARN") > 0 {
				t.Errorf("%s warns: %s", host, log)
			}
		}
	})
}

func TestWhatTheSimulationBeganWithIsShown(t *testing.T) {
	inADomain(t, func(d *domain) {
		b := d.simulator("sim", Config{Seed: 42, Args: []string{"-p", "start_state:=playing"}})
		time.Sleep(3 * time.Second)
		if s := d.engines["sim"].Snapshot().State; s != sim.Playing {
			t.Errorf("the simulation is %s", s)
		}
		p := b.node.Parameters()
		if v, _ := p.Get("seed"); v.IntegerValue != 42 {
			t.Errorf("the seed is %s", node.Text(v))
		}
		if v, _ := p.Get("start_state"); v.StringValue != "playing" {
			t.Errorf("the start state is %s", node.Text(v))
		}
		for name, v := range map[string]node.Value{"seed": node.IntegerValue(1),
			"start_state": node.StringValue("paused"), "step_size": node.DoubleValue(1)} {
			if err := p.Set(context.Background(), rclinterfaces.Parameter{Name: name, Value: v}); err == nil {
				t.Errorf("%s can be set", name)
			}
		}
	})
}
