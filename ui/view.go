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

// box is the rectangle of a dialog within its frame.
type box struct{ frame, inside image.Rectangle }

// screen draws the console into cells.
type screen struct {
	m       *Model
	theme   *theme.Theme
	symbols canvas.Symbols
	flash   flash
	cells   *canvas.CellBuffer
	hits    []hit
	boxes   []box  // where each dialog was drawn
	frame   string // as text
	dirty   bool
	draws   int
}

// View is the frame. It is drawn only when something changed.
func (m *Model) View() (v tea.View) {
	defer m.caught(nil)
	if m.screen.dirty || m.screen.frame == "" {
		m.screen.draw()
		m.pics.drawn()
		m.screen.frame, m.screen.dirty = m.screen.cells.Styled(m.screen.theme), false
		m.screen.draws++
	}
	v = tea.NewView(m.screen.frame)
	v.AltScreen = true
	v.WindowTitle = title(m.view.snap.Model.World.Name)
	m.typed.enhance(&v)
	if !m.mouse.off {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// longestTitle bounds a world's name in the window's title; windows show less.
const longestTitle = 80

// title is the window's title, which no name of a world may end and go on from.
func title(world string) string {
	name := []rune(canvas.Clean(world))
	return "simdeck " + string(name[:min(len(name), longestTitle)])
}

// Text is the frame without colours: as many lines as the window is high,
// each as wide as it.
func (m *Model) Text() string {
	m.screen.draw()
	return m.screen.cells.Plain()
}

// draw puts everything onto the grid.
func (sc *screen) draw() {
	sc.cells.ASCII = sc.symbols == canvas.ASCII
	sc.cells.Clear()
	sc.hits, sc.boxes = sc.hits[:0], sc.boxes[:0]
	all := sc.cells.All()
	if sc.m.window.w < minWidth || sc.m.window.h < minHeight {
		drawTooSmall(all)
		return
	}
	sc.drawHeader(sc.cells.Area(sc.m.window.layout.header))
	v := sc.view()
	for _, s := range sc.m.window.layout.slots {
		sc.drawSlot(s, &v)
	}
	if r := sc.m.window.layout.instruments; !r.Empty() {
		a := sc.cells.Area(r)
		sc.drawPane(sc.m.instruments, a.Frame(theme.Border), &v)
		a.Clip(2, 0, a.W()-4, " "+canvas.Clean(sc.m.drive.name)+" ", theme.Plain)
	}
	sc.drawStrip()
	sc.drawFooter(sc.cells.Area(sc.m.window.layout.footer))
	if len(sc.m.dialogs.open) == 0 {
		sc.m.tour.Draw(all.Sub(0, 1, all.W(), all.H()-2), sc.m.keys.Key)
	}
	for _, d := range sc.m.dialogs.open {
		sc.drawDialog(all, d)
	}
}

// drawTooSmall says in a window that shows nothing else how large it must be.
func drawTooSmall(a canvas.Area) {
	lines := canvas.Wrap(fmt.Sprintf("%d×%d is too small; simdeck needs %d×%d", a.W(), a.H(), minWidth, minHeight),
		a.W())
	for i, line := range lines {
		a.Clip(0, max(0, (a.H()-len(lines))/2)+i, a.W(), line, theme.Warn)
	}
}

// view is the input of panes for drawing.
func (sc *screen) view() pane.View {
	v := pane.View{Snap: sc.m.view.snap, Entity: -1, Symbols: sc.symbols, Plain: sc.theme.Name == "mono" ||
		sc.symbols == canvas.ASCII, Pictures: sc.m.pics.graphics(), Stripe: sc.m.line.rows,
		Link: sc.m.around.link, Recording: sc.m.around.recording, Role: sc.m.role(), Line: sc.m.line.trip,
		Seed: sc.m.cfg.Seed, Now: sc.m.cfg.Now()}
	v.Viewers = sc.m.around.others
	if i, ok := pane.Find(sc.m.view.snap.Model, sc.m.entities.Selected()); ok {
		v.Entity = i
	}
	return v
}

// drawSlot draws a pane in its frame, and the names of those behind it.
func (sc *screen) drawSlot(s slot, v *pane.View) {
	id := sc.m.window.shown(s)
	focused := id == sc.m.window.focus
	v.Focused = focused && !sc.m.drive.on && !sc.m.typed.on()
	a := sc.cells.Area(s.rect)
	role := theme.Border
	if focused {
		role = theme.Focus
	}
	a.Frame(role)
	sc.drawPane(sc.m.pane(id), sc.cells.Area(s.inside()), v)
	x := sc.drawTabs(a, s, id, focused)
	if note := sc.note(id); note != "" && x+canvas.TextWidth(note)+4 < a.W() {
		a.Right(a.W()-2, 0, " "+note+" ", theme.Label)
	}
	if list := sc.m.list(id); list != nil && list.Filter() != nil && list.Filter().On() {
		text := " / " + list.Filter().Text() + " "
		if list.Filter().Fuzzy {
			text += "by letters "
		}
		a.Clip(2, a.H()-1, min(canvas.TextWidth(text), a.W()-4), text, theme.Match)
	}
}

// drawPane draws a pane. One that never comes to its end is told of, and the others are drawn as ever.
func (sc *screen) drawPane(p pane.Pane, a canvas.Area, v *pane.View) {
	defer func() {
		if e := recover(); e != nil {
			over, ok := e.(canvas.Overdrawn)
			if !ok {
				panic(e)
			}
			sc.cells.Recount()
			a.Fill(' ', theme.Plain)
			a.Clip(1, 0, a.W()-2, "Drawing failed: "+over.Error(), theme.Bad)
		}
	}()
	p.Draw(a, v)
}

// drawTabs draws the names of a slot's panes into its frame, short where there
// is little room, and gives the column after them.
func (sc *screen) drawTabs(a canvas.Area, s slot, shown paneID, focused bool) int {
	label := func(p paneID, letters int) string {
		name := p.String()
		if p != shown && len(name) > letters {
			name = name[:letters]
		}
		return " " + strings.TrimSpace(sc.m.keys.Key(p.action())+" "+name)
	}
	letters, used := 20, 0
	for _, letters = range []int{20, 3, 0} {
		used = 0
		for _, p := range s.panes {
			badge, _ := sc.badge(p, p == shown || letters > 0)
			used += canvas.TextWidth(label(p, letters)+badge) + 1
		}
		if used <= a.W()-3 {
			break
		}
	}
	x := 2
	for _, p := range s.panes {
		text, role := label(p, letters), theme.Dim
		if p == shown {
			role = theme.Plain
			if focused {
				role = theme.Title
			}
		}
		tabs := a.Sub(0, 0, a.W()-1, 1)
		end := tabs.Text(x, 0, text, role)
		badge, badgeRole := sc.badge(p, p == shown || letters > 0)
		end = tabs.Text(end, 0, badge, badgeRole)
		end = tabs.Text(end, 0, " ", role)
		sc.hits = append(sc.hits, hit{image.Rect(x, 0, end, 1).Add(s.rect.Min), p.action()})
		x = end
	}
	return x
}

// badge is the sign on a tab that there is something to read. Behind a key without a name a number would be
// one with it.
func (sc *screen) badge(p paneID, named bool) (text string, role theme.Role) {
	switch p {
	case notesPane:
		text, role = sc.m.notes.Badge()
	case logPane:
		text, role = sc.m.log.Badge()
	case graphPane:
		text, role = sc.m.graph.Badge()
	}
	if !named && text != "" && text[0] != '!' {
		text = "·" + text
	}
	return text, role
}

// note is the text at the right of a pane's frame.
func (sc *screen) note(p paneID) string {
	switch p {
	case entitiesPane:
		shown, all := sc.m.entities.Count()
		text := fmt.Sprint(all)
		if shown != all {
			text = fmt.Sprintf("%d of %d", shown, all)
		}
		if n := len(sc.m.entities.Marked()); n > 0 {
			text += fmt.Sprintf("  %d marked", n)
		}
		return text + "  by " + sc.m.entities.Sorting()
	case notesPane:
		if n := sc.m.notes.Count(); n > 0 {
			return fmt.Sprint(n)
		}
	case posesPane:
		if n := len(sc.m.view.snap.Model.NamedPoses); n > 0 {
			return fmt.Sprint(n)
		}
	case graphPane:
		if nodes, topics, services := sc.m.graph.Count(); nodes > 0 {
			return fmt.Sprintf("%d nodes, %d topics, %d services", nodes, topics, services)
		}
	case cameraPane:
		return sc.m.camera.Title()
	case detailPane, chartsPane:
		return canvas.Clean(sc.m.entities.Selected())
	}
	return ""
}

// drawDialog draws a dialog in the middle, as large as it wants and as there
// is room for.
func (sc *screen) drawDialog(all canvas.Area, d dialog.Dialog) {
	w, h := d.Size()
	w, h = w+2, h+2
	if sc.m.window.w-w < 6 { // no slivers of what is behind it
		w = sc.m.window.w
	}
	if sc.m.window.h-2-h < 3 {
		h = sc.m.window.h - 2
	}
	a := all.Sub((sc.m.window.w-w)/2, (sc.m.window.h-h)/2, w, h)
	a.Fill(' ', theme.Plain)
	inside := a.Frame(theme.Focus)
	a.Clip(2, 0, min(canvas.TextWidth(d.Title())+2, w-4), " "+d.Title()+" ", theme.Title)
	d.Draw(inside)
	sc.boxes = append(sc.boxes, box{a.Rect(), inside.Rect()})
}

// Drawn counts the frames drawn so far.
func (m *Model) Drawn() int { return m.screen.draws }
