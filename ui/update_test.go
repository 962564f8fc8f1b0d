package ui_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/ui"
	"simdeck/ui/uitest"
)

// last is the newest command that is not a listing.
func last(d *uitest.Driver) sim.Command {
	done := d.Backend.Done()
	for i := len(done) - 1; i >= 0; i-- {
		switch done[i].(type) {
		case sim.ListSpawnables, sim.ListWorlds:
		default:
			return done[i]
		}
	}
	return nil
}

// sends fails the test unless the newest command is c.
func sends(d *uitest.Driver, c sim.Command) {
	d.T.Helper()
	if got := last(d); !reflect.DeepEqual(got, c) {
		d.T.Fatalf("sent %#v, want %#v", got, c)
	}
}

func TestTheClockRunsAndStops(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Backend.Advance(250)
		d.Frame()
		d.Shows("▶ PLAYING", "00:00:01.000")
		d.Press("sim.toggle")
		sends(d, sim.SetState{State: sim.Paused})
		d.Shows("⏸ PAUSED")
		d.Press("sim.step")
		sends(d, sim.StepWorld{N: 1})
		d.Shows("00:00:01.004")
		d.Press("sim.steps")
		d.Type("25")
		d.Press("dialog.accept")
		sends(d, sim.StepWorld{N: 25})
		d.Shows("00:00:01.104", "25 steps done")
		d.Press("sim.toggle")
		sends(d, sim.SetState{State: sim.Playing})
		d.Press("sim.stop")
		d.Shows("■ STOPPED")
	})
}

func TestSpeedGoesUpAndDownALadderToAsFastAsPossible(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		for _, want := range []float64{2, 4, 0} {
			d.Press("sim.faster")
			sends(d, sim.SetPacing{RealTime: want})
		}
		d.Press("sim.faster")
		d.Shows("as fast as possible")
		for _, want := range []float64{4, 2, 1, 0.5, 0.25, 0.125} {
			d.Press("sim.slower")
			sends(d, sim.SetPacing{RealTime: want})
		}
		d.Shows("Target speed: 1/8×", "/0.125")
		d.Press("sim.slower")
		d.Shows("1/8× is the lowest target speed")
	})
}

func TestSpawningPutsTheModelWhereItWasAskedAndSelectsIt(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("entity.spawn")
		d.Shows("barrel", "burger", "crate")
		d.Type("cra")
		d.Hides("> barrel")
		d.Press("dialog.next", "dialog.down") // the second place: entry
		d.Shows("< entry >", "free space")
		d.Press("dialog.accept")
		got, _ := last(d).(sim.Spawn)
		if got.Resource.URI != "model://crate" || !got.AllowRenaming ||
			got.Pose.Pose.Pos != r3.V(0, 3, 0.25) {
			d.T.Fatalf("sent %+v", got)
		}
		d.Shows("crate spawned", "> crate ")
	})
}

func TestASpawnThatIsRefusedCanBeTriedAgain(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("entity.spawn")
		d.Type("barrel")
		for range 7 {
			d.Press("dialog.next")
		}
		if d.Press("dialog.prev"); true {
			d.Type("table") // the name: it is taken
		}
		d.Press("dialog.accept")
		d.Shows("name not unique", "┌─ Spawn")
		d.Send(uitest.KeyPress("backspace"))
		d.Press("dialog.accept")
		d.Shows("tabl spawned")
		d.Hides("┌─ Spawn")
	})
}

func TestAModelIsPutWhereTheMapsCursorIs(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("view.map")
		for range 4 {
			d.Press("map.right")
		}
		d.Press("entity.spawn")
		d.Shows("the map's cursor")
		d.Type("crate")
		d.Press("dialog.accept")
		got, _ := last(d).(sim.Spawn)
		if p := got.Pose.Pose.Pos; p.X < 0.5 || p.Y < -0.5 || p.Y > 0.5 || p.Z != 0.25 {
			d.T.Errorf("spawned at %v, want a place right of the middle, standing on the ground", p)
		}
	})
}

func TestDeletingAsksOnceAndOnlyWhatMayBeDeleted(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("entity.delete")
		d.Shows("burger_1 is part of the world file")
		d.Press("list.top", "entity.delete")
		d.Shows("Delete barrel?")
		d.Press("dialog.cancel")
		if len(d.Backend.Done()) != 0 {
			d.T.Fatalf("cancelling sent %v", d.Backend.Done())
		}
		d.Press("entity.delete", "dialog.accept")
		sends(d, sim.Delete{Names: []string{"barrel"}})
		d.Shows("barrel deleted", "> burger_1") // its row is selected
	})
}

