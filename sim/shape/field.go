package shape

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
)

// Surface is a shape made of triangles, numbered from 0.
type Surface interface {
	Shape
	// Triangle is the three corners of one, counter-clockwise seen from its front.
	Triangle(i int32) (a, b, c r3.Vec)
	// Normal is the unit normal of a triangle, on its front.
	Normal(i int32) r3.Vec
	// Edge is the kind of edge k of a triangle, from its corner k to the next.
	Edge(i int32, k int) EdgeKind
	// Query calls f for every triangle whose box overlaps b, in a fixed order, until f returns false.
	Query(b r3.Box, f func(tri int32) bool)
}

// QuerySurface is s.Query without an allocation for f, which a call through the interface would make.
func QuerySurface(s Surface, b r3.Box, f func(tri int32) bool) {
	switch s := s.(type) {
	case *Mesh:
		s.Query(b, f)
	case *Field:
		s.Query(b, f)
	}
}

var (
	_ Surface = (*Mesh)(nil)
	_ Surface = (*Field)(nil)
)

// Field is a terrain: heights over the points of a level grid around the origin. Each cell is two triangles
// that face up, joined along the diagonal from its least corner to its greatest. The volume under it, down to
// its lowest point, is ground. For static bodies only. Make it with NewField.
//
// A mesh of the same triangles needs some forty times the memory, and a search where here an index is
// computed.
type Field struct {
	columns, rows int32 // of points
	corner        r3.Vec
	cell          r3.Vec // m: X and Y edge of a cell; Z is 0
	heights       []float32
	levels        []fieldLevel
	bounds        r3.Box
}

// fieldLevel holds the bounds of square blocks of cells; blocks double in width from level to level, and the
// last is single.
type fieldLevel struct {
	columns, rows int32
	blocks        []fieldBlock
}

type fieldBlock struct{ low, high float32 }

const (
	// fieldTile is the width of the smallest blocks in cells; a power of two.
	fieldTile = 4
	// fieldPoints bounds the points of a Field: their count and that of the triangles fit an int32.
	fieldPoints = 1 << 28
)

// NewField copies heights in metres, row by row from the least y, each from the least x, over x by y metres.
// It needs at least two columns and rows; else, or when a number is not finite, it is an ErrShape.
func NewField(columns, rows int, x, y float64, heights []float32) (*Field, error) {
	if columns < 2 || rows < 2 || columns > fieldPoints/rows || len(heights) != columns*rows {
		return nil, fmt.Errorf("%w: heightfield of %d columns and %d rows with %d heights, must have at least 2 of each and a height for every point",
			ErrShape, columns, rows, len(heights))
	}
	if err := checkSize(KindField, "size x", x); err != nil {
		return nil, err
	}
	if err := checkSize(KindField, "size y", y); err != nil {
		return nil, err
	}
	for i, h := range heights {
		if !(math.Abs(float64(h)) <= maxSize) {
			return nil, fmt.Errorf("%w: height %v m in column %d, row %d of a heightfield, must be within %v m",
				ErrShape, h, i%columns, i/columns, maxSize)
		}
	}
	f := &Field{
		columns: int32(columns), rows: int32(rows), corner: r3.Vec{X: -x / 2, Y: -y / 2},
		cell:    r3.Vec{X: x / float64(columns-1), Y: y / float64(rows-1)},
		heights: append([]float32(nil), heights...),
	}
	f.build()
	top := f.levels[len(f.levels)-1].blocks[0]
	f.bounds = r3.Box{Min: r3.V(-x/2, -y/2, float64(top.low)), Max: r3.V(x/2, y/2, float64(top.high))}
	return f, nil
}

