package rtps

import (
	"fmt"
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

// ReaderConfig is the configuration of a reader.
type ReaderConfig struct {
	Topic, Type string // DDS names
	QoS         QoS
	UserData    []byte
	Queue       int // samples that wait for Take; 0 = QoS.Depth, or 1024 when that is 0
}

const defaultQueue = 1024

// localReader is a reader of this participant (RTPS 2.2 §8.4.12.2, StatefulReader).
type localReader struct {
	guid         wire.GUID
	cfg          ReaderConfig
	builtin      bool
	queue        queue
	proxies      map[wire.GUID]*writerProxy
	order        []*writerProxy // in the order of matching
	localWriters []*localWriter // matched writers of this participant
	stats        ReaderStats
	closed       bool
	handle       *Reader // notified of waiting samples; nil without a Participant
}

func (r *localReader) isWriter() bool { return false }

func (r *localReader) describe() wire.EndpointData {
	return wire.EndpointData{GUID: r.guid, Topic: r.cfg.Topic, Type: r.cfg.Type, QoS: r.cfg.QoS.toWire(),
		UserData: r.cfg.UserData}
}

func (r *localReader) concerns(e *remoteEndpoint) bool {
	return r.cfg.Topic == e.Topic && r.cfg.Type == e.Type && r.proxies[e.GUID] == nil
}

func (r *localReader) mismatch(e *remoteEndpoint) string {
	return mismatch(e.QoS, r.cfg.QoS, e.data.QoS.Representations, nil)
}

func (r *localReader) incompatible(g wire.GUID, policy string) {
	r.stats.IncompatibleQoS++
	r.stats.LastIncompatible = Incompatible{Remote: g, Policy: policy}
}

func (r *localReader) matchRemote(c *Core, e *remoteEndpoint, now time.Time) {
	r.match(c, &writerProxy{peer: e.peer, remote: e, guid: e.GUID,
		reliable: r.cfg.QoS.Reliability == Reliable,
		keeps:    e.QoS.Durability >= TransientLocal}, now)
}

func (r *localReader) unmatchRemote(c *Core, g wire.GUID) {
	if w := r.proxies[g]; w != nil {
		r.unmatch(c, w)
	}
}

// matchesOf counts the writers of a participant that the reader listens to.
func (r *localReader) matchesOf(p *peer) (n int) {
	for _, w := range r.order {
		if w.peer == p {
			n++
		}
	}
	return n
}

// lossless tells whether a full queue holds the writers back instead of losing samples.
func (r *localReader) lossless() bool {
	return r.cfg.QoS.Reliability == Reliable && r.cfg.QoS.Depth == 0
}

// newReader makes a user reader, announces it and matches it.
func (c *Core) newReader(cfg ReaderConfig, now time.Time) (*localReader, error) {
	if err := checkEndpoint(cfg.Topic, cfg.Type, cfg.QoS, cfg.UserData); err != nil {
		return nil, err
	}
	if cfg.Queue < 0 {
		return nil, fmt.Errorf("%w: queue of %d for topic %q: at least 0", ErrConfig, cfg.Queue, cfg.Topic)
	}
	cfg.UserData = slices.Clone(cfg.UserData)
	r := &localReader{guid: wire.GUID{Prefix: c.cfg.Prefix, Entity: c.local.nextEntity(wire.KindUserReader)},
		cfg:     cfg,
		proxies: map[wire.GUID]*writerProxy{}}
	r.queue.most = c.cfg.Limits.HistoryBytes
	switch {
	case cfg.Queue > 0:
		r.queue.limit = cfg.Queue
	case cfg.QoS.Depth > 0:
		r.queue.limit = cfg.QoS.Depth
	default:
		r.queue.limit = defaultQueue
	}
	c.local.readers[r.guid.Entity] = r
	c.local.all = append(c.local.all, r)
	c.sedp.publishEndpoint(r, now)
	c.sedp.matchLocal(r, now)
	return r, nil
}

// enqueue puts a sample into the reader's queue; the oldest one makes room when it is full.
func (c *Core) enqueue(r *localReader, s Sample) {
	for r.queue.full() {
		old, _ := r.queue.pop()
		c.pool.put(old.Payload)
		r.stats.Dropped++
		c.stats.Dropped++
	}
	if r.queue.n == 0 {
		c.woken = append(c.woken, r)
	}
	r.queue.push(s)
	r.stats.Received++
	c.stats.Samples++
}

// take gives the oldest waiting sample. A lossless reader that was full goes on with what its writers'
// proxies hold.
func (c *Core) take(r *localReader, now time.Time) (Sample, bool) {
	full := r.queue.full()
	s, ok := r.queue.pop()
	if full && r.lossless() {
		for _, w := range r.order {
			w.resume(c, now)
		}
	}
	return s, ok
}

// closeReader ends a reader: it is withdrawn from discovery and its writers' proxies are dropped.
func (c *Core) closeReader(r *localReader, now time.Time) {
	if r.closed {
		return
	}
	r.closed = true
	for len(r.order) > 0 {
		r.unmatch(c, r.order[0])
	}
	for _, w := range r.localWriters {
		w.locals = slices.DeleteFunc(w.locals, func(o *localReader) bool { return o == r })
	}
	r.localWriters = nil
	r.queue = queue{limit: r.queue.limit}
	delete(c.local.readers, r.guid.Entity)
	c.local.all = slices.DeleteFunc(c.local.all, func(e endpoint) bool { return e == endpoint(r) })
	c.sedp.withdrawEndpoint(r.guid, false, now)
	c.watch.changed()
}
