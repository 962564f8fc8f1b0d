package ui_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/uitest"
)

func clickOn(d *uitest.Driver, text string) {
	d.T.Helper()
	x, y := d.Find(text)
	if x < 0 {
		d.T.Fatalf("%q is not on the screen:\n%s", text, d.Text())
	}
	d.Click(x, y)
}

func TestTheMousePressesWhatIsShown(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		clickOn(d, "crate_4")
		d.Shows("> crate_4")
		clickOn(d, "play/pause")
		sends(d, sim.SetState{State: sim.Paused})
		clickOn(d, "9 Charts")
		d.Shows(">■ speed")
		x, y := d.Find("m/s")
		d.Click(x, y)
		d.Shows("by m/s ↑")
		d.Click(x, y)
		d.Shows("by m/s ↓")
		clickOn(d, "? help")
		d.Shows("┌─ Help")
		clickOn(d, "[ Close ]")
		d.Hides("┌─ Help")
		clickOn(d, "^r reset")
		clickOn(d, "states")
		d.Shows("[ ] states")
		clickOn(d, "[ Cancel ]")
		d.Hides("┌─ Reset")
	})
}

func TestAClickOnTheMapSelectsAndADragMovesIt(t *testing.T) {
	uitest.Open(t, uitest.Room(), 80, 24, shipped(t), nil, func(d *uitest.Driver) {
		d.Press("view.map")
		x, y := d.Find("↑ burger_2")
		d.Click(x, y)
		d.Press("view.entities")
		d.Shows("> burger_2")
		d.Press("view.map")
		d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		d.Send(tea.MouseMotionMsg{X: x - 10, Y: y - 3, Button: tea.MouseLeft})
		d.Send(tea.MouseReleaseMsg{X: x - 10, Y: y - 3, Button: tea.MouseLeft})
		d.Send(tea.MouseMotionMsg{X: 5, Y: 5})
		if nx, ny := d.Find("┼ burger_2"); nx != x-10 || ny != y-3 {
			d.T.Errorf("dragged by -10, -3 the robot went from %d, %d to %d, %d", x, y, nx, ny)
		}
	})
}

func TestTheWheelZoomsTheMapAboutThePointerAndScrollsRows(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		x, y := d.Find("→ burger_1")
		for range 3 {
			d.Send(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
		}
		if nx, ny := d.Find("→"); nx < x-1 || nx > x+1 || ny < y-1 || ny > y+1 {
			d.T.Errorf("what was under the pointer went from %d, %d to %d, %d", x, y, nx, ny)
		}
		x, y = d.Find("crate_1 ")
		d.Send(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelDown})
		d.Shows("> crate_2")
		d.Press("entity.spawn")
		d.Send(tea.MouseWheelMsg{X: 60, Y: 20, Button: tea.MouseWheelDown})
		d.Shows("> crate  ")
	})
}

func TestAClickBesideADialogDoesNotReachWhatIsBehindIt(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("sim.reset")
		d.Click(10, 39)
		d.Click(3, 8)
		if len(d.Backend.Done()) > 0 {
			d.T.Errorf("sent %v", d.Backend.Done())
		}
		d.Shows("┌─ Reset", "> burger_1")
	})
}
