package node

import (
	"cmp"
	"context"
	"fmt"

	"simdeck/ros/rosidl"
	"simdeck/ros/rtps"
)

// Offered are the topics that others publish, in the order of their names; of a topic of which there are
// several types, the first.
func (n *Node) Offered() []Topic {
	var all []Topic
	for _, w := range n.participant.Graph().Writers { // in the order of topics
		name, kind := rosName(w.Topic)
		if kind != rosTopic {
			continue
		}
		if len(all) == 0 || all[len(all)-1].Name != name {
			all = append(all, Topic{Name: name, Type: rosType(w.Type)})
		}
		t := &all[len(all)-1]
		if t.Type != rosType(w.Type) {
			continue
		}
		t.Hash = cmp.Or(t.Hash, w.Property("typehash"))
		t.Offer(w.QoS)
	}
	return all
}

// Raw hands the messages of a topic to a handler as they are serialised: whoever records needs no type.
type Raw struct {
	node   *Node
	reader Reader
}

// NewRaw subscribes a topic by the name and type that t has, and asks for as much as all of its publishers
// offer. queue messages wait for the handler at most, the oldest give way. The payload is valid during the
// call only.
func NewRaw(n *Node, t Topic, queue int, handle func(payload []byte, from Origin)) (*Raw, error) {
	q := QoS{Reliability: rtps.Reliable, Durability: rtps.TransientLocal, Depth: queue}
	for _, o := range t.QoS {
		q.Reliability, q.Durability = min(q.Reliability, o.Reliability), min(q.Durability, o.Durability)
	}
	kind := rosidl.DDSName(t.Type)
	r, err := n.participant.NewReader(n.named(), rtps.ReaderConfig{Topic: ddsTopic(t.Name),
		Type: kind, QoS: q,
		UserData: hashTag(t.Hash)})
	if err != nil {
		return nil, fmt.Errorf("subscription of %s: %w", t.Name, err)
	}
	n.adopt(r.GUID(), endpoint{topic: ddsTopic(t.Name), kind: kind, hash: t.Hash, close: r.Close,
		mismatches: ofReader(r),
		qos:        q, passed: func() uint64 { return r.Stats().Received }})
	n.tasks.add(func(ctx context.Context) {
		for {
			s, err := r.Receive(ctx)
			if err != nil {
				return
			}
			handle(s.Payload, Origin{s.Writer.String(), int64(s.SN), s.SourceTime})
			r.Recycle(s.Payload)
		}
	})
	return &Raw{n, r}, nil
}

// Dropped is the number of messages that the handler was too slow for.
func (r *Raw) Dropped() uint64 { return r.reader.Stats().Dropped }

// Publishers is the number of matched writers.
func (r *Raw) Publishers() int { return r.reader.Stats().Matched }

// Close ends the subscription; a handler that runs finishes.
func (r *Raw) Close() error { return r.node.release(r.reader.GUID()) }