func TestResetSendsTheTickedScopes(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("sim.reset", "dialog.accept")
		sends(d, sim.Reset{Scope: sim.ResetAll})
		d.Press("sim.reset", "dialog.toggle", "dialog.down", "dialog.toggle", "dialog.accept")
		sends(d, sim.Reset{Scope: sim.ResetTime})
		d.Press("sim.reset", "dialog.toggle", "dialog.down", "dialog.toggle", "dialog.down", "dialog.toggle",
			"dialog.accept")
		d.Shows("┌─ Reset") // nothing is ticked: nothing to accept
	})
}

func TestAnEntityGoesToANamedPose(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("entity.goto")
		d.Type("shelf")
		d.Press("dialog.accept")
		got, _ := last(d).(sim.SetEntityState)
		if got.Name != "burger_1" || got.Pose == nil || got.Pose.Pos.X != 4 || got.Twist == nil ||
			*got.Twist != (r3.Twist{}) {
			d.T.Fatalf("sent %+v", got)
		}
		d.Shows("burger_1 placed at shelf")
		d.Press("entity.move")
		d.Send(uitest.KeyPress("ctrl+u"))
		d.Type("1.5")
		d.Press("dialog.accept")
		got, _ = last(d).(sim.SetEntityState)
		if got.Pose.Pos != r3.V(1.5, 3, 0) {
			d.T.Errorf("moved to %v", got.Pose.Pos)
		}
	})
}

func TestAFilterNarrowsWhileItIsTypedAndBackTakesItAway(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("list.filter")
		d.Type("^crate_[12]$")
		d.Shows("2 of 11", "> crate_1") // the selection is in sight
		d.Press("dialog.accept", "list.down")
		d.Shows("> crate_2")
		d.Press("app.back")
		d.Shows("> crate_2", "room_walls")
		d.Hides("2 of 11")
		d.Press("list.filter")
		d.Type("kind:rob !_1")
		d.Shows("1 of 11", "> burger_2")
		d.Press("dialog.cancel")
		d.Shows("11  by name")
		d.Press("list.filter")
		d.Type("btb") // no name has it; its letters are in one
		d.Hides("by letters")
		d.Press("dialog.cancel", "list.filter")
		d.Type("brl")
		d.Shows("by letters", "> barrel")
	})
}

func TestTheSelectionStaysOnItsEntityWhileRowsMove(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("list.sort_next", "list.sort_next", "list.reverse")
		d.Shows("> burger_1")
		d.Press("entity.drive", "view.entities") // which stand behind the map meanwhile
		d.Send(uitest.KeyPress("w"))
		for range 40 {
			d.Backend.Advance(100)
			d.Frame()
			d.Shows("> burger_1")
		}
	})
}

func TestAFrozenViewHoldsStillWhileTheWorldGoesOn(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("view.freeze")
		d.Shows("VIEW FROZEN")
		before := d.Text()
		d.Backend.Advance(500)
		d.Wait(time.Second)
		if d.Text() != before {
			d.T.Error("the frozen view changed")
		}
		d.Press("app.back")
		d.Hides("FROZEN")
		d.Shows("00:00:02.000")
	})
}

func TestAViewerLooksButChangesNothing(t *testing.T) {
	readOnly := func(c *ui.Config) { c.ReadOnly = true }
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), readOnly, func(d *uitest.Driver) {
		for _, id := range []string{"sim.toggle", "sim.step", "sim.reset", "sim.stop", "sim.faster",
			"entity.spawn", "entity.delete", "entity.move", "entity.goto", "entity.drive"} {
			d.Press(id)
			d.Shows("read-only", "viewer")
		}
		for _, id := range d.Model.Actions() { // each, where nothing else is in the way of its key
			if id == "app.quit" || strings.HasPrefix(id, "dialog.") || strings.HasPrefix(id, "drive.") {
				continue
			}
			d.Press("view.entities")
			d.Run(id)
			for range 3 { // close all that has opened
				d.Press("dialog.accept")
			}
			d.Press("dialog.cancel", "dialog.cancel")
		}
		for _, c := range d.Backend.Done() {
			if !sim.OnlyAsks(c) {
				d.T.Errorf("a viewer sent %#v", c)
			}
		}
		d.Press("entity.follow", "view.detail")
	})
}

func TestAnErrorStandsWhereTheOperatorLooks(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("sim.toggle")
		d.Press("entity.spawn")
		d.Type("barrel")
		d.Press("dialog.prev", "dialog.prev")
		d.Type("barrel")
		d.Press("dialog.accept", "dialog.cancel")
		d.Shows("name not unique", "in the world already")
		d.Wait(9 * time.Second)
		d.Shows("? help") // and gives the footer back
	})
}

