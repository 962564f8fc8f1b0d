package rmw

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"simdeck/ros/node"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	"simdeck/ros/zenoh"
	zwire "simdeck/ros/zenoh/wire"
)

// Config is the configuration of a participant. Dialer is required.
type Config struct {
	Domain    uint32
	Enclave   string // "" = "/"
	Dialer    zenoh.Dialer
	Endpoints []string     // of routers; none: DefaultEndpoint
	Log       *slog.Logger // nil: nobody
}

// DefaultEndpoint is the router that rmw_zenoh_cpp looks for.
const DefaultEndpoint = "tcp/localhost:7447"

// Participant is a session of Zenoh as a node.Middleware. All methods are safe for concurrent use.
type Participant struct {
	domain  uint32
	enclave string
	session *zenoh.Session
	prefix  wire.GUIDPrefix

	// the fields from here on are under the lock of the session
	nodes   map[node.NodeName]*ownNode
	last    uint32 // number of the last entity
	writers map[string][]*Writer
	readers map[string][]*Reader
	lines   map[string]*line // services of ours, by key
	calls   map[uint32]*call // requests of ours to others
	history map[uint32]*Reader
	core    *zenoh.Core

	subscribed     map[string]uint32 // declarations of subscribers, by key
	serviceReaders []*Reader

	others  others
	watches []*Watch
	closed  bool
}

// ownNode is a node of this session, or one that an endpoint was made for.
type ownNode struct {
	id    uint32
	token uint32 // 0: not announced
}

// New makes a participant; it is not on the network before Run.
func New(c Config) *Participant {
	if len(c.Endpoints) == 0 {
		c.Endpoints = []string{DefaultEndpoint}
	}
	p := &Participant{domain: c.Domain, enclave: cmp.Or(c.Enclave, "/"), nodes: map[node.NodeName]*ownNode{},
		writers: map[string][]*Writer{}, readers: map[string][]*Reader{}, lines: map[string]*line{},
		subscribed: map[string]uint32{}, calls: map[uint32]*call{}, history: map[uint32]*Reader{}}
	p.others.reset()
	p.session = zenoh.NewSession(zenoh.Config{Dialer: c.Dialer, Endpoints: c.Endpoints, Log: c.Log},
		handler{p})
	p.prefix = prefixOf(p.session.ID())
	p.session.Do(func(core *zenoh.Core) {
		p.core = core
		core.Interest(zwire.OfTokens, space+"/"+domainPart(p.domain)+"/**")
		core.Interest(zwire.OfSubscribers, domainPart(p.domain)+"/**")
	})
	return p
}

// Run keeps the participant on the network until ctx ends. Writers and readers are closed when it returns.
func (p *Participant) Run(ctx context.Context) error {
	err := p.session.Run(ctx)
	p.session.Do(func(*zenoh.Core) {
		p.closed = true
		for _, all := range p.readers {
			for _, r := range all {
				r.queue.close()
			}
		}
		for _, r := range p.serviceReaders {
			r.queue.close()
		}
	})
	return err
}

// GUID names the participant.
func (p *Participant) GUID() wire.GUID {
	return wire.GUID{Prefix: p.prefix, Entity: wire.EntityParticipant}
}

// IgnoresQoS is true: over Zenoh all meet whose types are the same.
func (p *Participant) IgnoresQoS() bool { return true }

// Notices are none.
func (p *Participant) Notices() []rtps.Notice { return nil }

// Stats gives the counters of the session; batches count as packets.
func (p *Participant) Stats() (s rtps.Stats) {
	p.session.Do(func(core *zenoh.Core) {
		z := core.Stats()
		s.Traffic = rtps.Traffic{PacketsIn: z.BatchesIn, BytesIn: z.BytesIn, PacketsOut: z.BatchesOut,
			BytesOut: z.BytesOut}
		s.Refused, s.Malformed, s.Dropped = z.Refused, z.Malformed, z.Dropped
	})
	return s
}

// entity gives a new entity of one of our nodes a number.
func (p *Participant) entity(kind Kind, of node.NodeName) Entity {
	p.last++
	return Entity{Domain: p.domain, Session: p.session.ID(), Node: p.node(of).id, ID: p.last, Kind: kind,
		Enclave: p.enclave, Of: of}
}

func (p *Participant) node(of node.NodeName) *ownNode {
	n := p.nodes[of]
	if n == nil {
		p.last++
		n = &ownNode{id: p.last}
		p.nodes[of] = n
	}
	return n
}

// AnnounceNodes says which nodes stand on the graph now.
func (p *Participant) AnnounceNodes(all []node.NodeName) {
	p.session.Do(func(core *zenoh.Core) {
		stay := map[node.NodeName]bool{}
		for _, of := range all {
			stay[of] = true
			if n := p.node(of); n.token == 0 {
				e := Entity{Domain: p.domain, Session: p.session.ID(), Node: n.id, ID: n.id, Kind: Node,
					Enclave: p.enclave, Of: of}
				n.token = core.Declare(zwire.DeclareToken, e.Token(), false)
			}
		}
		for of, n := range p.nodes {
			if !stay[of] && n.token != 0 {
				core.Undeclare(n.token)
				delete(p.nodes, of)
			}
		}
	})
}

// Watch tells of changes of the graph.
type Watch struct {
	p *Participant
	c chan struct{}
}

// Watch begins to watch.
func (p *Participant) Watch() node.Watch {
	w := &Watch{p, make(chan struct{}, 1)}
	p.session.Do(func(*zenoh.Core) { p.watches = append(p.watches, w) })
	return w
}

// C gives a token after changes; many changes may give one.
func (w *Watch) C() <-chan struct{} { return w.c }

// Close ends the watch.
func (w *Watch) Close() {
	w.p.session.Do(func(*zenoh.Core) {
		for i, o := range w.p.watches {
			if o == w {
				w.p.watches = append(w.p.watches[:i:i], w.p.watches[i+1:]...)
				return
			}
		}
	})
}

// tell says that the graph has changed.
func (p *Participant) tell() {
	for _, w := range p.watches {
		select {
		case w.c <- struct{}{}:
		default:
		}
	}
}

// handler hides what the session calls from users of the participant.
type handler struct{ *Participant }

func (h handler) Up() {
	for _, all := range h.readers {
		for _, r := range all {
			r.recall("")
		}
	}
	h.tell()
}

func (h handler) Down() {
	h.others.reset()
	for _, l := range h.lines {
		l.server.forget()
	}
	clear(h.calls) // clients see that the servers have left
	for id, r := range h.history {
		delete(h.history, id)
		r.recalled()
	}
	h.tell()
}

func (h handler) Value(key string, v *zwire.Value) {
	if v.Deleted {
		return
	}
	for _, r := range h.readers[key] {
		r.take(v)
	}
}

func (h handler) Token(token string, there bool) {
	e, err := ParseToken(token)
	if err != nil || e.Domain != h.domain || e.Session == h.session.ID() {
		return // our own come back
	}
	if !there {
		h.others.remove(token)
	} else if h.others.add(token, &e) && e.Kind == Publisher && e.QoS.Durability != rtps.Volatile {
		for _, r := range h.readers[e.Key()] {
			r.recall(e.Session.String())
		}
	}
	h.tell()
}

func (h handler) Subscriber(expression string, there bool) {
	h.others.subscribe(expression, there)
	h.tell()
}

// now is the clock of attachments and caches.
func now() time.Time { return time.Now() }