// build makes the levels.
func (f *Field) build() {
	w, h := (f.columns+fieldTile-2)/fieldTile, (f.rows+fieldTile-2)/fieldTile
	l := fieldLevel{w, h, make([]fieldBlock, int(w)*int(h))}
	for j := range h {
		for i := range w {
			b := fieldBlock{math.MaxFloat32, -math.MaxFloat32}
			for y := j * fieldTile; y <= min((j+1)*fieldTile, f.rows-1); y++ {
				for x := i * fieldTile; x <= min((i+1)*fieldTile, f.columns-1); x++ {
					z := f.heights[int(y)*int(f.columns)+int(x)]
					b.low, b.high = min(b.low, z), max(b.high, z)
				}
			}
			l.blocks[j*w+i] = b
		}
	}
	f.levels = append(f.levels, l)
	for w > 1 || h > 1 {
		below := &f.levels[len(f.levels)-1]
		w, h = (w+1)/2, (h+1)/2
		l = fieldLevel{w, h, make([]fieldBlock, int(w)*int(h))}
		for i := range l.blocks {
			l.blocks[i] = fieldBlock{math.MaxFloat32, -math.MaxFloat32}
		}
		for i, b := range below.blocks {
			up := &l.blocks[int32(i)/below.columns/2*w+int32(i)%below.columns/2]
			up.low, up.high = min(up.low, b.low), max(up.high, b.high)
		}
		f.levels = append(f.levels, l)
	}
}

// Kind is KindField.
func (*Field) Kind() Kind { return KindField }

// Check accepts what NewField has made.
func (f *Field) Check() error {
	if f == nil || len(f.heights) == 0 {
		return fmt.Errorf("%w: a heightfield without heights; make it with NewField", ErrShape)
	}
	return nil
}

// Bounds is the box around the turned bounding box of the surface.
func (f *Field) Bounds(p r3.Pose) r3.Box { return f.bounds.Moved(p) }

// Mass is zero: ground does not move.
func (*Field) Mass(float64) Mass { return Mass{} }

// Points is the number of columns and of rows of heights, along x and y.
func (f *Field) Points() (columns, rows int) { return int(f.columns), int(f.rows) }

// point is the place of a height.
func (f *Field) point(i, j int32) r3.Vec {
	return r3.Vec{
		X: f.corner.X + float64(float64(i)*f.cell.X), Y: f.corner.Y + float64(float64(j)*f.cell.Y),
		Z: float64(f.heights[int(j)*int(f.columns)+int(i)]),
	}
}

// place takes a triangle's number apart: its cell, and whether it is the one towards y.
func (f *Field) place(tri int32) (i, j int32, upper bool) {
	c := tri >> 1
	return c % (f.columns - 1), c / (f.columns - 1), tri&1 == 1
}

// Triangle is the three corners of one; a cell has two, after each other.
func (f *Field) Triangle(tri int32) (a, b, c r3.Vec) {
	i, j, upper := f.place(tri)
	if upper {
		return f.point(i, j), f.point(i+1, j+1), f.point(i, j+1)
	}
	return f.point(i, j), f.point(i+1, j), f.point(i+1, j+1)
}

// Normal is the unit normal of a triangle; it looks up.
func (f *Field) Normal(tri int32) r3.Vec {
	a, b, c := f.Triangle(tri)
	n, _ := b.Sub(a).Cross(c.Sub(a)).Unit()
	return n
}

// Edge compares a triangle with its neighbour; the field's border is open.
func (f *Field) Edge(tri int32, k int) EdgeKind {
	i, j, upper := f.place(tri)
	across := tri ^ 1 // over the diagonal
	row := 2 * (f.columns - 1)
	switch {
	case !upper && k == 0:
		if j == 0 {
			return EdgeOpen
		}
		across = tri - row + 1
	case !upper && k == 1:
		if i == f.columns-2 {
			return EdgeOpen
		}
		across = tri + 3
	case upper && k == 1:
		if j == f.rows-2 {
			return EdgeOpen
		}
		across = tri + row - 1
	case upper && k == 2:
		if i == 0 {
			return EdgeOpen
		}
		across = tri - 3
	}
	n, o := f.Normal(tri), f.Normal(across)
	if n.Dot(o) > FlatEdge {
		return EdgeFlat
	}
	a, _, _ := f.Triangle(tri)
	p, q, r := f.Triangle(across)
	if n.Dot(p.Add(q).Add(r).Scale(1.0/3).Sub(a)) < 0 {
		return EdgeRidge
	}
	return EdgeValley
}

