package sim

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Feed hands snapshots to subscribers without ever waiting for one of them; whoever publishes may ask whether
// one of them should be waited for.
// An Engine has one; any other Backend can be built on one as well. Its zero
// value is ready. It is safe from any goroutine; one goroutine publishes.
type Feed struct {
	// Room is called when a reader for which the simulation waits is done with a snapshot. To be set before
	// the first subscription; nil: nobody is told.
	Room    func()
	full    atomic.Bool // the last Held was
	latest  atomic.Pointer[Snapshot]
	dropped atomic.Uint64
	mu      sync.Mutex
	subs    []*Subscription
	closed  bool
}

// Latest is the snapshot published last; nil before the first.
func (f *Feed) Latest() *Snapshot { return f.latest.Load() }

// Dropped is the number of snapshots that slow readers of Lossless lost, closed ones included. To readers of
// Latest it is no loss to get a newer one.
func (f *Feed) Dropped() uint64 { return f.dropped.Load() }

// Subscribe opens a stream. It begins with the newest snapshot there is.
func (f *Feed) Subscribe(d Delivery) *Subscription {
	s := &Subscription{ch: make(chan *Snapshot, max(1, d.queue)), d: d, feed: f}
	f.mu.Lock()
	defer f.mu.Unlock()
	if d.hold != nil {
		d.hold.join(1)
	}
	if now := f.latest.Load(); now != nil {
		s.ch <- now
		s.pending.Add(1)
		s.sent = now.Seq
		s.schedule(now.Time)
	}
	if f.closed {
		s.closed = true
		close(s.ch)
		return s
	}
	f.subs = append(f.subs, s)
	return s
}

// Publish makes s the newest snapshot and hands it to every reader that is
// due at the wall time now. News is whether s shows more than the passing of
// time: what a command did, a new sample, a new odometry.
func (f *Feed) Publish(s *Snapshot, now time.Time, news bool) {
	f.latest.Store(s)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, sub := range f.subs {
		if sub.wants(now, s.Time, news) {
			f.deliver(sub, s, now)
		}
	}
}

// Flush hands the newest snapshot to readers of Latest whose period has passed, and returns when the next is
// due; zero: none is.
func (f *Feed) Flush(now time.Time) time.Time {
	newest := f.latest.Load()
	if newest == nil {
		return time.Time{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var next time.Time
	for _, sub := range f.subs {
		switch {
		case sub.d.queue > 0 || sub.sent >= newest.Seq:
		case !now.Before(sub.next):
			f.deliver(sub, newest, now)
		case next.IsZero() || sub.next.Before(next):
			next = sub.next
		}
	}
	return next
}

// Close ends every stream, after what is still in its queue.
func (f *Feed) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, s := range f.subs {
		s.closed = true
		close(s.ch)
	}
	f.subs = nil
}

// Wanted reports whether anyone would take a snapshot made now.
func (f *Feed) Wanted(now time.Time, t time.Duration, news bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.subs {
		if s.wants(now, t, news) {
			return true
		}
	}
	return false
}

// Held reports whether there are readers whose Hold is on, and whether the simulation is to wait for one of
// them.
func (f *Feed) Held() (holds, full bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.subs {
		if s.d.hold.On() {
			holds = true
			f.full.Store(true) // before the look at it: what is done after that is told of
			full = full || s.behind()
		}
	}
	f.full.Store(full)
	return holds, full
}

func (f *Feed) roomCame() {
	if f.Room != nil && f.full.Load() {
		f.Room()
	}
}

// SensorWatched reports whether anyone looks at a sensor of an entity.
func (f *Feed) SensorWatched(entity uint64, sensor int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.subs {
		if wanted := s.wanted.Load(); wanted == nil || (*wanted)(entity, sensor) {
			return true
		}
	}
	return false
}

// SensorRequested reports whether anyone has asked for a sensor of an entity by
// WantSamples: what pictures are computed for, which cost more than others.
func (f *Feed) SensorRequested(entity uint64, sensor int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.subs {
		if wanted := s.wanted.Load(); wanted != nil && (*wanted)(entity, sensor) {
			return true
		}
	}
	return false
}

// Drawing is the union of the readers' drawing flags.
func (f *Feed) Drawing() (flags DrawFlags) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.subs {
		flags |= DrawFlags(s.drawing.Load())
	}
	return flags
}

func (f *Feed) drop(s *Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	close(s.ch)
	f.subs = slices.DeleteFunc(f.subs, func(o *Subscription) bool { return o == s })
}

// deliver gives a snapshot to a reader, or counts what it loses.
func (f *Feed) deliver(s *Subscription, snapshot *Snapshot, now time.Time) {
	s.sent = snapshot.Seq
	s.schedule(snapshot.Time)
	s.next = now.Add(s.d.period)
	if s.d.queue == 0 { // keep the newest
		select {
		case <-s.ch:
			s.dropped.Add(1)
		default:
		}
	}
	select {
	case s.ch <- snapshot:
		s.pending.Add(1)
	default:
		s.dropped.Add(1)
		f.dropped.Add(1)
		if s.d.hold.On() {
			s.d.hold.lost.Add(1)
		}
	}
}

// wants reports whether a snapshot of the simulated time t goes to the reader.
// Time that went back was reset.
func (s *Subscription) wants(now time.Time, t time.Duration, news bool) bool {
	if s.d.queue == 0 {
		return !now.Before(s.next)
	}
	return news || t >= s.nextSim || t < s.nextSim-s.d.period
}

// schedule sets the next multiple of the period after the simulated time t.
func (s *Subscription) schedule(t time.Duration) {
	if s.d.period > 0 {
		s.nextSim = (t/s.d.period + 1) * s.d.period
	}
}
