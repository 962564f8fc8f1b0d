package rmw

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"simdeck/ros/node"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	"simdeck/ros/zenoh"
	zwire "simdeck/ros/zenoh/wire"
)

// ErrSeveral says that a service has several servers: over Zenoh a request would go to each of them.
var ErrSeveral = errors.New("rmw_zenoh: a request cannot be sent to one of several servers")

// requestMayTake is the time for which routers wait for a reply.
const requestMayTake = 24 * time.Hour

// server is a service of ours.
type server struct {
	p        *Participant
	requests *Reader
	guid     wire.GUID // of the reply writer
	lines    []*line
	waiting  map[wire.SampleIdentity]*question // by reply reader and number
	written  uint64
	closed   bool
	unknown  uint32 // counts callers that give no attachment
}

// line is a definition that a server speaks.
type line struct {
	server   *server
	entity   Entity
	key      string
	types    node.ServiceTypes
	declared []uint32
}

// question is a request that is being answered.
type question struct {
	line       *line
	id         uint32 // of the query; 0: of a client in this session
	own        *call
	attachment []byte
}

// serviceEntity is an entity of a service.
func (p *Participant) serviceEntity(kind Kind, of node.NodeName, name string, t node.ServiceTypes,
	q rtps.QoS) Entity {
	e := p.entity(kind, of)
	e.describe(name, strings.TrimSuffix(t.Request.DDSTypeName(), "Request_"), t.Hash, q)
	return e
}

// NewServer makes the ends of a server: the reader of its requests, and the writer of its replies. It answers
// on a key for each of its definitions.
func (p *Participant) NewServer(of node.NodeName, c node.ServiceConfig) (node.Reader, node.Writer, error) {
	s := &server{p: p, waiting: map[wire.SampleIdentity]*question{}}
	err := rtps.ErrClosed
	p.session.Do(func(core *zenoh.Core) {
		if p.closed {
			return
		}
		for _, t := range c.Types {
			l := &line{server: s, entity: p.serviceEntity(Service, of, c.Name, t, c.QoS), types: t}
			if l.key = l.entity.Key(); p.lines[l.key] != nil {
				err = fmt.Errorf("rmw_zenoh: this participant has a server of %s already, want one", c.Name)
				return
			}
			s.lines = append(s.lines, l)
		}
		err = nil
		for _, l := range s.lines {
			p.lines[l.key] = l
			l.declared = []uint32{core.Declare(zwire.DeclareQueryable, l.key, true),
				core.Declare(zwire.DeclareToken, l.entity.Token(), false)}
		}
		first := &s.lines[0].entity
		s.guid = first.guid(writerKind)
		s.requests = &Reader{p: p, entity: *first, guid: first.guid(readerKind), queue: newQueue(c.Queue),
			match: s.clients, leave: func() { s.leave(core) }}
		p.serviceReaders = append(p.serviceReaders, s.requests)
		p.tell()
	})
	if err != nil {
		return nil, nil, err
	}
	return s.requests, replies{s}, nil
}

// clients are the request writers that are known.
func (s *server) clients() (all []rtps.Match) {
	for _, l := range s.lines {
		all = append(all, s.p.others.matches(l.key, Client, writerKind)...)
	}
	return all
}

func (s *server) leave(core *zenoh.Core) {
	if s.closed {
		return
	}
	s.closed = true
	for _, l := range s.lines {
		delete(s.p.lines, l.key)
		for _, id := range l.declared {
			core.Undeclare(id)
		}
	}
	for at, q := range s.waiting {
		delete(s.waiting, at)
		if q.id != 0 {
			core.Finish(q.id)
		}
	}
	s.p.tell()
}

// forget gives up the questions of other sessions.
func (s *server) forget() {
	for at, q := range s.waiting {
		if q.id != 0 {
			delete(s.waiting, at)
		}
	}
}

// ask hands a request to the service; false when the same is being answered.
func (s *server) ask(q *question, from wire.GUID, number int64, at time.Time, payload []byte) bool {
	reader := wire.GUID{Prefix: from.Prefix, Entity: from.Entity&^0xff | readerKind}
	id := wire.SampleIdentity{Writer: reader, SN: wire.SequenceNumber(number)}
	sample := rtps.Sample{Writer: from, SN: id.SN, SourceTime: at, Received: now(),
		Related: wire.SampleIdentity{Writer: reader}, Payload: append([]byte(nil), payload...)}
	if s.waiting[id] != nil || s.closed {
		return false
	}
	s.waiting[id] = q
	s.requests.queue.push(sample)
	return true
}

