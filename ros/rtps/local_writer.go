package rtps

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"simdeck/ros/rtps/instance"
	"simdeck/ros/rtps/wire"
)

// ErrTooLarge is the error of a sample above Limits.SampleBytes.
var ErrTooLarge = errors.New("rtps: sample too large")

// ErrPayload is the error of a payload without an encapsulation header.
var ErrPayload = errors.New("rtps: payload without encapsulation header")

// WriterConfig is the offer of a writer: topic, type and quality of service.
type WriterConfig struct {
	Topic, Type string // DDS names: "rt/chatter", "std_msgs::msg::dds_::String_"
	QoS         QoS
	UserData    []byte  // "typehash=RIHS01_…;"
	Key         KeyFunc // finds the instance that a payload is about; nil: the type has no key
	// reports by its user data whether a reader is served; nil: all are. One that is not may have matched the
	// writer by its names, so that each datagram is for one reader
	Serves func(reader []byte) bool
}

// WriteOptions are the options of one sample. The zero value sends it to all matched readers, with the
// present as its source time.
type WriteOptions struct {
	SourceTime time.Time            // zero = now
	Related    *wire.SampleIdentity // of a service's request or reply
	// the only participant that gets the sample; the others get a GAP
	To *wire.GUIDPrefix
	// the payload's memory passes to the writer, even on an error, and is not copied; see Writer.Buffer
	Owned bool
	// the payload for readers without a type hash, which are taken for ROS 2 Humble
	Untyped []byte
	// not Alive: the instance ends, of a topic with a key. The payload holds the members of the key alone
	State instance.State
}

// localWriter is a writer of this participant (RTPS 2.2 §8.4.9.2, StatefulWriter).
type localWriter struct {
	guid      wire.GUID
	cfg       WriterConfig
	builtin   bool
	hist      history
	last      wire.SequenceNumber
	count     uint32 // of HEARTBEATs
	fragHB    uint32 // of HEARTBEAT_FRAGs
	proxies   map[wire.GUID]*readerProxy
	order     []*readerProxy      // in the order of matching
	locals    []*localReader      // matched readers of this participant
	audiences map[*peer]*audience // order, by participant
	holder    int                 // index into order of a reader that holds up trim
	group     []*readerProxy      // scratch of together and beaten
	instances *instance.Set       // nil: no deadline is offered
	overdue   task                // looks for missed deadlines
	stats     WriterStats
	closed    bool

	keepsNewest bool // the newest change is not trimmed
}

func (w *localWriter) isWriter() bool { return true }

func (w *localWriter) describe() wire.EndpointData {
	return wire.EndpointData{GUID: w.guid, Topic: w.cfg.Topic, Type: w.cfg.Type, QoS: w.cfg.QoS.toWire(),
		UserData: w.cfg.UserData}
}

func (w *localWriter) concerns(e *remoteEndpoint) bool {
	return w.cfg.Topic == e.Topic && w.cfg.Type == e.Type && w.proxies[e.GUID] == nil &&
		w.serves(e.UserData) &&
		(w.cfg.Key != nil) == e.GUID.Entity.Keyed()
}

func (w *localWriter) serves(reader []byte) bool { return w.cfg.Serves == nil || w.cfg.Serves(reader) }

func (w *localWriter) mismatch(e *remoteEndpoint) string {
	return mismatch(w.cfg.QoS, e.QoS)
}

func (w *localWriter) incompatible(g wire.GUID, policy string) {
	w.stats.IncompatibleQoS++
	w.stats.LastIncompatible = Incompatible{Remote: g, Policy: policy}
}

func (w *localWriter) matchRemote(c *Core, e *remoteEndpoint, now time.Time) {
	w.match(c, &readerProxy{peer: e.peer, remote: e, guid: e.GUID,
		reliable: e.QoS.Reliability == Reliable,
		keeps:    e.QoS.Durability >= TransientLocal, typed: e.typed()}, now)
}

func (w *localWriter) unmatchRemote(c *Core, g wire.GUID) {
	if p := w.proxies[g]; p != nil {
		w.unmatch(c, p)
	}
}

func (w *localWriter) rerouteRemote(c *Core, g wire.GUID) {
	if p := w.proxies[g]; p != nil {
		p.route(c)
		c.sched.soon(&p.task)
	}
}

func (w *localWriter) keeps() bool { return w.cfg.QoS.Durability >= TransientLocal }

