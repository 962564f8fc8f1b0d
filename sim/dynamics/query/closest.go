package query

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// ClosestPoint is the point of a surface that is nearest to a given one.
type ClosestPoint struct {
	Distance float64 // m; below zero inside a convex shape, behind a plane or under a heightfield
	Point    r3.Vec  // on the surface
	// of unit length, from the surface out to the given point; inside: to the nearest way out
	Normal r3.Vec
}

// Closest returns the point of a shape at a pose that is nearest to a given one. It is false if the distance
// exceeds limit.
func Closest(s shape.Shape, pose r3.Pose, point r3.Vec, limit float64) (ClosestPoint, bool) {
	switch s := s.(type) {
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

// firstSearchRadius is the part of a surface's size within which triangles are tried first. It changes the
// time alone.
const firstSearchRadius = 0.02

// closestOnSurface tries the triangles within growing boxes, so that a near surface costs few of them. Under
// a heightfield the distance is negative, as it is behind a plane.
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
	for radius := min(limit, float64(firstSearchRadius*max(size.X, size.Y, size.Z))); ; radius = min(limit,
		4*radius) {
		shape.QuerySurface(s, r3.BoxAround(local, r3.Vec{X: radius, Y: radius, Z: radius}),
			func(t int32) bool {
				tri := shape.TriangleProxy(s.Triangle(t))
				if c := shape.Between(&tri, &dot,
					r3.Pose{Pos: local, Rot: r3.Identity()}); c.Distance <= best.Distance {
					best, found = ClosestPoint{Distance: c.Distance, Point: pose.Apply(c.A),
						Normal: pose.Rot.Rotate(c.Normal)}, true
				}
				return true
			})
		if found && best.Distance <= radius || radius >= limit {
			break
		}
	}
	if under && found {
		best.Distance, best.Normal = -best.Distance, best.Normal.Neg()
	}
	return best, found
}
