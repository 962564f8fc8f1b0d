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
func findPairs(w *World) {
	p := &w.contacts.pairs
	w.runStage(stagePairs, len(w.geoms.moved), geomsPerPart)
	w.geoms.findAdjacent(&w.bodies)
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
	w.contacts.mergePairs(&w.geoms, &w.active)
}

// findPairsOf notes the pairs of one worker's moved geoms.
func (gs *geomSet) findPairsOf(bodies *bodySet, joints *jointSet, d *workerScratch, moved []int32) {
	for _, s := range moved {
		gs.placements[s].moved = false
		if gs.all[s].Kind == shape.KindPlane {
			gs.findPairsOfPlane(bodies, joints, d, s)
			continue
		}
		d.near = gs.tree.Query(&gs.placements[s].fat, d.near[:0])
		for _, o := range d.near {
			gs.addPair(bodies, joints, d, s, o)
		}
		for _, o := range gs.planes {
			if gs.overlapsPlane(s, o) {
				gs.addPair(bodies, joints, d, s, o)
			}
		}
	}
}

func (gs *geomSet) findPairsOfPlane(bodies *bodySet, joints *jointSet, d *workerScratch, plane int32) {
	for s := range gs.all {
		if gs.all[s].leaf >= 0 && gs.overlapsPlane(int32(s), plane) {
			gs.addPair(bodies, joints, d, int32(s), plane)
		}
	}
}

// overlapsPlane reports that a geom's fat box reaches the solid side of a plane.
func (gs *geomSet) overlapsPlane(s, plane int32) bool {
	p := &gs.placements[plane]
	n := p.Mat.Col(2)
	box := &gs.placements[s].fat
	return box.Centre().Sub(p.Pose.Pos).Dot(n) <= box.Half().Dot(n.Abs())
}

// boxesOverlap reports that the fat boxes of a pair overlap.
func (gs *geomSet) boxesOverlap(a, b int32) bool {
	if gs.all[b].Kind == shape.KindPlane {
		return gs.overlapsPlane(a, b)
	}
	return gs.placements[a].fat.Overlaps(gs.placements[b].fat)
}

// addPair notes a pair unless it is filtered out.
func (gs *geomSet) addPair(bodies *bodySet, joints *jointSet, d *workerScratch, s, o int32) {
	if gs.mayCollide(bodies, joints, s, o) {
		d.pairsFound = append(d.pairsFound, pairKey(s, o))
	}
}

// mayCollide is the collision filter: masks, groups, sensors, kinds of bodies, joints and DisableCollision.
func (gs *geomSet) mayCollide(bodies *bodySet, joints *jointSet, s, o int32) bool {
	g, h := &gs.all[s], &gs.all[o]
	if g.body == h.body || g.category&h.mask == 0 || h.category&g.mask == 0 || (g.sensor && h.sensor) {
		return false
	}
	a, b := &bodies.all[g.body], &bodies.all[h.body]
	if a.kind != Dynamic && b.kind != Dynamic || (a.group != 0 && a.group == b.group) {
		return false
	}
	if bodies.collisionDisabled(g.body, h.body) {
		return false
	}
	if len(b.joints) < len(a.joints) {
		a = b
	}
	for _, j := range a.joints {
		if jt := &joints.all[j]; !jt.collide && jt.connects(g.body, h.body) {
			return false
		}
	}
	return true
}

// mergePairs merges the found keys into the sorted list and makes contacts for new ones.
func (cs *contactSet) mergePairs(geoms *geomSet, active *activeSet) {
	p := &cs.pairs
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
		out = append(out, pairRef{key, cs.add(geoms, int32(key>>32), int32(key&0xffffffff))})
	}
	out = append(out, p.sorted[i:]...)
	p.spare, p.sorted = p.sorted, out
	active.dirty = true
}

// removeDead frees the contacts marked dead.
func (cs *contactSet) removeDead(active *activeSet) {
	p := &cs.pairs
	n := 0
	for _, r := range p.sorted {
		if cs.all[r.contact].dead {
			cs.release(r.contact)
			continue
		}
		p.sorted[n] = r
		n++
	}
	if n != len(p.sorted) {
		p.sorted = p.sorted[:n]
		active.dirty = true
	}
}