func TestThePaletteRunsWhatItFindsAndSaysWhyNot(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("app.palette")
		d.Type("simulation once")
		d.Shows("off: the simulation is playing")
		d.Press("dialog.accept")
		d.Shows("┌─ Run an action")
		d.Press("dialog.cancel", "app.palette")
		d.Type("freeze")
		d.Press("dialog.accept")
		d.Shows("VIEW FROZEN")
	})
}

func TestRowsOpenToWhatIsCutOff(t *testing.T) {
	uitest.Open(t, uitest.Room(), 80, 24, shipped(t), nil, func(d *uitest.Driver) {
		d.Press("view.zoom", "view.notes", "list.open")
		d.Shows("the visual is left ", "room.sdf:41:9")
		d.Press("dialog.accept", "view.log", "list.open")
		d.Shows("level", "warning")
		d.Press("dialog.accept", "view.poses", "list.bottom", "list.open")
		d.Shows("cursor 4.00, 3.00")
		d.Press("view.entities", "list.open")
		d.Shows("differential drive")
	})
}

func TestEveryPaneIsReachedByItsNumberAndByTab(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		uitest.Open(t, uitest.Room(), size[0], size[1], shipped(t), nil, func(d *uitest.Driver) {
			marks := map[string]string{
				"view.entities": "name↑", "view.map": "cursor", "view.detail": "rotation",
				"view.poses": "bounded",
				"view.state": "commands", "view.log": "world room is loaded", "view.notes": "unsupported",
				"view.charts": "real-time factor", "view.graph": "ROS is off",
			}
			d.Press("view.zoom")
			for id, mark := range marks {
				d.Press(id)
				d.Shows(mark)
			}
			d.Press("view.camera")
			d.Shows("▀")
			d.Press("view.entities", "view.prev", "view.prev", "view.prev", "view.prev")
			d.Shows("unsupported")
			d.Press("view.next", "view.next", "view.next", "view.next", "view.next")
			d.Shows("cursor")
		})
	}
}

func TestTheWorldsEndIsTheConsolesEnd(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("app.quit")
		if !d.Quit() {
			d.T.Error("q did not ask to end")
		}
	})
	open(t, func(d *uitest.Driver) {
		if _, err := d.Backend.Do(t.Context(), sim.SetState{State: sim.Quitting}); err != nil {
			d.T.Fatal(err)
		}
		d.Frame()
		if !d.Quit() {
			d.T.Error("an engine that quits leaves the console open")
		}
	})
}

func TestNothingIsDrawnWhenNothingChanged(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("sim.toggle")
		d.Wait(time.Second)
		drawn := d.Model.Drawn()
		d.Wait(10 * time.Second)
		if n := d.Model.Drawn() - drawn; n > 0 {
			d.T.Errorf("%d frames were drawn in 10 s of a world that stands still", n)
		}
	})
}

func TestAWindowThatIsTooSmallSaysWhatItNeeds(t *testing.T) {
	uitest.Open(t, uitest.Room(), 30, 8, shipped(t), nil, func(d *uitest.Driver) {
		if text := strings.Join(strings.Fields(d.Text()), " "); text != "30×8 is too small; simdeck needs 40×10" {
			d.T.Errorf("it says %q", text)
		}
		d.Send(tea.WindowSizeMsg{Width: 40, Height: 10})
		if lines := strings.Split(d.Text(), "\n"); len(lines) != 10 ||
			!strings.Contains(lines[0], "PLAYING") {
			d.T.Errorf("40×10 shows\n%s", d.Text())
		}
	})
}

// patient is a backend whose steps go on until they are given up.
type patient struct {
	*uitest.Backend
	cancel chan struct{}
}

func (p patient) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	switch c.(type) {
	case sim.StepWorld:
		<-p.cancel
		return sim.Stepped{Completed: 12}, fmt.Errorf("%w: steps", sim.ErrCancelled)
	case sim.CancelSteps:
		close(p.cancel)
		return sim.Done{}, nil
	}
	return p.Backend.Do(ctx, c)
}

func TestStepsThatTakeLongCanBeGivenUp(t *testing.T) {
	backend := uitest.Room()
	slow := func(c *ui.Config) { c.Backend = patient{backend, make(chan struct{})} } // of the bubble
	uitest.Open(t, backend, 120, 40, shipped(t), slow, func(d *uitest.Driver) {
		d.Press("sim.toggle", "sim.steps", "dialog.accept")
		d.Shows("  …  ", "esc clear")
		d.Press("app.back")
		d.Shows("12 steps done, the rest cancelled")
		d.Hides("  …  ")
	})
}

// tape is a recorder without a disk.
type tape struct {
	sim.Recording
	refuses error
	by      []string
	scope   sim.RecordingScope

	patterns []string
	without  string
	folder   string // that recordings end in; empty: /rec/room
}

func (t *tape) State() sim.Recording { return t.Recording }

