// Package serve holds the common loop of a backend's servers: robots, vehicles, workers and Gazebo's topics
// publish from one subscription's snapshots each. The servers are the packages below it.
package serve

import (
	"context"
	"time"

	"simdeck/sim"
)

// Ticker calls a function once in a period of real time.
type Ticker struct {
	Period time.Duration // 0: never
	Do     func(now time.Time)
}

// EachSnapshot calls show with each snapshot of a subscription, and a ticker meanwhile. It returns once show
// is false, ctx ends, or the engine has shown its last snapshot. The caller closes the subscription.
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
			return
		case s, more := <-snapshots.C():
			if !more || !show(s) {
				return
			}
		case now := <-ticks:
			ticker.Do(now)
		}
	}
}
