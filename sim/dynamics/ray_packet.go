package dynamics

import (
	"cmp"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// rayPacket is a bundle of rays from one point. Rays that are near one another meet the same few targets,
// which are found once for all of them by the pyramid around them.
type rayPacket struct {
	origin     r3.Vec
	limit      float64
	skip       int32 // a body that is passed through; -1: none
	group      int32 // and the others of its group; 0: none
	hasFrustum bool  // the sides below hold
	sides      [4]frustumPlane
}

// frustumPlane is a plane through the origin of a fan: its rays are where normal·x ≥ 0.
type frustumPlane struct{ normal, size r3.Vec } // size: |normal| by component

// packetCandidate is a target that some rays of a fan may meet.
type packetCandidate struct {
	*sceneGeom
	near       float64 // m, no ray meets it before
	origin     r3.Vec  // of the fan in the target's frame
	core       *r3.Box // what a shape.Box fills of its own frame; nil: another shape
	horizontal bool    // whose axes are the world's
}

const (
	// maxFrustumTangent is how wide, as a tangent, a fan may be on either side of its axis to be culled by a pyramid.
	maxFrustumTangent = 4
	// frustumSlop, relative and in metres, keeps rounding from culling what a ray grazes.
	frustumSlop = 1e-9
)

// CastPacket casts rays from one point and writes how far each comes, in metres, until it meets
// something within limit; +Inf when it does not, or when it has no direction. Like CastRayExcept it
// passes through the body skip and its group, and its distances are the same bits; it is quick when
// the directions are near one another.
func (v *QueryScene) CastPacket(origin r3.Vec, dirs []r3.Vec, limit float64, skip BodyID, out []float64) {
	v.CastPacketIntensity(origin, dirs, limit, skip, out, nil)
}

// CastPacketIntensity is CastPacket that also writes the Echo of what each ray met, 0 where it met nothing, unless
// echoes is nil.
func (v *QueryScene) CastPacketIntensity(origin r3.Vec, dirs []r3.Vec, limit float64, skip BodyID, out, echoes []float64) {
	clear(echoes)
	if !origin.IsFinite() || !(limit >= 0) {
		for i := range dirs {
			out[i] = math.Inf(1)
		}
		return
	}
	f := rayPacket{origin: origin, limit: limit, skip: -1}
	if int(skip.slot) < len(v.gens) && v.gens[skip.slot] == skip.gen && skip.gen&1 == 1 {
		f.skip, f.group = int32(skip.slot), v.groups[skip.slot]
	}
	f.buildFrustum(dirs)
	var planesBuf [4]packetCandidate
	planes := planesBuf[:0]
	for i := range v.static.planes {
		if s := &v.static.planes[i]; !f.rejects(s) {
			planes = append(planes, f.candidate(s))
		}
	}
	var buf [48]packetCandidate
	near := v.moving.collect(&f, v.static.grove.collect(&f, buf[:0]))
	slices.SortFunc(near, func(a, b packetCandidate) int { return cmp.Compare(a.near, b.near) })
	for i, d := range dirs {
		met := (*sceneGeom)(nil)
		if out[i], met = f.cast(d, planes, near); met != nil && echoes != nil {
			echoes[i] = met.reflectance
		}
	}
}

// cast is one ray of the fan: how far it comes and what it meets; nil when it meets nothing.
func (f *rayPacket) cast(dir r3.Vec, planes, near []packetCandidate) (float64, *sceneGeom) {
	dir, ok := dir.Unit()
	if !ok {
		return math.Inf(1), nil
	}
	best, met := f.limit, (*sceneGeom)(nil)
	for i := range planes {
		if t, ok := planes[i].castPlane(dir, best); ok {
			best, met = t, planes[i].sceneGeom
		}
	}
	inv := r3.Ray{Dir: dir}.Inverse()
	for i := range near {
		c := &near[i]
		if c.near > best {
			break
		}
		if c.horizontal {
			if t, ok := c.core.Hit(c.origin, inv, best); ok {
				best, met = t, c.sceneGeom
			}
			continue
		}
		if _, ok := c.box.Hit(f.origin, inv, best); !ok {
			continue
		}
		if t, ok := c.cast(dir, best); ok {
			best, met = t, c.sceneGeom
		}
	}
	if met == nil {
		return math.Inf(1), nil
	}
	return best, met
}

// castPlane is how far a ray comes to a plane.
func (c *packetCandidate) castPlane(dir r3.Vec, limit float64) (float64, bool) {
	height := c.origin.Z
	if height <= 0 {
		return 0, true
	}
	sink := c.mat.Col(2).Dot(dir)
	if sink >= 0 {
		return 0, false
	}
	t := -height / sink
	return t, t <= limit
}

// cast is how far a ray comes to a target that is no plane.
func (c *packetCandidate) cast(dir r3.Vec, limit float64) (float64, bool) {
	local := r3.Ray{Origin: c.origin, Dir: c.mat.ApplyT(dir)}
	if c.core != nil {
		return c.core.Hit(c.origin, local.Inverse(), limit)
	}
	if m, ok := c.shape.(*shape.Mesh); ok {
		return m.Reach(local, limit)
	}
	h, ok := c.shape.CastRay(local, limit)
	return h.T, ok
}

// buildFrustum finds the pyramid around directions: their pictures on a plane before the origin lie in a
// rectangle. Directions that are too far apart have none.
func (f *rayPacket) buildFrustum(dirs []r3.Vec) {
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
		ahead := d.Dot(axis)
		if !(ahead > 0) {
			return
		}
		k := 1 / ahead
		x, y := float64(d.Dot(u)*k), float64(d.Dot(v)*k)
		lo[0], hi[0] = min(lo[0], x), max(hi[0], x)
		lo[1], hi[1] = min(lo[1], y), max(hi[1], y)
	}
	if !(max(-lo[0], -lo[1], hi[0], hi[1]) < maxFrustumTangent) {
		return
	}
	for k, e := range [2]r3.Vec{u, v} {
		f.sides[2*k] = newFrustumPlane(e.AddScaled(frustumSlop-lo[k], axis))
		f.sides[2*k+1] = newFrustumPlane(axis.Scale(hi[k] + frustumSlop).Sub(e))
	}
	f.hasFrustum = true
}

