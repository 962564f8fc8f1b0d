package ui

import (
	"fmt"
	"image"
	"time"

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
	first, now, last := st.cell(st.end-st.kept), st.now(), st.cell(st.Newest)
	if st.kept == 0 {
		first = st.cells - 1
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
