// Package canvas holds the surface that the console draws on: a grid of cells (rune and role), and finer dots
// for maps and curves. Everything drawn is clipped to its area and freed of control characters and of runes
// with an ambiguous width. A frame is therefore exactly as wide and high as its window, whatever the name of
// an entity.
package canvas

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"simdeck/ui/theme"
)

// RGB is a colour of a picture: red, green, blue.
type RGB [3]uint8

// Cell is one place on the screen. A rune of two columns is followed by a
// cell with rune 0.
type Cell struct {
	Rune   rune
	Role   theme.Role
	Fg, Bg RGB // where the role is theme.Picture
}

// CellBuffer is a screen of cells.
type CellBuffer struct {
	ASCII bool // write only what every terminal and font has

	fixed   *fixedColours // of a terminal with 256 or 16 colours; nil: it has all
	w, h    int
	cells   []Cell
	written int // characters that were put since Clear, those outside of their area too
}

// Overdrawn is the panic value of drawing that never ends: its callers recover it and report that.
type Overdrawn struct{ Written int }

// Error is the sentence.
func (o Overdrawn) Error() string {
	return fmt.Sprintf("%d characters were drawn and more came", o.Written)
}

// Bounds of the cells written between two calls of Clear: many times those of 100,000 robots, less than a
// noticeable delay.
const (
	mostWritten = 1 << 22
	mostPerCell = 64
)

// count counts characters that are put onto the grid.
func (g *CellBuffer) count() {
	if g.written++; g.written > mostWritten && g.written > mostPerCell*len(g.cells) {
		panic(Overdrawn{g.written})
	}
}

// Recount begins to count anew: for what is drawn beside something that never came to its end.
func (g *CellBuffer) Recount() { g.written = 0 }

// Written is the number of characters put since Clear, hidden ones too: the cost of drawing.
func (g *CellBuffer) Written() int { return g.written }

// NewCellBuffer makes an empty grid of w by h cells.
func NewCellBuffer(w, h int) *CellBuffer {
	g := &CellBuffer{}
	g.Resize(w, h)
	return g
}

// Clone is a grid of the same cells.
func (g *CellBuffer) Clone() *CellBuffer {
	c := *g
	c.cells = slices.Clone(g.cells)
	return &c
}

// Size of the grid in cells.
func (g *CellBuffer) Size() (w, h int) { return g.w, g.h }

// Resize makes the grid w by h cells and empties it.
func (g *CellBuffer) Resize(w, h int) {
	g.w, g.h = max(w, 0), max(h, 0)
	if n := g.w * g.h; cap(g.cells) < n {
		g.cells = make([]Cell, n)
	} else {
		g.cells = g.cells[:n]
	}
	g.Clear()
}

// Clear empties every cell.
func (g *CellBuffer) Clear() {
	g.written = 0
	for i := range g.cells {
		g.cells[i] = Cell{Rune: ' '}
	}
}

// At is the cell at a place; an empty one outside.
func (g *CellBuffer) At(x, y int) Cell {
	if x < 0 || y < 0 || x >= g.w || y >= g.h {
		return Cell{Rune: ' '}
	}
	return g.cells[y*g.w+x]
}

// Area is the part of the grid within r.
func (g *CellBuffer) Area(r image.Rectangle) Area {
	return Area{g: g, r: r, clip: r.Intersect(image.Rect(0, 0, g.w, g.h))}
}

// All is the whole grid.
func (g *CellBuffer) All() Area { return g.Area(image.Rect(0, 0, g.w, g.h)) }

// Plain is the text of the grid without roles: h lines of w columns.
func (g *CellBuffer) Plain() string {
	var b strings.Builder
	b.Grow(len(g.cells) + g.h)
	g.write(&b, nil)
	return b.String()
}

// Styled is the text of the grid with the escape sequences of a theme.
func (g *CellBuffer) Styled(t *theme.Theme) string {
	var b strings.Builder
	b.Grow(3*len(g.cells) + 16*g.h)
	g.write(&b, t)
	return b.String()
}

