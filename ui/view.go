package ui

import (
	"fmt"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// hit is a place that runs an action when it is clicked.
type hit struct {
	rect   image.Rectangle
	action string
}

// box is where a dialog was drawn, within its frame.
type box struct{ frame, inside image.Rectangle }

// View is the frame. It is drawn only when something changed.
func (m *Model) View() (v tea.View) {
	defer m.caught(nil)
	if m.dirty || m.frame == "" {
		m.draw()
		m.frame, m.dirty = m.grid.Styled(m.theme), false
		m.draws++
	}
	v = tea.NewView(m.frame)
	v.AltScreen = true
	v.WindowTitle = title(m.snap.Model.World.Name)
	if !m.mouseOff {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// longestTitle is how much of a world's name stands in the window's title; what a window shows is less.
const longestTitle = 80

// title is the window's title, which no name of a world may end and go on from.
func title(world string) string {
	name := []rune(canvas.Clean(world))
	return "simdeck " + string(name[:min(len(name), longestTitle)])
}

// Text is the frame without colours: as many lines as the window is high,
// each as wide as it.
func (m *Model) Text() string {
	m.draw()
	return m.grid.Plain()
}

// draw puts everything onto the grid.
func (m *Model) draw() {
	m.grid.ASCII = m.symbols == canvas.ASCII
	m.grid.Clear()
	m.hits, m.boxes = m.hits[:0], m.boxes[:0]
	all := m.grid.All()
	if m.w < minWidth || m.h < minHeight {
		all.Clip(0, max(0, m.h/2), m.w, fmt.Sprintf("%d×%d is too small; simdeck wants %d×%d", m.w, m.h, minWidth, minHeight), theme.Warn)
		return
	}
	m.drawHeader(m.grid.Area(m.layout.header))
	v := m.view()
	for _, s := range m.layout.slots {
		m.drawSlot(s, &v)
	}
	m.drawFooter(m.grid.Area(m.layout.footer))
	for _, d := range m.dialogs {
		m.drawDialog(all, d)
	}
}

// view is what panes are given to draw themselves.
func (m *Model) view() pane.View {
	v := pane.View{Snap: m.snap, Entity: -1, Symbols: m.symbols, Plain: m.theme.Name == "mono" || m.symbols == canvas.ASCII, Pictures: m.graphics(), Stripe: m.line.rows, Link: m.link, Recording: m.recording, Role: m.role(), Line: m.line.trip, Seed: m.cfg.Seed, Now: m.cfg.Now()}
	if m.cfg.Capabilities.Viewers != nil {
		v.Viewers = m.cfg.Capabilities.Viewers()
	}
	if i, ok := pane.Find(m.snap.Model, m.entities.Selected()); ok {
		v.Entity = i
	}
	return v
}

// drawSlot draws a pane in its frame, and the names of those behind it.
func (m *Model) drawSlot(s slot, v *pane.View) {
	id := m.shown(s)
	focused := id == m.focus
	v.Focused = focused && m.drive.name == "" || focused && !m.drive.on
	a := m.grid.Area(s.rect)
	ink := theme.Border
	if focused {
		ink = theme.Focus
	}
	a.Frame(ink)
	m.drawPane(m.pane(id), m.grid.Area(s.inside()), v)
	x := m.drawTabs(a, s, id, focused)
	if note := m.note(id); note != "" && x+canvas.TextWidth(note)+4 < a.W() {
		a.Right(a.W()-2, 0, " "+note+" ", theme.Label)
	}
	if list := m.list(id); list != nil && list.Filter() != nil && list.Filter().On() {
		text := " / " + list.Filter().Text() + " "
		if list.Filter().Fuzzy {
			text += "by letters "
		}
		a.Clip(2, a.H()-1, min(canvas.TextWidth(text), a.W()-4), text, theme.Match)
	}
}

// drawPane draws a pane. One that never comes to its end is told of, and the others are drawn as ever.
func (m *Model) drawPane(p pane.Pane, a canvas.Area, v *pane.View) {
	defer func() {
		if e := recover(); e != nil {
			over, ok := e.(canvas.Overdrawn)
			if !ok {
				panic(e)
			}
			m.grid.Recount()
			a.Fill(' ', theme.Plain)
			a.Clip(1, 0, a.W()-2, "Drawing was given up: "+over.Error(), theme.Bad)
		}
	}()
	p.Draw(a, v)
}

// drawTabs draws the names of a slot's panes into its frame, short where there
// is little room, and gives the column after them.
func (m *Model) drawTabs(a canvas.Area, s slot, shown paneID, focused bool) int {
	label := func(p paneID, letters int) string {
		name := p.String()
		if p != shown && len(name) > letters {
			name = name[:letters]
		}
		return " " + strings.TrimSpace(m.keys.Key(p.action())+" "+name) + " "
	}
	letters, used := 20, 0
	for _, letters = range []int{20, 3, 0} {
		used = 0
		for _, p := range s.panes {
			used += canvas.TextWidth(label(p, letters))
		}
		if used <= a.W()-4 {
			break
		}
	}
	x := 2
	for _, p := range s.panes {
		text, ink := label(p, letters), theme.Dim
		if p == shown {
			ink = theme.Plain
			if focused {
				ink = theme.Title
			}
		}
		end := a.Sub(0, 0, a.W()-1, 1).Text(x, 0, text, ink)
		m.hits = append(m.hits, hit{image.Rect(x, 0, end, 1).Add(s.rect.Min), p.action()})
		x = end
	}
	return x
}

// note is what a pane's frame says at its right.
func (m *Model) note(p paneID) string {
	switch p {
	case entitiesPane:
		shown, all := m.entities.Count()
		text := fmt.Sprint(all)
		if shown != all {
			text = fmt.Sprintf("%d of %d", shown, all)
		}
		if n := len(m.entities.Marked()); n > 0 {
			text += fmt.Sprintf("  %d marked", n)
		}
		return text + "  by " + m.entities.Sorting()
	case notesPane:
		if n := m.notes.Count(); n > 0 {
			return fmt.Sprint(n)
		}
	case posesPane:
		if n := len(m.snap.Model.NamedPoses); n > 0 {
			return fmt.Sprint(n)
		}
	case graphPane:
		if nodes, topics, services := m.graph.Count(); nodes > 0 {
			return fmt.Sprintf("%d nodes, %d topics, %d services", nodes, topics, services)
		}
	case cameraPane:
		return m.camera.Title()
	case detailPane, chartsPane:
		return canvas.Clean(m.entities.Selected())
	}
	return ""
}

// drawDialog draws a dialog in the middle, as large as it wants and as there
// is room for.
func (m *Model) drawDialog(all canvas.Area, d dialog.Dialog) {
	w, h := d.Size()
	w, h = w+2, h+2
	if m.w-w < 6 { // no slivers of what is behind it
		w = m.w
	}
	if m.h-2-h < 3 {
		h = m.h - 2
	}
	a := all.Sub((m.w-w)/2, (m.h-h)/2, w, h)
	a.Fill(' ', theme.Plain)
	inside := a.Frame(theme.Focus)
	a.Clip(2, 0, min(canvas.TextWidth(d.Title())+2, w-4), " "+d.Title()+" ", theme.Title)
	d.Draw(inside)
	m.boxes = append(m.boxes, box{a.Rect(), inside.Rect()})
}

// Drawn is how many frames were drawn so far.
func (m *Model) Drawn() int { return m.draws }
