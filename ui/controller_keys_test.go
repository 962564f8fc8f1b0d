package ui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/uitest"
)

// typing opens a console on a room in which the controllers of some robots listen to keys.
func typing(t *testing.T, listen []string, change func(*ui.Config),
	test func(*uitest.Driver, *sim.Keyboard)) {
	t.Helper()
	board := &sim.Keyboard{}
	for _, robot := range listen {
		board.Listen(robot)
	}
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), func(c *ui.Config) {
		c.Capabilities.Keyboard = board
		if change != nil {
			change(c)
		}
	}, func(d *uitest.Driver) { test(d, board) })
}

func held(board *sim.Keyboard, robot string) string {
	var names []string
	for _, k := range board.Pressed(robot, time.Now()) {
		name := k.Name
		if k.Alt {
			name = "alt+" + name
		}
		if k.Control {
			name = "ctrl+" + name
		}
		if k.Shift {
			name = "shift+" + name
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// holds fails the test unless a controller is told these keys now.
func holds(d *uitest.Driver, board *sim.Keyboard, robot, want string) {
	d.T.Helper()
	if got := held(board, robot); got != want {
		d.T.Fatalf("the controller is told %q, want %q", got, want)
	}
}

func TestKeysGoToTheControllerOfTheSelectedRobotUntilTheyAreGivenBack(t *testing.T) {
	typing(t, []string{"burger_1", "crate_1"}, nil, func(d *uitest.Driver, board *sim.Keyboard) {
		d.Send(uitest.KeyPress("left"))
		holds(d, board, "burger_1", "")
		d.Press("entity.keys")
		d.Shows("KEYS to burger_1")
		for _, key := range []string{"up", "q", "?", "ctrl+x", "shift+left", "space"} {
			d.Send(uitest.KeyPress(key))
		}
		holds(d, board, "burger_1", "space shift+left ctrl+X ? Q up")
		holds(d, board, "crate_1", "")
		d.Shows("↑ Q ? ^X")
		d.Press("keys.leave")
		holds(d, board, "burger_1", "")
		d.Hides("KEYS to")
		d.Send(uitest.KeyPress("up"))
		holds(d, board, "burger_1", "")
		if len(d.Backend.Done()) != 0 || d.Quit() {
			d.T.Errorf("keys for a controller did %v", d.Backend.Done())
		}
	})
}

func TestKeysGoToAllControllersWhereTheSelectedRobotHasNone(t *testing.T) {
	typing(t, []string{"crate_1", "crate_2"}, nil, func(d *uitest.Driver, board *sim.Keyboard) {
		d.Press("entity.keys")
		d.Shows("KEYS to all controllers")
		d.Send(uitest.KeyPress("W"))
		holds(d, board, "crate_1", "shift+W")
		holds(d, board, "crate_2", "shift+W")
	})
}

func TestKeysGoToMarkedRobots(t *testing.T) {
	listen := []string{"crate_1", "crate_2", "crate_3"}
	typing(t, listen, nil, func(d *uitest.Driver, board *sim.Keyboard) {
		d.Press("list.filter")
		d.Type("crate_[12]")
		d.Press("dialog.accept", "list.mark_all", "entity.keys")
		d.Shows("KEYS to crate_1, crate_2")
		d.Send(uitest.KeyPress("a"))
		holds(d, board, "crate_2", "A")
		holds(d, board, "crate_3", "")
	})
}

// TestAKeyIsHeldWhileItRepeats: a terminal tells of a key that goes down, again after half a second and then
// 30 times a second. It tells of none that comes up.
func TestAKeyIsHeldWhileItRepeats(t *testing.T) {
	typing(t, []string{"burger_1"}, nil, func(d *uitest.Driver, board *sim.Keyboard) {
		d.Press("entity.keys")
		d.Send(uitest.KeyPress("up"))
		for range 7 {
			d.Wait(100 * time.Millisecond)
			holds(d, board, "burger_1", "up")
		}
		for range 30 {
			d.Send(uitest.KeyPress("up"))
			d.Wait(34 * time.Millisecond)
			holds(d, board, "burger_1", "up")
		}
		d.Shows("↑")
		d.Wait(220 * time.Millisecond)
		holds(d, board, "burger_1", "")
		d.Frame()
		d.Hides("KEYS to burger_1  ↑")
		d.Send(uitest.KeyPress("x"))
		d.Wait(740 * time.Millisecond)
		holds(d, board, "burger_1", "X")
		d.Wait(20 * time.Millisecond)
		holds(d, board, "burger_1", "")
	})
}

func TestATerminalThatReportsKeysWhichComeUpHoldsThemExactly(t *testing.T) {
	typing(t, []string{"burger_1"}, nil, func(d *uitest.Driver, board *sim.Keyboard) {
		if v := d.Model.View(); v.KeyboardEnhancements != (tea.KeyboardEnhancements{}) || v.ReportFocus {
			d.T.Error("the console asks for keys that come up before a controller has them")
		}
		d.Press("entity.keys")
		if v := d.Model.View(); !v.KeyboardEnhancements.ReportEventTypes || !v.ReportFocus ||
			!v.KeyboardEnhancements.ReportAllKeysAsEscapeCodes {
			d.T.Error("the console does not ask for keys that come up")
		}
		for _, m := range messages([]byte("\x1b[?15u\x1b[119u\x1b[1;1:1A")) { // its answer; w and up go down
			d.Send(m)
		}
		d.Wait(10 * time.Second)
		holds(d, board, "burger_1", "up W")
		d.Shows("KEYS to burger_1  W ↑")
		for _, m := range messages([]byte("\x1b[119;1:2u\x1b[1;1:3A")) { // w repeats, up comes up
			d.Send(m)
		}
		holds(d, board, "burger_1", "W")
		for _, m := range messages([]byte("\x1b[119;1:3u\x1b[57441;2u\x1b[49:33;2u")) { // shift and 1 go down
			d.Send(m)
		}
		holds(d, board, "burger_1", "shift+!")
		for _, m := range messages([]byte("\x1b[57441;1:3u\x1b[49;1:3u")) { // shift comes up before 1
			d.Send(m)
		}
		holds(d, board, "burger_1", "")
		for _, m := range messages([]byte("\x1b[97;5u\x1b[57417u\x1b[57404u")) { // ctrl+a, left and 5 of the number block
			d.Send(m)
		}
		holds(d, board, "burger_1", "5 left ctrl+A")
		for _, m := range messages([]byte("\x1b[O")) { // another window has the keyboard
			d.Send(m)
		}
		holds(d, board, "burger_1", "")
		for _, m := range messages([]byte("\x1b[98u\x1b[27u")) { // b, esc
			d.Send(m)
		}
		holds(d, board, "burger_1", "")
		d.Hides("KEYS to")
	})
}

func TestOnlyOperatorsTypeForControllers(t *testing.T) {
	viewer := false
	role := func(c *ui.Config) { c.Viewer = func() bool { return viewer } }
	typing(t, []string{"burger_1"}, role, func(d *uitest.Driver, board *sim.Keyboard) {
		d.Press("entity.keys")
		d.Send(uitest.KeyPress("up"))
		holds(d, board, "burger_1", "up")
		viewer = true
		d.Send(uitest.KeyPress("down"))
		holds(d, board, "burger_1", "")
		d.Frame()
		d.Hides("KEYS to")
		d.Press("entity.keys")
		d.Hides("KEYS to")
		d.Shows("viewer role")
	})
}

func TestKeysStayWithTheConsoleWhereNoControllerListens(t *testing.T) {
	for name, change := range map[string]func(*ui.Config){
		"no controller has enabled its keyboard": nil,
		"only controllers of a simulator in this process can have keys": func(c *ui.Config) {
			c.Capabilities.Keyboard = nil
		},
	} {
		typing(t, nil, change, func(d *uitest.Driver, _ *sim.Keyboard) {
			d.Press("entity.keys")
			d.Shows(name)
			d.Hides("KEYS to")
		})
	}
}

func TestAConsoleThatEndsHoldsNoKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	board := &sim.Keyboard{}
	board.Listen("burger_1")
	p := startWith(t, t.Context(), uitest.Room(), func(c *ui.Config) { c.Capabilities.Keyboard = board })
	p.shows(t, "burger_1")
	p.host.WriteString("C")
	p.shows(t, "KEYS to")
	p.shows(t, "\x1b[=15;1u")         // it asks for keys that come up,
	p.host.WriteString("\x1b[?15u")   // which this terminal can tell,
	p.host.WriteString("\x1b[119;1u") // and w goes down
	for n := 0; held(board, "burger_1") != "W"; time.Sleep(time.Millisecond) {
		if n++; n > 20_000 {
			t.Fatalf("the controller is told %q, want W", held(board, "burger_1"))
		}
	}
	p.host.Close()
	if <-p.done; held(board, "burger_1") != "" {
		t.Errorf("the terminal is gone, and the controller is told %q", held(board, "burger_1"))
	}
	if !slices.Equal(board.Listeners(), []string{"burger_1"}) {
		t.Errorf("listeners: %q", board.Listeners())
	}
}
