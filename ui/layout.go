package ui

import (
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"simdeck/ui/keymap"
)

// paneID names a pane.
type paneID int

// Panes in the order of their keys.
const (
	entitiesPane paneID = iota
	mapPane
	detailPane
	posesPane
	statePane
	logPane
	notesPane
	cameraPane
	chartsPane
	graphPane
	paneCount
)

// String is the pane's title.
func (p paneID) String() string {
	return [paneCount]string{"Entities", "Map", "Detail", "Poses", "State", "Log", "Notes", "Camera",
		"Charts", "Graph"}[p]
}

// action is the id of the action that goes to the pane.
func (p paneID) action() string {
	return "view." + [paneCount]string{"entities", "map", "detail", "poses", "state", "log", "notes",
		"camera", "charts", "graph"}[p]
}

// slot is a place on the screen that one of its panes is shown in; the others
// are tabs in its frame.
type slot struct {
	rect  image.Rectangle
	panes []paneID
}

// layout is the rectangles of header, panes and footer. It is made once for a size and a number of rows.
type layout struct {
	header, footer image.Rectangle
	slots          []slot
	instruments    image.Rectangle // of who drives; empty: there are none
	strip          image.Rectangle // of time; empty: there is none
}

// The smallest window that shows anything.
const (
	minWidth  = 40
	minHeight = 10
)

// framed is the header and the footer of a window, and the body between them.
func framed(w, h int) (l layout, body image.Rectangle) {
	l.header, l.footer = image.Rect(0, 0, w, 1), image.Rect(0, h-1, w, h)
	return l, image.Rect(0, 1, w, h-1)
}

// cockpit lays out the window of who drives: the view of the robot, the map, the others behind it, and
// instruments of so many rows.
func cockpit(w, h, rows int) layout {
	l, body := framed(w, h)
	view, right := columns2(body, max(w-80, w*62/100))
	world, panel := rows2(right, max(right.Dy()-rows-2, right.Dy()*45/100))
	l.instruments = panel
	l.slots = []slot{{view, []paneID{cameraPane}}, {world, []paneID{mapPane, entitiesPane, detailPane,
		posesPane, statePane, logPane, notesPane, chartsPane, graphPane}}}
	return l
}

// style is an arrangement of a large window: "table", "map" and "charts" give one of those panes most room.
// Any other is the standard one.
type style string

// styles are all of them, with what they are.
var styles = [...]struct {
	name   style
	detail string
}{
	{"standard", "the camera large, beside the table and the map"},
	{"table", "the table large"},
	{"map", "the map large"},
	{"charts", "the charts large"},
}

// pane is the pane that has most room; false where that is the standard arrangement's to say.
func (s style) pane() (paneID, bool) {
	switch s {
	case "table":
		return entitiesPane, true
	case "map":
		return mapPane, true
	case "charts":
		return chartsPane, true
	}
	return 0, false
}

// columned reports that a window has room for columns.
func columned(w, h int) bool { return w >= 100 && h >= 30 }

// around lays out a window in which one pane has most room.
func around(w, h, rows int, main paneID) layout {
	l, body := framed(w, h)
	left, right := columns2(body, w*40/100)
	first := entitiesPane
	if main == entitiesPane {
		first = cameraPane
	}
	table, others := rows2(left, min(left.Dy()*60/100, max(leastTable, rows+3)))
	large, low := rows2(right, right.Dy()*68/100)
	beside := []paneID{mapPane, cameraPane, chartsPane}
	beside = slices.DeleteFunc(beside, func(p paneID) bool { return p == main || p == first })
	l.slots = []slot{{table, []paneID{first}}, {large, []paneID{main}}, {low, beside},
		{others, []paneID{detailPane, posesPane, statePane, logPane, notesPane, graphPane}}}
	return l
}

// leastTable is the least height of the table, in cells.
const leastTable = 8

// arrange lays out a window of w by h cells: the camera, the table and the map, and the others below or beside
// them; one pane at a time where the window is small or one is zoomed. The table is as high as its rows.
func arrange(w, h int, zoomed bool, rows int) layout {
	l, body := framed(w, h)
	switch {
	case zoomed || w < 80 || h < 22:
		l.slots = []slot{{body, []paneID{entitiesPane, mapPane, detailPane, posesPane, statePane, logPane,
			notesPane, cameraPane, chartsPane, graphPane}}}
	case !columned(w, h):
		top, low := rows2(body, body.Dy()*74/100)
		view, right := columns2(top, top.Dx()*60/100)
		table, world := beside(right, rows)
		l.slots = []slot{{table, []paneID{entitiesPane}}, {view, []paneID{cameraPane}},
			{world, []paneID{mapPane}}, {low, []paneID{detailPane, posesPane, statePane, logPane, notesPane,
				chartsPane, graphPane}}}
	case w < 170 || h < 45:
		top, low := rows2(body, body.Dy()*66/100)
		view, right := columns2(top, top.Dx()*60/100)
		table, world := beside(right, rows)
		detail, rest := columns2(low, low.Dx()*37/100)
		middle, log := columns2(rest, rest.Dx()*46/100)
		state, poses := rows2(middle, (middle.Dy()+1)/2)
		l.slots = []slot{{table, []paneID{entitiesPane}}, {view, []paneID{cameraPane}},
			{world, []paneID{mapPane}}, {detail, []paneID{detailPane}}, {state, []paneID{statePane}},
			{poses, []paneID{posesPane}}, {log, []paneID{logPane, notesPane, chartsPane, graphPane}}}
	default:
		left, rest := columns2(body, body.Dx()*46/100)
		middle, right := columns2(rest, rest.Dx()*60/100)
		view, low := rows2(left, left.Dy()*66/100)
		log, charts := columns2(low, low.Dx()*50/100)
		table, world := beside(middle, rows)
		state, detail := rows2(right, 19)
		detail, poses := rows2(detail, detail.Dy()*64/100)
		l.slots = []slot{{table, []paneID{entitiesPane}}, {view, []paneID{cameraPane}},
			{world, []paneID{mapPane}}, {state, []paneID{statePane}}, {detail, []paneID{detailPane}},
			{poses, []paneID{posesPane}}, {log, []paneID{logPane, notesPane, graphPane}},
			{charts, []paneID{chartsPane}}}
	}
	return l
}

