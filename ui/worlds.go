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

// panes are a console's panes of one world.
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
	// of who drives; no pane of its own
	instruments *pane.Instruments
}

func newPanes() panes {
	return panes{
		entities: pane.NewEntities(), world: pane.NewMap(), detail: &pane.Detail{}, poses: &pane.Poses{},
		state: &pane.State{}, log: &pane.Log{},
		notes: &pane.Notes{}, camera: &pane.Camera{}, charts: &pane.Charts{}, graph: &pane.Graph{},
		instruments: &pane.Instruments{},
	}
}

// seen is a world as the operator left it: selection, filter, followed entity and undo stack.
type seen struct {
	panes  panes // zero: nobody was there
	snap   *sim.Snapshot
	frozen bool
	undos  []undo
}

// worldTurn selects which of several worlds is shown.
type worldTurn struct {
	m    *Model
	turn int    // index in Config.Worlds
	seen []seen // of each of them
}

// needsWorlds is the reason why there is no other world to go to now; empty: there is one.
func needsWorlds(m *Model) string {
	switch {
	case len(m.cfg.Worlds) < 2:
		return "only one world is open"
	case m.drive.on:
		return "a robot is being driven; end driving first"
	case m.typed.on():
		return "a controller has the keys; end that first"
	case m.requests.pending > 0:
		return "a command is still pending"
	case m.worlds.next() < 0:
		return "all other worlds have quit"
	}
	return ""
}

// next is the next world that has not quit; below 0: there is none.
func (wt *worldTurn) next() int {
	for i := 1; i < len(wt.m.cfg.Worlds); i++ {
		turn := (wt.turn + i) % len(wt.m.cfg.Worlds)
		if wt.m.cfg.Worlds[turn].Backend.Snapshot().State != sim.Quitting {
			return turn
		}
	}
	return -1
}

// goNext goes to the next world. The frame that is waited for notices by itself.
func (wt *worldTurn) goNext() tea.Cmd {
	wt.show()
	return wt.m.say(theme.Good, "world %d of %d: %s", wt.turn+1, len(wt.m.cfg.Worlds),
		wt.m.view.snap.Model.World.Name)
}

// show shows the next world as it was left; false when there is no other.
func (wt *worldTurn) show() bool {
	turn := wt.next()
	if turn < 0 {
		return false
	}
	m := wt.m
	m.typed.leave()
	m.drive.givePadBack()
	m.drive.close()
	wt.seen[wt.turn] = seen{m.panes, m.view.snap, m.view.frozen, m.undo.stack}
	wt.turn = turn
	m.cfg.show(m.cfg.Worlds[turn])
	if m.feed.sub != nil {
		m.feed.sub.Close()
		m.feed.subscribe()
	}
	at := wt.seen[turn]
	if at.snap == nil {
		at.panes = newPanes()
	}
	m.panes, m.view.snap, m.view.frozen = at.panes, at.snap, at.frozen
	m.undo.stack = at.undos
	m.dialogs.open, m.requests.retry, m.keyboard.typing, m.mouse.drag, m.drive = nil, nil, nil,
		drag{}, driving{m: m}
	m.timeline = timeline{m: m}
	m.around.link, m.around.recording, m.around.linked, m.around.graphed,
		m.view.drawn = sim.Connection{}, sim.Recording{}, m.around.linked.Add(-linkPeriod),
		m.around.graphed.Add(-graphPeriod), m.view.drawn.Add(-idlePeriod)
	m.screen.dirty = true
	m.view.look()
	return true
}

// onEnd leaves: the engine has ended, or the context has. Where there are other worlds it goes to the next
// one.
func (wt *worldTurn) onEnd(msg endMsg) tea.Cmd {
	switch {
	case msg.of != nil && msg.of != wt.m.feed.sub: // the operator went to another world meanwhile
		return wt.m.feed.nextFrame()
	case msg.of != nil && wt.show():
		return wt.m.feed.nextFrame()
	}
	return wt.m.leave()
}
