package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// listActions move in panes with rows.
func listActions() []action {
	move := func(id, title, tip string, f func(pane.List)) action {
		return action{id: id, title: title, tip: tip, disabled: needsList,
			run: simple(func(m *Model) { f(m.list(m.window.focus)) })}
	}
	sort := func(id, title, tip string, f func(*pane.Entities)) action {
		return action{id: id, title: title, tip: tip, disabled: needsTable, run: simple(func(m *Model) {
			f(m.entities)
			m.entities.Feed(m.view.snap)
		})}
	}
	return []action{
		move("list.up", "up", "go up a row", func(l pane.List) { l.Move(-1) }),
		move("list.down", "down", "go down a row", func(l pane.List) { l.Move(1) }),
		move("list.page_up", "page up", "go up a page", func(l pane.List) { l.Page(-1) }),
		move("list.page_down", "page down", "go down a page", func(l pane.List) { l.Page(1) }),
		move("list.top", "first", "go to the first row", pane.List.Top),
		move("list.bottom", "last", "go to the last row", pane.List.Bottom),
		{id: "list.open", title: "open", tip: "show the details of the selected row, or unfold it", disabled: nothingToOpen,
			run: (*Model).open},
		{id: "list.filter", title: "filter", tip: "show only rows that match a filter",
			disabled: func(m *Model) string {
				if l := m.list(m.window.focus); l == nil || l.Filter() == nil {
					return "this pane has no rows to filter"
				}
				return ""
			}, run: simple(func(m *Model) {
				m.keyboard.typing, m.keyboard.typed = &dialog.Line{Hint: "expression  kind:robot  tag:cup  !not"},
					m.window.focus
				m.keyboard.typing.Set(m.list(m.window.focus).Filter().Text())
			})},
		sort("list.sort_next", "sort", "sort by the next column", func(e *pane.Entities) { e.SortBy(1) }),
		sort("list.sort_prev", "sort back", "sort by the previous column",
			func(e *pane.Entities) { e.SortBy(-1) }),
		sort("list.reverse", "reverse", "reverse the sort order", (*pane.Entities).Reverse),
		sort("list.mark", "mark", "mark or unmark the entity of this row",
			(*pane.Entities).Mark),
		sort("list.mark_range", "mark to here", "mark all rows from the last mark to this one",
			(*pane.Entities).MarkRange),
		sort("list.mark_all", "mark all", "mark or unmark all visible rows",
			(*pane.Entities).MarkShown),
		sort("list.hold", "hold", "keep the current order of the rows", (*pane.Entities).Hold),
	}
}

func needsList(m *Model) string {
	if m.list(m.window.focus) == nil {
		return "this pane has no rows"
	}
	return ""
}

func needsTable(m *Model) string {
	if m.window.focus != entitiesPane {
		return "only the entities pane sorts and marks"
	}
	return ""
}

func nothingToOpen(m *Model) string {
	some := true
	switch m.window.focus {
	case entitiesPane:
		if m.entities.OnFold() {
			return ""
		}
		return needsSelected(m)
	case posesPane:
		some = m.poses.Selected() != nil
	case logPane:
		some = m.log.Selected() != nil
	case notesPane:
		some = m.notes.Selected() != nil
	case chartsPane:
		some = m.charts.Any()
	case graphPane:
		some = m.graph.Whole() != nil
	default:
		some = false
	}
	if !some {
		return "no row is selected"
	}
	return ""
}

// refeedTable makes the table anew after its rows were folded or unfolded, and gives it their room.
func (m *Model) refeedTable() {
	m.entities.Feed(m.view.snap)
	m.window.fit(m.entities.Wanted(), m.window.past)
}

// open shows the selected row in full: an entity in the detail pane, a pose on the map, an event or note in a
// page.
func (m *Model) open() tea.Cmd {
	switch m.window.focus {
	case entitiesPane:
		if m.entities.OnFold() {
			m.entities.Fold()
			m.refeedTable()
			return nil
		}
		m.window.goTo(detailPane)
	case posesPane:
		p := m.poses.Selected()
		m.world.Follow = ""
		m.world.Centre(p.Pose.Pos.X, p.Pose.Pos.Y)
		if !m.window.visible(mapPane) {
			m.window.goTo(mapPane)
		}
	case logPane:
		e := m.log.Selected()
		return m.dialogs.push(pageOf("Log", "time", pane.Clock(e.Time), "from", e.Who, "level",
			[...]string{"info", "warning", "error"}[min(e.Level, sim.Error)], "text", e.Text))
	case chartsPane:
		switch name, on := m.charts.Add(); {
		case name == "":
			return m.say(theme.Warn, "%d curves are drawn, no more can be; enter on one of them removes it",
				m.charts.MostCurves())
		case on:
			return m.say(theme.Good, "%s stays in the chart", name)
		default:
			return m.say(theme.Good, "%s is drawn while it is selected", name)
		}
	case graphPane:
		return m.dialogs.push(pageOf("Graph", m.graph.Whole()...))
	case notesPane:
		n := m.notes.Selected()
		return m.dialogs.push(pageOf("Note", "kind", n.Kind.String(), "file",
			fmt.Sprintf("%s:%d:%d", n.File, n.Line, n.Column), "text", strings.TrimSpace(n.Text)))
	}
	return nil
}
