package shape

import (
	"math"

	"simdeck/sim/r3"
)

// CastRay meets the nearest triangle, from either side. Of triangles at the same distance the one
// that the tree reaches first counts.
func (m *Mesh) CastRay(r r3.Ray, limit float64) (Hit, bool) {
	s, ok := shearFor(r)
	if !ok {
		return Hit{}, false
	}
	inv := r.Inverse()
	type entry struct {
		node int32
		near float64
	}
	var stack [maxDepth + 4]entry
	best, tri := limit, int32(-1)
	near, ok := m.nodes[0].box.Hit(r.Origin, inv, best)
	if !ok {
		return Hit{}, false
	}
	stack[0] = entry{0, near}
	for n := 1; n > 0; {
		n--
		if stack[n].near > best {
			continue
		}
		nd := &m.nodes[stack[n].node]
		if nd.count > 0 {
			for i := nd.first; i < nd.first+nd.count; i++ {
				if t, ok := s.meet(m.Triangle(i)); ok && t <= best && (t < best || tri < 0) {
					best, tri = t, i
				}
			}
			continue
		}
		a, aHit := m.nodes[nd.first].box.Hit(r.Origin, inv, best)
		b, bHit := m.nodes[nd.first+1].box.Hit(r.Origin, inv, best)
		x, y := entry{nd.first, a}, entry{nd.first + 1, b}
		if a > b {
			x, y, aHit, bHit = y, x, bHit, aHit
		}
		if bHit {
			stack[n] = y
			n++
		}
		if aHit {
			stack[n] = x
			n++
		}
	}
	if tri < 0 {
		return Hit{}, false
	}
	a, b, c := m.Triangle(tri)
	normal, _ := b.Sub(a).Cross(c.Sub(a)).Unit()
	if normal.Dot(r.Dir) > 0 {
		normal = normal.Neg()
	}
	return Hit{best, normal, tri}, true
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
	d := r.Dir
	kz := 0
	if math.Abs(d.Y) > math.Abs(d.X) {
		kz = 1
	}
	if math.Abs(d.Z) > math.Abs(d.At(kz)) {
		kz = 2
	}
	if d.At(kz) == 0 {
		return shear{}, false
	}
	kx, ky := (kz+1)%3, (kz+2)%3
	return shear{r.Origin, kx, ky, kz, d.At(kx) / d.At(kz), d.At(ky) / d.At(kz), 1 / d.At(kz)}, true
}

func (s *shear) point(p r3.Vec) (x, y, z float64) {
	p = p.Sub(s.origin)
	w := p.At(s.kz)
	return p.At(s.kx) - float64(s.sx*w), p.At(s.ky) - float64(s.sy*w), float64(s.sz * w)
}

// meet returns the distance at which the ray crosses the triangle, edges included.
func (s *shear) meet(a, b, c r3.Vec) (float64, bool) {
	ax, ay, az := s.point(a)
	bx, by, bz := s.point(b)
	cx, cy, cz := s.point(c)
	u := float64(cx*by) - float64(cy*bx)
	v := float64(ax*cy) - float64(ay*cx)
	w := float64(bx*ay) - float64(by*ax)
	if (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0) {
		return 0, false
	}
	det := u + v + w
	if det == 0 {
		return 0, false
	}
	t := (float64(u*az) + float64(v*bz) + float64(w*cz)) / det
	return t, t >= 0
}
