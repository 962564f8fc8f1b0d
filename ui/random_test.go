package ui_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"simdeck/ui"
	"simdeck/ui/canvas"
	"simdeck/ui/keymap"
	"simdeck/ui/uitest"
)

// exact fails the test unless a frame has h lines of w columns.
func exact(t testing.TB, frame string, w, h int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		t.Fatalf("%d lines in a window of %d by %d", len(lines), w, h)
	}
	for y, l := range lines {
		if n := canvas.TextWidth(l); n != w {
			t.Fatalf("line %d has %d columns in a window of %d by %d: %q", y+1, n, w, h, l)
		}
	}
}

// TestAnyKeysInAnyWindowGiveWholeFrames presses what an operator's cat would,
// while the window changes its size and the world has names from hell.
func TestAnyKeysInAnyWindowGiveWholeFrames(t *testing.T) {
	rounds, events := 10, 1000
	if testing.Short() {
		rounds, events = 2, 150
	}
	keys := shipped(t)
	var names []string
	for _, b := range keys.Bindings() {
		if b.Action != "app.quit" && b.Context != keymap.OnFleet {
			names = append(names, b.Keys...)
		}
	}
	names = append(names, "a", "é", "字", "😀", "#", "backspace", "home", "end", "left", "right")
	for round := range rounds {
		t.Run(fmt.Sprint("seed ", round), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(round), 42))
			change := func(c *ui.Config) { c.Capabilities.Connection, c.Capabilities.Graph = link, graph }
			uitest.Open(t, uitest.Hell(), 120, 40, keys, change, func(d *uitest.Driver) {
				w, h := 120, 40
				panes := []string{"view.entities", "view.map", "view.detail", "view.poses", "view.state",
					"view.log", "view.notes", "view.camera", "view.charts", "view.graph"}
				d.Press(panes[round%len(panes)]) // a seed begins in each
				for range events {
					switch k := random.IntN(20); {
					case k == 0:
						w, h = 1+random.IntN(230), 1+random.IntN(70)
						d.Resize(w, h)
					case k == 1:
						x, y := random.IntN(w+1), random.IntN(h+1)
						d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
						d.Send(tea.MouseMotionMsg{X: x + random.IntN(9) - 4, Y: y + random.IntN(5) - 2,
							Button: tea.MouseLeft})
					case k == 2:
						d.Send(tea.MouseWheelMsg{X: random.IntN(w + 1), Y: random.IntN(h + 1),
							Button: tea.MouseWheelUp + tea.MouseButton(random.IntN(2))})
					case k == 3:
						d.Backend.Advance(random.IntN(100))
						d.Frame()
					case k == 4:
						d.Send(tea.PasteMsg{Content: "\x1b[31mred\x07\t\n字\u202e" + strings.Repeat("x",
							random.IntN(40))})
					default:
						d.Send(uitest.KeyPress(names[random.IntN(len(names))]))
					}
					exact(d.T, d.Text(), w, h)
				}
			})
		})
	}
}

func TestNothingOfANameReachesTheTerminalAsACommand(t *testing.T) {
	uitest.Open(t, uitest.Hell(), 120, 40, shipped(t), nil, func(d *uitest.Driver) {
		frame := d.Model.View().Content
		for _, bad := range []string{"\x1b]", "\x07", "\x1b[2J", "\t", "\r", "\u202e", "\u200d", "\ufe0f"} {
			if strings.Contains(frame, bad) {
				d.T.Errorf("the frame holds %q", bad)
			}
		}
	})
}
