package rtps

import (
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

// localEndpoints are the writers and readers of this participant.
type localEndpoints struct {
	writers map[wire.EntityID]*localWriter
	readers map[wire.EntityID]*localReader
	all     []endpoint                   // user endpoints in the order of their creation
	inbound map[wire.GUID][]*writerProxy // matched remote writers, by their GUID
	lastID  uint32
}

// endpoint is a local writer or reader, as discovery matches it with remote endpoints (RTPS 2.2 §8.4.8.1).
type endpoint interface {
	describe() wire.EndpointData
	isWriter() bool
	concerns(e *remoteEndpoint) bool   // of the same topic and type, and not matched yet
	mismatch(e *remoteEndpoint) string // first policy by which the two do not fit; "": they do
	incompatible(g wire.GUID, policy string)
	matchesOf(p *peer) int // endpoints of a participant that it is matched with
	matchRemote(c *Core, e *remoteEndpoint, now time.Time)
	rerouteRemote(c *Core, g wire.GUID) // its addresses have changed
	unmatchRemote(c *Core, g wire.GUID)
}

// nextEntity gives a new user entity id of a kind (RTPS 2.2 §9.3.1.2: three octets of the implementation's
// choice).
func (e *localEndpoints) nextEntity(kind wire.EntityID) wire.EntityID {
	e.lastID++
	return wire.EntityID(e.lastID&0xffffff)<<8 | kind
}

// sortedWriters gives all local writers in the order of their ids.
func (e *localEndpoints) sortedWriters() []*localWriter {
	all := make([]*localWriter, 0, len(e.writers))
	for _, w := range e.writers {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *localWriter) int { return a.guid.Compare(b.guid) })
	return all
}

// sortedReaders gives all local readers in the order of their ids.
func (e *localEndpoints) sortedReaders() []*localReader {
	all := make([]*localReader, 0, len(e.readers))
	for _, r := range e.readers {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *localReader) int { return a.guid.Compare(b.guid) })
	return all
}

// matchIntraProcess joins a writer and a reader of this same participant: their samples do not touch the
// network.
func (s *endpointDiscovery) matchIntraProcess(w *localWriter, r *localReader, now time.Time) {
	if w.cfg.Topic != r.cfg.Topic || w.cfg.Type != r.cfg.Type || (w.cfg.Key == nil) != (r.cfg.Key == nil) ||
		!w.serves(r.cfg.UserData) {
		return
	}
	for _, o := range w.locals {
		if o == r {
			return
		}
	}
	if policy := mismatch(w.cfg.QoS, r.cfg.QoS); policy != "" {
		w.incompatible(r.guid, policy)
		r.incompatible(w.guid, policy)
		s.core.watch.changed()
		return
	}
	w.locals = append(w.locals, r)
	r.localWriters = append(r.localWriters, w)
	if r.cfg.QoS.Durability < TransientLocal {
		return
	}
	for _, h := range w.hist.from(0) {
		if h.relevant(s.core.cfg.Prefix, w.cfg.QoS.Lifespan, now) {
			s.core.deliverIntraProcess(r, w, h.payload, &h, wire.SampleIdentity{}, now)
		}
	}
}

// deliverLocally hands a sample that is being written to the readers of this participant. Its number is the
// one it is about to get.
func (c *Core) deliverLocally(w *localWriter, payload []byte, h *change, related wire.SampleIdentity,
	now time.Time) {
	if len(w.locals) == 0 || !h.relevant(c.cfg.Prefix, 0, now) {
		return
	}
	h.sn = w.last + 1
	for _, r := range w.locals {
		c.deliverIntraProcess(r, w, payload, h, related, now)
	}
}

func (c *Core) deliverIntraProcess(r *localReader, w *localWriter, payload []byte, h *change,
	related wire.SampleIdentity, now time.Time) {
	c.enqueue(r, Sample{Writer: w.guid, SN: h.sn, SourceTime: h.stamp.Time(), Received: now, Related: related,
		Instance: h.instance, State: h.state, Payload: c.pool.copyOf(payload)}, &w.cfg.QoS)
}
