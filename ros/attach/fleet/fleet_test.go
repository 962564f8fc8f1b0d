package fleet

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros"
	"simdeck/ros/attach"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

const yard = `<sdf version="1.9"><world name="yard"><physics name="p" type="ignored"><max_step_size>0.1</max_step_size></physics>
<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="crate"><pose>0 0 0.2 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>0.4 0.4 0.4</size></box></geometry></collision></link></model></world></sdf>`

// sea is a virtual network with simulators on machines, and a fleet that watches them from one of its own.
type sea struct {
	t       *testing.T
	net     *netsim.Network
	fleet   *Fleet
	stop    map[string]func() // of a simulator by its host: ends it as a user does
	backend map[string]*engine.Engine
}

// atSea runs a test in the time of a synctest bubble.
func atSea(t *testing.T, f func(x *sea)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x := &sea{t: t, net: netsim.New(1), stop: map[string]func(){}, backend: map[string]*engine.Engine{}}
		g, err := attach.Open(attach.Config{Transport: x.net.Host("user"), Node: "_user"})
		if err != nil {
			t.Fatal(err)
		}
		x.fleet = New(g)
		rostest.Run(t, "fleet", func(ctx context.Context) error { return g.Run(ctx, x.fleet.Run) })
		f(x)
	})
}

// launch starts a simulator that plays, on a host of the network.
func (x *sea) launch(host, namespace string) {
	x.t.Helper()
	x.launchOn(x.net.Host(host), host, namespace)
}

// launchOn is launch on a host that is there.
func (x *sea) launchOn(at *netsim.Host, host, namespace string) {
	x.t.Helper()
	e := rostest.Engine(x.t, rostest.Files(map[string]string{"yard.sdf": yard}),
		scene.Resource{URI: "yard.sdf"}, sim.Playing)
	b, err := ros.New(ros.Config{Node: "simdeck", Namespace: namespace, Transport: at}, e)
	if err != nil {
		x.t.Fatal(err)
	}
	endEngine := rostest.Run(x.t, "engine of "+host, e.Run)
	endBridge := rostest.Run(x.t, "bridge of "+host, b.Run)
	x.backend[host], x.stop[host] = e, func() { endBridge(); endEngine() }
}

// rows is the table by what the simulators are called.
func (x *sea) rows() map[string]sim.Member {
	x.t.Helper()
	all := map[string]sim.Member{}
	for _, r := range x.fleet.Members() {
		if _, twice := all[r.Name]; twice {
			x.t.Fatalf("two rows of %s: %+v", r.Name, x.fleet.Members())
		}
		all[r.Name] = r
	}
	return all
}

// machine is a host of several simulators; where is the one of a simulator in the network.
func where(machine, k int) string { return fmt.Sprintf("m%d-%d", machine, k) }
func named(machine, k int) string { return fmt.Sprintf("/m%d/s%d/simdeck", machine, k) }

// onEach is the number of simulators on a machine: fewer where goroutines are dear, under the race detector.
func onEach() int {
	if testing.Short() {
		return 2
	}
	return 5
}

func (x *sea) machine(m int) (hosts []string) {
	for k := range onEach() {
		hosts = append(hosts, where(m, k))
	}
	return hosts
}

// check holds the table against who is lost; keys are the rows' identities, which stay.
func (x *sea) check(when string, keys map[string]string, lost func(name string) bool) {
	x.t.Helper()
	rows := x.rows()
	if len(rows) != 4*onEach() {
		x.t.Errorf("%s: %d rows", when, len(rows))
	}
	for name, r := range rows {
		if r.Lost != lost(name) || r.ID != keys[name] || r.Lost &&
			(r.World != "yard" || time.Since(r.Seen) < lease) || !r.Lost &&
			(r.Fault != "" || time.Since(r.Seen) > 2*time.Second) {
			x.t.Errorf("%s: %s: %+v", when, name, r)
		}
	}
}

// lease is that of a participant, which rtps.Config gives.
const lease = 20 * time.Second

