package dynamics

import (
	"slices"

	"simdeck/sim/r3"
)

// Crowd counts the dynamic bodies, those in except aside, that stand in the same place as a box: the center
// of one of their geoms' bounding boxes is within the box, and the box's center within that bounding box. It
// stops at most.
func (w *World) Crowd(b r3.Box, except []BodyID, most int) int {
	center := b.Centre()
	point := r3.Box{Min: center, Max: center}
	var found []int32
	for _, s := range w.broadTree.Query(&point, nil) {
		g, box := &w.geoms[s], &w.placements[s].tight
		if w.bodies[g.body].kind != Dynamic || g.sensor || g.category == 0 || !box.Overlaps(point) {
			continue
		}
		middle := box.Centre()
		if !b.Overlaps(r3.Box{Min: middle, Max: middle}) || slices.Contains(found, g.body) ||
			slices.Contains(except, w.bodyID(g.body)) {
			continue
		}
		if found = append(found, g.body); len(found) >= most {
			break
		}
	}
	return len(found)
}
