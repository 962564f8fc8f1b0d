package ui

import (
	"fmt"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// part is a piece of the header. In a narrow window all are written short, and then those with the greatest
// drop go first.
type part struct {
	label, text string
	short       string // text without label where there is little room; empty: text
	role        theme.Role
	drop        int
	right       bool
	fit         func(columns int) string // of the world's name: as much of it as fits
}

// rooms are the columns that the world's name gets in a narrow window, and the drop from which parts make
// room for them. The first that fits counts. Names of worlds often differ behind the eighth column. The role
// (4) goes before the name has less than sixteen. The link (3) goes before it has less than twelve.
var rooms = []struct{ name, drop int }{{16, 5}, {16, 4}, {12, 3}, {8, 1}}

func (p part) width() int {
	n := canvas.TextWidth(p.text) + 2
	if p.label != "" {
		n += canvas.TextWidth(p.label) + 1
	}
	return n
}

// columns is the width of all parts.
func columns(parts []part) int {
	n := 0
	for _, p := range parts {
		n += p.width()
	}
	return n
}

// squeeze makes parts fit into w columns. The world's name gets the columns of rooms, and then what is left
// over.
func squeeze(parts []part, w int) []part {
	if columns(parts) < w {
		return parts
	}
	for i := range parts {
		parts[i].label = ""
		if parts[i].short != "" {
			parts[i].text = parts[i].short
		}
	}
	least := parts
	for _, r := range rooms {
		least = dropped(named(slices.Clone(parts), r.name), w, r.drop)
		if columns(least) < w {
			break
		}
	}
	for i, p := range least {
		if spare := w - 1 - columns(least); p.fit != nil && spare > 0 {
			least[i].text = p.fit(canvas.TextWidth(p.text) + spare)
		}
	}
	return least
}

// named cuts the world's name to some columns.
func named(parts []part, columns int) []part {
	for i, p := range parts {
		if p.fit != nil {
			parts[i].text = p.fit(columns)
		}
	}
	return parts
}

// dropped leaves out parts until the others fit into w columns, the greatest drop first, none below from.
func dropped(parts []part, w, from int) []part {
	for columns(parts) >= w {
		worst := 0
		for i, p := range parts {
			if p.drop > parts[worst].drop {
				worst = i
			}
		}
		if parts[worst].drop < from {
			break
		}
		parts = slices.Delete(parts, worst, worst+1)
	}
	return parts
}

// drawHeader draws the line at the top: what an operator must know at a
// glance, whatever pane is shown.
func (sc *screen) drawHeader(a canvas.Area) {
	drawParts(a, squeeze(sc.facts(), a.W()))
}

// drawParts draws a line of parts, those that stand right from there.
func drawParts(a canvas.Area, parts []part) {
	x, end := 1, a.W()+1
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
	a.Text(x, 0, p.text, p.role)
}

// mostName bounds the columns of the world's name.
const mostName = 32

// worldName is as much of the world's name as fits into some columns, with its number where there are
// several.
func (sc *screen) worldName(columns int) string {
	number := ""
	if n := len(sc.m.cfg.Worlds); n > 1 {
		number = fmt.Sprintf(" %d/%d", sc.m.worlds.turn+1, n)
	}
	name := sc.m.view.snap.Model.World.Name
	if name == "" {
		name = "simdeck"
	}
	return pane.Fitted(name, min(columns, mostName)-len(number)) + number
}

// behind reports that a simulation does not reach its target speed.
func behind(s *sim.Snapshot) bool {
	const least = 0.95 // of it
	return s.State == sim.Playing && s.Pacing.Measured > 0 && s.Pacing.Measured < least*s.Pacing.Asked
}

// facts are the parts of the header in their order.
func (sc *screen) facts() []part {
	s := sc.m.view.snap
	glyph, word, role := pane.Glyph(s.State)
	factor := pane.Factor(s.Pacing.Measured, false) + "/" + pane.Factor(s.Pacing.Asked, true)
	count := fmt.Sprint(len(s.Model.Entities))
	far := sc.m.around.link.Far != ""
	if s.Pacing.Asked < 0 {
		factor = pane.Factor(s.Pacing.Measured, false)
	}
	pace := theme.Header
	if behind(s) {
		factor, pace = "↓"+factor, theme.Warn
	}
	if far && sc.m.around.link.Fault != "" {
		glyph, word, role = '!', "LOST", theme.Bad
	}
	parts := []part{
		{text: sc.worldName(mostName), role: theme.Header, fit: sc.worldName},
		{text: string(glyph) + " " + word, role: role},
		{text: pane.Clock(s.Time), role: theme.Header},
		{label: "rtf", text: factor, short: "×" + factor, role: pace, drop: 1},
	}
	if !far {
		parts = append(parts, part{label: "step", text: pane.Cost(s.Stats.StepCost), role: theme.Header,
			drop: 5})
	}
	parts = append(parts, part{label: "entities", text: count, short: count + " ent", role: theme.Header,
		drop: 7})
	if n := s.Stats.Contained; n > 0 {
		parts = append(parts, part{text: fmt.Sprintf("! %d contained", n), short: fmt.Sprintf("!%d", n),
			role: theme.Bad})
	}
	switch rec := sc.m.around.recording; {
	case rec.Fault != "":
		parts = append(parts, part{text: "REC BROKEN", role: theme.Bad, drop: 2})
	case rec.Folder != "":
		text := pane.Size(rec.Bytes)
		if !rec.Began.IsZero() {
			text = pane.Elapsed(sc.m.cfg.Now().Sub(rec.Began)) + " " + text
		}
		parts = append(parts, part{text: "● rec " + text, short: "● " + text, role: theme.Bad, drop: 2})
	}
	if sc.m.view.frozen {
		parts = append(parts, part{text: "VIEW FROZEN", short: "FROZEN", role: theme.Warn})
	}
	if p := sc.m.requests.progress; p.shown() && sc.m.requests.pending > 0 {
		parts = append(parts, part{text: fmt.Sprintf("… %d of %d", p.done.Load(), p.all.Load()), short: "…",
			role: theme.Warn, drop: 9})
	} else if sc.m.requests.pending > 0 {
		parts = append(parts, part{text: "…", role: theme.Warn, drop: 9})
	}
	switch l := sc.m.around.link; {
	case far:
		parts = append(parts, part{label: "attached", text: pane.Fitted(l.Name, 24) + " · " + l.Far,
			short: pane.Fitted(l.Name, 12), role: theme.Header, drop: 3, right: true})
	case l.Fault != "":
		parts = append(parts, part{label: "ros", text: "DOWN", short: "ros DOWN", role: theme.Bad, drop: 3,
			right: true})
	case !l.On:
		parts = append(parts, part{label: "ros", text: "off", short: "ros off", role: theme.HeaderDim,
			drop: 3, right: true})
	case l.Note != "":
		parts = append(parts, part{label: "ros", text: pane.Fitted(l.Name, 24), short: pane.Fitted(l.Name, 12),
			role: theme.Warn, drop: 3, right: true})
	default:
		parts = append(parts, part{label: "ros", text: fmt.Sprintf("%d · %s", l.Domain, pane.PeerCount(l)),
			short: fmt.Sprintf("ros %d·%d", l.Domain, l.Peers), role: theme.Header, drop: 3, right: true})
	}
	if sc.m.line.trip >= slowTrip {
		parts = append(parts, part{label: "line", text: pane.Trip(sc.m.line.trip), role: theme.Header,
			drop: 6, right: true})
	}
	if n := len(sc.m.around.others); n > 0 {
		who := strings.Join(sc.m.around.others, ", ")
		if n > 2 || canvas.TextWidth(who) > mostName {
			who = fmt.Sprintf("%d others", n)
		}
		parts = append(parts, part{label: "with", text: who, short: fmt.Sprintf("+%d", n), role: theme.Header,
			drop: 4, right: true})
	}
	return append(parts, part{text: sc.m.role(), role: theme.HeaderDim, drop: 4, right: true})
}
