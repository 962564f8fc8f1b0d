package dialog

import "simdeck/ui/canvas"

// Palette finds an action by its name and runs it.
type Palette struct {
	picker
	buttons
	ids []string
}

var _ Dialog = (*Palette)(nil)

// NewPalette offers actions; ids are theirs, in the order of items.
func NewPalette(ids []string, items []Item) *Palette {
	p := &Palette{ids: ids, buttons: buttons{accept: "Run"}}
	p.line.Hint = "type an action, like spawn or pause"
	p.set(items)
	return p
}

// Title names the dialog.
func (p *Palette) Title() string { return "Run an action" }

// Size is the size that it wants, in cells.
func (p *Palette) Size() (w, h int) { return 70, 18 }

// Draw fills the area.
func (p *Palette) Draw(a canvas.Area) {
	p.picker.draw(a, ":", 0, a.H()-2, true)
	i := p.selected()
	p.buttons.draw(a, i >= 0 && p.items[i].Off == "")
}

// Key edits the line, moves, runs or closes.
func (p *Palette) Key(k Key) Outcome {
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		if i := p.selected(); i >= 0 && p.items[i].Off == "" {
			return Outcome{Close: true, Action: p.ids[i]}
		}
		return Outcome{}
	}
	p.picker.key(k)
	return Outcome{}
}

// Click runs the action in a row.
func (p *Palette) Click(x, y int) Outcome {
	if p.picker.click(y) {
		return p.Key(Key{Action: Accept})
	}
	return p.Key(Key{Action: p.press(x, y)})
}

// Wheel moves the cursor.
func (p *Palette) Wheel(rows int) { p.move(rows) }

// Hints are the actions that mean something to it.
func (p *Palette) Hints() []string { return []string{Up, Down, PageUp, PageDown} }
