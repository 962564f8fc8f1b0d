package pane

import (
	"fmt"

	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// nilInfo is for filters of what has no kind and no tags.
func nilInfo(int) *scene.Info { return nil }

// Draw fills the area: titles, a row for each simulator, and at the foot why
// nothing new is known of the selected one.
func (f *Fleet) Draw(a canvas.Area) {
	f.header = 1
	foot := 0
	if m := f.Selected(); m != nil && m.Fault != "" && a.H() > 4 {
		foot = 1
		a.Clip(2, a.H()-1, a.W()-4, m.Name+": "+m.Fault, theme.Warn)
	}
	f.fit(len(f.order), a.H()-1-foot)
	cols := fleetColumns()
	f.widths = f.place(cols, a.W())
	x := 2
	for i, c := range cols {
		if f.widths[i] == 0 {
			continue
		}
		title, role := c.title, theme.Label
		if i == f.sort {
			role = theme.Title
		}
		if c.right {
			a.Right(x+f.widths[i], 0, title, role)
		} else {
			a.Clip(x, 0, f.widths[i], title, role)
		}
		x += f.widths[i] + 1
	}
	if len(f.order) == 0 {
		a.Clip(2, 2, a.W()-4, f.empty(), theme.Dim)
	}
	first, end := f.window()
	for row := first; row < end; row++ {
		f.row(a, row-first+1, row, cols)
	}
}

func (f *Fleet) empty() string {
	if f.filter.On() {
		return fmt.Sprintf("no matches for %q", f.filter.Text())
	}
	return "no simulators found yet; simdeck doctor checks the network"
}

func (f *Fleet) row(a canvas.Area, y, row int, cols []fleetColumn) {
	m := &f.members[f.order[row]]
	_, _, state := Condition(m)
	if f.marks[m.ID] {
		a.Put(1, y, '●', theme.Accent)
	}
	x := 2
	for i, c := range cols {
		if f.widths[i] == 0 {
			continue
		}
		role := theme.Plain
		switch {
		case c.title == "state":
			role = state
		case m.Lost:
			role = theme.Dim
		case i == 0:
			role = theme.Accent
		}
		text := canvas.Clean(c.text(m, f.now))
		if c.right {
			a.Right(x+f.widths[i], y, text, role)
		} else {
			a.Clip(x, y, f.widths[i], text, role)
		}
		x += f.widths[i] + 1
	}
	if row == f.Cursor {
		a.Put(0, y, '>', theme.Strong)
		a.Role(y, theme.Chosen)
	}
}

// place gives each column its width: texts as long as they are, and what is
// dropped first where there is little room.
func (f *Fleet) place(cols []fleetColumn, w int) []int {
	shapes := make([]column, len(cols))
	for i, c := range cols {
		shapes[i] = column{width: c.width, drop: c.drop}
		if i > 2 || len(f.order) == 0 {
			continue
		}
		longest := canvas.TextWidth(c.title)
		for _, k := range f.order {
			longest = max(longest, canvas.TextWidth(c.text(&f.members[k], f.now)))
		}
		shapes[i].width = min(longest, 28)
	}
	return place(shapes, w)
}
