package pane

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
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

// Glyph is the sign, the word and the role of a simulation's state.
func Glyph(s sim.State) (rune, string, theme.Role) {
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

// Breeze is the speed of a wind and where it comes from, as sailors say it: on the map east is right.
func Breeze(wind r3.Vec) string {
	const points = 8
	from := math.Atan2(-wind.Y, -wind.X)
	k := (int(math.Round(from/(2*math.Pi/points))) + points) % points
	return fmt.Sprintf("%s m/s from %s", Number(wind.Len(), 1),
		[points]string{"E", "NE", "N", "NW", "W", "SW", "S", "SE"}[k])
}

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
	glyph, word, role := Glyph(s.State)
	var b lines
	b.row("state", span{string(glyph) + " " + word, role})
	if l := s.Loading; l != (sim.Loading{}) {
		b.row("loading", span{strings.TrimPrefix(l.String(), "Loading "), theme.Warn},
			span{"  " + l.Mesh, theme.Dim})
	}
	b.waiting(s, v.Now)
	b.row("time", span{Clock(s.Time), theme.Strong}, steps(s))
	if v.Link.Far == "" {
		b.engine(s, p.curve(a.W()-34))
	} else {
		b.row("pace", span{Factor(s.Pacing.Measured, false) + "×", theme.Strong},
			span{"  " + p.curve(a.W()-24), theme.Good})
	}
	if s.Wind != (r3.Vec{}) {
		b.row("wind", span{Breeze(s.Wind), theme.Plain})
	}
	b.row("commands", span{fmt.Sprint(s.Stats.Commands), theme.Plain}, refused(s.Stats.Refused))
	if s.Stats.Dropped > 0 {
		b.row("frames", span{fmt.Sprintf("%d skipped", s.Stats.Dropped), theme.Dim})
	}
	switch l := v.Link; {
	case l.Far != "":
		b.far(&l)
	case l.Fault != "":
		b.row("ros", span{"down: " + l.Fault, theme.Bad})
	case !l.On:
		b.row("ros", span{"off", theme.Dim})
	default:
		b.row("ros", span{l.Name, theme.Accent},
			span{fmt.Sprintf("  domain %d, %s", l.Domain, PeerCount(l)), theme.Plain})
		if l.Note != "" {
			b.row("", span{l.Note, theme.Warn})
		}
	}
	switch rec := v.Recording; {
	case rec.Fault != "":
		b.row("recording", span{"broken: " + rec.Fault, theme.Bad}, span{"  " + rec.Folder, theme.Dim})
	case rec.Folder != "":
		late := ""
		if n := s.Stats.Late; n > 0 {
			late = fmt.Sprintf("  %d late samples left out", n)
		}
		b.row("recording", span{Size(rec.Bytes), theme.Strong}, span{late, theme.Warn},
			span{"  " + rec.Folder, theme.Dim})
	}
	b.row("role", span{v.Role, theme.Plain})
	if len(v.Viewers) > 0 {
		b.row("with", span{strings.Join(v.Viewers, ", "), theme.Plain})
	}
	if v.Line > 0 {
		b.row("line", span{Trip(v.Line), theme.Plain}, span{"  round trip of a frame", theme.Dim})
	}
	seed := ""
	if v.Link.Far == "" {
		seed = fmt.Sprintf("  seed %d", v.Seed)
	}
	b.row("world", span{s.Model.World.Name, theme.Accent}, span{"  " + s.Model.World.URI + seed, theme.Dim})
	if d := s.Model.World.Description; d != "" {
		b.row("", span{d, theme.Dim})
	}
	p.scroll.draw(a, b)
}

// Trip is a line's round-trip time, for people.
func Trip(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) }

// mostWaits is the number of those for whom a world waits that are listed.
const mostWaits = 4

