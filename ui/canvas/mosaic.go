package canvas

import (
	"fmt"
	"image"
	"strings"

	"simdeck/ui/theme"
)

// Mosaic is the division of a cell of a picture into points, by the characters that Unicode calls block
// mosaics. All points of a cell are in two colours.
type Mosaic uint8

// Mosaics, from what every font has to the finest.
const (
	Half     Mosaic = iota // 1 × 2 points
	Quadrant               // 2 × 2, Unicode 3.2
	Sextant                // 2 × 3, Unicode 13
	Octant                 // 2 × 4, Unicode 16
)

// mostPoints is the number of points in a cell of the finest mosaic.
const mostPoints = 8

// ParseMosaic reads the name of a mosaic.
func ParseMosaic(name string) (Mosaic, error) {
	for m := range Octant + 1 {
		if strings.EqualFold(name, m.String()) {
			return m, nil
		}
	}
	return Half, fmt.Errorf("picture glyphs %q are not known; there are half, quadrant, sextant, octant", name)
}

// String is the name that ParseMosaic reads.
func (m Mosaic) String() string {
	return [...]string{"half", "quadrant", "sextant", "octant"}[min(m, Octant)]
}

// Size is the number of points in a cell, across and down.
func (m Mosaic) Size() (w, h int) {
	return [...]int{1, 2, 2, 2}[min(m, Octant)], [...]int{2, 2, 3, 4}[min(m, Octant)]
}

// quadrants are the characters of 2 × 2 points by the bits of those that are set, row by row from the left.
var quadrants = [16]rune{' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█'}

// elsewhere are the patterns of octants that Unicode had before, and so are not among its octants.
var elsewhere = map[uint8]rune{
	0x00: ' ', 0x01: '\U0001cea8', 0x02: '\U0001ceab', 0x03: '\U0001fb82', 0x05: '▘', 0x0a: '▝', 0x0f: '▀',
	0x14: '\U0001fbe6', 0x28: '\U0001fbe7', 0x3f: '\U0001fb85', 0x40: '\U0001cea3', 0x50: '▖', 0x55: '▌',
	0x5a: '▞', 0x5f: '▛', 0x80: '\U0001cea0', 0xa0: '▗', 0xa5: '▚', 0xaa: '▐', 0xaf: '▜', 0xc0: '▂',
	0xf0: '▄', 0xf5: '▙', 0xfa: '▟', 0xfc: '▆', 0xff: '█',
}

// solids are those of sextants.
var solids = map[uint8]rune{0x00: ' ', 0x15: '▌', 0x2a: '▐', 0x3f: '█'}

// octants are the characters of 2 × 4 points; sextants those of 2 × 3.
var octants, sextants = characters(256, 0x1cd00, elsewhere), characters(64, 0x1fb00, solids)

// characters are n characters in the order of their patterns: those that Unicode had before, and the others
// from next on.
func characters(n int, next rune, before map[uint8]rune) []rune {
	all := make([]rune, n)
	for bits := range all {
		r, ok := before[uint8(bits)]
		if !ok {
			r, next = next, next+1
		}
		all[bits] = r
	}
	return all
}

// Rune is the character in which the points of bits are set. The lowest bit is the upper left point, the
// next one the point right of it.
func (m Mosaic) Rune(bits uint8) rune {
	switch m {
	case Quadrant:
		return quadrants[bits&15]
	case Sextant:
		return sextants[bits&63]
	case Octant:
		return octants[bits]
	}
	return [4]rune{' ', '▀', '▄', '█'}[bits&3]
}

// mosaicBoxes are the points of a character of a mosaic as rectangles in a cell of w by h. Other characters
// have none.
func mosaicBoxes(r rune, w, h float64) (all []box) {
	m, bits, ok := mosaicOf(r)
	if !ok {
		return nil
	}
	nx, ny := m.Size()
	for i := range nx * ny {
		if bits&(1<<i) != 0 {
			all = append(all, box{w * float64(i%nx) / float64(nx), h * float64(i/nx) / float64(ny),
				w / float64(nx), h / float64(ny)})
		}
	}
	return all
}

// mosaicOf finds the pattern of a character.
func mosaicOf(r rune) (m Mosaic, bits uint8, ok bool) {
	if r < '▀' || r > '▟' && r < 0x1cd00 {
		return 0, 0, false
	}
	if found, ok := patterns[r]; ok {
		return found.mosaic, found.bits, true
	}
	return 0, 0, false
}

type pattern struct {
	mosaic Mosaic
	bits   uint8
}

// patterns are all characters of mosaics, each of the coarsest that has it.
var patterns = patternTable()

