package node

import (
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	"slices"
	"strings"
)

// Graph is the known state of the ROS graph, this node included. It is the caller's.
type Graph struct {
	Participants int      // others
	Nodes        []string // full names, in order; a name stands there as often as there are nodes of it
	Topics       []Named  // by name
	Services     []Named  // by name
}

// Named is a topic or service with those who take part.
type Named struct {
	Name        string
	Types       []string // "std_msgs/msg/String", in order; several when the parties disagree
	Publishers  int      // of a service: its servers
	Subscribers int      // of a service: its clients
	// of a topic's publishers, where there are none of its subscribers, in words; several when they differ
	QoS []string
	Own bool // this node takes part
	// messages that this node's publishers of the topic have written and its subscriptions have got
	Passed uint64
}

// Graph looks at the graph as it is now.
func (n *Node) Graph() Graph {
	remote := n.participant.Graph()
	g := Graph{Participants: len(remote.Participants)}
	n.context.nodes.mu.Lock()
	for _, p := range remote.Participants {
		for _, e := range n.context.nodes.of[p.GUID.Prefix] {
			g.Nodes = append(g.Nodes, Join(e.Namespace, e.Name))
		}
	}
	n.context.nodes.mu.Unlock()

	var all census
	for _, e := range remote.Writers {
		all.count(e.Topic, e.Type, true).with(e.QoS, true)
	}
	for _, e := range remote.Readers {
		all.count(e.Topic, e.Type, false).with(e.QoS, false)
	}
	for _, m := range n.context.all() {
		if m.isNamed() {
			g.Nodes = append(g.Nodes, m.FullName())
		}
		for _, e := range m.endpoints() { // the counts take the participant's lock
			named := all.count(e.topic, e.kind, e.writer).with(e.qos, e.writer)
			if m == n {
				named.ours(e.passed)
			}
		}
	}
	slices.Sort(g.Nodes)
	g.Topics, g.Services = sorted(all.topics), sorted(all.services)
	return g
}

// Complete reports that every other participant has announced its nodes, and that all their publishers,
// subscriptions and services are known. A newcomer receives these in any order. Participants that are no ROS
// nodes never say so.
func (n *Node) Complete() bool {
	remote := n.participant.Graph()
	known := map[wire.GUID]bool{}
	for _, list := range [...][]rtps.RemoteEndpoint{remote.Writers, remote.Readers} {
		for _, e := range list {
			known[e.GUID] = true
		}
	}
	n.context.nodes.mu.Lock()
	defer n.context.nodes.mu.Unlock()
	for _, p := range remote.Participants {
		nodes := n.context.nodes.of[p.GUID.Prefix]
		if len(nodes) == 0 {
			return false
		}
		for _, e := range nodes {
			for _, g := range slices.Concat(e.Writers, e.Readers) {
				if !known[g] {
					return false
				}
			}
		}
	}
	return true
}

// endpoints are those of this node, as they were made.
func (n *Node) endpoints() (all []endpoint) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, id := range n.order {
		all = append(all, n.own[id])
	}
	return all
}

// Publishers are those of topics that others have on the graph now, as Origin names them. Topics are whole
// names.
func (n *Node) Publishers(topics ...string) map[string]bool {
	all := map[string]bool{}
	for _, w := range n.participant.Graph().Writers {
		for _, t := range topics {
			if w.Topic == ddsTopic(t) {
				all[w.GUID.String()] = true
			}
		}
	}
	return all
}

// PublishedTypes are the types in which others on the graph publish, in order, by the whole name of the
// topic: "/tf" has "tf2_msgs/msg/TFMessage".
func (n *Node) PublishedTypes() map[string][]string {
	all := map[string][]string{}
	for _, w := range n.participant.Graph().Writers {
		name, kind := rosName(w.Topic)
		if t := rosType(w.Type); kind == rosTopic && !slices.Contains(all[name], t) {
			all[name] = append(all[name], t)
		}
	}
	for _, types := range all {
		slices.Sort(types)
	}
	return all
}

