package shape

import "simdeck/sim/r3"

// Overlap reports whether two placed shapes have a point in common. Two surfaces that never move
// (planes and meshes) are not compared and count as apart.
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
	mesh, ok := s.(*Mesh)
	if !ok {
		down := rel.Rot.RotateBack(r3.Vec{Z: -1})
		return rel.Apply(c.Support(down)).Z <= 0
	}
	proxy, found := ProxyOf(c, 0), false
	mesh.Query(c.Bounds(rel), func(i int32) bool {
		t := TriangleProxy(mesh.Triangle(i))
		found = Between(&t, &proxy, rel).Distance <= 0
		return !found
	})
	return found
}
