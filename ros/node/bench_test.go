package node

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/netsim"
)

// BenchmarkClockToTenReaders measures the cost of a tick of /clock with ten nodes: publishing, the wire, and
// all of their handlers.
func BenchmarkClockToTenReaders(b *testing.B) {
	net := netsim.New(1)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 11)
	start := func(name string) *Node {
		n, err := New(Config{Name: name, Transport: net.Host(name)})
		if err != nil {
			b.Fatal(err)
		}
		go func() { ended <- n.Run(ctx) }()
		return n
	}
	var heard atomic.Int64
	for i := range 10 {
		if _, err := NewSubscription(start(fmt.Sprintf("reader%d", i)), "/clock", ClockQoS(),
			func(context.Context, *rosgraphmsgs.Clock, Origin) { heard.Add(1) }); err != nil {
			b.Fatal(err)
		}
	}
	p, err := NewPublisher[rosgraphmsgs.Clock](start("sim"), "/clock", DefaultQoS())
	if err != nil {
		b.Fatal(err)
	}
	for p.Subscribers() < 10 {
		time.Sleep(time.Millisecond)
	}
	b.ReportAllocs()
	m := &rosgraphmsgs.Clock{}
	for b.Loop() {
		m.Clock.Nanosec++
		ticks := heard.Load()
		if err := p.Publish(m); err != nil {
			b.Fatal(err)
		}
		for want, end := ticks+10, time.Now().Add(time.Millisecond); heard.Load() < want &&
			time.Now().Before(end); {
			time.Sleep(10 * time.Microsecond) // one tick after the other, as a simulator has it
		}
	}
	b.ReportMetric(float64(heard.Load())/float64(b.N), "heard/op")
	cancel()
	for range 11 {
		if err := <-ended; err != nil {
			b.Error(err)
		}
	}
}
