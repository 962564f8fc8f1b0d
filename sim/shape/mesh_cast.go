package shape

import "simdeck/sim/r3"

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
