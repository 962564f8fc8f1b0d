// Package serve holds the common loop of a backend's servers: robots, vehicles, workers and Gazebo's topics
// publish from one subscription's snapshots each. The servers are the packages below it.
package serve

import (
	"context"
	"sync/atomic"
	"time"

	"simdeck/sim"
)

// Clock is the simulated time of the snapshot that a loop publishes, for recordings of its topics. It is safe
// from any goroutine.
type Clock struct{ at atomic.Int64 }

// Show sets the clock to a snapshot's time.
func (c *Clock) Show(s *sim.Snapshot) { c.at.Store(int64(s.Time)) }

// Now is the time of the snapshot that was shown last.
func (c *Clock) Now() time.Duration { return time.Duration(c.at.Load()) }

// Ticker calls a function once in a period of real time.
type Ticker struct {
	Period time.Duration // 0: never
	Do     func(now time.Time)
}

// EachSnapshot calls show with each snapshot of a subscription, and a ticker meanwhile. It returns once show
// is false, or the engine has shown its last snapshot, or ctx has ended and no snapshot waits. The caller
// closes the subscription.
func EachSnapshot(ctx context.Context, snapshots *sim.Subscription, show func(*sim.Snapshot) bool,
	ticker Ticker) {
	var ticks <-chan time.Time
	if ticker.Period > 0 {
		t := time.NewTicker(ticker.Period)
		defer t.Stop()
		ticks = t.C
	}
	for {
		select {
		case <-ctx.Done():
			for len(snapshots.C()) > 0 {
				if s, more := <-snapshots.C(); !more || !shown(snapshots, s, show) {
					return
				}
			}
			return
		case s, more := <-snapshots.C():
			if !more || !shown(snapshots, s, show) {
				return
			}
		case now := <-ticks:
			ticker.Do(now)
		}
	}
}

// shown shows a snapshot that was taken from a subscription.
func shown(from *sim.Subscription, s *sim.Snapshot, show func(*sim.Snapshot) bool) bool {
	defer from.Done()
	return show(s)
}
