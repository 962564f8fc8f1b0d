package node

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
)

// Publisher writes messages of type T to a topic.
type Publisher[T any] struct {
	*publisher
	message func(*T) msgs.Message
}

// publisher is a Publisher whatever its type.
type publisher struct {
	node   *Node
	writer Writer
	topic  string
	keeps  bool // late readers get what was published

	mu    sync.Mutex
	buf   []byte       // of small messages
	last  int          // octets of the last message
	tap   func([]byte) // gets what is published; nil: nobody taps
	heard atomic.Bool  // there is a tap
	times atomic.Pointer[func() time.Duration]
}

// ownedFrom is the size of a message, in octets, from which on it is serialized into the writer's memory,
// without a copy.
const ownedFrom = 16 << 10

// NewPublisher makes a publisher of a topic of n; the name is expanded and
// remapped. Errors wrap ErrName.
func NewPublisher[T any, PT msgs.Of[T]](n *Node, topic string, q QoS) (*Publisher[T], error) {
	p, err := newPublisher(n, topic, q, PT(nil))
	if err != nil {
		return nil, err
	}
	return &Publisher[T]{p, func(m *T) msgs.Message { return PT(m) }}, nil
}

// newPublisher makes a publisher for all readers, which can be tapped.
func newPublisher(n *Node, topic string, q QoS, kind msgs.Message) (*publisher, error) {
	p, err := openPublisher(n, topic, q, kind, nil)
	if err == nil {
		p.beTapped(kind, q)
	}
	return p, err
}

// openPublisher makes a publisher for the readers that serves chooses by their user data; nil: all.
func openPublisher(n *Node, topic string, q QoS, kind msgs.Message, serves func([]byte) bool) (*publisher,
	error) {
	full, err := n.Resolve(topic)
	if err != nil {
		return nil, err
	}
	w, err := n.participant.NewWriter(n.named(), rtps.WriterConfig{Topic: ddsTopic(full),
		Type: kind.DDSTypeName(),
		QoS:  q, UserData: hashTag(kind.TypeHash()), Serves: serves})
	if err != nil {
		return nil, fmt.Errorf("publisher of %s: %w", full, err)
	}
	n.adopt(w.GUID(), endpoint{writer: true, topic: ddsTopic(full), kind: kind.DDSTypeName(),
		hash: kind.TypeHash(), end: w, close: w.Close,
		mismatches: ofWriter(w),
		qos:        q, passed: func() uint64 { return w.Stats().Written }})
	return &publisher{node: n, writer: w, topic: full, keeps: q.Durability != rtps.Volatile}, nil
}

// beTapped offers what is published to who taps the node.
func (p *publisher) beTapped(kind msgs.Message, q QoS) {
	p.node.taps.add(p.writer.GUID(), tapped{p,
		Topic{Name: p.topic, Type: kind.TypeName(), Hash: kind.TypeHash(), QoS: []QoS{q}, Time: p.time}})
}

// TimedBy sets the simulated time of messages for recordings: now is called as one is published.
func (p *publisher) TimedBy(now func() time.Duration) { p.times.Store(&now) }

// time is the time of the message that is being published.
func (p *publisher) time() (time.Duration, bool) {
	if now := p.times.Load(); now != nil {
		return (*now)(), true
	}
	return 0, false
}

// hashTag is the announcement of an endpoint's type hash; empty where it is not known.
func hashTag(hash string) []byte {
	if hash == "" {
		return nil
	}
	return []byte("typehash=" + hash + ";")
}

// Publish sends m to whoever subscribes; it does not wait for them. m is the
// caller's again when it returns. Errors: m breaks a bound of its type, or the
// publisher is closed.
func (p *Publisher[T]) Publish(m *T) error { return p.publish(p.message(m)) }

func (p *publisher) publish(m msgs.Message) error {
	if !p.keeps && p.Subscribers() == 0 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	buf, owned := p.buf, p.last >= ownedFrom
	if owned {
		buf = p.writer.Buffer(p.last)
	}
	payload, err := msgs.Encode(buf, m)
	if err != nil {
		return fmt.Errorf("publish %s: %w", p.topic, err)
	}
	if p.last = len(payload); p.last < ownedFrom && !owned {
		p.buf = payload
	} else if !owned {
		p.buf = nil // the next one is owned
	}
	if p.tap != nil {
		p.tap(payload)
	}
	if _, err := p.writer.Write(payload, rtps.WriteOptions{Owned: owned}); err != nil {
		return fmt.Errorf("publish %s: %w", p.topic, err)
	}
	return nil
}

// Subscribers is the number of matched readers; a tap of the node counts as one.
func (p *publisher) Subscribers() int {
	n := p.writer.Stats().Matched
	if p.heard.Load() {
		n++
	}
	return n
}

// Topic is the full name.
func (p *publisher) Topic() string { return p.topic }

// Close takes the publisher off the graph. It may be called more than once.
func (p *publisher) Close() error {
	p.node.taps.remove(p.writer.GUID())
	return p.node.release(p.writer.GUID())
}
