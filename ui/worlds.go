package ui

import (
	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// World is one of several simulations that a console shows in turn; its fields are those of Config.
type World struct {
	Backend      sim.Backend
	Capabilities sim.Capabilities
	Preferences  Preferences
}

// show makes a world the one that the console is of.
func (c *Config) show(w World) {
	c.Backend, c.Capabilities, c.Preferences = w.Backend, w.Capabilities, w.Preferences
}

// panes are what a console looks at a world with.
type panes struct {
	entities *pane.Entities
	world    *pane.Map
	detail   *pane.Detail
	poses    *pane.Poses
	state    *pane.State
	log      *pane.Log
	notes    *pane.Notes
	camera   *pane.Camera
	charts   *pane.Charts
	graph    *pane.Graph
}

func newPanes() panes {
	return panes{
		entities: pane.NewEntities(), world: pane.NewMap(), detail: &pane.Detail{}, poses: &pane.Poses{}, state: &pane.State{}, log: &pane.Log{},
		notes: &pane.Notes{}, camera: &pane.Camera{}, charts: &pane.Charts{}, graph: &pane.Graph{},
	}
}

// seen is how an operator left a world: what was selected, filtered and followed, and what can be taken back.
type seen struct {
	panes  panes // zero: nobody was there
	snap   *sim.Snapshot
	frozen bool
	films  bool
	undos  []undo
}

// needsWorlds says why there is no other world to go to now.
func needsWorlds(m *Model) string {
	switch {
	case len(m.cfg.Worlds) < 2:
		return "there is one world"
	case m.drive.on:
		return "a robot is being driven; leave it first"
	case m.pending > 0:
		return "a command is not answered yet"
	case m.others() < 0:
		return "all others have quit"
	}
	return ""
}

// others is the next world that has not quit; below 0: there is none.
func (m *Model) others() int {
	for i := 1; i < len(m.cfg.Worlds); i++ {
		turn := (m.turn + i) % len(m.cfg.Worlds)
		if m.cfg.Worlds[turn].Backend.Snapshot().State != sim.Quitting {
			return turn
		}
	}
	return -1
}

// nextWorld goes to the next world. The frame that is waited for notices by itself.
func (m *Model) nextWorld() tea.Cmd {
	m.toNextWorld()
	return m.say(theme.Good, "world %d of %d: %s", m.turn+1, len(m.cfg.Worlds), m.snap.Model.World.Name)
}

// toNextWorld shows the next world as it was left; false when there is no other.
func (m *Model) toNextWorld() bool {
	turn := m.others()
	if turn < 0 {
		return false
	}
	m.seen[m.turn] = seen{m.panes, m.snap, m.frozen, m.cameras, m.undos}
	m.turn = turn
	m.cfg.show(m.cfg.Worlds[turn])
	if m.sub != nil {
		m.sub.Close()
		m.subscribe()
	}
	at := m.seen[turn]
	if at.snap == nil {
		at.panes = newPanes()
	}
	m.panes, m.snap, m.frozen, m.cameras, m.undos = at.panes, at.snap, at.frozen, at.films, at.undos
	m.dialogs, m.retry, m.typing, m.drag, m.drive = nil, nil, nil, drag{}, driving{}
	m.link, m.recording, m.linked, m.graphed, m.drawn = sim.Connection{}, sim.Recording{}, m.linked.Add(-linkPeriod), m.graphed.Add(-graphPeriod), m.drawn.Add(-idlePeriod)
	m.dirty = true
	m.look()
	return true
}

// onEnd leaves: the engine has ended, or the context has. Where there are other worlds it goes to the next one.
func (m *Model) onEnd(msg endMsg) tea.Cmd {
	switch {
	case msg.of != nil && msg.of != m.sub: // the operator went to another world meanwhile
		return m.nextFrame()
	case msg.of != nil && m.toNextWorld():
		return m.nextFrame()
	}
	return m.leave()
}