// checkEndpoint refuses names, user data and qualities of service that SEDP cannot announce.
func checkEndpoint(topic, typ string, q QoS, userData []byte, durable Durability) error {
	const most = 1024
	switch {
	case topic == "" || len(topic) > most:
		return fmt.Errorf("%w: topic name %.40q: needs 1 to %d octets", ErrConfig, topic, most)
	case typ == "" || len(typ) > most:
		return fmt.Errorf("%w: type name %.40q of topic %q: needs 1 to %d octets", ErrConfig, typ, topic,
			most)
	case len(userData) > 8<<10:
		return fmt.Errorf("%w: %d octets of user data for topic %q: at most 8192", ErrConfig, len(userData),
			topic)
	case q.Separation < 0 || q.Deadline > 0 && q.Separation > q.Deadline:
		return fmt.Errorf("%w: a time-based filter of %v with a deadline of %v for topic %q: at least 0, and at most the deadline",
			ErrConfig, q.Separation, q.Deadline, topic)
	case q.Liveliness > ManualByTopic || q.LivelinessLease < 0 || q.Deadline < 0 || q.Lifespan < 0:
		return fmt.Errorf("%w: liveliness %d with a lease of %v, deadline %v, lifespan %v for topic %q: durations are at least 0",
			ErrConfig,
			q.Liveliness, q.LivelinessLease, q.Deadline, q.Lifespan, topic)
	case q.Depth < 0:
		return fmt.Errorf("%w: depth %d for topic %q: at least 0", ErrConfig, q.Depth, topic)
	case q.Durability > durable:
		return fmt.Errorf("%w: durability %d for topic %q: nothing is kept beyond its writer's life", ErrConfig,
			q.Durability, topic)
	}
	return nil
}

// newWriter makes a user writer, announces it and matches it.
func (c *Core) newWriter(cfg WriterConfig, now time.Time) (*localWriter, error) {
	if err := checkEndpoint(cfg.Topic, cfg.Type, cfg.QoS, cfg.UserData, TransientLocal); err != nil {
		return nil, err
	}
	cfg.UserData = slices.Clone(cfg.UserData)
	kind := wire.KindUserWriter
	if cfg.Key != nil {
		kind = wire.KindKeyedWriter
	}
	w := &localWriter{guid: wire.GUID{Prefix: c.cfg.Prefix, Entity: c.local.nextEntity(kind)}, cfg: cfg,
		proxies: map[wire.GUID]*readerProxy{}}
	w.hist.keyed = cfg.Key != nil
	if cfg.QoS.Deadline > 0 {
		w.instances = instance.NewSet(instance.Policy{Deadline: cfg.QoS.Deadline,
			Limit: c.cfg.Limits.Instances})
		w.overdue.run = func(now time.Time) { c.missOffered(w, now) }
	}
	c.local.writers[w.guid.Entity] = w
	c.local.all = append(c.local.all, w)
	c.sedp.publishEndpoint(w, now)
	c.sedp.matchLocal(w, now)
	if cfg.QoS.Liveliness == Automatic && cfg.QoS.LivelinessLease > 0 {
		c.sched.soon(&c.alive.automatic)
	}
	return w, nil
}

// inlineSize is room for the inline QoS of a service's request or reply.
const inlineSize = 64

// maxKey bounds a payload that holds a key alone: it goes in one piece.
const maxKey = 1024

// missOffered counts the instances that have missed their deadline, and looks again when the next one may
// have.
func (c *Core) missOffered(w *localWriter, now time.Time) {
	missed, next := w.instances.Overdue(now)
	if missed > 0 {
		w.stats.DeadlinesMissed += uint64(missed)
		c.watch.changed()
	}
	if !next.IsZero() {
		c.sched.by(&w.overdue, next)
	}
}

// identify finds the instance that a change is about, and notes in its inline QoS what becomes of it.
func (w *localWriter) identify(payload []byte, o *WriteOptions, h *change, q *wire.InlineQoS) (err error) {
	ends := o.State != instance.Alive
	switch {
	case w.cfg.Key == nil && ends:
		return fmt.Errorf("%w: an instance of topic %q ends, but its type has no key", ErrConfig, w.cfg.Topic)
	case w.cfg.Key == nil:
		return nil
	case ends && len(payload) > maxKey:
		return fmt.Errorf("%w: a key of %d octets on topic %q: at most %d", ErrTooLarge, len(payload), w.cfg.Topic,
			maxKey)
	}
	if h.instance, err = w.cfg.Key(payload, ends); err != nil {
		return fmt.Errorf("%w: topic %q: %w", ErrPayload, w.cfg.Topic, err)
	}
	q.KeyHash, h.state = h.instance, o.State
	switch o.State {
	case instance.Disposed:
		h.content, q.Status = wire.ContentKey, wire.StatusDisposed
	case instance.NoWriters:
		h.content, q.Status = wire.ContentKey, wire.StatusUnregistered
	}
	return nil
}

