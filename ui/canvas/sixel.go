package canvas

import (
	"fmt"
	"strconv"
	"strings"
)

// levels is the number of shades of each primary in a sixel picture.
const levels = 6

// dither is a 4 by 4 threshold map (Bayer 1973), which spreads what the shades
// do not show.
var dither = [16]int{0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5}

// Sixel is a picture of w by h points, three bytes each, as DEC's terminals took them (VT330/VT340 manual,
// chapter 14), in 216 fixed colours. Rows of h beyond a multiple of six are not drawn.
func Sixel(rgb []uint8, w, h int) string {
	var b strings.Builder
	h -= h % 6
	fmt.Fprintf(&b, "\x1bP0;1q\"1;1;%d;%d", w, h)
	used := [levels * levels * levels]bool{}
	index := make([]uint8, w*h)
	for i := range index {
		index[i] = shade(rgb[3*i:], i%w, i/w)
		used[index[i]] = true
	}
	for c, on := range used {
		if on {
			fmt.Fprintf(&b, "#%d;2;%d;%d;%d", c, c/36*100/5, c/6%6*100/5, c%6*100/5)
		}
	}
	for y := 0; y < h; y += 6 {
		band(&b, index[y*w:], w)
		b.WriteByte('-')
	}
	b.WriteString("\x1b\\")
	return b.String()
}

// shade is the index of the colour that a point gets.
func shade(p []uint8, x, y int) uint8 {
	c := 0
	for _, v := range p[:3] {
		c = c*levels + min(levels-1, (int(v)*(levels-1)*16+dither[y%4*4+x%4]*255)/(255*16))
	}
	return uint8(c)
}

// band writes six lines of points: for each colour in it the columns that
// have it, a bit for each line.
func band(b *strings.Builder, index []uint8, w int) {
	var in [256]bool
	for _, c := range index[:6*w] {
		in[c] = true
	}
	for c, on := range in {
		if !on {
			continue
		}
		b.WriteByte('#')
		b.WriteString(strconv.Itoa(c))
		run, last := 0, byte(0)
		for x := range w {
			bits := byte(0)
			for k := range 6 {
				if index[k*w+x] == uint8(c) {
					bits |= 1 << k
				}
			}
			if bits != last && run > 0 {
				repeat(b, run, last)
				run = 0
			}
			run, last = run+1, bits
		}
		if last != 0 {
			repeat(b, run, last)
		}
		b.WriteByte('$')
	}
}

// repeat writes so many columns of the same bits.
func repeat(b *strings.Builder, n int, bits byte) {
	if n > 3 {
		b.WriteByte('!')
		b.WriteString(strconv.Itoa(n))
		n = 1
	}
	for range n {
		b.WriteByte('?' + bits)
	}
}
