package pane

import (
	"fmt"
	"math"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Charts plots the latest numbers of the selected entity and of the simulation: a row for each, and the curve
// of the selected row.
type Charts struct {
	Rows
	Entity string // its numbers are kept

	filter Filter
	of     string // entity of these series
	model  *sim.Model
	times  []time.Duration
	series []series
	order  []int32
	dots   canvas.Dots
}

// series is a number over time.
type series struct {
	name, unit string
	values     []float32 // by times
}

const (
	chartSpan  = 30 * time.Second // of simulated time
	chartEvery = 50 * time.Millisecond
)

var _ List = (*Charts)(nil)

// Filter is the list's filter.
func (c *Charts) Filter() *Filter { return &c.filter }

// SetFilter shows only the rows that match a text.
func (c *Charts) SetFilter(text string) {
	c.filter.Set(text)
	c.refilter()
}

func (c *Charts) refilter() {
	c.order = c.filter.Rows(len(c.series), func(i int) string { return c.series[i].name },
		func(int) *scene.Info { return &scene.Info{} })
	c.fit(len(c.order), c.height)
}

// Feed takes a new picture of the world.
func (c *Charts) Feed(s *sim.Snapshot) {
	if n := len(c.times); n > 0 && c.Entity == c.of && s.Model == c.model && s.Time >= c.times[n-1] &&
		s.Time-c.times[n-1] < chartEvery {
		return
	}
	now := fields(s, c.Entity)
	c.model = s.Model
	if c.Entity != c.of || len(now) != len(c.series) {
		c.of, c.times, c.series = c.Entity, nil, slices.Clone(now)
		for i := range c.series {
			c.series[i].values = nil
		}
		c.refilter()
	}
	for len(c.times) > 0 && c.times[len(c.times)-1] > s.Time { // the clock was set back
		c.drop(len(c.times)-1, len(c.times))
	}
	if n := len(c.times); n > 0 && s.Time-c.times[n-1] < chartEvery {
		return
	}
	c.times = append(c.times, s.Time)
	for i := range c.series {
		c.series[i].values = append(c.series[i].values, now[i].values[0])
	}
	old := 0
	// as integers that may overflow
	for old < len(c.times)-1 && float64(s.Time)-float64(c.times[old]) > float64(chartSpan) {
		old++
	}
	c.drop(0, old)
}

// drop forgets what was kept from one place to another.
func (c *Charts) drop(from, to int) {
	c.times = append(c.times[:from], c.times[to:]...)
	for i := range c.series {
		if v := &c.series[i].values; len(*v) >= to {
			*v = append((*v)[:from], (*v)[to:]...)
		}
	}
}

// Draw fills the area.
func (c *Charts) Draw(a canvas.Area, v *View) {
	rows, curve := a, a
	if w := a.W(); w >= 64 {
		rows, curve = a.Sub(0, 0, 34, a.H()), a.Sub(35, 0, w-35, a.H())
	} else {
		h := min(len(c.order), max(1, a.H()*2/5))
		rows, curve = a.Sub(0, 0, w, h), a.Sub(0, h, w, a.H()-h)
	}
	c.header = 0
	c.fit(len(c.order), rows.H())
	first, end := c.window()
	for row := first; row < end; row++ {
		s, y := &c.series[c.order[row]], row-first
		if len(s.values) == 0 {
			continue
		}
		rows.Clip(2, y, rows.W()-17, s.name, theme.Plain)
		rows.Right(rows.W()-6, y, short(float64(s.values[len(s.values)-1])), theme.Strong)
		rows.Clip(rows.W()-5, y, 5, s.unit, theme.Dim)
		if row == c.Cursor {
			rows.Put(0, y, '>', theme.Strong)
			if v.Focused {
				rows.Role(y, theme.Chosen)
			}
		}
	}
	if c.Cursor < len(c.order) {
		c.curve(curve, &c.series[c.order[c.Cursor]], v.Symbols)
	}
}

// curve draws a series with its greatest and least value at the left.
func (c *Charts) curve(a canvas.Area, s *series, symbols canvas.Symbols) {
	const margin = 9
	if a.W() < margin+8 || a.H() < 3 || len(s.values) == 0 {
		return
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range s.values {
		if v-v == 0 {
			low, high = min(low, float64(v)), max(high, float64(v))
		}
	}
	if low > high {
		a.Clip(margin, 0, a.W()-margin, "no measurements", theme.Dim)
		return
	}
	if least := max(1e-6, 1e-4*math.Abs(high)); high-low < least { // noise is no curve
		low, high = (low+high-least)/2, (low+high+least)/2
	}
	plot := a.Sub(margin, 0, a.W()-margin, a.H()-1)
	c.dots.Reset(symbols, plot.W(), plot.H())
	w, h := c.dots.Size()
	last := c.times[len(c.times)-1]
	place := func(i int) (x, y float64) {
		ago := float64(last-c.times[i]) / float64(chartSpan)
		return (1 - ago) * float64(w-1), (high - float64(s.values[i])) / (high - low) * float64(h-1)
	}
	for i := range s.values {
		x0, y0 := place(max(0, i-1))
		x1, y1 := place(i)
		c.dots.Line(x0, y0, x1, y1, theme.Return)
	}
	c.dots.Draw(plot)
	for y := range plot.H() {
		a.Put(margin-1, y, '│', theme.Border)
	}
	a.Right(margin-1, 0, short(high), theme.Label)
	a.Right(margin-1, plot.H()-1, short(low), theme.Label)
	a.Text(margin, a.H()-1, fmt.Sprintf("-%v", chartSpan), theme.Dim)
	a.Right(a.W(), a.H()-1, "now", theme.Dim)
}

// short is a number in at most seven columns.
func short(v float64) string {
	switch size := math.Abs(v); {
	case size >= 1e6 || size > 0 && size < 1e-3:
		return fmt.Sprintf("%.1e", v)
	case size >= 1000:
		return fmt.Sprintf("%.0f", v)
	case size >= 10:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.4f", v)
}
