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

	missing, doubtful int // notes of which Badge tells
}

var _ List = (*Notes)(nil)

func infoless(int) *scene.Info { return nil }

// Filter is the list's filter, on the whole text of a note.
func (n *Notes) Filter() *Filter { return &n.filter }

// Feed takes a new picture of the world.
func (n *Notes) Feed(s *sim.Snapshot) {
	if s.Model != n.model {
		n.model, n.notes, n.missing, n.doubtful = s.Model, s.Model.Notes, 0, 0
		for i := range n.notes {
			switch noteRole(n.notes[i].Kind) {
			case theme.Bad:
				n.missing++
			case theme.Warn:
				n.doubtful++
			}
		}
		n.refilter()
	}
}

// Count is the number of notes.
func (n *Notes) Count() int { return len(n.notes) }

// Badge is the count of the notes that an operator should read, and its role. Missing elements are counted,
// else unsupported and suspicious ones. It is empty where there are none.
func (n *Notes) Badge() (text string, role theme.Role) {
	if n.missing > 0 {
		return fmt.Sprintf("!%d", n.missing), theme.Bad
	}
	if n.doubtful > 0 {
		return fmt.Sprint(n.doubtful), theme.Warn
	}
	return "", theme.Plain
}

// noteRole is that of a kind of notes.
func noteRole(k scene.NoteKind) theme.Role {
	switch k {
	case scene.Missing, scene.Unreadable:
		return theme.Bad
	case scene.Unsupported, scene.Suspicious:
		return theme.Warn
	}
	return theme.Dim
}

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
		a.Clip(2, y, 11, note.Kind.String(), noteRole(note.Kind))
		x := a.Text(14, y, fmt.Sprintf("%s:%d ", path.Base(note.File), note.Line), theme.Label)
		a.Clip(x, y, a.W()-x, note.Message(), theme.Plain)
		if row == n.Cursor && v.Focused {
			a.Put(0, y, '>', theme.Strong)
			a.Role(y, theme.Chosen)
		}
	}
}
