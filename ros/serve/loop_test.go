package serve

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
)

// publish publishes snapshots of which each has news.
func publish(to *sim.Feed, n uint64) {
	for i := range n {
		to.Publish(&sim.Snapshot{Seq: i + 1, Step: i + 1, Model: &sim.Model{}}, time.Now(), true)
	}
}

func TestEachSnapshotIsShownOnceAndInOrderUntilTheEngineEnds(t *testing.T) {
	var feed sim.Feed
	snapshots := feed.Subscribe(sim.Lossless(8, 0))
	publish(&feed, 5)
	feed.Close()
	var seen []uint64
	EachSnapshot(t.Context(), snapshots, func(s *sim.Snapshot) bool {
		seen = append(seen, s.Seq)
		return true
	}, Ticker{})
	if len(seen) != 5 || seen[0] != 1 || seen[4] != 5 {
		t.Errorf("shown are %v, want 1 to 5", seen)
	}
}

func TestALoopEndsWhenTheOneWhoIsShownHasSeenEnough(t *testing.T) {
	var feed sim.Feed
	snapshots := feed.Subscribe(sim.Lossless(8, 0))
	publish(&feed, 5)
	shown := 0
	EachSnapshot(t.Context(), snapshots, func(*sim.Snapshot) bool { shown++; return shown < 2 }, Ticker{})
	if shown != 2 {
		t.Errorf("%d snapshots are shown, want 2", shown)
	}
}

func TestTheTickerTicksOnceInItsPeriodUntilTheNodeEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var feed sim.Feed
		ctx, end := context.WithTimeout(t.Context(), 1050*time.Millisecond)
		defer end()
		began, ticks := time.Now(), 0
		EachSnapshot(ctx, feed.Subscribe(sim.Latest(0)), func(*sim.Snapshot) bool { return true },
			Ticker{Period: 100 * time.Millisecond, Do: func(now time.Time) {
				ticks++
				if at := now.Sub(began); at != time.Duration(ticks)*100*time.Millisecond {
					t.Errorf("tick %d comes at %v", ticks, at)
				}
			}})
		if ticks != 10 || ctx.Err() == nil {
			t.Errorf("%d ticks in 1.05 s, want 10 and then the end", ticks)
		}
	})
}
