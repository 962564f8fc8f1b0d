package rtps

import (
	"reflect"
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// maxEndpointData bounds what one endpoint may say of itself: we keep it.
	maxEndpointData = 32 << 10
	// maxMatches bounds the endpoints of one participant that one of ours is matched with. A process may well
	// hold hundreds of nodes, each with a reader of /clock.
	maxMatches = 512
)

// endpointDiscovery is the Simple Endpoint Discovery Protocol (RTPS 2.2 §8.5.4): it announces the endpoints
// of this participant and matches them with those of others.
type endpointDiscovery struct {
	core    *Core
	builtin builtin
	remotes map[wire.GUID]*remoteEndpoint
	known   int // octets of endpoint data of all participants
}

// onEndpoint takes in an SEDP sample: an endpoint of a peer is new, has changed or is gone (RTPS 2.2 §8.5.4).
func (s *endpointDiscovery) onEndpoint(w *writerProxy, a *arrival, writer bool) {
	if a.qos.Status&(wire.StatusDisposed|wire.StatusUnregistered) != 0 || a.content == wire.ContentKey {
		g := a.qos.KeyHash.GUID()
		if len(a.payload) > 0 {
			k, _, err := wire.ParseKey(a.payload)
			if err != nil {
				s.core.stats.Malformed++
				return
			}
			g = k.GUID
		}
		if e := s.remotes[g]; e != nil && e.peer == w.peer && e.Writer == writer {
			s.dropEndpoint(e)
		}
		return
	}
	if len(a.payload) > maxEndpointData {
		s.core.stats.Refused++
		return
	}
	d, _, err := wire.ParseEndpointData(a.payload, writer)
	if err != nil {
		s.core.stats.Malformed++
		return
	}
	if d.GUID.Prefix != w.peer.guid.Prefix || d.GUID.Entity.IsBuiltin() ||
		writer != d.GUID.Entity.IsWriter() ||
		!writer && !d.GUID.Entity.IsReader() {
		s.core.stats.Refused++
		return
	}
	s.learn(w.peer, d, writer, a.now)
}

// learn takes over what a peer says of one of its endpoints.
func (s *endpointDiscovery) learn(p *peer, d wire.EndpointData, writer bool, now time.Time) {
	e := &remoteEndpoint{peer: p, data: d,
		RemoteEndpoint: RemoteEndpoint{GUID: d.GUID, Writer: writer, Vendor: p.vendor,
			Topic: d.Topic, Type: d.Type, QoS: qosFromWire(d.QoS), UserData: d.UserData}}
	if len(d.Unicast) > s.core.cfg.Limits.Locators {
		e.data.Unicast = d.Unicast[:s.core.cfg.Limits.Locators]
	}
	old := s.remotes[d.GUID]
	switch {
	case old != nil && reflect.DeepEqual(old.data, e.data):
		return
	case old != nil && old.differsInAddresses(e):
		s.moveEndpoint(old, e)
		return
	case old != nil:
		s.dropEndpoint(old)
	}
	size, most := e.size(), s.core.cfg.Limits.Discovery
	switch {
	case len(p.endpoints) >= s.core.cfg.Limits.Endpoints:
		s.core.notices.refuse(p, p.from, s.core.cfg.Limits.Endpoints,
			"readers and writers of one participant", "", now)
		return
	case p.budget.known+size > most/4:
		s.core.notices.refuse(p, p.from, most/4,
			"octets of what one participant says of its readers and writers", "", now)
		return
	case s.known+size > most:
		s.core.notices.refuse(p, p.from, most,
			"octets of what all participants say of their readers and writers", "", now)
		return
	}
	s.charge(p, size)
	p.endpoints[d.GUID] = e
	s.remotes[d.GUID] = e
	s.core.watch.changed()
	for _, l := range slices.Clone(s.core.local.all) {
		s.matchRemote(l, e, now)
	}
}

// charge books octets of endpoint data, or takes them back, for a participant and for all.
func (s *endpointDiscovery) charge(p *peer, octets int) {
	s.known += octets
	p.budget.known += octets
}

