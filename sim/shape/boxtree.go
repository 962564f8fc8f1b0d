package shape

import (
	"cmp"
	"slices"

	"simdeck/sim/r3"
)

// BoxTree is a bounding-volume hierarchy of boxes that do not move. It takes any number of boxes, wherever
// they are.
type BoxTree struct {
	boxes []r3.Box
	order []int32 // of boxes; a node has a range of it
	nodes []boxNode
}

// boxNode is a node of a BoxTree. The first of two children follows it.
type boxNode struct {
	box        r3.Box
	begin, end int32 // in order
	second     int32 // child; 0: it is a leaf
}

// boxLeaf is the most boxes of a leaf.
const boxLeaf = 4

// NewBoxTree takes boxes, which it keeps.
func NewBoxTree(boxes []r3.Box) *BoxTree {
	t := &BoxTree{boxes: boxes, order: make([]int32, len(boxes))}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	if len(boxes) > 0 {
		t.split(0, int32(len(boxes)))
	}
	return t
}

// split makes the node of a range, halved at the median of the axis along which its centres are spread most.
func (t *BoxTree) split(begin, end int32) {
	box, centres := r3.EmptyBox(), r3.EmptyBox()
	for _, i := range t.order[begin:end] {
		box, centres = box.Union(t.boxes[i]), centres.Extend(t.boxes[i].Centre())
	}
	at := len(t.nodes)
	t.nodes = append(t.nodes, boxNode{box: box, begin: begin, end: end})
	if end-begin <= boxLeaf {
		return
	}
	size := centres.Size()
	along := func(v r3.Vec) float64 { return v.X }
	switch {
	case size.Z >= max(size.X, size.Y):
		along = func(v r3.Vec) float64 { return v.Z }
	case size.Y >= size.X:
		along = func(v r3.Vec) float64 { return v.Y }
	}
	slices.SortFunc(t.order[begin:end], func(a, b int32) int {
		return cmp.Or(cmp.Compare(along(t.boxes[a].Centre()), along(t.boxes[b].Centre())), cmp.Compare(a, b))
	})
	middle := (begin + end) / 2
	t.split(begin, middle)
	t.nodes[at].second = int32(len(t.nodes))
	t.split(middle, end)
}

// Query calls f with every box that overlaps b, in no order that matters, until f returns false.
func (t *BoxTree) Query(b r3.Box, f func(i int32) bool) {
	if len(t.nodes) == 0 {
		return
	}
	stack := make([]int32, 1, 64)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		n := &t.nodes[at]
		stack = stack[:len(stack)-1]
		if !n.box.Overlaps(b) {
			continue
		}
		if n.second != 0 {
			stack = append(stack, n.second, at+1)
			continue
		}
		for _, i := range t.order[n.begin:n.end] {
			if t.boxes[i].Overlaps(b) && !f(i) {
				return
			}
		}
	}
}
