package sim

import (
	"sync"
	"sync/atomic"
	"time"
)

// Delivery says which snapshots a subscriber gets.
type Delivery struct {
	queue  int
	period time.Duration
	hold   *Hold // nil: the reader never slows the simulation
}

// Latest delivers at most one snapshot per period of wall time and keeps only
// the newest.
func Latest(period time.Duration) Delivery { return Delivery{period: period} }

// Lossless delivers snapshots through a queue of n: every period of simulated time, with new samples or
// odometry, after every effective command. When the queue is full the newest is dropped and counted.
func Lossless(n int, period time.Duration) Delivery {
	return Delivery{queue: max(1, n), period: period}
}

// Holding returns d for a reader that can slow the simulation. While h is on, the next step waits for a
// reader that is behind. Readers of Latest never slow it.
func (d Delivery) Holding(h *Hold) Delivery {
	if d.queue > 0 {
		d.hold = h
	}
	return d
}

// heldQueue is the number of snapshots from which on a reader that is not done with them is behind. The rest
// of its queue is for commands, which are carried out meanwhile.
const heldQueue = 16

// Hold lets readers that need every snapshot, as complete recordings do, slow the simulation to their speed.
// Its zero value is off and ready.
type Hold struct {
	// Exact readers are done with each snapshot before the next step. To be set before the first
	// subscription.
	Exact bool
	on    atomic.Bool
	lost  atomic.Uint64

	mu      sync.Mutex
	readers int
	left    chan struct{} // closed when the last reader has left; nil: nobody waits for that
}

// Set turns it on or off.
func (h *Hold) Set(on bool) { h.on.Store(on) }

// On reports whether it is on; nil is off.
func (h *Hold) On() bool { return h != nil && h.on.Load() }

// Lost is the number of snapshots that its readers lost while it was on: to a burst of commands that overran
// their queues.
func (h *Hold) Lost() uint64 { return h.lost.Load() }

// Left is closed once every reader has closed its subscription.
func (h *Hold) Left() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left == nil {
		h.left = make(chan struct{})
		if h.readers == 0 {
			close(h.left)
		}
	}
	return h.left
}

func (h *Hold) join(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.readers += n; h.readers == 0 && h.left != nil {
		close(h.left)
	} else if h.readers == 1 && n > 0 {
		h.left = nil
	}
}

// Subscription is a stream of snapshots, made by a Feed.
type Subscription struct {
	ch      chan *Snapshot
	d       Delivery
	dropped atomic.Uint64
	wanted  atomic.Pointer[func(entity uint64, sensor int) bool] // nil: every sensor
	drawing atomic.Uint32                                        // physics.DrawFlags
	pending atomic.Int64                                         // sent, and the reader is not done with them
	feed    *Feed
	ended   atomic.Bool // by Close

	// Guarded by the feed.
	closed  bool
	sent    uint64        // Seq of the last snapshot
	nextSim time.Duration // simulated time of the next delivery, for Lossless
	next    time.Time     // wall time of the next delivery, for Latest
}

// C delivers the snapshots. It is closed after Close or when the engine ends.
func (s *Subscription) C() <-chan *Snapshot { return s.ch }

// Dropped is the number of snapshots that this reader was too slow for.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// Holds reports whether the simulation waits for this reader.
func (s *Subscription) Holds() bool { return s.d.hold.On() }

// Done tells a simulation that waits for this reader that it is done with a snapshot. A reader with a Hold
// calls it once for each.
func (s *Subscription) Done() {
	s.pending.Add(-1)
	if s.d.hold.On() {
		s.feed.roomCame()
	}
}

// behind reports whether the simulation is to wait for the reader.
func (s *Subscription) behind() bool {
	most := int64(min(heldQueue, cap(s.ch)))
	if s.d.hold.Exact {
		most = 1
	}
	return s.pending.Load() >= most
}

// SetPeriod changes the period of the deliveries to come.
func (s *Subscription) SetPeriod(period time.Duration) {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	s.nextSim -= s.d.period
	s.d.period = period
	s.nextSim += period
}

// WantSensors says whether this reader looks at Samples, which is so until it
// says otherwise. A sensor is computed while some open subscription wants it;
// until then its Sample stays as it is. Pictures of cameras cost so much that
// they are computed only for WantSamples.
func (s *Subscription) WantSensors(on bool) {
	if on {
		s.wanted.Store(nil)
		return
	}
	s.WantSamples(func(uint64, int) bool { return false })
}

// WantSamples says which sensors this reader looks at: by EntityModel.ID and
// the index into EntityModel.Sensors. The function is called in the loop when
// a sample is due: it must be quick and must not call the Backend.
func (s *Subscription) WantSamples(wanted func(entity uint64, sensor int) bool) {
	s.wanted.Store(&wanted)
}

// WantDrawing asks for Snapshot.Drawing: what the physics sees, by flags; 0, which is so at first, for none.
// Snapshots show what all open subscriptions have asked for, from the next on.
func (s *Subscription) WantDrawing(flags DrawFlags) { s.drawing.Store(uint32(flags)) }

// Close ends the stream. It may be called more than once.
func (s *Subscription) Close() {
	s.feed.drop(s)
	if s.d.hold != nil && s.ended.CompareAndSwap(false, true) {
		s.d.hold.join(-1)
	}
}
