package ui

import (
	"slices"
	"testing"

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
