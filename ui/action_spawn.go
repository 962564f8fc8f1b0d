package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/ui/dialog"
)

// openSpawn asks what to spawn. The place that the operator is looking at
// comes first: the map's cursor on the map, the selected pose in the poses.
func (m *Model) openSpawn() tea.Cmd {
	x, y := m.world.Cursor()
	cursor := dialog.Place{Name: fmt.Sprintf("the map's cursor %.2f, %.2f", x, y),
		Pose: r3.Pose{Pos: r3.V(x, y, 0), Rot: r3.Identity()}, Lift: true}
	places := dialog.Places(m.view.snap.Model)
	if p := m.poses.Selected(); p != nil && m.window.focus == posesPane {
		for i, q := range places {
			if q.Name == p.Name { // the chosen one first, the rest in their order
				copy(places[1:i+1], places[:i])
				places[0] = q
				break
			}
		}
	}
	if m.window.focus == mapPane || len(places) == 0 {
		places = append([]dialog.Place{cursor}, places...)
	} else {
		places = append(places, cursor)
	}
	d := dialog.NewSpawn(places, m.now)
	d.Draws(m.screen.symbols)
	m.dialogs.push(d)
	return m.requests.do(replyMsg{command: sim.ListSpawnables{}})
}

// measureModel asks for the room that the model takes which a dialog is about.
func (m *Model) measureModel() tea.Cmd {
	d, ok := m.dialogs.top().(*dialog.Spawn)
	if !ok {
		return nil
	}
	c, wanted := d.Wants()
	if !wanted {
		return nil
	}
	return m.requests.do(replyMsg{command: c, measures: d})
}

// openGoto asks where to put the selected entity, or the marked ones.
func (m *Model) openGoto() tea.Cmd {
	return m.dialogs.push(dialog.NewGoto(m.selection().members(), dialog.Places(m.view.snap.Model)))
}
