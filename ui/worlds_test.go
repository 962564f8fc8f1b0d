package ui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/uitest"
)

// attic is a room in which another world was loaded.
func attic(t *testing.T) *uitest.Backend {
	t.Helper()
	d := uitest.Room()
	if _, err := d.Do(context.Background(),
		sim.LoadWorld{Resource: sim.Resource{URI: "world://attic"}}); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheConsoleGoesFromWorldToWorldAndFindsEachAsItWasLeft(t *testing.T) {
	room, other := uitest.Room(), attic(t)
	worlds := func(c *ui.Config) {
		c.Worlds = []ui.World{{Backend: room, Capabilities: sim.Capabilities{Connection: link}},
			{Backend: other, Capabilities: sim.Capabilities{Connection: func() sim.Connection {
				return sim.Connection{On: true,
					Domain: 9}
			}}}}
	}
	uitest.Open(t, room, 120, 40, shipped(t), worlds, func(d *uitest.Driver) {
		d.Shows("room 1/2", "▶ PLAYING", "7 ·")
		d.Press("view.entities", "list.filter")
		d.Type("burger")
		d.Press("dialog.accept")
		d.Hides("crate_1")
		d.Press("sim.world")
		d.Frame()
		d.Shows("attic 2/2", "world 2 of 2: attic", "9 ·")
		d.Hides("burger")
		d.Press("sim.toggle")
		d.Press("sim.world")
		d.Frame()
		d.Shows("room 1/2", "▶ PLAYING", "burger")
		d.Hides("crate_1")
		if room.Snapshot().State != sim.Playing || other.Snapshot().State == sim.Stopped {
			t.Errorf("the room is %v, the attic %v: a key in one world acts on that alone",
				room.Snapshot().State, other.Snapshot().State)
		}
		if _, err := room.Do(context.Background(), sim.SetState{State: sim.Quitting}); err != nil {
			t.Fatal(err)
		}
		d.Frame()
		d.Frame()
		d.Shows("attic 2/2")
		d.Press("sim.world")
		d.Shows("all other worlds have quit")
		if d.Quit() {
			t.Error("the console left with one of two worlds")
		}
		if _, err := other.Do(context.Background(), sim.SetState{State: sim.Quitting}); err != nil {
			t.Fatal(err)
		}
		d.Frame()
		d.Frame()
		if !d.Quit() {
			t.Error("the console stays when the last world has quit")
		}
	})
}

func TestOneWorldHasNoOtherToGoTo(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("sim.world")
		d.Shows("next world: only one world is open")
	})
}

func TestOnATerminalTheNextWorldIsShownAndOneThatEndsGivesPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	room, other := uitest.Room(), attic(t)
	host, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(host, &pty.Winsize{Cols: 120, Rows: 40}); err != nil {
		t.Fatal(err)
	}
	p := &terminal{tty: tty, host: host, done: make(chan error, 1)}
	go p.read()
	c := ui.Config{Worlds: []ui.World{{Backend: room}, {Backend: other}}, Keymap: shipped(t), Input: tty,
		Output: tty, Environ: []string{"TERM=xterm-256color"}}
	go func() { p.done <- ui.Run(t.Context(), c) }()
	p.shows(t, "room 1/2")
	p.host.WriteString("w")
	p.shows(t, "world 2 of 2: attic")
	before := len(p.text())
	other.Do(context.Background(), sim.SetState{State: sim.Quitting})
	other.Close()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(p.text()[before:],
		"burger_1"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the world that is left was not shown")
		}
	}
	p.host.WriteString("w")
	p.shows(t, "all other worlds have quit")
	p.host.WriteString("q")
	if err := <-p.done; err != nil {
		t.Errorf("the console ended with %v", err)
	}
}