// caller describes an end of who has a question under way, with the hash of the definition on whose key it
// was asked.
func (s *server) caller(g wire.GUID) (e rtps.RemoteEndpoint, ok bool) {
	for at, q := range s.waiting {
		if at.Writer.Prefix != g.Prefix || at.Writer.Entity&^0xff != g.Entity&^0xff {
			continue
		}
		t := q.line.types
		if g.Entity.IsWriter() {
			return rtps.RemoteEndpoint{GUID: g, Writer: true, Vendor: wire.VendorSimdeck,
				Topic: "rq" + q.line.entity.Topic + "Request", Type: t.Request.DDSTypeName(),
				UserData: []byte("typehash=" + t.Request.TypeHash() + ";")}, true
		}
		return rtps.RemoteEndpoint{GUID: g, Vendor: wire.VendorSimdeck,
			Topic: "rr" + q.line.entity.Topic + "Reply", Type: t.Response.DDSTypeName(),
			UserData: []byte("typehash=" + t.Response.TypeHash() + ";")}, true
	}
	return e, false
}

// replies is the writer of a server's replies.
type replies struct{ *server }

func (w replies) GUID() wire.GUID { return w.guid }

func (w replies) Buffer(octets int) []byte { return make([]byte, 0, max(0, octets)) }

// Write answers the question that o.Related names.
func (w replies) Write(payload []byte, o rtps.WriteOptions) (sn wire.SequenceNumber, err error) {
	w.p.session.Do(func(core *zenoh.Core) {
		if w.closed || w.p.closed {
			err = rtps.ErrClosed
			return
		}
		w.written++
		sn = wire.SequenceNumber(w.written)
		if o.Related == nil {
			return
		}
		q := w.waiting[*o.Related]
		if q == nil {
			return // its caller has left
		}
		delete(w.waiting, *o.Related)
		if q.own != nil {
			q.own.answer(w.guid, payload)
			return
		}
		core.Reply(q.id, q.line.key, &zwire.Value{Payload: payload, Attachment: q.attachment})
		core.Finish(q.id)
	})
	return sn, err
}

// Matches are the readers of who has a question under way, and of the clients that are known.
func (w replies) Matches() (all []rtps.Match) {
	w.p.session.Do(func(*zenoh.Core) {
		seen := map[wire.GUID]bool{}
		for at := range w.waiting {
			if g := at.Writer; !seen[g] {
				seen[g] = true
				all = append(all, rtps.Match{GUID: g, Ready: true})
			}
		}
		for _, l := range w.lines {
			for _, m := range w.p.others.matches(l.key, Client, readerKind) {
				if !seen[m.GUID] {
					all = append(all, m)
				}
			}
		}
	})
	return all
}

func (w replies) Acked(wire.SequenceNumber) (done bool) {
	w.p.session.Do(func(core *zenoh.Core) { done = core.Idle() })
	return done
}

func (w replies) Stats() (s rtps.WriterStats) {
	s.Matched = len(w.Matches())
	w.p.session.Do(func(*zenoh.Core) { s.Written = w.written })
	return s
}

func (w replies) Kept() [][]byte { return nil }

func (w replies) Close() error {
	w.p.session.Do(func(core *zenoh.Core) { w.leave(core) })
	return nil
}

// client is a client of ours.
type client struct {
	p       *Participant
	entity  Entity
	key     string
	gid     GID
	guid    wire.GUID // of the request writer
	replies *Reader
	token   uint32
	number  int64
	closed  bool
}

// call is a request of ours that is not answered.
type call struct {
	client *client
	number int64
	server wire.GUIDPrefix
}

// answer hands a reply to the client.
func (c *call) answer(from wire.GUID, payload []byte) {
	c.client.replies.queue.push(rtps.Sample{Writer: from, Received: now(),
		Related: wire.SampleIdentity{Writer: c.client.guid, SN: wire.SequenceNumber(c.number)},
		Payload: append([]byte(nil), payload...)})
}

// NewClient makes the ends of a client: the writer of its requests, and the reader of the replies.
func (p *Participant) NewClient(of node.NodeName, sc node.ServiceConfig) (node.Writer, node.Reader, error) {
	c := &client{p: p}
	err := rtps.ErrClosed
	p.session.Do(func(core *zenoh.Core) {
		if p.closed {
			return
		}
		err = nil
		c.entity = p.serviceEntity(Client, of, sc.Name, sc.Types[0], sc.QoS)
		token := c.entity.Token()
		c.key, c.gid, c.guid = c.entity.Key(), gidOf(token), c.entity.guid(writerKind)
		c.token = core.Declare(zwire.DeclareToken, token, false)
		c.replies = &Reader{p: p, entity: c.entity, guid: c.entity.guid(readerKind),
			queue: newQueue(sc.Queue),
			match: func() []rtps.Match { return c.servers(writerKind) }, leave: func() { c.leave(core) }}
		p.serviceReaders = append(p.serviceReaders, c.replies)
		p.tell()
	})
	if err != nil {
		return nil, nil, err
	}
	return requests{c}, c.replies, nil
}

