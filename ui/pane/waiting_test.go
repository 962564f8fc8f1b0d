package pane

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/ui/canvas"
)

func TestTheStatePaneShowsForWhomTheNextStepWaits(t *testing.T) {
	now := time.Unix(1000, 0)
	s := &sim.Snapshot{State: sim.Playing, Model: &sim.Model{}, Stats: sim.Stats{Missed: 3}}
	s.Waiting = []sim.Awaited{{Who: "/rover/cmd_vel", What: "no message for /rover/scan of 1.2s", Since: now.Add(-7 * time.Second)}}
	draw := func() string {
		c := canvas.NewCellBuffer(110, 30)
		new(State).Draw(c.All(), &View{Snap: s, Now: now})
		return c.Plain()
	}
	for _, want := range []string{"for /rover/cmd_vel  7 s  no message for /rover/scan of 1.2s", "3 commands missed"} {
		if text := draw(); !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	for i := range 6 {
		s.Waiting = append(s.Waiting, sim.Awaited{Who: fmt.Sprint("/arm", i), Since: now})
	}
	if text := draw(); !strings.Contains(text, "and for 3 more") || strings.Contains(text, "/arm3") {
		t.Errorf("of seven it shows\n%s", text)
	}
	s.Waiting, s.Stats.Missed = nil, 0
	if text := draw(); strings.Contains(text, "waits") || strings.Contains(text, "missed") {
		t.Errorf("with nobody to wait for it shows\n%s", text)
	}
}
