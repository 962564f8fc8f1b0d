package bag

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/node"
)

// clockShowsWithin is the wait for a publisher of /clock before the time of this machine is taken.
const clockShowsWithin = 2 * time.Second

// Summary is the summary of a recording's content.
type Summary struct {
	Messages uint64
	Topics   int
	Lost     uint64 // messages that were not recorded; metadata.yaml has them by topic
}

// Graph is a node that is on the network while work runs; attach.Graph is one.
type Graph interface {
	Node() *node.Node
	Run(ctx context.Context, work func(context.Context) error) error
	Close() error // when Run is never called
}

// FromGraph records what is published on a ROS graph until ctx ends. While a /clock is published, messages
// get simulated time, and none are recorded before its first message. Otherwise, or with wall, they get this
// machine's time. Errors are those of New, why the network could not be used, or why the recording ended
// early.
func FromGraph(ctx context.Context, g Graph, c Config, wall bool) (Summary, error) {
	r, err := New(c)
	if err != nil {
		return Summary{}, errors.Join(err, g.Close())
	}
	writing, written := context.WithCancel(context.WithoutCancel(ctx))
	defer written()
	ended := make(chan error, 1)
	err = g.Run(ctx, func(ctx context.Context) error {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		go func() { err := r.Run(writing); stop(); ended <- err }()
		now, err := r.clock(ctx, g.Node(), wall)
		if err != nil {
			return err
		}
		return r.Follow(ctx, g.Node(), now)
	})
	written()
	err = errors.Join(err, <-ended)
	m := r.metadata()
	return Summary{m.Messages, len(m.Topics), r.Lost()}, err
}

// clock gives the time that messages get, once there is one.
func (r *Recorder) clock(ctx context.Context, n *node.Node, wall bool) (func() time.Duration, error) {
	machine := func() time.Duration { return time.Duration(time.Now().UnixNano()) }
	if wall {
		return machine, nil
	}
	name, err := n.Resolve("/clock")
	if err != nil {
		return nil, err
	}
	if !published(ctx, n, name) {
		r.config.Log.Info("/clock has no publisher: messages get the time of this machine",
			"topic", name)
		return machine, nil
	}
	var at atomic.Int64
	first := make(chan struct{})
	begin := sync.OnceFunc(func() { close(first) })
	_, err = node.NewSubscription(n, "/clock", node.ClockQoS(),
		func(_ context.Context, m *rosgraphmsgs.Clock, _ node.Origin) {
			at.Store(int64(node.SimDuration(m.Clock)))
			begin()
		})
	if err != nil {
		return nil, err
	}
	r.config.Log.Info("messages get simulated time; nothing is recorded before it is known", "topic", name)
	select {
	case <-first:
	case <-ctx.Done():
	}
	return func() time.Duration { return time.Duration(at.Load()) }, nil
}

// published waits until somebody publishes a topic; false when nobody does in time.
func published(ctx context.Context, n *node.Node, name string) bool {
	watch := n.Watch()
	defer watch.Close()
	late := time.NewTimer(clockShowsWithin)
	defer late.Stop()
	for {
		if slices.ContainsFunc(n.Offered(), func(t node.Topic) bool { return t.Name == name }) {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-late.C:
			return false
		case <-watch.C():
		}
	}
}
