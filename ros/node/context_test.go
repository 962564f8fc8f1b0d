package node

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/netsim"
)

// pair are two nodes of one participant, /east/deck and /west/deck, each with a topic and a service of its
// own.
type pair struct {
	shared *Context
	nodes  map[string]*Node
	stop   map[string]func()
	pubs   map[string]*Publisher[stdmsgs.String]
}

func (b *bench) pair() *pair {
	b.t.Helper()
	x, err := NewContext(ContextConfig{Transport: b.net.Host("both")})
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- x.Run(ctx) }()
	b.t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			b.t.Errorf("the context ended with %v", err)
		}
	})
	p := &pair{shared: x, nodes: map[string]*Node{}, stop: map[string]func(){},
		pubs: map[string]*Publisher[stdmsgs.String]{}}
	for _, name := range []string{"east", "west"} {
		n, err := New(Config{Name: "deck", Namespace: name, Context: x})
		if err != nil {
			b.t.Fatal(err)
		}
		if p.pubs[name], err = NewPublisher[stdmsgs.String](n, "said", LatchedQoS()); err != nil {
			b.t.Fatal(err)
		}
		if _, err := n.Serve(ServerConfig{Name: "flag",
			Lines: []Line{NewLine(stdsrvs.SetBoolService(), says(name), failed)}}); err != nil {
			b.t.Fatal(err)
		}
		p.nodes[name], p.stop[name] = n, b.start(n)
	}
	return p
}

func TestTwoNodesOfOneParticipantAreEachOnTheGraphWithWhatTheyHave(t *testing.T) {
	onBench(t, func(b *bench) {
		c := b.node("c")
		b.start(c)
		p := b.pair()
		b.until("both nodes", func() bool {
			return slices.Equal(c.Graph().Nodes,
				[]string{"/c", "/east/deck", "/west/deck"})
		})
		if peers, nodes := c.Peers(); peers != 1 || nodes != 2 {
			t.Errorf("%d participants with %d nodes", peers, nodes)
		}
		served := func() (all []string) {
			for _, s := range c.Servers() {
				if s.Type == "std_srvs/srv/SetBool" {
					all = append(all, s.Name+" of "+s.Node)
				}
			}
			return all
		}
		b.until("whose services these are", func() bool {
			return slices.Equal(served(), []string{"/east/flag of /east/deck", "/west/flag of /west/deck"})
		})
		for _, name := range []string{"east", "west"} {
			client, err := NewClient(c, "/"+name+"/flag", stdsrvs.SetBoolService())
			if err != nil {
				t.Fatal(err)
			}
			if err := client.WaitReady(b.soon()); err != nil {
				t.Fatal(err)
			}
			if r, err := client.Call(b.soon(), &setRequest{}); err != nil || r.Message != name {
				t.Errorf("%s answers %+v, %v", name, r, err)
			}
		}
		g := p.nodes["east"].Graph()
		ours, _ := named(g.Topics, "/east/said")
		theirs, _ := named(g.Topics, "/west/said")
		if g.Participants != 1 || !slices.Equal(g.Nodes, []string{"/c", "/east/deck", "/west/deck"}) ||
			!ours.Own || theirs.Own || ours.Publishers != 1 || theirs.Publishers != 1 {
			t.Errorf("one of the two sees %d participants, %v, %+v, %+v", g.Participants, g.Nodes, ours,
				theirs)
		}
		before := time.Now()
		p.stop["east"]()
		b.until("one of them to be gone",
			func() bool { return slices.Equal(c.Graph().Nodes, []string{"/c", "/west/deck"}) })
		if took := time.Since(before); took > 5*time.Second {
			t.Errorf("it was seen for %v after it left: nothing was said", took)
		}
		if got := served(); !slices.Equal(got, []string{"/west/flag of /west/deck"}) {
			t.Errorf("after that there are %v", got)
		}
		if _, ok := named(c.Graph().Topics, "/east/said"); ok {
			t.Error("a topic of the node that has left is still there")
		}
	})
}

