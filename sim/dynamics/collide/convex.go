package collide

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// FaceCosine is the cosine between a face's normal and the contact's above which the face is the contact's
// (2.5°). A vertex or edge that touches a face makes the normals equal.
const FaceCosine = 0.999

const (
	// faceDepthTolerance is the largest difference, m, between the deepest clipped point and the distance of
	// the closest points. Beyond it only the closest point counts. Near an edge, a face may stand off
	// although the shapes meet.
	faceDepthTolerance = 1e-3
	// ClosestPointTolerance is the difference, m, from which on the closest point is added.
	ClosestPointTolerance = 1e-5
	// closestPointID names the closest point of two solids.
	closestPointID = 0xffff
)

// collideConvex finds where two solids are near each other, in the frame of a; rel is the pose of b in it. It
// returns their distance in m, negative in overlap.
func (m *Manifold) collideConvex(a, b *solid, rel r3.Pose, margin float64) float64 {
	c := shape.Between(a.proxy, b.proxy, rel)
	unround(a, b, rel, &c)
	if c.Distance <= margin {
		m.clipFeatures(a, b, rel, &c, margin)
	}
	return c.Distance
}

// unround replaces the closest points of two solids with rounded edges by those of the true ones along the
// same normal. That normal is exact where a face or two edges decide it. Between a vertex and a vertex or an
// edge the error is less than the radius of the rounding.
func unround(a, b *solid, rel r3.Pose, c *shape.Closest) {
	n := c.Normal
	back := rel.Rot.RotateBack(n.Neg())
	from, to := a.supportDistance(n), -b.supportDistance(back)+rel.Pos.Dot(n)
	c.A = a.unroundedPoint(c.A, n)
	c.B = rel.Apply(b.unroundedPoint(rel.ApplyInverse(c.B), back))
	c.A, c.B = c.A.AddScaled(from-c.A.Dot(n), n), c.B.AddScaled(to-c.B.Dot(n), n)
	c.Distance = to - from
}

// supportDistance is the support function of the true solid: how far it reaches along dir, in m.
func (s *solid) supportDistance(dir r3.Vec) float64 {
	if s.geometry != nil {
		switch h := s.geometry.Half; s.geometry.Kind {
		case shape.KindBox:
			return float64(math.Abs(dir.X)*h.X) + float64(math.Abs(dir.Y)*h.Y) + float64(math.Abs(dir.Z)*h.Z)
		case shape.KindCylinder:
			return float64(h.X*math.Sqrt(float64(dir.X*dir.X)+float64(dir.Y*dir.Y))) +
				float64(math.Abs(dir.Z)*h.Z)
		}
	}
	return s.proxy.Furthest(dir)
}

// unroundedPoint is the point of the true box or cylinder that the point p of the rounded one stands for,
// where the normal is dir. Points of other solids stay.
func (s *solid) unroundedPoint(p, dir r3.Vec) r3.Vec {
	if s.geometry == nil {
		return p
	}
	q, h, r := p.AddScaled(-s.proxy.Radius, dir), s.geometry.Half, s.proxy.Radius
	snap := func(x, half float64) float64 {
		if math.Abs(x) >= float64((half-r)*(1-1e-9)) {
			return math.Copysign(half, x)
		}
		return x
	}
	switch s.geometry.Kind {
	case shape.KindBox:
		return r3.Vec{X: snap(q.X, h.X), Y: snap(q.Y, h.Y), Z: snap(q.Z, h.Z)}
	case shape.KindCylinder:
		if l := math.Sqrt(float64(q.X*q.X) + float64(q.Y*q.Y)); l > 0 {
			k := snap(l, h.X) / l
			q.X, q.Y = float64(q.X*k), float64(q.Y*k)
		}
		q.Z = snap(q.Z, h.Z)
		return q
	}
	return p
}

