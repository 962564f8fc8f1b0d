package robot

import (
	"context"
	"sync"
	"time"

	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/node"
)

// clock publishes simulated time on /clock. While publish_clock is off there
// is no publisher, so that another simulator can be the clock of the domain.
type clock struct {
	node  *node.Node
	topic string

	mu      sync.Mutex
	pub     *node.Publisher[rosgraphmsgs.Clock] // nil: off
	msg     rosgraphmsgs.Clock
	ticking bool
	heard   audience // when it last ticked
}

// declare makes the parameter, and the publisher unless it is given as off.
func (c *clock) declare() error {
	err := c.node.Parameters().Declare(context.Background(), node.Declaration{
		Name: "publish_clock", Default: node.BoolValue(true), Description: "publish simulated time on /clock",
		Set: func(_ context.Context, v node.Value) error { return c.set(v.BoolValue) }})
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

// tick tells the time.
func (c *clock) tick(t time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.msg.Clock, c.ticking = node.SimTime(t), true
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
