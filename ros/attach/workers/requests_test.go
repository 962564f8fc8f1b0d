package workers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim/logtest"
)

// desk is a network on which simulations are asked for.
type desk struct {
	rostest.Stage
	journal logtest.Journal
	mu      sync.Mutex
	told    []string // the last list
}

func onDesk(t *testing.T, f func(d *desk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &desk{Stage: rostest.Stage{T: t, Net: netsim.New(1)}}
		d.Client = d.node("simdeck_workers")
		r, err := NewRequests(d.Client, "/simulations", d.journal.Log())
		if err != nil {
			t.Fatal(err)
		}
		rostest.Run(t, "node", d.Client.Run)
		rostest.Run(t, "requests", func(ctx context.Context) error {
			r.Run(ctx, func(all []Request) {
				d.mu.Lock()
				defer d.mu.Unlock()
				d.told = nil
				for _, one := range all {
					d.told = append(d.told, one.Namespace+" "+one.Object)
				}
			})
			return nil
		})
		f(d)
	})
}

func (d *desk) node(name string) *node.Node {
	d.T.Helper()
	n, err := node.New(node.Config{Name: name, Transport: d.Net.Host(name)})
	if err != nil {
		d.T.Fatal(err)
	}
	return n
}

// somebody is a publisher of requests; leave ends it.
func (d *desk) somebody(name string) (ask func(ns, object string), leave func()) {
	q := node.LatchedQoS()
	q.Depth = 2 * mostAsked
	return d.publisher(name, q)
}

func (d *desk) publisher(name string, q node.QoS) (ask func(ns, object string), leave func()) {
	d.T.Helper()
	n := d.node(name)
	p, err := node.NewPublisher[l2msgs.Simulation](n, "/simulations", q)
	if err != nil {
		d.T.Fatal(err)
	}
	leave = rostest.Run(d.T, name, n.Run)
	return func(ns, object string) {
		if err := p.Publish(&l2msgs.Simulation{Ns: ns, Object: l2msgs.Object3D{Name: object}}); err != nil {
			d.T.Error(err)
		}
	}, leave
}

// want waits until so much is asked for, by namespace.
func (d *desk) want(all ...string) {
	d.T.Helper()
	d.Until(fmt.Sprintf("requests %q", strings.Join(all, ", ")), func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return slices.Equal(d.told, all)
	})
}

// TestAPublisherWithTheDefaultQoSIsHeard: volatile, as rclpy's create_publisher(type, topic, 10) has it; and one
// that latches, whose samples come by two readers, is heard once.
func TestAPublisherWithTheDefaultQoSIsHeard(t *testing.T) {
	onDesk(t, func(d *desk) {
		ask, leave := d.publisher("plain", node.DefaultQoS())
		latch, _ := d.somebody("latching")
		time.Sleep(time.Second) // a volatile publisher is heard by those who are there
		ask("/a", "hall")
		d.want("/a hall")
		latch("/b", "hall")
		d.want("/a hall", "/b hall")
		latch("/b", "")
		d.want("/a hall")
		leave()
		d.want()
	})
}

func TestASimulationIsAskedForUntilItsPublisherWithdrawsThatOrIsGone(t *testing.T) {
	onDesk(t, func(d *desk) {
		ask, leave := d.somebody("anna")
		ask("/a", "hall")
		d.want("/a hall")
		ask("/b", "yard")
		d.want("/a hall", "/b yard")
		ask("/a", "attic")
		d.want("/a attic", "/b yard")
		ask("/b", "")
		d.want("/a attic")
		other, _ := d.somebody("bert")
		other("/a", "cellar")
		other("/c", "roof")
		d.want("/a attic", "/c roof") // the first publisher keeps /a
		leave()
		d.want("/a cellar", "/c roof")
	})
}

func TestOnePublisherAsksForALimitedNumberOfSimulations(t *testing.T) {
	onDesk(t, func(d *desk) {
		ask, _ := d.somebody("flood")
		d.Until("the subscription", func() bool { return len(d.Client.Publishers("/simulations")) == 1 })
		for i := range mostAsked + 50 {
			ask(fmt.Sprintf("/n%03d", i), "hall")
			time.Sleep(20 * time.Millisecond)
		}
		d.Until("all that may be", func() bool {
			d.mu.Lock()
			defer d.mu.Unlock()
			return len(d.told) == mostAsked
		})
		time.Sleep(10 * time.Second)
		d.mu.Lock()
		defer d.mu.Unlock()
		if len(d.told) != mostAsked {
			t.Errorf("%d simulations, want %d", len(d.told), mostAsked)
		}
	})
}
