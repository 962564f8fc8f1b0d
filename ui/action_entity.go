package ui

import (
	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
)

// entityActions change and follow entities.
func entityActions() []action {
	return []action{
		{id: "entity.spawn", title: "spawn", tip: "put a model into the world", write: true,
			asks: sim.Spawn{}, disabled: needsWorld, run: (*Model).openSpawn},
		{id: "entity.delete", title: "delete", tip: "remove the selected or marked entities", write: true,
			asks: sim.Delete{}, disabled: undeletable,
			run: func(m *Model) tea.Cmd { return m.askDelete() }},
		{id: "entity.undo", title: "undo",
			tip: "take back the last deletion, move or tagging that was made here", write: true,
			disabled: func(m *Model) string {
				if len(m.undo.stack) == 0 {
					return "nothing was deleted, moved or tagged here"
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
		{id: "entity.goto", title: "go to", tip: "put the selected or marked entities at a named pose",
			write: true, asks: sim.SetEntityState{}, disabled: func(m *Model) string {
				if len(m.view.snap.Model.NamedPoses) == 0 {
					return "this world names no poses"
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
		{id: "entity.drive", title: "drive", tip: "drive the selected robot by hand", write: true,
			asks: sim.DriveEntity{}, disabled: func(m *Model) string {
				if e, _ := m.selection().entity(); e != nil && (e.Spec == nil || len(e.Spec.Drives) == 0) {
					return e.Name + " has no drive"
				}
				return needsSelected(m)
			}, run: func(m *Model) tea.Cmd { return m.drive.start() }},
		{id: "entity.follow", title: "follow", tip: "keep the selected entity in the middle of the map",
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