func TestTheTableIsRightWithinTheLeaseWhenAMachineIsCutOffAndASimulatorIsKilled(t *testing.T) {
	atSea(t, func(x *sea) {
		for m := range 4 {
			for k := range onEach() {
				x.launch(where(m, k), fmt.Sprintf("/m%d/s%d", m, k))
			}
		}
		time.Sleep(15 * time.Second)
		rows := x.rows()
		if len(rows) != 4*onEach() {
			t.Fatalf("%d rows, want %d: %v", len(rows), 4*onEach(), rows)
		}
		for name, r := range rows {
			if r.Lost || r.Fault != "" || r.World != "yard" || r.State != sim.Playing || r.Entities != 2 ||
				r.Factor < 0.9 || r.Factor > 1.1 || time.Since(r.Seen) > 2*time.Second || r.Host == "" {
				t.Errorf("%s: %+v", name, r)
			}
		}
		keys := map[string]string{}
		for name, r := range rows {
			keys[name] = r.ID
		}

		// One machine is cut off for a minute, and on another one simulator is killed: cut off for good.
		killed := where(2, 1)
		x.net.Partition(x.machine(1), []string{killed})
		time.Sleep(lease + 2*time.Second)
		check := func(when string, lost func(name string) bool) { t.Helper(); x.check(when, keys, lost) }
		cut := func(name string) bool { return strings.HasPrefix(name, "/m1/") || name == named(2, 1) }
		check("cut off for a lease", cut)
		time.Sleep(time.Minute - lease - 2*time.Second)
		check("cut off for a minute", cut)
		x.net.Partition([]string{killed})
		time.Sleep(10 * time.Second)
		check("back for ten seconds", func(name string) bool { return name == named(2, 1) })

		// One is ended as its user does, which shows at once, and begins anew on its machine: the same row.
		x.stop[where(3, 0)]()
		time.Sleep(2 * time.Second)
		if r := x.rows()[named(3, 0)]; !r.Lost || r.ID != keys[named(3, 0)] {
			t.Errorf("ended: %+v", r)
		} else {
			var address [4]byte
			if n, _ := fmt.Sscanf(r.Host, "%d.%d.%d.%d", &address[0], &address[1], &address[2],
				&address[3]); n != 4 {
				t.Fatalf("host %q", r.Host)
			}
			again := x.net.Host(where(3, 9))
			again.Move(address)
			x.launchOn(again, where(3, 9), "/m3/s0")
		}
		time.Sleep(10 * time.Second)
		check("begun anew", func(name string) bool { return name == named(2, 1) })
	})
}

