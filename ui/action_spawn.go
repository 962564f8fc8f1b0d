package ui

import (
	"fmt"
	"math"
	"slices"

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
	first := slices.IndexFunc(places, func(p dialog.Place) bool { return free(m.view.snap, p.Pose.Pos) })
	if p := m.poses.Selected(); p != nil && m.window.focus == posesPane {
		first = slices.IndexFunc(places, func(q dialog.Place) bool { return q.Name == p.Name })
	}
	if first > 0 { // the rest in their order
		chosen := places[first]
		copy(places[1:first+1], places[:first])
		places[0] = chosen
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

// standingRoom is the half of the room, in m, that a place needs to be free.
const standingRoom = 0.5

// free reports that nothing that may move is at a place.
func free(s *sim.Snapshot, at r3.Vec) bool {
	room := r3.V(standingRoom, standingRoom, math.Inf(1))
	place := r3.Box{Min: at.Sub(room), Max: at.Add(room)}
	for i := range min(len(s.Entities), len(s.Model.Entities)) {
		e := &s.Model.Entities[i]
		if !e.Static && !e.Bounds.IsEmpty() && place.Overlaps(e.Bounds.Moved(s.Entities[i].Pose)) {
			return false
		}
	}
	return true
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
