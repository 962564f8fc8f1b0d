package collide

import (
	"math"

	"simdeck/sim/r3"
)

// edgeAdvantage is the excess, m, of an edge–edge axis' separation over that of the best face axis, from
// which on the edge axis is chosen. Faces make steadier manifolds.
const edgeAdvantage = 5e-4

// boxPair is two boxes in the frame of A.
type boxPair struct {
	ha, hb r3.Vec // half extents
	r      r3.Mat // B's axes as columns
	abs    r3.Mat // absolute values of r
	t      r3.Vec // B's center
	tb     r3.Vec // the same in B's frame
}

// collideBoxes finds the axis of largest separation among 15 (separating axis test, Gottschalk 1996), and clips
// the facing faces, or takes the edges' closest points. It returns a lower bound of the distance, in m.
func (m *Manifold) collideBoxes(a, b Instance, margin float64) float64 {
	pa, pb := a.Placement, b.Placement
	p := boxPair{ha: a.Half, hb: b.Half}
	p.t = pa.Mat.ApplyT(pb.Pose.Pos.Sub(pa.Pose.Pos))
	p.r = r3.Columns(pa.Mat.ApplyT(pb.Mat.Col(0)), pa.Mat.ApplyT(pb.Mat.Col(1)), pa.Mat.ApplyT(pb.Mat.Col(2)))
	p.tb = p.r.ApplyT(p.t)
	p.abs = r3.Columns(p.r.Col(0).Abs(), p.r.Col(1).Abs(), p.r.Col(2).Abs())
	face, gap := p.bestFace()
	if gap > margin {
		return gap
	}
	i, j, edgeGap := p.bestEdges(gap, margin)
	if edgeGap > margin {
		return edgeGap
	}
	if i >= 0 && edgeGap > gap+edgeAdvantage {
		p.collideEdges(m, i, j)
	} else if face < 3 {
		m.clipBoxFace(face, p.ha, p.hb, p.r, p.t, margin, false)
	} else {
		m.clipBoxFace(face-3, p.hb, p.ha, p.r.T(), p.tb.Neg(), margin, true)
		m.toFrameOfA(&p)
	}
	m.Normal = pa.Mat.Apply(m.Normal)
	for k := range m.Count {
		m.Points[k].Position = pa.Mat.Apply(m.Points[k].Position).Add(pa.Pose.Pos)
	}
	return max(gap, edgeGap)
}

// bestFace is the face axis of largest separation, and that separation in m: axes 0 to 2 are A's, 3 to 5 B's.
func (p *boxPair) bestFace() (int, float64) {
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
	// B must be clearly better, or the choice would change from step to step between equals.
	limit := best + 1e-4
	for k, s := range [3]float64{sb.X, sb.Y, sb.Z} {
		if s > limit {
			best, at, limit = s, 3+k, s
		}
	}
	return at, best
}

