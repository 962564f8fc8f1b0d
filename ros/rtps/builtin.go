package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// builtin holds the endpoints that carry discovery itself (RTPS 2.2 §8.5.4, SEDP; §8.4.13, participant messages).
type builtin struct {
	publications, subscriptions     *localWriter
	publicationsIn, subscriptionsIn *localReader
	messages                        *localWriter
	messagesIn                      *localReader
	keys                            map[wire.GUID]wire.SequenceNumber // what was last said of each local endpoint
}

// builtinPair is a built-in writer and the reader of its topic, with their bits in the set that participants announce.
type builtinPair struct {
	writer, reader       wire.EntityID
	writerBit, readerBit uint32
}

func builtinPairs() [3]builtinPair {
	return [3]builtinPair{
		{wire.EntityPublicationsWriter, wire.EntityPublicationsReader, wire.BuiltinPublicationsWriter, wire.BuiltinPublicationsReader},
		{wire.EntitySubscriptionsWriter, wire.EntitySubscriptionsReader, wire.BuiltinSubscriptionsWriter, wire.BuiltinSubscriptionsReader},
		{wire.EntityParticipantMessageWrite, wire.EntityParticipantMessageRead, wire.BuiltinMessageWriter, wire.BuiltinMessageReader},
	}
}

func (c *Core) makeBuiltin() {
	qos := QoS{Reliability: Reliable, Durability: TransientLocal}
	for _, pair := range builtinPairs() {
		w := &localWriter{guid: wire.GUID{Prefix: c.cfg.Prefix, Entity: pair.writer}, cfg: WriterConfig{QoS: qos}, builtin: true,
			proxies: map[wire.GUID]*readerProxy{}}
		r := &localReader{guid: wire.GUID{Prefix: c.cfg.Prefix, Entity: pair.reader}, cfg: ReaderConfig{QoS: qos}, builtin: true,
			proxies: map[wire.GUID]*writerProxy{}}
		c.writers[pair.writer], c.readers[pair.reader] = w, r
	}
	c.builtin = builtin{
		publications: c.writers[wire.EntityPublicationsWriter], publicationsIn: c.readers[wire.EntityPublicationsReader],
		subscriptions: c.writers[wire.EntitySubscriptionsWriter], subscriptionsIn: c.readers[wire.EntitySubscriptionsReader],
		messages: c.writers[wire.EntityParticipantMessageWrite], messagesIn: c.readers[wire.EntityParticipantMessageRead],
		keys: map[wire.GUID]wire.SequenceNumber{},
	}
}

// matchBuiltin joins our built-in endpoints with those that a new peer has.
func (c *Core) matchBuiltin(p *peer, now time.Time) {
	for _, pair := range builtinPairs() {
		if p.data.Builtin&pair.readerBit != 0 {
			c.writers[pair.writer].match(c, &readerProxy{peer: p, guid: wire.GUID{Prefix: p.guid.Prefix, Entity: pair.reader},
				reliable: true, keeps: true, typed: true}, now)
		}
		if p.data.Builtin&pair.writerBit != 0 {
			c.readers[pair.reader].match(c, &writerProxy{peer: p, guid: wire.GUID{Prefix: p.guid.Prefix, Entity: pair.writer},
				reliable: true, keeps: true}, now)
		}
	}
}

// publishEndpoint announces a local endpoint (RTPS 2.2 §8.5.4.4).
func (c *Core) publishEndpoint(e endpoint, now time.Time) {
	w := c.builtin.subscriptions
	if e.isWriter() {
		w = c.builtin.publications
	}
	d := e.describe()
	c.append(w, change{content: wire.ContentData, payload: d.Append(nil), at: now, stamp: wire.TimestampOf(now), key: d.GUID})
	c.builtin.keys[d.GUID] = w.last
}

// withdrawEndpoint takes the announcement back and tells everybody that the endpoint is gone, in both forms that peers understand.
func (c *Core) withdrawEndpoint(g wire.GUID, writer bool, now time.Time) {
	w := c.builtin.subscriptions
	if writer {
		w = c.builtin.publications
	}
	for i := range w.hist.len() {
		if w.hist.all[w.hist.head+i].sn == c.builtin.keys[g] {
			c.discard(w, i)
			break
		}
	}
	delete(c.builtin.keys, g)
	qos := wire.InlineQoS{Status: wire.StatusDisposed | wire.StatusUnregistered, KeyHash: g}.Append(nil)
	key := wire.Key{ID: wire.PIDEndpointGUID, GUID: g}.Append(nil)
	c.append(w, change{content: wire.ContentKey, payload: key, qos: qos, at: now, stamp: wire.TimestampOf(now), key: g})
	c.trim(w)
}

// onBuiltin takes in a sample of a built-in reader.
func (c *Core) onBuiltin(r *localReader, w *writerProxy, a *arrival) {
	switch r {
	case c.builtin.publicationsIn:
		c.onEndpoint(w, a, true)
	case c.builtin.subscriptionsIn:
		c.onEndpoint(w, a, false)
	case c.builtin.messagesIn:
		c.onMessage(w.peer, a)
	}
}
