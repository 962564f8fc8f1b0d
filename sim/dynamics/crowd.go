package dynamics

import (
	"slices"

	"simdeck/sim/r3"
)

// Crowd counts the dynamic bodies, other than some, that are in the same place as a box: one of their shapes has its
// centre within the box, and the box has its centre within that shape's bounding box. It looks no further than at most of
// them.
func (w *World) Crowd(b r3.Box, except []BodyID, most int) int {
	centre := b.Centre()
	point := r3.Box{Min: centre, Max: centre}
	var found []int32
	for _, s := range w.broadTree.query(&point, nil) {
		g, box := &w.geoms[s], &w.placements[s].tight
		if w.bodies[g.body].kind != Dynamic || g.sensor || g.category == 0 || !box.Overlaps(point) {
			continue
		}
		inside := box.Centre()
		if !b.Overlaps(r3.Box{Min: inside, Max: inside}) || slices.Contains(found, g.body) || slices.Contains(except, w.bodyID(g.body)) {
			continue
		}
		if found = append(found, g.body); len(found) >= most {
			break
		}
	}
	return len(found)
}
