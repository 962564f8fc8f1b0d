package ui

import (
	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
)

// entityActions change and follow entities.
func entityActions() []action {
	return []action{
		{id: "entity.spawn", title: "spawn", tip: "spawn a model", write: true,
			asks: sim.Spawn{}, disabled: needsWorld, run: (*Model).openSpawn},
		{id: "entity.delete", title: "delete", tip: "delete the selected or marked entities", write: true,
			asks: sim.Delete{}, disabled: undeletable,
			run: func(m *Model) tea.Cmd { return m.askDelete() }},
		{id: "entity.undo", title: "undo",
			tip: "undo the last deletion, move, tag change or load of this console", write: true,
			disabled: func(m *Model) string {
				if len(m.undo.stack) == 0 {
					return "nothing to undo"
				}
				return needsWorld(m)
			}, run: func(m *Model) tea.Cmd { return m.undoLast() }},
		{id: "entity.move", title: "pose", tip: "set the pose of the selected entity, or move marked ones",
			write: true, asks: sim.SetEntityState{}, disabled: needsEntity, run: func(m *Model) tea.Cmd {
				who := m.selection().members()
				if len(who) > 1 {
					return m.dialogs.push(dialog.NewShift(who))
				}
				return m.dialogs.push(dialog.NewMove(who[0].Name, who[0].Pose))
			}},
		{id: "entity.goto", title: "place", tip: "place the selected or marked entities at a named pose",
			write: true, asks: sim.SetEntityState{}, disabled: func(m *Model) string {
				if len(m.view.snap.Model.NamedPoses) == 0 {
					return "the world has no named poses"
				}
				return needsEntity(m)
			}, run: (*Model).openGoto},
		{id: "entity.tags", title: "tags", tip: "change the tags of the selected or marked entities",
			write: true, asks: sim.SetEntityInfo{}, disabled: needsEntity, run: func(m *Model) tea.Cmd {
				var who []dialog.Tagged
				for _, i := range m.selection().targets() {
					e := &m.view.snap.Model.Entities[i]
					who = append(who, dialog.Tagged{Name: e.Name, Info: e.Info})
				}
				return m.dialogs.push(dialog.NewTags(who))
			}},
		{id: "entity.drive", title: "drive", tip: "drive the selected robot with the keyboard", write: true,
			asks: sim.DriveEntity{}, disabled: func(m *Model) string {
				if e, _ := m.selection().entity(); e != nil && (e.Spec == nil || len(e.Spec.Drives) == 0) {
					return e.Name + " has no drive"
				}
				return needsSelected(m)
			}, run: func(m *Model) tea.Cmd { return m.drive.start() }},
		{id: "entity.keys", title: "keys", write: true,
			tip:      "give the keyboard to the controllers of the selected or marked robots, or of all",
			disabled: noController, run: func(m *Model) tea.Cmd { return m.typed.start() }},
		{id: "entity.follow", title: "follow", tip: "follow the selected entity on the map",
			disabled: needsSelected, run: simple(func(m *Model) {
				e, _ := m.selection().entity()
				if m.world.Follow == e.Name {
					m.world.Follow = ""
					return
				}
				m.world.Follow = e.Name
				m.world.Feed(m.view.snap)
				if !m.window.visible(mapPane) {
					m.window.goTo(mapPane)
				}
			})},
		{id: "entity.copy", title: "copy", tip: "copy names and poses of the selected or marked entities",
			disabled: needsEntity, run: func(m *Model) tea.Cmd { return m.copyPoses() }},
	}
}

// needsEntity wants one that is selected, or marked ones.
func needsEntity(m *Model) string {
	if len(m.selection().targets()) == 0 {
		return "no entity is selected"
	}
	return ""
}

// needsSelected wants the selected entity, whatever is marked.
func needsSelected(m *Model) string {
	if e, _ := m.selection().entity(); e == nil {
		return "no entity is selected"
	}
	return ""
}
