package render

import (
	"math"

	"simdeck/sim/r3"
)

// triangleSpans is a triangle on a canvas: its outline clipped at the near plane, and its inverse depth as a
// plane over the picture.
type triangleSpans struct {
	outline     [4][2]float64 // px
	corners     int
	at0, dx, dy float64   // inverse depth at pixel (0, 0), and its change by pixel
	left, right []float64 // scratch of each, by row
}

// set projects a triangle with the normal n and the height n·a.
func (s *triangleSpans) set(l *Lens, a, b, c *r3.Vec, n r3.Vec, height, near float64) {
	s.dx, s.dy = n.X/float64(l.FX*height), n.Y/float64(l.FY*height)
	s.at0 = n.Z/height - float64(l.CX*s.dx) - float64(l.CY*s.dy)
	s.corners = 0
	if a.Z >= near && b.Z >= near && c.Z >= near {
		s.corner(l, a)
		s.corner(l, b)
		s.corner(l, c)
		return
	}
	s.edge(l, a, b, near)
	s.edge(l, b, c, near)
	s.edge(l, c, a, near)
}

func (s *triangleSpans) corner(l *Lens, p *r3.Vec) {
	s.outline[s.corners] = [2]float64{float64(p.X/p.Z*l.FX) + l.CX, float64(p.Y/p.Z*l.FY) + l.CY}
	s.corners++
}

// edge adds where an edge begins, or where it comes out of the near plane, and
// where it goes into it. Both triangles at an edge cut it at the same bits.
func (s *triangleSpans) edge(l *Lens, p, q *r3.Vec, near float64) {
	if p.Z >= near {
		s.corner(l, p)
	}
	if (p.Z >= near) == (q.Z >= near) {
		return
	}
	if p.Z < near {
		p, q = q, p
	}
	cut := p.Lerp(*q, (p.Z-near)/(p.Z-q.Z))
	cut.Z = near
	s.corner(l, &cut)
}

// fill writes the face where it is nearer than what is there.
func (s *triangleSpans) fill(c *canvas, id int32) {
	s.each(c, func(y, from, to int) {
		row := (y - c.top) * c.width
		depth, face := c.inverse[row+from:row+to], c.face[row+from:row+to]
		z := s.at0 + float64(s.dy*float64(y)) + float64(s.dx*float64(from))
		for i := range depth {
			if v := float32(z); v > depth[i] {
				depth[i], face[i] = v, id
			}
			z += s.dx
		}
	})
}

// each calls f with the run of pixels of every row of a canvas whose centers are inside. A center on a left
// edge is inside, one on a right edge is not.
func (s *triangleSpans) each(c *canvas, f func(y, from, to int)) {
	if s.corners < 3 {
		return
	}
	top, bottom, least, most := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range s.outline[:s.corners] {
		top, bottom, least, most = min(top, p[1]), max(bottom, p[1]), min(least, p[0]), max(most, p[0])
	}
	wide, from, below := float64(c.width), float64(c.top), float64(c.below)
	if !(bottom >= from && top <= below && most >= 0 && least <= wide) {
		return
	}
	first, last := int(math.Ceil(max(from, top))), int(math.Ceil(min(below, bottom)))
	if first >= last || math.Ceil(max(0, least)) >= math.Ceil(min(wide, most)) {
		return // between the middles of pixels
	}
	s.left, s.right = sized(s.left, c.below), sized(s.right, c.below)
	left, right := s.left[first:last], s.right[first:last]
	for i := range left {
		left[i], right[i] = wide, 0
	}
	for i := range s.corners {
		s.trace(s.outline[i], s.outline[(i+1)%s.corners], first, last)
	}
	for i := range left {
		from, to := int(math.Ceil(max(0, left[i]))), int(math.Ceil(min(wide, right[i])))
		if from < to {
			f(first+i, from, to)
		}
	}
}

// trace widens the rows that an edge crosses to where it does: at the same bits
// whichever way the edge is given.
func (s *triangleSpans) trace(p, q [2]float64, first, last int) {
	if p[1] > q[1] || p[1] == q[1] && p[0] > q[0] {
		p, q = q, p
	}
	from, to := max(first, int(math.Ceil(max(0, p[1])))),
		min(last, int(math.Ceil(max(0, min(q[1], float64(last))))))
	if from >= to {
		return
	}
	slope := (q[0] - p[0]) / (q[1] - p[1])
	least, most := min(p[0], q[0]), max(p[0], q[0])
	for y := from; y < to; y++ {
		x := max(least, min(most, p[0]+float64((float64(y)-p[1])*slope)))
		s.left[y], s.right[y] = min(s.left[y], x), max(s.right[y], x)
	}
}
