package mirror

import (
	"context"
	"sync"
	"time"

	"simdeck/ros/attach"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/node"
)

// clock is the simulated time as it is heard, and how fast it goes.
type clock struct {
	mu    sync.Mutex
	own   bool // messages are of the simulator's own participant
	heard bool
	now   time.Duration // simulated
	at    time.Time     // wall time of the last
	ticks [16]tick      // about two seconds of looks, a ring
	n     int
}

// tick is a look at the clock.
type tick struct {
	sim  time.Duration
	wall time.Time
}

// hear subscribes the simulator's clock, which some keep under their own
// prefix; the function it gives ends that.
func (m *Mirror) hear(r *attach.Remote) (end func(), err error) {
	m.clock.forget()
	topics := []string{"/clock"}
	if prefix := r.Simulator().Prefix; prefix != "/" {
		topics = append(topics, prefix+"/clock")
	}
	var subs []*node.Subscription[rosgraphmsgs.Clock]
	end = func() {
		for _, s := range subs {
			_ = s.Close() // it is gone with the node, if not now
		}
	}
	for _, topic := range topics {
		s, err := node.NewSubscription(m.node(), topic, node.ClockQoS(),
			func(_ context.Context, c *rosgraphmsgs.Clock, from node.Origin) {
				m.clock.take(node.SimDuration(c.Clock), m.c.Now(), r.Owns(from.Publisher))
			})
		if err != nil {
			end()
			return nil, err
		}
		subs = append(subs, s)
	}
	return end, nil
}

// take takes a time that was heard. Others than the simulator keep a clock on some graphs (a bridge, for
// Gazebo): theirs counts while the simulator has none.
func (c *clock) take(now time.Duration, at time.Time, own bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own && !own {
		return
	}
	if own && !c.own {
		c.own, c.n = true, 0
	}
	c.heard, c.now, c.at = true, now, at
}

// forget begins anew: another simulator may follow.
func (c *clock) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.own, c.heard, c.n = false, false, 0
}

// staleAfter is the silence of a clock after which the times of entities' states count again. A paused
// simulator need not publish its clock.
const staleAfter = time.Second

// read gives the simulated time, from what a state said if nothing is heard,
// and how fast it went of late.
func (c *clock) read(stated time.Duration, known bool, wall time.Time) (now time.Duration, pace float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now = c.now
	if known && (!c.heard || wall.Sub(c.at) > staleAfter) {
		now = stated
	}
	last := tick{now, wall}
	if c.n > 0 && now < c.ticks[(c.n-1)%len(c.ticks)].sim {
		c.n = 0 // it was reset
	}
	first := last
	if c.n > 0 {
		first = c.ticks[max(0, c.n-len(c.ticks)+1)%len(c.ticks)]
	}
	if c.n == 0 || wall.Sub(c.ticks[(c.n-1)%len(c.ticks)].wall) >= 100*time.Millisecond {
		c.ticks[c.n%len(c.ticks)] = last
		c.n++
	}
	if passed := wall.Sub(first.wall); passed > 200*time.Millisecond {
		pace = float64(now-first.sim) / float64(passed)
	}
	return now, pace
}