func TestSeveralArePausedAndResumedAtOnce(t *testing.T) {
	atSea(t, func(x *sea) {
		for k := range 3 {
			x.launch(where(0, k), fmt.Sprintf("/m0/s%d", k))
		}
		time.Sleep(5 * time.Second)
		rows := x.rows()
		some := []string{rows[named(0, 0)].ID, rows[named(0, 2)].ID}
		for range 2 { // the second time they are in that state already
			if err := x.fleet.Do(x.t.Context(), some, sim.SetState{State: sim.Paused}); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(6 * time.Second)
		for k, want := range []sim.State{sim.Paused, sim.Playing, sim.Paused} {
			r := x.rows()[named(0, k)]
			if r.State != want || x.backend[where(0, k)].Snapshot().State != want ||
				(want == sim.Paused) != (r.Factor < 0.01) {
				t.Errorf("%+v, want %v", r, want)
			}
		}
		x.stop[where(0, 0)]()
		time.Sleep(2 * time.Second)
		err := x.fleet.Do(x.t.Context(), some, sim.SetState{State: sim.Playing})
		if err == nil || !strings.Contains(err.Error(), named(0, 0)) ||
			strings.Contains(err.Error(), named(0, 2)) {
			t.Errorf("one of two is lost: %v", err)
		}
		if s := x.backend[where(0, 2)].Snapshot().State; s != sim.Playing {
			t.Errorf("the other is %v", s)
		}
		if _, ok := x.fleet.Simulator(some[0]); ok {
			t.Error("a lost one can be attached to")
		}
		if s, ok := x.fleet.Simulator(some[1]); !ok || s.Node != named(0, 2) {
			t.Errorf("%+v", s)
		}
	})
}

func TestSimulatorsOfOneNameAreRowsOfTheirOwn(t *testing.T) {
	atSea(t, func(x *sea) {
		x.launch("a", "")
		x.launch("b", "")
		time.Sleep(8 * time.Second)
		rows := x.fleet.Members()
		if len(rows) != 2 || rows[0].Host == rows[1].Host || rows[0].Name != rows[1].Name {
			t.Fatalf("%+v", rows)
		}
		if err := x.fleet.Do(x.t.Context(), []string{rows[1].ID},
			sim.SetState{State: sim.Paused}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if rows := x.fleet.Members(); rows[0].State != sim.Playing || rows[1].State != sim.Paused {
			t.Errorf("one was paused: %+v", rows)
		}
	})
}

// TestWhatASimulatorServesLaterIsSeenToo: on a busy machine its services show seconds apart.
func TestWhatASimulatorServesLaterIsSeenToo(t *testing.T) {
	atSea(t, func(x *sea) {
		t := x.t
		n, err := node.New(node.Config{Name: "gz_server", Transport: x.net.Host("late")})
		if err != nil {
			t.Fatal(err)
		}
		offer(t, n, simif2.GetSimulationStateService(),
			&simif2.GetSimulationStateResponse{Result: simif2.Result{Result: simif2.ResultOK},
				State: simif2.SimulationState{State: uint8(sim.Playing)}})
		rostest.Run(t, "late one", n.Run)
		time.Sleep(5 * time.Second)
		if rows := x.fleet.Members(); len(rows) != 1 || rows[0].State != sim.Playing || rows[0].World != "" ||
			rows[0].Entities >= 0 {
			t.Fatalf("at first %+v", rows)
		}
		offer(t, n, simif2.GetCurrentWorldService(),
			&simif2.GetCurrentWorldResponse{Result: simif2.Result{Result: simif2.ResultOK},
				World: simif2.WorldResource{Name: "reef"}})
		time.Sleep(10 * time.Second)
		if rows := x.fleet.Members(); rows[0].World != "reef" {
			t.Errorf("its world is not told: %+v", rows)
		}
	})
}

// offer serves a service of simulation_interfaces that always answers the same.
func offer[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](t *testing.T, n *node.Node, svc msgs.Service[Q, S],
	answer *S) {
	t.Helper()
	line := node.NewLine[Q, S, PQ, PS](svc, func(context.Context, node.Caller, *Q) *S { return answer }, nil)
	words := strings.Split(svc.Name, "/")
	name := strings.ToLower(regexp.MustCompile(`\B[A-Z]`).ReplaceAllString(words[len(words)-1], "_$0"))
	if _, err := n.Serve(node.ServerConfig{Name: "/gz_server/" + name,
		Lines: []node.Line{line}}); err != nil {
		t.Fatal(err)
	}
}

// TestDiscoveryGrowsLinearlyForEachSimulator prints the traffic of discovery while a fleet comes together,
// and at rest: per simulator in proportion to the others, no storm.
func TestDiscoveryGrowsLinearlyForEachSimulator(t *testing.T) {
	// bytes of one simulator for each other participant: coming together, and in a second at rest
	share := map[int][2]float64{}
	sizes := []int{2, 10, 40}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, n := range sizes {
		atSea(t, func(x *sea) {
			var bytes, packets atomic.Int64
			x.net.SetFilter(func(_, _ string, b []byte) bool {
				bytes.Add(int64(len(b)))
				packets.Add(1)
				return true
			})
			for k := range n {
				x.launch(where(k%4, k/4), fmt.Sprintf("/s%d", k))
			}
			for _, e := range x.backend { // its traffic is no discovery
				do(x.t, e, sim.SetState{State: sim.Paused})
			}
			time.Sleep(20 * time.Second)
			if rows := x.fleet.Members(); len(rows) != n {
				x.t.Fatalf("%d rows of %d", len(rows), n)
			}
			pairs := float64(n * n) // n simulators, each with the n-1 others and the one who looks
			come := float64(bytes.Load())
			bytes.Store(0)
			time.Sleep(time.Minute)
			rest := float64(bytes.Load()) / 60
			share[n] = [2]float64{come / pairs, rest / pairs}
			x.t.Logf("%2d simulators: %8.0f kB to come together, %6.1f kB for each and other; at rest %7.1f kB/s, %5.0f B/s for each and other",
				n, come/1e3, come/pairs/1e3, rest/1e3, rest/pairs)
		})
	}
	for _, n := range sizes[1:] {
		for i, what := range []string{"to come together", "at rest"} {
			if got, least := share[n][i], share[sizes[0]][i]; got > 1.5*least {
				t.Errorf("%s each of %d simulators takes %.0f bytes for each other, and each of %d %.0f: that is more than linear",
					what, n, got, sizes[0], least)
			}
		}
	}
}

func do(t *testing.T, e *engine.Engine, c sim.Command) {
	t.Helper()
	if _, err := e.Do(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}
