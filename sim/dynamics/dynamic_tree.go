package dynamics

import "simdeck/sim/r3"

// dynamicTree is a binary tree of boxes over the geoms that changes one leaf at a time: a new leaf goes
// where it adds least surface, and rotations on the way up keep it good (Catto, "Dynamic Bounding
// Volume Hierarchies", GDC 2019). Its shape depends on history; no result may: whoever asks it sorts.
type dynamicTree struct {
	nodes []treeNode
	root  int32
	free  int32 // list through parent
}

type treeNode struct {
	box         r3.Box
	parent      int32
	left, right int32 // -1 in a leaf
	geom        int32
}

func (t *dynamicTree) clear() {
	t.nodes, t.root, t.free = t.nodes[:0], -1, -1
}

func (t *dynamicTree) newNode(n treeNode) int32 {
	if i := t.free; i >= 0 {
		t.free = t.nodes[i].parent
		t.nodes[i] = n
		return i
	}
	t.nodes = append(t.nodes, n)
	return int32(len(t.nodes) - 1)
}

func (t *dynamicTree) freeNode(i int32) {
	t.nodes[i] = treeNode{parent: t.free, left: -1, right: -1, geom: -2}
	t.free = i
}

// insert adds a leaf and returns its node.
func (t *dynamicTree) insert(geom int32, box r3.Box) int32 {
	leaf := t.newNode(treeNode{box: box, parent: -1, left: -1, right: -1, geom: geom})
	t.attach(leaf)
	return leaf
}

func (t *dynamicTree) remove(leaf int32) {
	t.detach(leaf)
	t.freeNode(leaf)
}

// move gives a leaf a new box.
func (t *dynamicTree) move(leaf int32, box r3.Box) {
	t.detach(leaf)
	t.nodes[leaf].box = box
	t.attach(leaf)
}

func (t *dynamicTree) attach(leaf int32) {
	if t.root < 0 {
		t.root = leaf
		t.nodes[leaf].parent = -1
		return
	}
	sibling := t.bestSibling(t.nodes[leaf].box)
	old := t.nodes[sibling].parent
	parent := t.newNode(treeNode{
		box: t.nodes[sibling].box.Union(t.nodes[leaf].box), parent: old, left: sibling, right: leaf, geom: -1,
	})
	t.nodes[sibling].parent, t.nodes[leaf].parent = parent, parent
	switch {
	case old < 0:
		t.root = parent
	case t.nodes[old].left == sibling:
		t.nodes[old].left = parent
	default:
		t.nodes[old].right = parent
	}
	t.refit(old)
}

// bestSibling goes down to the node whose pairing with the box costs least, greedily.
func (t *dynamicTree) bestSibling(box r3.Box) int32 {
	at := t.root
	area := t.nodes[at].box.Area()
	direct := t.nodes[at].box.Union(box).Area()
	inherited := 0.0
	best, bestCost := at, direct
	for t.nodes[at].left >= 0 {
		if cost := direct + inherited; cost < bestCost {
			best, bestCost = at, cost
		}
		inherited += direct - area
		l, r := t.nodes[at].left, t.nodes[at].right
		dl, lowL, al := t.descend(l, box, inherited)
		dr, lowR, ar := t.descend(r, box, inherited)
		if t.nodes[l].left < 0 && dl+inherited < bestCost {
			best, bestCost = l, dl+inherited
		}
		if t.nodes[r].left < 0 && dr+inherited < bestCost {
			best, bestCost = r, dr+inherited
		}
		if bestCost <= lowL && bestCost <= lowR {
			return best
		}
		if lowL < lowR || (lowL == lowR && dl-al <= dr-ar) {
			at, area, direct = l, al, dl
		} else {
			at, area, direct = r, ar, dr
		}
		if t.nodes[at].left < 0 {
			return best
		}
	}
	return best
}

// descend is what going into a child costs at least.
func (t *dynamicTree) descend(child int32, box r3.Box, inherited float64) (direct, low, area float64) {
	n := &t.nodes[child]
	area = n.box.Area()
	direct = n.box.Union(box).Area()
	if n.left < 0 {
		return direct, inherited + direct, area
	}
	return direct, inherited + box.Area() + direct - area, area
}

func (t *dynamicTree) detach(leaf int32) {
	if leaf == t.root {
		t.root = -1
		return
	}
	parent := t.nodes[leaf].parent
	up := t.nodes[parent].parent
	sibling := t.nodes[parent].left
	if sibling == leaf {
		sibling = t.nodes[parent].right
	}
	t.nodes[sibling].parent = up
	switch {
	case up < 0:
		t.root = sibling
	case t.nodes[up].left == parent:
		t.nodes[up].left = sibling
	default:
		t.nodes[up].right = sibling
	}
	t.freeNode(parent)
	t.nodes[leaf].parent = -1
	t.refit(up)
}

// refit tightens the boxes from a node up and rotates where that saves surface, until nothing changes.
func (t *dynamicTree) refit(at int32) {
	for at >= 0 {
		n := &t.nodes[at]
		box := t.nodes[n.left].box.Union(t.nodes[n.right].box)
		same := box == n.box
		n.box = box
		if !t.rotate(at) && same {
			return
		}
		at = t.nodes[at].parent
	}
}

// rotate swaps a child with the better of its sibling's children when the sibling's box shrinks, and reports it.
func (t *dynamicTree) rotate(at int32) bool {
	l, r := t.nodes[at].left, t.nodes[at].right
	best := 0.0
	var upper, lower, middle int32 = -1, -1, -1
	try := func(a, b int32) { // swap a with a child of b
		if t.nodes[b].left < 0 {
			return
		}
		area := t.nodes[b].box.Area()
		x, y := t.nodes[b].left, t.nodes[b].right
		if gain := area - t.nodes[a].box.Union(t.nodes[y].box).Area(); gain > best {
			best, upper, lower, middle = gain, a, x, b
		}
		if gain := area - t.nodes[a].box.Union(t.nodes[x].box).Area(); gain > best {
			best, upper, lower, middle = gain, a, y, b
		}
	}
	try(l, r)
	try(r, l)
	if upper < 0 {
		return false
	}
	n, m := &t.nodes[at], &t.nodes[middle]
	if n.left == upper {
		n.left = lower
	} else {
		n.right = lower
	}
	if m.left == lower {
		m.left = upper
	} else {
		m.right = upper
	}
	t.nodes[lower].parent, t.nodes[upper].parent = at, middle
	m.box = t.nodes[m.left].box.Union(t.nodes[m.right].box)
	return true
}

// query appends the geoms whose boxes overlap b.
func (t *dynamicTree) query(b *r3.Box, dst []int32) []int32 {
	if t.root < 0 {
		return dst
	}
	var buf [128]int32
	stack := append(buf[:0], t.root)
	for len(stack) > 0 {
		n := &t.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		if !n.box.Overlaps(*b) {
			continue
		}
		if n.left < 0 {
			dst = append(dst, n.geom)
			continue
		}
		stack = append(stack, n.right, n.left)
	}
	return dst
}
