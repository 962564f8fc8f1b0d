package pane

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// State is the state of the simulation: its clock, its pace, what a step
// costs, and ROS.
type State struct {
	scroll
	factors [120]float32 // measured real-time factors, a ring
	n       int
	last    time.Time
}

// Glyph is the sign, the word and the ink of a simulation's state.
func Glyph(s sim.State) (rune, string, theme.Ink) {
	switch s {
	case sim.Playing:
		return '▶', "PLAYING", theme.Good
	case sim.Paused:
		return '⏸', "PAUSED", theme.Warn
	case sim.Stopped:
		return '■', "STOPPED", theme.Warn
	case sim.LoadingWorld:
		return '…', "LOADING", theme.Warn
	case sim.NoWorld:
		return '○', "NO WORLD", theme.Bad
	case sim.Quitting:
		return '×', "QUITTING", theme.Bad
	}
	return '?', "UNKNOWN", theme.Bad
}

// Feed takes a new picture of the world.
func (p *State) Feed(*sim.Snapshot) {}

// sample keeps the measured factor twice a second.
func (p *State) sample(s *sim.Snapshot, now time.Time) {
	if now.Sub(p.last) < 500*time.Millisecond {
		return
	}
	p.last = now
	p.factors[p.n%len(p.factors)] = float32(s.Pacing.Measured)
	p.n++
}

// Draw fills the area.
func (p *State) Draw(a canvas.Area, v *View) {
	s := v.Snap
	p.sample(s, v.Now)
	glyph, word, ink := Glyph(s.State)
	var b lines
	b.row("state", span{string(glyph) + " " + word, ink})
	b.row("time", span{Clock(s.Time), theme.Strong}, span{fmt.Sprintf("  step %d × %s", s.Step, s.StepSize), theme.Dim})
	b.row("pace", span{"×" + Factor(s.Pacing.Measured, false), theme.Strong}, span{" of ×" + Factor(s.Pacing.Asked, true), theme.Dim},
		span{"  " + p.curve(a.W()-34), theme.Good})
	b.row("step", span{Cost(s.Stats.StepCost), theme.Strong},
		span{fmt.Sprintf("  %d bodies, %d awake, %d contacts", s.Stats.Bodies, s.Stats.Awake, s.Stats.Contacts), theme.Dim})
	if s.Stats.Stages != ([sim.StageCount]time.Duration{}) {
		b.stages(&s.Stats)
		b.row("", span{fmt.Sprintf("%d shapes, %d joints, %d pairs near each other, %d substeps", s.Stats.Geoms, s.Stats.Joints, s.Stats.Pairs, s.Stats.Substeps), theme.Dim})
	}
	b.row("commands", span{fmt.Sprint(s.Stats.Commands), theme.Plain}, refused(s.Stats.Refused))
	b.row("snapshots", span{fmt.Sprint(s.Stats.Snapshots), theme.Plain}, span{fmt.Sprintf("  %d lost by slow readers", s.Stats.Dropped), theme.Dim})
	switch l := v.Link; {
	case l.Fault != "":
		b.row("ros", span{"down: " + l.Fault, theme.Bad})
	case !l.On:
		b.row("ros", span{"off", theme.Dim})
	default:
		b.row("ros", span{l.Name, theme.Accent}, span{fmt.Sprintf("  domain %d, %s", l.Domain, l.Count()), theme.Plain})
	}
	b.row("role", span{v.Role, theme.Plain})
	b.row("world", span{s.Model.World.Name, theme.Accent}, span{"  " + s.Model.World.URI, theme.Dim})
	if d := s.Model.World.Description; d != "" {
		b.row("", span{d, theme.Dim})
	}
	p.scroll.draw(a, b)
}

// stages are the parts of a step and what they cost, the dearest bright.
func (l *lines) stages(s *sim.Stats) {
	most := slices.Max(s.Stages[:])
	for i := 0; i < len(s.Stages); i += 2 {
		var row []span
		for k, cost := range s.Stages[i:min(i+2, len(s.Stages))] {
			ink := theme.Dim
			if cost == most {
				ink = theme.Plain
			}
			row = append(row, span{fmt.Sprintf("%-8s%8s", sim.Stage(i+k), Cost(cost)) + strings.Repeat(" ", 3*(1-k)), ink})
		}
		l.row("", row...)
	}
}

func refused(n uint64) span {
	if n == 0 {
		return span{"  none refused", theme.Dim}
	}
	return span{fmt.Sprintf("  %d refused", n), theme.Warn}
}

// curve is the measured factor of the last minute as bars, a greatest of 1 or more.
func (p *State) curve(w int) string {
	w = min(w, p.n, len(p.factors))
	if w <= 0 {
		return ""
	}
	top := float32(1)
	for _, f := range p.factors {
		top = max(top, f)
	}
	out := make([]rune, w)
	for i := range out {
		f := p.factors[(p.n-w+i)%len(p.factors)]
		out[i] = []rune("▁▂▃▄▅▆▇█")[min(7, max(0, int(f/top*7.99)))]
	}
	return string(out)
}
