package canvas

import "math"

// corner is a place in a cell: 0, 0 at its upper left, 1, 1 at its lower right.
type corner [2]float32

// outlines are the console's signs that Go Mono lacks, as polygons. Of any other rune there are none.
func outlines(r rune) [][]corner {
	switch r {
	case '▶':
		return [][]corner{{{0.1, 0.25}, {0.95, 0.5}, {0.1, 0.75}}}
	case '◀':
		return [][]corner{{{0.9, 0.25}, {0.05, 0.5}, {0.9, 0.75}}}
	case '▸':
		return [][]corner{{{0.2, 0.35}, {0.8, 0.5}, {0.2, 0.65}}}
	case '▾':
		return [][]corner{{{0.1, 0.42}, {0.9, 0.42}, {0.5, 0.62}}}
	case '⏸':
		return [][]corner{{{0.15, 0.27}, {0.4, 0.27}, {0.4, 0.73}, {0.15, 0.73}},
			{{0.6, 0.27}, {0.85, 0.27}, {0.85, 0.73}, {0.6, 0.73}}}
	case '◆':
		return [][]corner{rhomb(0.46)}
	case '◇':
		return [][]corner{rhomb(0.46), reversed(rhomb(0.29))}
	case '✓':
		return [][]corner{stroke(corner{0.1, 0.52}, corner{0.4, 0.7}, 0.13),
			stroke(corner{0.37, 0.7}, corner{0.9, 0.3}, 0.13)}
	case '✗':
		return [][]corner{stroke(corner{0.12, 0.3}, corner{0.88, 0.7}, 0.13),
			stroke(corner{0.88, 0.3}, corner{0.12, 0.7}, 0.13)}
	case '⚠':
		return [][]corner{{{0.5, 0.24}, {0.98, 0.74}, {0.02, 0.74}},
			{{0.44, 0.42}, {0.46, 0.6}, {0.54, 0.6}, {0.56, 0.42}},
			{{0.44, 0.64}, {0.44, 0.69}, {0.56, 0.69}, {0.56, 0.64}}}
	}
	if way, slants := map[rune]corner{'↗': {1, -1}, '↘': {1, 1}, '↖': {-1, -1}, '↙': {-1, 1}}[r]; slants {
		at := func(x, y float32) corner { return corner{0.5 + 0.38*way[0]*x, 0.5 + 0.19*way[1]*y} }
		return [][]corner{stroke(at(-1, -1), at(0.8, 0.8), 0.11), {at(1, 1), at(1, -0.2), at(-0.2, 1)}}
	}
	return nil
}

func rhomb(size float32) []corner {
	return []corner{{0.5, 0.5 - size/2}, {0.5 + size, 0.5}, {0.5, 0.5 + size/2}, {0.5 - size, 0.5}}
}

// reversed goes round the other way, which cuts it out of what is around it.
func reversed(o []corner) []corner {
	return []corner{o[0], o[3], o[2], o[1]}
}

// stroke is a line of a width, as part of a cell's, in a cell twice as high as wide.
func stroke(a, b corner, width float32) []corner {
	dx, dy := b[0]-a[0], 2*(b[1]-a[1])
	long := float32(math.Hypot(float64(dx), float64(dy)))
	nx, ny := -dy/long*width/2, dx/long*width/4
	return []corner{{a[0] + nx, a[1] + ny}, {b[0] + nx, b[1] + ny}, {b[0] - nx, b[1] - ny},
		{a[0] - nx, a[1] - ny}}
}
