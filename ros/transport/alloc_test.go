//go:build !race

// The race detector makes sync.Pool forget a part of what it is given, in x/net's batches among others: only
// a build without it can count.

package transport

import (
	"runtime"
	"testing"
	"time"

	"simdeck/ros/rtps"
)

func TestASmallSampleAllocatesNothingFromWriterToReader(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock, measures memory")
	}
	for _, q := range []rtps.QoS{{Depth: 5}, {Reliability: rtps.Reliable, Depth: 5}} {
		w, r := couple(t, 50, q)
		payload := make([]byte, 200)
		for begin := time.Now(); time.Since(begin) < time.Second; { // the first announcements are over then
			pass(t, w, r, payload)
		}
		const n = 5000
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range n {
			pass(t, w, r, payload)
		}
		runtime.ReadMemStats(&after)
		if per := float64(after.Mallocs-before.Mallocs) / n; per > 0.05 {
			t.Errorf("reliability %d: %.2f allocations per sample, in writer, reader, their loops and sockets together",
				q.Reliability, per)
		}
	}
}
