package ui

import (
	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
)

// openWorlds asks which world to load.
func (m *Model) openWorlds() tea.Cmd {
	m.dialogs.push(dialog.NewWorlds())
	return m.requests.do(replyMsg{command: sim.ListWorlds{}})
}

// onLoaded begins a loaded world in the state in which the program begins one.
func (q *requests) onLoaded(r replyMsg, loaded sim.WorldLoaded) tea.Cmd {
	if !r.undoing && r.before != nil {
		q.m.undo.keepReplaced(r.before, loaded)
	}
	start := q.m.cfg.Start
	if start == sim.Playing && loaded.Paused {
		start = sim.Paused
	}
	if start == sim.Stopped {
		return q.onSaid(r)
	}
	_ = q.onSaid(r)
	return q.do(replyMsg{command: sim.SetState{State: start}, begins: true})
}

// pathsMsg is the paths that continue what is typed in a dialog.
type pathsMsg struct {
	dialog *dialog.Worlds
	typed  string
	paths  []string
}

// completePath looks for files where a path is being typed.
func (m *Model) completePath() tea.Cmd {
	d, ok := m.dialogs.top().(*dialog.Worlds)
	if !ok || m.cfg.Paths == nil {
		return nil
	}
	typed, wanted := d.Wants()
	if !wanted {
		return nil
	}
	paths := m.cfg.Paths
	return guarded(func() tea.Msg { return pathsMsg{d, typed, paths(typed)} })
}
