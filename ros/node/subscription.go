package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// Subscription hands the messages of a topic to a handler, one at a time. Messages wait for the handler in a
// queue of QoS.Depth, from which the oldest are dropped.
type Subscription[T any] struct {
	node    *Node
	topic   string
	readers []Reader      // the last one matches every publisher
	paired  bool          // another reader follows, for whom this one does not match
	turn    chan struct{} // its holder runs the handler
}

// Origin is the source of a message.
type Origin struct {
	Publisher  string    // the writer's GUID, in hex
	Sequence   int64     // of the message among all of its publisher, from 1 on
	SourceTime time.Time // when it was published, by the sender's clock; zero when it does not say
}

// NewSubscription makes a subscription of n; the name is expanded and
// remapped. The handler runs on a goroutine of the subscription and gets every
// message as its own; a panic in it is logged. Errors wrap ErrName.
func NewSubscription[T any, PT msgs.Of[T]](n *Node, topic string, q QoS,
	handle func(context.Context, *T, Origin)) (*Subscription[T], error) {
	s, err := subscribe[T](n, topic)
	if err != nil {
		return nil, err
	}
	return s, s.listen(q, PT(nil), take[T, PT](handle), func(wire.GUID) bool { return true })
}

// NewCommandSubscription is a NewSubscription for reliable and best-effort publishers alike, of the last depth
// messages. A reliable reader receives a single message sent before its publisher is known here.
func NewCommandSubscription[T any, PT msgs.Of[T]](n *Node, topic string, depth int,
	handle func(context.Context, *T, Origin)) (*Subscription[T], error) {
	return subscribeTwice[T, PT](n, topic, QoS{Reliability: rtps.Reliable, Depth: depth}, QoS{Depth: depth},
		func(offered QoS) bool { return offered.Reliability == rtps.Reliable }, handle)
}

// NewLatchedSubscription is a NewSubscription for reliable publishers of either durability: a reader of transient
// local samples hears no volatile publisher, which is the default of ROS 2, and a volatile reader hears nothing
// that was latched before it came. Up to depth latched messages of a publisher arrive.
func NewLatchedSubscription[T any, PT msgs.Of[T]](n *Node, topic string, depth int,
	handle func(context.Context, *T, Origin)) (*Subscription[T], error) {
	latched, volatile := LatchedQoS(), DefaultQoS()
	latched.Depth, volatile.Depth = depth, depth
	return subscribeTwice[T, PT](n, topic, latched, volatile,
		func(offered QoS) bool { return offered.Durability != rtps.Volatile }, handle)
}

