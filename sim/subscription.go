package sim

import (
	"sync/atomic"
	"time"
)

// Delivery says which snapshots a subscriber gets.
type Delivery struct {
	queue  int
	period time.Duration
}

// Latest delivers at most one snapshot per period of wall time and keeps only
// the newest.
func Latest(period time.Duration) Delivery { return Delivery{period: period} }

// Lossless delivers snapshots through a queue of n: every period of simulated time, with new samples or
// odometry, after every effective command. When the queue is full the newest is dropped and counted.
func Lossless(n int, period time.Duration) Delivery {
	return Delivery{queue: max(1, n), period: period}
}

// Subscription is a stream of snapshots, made by a Feed.
type Subscription struct {
	ch      chan *Snapshot
	d       Delivery
	dropped atomic.Uint64
	wanted  atomic.Pointer[func(entity uint64, sensor int) bool] // nil: every sensor
	drawing atomic.Uint32                                        // physics.DrawFlags
	feed    *Feed

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
func (s *Subscription) Close() { s.feed.drop(s) }
