package ui

import (
	"fmt"

	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// part is a piece of the header. Where the window is narrow, those with the
// greatest drop go first.
type part struct {
	label, text string
	ink         theme.Ink
	drop        int
	right       bool
}

func (p part) width() int {
	n := canvas.TextWidth(p.text) + 2
	if p.label != "" {
		n += canvas.TextWidth(p.label) + 1
	}
	return n
}

// drawHeader draws the line at the top: what an operator must know at a
// glance, whatever pane is shown.
func (m *Model) drawHeader(a canvas.Area) {
	parts := m.facts()
	used := 1
	for _, p := range parts {
		used += p.width()
	}
	for used > a.W() {
		worst := 0
		for i, p := range parts {
			if p.drop > parts[worst].drop {
				worst = i
			}
		}
		if parts[worst].drop == 0 {
			break
		}
		if parts[worst].label != "" { // its label goes before it does
			used -= canvas.TextWidth(parts[worst].label) + 1
			parts[worst].label = ""
			parts[worst].drop--
			continue
		}
		used -= parts[worst].width()
		parts = append(parts[:worst], parts[worst+1:]...)
	}
	x, end := 1, a.W()
	for i := len(parts) - 1; i >= 0 && parts[i].right; i-- {
		end -= parts[i].width()
		parts[i].draw(a, end)
	}
	for _, p := range parts {
		if !p.right {
			p.draw(a.Sub(0, 0, end, 1), x)
			x += p.width()
		}
	}
}

func (p part) draw(a canvas.Area, x int) {
	if p.label != "" {
		x = a.Text(x, 0, p.label, theme.HeaderDim) + 1
	}
	a.Text(x, 0, p.text, p.ink)
}

// facts are the parts of the header in their order.
func (m *Model) facts() []part {
	s := m.snap
	world := canvas.Clean(s.Model.World.Name)
	if r := []rune(world); len(r) > 16 && m.w < 120 {
		world = string(r[:15]) + "…"
	}
	if world == "" {
		world = "simdeck"
	}
	glyph, word, ink := pane.Glyph(s.State)
	parts := []part{
		{text: world, ink: theme.Header},
		{text: string(glyph) + " " + word, ink: ink},
		{text: pane.Clock(s.Time), ink: theme.Header},
		{label: "rtf", text: pane.Factor(s.Pacing.Measured, false) + "/" + pane.Factor(s.Pacing.Asked, true), ink: theme.Header, drop: 1},
		{label: "step", text: pane.Cost(s.Stats.StepCost), ink: theme.Header, drop: 5},
		{label: "entities", text: fmt.Sprint(len(s.Model.Entities)), ink: theme.Header, drop: 7},
	}
	if m.frozen {
		parts = append(parts, part{text: "VIEW FROZEN", ink: theme.Warn})
	}
	if m.pending > 0 {
		parts = append(parts, part{text: "…", ink: theme.Warn, drop: 9})
	}
	switch l := m.link; {
	case l.Fault != "":
		parts = append(parts, part{label: "ros", text: "DOWN", ink: theme.Bad, drop: 3, right: true})
	case !l.On:
		parts = append(parts, part{label: "ros", text: "off", ink: theme.HeaderDim, drop: 3, right: true})
	default:
		peers := fmt.Sprintf("%d peers", l.Peers)
		if l.Peers == 1 {
			peers = "1 peer"
		}
		parts = append(parts, part{label: "ros", text: fmt.Sprintf("%d · %s", l.Domain, peers), ink: theme.Header, drop: 3, right: true})
	}
	return append(parts, part{text: m.role(), ink: theme.HeaderDim, drop: 4, right: true})
}
