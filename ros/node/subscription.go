package node

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// Subscription hands the messages of a topic to a handler, one at a time. What
// the handler is too slow for waits in a queue of QoS.Depth, the oldest give way.
type Subscription[T any] struct {
	node   *Node
	reader *rtps.Reader
	topic  string
}

// Origin says where a message came from.
type Origin struct {
	Publisher  string    // the writer's GUID, in hex
	SourceTime time.Time // when it was published, by the sender's clock; zero when it does not say
}

// NewSubscription makes a subscription of n; the name is expanded and
// remapped. The handler runs on a goroutine of the subscription and gets every
// message as its own; a panic in it is logged. Errors wrap ErrName.
func NewSubscription[T any, PT msgs.Of[T]](n *Node, topic string, q QoS, handle func(context.Context, *T, Origin)) (*Subscription[T], error) {
	full, err := n.Resolve(topic)
	if err != nil {
		return nil, err
	}
	kind := PT(nil)
	r, err := n.participant.NewReader(rtps.ReaderConfig{
		Topic: ddsTopic(full), Type: kind.DDSTypeName(), QoS: q, UserData: hashTag(kind)})
	if err != nil {
		return nil, fmt.Errorf("subscription of %s: %w", full, err)
	}
	s := &Subscription[T]{node: n, reader: r, topic: full}
	n.adopt(r.GUID(), endpoint{topic: ddsTopic(full), kind: kind.DDSTypeName(), hash: kind.TypeHash(), close: r.Close})
	n.tasks.add(func(ctx context.Context) {
		for {
			sample, err := r.Receive(ctx)
			if err != nil {
				return
			}
			m := new(T)
			if s.decode(sample, PT(m)) {
				s.guard(func() { handle(ctx, m, Origin{sample.Writer.String(), sample.SourceTime}) })
			}
			r.Recycle(sample.Payload)
		}
	})
	return s, nil
}

// decode reads a sample, unless its writer announced another definition under
// the same name: that would match and decode to nonsense.
func (s *Subscription[T]) decode(sample rtps.Sample, m msgs.Message) bool {
	if hash := s.node.announcedHash(sample.Writer); hash != "" && hash != m.TypeHash() {
		s.node.notices.warn(s.node.log, sample.Writer.String(), "a publisher has another definition of the type: ignored",
			"topic", s.topic, "type", m.TypeName(), "announced", hash, "ours", m.TypeHash())
		return false
	}
	if err := msgs.Decode(sample.Payload, m); err != nil {
		s.node.notices.warn(s.node.log, sample.Writer.String(), "a message cannot be read: ignored", "topic", s.topic, "error", err)
		return false
	}
	return true
}

func (s *Subscription[T]) guard(f func()) {
	defer func() {
		if p := recover(); p != nil {
			s.node.log.Error("the handler of a topic failed", "topic", s.topic, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	f()
}

// announcedHash is the type hash that an endpoint announced; "" when it
// announced none (Humble).
func (n *Node) announcedHash(g wire.GUID) string {
	if n.isOwn(g) {
		n.mu.Lock()
		defer n.mu.Unlock()
		return n.own[g].hash
	}
	e, _ := n.participant.Endpoint(g)
	return e.Property("typehash")
}

// Publishers is how many writers are matched now.
func (s *Subscription[T]) Publishers() int { return s.reader.Stats().Matched }

// Dropped is how many messages the handler was too slow for.
func (s *Subscription[T]) Dropped() uint64 { return uint64(s.reader.Stats().Dropped) }

// Topic is the full name.
func (s *Subscription[T]) Topic() string { return s.topic }

// Close ends the subscription; a handler that runs finishes. It may be called
// more than once.
func (s *Subscription[T]) Close() error { return s.node.release(s.reader.GUID()) }