// Own counts this node's publishers, subscriptions and services, those left
// out that ros2 hides: the parts of actions.
func (n *Node) Own() (publishers, subscriptions, services int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range n.own {
		switch name, kind := rosName(e.topic); {
		case hidden(name):
		case kind == rosTopic && e.writer:
			publishers++
		case kind == rosTopic:
			subscriptions++
		case kind == rosRequest && !e.writer:
			services++
		}
	}
	return publishers, subscriptions, services
}

// Peers returns the number of other participants, and that of their nodes.
func (n *Node) Peers() (participants, nodes int) {
	present := n.participant.Graph().Participants
	n.context.nodes.mu.Lock()
	defer n.context.nodes.mu.Unlock()
	for _, p := range present {
		nodes += len(n.context.nodes.of[p.GUID.Prefix])
	}
	return len(present), nodes
}

// census counts endpoints by name.
type census struct{ topics, services map[string]*Named }

// count takes an endpoint in and gives what it is counted under; nil when it
// is no topic's or service's.
func (c *census) count(dds, kind string, writer bool) *Named {
	name, as := rosName(dds)
	into := &c.services
	switch as {
	case notROS:
		return nil
	case rosTopic:
		into = &c.topics
	}
	if *into == nil {
		*into = map[string]*Named{}
	}
	e := (*into)[name]
	if e == nil {
		e = &Named{Name: name}
		(*into)[name] = e
	}
	if t := rosType(kind); !slices.Contains(e.Types, t) {
		e.Types = append(e.Types, t)
		slices.Sort(e.Types)
	}
	// A service is counted once per party, by its request endpoint.
	switch {
	case as == rosReply:
	case writer == (as == rosTopic):
		e.Publishers++
	default:
		e.Subscribers++
	}
	return e
}

// with keeps an endpoint's quality of service: what publishers offer counts,
// and only where there are none what subscribers ask for.
func (e *Named) with(q QoS, writer bool) *Named {
	switch {
	case e == nil:
		return nil
	case writer && e.Publishers == 1:
		e.QoS = nil // the first that offers
	case !writer && e.Publishers > 0:
		return e
	}
	if text := q.String(); !slices.Contains(e.QoS, text) {
		e.QoS = append(e.QoS, text)
		slices.Sort(e.QoS)
	}
	return e
}

// ours says that this node takes part; passed, which may be nil, counts.
func (e *Named) ours(passed func() uint64) {
	if e == nil {
		return
	}
	e.Own = true
	if passed != nil {
		e.Passed += passed()
	}
}

func sorted(m map[string]*Named) []Named {
	var list []Named
	for _, e := range m {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b Named) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// GraphWatch tells that what Graph and Servers say has changed, the names of
// nodes included.
type GraphWatch struct {
	node *Node
	c    chan struct{}
}

// Watch watches the graph until Close. Several watches are independent.
func (n *Node) Watch() *GraphWatch {
	w := &GraphWatch{node: n, c: make(chan struct{}, 1)}
	n.context.nodes.mu.Lock()
	defer n.context.nodes.mu.Unlock()
	n.context.nodes.watches = append(n.context.nodes.watches, w)
	return w
}

// C has a token after any number of changes.
func (w *GraphWatch) C() <-chan struct{} { return w.c }

// Close ends the watch; its channel stays open and silent. It may be called
// more than once.
func (w *GraphWatch) Close() {
	n := w.node
	n.context.nodes.mu.Lock()
	defer n.context.nodes.mu.Unlock()
	n.context.nodes.watches = slices.DeleteFunc(n.context.nodes.watches,
		func(o *GraphWatch) bool { return o == w })
}

// tell gives every watch its token.
func (k *known) tell() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, w := range k.watches {
		select {
		case w.c <- struct{}{}:
		default:
		}
	}
}
