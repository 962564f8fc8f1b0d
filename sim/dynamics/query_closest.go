package dynamics

import (
	"simdeck/sim/dynamics/query"
	"simdeck/sim/r3"
)

// ClosestPoint is the point of a geom's surface that is nearest to a given one.
type ClosestPoint struct {
	query.ClosestPoint
	Geom GeomID
	Body BodyID
}

// Closest finds the geom whose surface is nearest to a point, within limit metres. Only geoms with a Category
// in mask count (0: all), and no sensors; of equals the lowest slot. It is false if there is none, or if the
// point or the limit is not finite.
func (q Queries) Closest(point r3.Vec, limit float64, mask uint32) (ClosestPoint, bool) {
	if !point.IsFinite() || !(limit >= 0) || limit-limit != 0 {
		return ClosestPoint{}, false
	}
	if mask == 0 {
		mask = ^uint32(0)
	}
	box := r3.BoxAround(point, r3.Vec{X: limit, Y: limit, Z: limit})
	best, found := query.ClosestPoint{Distance: limit}, false
	slot := int32(-1)
	for _, s := range append(q.geoms.tree.Query(&box, nil), q.geoms.planes...) {
		g := &q.geoms.all[s]
		if g.sensor || g.category&mask == 0 {
			continue
		}
		c, ok := query.Closest(g.Shape, q.geoms.placements[s].Pose, point, best.Distance)
		if ok && (c.Distance < best.Distance || !found || (c.Distance == best.Distance && s < slot)) {
			best, found, slot = c, true, s
		}
	}
	if !found {
		return ClosestPoint{ClosestPoint: best}, false
	}
	return ClosestPoint{best, q.geoms.id(slot), q.bodies.id(q.geoms.all[slot].body)}, true
}
