package rostest

import (
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
)

// Talk makes the client a publisher of a topic; it returns when a matched reader knows of it: best-effort
// readers lose earlier samples. The returned function publishes.
func Talk[T any, PT msgs.Of[T]](s *Stage, topic string, q node.QoS) func(*T) {
	s.T.Helper()
	say, _ := talk[T, PT](s, topic, q)
	return say
}

// Tell publishes once, to those who listen, and is gone.
func Tell[T any, PT msgs.Of[T]](s *Stage, topic string, q node.QoS, m *T) {
	s.T.Helper()
	say, end := talk[T, PT](s, topic, q)
	defer end()
	say(m)
}

func talk[T any, PT msgs.Of[T]](s *Stage, topic string, q node.QoS) (say func(*T), end func() error) {
	s.T.Helper()
	p, err := node.NewPublisher[T, PT](s.Client, topic, q)
	if err != nil {
		s.T.Fatal(err)
	}
	s.Until("a listener on "+topic, func() bool { return p.Subscribers() > 0 })
	time.Sleep(settling)
	say = func(m *T) {
		if err := p.Publish(m); err != nil {
			s.T.Error(err)
		}
	}
	return say, p.Close
}
