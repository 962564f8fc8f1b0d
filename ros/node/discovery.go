package node

import (
	"context"
	"sync"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// known holds the nodes that other participants have announced.
type known struct {
	mu      sync.Mutex
	of      map[wire.GUIDPrefix][]NodeEntities
	watches []*GraphWatch
}

// openDiscovery makes the writer and reader that tell which nodes these are, and
// hear of others.
func (x *Context) openDiscovery() error {
	if x.directory != nil {
		return nil
	}
	tag := hashTag(discoveryHash)
	w, err := x.participant.NewWriter(NodeName{}, rtps.WriterConfig{
		Topic: discoveryTopic, Type: discoveryType, QoS: LatchedQoS(), UserData: tag})
	if err != nil {
		return err
	}
	hear := LatchedQoS()
	hear.Depth = 0
	r, err := x.participant.NewReader(NodeName{}, rtps.ReaderConfig{
		Topic: discoveryTopic, Type: discoveryType, QoS: hear, UserData: tag})
	if err != nil {
		return err
	}
	x.info, x.heard = w, r
	return nil
}

// announceChanges publishes the complete entry after every change.
func (x *Context) announceChanges(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-x.dirty:
			x.announce()
			if len(x.all()) > 1 {
				x.nodes.tell() // the others' watches
			}
		}
	}
}

// announce writes the entry in both forms: peers whose reader announces no
// type hash are Humble's.
func (x *Context) announce() wire.SequenceNumber {
	x.saying.Lock()
	defer x.saying.Unlock()
	var nodes []NodeEntities
	for _, n := range x.all() {
		nodes = append(nodes, n.entry()...)
	}
	if x.directory != nil {
		var names []NodeName
		for _, n := range nodes {
			names = append(names, n.NodeName)
		}
		x.directory.AnnounceNodes(names)
		return 0
	}
	me := x.participant.GUID()
	sn, err := x.info.Write(appendDiscoveryInfo(nil, me, nodes, gidNow),
		rtps.WriteOptions{Untyped: appendDiscoveryInfo(nil, me, nodes, gidHumble)})
	if err != nil {
		x.log().Error("the node could not be announced", "error", err)
	}
	return sn
}

// entry is this node with its endpoints; nothing when all are gone, or before it has a name.
func (n *Node) entry() []NodeEntities {
	if !n.isNamed() {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.own) == 0 {
		return nil
	}
	me := NodeEntities{NodeName: n.named()}
	for _, g := range n.order {
		if n.own[g].writer {
			me.Writers = append(me.Writers, g)
		} else {
			me.Readers = append(me.Readers, g)
		}
	}
	return []NodeEntities{me}
}

// hearNodes keeps what other participants say.
func (x *Context) hearNodes(ctx context.Context) {
	if x.directory != nil {
		x.lookUpNodes(ctx)
		return
	}
	for {
		s, err := x.heard.Receive(ctx)
		if err != nil {
			return
		}
		if x.isOwn(s.Writer) {
			continue
		}
		e, _ := x.participant.Endpoint(s.Writer)
		of, nodes, err := parseDiscoveryInfo(s.Payload, gidLength(s.Payload, e.Property("typehash") != ""))
		switch {
		case err != nil:
			x.notices.warn(x.log(), s.Writer.String(),
				"a participant describes its nodes in a way that cannot be read",
				"participant", s.Writer.Prefix.String(), "error", err)
		case of.Prefix != s.Writer.Prefix:
			x.notices.warn(x.log(), s.Writer.String(),
				"a participant describes the nodes of another one: ignored",
				"participant", s.Writer.Prefix.String(), "described", of.String())
		default:
			x.keep(of.Prefix, nodes)
			x.nodes.tell()
		}
		x.heard.Recycle(s.Payload)
	}
}

// lookUpNodes is hearNodes with a directory.
func (x *Context) lookUpNodes(ctx context.Context) {
	w := x.participant.Watch()
	defer w.Close()
	for {
		all := x.directory.Nodes()
		x.nodes.mu.Lock()
		x.nodes.of = all
		x.nodes.mu.Unlock()
		x.nodes.tell()
		select {
		case <-w.C():
		case <-ctx.Done():
			return
		}
	}
}

// keep stores the nodes of a participant and forgets those that have left, so
// that no more are kept than the participant limit allows.
func (x *Context) keep(p wire.GUIDPrefix, nodes []NodeEntities) {
	present := map[wire.GUIDPrefix]bool{p: true}
	for _, q := range x.participant.Graph().Participants {
		present[q.GUID.Prefix] = true
	}
	x.nodes.mu.Lock()
	defer x.nodes.mu.Unlock()
	x.nodes.of[p] = nodes
	for q := range x.nodes.of {
		if !present[q] {
			delete(x.nodes.of, q)
		}
	}
}
