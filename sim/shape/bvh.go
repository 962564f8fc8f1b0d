package shape

import (
	"math"

	"simdeck/sim/r3"
)

// node is one box of a mesh's tree. An inner node's children are at first and first+1; a leaf has
// count triangles from first on.
type node struct {
	box   r3.Box
	first int32
	count int32 // 0: inner node
}

const (
	bins     = 16
	leafSize = 4
	// maxDepth is from where on nodes are cut in the middle, whatever it costs.
	maxDepth = 60
	// treeStack is what a traversal may have still to visit: a way to the deepest leaf and a bit.
	treeStack = maxDepth + 36
)

type buildItem struct {
	box    r3.Box
	centre r3.Vec
	tri    [3]int32
}

// build sorts the triangles into a tree by the surface area heuristic over bins (Wald, "On fast
// Construction of SAH-based Bounding Volume Hierarchies", 2007).
func (m *Mesh) build() {
	items := make([]buildItem, len(m.triangles))
	for i, t := range m.triangles {
		b := r3.EmptyBox()
		for _, v := range t {
			b = b.Extend(m.vertices[v])
		}
		items[i] = buildItem{b, b.Centre(), t}
	}
	m.nodes = make([]node, 0, 2*len(items)/leafSize+1)
	m.plant(items, 0)
	if w, deep := m.widen(); deep <= wideStack {
		m.wide = w
	} else {
		m.plant(items, maxDepth) // a chain of ever smaller boxes
		m.wide, _ = m.widen()
	}
}

// plant makes the binary tree and puts the triangles in its order.
func (m *Mesh) plant(items []buildItem, depth int) {
	m.nodes = append(m.nodes[:0], node{})
	m.split(0, items, 0, depth)
	for i := range items {
		m.triangles[i] = items[i].tri
	}
}

func (m *Mesh) split(at int, items []buildItem, offset, depth int) {
	box, centres := r3.EmptyBox(), r3.EmptyBox()
	for i := range items {
		box = box.Union(items[i].box)
		centres = centres.Extend(items[i].centre)
	}
	// A hair wider than the triangles, so that rounding in the slab test loses no grazing ray.
	hair := float64(1e-13 * max(box.Min.MaxAbs(), box.Max.MaxAbs()))
	m.nodes[at] = node{box: box.Grow(hair), first: int32(offset), count: int32(len(items))}
	if len(items) <= leafSize {
		return
	}
	mid := 0
	if depth < maxDepth {
		mid = partition(items, centres)
	}
	if mid == 0 {
		mid = len(items) / 2
	}
	first := len(m.nodes)
	m.nodes[at].first, m.nodes[at].count = int32(first), 0
	m.nodes = append(m.nodes, node{}, node{})
	m.split(first, items[:mid], offset, depth+1)
	m.split(first+1, items[mid:], offset+mid, depth+1)
}

// partition orders items in place and returns where to cut; 0 when all centres coincide.
func partition(items []buildItem, centres r3.Box) int {
	size := centres.Size()
	axis := 0
	for i := range 3 {
		if size.At(i) > size.At(axis) {
			axis = i
		}
	}
	if !(size.At(axis) > 0) {
		return 0
	}
	lo, k := centres.Min.At(axis), float64(bins*(1-1e-9))/size.At(axis)
	bin := func(it *buildItem) int { return int(float64((it.centre.At(axis) - lo) * k)) }
	cut := cheapestCut(items, bin)
	i, j := 0, len(items)-1
	for i <= j {
		if bin(&items[i]) < cut {
			i++
		} else {
			items[i], items[j] = items[j], items[i]
			j--
		}
	}
	return i
}

func cheapestCut(items []buildItem, bin func(*buildItem) int) int {
	var boxes [bins]r3.Box
	var counts [bins]int
	for i := range boxes {
		boxes[i] = r3.EmptyBox()
	}
	for i := range items {
		b := bin(&items[i])
		boxes[b] = boxes[b].Union(items[i].box)
		counts[b]++
	}
	var below [bins]float64
	acc, n := r3.EmptyBox(), 0
	for i := 0; i < bins-1; i++ {
		if counts[i] > 0 {
			acc = acc.Union(boxes[i])
		}
		n += counts[i]
		below[i+1] = weight(acc, n)
	}
	acc, n = r3.EmptyBox(), 0
	best, cut := math.Inf(1), 1
	for i := bins - 1; i > 0; i-- {
		if counts[i] > 0 {
			acc = acc.Union(boxes[i])
		}
		n += counts[i]
		if cost := below[i] + weight(acc, n); n > 0 && n < len(items) && cost < best {
			best, cut = cost, i
		}
	}
	return cut
}

func weight(b r3.Box, n int) float64 {
	if n == 0 {
		return 0
	}
	return float64(b.Area() * float64(n))
}

// Query calls f for every triangle whose box overlaps b, in a fixed order, until f returns false.
func (m *Mesh) Query(b r3.Box, f func(tri int32) bool) {
	var stack [treeStack]int32
	for n := 1; n > 0; {
		n--
		nd := &m.nodes[stack[n]]
		if !nd.box.Overlaps(b) {
			continue
		}
		if nd.count == 0 {
			stack[n], stack[n+1] = nd.first+1, nd.first
			n += 2
			continue
		}
		for i := nd.first; i < nd.first+nd.count; i++ {
			p, q, r := m.Triangle(i)
			if (r3.Box{Min: p.Min(q).Min(r), Max: p.Max(q).Max(r)}).Overlaps(b) && !f(i) {
				return
			}
		}
	}
}