func (t *tape) Topics() ([]string, string) { return t.patterns, t.without }

func (t *tape) Start(ctx context.Context, scope sim.RecordingScope) (string, error) {
	t.scope = scope
	t.by = append(t.by, "start "+sim.Sender(ctx))
	if t.refuses == nil {
		t.Recording = sim.Recording{Folder: "/rec/room", Bytes: 12345, Began: time.Now()}
	}
	return t.Folder, t.refuses
}

func (t *tape) Stop(ctx context.Context) (string, error) {
	t.by = append(t.by, "stop "+sim.Sender(ctx))
	t.Recording = sim.Recording{}
	return cmp.Or(t.folder, "/rec/room"), nil
}

func TestARecordingIsBegunSeenAndEnded(t *testing.T) {
	rec := &tape{}
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), func(c *ui.Config) { c.Capabilities.Recorder = rec },
		func(d *uitest.Driver) {
			d.Hides("● rec")
			d.Press("view.state", "view.zoom", "sim.record")
			d.Shows("> and state", "about", "/min")
			d.Press("dialog.accept")
			if rec.scope.Kind != sim.RecordState {
				d.T.Errorf("records %+v", rec.scope)
			}
			d.Shows("Recording to /rec/room", "recording 12 kB  /rec/room")
			d.Wait(3 * time.Second)
			d.Shows("● rec 0:03 12 kB")
			rec.Fault = "disk full"
			d.Wait(300 * time.Millisecond)
			d.Shows("REC BROKEN", "broken: disk full")
			d.Press("sim.record")
			d.Shows("Recording saved. Replay: simdeck replay /rec/room")
			d.Hides("REC BROKEN", "● rec")
			rec.refuses = errors.New("too much was done")
			d.Press("sim.record", "dialog.down", "dialog.down")
			d.Type("/tf !*image*")
			d.Press("dialog.accept")
			if !slices.Equal(rec.scope.Topics, []string{"/tf", "!*image*"}) {
				d.T.Errorf("records %+v", rec.scope)
			}
			d.Shows("too much was done")
			if want := []string{"start console", "stop console", "start console"}; !slices.Equal(rec.by,
				want) {
				d.T.Errorf("asked %q", rec.by)
			}
		})
	for why, change := range map[string]func(*ui.Config){
		"this console has no recorder": nil,
		"read-only": func(c *ui.Config) {
			c.Capabilities.Recorder, c.ReadOnly = rec,
				true
		},
		"only possible on the simulator's own machine": func(c *ui.Config) {
			c.Capabilities.Connection = func() sim.Connection { return sim.Connection{Far: "2.x"} }
		},
	} {
		uitest.Open(t, uitest.Room(), 120, 40, shipped(t), change, func(d *uitest.Driver) {
			d.Press("sim.record")
			d.Shows(why)
		})
	}
}

func TestOthersAreNamedAndWhatTheyDoToTheWorldIsSaid(t *testing.T) {
	backend := uitest.Room()
	others := []string{"ana@lab"}
	set := func(c *ui.Config) {
		c.User = "ssh bob@lab"
		c.Capabilities.Viewers = func() []string { return others }
	}
	uitest.Open(t, backend, 160, 40, shipped(t), set, func(d *uitest.Driver) {
		d.Shows("with ana@lab")
		do := func(who string, c sim.Command) {
			if _, err := backend.Do(sim.WithSender(t.Context(), who), c); err != nil {
				t.Fatal(err)
			}
			d.Frame()
		}
		do("ssh ana@lab", sim.DriveEntity{Name: "burger_1", Twist: forward(0.1)})
		do("ssh bob@lab", sim.SetState{State: sim.Paused})
		d.Hides("ssh ana@lab: ", "ssh bob@lab: set")
		do("ssh ana@lab", sim.SetState{State: sim.Playing})
		d.Shows("ssh ana@lab: set state playing")
		others = []string{"ana@lab", "cy@lab", "dan@lab (viewer)"}
		d.Wait(time.Second)
		d.Shows("with 3 others")
	})
}

func TestALongMessageIsNotCut(t *testing.T) {
	rec := &tape{}
	set := func(c *ui.Config) { c.Capabilities.Recorder = rec }
	uitest.Open(t, uitest.Room(), 60, 20, shipped(t), set, func(d *uitest.Driver) {
		rec.folder = "/home/ada/recordings/" + strings.Repeat("of-the-long-run/", 5) + "end"
		d.Press("sim.record", "dialog.accept", "sim.record")
		text := strings.ReplaceAll(strings.Join(strings.Fields(d.Text()), ""), "│", "")
		if !strings.Contains(text, "simdeckreplay"+rec.folder) {
			d.T.Errorf("the folder is not whole:\n%s", d.Text())
		}
	})
}
