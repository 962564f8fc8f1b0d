package rtps

import (
	"time"

	"simdeck/ros/rtps/instance"
	"simdeck/ros/rtps/wire"
)

// writerProxy is a local reader's state about a remote writer (RTPS 2.2 §8.4.10.4).
type writerProxy struct {
	task
	reader   *localReader
	peer     *peer
	remote   *remoteEndpoint // nil for built-in endpoints
	guid     wire.GUID
	reliable bool
	keeps    bool // the writer is transient local
	locs     []wire.Locator

	started bool                                 // next is known
	next    wire.SequenceNumber                  // lowest one neither delivered nor given up
	high    wire.SequenceNumber                  // highest one that exists
	ahead   map[wire.SequenceNumber]reorderEntry // samples before their turn, within the window
	blocked bool                                 // the reader's queue is full

	heard     bool // a HEARTBEAT came
	beatCount uint32
	restart   restartDetector
	beatAt    time.Time
	fragCount uint32
	opening   int       // opening ACKNACKs sent
	openAt    time.Time // when the next is due
	acknack   acknackState
	earlyNack earlyNack
	partial   []*reassembly
	repairAt  time.Time
	life      livelinessState
}

// acknackState is the ACKNACK that the writer is due, and the last that asked for something. Its count is
// that of the reader, for all writers. Where a match begins anew, the writer ignores counts below those it
// knows.
type acknackState struct {
	due    bool
	at     time.Time           // when it is due
	base   wire.SequenceNumber // of the last one that asked for something
	nackAt time.Time           // when that was sent; zero once next has moved
	again  repeatedNack        // and when it is repeated
}

const (
	// ackPause gathers several HEARTBEATs into one answer; nackPause lets reordered samples arrive before
	// they are asked for.
	ackPause  = 5 * time.Millisecond
	nackPause = 2 * time.Millisecond
	// nackRepeat is the least time between two ACKNACKs that ask for the same.
	nackRepeat = 10 * time.Millisecond
	// openFirst to openMost is the pause between opening ACKNACKs to a writer that has said nothing yet;
	// after openTries it is openLate.
	openFirst = 100 * time.Millisecond
	openMost  = 400 * time.Millisecond
	openTries = 16
	openLate  = 4 * time.Second
	// maxLeap bounds how far one HEARTBEAT or GAP moves a reader ahead; more is not believed.
	maxLeap = 1 << 32
)

// match begins to listen to a remote writer.
func (r *localReader) match(c *Core, w *writerProxy, now time.Time) {
	w.task.run = func(now time.Time) { w.run(c, now) }
	w.reader = r
	w.started = !w.reliable
	w.next = 1
	w.openAt = now
	w.route(c)
	r.proxies[w.guid] = w
	r.order = append(r.order, w)
	r.stats.Matched++
	c.local.inbound[w.guid] = append(c.local.inbound[w.guid], w)
	if w.reliable {
		c.sched.soon(&w.task)
	}
	w.watchLife(c, now)
	c.watch.changed()
}

// route chooses where ACKNACKs go: the endpoint's own addresses, else the participant's.
func (w *writerProxy) route(c *Core) {
	switch {
	case w.reader.builtin:
		w.locs = w.peer.meta
	case w.remote != nil && len(w.remote.data.Unicast) > 0:
		w.locs, _ = c.choose(w.remote.data.Unicast, w.peer)
	default:
		w.locs = w.peer.user
	}
}

// unmatch ends the match. Samples that wait for earlier ones are lost.
func (r *localReader) unmatch(c *Core, w *writerProxy) {
	c.sched.kill(&w.task)
	w.endLife(c)
	w.clear(c)
	c.writerGone(r, w.guid)
	delete(r.proxies, w.guid)
	r.order = without(r.order, w)
	if left := without(c.local.inbound[w.guid], w); len(left) > 0 {
		c.local.inbound[w.guid] = left
	} else {
		delete(c.local.inbound, w.guid)
	}
	r.stats.Matched--
	c.watch.changed()
}

// without gives a list without one element, in new memory: somebody may be going through the old one.
func without(list []*writerProxy, w *writerProxy) []*writerProxy {
	var left []*writerProxy
	for _, o := range list {
		if o != w {
			left = append(left, o)
		}
	}
	return left
}

// data takes in a whole change.
func (w *writerProxy) data(c *Core, a *arrival) {
	if w.stale(c, a.sn) {
		return
	}
	if len(a.payload) > c.cfg.Limits.SampleBytes {
		c.stats.Refused++
		return
	}
	w.accept(c, a, nil)
}

