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
	// treeStack bounds the nodes on a traversal's stack: a path to the deepest leaf and a margin.
	treeStack = maxDepth + 36
)

// buildItem is a triangle while the tree is made: a line of a cache.
type buildItem struct {
	box r3.Box
	tri [3]int32
	bin uint8 // among its fellows, while they are cut
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
		items[i] = buildItem{b, t, 0}
	}
	m.nodes = make([]node, 0, 2*len(items)/leafSize+1)
	m.buildRoot(items, 0)
	if w, deep := m.widen(); deep <= wideStack {
		m.wide = w
	} else {
		m.buildRoot(items, maxDepth) // a chain of ever smaller boxes
		m.wide, _ = m.widen()
	}
}

// buildRoot makes the binary tree and puts the triangles in its order.
func (m *Mesh) buildRoot(items []buildItem, depth int) {
	m.nodes = append(m.nodes[:0], node{})
	all := sahBin{r3.EmptyBox(), r3.EmptyBox(), 0}
	for i := range items {
		all.add(&items[i])
	}
	m.split(0, items, all, 0, depth)
	for i := range items {
		m.triangles[i] = items[i].tri
	}
}

// sahBin holds the bounds of some triangles, the bounds of their centres, and their number.
type sahBin struct {
	box, centres r3.Box
	count        int
}

func (p *sahBin) add(it *buildItem) {
	p.box, p.centres = p.box.Union(it.box), p.centres.Extend(it.box.Centre())
	p.count++
}

func (p *sahBin) join(q *sahBin) {
	if q.count > 0 {
		p.box, p.centres, p.count = p.box.Union(q.box), p.centres.Union(q.centres), p.count+q.count
	}
}

func (m *Mesh) split(at int, items []buildItem, all sahBin, offset, depth int) {
	// A tolerance wider than the triangles, so that rounding in the slab test loses no grazing ray.
	tolerance := float64(1e-13 * max(all.box.Min.MaxAbs(), all.box.Max.MaxAbs()))
	m.nodes[at] = node{box: all.box.Grow(tolerance), first: int32(offset), count: int32(len(items))}
	if len(items) <= leafSize {
		return
	}
	var left, right sahBin
	if depth < maxDepth {
		left, right = partition(items, all.centres)
	}
	if left.count == 0 {
		left, right = halves(items)
	}
	mid := left.count
	first := len(m.nodes)
	m.nodes[at].first, m.nodes[at].count = int32(first), 0
	m.nodes = append(m.nodes, node{}, node{})
	m.split(first, items[:mid], left, offset, depth+1)
	m.split(first+1, items[mid:], right, offset+mid, depth+1)
}

// halves cuts items in the middle.
func halves(items []buildItem) (left, right sahBin) {
	left, right = sahBin{r3.EmptyBox(), r3.EmptyBox(), 0}, sahBin{r3.EmptyBox(), r3.EmptyBox(), 0}
	mid := len(items) / 2
	for i := range items[:mid] {
		left.add(&items[i])
	}
	for i := range items[mid:] {
		right.add(&items[mid+i])
	}
	return left, right
}

// partition orders items in place and says what is on both sides of the cut; nothing when all centres
// coincide.
func partition(items []buildItem, centres r3.Box) (left, right sahBin) {
	size := centres.Size()
	axis := 0
	for i := range 3 {
		if size.At(i) > size.At(axis) {
			axis = i
		}
	}
	if !(size.At(axis) > 0) {
		return left, right
	}
	lo, k := centres.Min.At(axis), float64(bins*(1-1e-9))/size.At(axis)
	var sorted [bins]sahBin
	for i := range sorted {
		sorted[i] = sahBin{r3.EmptyBox(), r3.EmptyBox(), 0}
	}
	for i := range items {
		it := &items[i]
		it.bin = uint8(float64((float64((it.box.Min.At(axis)+it.box.Max.At(axis))*0.5) - lo) * k))
		sorted[it.bin].add(it)
	}
	cut := cheapestCut(&sorted, len(items))
	for i, j := 0, len(items)-1; i <= j; {
		if int(items[i].bin) < cut {
			i++
		} else {
			items[i], items[j] = items[j], items[i]
			j--
		}
	}
	left, right = sahBin{r3.EmptyBox(), r3.EmptyBox(), 0}, sahBin{r3.EmptyBox(), r3.EmptyBox(), 0}
	for i := range sorted {
		if i < cut {
			left.join(&sorted[i])
		} else {
			right.join(&sorted[i])
		}
	}
	return left, right
}

// cheapestCut is the first bin right of the cut.
func cheapestCut(sorted *[bins]sahBin, all int) int {
	var below [bins]float64
	acc, n := r3.EmptyBox(), 0
	for i := 0; i < bins-1; i++ {
		if sorted[i].count > 0 {
			acc = acc.Union(sorted[i].box)
		}
		n += sorted[i].count
		below[i+1] = weight(acc, n)
	}
	acc, n = r3.EmptyBox(), 0
	best, cut := math.Inf(1), 1
	for i := bins - 1; i > 0; i-- {
		if sorted[i].count > 0 {
			acc = acc.Union(sorted[i].box)
		}
		n += sorted[i].count
		if cost := below[i] + weight(acc, n); n > 0 && n < all && cost < best {
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
