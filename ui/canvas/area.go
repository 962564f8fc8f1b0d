package canvas

import (
	"image"

	"simdeck/ui/theme"
)

// Area is a window into a grid, with its own origin. Cells outside of it are not drawn.
type Area struct {
	g       *CellBuffer
	r, clip image.Rectangle
}

// W is the width in cells.
func (a Area) W() int { return a.r.Dx() }

// H is the height in cells.
func (a Area) H() int { return a.r.Dy() }

// Rect is the rectangle of the area in its grid.
func (a Area) Rect() image.Rectangle { return a.r }

// Sub is a window into the area: x, y from its origin.
func (a Area) Sub(x, y, w, h int) Area {
	r := image.Rect(x, y, x+max(w, 0), y+max(h, 0)).Add(a.r.Min)
	return Area{g: a.g, r: r, clip: r.Intersect(a.clip)}
}

// Put draws a rune and returns the column after it.
func (a Area) Put(x, y int, r rune, role theme.Role) int {
	w := Width(r)
	a.g.count()
	p := image.Pt(x, y).Add(a.r.Min)
	if w > 0 && p.In(a.clip) && p.X+w <= a.clip.Max.X {
		i := p.Y*a.g.w + p.X
		a.g.cells[i] = Cell{Rune: r, Role: role}
		if w == 2 {
			a.g.cells[i+1] = Cell{Role: role}
		}
	}
	return x + w
}

// Text draws a text and returns the column after it.
func (a Area) Text(x, y int, s string, role theme.Role) int {
	for _, r := range s {
		x = a.Put(x, y, r, role)
	}
	return x
}

// Clip draws a text in w columns and returns the column after them; what does
// not fit ends in an ellipsis.
func (a Area) Clip(x, y, w int, s string, role theme.Role) int {
	if w <= 0 {
		return x
	}
	end := x + w
	cut := TextWidth(s) > w
	for _, r := range s {
		n := Width(r)
		if cut && x+n > end-1 || x+n > end {
			a.Put(x, y, '…', role)
			break
		}
		x = a.Put(x, y, r, role)
	}
	return end
}

// Right draws a text so that it ends before column x and returns its first.
func (a Area) Right(x, y int, s string, role theme.Role) int {
	x -= TextWidth(s)
	a.Text(x, y, s, role)
	return x
}

// Fill draws a rune into every cell.
func (a Area) Fill(r rune, role theme.Role) {
	for y := a.clip.Min.Y; y < a.clip.Max.Y; y++ {
		row := a.g.cells[y*a.g.w:]
		for x := a.clip.Min.X; x < a.clip.Max.X; x++ {
			row[x] = Cell{Rune: r, Role: role}
		}
	}
}

// Role gives a line another role and keeps its text.
func (a Area) Role(y int, role theme.Role) {
	y += a.r.Min.Y
	if y < a.clip.Min.Y || y >= a.clip.Max.Y {
		return
	}
	row := a.g.cells[y*a.g.w:]
	for x := a.clip.Min.X; x < a.clip.Max.X; x++ {
		row[x].Role = role
	}
}

// Frame draws a border around the area and returns what is inside.
func (a Area) Frame(role theme.Role) Area {
	w, h := a.W(), a.H()
	for x := 1; x < w-1; x++ {
		a.Put(x, 0, '─', role)
		a.Put(x, h-1, '─', role)
	}
	for y := 1; y < h-1; y++ {
		a.Put(0, y, '│', role)
		a.Put(w-1, y, '│', role)
	}
	a.Put(0, 0, '┌', role)
	a.Put(w-1, 0, '┐', role)
	a.Put(0, h-1, '└', role)
	a.Put(w-1, h-1, '┘', role)
	return a.Sub(1, 1, w-2, h-2)
}
