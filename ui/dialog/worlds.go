package dialog

import (
	"strings"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Worlds asks which world to load in place of the one that is.
type Worlds struct {
	picker
	buttons
	worlds  []sim.WorldInfo
	loading bool
	note    string // unreadable worlds
	typed   string // text accepted once although no row has it
}

var _ Dialog = (*Worlds)(nil)

// NewWorlds asks; the list comes later, by Fill or Fail.
func NewWorlds() *Worlds {
	w := &Worlds{loading: true, buttons: buttons{accept: "Load"}}
	w.line.Hint = "type to filter, or a path"
	return w
}

// Fill takes the worlds that can be loaded.
func (w *Worlds) Fill(list sim.Worlds) {
	w.loading, w.worlds = false, list.List
	items := make([]Item, len(list.List))
	for i, l := range list.List {
		items[i] = Item{Name: l.Name, Detail: strings.TrimSpace(l.URI + "  " + l.Description)}
	}
	w.set(items)
	if len(list.Failed) > 0 {
		w.note = list.Failed[0]
	}
}

// Fail takes why there is no list; what is typed can still be loaded.
func (w *Worlds) Fail(err error) { w.loading, w.note = false, err.Error() }

// Title names the dialog.
func (w *Worlds) Title() string { return "Load a world" }

// Size is the size that it wants, in cells.
func (w *Worlds) Size() (width, height int) { return 76, 18 }

// Draw fills the area.
func (w *Worlds) Draw(a canvas.Area) {
	w.picker.draw(a, "/", 0, a.H()-4, true)
	y := a.H() - 3
	switch {
	case w.loading:
		a.Clip(1, y, a.W()-2, "Loading the list of worlds …", theme.Dim)
	case w.typed != "" && w.typed == w.chosen():
		a.Clip(1, y, a.W()-2, "Not in the list. Press Enter again to open this path.", theme.Warn)
	case w.note != "":
		a.Clip(1, y, a.W()-2, w.note, theme.Warn)
	default:
		a.Clip(1, y, a.W()-2, "This replaces the current world.", theme.Dim)
	}
	w.buttons.draw(a, w.chosen() != "")
}

// chosen is the URI to load: of the selected row, or what is typed where no
// row has it.
func (w *Worlds) chosen() string {
	if i := w.selected(); i >= 0 {
		return w.worlds[i].URI
	}
	return strings.TrimSpace(w.line.Text())
}

// Key edits the line, moves, loads or closes.
func (w *Worlds) Key(k Key) Outcome {
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		uri := w.chosen()
		if uri == "" {
			return Outcome{}
		}
		if w.selected() < 0 && w.typed != uri { // a slip of the hand would replace the world
			w.typed = uri
			return Outcome{}
		}
		return Outcome{Close: true, Do: sim.LoadWorld{Resource: sim.Resource{URI: uri},
			IgnoreMissingAssets: true}, Done: uri + " loaded"}
	}
	w.picker.key(k)
	return Outcome{}
}

// Click loads the world in a row.
func (w *Worlds) Click(x, y int) Outcome {
	if w.picker.click(y) {
		return w.Key(Key{Action: Accept})
	}
	return w.Key(Key{Action: w.press(x, y)})
}

// Wheel moves the cursor.
func (w *Worlds) Wheel(rows int) { w.move(rows) }

// Hints are the actions that mean something to it.
func (w *Worlds) Hints() []string { return []string{Up, Down, PageUp, PageDown} }
