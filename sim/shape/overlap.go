package shape

import "simdeck/sim/r3"

// Overlap reports whether two placed shapes have a point in common. Of a heightfield the ground below it
// counts as well, down to its lowest point. Two surfaces that never move (planes, meshes and heightfields)
// are not compared and count as apart.
func Overlap(a Shape, pa r3.Pose, b Shape, pb r3.Pose) bool {
	ca, aConvex := a.(Convex)
	cb, bConvex := b.(Convex)
	switch {
	case aConvex && bConvex:
		return Distance(ca, pa, cb, pb).Distance <= 0
	case aConvex:
		return overlapSurface(ca, pa, b, pb)
	case bConvex:
		return overlapSurface(cb, pb, a, pa)
	}
	return false
}

func overlapSurface(c Convex, pc r3.Pose, s Shape, ps r3.Pose) bool {
	rel := ps.Relative(pc)
	surface, ok := s.(Surface)
	if !ok {
		down := rel.Rot.RotateBack(r3.Vec{Z: -1})
		return rel.Apply(c.Support(down)).Z <= 0
	}
	if f, ok := s.(*Field); ok {
		// A shape with its lowest point in the ground overlaps. A shape with that point above it, or beside
		// the field, may still touch the surface.
		p := rel.Apply(c.Support(rel.Rot.RotateBack(r3.Vec{Z: -1})))
		if _, height, over := f.Over(p); over && height <= 0 && c.Bounds(rel).Max.Z >= f.bounds.Min.Z {
			return true
		}
	}
	proxy, found := ProxyOf(c, 0), false
	QuerySurface(surface, c.Bounds(rel), func(i int32) bool {
		t := TriangleProxy(surface.Triangle(i))
		found = Between(&t, &proxy, rel).Distance <= 0
		return !found
	})
	return found
}
