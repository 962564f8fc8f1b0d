package dialog

import (
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/ui/canvas"
)

func TestAWorldThatIsInNoListIsAskedForTwice(t *testing.T) {
	w := NewWorlds()
	w.Fill(sim.Worlds{List: []sim.WorldInfo{{Name: "attic", URI: "world://attic"}}})
	if o := w.Key(Key{Action: Accept}); o.Do != (sim.LoadWorld{Resource: sim.Resource{URI: "world://attic"},
		IgnoreMissingAssets: true}) {
		t.Errorf("a row loads %#v", o.Do)
	}
	for _, r := range "lab.sdf" {
		w.Key(Key{Text: string(r)})
	}
	if o := w.Key(Key{Action: Accept}); o.Close || o.Do != nil {
		t.Errorf("what was typed loads at once: %#v", o.Do)
	}
	g := canvas.NewCellBuffer(76, 18)
	if w.Draw(g.All()); !strings.Contains(g.Plain(), "Press Enter again to open this path") {
		t.Errorf("it does not say what it waits for:\n%s", g.Plain())
	}
	w.Key(Key{Name: "backspace"})
	if o := w.Key(Key{Action: Accept}); o.Do != nil {
		t.Error("another text counts as the same")
	}
	if o := w.Key(Key{Action: Accept}); o.Do != (sim.LoadWorld{Resource: sim.Resource{URI: "lab.sd"},
		IgnoreMissingAssets: true}) {
		t.Errorf("the second time it loads %#v", o.Do)
	}
}
