package shape

import (
	"math"

	"simdeck/sim/r3"
)

// fieldRay is a ray in units of cells across and metres up.
type fieldRay struct {
	x, y, z    float64
	dx, dy, dz float64
	ix, iy     float64 // 1/dx, 1/dy
	side       float64 // 1: comes from above, -1: from below
	from, to   float64 // the part of it that is over the field
}

// CastRay meets the surface from either side. The ray is followed through the blocks of cells that it
// reaches the heights of ("maximum mipmaps": Tevs, Ihrke and Seidel, 2008). On which side of the surface it
// is, it knows from where it began: no ray slips between two triangles.
func (f *Field) CastRay(r r3.Ray, limit float64) (Hit, bool) {
	q := fieldRay{
		x: (r.Origin.X - f.corner.X) / f.cell.X, y: (r.Origin.Y - f.corner.Y) / f.cell.Y, z: r.Origin.Z,
		dx: r.Dir.X / f.cell.X, dy: r.Dir.Y / f.cell.Y, dz: r.Dir.Z, to: limit,
	}
	q.ix, q.iy = 1/q.dx, 1/q.dy
	across(q.x, q.dx, q.ix, 0, float64(f.columns-1), &q.from, &q.to)
	across(q.y, q.dy, q.iy, 0, float64(f.rows-1), &q.from, &q.to)
	if !(q.from <= q.to) {
		return Hit{}, false
	}
	i := clampCell(q.x+float64(q.from*q.dx), 0, f.columns-2)
	j := clampCell(q.y+float64(q.from*q.dy), 0, f.rows-2)
	c := f.cellAt(i, j)
	over := q.over(&c, i, j, q.from)
	q.side = math.Copysign(1, over)
	switch {
	case over == 0:
		return f.hit(r, q.from, i, j)
	case q.dx == 0 && q.dy == 0:
		if t := q.from - over/q.dz; q.dz != 0 && t >= q.from && t <= q.to {
			return f.hit(r, t, i, j)
		}
		return Hit{}, false
	}
	return f.castCells(r, &q)
}

// across narrows the part of a ray that lies between two lines of the grid.
func across(x, d, inv, lo, hi float64, from, to *float64) {
	if d == 0 {
		if x < lo || x > hi {
			*to = math.Inf(-1)
		}
		return
	}
	a, b := float64((lo-x)*inv), float64((hi-x)*inv)
	if d < 0 {
		a, b = b, a
	}
	*from, *to = max(*from, a), min(*to, b)
}

func clampCell(x float64, lo, hi int32) int32 {
	return int32(max(float64(lo), min(float64(hi), math.Floor(x))))
}

// over is the ray's height above the surface of a cell.
func (q *fieldRay) over(c *fieldCell, i, j int32, t float64) float64 {
	u := max(0, min(1, q.x+float64(t*q.dx)-float64(i)))
	v := max(0, min(1, q.y+float64(t*q.dy)-float64(j)))
	return q.z + float64(t*q.dz) - c.height(u, v)
}

// fieldVisit is a block still to be looked at.
type fieldVisit struct {
	level    int8
	i, j     int32
	from, to float64
}

