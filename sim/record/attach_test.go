package record

import (
	"testing"
	"time"

	"simdeck/sim"
)

// TestWhatARecordingAttachesIsAttachedWhenItIsPlayed: where the commands are done again, and where a state is
// taken up that lies behind them.
func TestWhatARecordingAttachesIsAttachedWhenItIsPlayed(t *testing.T) {
	pair := []sim.LinkPair{{Parent: sim.LinkName{Entity: "low", Link: "body"},
		Child: sim.LinkName{Entity: "high", Link: "body"}}}
	text := stepped(t, 45, map[int]sim.Command{2: sim.Attach{Pairs: pair},
		5:  sim.SetEntityState{Name: "low", Pose: new(at(0.4, 0, 3))}, // takes the other one along
		38: sim.Detach{Pairs: pair}})
	_, whole := played(t, text, 0, 0)
	for _, c := range []struct {
		from, until time.Duration
		attached    bool
	}{{0, time.Second, false}, {0, 3 * time.Second, true}, {30 * time.Second, 33 * time.Second, true},
		{30 * time.Second, 0, false}, {42 * time.Second, 0, false}} {
		_, w := played(t, text, c.from, c.until)
		if _, is := w.Snapshot().AttachedAt(pair[0]); is != c.attached {
			t.Errorf("from %v until %v: attached %v", c.from, c.until, is)
		}
		if c.until == 0 && w.Hash() != whole.Hash() {
			t.Errorf("from %v it comes to %016x, and as a whole to %016x", c.from, w.Hash(), whole.Hash())
		}
	}
}
