package pane

import (
	"fmt"
	"path"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Notes is the pane of diagnostics: elements of the world and its models that their readers could not take as
// written.
type Notes struct {
	Rows
	filter Filter
	model  *sim.Model
	notes  scene.Notes
	order  []int32
}

var _ List = (*Notes)(nil)

func infoless(int) *scene.Info { return nil }

// Filter is the list's filter, on the whole text of a note.
func (n *Notes) Filter() *Filter { return &n.filter }

// Feed takes a new picture of the world.
func (n *Notes) Feed(s *sim.Snapshot) {
	if s.Model != n.model {
		n.model, n.notes = s.Model, s.Model.Notes
		n.refilter()
	}
}

// Count is the number of notes.
func (n *Notes) Count() int { return len(n.notes) }

// SetFilter shows only the rows that match a text.
func (n *Notes) SetFilter(text string) {
	n.filter.Set(text)
	n.refilter()
}

func (n *Notes) refilter() {
	n.order = n.filter.rows(len(n.notes), func(i int) string { return n.notes[i].String() }, infoless, false)
	n.fit(len(n.order), n.height)
}

// Selected is the selected note; nil when there is none.
func (n *Notes) Selected() *scene.Note {
	if n.Cursor >= len(n.order) {
		return nil
	}
	return &n.notes[n.order[n.Cursor]]
}

// Draw fills the area.
func (n *Notes) Draw(a canvas.Area, v *View) {
	n.fit(len(n.order), a.H())
	if len(n.order) == 0 {
		text := "World loaded without warnings"
		if n.filter.On() {
			text = fmt.Sprintf("no matches for %q", n.filter.Text())
		}
		a.Clip(2, 0, a.W()-2, text, theme.Dim)
	}
	first, end := n.window()
	for row := first; row < end; row++ {
		note, y := &n.notes[n.order[row]], row-first
		role := theme.Dim
		switch note.Kind {
		case scene.Missing, scene.Unreadable:
			role = theme.Bad
		case scene.Unsupported, scene.Suspicious:
			role = theme.Warn
		}
		a.Clip(2, y, 11, note.Kind.String(), role)
		x := a.Text(14, y, fmt.Sprintf("%s:%d ", path.Base(note.File), note.Line), theme.Label)
		a.Clip(x, y, a.W()-x, note.Message(), theme.Plain)
		if row == n.Cursor && v.Focused {
			a.Put(0, y, '>', theme.Strong)
			a.Role(y, theme.Chosen)
		}
	}
}
