package rmw

import (
	"context"
	"slices"
	"strconv"
	"time"

	"simdeck/ros/node"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	"simdeck/ros/zenoh"
	zwire "simdeck/ros/zenoh/wire"
)

// Reader takes messages of a topic, or the requests or replies of a service.
type Reader struct {
	p      *Participant
	entity Entity
	key    string // "" of a service
	guid   wire.GUID
	tokens []uint32
	queue  queue
	match  func() []rtps.Match // of a service's
	leave  func()              // of a service's, with the session locked
	closed bool

	// of durability transient local: queries for what publishers keep that are under way. Messages wait
	// behind the answers meanwhile
	asking int
	held   []rtps.Sample
	newest map[wire.GUID]wire.SequenceNumber // so that nothing is given twice
}

// NewReader makes a reader of a topic and announces it.
func (p *Participant) NewReader(of node.NodeName, c rtps.ReaderConfig) (node.Reader, error) {
	depth := c.Queue
	if depth == 0 {
		depth = c.QoS.Depth
	}
	r := &Reader{p: p, queue: newQueue(depth)}
	err := rtps.ErrClosed
	p.session.Do(func(core *zenoh.Core) {
		if p.closed {
			return
		}
		err = nil
		r.entity = p.entity(Subscription, of)
		r.entity.describe(c.Topic, c.Type, hashIn(c.UserData), c.QoS)
		r.guid, r.key = r.entity.guid(readerKind), r.entity.Key()
		first := len(p.readers[r.key]) == 0
		p.readers[r.key] = append(p.readers[r.key], r)
		r.tokens = []uint32{core.Declare(zwire.DeclareToken, r.entity.Token(), false)}
		if first {
			p.subscribed[r.key] = core.Declare(zwire.DeclareSubscriber, r.key, false)
		}
		if c.QoS.Durability != rtps.Volatile {
			r.newest = map[wire.GUID]wire.SequenceNumber{}
			r.recallOwn()
			r.recall("")
		}
		p.tell()
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// recallOwn takes what writers of this session keep.
func (r *Reader) recallOwn() {
	for _, w := range r.p.writers[r.key] {
		for _, k := range w.fresh() {
			a, _ := parseAttachment(k.attachment)
			r.deliver(w.guid, a.number, a.time, k.payload)
		}
	}
}

// recall asks the publishers of a session for what they keep; "": those of all.
func (r *Reader) recall(session string) {
	if r.newest == nil {
		return
	}
	expression := r.key + "/@adv/**"
	if session != "" {
		expression = r.key + "/@adv/pub/" + session + "/**"
	}
	parameters := "_anyke"
	if d := r.entity.QoS.Depth; d > 0 {
		parameters += ";_max=" + strconv.Itoa(d)
	}
	id, ok := r.p.core.Ask(zwire.Request{Key: zwire.Key(expression), Target: zwire.All,
		Consolidation: zwire.NotConsolidated, Parameters: []byte(parameters), Timeout: recallMayTake})
	if ok {
		r.p.history[id] = r
		r.asking++
	}
}

// recallMayTake bounds the time for which a router waits for caches.
const recallMayTake = 10 * time.Second

// maxHeld bounds what waits while queries are under way.
const maxHeld = 1024

// recalled ends a query for what publishers keep.
func (r *Reader) recalled() {
	if r.asking--; r.asking > 0 {
		return
	}
	for _, s := range r.held {
		r.give(s)
	}
	r.held = nil
}

// take takes a message that was published.
func (r *Reader) take(v *zwire.Value) {
	s := r.sample(v)
	if r.asking > 0 && len(r.held) < maxHeld {
		r.held = append(r.held, s)
		return
	}
	r.give(s)
}

// sample copies a message of another session.
func (r *Reader) sample(v *zwire.Value) rtps.Sample {
	a, _ := parseAttachment(v.Attachment)
	return rtps.Sample{Writer: r.p.others.sender(a.gid, r.entity.Hash), SN: wire.SequenceNumber(a.number),
		SourceTime: stampOf(a, v), Received: now(), Payload: append([]byte(nil), v.Payload...)}
}

// deliver gives a message of a writer of this session.
func (r *Reader) deliver(from wire.GUID, number int64, at time.Time, payload []byte) {
	r.give(rtps.Sample{Writer: from, SN: wire.SequenceNumber(number), SourceTime: at, Received: now(),
		Payload: append([]byte(nil), payload...)})
}

// maxNewest bounds the writers whose last message is remembered.
const maxNewest = 256

func (r *Reader) give(s rtps.Sample) {
	if r.newest != nil && s.SN > 0 {
		if s.SN <= r.newest[s.Writer] {
			return
		}
		if len(r.newest) >= maxNewest {
			clear(r.newest)
		}
		r.newest[s.Writer] = s.SN
	}
	r.queue.push(s)
}

// GUID names the reader.
func (r *Reader) GUID() wire.GUID { return r.guid }

func (r *Reader) locked(f func()) { r.p.session.Do(func(*zenoh.Core) { f() }) }

// Receive waits for a sample. Errors: that of ctx, or rtps.ErrClosed.
func (r *Reader) Receive(ctx context.Context) (rtps.Sample, error) {
	return r.queue.receive(ctx, r.locked)
}

// Recycle takes a payload back.
func (r *Reader) Recycle([]byte) {}

// Matches are the writers of the topic, ours included.
func (r *Reader) Matches() (all []rtps.Match) {
	r.locked(func() { all = r.matches() })
	return all
}

func (r *Reader) matches() []rtps.Match {
	if r.match != nil {
		return r.match()
	}
	all := r.p.others.matches(r.key, Publisher, writerKind)
	for _, w := range r.p.writers[r.key] {
		all = append(all, rtps.Match{GUID: w.guid, Ready: true})
	}
	return all
}

// Stats gives the counters.
func (r *Reader) Stats() (s rtps.ReaderStats) {
	r.locked(func() {
		s = r.queue.stats
		s.Matched = len(r.matches())
	})
	return s
}

// Close withdraws the reader.
func (r *Reader) Close() error {
	r.p.session.Do(func(core *zenoh.Core) {
		if r.closed {
			return
		}
		r.closed = true
		r.queue.close()
		for _, id := range r.tokens {
			core.Undeclare(id)
		}
		if r.leave != nil {
			r.leave()
			r.p.serviceReaders = slices.DeleteFunc(r.p.serviceReaders, func(o *Reader) bool { return o == r })
		}
		if r.key != "" {
			if without(r.p.readers, r.key, r); len(r.p.readers[r.key]) == 0 {
				core.Undeclare(r.p.subscribed[r.key])
				delete(r.p.subscribed, r.key)
			}
		}
		for id, o := range r.p.history {
			if o == r {
				delete(r.p.history, id)
			}
		}
		r.p.tell()
	})
	return nil
}
