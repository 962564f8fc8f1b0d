package ui

import (
	tea "charm.land/bubbletea/v2"

	"simdeck/sim/r3"
	"simdeck/ui/theme"
)

// cameraActions move what the camera pane looks from and at.
func cameraActions() []action {
	turn := func(id, title, tip string, right, up float64) action {
		return action{id: id, title: title, tip: tip,
			run: simple(func(m *Model) { m.camera.Turn(right, up) })}
	}
	pan := func(id, title, tip string, right, forward float64) action {
		return action{id: id, title: title, tip: tip, run: simple(func(m *Model) {
			m.world.Follow = ""
			m.camera.Pan(right, forward)
		})}
	}
	const angle, part = 0.15, 0.1
	return []action{
		turn("camera.left", "left", "orbit to the left", -angle, 0),
		turn("camera.right", "right", "orbit to the right", angle, 0),
		turn("camera.up", "up", "orbit upwards", 0, angle),
		turn("camera.down", "down", "orbit downwards", 0, -angle),
		pan("camera.pan_left", "pan left", "pan to the left", -part, 0),
		pan("camera.pan_right", "pan right", "pan to the right", part, 0),
		pan("camera.pan_up", "pan back", "pan away from the viewer", 0, part),
		pan("camera.pan_down", "pan front", "pan towards the viewer", 0, -part),
		{id: "camera.zoom_in", title: "zoom in", tip: "zoom in",
			run: simple(func(m *Model) { m.camera.Zoom(1.25) })},
		{id: "camera.zoom_out", title: "zoom out", tip: "zoom out",
			run: simple(func(m *Model) { m.camera.Zoom(0.8) })},
		{id: "camera.fit", title: "whole world", tip: "show the whole world, or the selected entity again", run: simple(func(m *Model) {
			m.camera.Fit()
			m.camera.Feed(m.view.snap)
		})},
		{id: "camera.centre", title: "centre", tip: "centre the camera on the selected entity", disabled: needsSelected,
			run: simple(func(m *Model) {
				_, s := m.selection().entity()
				m.camera.Look(s.Pose.Pos.Add(r3.V(0, 0, 0.1)))
			})},
		{id: "camera.sight", title: "view",
			tip:      "switch the view of the selected entity: orbit, chase, first person, top",
			disabled: needsSelected, run: func(m *Model) tea.Cmd {
				if e, _ := m.selection().entity(); m.world.Follow != e.Name {
					m.world.Follow = e.Name
					m.camera.Follow = e.Name
					m.camera.Feed(m.view.snap)
				}
				m.camera.NextSight()
				return m.say(theme.Good, "View of %s: %s", m.world.Follow, m.camera.Sight())
			}},
		{id: "camera.next", title: "camera",
			tip: "switch to the next robot's camera, or to the free camera",
			disabled: func(m *Model) string {
				if !m.camera.Cameras() {
					return "no robot has a camera"
				}
				return ""
			}, run: simple(func(m *Model) { m.camera.Next() })},
	}
}
