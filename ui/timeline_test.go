package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

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
