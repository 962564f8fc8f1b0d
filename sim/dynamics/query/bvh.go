package query

import (
	"slices"
	"sync"

	"simdeck/sim/r3"
)

// bvh is a bounding volume hierarchy over geoms, top-down, split at the middle of the centers. The first cast
// builds it, so that taking a scene stays cheap where nobody looks.
type bvh struct {
	once   sync.Once
	geoms  []Geom
	nodes  []bvhNode
	order  []int32 // scratch of build
	sorted []Geom  // scratch of build
}

// bvhNode is an axis-aligned box. An inner node's children are first and first+1; a leaf holds count geoms
// from first on.
type bvhNode struct {
	center, half r3.Vec
	first, count int32 // count 0: inner node
}

// bvhLeafSize is the largest number of geoms in a leaf.
const bvhLeafSize = 2

// clear removes all geoms and keeps the memory.
func (t *bvh) clear() {
	t.once, t.geoms, t.nodes = sync.Once{}, t.geoms[:0], t.nodes[:0]
}

// build makes the nodes and puts the geoms in the order of the leaves.
func (t *bvh) build() {
	if len(t.geoms) == 0 {
		return
	}
	t.order, t.sorted = t.order[:0], slices.Grow(t.sorted[:0], len(t.geoms))
	for i := range t.geoms {
		t.order = append(t.order, int32(i))
	}
	t.nodes = append(slices.Grow(t.nodes[:0], len(t.order)), bvhNode{})
	t.split(0, t.order, 0)
	for _, g := range t.order {
		t.sorted = append(t.sorted, t.geoms[g])
	}
	t.geoms, t.sorted = t.sorted, t.geoms
}

// split makes node at of the listed geoms, the first of which will be at offset.
func (t *bvh) split(at int, order []int32, offset int) {
	box, centers := r3.EmptyBox(), r3.EmptyBox()
	for _, g := range order {
		box = box.Union(t.geoms[g].box)
		centers = centers.Extend(t.geoms[g].box.Centre())
	}
	n := bvhNode{center: box.Centre(), half: box.Half(), first: int32(offset), count: int32(len(order))}
	if len(order) > bvhLeafSize {
		n.first, n.count = int32(len(t.nodes)), 0
	}
	t.nodes[at] = n
	if n.count > 0 {
		return
	}
	t.nodes = append(t.nodes, bvhNode{}, bvhNode{})
	mid := t.partition(order, centers)
	t.split(int(n.first), order[:mid], offset)
	t.split(int(n.first)+1, order[mid:], offset+mid)
}

// partition moves the geoms whose centers are in the lower half of the longest side to the front and returns
// their number. If all are on one side, it returns half of the list.
func (t *bvh) partition(order []int32, centers r3.Box) int {
	size := centers.Size()
	axis := 0
	for i := range 3 {
		if size.At(i) > size.At(axis) {
			axis = i
		}
	}
	cut := centers.Centre().At(axis)
	n := 0
	for i, g := range order {
		if t.geoms[g].box.Centre().At(axis) < cut {
			order[i], order[n] = order[n], order[i]
			n++
		}
	}
	if n == 0 || n == len(order) {
		return len(order) / 2
	}
	return n
}

// collect appends the geoms whose boxes the frustum of a packet overlaps.
func (t *bvh) collect(p *rayPacket, dst []candidate) []candidate {
	t.once.Do(t.build)
	if len(t.nodes) == 0 {
		return dst
	}
	var buf [64]int32
	stack := append(buf[:0], 0)
	for len(stack) > 0 {
		n := &t.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		if !p.overlaps(n.center, n.half) {
			continue
		}
		if n.count == 0 {
			stack = append(stack, n.first+1, n.first)
			continue
		}
		for i := n.first; i < n.first+n.count; i++ {
			if g := &t.geoms[i]; !p.skips(g) && p.overlaps(g.box.Centre(), g.box.Half()) {
				dst = append(dst, p.candidate(g))
			}
		}
	}
	return dst
}
