package ui

import (
	"fmt"
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

const (
	// stripRows is the least height of a window with a time strip.
	stripRows = 22
	// stripQuantum is the time by which the strip scrolls: one that moved with every step would be sent to the
	// terminal with every frame.
	stripQuantum = time.Second
	// Columns of the labels beside the strip.
	reachColumns = 7
	agoColumns   = 8
)

// timeline moves the world in its past. One command is on its way at a time: while a drag goes on, only the
// last place that was asked for waits.
type timeline struct {
	m     *Model
	busy  bool          // a Rewind is on its way
	waits bool          // and then another is to go to at
	at    time.Duration // the moment asked for last, as sim.Past counts
}

// place is the moment from which the next move goes, and the past around it.
func (tl *timeline) place() (time.Duration, sim.Past) {
	p := tl.m.now().Past
	if tl.busy {
		return tl.at, p
	}
	return p.Now, p
}

// seek brings the world to a moment of its past, as far as there is one, and pauses it there.
func (tl *timeline) seek(to time.Duration) tea.Cmd {
	s := tl.m.now()
	to = min(max(to, s.Past.Oldest), s.Past.Newest)
	switch {
	case tl.busy:
		tl.at, tl.waits = to, true
		return nil
	case to == s.Past.Now && s.State == sim.Playing:
		return tl.m.requests.send(sim.SetState{State: sim.Paused}, "")
	case to == s.Past.Now:
		return tl.say(0)
	}
	tl.busy, tl.at = true, to
	return tl.m.requests.send(sim.Rewind{Back: s.Past.Now - to}, "")
}

// step goes back by a time; below 0 forward.
func (tl *timeline) step(back time.Duration) tea.Cmd {
	at, _ := tl.place()
	return tl.seek(at - back)
}

// toMark goes to the next mark after the present, or before it.
func (tl *timeline) toMark(after bool) tea.Cmd {
	at, p := tl.place()
	best, found := time.Duration(0), false
	for _, m := range p.Marks {
		switch {
		case m.At < p.Oldest || m.At > p.Newest:
		case after && m.At > at && (!found || m.At < best), !after && m.At < at && (!found || m.At > best):
			best, found = m.At, true
		}
	}
	if !found {
		return tl.m.say(theme.Warn, "no mark %s this moment",
			map[bool]string{true: "after", false: "before"}[after])
	}
	return tl.seek(best)
}

// onReply takes the answer to a Rewind, and goes where was asked for meanwhile.
func (tl *timeline) onReply(r replyMsg) tea.Cmd {
	waits := tl.waits
	tl.busy, tl.waits = false, false
	rewound, _ := r.reply.(sim.Rewound)
	switch {
	case r.err != nil:
		return tl.m.requests.onRefused(r)
	case waits && tl.at != tl.m.now().Past.Now:
		return tl.seek(tl.at)
	}
	if s := tl.m.now(); rewound.Back-r.command.(sim.Rewind).Back > s.StepSize && s.Past.Now < s.Past.Newest {
		return tl.m.say(theme.Good, "On the way forward, at %s", pane.Clock(s.Time)) // it is a long one
	}
	return tl.say(rewound.Back)
}

// say says where the world is now, after it went back by a time, and what happened there.
func (tl *timeline) say(back time.Duration) tea.Cmd {
	s := tl.m.now()
	p, clock := s.Past, pane.Clock(s.Time)
	goesOn := ""
	if key := tl.m.keys.Key("sim.toggle"); key != "" {
		goesOn = "; " + key + " continues from here"
	}
	switch {
	case p.Now == p.Newest && back <= 0:
		return tl.m.say(theme.Good, "At the newest moment, %s", clock)
	case p.Now == p.Oldest && back <= 0:
		return tl.m.say(theme.Good, "At the start of what is kept, %s%s", clock, goesOn)
	case p.Now == p.Oldest:
		return tl.m.say(theme.Good, "Rewound to the start of what is kept, %s%s", clock, goesOn)
	}
	for _, m := range p.Marks {
		if m.At == p.Now {
			goesOn = ": " + canvas.Clean(m.Text)
			break
		}
	}
	verb := "Rewound"
	if back < 0 {
		verb = "Forward"
	}
	return tl.m.say(theme.Good, "%s to %s%s", verb, clock, goesOn)
}

// click goes to the moment under the pointer: that of the mark there, or else of the cell.
func (tl *timeline) click(x int) tea.Cmd {
	if why := tl.m.disabledReason("sim.rewind"); why != "" {
		return tl.m.say(theme.Warn, "%s: %s", tl.m.action("sim.rewind").title, why)
	}
	bar := tl.m.window.layout.bar()
	st := newStrip(tl.m.now().Past, bar.Dx())
	return tl.seek(st.moment(x - bar.Min.X))
}

// spans are the times that the strip shows. It takes the shortest that the kept past fits into.
var spans = []time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 24 * time.Hour}