// bestEdges is the pair of edge directions of largest separation, and that separation in m; i < 0 when none
// exceeds that of the face.
func (p *boxPair) bestEdges(faceGap, margin float64) (int, int, float64) {
	bi, bj, best := -1, -1, faceGap
	ha := [3]float64{p.ha.X, p.ha.Y, p.ha.Z}
	hb := [3]float64{p.hb.X, p.hb.Y, p.hb.Z}
	t := [3]float64{p.t.X, p.t.Y, p.t.Z}
	r := [3][3]float64{{p.r.XX, p.r.XY, p.r.XZ}, {p.r.YX, p.r.YY, p.r.YZ}, {p.r.ZX, p.r.ZY, p.r.ZZ}}
	q := [3][3]float64{{p.abs.XX, p.abs.XY, p.abs.XZ}, {p.abs.YX, p.abs.YY, p.abs.YZ},
		{p.abs.ZX, p.abs.ZY, p.abs.ZZ}}
	for i := range 3 {
		i1, i2 := (i+1)%3, (i+2)%3
		for j := range 3 {
			l2 := 1 - float64(r[i][j]*r[i][j])
			if l2 < 1e-4 {
				continue // parallel edges: a face axis covers them
			}
			j1, j2 := (j+1)%3, (j+2)%3
			s := math.Abs(float64(t[i2]*r[i1][j])-float64(t[i1]*r[i2][j])) -
				(float64(ha[i1]*q[i2][j]) + float64(ha[i2]*q[i1][j]) + float64(hb[j1]*q[i][j2]) +
					float64(hb[j2]*q[i][j1]))
			// The axis is not of unit length; dividing by its length makes a negative separation only deeper.
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

// collideEdges makes the one point where edge i of A crosses edge j of B.
func (p *boxPair) collideEdges(m *Manifold, i, j int) {
	ei := r3.Vec{}.With(i, 1)
	ej := p.r.Col(j)
	n, _ := ei.Cross(ej).Unit()
	if n.Dot(p.t) < 0 {
		n = n.Neg()
	}
	// The middle of the edge of each box that lies furthest towards the other.
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
	// Closest points of the two lines, within the edges.
	d := cb.Sub(ca)
	k := ei.Dot(ej)
	u, v := d.Dot(ei), d.Dot(ej)
	s := (u - float64(k*v)) / (1 - float64(k*k))
	s = max(-p.ha.At(i), min(p.ha.At(i), s))
	x := float64(k*s) - v
	x = max(-p.hb.At(j), min(p.hb.At(j), x))
	onA, onB := ca.AddScaled(s, ei), cb.AddScaled(x, ej)
	m.start(n)
	gap := onB.Sub(onA).Dot(n)
	mid := onA.Lerp(onB, 0.5).AddScaled(-0.5*gap, n)
	m.add(mid, gap, 1<<31|uint32(i)<<12|uint32(j)<<8|bits)
}

// toFrameOfA moves a manifold from B's frame, with a reference face of B, into A's, and turns its normal from
// A to B.
func (m *Manifold) toFrameOfA(p *boxPair) {
	m.Normal = p.r.Apply(m.Normal).Neg()
	for i := range m.Count {
		m.Points[i].Position = p.r.Apply(m.Points[i].Position).Add(p.t)
	}
}

// boxClipVertex is a vertex of the incident face relative to the reference face.
type boxClipVertex struct {
	u, v, w float64 // m, along the two edges of the reference face, and above it
	id      uint32
}

// clipBoxFace clips the incident face, that of the other box which most faces the reference face, against the
// sides of the reference face. All is in the reference box's frame: href and hinc are the half extents, r and
// t the incident box's axes and center. flip marks B as the reference box: points are then moved to A's face.
func (m *Manifold) clipBoxFace(axis int, href, hinc r3.Vec, r r3.Mat, t r3.Vec, margin float64, flip bool) {
	side := math.Copysign(1, t.At(axis))
	m.start(r3.Vec{}.With(axis, side))
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
	center := t.AddScaled(float64(math.Copysign(hinc.At(inc), -n.At(inc))), r.Col(inc))
	eu, ev := r.Col(ju).Scale(hinc.At(ju)), r.Col(jv).Scale(hinc.At(jv))
	var poly, spare [12]boxClipVertex
	for k, s := range [4][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
		c := center.AddScaled(s[0], eu).AddScaled(s[1], ev)
		poly[k] = boxClipVertex{c.At(iu), c.At(iv), float64(side*c.At(axis)) - href.At(axis), uint32(k)}
	}
	count := clipBoxSlab(poly[:4], spare[:], href.At(iu), 0)
	count = clipBoxSlab(spare[:count], poly[:], href.At(iv), 1)
	face := uint32(axis)<<8 | uint32(inc)<<10
	if side < 0 {
		face |= 1 << 12
	}
	if flip {
		face |= 1 << 13
	}
	for _, c := range poly[:count] {
		if c.w > margin {
			continue
		}
		w := href.At(axis)
		if flip {
			w += c.w
		}
		p := r3.Vec{}.With(iu, c.u).With(iv, c.v).With(axis, float64(side*w))
		m.add(p, c.w, c.id|face<<8)
	}
}

// clipBoxSlab keeps the part of a polygon between -h and +h along u (which = 0) or v (1), and returns its
// size.
func clipBoxSlab(in, out []boxClipVertex, h float64, which uint32) int {
	var buf [12]boxClipVertex
	m := clipBoxHalfPlane(in, buf[:], h, 1, which)
	return clipBoxHalfPlane(buf[:m], out, h, -1, which)
}

// clipBoxHalfPlane keeps the part of a polygon below sign·h along u or v (Sutherland–Hodgman).
func clipBoxHalfPlane(in, out []boxClipVertex, h, sign float64, which uint32) int {
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
			out[m] = boxClipVertex{
				c.u + float64(k*(d.u-c.u)), c.v + float64(k*(d.v-c.v)), c.w + float64(k*(d.w-c.w)),
				id<<5&0xffff | mark | uint32(i&1),
			}
			m++
		}
	}
	return m
}
