package node

import (
	"context"
	"maps"

	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// mismatches counts remote endpoints on our topic and type with incompatible quality of service: they request
// more or offer less (DDS 1.4 §2.2.3). The last one is named. Beside them stand those that fit, and what was
// lost on the way to or from them.
type mismatches struct {
	count   uint64
	last    rtps.Incompatible
	matched int
	lost    uint64
}

func ofWriter(w Writer) func() mismatches {
	return func() mismatches {
		s := w.Stats()
		return mismatches{s.IncompatibleQoS, s.LastIncompatible, s.Matched, s.Overwritten}
	}
}

func ofReader(r Reader) func() mismatches {
	return func() mismatches {
		s := r.Stats()
		return mismatches{s.IncompatibleQoS, s.LastIncompatible, s.Matched, s.Dropped + s.Lost}
	}
}

// watchEndpoints tells of what changes among the endpoints, and says which
// cannot meet.
func (n *Node) watchEndpoints(ctx context.Context) {
	ends := n.participant.Watch()
	defer ends.Close()
	told := map[wire.GUID]uint64{}
	for {
		n.tellMismatches(told)
		n.context.nodes.tell()
		select {
		case <-ends.C():
		case <-ctx.Done():
			return
		}
	}
}

// tellMismatches logs new mismatches. Nothing is sent between such endpoints, and a user who waits for data
// has no other way to find out why.
func (n *Node) tellMismatches(told map[wire.GUID]uint64) {
	n.mu.Lock()
	var fresh []endpoint
	var what []mismatches
	for _, g := range n.order {
		e := n.own[g]
		if e.mismatches == nil {
			continue
		}
		if m := e.mismatches(); m.count > told[g] {
			told[g] = m.count
			fresh, what = append(fresh, e), append(what, m)
		}
	}
	n.mu.Unlock()
	for i, e := range fresh {
		name, _ := rosName(e.topic)
		text := "a publisher offers less than we request: incompatible QoS, no samples are received from it"
		if e.writer {
			text = "a subscriber requests more than we offer: incompatible QoS, no samples are sent to it"
		}
		theirs := "" // it may have left meanwhile
		if remote, found := n.participant.Endpoint(what[i].last.Remote); found {
			theirs = level(what[i].last.Policy, remote.QoS)
		}
		n.notices.warn(n.log, e.topic+" "+what[i].last.Policy+" "+what[i].last.Remote.String(), text,
			"topic", name, "policy", what[i].last.Policy, "theirs", theirs, "so_far", what[i].count)
	}
}

// level is the level of a policy in a quality of service, in ROS's words; "" when the policy's name says all.
func level(policy string, q QoS) string {
	switch {
	case policy == "reliability" && q.Reliability == rtps.Reliable:
		return "reliable"
	case policy == "reliability":
		return "best effort"
	case policy == "durability" && q.Durability == rtps.Volatile:
		return "volatile"
	case policy == "durability":
		return "transient local"
	case policy == "deadline" && q.Deadline == 0, policy == "liveliness" && q.LivelinessLease == 0:
		return "none"
	case policy == "deadline":
		return q.Deadline.String()
	case policy == "liveliness":
		return q.LivelinessLease.String()
	}
	return ""
}

// Link counts the endpoints of others that are joined with those that this process has on a topic.
type Link struct {
	Others int    // endpoints of others
	Ready  bool   // there are some, and each has shown that messages flow, where it is reliable
	Sent   uint64 // messages that publishers here have written
}

// Links are those of topics, by their full names, of all nodes of a process.
type Links struct{ of *Context }

// Links are those of the process of a node.
func (n *Node) Links() Links { return Links{n.context} }

// Published is the Link of subscriptions to a topic that the nodes publish.
func (l Links) Published(topic string) Link { return l.of.link(topic, true) }

// Subscribed is the Link of publishers of a topic that the nodes subscribe to.
func (l Links) Subscribed(topic string) Link { return l.of.link(topic, false) }

// ends are the endpoints of the context's nodes on a topic.
func (x *Context) ends(topic string, writers bool) (all []endpoint) {
	name := ddsTopic(topic)
	for _, n := range x.all() {
		n.mu.Lock()
		for _, g := range n.order {
			if e := n.own[g]; e.writer == writers && e.topic == name && e.end != nil {
				all = append(all, e)
			}
		}
		n.mu.Unlock()
	}
	return all
}

// link joins what the endpoints of a topic tell. Two readers may share one of others; it is ready when it is
// for both.
func (x *Context) link(topic string, writers bool) (l Link) {
	others := map[wire.GUID]bool{}
	l.Ready = true
	for _, e := range x.ends(topic, writers) {
		if writers && e.passed != nil {
			l.Sent += e.passed()
		}
		for _, m := range e.end.Matches() {
			if x.isOwn(m.GUID) {
				continue
			}
			l.Ready = l.Ready && m.Ready
			others[m.GUID] = true
		}
	}
	l.Others = len(others)
	l.Ready = l.Ready && l.Others > 0
	return l
}

// repeater is a Writer that can send again what readers may have lost.
type repeater interface {
	KeepNewest(on bool)
	Repeat()
}

// KeepNewest says whether the newest message of a topic is kept for Repeat.
func (l Links) KeepNewest(topic string, on bool) {
	l.of.eachRepeater(topic, func(r repeater) { r.KeepNewest(on) })
}

// Repeat sends the newest message of a topic again to subscriptions that are not reliable. Its number tells
// those who have it that it is no other. It needs KeepNewest.
func (l Links) Repeat(topic string) { l.of.eachRepeater(topic, repeater.Repeat) }

func (x *Context) eachRepeater(topic string, do func(repeater)) {
	for _, e := range x.ends(topic, true) {
		if r, ok := e.end.(repeater); ok {
			do(r)
		}
	}
}

// Holder takes a message in place of the subscriptions of its topic. Deliver gives it to the one that has got
// it, and returns when that has handled it. A Holder must not wait.
type Holder func(m msgs.Message, deliver func())

// Hold has a Holder take what comes on a topic to all subscriptions of the nodes, until release. One holds a
// topic at a time: the last.
func (l Links) Hold(topic string, h Holder) (release func()) {
	l.of.hold(topic, &h)
	return func() { l.of.unhold(topic, &h) }
}

func (x *Context) hold(topic string, h *Holder) {
	x.mu.Lock()
	defer x.mu.Unlock()
	held := maps.Clone(x.holders())
	if held == nil {
		held = map[string]*Holder{}
	}
	held[topic] = h
	x.held.Store(&held)
}

func (x *Context) unhold(topic string, h *Holder) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if held := maps.Clone(x.holders()); held[topic] == h {
		delete(held, topic)
		x.held.Store(&held)
	}
}

// holders are the topics that are held; nil: none. It is never changed.
func (x *Context) holders() map[string]*Holder {
	if held := x.held.Load(); held != nil {
		return *held
	}
	return nil
}
