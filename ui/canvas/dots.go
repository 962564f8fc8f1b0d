package canvas

import (
	"fmt"
	"math"
	"strings"

	"simdeck/ui/theme"
)

// Symbols is the set of characters for dots.
type Symbols uint8

// Symbols, from the finest to what every terminal has.
const (
	Braille Symbols = iota // 2 × 4 dots in a cell
	Block                  // 1 × 2
	ASCII                  // 1 × 1, and a letter for each role
)

// ParseSymbols reads the name of a set of symbols; empty is Braille.
func ParseSymbols(name string) (Symbols, error) {
	switch strings.ToLower(name) {
	case "", "braille":
		return Braille, nil
	case "block":
		return Block, nil
	case "ascii":
		return ASCII, nil
	}
	return Braille, fmt.Errorf("symbols %q are not known; there are braille, block, ascii", name)
}

// String is the name that ParseSymbols reads.
func (s Symbols) String() string { return [...]string{"braille", "block", "ascii"}[min(s, ASCII)] }

// Dots is a picture of dots, several to a cell. The cell takes the greatest
// role of its dots.
type Dots struct {
	symbols Symbols
	w, h    int // cells
	nx, ny  int // dots in a cell
	bits    []uint8
	roles   []theme.Role
}

// Reset makes the picture empty and w by h cells large.
func (d *Dots) Reset(s Symbols, w, h int) {
	d.symbols, d.w, d.h = s, max(w, 0), max(h, 0)
	d.nx, d.ny = [...]int{2, 1, 1}[s], [...]int{4, 2, 1}[s]
	n := d.w * d.h
	if cap(d.bits) < n {
		d.bits, d.roles = make([]uint8, n), make([]theme.Role, n)
	}
	d.bits, d.roles = d.bits[:n], d.roles[:n]
	clear(d.bits)
	clear(d.roles)
}

// Copy makes d the same picture as src.
func (d *Dots) Copy(src *Dots) {
	d.Reset(src.symbols, src.w, src.h)
	copy(d.bits, src.bits)
	copy(d.roles, src.roles)
}

// Size is the picture's size in dots.
func (d *Dots) Size() (w, h int) { return d.w * d.nx, d.h * d.ny }

// Pitch is the distance between dots, in widths of a cell; a cell is taken to be twice as high as wide.
func (d *Dots) Pitch() (x, y float64) { return 1 / float64(d.nx), 2 / float64(d.ny) }

// Set draws a dot.
func (d *Dots) Set(x, y int, role theme.Role) {
	if x < 0 || y < 0 || x >= d.w*d.nx || y >= d.h*d.ny {
		return
	}
	i := y/d.ny*d.w + x/d.nx
	d.bits[i] |= d.bit(x%d.nx, y%d.ny)
	if role > d.roles[i] {
		d.roles[i] = role
	}
}

// bit is the mark of a dot within its cell: for braille that of Unicode's
// pattern, whose fourth row came later.
func (d *Dots) bit(x, y int) uint8 {
	switch d.symbols {
	case Braille:
		return [2][4]uint8{{1, 2, 4, 64}, {8, 16, 32, 128}}[x][y]
	case Block:
		return 1 << y
	}
	return 1
}

// Line draws a line between two places given in dots, and says of how many. It
// is clipped first, so that its cost does not depend on how far out it reaches.
func (d *Dots) Line(x0, y0, x1, y1 float64, role theme.Role) (dots int) {
	w, h := d.Size()
	x0, y0, x1, y1, ok := clipLine(x0, y0, x1, y1, float64(w-1), float64(h-1))
	if !ok {
		return 0
	}
	// Far out, what cancels out in clipping may leave more than the picture.
	n := int(math.Ceil(min(max(math.Abs(x1-x0), math.Abs(y1-y0)), float64(max(w, h)))))
	for i := 0; i <= n; i++ {
		t := float64(i) / float64(max(n, 1))
		d.Set(int(math.Round(x0+t*(x1-x0))), int(math.Round(y0+t*(y1-y0))), role)
	}
	return n + 1
}

// clipLine cuts a line to 0…w, 0…h (Liang and Barsky 1984); false when none of
// it is inside or it is not finite.
func clipLine(x0, y0, x1, y1, w, h float64) (a, b, c, e float64, ok bool) {
	dx, dy := x1-x0, y1-y0
	if !(dx-dx == 0 && dy-dy == 0) {
		return 0, 0, 0, 0, false
	}
	t0, t1 := 0.0, 1.0
	for _, s := range [4][2]float64{{-dx, x0}, {dx, w - x0}, {-dy, y0}, {dy, h - y0}} {
		p, q := s[0], s[1]
		switch {
		case p == 0 && q < 0:
			return 0, 0, 0, 0, false
		case p < 0:
			t0 = max(t0, q/p)
		case p > 0:
			t1 = min(t1, q/p)
		}
	}
	if t0 > t1 {
		return 0, 0, 0, 0, false
	}
	return x0 + t0*dx, y0 + t0*dy, x0 + t1*dx, y0 + t1*dy, true
}

// Draw puts the picture onto an area; cells without a dot are left alone.
func (d *Dots) Draw(a Area) {
	for y := range d.h {
		for x := range d.w {
			if i := y*d.w + x; d.bits[i] != 0 {
				a.Put(x, y, d.glyph(d.bits[i], d.roles[i]), d.roles[i])
			}
		}
	}
}

func (d *Dots) glyph(bits uint8, role theme.Role) rune {
	switch d.symbols {
	case Braille:
		return 0x2800 + rune(bits)
	case Block:
		return [...]rune{' ', '▀', '▄', '█'}[bits&3]
	}
	switch role {
	case theme.Wall:
		return '#'
	case theme.Return:
		return '*'
	case theme.Robot, theme.Selected:
		return '@'
	case theme.Thing:
		return 'o'
	case theme.Ground, theme.Trajectory:
		return '.'
	case theme.Contact:
		return '!'
	}
	return '+'
}
