package canvas

// box is a rectangle in a cell, from its upper left.
type box struct{ x, y, w, h float64 }

// boxes are the shapes of a line, a block or a braille pattern in a cell of w by h. Drawn instead of written,
// they meet from cell to cell in any font. Of any other rune there are none.
func boxes(r rune, w, h, line float64) []box {
	switch {
	case r > 0x2800 && r < 0x2900:
		return dots(r, w, h)
	case r >= '▁' && r <= '█':
		part := h * float64(r-'▁'+1) / 8
		return []box{{0, h - part, w, part}}
	case r > '█' && r <= '▏':
		return []box{{0, 0, w * float64('▏'-r+1) / 8, h}}
	}
	if all := mosaicBoxes(r, w, h); all != nil {
		return all
	}
	arm := map[rune]string{'─': "lr", '│': "ud", '┌': "rd", '┐': "ld", '└': "ur", '┘': "ul", '├': "udr",
		'┤': "udl", '┬': "lrd", '┴': "lru", '┼': "udlr"}[r]
	var all []box
	for _, a := range arm {
		midX, midY := w/2, h/2
		all = append(all, map[rune]box{
			'l': {0, midY - line/2, midX + line/2, line},
			'r': {midX - line/2, midY - line/2, midX + line/2, line},
			'u': {midX - line/2, 0, line, midY + line/2},
			'd': {midX - line/2, midY - line/2, line, midY + line/2},
		}[a])
	}
	return all
}

// dots are those of a braille pattern.
func dots(r rune, w, h float64) (all []box) {
	size := w / 4
	for i, at := range [8][2]float64{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
		if r&(1<<i) != 0 {
			all = append(all, box{at[0]*w/2 + (w/2-size)/2, at[1]*h/4 + (h/4-size)/2, size, size})
		}
	}
	return all
}
