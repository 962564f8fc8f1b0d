package ui

import (
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

func TestTheFooterShowsFromTheFirstFrameWhatIsLoaded(t *testing.T) {
	const loading, broken = "Loading warehouse: 12 of 40 meshes", "it broke"
	snap := &sim.Snapshot{Model: &sim.Model{},
		Loading: sim.Loading{What: "warehouse", Done: 12, Of: 40, Mesh: "rack.stl"}}
	for _, c := range []struct {
		flash flash
		want  string
	}{{flash{}, loading}, {flash{text: "World opened", role: theme.Good}, loading},
		{flash{text: broken, role: theme.Bad}, broken}} {
		m := newModel(t, Config{})
		m.view.snap = snap
		m.screen.flash = c.flash
		m.screen.cells = canvas.NewCellBuffer(80, 1)
		m.screen.drawFooter(m.screen.cells.All().Sub(0, 0, 80, 1))
		if got := m.screen.cells.Plain(); !strings.Contains(got, c.want) {
			t.Errorf("after %q the footer says %q, want %q", c.flash.text, got, c.want)
		}
	}
}
