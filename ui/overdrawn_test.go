package ui

import (
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// spinning is a pane that never comes to its end.
type spinning struct{ pane.Pane }

func (spinning) Draw(a canvas.Area, _ *pane.View) {
	for {
		a.Text(0, 0, "round and round", theme.Plain)
	}
}

func TestAPaneThatDrawsForEverIsToldOfAndTheOthersAreDrawn(t *testing.T) {
	m := newModel(t, Config{})
	m.view.snap = &sim.Snapshot{Model: &sim.Model{Entities: []sim.EntityModel{{Name: "there"}}},
		Entities: make([]sim.EntityState, 1)}
	m.entities.Feed(m.view.snap)
	m.window.resize(120, 40)
	m.screen.cells.Clear()
	v, all := m.screen.view(), m.screen.cells.All()
	m.screen.drawPane(spinning{}, all.Sub(0, 0, 120, 20), &v)
	m.screen.drawPane(m.entities, all.Sub(0, 20, 120, 20), &v)
	if text := m.screen.cells.Plain(); !strings.Contains(text, "Drawing failed") ||
		strings.Contains(text, "round") || !strings.Contains(text, "there") {
		t.Errorf("the frame is\n%s", text)
	}
}
