package scene

import "simdeck/sim/r3"

// Heights is a terrain: heights over the points of a level grid whose middle is the geom's origin.
type Heights struct {
	URI           string
	Columns, Rows int       // of points along x and y, at least 2
	X, Y          float64   // m: how wide it is
	Z             []float32 // m, above the geom's origin: row by row from the least y, each from the least x
}

// At is a point of the grid.
func (h *Heights) At(column, row int) r3.Vec {
	return r3.V(h.X*(float64(column)/float64(h.Columns-1)-0.5), h.Y*(float64(row)/float64(h.Rows-1)-0.5),
		float64(h.Z[row*h.Columns+column]))
}

// Box is the smallest box around it, in the geom's frame.
func (h *Heights) Box() r3.Box {
	low, high := h.Z[0], h.Z[0]
	for _, z := range h.Z {
		low, high = min(low, z), max(high, z)
	}
	return r3.Box{Min: r3.V(-h.X/2, -h.Y/2, float64(low)), Max: r3.V(h.X/2, h.Y/2, float64(high))}
}

// Mesh is its triangles, for the eye: of a grid with more than so many cells along an edge, every second
// point or fewer.
func (h *Heights) Mesh(cells int) *Mesh {
	columns, rows := coarser(h.Columns, cells), coarser(h.Rows, cells)
	m := &Mesh{URI: h.URI}
	for _, j := range rows {
		for _, i := range columns {
			m.Vertices = append(m.Vertices, h.At(i, j))
		}
	}
	corner := func(at int32) Corner {
		i, j := columns[int(at)%len(columns)], rows[int(at)/len(columns)]
		return Corner{UV: [2]float32{float32(i) / float32(h.Columns-1), float32(j) / float32(h.Rows-1)}}
	}
	for j := range len(rows) - 1 {
		for i := range len(columns) - 1 {
			a := int32(j*len(columns) + i)
			b, d := a+1, a+int32(len(columns))
			for _, t := range [2][3]int32{{a, b, d + 1}, {a, d + 1, d}} {
				m.Triangles = append(m.Triangles, t)
				m.Corners = append(m.Corners, [3]Corner{corner(t[0]), corner(t[1]), corner(t[2])})
			}
		}
	}
	return m
}

// coarser selects points of n so that there are at most so many cells; the last is among them.
func coarser(n, cells int) []int {
	cells = max(1, cells)
	step := (n - 2 + cells) / cells
	var out []int
	for i := 0; i < n-1; i += step {
		out = append(out, i)
	}
	return append(out, n-1)
}
