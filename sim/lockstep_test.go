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
	if wait, over := l.Wait(start, 0, false); wait != 0 || over.Late != nil {
		t.Errorf("without members: %v, %v; want no wait", wait, over)
	}
	a, b := l.Join("a", time.Second), l.Join("b", 3*time.Second)
	never := l.Join("asynchronous", 0)
	if wait, _ := l.Wait(start, 0, false); wait != time.Second {
		t.Errorf("wait %v, want the shorter patience of 1s", wait)
	}
	a.Allow(2)
	b.Allow(1)
	if wait, over := l.Wait(start.Add(time.Second), 0, false); wait != 0 || over.Late != nil {
		t.Errorf("both allow steps: %v, %v; want no wait", wait, over)
	}
	if !l.Advance() {
		t.Error("the only step that b allowed is done: it rests")
	}
	s := &sim.Snapshot{Step: 1}
	l.Deliver(s)
	if got := <-b.Rest(); got.Snapshot != s {
		t.Errorf("b got %v", got)
	}
	if len(a.Rest()) != 0 || len(never.Rest()) != 0 {
		t.Error("who has steps left, or asked for none, gets no snapshot")
	}
	if wait, _ := l.Wait(start, 0, false); wait != 3*time.Second {
		t.Errorf("wait %v for b, want 3s", wait)
	}
	l.Idle() // a pause spends no patience
	if wait, _ := l.Wait(start.Add(time.Hour), 0, false); wait != 3*time.Second {
		t.Errorf("wait %v for b after a pause, want 3s", wait)
	}
	wait, over := l.Wait(start.Add(time.Hour+3*time.Second), 0, false)
	if wait != 0 || !slices.Equal(over.Late, []string{"b"}) {
		t.Errorf("after its patience: %v, late %v; want b alone", wait, over.Late)
	}
	if _, over = l.Wait(start.Add(2*time.Hour), 0, false); over.Late != nil {
		t.Errorf("%v is late once, not again", over.Late)
	}
	b.Allow(1)
	l.Advance()
	if wait, _ = l.Wait(start.Add(2*time.Hour), 0, false); wait != time.Second {
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
	if wait, _ := l.Wait(start, 1, false); wait != 2*time.Second {
		t.Errorf("wait %v for a world that it does not know, want 2s", wait)
	}
	m := l.Join("m", 10*time.Second)
	f.Know(1)
	if wait, _ := l.Wait(start, 1, false); wait != 10*time.Second {
		t.Errorf("wait %v, want the patience with whom it let in", wait)
	}
	m.SetPatience(time.Second)
	if wait, _ := l.Wait(start.Add(9*time.Second), 1, false); wait != time.Second {
		t.Errorf("wait %v, want the new patience from now on", wait)
	}
	m.Allow(5)
	if l.Advance() || len(f.Rest()) != 0 {
		t.Error("a follower waits for no step")
	}
	if wait, _ := l.Wait(start, 1, false); wait != 0 {
		t.Errorf("wait %v, want none", wait)
	}
	if wait, _ := l.Wait(start, 2, false); wait != 2*time.Second {
		t.Errorf("wait %v for the next world, want 2s", wait)
	}
	wait, over := l.Wait(start.Add(2*time.Second), 2, false)
	if wait != 0 || !slices.Equal(over.Late, []string{"f"}) {
		t.Errorf("after its patience: %v, late %v; want f", wait, over.Late)
	}
	f.Know(2)
	f.Leave()
	if wait, _ := l.Wait(start, 3, false); wait != 0 {
		t.Errorf("wait %v for one who has left", wait)
	}
}

