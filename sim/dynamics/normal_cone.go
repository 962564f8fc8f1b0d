package dynamics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// internalEdgeDistance is how far, in metres, two static geoms may stand apart, or one above the other, and still be one
	// surface to what slides over them.
	internalEdgeDistance = 2e-4
	// internalEdgeDepth is how far, in metres, below a face of a geom a point may be and still count as on it.
	internalEdgeDepth = 2 * internalEdgeDistance
	// internalEdgeMaxDepth is how deep, in metres, a contact is no matter of seams any more.
	internalEdgeMaxDepth = 2e-3
	// triangleThickness is how thick, in metres, triangles are taken to be.
	triangleThickness = 0.01
	// maxConeFacets is how many faces meet at a corner at most; of more those count that look most along the normal.
	maxConeFacets = 8
)

// normalCone is the faces of a geom around a point.
type normalCone struct {
	tolerance      float64 // m, how high above a face the point may be,
	depthTolerance float64 // and how far below, to be on it
	n              int
	facets         [maxConeFacets]facet
	highest        float64 // m, of the point over any face, also of those further away
}

// facet is the plane of a face: its normal, and how high in metres a point is above it.
type facet struct {
	normal r3.Vec
	height float64
}

func (c *normalCone) reset(near, deep float64) {
	*c = normalCone{tolerance: near, depthTolerance: deep, highest: math.Inf(-1)}
}

// addFacet takes a face in when the point is on it; false when the point stands off.
func (c *normalCone) addFacet(normal r3.Vec, height float64, along r3.Vec) bool {
	c.highest = max(c.highest, height)
	if height > c.tolerance {
		return false
	}
	if height < -c.depthTolerance {
		return true
	}
	at := c.n
	if at == maxConeFacets {
		at = 0
		for i := range c.facets {
			if c.facets[i].normal.Dot(along) < c.facets[at].normal.Dot(along) {
				at = i
			}
		}
		if c.facets[at].normal.Dot(along) >= normal.Dot(along) {
			return true
		}
	} else {
		c.n++
	}
	c.facets[at] = facet{normal, height}
	return true
}

// normalConeAt finds the faces of a convex geom or plane around a point of the world; false when the point stands off.
// Where there are too many those count that look along dir.
func (w *World) normalConeAt(s int32, at, dir r3.Vec, c *normalCone) bool {
	g, p := &w.geoms[s], &w.placements[s]
	x, along := p.mat.ApplyT(at.Sub(p.pose.Pos)), p.mat.ApplyT(dir)
	c.reset(internalEdgeDistance, internalEdgeDepth)
	if !g.addFaces(x, along, c) {
		return false
	}
	for i := range c.n {
		c.facets[i].normal = p.mat.Apply(c.facets[i].normal)
	}
	return true
}

// addFaces is normalConeAt in the frame of the shape.
func (g *geom) addFaces(x, along r3.Vec, c *normalCone) bool {
	switch h := g.half; g.kind {
	case shape.KindSphere:
		return c.addSphereFace(x, h.X, along)
	case shape.KindCapsule:
		return c.addSphereFace(r3.Vec{X: x.X, Y: x.Y, Z: x.Z - max(-h.Z, min(h.Z, x.Z))}, h.X, along)
	case shape.KindCylinder:
		return c.addFacet(r3.Vec{Z: 1}, x.Z-h.Z, along) && c.addFacet(r3.Vec{Z: -1}, -x.Z-h.Z, along) && c.addSphereFace(r3.Vec{X: x.X, Y: x.Y}, h.X, along)
	case shape.KindBox:
		for i := range 3 {
			v, axis := x.At(i), r3.Vec{}.With(i, 1)
			if !c.addFacet(axis, v-h.At(i), along) || !c.addFacet(axis.Neg(), -v-h.At(i), along) {
				return false
			}
		}
		return true
	case shape.KindHull:
		for i := range g.hull.Faces() {
			if n := g.hull.Normal(i); !c.addFacet(n, n.Dot(x)-g.hull.Offset(i), along) {
				return false
			}
		}
		return true
	case shape.KindPlane:
		return c.addFacet(r3.Vec{Z: 1}, x.Z, along)
	}
	return false
}

