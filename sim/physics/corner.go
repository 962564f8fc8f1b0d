package physics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// seamNear is how far, in metres, two static geoms may stand apart, or one above the other, and still be one
	// surface to what slides over them.
	seamNear = 2e-4
	// seamDeep is how far, in metres, below a face of a geom a point may be and still count as on it.
	seamDeep = 2 * seamNear
	// seamBuried is how deep, in metres, a contact is no matter of seams any more.
	seamBuried = 2e-3
	// backing is how thick, in metres, triangles are taken to be.
	backing = 0.01
	// cornerMost is how many faces meet at a corner at most; of more those count that look most along the normal.
	cornerMost = 8
)

// corner is the faces of a geom around a point.
type corner struct {
	near    float64 // m, how high above a face the point may be,
	deep    float64 // and how far below, to be on it
	n       int
	f       [cornerMost]facet
	highest float64 // m, of the point over any face, also of those further away
}

// facet is the plane of a face: its normal, and how high in metres a point is above it.
type facet struct {
	normal r3.Vec
	height float64
}

func (c *corner) clear(near, deep float64) {
	*c = corner{near: near, deep: deep, highest: math.Inf(-1)}
}

// put takes a face in when the point is on it; false when the point stands off.
func (c *corner) put(normal r3.Vec, height float64, along r3.Vec) bool {
	c.highest = max(c.highest, height)
	if height > c.near {
		return false
	}
	if height < -c.deep {
		return true
	}
	at := c.n
	if at == cornerMost {
		at = 0
		for i := range c.f {
			if c.f[i].normal.Dot(along) < c.f[at].normal.Dot(along) {
				at = i
			}
		}
		if c.f[at].normal.Dot(along) >= normal.Dot(along) {
			return true
		}
	} else {
		c.n++
	}
	c.f[at] = facet{normal, height}
	return true
}

// cornerAt finds the faces of a convex geom or plane around a point of the world; false when the point stands off.
// Where there are too many those count that look along dir.
func (w *World) cornerAt(s int32, at, dir r3.Vec, c *corner) bool {
	g, p := &w.geoms[s], &w.placed[s]
	x, along := p.mat.ApplyT(at.Sub(p.pose.Pos)), p.mat.ApplyT(dir)
	c.clear(seamNear, seamDeep)
	if !g.corner(x, along, c) {
		return false
	}
	for i := range c.n {
		c.f[i].normal = p.mat.Apply(c.f[i].normal)
	}
	return true
}

// corner is cornerAt in the frame of the shape.
func (g *geom) corner(x, along r3.Vec, c *corner) bool {
	switch h := g.half; g.kind {
	case shape.KindSphere:
		return c.round(x, h.X, along)
	case shape.KindCapsule:
		return c.round(r3.Vec{X: x.X, Y: x.Y, Z: x.Z - max(-h.Z, min(h.Z, x.Z))}, h.X, along)
	case shape.KindCylinder:
		return c.put(r3.Vec{Z: 1}, x.Z-h.Z, along) && c.put(r3.Vec{Z: -1}, -x.Z-h.Z, along) && c.round(r3.Vec{X: x.X, Y: x.Y}, h.X, along)
	case shape.KindBox:
		for i := range 3 {
			v, axis := x.At(i), r3.Vec{}.With(i, 1)
			if !c.put(axis, v-h.At(i), along) || !c.put(axis.Neg(), -v-h.At(i), along) {
				return false
			}
		}
		return true
	case shape.KindHull:
		for i := range g.hull.Faces() {
			if n := g.hull.Normal(i); !c.put(n, n.Dot(x)-g.hull.Offset(i), along) {
				return false
			}
		}
		return true
	case shape.KindPlane:
		return c.put(r3.Vec{Z: 1}, x.Z, along)
	}
	return false
}

// round is the face of a ball around a centre from which the point is away by x.
func (c *corner) round(x r3.Vec, radius float64, along r3.Vec) bool {
	l := x.Len()
	return c.put(x.Scale(invertOrZero(l)), l-radius, along)
}

// prism finds the faces around a point of what a triangle stands for: of a flat piece behind it, as thick as backing. Seen from
// where middle is, all in the surface's frame.
func (c *corner) prism(m shape.Surface, t int32, x, middle, along r3.Vec, near, deep float64) bool {
	p, q, r := m.Triangle(t)
	n := m.Normal(t)
	c.clear(near, deep)
	if middle.Sub(p).Dot(n) < 0 {
		n, q, r = n.Neg(), r, q
	}
	height := x.Sub(p).Dot(n)
	if height < -backing || !c.put(n, height, along) {
		return false
	}
	for _, e := range [3][2]r3.Vec{{p, q}, {q, r}, {r, p}} {
		out, ok := e[1].Sub(e[0]).Cross(n).Unit()
		if !ok || !c.put(out, x.Sub(e[0]).Dot(out), along) {
			return false
		}
	}
	return true
}

// coneRounds is how often the faces are gone through to find what part of a direction they answer for.
const coneRounds = 12

// rest is the part of a direction that points into the geom: what is left of it beside the cone of its faces' normals.
// Nothing is left of the normal of a contact that the geom may have there. The parts say how much each face answers for.
func (c *corner) rest(dir r3.Vec, parts *[cornerMost]float64) r3.Vec {
	*parts = [cornerMost]float64{}
	for range coneRounds {
		changed := 0.0
		for i := range c.n {
			n := c.f[i].normal
			part := max(0, parts[i]+dir.Dot(n))
			d := part - parts[i]
			dir, parts[i] = dir.AddScaled(-d, n), part
			changed = max(changed, math.Abs(d))
		}
		if changed < 1e-9 {
			break
		}
	}
	return dir
}

// settle is the place on a geom that a contact presses on along dir. The search rounds the edges of boxes and cylinders
// off: what it finds near an edge, of either geom, stands for a place on it.
func (w *World) settle(v *cover, at, dir r3.Vec) r3.Vec {
	g, p := &w.geoms[v.g], &w.placed[v.g]
	r := g.rounding() + w.geoms[v.by].rounding()
	if g.surface != nil || r == 0 {
		return at
	}
	x, along := p.mat.ApplyT(at.Sub(p.pose.Pos)), p.mat.ApplyT(dir)
	for range settleRounds {
		v.own.clear(2*r, 2*r)
		if !g.corner(x, along, &v.own) {
			return at
		}
		x = v.own.draw(x, along, &v.parts)
	}
	return p.mat.Apply(x).Add(p.pose.Pos)
}

// settleOn is settle for a triangle, in the surface's frame.
func (w *World) settleOn(v *cover, m shape.Surface, t int32, x, middle, along r3.Vec) r3.Vec {
	r := w.geoms[v.by].rounding()
	for range settleRounds {
		if r == 0 || !v.own.prism(m, t, x, middle, along, 2*r, 2*r) {
			break
		}
		x = v.own.draw(x, along, &v.parts)
	}
	return x
}

// draw moves the point onto the faces that answer for a direction.
func (c *corner) draw(x, along r3.Vec, parts *[cornerMost]float64) r3.Vec {
	c.rest(along, parts)
	for i, f := range c.f[:c.n] {
		if parts[i] > leanEdge {
			x = x.AddScaled(-f.height, f.normal)
		}
	}
	return x
}

// settleRounds is how often a point is drawn to the faces that it belongs to.
const settleRounds = 2

// rounding is by how much, in metres, the search rounds edges off.
func (g *geom) rounding() float64 {
	if g.kind == shape.KindBox || g.kind == shape.KindCylinder {
		return g.proxy.Radius
	}
	return 0
}
