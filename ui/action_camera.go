package ui

import "simdeck/sim/r3"

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
		turn("camera.left", "left", "go round to the left", -angle, 0),
		turn("camera.right", "right", "go round to the right", angle, 0),
		turn("camera.up", "up", "look from higher up", 0, angle),
		turn("camera.down", "down", "look from further down", 0, -angle),
		pan("camera.pan_left", "pan left", "look at what is to the left", -part, 0),
		pan("camera.pan_right", "pan right", "look at what is to the right", part, 0),
		pan("camera.pan_up", "pan back", "look at what is behind", 0, part),
		pan("camera.pan_down", "pan front", "look at what is in front", 0, -part),
		{id: "camera.zoom_in", title: "nearer", tip: "go nearer",
			run: simple(func(m *Model) { m.camera.Zoom(1.25) })},
		{id: "camera.zoom_out", title: "further", tip: "go further away",
			run: simple(func(m *Model) { m.camera.Zoom(0.8) })},
		{id: "camera.fit", title: "whole world", tip: "look at the whole world", run: simple(func(m *Model) {
			m.camera.Fit()
			m.camera.Feed(m.view.snap)
		})},
		{id: "camera.centre", title: "centre", tip: "look at the selected entity", disabled: needsSelected,
			run: simple(func(m *Model) {
				_, s := m.selection().entity()
				m.camera.Look(s.Pose.Pos.Add(r3.V(0, 0, 0.1)))
			})},
		{id: "camera.next", title: "camera",
			tip: "look through the next robot's camera, or from outside again",
			disabled: func(m *Model) string {
				if !m.camera.Cameras() {
					return "no robot here has a camera"
				}
				return ""
			}, run: simple(func(m *Model) { m.camera.Next() })},
	}
}
