package collide

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// maxConeFacets bounds the faces of a cone at a point. Of more faces it has those that face the normal
	// most.
	maxConeFacets = 8
	// coneIterations bounds the projections onto the facets, as in projected Gauss–Seidel.
	coneIterations = 12
	// unroundIterations is the number of projections of a point onto its faces.
	unroundIterations = 2
	// triangleThickness is the assumed thickness, m, of a triangle behind its face.
	triangleThickness = 0.01
)

// normalCone is the faces of a geometry at a point. The normals that a contact may have there are the
// nonnegative combinations of theirs: the normal cone, or Voronoi region, of the point.
type normalCone struct {
	tolerance      float64 // m, how high above a face the point may be to count as on it
	depthTolerance float64 // m, how far below
	n              int
	facets         [maxConeFacets]facet
	highest        float64 // m, the point's height over any face, those further away included
}

// facet is the plane of a face: its normal, and the height of the point above it in m.
type facet struct {
	normal r3.Vec
	height float64
}

func (c *normalCone) reset(tolerance, depthTolerance float64) {
	*c = normalCone{tolerance: tolerance, depthTolerance: depthTolerance, highest: math.Inf(-1)}
}

// addFacet adds a face when the point is on it. It reports false when the point is above the face, outside.
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

// find finds the faces of a convex geometry or plane at a point, all in the world's frame. It reports false
// when the point is outside. Of too many faces those count that face dir most.
func (c *normalCone) find(g Instance, point, dir r3.Vec) bool {
	p := g.Placement
	x, along := p.Mat.ApplyT(point.Sub(p.Pose.Pos)), p.Mat.ApplyT(dir)
	c.reset(NeighborDistance, internalEdgeDepth)
	if !c.addFacets(g.Geometry, x, along) {
		return false
	}
	for i := range c.n {
		c.facets[i].normal = p.Mat.Apply(c.facets[i].normal)
	}
	return true
}

// addFacets adds the faces at a point x of a convex geometry or plane, in the geometry's frame.
func (c *normalCone) addFacets(g *Geometry, x, along r3.Vec) bool {
	switch h := g.Half; g.Kind {
	case shape.KindSphere:
		return c.addSphereFacet(x, h.X, along)
	case shape.KindCapsule:
		return c.addSphereFacet(r3.Vec{X: x.X, Y: x.Y, Z: x.Z - max(-h.Z, min(h.Z, x.Z))}, h.X, along)
	case shape.KindCylinder:
		return c.addFacet(r3.Vec{Z: 1}, x.Z-h.Z, along) && c.addFacet(r3.Vec{Z: -1}, -x.Z-h.Z, along) &&
			c.addSphereFacet(r3.Vec{X: x.X, Y: x.Y}, h.X, along)
	case shape.KindBox:
		for i := range 3 {
			v, axis := x.At(i), r3.Vec{}.With(i, 1)
			if !c.addFacet(axis, v-h.At(i), along) || !c.addFacet(axis.Neg(), -v-h.At(i), along) {
				return false
			}
		}
		return true
	case shape.KindHull:
		for i := range g.Hull.Faces() {
			if n := g.Hull.Normal(i); !c.addFacet(n, n.Dot(x)-g.Hull.Offset(i), along) {
				return false
			}
		}
		return true
	case shape.KindPlane:
		return c.addFacet(r3.Vec{Z: 1}, x.Z, along)
	}
	return false
}

// addSphereFacet adds the tangent plane of a sphere around the origin, towards x.
func (c *normalCone) addSphereFacet(x r3.Vec, radius float64, along r3.Vec) bool {
	l := x.Len()
	return c.addFacet(x.Scale(inverseOrZero(l)), l-radius, along)
}

// findTriangle finds the faces at a point x of triangle t, a slab of triangleThickness behind its face, which
// looks to middle. All is in the surface's frame.
func (c *normalCone) findTriangle(s shape.Surface, t int32, x, middle, along r3.Vec, tolerance,
	depthTolerance float64) bool {
	p, q, r := s.Triangle(t)
	n := s.Normal(t)
	c.reset(tolerance, depthTolerance)
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

// outsideCone is the part of dir outside the cone: its distance, as a vector, from the nonnegative
// combinations of the facets' normals. It is zero for a normal that a contact may have. Parts are the
// coefficients of the facets.
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

// projectOntoFacets moves the point x onto the facets of which dir is a combination.
func (c *normalCone) projectOntoFacets(x, dir r3.Vec, parts *[maxConeFacets]float64) r3.Vec {
	c.outsideCone(dir, parts)
	for i, f := range c.facets[:c.n] {
		if parts[i] > edgeLeanTolerance {
			x = x.AddScaled(-f.height, f.normal)
		}
	}
	return x
}
