package pane

import (
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/ui/canvas"
)

func TestAContainedEntityIsMarkedAndSaysWhatHitIt(t *testing.T) {
	f := &sim.Fault{Step: 468, Time: 1872 * time.Millisecond, Link: "body",
		Cause: "its velocity was not finite", Speed: 2,
		Hits: []sim.FaultHit{{Entity: "crate_7", Speed: 3.25}}}
	s := &sim.Snapshot{Model: &sim.Model{Entities: []sim.EntityModel{{Name: "a"}, {Name: "b"}}},
		Entities: []sim.EntityState{{Asleep: true}, {Asleep: true, Fault: f}}}
	e := NewEntities()
	for e.cols[e.sort].title != "state" {
		e.SortBy(1)
	}
	e.Feed(s)
	c := canvas.NewCellBuffer(100, 20)
	e.Draw(c.All(), &View{Snap: s})
	text := strings.Split(c.Plain(), "\n")
	if !strings.Contains(text[1], "!fault") || !strings.Contains(text[2], "asleep") {
		t.Errorf("sorted by state the table is\n%s", c.Plain())
	}
	c = canvas.NewCellBuffer(100, 20)
	new(Detail).Draw(c.All(), &View{Snap: s, Entity: 1})
	for _, want := range []string{"contained", f.Cause, "step 468", "crate_7 at 3.25 m/s",
		"move, reset or delete"} {
		if !strings.Contains(c.Plain(), want) {
			t.Errorf("the detail does not say %q:\n%s", want, c.Plain())
		}
	}
}
