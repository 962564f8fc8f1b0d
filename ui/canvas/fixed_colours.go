package canvas

import (
	"math"

	"simdeck/ui/theme"
)

// fixedColours chooses colours of a terminal's palette for those of a picture: the nearest in Oklab
// (B. Ottosson, "A perceptual color space for image processing", 2020). Nearest in red, green and blue, a
// bluish grey becomes lavender.
type fixedColours struct {
	first  int // number of the palette's first colour
	rgb    []RGB
	lab    []oklab
	chosen [1 << 15]uint8   // by five bits of each primary, 1 + index in the palette; 0: not looked for yet
	mixes  [1 << 15]mixture // the same
}

// mixture is two colours of a palette of which points are set side by side.
type mixture struct {
	back, front uint8
	quarters    uint8 // of a cell in the front colour
	known       bool
}

// oklab is a colour by lightness, green to red, and blue to yellow.
type oklab [3]float64

// fixedPalette is the colours 16 to 255 of a terminal, which are the same everywhere.
func fixedPalette() (first int, rgb []RGB) {
	var terminal screen
	for i := range theme.Colour(240) {
		rgb = append(rgb, terminal.colour(16+i))
	}
	return 16, rgb
}

// sixteenPalette is the colours 0 to 15 as xterm has them. Users change them, but hardly which is brighter.
func sixteenPalette() (first int, rgb []RGB) {
	return 0, []RGB{{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205},
		{0, 205, 205}, {229, 229, 229}, {127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0},
		{92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255}}
}

// newFixedColours measures the colours of a palette.
func newFixedColours(first int, rgb []RGB) *fixedColours {
	f := &fixedColours{first: first, rgb: rgb}
	for _, c := range rgb {
		f.lab = append(f.lab, oklabOf(c))
	}
	return f
}

// of is the number of the nearest colour.
func (f *fixedColours) of(c RGB) uint8 {
	k := key(c)
	if f.chosen[k] == 0 {
		f.chosen[k] = uint8(1 + f.nearest(oklabOf(middle(c))))
	}
	return f.chosen[k] - 1 + uint8(f.first)
}

// colour is the colour of a number.
func (f *fixedColours) colour(i uint8) RGB { return f.rgb[int(i)-f.first] }

func key(c RGB) int { return int(c[0])>>3<<10 | int(c[1])>>3<<5 | int(c[2])>>3 }

// middle is the middle of all colours with the key of one.
func middle(c RGB) (m RGB) {
	for i, v := range c {
		m[i] = v>>3<<3 | v>>5
	}
	return m
}

// chromaCounts is the weight of hue and chroma beside lightness: a wrong tint shows more than a wrong shade.
const chromaCounts = 2.0

func (a oklab) distance(b oklab) float64 {
	l, x, y := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return l*l + chromaCounts*(x*x+y*y)
}

// coarseness is the visibility of a pattern of two colours.
func (a oklab) coarseness(b oklab) float64 {
	l, x, y := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return l*l + speckles*(x*x+y*y)
}

func (f *fixedColours) nearest(c oklab) (best int) {
	least := math.Inf(1)
	for i, o := range f.lab {
		if d := c.distance(o); d < least {
			best, least = i, d
		}
	}
	return best
}

// Of mixing colours in a cell.
const (
	candidates = 8    // colours near the wanted one of which pairs are looked at
	grain      = 0.12 // the weight of the difference between two mixed colours, which shows as a pattern
	speckles   = 10   // that of hue and chroma beside it: grey of lavender and olive would be neither
)

// mix finds the colours whose points together look most like one colour. The result is kept.
func (f *fixedColours) mix(c RGB) mixture {
	k := key(c)
	if m := f.mixes[k]; m.known {
		return m
	}
	want := oklabOf(middle(c))
	near := f.near(want)
	best := mixture{back: uint8(near[0]), front: uint8(near[0]), known: true}
	least := want.distance(f.lab[near[0]])
	for _, a := range near {
		for _, b := range near {
			for _, quarters := range []uint8{1, 2} {
				if a == b {
					continue
				}
				part := float64(quarters) / 4
				var sum oklab
				for i := range sum {
					sum[i] = (1-part)*f.lab[a][i] + part*f.lab[b][i]
				}
				d := want.distance(sum) + grain*part*(1-part)*f.lab[a].coarseness(f.lab[b])
				if d < least {
					best, least = mixture{uint8(a), uint8(b), quarters, true}, d
				}
			}
		}
	}
	f.mixes[k] = best
	return best
}

// near are the colours of the palette that are nearest to one, the nearest first.
func (f *fixedColours) near(c oklab) []int {
	best := make([]int, 0, candidates+1)
	for i := range f.lab {
		at := len(best)
		for at > 0 && c.distance(f.lab[best[at-1]]) > c.distance(f.lab[i]) {
			at--
		}
		if at == candidates {
			continue
		}
		best = append(best, 0)
		copy(best[at+1:], best[at:])
		best[at] = i
		best = best[:min(len(best), candidates)]
	}
	return best
}

// dithered is a tile that looks like one colour: points of two colours, or one that is near enough.
func (f *fixedColours) dithered(m Mosaic, c RGB) Tile {
	x := f.mix(c)
	front, back := f.rgb[x.front], f.rgb[x.back]
	if m == Half || x.quarters == 0 { // stripes would show
		c := f.colour(f.of(c))
		return Tile{' ', c, c}
	}
	bits := [3]uint8{0, 0x8, 0x9}[x.quarters]
	if m == Octant {
		return Tile{m.Rune([3]uint8{0, 0x42, 0x69}[x.quarters]), front, back}
	}
	return Tile{quadrants[bits], front, back}
}

// oklabOf converts a colour of sRGB.
func oklabOf(c RGB) oklab {
	var v [3]float64
	for i, x := range c {
		if v[i] = float64(x) / 255; v[i] <= 0.04045 {
			v[i] /= 12.92
		} else {
			v[i] = math.Pow((v[i]+0.055)/1.055, 2.4)
		}
	}
	l := math.Cbrt(0.4122214708*v[0] + 0.5363325363*v[1] + 0.0514459929*v[2])
	m := math.Cbrt(0.2119034982*v[0] + 0.6806995451*v[1] + 0.1073969566*v[2])
	s := math.Cbrt(0.0883024619*v[0] + 0.2817188376*v[1] + 0.6299787005*v[2])
	return oklab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}