// differsInAddresses reports that an endpoint is announced anew for its addresses alone.
func (e *remoteEndpoint) differsInAddresses(anew *remoteEndpoint) bool {
	a, b := e.data, anew.data
	a.Unicast, b.Unicast = nil, nil
	return reflect.DeepEqual(a, b)
}

// moveEndpoint takes over new addresses of an endpoint. It stays matched: nothing on its way to it is lost.
func (s *endpointDiscovery) moveEndpoint(e, anew *remoteEndpoint) {
	s.charge(e.peer, anew.size()-e.size())
	e.data = anew.data
	for _, l := range s.core.local.all {
		l.rerouteRemote(s.core, e.GUID)
	}
	s.core.watch.changed()
}

// dropEndpoint forgets a remote endpoint.
func (s *endpointDiscovery) dropEndpoint(e *remoteEndpoint) {
	delete(s.remotes, e.GUID)
	delete(e.peer.endpoints, e.GUID)
	s.charge(e.peer, -e.size())
	for _, l := range s.core.local.all {
		l.unmatchRemote(s.core, e.GUID)
	}
	s.core.watch.changed()
}

// matchLocal joins a new local endpoint with all that is there already.
func (s *endpointDiscovery) matchLocal(l endpoint, now time.Time) {
	d := l.describe()
	var fits []*remoteEndpoint
	for _, e := range s.remotes {
		if e.Writer != l.isWriter() && e.Topic == d.Topic {
			fits = append(fits, e)
		}
	}
	slices.SortFunc(fits, func(a, b *remoteEndpoint) int { return a.GUID.Compare(b.GUID) })
	for _, e := range fits {
		s.matchRemote(l, e, now)
	}
	for _, o := range slices.Clone(s.core.local.all) {
		switch o := o.(type) {
		case *localReader:
			if w, ok := l.(*localWriter); ok {
				s.matchIntraProcess(w, o, now)
			}
		case *localWriter:
			if r, ok := l.(*localReader); ok {
				s.matchIntraProcess(o, r, now)
			}
		}
	}
	s.core.watch.changed()
}

// matchRemote joins a local endpoint with a remote one when topic, type and quality of service fit. Type
// hashes play no part in it.
func (s *endpointDiscovery) matchRemote(l endpoint, e *remoteEndpoint, now time.Time) {
	if l.isWriter() == e.Writer || !l.concerns(e) {
		return
	}
	if policy := l.mismatch(e); policy != "" {
		l.incompatible(e.GUID, policy)
		s.core.watch.changed()
		return
	}
	if l.matchesOf(e.peer) >= maxMatches {
		far := "writers"
		if l.isWriter() {
			far = "readers"
		}
		s.core.notices.refuse(e.peer, e.peer.from, maxMatches, far+" of one participant on one topic",
			e.Topic, now)
		return
	}
	l.matchRemote(s.core, e, now)
}

// builtin holds the endpoints that carry discovery itself (RTPS 2.2 §8.5.4, SEDP; §8.4.13, participant
// messages).
type builtin struct {
	publications, subscriptions     *localWriter
	publicationsIn, subscriptionsIn *localReader
	messages                        *localWriter
	messagesIn                      *localReader
	// last announcement of each local endpoint
	keys map[wire.GUID]wire.SequenceNumber
}

// builtinPair is a built-in writer and the reader of its topic, with their bits in the set that participants
// announce.
type builtinPair struct {
	writer, reader       wire.EntityID
	writerBit, readerBit uint32
}

func builtinPairs() [3]builtinPair {
	return [3]builtinPair{
		{wire.EntityPublicationsWriter, wire.EntityPublicationsReader, wire.BuiltinPublicationsWriter,
			wire.BuiltinPublicationsReader},
		{wire.EntitySubscriptionsWriter, wire.EntitySubscriptionsReader, wire.BuiltinSubscriptionsWriter,
			wire.BuiltinSubscriptionsReader},
		{wire.EntityParticipantMessageWrite, wire.EntityParticipantMessageRead, wire.BuiltinMessageWriter,
			wire.BuiltinMessageReader},
	}
}

