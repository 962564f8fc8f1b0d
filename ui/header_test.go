package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ui/canvas"

	"simdeck/sim"
)

func TestTheHeaderCountsContainedEntitiesHoweverNarrowItIs(t *testing.T) {
	m := &Model{view: worldView{snap: &sim.Snapshot{Model: &sim.Model{}, Stats: sim.Stats{Contained: 2}}}}
	m.own()
	for width, want := range map[int]string{200: "! 2 contained", 60: "!2"} {
		if parts := squeeze(m.screen.facts(), width); !slices.ContainsFunc(parts,
			func(p part) bool { return p.text == want }) {
			t.Errorf("%d columns: %+v, want %q among them", width, parts, want)
		}
	}
	m.view.snap.Stats.Contained = 0
	if parts := m.screen.facts(); slices.ContainsFunc(parts,
		func(p part) bool { return p.text == "! 0 contained" }) {
		t.Errorf("none is counted: %+v", parts)
	}
}

func TestTheWorldsNameGetsSixteenColumnsWhereTheRestAllows(t *testing.T) {
	m := &Model{view: worldView{snap: &sim.Snapshot{
		Model: &sim.Model{World: sim.WorldInfo{Name: "warehouse_north_hall"},
			Entities: make([]sim.EntityModel, 11)},
		State: sim.Playing, Pacing: sim.Pacing{Measured: 1, Asked: 1},
		Stats: sim.Stats{StepCost: 38 * time.Microsecond}}}}
	m.own()
	for _, c := range []struct {
		width int
		most  string // of the name
	}{
		{200, "warehouse_north_hall"}, {120, "warehouse_north_hall"}, {80, "warehouse_north"}, {50, "wareho"},
	} {
		parts := squeeze(m.screen.facts(), c.width)
		name := strings.TrimSuffix(parts[0].text, "…")
		if !strings.HasPrefix(name, c.most) || columns(parts) >= c.width {
			t.Errorf("%d columns: the name is %q, %d are used", c.width, parts[0].text, columns(parts))
		}
		if n := canvas.TextWidth(parts[0].text); c.width >= 80 && n < wantedName {
			t.Errorf("%d columns: the name has %d", c.width, n)
		}
	}
	m.cfg.Worlds = make([]World, 3)
	for _, width := range []int{200, 80, 50} {
		if name := squeeze(m.screen.facts(), width)[0].text; !strings.HasSuffix(name, " 1/3") {
			t.Errorf("%d columns: which of three worlds it is has gone from %q", width, name)
		}
	}
}
