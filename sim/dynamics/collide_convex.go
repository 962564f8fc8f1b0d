package dynamics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// convexProxy is one side of the general narrow phase: a convex geom, or a triangle of a mesh.
type convexProxy struct {
	g        *geom // nil for a triangle
	proxy    *shape.Proxy
	triangle [3]r3.Vec
}

// facingCosine is the cosine between a face's normal and the contact's above which the two lie on each
// other: 2.5°. A corner or an edge on a face makes its normal the contact's exactly.
const facingCosine = 0.999

// nearlyFacingCosine is by how much, in metres, the deepest of the points that two faces share may miss the depth along the normal
// before the closest point joins them.
const nearlyFacingCosine = 1e-5

// feature finds the part of the solid that faces dir, in its own frame.
func (s *convexProxy) feature(dir r3.Vec, f *feature) {
	f.n = 0
	if s.g == nil {
		for i, p := range s.triangle {
			f.add(p, uint8(i))
		}
		f.normal, _ = s.triangle[1].Sub(s.triangle[0]).Cross(s.triangle[2].Sub(s.triangle[0])).Unit()
		if f.normal.Dot(dir) < 0 { // seen from the back
			f.normal = f.normal.Neg()
			f.p[1], f.p[2], f.id[1], f.id[2] = f.p[2], f.p[1], 2, 1
		}
		return
	}
	switch h := s.g.half; s.g.kind {
	case shape.KindSphere:
		u, _ := dir.Unit()
		f.add(u.Scale(h.X), 0)
	case shape.KindCapsule:
		capsuleFeature(h, dir, f)
	case shape.KindCylinder:
		cylinderFeature(h, dir, f)
	case shape.KindBox:
		boxFeature(h, dir, f)
	case shape.KindHull:
		hullFeature(s.g.hull, dir, f)
	}
}

// capsuleFeature is the line of the side that faces dir, which of a tilted capsule does not hold its closest point; of
// one that looks there with an end, the point of that end's ball.
func capsuleFeature(half, dir r3.Vec, f *feature) {
	u, _ := dir.Unit()
	if math.Abs(u.Z) > 0.7 {
		f.add(r3.Vec{X: float64(u.X * half.X), Y: float64(u.Y * half.X), Z: float64(u.Z*half.X) + math.Copysign(half.Z, u.Z)}, 0)
		return
	}
	side, _ := r3.Vec{X: u.X, Y: u.Y}.Unit()
	side = side.Scale(half.X)
	f.add(r3.Vec{X: side.X, Y: side.Y, Z: -half.Z}, 0)
	f.add(r3.Vec{X: side.X, Y: side.Y, Z: half.Z}, 1)
}

func boxFeature(h, dir r3.Vec, f *feature) {
	axis := 0
	for i := range 3 {
		if math.Abs(dir.At(i)) > math.Abs(dir.At(axis)) {
			axis = i
		}
	}
	side := math.Copysign(1, dir.At(axis))
	f.normal = r3.Vec{}.With(axis, side)
	u, v := (axis+1)%3, (axis+2)%3
	for i, s := range [4][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
		p := r3.Vec{}.With(axis, float64(side*h.At(axis))).With(u, float64(s[0]*h.At(u)))
		f.add(p.With(v, float64(float64(side*s[1])*h.At(v))), uint8(axis<<3|i))
	}
}

func hullFeature(hull *shape.Hull, dir r3.Vec, f *feature) {
	best, at := math.Inf(-1), 0
	for i := range hull.Faces() {
		if d := hull.Normal(i).Dot(dir); d > best {
			best, at = d, i
		}
	}
	f.normal = hull.Normal(at)
	face, v := hull.Faces()[at], hull.Vertices()
	step := (len(face) + len(f.p) - 1) / len(f.p)
	for i := 0; i < len(face); i += step {
		f.add(v[face[i]], uint8(face[i]))
	}
}

// collideSolids finds where two solids are near each other, in the frame of the first; rel is the
// pose of the second in it. It returns their distance.
func collideSolids(cl *contactPoints, a, b *convexProxy, rel r3.Pose, margin float64) float64 {
	c := shape.Between(a.proxy, b.proxy, rel)
	unround(a, b, rel, &c)
	if c.Distance <= margin {
		collideGJK(cl, a, b, rel, &c, margin)
	}
	return c.Distance
}

// unround turns the shortest way between two solids whose edges are round for the search into that between the true
// ones along the same normal. The normal itself is exact where a face or two edges decide it; where a corner is
// nearest to a corner or an edge, what is lost is less than the radius of the rounding.
func unround(a, b *convexProxy, rel r3.Pose, c *shape.Closest) {
	n := c.Normal
	back := rel.Rot.RotateBack(n.Neg())
	from, to := a.supportDistance(n), -b.supportDistance(back)+rel.Pos.Dot(n)
	c.A = a.unroundedPoint(c.A, n)
	c.B = rel.Apply(b.unroundedPoint(rel.ApplyInverse(c.B), back))
	c.A, c.B = c.A.AddScaled(from-c.A.Dot(n), n), c.B.AddScaled(to-c.B.Dot(n), n)
	c.Distance = to - from
}

// supportDistance is how far the true solid reaches along a direction.
func (s *convexProxy) supportDistance(dir r3.Vec) float64 {
	if s.g != nil {
		switch h := s.g.half; s.g.kind {
		case shape.KindBox:
			return float64(math.Abs(dir.X)*h.X) + float64(math.Abs(dir.Y)*h.Y) + float64(math.Abs(dir.Z)*h.Z)
		case shape.KindCylinder:
			return float64(h.X*math.Sqrt(float64(dir.X*dir.X)+float64(dir.Y*dir.Y))) + float64(math.Abs(dir.Z)*h.Z)
		}
	}
	return s.proxy.Furthest(dir)
}