func newFrustumPlane(normal r3.Vec) frustumPlane { return frustumPlane{normal, normal.Abs()} }

// overlaps reports that a box may hold a point of a ray.
func (f *rayPacket) overlaps(centre, half r3.Vec) bool {
	c := centre.Sub(f.origin)
	if boxGap(c, half) > f.limit {
		return false
	}
	if !f.hasFrustum {
		return true
	}
	for i := range f.sides {
		s := &f.sides[i]
		if s.normal.Dot(c)+s.size.Dot(half) < -frustumSlop {
			return false
		}
	}
	return true
}

// boxGap is a bit less than the distance from the origin to a box.
func boxGap(centre, half r3.Vec) float64 {
	return float64((1 - frustumSlop) * centre.Abs().Sub(half).Max(r3.Vec{}).Len())
}

// rejects reports that the fan goes through a target.
func (f *rayPacket) rejects(s *sceneGeom) bool {
	return s.body == f.skip || f.group != 0 && f.group == s.group
}

func (f *rayPacket) candidate(s *sceneGeom) packetCandidate {
	c := packetCandidate{sceneGeom: s, near: boxGap(s.box.Centre().Sub(f.origin), s.box.Half()), origin: s.mat.ApplyT(f.origin.Sub(s.pos))}
	if s.core.Max.X > 0 {
		c.core, c.horizontal = &s.core, s.mat == r3.Diag(r3.V(1, 1, 1))
	}
	return c
}