// strip is the scale of the time strip: so many cells for the time between two moments of the past.
type strip struct {
	sim.Past
	kept       time.Duration // that can be gone to, in whole quanta
	start, end time.Duration
	cells      int
}

// newStrip is the scale for a past in w cells.
func newStrip(p sim.Past, w int) strip {
	st := strip{Past: p, cells: w, end: p.Newest.Truncate(stripQuantum)}
	if st.end < p.Newest {
		st.end += stripQuantum
	}
	kept := min(p.Newest-p.Oldest, p.Reach)
	st.kept = kept.Truncate(stripQuantum)
	span := max(spans[0], p.Reach)
	for _, s := range spans {
		if s >= kept {
			span = min(s, span)
			break
		}
	}
	st.start = st.end - span
	return st
}

// cell is the place of a moment.
func (st *strip) cell(t time.Duration) int {
	x := int(float64(t-st.start) / float64(st.end-st.start) * float64(st.cells))
	return max(0, min(x, st.cells-1))
}

// now is the place of the present: the last cell where nothing lies after it.
func (st *strip) now() int {
	if st.Now >= st.Newest {
		return st.cells - 1
	}
	return st.cell(st.Now)
}

// marked is the most important mark of a cell, the first of several.
func (st *strip) marked(x int) (mark sim.Mark, ok bool) {
	for _, m := range st.Marks {
		if st.cell(m.At) == x && (!ok || m.Kind > mark.Kind) {
			mark, ok = m, true
		}
	}
	return mark, ok
}

// moment is the time of a cell: of its mark, if it has one.
func (st *strip) moment(x int) time.Duration {
	if x >= st.cells-1 {
		return st.Newest
	}
	if m, ok := st.marked(max(0, x)); ok {
		return m.At
	}
	return st.start + time.Duration((float64(x)+0.5)/float64(st.cells)*float64(st.end-st.start))
}

// markSign is how the strip shows a mark.
func markSign(k sim.MarkKind) (rune, theme.Role) {
	switch k {
	case sim.MarkCollision:
		return '×', theme.Contact
	case sim.MarkWarn:
		return '!', theme.Warn
	case sim.MarkError:
		return '!', theme.Bad
	}
	return '▾', theme.Accent
}

// draw draws the strip: the past that is kept, what a rewind left behind it, marks, and the present.
func (st *strip) draw(a canvas.Area) {
	first, now, last := st.cell(st.Oldest.Truncate(stripQuantum)), st.now(), st.cell(st.Newest)
	if st.Newest-st.Oldest >= st.Reach {
		first = 0
	}
	for x := first; x <= max(now, last); x++ {
		if x <= now {
			a.Put(x, 0, '─', theme.Border)
		} else {
			a.Put(x, 0, '·', theme.Dim)
		}
	}
	shown := map[int]sim.MarkKind{}
	for _, m := range st.Marks {
		x := st.cell(m.At)
		if k, there := shown[x]; !there || m.Kind > k {
			shown[x] = m.Kind
			sign, role := markSign(m.Kind)
			a.Put(x, 0, sign, role)
		}
	}
	a.Put(now, 0, '●', theme.Focus)
}

// ago writes a time before now.
func ago(t time.Duration, digits int) string {
	if t >= 100*time.Second {
		return "-" + pane.Elapsed(t)
	}
	return fmt.Sprintf("-%.*f s", digits, t.Seconds())
}

// bar is the part of the strip's line that stands for times.
func (l *layout) bar() image.Rectangle {
	r := l.strip
	if !r.Empty() {
		r.Min.X, r.Max.X = r.Min.X+reachColumns+1, r.Max.X-agoColumns-1
	}
	return r
}

// drawStrip draws the line of the time strip, with how far the past reaches back and when the present is.
func (sc *screen) drawStrip() {
	p := sc.m.view.snap.Past
	bar := sc.m.window.layout.bar()
	if bar.Empty() || p.Reach == 0 {
		return
	}
	st := newStrip(p, bar.Dx())
	a := sc.cells.Area(sc.m.window.layout.strip)
	a.Right(reachColumns, 0, ago(st.kept, 0), theme.Dim)
	st.draw(sc.cells.Area(bar))
	if p.Now < p.Newest {
		a.Text(a.W()-agoColumns, 0, ago(p.Newest-p.Now, 1), theme.Warn)
	} else {
		a.Text(a.W()-agoColumns, 0, "now", theme.Dim)
	}
}