// subscribeTwice makes a subscription with two readers. The second one, which matches every publisher, serves only
// those that the first one cannot.
func subscribeTwice[T any, PT msgs.Of[T]](n *Node, topic string, first, second QoS, servedByFirst func(QoS) bool,
	handle func(context.Context, *T, Origin)) (*Subscription[T], error) {
	s, err := subscribe[T](n, topic)
	if err != nil {
		return nil, err
	}
	s.paired = !n.participant.IgnoresQoS()
	if err := s.listen(first, PT(nil), take[T, PT](handle), func(wire.GUID) bool { return true }); err != nil {
		return nil, err
	}
	if !s.paired { // the first reader has them all
		return s, nil
	}
	s.paired = false
	if err := s.listen(second, PT(nil), take[T, PT](handle),
		func(g wire.GUID) bool { return !servedByFirst(n.offered(g)) }); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func subscribe[T any](n *Node, topic string) (*Subscription[T], error) {
	full, err := n.Resolve(topic)
	if err != nil {
		return nil, err
	}
	return &Subscription[T]{node: n, topic: full, turn: make(chan struct{}, 1)}, nil
}

// take hides the message type from the reading loop.
func take[T any, PT msgs.Of[T]](handle func(context.Context, *T, Origin)) func() (msgs.Message,
	func(context.Context, Origin)) {
	return func() (msgs.Message, func(context.Context, Origin)) {
		m := new(T)
		return PT(m), func(ctx context.Context, o Origin) { handle(ctx, m, o) }
	}
}

// listen adds a reader, of those writers that it is to mind.
func (s *Subscription[T]) listen(q QoS, kind msgs.Message,
	fresh func() (msgs.Message, func(context.Context, Origin)), minds func(wire.GUID) bool) error {
	n := s.node
	r, err := n.participant.NewReader(n.named(), rtps.ReaderConfig{
		Topic: ddsTopic(s.topic), Type: kind.DDSTypeName(), QoS: q, UserData: hashTag(kind.TypeHash())})
	if err != nil {
		return fmt.Errorf("subscription of %s: %w", s.topic, err)
	}
	s.readers = append(s.readers, r)
	e := endpoint{topic: ddsTopic(s.topic), kind: kind.DDSTypeName(), hash: kind.TypeHash(), end: r,
		close: r.Close, qos: q, passed: func() uint64 { return r.Stats().Received }}
	e.hear = func(ctx context.Context, payload []byte) {
		s.give(ctx, rtps.Sample{Payload: payload}, "rehearsal", fresh)
	}
	if !s.paired {
		e.mismatches = ofReader(r)
	}
	n.adopt(r.GUID(), e)
	n.tasks.add(func(ctx context.Context) {
		from := sources{}
		for {
			sample, err := r.Receive(ctx)
			if err != nil {
				return
			}
			writer := from.find(sample.Writer, func() source { return s.judge(sample.Writer, kind, minds) })
			if writer.minded {
				s.give(ctx, sample, writer.name, fresh)
			}
			r.Recycle(sample.Payload)
		}
	})
	return nil
}

// give has the handler take a sample, when it can be read.
func (s *Subscription[T]) give(ctx context.Context, sample rtps.Sample, from string,
	fresh func() (msgs.Message, func(context.Context, Origin))) {
	m, handle := fresh()
	if !s.decode(sample, m) {
		return
	}
	if h := s.node.context.holders()[s.topic]; h != nil {
		(*h)(m, func() { s.pass(ctx, m, Origin{from, int64(sample.SN), sample.SourceTime}, handle) })
		return
	}
	s.pass(ctx, m, Origin{from, int64(sample.SN), sample.SourceTime}, handle)
}

// pass calls the handler, one at a time.
func (s *Subscription[T]) pass(ctx context.Context, m msgs.Message, o Origin,
	handle func(context.Context, Origin)) {
	s.turn <- struct{}{}
	s.guard(o.Publisher, m, func() { handle(ctx, o) })
	<-s.turn
}

// source is a subscription's record of a writer: looked up once, not with every sample.
type source struct {
	name   string
	minded bool // it speaks our definition and is not another reader's
}

// sources are the writers that a reader has heard.
type sources map[wire.GUID]source

// maxSources bounds what writers that come and go leave behind.
const maxSources = 64

func (s sources) find(g wire.GUID, judge func() source) source {
	known, ok := s[g]
	if !ok {
		if len(s) >= maxSources {
			clear(s)
		}
		known = judge()
		s[g] = known
	}
	return known
}

// judge leaves out a writer that announced another definition under the same name: that would match and
// decode to nonsense. One that announces none is for the node's first subscription of that name.
func (s *Subscription[T]) judge(g wire.GUID, kind msgs.Message, minds func(wire.GUID) bool) source {
	as := source{g.String(), minds(g)}
	hash, ours := s.node.announcedHash(g), kind.TypeHash()
	if !as.minded || hash == ours {
		return as
	}
	taken := s.node.taken(ddsTopic(s.topic), kind.DDSTypeName())
	if hash == "" {
		as.minded = len(taken) == 0 || taken[0] == ours
		return as
	}
	if as.minded = false; !slices.Contains(taken, hash) {
		s.node.notices.warn(s.node.log, as.name, "a publisher has another definition of the type: ignored",
			"topic", s.topic, "type", kind.TypeName(), "announced", hash, "ours", ours)
	}
	return as
}

// taken are the hashes of a type that the node's subscriptions take from a topic, the oldest first.
func (n *Node) taken(topic, kind string) (hashes []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, g := range n.order {
		if e := n.own[g]; !e.writer && e.topic == topic && e.kind == kind {
			hashes = append(hashes, e.hash)
		}
	}
	return hashes
}

// offered is the quality of service of a writer.
func (n *Node) offered(g wire.GUID) QoS {
	if n.context.isOwn(g) {
		e, _ := n.context.own(g)
		return e.qos
	}
	e, _ := n.participant.Endpoint(g)
	return e.QoS
}

// decode reads a sample.
func (s *Subscription[T]) decode(sample rtps.Sample, m msgs.Message) bool {
	if err := msgs.Decode(sample.Payload, m); err != nil {
		s.node.notices.warn(s.node.log, sample.Writer.String(), "a message cannot be read: ignored", "topic",
			s.topic, "error", err)
		return false
	}
	return true
}

func (s *Subscription[T]) guard(from string, m msgs.Message, f func()) {
	defer func() {
		if p := recover(); p != nil {
			s.node.caught("the handler of topic "+s.topic, from, m, p)
		}
	}()
	f()
}

// announcedHash is the type hash that an endpoint announced; "" when it
// announced none (Humble).
func (n *Node) announcedHash(g wire.GUID) string {
	if n.context.isOwn(g) {
		e, _ := n.context.own(g)
		return e.hash
	}
	e, _ := n.participant.Endpoint(g)
	return e.Property("typehash")
}

// Publishers is the number of matched writers.
func (s *Subscription[T]) Publishers() int { return s.readers[len(s.readers)-1].Stats().Matched }

// Dropped is the number of messages that the handler was too slow for.
func (s *Subscription[T]) Dropped() uint64 { return s.readers[0].Stats().Dropped }

// Topic is the full name.
func (s *Subscription[T]) Topic() string { return s.topic }

// Close ends the subscription; a handler that runs finishes. It may be called
// more than once.
func (s *Subscription[T]) Close() error {
	var err error
	for _, r := range s.readers {
		err = errors.Join(err, s.node.release(r.GUID()))
	}
	return err
}
