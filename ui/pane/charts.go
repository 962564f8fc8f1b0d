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

// Charts plots the latest numbers of the selected entity and of the simulation: a row for each, and the curves
// of the selected row and of those that were added. It begins with a number that moves.
type Charts struct {
	Rows
	Entity string // its numbers are shown

	filter Filter
	*history
	of    string              // entity of the history that is shown
	kept  map[string]*history // by entities: the robots, and who was selected last
	looks int
	order []int32
	auto  int      // row that was chosen for the operator; -1: the operator chose
	added []string // names of series whose curves are drawn beside the selected one
	dots  canvas.Dots
}

// history is the numbers of an entity over the last chartSpan.
type history struct {
	model  *sim.Model
	times  []time.Duration
	series []series
	looked int // when it was shown last
}

// series is a number over time.
type series struct {
	name, unit string
	values     []float32 // by times
}

const (
	chartSpan  = 30 * time.Second // of simulated time
	chartEvery = 50 * time.Millisecond

	mostCharted = 16 // histories: a minute of an arm is 100 kB
	mostRobots  = 12 // of them, of robots that were never selected
)

var _ List = (*Charts)(nil)

// Filter is the list's filter.
func (c *Charts) Filter() *Filter { return &c.filter }

// SetFilter shows only the rows that match a text.
func (c *Charts) SetFilter(text string) {
	c.filter.Set(text)
	if c.Cursor == c.auto {
		c.Cursor = 0
	}
	c.auto = -1
	c.refilter()
}

func (c *Charts) refilter() {
	c.order = nil
	if c.history != nil {
		c.order = c.filter.Rows(len(c.series), func(i int) string { return c.series[i].name },
			func(int) *scene.Info { return &scene.Info{} })
	}
	c.fit(len(c.order), c.height)
}

// Feed takes a new picture of the world.
func (c *Charts) Feed(s *sim.Snapshot) {
	if c.kept == nil {
		c.kept = map[string]*history{}
	}
	if c.kept[c.Entity] == nil {
		c.kept[c.Entity] = &history{}
	}
	robots := 0
	for i := range s.Model.Entities {
		if e := &s.Model.Entities[i]; e.Info.Category == scene.Robot && robots < mostRobots {
			if robots++; c.kept[e.Name] == nil {
				c.kept[e.Name] = &history{}
			}
		}
	}
	fresh := c.Entity != c.of || c.history == nil
	if fresh {
		c.looks++
		c.history, c.of, c.auto = c.kept[c.Entity], c.Entity, c.Cursor
	}
	c.looked = c.looks
	for name, h := range c.kept {
		if _, ok := Find(s.Model, name); !ok && h != c.history {
			delete(c.kept, name)
		} else if h.feed(s, name) && h == c.history {
			fresh = true
		}
	}
	c.forget()
	if fresh {
		c.refilter()
	}
	c.choose()
}

// forget drops histories beyond mostCharted, those first that were shown longest ago.
func (c *Charts) forget() {
	for len(c.kept) > mostCharted {
		oldest := ""
		for name, h := range c.kept {
			if o := c.kept[oldest]; h != c.history && (o == nil || h.looked < o.looked ||
				h.looked == o.looked && name > oldest) {
				oldest = name
			}
		}
		delete(c.kept, oldest)
	}
}

// choose puts the cursor onto the first number that moves, until the operator chooses.
func (c *Charts) choose() {
	if c.Cursor != c.auto {
		c.auto = -1
		return
	}
	if c.Cursor < len(c.order) && c.series[c.order[c.Cursor]].moves() {
		return
	}
	for row, i := range c.order {
		if c.series[i].moves() {
			c.Cursor, c.auto = row, row
			c.fit(len(c.order), c.height)
			return
		}
	}
}

// feed takes a new picture of the world. It reports that the numbers are others than before.
func (h *history) feed(s *sim.Snapshot, entity string) (fresh bool) {
	if n := len(h.times); n > 0 && s.Model == h.model && s.Time >= h.times[n-1] &&
		s.Time-h.times[n-1] < chartEvery {
		return false
	}
	now := fields(s, entity)
	h.model = s.Model
	if len(now) != len(h.series) {
		h.times, h.series, fresh = nil, slices.Clone(now), true
		for i := range h.series {
			h.series[i].values = nil
		}
	}
	for len(h.times) > 0 && h.times[len(h.times)-1] > s.Time { // the clock was set back
		h.drop(len(h.times)-1, len(h.times))
	}
	if n := len(h.times); n > 0 && s.Time-h.times[n-1] < chartEvery {
		return fresh
	}
	h.times = append(h.times, s.Time)
	for i := range h.series {
		h.series[i].values = append(h.series[i].values, now[i].values[0])
	}
	old := 0
	// as integers that may overflow
	for old < len(h.times)-1 && float64(s.Time)-float64(h.times[old]) > float64(chartSpan) {
		old++
	}
	h.drop(0, old)
	return fresh
}

// drop forgets what was kept from one place to another.
func (h *history) drop(from, to int) {
	h.times = append(h.times[:from], h.times[to:]...)
	for i := range h.series {
		if v := &h.series[i].values; len(*v) >= to {
			*v = append((*v)[:from], (*v)[to:]...)
		}
	}
}

// spread is the least and the greatest value that is a number; least is the greater where there is none.
func (s *series) spread() (least, greatest float64) {
	least, greatest = math.Inf(1), math.Inf(-1)
	for _, v := range s.values {
		if v-v == 0 {
			least, greatest = min(least, float64(v)), max(greatest, float64(v))
		}
	}
	return least, greatest
}

// leastSpread is the least height of a chart's axis in the unit of a number: less is noise.
const leastSpread = 1e-3

// moves reports that a number is not the same all the time.
func (s *series) moves() bool {
	least, greatest := s.spread()
	return greatest-least >= max(leastSpread, 1e-3*math.Abs(greatest))
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
		if ink, drawn := c.ink(s, row == c.Cursor); drawn {
			rows.Put(1, y, curveSign(v.Symbols), ink)
		}
		ink := theme.Plain
		if !s.moves() {
			ink = theme.Dim
		}
		rows.Clip(3, y, rows.W()-18, s.name, ink)
		rows.Right(rows.W()-6, y, short(float64(s.values[len(s.values)-1])), theme.Strong)
		rows.Clip(rows.W()-5, y, 5, s.unit, theme.Dim)
		if row == c.Cursor {
			rows.Put(0, y, '>', theme.Strong)
			rows.Role(y, chosenIn(v.Focused))
		}
	}
	if c.Cursor < len(c.order) {
		c.plot(curve, &c.series[c.order[c.Cursor]], v.Symbols)
	}
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
