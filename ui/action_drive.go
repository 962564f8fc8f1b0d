package ui

import (
	tea "charm.land/bubbletea/v2"

	"simdeck/ui/dialog"
)

// driveActions steer the robot that has the keys.
func driveActions() []action {
	press := func(id, title, tip string, to motion, by float64) action {
		return action{id: id, title: title, tip: tip, write: true, disabled: cannotMove(to),
			run: func(m *Model) tea.Cmd { return m.drive.press(to, by) }}
	}
	return []action{
		press("drive.forward", "forward", "drive forward while the key is held", ahead, 1),
		press("drive.back", "back", "drive backward while the key is held", ahead, -1),
		press("drive.left", "left", "turn left while the key is held", turning, 1),
		press("drive.right", "right", "turn right while the key is held", turning, -1),
		press("drive.up", "up", "rise while the key is held", upward, 1),
		press("drive.down", "down", "sink while the key is held", upward, -1),
		press("drive.aside_left", "aside left", "move to the left while the key is held", leftward, 1),
		press("drive.aside_right", "aside right", "move to the right while the key is held", leftward, -1),
		{id: "drive.stop", title: "stop", tip: "stop the robot", write: true, disabled: notDriving,
			run: func(m *Model) tea.Cmd { return m.drive.stop() }},
		{id: "drive.faster", title: "faster", tip: "raise the speed by an eighth", disabled: notDriving,
			run: simple(func(m *Model) { m.drive.throttle(notch) })},
		{id: "drive.slower", title: "slower", tip: "lower the speed by a ninth", disabled: notDriving,
			run: simple(func(m *Model) { m.drive.throttle(1 / notch) })},
		{id: "drive.gamepad", title: "gamepad", tip: "have the gamepad or joystick of this machine drive as well, or give it back",
			write: true, disabled: noPad, run: func(m *Model) tea.Cmd { return m.drive.takePad() }},
		{id: "drive.leave", title: "leave", tip: "stop the robot and end driving", disabled: notDriving,
			run: func(m *Model) tea.Cmd { return m.drive.leave() }},
	}
}

// keysActions end what entity.keys began.
func keysActions() []action {
	return []action{{id: "keys.leave", title: "leave", tip: "end giving the keyboard to controllers",
		disabled: func(m *Model) string {
			if !m.typed.on() {
				return "no controller has the keys"
			}
			return ""
		}, run: simple(func(m *Model) { m.typed.leave() })}}
}

// cannotMove says why the robot does not move in a direction.
func cannotMove(to motion) func(*Model) string {
	return func(m *Model) string {
		switch {
		case !m.drive.on:
			return notDriving(m)
		case to == upward && !m.drive.limit.Climbs():
			return m.drive.name + " neither flies nor dives"
		case to == leftward && !m.drive.limit.Slides():
			return m.drive.name + " does not move sideways"
		}
		return ""
	}
}

func notDriving(m *Model) string {
	if !m.drive.on {
		return "no robot is being driven"
	}
	return ""
}

// dialogActions are the actions of dialogs and of the filter's line. Keys reach
// those directly; a click on the footer comes here.
func dialogActions() []action {
	to := func(id, title, tip string) action {
		return action{id: id, title: title, tip: tip, disabled: func(m *Model) string {
			if len(m.dialogs.open) == 0 && m.keyboard.typing == nil {
				return "no dialog is open"
			}
			return ""
		}, run: func(m *Model) tea.Cmd { return m.keyboard.onText(dialog.Key{Action: id}) }}
	}
	return []action{
		to("dialog.accept", "accept", "accept the dialog"),
		to("dialog.cancel", "cancel", "close the dialog without a change"),
		to("dialog.next", "next field", "go to the next field"),
		to("dialog.prev", "previous field", "go to the previous field"),
		to("dialog.up", "up", "go up a row"),
		to("dialog.down", "down", "go down a row"),
		to("dialog.page_up", "page up", "go up a page"),
		to("dialog.page_down", "page down", "go down a page"),
		to("dialog.toggle", "tick", "set or clear a check box"),
	}
}
