package pane

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/ui/theme"
)

// Fleet is the table of all simulators on a network. It keeps a simulator
// selected, not a row.
type Fleet struct {
	Rows
	filter   Filter
	members  []sim.Member
	order    []int32
	selected string // id
	marks    map[string]bool
	sort     int
	reverse  bool
	widths   []int
	now      time.Time
}

// fleetColumn is a column of the table; see column.
type fleetColumn struct {
	title string
	width int
	drop  int
	right bool
	less  func(a, b *sim.Member) int
	text  func(m *sim.Member, now time.Time) string
}

func fleetColumns() []fleetColumn {
	by := func(f func(*sim.Member) string) func(a, b *sim.Member) int {
		return func(a, b *sim.Member) int { return cmp.Compare(f(a), f(b)) }
	}
	plain := func(f func(*sim.Member) string) func(*sim.Member, time.Time) string {
		return func(m *sim.Member, _ time.Time) string { return f(m) }
	}
	name, host, world := func(m *sim.Member) string { return m.Name },
		func(m *sim.Member) string { return m.Host }, func(m *sim.Member) string { return m.World }
	return []fleetColumn{
		{title: "simulator", width: 16, less: by(name), text: plain(name)},
		{title: "host", width: 12, drop: 2, less: by(host), text: plain(host)},
		{title: "world", width: 12, drop: 1, less: by(world), text: plain(world)},
		{title: "state", width: 10, less: by(word), text: plain(word)},
		{title: "rtf", width: 6, right: true, drop: 4,
			less: func(a, b *sim.Member) int { return cmp.Compare(a.Factor, b.Factor) },
			text: plain(factorOf)},
		{title: "time", width: 12, right: true, drop: 6,
			less: func(a, b *sim.Member) int { return cmp.Compare(a.Time, b.Time) }, text: plain(timeOf)},
		{title: "entities", width: 8, right: true, drop: 5,
			less: func(a, b *sim.Member) int { return cmp.Compare(a.Entities, b.Entities) },
			text: plain(countOf)},
		{title: "seen", width: 8, right: true, drop: 3,
			less: func(a, b *sim.Member) int { return b.Seen.Compare(a.Seen) }, text: seenOf},
	}
}

// Condition is the state of a simulator elsewhere as a glyph, a word and a role: that of its simulation, or
// LOST.
func Condition(m *sim.Member) (rune, string, theme.Role) {
	switch {
	case m.Lost:
		return '!', "LOST", theme.Bad
	case m.Fault != "":
		return '?', "SILENT", theme.Warn
	case m.State == sim.Unknown:
		return '·', "RUNS", theme.Dim
	}
	return Glyph(m.State)
}

func word(m *sim.Member) string {
	glyph, text, _ := Condition(m)
	return string(glyph) + " " + text
}

func factorOf(m *sim.Member) string {
	if m.Factor < 0 {
		return "–"
	}
	return Factor(m.Factor, false)
}

func timeOf(m *sim.Member) string {
	if !m.Timed {
		return "–"
	}
	return Clock(m.Time)
}

func countOf(m *sim.Member) string {
	if m.Entities < 0 {
		return "–"
	}
	return fmt.Sprint(m.Entities)
}

func seenOf(m *sim.Member, now time.Time) string {
	if ago := now.Sub(m.Seen); ago >= 5*time.Second {
		return Ago(ago)
	}
	return "now"
}

// Ago is a duration since an event, in at most eight columns.
func Ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.0f s ago", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%.0f m ago", d.Minutes())
	case d < 100*time.Hour:
		return fmt.Sprintf("%.0f h ago", d.Hours())
	}
	return fmt.Sprintf("%.0f d ago", d.Hours()/24)
}

// Take takes what is known now.
func (f *Fleet) Take(members []sim.Member, now time.Time) {
	f.members, f.now = members, now
	for id := range f.marks {
		if f.find(id) == nil {
			delete(f.marks, id)
		}
	}
	f.arrange()
}

