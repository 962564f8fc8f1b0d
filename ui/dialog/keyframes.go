package dialog

import (
	"net/url"
	"strings"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Keyframes asks from which of the keyframes of a world's file it is to begin anew.
type Keyframes struct {
	picker
	buttons
	uri   string // of the world, without a keyframe
	names []string
}

var _ Dialog = (*Keyframes)(nil)

// NewKeyframes offers the keyframes of the world at an address.
func NewKeyframes(uri string, names []string) *Keyframes {
	k := &Keyframes{names: names, buttons: buttons{accept: "Load"}}
	var now string
	k.uri, now, _ = strings.Cut(uri, keyframeQuery)
	now, _ = url.QueryUnescape(now) // a wrong one is none of the names
	k.line.Hint = "keyframe"
	items := make([]Item, len(names))
	for i, n := range names {
		items[i].Name = n
		if n == now {
			items[i].Detail = "the world began so"
		}
	}
	k.set(items)
	return k
}

// keyframeQuery joins the address of a file of MuJoCo and the name of a keyframe.
const keyframeQuery = "?keyframe="

// Title names the dialog.
func (k *Keyframes) Title() string { return "Begin at a keyframe" }

// Size is the size that it wants, in cells.
func (k *Keyframes) Size() (w, h int) { return 60, min(len(k.names), 12) + 4 }

// Draw fills the area.
func (k *Keyframes) Draw(a canvas.Area) {
	k.picker.draw(a, "/", 0, a.H()-3, true)
	a.Clip(1, a.H()-2, a.W()-2, "This loads the world anew.", theme.Dim)
	k.buttons.draw(a, k.selected() >= 0)
}

// Key edits the line, moves, loads or closes.
func (k *Keyframes) Key(key Key) Outcome {
	switch key.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		i := k.selected()
		if i < 0 {
			return Outcome{}
		}
		uri := k.uri + keyframeQuery + url.QueryEscape(k.names[i])
		return Outcome{Close: true, Do: sim.LoadWorld{Resource: sim.Resource{URI: uri},
			IgnoreMissingAssets: true}, Done: "began at keyframe " + k.names[i]}
	}
	k.picker.key(key)
	return Outcome{}
}

// Click loads the world at the keyframe in a row.
func (k *Keyframes) Click(x, y int) Outcome {
	if k.picker.click(y) {
		return k.Key(Key{Action: Accept})
	}
	return k.Key(Key{Action: k.press(x, y)})
}

// Wheel moves the cursor.
func (k *Keyframes) Wheel(rows int) { k.move(rows) }

// Hints are the actions that mean something to it.
func (k *Keyframes) Hints() []string { return []string{Up, Down} }
