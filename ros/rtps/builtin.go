package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// builtin holds the endpoints that carry discovery itself (RTPS 2.2 §8.5.4, SEDP; §8.4.13, participant
// messages).
type builtin struct {
	publications, subscriptions     *localWriter
	publicationsIn, subscriptionsIn *localReader
	messages                        *localWriter
	messagesIn                      *localReader
	// what was last said of each local endpoint
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
		stamp: wire.TimestampOf(now), key: d.GUID})
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
	qos := wire.InlineQoS{Status: wire.StatusDisposed | wire.StatusUnregistered, KeyHash: g}.Append(nil)
	key := wire.Key{ID: wire.PIDEndpointGUID, GUID: g}.Append(nil)
	s.core.append(w, change{content: wire.ContentKey, payload: key, qos: qos, at: now,
		stamp: wire.TimestampOf(now), key: g})
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