// TestTheWorldAsksAnAttendantAgainAfterACommand: an attendant speaks for others.
func TestTheWorldAsksAnAttendantAgainAfterACommand(t *testing.T) {
	start := time.Unix(1000, 0)
	l := sim.NewLockstep(func() {})
	m := l.Attend("m", time.Second, true)
	if wait, _ := l.Wait(start, 0, false); wait != time.Second || !l.Asks() {
		t.Errorf("wait %v for an attendant that was not asked, want 1s", wait)
	}
	first := &sim.Snapshot{Step: 1}
	l.Deliver(first)
	at := <-m.Rest()
	if at.Snapshot != first || at.Late || l.Asks() {
		t.Errorf("rest %+v, want the first snapshot", at)
	}
	l.Revoke()
	m.AllowAfter(at, 5)
	if wait, _ := l.Wait(start, 0, false); wait != time.Second || !l.Asks() {
		t.Errorf("wait %v: a command has changed the world since, so nothing is allowed", wait)
	}
	l.Deliver(first)
	m.AllowAfter(<-m.Rest(), 2)
	m.Miss(3)
	if wait, _ := l.Wait(start, 0, false); wait != 0 || l.Advance() || !l.Advance() || !l.Asks() {
		t.Errorf("wait %v with two steps allowed, and asks after them: %v", wait, l.Asks())
	}
	if who, missed := l.Waiting(start); who != nil || missed != 3 {
		t.Errorf("waits for %v, missed %d", who, missed)
	}
	m.Leave()
	if wait, _ := l.Wait(start, 0, false); wait != 0 || l.Asks() {
		t.Errorf("wait %v for one who has left", wait)
	}
}

// waitInVain lets the patience with an attendant pass that waits for two topics.
func waitInVain(t *testing.T, pauses bool) (l *sim.Lockstep, m *sim.LockstepMember, over sim.Overdue) {
	start := time.Unix(1000, 0)
	l = sim.NewLockstep(func() {})
	m = l.Attend("m", time.Second, pauses)
	l.Wait(start, 0, false)
	l.Deliver(&sim.Snapshot{})
	m.Await(<-m.Rest(), []sim.Awaited{{Who: "/a", What: "x"}, {Who: "/b"}})
	who, _ := l.Waiting(start)
	if len(who) != 2 || who[0] != (sim.Awaited{Who: "/a", What: "x", Since: start}) {
		t.Errorf("waits for %+v", who)
	}
	if who, _ := l.Waiting(start.Add(-1)); who != nil {
		t.Errorf("waits for %+v before it began to", who)
	}
	wait, over := l.Wait(start.Add(time.Second), 0, false)
	if wait != time.Second || over.Late != nil {
		t.Errorf("patience is over: wait %v, %+v", wait, over)
	}
	return l, m, over
}

func TestTheWorldPausesForThoseForWhomAnAttendantSpeaks(t *testing.T) {
	if _, _, over := waitInVain(t, true); len(over.Pause) != 2 || over.Pause[1].Who != "/b" {
		t.Errorf("to be paused for %+v, want /a and /b", over.Pause)
	}
}

func TestAnAttendantThatDoesNotPauseIsToldOnceAndThenNotWaitedFor(t *testing.T) {
	l, m, over := waitInVain(t, false)
	if r := <-m.Rest(); !r.Late || r.Snapshot == nil || over.Pause != nil {
		t.Errorf("told of %+v, to be paused for %+v", r, over.Pause)
	}
	wait, over := l.Wait(time.Unix(1002, 0), 0, false)
	if wait != 0 || !slices.Equal(over.Late, []string{"m"}) {
		t.Errorf("an attendant that does not answer holds the world: wait %v, %+v", wait, over)
	}
}

func TestAFollowerOfWorldsThatAskHoldsNoOther(t *testing.T) {
	start := time.Unix(1000, 0)
	l := sim.NewLockstep(func() {})
	f := l.FollowAsking("f", time.Second)
	for load, asks := range []bool{false, true, false} {
		want := map[bool]time.Duration{true: time.Second}[asks]
		if wait, _ := l.Wait(start, uint64(load+1), asks); wait != want {
			t.Errorf("wait %v for world %d, which asks: %v", wait, load+1, asks)
		}
	}
	f.Know(2)
	if wait, _ := l.Wait(start, 2, true); wait != 0 {
		t.Errorf("wait %v for a world that it knows", wait)
	}
}
