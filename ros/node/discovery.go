package node

import (
	"context"
	"sync"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// known is what the other participants say of their nodes.
type known struct {
	mu      sync.Mutex
	of      map[wire.GUIDPrefix][]nodeEntities
	watches []*GraphWatch
}

// openDiscovery makes the writer and reader that tell which node this is, and
// hear of others.
func (n *Node) openDiscovery() error {
	tag := hashTag(discoveryHash)
	w, err := n.participant.NewWriter(rtps.WriterConfig{
		Topic: discoveryTopic, Type: discoveryType, QoS: LatchedQoS(), UserData: tag})
	if err != nil {
		return err
	}
	hear := LatchedQoS()
	hear.Depth = 0
	r, err := n.participant.NewReader(rtps.ReaderConfig{
		Topic: discoveryTopic, Type: discoveryType, QoS: hear, UserData: tag})
	if err != nil {
		return err
	}
	n.info = w
	n.changed()
	n.tasks.add(func(ctx context.Context) { n.announceChanges(ctx) })
	n.tasks.add(func(ctx context.Context) { n.hearNodes(ctx, r) })
	n.tasks.add(n.watchEndpoints)
	return nil
}

// announceChanges publishes the complete entry after every change.
func (n *Node) announceChanges(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.dirty:
			n.announce()
		}
	}
}

// announce writes the entry in both forms: peers whose reader announces no
// type hash are Humble's.
func (n *Node) announce() wire.SequenceNumber {
	nodes := n.entry()
	me := n.participant.GUID()
	sn, err := n.info.Write(appendDiscoveryInfo(nil, me, nodes, gidNow),
		rtps.WriteOptions{Untyped: appendDiscoveryInfo(nil, me, nodes, gidHumble)})
	if err != nil {
		n.log.Error("the node could not be announced", "error", err)
	}
	return sn
}

// entry is this node with its endpoints; nothing when all are gone.
func (n *Node) entry() []nodeEntities {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.own) == 0 {
		return nil
	}
	me := nodeEntities{namespace: n.ns, name: n.name}
	for _, g := range n.order {
		if n.own[g].writer {
			me.writers = append(me.writers, g)
		} else {
			me.readers = append(me.readers, g)
		}
	}
	return []nodeEntities{me}
}

// hearNodes keeps what other participants say.
func (n *Node) hearNodes(ctx context.Context, r *rtps.Reader) {
	for {
		s, err := r.Receive(ctx)
		if err != nil {
			return
		}
		if n.isOwn(s.Writer) {
			continue
		}
		e, _ := n.participant.Endpoint(s.Writer)
		of, nodes, err := parseDiscoveryInfo(s.Payload, gidLength(s.Payload, e.Property("typehash") != ""))
		switch {
		case err != nil:
			n.notices.warn(n.log, s.Writer.String(), "a participant describes its nodes in a way that cannot be read",
				"participant", s.Writer.Prefix.String(), "error", err)
		case of.Prefix != s.Writer.Prefix:
			n.notices.warn(n.log, s.Writer.String(), "a participant describes the nodes of another one: ignored",
				"participant", s.Writer.Prefix.String(), "described", of.String())
		default:
			n.keep(of.Prefix, nodes)
			n.nodes.tell()
		}
		r.Recycle(s.Payload)
	}
}

// keep stores the nodes of a participant and forgets those that have left, so
// that no more are kept than the participant limit allows.
func (n *Node) keep(p wire.GUIDPrefix, nodes []nodeEntities) {
	present := map[wire.GUIDPrefix]bool{p: true}
	for _, q := range n.participant.Graph().Participants {
		present[q.GUID.Prefix] = true
	}
	n.nodes.mu.Lock()
	defer n.nodes.mu.Unlock()
	n.nodes.of[p] = nodes
	for q := range n.nodes.of {
		if !present[q] {
			delete(n.nodes.of, q)
		}
	}
}