// stale counts and reports a change that is not wanted: it came before, or lies too far ahead.
func (w *writerProxy) stale(c *Core, sn wire.SequenceNumber) bool {
	if _, have := w.ahead[sn]; have || sn < w.next {
		c.stats.Duplicates++
		return true
	}
	if !w.reliable && w.next > 1 && sn-w.next > maxLeap {
		c.stats.Refused++
		return true
	}
	if w.reliable && w.started && sn-w.next >= window {
		w.high = max(w.high, min(sn, w.next+maxLeap))
		c.stats.OutOfWindow++
		return true
	}
	if !w.started && len(w.ahead) >= window {
		c.stats.OutOfWindow++
		return true
	}
	return false
}

// accept delivers a change or keeps it until its turn. buf is the payload in memory of our own; nil = copy
// it.
func (w *writerProxy) accept(c *Core, a *arrival, buf []byte) {
	w.high = max(w.high, a.sn)
	w.sampled(c, a.now)
	switch {
	case !w.reliable:
		if lost := a.sn - w.next; lost > 0 && w.next > 1 {
			w.lose(c, lost)
		}
		w.next = a.sn + 1
		w.deliver(c, w.hold(c, a, buf))
	case w.started && a.sn == w.next && !w.full():
		w.next++
		w.deliver(c, w.hold(c, a, buf))
		if len(w.ahead) > 0 {
			w.drain(c)
		}
	default:
		if !w.makeRoom(c, a.sn, len(a.payload)+len(buf)) {
			c.stats.Refused++
			c.pool.put(buf)
			return
		}
		w.blocked = w.blocked || w.started && a.sn == w.next
		w.keep(c, a.sn, w.hold(c, a, buf))
		w.notice(c, a.now)
	}
}

// hold makes a change our own.
func (w *writerProxy) hold(c *Core, a *arrival, buf []byte) reorderEntry {
	if buf == nil {
		buf = c.pool.copyOf(a.payload)
	}
	if w.reader.builtin {
		raw := *a
		raw.payload = buf
		return reorderEntry{raw: raw}
	}
	s := Sample{Writer: w.guid, SN: a.sn, SourceTime: a.stamp, Received: a.now, Related: a.qos.Related,
		Payload: buf}
	if w.reader.cfg.Key == nil && a.content != wire.ContentData || w.reader.cfg.Key != nil && !w.identify(c,
		a, &s) {
		c.pool.put(buf)
		return reorderEntry{absent: true} // where there are no keys a disposal says nothing
	}
	return reorderEntry{Sample: s}
}

// identify finds out which instance a change of a topic with a key is about, and what has become of it. It is
// false when the change does not say.
func (w *writerProxy) identify(c *Core, a *arrival, s *Sample) bool {
	s.State = instance.StateOf(a.qos.Status)
	if s.State == instance.Alive && a.content != wire.ContentData {
		return false
	}
	s.Instance = a.qos.KeyHash
	if len(s.Payload) > 0 {
		k, err := w.reader.cfg.Key(s.Payload, a.content == wire.ContentKey)
		if err != nil {
			c.stats.Malformed++
			return false
		}
		s.Instance = k
	}
	return true
}

// full tells whether the reader refuses samples for now.
func (w *writerProxy) full() bool {
	return w.reader.lossless() && !w.reader.builtin && w.reader.queue.full()
}

func (w *writerProxy) deliver(c *Core, h reorderEntry) {
	switch {
	case h.absent:
	case w.reader.builtin:
		c.sedp.onBuiltin(w.reader, w, &h.raw)
		c.pool.put(h.raw.payload)
	default:
		c.enqueue(w.reader, h.Sample, &w.remote.QoS)
	}
}

// drain delivers what has had its turn.
func (w *writerProxy) drain(c *Core) {
	for {
		h, ok := w.ahead[w.next]
		if !ok {
			w.blocked = false
			return
		}
		if w.full() && !h.absent {
			w.blocked = true
			return
		}
		w.unkeep(c, w.next)
		w.next++
		w.deliver(c, h)
	}
}

// resume goes on after the reader's queue was full.
func (w *writerProxy) resume(c *Core, now time.Time) {
	if w.blocked {
		w.drain(c)
		w.answer(c, now, ackPause)
	}
}

// lose counts changes that will never come.
func (w *writerProxy) lose(c *Core, n wire.SequenceNumber) {
	w.reader.stats.Lost += uint64(n)
	c.stats.Lost += uint64(n)
}

// ready tells whether samples flow: the writer was heard, or need not be.
func (w *writerProxy) ready() bool { return w.heard || !w.reliable }
