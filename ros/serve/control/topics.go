package control

import (
	"context"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
)

// depth is the number of messages of a topic that wait for a slow subscriber.
const depth = 512

// publish makes a topic that is there while its controller is configured.
func publish[T any, PT msgs.Of[T]](c *controller, topic string) (*node.Publisher[T], error) {
	p, err := node.NewPublisher[T, PT](c.node.Node, topic, node.BurstQoS(depth))
	if err == nil {
		c.ends = append(c.ends, p)
	}
	return p, err
}

// listen takes commands from a topic while its controller is configured; those that are refused are logged.
func listen[T any, PT msgs.Of[T]](c *controller, topic string, take func(context.Context, *T) error) error {
	s, err := node.NewCommandSubscription[T, PT](c.node.Node, topic, 1,
		func(ctx context.Context, m *T, _ node.Origin) { c.tell(ctx, topic, take(ctx, m)) })
	if err == nil {
		c.ends = append(c.ends, s)
	}
	return err
}
