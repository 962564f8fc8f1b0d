package pane

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Entities is the live table of all entities. It keeps an entity selected,
// not a row, through sorting, filtering and changes of the world.
type Entities struct {
	Rows
	filter   Filter
	cols     []column
	sort     int // index into cols
	reverse  bool
	hold     bool    // keep the order as it is
	stale    bool    // order must be made anew
	order    []int32 // entities that can move, then statics, where their row is open
	fold     fold
	past     speeds
	struck   map[int]bool // robots that run into something
	keys     []float64
	model    *sim.Model
	selected string
	marks    map[string]bool // by name
	anchor   string          // where a range of marks begins
	widths   []int
	width    int
}

var _ List = (*Entities)(nil)

// NewEntities makes an empty table, sorted by name.
func NewEntities() *Entities { return &Entities{cols: columns()} }

// Filter is the table's filter.
func (e *Entities) Filter() *Filter { return &e.filter }

// SetFilter shows only the entities that match a text; see Filter. When the
// selected one is not among them, the first is selected, so that what a key
// does next is done to something in sight.
func (e *Entities) SetFilter(text string) {
	e.filter.Set(text)
	if e.stale = true; e.model == nil {
		return
	}
	e.refilter()
	i, ok := Find(e.model, e.selected)
	if len(e.order) > 0 && !(ok && slices.Contains(e.order, int32(i))) {
		e.selected, e.fold.chosen = e.model.Entities[e.order[0]].Name, false
	}
}

// Selected is the name of the selected entity; empty when there is none.
func (e *Entities) Selected() string { return e.selected }

// Select selects an entity by name, also one that the filter hides.
func (e *Entities) Select(name string) {
	e.selected, e.fold.chosen = name, false
	if i, ok := Find(e.model, name); ok && e.fold.hides(i) {
		e.unfold(true)
	}
	e.syncCursor()
}

// Count is the number of rows that are shown, and of all entities.
func (e *Entities) Count() (shown, all int) {
	if e.model == nil {
		return 0, 0
	}
	return len(e.order) + e.fold.hidden(), len(e.model.Entities)
}

// SortBy goes to the next or previous column and sorts by it.
func (e *Entities) SortBy(step int) {
	n := len(e.cols)
	e.sort = (e.sort + step + n) % n
	if e.cols[e.sort].past {
		e.sort = (e.sort + step + n) % n
	}
	e.stale, e.hold = true, false
}

// Reverse sorts the other way round.
func (e *Entities) Reverse() { e.reverse, e.stale, e.hold = !e.reverse, true, false }

// Hold keeps the order as it is, or lets it follow the values again.
func (e *Entities) Hold() { e.hold = !e.hold }

// Sorting says how the table is sorted: "x m ↑".
func (e *Entities) Sorting() string {
	s := e.cols[e.sort].title + " ↑"
	if e.reverse {
		s = e.cols[e.sort].title + " ↓"
	}
	if e.hold {
		s += " held"
	}
	return s
}

// Feed takes a new picture of the world.
func (e *Entities) Feed(s *sim.Snapshot) {
	if e.model == nil || e.model.World.Name != s.Model.World.Name || e.model.World.URI != s.Model.World.URI {
		e.selected, e.fold = firstRobot(s.Model), fold{}
	}
	e.past.take(e.model, s)
	e.struck = collisions(e.struck, s)
	if s.Model != e.model {
		e.model, e.stale = s.Model, true
		e.forget()
	}
	if e.stale {
		e.refilter()
	}
	if e.stale || e.cols[e.sort].live && !e.hold {
		e.resort(s)
	}
	e.stale = false
	e.syncCursor()
}

// firstRobot is the name of the first robot that can be driven, or of the first one, the initial selection; empty
// when there is none.
func firstRobot(m *sim.Model) (name string) {
	for i := range m.Entities {
		e := &m.Entities[i]
		if e.Info.Category != scene.Robot {
			continue
		}
		if e.Spec != nil && len(e.Spec.Drives) > 0 {
			return e.Name
		}
		name = cmp.Or(name, e.Name)
	}
	return name
}

func (e *Entities) refilter() {
	m := e.model.Entities
	if e.filter.On() {
		e.order = e.filter.Rows(len(m), func(i int) string { return m[i].Name },
			func(i int) *scene.Info { return &m[i].Info })
		e.fold.on, e.fold.chosen = false, false
		return
	}
	e.order = e.fold.part(e.order[:0], m)
}

// syncCursor puts the cursor onto the selected entity. Where that is gone, what is
// in its row is selected instead.
func (e *Entities) syncCursor() {
	e.fit(e.rows(), e.height)
	if e.model == nil {
		return
	}
	if e.fold.chosen {
		e.Cursor = e.fold.at
		e.fit(e.count, e.height)
		return
	}
	if len(e.order) == 0 {
		if len(e.model.Entities) == 0 {
			e.selected = ""
		}
		return
	}
	if i := e.at(e.Cursor); i >= 0 && e.model.Entities[i].Name == e.selected {
		return
	}
	index, there := Find(e.model, e.selected)
	for k, i := range e.order {
		if there && int(i) == index {
			e.Cursor = e.fold.row(k)
			e.fit(e.count, e.height)
			return
		}
	}
	if !there {
		e.pick()
	}
}

// pick selects what is in the row of the cursor.
func (e *Entities) pick() {
	i := e.at(e.Cursor)
	e.fold.chosen = i < 0 && e.fold.on && e.Cursor == e.fold.at
	switch {
	case i >= 0:
		e.selected = e.model.Entities[i].Name
	case e.fold.chosen:
		e.selected = ""
	}
}