// span is the cells along an axis that reach from lo to hi; none when first is beyond last.
func span(lo, hi, corner, cell float64, points int32) (first, last int32) {
	a, b := (lo-corner)/cell, (hi-corner)/cell
	if !(b >= 0) || !(a <= float64(points-1)) {
		return 0, -1
	}
	most := float64(points - 2)
	return int32(max(0, min(math.Floor(a), most))), int32(min(math.Floor(b), most))
}

// Query calls visit for every triangle whose box overlaps b, in their order, until visit returns false.
func (f *Field) Query(b r3.Box, visit func(tri int32) bool) {
	i0, i1 := span(b.Min.X, b.Max.X, f.corner.X, f.cell.X, f.columns)
	j0, j1 := span(b.Min.Y, b.Max.Y, f.corner.Y, f.cell.Y, f.rows)
	if i1 < i0 || j1 < j0 || b.Min.Z > f.bounds.Max.Z || b.Max.Z < f.bounds.Min.Z {
		return
	}
	tiles := &f.levels[0]
	for j := j0; j <= j1; j++ {
		tileRow := (j / fieldTile) * tiles.columns
		for i := i0; i <= i1; i++ {
			tile := tiles.blocks[tileRow+i/fieldTile]
			if float64(tile.high) < b.Min.Z || float64(tile.low) > b.Max.Z {
				i |= fieldTile - 1
				continue
			}
			c := f.cellAt(i, j)
			low, high := min(c.h00, c.h11), max(c.h00, c.h11)
			tri := 2 * (j*(f.columns-1) + i)
			if max(high, c.h10) >= b.Min.Z && min(low, c.h10) <= b.Max.Z && !visit(tri) {
				return
			}
			if max(high, c.h01) >= b.Min.Z && min(low, c.h01) <= b.Max.Z && !visit(tri+1) {
				return
			}
		}
	}
}

// Over is the triangle above or below a point, and how high the point lies over it, along z. Points
// beside the field have none.
func (f *Field) Over(p r3.Vec) (tri int32, height float64, ok bool) {
	u, v := (p.X-f.corner.X)/f.cell.X, (p.Y-f.corner.Y)/f.cell.Y
	if !(u >= 0 && v >= 0 && u <= float64(f.columns-1) && v <= float64(f.rows-1)) {
		return 0, 0, false
	}
	i, j := min(int32(u), f.columns-2), min(int32(v), f.rows-2)
	u, v = u-float64(i), v-float64(j)
	c := f.cellAt(i, j)
	tri = 2 * (j*(f.columns-1) + i)
	if v > u {
		tri++
	}
	return tri, p.Z - c.height(u, v), true
}

// fieldCell is the heights of a cell's corners.
type fieldCell struct{ h00, h10, h01, h11 float64 }

func (f *Field) cellAt(i, j int32) fieldCell {
	at := int(j)*int(f.columns) + int(i)
	low, high := f.heights[at:at+2], f.heights[at+int(f.columns):at+int(f.columns)+2]
	return fieldCell{float64(low[0]), float64(low[1]), float64(high[0]), float64(high[1])}
}

// height is that of the surface at a part u, v of the cell.
func (c *fieldCell) height(u, v float64) float64 {
	if v > u {
		return c.h00 + float64(v*(c.h01-c.h00)) + float64(u*(c.h11-c.h01))
	}
	return c.h00 + float64(u*(c.h10-c.h00)) + float64(v*(c.h11-c.h10))
}
