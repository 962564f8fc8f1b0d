package rtps

import (
	"fmt"
	"slices"
	"time"

	"simdeck/ros/rtps/instance"
	"simdeck/ros/rtps/wire"
)

// ReaderConfig is the configuration of a reader.
type ReaderConfig struct {
	Topic, Type string // DDS names
	QoS         QoS
	UserData    []byte
	// finds the instance of a sample, by its payload or by one that holds its key alone; nil: the type has no
	// key
	Key   KeyFunc
	Queue int // samples that wait for Take; 0 = QoS.Depth, or 1024 when that is 0
}

const defaultQueue = 1024

// KeyFunc finds the instance that a payload is about: encapsulation header and CDR, with the members of the
// key alone where keyOnly is true. It must take any octets.
type KeyFunc func(payload []byte, keyOnly bool) (wire.KeyHash, error)

// localReader is a reader of this participant (RTPS 2.2 §8.4.12.2, StatefulReader).
type localReader struct {
	guid         wire.GUID
	cfg          ReaderConfig
	builtin      bool
	queue        queue
	proxies      map[wire.GUID]*writerProxy
	order        []*writerProxy // in the order of matching
	acks, nacks  uint32         // counts of ACKNACKs and of NACK_FRAGs; see acknackState
	localWriters []*localWriter // matched writers of this participant
	instances    *instance.Set  // nil: all samples are taken
	overdue      task           // looks for missed deadlines
	ended        []Sample       // instances that have lost their writers, told behind the queue
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
	return r.cfg.Topic == e.Topic && r.cfg.Type == e.Type && r.proxies[e.GUID] == nil &&
		(r.cfg.Key != nil) == e.GUID.Entity.Keyed()
}

