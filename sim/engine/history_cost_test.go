package engine

import (
	"math"
	"testing"
	"time"
)

// TestKeepingAWorldAndGivingItBackTakeLessThanAStepEach: of 1,000 boxes in contact. The figures are in the
// log; the bound is twice as high, because the machine may be busy.
func TestKeepingAWorldAndGivingItBackTakeLessThanAStepEach(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	w := pile(t, 1000)
	steps(t, w, 20)
	var m worldState
	w.saveState(&m)
	least := func(was time.Duration, do func()) time.Duration {
		begun := time.Now()
		do()
		return min(was, time.Since(begun))
	}
	step, keep, back, hash := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64),
		time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range 25 {
		for _, e := range w.entities.list {
			e.wake(w.physics)
		}
		step = least(step, func() { _ = w.Step() })
		keep = least(keep, func() { w.saveState(&m) })
		then := w.Hash()
		steps(t, w, 1)
		back = least(back, func() { w.restoreState(&m) })
		var now uint64
		hash = least(hash, func() { now = w.Hash() })
		if now != then {
			t.Fatal("what was given back is another world")
		}
	}
	t.Logf("a step takes %v, keeping the world %v, giving it back %v, its hash %v", step, keep, back, hash)
	if max(keep, back) > step {
		t.Errorf("keeping and giving back take %v, a step %v", keep+back, step)
	}
}
