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

// Lossless delivers a snapshot at every multiple of period of simulated time,
// at every new sensor sample or odometry, and after every command that changed
// something, through a queue of n. When the queue is full the newest is
// dropped and counted.
func Lossless(n int, period time.Duration) Delivery {
	return Delivery{queue: max(1, n), period: period}
}

// Subscription is a stream of snapshots, made by a Feed.
type Subscription struct {
	ch      chan *Snapshot
	d       Delivery
	dropped atomic.Uint64
	blind   atomic.Bool // wants no sensors
	feed    *Feed

	// Guarded by the feed.
	closed  bool
	sent    uint64        // Seq of the last snapshot
	nextSim time.Duration // simulated time of the next delivery, for Lossless
	next    time.Time     // wall time of the next delivery, for Latest
}

// C delivers the snapshots. It is closed after Close or when the engine ends.
func (s *Subscription) C() <-chan *Snapshot { return s.ch }

// Dropped is how many snapshots this reader was too slow for.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// WantSensors says whether this reader looks at Samples, which is so until it
// says otherwise. Sensors are computed while some open subscription wants
// them; until then Samples stay as they are.
func (s *Subscription) WantSensors(on bool) { s.blind.Store(!on) }

// Close ends the stream. It may be called more than once.
func (s *Subscription) Close() { s.feed.drop(s) }
