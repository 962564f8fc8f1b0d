package pane

import (
	"fmt"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Log is the pane of events: commands with their senders, warnings, errors. It follows the newest line until
// the cursor leaves it.
type Log struct {
	Rows
	filter Filter
	events []sim.Event
	order  []int32
	newest uint64 // Seq of the last event that was fed
	chosen uint64 // Seq of the event under the cursor; 0: follow the newest
	read   uint64 // Seq of the last event that was drawn

	errors, warnings int // behind it
}

var _ List = (*Log)(nil)

// Filter is the log's filter, on the text of lines and who caused them.
func (l *Log) Filter() *Filter { return &l.filter }

// Feed takes a new picture of the world.
func (l *Log) Feed(s *sim.Snapshot) {
	n := len(s.Events)
	if n == len(l.events) && (n == 0 || s.Events[n-1].Seq == l.newest) {
		return
	}
	l.events, l.newest = s.Events, 0
	if n > 0 {
		l.newest = s.Events[n-1].Seq
	}
	l.count()
	l.refilter()
}

// count counts what Badge tells of.
func (l *Log) count() {
	l.errors, l.warnings = 0, 0
	for i := len(l.events) - 1; i >= 0 && l.events[i].Seq > l.read; i-- {
		switch l.events[i].Level {
		case sim.Error:
			l.errors++
		case sim.Warn:
			l.warnings++
		}
	}
}

// Badge is the number of errors that were not seen yet, else of warnings, and its role.
func (l *Log) Badge() (text string, role theme.Role) {
	switch {
	case l.errors > 0:
		return fmt.Sprintf("!%d", l.errors), theme.Bad
	case l.warnings > 0:
		return fmt.Sprint(l.warnings), theme.Warn
	}
	return "", theme.Plain
}

// SetFilter shows only the rows that match a text.
func (l *Log) SetFilter(text string) {
	l.filter.Set(text)
	l.refilter()
}

func (l *Log) refilter() {
	l.order = l.filter.rows(len(l.events),
		func(i int) string { return l.events[i].Who + " " + l.events[i].Text }, infoless, false)
	cursor := len(l.order) - 1
	for row, i := range l.order {
		if l.chosen != 0 && l.events[i].Seq == l.chosen {
			cursor = row
		}
	}
	l.Cursor = max(cursor, 0)
	l.fit(len(l.order), l.height)
}

// Selected is the selected event; nil when there is none.
func (l *Log) Selected() *sim.Event {
	if l.Cursor >= len(l.order) {
		return nil
	}
	return &l.events[l.order[l.Cursor]]
}

func (l *Log) pick() {
	l.chosen = 0
	if e := l.Selected(); e != nil && l.Cursor < len(l.order)-1 {
		l.chosen = e.Seq
	}
}

// Move goes that many rows down, or up.
func (l *Log) Move(rows int) { l.Rows.Move(rows); l.pick() }

// Page goes pages down, or up.
func (l *Log) Page(pages float64) { l.Rows.Page(pages); l.pick() }

// Top goes to the oldest line.
func (l *Log) Top() { l.Rows.Top(); l.pick() }

// Bottom goes to the newest line and follows it.
func (l *Log) Bottom() { l.Rows.Bottom(); l.pick() }

// Wheel moves as a mouse's wheel does.
func (l *Log) Wheel(rows int) { l.Move(rows) }

// Click selects the row at a line of the pane.
func (l *Log) Click(line int) bool {
	ok := l.Rows.Click(line)
	l.pick()
	return ok
}

// Draw fills the area.
func (l *Log) Draw(a canvas.Area, v *View) {
	l.fit(len(l.order), a.H())
	l.read, l.errors, l.warnings = l.newest, 0, 0
	if len(l.order) == 0 {
		text := "no entries yet"
		if l.filter.On() {
			text = fmt.Sprintf("no matches for %q", l.filter.Text())
		}
		a.Clip(2, 0, a.W()-2, text, theme.Dim)
	}
	first, end := l.window()
	for row := first; row < end; row++ {
		e, y := &l.events[l.order[row]], row-first
		letter, role := Level(e.Level)
		x := a.Text(2, y, Clock(e.Time)[1:], theme.Dim) + 1
		x = a.Put(x, y, letter, role) + 1
		x = a.Clip(x, y, min(10, canvas.TextWidth(e.Who)), e.Who, theme.Label) + 1
		text := theme.Plain
		if e.Level != sim.Info {
			text = role
		}
		a.Clip(x, y, a.W()-x, e.Text, text)
		if row == l.Cursor && v.Focused {
			a.Put(0, y, '>', theme.Strong)
			a.Role(y, theme.Chosen)
		}
	}
}

// Level is the letter and role of an event's level.
func Level(l sim.Level) (rune, theme.Role) {
	switch l {
	case sim.Warn:
		return 'W', theme.Warn
	case sim.Error:
		return 'E', theme.Bad
	}
	return ' ', theme.Dim
}