func patternTable() map[rune]pattern {
	all := map[rune]pattern{}
	for m := Octant; ; m-- {
		w, h := m.Size()
		for bits := range 1 << (w * h) {
			all[m.Rune(uint8(bits))] = pattern{m, uint8(bits)}
		}
		if m == Half {
			return all
		}
	}
}

// Tile is a cell of a picture: its character and its two colours. A cell of one colour is a space, whose Fg
// is its Bg.
type Tile struct {
	Rune   rune
	Fg, Bg RGB
}

// Tile finds the tile that shows the points of a cell best, in the colours of the area's terminal. Points
// stand row by row from the upper left.
func (a Area) Tile(m Mosaic, points []RGB) Tile {
	bits, fg, bg := divide(points)
	f := a.g.fixed
	if f == nil {
		return Tile{m.Rune(bits), fg, bg}
	}
	if front, back := f.of(fg), f.of(bg); bits != 0 && front != back {
		return Tile{m.Rune(bits), f.colour(front), f.colour(back)}
	}
	return f.dithered(m, mean(points))
}

// PutTile draws a cell of a picture.
func (a Area) PutTile(x, y int, t Tile) {
	if p := image.Pt(x, y).Add(a.r.Min); p.In(a.clip) {
		a.g.cells[p.Y*a.g.w+p.X] = Cell{t.Rune, theme.Picture, t.Fg, t.Bg}
	}
}

// invisible is the difference of a primary within a cell that is not drawn: it would cost octets on the line.
const invisible = 4

// divide finds two colours for at most mostPoints points and the bits of those that take the first. It looks
// for the split across the axis along which the points differ most. The second colour is that of most points,
// and of the last one where both have as many.
func divide(points []RGB) (bits uint8, fg, bg RGB) {
	if flat(points) {
		c := mean(points)
		return 0, c, c
	}
	n := len(points)
	order := byProjection(points)
	var all, part [3]int
	for _, p := range points {
		for i := range all {
			all[i] += int(p[i])
		}
	}
	best, above, below := 0, 0, 1
	for k := 1; k < n; k++ {
		between := 0
		for i, v := range points[order[k-1]] {
			part[i] += int(v)
			d := n*part[i] - k*all[i]
			between += d * d
		}
		if part := k * (n - k); between*below > above*part {
			best, above, below = k, between, part
		}
	}
	for _, i := range order[:best] {
		bits |= 1 << i
	}
	if whole := uint8(1<<n - 1); best > n-best || best == n-best && bits&(1<<(n-1)) != 0 {
		bits ^= whole
	}
	return bits, meanOf(points, bits), meanOf(points, ^bits)
}

// flat reports that nobody could tell the points apart.
func flat(points []RGB) bool {
	low, high := points[0], points[0]
	for _, p := range points[1:] {
		for i, v := range p {
			low[i], high[i] = min(low[i], v), max(high[i], v)
		}
	}
	return max(high[0]-low[0], high[1]-low[1], high[2]-low[2]) <= invisible
}

// byProjection orders points along the axis on which they differ most, the first of their principal
// components. It is found by power iteration from the point that is farthest from the mean.
func byProjection(points []RGB) (order [mostPoints]int) {
	n := len(points)
	var from [mostPoints][3]int // n times the mean
	var sum, axis [3]int
	for _, p := range points {
		for i, v := range p {
			sum[i] += int(v)
		}
	}
	far := -1
	for k, p := range points {
		for i, v := range p {
			from[k][i] = n*int(v) - sum[i]
		}
		if d := dot(from[k], from[k]); d > far {
			far, axis = d, from[k]
		}
	}
	for range 3 {
		var next [3]int
		for _, d := range from[:n] {
			along := dot(d, axis)
			for i, v := range d {
				next[i] += along * v
			}
		}
		most := max(max(next[0], -next[0]), max(next[1], -next[1]), max(next[2], -next[2]))
		if most == 0 {
			break
		}
		for i, v := range next {
			axis[i] = v / (most>>10 + 1)
		}
	}
	var at [mostPoints]int
	for k := range n {
		along, i := dot(from[k], axis), k
		for ; i > 0 && at[i-1] > along; i-- {
			at[i], order[i] = at[i-1], order[i-1]
		}
		at[i], order[i] = along, k
	}
	return order
}

func dot(a, b [3]int) int { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// mean is the mean colour of points.
func mean(points []RGB) RGB { return meanOf(points, 0xff) }

// meanOf is the mean colour of the points of bits, of which there is one at least.
func meanOf(points []RGB, bits uint8) (c RGB) {
	n := 0
	var sum [3]int
	for k, p := range points {
		if bits&(1<<k) != 0 {
			n++
			for i, v := range p {
				sum[i] += int(v)
			}
		}
	}
	for i, v := range sum {
		c[i] = uint8((v + n/2) / n)
	}
	return c
}