// beside lays out the table above the map: as high as its rows, where they take at most three fifths; else half.
func beside(r image.Rectangle, rows int) (table, world image.Rectangle) {
	h := max(leastTable, rows+3)
	if h > r.Dy()*60/100 {
		h = r.Dy() / 2
	}
	return rows2(r, h)
}

func columns2(r image.Rectangle, w int) (left, right image.Rectangle) {
	left, right = r, r
	left.Max.X = r.Min.X + w
	right.Min.X = left.Max.X
	return left, right
}

func rows2(r image.Rectangle, h int) (top, bottom image.Rectangle) {
	top, bottom = r, r
	top.Max.Y = r.Min.Y + h
	bottom.Min.Y = top.Max.Y
	return top, bottom
}

// find is the slot that a pane has its place in.
func (l *layout) find(p paneID) int {
	for i, s := range l.slots {
		for _, q := range s.panes {
			if p == q {
				return i
			}
		}
	}
	return -1
}

// inside is the rectangle of a slot's pane within its frame.
func (s slot) inside() image.Rectangle { return s.rect.Inset(1) }

// window is the size of the terminal, and which panes it shows where.
type window struct {
	screen      *screen // drawn anew when the window changes
	w, h        int
	rows        int // that the table wants
	style       style
	driving     bool              // a robot is driven
	past        bool              // the world keeps one
	instruments int               // rows that they take
	size        tea.WindowSizeMsg // of a terminal elsewhere, as it was last told
	layout      layout
	focus       paneID
	zoomed      bool
	recent      [paneCount]int // when each pane was last in focus
	focusCount  int
}

// shown is the pane of a slot that was in focus last, its first before any.
func (win *window) shown(s slot) paneID {
	best := s.panes[0]
	for _, p := range s.panes {
		if win.recent[p] > win.recent[best] {
			best = p
		}
	}
	return best
}

// visible reports that a pane is on the screen now.
func (win *window) visible(p paneID) bool {
	i := win.layout.find(p)
	return i >= 0 && win.shown(win.layout.slots[i]) == p
}

// context is that of the pane in focus.
func (win *window) context() keymap.Context {
	switch win.focus {
	case mapPane:
		return keymap.OnMap
	case cameraPane:
		return keymap.OnCamera
	}
	return keymap.InList
}

// goTo gives a pane the keys and shows it.
func (win *window) goTo(p paneID) {
	win.focusCount++
	win.focus, win.recent[p], win.screen.dirty = p, win.focusCount, true
}

// resize lays the window out anew.
func (win *window) resize(w, h int) {
	win.w, win.h, win.screen.dirty = w, h, true
	win.arrange()
	win.screen.cells.Resize(w, h)
}

// arrange lays the panes out, with the time strip below them.
func (win *window) arrange() {
	win.screen.dirty = true
	main, styled := win.style.pane()
	switch {
	case win.driving && !win.zoomed:
		win.layout = cockpit(win.w, win.h, win.instruments)
	case styled && !win.zoomed && columned(win.w, win.h):
		win.layout = around(win.w, win.h, win.rows, main)
	default:
		win.layout = arrange(win.w, win.h, win.zoomed, win.rows)
	}
	if win.past && win.h >= stripRows {
		win.layout.addStrip()
	}
}

// addStrip puts the time strip above the footer. What stands there becomes a row lower.
func (l *layout) addStrip() {
	l.strip = l.footer.Add(image.Pt(0, -1))
	bottom := l.strip.Min.Y
	l.instruments.Max.Y = min(l.instruments.Max.Y, bottom)
	for i := range l.slots {
		l.slots[i].rect.Max.Y = min(l.slots[i].rect.Max.Y, bottom)
	}
}

// fit gives the table room for its rows, and the past that the world keeps a strip.
func (win *window) fit(rows int, past bool) {
	if rows == win.rows && past == win.past {
		return
	}
	if win.rows, win.past = rows, past; win.w > 0 {
		win.arrange()
	}
}
