package dynamics

import (
	"slices"
	"sort"

	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// adjacency is the pairs of geoms that stand side by side and never move against each other: static ones, as
// the tiles of a floor, and those of one moving body, as the boards of a pallet. They may hide internal edges
// of each other.
type adjacency struct {
	keys         []uint64 // a geom and one beside it, in both orders, ascending
	moved        []int32  // geoms whose neighbors must be found
	dirty        bool     // those of all geoms must be
	movingBodies bool     // some of the keys are of bodies that move
}

// maxAdjacencyKeys bounds the keys: 20,000 shapes in one place would be 400 million pairs.
const maxAdjacencyKeys = 1 << 23

func adjacencyKey(s, o int32) uint64 { return uint64(s)<<32 | uint64(o) }

// adjacentGeoms is the keys of a geom's neighbors; the lower half of a key is the neighbor.
func (w *World) adjacentGeoms(s int32) []uint64 {
	keys := w.adjacency.keys
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

// invalidateAdjacency notes that a static geom has moved.
func (w *World) invalidateAdjacency(s int32) {
	if w.bodies.all[w.geoms.all[s].body].kind == Static {
		w.adjacency.moved = append(w.adjacency.moved, s)
	}
}

// findAdjacent updates the keys.
func (w *World) findAdjacent() {
	b := &w.adjacency
	if b.dirty {
		b.keys, b.moved = b.keys[:0], b.moved[:0]
		for s := range w.geoms.all {
			if w.geoms.all[s].leaf >= 0 {
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
		if w.geoms.all[s].leaf < 0 || w.geoms.all[s].sensor || len(b.keys) >= maxAdjacencyKeys {
			continue
		}
		if w.bodies.all[w.geoms.all[s].body].kind == Static {
			w.findAdjacentTiles(s)
		} else {
			w.findAdjacentParts(s, trees)
		}
	}
	slices.Sort(b.keys)
	b.keys = slices.Compact(b.keys)
	b.moved = b.moved[:0]
	b.movingBodies = slices.ContainsFunc(b.keys,
		func(k uint64) bool { return w.bodies.all[w.geoms.all[k>>32].body].kind != Static })
}

// findAdjacentTiles finds the static neighbors of a static geom.
func (w *World) findAdjacentTiles(s int32) {
	b, d := &w.adjacency, &w.scratch[0]
	d.near = w.geoms.tree.Query(&w.geoms.placements[s].fat, d.near[:0])
	for _, o := range d.near {
		if g := &w.geoms.all[o]; o != s && !g.sensor && w.bodies.all[g.body].kind == Static &&
			w.geoms.placements[s].tight.Near(&w.geoms.placements[o].tight, collide.NeighborDistance) {
			b.keys = append(b.keys, adjacencyKey(s, o), adjacencyKey(o, s))
		}
	}
}

// manyParts is how many geoms a body must have for its neighbors to be found by a tree.
const manyParts = 32

// findAdjacentParts finds the neighbors of a geom on its own moving body. Trees are those of bodies with many
// geoms.
func (w *World) findAdjacentParts(s int32, trees map[int32]*shape.BoxTree) {
	b, g := &w.adjacency, &w.geoms.all[s]
	parts := w.bodies.all[g.body].geoms
	if len(parts) < 2 {
		return
	}
	box := g.Shape.Bounds(g.local)
	add := func(o int32) {
		if part := &w.geoms.all[o]; o != s && !part.sensor {
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
			boxes[i] = w.geoms.all[o].Shape.Bounds(w.geoms.all[o].local)
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

func (l *adjacency) copyFrom(o *adjacency) {
	l.keys, l.moved, l.dirty = append(l.keys[:0], o.keys...), append(l.moved[:0], o.moved...), o.dirty
	l.movingBodies = o.movingBodies
}

// addNeighbors adds to a query the geoms that may hide internal edges of geom A of a contact, or of B: those
// that stand beside it and may collide with the other. It reports whether any stand beside it. Only static
// geoms and those of one moving body stay side by side; planes may hide edges of static geoms.
func (w *World) addNeighbors(q *collide.Query, c *contact, onA bool) bool {
	support, other := c.b, c.a
	if onA {
		support, other = c.a, c.b
	}
	isStatic := w.bodies.all[w.geoms.all[support].body].kind == Static
	if c.plane || c.sensor || !isStatic && !w.adjacency.movingBodies {
		return false
	}
	keys := w.adjacentGeoms(support)
	if len(keys) == 0 && (!isStatic || len(w.geoms.planes) == 0) {
		return false
	}
	q.EnableInternalEdges(onA)
	for _, k := range keys {
		if o := int32(k & 0xffffffff); w.mayCollide(other, o) {
			q.AddNeighbor(w.instance(o))
		}
	}
	if isStatic {
		for _, o := range w.geoms.planes {
			if o != support && w.mayCollide(other, o) {
				q.AddNeighbor(w.instance(o))
			}
		}
	}
	return true
}

// addNeighborsOfOther is addNeighbors for the geom that is not judged first. It must be of a moving body, and
// the first one convex: only convex geoms press on its faces.
func (w *World) addNeighborsOfOther(q *collide.Query, c *contact, onA bool) bool {
	support, other := c.b, c.a
	if onA {
		support, other = c.a, c.b
	}
	if !w.adjacency.movingBodies || w.bodies.all[w.geoms.all[support].body].kind == Static ||
		w.geoms.all[other].Surface != nil {
		return false
	}
	return w.addNeighbors(q, c, onA)
}
