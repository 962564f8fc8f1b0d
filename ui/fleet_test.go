package ui_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/canvas"
	"simdeck/ui/keymap"
)

// ships is a fleet that does what it is told.
type ships struct {
	mu   sync.Mutex
	all  []sim.Member
	told []string
	err  error
}

func (f *ships) Members() []sim.Member {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.all)
}

func (f *ships) Do(_ context.Context, ids []string, c sim.Command) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.told = append(f.told, fmt.Sprintf("%s %v", strings.Join(ids, " "), c.(sim.SetState).State))
	for i := range f.all {
		if slices.Contains(ids, f.all[i].ID) && f.err == nil {
			f.all[i].State = c.(sim.SetState).State
		}
	}
	return f.err
}

func (f *ships) Forget(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = slices.DeleteFunc(f.all, func(m sim.Member) bool { return m.ID == id && m.Lost })
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func someShips() *ships {
	member := func(id, name, host, world string, s sim.State, entities int) sim.Member {
		return sim.Member{ID: id, Name: name, Host: host, World: world, State: s, Entities: entities,
			Factor: 1, Time: 90 * time.Second, Timed: true, Seen: noon}
	}
	f := &ships{all: []sim.Member{
		member("1", "/a/simdeck", "north", "bench", sim.Playing, 13),
		member("2", "/b/simdeck", "north", "warehouse", sim.Paused, 240),
		member("3", "/c/simdeck", "south", "bench", sim.Playing, 13),
		member("4", "/gz_server", "west", "hills", sim.Unknown, -1),
	}}
	f.all[2].Lost, f.all[2].Fault, f.all[2].Factor, f.all[2].Seen = true, "connection lost", -1,
		noon.Add(-40*time.Second)
	f.all[3].Fault, f.all[3].Factor, f.all[3].Timed = "no reply for 4s", -1, false
	return f
}

// fleetTable is the console of a fleet under test.
type fleetTable struct {
	*ui.Fleet
	t *testing.T
}

func openFleet(t *testing.T, f sim.Fleet, change func(*ui.Config)) fleetTable {
	t.Helper()
	c := ui.Config{Keymap: shipped(t), Now: func() time.Time { return noon }}
	if change != nil {
		change(&c)
	}
	m, err := ui.NewFleet(c, f)
	if err != nil {
		t.Fatal(err)
	}
	x := fleetTable{m, t}
	x.send(tea.WindowSizeMsg{Width: 100, Height: 12})
	return x
}

// send gives a message and what follows from it, but for ticks; it reports that the program ended.
func (x fleetTable) send(msg tea.Msg) (ended bool) {
	_, cmd := x.Update(msg)
	if cmd == nil {
		return false
	}
	switch next := cmd().(type) {
	case tea.QuitMsg:
		return true
	case nil:
		return false
	default:
		return x.send(next)
	}
}

func (x fleetTable) press(keys ...string) (ended bool) {
	for _, k := range keys {
		msg := tea.KeyPressMsg{Text: k, Code: []rune(k)[0]}
		switch k {
		case "enter":
			msg = tea.KeyPressMsg{Code: tea.KeyEnter}
		case "esc":
			msg = tea.KeyPressMsg{Code: tea.KeyEscape}
		case "space":
			msg = tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
		}
		ended = x.send(msg)
	}
	return ended
}

// shows says which of some texts the frame must have, and which, after ~, it must not.
func (x fleetTable) shows(when string, texts ...string) {
	x.t.Helper()
	frame := x.Text()
	for _, text := range texts {
		if want, not := strings.CutPrefix(text, "~"); strings.Contains(frame, want) == not {
			x.t.Errorf("%s, %q:\n%s", when, text, frame)
		}
	}
}

func TestTheTableSaysWhatEachSimulatorDoesAndWhichAreLost(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	x := openFleet(t, someShips(), nil)
	x.shows("at first", "simulators 4", "playing 1", "1 SILENT", "1 LOST", "▶ PLAYING", "⏸ PAUSED", "! LOST",
		"? SILENT", "40 s ago", "warehouse", "00:01:30.000", "240", "> /a/simdeck")
	x.press("j", "j")
	x.shows("on the lost one", "/c/simdeck: connection lost")
	x.send(tea.WindowSizeMsg{Width: 44, Height: 10})
	x.shows("in a narrow window", "/a/simdeck", "PLAYING", "LOST")
	x.send(tea.WindowSizeMsg{Width: 30, Height: 10})
	x.shows("in one too small", "too small")
}

func TestManyAreRunOrPausedAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	f := someShips()
	x := openFleet(t, f, nil)
	x.press("space")
	x.shows("one", "/a/simdeck: paused")
	x.press("*", "space")
	x.shows("all, of which one is lost", "3 simulators: playing", "4 marked")
	if want := []string{"1 paused", "1 2 4 playing"}; !slices.Equal(f.told, want) {
		t.Errorf("they were told %q, want %q", f.told, want)
	}
	f.err = errors.New("/b/simdeck: no")
	x.press("space")
	x.shows("refused", "! /b/simdeck: no")
	x.press("esc")
	x.shows("unmarked", "~marked")
}

func TestAViewerOfAFleetChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	f := someShips()
	x := openFleet(t, f, func(c *ui.Config) { c.ReadOnly = true })
	x.press("space")
	x.shows("a viewer", "read-only")
	if len(f.told) > 0 {
		t.Errorf("they were told %q", f.told)
	}
}

func TestLostSimulatorsAreDroppedWhenAsked(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	x := openFleet(t, someShips(), nil)
	x.press("d")
	x.shows("one that is there", "none of the selected simulators is lost", "simulators 4")
	x.press("*", "d")
	x.shows("all", "simulators 3", "~LOST", "/a/simdeck")
}

func TestRowsAreFilteredAndSortedAndTheSelectedOneStays(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	x := openFleet(t, someShips(), nil)
	x.press("j", "/", "n", "o", "r", "t", "h", "enter")
	x.shows("filtered", "2 of 4", "> /b/simdeck", "~/c/simdeck")
	x.press("esc", ">", ">", ">", ">", ">", ">")
	x.shows("sorted", "by entities", "> /b/simdeck")
	frame := x.Text()
	x.press("r")
	if x.Text() == frame {
		t.Error("reversed, it looks the same")
	}
	x.press("?")
	x.shows("help", "open the selected simulator", "(not now: none of the")
	x.press("q")
	if x.press("q") != true {
		t.Error("q does not leave")
	}
}

func TestALostSimulatorCannotBeOpened(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	x := openFleet(t, someShips(), nil)
	if x.press("j", "j", "enter") {
		t.Error("it was opened")
	}
	x.shows("lost", "/c/simdeck is lost")
	if !x.press("k", "enter") {
		t.Error("one that is there was not opened")
	}
}

// TestAnyKeysInAnyWindowGiveWholeFramesOfAFleet: with members from hell that come and go.
func TestAnyKeysInAnyWindowGiveWholeFramesOfAFleet(t *testing.T) {
	keys := shipped(t)
	var names []string
	for _, b := range keys.Bindings() {
		if b.Context == keymap.OnFleet && b.Action != "fleet.quit" {
			names = append(names, b.Keys...)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	f := someShips()
	f.all[1].Name, f.all[1].World, f.all[1].Host = "\x1b[2J字字字字", strings.Repeat("長", 60), "a\nb"
	x := openFleet(t, f, nil)
	w, h := 100, 12
	for range 3000 {
		switch random.IntN(12) {
		case 0:
			w, h = 1+random.IntN(160), 1+random.IntN(40)
			x.send(tea.WindowSizeMsg{Width: w, Height: h})
		case 1:
			x.send(tea.MouseClickMsg{X: random.IntN(w + 1), Y: random.IntN(h + 1), Button: tea.MouseLeft})
		case 2:
			x.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		case 3:
			f.mu.Lock()
			i := random.IntN(max(1, len(f.all)))
			if len(f.all) > 2 {
				f.all = slices.Delete(f.all, i, i+1)
			} else {
				f.all = append(f.all, someShips().all...)
			}
			f.mu.Unlock()
		default:
			x.press(names[random.IntN(len(names))])
		}
		lines := strings.Split(x.Text(), "\n")
		if len(lines) != h {
			t.Fatalf("%d lines in a window of %d×%d:\n%s", len(lines), w, h, x.Text())
		}
		for _, l := range lines {
			if canvas.TextWidth(l) != w || strings.ContainsRune(l, 0x1b) {
				t.Fatalf("a line of %d columns in a window of %d×%d: %q", canvas.TextWidth(l), w, h, l)
			}
		}
	}
}

func TestAPlainFleetTellsWhatChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := someShips()
		var out bytes.Buffer
		ctx, leave := context.WithCancel(context.Background())
		done := make(chan error)
		go func() {
			done <- ui.RunFleet(ctx, ui.Config{Plain: true, Output: &out, Environ: []string{}}, f, nil)
		}()
		time.Sleep(5 * time.Second)
		f.mu.Lock()
		f.all[0].State = sim.Paused
		f.mu.Unlock()
		time.Sleep(5 * time.Second)
		leave()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		want := "/a/simdeck on north: PLAYING in bench, 13 entities\n/b/simdeck on north: PAUSED in warehouse, 240 entities\n/c/simdeck on south: LOST\n" +
			"/gz_server on west: SILENT in hills (no reply for 4s)\n/a/simdeck on north: PAUSED in bench, 13 entities\n"
		if out.String() != want {
			t.Errorf("it tells\n%s\nwant\n%s", out.String(), want)
		}
	})
}
