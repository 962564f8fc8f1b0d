package node

import (
	"context"
	"slices"
	"testing"
	"time"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

func named(list []Named, name string) (Named, bool) {
	for _, n := range list {
		if n.Name == name {
			return n, true
		}
	}
	return Named{}, false
}

func TestNodesSeeEachOtherAndWhatTheyHave(t *testing.T) {
	onBench(t, func(b *bench) {
		a, c := b.node("a", "-r", "__ns:=/north"), b.node("c")
		if _, err := NewPublisher[stdmsgs.String](a, "chatter", DefaultQoS()); err != nil {
			t.Fatal(err)
		}
		line := NewLine(stdsrvs.SetBoolService(), echo, nil)
		if _, err := a.Serve(ServerConfig{Name: "flag", Lines: []Line{line}}); err != nil {
			t.Fatal(err)
		}
		stop := b.start(a)
		b.start(c)
		b.until("a's node", func() bool { return slices.Equal(c.Graph().Nodes, []string{"/c", "/north/a"}) })
		g := c.Graph()
		if topic, ok := named(g.Topics, "/north/chatter"); !ok ||
			!slices.Equal(topic.Types, []string{"std_msgs/msg/String"}) || topic.Publishers != 1 {
			t.Errorf("the topic is %+v, %v", topic, ok)
		}
		if s, ok := named(g.Services, "/north/flag"); !ok ||
			!slices.Equal(s.Types, []string{"std_srvs/srv/SetBool"}) || s.Publishers != 1 ||
			s.Subscribers != 0 {
			t.Errorf("the service is %+v, %v", s, ok)
		}
		if topic, _ := named(g.Topics, "/rosout"); topic.Publishers != 2 {
			t.Errorf("/rosout is %+v, want two publishers", topic)
		}
		if _, ok := named(g.Topics, "ros_discovery_info"); ok {
			t.Error("the graph shows the plumbing")
		}
		peers, nodes := c.Peers()
		pubs, subs, services := a.Own()
		if peers != 1 || nodes != 1 || pubs != 3 || subs != 0 || services != 8 {
			t.Errorf("peers %d with %d nodes; a has %d publishers, %d subscriptions, %d services", peers,
				nodes, pubs, subs, services)
		}
		before := time.Now()
		stop()
		b.until("a to be gone", func() bool { return slices.Equal(c.Graph().Nodes, []string{"/c"}) })
		if took := time.Since(before); took > 5*time.Second {
			t.Errorf("a was seen for %v after it left: a lease ran out, nothing was said", took)
		}
		if _, ok := named(c.Graph().Services, "/north/flag"); ok {
			t.Error("a's service is still listed")
		}
	})
}

func TestTheGraphTellsQualityOfServiceAndCountsItsOwnMessages(t *testing.T) {
	onBench(t, func(b *bench) {
		a, c := b.node("a"), b.node("c")
		b.start(a)
		b.start(c)
		pub, err := NewPublisher[stdmsgs.String](a, "x", TFQoS())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewSubscription(c, "x", SensorQoS(),
			func(context.Context, *stdmsgs.String, Origin) {}); err != nil {
			t.Fatal(err)
		}
		if _, err := NewSubscription(c, "nobody", ClockQoS(),
			func(context.Context, *stdmsgs.String, Origin) {}); err != nil {
			t.Fatal(err)
		}
		b.until("the match", func() bool { return pub.Subscribers() == 1 })
		for range 3 {
			if err := pub.Publish(&stdmsgs.String{Data: "hello"}); err != nil {
				t.Fatal(err)
			}
		}
		passed := func(n *Node) uint64 { x, _ := named(n.Graph().Topics, "/x"); return x.Passed }
		b.until("three messages", func() bool { return passed(a) == 3 && passed(c) == 3 })
		for _, n := range []*Node{a, c} { // from both sides the publisher's counts
			if x, _ := named(n.Graph().Topics, "/x"); !slices.Equal(x.QoS,
				[]string{"reliable, volatile, last 100"}) || !x.Own {
				t.Errorf("%s sees %+v", n.FullName(), x)
			}
		}
		if x, _ := named(a.Graph().Topics, "/nobody"); !slices.Equal(x.QoS,
			[]string{"best effort, volatile, last 1"}) || x.Own || x.Passed != 0 {
			t.Errorf("a topic with a subscriber only is %+v", x)
		}
	})
}

func TestWhatIsClosedLeavesTheGraph(t *testing.T) {
	onBench(t, func(b *bench) {
		a, c := b.node("a"), b.node("c")
		b.start(a)
		b.start(c)
		pub, err := NewPublisher[stdmsgs.String](a, "x", DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		sub, err := NewSubscription(a, "y", DefaultQoS(), func(context.Context, *stdmsgs.String, Origin) {})
		if err != nil {
			t.Fatal(err)
		}
		has := func(name string) bool { _, ok := named(c.Graph().Topics, name); return ok }
		b.until("both topics", func() bool { return has("/x") && has("/y") })
		for range 2 {
			if err := pub.Close(); err != nil {
				t.Error(err)
			}
			if err := sub.Close(); err != nil {
				t.Error(err)
			}
		}
		b.until("both to go", func() bool { return !has("/x") && !has("/y") })
		if err := pub.Publish(&stdmsgs.String{}); err != nil {
			t.Logf("publishing after Close says %v", err)
		}
	})
}

func TestHumbleGetsItsOwnFormOfTheNodeList(t *testing.T) {
	onBench(t, func(b *bench) {
		n := b.node("n")
		b.start(n)
		p := b.participant("peer")
		for _, c := range []struct {
			userData string
			gidLen   int
		}{{"", gidHumble}, {"typehash=" + discoveryHash + ";", gidNow}} {
			// A reader of each kind in a participant of its own.
			q := p
			if c.gidLen == gidNow {
				q = b.participant("modern")
			}
			r, err := q.NewReader(rtps.ReaderConfig{Topic: discoveryTopic, Type: discoveryType,
				QoS: LatchedQoS(), UserData: []byte(c.userData)})
			if err != nil {
				t.Fatal(err)
			}
			s, err := r.Receive(b.soon())
			if err != nil {
				t.Fatal(err)
			}
			of, nodes, err := parseDiscoveryInfo(s.Payload, c.gidLen)
			if err != nil || of != n.participant.GUID() || len(nodes) != 1 || nodes[0].Name != "n" ||
				len(nodes[0].Readers) != 7 {
				t.Errorf("with gids of %d bytes: %+v of %v, %v", c.gidLen, nodes, of, err)
			}
		}
	})
}

func TestANodeOfHumbleIsListed(t *testing.T) {
	onBench(t, func(b *bench) {
		n := b.node("n")
		b.start(n)
		for _, c := range []struct {
			name, userData string
			gidLen         int
			of             func(*rtps.Participant) wire.GUID
			want           []string
		}{
			{"humble", "", gidHumble, (*rtps.Participant).GUID, []string{"/humble", "/n"}},
			{"liar", "typehash=x;", gidNow, func(*rtps.Participant) wire.GUID { return n.participant.GUID() },
				[]string{"/humble", "/n"}},
			{"jazzy", "typehash=x;", gidNow, (*rtps.Participant).GUID, []string{"/humble", "/jazzy", "/n"}},
			{"rust", "", gidNow, (*rtps.Participant).GUID, []string{"/humble", "/jazzy", "/n", "/rust"}},
		} {
			p := b.participant(c.name)
			w, err := p.NewWriter(rtps.WriterConfig{Topic: discoveryTopic, Type: discoveryType,
				QoS: LatchedQoS(), UserData: []byte(c.userData)})
			if err != nil {
				t.Fatal(err)
			}
			payload := appendDiscoveryInfo(nil, c.of(p), []NodeEntities{{NodeName: NodeName{"/", c.name}}},
				c.gidLen)
			if _, err := w.Write(payload, rtps.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			b.until("the list to be "+c.want[len(c.want)-1],
				func() bool { return slices.Equal(n.Graph().Nodes, c.want) })
		}
	})
}
