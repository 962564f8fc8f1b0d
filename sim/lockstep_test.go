package sim_test

import (
	"slices"
	"testing"
	"time"

	"simdeck/sim"
)

func TestTheWorldWaitsForEachThatHasAllowedNoStepAndNoLongerThanItsPatience(t *testing.T) {
	woken := 0
	l := sim.NewLockstep(func() { woken++ })
	start := time.Unix(1000, 0)
	if wait, late := l.Wait(start, 0); wait != 0 || late != nil {
		t.Errorf("without members: %v, %v; want no wait", wait, late)
	}
	a, b := l.Join("a", time.Second), l.Join("b", 3*time.Second)
	never := l.Join("asynchronous", 0)
	if wait, _ := l.Wait(start, 0); wait != time.Second {
		t.Errorf("wait %v, want the shorter patience of 1s", wait)
	}
	a.Allow(2)
	b.Allow(1)
	if wait, late := l.Wait(start.Add(time.Second), 0); wait != 0 || late != nil {
		t.Errorf("both allow steps: %v, %v; want no wait", wait, late)
	}
	if !l.Advance() {
		t.Error("the only step that b allowed is done: it rests")
	}
	s := &sim.Snapshot{Step: 1}
	l.Deliver(s)
	if got := <-b.Rest(); got != s {
		t.Errorf("b got %v", got)
	}
	if len(a.Rest()) != 0 || len(never.Rest()) != 0 {
		t.Error("who has steps left, or asked for none, gets no snapshot")
	}
	if wait, _ := l.Wait(start, 0); wait != 3*time.Second {
		t.Errorf("wait %v for b, want 3s", wait)
	}
	l.Idle() // a pause spends no patience
	if wait, _ := l.Wait(start.Add(time.Hour), 0); wait != 3*time.Second {
		t.Errorf("wait %v for b after a pause, want 3s", wait)
	}
	wait, late := l.Wait(start.Add(time.Hour+3*time.Second), 0)
	if wait != 0 || !slices.Equal(late, []string{"b"}) {
		t.Errorf("after its patience: %v, late %v; want b alone", wait, late)
	}
	if _, late = l.Wait(start.Add(2*time.Hour), 0); late != nil {
		t.Errorf("%v is late once, not again", late)
	}
	b.Allow(1)
	l.Advance()
	if wait, _ = l.Wait(start.Add(2*time.Hour), 0); wait != time.Second {
		t.Errorf("b is back, and a has no step left: wait %v, want 1s", wait)
	}
	a.Leave()
	a.Leave()
	if _, open := <-a.Rest(); open || woken == 0 {
		t.Errorf("who left gets nothing more; the loop was woken %d times", woken)
	}
}

// TestAFollowerHoldsEachNewWorldUntilItKnowsItAndNoLongerThanItsPatience: those whom it lets in are there at
// the first step.
func TestAFollowerHoldsEachNewWorldUntilItKnowsItAndNoLongerThanItsPatience(t *testing.T) {
	l := sim.NewLockstep(func() {})
	start := time.Unix(1000, 0)
	f := l.Follow("f", 2*time.Second)
	if wait, _ := l.Wait(start, 1); wait != 2*time.Second {
		t.Errorf("wait %v for a world that it does not know, want 2s", wait)
	}
	m := l.Join("m", 10*time.Second)
	f.Know(1)
	if wait, _ := l.Wait(start, 1); wait != 10*time.Second {
		t.Errorf("wait %v, want the patience with whom it let in", wait)
	}
	m.SetPatience(time.Second)
	if wait, _ := l.Wait(start.Add(9*time.Second), 1); wait != time.Second {
		t.Errorf("wait %v, want the new patience from now on", wait)
	}
	m.Allow(5)
	if l.Advance() || len(f.Rest()) != 0 {
		t.Error("a follower waits for no step")
	}
	if wait, _ := l.Wait(start, 1); wait != 0 {
		t.Errorf("wait %v, want none", wait)
	}
	if wait, _ := l.Wait(start, 2); wait != 2*time.Second {
		t.Errorf("wait %v for the next world, want 2s", wait)
	}
	if wait, late := l.Wait(start.Add(2*time.Second), 2); wait != 0 || !slices.Equal(late, []string{"f"}) {
		t.Errorf("after its patience: %v, late %v; want f", wait, late)
	}
	f.Know(2)
	f.Leave()
	if wait, _ := l.Wait(start, 3); wait != 0 {
		t.Errorf("wait %v for one who has left", wait)
	}
}
