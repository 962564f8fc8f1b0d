package rtps

import (
	"context"
	"time"

	"simdeck/ros/rtps/wire"
)

// Reader takes samples of a topic.
type Reader struct {
	p     *Participant
	r     *localReader
	ready chan struct{}
	done  bool // ready is closed
}

// NewReader makes a reader and announces it. It can be called before and during Run.
func (p *Participant) NewReader(cfg ReaderConfig) (*Reader, error) {
	r := &Reader{p: p, ready: make(chan struct{}, 1)}
	err := ErrClosed
	p.do(func(c *Core, now time.Time) {
		if p.ended {
			return
		}
		if r.r, err = c.newReader(cfg, now); err == nil {
			r.r.handle = r
		}
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// signal puts a token into the channel. The participant is locked.
func (r *Reader) signal() {
	if r.done {
		return
	}
	select {
	case r.ready <- struct{}{}:
	default:
	}
}

// finish closes the channel. The participant is locked.
func (r *Reader) finish() {
	if !r.done {
		r.done = true
		close(r.ready)
	}
}

// Ready gives a token when the empty queue got a sample: call Take until it is false then. Close closes the
// channel.
func (r *Reader) Ready() <-chan struct{} { return r.ready }

// Take gives the oldest waiting sample, if there is one.
func (r *Reader) Take() (Sample, bool) {
	r.p.mu.Lock()
	s, ok := r.p.core.take(r.r, now())
	r.p.done(true)
	return s, ok
}

// Receive waits for a sample. Errors: that of ctx, or ErrClosed.
func (r *Reader) Receive(ctx context.Context) (Sample, error) {
	for {
		if s, ok := r.Take(); ok {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return Sample{}, ctx.Err()
		case _, open := <-r.ready:
			if !open {
				if s, ok := r.Take(); ok {
					return s, nil
				}
				return Sample{}, ErrClosed
			}
		}
	}
}

// Recycle hands a sample's payload back, to be used again. The caller must not touch it any more.
func (r *Reader) Recycle(payload []byte) {
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	r.p.core.pool.put(payload)
}

// GUID names the reader.
func (r *Reader) GUID() wire.GUID { return r.r.guid }

// Matches gives the writers that the reader is joined with, those of this participant included.
func (r *Reader) Matches() []Match {
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	all := make([]Match, 0, len(r.r.order)+len(r.r.localWriters))
	for _, w := range r.r.order {
		all = append(all, Match{w.guid, w.ready()})
	}
	for _, w := range r.r.localWriters {
		all = append(all, Match{w.guid, true})
	}
	return all
}

// Matched tells whether a writer is joined with the reader, and whether it was heard.
func (r *Reader) Matched(writer wire.GUID) (matched, ready bool) {
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	if w := r.r.proxies[writer]; w != nil {
		return true, w.ready()
	}
	for _, w := range r.r.localWriters {
		if w.guid == writer {
			return true, true
		}
	}
	return false, false
}

// Stats gives the counters.
func (r *Reader) Stats() ReaderStats {
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	s := r.r.stats
	s.Matched += len(r.r.localWriters)
	return s
}

// Close withdraws the reader; what waits in its queue is gone. Closing again does nothing.
func (r *Reader) Close() error {
	r.p.do(func(c *Core, now time.Time) {
		c.closeReader(r.r, now)
		r.finish()
	})
	return nil
}
