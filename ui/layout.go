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

// style is an arrangement of a large window: "map", "camera" and "charts" give one of those panes most room.
// Any other is the standard one.
type style string

// styles are all of them, with what they are.
var styles = [...]struct {
	name   style
	detail string
}{
	{"standard", "the table, map and camera, detail, log"},
	{"map", "the map large"},
	{"camera", "the camera large"},
	{"charts", "the charts large"},
}

// pane is the pane that has most room; false where that is the standard arrangement's to say.
func (s style) pane() (paneID, bool) {
	switch s {
	case "map":
		return mapPane, true
	case "camera":
		return cameraPane, true
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
	table, others := rows2(left, min(left.Dy()*60/100, max(leastTable, rows+3)))
	large, low := rows2(right, right.Dy()*68/100)
	beside := []paneID{mapPane, cameraPane, chartsPane}
	beside = slices.DeleteFunc(beside, func(p paneID) bool { return p == main })
	l.slots = []slot{{table, []paneID{entitiesPane}}, {large, []paneID{main}}, {low, beside},
		{others, []paneID{detailPane, posesPane, statePane, logPane, notesPane, graphPane}}}
	return l
}

// Heights of slots, in cells.
const (
	leastTable  = 8
	leastCamera = 10 // else it is a tab of the map
	leastLog    = 6
)

// arrange lays out a window of w by h cells: one pane at a time where it is small or one is zoomed, else
// columns. The table is as high as its rows; what they leave is the camera's.
func arrange(w, h int, zoomed bool, rows int) layout {
	l, body := framed(w, h)
	switch {
	case zoomed || !columned(w, h):
		l.slots = []slot{{body, []paneID{entitiesPane, mapPane, detailPane, posesPane, statePane, logPane,
			notesPane, cameraPane, chartsPane, graphPane}}}
	case w < 170 || h < 45:
		left, right := columns2(body, body.Dx()*56/100)
		top, rest := rows2(right, (right.Dy()-1)*52/100)
		table, camera, log := column(left, rows, left.Dy()*68/100)
		world, others := []paneID{mapPane}, []paneID{detailPane, posesPane, statePane}
		if camera.Empty() {
			world, others = append(world, cameraPane), append(others, chartsPane)
		}
		l.slots = []slot{{table, []paneID{entitiesPane}}, {top, world}, {rest, others},
			{log, []paneID{logPane, notesPane, graphPane}}}
		if !camera.Empty() {
			l.slots = append(l.slots, slot{camera, []paneID{cameraPane, chartsPane}})
		}
	default:
		left, rest := columns2(body, body.Dx()*41/100)
		middle, right := columns2(rest, rest.Dx()*55/100)
		table, low := rows2(left, min(left.Dy()*72/100, max(leastTable, rows+3)))
		world, lower := rows2(middle, middle.Dy()*60/100)
		camera, log := low, lower
		if low.Dy() < left.Dy()*40/100 { // many rows: they get all that they can have
			table, log = rows2(left, left.Dy()*72/100)
			camera = lower
		}
		state, detail := rows2(right, 19)
		detail, poses := rows2(detail, detail.Dy()*64/100)
		l.slots = []slot{{table, []paneID{entitiesPane}}, {world, []paneID{mapPane}},
			{state, []paneID{statePane}}, {log, []paneID{logPane, notesPane, graphPane}},
			{camera, []paneID{cameraPane, chartsPane}}, {detail, []paneID{detailPane}},
			{poses, []paneID{posesPane}}}
	}
	return l
}

// column lays out a table of rows, at most so high, the camera and the log below each other. Where the table
// leaves little, the camera is empty.
func column(r image.Rectangle, rows, most int) (table, camera, log image.Rectangle) {
	table, log = rows2(r, min(most, max(leastTable, rows+3)))
	if h := log.Dy() * 3 / 10; rows+3 <= most && log.Dy()-max(h, leastLog) >= leastCamera {
		camera, log = rows2(log, log.Dy()-max(h, leastLog))
		return table, camera, log
	}
	table, log = rows2(r, most)
	return table, image.Rectangle{}, log
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
	cameras     bool    // some entity has a camera
	w, h        int
	rows        int // that the table wants
	style       style
	driving     bool              // a robot is driven
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
	if best == cameraPane && !win.cameras && len(s.panes) > 1 {
		best = s.panes[1] // a user can still look there
	}
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

// arrange lays the panes out.
func (win *window) arrange() {
	win.screen.dirty = true
	if win.driving && !win.zoomed {
		win.layout = cockpit(win.w, win.h, win.instruments)
		return
	}
	if main, ok := win.style.pane(); ok && !win.zoomed && columned(win.w, win.h) {
		win.layout = around(win.w, win.h, win.rows, main)
		return
	}
	win.layout = arrange(win.w, win.h, win.zoomed, win.rows)
}

// fit gives the table room for its rows.
func (win *window) fit(rows int) {
	if rows == win.rows {
		return
	}
	if win.rows = rows; win.w > 0 {
		win.arrange()
	}
}