// waiting are those for whom the next step waits, since when, and what it went on without.
func (l *lines) waiting(s *sim.Snapshot, now time.Time) {
	label := "waits"
	for i, a := range s.Waiting {
		if i == mostWaits {
			l.row("", span{fmt.Sprintf("and for %d more", len(s.Waiting)-i), theme.Warn})
			break
		}
		l.row(label, span{"for " + a.Who, theme.Warn}, span{"  " + waited(now.Sub(a.Since)), theme.Strong},
			span{"  " + a.What, theme.Dim})
		label = ""
	}
	if n := s.Stats.Missed; n > 0 {
		l.row("lockstep", span{fmt.Sprintf("%d commands missed", n), theme.Warn})
	}
}

// waited is a wait in whole seconds.
func waited(d time.Duration) string { return fmt.Sprintf("%.0f s", max(0, d.Seconds())) }

// steps is the number of steps, as far as it is known.
func steps(s *sim.Snapshot) span {
	if s.StepSize == 0 {
		return span{}
	}
	return span{fmt.Sprintf("  %d steps × %s", s.Step, Spell(s.StepSize)), theme.Dim}
}

// far is the connection to a simulator elsewhere.
func (l *lines) far(link *sim.Connection) {
	l.row("attached", span{link.Name, theme.Accent},
		span{fmt.Sprintf("  simulation_interfaces %s, domain %d, %s", link.Far, link.Domain,
			PeerCount(*link)), theme.Plain})
	if link.Fault != "" {
		l.row("", span{link.Fault, theme.Bad})
	}
}

// engine is the load and pace of an engine in this process.
func (l *lines) engine(s *sim.Snapshot, curve string) {
	l.row("pace", span{Factor(s.Pacing.Measured, false) + "×", theme.Strong},
		span{" of " + Factor(s.Pacing.Asked, true) + times(s.Pacing.Asked), theme.Dim},
		span{"  " + curve, theme.Good})
	l.row("step", span{Cost(s.Stats.StepCost), theme.Strong},
		span{fmt.Sprintf("  %d bodies, %d awake, %d contacts", s.Stats.Bodies, s.Stats.Awake,
			s.Stats.Contacts), theme.Dim})
	if s.Stats.Stages != ([sim.StageCount]time.Duration{}) {
		l.stages(&s.Stats)
		l.row("", span{fmt.Sprintf("%d shapes, %d joints, %d broad-phase pairs, %d substeps",
			s.Stats.Geoms, s.Stats.Joints, s.Stats.Pairs, s.Stats.Substeps), theme.Dim})
	}
}

// stages are the parts of a step and what they cost, the dearest bright.
func (l *lines) stages(s *sim.Stats) {
	most := slices.Max(s.Stages[:])
	for i := 0; i < len(s.Stages); i += 2 {
		var row []span
		for k, cost := range s.Stages[i:min(i+2, len(s.Stages))] {
			role := theme.Dim
			if cost == most {
				role = theme.Plain
			}
			row = append(row, span{fmt.Sprintf("%-8s%8s", sim.Stage(i+k), Cost(cost)) + strings.Repeat(" ",
				3*(1-k)), role})
		}
		l.row("", row...)
	}
}

func refused(n uint64) span {
	if n == 0 {
		return span{"  0 rejected", theme.Dim}
	}
	return span{fmt.Sprintf("  %d rejected", n), theme.Warn}
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
		out[i] = bar(p.factors[(p.n-w+i)%len(p.factors)], top)
	}
	return string(out)
}

// Spell is a duration with a space before its unit: 4 ms, 1.5 s.
func Spell(d time.Duration) string {
	text := d.String()
	i := strings.LastIndexAny(text, "0123456789")
	if d <= 0 || d >= time.Minute {
		return text
	}
	return text[:i+1] + " " + text[i+1:]
}

// times is the sign behind a target speed; as fast as possible has none.
func times(asked float64) string {
	if asked <= 0 {
		return ""
	}
	return "×"
}
