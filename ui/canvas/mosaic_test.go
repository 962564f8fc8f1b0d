package canvas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"simdeck/ui/theme"
)

// TestCharactersOfMosaicsAreThoseOfUnicode: code points of the standard's charts, by its names.
func TestCharactersOfMosaicsAreThoseOfUnicode(t *testing.T) {
	for _, c := range []struct {
		m      Mosaic
		points string // the numbers of those that are set, as Unicode's names have them
		want   rune
	}{
		{Half, "1", '▀'}, {Half, "2", '▄'}, {Half, "12", '█'}, {Half, "", ' '},
		{Quadrant, "1", '▘'}, {Quadrant, "2", '▝'}, {Quadrant, "3", '▖'}, {Quadrant, "4", '▗'},
		{Quadrant, "13", '▌'}, {Quadrant, "134", '▙'}, {Quadrant, "23", '▞'},
		{Sextant, "1", 0x1fb00}, {Sextant, "2", 0x1fb01}, {Sextant, "34", 0x1fb0b}, {Sextant, "234", 0x1fb0d},
		{Sextant, "135", '▌'}, {Sextant, "235", 0x1fb14}, {Sextant, "2345", 0x1fb1c}, {Sextant, "246", '▐'},
		{Sextant, "1246", 0x1fb28}, {Sextant, "23456", 0x1fb3b}, {Sextant, "123456", '█'},
		{Octant, "3", 0x1cd00}, {Octant, "23", 0x1cd01}, {Octant, "123", 0x1cd02}, {Octant, "4", 0x1cd03},
		{Octant, "2345678", 0x1cde5}, {Octant, "1", 0x1cea8}, {Octant, "8", 0x1cea0}, {Octant, "35", 0x1fbe6},
		{Octant, "1234", '▀'}, {Octant, "78", '▂'}, {Octant, "123456", 0x1fb85},
	} {
		var bits uint8
		for _, p := range c.points {
			bits |= 1 << (p - '1')
		}
		if got := c.m.Rune(bits); got != c.want {
			t.Errorf("%s %q is %U, want %U", c.m, c.points, got, c.want)
		}
	}
}

func TestACharacterOfAMosaicIsDrawnAsItsPoints(t *testing.T) {
	for m := range Octant + 1 {
		nx, ny := m.Size()
		for bits := 1; bits < 1<<(nx*ny); bits++ {
			r := m.Rune(uint8(bits))
			if n := ansi.StringWidth(string(r)); n != 1 { // as Bubble Tea's renderer counts
				t.Fatalf("%s %b is %U, %d columns wide", m, bits, r, n)
			}
			var shown uint8
			for _, b := range boxes(r, 1, 1, 0) {
				for i := range nx * ny {
					x, y := (float64(i%nx)+0.5)/float64(nx), (float64(i/nx)+0.5)/float64(ny)
					if x >= b.x && x < b.x+b.w && y >= b.y && y < b.y+b.h {
						shown |= 1 << i
					}
				}
			}
			if int(shown) != bits {
				t.Errorf("%s %U shows the points %b, want %b", m, r, shown, bits)
			}
		}
	}
}

// loss is the squared error of points that are shown in two colours.
func loss(points []RGB, bits uint8, fg, bg RGB) (sum float64) {
	for k, p := range points {
		c := bg
		if bits&(1<<k) != 0 {
			c = fg
		}
		for i := range p {
			d := float64(p[i]) - float64(c[i])
			sum += d * d
		}
	}
	return sum
}

// cells of all kinds: noise, edges between two colours, slopes, three colours.
func cells(r *rand.Rand, n int) (points []RGB) {
	colour := func() RGB { return RGB{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256))} }
	all := []RGB{colour(), colour(), colour()}
	kind := r.IntN(4)
	for k := range n {
		switch kind {
		case 0:
			points = append(points, colour())
		case 1:
			points = append(points, all[r.IntN(2)])
		case 2:
			points = append(points, mixed(all[0], all[1], float64(k)/float64(n)))
		default:
			points = append(points, all[r.IntN(3)])
		}
	}
	return points
}

// TestTwoColoursOfACellAreNearlyTheBest compares with all ways to divide the points.
func TestTwoColoursOfACellAreNearlyTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 4, 6, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var got, best, one float64
			for range 2000 {
				points := cells(r, n)
				bits, fg, bg := divide(points)
				mine, least := loss(points, bits, fg, bg), math.Inf(1)
				for other := range 1 << (n - 1) {
					front, back := mean(points), meanOf(points, ^uint8(other))
					if other != 0 {
						front = meanOf(points, uint8(other))
					}
					least = min(least, loss(points, uint8(other), front, back))
				}
				if n <= 2 && mine > least {
					t.Fatalf("%v: lost %v, want %v", points, mine, least)
				}
				got, best = got+mine, best+least
				one += loss(points, 0, mean(points), mean(points))
			}
			t.Logf("lost %.4f of what one colour loses, at best %.4f", got/one, best/one)
			if got > 1.05*best+1e-3*one {
				t.Errorf("lost %.4f of what one colour loses, the best is %.4f", got/one, best/one)
			}
		})
	}
}

