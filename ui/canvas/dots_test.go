package canvas

import (
	"math"
	"testing"

	"simdeck/ui/theme"
)

func draw(s Symbols, w, h int, f func(*Dots)) string {
	var d Dots
	d.Reset(s, w, h)
	f(&d)
	g := NewCellBuffer(w, h)
	d.Draw(g.All())
	return g.Plain()
}

func TestDotsFillTheirCell(t *testing.T) {
	for _, c := range []struct {
		s    Symbols
		want string
	}{{Braille, "⣿"}, {Block, "█"}, {ASCII, "#"}} {
		got := draw(c.s, 1, 1, func(d *Dots) {
			w, h := d.Size()
			for y := range h {
				for x := range w {
					d.Set(x, y, theme.Wall)
				}
			}
		})
		if got != c.want {
			t.Errorf("%s: a full cell is %q, want %q", c.s, got, c.want)
		}
	}
}

func TestEachDotIsWhereUnicodeHasIt(t *testing.T) {
	want := [2][4]string{{"⠁", "⠂", "⠄", "⡀"}, {"⠈", "⠐", "⠠", "⢀"}}
	for x := range 2 {
		for y := range 4 {
			if got := draw(Braille, 1, 1, func(d *Dots) { d.Set(x, y, theme.Wall) }); got != want[x][y] {
				t.Errorf("dot %d, %d is %q, want %q", x, y, got, want[x][y])
			}
		}
	}
}

func TestTheGreaterInkHasTheCell(t *testing.T) {
	var d Dots
	d.Reset(Braille, 1, 1)
	d.Set(0, 0, theme.Robot)
	d.Set(1, 1, theme.Wall)
	g := NewCellBuffer(1, 1)
	d.Draw(g.All())
	if g.At(0, 0) != (Cell{Rune: '⠑', Role: theme.Robot}) {
		t.Errorf("got %v", g.At(0, 0))
	}
}

func TestLinesAreClippedBeforeTheyAreDrawn(t *testing.T) {
	far := draw(Braille, 4, 1, func(d *Dots) { d.Line(-1e12, 1, 1e12, 1, theme.Wall) })
	if far != "⠒⠒⠒⠒" {
		t.Errorf("a line through the picture is %q", far)
	}
	for _, l := range [][4]float64{
		{math.NaN(), 0, 3, 3}, {0, 0, math.Inf(1), 0}, {-5, -5, -1, 40}, {0, -3, 7, -3}, {0, 99, 7, 99},
	} {
		if got := draw(Braille, 4, 1, func(d *Dots) {
			d.Line(l[0], l[1], l[2], l[3],
				theme.Wall)
		}); got != "    " {
			t.Errorf("line %v draws %q", l, got)
		}
	}
	if got := draw(Block, 2, 1, func(d *Dots) { d.Line(0, 0, 1, 1, theme.Wall) }); got != "▀▄" {
		t.Errorf("a diagonal is %q", got)
	}
}

func TestSymbolsAreKnownByName(t *testing.T) {
	for _, s := range []Symbols{Braille, Block, ASCII} {
		if got, err := ParseSymbols(s.String()); got != s || err != nil {
			t.Errorf("%s reads as %v, %v", s, got, err)
		}
	}
	if _, err := ParseSymbols("sixel"); err == nil {
		t.Error("sixel is taken for a set of symbols")
	}
}
