package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
	"simdeck/ui/theme"
)

// simActions run, pause and step the simulation.
func simActions() []action {
	return []action{
		{id: "sim.toggle", title: "run/pause", tip: "run or pause the simulation", write: true, asks: sim.SetState{}, off: needsWorld, run: func(m *Model) tea.Cmd {
			if m.now().State == sim.Playing {
				return m.send(sim.SetState{State: sim.Paused}, "")
			}
			return m.send(sim.SetState{State: sim.Playing}, "")
		}},
		{id: "sim.step", title: "step", tip: "do one step while paused", write: true, asks: sim.StepWorld{}, off: needsPause, run: func(m *Model) tea.Cmd {
			return m.send(sim.StepWorld{N: 1}, "")
		}},
		{id: "sim.steps", title: "steps", tip: "do a number of steps while paused", write: true, asks: sim.StepWorld{}, off: needsPause, run: func(m *Model) tea.Cmd {
			return m.push(dialog.NewSteps(100, m.snap.StepSize.String()))
		}},
		{id: "sim.rewind", title: "back", tip: "take the simulation back by a second and pause it", write: true, asks: sim.Rewind{}, off: needsPast, run: func(m *Model) tea.Cmd {
			return m.send(sim.Rewind{Back: max(time.Second, m.now().StepSize)}, "")
		}},
		{id: "sim.stop", title: "stop", tip: "stop the simulation", write: true, asks: sim.SetState{}, off: func(m *Model) string {
			if m.now().State == sim.Stopped {
				return "it is stopped"
			}
			return needsWorld(m)
		}, run: func(m *Model) tea.Cmd {
			return m.send(sim.SetState{State: sim.Stopped}, "stopped")
		}},
		{id: "sim.reset", title: "reset", tip: "reset time, states or spawned entities", write: true, asks: sim.Reset{}, off: needsWorld, run: func(m *Model) tea.Cmd {
			return m.push(dialog.NewReset())
		}},
		{id: "sim.load", title: "load", tip: "load another world", write: true, asks: sim.LoadWorld{}, off: func(m *Model) string {
			if m.now().State == sim.LoadingWorld {
				return "a world is being loaded"
			}
			return ""
		}, run: func(m *Model) tea.Cmd {
			m.push(dialog.NewWorlds())
			return m.do(replyMsg{command: sim.ListWorlds{}})
		}},
		{id: "sim.faster", title: "faster", tip: "ask for a greater real-time factor", write: true, asks: sim.SetPacing{}, off: func(m *Model) string {
			if m.now().Pacing.Asked <= 0 {
				return "it runs as fast as possible"
			}
			return ""
		}, run: func(m *Model) tea.Cmd { return m.pace(1) }},
		{id: "sim.slower", title: "slower", tip: "ask for a smaller real-time factor", write: true, asks: sim.SetPacing{}, off: func(m *Model) string {
			if f := m.now().Pacing.Asked; f > 0 && f <= speeds()[0] {
				return fmt.Sprintf("×%v is the slowest", speeds()[0])
			}
			return ""
		}, run: func(m *Model) tea.Cmd { return m.pace(-1) }},
	}
}

// now is the newest picture, also while the view is frozen: what an action
// does must not hang on what the operator chose not to see.
func (m *Model) now() *sim.Snapshot { return m.cfg.Deck.Snapshot() }

func needsWorld(m *Model) string {
	switch m.now().State {
	case sim.NoWorld:
		return "no world is loaded"
	case sim.LoadingWorld:
		return "a world is being loaded"
	case sim.Quitting:
		return "the simulator is quitting"
	}
	return ""
}

func needsPause(m *Model) string {
	switch m.now().State {
	case sim.Paused:
		return ""
	case sim.Playing:
		return "the simulation is playing; pause it first"
	case sim.Stopped:
		return "the simulation is stopped; pause it first"
	}
	return needsWorld(m)
}

func needsPast(m *Model) string {
	if m.now().State == sim.Stopped {
		return "the simulation is stopped; nothing lies behind it"
	}
	return needsWorld(m)
}

// speeds are the real-time factors that keys choose from; beyond the last is
// as fast as possible.
func speeds() []float64 { return []float64{0.1, 0.25, 0.5, 1, 2, 5, 10} }

