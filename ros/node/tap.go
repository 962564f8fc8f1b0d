package node

import (
	"slices"
	"sync"
	"time"

	"simdeck/ros/rtps/wire"
)

// Topic is a topic with the type and quality of service of its publishers.
type Topic struct {
	Name string // full
	Type string // "geometry_msgs/msg/Twist"
	Hash string // RIHS01 of the type; "" when nobody announces one (Humble)
	QoS  []QoS  // that are offered
	// Time is the simulated time of the message that is being published; nil, or false: not known
	Time func() (time.Duration, bool)
}

// Offer adds qualities of service that publishers of the topic have, each once. A QoS that was there before
// stays as it is, for who holds it.
func (t *Topic) Offer(more ...QoS) {
	for _, q := range more {
		if !slices.ContainsFunc(t.QoS, func(o QoS) bool { return o.String() == q.String() }) {
			t.QoS = append(slices.Clip(t.QoS), q)
		}
	}
}

// Hidden reports whether tools leave the topic out unless they are asked: a part of its name begins with _.
func (t Topic) Hidden() bool { return hidden(t.Name) }

// Tap is called for every publisher of a node. It receives the wanted publishers' messages as serialized: an
// encapsulation header and CDR, valid during the call only. It counts as a subscriber. It first gets the
// messages that a publisher keeps for late subscribers. Neither function may wait, log on the node or
// publish; both are called by many goroutines.
type Tap func(Topic) (take func(payload []byte))

// Tap hands what the node publishes, now and in future, to t, in place of who tapped before, until leave. No
// call is under way any more when leave returns.
func (n *Node) Tap(t Tap) (leave func()) {
	turn := n.taps.set(t, 0)
	return func() { n.taps.set(nil, turn) }
}

// taps are the publishers of a node.
type taps struct {
	mu    sync.Mutex
	tap   Tap // nil: nobody
	turn  int // counts who has tapped
	all   map[wire.GUID]tapped
	order []wire.GUID
}

// tapped is a publisher that can be tapped.
type tapped struct {
	publisher *publisher
	topic     Topic
}

// set lets somebody tap and gives the number of the turn; with such a number it does so only while that turn
// lasts.
func (t *taps) set(tap Tap, turn int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if turn != 0 && turn != t.turn {
		return t.turn
	}
	t.tap = tap
	t.turn++
	for _, g := range t.order {
		t.all[g].connect(tap)
	}
	return t.turn
}

func (t *taps) add(g wire.GUID, p tapped) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[wire.GUID]tapped{}
	}
	t.all[g] = p
	t.order = append(t.order, g)
	if t.tap != nil {
		p.connect(t.tap)
	}
}

func (t *taps) remove(g wire.GUID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p, ok := t.all[g]
	if !ok {
		return
	}
	delete(t.all, g)
	for i := range t.order {
		if t.order[i] == g {
			t.order = append(t.order[:i:i], t.order[i+1:]...)
			break
		}
	}
	p.connect(nil)
}

// connect gives a publisher's messages to a tap, what it keeps first.
func (p tapped) connect(tap Tap) {
	p.publisher.mu.Lock()
	defer p.publisher.mu.Unlock()
	p.publisher.tap = nil
	if tap != nil {
		p.publisher.tap = tap(p.topic)
	}
	p.publisher.heard.Store(p.publisher.tap != nil)
	if p.publisher.tap == nil {
		return
	}
	for _, payload := range p.publisher.writer.Kept() {
		p.publisher.tap(payload)
	}
}
