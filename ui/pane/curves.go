package pane

import (
	"fmt"
	"math"
	"slices"
	"time"

	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// curveInks are the roles of curves: of the selected row, then of those that were added.
var curveInks = []theme.Role{theme.Return, theme.Good, theme.Warn, theme.Place, theme.Accent, theme.Thing}

// Add draws the curve of the selected row also when others are selected, or no longer. It reports the row's name,
// and whether it is drawn now; an empty name where there is no row, or as many curves as there are colors.
func (c *Charts) Add() (name string, on bool) {
	if c.Cursor >= len(c.order) {
		return "", false
	}
	name = c.series[c.order[c.Cursor]].name
	if at := slices.Index(c.added, name); at >= 0 {
		c.added = slices.Delete(c.added, at, at+1)
		return name, false
	}
	if len(c.added)+1 >= len(curveInks) {
		return "", false
	}
	c.added = append(c.added, name)
	return name, true
}

// Any reports that there is a row.
func (c *Charts) Any() bool { return len(c.order) > 0 }

// MostCurves is the number of curves that can be drawn at once.
func (c *Charts) MostCurves() int { return len(curveInks) }

// ink is the role of a series' curve; false: none is drawn.
func (c *Charts) ink(s *series, selected bool) (theme.Role, bool) {
	if at := slices.Index(c.added, s.name); at >= 0 {
		return curveInks[at+1], true
	}
	return curveInks[0], selected
}

// curveSign stands before the name of a series whose curve is drawn.
func curveSign(symbols canvas.Symbols) rune {
	if symbols == canvas.ASCII {
		return '#'
	}
	return '■'
}

// axis is the range of a chart with its ticks, which are multiples of step.
type axis struct{ low, high, step float64 }

// axisOf is a range around numbers with at most so many ticks.
func axisOf(low, high float64, ticks int) axis {
	if least := max(leastSpread, 1e-3*max(math.Abs(low), math.Abs(high))); high-low < least { // noise is no curve
		middle := (low + high) / 2
		around := max(0.1*math.Abs(middle), 0.01)
		low, high = middle-around, middle+around
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/float64(max(1, ticks-1)))))
	for _, k := range [...]float64{1, 2, 5, 10} {
		if a := (axis{math.Floor(low/(k*step)) * k * step, math.Ceil(high/(k*step)) * k * step, k * step}); k == 10 ||
			(a.high-a.low)/a.step <= float64(max(1, ticks-1)) {
			return a
		}
	}
	return axis{low, high, high - low}
}

// label is a tick in at most eight columns, with the decimals that tell it from the next one.
func (a axis) label(v float64) string {
	decimals := max(0, int(math.Ceil(-math.Log10(a.step)-1e-9)))
	if text := fmt.Sprintf("%.*f", decimals, v+0); len(text) <= 8 && decimals < 6 {
		return text
	}
	return short(v)
}

// Of a chart.
const (
	axisMargin  = 9                // columns of labels at the left
	timeTick    = 10 * time.Second // between marks of the time
	rowsPerTick = 3
)

// plot draws the curves of a series and of those that were added. Those of the same unit share the axis at the left;
// each other one has a range of its own, which is named.
func (c *Charts) plot(a canvas.Area, selected *series, symbols canvas.Symbols) {
	if a.W() < axisMargin+8 || a.H() < 3 || len(selected.values) == 0 {
		return
	}
	shown := []*series{}
	for i := range c.series {
		if s := &c.series[i]; s != selected && slices.Contains(c.added, s.name) {
			shown = append(shown, s)
		}
	}
	shown = append(shown, selected) // over the others
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range shown {
		if l, h := s.spread(); s.unit == selected.unit {
			low, high = min(low, l), max(high, h)
		}
	}
	if low > high {
		a.Clip(axisMargin, 0, a.W()-axisMargin, "no measurements", theme.Dim)
		return
	}
	area := a.Sub(axisMargin, 0, a.W()-axisMargin, a.H()-1)
	shared := axisOf(low, high, 1+area.H()/rowsPerTick)
	c.ticks(a, area, shared)
	c.dots.Reset(symbols, area.W(), area.H())
	type legend struct {
		text string
		ink  theme.Role
	}
	var others []legend
	for _, s := range shown {
		ink, _ := c.ink(s, s == selected)
		if s.unit == selected.unit {
			c.curve(s, shared, ink)
		} else if l, h := s.spread(); l <= h {
			own := axisOf(l, h, 2)
			c.curve(s, own, ink)
			others = append(others, legend{fmt.Sprintf(" %s %s…%s %s", s.name, own.label(own.low),
				own.label(own.high), s.unit), ink})
		}
	}
	c.dots.Draw(area)
	for y, l := range others {
		area.Right(area.W(), y, l.text, l.ink)
	}
}

// ticks draws the labels of an axis and of the time, and lines at them.
func (c *Charts) ticks(a, area canvas.Area, x axis) {
	for y := range area.H() {
		a.Put(axisMargin-1, y, '│', theme.Border)
	}
	n := int(math.Round((x.high - x.low) / x.step))
	for k := range n + 1 {
		v := x.low + float64(k)*x.step
		y := int(math.Round((x.high - v) / (x.high - x.low) * float64(area.H()-1)))
		a.Right(axisMargin-1, y, x.label(v), theme.Label)
		for at := 0; at < area.W(); at += 4 {
			area.Put(at, y, '·', theme.Ground)
		}
	}
	for ago := chartSpan; ago > 0; ago -= timeTick {
		at := int(math.Round((1 - float64(ago)/float64(chartSpan)) * float64(area.W()-1)))
		text := fmt.Sprintf("-%v", ago)
		if at+len(text)+4 < area.W() {
			a.Text(axisMargin+at, a.H()-1, text, theme.Dim)
		}
	}
	a.Right(a.W(), a.H()-1, "now", theme.Dim)
}

// curve draws a series over the last chartSpan.
func (c *Charts) curve(s *series, x axis, ink theme.Role) {
	w, h := c.dots.Size()
	last := c.times[len(c.times)-1]
	place := func(i int) (float64, float64) {
		ago := float64(last-c.times[i]) / float64(chartSpan)
		return (1 - ago) * float64(w-1), (x.high - float64(s.values[i])) / (x.high - x.low) * float64(h-1)
	}
	for i := range s.values {
		x0, y0 := place(max(0, i-1))
		x1, y1 := place(i)
		c.dots.Line(x0, y0, x1, y1, ink)
	}
}
