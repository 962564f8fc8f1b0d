package shape

import (
	"math"

	"simdeck/sim/r3"
)

// CastRay meets the nearest triangle, from either side. Of triangles at the same distance the one
// that the tree reaches first counts.
func (m *Mesh) CastRay(r r3.Ray, limit float64) (Hit, bool) {
	var w wideRay
	if !w.prepare(&m.wide, &r, limit) {
		return Hit{}, false
	}
	m.wide.cast(&w)
	if w.tri < 0 {
		return Hit{}, false
	}
	a, b, c := m.Triangle(w.tri)
	normal, _ := b.Sub(a).Cross(c.Sub(a)).Unit()
	if normal.Dot(r.Dir) > 0 {
		normal = normal.Neg()
	}
	return Hit{w.best, normal, w.tri}, true
}

// Reach is the distance of CastRay alone.
func (m *Mesh) Reach(r r3.Ray, limit float64) (float64, bool) {
	var w wideRay
	if !w.prepare(&m.wide, &r, limit) {
		return 0, false
	}
	m.wide.cast(&w)
	return w.best, w.tri >= 0
}

// shear turns space so that the ray runs along +z from the origin; then a triangle is met when the
// origin lies within its picture, and an edge that two triangles share gives both the same sign: no
// ray slips between them (Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", 2013).
type shear struct {
	origin     r3.Vec
	kx, ky, kz int
	sx, sy, sz float64
}

func shearFor(r r3.Ray) (shear, bool) {
	d := [3]float64{r.Dir.X, r.Dir.Y, r.Dir.Z}
	kz := 0
	if math.Abs(d[1]) > math.Abs(d[0]) {
		kz = 1
	}
	if math.Abs(d[2]) > math.Abs(d[kz]) {
		kz = 2
	}
	if d[kz] == 0 {
		return shear{}, false
	}
	next := [5]int{0, 1, 2, 0, 1}
	kx, ky := next[kz+1], next[kz+2]
	return shear{r.Origin, kx, ky, kz, d[kx] / d[kz], d[ky] / d[kz], 1 / d[kz]}, true
}

func (s *shear) point(p r3.Vec) (x, y, z float64) {
	p = p.Sub(s.origin)
	w := p.At(s.kz)
	return p.At(s.kx) - float64(s.sx*w), p.At(s.ky) - float64(s.sy*w), float64(s.sz * w)
}

// meet returns the distance at which the ray crosses the triangle, edges included.
func (s *shear) meet(a, b, c r3.Vec) (float64, bool) {
	var x, y, z [3]float64
	for k, p := range [3]r3.Vec{a, b, c} {
		x[k], y[k], z[k] = s.point(p)
	}
	return crossing(&x, &y, &z)
}

// crossing is where the z axis crosses a triangle, edges included; none behind the origin.
func crossing(x, y, z *[3]float64) (float64, bool) {
	u := float64(x[2]*y[1]) - float64(y[2]*x[1])
	v := float64(x[0]*y[2]) - float64(y[0]*x[2])
	w := float64(x[1]*y[0]) - float64(y[1]*x[0])
	if (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0) {
		return 0, false
	}
	det := u + v + w
	if det == 0 {
		return 0, false
	}
	t := (float64(u*z[0]) + float64(v*z[1]) + float64(w*z[2])) / det
	return t, t >= 0
}