// clipFeatures makes contact points: the overlap of facing features where one is a face or both are lines,
// else the closest point.
func (m *Manifold) clipFeatures(a, b *solid, rel r3.Pose, c *shape.Closest, margin float64) {
	var fa, fb feature
	a.feature(c.Normal, &fa)
	b.feature(rel.Rot.RotateBack(c.Normal.Neg()), &fb)
	for i := range fb.n {
		fb.p[i] = rel.Apply(fb.p[i])
	}
	fb.normal = rel.Rot.Rotate(fb.normal)
	alignA, alignB := 0.0, 0.0
	if fa.n > 2 {
		alignA = fa.normal.Dot(c.Normal)
	}
	if fb.n > 2 {
		alignB = -fb.normal.Dot(c.Normal)
	}
	m.start(c.Normal)
	switch {
	case alignA > FaceCosine && alignA >= alignB-1e-3 && fb.n > 1:
		m.clipFace(&fa, &fb, margin, false)
	case alignB > FaceCosine && fa.n > 1:
		m.clipFace(&fb, &fa, margin, true)
	case fa.n == 2 && fb.n == 2:
		m.clipLines(&fa, &fb, margin)
	}
	switch off := math.Abs(m.minGap() - c.Distance); {
	case m.Count == 0 || off > faceDepthTolerance:
		m.start(c.Normal)
		m.add(c.A, c.Distance, closestPointID)
	case off > ClosestPointTolerance:
		m.add(c.A, c.Distance, closestPointID)
	}
}

// clipFace keeps the part of the incident feature inc that lies over the reference face ref. Gaps are along
// the manifold's normal. flip says that ref belongs to the second solid.
func (m *Manifold) clipFace(ref, inc *feature, margin float64, flip bool) {
	var bufA, bufB [40]clipVertex
	poly, out := bufA[:inc.n], bufB[:0]
	for i := range inc.n {
		poly[i] = clipVertex{inc.p[i], uint32(inc.id[i])}
	}
	for e := range ref.n {
		v := ref.p[e]
		outward := ref.p[(e+1)%ref.n].Sub(v).Cross(ref.normal)
		out = clipHalfSpace(poly, out[:0], v, outward, uint32(e+1))
		poly, out = out, poly
	}
	side := uint32(0)
	slant := m.Normal.Dot(ref.normal)
	if flip {
		side, slant = 1<<30, -slant
	}
	for _, p := range poly {
		gap := p.pos.Sub(ref.p[0]).Dot(ref.normal) / slant
		if gap > margin {
			continue
		}
		pos := p.pos
		if !flip {
			pos = pos.AddScaled(-gap, m.Normal)
		}
		m.add(pos, gap, p.id|uint32(ref.id[0])<<20|side)
	}
}

// clipVertex is a vertex of a polygon while it is clipped.
type clipVertex struct {
	pos r3.Vec
	id  uint32
}

// clipHalfSpace cuts off what lies beyond the plane through v with the given outward normal
// (Sutherland–Hodgman). A line stays a line.
func clipHalfSpace(in, out []clipVertex, v, outward r3.Vec, edge uint32) []clipVertex {
	last := len(in)
	if last == 2 {
		last = 1
	}
	for i := range in {
		p := &in[i]
		x := p.pos.Sub(v).Dot(outward)
		if x <= 0 && len(out) < cap(out) {
			out = append(out, *p)
		}
		if i >= last {
			break
		}
		q := &in[(i+1)%len(in)]
		y := q.pos.Sub(v).Dot(outward)
		if (x < 0 && y > 0 || x > 0 && y < 0) && len(out) < cap(out) {
			id := p.id
			if x > 0 {
				id = q.id
			}
			out = append(out, clipVertex{p.pos.Lerp(q.pos, x/(x-y)), id&0x3ff | edge<<10 | 1<<15})
		}
	}
	return out
}

// clipLines makes two points of two nearly parallel lines, at the ends of the length that they share.
func (m *Manifold) clipLines(fa, fb *feature, margin float64) {
	d := fa.p[1].Sub(fa.p[0])
	e := fb.p[1].Sub(fb.p[0])
	l2 := d.Len2()
	if d.Cross(e).Len2() > float64(0.01*float64(l2*e.Len2())) {
		return
	}
	in := [2]clipVertex{{fb.p[0], 0}, {fb.p[1], 1}}
	var bufA, bufB [8]clipVertex
	out := clipHalfSpace(in[:], bufA[:0], fa.p[0], d.Neg(), 1)
	out = clipHalfSpace(out, bufB[:0], fa.p[1], d, 2)
	for _, v := range out {
		onA := fa.p[0].AddScaled(v.pos.Sub(fa.p[0]).Dot(d)/l2, d)
		if gap := v.pos.Sub(onA).Dot(m.Normal); gap < margin {
			m.add(onA, gap, v.id|1<<16)
		}
	}
}
