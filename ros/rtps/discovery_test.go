package rtps_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
)

func TestTwentyParticipantsFindEachOtherAtThirtyPercentLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond, Jitter: 2 * time.Millisecond, Loss: 0.3})
		defer w.end()
		var writers []*rtps.Writer
		var readers []*rtps.Reader
		for i := range 20 {
			p := w.join(fmt.Sprintf("p%02d", i))
			writers = append(writers, w.writer(p, reliable))
			readers = append(readers, w.reader(p, reliable))
		}
		took := w.until(20*time.Second, "everybody matched", func() bool {
			for i := range writers {
				if !ready(writers[i], 20)() || !ready(readers[i], 20)() {
					return false
				}
			}
			return true
		})
		for _, p := range w.all {
			g := p.Graph()
			if len(g.Participants) != 19 || len(g.Writers) != 19 || len(g.Readers) != 19 {
				t.Fatalf("%v sees %d participants, %d writers, %d readers; want 19 of each", p.GUID(),
					len(g.Participants), len(g.Writers), len(g.Readers))
			}
			if n := p.Stats().Announcements; n > 2000 {
				t.Errorf("%d announcements: answers must not feed on each other", n)
			}
		}
		if took > 6*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestDiscoveryIsQuickOnAGoodNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: 200 * time.Microsecond})
		defer w.end()
		x := w.writer(w.join("a"), reliable)
		time.Sleep(10 * time.Second) // the first announcements are long over
		r := w.reader(w.join("b"), reliable)
		if took := w.until(time.Second, "matched",
			func() bool { return ready(x, 1)() && ready(r, 1)() }); took > 50*time.Millisecond {
			t.Errorf("it took %v", took)
		}
	})
}

func TestAParticipantThatLeavesIsForgottenAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		a, b := w.join("a"), w.join("b")
		x, _ := w.writer(a, reliable), w.reader(b, reliable)
		w.until(time.Second, "matched", ready(x, 1))
		w.leave(1)
		time.Sleep(5 * time.Millisecond)
		if g := a.Graph(); len(g.Participants)+len(g.Readers)+len(x.Matches()) != 0 {
			t.Errorf("still there: %+v, matches %v", g, x.Matches())
		}
	})
}

func TestAParticipantThatFallsSilentIsForgottenAfterItsLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{})
		defer w.end()
		a := w.join("a")
		w.join("b", func(c *rtps.Config) { c.Lease = 5 * time.Second })
		w.until(time.Second, "found", func() bool { return len(a.Graph().Participants) == 1 })
		w.Partition([]string{"a"}, []string{"b"})
		time.Sleep(1900 * time.Millisecond)
		if len(a.Graph().Participants) != 1 {
			t.Error("forgotten within its lease")
		}
		time.Sleep(3200 * time.Millisecond)
		if len(a.Graph().Participants) != 0 || a.Stats().Expired != 1 {
			t.Errorf("still there after its lease; %d expired", a.Stats().Expired)
		}
		told := a.Notices()
		if len(told) != 1 || told[0].Gone != "nothing came from it for 5s" || told[0].Participant.IsZero() {
			t.Errorf("told: %+v", told)
		}
	})
}

func TestAPartitionOfAMinuteHeals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond, Jitter: time.Millisecond, Loss: 0.05})
		defer w.end()
		a, b := w.join("a"), w.join("b")
		x, r := w.writer(a, latched), w.reader(b, latched)
		w.until(time.Second, "matched", ready(r, 1))
		w.write(x, 1)
		w.until(time.Second, "delivered", func() bool { return r.Stats().Received == 1 })
		w.Partition([]string{"a"}, []string{"b"})
		w.write(x, 2, 3)
		time.Sleep(time.Minute)
		if len(a.Graph().Participants)+len(b.Graph().Participants) != 0 {
			t.Error("still believed to be there")
		}
		w.write(x, 4)
		w.Heal()
		// a reader that comes back is a new one for the writer: it gets what is kept
		w.until(10*time.Second, "delivered", func() bool { return r.Stats().Received >= 5 })
		time.Sleep(time.Second)
		w.expect(r, 1, 1, 2, 3, 4)
	})
}

func TestEndpointsComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		a, b := w.join("a"), w.join("b")
		watch := b.Watch()
		defer watch.Close()
		time.Sleep(time.Second)
		<-watch.C()
		x := w.writer(a, reliable)
		time.Sleep(10 * time.Millisecond)
		select {
		case <-watch.C():
		default:
			t.Error("no token for a new writer")
		}
		g := b.Graph()
		if len(g.Writers) != 1 || g.Writers[0].GUID != x.GUID() || g.Writers[0].Topic != topic ||
			g.Writers[0].Type != strMsg ||
			g.Writers[0].QoS.Reliability != rtps.Reliable ||
			g.Writers[0].Property("typehash") != "RIHS01_00" {
			t.Errorf("got %+v", g.Writers)
		}
		if e, ok := b.Endpoint(x.GUID()); !ok || e.Topic != topic {
			t.Errorf("endpoint: %+v %v", e, ok)
		}
		if b.Graph() != g {
			t.Error("the graph is made anew without a change")
		}
		x.Close()
		x.Close()
		time.Sleep(10 * time.Millisecond)
		if g := b.Graph(); len(g.Writers) != 0 {
			t.Errorf("a closed writer is still there: %+v", g.Writers)
		}
		if _, err := x.Write(number(1), rtps.WriteOptions{}); err != rtps.ErrClosed {
			t.Errorf("writing on: %v", err)
		}
	})
}

func TestIncompatibleQualitiesAreToldToBothSides(t *testing.T) {
	for _, c := range []struct {
		policy        string
		offer, wanted rtps.QoS
	}{
		{"reliability", best, reliable},
		{"durability", reliable, latched},
		{"deadline", rtps.QoS{Deadline: time.Second}, rtps.QoS{Deadline: 100 * time.Millisecond}},
		{"deadline", rtps.QoS{}, rtps.QoS{Deadline: 100 * time.Millisecond}},
		{"liveliness", rtps.QoS{}, rtps.QoS{Liveliness: rtps.ManualByTopic}},
		{"liveliness", rtps.QoS{}, rtps.QoS{LivelinessLease: time.Second}},
		{"ownership", rtps.QoS{OwnershipExclusive: true}, rtps.QoS{}},
		{"partition", rtps.QoS{Partitions: []string{"p"}}, rtps.QoS{}},
		{"", rtps.QoS{Partitions: []string{"robot1"}}, rtps.QoS{Partitions: []string{"robot*"}}},
		{"", latched, best},
		{"", rtps.QoS{Deadline: time.Second}, rtps.QoS{}},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, netsim.Faults{})
			defer w.end()
			a, b := w.join("a"), w.join("b")
			x, r := w.writer(a, c.offer), w.reader(b, c.wanted)
			time.Sleep(time.Second)
			matched := 0
			if c.policy == "" {
				matched = 1
			}
			if n := len(x.Matches()); n != matched || len(r.Matches()) != matched {
				t.Errorf("%q: %d and %d matches, want %d", c.policy, n, len(r.Matches()), matched)
			}
			if xs, rs := x.Stats().LastIncompatible, r.Stats().LastIncompatible; xs.Policy != c.policy ||
				rs.Policy != c.policy {
				t.Errorf("policies %q and %q, want %q", xs.Policy, rs.Policy, c.policy)
			}
		})
	}
}

func TestOtherTopicsAndTypesDoNotMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{})
		defer w.end()
		a, b := w.join("a"), w.join("b")
		x := w.writer(a, reliable)
		for _, c := range []rtps.ReaderConfig{{Topic: "rt/other", Type: strMsg},
			{Topic: topic, Type: "other"}} {
			if _, err := b.NewReader(c); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		if m := x.Matches(); len(m) != 0 {
			t.Errorf("matches %v", m)
		}
	})
}

func TestDomainsDoNotMix(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{})
		defer w.end()
		a := w.join("a")
		w.join("b", func(c *rtps.Config) { c.DomainID = 1 })
		time.Sleep(5 * time.Second)
		if g := a.Graph(); len(g.Participants) != 0 {
			t.Errorf("%+v", g.Participants)
		}
	})
}

func TestLimitsHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{})
		defer w.end()
		a := w.join("a", func(c *rtps.Config) { c.Limits.Participants, c.Limits.Endpoints = 2, 1 })
		for _, name := range []string{"b", "c", "d"} {
			p := w.join(name)
			w.writer(p, reliable)
			w.writer(p, best)
		}
		time.Sleep(5 * time.Second)
		if g := a.Graph(); len(g.Participants) != 2 || len(g.Writers) != 2 || a.Stats().Refused == 0 {
			t.Errorf("%d participants, %d writers, %d refused", len(g.Participants), len(g.Writers),
				a.Stats().Refused)
		}
	})
}
