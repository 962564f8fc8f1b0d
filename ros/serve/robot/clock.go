package robot

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// clock publishes simulated time on /clock. While publish_clock is off there
// is no publisher, so that another simulator can be the clock of the domain.
type clock struct {
	node  *node.Node
	topic string
	rate  atomic.Uint64 // bits of the parameter clock_rate

	mu      sync.Mutex
	pub     *node.Publisher[rosgraphmsgs.Clock] // nil: off
	msg     rosgraphmsgs.Clock
	ticking bool
	at      time.Duration // the time that was last published, or would have been while publish_clock is off
	heard   audience      // when it last ticked
}

// declare makes the parameter, and the publisher unless it is given as off.
func (c *clock) declare() error {
	err := c.node.Parameters().Declare(context.Background(), node.Declaration{
		Name: "publish_clock", Default: node.BoolValue(true), Description: "publish simulated time on /clock",
		Set: func(_ context.Context, v node.Value) error { return c.set(v.BoolValue) }})
	if err != nil {
		return err
	}
	err = c.node.Parameters().Declare(context.Background(), node.Declaration{
		Name: "clock_rate", Default: node.DoubleValue(0), Range: &[2]float64{0, 1e6},
		Description: "messages on /clock in a simulated second, Hz, at most one a step; " +
			"0: 100, or one a step with an ego vehicle",
		Set: func(_ context.Context, v node.Value) error {
			c.rate.Store(math.Float64bits(v.DoubleValue))
			return nil
		}})
	if err != nil {
		return err
	}
	on, _ := c.node.Parameters().Get("publish_clock")
	return c.set(on.BoolValue)
}

// set puts the publisher on the graph, or takes it off.
func (c *clock) set(on bool) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case on && c.pub == nil:
		// A reliable publisher serves reliable and best-effort readers; a best-effort one, the latter alone.
		c.pub, err = node.NewPublisher[rosgraphmsgs.Clock](c.node, c.topic, burstQoS())
		c.heard = 0
	case !on && c.pub != nil:
		err = c.pub.Close()
		c.pub = nil
	}
	return err
}

// period is the simulated time between two messages; 0: what the world asks.
func (c *clock) period() time.Duration {
	hz := math.Float64frombits(c.rate.Load())
	if hz == 0 {
		return 0
	}
	return max(1, time.Duration(float64(time.Second)/hz))
}

// tick publishes the time of a snapshot, while time goes on only when clock_rate says so. The last one before a
// pause is always published.
func (c *clock) tick(s *sim.Snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	period := c.period()
	if c.ticking && (s.Time == c.at ||
		s.State == sim.Playing && period > 0 && !due(c.at, s.Time, period)) {
		return
	}
	c.msg.Clock, c.at, c.ticking = node.SimTime(s.Time), s.Time, true
	c.publish()
}

// publish sends the time; the caller holds the lock.
func (c *clock) publish() {
	if c.pub == nil {
		return
	}
	if err := c.pub.Publish(&c.msg); err != nil {
		c.node.Log().Error("the clock could not be published", "error", err)
	}
	c.heard = audience(c.pub.Subscribers())
}

// helloSubscriber tells the time to those who came while it stood still.
func (c *clock) helloSubscriber() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pub != nil && c.heard.grew(c.pub.Subscribers()) && c.ticking {
		c.publish()
	}
}
