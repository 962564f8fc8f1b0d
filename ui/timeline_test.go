package ui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/uitest"
)

// lived is a room whose past of 30 s has one mark of each kind.
func lived() *uitest.Backend {
	b := uitest.Room().KeepPast(30*time.Second,
		sim.Mark{At: 22 * time.Second, Kind: sim.MarkCommand, Text: "delete crate_1"},
		sim.Mark{At: 31 * time.Second, Kind: sim.MarkCollision, Text: "burger_1 collides"},
		sim.Mark{At: 31 * time.Second, Kind: sim.MarkCommand, Text: "delete crate_2"},
		sim.Mark{At: 36 * time.Second, Kind: sim.MarkWarn, Text: "late"},
		sim.Mark{At: 40 * time.Second, Kind: sim.MarkError, Text: "burger_2 is contained"})
	b.Advance(42 * 250)
	return b
}

// strips runs a test on a console of a size over a room with a past.
func strips(t *testing.T, w, h int, change func(*ui.Config), test func(*uitest.Driver)) {
	t.Helper()
	uitest.Open(t, lived(), w, h, shipped(t), change, func(d *uitest.Driver) {
		d.Wait(time.Second)
		test(d)
	})
}

// line is a line of the frame, counted from the bottom.
func line(d *uitest.Driver, fromBottom int) string {
	all := strings.Split(d.Text(), "\n")
	return all[len(all)-1-fromBottom]
}

func TestTheTimeStripShowsThePast(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			strips(t, size[0], size[1], nil, func(d *uitest.Driver) {
				golden(d.T, d.Text(), size[0], size[1])
			})
		})
	}
}

func TestTheTimeStripIsShownWhereThereIsAPastAndRoom(t *testing.T) {
	strips(t, 80, 22, nil, func(d *uitest.Driver) {
		if got := line(d, 1); !strings.Contains(got, "-30 s ") || !strings.Contains(got, "● now") {
			d.T.Errorf("the line above the footer is %q", got)
		}
		d.Press("view.zoom")
		d.Shows("● now")
		d.Resize(80, 21)
		d.Hides("● now")
		d.Resize(120, 40)
		d.Press("entity.drive")
		d.Shows("● now")
		d.Backend.KeepPast(0)
		d.Frame()
		d.Hides("● now")
	})
}

func TestTheTimeStripIsReadableInPlainSigns(t *testing.T) {
	strips(t, 80, 24, func(c *ui.Config) { c.Symbols = "ascii" }, func(d *uitest.Driver) {
		d.Press("sim.rewind")
		const want = "  -30 s ---------------------v-----------------x----------!-------!-#.. -1.0 s  "
		if got := line(d, 1); got != want {
			d.T.Errorf("the strip is\n%q, want\n%q", got, want)
		}
	})
}

func TestTheTimeStripChangesAtMostOnceASecond(t *testing.T) {
	strips(t, 120, 40, nil, func(d *uitest.Driver) {
		last, changes := line(d, 1), 0
		for range 300 { // ten seconds
			d.Backend.Advance(8)
			d.Frame()
			if now := line(d, 1); now != last {
				last = now
				changes++
			}
		}
		if changes < 5 || changes > 11 {
			d.T.Errorf("in ten seconds it changed %d times", changes)
		}
	})
}

func TestTheClockGoesThroughThePastAndForwardAgain(t *testing.T) {
	strips(t, 120, 40, nil, func(d *uitest.Driver) {
		d.Press("sim.forward")
		d.Shows("this is the newest moment")
		d.Press("sim.rewind")
		sends(d, sim.Rewind{Back: time.Second})
		d.Shows("⏸ PAUSED", "Rewound to 00:00:41.000; space continues from here", "-1.0 s")
		d.Press("sim.mark_prev", "sim.mark_prev", "sim.mark_prev")
		d.Shows("00:00:31.000: burger_1 collides", "-11.0 s")
		d.Press("sim.mark_next")
		d.Shows("Forward to 00:00:36.000: late")
		d.Press("sim.oldest")
		d.Shows("Rewound to the start of what is kept, 00:00:12.000")
		d.Press("sim.rewind")
		d.Shows("At the start of what is kept, 00:00:12.000")
		d.Press("sim.mark_prev")
		d.Shows("no mark before this moment")
		d.Press("sim.newest")
		d.Shows("At the newest moment, 00:00:42.000")
		d.Press("sim.rewind", "sim.rewind", "sim.toggle")
		d.Backend.Advance(250)
		d.Frame()
		d.Shows("▶ PLAYING", "00:00:41.000", "● now")
		d.Press("sim.stop", "sim.rewind")
		d.Shows("play it before rewinding")
	})
}

func TestTheMouseSeeksOnTheTimeStrip(t *testing.T) {
	strips(t, 120, 40, nil, func(d *uitest.Driver) {
		x, y := d.Find("▾")
		d.Click(x, y)
		d.Shows("⏸ PAUSED", "Rewound to 00:00:22.000: delete crate_1")
		d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		for _, to := range []int{x + 20, x + 3, 119} {
			d.Send(tea.MouseMotionMsg{X: to, Y: y, Button: tea.MouseLeft})
		}
		d.Send(tea.MouseReleaseMsg{X: 119, Y: y, Button: tea.MouseLeft})
		d.Frame()
		d.Shows("At the newest moment, 00:00:42.000")
		d.Click(0, y)
		d.Shows("Rewound to the start of what is kept, 00:00:12.000")
		d.Send(tea.MouseMotionMsg{X: 60, Y: y, Button: tea.MouseLeft})
		d.Shows("00:00:12.000")
	})
	strips(t, 120, 40, func(c *ui.Config) { c.Viewer = func() bool { return true } }, func(d *uitest.Driver) {
		x, y := d.Find("▾")
		d.Click(x, y)
		d.Shows("▶ PLAYING", "read-only: your key has the viewer role")
	})
}

// lazy is a simulator whose answers take a second.
type lazy struct{ *uitest.Backend }

func (s lazy) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	time.Sleep(time.Second)
	return s.Backend.Do(ctx, c)
}

func TestADragAsksASlowSimulatorForTheLastPlaceOnly(t *testing.T) {
	b := lived()
	change := func(c *ui.Config) { c.Backend = lazy{b} }
	uitest.Open(t, b, 120, 40, shipped(t), change, func(d *uitest.Driver) {
		d.Wait(time.Second)
		x, y := d.Find("●")
		d.Send(tea.MouseClickMsg{X: x - 2, Y: y, Button: tea.MouseLeft})
		for i := range 50 {
			d.Send(tea.MouseMotionMsg{X: x - 2 - i, Y: y, Button: tea.MouseLeft})
		}
		d.Send(tea.MouseReleaseMsg{X: x - 51, Y: y, Button: tea.MouseLeft})
		d.Wait(3 * time.Second)
		if n := len(b.Done()); n != 2 {
			d.T.Errorf("%d commands were sent for a drag, want its first place and its last: %v", n, b.Done())
		}
		d.Shows("-15.0 s")
	})
}

func TestASimulatorWithoutAPastCannotBeRewound(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("sim.rewind")
		d.Shows("no past is kept (--rewind 0)")
	})
}