func (s *endpointDiscovery) makeBuiltin() {
	qos := QoS{Reliability: Reliable, Durability: TransientLocal}
	for _, pair := range builtinPairs() {
		w := &localWriter{guid: wire.GUID{Prefix: s.core.cfg.Prefix, Entity: pair.writer},
			cfg: WriterConfig{QoS: qos}, builtin: true,
			proxies: map[wire.GUID]*readerProxy{}}
		r := &localReader{guid: wire.GUID{Prefix: s.core.cfg.Prefix, Entity: pair.reader},
			cfg: ReaderConfig{QoS: qos}, builtin: true,
			proxies: map[wire.GUID]*writerProxy{}}
		s.core.local.writers[pair.writer], s.core.local.readers[pair.reader] = w, r
	}
	s.builtin = builtin{
		publications:    s.core.local.writers[wire.EntityPublicationsWriter],
		publicationsIn:  s.core.local.readers[wire.EntityPublicationsReader],
		subscriptions:   s.core.local.writers[wire.EntitySubscriptionsWriter],
		subscriptionsIn: s.core.local.readers[wire.EntitySubscriptionsReader],
		messages:        s.core.local.writers[wire.EntityParticipantMessageWrite],
		messagesIn:      s.core.local.readers[wire.EntityParticipantMessageRead],
		keys:            map[wire.GUID]wire.SequenceNumber{},
	}
}

// matchBuiltin joins our built-in endpoints with those that a new peer has.
func (s *endpointDiscovery) matchBuiltin(p *peer, now time.Time) {
	for _, pair := range builtinPairs() {
		if p.data.Builtin&pair.readerBit != 0 {
			s.core.local.writers[pair.writer].match(s.core,
				&readerProxy{peer: p, guid: wire.GUID{Prefix: p.guid.Prefix, Entity: pair.reader},
					reliable: true, keeps: true, typed: true}, now)
		}
		if p.data.Builtin&pair.writerBit != 0 {
			s.core.local.readers[pair.reader].match(s.core,
				&writerProxy{peer: p, guid: wire.GUID{Prefix: p.guid.Prefix, Entity: pair.writer},
					reliable: true, keeps: true}, now)
		}
	}
}

// publishEndpoint announces a local endpoint (RTPS 2.2 §8.5.4.4).
func (s *endpointDiscovery) publishEndpoint(e endpoint, now time.Time) {
	w := s.builtin.subscriptions
	if e.isWriter() {
		w = s.builtin.publications
	}
	d := e.describe()
	s.core.append(w, change{content: wire.ContentData, payload: d.Append(nil), at: now,
		stamp: wire.TimestampOf(now), instance: d.GUID.KeyHash()})
	s.builtin.keys[d.GUID] = w.last
}

// withdrawEndpoint takes the announcement back and tells everybody that the endpoint is gone, in both forms
// that peers understand.
func (s *endpointDiscovery) withdrawEndpoint(g wire.GUID, writer bool, now time.Time) {
	w := s.builtin.subscriptions
	if writer {
		w = s.builtin.publications
	}
	for i := range w.hist.len() {
		if w.hist.all[w.hist.head+i].sn == s.builtin.keys[g] {
			s.core.discard(w, i)
			break
		}
	}
	delete(s.builtin.keys, g)
	qos := wire.InlineQoS{Status: wire.StatusDisposed | wire.StatusUnregistered,
		KeyHash: g.KeyHash()}.Append(nil)
	key := wire.Key{ID: wire.PIDEndpointGUID, GUID: g}.Append(nil)
	s.core.append(w, change{content: wire.ContentKey, payload: key, qos: qos, at: now,
		stamp: wire.TimestampOf(now), instance: g.KeyHash()})
	s.core.trim(w)
}

// onBuiltin takes in a sample of a built-in reader.
func (s *endpointDiscovery) onBuiltin(r *localReader, w *writerProxy, a *arrival) {
	switch r {
	case s.builtin.publicationsIn:
		s.onEndpoint(w, a, true)
	case s.builtin.subscriptionsIn:
		s.onEndpoint(w, a, false)
	case s.builtin.messagesIn:
		s.core.alive.onMessage(w.peer, a)
	}
}
