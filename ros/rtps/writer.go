package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// Writer publishes samples on a topic.
type Writer struct {
	p *Participant
	w *localWriter
}

// NewWriter makes a writer and announces it. It can be called before and during Run.
func (p *Participant) NewWriter(cfg WriterConfig) (*Writer, error) {
	var w *localWriter
	err := ErrClosed
	p.do(func(c *Core, now time.Time) {
		if !p.ended {
			w, err = c.newWriter(cfg, now)
		}
	})
	if err != nil {
		return nil, err
	}
	return &Writer{p, w}, nil
}

// Buffer gives memory for a payload of about n octets, to be filled and then written with WriteOptions.Owned.
// A large sample is then copied by the system alone.
func (w *Writer) Buffer(n int) []byte {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	return w.p.core.pool.get(max(0, n))[:0]
}

// Write publishes a payload: encapsulation header and CDR. It copies the payload unless it is owned, and
// never waits for the network. When the history is full the oldest sample goes; readers that miss it are told
// so, and Stats counts it. Errors: ErrClosed, ErrTooLarge, ErrPayload.
func (w *Writer) Write(payload []byte, o WriteOptions) (wire.SequenceNumber, error) {
	w.p.mu.Lock()
	sn, err := w.p.core.write(w.w, payload, &o, now())
	w.p.done(true)
	return sn, err
}

// AssertLiveliness says that the writer is alive though it writes nothing, for one whose Liveliness is
// manual. With ManualByParticipant it is said for all such writers of the participant.
func (w *Writer) AssertLiveliness() error {
	err := ErrClosed
	w.p.do(func(c *Core, now time.Time) {
		if !w.w.closed {
			c.alive.assert(w.w, false, now)
			err = nil
		}
	})
	return err
}

// GUID names the writer.
func (w *Writer) GUID() wire.GUID { return w.w.guid }

// Matches gives the readers that the writer is joined with, those of this participant included.
func (w *Writer) Matches() []Match {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	all := make([]Match, 0, len(w.w.order)+len(w.w.locals))
	for _, r := range w.w.order {
		all = append(all, Match{r.guid, r.live})
	}
	for _, r := range w.w.locals {
		all = append(all, Match{r.guid, true})
	}
	return all
}

// Matched tells whether a reader is joined with the writer, and whether samples flow already. A reader gets
// all that is written from the moment it is matched.
func (w *Writer) Matched(reader wire.GUID) (matched, ready bool) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	if r := w.w.proxies[reader]; r != nil {
		return true, r.live
	}
	for _, r := range w.w.locals {
		if r.guid == reader {
			return true, true
		}
	}
	return false, false
}

// MatchedIn counts the readers of one participant that are joined with the writer.
func (w *Writer) MatchedIn(p wire.GUIDPrefix) (n int) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	for _, r := range w.w.order {
		if r.guid.Prefix == p {
			n++
		}
	}
	if p == w.w.guid.Prefix {
		n += len(w.w.locals)
	}
	return n
}

// KeepNewest says whether the newest sample of a volatile writer is kept, for Repeat.
func (w *Writer) KeepNewest(on bool) {
	w.p.do(func(c *Core, _ time.Time) {
		w.w.keepsNewest = on
		c.trim(w.w)
	})
}

// Repeat sends the newest sample again to readers that are not reliable, where it is kept. By its sequence
// number readers that have it drop it (RTPS 2.2 §8.4.12.1).
func (w *Writer) Repeat() {
	w.p.do(func(c *Core, _ time.Time) {
		if w.w.hist.find(w.w.last) == nil {
			return
		}
		for _, r := range w.w.order {
			if !r.reliable && r.next > w.w.last && r.start <= w.w.last {
				r.next, r.fragment = w.w.last, 0
				c.sched.soon(&r.task)
			}
		}
	})
}

// Acked tells whether every reliable reader that is matched now has everything up to a sample.
func (w *Writer) Acked(sn wire.SequenceNumber) bool {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	for _, r := range w.w.order {
		if r.reliable && r.acked < min(sn, w.w.last) {
			return false
		}
	}
	return true
}

// Stats gives the counters.
func (w *Writer) Stats() WriterStats {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	s := w.w.stats
	s.Matched += len(w.w.locals)
	return s
}

// Kept gives copies of the payloads that a reader would get that comes late: none of a volatile writer.
func (w *Writer) Kept() [][]byte {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	if !w.w.keeps() {
		return nil
	}
	var all [][]byte
	at := now()
	for _, h := range w.w.hist.from(0) {
		if h.relevant(w.p.core.cfg.Prefix, w.w.cfg.QoS.Lifespan, at) {
			all = append(all, append([]byte(nil), h.payload...))
		}
	}
	return all
}

// Close withdraws the writer. Its readers get no further repetitions. Closing again does nothing.
func (w *Writer) Close() error {
	w.p.do(func(c *Core, now time.Time) { c.closeWriter(w.w, now) })
	return nil
}
