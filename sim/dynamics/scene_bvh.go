package dynamics

import (
	"slices"
	"sync"

	"simdeck/sim/r3"
)

// sceneBVH is targets with a tree of boxes over them. The tree is made by whoever casts first, so that
// taking a view stays cheap. No result depends on its shape.
type sceneBVH struct {
	once    sync.Once
	targets []sceneGeom
	nodes   []bvhNode
	order   []int32     // scratch of grow
	sorted  []sceneGeom //
}

// clear takes all targets away.
func (g *sceneBVH) clear() {
	g.once, g.targets, g.nodes = sync.Once{}, g.targets[:0], g.nodes[:0]
}

// bvhNode is a box around targets: an inner node's children are at first and first+1, a leaf has
// count targets from first on.
type bvhNode struct {
	centre, half r3.Vec
	first, count int32 // count 0: inner node
}

const bvhLeafSize = 2

func (g *sceneBVH) build() {
	if len(g.targets) == 0 {
		return
	}
	g.order, g.sorted = g.order[:0], slices.Grow(g.sorted[:0], len(g.targets))
	for i := range g.targets {
		g.order = append(g.order, int32(i))
	}
	g.nodes = append(slices.Grow(g.nodes[:0], len(g.order)), bvhNode{})
	g.split(0, g.order, 0)
	for _, s := range g.order {
		g.sorted = append(g.sorted, g.targets[s])
	}
	g.targets, g.sorted = g.sorted, g.targets
}

// split makes a node of the targets that are listed, the first of which will be at offset.
func (g *sceneBVH) split(at int, order []int32, offset int) {
	box, centres := r3.EmptyBox(), r3.EmptyBox()
	for _, s := range order {
		box = box.Union(g.targets[s].box)
		centres = centres.Extend(g.targets[s].box.Centre())
	}
	n := bvhNode{centre: box.Centre(), half: box.Half(), first: int32(offset), count: int32(len(order))}
	if len(order) > bvhLeafSize {
		n.first, n.count = int32(len(g.nodes)), 0
	}
	g.nodes[at] = n
	if n.count > 0 {
		return
	}
	g.nodes = append(g.nodes, bvhNode{}, bvhNode{})
	mid := g.partition(order, centres)
	g.split(int(n.first), order[:mid], offset)
	g.split(int(n.first)+1, order[mid:], offset+mid)
}

// partition puts those first whose centres are in the lower half of the longest side, and returns how
// many they are; where that is no cut, half of them.
func (g *sceneBVH) partition(order []int32, centres r3.Box) int {
	size := centres.Size()
	axis := 0
	for i := range 3 {
		if size.At(i) > size.At(axis) {
			axis = i
		}
	}
	cut := centres.Centre().At(axis)
	n := 0
	for i, s := range order {
		if g.targets[s].box.Centre().At(axis) < cut {
			order[i], order[n] = order[n], order[i]
			n++
		}
	}
	if n == 0 || n == len(order) {
		return len(order) / 2
	}
	return n
}

// collect appends the targets that the pyramid of a fan reaches.
func (g *sceneBVH) collect(f *rayPacket, dst []packetCandidate) []packetCandidate {
	g.once.Do(g.build)
	if len(g.nodes) == 0 {
		return dst
	}
	var buf [64]int32
	stack := append(buf[:0], 0)
	for len(stack) > 0 {
		n := &g.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		if !f.overlaps(n.centre, n.half) {
			continue
		}
		if n.count == 0 {
			stack = append(stack, n.first+1, n.first)
			continue
		}
		for i := n.first; i < n.first+n.count; i++ {
			if s := &g.targets[i]; !f.rejects(s) && f.overlaps(s.box.Centre(), s.box.Half()) {
				dst = append(dst, f.candidate(s))
			}
		}
	}
	return dst
}
