package dynamics

import (
	"slices"
	"sort"

	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// addPairs adds the contacts of the pairs that workers have found.
func (cs *contactSet) addPairs(geoms *geomSet, active *activeSet, scratch []workerScratch) {
	p := &cs.pairs
	p.found = p.found[:0]
	for i := range scratch {
		p.found = append(p.found, scratch[i].pairsFound...)
	}
	if len(p.found) == 0 {
		return
	}
	slices.Sort(p.found)
	p.found = slices.Compact(p.found)
	cs.mergePairs(geoms, active)
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

// collisionDisabled reports that DisableCollision was called for two bodies.
func (bs *bodySet) collisionDisabled(a, b int32) bool {
	// each is in the other's list: search the shorter
	if len(bs.all[b].noCollision) < len(bs.all[a].noCollision) {
		a, b = b, a
	}
	return slices.Contains(bs.all[a].noCollision, bs.id(b))
}

// maxAdjacencyKeys bounds the keys: 20,000 shapes in one place would be 400 million pairs.
const maxAdjacencyKeys = 1 << 23

func adjacencyKey(s, o int32) uint64 { return uint64(s)<<32 | uint64(o) }

// of is the keys of a geom's neighbors; the lower half of a key is the neighbor.
func (l *adjacency) of(s int32) []uint64 {
	keys := l.keys
	if len(keys) == 0 {
		return nil
	}
	first := sort.Search(len(keys), func(i int) bool { return keys[i] >= adjacencyKey(s, 0) })
	end := first
	for end < len(keys) && int32(keys[end]>>32) == s {
		end++
	}
	return keys[first:end]
}

// findAdjacent updates the keys.
func (gs *geomSet) findAdjacent(bodies *bodySet) {
	b := &gs.adjacency
	if b.dirty {
		b.keys, b.moved = b.keys[:0], b.moved[:0]
		for s := range gs.all {
			if gs.all[s].leaf >= 0 {
				b.moved = append(b.moved, int32(s))
			}
		}
		b.dirty = false
	}
	if len(b.moved) == 0 {
		return
	}
	slices.Sort(b.moved)
	b.keys = slices.DeleteFunc(b.keys,
		func(k uint64) bool { return b.hasMoved(int32(k>>32)) || b.hasMoved(int32(k&0xffffffff)) })
	trees := map[int32]*shape.BoxTree{}
	for _, s := range b.moved {
		if gs.all[s].leaf < 0 || gs.all[s].sensor || len(b.keys) >= maxAdjacencyKeys {
			continue
		}
		if bodies.all[gs.all[s].body].kind == Static {
			gs.findAdjacentTiles(bodies, s)
		} else {
			gs.findAdjacentParts(bodies, s, trees)
		}
	}
	slices.Sort(b.keys)
	b.keys = slices.Compact(b.keys)
	b.moved = b.moved[:0]
	b.movingBodies = slices.ContainsFunc(b.keys,
		func(k uint64) bool { return bodies.all[gs.all[k>>32].body].kind != Static })
}

// findAdjacentTiles finds the static neighbors of a static geom.
func (gs *geomSet) findAdjacentTiles(bodies *bodySet, s int32) {
	b := &gs.adjacency
	b.near = gs.tree.Query(&gs.placements[s].fat, b.near[:0])
	for _, o := range b.near {
		if g := &gs.all[o]; o != s && !g.sensor && bodies.all[g.body].kind == Static &&
			gs.placements[s].tight.Near(&gs.placements[o].tight, collide.NeighborDistance) {
			b.keys = append(b.keys, adjacencyKey(s, o), adjacencyKey(o, s))
		}
	}
}

// manyParts is the number of a body's geoms from which on a tree finds their neighbors. It
// changes the time alone.
const manyParts = 32

// findAdjacentParts finds the neighbors of a geom on its own moving body. Trees are those of bodies with many
// geoms.
func (gs *geomSet) findAdjacentParts(bodies *bodySet, s int32, trees map[int32]*shape.BoxTree) {
	b, g := &gs.adjacency, &gs.all[s]
	parts := bodies.all[g.body].geoms
	if len(parts) < 2 {
		return
	}
	box := g.Shape.Bounds(g.local)
	add := func(o int32) {
		if part := &gs.all[o]; o != s && !part.sensor {
			if other := part.Shape.Bounds(part.local); box.Near(&other, collide.NeighborDistance) {
				b.keys = append(b.keys, adjacencyKey(s, o), adjacencyKey(o, s))
			}
		}
	}
	if len(parts) < manyParts {
		for _, o := range parts {
			add(o)
		}
		return
	}
	tree := trees[g.body]
	if tree == nil {
		boxes := make([]r3.Box, len(parts))
		for i, o := range parts {
			boxes[i] = gs.all[o].Shape.Bounds(gs.all[o].local)
		}
		tree = shape.NewBoxTree(boxes)
		trees[g.body] = tree
	}
	tree.Query(box.Grow(2*collide.NeighborDistance), func(i int32) bool {
		add(parts[i])
		return true
	})
}

func (l *adjacency) hasMoved(s int32) bool {
	_, found := slices.BinarySearch(l.moved, s)
	return found
}

// addNeighbors adds to a query the geoms that may hide internal edges of geom A of a contact, or of B. Such a
// geom adjoins it and may collide with the other one. It reports whether any stand beside it. Only static
// geoms and those of one moving body stay side by side; planes may hide edges of static geoms.
func (gs *geomSet) addNeighbors(bodies *bodySet, joints *jointSet, q *collide.Query, c *contact,
	onA bool) bool {
	support, other := c.b, c.a
	if onA {
		support, other = c.a, c.b
	}
	isStatic := bodies.all[gs.all[support].body].kind == Static
	if c.plane || c.sensor || !isStatic && !gs.adjacency.movingBodies {
		return false
	}
	keys := gs.adjacency.of(support)
	if len(keys) == 0 && (!isStatic || len(gs.planes) == 0) {
		return false
	}
	q.EnableInternalEdges(onA)
	for _, k := range keys {
		if o := int32(k & 0xffffffff); gs.mayCollide(bodies, joints, other, o) {
			q.AddNeighbor(gs.instance(o))
		}
	}
	if isStatic {
		for _, o := range gs.planes {
			if o != support && gs.mayCollide(bodies, joints, other, o) {
				q.AddNeighbor(gs.instance(o))
			}
		}
	}
	return true
}

// addNeighborsOfOther is addNeighbors for the geom that is not judged first. It must be of a moving body, and
// the first one convex: only convex geoms press on its faces.
func (gs *geomSet) addNeighborsOfOther(bodies *bodySet, joints *jointSet, q *collide.Query, c *contact,
	onA bool) bool {
	support, other := c.b, c.a
	if onA {
		support, other = c.a, c.b
	}
	if !gs.adjacency.movingBodies || bodies.all[gs.all[support].body].kind == Static ||
		gs.all[other].Surface != nil {
		return false
	}
	return gs.addNeighbors(bodies, joints, q, c, onA)
}
