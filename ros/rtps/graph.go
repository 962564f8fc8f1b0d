package rtps

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"simdeck/ros/rtps/wire"
)

// Graph is a snapshot of the other participants. It does not change any more.
type Graph struct {
	Revision     uint64
	Participants []RemoteParticipant // in the order of their GUIDs
	Writers      []RemoteEndpoint    // in the order of topic and GUID
	Readers      []RemoteEndpoint
}

// RemoteParticipant is another participant.
type RemoteParticipant struct {
	GUID       wire.GUID
	Vendor     wire.VendorID
	Name       string
	UserData   []byte // "enclave=/;"
	Properties map[string]string
	Lease      time.Duration // 0 = infinite
	Address    string        // where discovery traffic for it goes
}

// Host is the name of its machine as the participant says it; "" when it does not.
func (p RemoteParticipant) Host() string {
	if name := p.Properties[hostProperty]; name != "" {
		return name
	}
	name, _, _ := strings.Cut(p.Properties[fastDDSHost], ":")
	return name
}

// RemoteEndpoint is a writer or reader of another participant.
type RemoteEndpoint struct {
	GUID        wire.GUID
	Writer      bool
	Vendor      wire.VendorID
	Topic, Type string // DDS names
	QoS         QoS
	UserData    []byte // "typehash=…;" and the like
}

// Property gives the value of a key in the user data, which ROS writes as "key=value;key=value;"; "" when it
// is not there.
func (e RemoteEndpoint) Property(key string) string {
	for part := range strings.SplitSeq(string(e.UserData), ";") {
		if k, v, ok := strings.Cut(part, "="); ok && k == key {
			return v
		}
	}
	return ""
}

// typed reports that an endpoint is not one of ROS 2 Humble. Endpoints of Humble have no type hash, and are
// of Fast DDS, Cyclone DDS or Connext. RustDDS has none either; its clients are of later distributions
// (ros2-client 0.12: Jazzy unless asked otherwise).
func (e RemoteEndpoint) typed() bool {
	return e.Property("typehash") != "" || e.Vendor == wire.VendorRustDDS
}

// Graph gives a new picture of the others.
func (c *Core) Graph() *Graph {
	g := &Graph{Revision: c.watch.revision}
	for _, p := range c.spdp.order {
		r := RemoteParticipant{GUID: p.guid, Vendor: p.vendor, Name: p.data.Name, UserData: p.data.UserData,
			Lease: p.data.Lease}
		if len(p.data.Properties) > 0 {
			r.Properties = map[string]string{}
			for _, kv := range p.data.Properties {
				r.Properties[kv.Name] = kv.Value
			}
		}
		if len(p.meta) > 0 {
			r.Address = p.meta[0].String()
		}
		g.Participants = append(g.Participants, r)
	}
	for _, e := range c.sedp.remotes {
		if e.Writer {
			g.Writers = append(g.Writers, e.RemoteEndpoint)
		} else {
			g.Readers = append(g.Readers, e.RemoteEndpoint)
		}
	}
	slices.SortFunc(g.Participants, func(a, b RemoteParticipant) int { return a.GUID.Compare(b.GUID) })
	byTopic := func(a, b RemoteEndpoint) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic),
			a.GUID.Compare(b.GUID))
	}
	slices.SortFunc(g.Writers, byTopic)
	slices.SortFunc(g.Readers, byTopic)
	return g
}

// Match is an endpoint that a local one is joined with.
type Match struct {
	GUID  wire.GUID
	Ready bool // samples flow: a reliable reader has answered, a reliable writer was heard
}

// graphWatch counts the changes of the graph and paces how watches are told of them.
type graphWatch struct {
	sched    *schedule
	revision uint64    // grows with every change of the graph
	told     time.Time // when watches were told last
	tell     task      // wakes the driver to tell them again
}

// tellPause is the least time between two notifications of watches: a reader of the graph reads all of it
// after each.
const tellPause = 5 * time.Millisecond

// mayTell tells whether watches are to be told of changes now; if not, the core wants to be called when they
// are.
func (g *graphWatch) mayTell(now time.Time) bool {
	if next := g.told.Add(tellPause); now.Before(next) {
		g.sched.by(&g.tell, next)
		return false
	}
	g.told = now
	return true
}

// changed notes a change of the graph or of a match.
func (g *graphWatch) changed() { g.revision++ }

// Watch tells that something about the graph has changed: participants, endpoints, matches, their readiness,
// incompatible qualities of service. It tells that, not what: look at Graph.
type Watch struct {
	p *Participant
	c chan struct{}
}

// Watch begins to watch.
func (p *Participant) Watch() *Watch {
	w := &Watch{p: p, c: make(chan struct{}, 1)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watches = append(p.watches, w)
	return w
}

// C gives a token after changes; many changes may give one.
func (w *Watch) C() <-chan struct{} { return w.c }

// Close ends the watch. Its channel stays open and silent.
func (w *Watch) Close() {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	w.p.watches = slices.DeleteFunc(w.p.watches, func(o *Watch) bool { return o == w })
}

func (w *Watch) signal() {
	select {
	case w.c <- struct{}{}:
	default:
	}
}
