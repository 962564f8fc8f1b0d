package webots

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxGrid bounds the points of an ElevationGrid.
const maxGrid = 4_000_000

// highest is the greatest height and depth of a terrain, in m.
const highest = 1e6

// grid is an ElevationGrid: heights over points in rows from the origin, along z, or along y before R2022a.
type grid struct {
	columns, rows int
	dx, dy        float64 // m between points
	heights       []float64
}

// at is a height; those that the file leaves out are 0.
func (g *grid) at(x, y int) float64 {
	if i := y*g.columns + x; i < len(g.heights) {
		return g.heights[i]
	}
	return 0
}

// ground reads an ElevationGrid: a terrain where it stands still, else a mesh.
func (b *builder) ground(r ref, in frame, g *scene.Geom) bool {
	columns, rows := b.num(r, "xDimension", 0), b.num(r, "yDimension", 0)
	dx, dy := b.num(r, "xSpacing", 1), b.num(r, "ySpacing", 1)
	if _, old := b.get(r, "zDimension"); old {
		rows = b.num(r, "zDimension", 0)
	}
	if _, old := b.get(r, "zSpacing"); old {
		dy = b.num(r, "zSpacing", 1)
	}
	if !(columns >= 2 && rows >= 2 && columns*rows <= maxGrid) || !b.positive(r, dx, dy) {
		b.noteAt(scene.Suspicious, r, "ElevationGrid of %g × %g points is left out; want from 2 × 2 to %d in all",
			columns, rows, maxGrid)
		return false
	}
	h := grid{int(columns), int(rows), dx, dy, b.many(r, "height")}
	switch n := h.columns * h.rows; {
	case len(h.heights) == 0: // flat
	case len(h.heights) < n:
		b.noteAt(scene.Suspicious, r, "ElevationGrid has %d heights of %d × %d; the rest is 0",
			len(h.heights), h.columns, h.rows)
	case len(h.heights) > n:
		b.noteAt(scene.Suspicious, r, "ElevationGrid has %d heights, more than %d × %d; the last are left out",
			len(h.heights), h.columns, h.rows)
	}
	s := in.scale
	if b.moving() || b.robot || !(s.X > 0 && s.Y > 0 && s.Z > 0) {
		g.Kind, g.Mesh, g.Scale = scene.MeshGeom, h.mesh(r.file.yUp, s.X*s.Y*s.Z < 0), s
		return true
	}
	return b.terrain(r, &h, in, g)
}

// terrain makes heights around the middle of the grid of those from its corner; false, noted, when one is too
// large.
func (b *builder) terrain(r ref, h *grid, in frame, g *scene.Geom) bool {
	s := in.scale
	if r.file.yUp { // the file's rows go along z, which is −y of a grid that stands upright
		g.Pose.Rot = g.Pose.Rot.Mul(yUp)
		s.Y, s.Z = s.Z, s.Y
	}
	out := &scene.Heights{URI: "ElevationGrid", Columns: h.columns, Rows: h.rows,
		X: s.X * h.dx * float64(h.columns-1), Y: s.Y * h.dy * float64(h.rows-1),
		Z: make([]float32, 0, h.columns*h.rows)}
	for y := range h.rows {
		row := y
		if r.file.yUp {
			row = h.rows - 1 - y
		}
		for x := range h.columns {
			z := s.Z * h.at(x, row)
			if math.Abs(z) > highest {
				b.noteAt(scene.Suspicious, r, "ElevationGrid with a height of %g m is left out", z)
				return false
			}
			out.Z = append(out.Z, float32(z))
		}
	}
	middle := r3.V(out.X/2, out.Y/2, 0)
	if r.file.yUp {
		middle.Y = -middle.Y
	}
	g.Pose.Pos = g.Pose.Apply(middle)
	g.Kind, g.Heights = scene.Heightfield, out
	return true
}

// mesh makes triangles of the grid; turned is the other way round.
func (g *grid) mesh(up, turned bool) *scene.Mesh {
	nx, ny := g.columns, g.rows
	m := &scene.Mesh{URI: "ElevationGrid", Vertices: make([]r3.Vec, 0, nx*ny),
		Triangles: make([][3]int32, 0, 2*(nx-1)*(ny-1))}
	for y := range ny {
		for x := range nx {
			p := r3.V(float64(x)*g.dx, float64(y)*g.dy, g.at(x, y))
			if up {
				p = r3.V(p.X, p.Z, p.Y)
			}
			m.Vertices = append(m.Vertices, p)
		}
	}
	for y := range ny - 1 {
		for x := range nx - 1 {
			a := int32(y*nx + x)
			c, d, e := a+1, a+int32(nx), a+int32(nx)+1
			if up != turned { // y for z mirrors the grid: its triangles go the other way round
				m.Triangles = append(m.Triangles, [3]int32{a, d, e}, [3]int32{a, e, c})
			} else {
				m.Triangles = append(m.Triangles, [3]int32{a, c, e}, [3]int32{a, e, d})
			}
		}
	}
	return m
}