func TestACellOfOneColourIsASpaceThatCostsOneColour(t *testing.T) {
	g := NewCellBuffer(3, 1)
	grey := []RGB{{90, 90, 90}, {92, 90, 90}, {90, 91, 90}, {90, 90, 90}}
	edge := []RGB{{90, 90, 90}, {90, 90, 90}, {90, 90, 90}, {10, 200, 30}}
	for x, points := range [][]RGB{grey, grey, edge} {
		g.All().PutTile(x, 0, g.All().Tile(Quadrant, points))
	}
	th, err := theme.New("")
	if err != nil {
		t.Fatal(err)
	}
	want := "\x1b[0;48;2;91;90;90m  \x1b[0;38;2;10;200;30;48;2;90;90;90m▗\x1b[0m"
	if got := g.Styled(th); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestMixedColoursAreNearerThanOneAlone: of the sky, shadows and wood, on palettes that have none of them.
func TestMixedColoursAreNearerThanOneAlone(t *testing.T) {
	for _, c := range []struct {
		name string
		f    *fixedColours
		part float64 // of the error of one colour
	}{{"256", newFixedColours(fixedPalette()), 0.97}, {"16", newFixedColours(sixteenPalette()), 0.7}} {
		var alone, together float64
		for _, wanted := range []RGB{{170, 177, 191}, {44, 47, 54}, {120, 118, 114}, {120, 80, 40},
			{60, 160, 60}} {
			tile, want := c.f.dithered(Octant, wanted), oklabOf(wanted)
			part := 0.0
			for _, b := range boxes(tile.Rune, 1, 1, 0) {
				part += b.w * b.h
			}
			var sum oklab
			front, back := oklabOf(tile.Fg), oklabOf(tile.Bg)
			for i := range sum {
				sum[i] = part*front[i] + (1-part)*back[i]
			}
			together += math.Sqrt(want.distance(sum))
			alone += math.Sqrt(want.distance(oklabOf(c.f.colour(c.f.of(wanted)))))
		}
		t.Logf("%s colours: off by %.3f alone, %.3f mixed", c.name, alone, together)
		if together >= c.part*alone {
			t.Errorf("%s colours: off by %.3f alone, %.3f mixed", c.name, alone, together)
		}
	}
}

func TestAColourOfThePaletteIsItself(t *testing.T) {
	for _, f := range []*fixedColours{newFixedColours(fixedPalette()), newFixedColours(sixteenPalette())} {
		for i, c := range f.rgb {
			if got := f.colour(f.of(c)); oklabOf(got).distance(oklabOf(c)) > 1e-3 {
				t.Errorf("colour %d, %v, is written as %v", i+f.first, c, got)
			}
		}
	}
}

func TestInSixteenColoursAPictureUsesThoseOfThePalette(t *testing.T) {
	g := NewCellBuffer(1, 1)
	g.SixteenColours()
	g.All().PutTile(0, 0, g.All().Tile(Half, []RGB{{250, 10, 10}, {10, 10, 10}}))
	th, err := theme.New("")
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Styled(th); !strings.Contains(got, "\x1b[0;91;40m▀") {
		t.Errorf("%q", got)
	}
}

func TestMosaicsAreKnownByTheirNames(t *testing.T) {
	for m := range Octant + 1 {
		if got, err := ParseMosaic(m.String()); err != nil || got != m {
			t.Errorf("%s: %v, %v", m, got, err)
		}
	}
	if _, err := ParseMosaic("hexant"); err == nil || !strings.Contains(err.Error(), "sextant") {
		t.Errorf("hexant: %v", err)
	}
}

func BenchmarkTile(b *testing.B) {
	r, g := rand.New(rand.NewPCG(1, 2)), NewCellBuffer(1, 1)
	for m := range Octant + 1 {
		w, h := m.Size()
		for _, kind := range []string{"flat", "edges"} {
			b.Run(m.String()+"/"+kind, func(b *testing.B) {
				all := make([][]RGB, 256)
				for i := range all {
					if all[i] = cells(r, w*h); kind == "flat" {
						all[i] = make([]RGB, w*h)
					}
				}
				for i := range b.N {
					g.All().Tile(m, all[i%256])
				}
			})
		}
	}
}
