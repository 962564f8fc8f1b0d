package dialog

import (
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// blocked is the name of an entity that a box at a pose would reach into;
// empty when there is room. It looks at the boxes around single shapes, so a
// room is not in the way of what stands inside it; near corners of turned
// shapes it may warn too early, which is why it only warns.
func blocked(s *sim.Snapshot, b r3.Box, at r3.Pose) string {
	mine := b.Moved(at).Grow(-0.002)
	for i := range min(len(s.Entities), len(s.Model.Entities)) {
		e := &s.Model.Entities[i]
		if !e.Bounds.IsEmpty() && !e.Bounds.Moved(s.Entities[i].Pose).Overlaps(mine) {
			continue
		}
		if e.Spec == nil {
			continue
		}
		for l := range e.Spec.Links {
			if k := e.FirstLink + l; k < len(s.Links) && linkBlocks(&e.Spec.Links[l], s.Links[k].Pose, mine) {
				return e.Name
			}
		}
	}
	return ""
}

func linkBlocks(l *scene.Link, at r3.Pose, mine r3.Box) bool {
	for g := range l.Collisions {
		geom := &l.Collisions[g]
		var half r3.Vec
		switch geom.Kind {
		case scene.Box:
			half = geom.Size.Scale(0.5)
		case scene.Sphere:
			half = r3.V(geom.Radius, geom.Radius, geom.Radius)
		case scene.Cylinder:
			half = r3.V(geom.Radius, geom.Radius, geom.Length/2)
		case scene.Capsule:
			half = r3.V(geom.Radius, geom.Radius, geom.Length/2+geom.Radius)
		default:
			continue
		}
		if (r3.Box{Min: half.Neg(), Max: half}).Moved(at.Mul(geom.Pose)).Overlaps(mine) {
			return true
		}
	}
	return false
}
