package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// edgeAdvantage is by how much, in metres, an edge against an edge must part two boxes more than a
// face does to be taken: faces make steady manifolds.
const edgeAdvantage = 5e-4

// boxPair is two boxes in the frame of the first.
type boxPair struct {
	ha, hb r3.Vec
	r      r3.Mat // b's axes as columns
	abs    r3.Mat
	t      r3.Vec // b's centre
	tb     r3.Vec // the same in b's frame
}

// collideBoxes parts two boxes along the best of 15 axes (Gottschalk, Lin and Manocha, "OBBTree",
// 1996) and clips the faces that meet, or joins the two edges.
// It returns how far apart they are at least.
func collideBoxes(cl *contactPoints, a *geom, pa *geomPlacement, b *geom, pb *geomPlacement, margin float64) float64 {
	p := boxPair{ha: a.half, hb: b.half}
	p.t = pa.mat.ApplyT(pb.pose.Pos.Sub(pa.pose.Pos))
	p.r = r3.Columns(pa.mat.ApplyT(pb.mat.Col(0)), pa.mat.ApplyT(pb.mat.Col(1)), pa.mat.ApplyT(pb.mat.Col(2)))
	p.tb = p.r.ApplyT(p.t)
	p.abs = r3.Columns(p.r.Col(0).Abs(), p.r.Col(1).Abs(), p.r.Col(2).Abs())
	face, gap := p.bestFace(margin)
	if gap > margin {
		return gap
	}
	i, j, edgeGap := p.bestEdges(gap, margin)
	if edgeGap > margin {
		return edgeGap
	}
	if i >= 0 && edgeGap > gap+edgeAdvantage {
		p.collideEdges(cl, i, j)
	} else if face < 3 {
		clipBoxFace(cl, face, p.ha, p.hb, p.r, p.t, margin, false)
	} else {
		clipBoxFace(cl, face-3, p.hb, p.ha, p.r.T(), p.tb.Neg(), margin, true)
		cl.toFrameOfA(&p)
	}
	cl.normal = pa.mat.Apply(cl.normal)
	for k := range cl.n {
		cl.points[k].pos = pa.mat.Apply(cl.points[k].pos).Add(pa.pose.Pos)
	}
	return max(gap, edgeGap)
}

// bestFace is the face axis that parts the boxes most: 0 to 2 of a, 3 to 5 of b. It stops at one that
// parts them by more than the margin.
func (p *boxPair) bestFace(margin float64) (int, float64) {
	rb := p.abs.Apply(p.hb)
	ra := p.abs.ApplyT(p.ha)
	sa := p.t.Abs().Sub(p.ha).Sub(rb)
	sb := p.tb.Abs().Sub(p.hb).Sub(ra)
	best, at := sa.X, 0
	if sa.Y > best {
		best, at = sa.Y, 1
	}
	if sa.Z > best {
		best, at = sa.Z, 2
	}
	// The second box must be clearly better, or the choice would flicker between equals.
	limit := best + 1e-4
	for k, s := range [3]float64{sb.X, sb.Y, sb.Z} {
		if s > limit {
			best, at, limit = s, 3+k, s
		}
	}
	return at, best
}

// bestEdges is the pair of edge directions that parts the boxes most; i < 0 when none beats the face.
func (p *boxPair) bestEdges(faceGap, margin float64) (int, int, float64) {
	bi, bj, best := -1, -1, faceGap
	ha := [3]float64{p.ha.X, p.ha.Y, p.ha.Z}
	hb := [3]float64{p.hb.X, p.hb.Y, p.hb.Z}
	t := [3]float64{p.t.X, p.t.Y, p.t.Z}
	r := [3][3]float64{{p.r.XX, p.r.XY, p.r.XZ}, {p.r.YX, p.r.YY, p.r.YZ}, {p.r.ZX, p.r.ZY, p.r.ZZ}}
	q := [3][3]float64{{p.abs.XX, p.abs.XY, p.abs.XZ}, {p.abs.YX, p.abs.YY, p.abs.YZ}, {p.abs.ZX, p.abs.ZY, p.abs.ZZ}}
	for i := range 3 {
		i1, i2 := (i+1)%3, (i+2)%3
		for j := range 3 {
			l2 := 1 - float64(r[i][j]*r[i][j])
			if l2 < 1e-4 {
				continue // parallel edges: a face says it better
			}
			j1, j2 := (j+1)%3, (j+2)%3
			s := math.Abs(float64(t[i2]*r[i1][j])-float64(t[i1]*r[i2][j])) -
				(float64(ha[i1]*q[i2][j]) + float64(ha[i2]*q[i1][j]) + float64(hb[j1]*q[i][j2]) + float64(hb[j2]*q[i][j1]))
			// Dividing by the axis' length only makes a negative gap deeper.
			if s <= 0 && s <= best {
				continue
			}
			if s /= math.Sqrt(l2); s > best {
				bi, bj, best = i, j, s
				if s > margin {
					return bi, bj, best
				}
			}
		}
	}
	return bi, bj, best
}

