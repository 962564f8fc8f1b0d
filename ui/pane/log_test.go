package pane

import (
	"fmt"
	"testing"

	"simdeck/sim"
)

func events(from, to int) *sim.Snapshot {
	s := &sim.Snapshot{Model: &sim.Model{}}
	for i := from; i <= to; i++ {
		s.Events = append(s.Events, sim.Event{Seq: uint64(i), Text: fmt.Sprint("event ", i)})
	}
	return s
}

func TestTheLogFollowsTheNewestUntilTheCursorLeavesIt(t *testing.T) {
	var l Log
	l.fit(0, 5)
	l.Feed(events(1, 10))
	if got := l.Selected().Seq; got != 10 {
		t.Fatalf("the newest is 10, selected is %d", got)
	}
	l.Move(-3)
	l.Feed(events(4, 20)) // the oldest were dropped meanwhile
	if got := l.Selected().Seq; got != 7 {
		t.Errorf("event 7 was selected, now it is %d", got)
	}
	l.Bottom()
	l.Feed(events(8, 30))
	if got := l.Selected().Seq; got != 30 {
		t.Errorf("back at the newest, the log stays at %d", got)
	}
	l.SetFilter("event 1[0-9]")
	if n := len(l.order); n != 10 {
		t.Errorf("%d events match, want 10", n)
	}
}
