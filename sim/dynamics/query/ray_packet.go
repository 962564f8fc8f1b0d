package query

import (
	"cmp"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Skip names what rays pass through: a body, and all geoms of a group.
type Skip struct {
	Body  int32 // below 0: none
	Group int32 // 0: none
}

// rayPacket is a bundle of rays from one origin. Coherent rays meet the same few geoms, which one traversal
// with the frustum around them finds for all.
type rayPacket struct {
	origin     r3.Vec
	limit      float64
	skip       Skip
	hasFrustum bool
	sides      [4]frustumPlane // valid if hasFrustum
}

// frustumPlane is a plane through the origin of a packet; rays lie in normal·x ≥ 0.
type frustumPlane struct{ normal, size r3.Vec } // size: |normal| by component

// candidate is a geom that some rays of a packet may meet.
type candidate struct {
	*Geom
	near    float64 // lower bound of the distance from the origin
	origin  r3.Vec  // of the packet, in the geom's frame
	core    *r3.Box // a shape.Box in its own frame; nil: another shape
	aligned bool    // a shape.Box whose axes are the world's
}

const (
	// maxFrustumTangent is the tangent of the largest half angle of a packet that gets a frustum.
	maxFrustumTangent = 4
	// frustumSlop, relative and in metres, keeps rounding from culling a geom that a ray grazes.
	frustumSlop = 1e-9
)

// CastPacket casts rays from one origin and writes the distance at which each first meets a geom, in metres.
// A ray that meets nothing within limit, or has no direction, gets +Inf. Directions may have any length.
// Distances are the same bits as those of each ray alone; the packet is fast where directions are close to
// each other.
//
// Intensities, unless nil, gets the intensity of the geom that each ray meets, 0 for none.
func (s *Scene) CastPacket(origin r3.Vec, dirs []r3.Vec, limit float64, skip Skip, distances,
	intensities []float64) {
	clear(intensities)
	if !origin.IsFinite() || !(limit >= 0) {
		for i := range dirs {
			distances[i] = math.Inf(1)
		}
		return
	}
	p := rayPacket{origin: origin, limit: limit, skip: skip}
	p.buildFrustum(dirs)
	var planesBuf [4]candidate
	planes := planesBuf[:0]
	for i := range s.static.planes {
		if g := &s.static.planes[i]; !p.skips(g) {
			planes = append(planes, p.candidate(g))
		}
	}
	var buf [48]candidate
	near := s.moving.collect(&p, s.static.tree.collect(&p, buf[:0]))
	slices.SortFunc(near, func(a, b candidate) int { return cmp.Compare(a.near, b.near) })
	for i, d := range dirs {
		hit := (*Geom)(nil)
		if distances[i], hit = p.cast(d, planes, near); hit != nil && intensities != nil {
			intensities[i] = hit.intensity
		}
	}
}

// cast returns the distance and the geom that one ray meets first; +Inf and nil if it meets none. Candidates
// are sorted by near.
func (p *rayPacket) cast(dir r3.Vec, planes, candidates []candidate) (float64, *Geom) {
	dir, ok := dir.Unit()
	if !ok {
		return math.Inf(1), nil
	}
	best, hit := p.limit, (*Geom)(nil)
	for i := range planes {
		if t, ok := planes[i].castPlane(dir, best); ok {
			best, hit = t, planes[i].Geom
		}
	}
	inv := r3.Ray{Dir: dir}.Inverse()
	for i := range candidates {
		c := &candidates[i]
		if c.near > best {
			break
		}
		if c.aligned {
			if t, ok := c.core.Hit(c.origin, inv, best); ok {
				best, hit = t, c.Geom
			}
			continue
		}
		if _, ok := c.box.Hit(p.origin, inv, best); !ok {
			continue
		}
		if t, ok := c.cast(dir, best); ok {
			best, hit = t, c.Geom
		}
	}
	if hit == nil {
		return math.Inf(1), nil
	}
	return best, hit
}

// castPlane returns the distance to a plane; 0 from below it.
func (c *candidate) castPlane(dir r3.Vec, limit float64) (float64, bool) {
	height := c.origin.Z
	if height <= 0 {
		return 0, true
	}
	slope := c.axes.Col(2).Dot(dir)
	if slope >= 0 {
		return 0, false
	}
	t := -height / slope
	return t, t <= limit
}

// cast returns the distance to a geom that is no plane.
func (c *candidate) cast(dir r3.Vec, limit float64) (float64, bool) {
	local := r3.Ray{Origin: c.origin, Dir: c.axes.ApplyT(dir)}
	if c.core != nil {
		return c.core.Hit(c.origin, local.Inverse(), limit)
	}
	if m, ok := c.shape.(*shape.Mesh); ok {
		return m.Reach(local, limit)
	}
	h, ok := c.shape.CastRay(local, limit)
	return h.T, ok
}

// buildFrustum computes the four planes around the directions: the bounds of their projections onto a plane
// before the origin. Directions that spread too far have no frustum.
func (p *rayPacket) buildFrustum(dirs []r3.Vec) {
	var sum r3.Vec
	for _, d := range dirs {
		sum = sum.Add(d)
	}
	axis, ok := sum.Unit()
	if !ok {
		return
	}
	u, v := axis.Basis()
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, d := range dirs {
		depth := d.Dot(axis)
		if !(depth > 0) {
			return
		}
		k := 1 / depth
		x, y := float64(d.Dot(u)*k), float64(d.Dot(v)*k)
		lo[0], hi[0] = min(lo[0], x), max(hi[0], x)
		lo[1], hi[1] = min(lo[1], y), max(hi[1], y)
	}
	if !(max(-lo[0], -lo[1], hi[0], hi[1]) < maxFrustumTangent) {
		return
	}
	for k, e := range [2]r3.Vec{u, v} {
		p.sides[2*k] = newFrustumPlane(e.AddScaled(frustumSlop-lo[k], axis))
		p.sides[2*k+1] = newFrustumPlane(axis.Scale(hi[k] + frustumSlop).Sub(e))
	}
	p.hasFrustum = true
}

func newFrustumPlane(normal r3.Vec) frustumPlane { return frustumPlane{normal, normal.Abs()} }

// overlaps reports whether a box may hold a point of a ray. It errs towards true.
func (p *rayPacket) overlaps(center, half r3.Vec) bool {
	c := center.Sub(p.origin)
	if boxDistance(c, half) > p.limit {
		return false
	}
	if !p.hasFrustum {
		return true
	}
	for i := range p.sides {
		s := &p.sides[i]
		if s.normal.Dot(c)+s.size.Dot(half) < -frustumSlop {
			return false
		}
	}
	return true
}

// boxDistance returns a lower bound, by a part of frustumSlop, of the distance from the origin to a box.
func boxDistance(center, half r3.Vec) float64 {
	return float64((1 - frustumSlop) * center.Abs().Sub(half).Max(r3.Vec{}).Len())
}

// skips reports whether rays pass through a geom.
func (p *rayPacket) skips(g *Geom) bool {
	return g.body == p.skip.Body || p.skip.Group != 0 && p.skip.Group == g.group
}

// candidate prepares a geom for the rays of the packet.
func (p *rayPacket) candidate(g *Geom) candidate {
	c := candidate{Geom: g, near: boxDistance(g.box.Centre().Sub(p.origin), g.box.Half()),
		origin: g.axes.ApplyT(p.origin.Sub(g.pos))}
	if g.core.Max.X > 0 {
		c.core, c.aligned = &g.core, g.axes == r3.Diag(r3.V(1, 1, 1))
	}
	return c
}
