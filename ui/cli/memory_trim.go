package cli

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"simdeck/sim"
)

// Loading a world or discovering a hundred nodes leaves a heap of twice the needed size, which Go keeps for
// minutes. A collection after such a burst costs some 20 ms of a core.
const (
	lullPeriod = 5 * time.Second
	lullAllocs = 2 << 20 // bytes in a period, and less is a lull
	burst      = 8 << 20 // bytes since memory was given back
)

// memoryTrimmer gives memory back that a burst has left, once.
type memoryTrimmer struct {
	last, freed uint64 // bytes that had been allocated, ever
	free        func()
}

// trimIfIdle is to be called every lullPeriod with what has been allocated ever.
func (t *memoryTrimmer) trimIfIdle(allocated uint64, playing bool) {
	lull := allocated-t.last < lullAllocs
	t.last = allocated
	if lull && !playing && allocated-t.freed >= burst {
		t.free()
		t.freed = allocated
	}
}

// trimMemory gives memory back while a simulation rests, until ctx ends: many may stand beside each other on
// one machine.
func trimMemory(ctx context.Context, backend sim.Backend) {
	t := memoryTrimmer{free: debug.FreeOSMemory}
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	ticker := time.NewTicker(lullPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			metrics.Read(sample)
			t.trimIfIdle(sample[0].Value.Uint64(), backend.Snapshot().State == sim.Playing)
		}
	}
}
