package sim

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// LoopMonitor shows the state of an engine's loop from outside, without waiting: the age of its task and its
// steps' durations. The loop pays some additions of a word for it; without one it pays nothing.
type LoopMonitor struct {
	base  time.Time
	begun atomic.Int64 // since base, in ns: when the round began that is under way; 0 while the loop waits
	steps [stepBounds + 1]atomic.Uint64
	busy  atomic.Int64 // in all steps, ns
}

// Bounds of step times are powers of two from 2^finest ns on.
const (
	finestStepBound = 10 // 1.024 µs
	stepBounds      = 24 // up to 8.6 s
)

// NewLoopMonitor makes one for Config.Watch.
func NewLoopMonitor(now time.Time) *LoopMonitor { return &LoopMonitor{base: now} }

// StepTimes says how long the steps took that there were so far.
type StepTimes struct {
	Count uint64
	Sum   time.Duration
	Most  [stepBounds]time.Duration // bounds, rising
	Steps [stepBounds]uint64        // that took no longer than each bound
}

// Steps returns the counts of steps by duration. Counts of steps that end meanwhile may be in it or not.
func (w *LoopMonitor) Steps() (t StepTimes) {
	for i := range stepBounds {
		t.Count += w.steps[i].Load()
		t.Most[i], t.Steps[i] = 1<<(finestStepBound+i), t.Count
	}
	t.Count += w.steps[stepBounds].Load()
	t.Sum = time.Duration(w.busy.Load())
	return t
}

// BusyTime is the duration of the loop's current round: commands, a step, a snapshot. It is 0 while the loop
// waits, as a paused world's does.
func (w *LoopMonitor) BusyTime(now time.Time) time.Duration {
	begun := w.begun.Load()
	if begun == 0 {
		return 0
	}
	return max(0, now.Sub(w.base)-time.Duration(begun))
}

// Begin notes that a round begins.
func (w *LoopMonitor) Begin(now time.Time) {
	if w != nil {
		w.begun.Store(max(1, int64(now.Sub(w.base))))
	}
}

// Idle notes that the loop waits.
func (w *LoopMonitor) Idle() {
	if w != nil {
		w.begun.Store(0)
	}
}

// Stepped counts a step.
func (w *LoopMonitor) Stepped(took time.Duration) {
	if w != nil {
		w.steps[min(stepBounds, max(0, bits.Len64(uint64(max(0, took-1)))-finestStepBound))].Add(1)
		w.busy.Add(int64(took))
	}
}
