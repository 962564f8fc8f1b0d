package ui

import (
	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/theme"
)

// mapActions move the cursor and the view of the map.
func mapActions() []action {
	step := func(id, title, tip string, dx, dy int) action {
		return action{id: id, title: title, tip: tip, run: simple(func(m *Model) { m.world.Step(dx, dy) })}
	}
	pan := func(id, title, tip string, dx, dy int) action {
		return action{id: id, title: title, tip: tip, run: simple(func(m *Model) { m.world.Pan(4*dx, 2*dy) })}
	}
	return []action{
		step("map.left", "left", "move the cursor left", -1, 0),
		step("map.right", "right", "move the cursor right", 1, 0),
		step("map.up", "up", "move the cursor up", 0, -1),
		step("map.down", "down", "move the cursor down", 0, 1),
		pan("map.pan_left", "pan left", "move the view left", -1, 0),
		pan("map.pan_right", "pan right", "move the view right", 1, 0),
		pan("map.pan_up", "pan up", "move the view up", 0, -1),
		pan("map.pan_down", "pan down", "move the view down", 0, 1),
		{id: "map.zoom_in", title: "zoom in", tip: "zoom in",
			run: simple(func(m *Model) { m.world.Zoom(1.25) })},
		{id: "map.zoom_out", title: "zoom out", tip: "zoom out",
			run: simple(func(m *Model) { m.world.Zoom(0.8) })},
		{id: "map.fit", title: "fit", tip: "fit the whole world",
			run: simple(func(m *Model) { m.world.Fit() })},
		{id: "map.centre", title: "centre", tip: "centre the map on the selected entity",
			disabled: needsSelected, run: simple(func(m *Model) {
				_, s := m.selection().entity()
				m.world.Centre(s.Pose.Pos.X, s.Pose.Pos.Y)
			})},
		{id: "map.select", title: "select", tip: "select the entity nearest to the cursor",
			disabled: func(m *Model) string {
				if m.world.Nearest(m.view.snap) == "" {
					return "no entity at the cursor"
				}
				return ""
			}, run: simple(func(m *Model) { m.entities.Select(m.world.Nearest(m.view.snap)) })},
		{id: "map.lidar", title: "lidar", tip: "show or hide the selected robot's lidar returns",
			run: func(m *Model) tea.Cmd {
				m.world.Lidar = !m.world.Lidar
				m.feed.wantSensors()
				return m.say(theme.Good, "Lidar returns of the selected robot: %s", shown(m.world.Lidar))
			}},
		{id: "map.trails", title: "trails", tip: "show or hide the trails of robots",
			run: func(m *Model) tea.Cmd {
				m.world.Trajectories = !m.world.Trajectories
				return m.say(theme.Good, "Trails of robots: %s", shown(m.world.Trajectories))
			}},
		{id: "map.physics", title: "physics",
			tip: "switch the physics overlay: contacts, sleep, bounds, frames, joints, islands, off",
			disabled: func(m *Model) string {
				if m.around.link.Far != "" && len(m.view.snap.Drawing) == 0 {
					return "this simulator publishes no frames on /tf"
				}
				return ""
			}, run: func(m *Model) tea.Cmd {
				name := m.world.NextDrawing()
				// of others only frames are known
				for m.around.link.Far != "" && m.world.Drawing()&^sim.DrawFrames != 0 {
					name = m.world.NextDrawing()
				}
				m.feed.wantDrawing()
				if name == "" {
					return m.say(theme.Good, "Physics overlay: off")
				}
				return m.say(theme.Good, "Physics overlay: %s", name)
			}},
		{id: "map.measure", title: "measure",
			tip: "start, fix or clear a measurement at the cursor",
			run: simple(func(m *Model) { m.world.Measure() })},
	}
}

// shown is the word for what a toggle of the map did.
func shown(on bool) string {
	if on {
		return "shown"
	}
	return "hidden"
}