// collideEdges makes the one point where edge i of the first crosses edge j of the second.
func (p *boxPair) collideEdges(cl *contactPoints, i, j int) {
	ei := r3.Vec{}.With(i, 1)
	ej := p.r.Col(j)
	n, _ := ei.Cross(ej).Unit()
	if n.Dot(p.t) < 0 {
		n = n.Neg()
	}
	// The corner of each box that lies furthest towards the other, centred along its edge.
	var ca, cb r3.Vec
	nb := p.r.ApplyT(n)
	var bits uint32
	for k := range 3 {
		if k != i {
			s := math.Copysign(1, n.At(k))
			ca = ca.With(k, float64(s*p.ha.At(k)))
			bits = bits<<1 | uint32(math.Float64bits(s)>>63)
		}
	}
	for k := range 3 {
		if k != j {
			s := math.Copysign(1, -nb.At(k))
			cb = cb.With(k, float64(s*p.hb.At(k)))
			bits = bits<<1 | uint32(math.Float64bits(s)>>63)
		}
	}
	cb = p.r.Apply(cb).Add(p.t)
	// Closest points of the two lines.
	d := cb.Sub(ca)
	k := ei.Dot(ej)
	u, v := d.Dot(ei), d.Dot(ej)
	s := (u - float64(k*v)) / (1 - float64(k*k))
	s = max(-p.ha.At(i), min(p.ha.At(i), s))
	x := float64(k*s) - v
	x = max(-p.hb.At(j), min(p.hb.At(j), x))
	onA, onB := ca.AddScaled(s, ei), cb.AddScaled(x, ej)
	cl.start(n)
	gap := onB.Sub(onA).Dot(n)
	mid := onA.Lerp(onB, 0.5).AddScaled(-0.5*gap, n)
	cl.add(mid, gap, 1<<31|uint32(i)<<12|uint32(j)<<8|bits)
}

// toFrameOfA turns a cloud found in the second box's frame, with that box's face as reference, into the
// first box's frame and sense.
func (c *contactPoints) toFrameOfA(p *boxPair) {
	c.normal = p.r.Apply(c.normal).Neg()
	for i := range c.n {
		c.points[i].pos = p.r.Apply(c.points[i].pos).Add(p.t)
	}
}

// clipVertex is a point of the incident face over the reference face: along its two edges, and above it.
type clipVertex struct {
	u, v, w float64
	id      uint32
}

// clipBoxFace clips the face of the other box that looks most against a face of the reference box.
// Everything is in the reference box's frame; flip says that the reference is the pair's second box,
// so that the points kept must be those on the other box, the pair's first.
func clipBoxFace(cl *contactPoints, axis int, href, hinc r3.Vec, r r3.Mat, t r3.Vec, margin float64, flip bool) {
	side := math.Copysign(1, t.At(axis))
	cl.start(r3.Vec{}.With(axis, side))
	n := r.Row(axis).Scale(side) // the reference normal in the incident box's frame
	inc := 0
	if math.Abs(n.Y) > math.Abs(n.At(inc)) {
		inc = 1
	}
	if math.Abs(n.Z) > math.Abs(n.At(inc)) {
		inc = 2
	}
	iu, iv := (axis+1)%3, (axis+2)%3
	ju, jv := (inc+1)%3, (inc+2)%3
	centre := t.AddScaled(float64(math.Copysign(hinc.At(inc), -n.At(inc))), r.Col(inc))
	eu, ev := r.Col(ju).Scale(hinc.At(ju)), r.Col(jv).Scale(hinc.At(jv))
	var poly, spare [12]clipVertex
	for k, s := range [4][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
		c := centre.AddScaled(s[0], eu).AddScaled(s[1], ev)
		poly[k] = clipVertex{c.At(iu), c.At(iv), float64(side*c.At(axis)) - href.At(axis), uint32(k)}
	}
	m := clipAgainstSide(poly[:4], spare[:], href.At(iu), 0)
	m = clipAgainstSide(spare[:m], poly[:], href.At(iv), 1)
	face := uint32(axis)<<8 | uint32(inc)<<10
	if side < 0 {
		face |= 1 << 12
	}
	if flip {
		face |= 1 << 13
	}
	for _, c := range poly[:m] {
		if c.w > margin {
			continue
		}
		w := href.At(axis)
		if flip {
			w += c.w
		}
		p := r3.Vec{}.With(iu, c.u).With(iv, c.v).With(axis, float64(side*w))
		cl.add(p, c.w, c.id|face<<8)
	}
}

// clipAgainstSide keeps the part of a polygon between -h and +h along u (which = 0) or v (1).
func clipAgainstSide(in, out []clipVertex, h float64, which uint32) int {
	var buf [12]clipVertex
	m := clipHalfPlane(in, buf[:], h, 1, which)
	return clipHalfPlane(buf[:m], out, h, -1, which)
}

func clipHalfPlane(in, out []clipVertex, h, sign float64, which uint32) int {
	m := 0
	mark := (which<<1|uint32(math.Float64bits(sign)>>63))<<2 | 0x10
	for i := range in {
		c, d := &in[i], &in[(i+1)%len(in)]
		x, y := c.u, d.u
		if which == 1 {
			x, y = c.v, d.v
		}
		x, y = float64(sign*x)-h, float64(sign*y)-h
		if x <= 0 && m < len(out) {
			out[m] = *c
			m++
		}
		if (x < 0 && y > 0 || x > 0 && y < 0) && m < len(out) {
			k := x / (x - y)
			id := c.id
			if x > 0 {
				id = d.id
			}
			out[m] = clipVertex{
				c.u + float64(k*(d.u-c.u)), c.v + float64(k*(d.v-c.v)), c.w + float64(k*(d.w-c.w)),
				id<<5&0xffff | mark | uint32(i&1),
			}
			m++
		}
	}
	return m
}
