package pane

import (
	"fmt"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// leastFolded is the number of fixed entities from which on they share a row.
const leastFolded = 3

// fold is the row that stands for the fixed entities of a world: floors, walls, shelves. They follow it while
// it is open.
type fold struct {
	on      bool    // there is such a row
	open    bool    // fixed entities are shown behind it
	chosen  bool    // the cursor is on it
	at      int     // its row
	statics []int32 // indices into the model's entities
}

// part orders entities: what is not fixed, and the others behind it, unless they are folded.
func (f *fold) part(order []int32, m []sim.EntityModel) []int32 {
	f.statics = f.statics[:0]
	for i := range m {
		if m[i].Static && m[i].Info.Category != scene.Robot {
			f.statics = append(f.statics, int32(i))
			continue
		}
		order = append(order, int32(i))
	}
	f.at = len(order)
	if f.on = len(f.statics) >= leastFolded && f.at > 0; f.on && !f.open {
		return order
	}
	f.chosen = f.chosen && f.on
	return append(order, f.statics...)
}

// row is the row of the k-th entity that is shown.
func (f *fold) row(k int) int {
	if f.on && k >= f.at {
		return k + 1
	}
	return k
}

// hidden is the number of entities that are folded.
func (f *fold) hidden() int {
	if f.on && !f.open {
		return len(f.statics)
	}
	return 0
}

// hides reports that an entity is folded.
func (f *fold) hides(index int) bool {
	return f.hidden() > 0 && slices.Contains(f.statics, int32(index))
}

// rows is the number of rows of the table.
func (e *Entities) rows() int {
	if e.fold.on {
		return len(e.order) + 1
	}
	return len(e.order)
}

// at is the entity in a row, as an index into the model's; -1: the row is the fold.
func (e *Entities) at(row int) int {
	if e.fold.on && row >= e.fold.at {
		if row--; row < e.fold.at {
			return -1
		}
	}
	if row < 0 || row >= len(e.order) {
		return -1
	}
	return int(e.order[row])
}

// Wanted is the number of rows that show all, whatever the filter hides.
func (e *Entities) Wanted() int {
	if e.model == nil {
		return 0
	}
	n := len(e.model.Entities) - len(e.fold.statics)
	if len(e.fold.statics) >= leastFolded && n > 0 {
		if n++; !e.fold.open {
			return n
		}
	}
	return n + len(e.fold.statics)
}

// OnFold reports that the cursor is on the row that stands for the fixed entities.
func (e *Entities) OnFold() bool { return e.fold.on && e.fold.chosen }

// Fold shows the fixed entities below their row, or puts them away.
func (e *Entities) Fold() { e.unfold(!e.fold.open) }

func (e *Entities) unfold(open bool) {
	e.fold.open, e.stale = open, true
	e.refilter()
	e.syncCursor()
}

// drawFold draws the row that stands for the fixed entities, with the names that there is room for.
func (e *Entities) drawFold(a canvas.Area, y int, focused bool) {
	sign, names := "▾", ""
	if !e.fold.open {
		sign = "▸"
		var all []string
		for _, i := range e.fold.statics[:min(len(e.fold.statics), a.W()/2)] {
			all = append(all, e.model.Entities[i].Name)
		}
		names = strings.Join(all, ", ")
	}
	x := a.Text(2, y, fmt.Sprintf("%s %d static", sign, len(e.fold.statics)), theme.Plain) + 2
	a.Clip(x, y, min(canvas.TextWidth(names), a.W()-x), names, theme.Dim)
	if e.OnFold() {
		a.Put(0, y, '>', theme.Strong)
		a.Sub(0, 0, x-2, a.H()).Role(y, chosenIn(focused))
	}
}
