package sim

import (
	"testing"
	"time"
)

func TestAWatchCountsStepsByHowLongTheyTook(t *testing.T) {
	w := NewLoopMonitor(time.Time{})
	for _, took := range []time.Duration{0, 1024, 1025, 2048, 2049, time.Hour} {
		w.Stepped(took)
	}
	s := w.Steps()
	if s.Count != 6 || s.Sum != time.Hour+6146 || s.Steps[0] != 2 || s.Steps[1] != 4 || s.Steps[2] != 5 ||
		s.Steps[stepBounds-1] != 5 {
		t.Errorf("%+v", s)
	}
	if s.Most[0] != 1024 || s.Most[stepBounds-1] != 1<<33 {
		t.Errorf("bounds %v", s.Most)
	}
}

func TestAWatchSeesALoopThatIsStuckAndNotOneThatWaits(t *testing.T) {
	now := time.Now()
	w := NewLoopMonitor(now)
	if b := w.BusyTime(now.Add(time.Minute)); b != 0 {
		t.Errorf("before it began: busy for %v", b)
	}
	w.Begin(now.Add(time.Second))
	if b := w.BusyTime(now.Add(13 * time.Second)); b != 12*time.Second {
		t.Errorf("stuck for 12 s: busy for %v", b)
	}
	w.Idle()
	if b := w.BusyTime(now.Add(time.Hour)); b != 0 {
		t.Errorf("while it waits: busy for %v", b)
	}
}

func TestNobodyWatchesWithoutAWatch(t *testing.T) {
	var w *LoopMonitor
	w.Begin(time.Now())
	w.Stepped(time.Second)
	w.Idle()
}
