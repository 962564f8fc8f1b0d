package dynamics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// ClosestPoint is the surface that is nearest to a point.
type ClosestPoint struct {
	Distance float64 // m; below zero inside a convex shape, behind a plane or under a heightfield
	Point    r3.Vec  // on the surface
	Normal   r3.Vec  // of unit length, from the surface out to the point (inside: to the nearest way out)
	Geom     GeomID
	Body     BodyID
}

// Closest finds the geom that comes nearest to a point, within limit metres. Only geoms with a Category in
// mask count (0: all), and no sensors; of equals the lowest slot. It is false when there is none, or when
// the point or the limit is not finite.
func (w *World) Closest(point r3.Vec, limit float64, mask uint32) (ClosestPoint, bool) {
	if !point.IsFinite() || !(limit >= 0) || limit-limit != 0 {
		return ClosestPoint{}, false
	}
	if mask == 0 {
		mask = ^uint32(0)
	}
	box := r3.BoxAround(point, r3.Vec{X: limit, Y: limit, Z: limit})
	best, found := ClosestPoint{Distance: limit}, false
	slot := int32(-1)
	for _, s := range append(w.broadTree.query(&box, nil), w.planes...) {
		g := &w.geoms[s]
		if g.sensor || g.category&mask == 0 {
			continue
		}
		n, ok := closestOnGeom(g, w.placements[s].Pose, point, best.Distance)
		if ok && (n.Distance < best.Distance || !found || (n.Distance == best.Distance && s < slot)) {
			best, found, slot = n, true, s
			best.Geom, best.Body = w.geomID(s), w.bodyID(g.body)
		}
	}
	return best, found
}

// closestOnGeom is the point of one geom that is nearest; false when it is further than limit.
func closestOnGeom(g *geom, pose r3.Pose, point r3.Vec, limit float64) (ClosestPoint, bool) {
	switch s := g.Shape.(type) {
	case shape.Plane:
		normal := pose.Rot.Rotate(r3.Vec{Z: 1})
		d := point.Sub(pose.Pos).Dot(normal)
		return ClosestPoint{Distance: d, Point: point.AddScaled(-d, normal), Normal: normal}, d <= limit
	case shape.Convex:
		c := shape.Distance(s, pose, shape.Sphere{}, r3.Pose{Pos: point, Rot: r3.Identity()})
		return ClosestPoint{Distance: c.Distance, Point: c.A, Normal: c.Normal}, c.Distance <= limit
	case shape.Surface:
		return closestOnSurface(s, pose, point, limit)
	}
	return ClosestPoint{}, false
}

// closestOnSurface looks at the triangles within ever wider boxes, so that few are when one is near. Under a
// heightfield the distance is below zero, as it is behind a plane.
func closestOnSurface(s shape.Surface, pose r3.Pose, point r3.Vec, limit float64) (ClosestPoint, bool) {
	local := pose.ApplyInverse(point)
	under := false
	if f, ok := s.(*shape.Field); ok {
		_, height, over := f.Over(local)
		under = over && height < 0
	}
	dot := shape.ProxyOf(shape.Sphere{}, 0)
	best, found := ClosestPoint{Distance: limit}, false
	size := s.Bounds(r3.IdentityPose()).Size()
	for reach := min(limit, float64(0.02*max(size.X, size.Y, size.Z))); ; reach = min(limit, 4*reach) {
		shape.QuerySurface(s, r3.BoxAround(local, r3.Vec{X: reach, Y: reach, Z: reach}), func(t int32) bool {
			tri := shape.TriangleProxy(s.Triangle(t))
			if c := shape.Between(&tri, &dot, r3.Pose{Pos: local, Rot: r3.Identity()}); c.Distance <= best.Distance {
				best, found = ClosestPoint{Distance: c.Distance, Point: pose.Apply(c.A), Normal: pose.Rot.Rotate(c.Normal)}, true
			}
			return true
		})
		if found && best.Distance <= reach || reach >= limit {
			break
		}
	}
	if under && found {
		best.Distance, best.Normal = -best.Distance, best.Normal.Neg()
	}
	return best, found
}
