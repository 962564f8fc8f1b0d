package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"
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

// layout is the rectangles of header, panes and footer. It is made once for a size.
type layout struct {
	header, footer image.Rectangle
	slots          []slot
}

// The smallest window that shows anything.
const (
	minWidth  = 40
	minHeight = 10
)

// arrange lays out a window of w by h cells: one pane at a time where it is
// small or one is zoomed, else columns.
func arrange(w, h int, zoomed bool) layout {
	l := layout{header: image.Rect(0, 0, w, 1), footer: image.Rect(0, h-1, w, h)}
	body := image.Rect(0, 1, w, h-1)
	switch {
	case zoomed || w < 100 || h < 30:
		l.slots = []slot{{body, []paneID{entitiesPane, mapPane, detailPane, posesPane, statePane, logPane,
			notesPane, cameraPane, chartsPane, graphPane}}}
	case w < 170 || h < 45:
		left, right := columns2(body, body.Dx()*56/100)
		table, log := rows2(left, left.Dy()*68/100)
		top, rest := rows2(right, (right.Dy()-1)*52/100)
		l.slots = []slot{
			{table, []paneID{entitiesPane}},
			{top, []paneID{mapPane, cameraPane}},
			{rest, []paneID{detailPane, posesPane, statePane, chartsPane}},
			{log, []paneID{logPane, notesPane, graphPane}},
		}
	default:
		left, rest := columns2(body, body.Dx()*40/100)
		middle, right := columns2(rest, rest.Dx()*55/100)
		table, log := rows2(left, left.Dy()*72/100)
		world, camera := rows2(middle, middle.Dy()*60/100)
		state, detail := rows2(right, 19)
		detail, poses := rows2(detail, detail.Dy()*64/100)
		l.slots = []slot{
			{table, []paneID{entitiesPane}},
			{world, []paneID{mapPane}},
			{state, []paneID{statePane}},
			{log, []paneID{logPane, notesPane, graphPane}},
			{camera, []paneID{cameraPane, chartsPane}},
			{detail, []paneID{detailPane}},
			{poses, []paneID{posesPane}},
		}
	}
	return l
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
	screen     *screen // drawn anew when the window changes
	cameras    bool    // some entity has a camera
	w, h       int
	size       tea.WindowSizeMsg // of a terminal elsewhere, as it was last told
	layout     layout
	focus      paneID
	zoomed     bool
	recent     [paneCount]int // when each pane was last in focus
	focusCount int
}

// shown is the pane of a slot that was in focus last, its first before any.
func (win *window) shown(s slot) paneID {
	best := s.panes[0]
	if best == cameraPane && !win.cameras {
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

// goTo gives a pane the keys and shows it.
func (win *window) goTo(p paneID) {
	win.focusCount++
	win.focus, win.recent[p], win.screen.dirty = p, win.focusCount, true
}

// resize lays the window out anew.
func (win *window) resize(w, h int) {
	win.w, win.h, win.screen.dirty = w, h, true
	win.layout = arrange(w, h, win.zoomed)
	win.screen.cells.Resize(w, h)
}