// note takes in that an instance was written, for its deadline.
func (w *localWriter) note(c *Core, h *change, now time.Time) {
	switch {
	case w.instances == nil:
	case h.state != instance.Alive:
		w.instances.End(h.instance, instance.Source{Writer: w.guid}, h.state)
	default:
		w.instances.Sample(h.instance, instance.Source{Writer: w.guid}, now)
		c.sched.by(&w.overdue, now.Add(w.cfg.QoS.Deadline))
	}
}

// write adds a sample to the history cache and schedules its readers' proxies.
func (c *Core) write(w *localWriter, payload []byte, o *WriteOptions, now time.Time) (wire.SequenceNumber,
	error) {
	switch {
	case w.closed:
		return 0, ErrClosed
	case len(payload) < wire.EncapsulationSize || o.Untyped != nil && len(o.Untyped) < wire.EncapsulationSize:
		return 0, fmt.Errorf("%w: %d octets on topic %q: at least %d", ErrPayload, len(payload), w.cfg.Topic,
			wire.EncapsulationSize)
	case max(len(payload), len(o.Untyped)) > c.cfg.Limits.SampleBytes:
		return 0, fmt.Errorf("%w: %d octets on topic %q: at most %d", ErrTooLarge, len(payload), w.cfg.Topic,
			c.cfg.Limits.SampleBytes)
	}
	defer func() {
		if payload != nil && o.Owned {
			c.pool.put(payload) // it was not kept
		}
	}()
	h := change{content: wire.ContentData, at: now, stamp: wire.TimestampOf(now)}
	if !o.SourceTime.IsZero() {
		h.stamp = wire.TimestampOf(o.SourceTime)
	}
	if o.To != nil {
		h.to, h.toOne = *o.To, true
	}
	var inline wire.InlineQoS
	if o.Related != nil {
		inline.Related = *o.Related
	}
	if err := w.identify(payload, o, &h, &inline); err != nil {
		return 0, err
	}
	if inline != (wire.InlineQoS{}) {
		h.qos = inline.Append(c.pool.get(inlineSize)[:0])
	}
	w.note(c, &h, now)
	c.deliverLocally(w, payload, &h, inline.Related, now)
	c.alive.assert(w, true, now)
	w.stats.Written++
	if len(w.order) == 0 && !w.keeps() {
		w.last++
		return w.last, nil
	}
	h.untyped = c.pool.copyOf(o.Untyped)
	if o.Owned {
		h.payload, payload = payload, nil
	} else {
		h.payload = c.pool.copyOf(payload)
	}
	c.append(w, h)
	return w.last, nil
}

// append gives a change its sequence number, makes room for it, and wakes every reader's proxy.
func (c *Core) append(w *localWriter, h change) {
	w.last++
	h.sn = w.last
	w.hist.add(h)
	c.hold(w, h.size())
	if !w.builtin {
		c.evict(w)
	}
	for _, p := range w.order {
		c.sched.soon(&p.task)
	}
}

// evict keeps the history cache within depth and limits, the oldest change first. Changes of which a reader
// has only some fragments stay as long as the limits allow (see halfSent). Changes for one participant have a
// depth of their own: the replies to a busy client must not displace those to a slow one.
func (c *Core) evict(w *localWriter) {
	pinned := w.pins()
	if depth := w.cfg.QoS.Depth; depth > 0 {
		for n, oldest := w.hist.perDestinationCount(pinned); n > depth; n,
			oldest = w.hist.perDestinationCount(pinned) {
			c.overwrite(w, oldest)
		}
	}
	for n := w.hist.len(); n > 1 &&
		(n > c.cfg.Limits.History || w.hist.bytes > c.cfg.Limits.HistoryBytes || c.overdrawn(w)); n-- {
		c.overwrite(w, w.hist.oldest(pinned))
	}
	for !w.keeps() && w.hist.len() > 1 && c.held > crowdHeld && w.lackedByCrowds(w.hist.all[w.hist.head].sn) {
		c.overwrite(w, 0)
	}
}

