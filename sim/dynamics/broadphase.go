package dynamics

import (
	"slices"

	"simdeck/sim/shape"
)

// pairList is the pairs of geoms whose fat boxes overlap, ascending by key. Contacts are found, solved,
// hashed and listed in this order.
type pairList struct {
	sorted []pairRef
	spare  []pairRef // the other half of the double buffer
	found  []uint64
}

type pairRef struct {
	key     uint64
	contact int32
}

func pairKey(a, b int32) uint64 {
	if a > b {
		a, b = b, a
	}
	return uint64(a)<<32 | uint64(b)
}

// findPairs finds the new pairs of geoms that have left their fat boxes (broad phase).
func (w *World) findPairs() {
	p := &w.contacts.pairs
	w.runStage(stagePairs, len(w.geoms.moved), geomsPerPart)
	w.findAdjacent()
	w.geoms.moved = w.geoms.moved[:0]
	p.found = p.found[:0]
	for i := range w.scratch {
		p.found = append(p.found, w.scratch[i].pairsFound...)
	}
	if len(p.found) == 0 {
		return
	}
	slices.Sort(p.found)
	p.found = slices.Compact(p.found)
	w.mergePairs()
}

// findPairsOf notes the pairs of one worker's moved geoms.
func (w *World) findPairsOf(d *workerScratch, moved []int32) {
	for _, s := range moved {
		w.geoms.placements[s].moved = false
		if w.geoms.all[s].Kind == shape.KindPlane {
			w.findPairsOfPlane(d, s)
			continue
		}
		d.near = w.geoms.tree.Query(&w.geoms.placements[s].fat, d.near[:0])
		for _, o := range d.near {
			w.addPair(d, s, o)
		}
		for _, o := range w.geoms.planes {
			if w.overlapsPlane(s, o) {
				w.addPair(d, s, o)
			}
		}
	}
}

func (w *World) findPairsOfPlane(d *workerScratch, plane int32) {
	for s := range w.geoms.all {
		if w.geoms.all[s].leaf >= 0 && w.overlapsPlane(int32(s), plane) {
			w.addPair(d, int32(s), plane)
		}
	}
}

// overlapsPlane reports that a geom's fat box reaches the solid side of a plane.
func (w *World) overlapsPlane(s, plane int32) bool {
	p := &w.geoms.placements[plane]
	n := p.Mat.Col(2)
	box := &w.geoms.placements[s].fat
	return box.Centre().Sub(p.Pose.Pos).Dot(n) <= box.Half().Dot(n.Abs())
}

// boxesOverlap reports that the fat boxes of a pair overlap.
func (w *World) boxesOverlap(a, b int32) bool {
	if w.geoms.all[b].Kind == shape.KindPlane {
		return w.overlapsPlane(a, b)
	}
	return w.geoms.placements[a].fat.Overlaps(w.geoms.placements[b].fat)
}

// addPair notes a pair unless it is filtered out.
func (w *World) addPair(d *workerScratch, s, o int32) {
	if w.mayCollide(s, o) {
		d.pairsFound = append(d.pairsFound, pairKey(s, o))
	}
}

// mayCollide is the collision filter: masks, groups, sensors, kinds of bodies, joints and DisableCollision.
func (w *World) mayCollide(s, o int32) bool {
	g, h := &w.geoms.all[s], &w.geoms.all[o]
	if g.body == h.body || g.category&h.mask == 0 || h.category&g.mask == 0 || (g.sensor && h.sensor) {
		return false
	}
	a, b := &w.bodies.all[g.body], &w.bodies.all[h.body]
	if a.kind != Dynamic && b.kind != Dynamic || (a.group != 0 && a.group == b.group) {
		return false
	}
	if w.collisionDisabled(g.body, h.body) {
		return false
	}
	if len(b.joints) < len(a.joints) {
		a = b
	}
	for _, j := range a.joints {
		if jt := &w.joints.all[j]; !jt.collide && jt.connects(g.body, h.body) {
			return false
		}
	}
	return true
}

// mergePairs merges the found keys into the sorted list and makes contacts for new ones.
func (w *World) mergePairs() {
	p := &w.contacts.pairs
	out := p.spare[:0]
	i := 0
	for _, key := range p.found {
		for i < len(p.sorted) && p.sorted[i].key < key {
			out = append(out, p.sorted[i])
			i++
		}
		if i < len(p.sorted) && p.sorted[i].key == key {
			continue
		}
		out = append(out, pairRef{key, w.newContact(int32(key>>32), int32(key&0xffffffff))})
	}
	out = append(out, p.sorted[i:]...)
	p.spare, p.sorted = p.sorted, out
	w.active.dirty = true
}

// removeDeadPairs frees the contacts marked dead.
func (w *World) removeDeadPairs() {
	p := &w.contacts.pairs
	n := 0
	for _, r := range p.sorted {
		if w.contacts.all[r.contact].dead {
			w.freeContact(r.contact)
			continue
		}
		p.sorted[n] = r
		n++
	}
	if n != len(p.sorted) {
		p.sorted = p.sorted[:n]
		w.active.dirty = true
	}
}
