package rostest

import (
	"context"
	"slices"
	"sync"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
)

// settling is the greatest time until both sides know of a match.
const settling = 200 * time.Millisecond

// Heard keeps what arrives on a topic.
type Heard[T any] struct {
	mu   sync.Mutex
	list []*T
}

// Hear listens to a topic; it returns when its publisher is there and knows of the listener.
func Hear[T any, PT msgs.Of[T]](s *Stage, topic string, q node.QoS) *Heard[T] {
	s.T.Helper()
	l := &Heard[T]{}
	sub, err := node.NewSubscription[T, PT](s.Client, topic, q,
		func(_ context.Context, m *T, _ node.Origin) { l.Keep(m) })
	if err != nil {
		s.T.Fatal(err)
	}
	s.Until("a publisher of "+topic, func() bool { return sub.Publishers() > 0 })
	time.Sleep(settling)
	return l
}

// Keep adds a message, as what arrives does.
func (l *Heard[T]) Keep(m *T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, m)
}

// All returns the messages heard so far, the oldest first.
func (l *Heard[T]) All() []*T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list)
}

// Last is the last message heard, nil before any.
func (l *Heard[T]) Last() *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) == 0 {
		return nil
	}
	return l.list[len(l.list)-1]
}

// Clear forgets what was heard.
func (l *Heard[T]) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = nil
}