// crowdHeld is the number of octets in volatile writers beyond which crowds of readers hold up no samples.
const crowdHeld = 4 << 20

// lackedByCrowds reports that readers of crowded participants lack a change, and nobody else does.
func (w *localWriter) lackedByCrowds(sn wire.SequenceNumber) bool {
	crowded := false
	for _, p := range w.order {
		switch {
		case p.got() >= sn:
		case !p.peer.pacer.crowded:
			return false
		default:
			crowded = true
		}
	}
	return crowded
}

// overdrawn reports that the unacknowledged changes of all volatile writers exceed Limits.Unacknowledged. A
// writer of large samples then keeps fewer of them.
func (c *Core) overdrawn(w *localWriter) bool {
	return !w.keeps() && c.held > c.cfg.Limits.Unacknowledged
}

// pins gives the test for half-sent changes; nil where no reader has any.
func (w *localWriter) pins() func(wire.SequenceNumber) bool {
	for _, p := range w.order {
		if p.large || p.fragment > 0 {
			return w.halfSent
		}
	}
	return nil
}

// overwrite drops the i-th change, even where a reader still lacks it.
func (c *Core) overwrite(w *localWriter, i int) {
	if w.missing(&w.hist.all[w.hist.head+i]) {
		w.stats.Overwritten++
		c.stats.Overwritten++
	}
	c.discard(w, i)
}

// halfSent reports that a reader may have some fragments of a change but not all. A writer that drops such
// changes could overtake itself for ever. Fast DDS, told by a HEARTBEAT or GAP that the rest will not come,
// keeps the part among the samples to take. Its user then takes it without end (eProsima/Fast-DDS#2239).
func (w *localWriter) halfSent(sn wire.SequenceNumber) bool {
	for _, p := range w.order {
		switch {
		case p.next == sn && p.fragment > 0:
			return true
		case p.reliable && p.large && sn > p.acked && sn < p.next && sn >= p.start:
			if h := w.hist.find(sn); h != nil && p.fragments(h) > 1 {
				return true
			}
		}
	}
	return false
}

// missing reports that a reader may still lack a change.
func (w *localWriter) missing(h *change) bool {
	sn := h.sn
	for _, p := range w.order {
		if h.toOne && h.to != p.peer.guid.Prefix {
			continue
		}
		if sn >= p.start && (p.reliable && sn > p.acked || !p.reliable && sn >= p.next) {
			return true
		}
	}
	return false
}

// trim drops the changes that no reader lacks: all of them for a volatile writer, the disposals for a writer
// of discovery.
func (c *Core) trim(w *localWriter) {
	if w.keeps() && !w.builtin {
		return
	}
	if !w.builtin && (w.hist.len() == 0 || w.holdsUp()) {
		return
	}
	done := w.last
	if w.keepsNewest {
		done--
	}
	for _, p := range w.order {
		done = min(done, p.got())
	}
	if !w.builtin {
		for w.hist.len() > 0 && w.hist.all[w.hist.head].sn <= done {
			c.discard(w, 0)
		}
		return
	}
	for i := 0; i < w.hist.len(); i++ {
		if h := &w.hist.all[w.hist.head+i]; h.content == wire.ContentKey && h.sn <= done {
			c.discard(w, i)
			i--
		}
	}
}

// holdsUp reports that a reader still lacks the oldest change. The search begins at the reader that held it
// up last, so that all readers of one sample cost at most twice their number.
func (w *localWriter) holdsUp() bool {
	first := w.hist.first(0)
	for range w.order {
		w.holder %= len(w.order)
		if w.order[w.holder].got() < first {
			return true
		}
		w.holder++
	}
	return false
}

// closeWriter ends a writer: it is withdrawn from discovery and its readers' proxies are dropped.
func (c *Core) closeWriter(w *localWriter, now time.Time) {
	if w.closed {
		return
	}
	w.closed = true
	for len(w.order) > 0 {
		w.unmatch(c, w.order[0])
	}
	for _, r := range w.locals {
		r.localWriters = slices.DeleteFunc(r.localWriters, func(o *localWriter) bool { return o == w })
		c.writerGone(r, w.guid)
	}
	w.locals = nil
	c.sched.kill(&w.overdue)
	delete(c.local.writers, w.guid.Entity)
	c.local.all = slices.DeleteFunc(c.local.all, func(e endpoint) bool { return e == endpoint(w) })
	c.sedp.withdrawEndpoint(w.guid, true, now)
	c.watch.changed()
}