func (m *Model) pace(by int) tea.Cmd {
	list, asked := speeds(), m.now().Pacing.Asked
	next := 0.0
	switch {
	case asked <= 0:
		next = list[len(list)-1]
	case by > 0:
		for _, s := range list {
			if s > asked+1e-9 {
				next = s
				break
			}
		}
	default:
		next = list[0]
		for _, s := range list {
			if s < asked-1e-9 {
				next = s
			}
		}
	}
	done := fmt.Sprintf("real-time factor ×%v asked", next)
	if next == 0 {
		done = "as fast as possible"
	}
	return m.send(sim.SetPacing{RealTime: next}, done)
}

// entityActions change and follow entities.
func entityActions() []action {
	return []action{
		{id: "entity.spawn", title: "spawn", tip: "put a model into the world", write: true, asks: sim.Spawn{}, off: needsWorld, run: (*Model).openSpawn},
		{id: "entity.delete", title: "delete", tip: "remove the selected entity", write: true, asks: sim.Delete{}, off: func(m *Model) string {
			e, _ := m.entity()
			if e == nil {
				return "no entity is selected"
			}
			if !e.Deletable {
				return e.Name + " belongs to the world"
			}
			return ""
		}, run: func(m *Model) tea.Cmd {
			e, _ := m.entity()
			after := "This cannot be undone."
			if restorable(e) {
				after = m.keys.Key("entity.undo") + " brings it back where it stands, its joints as at first."
			}
			return m.push(dialog.NewConfirm("Delete", "Delete "+e.Name+"?", after, "Delete",
				sim.Delete{Names: []string{e.Name}}, e.Name+" is deleted"))
		}},
		{id: "entity.undo", title: "undo", tip: "take back the last deletion or move that was made here", write: true, off: func(m *Model) string {
			if len(m.undos) == 0 {
				return "nothing was deleted or moved here"
			}
			return needsWorld(m)
		}, run: (*Model).undoLast},
		{id: "entity.move", title: "pose", tip: "set the pose of the selected entity", write: true, asks: sim.SetEntityState{}, off: needsEntity, run: func(m *Model) tea.Cmd {
			e, s := m.entity()
			return m.push(dialog.NewMove(e.Name, s.Pose))
		}},
		{id: "entity.goto", title: "go to", tip: "put the selected entity at a named pose", write: true, asks: sim.SetEntityState{}, off: func(m *Model) string {
			if len(m.snap.Model.NamedPoses) == 0 {
				return "this world names no poses"
			}
			return needsEntity(m)
		}, run: (*Model).openGoto},
		{id: "entity.drive", title: "drive", tip: "drive the selected robot by hand", write: true, asks: sim.DriveEntity{}, off: func(m *Model) string {
			if e, _ := m.entity(); e != nil && (e.Spec == nil || len(e.Spec.Drives) == 0) {
				return e.Name + " has no drive"
			}
			return needsEntity(m)
		}, run: (*Model).startDriving},
		{id: "entity.follow", title: "follow", tip: "keep the selected entity in the middle of the map", off: needsEntity, run: act(func(m *Model) {
			e, _ := m.entity()
			if m.world.Follow == e.Name {
				m.world.Follow = ""
				return
			}
			m.world.Follow = e.Name
			m.world.Feed(m.snap)
			if !m.visible(mapPane) {
				m.goTo(mapPane)
			}
		})},
		{id: "entity.copy", title: "copy", tip: "copy the name and pose of the selected entity", off: needsEntity, run: func(m *Model) tea.Cmd {
			e, s := m.entity()
			p, q := s.Pose.Pos, s.Pose.Rot
			text := fmt.Sprintf("%s: {position: {x: %v, y: %v, z: %v}, orientation: {x: %v, y: %v, z: %v, w: %v}}", e.Name, p.X, p.Y, p.Z, q.X, q.Y, q.Z, q.W)
			return tea.Batch(tea.SetClipboard(text), m.say(theme.Good, "copied %s", text))
		}},
	}
}

func needsEntity(m *Model) string {
	if e, _ := m.entity(); e == nil {
		return "no entity is selected"
	}
	return ""
}
