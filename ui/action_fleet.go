package ui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
	"simdeck/ui/keymap"
	"simdeck/ui/pane"
)

// fleetAction is a row of the table of what the console of a fleet can do; see
// action.
type fleetAction struct {
	id, title, tip string
	write          bool
	disabled       func(*Fleet) string
	run            func(*Fleet) tea.Cmd
}

// disabledReason is the reason why it is disabled now; empty when it is not.
func (a *fleetAction) disabledReason(m *Fleet) string {
	switch {
	case a.write && m.cfg.readOnly():
		return m.cfg.readOnlyReason()
	case a.disabled != nil:
		return a.disabled(m)
	}
	return ""
}

// FleetActions lists the ids of what the console of a fleet can do, each with
// what it does.
func FleetActions() map[string]string {
	tips := map[string]string{}
	for _, a := range fleetActions() {
		tips[a.id] = a.tip
	}
	return tips
}

func fleetActions() []fleetAction {
	move := func(id, title, tip string, f func(*pane.Rows)) fleetAction {
		return fleetAction{id: id, title: title, tip: tip,
			run: func(m *Fleet) tea.Cmd { m.table.Walk(f); return nil }}
	}
	act := func(id, title, tip string, f func(*Fleet)) fleetAction {
		return fleetAction{id: id, title: title, tip: tip, run: func(m *Fleet) tea.Cmd { f(m); return nil }}
	}
	return []fleetAction{
		{id: "fleet.open", title: "open",
			tip:      "open the selected simulator in a console; quitting it returns here",
			disabled: noneToOpen, run: func(m *Fleet) tea.Cmd {
				m.opened = m.table.Selected().ID
				return tea.Quit
			}},
		{id: "fleet.toggle", title: "play/pause",
			tip: "pause the selected or marked simulators, or play them when none plays", write: true,
			disabled: noneThere, run: (*Fleet).toggle},
		act("fleet.mark", "mark", "mark or unmark the simulator of this row",
			func(m *Fleet) { m.table.Mark() }),
		act("fleet.mark_all", "mark all", "mark or unmark all visible simulators",
			func(m *Fleet) { m.table.MarkShown() }),
		{id: "fleet.forget", title: "remove lost",
			tip: "remove the selected or marked simulators that are lost", disabled: noneLost,
			run: (*Fleet).forget},
		act("fleet.filter", "filter", "show only simulators whose name, host, world or state matches",
			func(m *Fleet) {
				m.typing = &dialog.Line{Hint: "expression  !not"}
				m.typing.Set(m.table.Filter().Text())
			}),
		move("fleet.up", "up", "go up a row", func(r *pane.Rows) { r.Move(-1) }),
		move("fleet.down", "down", "go down a row", func(r *pane.Rows) { r.Move(1) }),
		move("fleet.page_up", "page up", "go up a page", func(r *pane.Rows) { r.Page(-1) }),
		move("fleet.page_down", "page down", "go down a page", func(r *pane.Rows) { r.Page(1) }),
		move("fleet.top", "first", "go to the first row", (*pane.Rows).Top),
		move("fleet.bottom", "last", "go to the last row", (*pane.Rows).Bottom),
		act("fleet.sort_next", "sort", "sort by the next column", func(m *Fleet) { m.table.SortBy(1) }),
		act("fleet.sort_prev", "sort back", "sort by the previous column",
			func(m *Fleet) { m.table.SortBy(-1) }),
		act("fleet.reverse", "reverse", "reverse the sort order", func(m *Fleet) { m.table.Reverse() }),
		act("fleet.back", "clear", "clear the filter or the marks", func(m *Fleet) {
			if m.table.Filter().On() {
				m.table.SetFilter("")
			} else {
				m.table.Unmark()
			}
		}),
		act("fleet.help", "help", "show the keys and actions of the table",
			func(m *Fleet) { m.help = dialog.NewPage("Keys", m.helpLines()) }),
		{id: "fleet.quit", title: "quit", tip: "quit simdeck; the simulators continue",
			run: func(m *Fleet) tea.Cmd { m.opened = ""; return tea.Quit }},
	}
}

func noneToOpen(m *Fleet) string {
	switch s := m.table.Selected(); {
	case s == nil:
		return "no row is selected"
	case s.Lost:
		return s.Name + " is lost"
	}
	return ""
}

func noneThere(m *Fleet) string {
	for _, s := range m.table.Targets() {
		if !s.Lost {
			return ""
		}
	}
	return "no simulator is selected"
}

func noneLost(m *Fleet) string {
	for _, s := range m.table.Targets() {
		if s.Lost {
			return ""
		}
	}
	return "none of the selected simulators is lost"
}

// toggle pauses those that run, or runs all when none does.
func (m *Fleet) toggle() tea.Cmd {
	var running, resting []sim.Member
	for _, s := range m.table.Targets() {
		switch {
		case s.Lost:
		case s.State == sim.Playing:
			running = append(running, s)
		default:
			resting = append(resting, s)
		}
	}
	if len(running) > 0 {
		return m.send(running, sim.SetState{State: sim.Paused}, "paused")
	}
	return m.send(resting, sim.SetState{State: sim.Playing}, "playing")
}

func (m *Fleet) forget() tea.Cmd {
	for _, s := range m.table.Targets() {
		m.fleet.Forget(s.ID)
	}
	m.look()
	return nil
}

// fleetAnswer is the time limit of a command to several simulators.
const fleetAnswer = 10 * time.Second

// send tells several the same at once, and says what came of it.
func (m *Fleet) send(to []sim.Member, c sim.Command, done string) tea.Cmd {
	m.pending++
	ctx := sim.WithSender(m.ctx, m.cfg.User)
	var ids []string
	for _, s := range to {
		ids = append(ids, s.ID)
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, fleetAnswer)
		defer cancel()
		return fleetReply{fmt.Sprintf("%s: %s", theirs(to), done), m.fleet.Do(ctx, ids, c)}
	}
}

func theirs(to []sim.Member) string {
	if len(to) == 1 {
		return to[0].Name
	}
	return fmt.Sprintf("%d simulators", len(to))
}

// helpLines are the keys, and why what cannot be done now cannot.
func (m *Fleet) helpLines() (lines []dialog.PageLine) {
	for _, a := range fleetActions() {
		l := dialog.PageLine{Left: keymap.DisplayAll(m.keys.Keys(a.id)), Text: a.tip}
		if why := a.disabledReason(m); why != "" {
			l.Dim, l.Text = true, l.Text+" (not now: "+why+")"
		}
		lines = append(lines, l)
	}
	return append(lines, dialog.PageLine{},
		dialog.PageLine{Text: "SILENT: no reply for some seconds. LOST: left the network, or its lease expired.",
			Dim: true})
}
