package node

import (
	"context"
	"sync"
	"time"

	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/rosgraphmsgs"
)

// clock is the source of a node's time: the wall clock, or /clock while use_sim_time is on.
type clock struct {
	mu  sync.Mutex
	sub *Subscription[rosgraphmsgs.Clock]
	now builtininterfaces.Time
}

// Time is a time as ROS writes it.
func Time(t time.Time) builtininterfaces.Time {
	return builtininterfaces.Time{Sec: int32(t.Unix()), Nanosec: uint32(t.Nanosecond())}
}

// SimTime is a simulated time as ROS writes it.
func SimTime(t time.Duration) builtininterfaces.Time {
	sec := t / time.Second
	if t%time.Second < 0 {
		sec--
	}
	return builtininterfaces.Time{Sec: int32(sec), Nanosec: uint32(t - sec*time.Second)}
}

// SimDuration is the simulated time that ROS writes so: the inverse of SimTime.
func SimDuration(t builtininterfaces.Time) time.Duration {
	return time.Duration(t.Sec)*time.Second + time.Duration(t.Nanosec)
}

// Now is the node's time: with use_sim_time the last on /clock, zero before
// the first.
func (n *Node) Now() builtininterfaces.Time {
	n.clock.mu.Lock()
	defer n.clock.mu.Unlock()
	if n.clock.sub != nil {
		return n.clock.now
	}
	return Time(time.Now())
}

// declareSimTime makes the parameter that every node has.
func (n *Node) declareSimTime() error {
	return n.params.Declare(context.Background(), Declaration{
		Name: "use_sim_time", Default: BoolValue(false),
		Description: "take the time from /clock instead of the system",
		Set:         func(_ context.Context, v Value) error { return n.follow(v.BoolValue) },
	})
}

// follow subscribes /clock, or gives it up.
func (n *Node) follow(on bool) error {
	n.clock.mu.Lock()
	old := n.clock.sub
	n.clock.mu.Unlock()
	if on == (old != nil) {
		return nil
	}
	var sub *Subscription[rosgraphmsgs.Clock]
	if on {
		var err error
		sub, err = NewSubscription(n, "/clock", ClockQoS(),
			func(_ context.Context, m *rosgraphmsgs.Clock, _ Origin) {
				n.clock.mu.Lock()
				n.clock.now = m.Clock
				n.clock.mu.Unlock()
			})
		if err != nil {
			return err
		}
	}
	n.clock.mu.Lock()
	n.clock.sub, n.clock.now = sub, builtininterfaces.Time{}
	n.clock.mu.Unlock()
	if old != nil {
		return old.Close()
	}
	return nil
}