// servers are the ends of the servers of the client's definition.
func (c *client) servers(kind wire.EntityID) []rtps.Match {
	all := c.p.others.matches(c.key, Service, kind)
	if l := c.p.lines[c.key]; l != nil {
		g := l.server.guid
		g.Entity = g.Entity&^0xff | kind
		all = append(all, rtps.Match{GUID: g, Ready: true})
	}
	return all
}

func (c *client) leave(core *zenoh.Core) {
	if c.closed {
		return
	}
	c.closed = true
	core.Undeclare(c.token)
	for id, o := range c.p.calls {
		if o.client == c {
			delete(c.p.calls, id)
		}
	}
	c.p.tell()
}

// requests is the writer of a client's requests.
type requests struct{ *client }

func (w requests) GUID() wire.GUID { return w.guid }

func (w requests) Buffer(octets int) []byte { return make([]byte, 0, max(0, octets)) }

// Write sends a request to the server of the participant o.To. Errors: ErrSeveral, rtps.ErrClosed.
func (w requests) Write(payload []byte, o rtps.WriteOptions) (sn wire.SequenceNumber, err error) {
	w.p.session.Do(func(core *zenoh.Core) { sn, err = w.write(core, payload, o.To) })
	return sn, err
}

func (w requests) write(core *zenoh.Core, payload []byte, to *wire.GUIDPrefix) (wire.SequenceNumber, error) {
	if w.closed || w.p.closed {
		return 0, rtps.ErrClosed
	}
	servers := w.servers(readerKind)
	if len(servers) > 1 { // Zenoh addresses keys, not servers
		return 0, fmt.Errorf("%w: %s has %d", ErrSeveral, w.entity.Topic, len(servers))
	}
	w.number++
	c := &call{client: w.client, number: w.number}
	if to != nil {
		c.server = *to
	}
	if l := w.p.lines[w.key]; l != nil {
		l.server.ask(&question{line: l, own: c}, w.guid, w.number, now(), payload)
		return wire.SequenceNumber(w.number), nil
	}
	id, ok := core.Ask(zwire.Request{Key: zwire.Key(w.key), QoS: zwire.Data | zwire.Block,
		Target: zwire.AllComplete, Timeout: requestMayTake, Consolidation: zwire.NotConsolidated,
		HasBody: true,
		Payload: payload, Attachment: attachment{w.number, now(), w.gid}.append(nil)})
	if ok {
		w.p.calls[id] = c
	}
	return wire.SequenceNumber(w.number), nil // lost where there is no router: the caller's patience decides
}

func (w requests) Matches() (all []rtps.Match) {
	w.p.session.Do(func(*zenoh.Core) { all = w.servers(readerKind) })
	return all
}

func (w requests) Acked(wire.SequenceNumber) bool { return true }

func (w requests) Stats() (s rtps.WriterStats) {
	s.Matched = len(w.Matches())
	w.p.session.Do(func(*zenoh.Core) { s.Written = uint64(w.number) })
	return s
}

func (w requests) Kept() [][]byte { return nil }

func (w requests) Close() error {
	w.p.session.Do(func(core *zenoh.Core) { w.leave(core) })
	return nil
}

// Query takes a query of another session: a request to a service, or for what a writer keeps.
func (h handler) Query(q zenoh.Query) {
	if l := h.lines[q.Key]; l != nil {
		s := l.server
		a, ok := parseAttachment(q.Attachment)
		from := h.others.sender(a.gid, l.types.Request.TypeHash())
		if !ok { // no ROS node: each of its questions counts as another caller's
			s.unknown++
			from = wire.GUID{Prefix: wire.GUIDPrefix{0xff}, Entity: wire.EntityID(s.unknown)<<8 | writerKind}
			a = attachment{number: 1, time: now(), gid: GID{0xff}}
		}
		one := &question{line: l, id: q.ID, attachment: a.append(nil)}
		if !s.ask(one, from, a.number, a.time, q.Payload) {
			h.core.Finish(q.ID)
		}
		return
	}
	for _, all := range h.writers {
		for _, w := range all {
			if w.cache != "" && zenoh.Matches(q.Key, w.cache) {
				w.answer(h.core, q)
			}
		}
	}
	h.core.Finish(q.ID)
}

// Answer takes a reply to one of our requests, or what a writer keeps.
func (h handler) Answer(id uint32, _ zwire.ID, _ string, failed bool, v *zwire.Value) {
	if failed || v.Deleted {
		return
	}
	if r := h.history[id]; r != nil {
		r.give(r.sample(v))
		return
	}
	c := h.calls[id]
	if c == nil {
		return
	}
	delete(h.calls, id) // the first reply counts
	c.answer(wire.GUID{Prefix: c.server, Entity: writerKind}, v.Payload)
}

// Answered ends that.
func (h handler) Answered(id uint32) {
	if r := h.history[id]; r != nil {
		delete(h.history, id)
		r.recalled()
	}
	delete(h.calls, id)
}
