// Package dialog holds what the console asks: which model to spawn and where,
// what to reset, whether to delete, which action to run. A dialog is a struct that takes keys and draws
// itself; package ui's one model carries out its decision, an Outcome.
package dialog

import (
	"image"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Key is a key press as a dialog sees it.
type Key struct {
	Action string // of the keymap's dialog section; empty: none
	List   string // its effect in lists; empty: none
	Name   string // of the key: "backspace", "left", "ctrl+u"
	Text   string // text that it types; empty: none
}

// Outcome is the decision of a dialog.
type Outcome struct {
	Close  bool
	Do     sim.Command         // to send; nil: none
	Done   string              // message after success of all
	Action string              // to run after closing
	Record *sim.RecordingScope // of a recording to begin; nil: none
	Quit   bool                // to end the console
	// a layout to show, or the name under which that of now is saved; empty: none
	Layout, KeepLayout string
}

// Dialog is a question in a box.
type Dialog interface {
	Title() string
	// Size is the size that it wants within its frame, in cells.
	Size() (w, h int)
	// Draw fills the area, which may be smaller than Size asked for.
	Draw(a canvas.Area)
	Key(k Key) Outcome
	// Click is a press of the mouse at a place in the area.
	Click(x, y int) Outcome
	// Hints are the actions that mean something to it, beside Accept and Cancel.
	Hints() []string
	// Wheel is a turn of the mouse's wheel, down when positive.
	Wheel(rows int)
}

// Ids of the actions in the keymap's dialog section.
const (
	Accept   = "dialog.accept"
	Cancel   = "dialog.cancel"
	Next     = "dialog.next"
	Prev     = "dialog.prev"
	Up       = "dialog.up"
	Down     = "dialog.down"
	PageUp   = "dialog.page_up"
	PageDown = "dialog.page_down"
	Toggle   = "dialog.toggle"
)

// buttons is the row at the foot of a dialog.
type buttons struct {
	accept     string // label; empty: there is only Close
	yes, no    image.Rectangle
	foot       int
	acceptable bool
}

func (b *buttons) draw(a canvas.Area, acceptable bool) {
	b.acceptable, b.foot = acceptable, a.H()-1
	x := 1
	b.yes = image.Rectangle{}
	if b.accept != "" {
		role := theme.Button
		if !acceptable {
			role = theme.Dim
		}
		end := a.Text(x, b.foot, "[ "+b.accept+" ]", role)
		b.yes = image.Rect(x, b.foot, end, b.foot+1)
		x = end + 2
	}
	label := "[ Cancel ]"
	if b.accept == "" {
		label = "[ Close ]"
	}
	b.no = image.Rect(x, b.foot, a.Text(x, b.foot, label, theme.Key), b.foot+1)
}

// press is the action of the button at a place; empty when there is none.
func (b *buttons) press(x, y int) string {
	switch p := image.Pt(x, y); {
	case p.In(b.yes):
		return Accept
	case p.In(b.no):
		return Cancel
	}
	return ""
}

// rowsOf is by how many rows an action moves; 0 when it does not.
func rowsOf(action string, page int) int {
	switch action {
	case Up, "list.up":
		return -1
	case Down, "list.down":
		return 1
	case PageUp, "list.page_up":
		return -page
	case PageDown, "list.page_down":
		return page
	}
	return 0
}
