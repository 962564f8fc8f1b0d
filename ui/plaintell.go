package ui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// announced is what was told last, so that only what changed is told.
type announced struct {
	any    bool
	state  sim.State
	world  string
	asked  float64
	model  *sim.Model
	names  []string
	event  uint64
	flash  flash
	link   sim.Connection
	dialog dialog.Dialog
	lines  []string // of the dialog
	watch  []watched
}

// watched is an entity whose motion is told.
type watched struct {
	name string
	pose r3.Pose
	at   time.Time
}

// Told of motion are changes of at least these, and not more often than this.
const (
	toldDistance = 0.01              // m
	toldAngle    = 1 * math.Pi / 180 // rad
	toldPeriod   = 1 * time.Second   // of an entity
	toldNames    = 5                 // that come or go at once
)

// tell prints what has changed.
func (p *plain) tell() error {
	m, s, l := p.m, p.m.view.snap, &p.last
	if l.world != s.Model.World.Name {
		l.world = s.Model.World.Name
		p.say("world: %s, %d entities", cmp.Or(l.world, "none"), len(s.Model.Entities))
		l.names, l.model = names(s.Model), s.Model
	}
	if !l.any || l.state != s.State {
		_, word, _ := pane.Glyph(s.State)
		p.say("%s at %s", strings.ToLower(word), pane.Clock(s.Time))
	}
	if l.any && l.asked != s.Pacing.Asked {
		p.say("real-time factor asked: %s", pane.Factor(s.Pacing.Asked, true))
	}
	if l.link.Fault != m.around.link.Fault {
		p.say("ros: %s", cmp.Or(m.around.link.Fault, "works again"))
	}
	l.any, l.state, l.asked, l.link = true, s.State, s.Pacing.Asked, m.around.link
	p.tellNames()
	for i := range s.Events {
		if e := &s.Events[i]; e.Seq > l.event {
			l.event = e.Seq
			p.say("%s%s: %s", [...]string{"", "warning, ", "error, "}[min(e.Level, sim.Error)], e.Who, e.Text)
		}
	}
	if m.screen.flash != l.flash {
		if l.flash = m.screen.flash; m.screen.flash.text != "" {
			p.say("%s%s", map[theme.Role]string{theme.Warn: "not done, ",
				theme.Bad: "error, "}[m.screen.flash.role], m.screen.flash.text)
		}
	}
	p.tellWatched()
	p.tellDialog()
	return p.out.Flush()
}

func names(m *sim.Model) []string {
	out := make([]string, len(m.Entities))
	for i := range m.Entities {
		out[i] = m.Entities[i].Name
	}
	return out
}

// tellNames tells which entities came and went.
func (p *plain) tellNames() {
	if p.last.model == p.m.view.snap.Model {
		return
	}
	p.last.model = p.m.view.snap.Model
	before, now := p.last.names, names(p.m.view.snap.Model)
	p.last.names = now
	missing := func(from, in []string) (out []string) {
		for _, n := range from {
			if _, there := slices.BinarySearch(in, n); !there {
				out = append(out, n)
			}
		}
		return out
	}
	for _, change := range []struct {
		word  string
		names []string
	}{{"gone", missing(before, now)}, {"new", missing(now, before)}} {
		switch n := len(change.names); {
		case n > toldNames:
			p.say("%s: %d entities, %s to %s", change.word, n, change.names[0], change.names[n-1])
		case n > 0:
			p.say("%s: %s", change.word, strings.Join(change.names, ", "))
		}
	}
}

// tellWatched tells where watched entities are, when they have moved.
func (p *plain) tellWatched() {
	now := p.m.cfg.Now()
	for i := range p.last.watch {
		w := &p.last.watch[i]
		k, there := pane.Find(p.m.view.snap.Model, w.name)
		if !there || k >= len(p.m.view.snap.Entities) || now.Sub(w.at) < toldPeriod {
			continue
		}
		s := &p.m.view.snap.Entities[k]
		if s.Pose.Pos.Sub(w.pose.Pos).Len() < toldDistance &&
			math.Abs(math.Remainder(s.Pose.Rot.Yaw()-w.pose.Rot.Yaw(), 2*math.Pi)) < toldAngle {
			continue
		}
		w.pose, w.at = s.Pose, now
		p.say("%s: %s", w.name, whereabouts(s))
	}
}

// whereabouts is where an entity is and how it moves, in words.
func whereabouts(s *sim.EntityState) string {
	at := s.Pose.Pos
	text := fmt.Sprintf("x %s, y %s, z %s m, yaw %s°", pane.Number(at.X, 2), pane.Number(at.Y, 2),
		pane.Number(at.Z, 2), pane.Number(pane.Degrees(s.Pose.Rot.Yaw()), 0))
	if v := s.Twist.Linear.Len(); v > 0.005 {
		text += fmt.Sprintf(", %s m/s", pane.Number(v, 2))
	}
	return text
}

// tellDialog reads the dialog on top out: all of it when it opens, then the
// lines that changed.
func (p *plain) tellDialog() {
	d := p.m.dialogs.top()
	if d == nil {
		p.last.dialog, p.last.lines = nil, nil
		return
	}
	if d != p.last.dialog {
		p.last.dialog, p.last.lines = d, nil
		p.say("%s: an empty line accepts; cancel, next, prev, up, down, left, right and toggle go about; anything else is typed",
			d.Title())
	}
	w, h := d.Size()
	lines := p.drawn(min(w, plainWidth), min(h, plainHeight), d.Draw)
	for _, l := range lines {
		if !slices.Contains(p.last.lines, l) {
			p.say("  %s", l)
		}
	}
	p.last.lines = lines
}

// drawn is what something draws, as lines without the empty ones.
func (p *plain) drawn(w, h int, draw func(canvas.Area)) []string {
	p.page.Resize(w, h)
	p.page.ASCII = true
	draw(p.page.All())
	var lines []string
	for _, l := range strings.Split(p.page.Plain(), "\n") {
		if l = strings.Join(strings.Fields(l), " "); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}