func (g *CellBuffer) write(b *strings.Builder, t *theme.Theme) {
	for y := range g.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		row := g.cells[y*g.w:][:g.w]
		role := theme.Plain
		for x := 0; x < len(row); x++ {
			r, wide := visible(row, x)
			if g.ASCII && r >= utf8.RuneSelf && !wide {
				r = asciiFallback(r)
			}
			if t != nil && r == ' ' && row[x].Role != role && t.Blank(role) && goesOn(row[x:], role, t) {
				b.WriteByte(' ')
				continue
			}
			if t != nil && (row[x].Role != role ||
				role == theme.Picture && !g.sameColours(row[x], row[x-1])) {
				role = row[x].Role
				row[x].sgr(b, t, g.fixed)
			}
			switch {
			case row[x].Role == theme.Placed && t != nil:
				row[x].placeholder(b)
			case row[x].Role == theme.Placed:
				b.WriteByte(' ')
			case r < utf8.RuneSelf:
				b.WriteByte(byte(r))
			default:
				b.WriteRune(r)
			}
			if wide {
				x++
			}
		}
		if t != nil && role != theme.Plain {
			b.WriteString("\x1b[0m")
		}
	}
}

// widestGap is the most spaces between words of one role that are written in it: cheaper than two switches.
const widestGap = 8

// goesOn reports that after a few spaces comes something in a role.
func goesOn(row []Cell, role theme.Role, t *theme.Theme) bool {
	for i := range min(len(row), widestGap+1) {
		if row[i].Rune != ' ' {
			return row[i].Role == role
		}
		if !t.Blank(row[i].Role) {
			return false
		}
	}
	return false
}

// FixedColours has pictures written in the 240 fixed colours of a terminal with 256.
func (g *CellBuffer) FixedColours() { g.fixed = newFixedColours(fixedPalette()) }

// SixteenColours has pictures written in the sixteen colours of a terminal's palette, as xterm has them.
func (g *CellBuffer) SixteenColours() { g.fixed = newFixedColours(sixteenPalette()) }

// sameColours reports that a cell of a picture is written in the colours of the one before. Those of a space
// are its Bg alone.
func (g *CellBuffer) sameColours(a, b Cell) bool {
	if (a.Rune == ' ') != (b.Rune == ' ') {
		return false
	}
	if f := g.fixed; f != nil {
		return f.of(a.Bg) == f.of(b.Bg) && (a.Rune == ' ' || f.of(a.Fg) == f.of(b.Fg))
	}
	return a.Bg == b.Bg && (a.Rune == ' ' || a.Fg == b.Fg)
}

// sgr writes the escape sequence that switches to a cell's colours.
func (c *Cell) sgr(b *strings.Builder, t *theme.Theme, fixed *fixedColours) {
	if c.Role != theme.Picture {
		b.WriteString(t.SGR(c.Role))
		return
	}
	var buf [48]byte
	s := append(buf[:0], "\x1b[0"...)
	if c.Rune != ' ' {
		s = appendColour(s, fixed, c.Fg, 30)
	}
	b.Write(append(appendColour(s, fixed, c.Bg, 40), 'm'))
}

// appendColour writes the parameters that set a colour: of letters for base 30, of what is behind for 40.
func appendColour(s []byte, fixed *fixedColours, c RGB, base int) []byte {
	if fixed != nil {
		switch i := int(fixed.of(c)); {
		case i < 8:
			return strconv.AppendInt(append(s, ';'), int64(base+i), 10)
		case i < 16:
			return strconv.AppendInt(append(s, ';'), int64(base+60+i-8), 10)
		default:
			s = strconv.AppendInt(append(s, ';'), int64(base+8), 10)
			return strconv.AppendInt(append(s, ";5;"...), int64(i), 10)
		}
	}
	s = append(strconv.AppendInt(append(s, ';'), int64(base+8), 10), ";2"...)
	for _, v := range c {
		s = strconv.AppendInt(append(s, ';'), int64(v), 10)
	}
	return s
}

// visible is the rune that shows at a column. Half of a wide rune whose other
// half was drawn over is a space.
func visible(row []Cell, x int) (r rune, wide bool) {
	r = row[x].Rune
	if r < utf8.RuneSelf {
		return max(r, ' '), false
	}
	if Width(r) == 2 {
		if x+1 < len(row) && row[x+1].Rune == 0 {
			return r, true
		}
		return ' ', false
	}
	return r, false
}