func (r *localReader) mismatch(e *remoteEndpoint) string {
	return mismatch(e.QoS, r.cfg.QoS)
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

func (r *localReader) rerouteRemote(c *Core, g wire.GUID) {
	if w := r.proxies[g]; w != nil {
		w.route(c)
		c.sched.soon(&w.task)
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
	if err := checkEndpoint(cfg.Topic, cfg.Type, cfg.QoS, cfg.UserData, Persistent); err != nil {
		return nil, err
	}
	if cfg.Queue < 0 {
		return nil, fmt.Errorf("%w: queue of %d for topic %q: at least 0", ErrConfig, cfg.Queue, cfg.Topic)
	}
	cfg.UserData = slices.Clone(cfg.UserData)
	kind := wire.KindUserReader
	if cfg.Key != nil {
		kind = wire.KindKeyedReader
	}
	r := &localReader{guid: wire.GUID{Prefix: c.cfg.Prefix, Entity: c.local.nextEntity(kind)}, cfg: cfg,
		proxies: map[wire.GUID]*writerProxy{}}
	if q := cfg.QoS; cfg.Key != nil || q.OwnershipExclusive || q.Separation > 0 || q.Deadline > 0 {
		r.instances = instance.NewSet(instance.Policy{Exclusive: q.OwnershipExclusive,
			Separation: q.Separation,
			Deadline:   q.Deadline, Limit: c.cfg.Limits.Instances})
		r.overdue.run = func(now time.Time) { c.missRequested(r, now) }
	}
	r.queue.most = c.cfg.Limits.HistoryBytes
	switch {
	case cfg.Queue > 0:
		r.queue.limit = cfg.Queue
	case cfg.QoS.Depth > 0 && cfg.Key == nil:
		r.queue.limit = cfg.QoS.Depth
	default:
		r.queue.limit = max(defaultQueue, cfg.QoS.Depth)
	}
	c.local.readers[r.guid.Entity] = r
	c.local.all = append(c.local.all, r)
	c.sedp.publishEndpoint(r, now)
	c.sedp.matchLocal(r, now)
	return r, nil
}

// enqueue puts a sample into the reader's queue if the reader is to have it. The oldest one makes room when
// the queue is full, or holds as many of the instance as the reader wants. offer is the quality of service of
// the writer.
func (c *Core) enqueue(r *localReader, s Sample, offer *QoS) {
	if r.instances != nil && !c.admits(r, &s, offer) {
		c.pool.put(s.Payload)
		return
	}
	if offer.Lifespan > 0 {
		s.expires = s.Received.Add(offer.Lifespan)
	}
	drop := func(old Sample) {
		c.pool.put(old.Payload)
		r.stats.Dropped++
		c.stats.Dropped++
	}
	if depth := r.cfg.QoS.Depth; depth > 0 && r.cfg.Key != nil {
		for n, oldest := r.queue.ofInstance(s.Instance); n >= depth; n,
			oldest = r.queue.ofInstance(s.Instance) {
			drop(r.queue.remove(oldest))
		}
	}
	for r.queue.full() {
		old, _ := r.queue.pop()
		drop(old)
	}
	if r.queue.n+len(r.ended) == 0 {
		c.woken = append(c.woken, r)
	}
	r.queue.push(s)
	r.stats.Received++
	c.stats.Samples++
}

// admits tells whether the reader takes a sample, by what it asks for per instance.
func (c *Core) admits(r *localReader, s *Sample, offer *QoS) bool {
	from := instance.Source{Writer: s.Writer, Strength: offer.Strength}
	if s.State != instance.Alive {
		return r.instances.End(s.Instance, from, s.State)
	}
	switch r.instances.Sample(s.Instance, from, s.Received) {
	case instance.Filtered:
		r.stats.Filtered++
		return false
	case instance.Refused:
		r.stats.Dropped++
		c.stats.Dropped++
		return false
	}
	if d := r.cfg.QoS.Deadline; d > 0 {
		c.sched.by(&r.overdue, s.Received.Add(d))
	}
	return true
}

// missRequested counts the instances that have missed their deadline, and looks again when the next one may
// have.
func (c *Core) missRequested(r *localReader, now time.Time) {
	missed, next := r.instances.Overdue(now)
	if missed > 0 {
		r.stats.DeadlinesMissed += uint64(missed)
		c.watch.changed()
	}
	if !next.IsZero() {
		c.sched.by(&r.overdue, next)
	}
}

// writerGone takes in that a writer is not there any more, or not alive. Readers of a topic with a key are
// told which instances it was the last to write.
func (c *Core) writerGone(r *localReader, w wire.GUID) {
	if r.instances == nil {
		return
	}
	left := r.instances.Gone(w)
	if r.cfg.Key == nil {
		return
	}
	for _, k := range left {
		if r.queue.n+len(r.ended) == 0 {
			c.woken = append(c.woken, r)
		}
		if len(r.ended) >= c.cfg.Limits.Instances {
			r.stats.Dropped++
			continue
		}
		r.ended = append(r.ended, Sample{Writer: w, Instance: k, State: instance.NoWriters})
	}
}

// take gives the oldest waiting sample whose lifespan is not over. A lossless reader that was full goes on
// with what its writers' proxies hold.
func (c *Core) take(r *localReader, now time.Time) (Sample, bool) {
	full := r.queue.full()
	s, ok := r.queue.pop()
	for ok && !s.expires.IsZero() && !now.Before(s.expires) {
		c.pool.put(s.Payload)
		r.stats.Expired++
		s, ok = r.queue.pop()
	}
	if !ok && len(r.ended) > 0 {
		s, ok = r.ended[0], true
		r.ended = r.ended[1:]
	}
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
	r.localWriters, r.ended = nil, nil
	c.sched.kill(&r.overdue)
	r.queue = queue{limit: r.queue.limit}
	delete(c.local.readers, r.guid.Entity)
	c.local.all = slices.DeleteFunc(c.local.all, func(e endpoint) bool { return e == endpoint(r) })
	c.sedp.withdrawEndpoint(r.guid, false, now)
	c.watch.changed()
}
