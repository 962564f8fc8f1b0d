package dialog

import (
	"slices"
	"strings"

	"simdeck/ui/canvas"
)

// Layout is an arrangement of the panes that can be chosen.
type Layout struct {
	Name   string
	Detail string
	Own    bool // the operator saved it
}

// Layouts asks for an arrangement of the panes, or for a name by which that of now is saved.
type Layouts struct {
	picker
	buttons
	layouts []Layout
	keeps   bool
}

var _ Dialog = (*Layouts)(nil)

// LongestLayout bounds the name of a layout, in bytes.
const LongestLayout = 32

// NewLayouts offers layouts; keeps says that a new name saves one.
func NewLayouts(layouts []Layout, keeps bool) *Layouts {
	l := &Layouts{layouts: layouts, keeps: keeps, buttons: buttons{accept: "Choose"}}
	l.line.Hint = "layout"
	if keeps {
		l.line.Hint = "layout, or a new name to save this one"
	}
	items := make([]Item, len(layouts))
	for i, o := range layouts {
		items[i] = Item{Name: o.Name, Detail: o.Detail}
	}
	l.set(items)
	return l
}

// Title names the dialog.
func (l *Layouts) Title() string { return "Layout" }

// Size is the size that it wants, in cells.
func (l *Layouts) Size() (w, h int) { return 62, min(len(l.layouts), 12) + 4 }

// name is a new name that was typed; empty: a layout of the list is meant.
func (l *Layouts) name() string {
	typed := strings.TrimSpace(l.line.Text())
	known := slices.ContainsFunc(l.layouts, func(o Layout) bool { return strings.HasPrefix(o.Name, typed) })
	if !l.keeps || typed == "" || len(typed) > LongestLayout || known {
		return ""
	}
	return typed
}

// Draw fills the area.
func (l *Layouts) Draw(a canvas.Area) {
	l.buttons.accept = "Choose"
	if l.name() != "" {
		l.buttons.accept = "Save"
	}
	l.picker.draw(a, "layout", 0, a.H()-2, true)
	l.buttons.draw(a, l.name() != "" || l.selected() >= 0)
}

// Key edits the line, moves, accepts or closes.
func (l *Layouts) Key(k Key) Outcome {
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		if name := l.name(); name != "" {
			return Outcome{Close: true, KeepLayout: name}
		}
		if i := l.selected(); i >= 0 {
			return Outcome{Close: true, Layout: l.layouts[i].Name}
		}
		return Outcome{}
	}
	l.picker.key(k)
	return Outcome{}
}

// Click goes to the layout in a row.
func (l *Layouts) Click(x, y int) Outcome {
	if l.picker.click(y) {
		return Outcome{}
	}
	return l.Key(Key{Action: l.press(x, y)})
}

// Wheel moves the cursor.
func (l *Layouts) Wheel(rows int) { l.move(rows) }

// Hints are the actions that mean something to it.
func (l *Layouts) Hints() []string { return []string{Up, Down} }
