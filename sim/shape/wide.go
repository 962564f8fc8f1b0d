package shape

import (
	"math"

	"simdeck/sim/r3"
)

// wide is a mesh's tree for rays. A node has up to eight children; one instruction tests their boxes, in
// single precision and rounded outward, so that no hit is lost. A leaf has up to four triangles in double
// precision, side by side (Wald, Benthin and Boulos, "Getting rid of packets", 2008). The order in which rays
// go through it is fixed: the path in Go and that in AVX2 compute the same bits.
type wide struct {
	centre r3.Vec // boxes are relative to it: the numbers stay small where a mesh is far from its origin
	nodes  []wideNode
	from   []int32 // the node of the binary tree that each was made of
	blocks []block
}

// wideNode is the boxes of eight children.
type wideNode struct {
	planes [6][wideLanes]float32 // min x, max x, min y, max y, min z, max z
	child  [wideLanes]uint32     // a node, or a leaf's block with the bit set
	_      [wideLanes]uint32     // whole cache lines
}

// block is the triangles of a leaf; unused places repeat the last.
type block struct {
	corners [3][3][blockLanes]float64 // axis, corner, triangle
	tri     [blockLanes]int32
	_       [4]int32
}

const (
	wideLanes  = 8
	blockLanes = leafSize
	leafBit    = 1 << 31
	// wideStack is the greatest number of nodes on a ray's stack; 29 levels of halves take 204.
	wideStack = 256
)

// widen makes the tree for rays from the binary one, and says how many nodes a ray may have still to
// visit on its way.
func (m *Mesh) widen() (w wide, deep int) {
	packs := cheapestPacks(m.nodes)
	return m.widenBy(func(at int32, dst []int32) []int32 { return packed(m.nodes, packs, at, dst) },
		len(m.nodes)/8+1)
}

// widenBy is widen with a function that returns a wide node's children by its node in the binary tree. It
// makes about so many nodes.
func (m *Mesh) widenBy(children func(at int32, dst []int32) []int32, about int) (w wide, deep int) {
	w = wide{centre: m.nodes[0].box.Centre()}
	w.nodes, w.from = make([]wideNode, 1, about), make([]int32, 1, about)
	w.blocks = make([]block, 0, len(m.nodes)/2+1)
	if m.nodes[0].count > 0 {
		w.nodes[0] = w.node(m, []int32{0})
		w.nodes[0].child[0] = w.leaf(m, 0)
		return w, 1
	}
	return w, w.fill(m, children, 0)
}

// fill makes a node of what is below one of the binary tree. It says how deep a stack it takes.
func (w *wide) fill(m *Mesh, children func(int32, []int32) []int32, at int) int {
	var buf [wideLanes]int32
	below := children(w.from[at], buf[:0])
	w.nodes[at] = w.node(m, below)
	deep := 1
	for i, n := range below {
		if m.nodes[n].count > 0 {
			w.nodes[at].child[i] = w.leaf(m, n)
			continue
		}
		child := len(w.nodes)
		w.nodes, w.from = append(w.nodes, wideNode{}), append(w.from, n)
		w.nodes[at].child[i] = uint32(child)
		deep = max(deep, w.fill(m, children, child))
	}
	return len(below) - 1 + deep
}

// node has the boxes of the binary tree's nodes that are listed; the other places are met by nothing.
func (w *wide) node(m *Mesh, below []int32) wideNode {
	var n wideNode
	c := w.centre
	for i, k := range below {
		box := &m.nodes[k].box
		n.planes[0][i], n.planes[1][i] = under(box.Min.X-c.X), -under(c.X-box.Max.X)
		n.planes[2][i], n.planes[3][i] = under(box.Min.Y-c.Y), -under(c.Y-box.Max.Y)
		n.planes[4][i], n.planes[5][i] = under(box.Min.Z-c.Z), -under(c.Z-box.Max.Z)
	}
	nowhere := float32(math.Inf(1))
	for i := len(below); i < wideLanes; i++ {
		for axis := range 3 {
			n.planes[2*axis][i], n.planes[2*axis+1][i] = nowhere, -nowhere
		}
	}
	return n
}

// under is the next single-precision number below.
func under(x float64) float32 {
	f := float32(x)
	switch {
	case f > 0:
		return math.Float32frombits(math.Float32bits(f) - 1)
	case f < 0 && f >= -math.MaxFloat32:
		return math.Float32frombits(math.Float32bits(f) + 1)
	}
	return math.Nextafter32(f, float32(math.Inf(-1)))
}

// leaf adds the block of a leaf of the binary tree.
func (w *wide) leaf(m *Mesh, from int32) uint32 {
	nd := &m.nodes[from]
	if n := len(w.blocks); n < cap(w.blocks) {
		w.blocks = w.blocks[:n+1] // it is empty: nothing was ever taken off
	} else {
		w.blocks = append(w.blocks, block{})
	}
	b := &w.blocks[len(w.blocks)-1]
	for lane := range blockLanes {
		tri := nd.first + min(int32(lane), nd.count-1)
		b.tri[lane] = tri
		for k, v := range m.triangles[tri] {
			p := &m.vertices[v]
			b.corners[0][k][lane], b.corners[1][k][lane], b.corners[2][k][lane] = p.X, p.Y, p.Z
		}
	}
	return leafBit | uint32(len(w.blocks)-1)
}
