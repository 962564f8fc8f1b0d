package ui_test

import (
	"slices"
	"testing"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/uitest"
)

// loader drives a console over the room in which loaded worlds play.
func loader(t *testing.T, test func(*uitest.Driver)) {
	t.Helper()
	change := func(c *ui.Config) {
		c.Start = sim.Playing
		c.Paths = func(typed string) []string {
			halls := []string{"sub/hall_a.sdf", "sub/hall_b.sdf"}
			return map[string][]string{"s": {"sub/"}, "sub/": halls, "sub/hall_": halls}[typed]
		}
	}
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), change, test)
}

func TestALoadedWorldPlaysWithTheCursorOnARobot(t *testing.T) {
	loader(t, func(d *uitest.Driver) {
		d.Press("list.top", "sim.load")
		d.Type("att")
		d.Press("dialog.accept")
		d.Shows("attic  ▶ PLAYING", "✓ world://attic loaded", "> lift")
		want := []sim.Command{sim.LoadWorld{Resource: sim.Resource{URI: "world://attic"}, IgnoreMissingAssets: true},
			sim.SetState{State: sim.Playing}}
		if done := d.Backend.Done(); !slices.Equal(done[len(done)-2:], want) {
			d.T.Errorf("sent %#v", done)
		}
	})
}

func TestUndoBringsTheReplacedWorldBackAsItStood(t *testing.T) {
	loader(t, func(d *uitest.Driver) {
		d.Backend.Advance(250)
		d.Press("list.top", "entity.delete", "dialog.accept", "sim.toggle")
		before := d.Backend.Snapshot()
		for range 2 {
			d.Press("sim.load")
			d.Type("att")
			d.Press("dialog.accept")
		}
		d.Press("entity.undo")
		d.Shows("attic  ▶ PLAYING", "attic restored")
		d.Press("entity.undo")
		d.Shows("room  ⏸ PAUSED", "room restored")
		s := d.Backend.Snapshot()
		if n, was := len(s.Model.Entities), len(before.Model.Entities); n != was || s.Time != before.Time {
			d.T.Errorf("%d entities at %v, was %d at %v", n, s.Time, was, before.Time)
		}
		d.Press("entity.undo") // of the deletion before
		d.Shows("barrel restored")
	})
}

func TestAPathToAWorldIsCompletedFolderByFolder(t *testing.T) {
	loader(t, func(d *uitest.Driver) {
		d.Press("sim.load")
		d.Type("s")
		d.Frame()
		d.Shows("> sub/  folder")
		d.Press("dialog.accept")
		d.Frame()
		d.Shows("> sub/hall_a.sdf  file", "  sub/hall_b.sdf  file")
		d.Press("dialog.next")
		d.Shows("/ sub/hall_ ")
		d.Press("dialog.down", "dialog.accept")
		sends(d, sim.LoadWorld{Resource: sim.Resource{URI: "sub/hall_b.sdf"}, IgnoreMissingAssets: true})
		d.Shows("not found: sub/hall_b.sdf")
		d.Shows("room  ▶ PLAYING")
	})
}