// castCells goes through the blocks in the order in which the ray does.
func (f *Field) castCells(r r3.Ray, q *fieldRay) (Hit, bool) {
	var stack [3*30 + 4]fieldVisit
	top := len(f.levels) - 1
	stack[0] = fieldVisit{int8(top), 0, 0, q.from, q.to}
	for n := 1; n > 0; {
		n--
		v := stack[n]
		l := &f.levels[v.level]
		b := l.blocks[v.j*l.columns+v.i]
		z0, z1 := q.z+float64(v.from*q.dz), q.z+float64(v.to*q.dz)
		tolerance := 1e-9 + float64(1e-12*(math.Abs(z0)+math.Abs(z1)))
		if min(z0, z1) > float64(b.high)+tolerance || max(z0, z1) < float64(b.low)-tolerance {
			continue
		}
		if v.level == 0 {
			if h, ok := f.walk(r, q, &v); ok {
				return h, true
			}
			continue
		}
		// The furthest quarter first onto the stack.
		below := &f.levels[v.level-1]
		size := float64(int32(fieldTile) << (v.level - 1))
		for k := int32(3); k >= 0; k-- {
			i, j := 2*v.i+k&1, 2*v.j+k>>1
			if q.dx < 0 {
				i ^= 1
			}
			if q.dy < 0 {
				j ^= 1
			}
			if i >= below.columns || j >= below.rows {
				continue
			}
			from, to := v.from, v.to
			across(q.x, q.dx, q.ix, float64(float64(i)*size), float64(float64(i+1)*size), &from, &to)
			across(q.y, q.dy, q.iy, float64(float64(j)*size), float64(float64(j+1)*size), &from, &to)
			if from <= to {
				stack[n] = fieldVisit{v.level - 1, i, j, from, to}
				n++
			}
		}
	}
	return Hit{}, false
}

// walk goes through the cells of a tile (Amanatides and Woo, 1987).
func (f *Field) walk(r r3.Ray, q *fieldRay, v *fieldVisit) (Hit, bool) {
	i0, j0 := v.i*fieldTile, v.j*fieldTile
	i1, j1 := min(i0+fieldTile, f.columns-1)-1, min(j0+fieldTile, f.rows-1)-1
	i := clampCell(q.x+float64(v.from*q.dx), i0, i1)
	j := clampCell(q.y+float64(v.from*q.dy), j0, j1)
	for t := v.from; ; {
		tx, ty := math.Inf(1), math.Inf(1)
		if q.dx > 0 {
			tx = float64((float64(i+1) - q.x) * q.ix)
		} else if q.dx < 0 {
			tx = float64((float64(i) - q.x) * q.ix)
		}
		if q.dy > 0 {
			ty = float64((float64(j+1) - q.y) * q.iy)
		} else if q.dy < 0 {
			ty = float64((float64(j) - q.y) * q.iy)
		}
		end := max(t, min(tx, ty, v.to))
		c := f.cellAt(i, j)
		if at, ok := q.crosses(&c, i, j, t, end); ok {
			return f.hit(r, at, i, j)
		}
		if end >= v.to {
			return Hit{}, false
		}
		t = end
		if tx <= ty {
			i += int32(math.Copysign(1, q.dx))
		} else {
			j += int32(math.Copysign(1, q.dy))
		}
		if i < i0 || i > i1 || j < j0 || j > j1 {
			return Hit{}, false
		}
	}
}

// crosses finds where the ray comes through the surface of a cell between two of its places.
func (q *fieldRay) crosses(c *fieldCell, i, j int32, from, to float64) (float64, bool) {
	a := float64(q.side * q.over(c, i, j, from))
	if a <= 0 {
		return from, true
	}
	// On the diagonal u - v changes its sign, and the surface its slope.
	turn := q.x - q.y - float64(i-j)
	w0, w1 := turn+float64(from*(q.dx-q.dy)), turn+float64(to*(q.dx-q.dy))
	if float64(w0*w1) < 0 {
		mid := from + float64((to-from)*(w0/(w0-w1)))
		b := float64(q.side * q.over(c, i, j, mid))
		if b <= 0 {
			return from + float64((mid-from)*(a/(a-b))), true
		}
		from, a = mid, b
	}
	b := float64(q.side * q.over(c, i, j, to))
	if b > 0 {
		return 0, false
	}
	return from + float64((to-from)*(a/(a-b))), true
}

// hit is the meeting with a cell at a place of the ray.
func (f *Field) hit(r r3.Ray, t float64, i, j int32) (Hit, bool) {
	tri := 2 * (j*(f.columns-1) + i)
	p := r.At(t)
	if (p.Y-f.corner.Y)/f.cell.Y-float64(j) > (p.X-f.corner.X)/f.cell.X-float64(i) {
		tri++
	}
	n := f.Normal(tri)
	if n.Dot(r.Dir) > 0 {
		n = n.Neg()
	}
	return Hit{t, n, tri}, true
}
