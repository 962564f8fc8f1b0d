package dialog

import (
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Confirm asks once before something that cannot be taken back.
type Confirm struct {
	buttons
	title    string
	question string
	note     string
	outcome  Outcome
	keys     []string // that mean yes, beside Accept and y
}

var _ Dialog = (*Confirm)(nil)

// NewConfirm asks a question; c is sent and done said when the answer is yes.
func NewConfirm(title, question, note, verb string, c sim.Command, done string) *Confirm {
	return &Confirm{
		title: title, question: question, note: note,
		buttons: buttons{accept: verb}, outcome: Outcome{Close: true, Do: c, Done: done},
	}
}

// NewQuit asks whether the console is to end, and with it what notes tell of. Keys mean yes, too: those that
// asked for it.
func NewQuit(keys []string, notes ...string) *Confirm {
	c := NewConfirm("Quit", "Quit simdeck?", strings.Join(notes, "; "), "quit", nil, "")
	c.outcome.Quit, c.keys = true, keys
	return c
}

// Title names the dialog.
func (c *Confirm) Title() string { return c.title }

// Size is the size that it wants, in cells.
func (c *Confirm) Size() (w, h int) {
	return max(36, 4+max(canvas.TextWidth(c.question), canvas.TextWidth(c.note))), 5
}

// Draw fills the area.
func (c *Confirm) Draw(a canvas.Area) {
	a.Clip(1, 1, a.W()-2, c.question, theme.Strong)
	a.Clip(1, 2, a.W()-2, c.note, theme.Dim)
	c.buttons.draw(a, true)
}

// Key takes enter or y for yes, esc or n for no.
func (c *Confirm) Key(k Key) Outcome {
	switch {
	case k.Action == Accept || k.Text == "y" || slices.Contains(c.keys, k.Name):
		return c.outcome
	case k.Action == Cancel || k.Text == "n":
		return Outcome{Close: true}
	}
	return Outcome{}
}

// Click presses a button.
func (c *Confirm) Click(x, y int) Outcome { return c.Key(Key{Action: c.press(x, y)}) }

// Wheel does nothing.
func (c *Confirm) Wheel(int) {}

// Hints are the actions that mean something to it.
func (c *Confirm) Hints() []string { return nil }
