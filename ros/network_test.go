package ros

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/logtest"
)

// neighbours starts two worlds, /left and /right, on one participant.
func (d *domain) neighbours() {
	d.t.Helper()
	shared, err := NewNetwork(Config{Transport: d.net.Host("both")})
	if err != nil {
		d.t.Fatal(err)
	}
	stopNetwork := rostest.Run(d.t, "network", shared.Run)
	d.stop["network"] = stopNetwork
	for _, name := range []string{"left", "right"} {
		e, log := newEngine(d.t), &logtest.Journal{}
		b, err := New(Config{Shared: shared, Namespace: name, Log: log.Log()}, e)
		if err != nil {
			d.t.Fatal(err)
		}
		engine, bridge := rostest.Run(d.t, "engine of "+name, e.Run),
			rostest.Run(d.t, "bridge of "+name, b.Run)
		d.engines[name], d.logs[name], d.stop[name] = e, log, func() { bridge(); engine() }
	}
}

// clocks counts what is heard on /left/clock and /right/clock, and when it was last.
type clocks struct {
	mu sync.Mutex
	at map[string]time.Duration
}

func (d *domain) clocks() *clocks {
	d.t.Helper()
	c := &clocks{at: map[string]time.Duration{}}
	for _, side := range []string{"left", "right"} {
		_, err := node.NewSubscription(d.client, "/"+side+"/clock", node.DefaultQoS(),
			func(_ context.Context, m *rosgraphmsgs.Clock, _ node.Origin) {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.at[side] = node.SimDuration(m.Clock)
			})
		if err != nil {
			d.t.Fatal(err)
		}
	}
	return c
}

func (c *clocks) read() (left, right time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at["left"], c.at["right"]
}

// set asks a world for a state, as any client does.
func (d *domain) set(side string, state uint8) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := node.NewClient(d.client, "/"+side+"/set_simulation_state", simif2.SetSimulationStateService())
	if err != nil {
		d.t.Fatal(err)
	}
	if err := c.WaitReady(ctx); err != nil {
		d.t.Fatal(err)
	}
	r, err := c.Call(ctx, &simif2.SetSimulationStateRequest{State: simif2.SimulationState{State: state}})
	if err != nil || r.Result.Result != simif2.ResultOK {
		d.t.Fatalf("%s answers %+v, %v", side, r, err)
	}
}

func TestTwoWorldsOfOneParticipantHaveEachTheirClockAndTheirState(t *testing.T) {
	inADomain(t, func(d *domain) {
		d.neighbours()
		clocks := d.clocks()
		d.set("left", simif2.SimulationStatePlaying)
		d.set("right", simif2.SimulationStatePlaying)
		time.Sleep(3 * time.Second)
		d.set("left", simif2.SimulationStatePaused)
		time.Sleep(time.Second)
		left, right := clocks.read()
		if left < time.Second || right < time.Second {
			t.Fatalf("the clocks are at %v and %v", left, right)
		}
		time.Sleep(5 * time.Second)
		if l, r := clocks.read(); l != left || r < right+4*time.Second {
			t.Errorf("while the left one is paused the clocks go from %v and %v to %v and %v", left, right, l,
				r)
		}
		if l, r := d.engines["left"].Snapshot().State, d.engines["right"].Snapshot().State; l != sim.Paused ||
			r != sim.Playing {
			t.Errorf("they are %v and %v", l, r)
		}
		for side, log := range d.logs {
			if log.Count("level=WARN") > 0 {
				t.Errorf("%s warns: %s", side, log)
			}
		}
	})
}

func TestEverythingOfAWorldAmongOthersStandsInItsNamespace(t *testing.T) {
	inADomain(t, func(d *domain) {
		d.neighbours()
		time.Sleep(3 * time.Second)
		g := d.client.Graph()
		if peers, _ := d.client.Peers(); peers != 1 ||
			!slices.Equal(g.Nodes, []string{"/client", "/left/simdeck", "/right/simdeck"}) {
			t.Errorf("%d participants with %v", peers, g.Nodes)
		}
		count := map[string]int{}
		for _, n := range append(g.Topics, g.Services...) {
			_, rest, _ := strings.Cut(n.Name, "/")
			side, _, _ := strings.Cut(rest, "/")
			count[side]++
			if side != "left" && side != "right" && side != "client" && n.Name != "/rosout" &&
				n.Name != "/parameter_events" {
				t.Errorf("%s stands in no namespace", n.Name)
			}
		}
		if count["left"] < 20 || count["left"] != count["right"] {
			t.Errorf("the worlds have %d and %d names", count["left"], count["right"])
		}
		for _, s := range d.client.Servers() {
			if side := strings.Split(s.Name, "/")[1]; s.Node != "/"+side+"/simdeck" {
				t.Errorf("%s is said to be of %q", s.Name, s.Node)
			}
		}
	})
}

func TestAWorldThatQuitsLeavesTheOthersOnTheGraph(t *testing.T) {
	inADomain(t, func(d *domain) {
		d.neighbours()
		clocks := d.clocks()
		d.set("right", simif2.SimulationStatePlaying)
		d.set("left", simif2.SimulationStateQuitting)
		time.Sleep(2 * time.Second)
		if nodes := d.client.Graph().Nodes; !slices.Equal(nodes, []string{"/client", "/right/simdeck"}) {
			t.Errorf("the graph has %v", nodes)
		}
		_, before := clocks.read()
		time.Sleep(2 * time.Second)
		if _, after := clocks.read(); after < before+time.Second {
			t.Errorf("the other's clock goes from %v to %v", before, after)
		}
		d.set("right", simif2.SimulationStatePaused)
	})
}