// Move goes that many rows down, or up, and selects.
func (e *Entities) Move(rows int) { e.Rows.Move(rows); e.pick() }

// Page goes pages down, or up, and selects.
func (e *Entities) Page(pages float64) { e.Rows.Page(pages); e.pick() }

// Top selects the first row.
func (e *Entities) Top() { e.Rows.Top(); e.pick() }

// Bottom selects the last row.
func (e *Entities) Bottom() { e.Rows.Bottom(); e.pick() }

// Wheel moves as a mouse's wheel does, and selects.
func (e *Entities) Wheel(rows int) { e.Move(rows) }

// Click selects the row at a line of the pane; on the line of titles it sorts.
func (e *Entities) Click(line int) bool {
	ok := e.Rows.Click(line)
	if ok {
		e.pick()
		if e.OnFold() {
			e.Fold()
		}
	}
	return ok
}

// ClickTitle sorts by the column whose title is at column x of the pane.
func (e *Entities) ClickTitle(x int) bool {
	at := 2
	for i, w := range e.widths {
		if w > 0 && x >= at && x < at+w {
			if e.sort == i {
				e.Reverse()
			} else {
				e.sort, e.reverse, e.stale, e.hold = i, false, true, false
			}
			return true
		}
		if w > 0 {
			at += w + 1
		}
	}
	return false
}

// Draw draws the titles and the rows that can be seen, and no others.
func (e *Entities) Draw(a canvas.Area, v *View) {
	e.header = 1
	e.fit(e.rows(), a.H()-1)
	if e.width != a.W() || e.widths == nil {
		e.width, e.widths = a.W(), place(e.cols, a.W())
	}
	e.drawTitles(a)
	if len(e.order) == 0 {
		text := "no entities yet"
		if e.filter.On() {
			text = fmt.Sprintf("no matches for %q", e.filter.Text())
		} else if v.Snap.State == sim.NoWorld {
			text = "no world is loaded"
		}
		a.Clip(2, 2, a.W()-2, text, theme.Dim)
	}
	first, end := e.window()
	for row := first; row < end; row++ {
		switch i, y := e.at(row), row-first+1; {
		case i < 0:
			e.drawFold(a, y, v.Focused)
		case i < len(v.Snap.Entities) && v.Snap.Model == e.model:
			e.drawRow(a, y, i, v)
		}
	}
}

func (e *Entities) drawTitles(a canvas.Area) {
	x := 2
	for i, w := range e.widths {
		if w == 0 {
			continue
		}
		title, role := e.cols[i].title, theme.Label
		if i == e.sort {
			role = theme.Key
			if arrow := "↑"; canvas.TextWidth(title) < w {
				if e.reverse {
					arrow = "↓"
				}
				title += arrow
			}
		}
		if e.cols[i].right {
			a.Right(x+w, 0, title, role)
		} else {
			a.Clip(x, 0, w, title, role)
		}
		x += w + 1
	}
}

func (e *Entities) drawRow(a canvas.Area, y, index int, v *View) {
	m, s := &e.model.Entities[index], v.Snap
	x := 2
	for i, w := range e.widths {
		if w == 0 {
			continue
		}
		switch {
		case i == 0:
			a.Clip(x, y, w, m.Name, nameInk(m))
		case e.cols[i].past:
			a.Text(x, y, e.past.bars(index, w), theme.Good)
		case e.cols[i].right:
			if text := e.cols[i].text(s, index); canvas.TextWidth(text) <= w {
				a.Right(x+w, y, text, e.role(i, s, index))
			} else {
				a.Clip(x, y, w, text, e.role(i, s, index))
			}
		default:
			a.Clip(x, y, w, e.cols[i].text(s, index), e.role(i, s, index))
		}
		x += w + 1
	}
	switch {
	case e.marks[m.Name]:
		a.Put(1, y, '*', theme.Match)
	case e.struck[index]:
		a.Put(1, y, '!', theme.Bad)
	}
	if m.Name == e.selected {
		a.Put(0, y, '>', theme.Strong)
		a.Sub(0, 0, min(e.highlight(), a.W()), a.H()).Role(y, chosenIn(v.Focused))
	}
}

// chosenIn is the role of the selected row of a pane, which has the keys or not.
func chosenIn(focused bool) theme.Role {
	if focused {
		return theme.Chosen
	}
	return theme.Picked
}

// highlight is the number of columns of the selected row that stand out: up to the last number or
// curve. The words after them stay as they are, and need not be sent anew whenever the selection moves.
func (e *Entities) highlight() int {
	x, end := 2, 2
	for i, w := range e.widths {
		if w > 0 {
			x += w + 1
			if i == 0 || e.cols[i].live || e.cols[i].past {
				end = x
			}
		}
	}
	return end
}

func nameInk(m *sim.EntityModel) theme.Role {
	switch {
	case m.Info.Category == scene.Robot:
		return theme.Accent
	case m.Static:
		return theme.Dim
	}
	return theme.Plain
}

func (e *Entities) role(i int, snap *sim.Snapshot, index int) theme.Role {
	c, m, s := &e.cols[i], &snap.Model.Entities[index], &snap.Entities[index]
	switch {
	case s.Fault != nil && c.title == "state":
		return theme.Bad
	case c.title == "m/s" && speed(snap, index) > restingSpeed:
		return theme.Good
	case c.right && c.title != "m/s" && !m.Static && !(math.IsNaN(s.Pose.Pos.X)):
		return theme.Plain
	}
	return theme.Dim
}
