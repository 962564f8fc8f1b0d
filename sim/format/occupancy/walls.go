package occupancy

// Rect is a block of cells: from X, Y, with a width and a height.
type Rect struct{ X, Y, W, H int }

// Walls covers exactly the occupied cells with rectangles that do not overlap. It grows them along x first,
// along y first, and by the larger, and returns the smallest set; false above most.
func (m *Map) Walls(most int) ([]Rect, bool) {
	var best []Rect
	found, taken := false, make([]bool, len(m.Cells))
	for way := range 3 {
		if out, ok := m.cover(taken, way, most); ok {
			best, found, most = out, true, len(out)-1
		}
	}
	return best, found
}

// cover is one way to do it; false when it gives more than most.
func (m *Map) cover(taken []bool, way, most int) ([]Rect, bool) {
	clear(taken)
	var out []Rect
	for y := range m.Height {
		for x := range m.Width {
			if k := y*m.Width + x; m.Cells[k] != Occupied || taken[k] {
				continue
			}
			if len(out) >= most {
				return nil, false
			}
			r := m.grow(taken, x, y, way)
			out = append(out, r)
			for v := range r.H {
				row := taken[(r.Y+v)*m.Width+r.X:][:r.W]
				for i := range row {
					row[i] = true
				}
			}
		}
	}
	return out, true
}

// grow makes the rectangle whose lower left cell is x, y.
func (m *Map) grow(taken []bool, x, y, way int) Rect {
	switch along, up := m.alongX(taken, x, y), m.alongY(taken, x, y); {
	case way == 0 || way == 2 && along.W*along.H >= up.W*up.H:
		return along
	default:
		return up
	}
}

func (m *Map) wall(taken []bool, x, y int) bool {
	k := y*m.Width + x
	return m.Cells[k] == Occupied && !taken[k]
}

func (m *Map) alongX(taken []bool, x, y int) Rect {
	r := Rect{x, y, 1, 1}
	for x+r.W < m.Width && m.wall(taken, x+r.W, y) {
		r.W++
	}
	for ; y+r.H < m.Height; r.H++ {
		for i := range r.W {
			if !m.wall(taken, x+i, y+r.H) {
				return r
			}
		}
	}
	return r
}

func (m *Map) alongY(taken []bool, x, y int) Rect {
	r := Rect{x, y, 1, 1}
	for y+r.H < m.Height && m.wall(taken, x, y+r.H) {
		r.H++
	}
	for ; x+r.W < m.Width; r.W++ {
		for i := range r.H {
			if !m.wall(taken, x+r.W, y+i) {
				return r
			}
		}
	}
	return r
}

// Clearest is the free cell farthest from all others, and that distance in cells, where a diagonal step is
// 1.4. It returns false when no cell is free.
func (m *Map) Clearest() (x, y int, cells float64, ok bool) {
	const straight, diagonal = 5, 7
	d := make([]int32, len(m.Cells))
	near := func(k, x, y, dx, dy int, step int32) {
		if x+dx < 0 || x+dx >= m.Width || y+dy < 0 || y+dy >= m.Height {
			d[k] = min(d[k], step) // the map ends here
			return
		}
		d[k] = min(d[k], d[k+dy*m.Width+dx]+step)
	}
	for y := range m.Height {
		for x := range m.Width {
			k := y*m.Width + x
			if m.Cells[k] != Free {
				continue
			}
			d[k] = 1 << 30
			near(k, x, y, -1, 0, straight)
			near(k, x, y, 0, -1, straight)
			near(k, x, y, -1, -1, diagonal)
			near(k, x, y, 1, -1, diagonal)
		}
	}
	best := int32(0)
	for y := m.Height - 1; y >= 0; y-- {
		for x := m.Width - 1; x >= 0; x-- {
			k := y*m.Width + x
			if m.Cells[k] != Free {
				continue
			}
			near(k, x, y, 1, 0, straight)
			near(k, x, y, 0, 1, straight)
			near(k, x, y, 1, 1, diagonal)
			near(k, x, y, -1, 1, diagonal)
		}
	}
	for k, v := range d {
		if v > best {
			best, x, y = v, k%m.Width, k/m.Width
		}
	}
	return x, y, float64(best) / straight, best > 0
}
