package node

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
)

// bench is a virtual network with nodes on it, in the time of a synctest bubble.
type bench struct {
	t   *testing.T
	net *netsim.Network
}

// onBench runs a test in a bubble; every node has left before it ends.
func onBench(t *testing.T, f func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(&bench{t, netsim.New(1)}) })
}

// node makes a node that start puts on the network.
func (b *bench) node(name string, args ...string) *Node {
	b.t.Helper()
	a, err := ParseArgs(args)
	if err != nil {
		b.t.Fatal(err)
	}
	n, err := New(Config{Name: name, Args: a, Transport: b.net.Host(name),
		Log: slog.New(slog.NewTextHandler(b.t.Output(), nil))})
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// start runs a node until the test ends or the function that it gives is called.
func (b *bench) start(n *Node) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := n.Run(ctx); err != nil {
			b.t.Errorf("node %s ended with %v", n.FullName(), err)
		}
	}()
	stop = func() {
		cancel()
		<-ended
	}
	b.t.Cleanup(stop)
	return stop
}

// participant is a peer without a node, to speak as others do.
func (b *bench) participant(name string) *rtps.Participant {
	b.t.Helper()
	p, err := rtps.New(rtps.Config{Transport: b.net.Host(name)})
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	b.t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			b.t.Errorf("participant %s ended with %v", name, err)
		}
	})
	return p
}

// until waits for a condition, in the bubble's time.
func (b *bench) until(what string, ok func() bool) {
	b.t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("waited 20 s for %s", what)
		}
	}
}

// soon is a context for calls that must be answered.
func (b *bench) soon() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	b.t.Cleanup(cancel)
	return ctx
}
