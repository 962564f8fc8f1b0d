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
	paths   []string
	asked   string // text whose paths were asked for
}

var _ Dialog = (*Worlds)(nil)

// NewWorlds asks; the list comes later, by Fill or Fail.
func NewWorlds() *Worlds {
	w := &Worlds{loading: true, buttons: buttons{accept: "Load"}}
	w.line.Hint = "type to filter, or a path; tab completes it"
	return w
}

// Fill takes the worlds that can be loaded.
func (w *Worlds) Fill(list sim.Worlds) {
	w.loading, w.worlds = false, list.List
	w.list()
	if len(list.Failed) > 0 {
		w.note = list.Failed[0]
	}
}

// list makes the rows: worlds, and paths that continue what is typed.
func (w *Worlds) list() {
	items := make([]Item, 0, len(w.worlds)+len(w.paths))
	for i := range w.worlds {
		l := &w.worlds[i]
		items = append(items, Item{Name: l.Name, Detail: strings.TrimSpace(l.URI + "  " + l.Description)})
	}
	for _, p := range w.paths {
		what := "file"
		if strings.HasSuffix(p, "/") {
			what = "folder"
		}
		items = append(items, Item{Name: p, Detail: what})
	}
	w.set(items)
}

// Wants gives the text whose paths are to be completed, once; false: there is none.
func (w *Worlds) Wants() (typed string, ok bool) {
	typed = w.line.Text()
	if typed == w.asked {
		return "", false
	}
	w.asked = typed
	if typed == "" || strings.Contains(typed, "://") {
		w.paths = nil
		w.list()
		return "", false
	}
	return typed, true
}

// Complete takes the paths that continue a text.
func (w *Worlds) Complete(typed string, paths []string) {
	if typed == w.line.Text() {
		w.paths = paths
		w.list()
	}
}

// completed is the longest text that all paths begin with and what is typed is continued by.
func (w *Worlds) completed() string {
	typed := w.line.Text()
	longest := ""
	for _, p := range w.paths {
		if !strings.HasPrefix(p, typed) {
			continue
		}
		if longest == "" {
			longest = p
		}
		for !strings.HasPrefix(p, longest) {
			r := []rune(longest)
			longest = string(r[:len(r)-1])
		}
	}
	if longest == "" {
		return typed
	}
	return longest
}

// typeIn replaces what is typed.
func (w *Worlds) typeIn(text string) {
	w.line.Set(text)
	w.refilter()
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
		a.Clip(1, y, a.W()-2, "This replaces the current world. Undo brings it back.", theme.Dim)
	}
	w.buttons.draw(a, w.chosen() != "")
}

// chosen is the URI or path of the selected row, or what is typed where no row has it.
func (w *Worlds) chosen() string {
	switch i := w.selected(); {
	case i >= len(w.worlds):
		return w.paths[i-len(w.worlds)]
	case i >= 0:
		return w.worlds[i].URI
	}
	return strings.TrimSpace(w.line.Text())
}

// Key edits the line, moves, loads or closes.
func (w *Worlds) Key(k Key) Outcome {
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Next:
		w.typeIn(w.completed())
		return Outcome{}
	case Accept:
		uri := w.chosen()
		if uri == "" {
			return Outcome{}
		}
		if w.selected() >= len(w.worlds) && strings.HasSuffix(uri, "/") {
			w.typeIn(uri)
			return Outcome{}
		}
		if w.selected() < 0 && w.typed != uri { // a slip of the hand would replace the world
			w.typed = uri
			return Outcome{}
		}
		return Outcome{Close: true, Do: sim.LoadWorld{Resource: sim.Resource{URI: uri},
			IgnoreMissingAssets: true}, Done: sim.DescribeResource(sim.Resource{URI: uri}) + " loaded"}
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
func (w *Worlds) Hints() []string { return []string{Next, Up, Down, PageUp, PageDown} }
