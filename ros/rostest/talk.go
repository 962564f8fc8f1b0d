package rostest

import (
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
)

// Talk makes the client a publisher of a topic; it returns when somebody listens and knows of it: who listens by best effort
// loses what comes before. What it gives publishes.
func Talk[T any, PT msgs.Of[T]](s *Stage, topic string) func(*T) {
	s.T.Helper()
	p, err := node.NewPublisher[T, PT](s.Client, topic, node.DefaultQoS())
	if err != nil {
		s.T.Fatal(err)
	}
	s.Until("a listener on "+topic, func() bool { return p.Subscribers() > 0 })
	time.Sleep(settling)
	return func(m *T) {
		if err := p.Publish(m); err != nil {
			s.T.Error(err)
		}
	}
}