// unroundedPoint is the point of a true box or cylinder that a point of the round one stands for, where the normal is dir.
func (s *convexProxy) unroundedPoint(p, dir r3.Vec) r3.Vec {
	if s.g == nil {
		return p
	}
	q, h, r := p.AddScaled(-s.proxy.Radius, dir), s.g.half, s.proxy.Radius
	at := func(x, half float64) float64 {
		if math.Abs(x) >= float64((half-r)*(1-1e-9)) {
			return math.Copysign(half, x)
		}
		return x
	}
	switch s.g.kind {
	case shape.KindBox:
		return r3.Vec{X: at(q.X, h.X), Y: at(q.Y, h.Y), Z: at(q.Z, h.Z)}
	case shape.KindCylinder:
		if l := math.Sqrt(float64(q.X*q.X) + float64(q.Y*q.Y)); l > 0 {
			k := at(l, h.X) / l
			q.X, q.Y = float64(q.X*k), float64(q.Y*k)
		}
		q.Z = at(q.Z, h.Z)
		return q
	}
	return p
}

// collideGJK turns the shortest way between two solids into points: where faces lie on each other or lines
// on a face all that they share, elsewhere the one closest point.
func collideGJK(cl *contactPoints, a, b *convexProxy, rel r3.Pose, c *shape.Closest, margin float64) {
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
	cl.start(c.Normal)
	switch {
	case alignA > facingCosine && alignA >= alignB-1e-3 && fb.n > 1:
		cl.start(c.Normal)
		clipFeature(cl, &fa, &fb, margin, false)
	case alignB > facingCosine && fa.n > 1:
		cl.start(c.Normal)
		clipFeature(cl, &fb, &fa, margin, true)
	case fa.n == 2 && fb.n == 2:
		collideAlongside(cl, &fa, &fb, margin)
	}
	// Near an edge the face may stand off although the shapes meet: then only the closest point is true.
	switch off := math.Abs(cl.minGap() - c.Distance); {
	case cl.n == 0 || off > 1e-3:
		cl.start(c.Normal)
		cl.add(c.A, c.Distance, 0xffff)
	case off > nearlyFacingCosine:
		cl.add(c.A, c.Distance, 0xffff)
	}
}

// clipFeature keeps what of inc lies over the face ref, with gaps along the cloud's normal; flip says
// that ref belongs to the second solid.
func clipFeature(cl *contactPoints, ref, inc *feature, margin float64, flip bool) {
	var bufA, bufB [40]clippedVertex
	poly, out := bufA[:inc.n], bufB[:0]
	for i := range inc.n {
		poly[i] = clippedVertex{inc.p[i], uint32(inc.id[i])}
	}
	for e := range ref.n {
		v := ref.p[e]
		m := ref.p[(e+1)%ref.n].Sub(v).Cross(ref.normal)
		out = clipOutside(poly, out[:0], v, m, uint32(e+1))
		poly, out = out, poly
	}
	side := uint32(0)
	slant := cl.normal.Dot(ref.normal)
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
			pos = pos.AddScaled(-gap, cl.normal)
		}
		cl.add(pos, gap, p.id|uint32(ref.id[0])<<20|side)
	}
}

type clippedVertex struct {
	pos r3.Vec
	id  uint32
}

// clipOutside cuts off what lies beyond the plane through v with normal m. A line stays a line.
func clipOutside(in, out []clippedVertex, v, m r3.Vec, edge uint32) []clippedVertex {
	last := len(in)
	if last == 2 {
		last = 1
	}
	for i := range in {
		p := &in[i]
		x := p.pos.Sub(v).Dot(m)
		if x <= 0 && len(out) < cap(out) {
			out = append(out, *p)
		}
		if i >= last {
			break
		}
		q := &in[(i+1)%len(in)]
		y := q.pos.Sub(v).Dot(m)
		if (x < 0 && y > 0 || x > 0 && y < 0) && len(out) < cap(out) {
			id := p.id
			if x > 0 {
				id = q.id
			}
			out = append(out, clippedVertex{p.pos.Lerp(q.pos, x/(x-y)), id&0x3ff | edge<<10 | 1<<15})
		}
	}
	return out
}

// collideAlongside makes two points of two nearly parallel lines, at the ends of what they share.
func collideAlongside(cl *contactPoints, fa, fb *feature, margin float64) {
	d := fa.p[1].Sub(fa.p[0])
	e := fb.p[1].Sub(fb.p[0])
	l2 := d.Len2()
	if d.Cross(e).Len2() > float64(0.01*float64(l2*e.Len2())) {
		return
	}
	in := [2]clippedVertex{{fb.p[0], 0}, {fb.p[1], 1}}
	var bufA, bufB [8]clippedVertex
	out := clipOutside(in[:], bufA[:0], fa.p[0], d.Neg(), 1)
	out = clipOutside(out, bufB[:0], fa.p[1], d, 2)
	for _, v := range out {
		onA := fa.p[0].AddScaled(v.pos.Sub(fa.p[0]).Dot(d)/l2, d)
		if gap := v.pos.Sub(onA).Dot(cl.normal); gap < margin {
			cl.add(onA, gap, v.id|1<<16)
		}
	}
}