// arrange filters and sorts the rows and puts the cursor onto the selected one.
func (f *Fleet) arrange() {
	f.order = f.filter.Rows(len(f.members), func(i int) string {
		m := &f.members[i]
		return m.Name + " " + m.Host + " " + m.World + " " + word(m)
	}, nilInfo)
	less := fleetColumns()[f.sort].less
	slices.SortStableFunc(f.order, func(a, b int32) int {
		if f.reverse {
			a, b = b, a
		}
		return less(&f.members[a], &f.members[b])
	})
	for row, i := range f.order {
		if f.members[i].ID == f.selected {
			f.Cursor = row
		}
	}
	f.fit(len(f.order), f.height)
	f.follow()
}

// follow selects what the cursor is on.
func (f *Fleet) follow() {
	f.selected = ""
	if f.Cursor < len(f.order) {
		f.selected = f.members[f.order[f.Cursor]].ID
	}
}

func (f *Fleet) find(id string) *sim.Member {
	i := slices.IndexFunc(f.members, func(m sim.Member) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return &f.members[i]
}

// Walk moves the cursor by something that Rows does.
func (f *Fleet) Walk(move func(*Rows)) {
	move(&f.Rows)
	f.follow()
}

// Filter is the table's filter: an expression found in name, host, world or state.
func (f *Fleet) Filter() *Filter { return &f.filter }

// SetFilter shows only the rows that match a text.
func (f *Fleet) SetFilter(text string) {
	f.filter.Set(text)
	f.arrange()
}

// Selected is the simulator in the row of the cursor; nil when there is none.
func (f *Fleet) Selected() *sim.Member { return f.find(f.selected) }

// SortBy sorts by a column so far from this one that is shown.
func (f *Fleet) SortBy(step int) {
	n := len(fleetColumns())
	for range n {
		f.sort = (f.sort + step + n) % n
		if f.widths == nil || f.widths[f.sort] > 0 {
			break
		}
	}
	f.reverse = false
	f.arrange()
}

// Reverse sorts the other way round.
func (f *Fleet) Reverse() {
	f.reverse = !f.reverse
	f.arrange()
}

// Mark marks the simulator of the cursor, or takes its mark away, and goes on to
// the next row.
func (f *Fleet) Mark() {
	if f.selected == "" {
		return
	}
	f.mark(f.selected, !f.marks[f.selected])
	f.Walk(func(r *Rows) { r.Move(1) })
}

func (f *Fleet) mark(id string, on bool) {
	if f.marks == nil {
		f.marks = map[string]bool{}
	}
	if delete(f.marks, id); on {
		f.marks[id] = true
	}
}

// MarkShown marks every row that the filter shows; where all of them are
// marked it takes their marks away.
func (f *Fleet) MarkShown() {
	all := true
	for _, i := range f.order {
		all = all && f.marks[f.members[i].ID]
	}
	for _, i := range f.order {
		f.mark(f.members[i].ID, !all)
	}
}

// Unmark takes all marks away; false when there were none.
func (f *Fleet) Unmark() bool {
	some := len(f.marks) > 0
	clear(f.marks)
	return some
}

// Targets are the simulators that an action is done to: the marked ones, else
// the selected one.
func (f *Fleet) Targets() (list []sim.Member) {
	for _, m := range f.members {
		if f.marks[m.ID] || len(f.marks) == 0 && m.ID == f.selected {
			list = append(list, m)
		}
	}
	return list
}

// Count is the number of members that are shown, of all, and of those that are marked.
func (f *Fleet) Count() (shown, all, marked int) { return len(f.order), len(f.members), len(f.marks) }

// Sorting says by what the rows are sorted.
func (f *Fleet) Sorting() string {
	if f.reverse {
		return fleetColumns()[f.sort].title + " reversed"
	}
	return fleetColumns()[f.sort].title
}
