package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ui/canvas"
	"simdeck/ui/theme"

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

func TestTheHeaderShowsTheNameOfANodeThatCouldNotHaveItsOwn(t *testing.T) {
	m := &Model{view: worldView{snap: &sim.Snapshot{Model: &sim.Model{}}}}
	m.own()
	m.around.link = sim.Connection{On: true, Name: "/simdeck_2", Note: "/simdeck is another node"}
	if parts := m.screen.facts(); !slices.ContainsFunc(parts,
		func(p part) bool { return p.text == "/simdeck_2" && p.role == theme.Warn }) {
		t.Errorf("%+v", parts)
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
		if n := canvas.TextWidth(parts[0].text); c.width >= 80 && n < rooms[0].name {
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

func TestTheWorldsNameKeepsTwelveColumnsOfEightyWhateverElseIsTold(t *testing.T) {
	for _, c := range []struct {
		name                    string
		frozen, recording, down bool
		contained               int
		far                     string
		least                   int // columns of the name
		gone                    string
	}{
		{name: "a recording", recording: true, least: 16},
		{name: "frozen and recording", frozen: true, recording: true, least: 16},
		{name: "all that is wrong", frozen: true, recording: true, down: true, contained: 12, least: 12,
			gone: "operator"},
		{name: "attached", frozen: true, far: "192.0.2.1", contained: 12, least: 16, gone: "operator"},
	} {
		m := &Model{view: worldView{snap: &sim.Snapshot{
			Model: &sim.Model{World: sim.WorldInfo{Name: "warehouse_north_hall"},
				Entities: make([]sim.EntityModel, 128)},
			State: sim.Playing, Pacing: sim.Pacing{Measured: 0.97, Asked: 1},
			Stats: sim.Stats{StepCost: 380 * time.Microsecond, Contained: c.contained}}, frozen: c.frozen}}
		m.around.link.On, m.around.link.Far, m.around.link.Name = true, c.far, "simulator"
		if c.recording {
			m.around.recording.Folder = "monday"
		}
		if c.down {
			m.around.link.Fault = "no network"
		}
		m.own()
		parts := squeeze(m.screen.facts(), 80)
		if n := canvas.TextWidth(parts[0].text); n < c.least || columns(parts) >= 80 {
			t.Errorf("%s: the name has %d columns, want %d; all have %d: %+v", c.name, n, c.least,
				columns(parts), parts)
		}
		if slices.ContainsFunc(parts, func(p part) bool { return c.gone != "" && p.text == c.gone }) {
			t.Errorf("%s: %q is there: %+v", c.name, c.gone, parts)
		}
	}
}

func TestASimulationThatDoesNotReachItsTargetSpeedSaysSoInColourAndSign(t *testing.T) {
	for _, c := range []struct {
		state           sim.State
		measured, asked float64
		want            string
	}{
		{sim.Playing, 1, 1, "1.00/1.00"}, {sim.Playing, 0.96, 1, "0.96/1.00"},
		{sim.Playing, 0.94, 1, "↓0.94/1.00"}, {sim.Playing, 2, 4, "↓2.00/4.00"},
		{sim.Playing, 0, 1, "0.00/1.00"}, {sim.Paused, 0.5, 1, "0.50/1.00"}, {sim.Playing, 3, -1, "3.00"},
	} {
		m := &Model{view: worldView{snap: &sim.Snapshot{Model: &sim.Model{}, State: c.state,
			Pacing: sim.Pacing{Measured: c.measured, Asked: c.asked}}}}
		m.own()
		for _, p := range m.screen.facts() {
			if p.label == "rtf" && (p.text != c.want || (p.role == theme.Warn) != (c.want[0] > '9')) {
				t.Errorf("%v at %v of %v: %+v, want %q", c.state, c.measured, c.asked, p, c.want)
			}
		}
	}
}
