package pane

import (
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
)

func TestTheDetailSaysWhatActorsAndSignalsDo(t *testing.T) {
	for _, c := range []struct {
		name string
		s    sim.EntityState
		says []string
	}{
		{"a car that follows", sim.EntityState{Actor: &sim.ActorState{Moving: true, Lane: "east", At: 42.25,
			Speed: 7.5, Wanted: 13, Follows: true}},
			[]string{"going", "at 7.50 m/s, wants 13.00 m/s", "east", "42.2 m along", "heeds signals"}},
		{"a walker who waits", sim.EntityState{Actor: &sim.ActorState{At: 1.5}},
			[]string{"stopped", "1.5 s into its trajectory"}},
		{"a signal", sim.EntityState{Signal: &sim.SignalState{Phase: "all_red", Aspect: scene.RedLamp,
			Until: 12 * time.Second}}, []string{"red (all_red)", "for 2.5 s"}},
		{"a signal that is held", sim.EntityState{Signal: &sim.SignalState{Phase: "green", Held: true,
			Aspect: scene.GreenLamp}}, []string{"green  held"}},
		{"a signal that is off", sim.EntityState{Signal: &sim.SignalState{Phase: "off", Held: true}},
			[]string{"off  held"}},
	} {
		s := &sim.Snapshot{Time: 9500 * time.Millisecond,
			Model:    &sim.Model{Entities: []sim.EntityModel{{Name: "a", Static: c.s.Signal != nil}}},
			Entities: []sim.EntityState{c.s}}
		cells := canvas.NewCellBuffer(100, 20)
		new(Detail).Draw(cells.All(), &View{Snap: s, Entity: 0})
		for _, want := range c.says {
			if !strings.Contains(cells.Plain(), want) {
				t.Errorf("the detail of %s does not say %q:\n%s", c.name, want, cells.Plain())
			}
		}
		if k := c.s.Signal; k != nil && motion(s, 0) != k.Aspect.String() {
			t.Errorf("in the table %s is %q", c.name, motion(s, 0))
		}
	}
}