// addSphereFace is the face of a ball around a centre from which the point is away by x.
func (c *normalCone) addSphereFace(x r3.Vec, radius float64, along r3.Vec) bool {
	l := x.Len()
	return c.addFacet(x.Scale(inverseOrZero(l)), l-radius, along)
}

// addTriangleFaces finds the faces around a point of what a triangle stands for: of a flat piece behind it, as thick as backing. Seen from
// where middle is, all in the surface's frame.
func (c *normalCone) addTriangleFaces(m shape.Surface, t int32, x, middle, along r3.Vec, near, deep float64) bool {
	p, q, r := m.Triangle(t)
	n := m.Normal(t)
	c.reset(near, deep)
	if middle.Sub(p).Dot(n) < 0 {
		n, q, r = n.Neg(), r, q
	}
	height := x.Sub(p).Dot(n)
	if height < -triangleThickness || !c.addFacet(n, height, along) {
		return false
	}
	for _, e := range [3][2]r3.Vec{{p, q}, {q, r}, {r, p}} {
		out, ok := e[1].Sub(e[0]).Cross(n).Unit()
		if !ok || !c.addFacet(out, x.Sub(e[0]).Dot(out), along) {
			return false
		}
	}
	return true
}

// coneIterations is how often the faces are gone through to find what part of a direction they answer for.
const coneIterations = 12

// outsideCone is the part of a direction that points into the geom: what is left of it beside the cone of its faces' normals.
// Nothing is left of the normal of a contact that the geom may have there. The parts say how much each face answers for.
func (c *normalCone) outsideCone(dir r3.Vec, parts *[maxConeFacets]float64) r3.Vec {
	*parts = [maxConeFacets]float64{}
	for range coneIterations {
		changed := 0.0
		for i := range c.n {
			n := c.facets[i].normal
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

// unroundOnGeom is the place on a geom that a contact presses on along dir. The search rounds the edges of boxes and cylinders
// off: what it finds near an edge, of either geom, stands for a place on it.
func (w *World) unroundOnGeom(v *internalEdgeQuery, at, dir r3.Vec) r3.Vec {
	g, p := &w.geoms[v.pressed], &w.placements[v.pressed]
	r := g.roundingRadius() + w.geoms[v.pressing].roundingRadius()
	if g.surface != nil || r == 0 {
		return at
	}
	x, along := p.mat.ApplyT(at.Sub(p.pose.Pos)), p.mat.ApplyT(dir)
	for range unroundIterations {
		v.own.reset(2*r, 2*r)
		if !g.addFaces(x, along, &v.own) {
			return at
		}
		x = v.own.projectOntoFacets(x, along, &v.parts)
	}
	return p.mat.Apply(x).Add(p.pose.Pos)
}

// unroundOnTriangle is settle for a triangle, in the surface's frame.
func (w *World) unroundOnTriangle(v *internalEdgeQuery, m shape.Surface, t int32, x, middle, along r3.Vec) r3.Vec {
	r := w.geoms[v.pressing].roundingRadius()
	for range unroundIterations {
		if r == 0 || !v.own.addTriangleFaces(m, t, x, middle, along, 2*r, 2*r) {
			break
		}
		x = v.own.projectOntoFacets(x, along, &v.parts)
	}
	return x
}

// projectOntoFacets moves the point onto the faces that answer for a direction.
func (c *normalCone) projectOntoFacets(x, along r3.Vec, parts *[maxConeFacets]float64) r3.Vec {
	c.outsideCone(along, parts)
	for i, f := range c.facets[:c.n] {
		if parts[i] > edgeLeanTolerance {
			x = x.AddScaled(-f.height, f.normal)
		}
	}
	return x
}

// unroundIterations is how often a point is drawn to the faces that it belongs to.
const unroundIterations = 2

// roundingRadius is by how much, in metres, the search rounds edges off.
func (g *geom) roundingRadius() float64 {
	if g.kind == shape.KindBox || g.kind == shape.KindCylinder {
		return g.proxy.Radius
	}
	return 0
}