func TestNodesOfOneParticipantHearEachOther(t *testing.T) {
	onBench(t, func(b *bench) {
		p := b.pair()
		var got inbox
		if err := p.pubs["west"].Publish(&stdmsgs.String{Data: "before"}); err != nil {
			t.Fatal(err)
		}
		if _, err := NewSubscription(p.nodes["east"], "/west/said", LatchedQoS(), got.take); err != nil {
			t.Fatal(err)
		}
		b.until("the first", func() bool { return len(got.all()) == 1 })
		if err := p.pubs["west"].Publish(&stdmsgs.String{Data: "after"}); err != nil {
			t.Fatal(err)
		}
		b.until("the second", func() bool { return slices.Equal(got.all(), []string{"before", "after"}) })
		client, err := NewClient(p.nodes["east"], "/west/flag", stdsrvs.SetBoolService())
		if err != nil {
			t.Fatal(err)
		}
		if err := client.WaitReady(b.soon()); err != nil {
			t.Fatal(err)
		}
		if r, err := client.Call(b.soon(), &setRequest{}); err != nil || r.Message != "west" {
			t.Errorf("its neighbour answers %+v, %v", r, err)
		}
	})
}

func TestANodeThatCannotBeMadeLeavesNothingOnItsParticipant(t *testing.T) {
	onBench(t, func(b *bench) {
		c := b.node("c")
		b.start(c)
		p := b.pair()
		b.until("both nodes", func() bool { return len(c.Graph().Nodes) == 3 })
		if _, err := New(Config{Name: "no good", Context: p.shared}); err == nil {
			t.Error("a node with a space in its name was made")
		}
		args, err := ParseArgs([]string{"-r", "/rosout:=/no//good"})
		if err == nil {
			_, err = New(Config{Name: "third", Context: p.shared, Args: args})
		}
		if err == nil {
			t.Error("a node was made whose /rosout has no name")
		}
		time.Sleep(time.Second)
		if nodes := c.Graph().Nodes; !slices.Equal(nodes, []string{"/c", "/east/deck", "/west/deck"}) {
			t.Errorf("the graph has %v", nodes)
		}
	})
}

func TestAllNodesOfAParticipantEndWithTheNetwork(t *testing.T) {
	onBench(t, func(b *bench) {
		x, err := NewContext(ContextConfig{Transport: netsim.New(1).Host("alone")})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 3)
		for _, name := range []string{"a", "b"} {
			n, err := New(Config{Name: name, Context: x})
			if err != nil {
				t.Fatal(err)
			}
			go func() { ended <- n.Run(context.Background()) }()
		}
		go func() { ended <- x.Run(ctx) }()
		time.Sleep(time.Second)
		cancel()
		said := 0
		for range 3 {
			if err := <-ended; err != nil {
				said++
			}
		}
		if said != 2 {
			t.Errorf("%d of 2 nodes say that the network is gone", said)
		}
	})
}

func TestANodeBesideAnotherLivesAsLongAsThatOrUntilItLeaves(t *testing.T) {
	onBench(t, func(b *bench) {
		first, client := b.node("first"), b.node("client")
		second, err := first.Beside(Config{Name: "second", Namespace: "/arm"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := first.Beside(Config{Name: "no name"}); !errors.Is(err, ErrName) {
			t.Errorf("a node with a bad name stands beside it: %v", err)
		}
		stop := b.start(first)
		b.start(client)
		sees := func(want ...string) {
			t.Helper()
			synctest.Wait()
			time.Sleep(3 * time.Second)
			if got := client.Graph().Nodes; !slices.Equal(got, want) {
				t.Errorf("the graph has the nodes %v, want %v", got, want)
			}
		}
		sees("/arm/second", "/client", "/first")
		second.Leave()
		<-second.Left()
		sees("/client", "/first")
		third, err := first.Beside(Config{Name: "third"})
		if err != nil {
			t.Fatal(err)
		}
		sees("/client", "/first", "/third")
		stop()
		<-third.Left()
		sees("/client")
	})
}
