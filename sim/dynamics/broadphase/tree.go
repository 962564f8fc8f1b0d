// Package broadphase holds the dynamic bounding volume tree that finds the geoms near a box or along a ray.
//
// The tree knows geoms by their numbers alone. The world fattens boxes, chooses the pairs that may collide
// and lists them; it also casts rays against the shapes in leaves. So the tree stands alone, below the world.
//
// The form of a tree depends on its history, and so does the order of its answers. No result of the dynamics
// may: callers sort what they get, or take a minimum with ties resolved by number.
package broadphase

import (
	"fmt"
	"unsafe"

	"simdeck/sim/r3"
)

// Tree is a binary tree of axis-aligned boxes that changes one leaf at a time. A new leaf joins the sibling
// that adds least surface area, and rotations keep the tree balanced (Catto, "Dynamic Bounding Volume
// Hierarchies", GDC 2019). Clear makes it ready for use. Queries may run concurrently with each other, but
// not with changes.
type Tree struct {
	nodes []node
	root  int32 // -1: the tree is empty
	free  int32 // first free node, linked by parent; -1: none
}

type node struct {
	box         r3.Box
	parent      int32
	left, right int32 // -1 in a leaf
	geom        int32 // in a leaf; innerNode or freeNode else
}

// Values of a node's geom that mark other nodes than leaves.
const (
	innerNode = -1 - iota
	freeNode
)

// Clear removes all leaves and keeps the memory.
func (t *Tree) Clear() {
	t.nodes, t.root, t.free = t.nodes[:0], -1, -1
}

// CopyFrom makes the tree equal to another one, node by node, in its own memory.
func (t *Tree) CopyFrom(o *Tree) {
	t.nodes, t.root, t.free = append(t.nodes[:0], o.nodes...), o.root, o.free
}

// Size returns the bytes that a copy takes.
func (t *Tree) Size() int { return len(t.nodes) * int(unsafe.Sizeof(node{})) }

// Leaf returns the geom and the box of a leaf.
func (t *Tree) Leaf(leaf int32) (geom int32, box r3.Box) {
	return t.nodes[leaf].geom, t.nodes[leaf].box
}

// Validate checks the links and boxes of all nodes, and counts the leaves.
func (t *Tree) Validate() (leaves int, err error) {
	for i := range t.nodes {
		n := &t.nodes[i]
		switch {
		case n.geom == freeNode:
		case n.left < 0:
			leaves++
		default:
			l, r := &t.nodes[n.left], &t.nodes[n.right]
			if l.parent != int32(i) || r.parent != int32(i) || n.box != l.box.Union(r.box) {
				return leaves, fmt.Errorf("tree node %d does not fit its children", i)
			}
		}
	}
	return leaves, nil
}

// allocate takes a free node, or a new one.
func (t *Tree) allocate(n node) int32 {
	if i := t.free; i >= 0 {
		t.free = t.nodes[i].parent
		t.nodes[i] = n
		return i
	}
	t.nodes = append(t.nodes, n)
	return int32(len(t.nodes) - 1)
}

// release frees a node.
func (t *Tree) release(i int32) {
	t.nodes[i] = node{parent: t.free, left: -1, right: -1, geom: freeNode}
	t.free = i
}

// Insert adds a leaf and returns it.
func (t *Tree) Insert(geom int32, box r3.Box) int32 {
	leaf := t.allocate(node{box: box, parent: -1, left: -1, right: -1, geom: geom})
	t.attach(leaf)
	return leaf
}

// Remove removes a leaf.
func (t *Tree) Remove(leaf int32) {
	t.detach(leaf)
	t.release(leaf)
}

// Move gives a leaf a new box. The leaf keeps its number.
func (t *Tree) Move(leaf int32, box r3.Box) {
	t.detach(leaf)
	t.nodes[leaf].box = box
	t.attach(leaf)
}

// attach links a leaf in beside its best sibling.
func (t *Tree) attach(leaf int32) {
	if t.root < 0 {
		t.root = leaf
		t.nodes[leaf].parent = -1
		return
	}
	sibling := t.bestSibling(t.nodes[leaf].box)
	old := t.nodes[sibling].parent
	parent := t.allocate(node{
		box: t.nodes[sibling].box.Union(t.nodes[leaf].box), parent: old, left: sibling, right: leaf,
		geom: innerNode,
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

// bestSibling descends greedily to the node whose pairing with the box adds least surface area.
func (t *Tree) bestSibling(box r3.Box) int32 {
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

// descend returns the cost of pairing the box with a child, a lower bound of the cost below it, and its own
// area.
func (t *Tree) descend(child int32, box r3.Box, inherited float64) (direct, low, area float64) {
	n := &t.nodes[child]
	area = n.box.Area()
	direct = n.box.Union(box).Area()
	if n.left < 0 {
		return direct, inherited + direct, area
	}
	return direct, inherited + box.Area() + direct - area, area
}

// detach unlinks a leaf; its sibling takes the place of their parent.
func (t *Tree) detach(leaf int32) {
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
	t.release(parent)
	t.nodes[leaf].parent = -1
	t.refit(up)
}

// refit tightens the boxes from a node up and rotates where that saves area, until nothing changes.
func (t *Tree) refit(at int32) {
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

// rotate swaps a child with the better of its sibling's children if that shrinks the sibling's box, and
// reports whether it did.
func (t *Tree) rotate(at int32) bool {
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

// Query appends the geoms whose boxes overlap b.
func (t *Tree) Query(b *r3.Box, dst []int32) []int32 {
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

// RayNode is a node that a ray meets, and at which distance.
type RayNode struct {
	node int32
	near float64 // m
}

// StartRay begins a ray's way through the tree on an empty stack: NextOnRay then gives the geoms on it.
func (t *Tree) StartRay(stack []RayNode) []RayNode {
	if t.root < 0 {
		return stack[:0]
	}
	return append(stack[:0], RayNode{t.root, 0})
}

// NextOnRay returns the next geom whose box a ray meets within limit, near ones first, and the remaining
// stack; -1: none. The direction is of unit length, inv is Ray.Inverse, and limit is a distance: that of the
// nearest hit so far.
func (t *Tree) NextOnRay(ray *r3.Ray, inv r3.Vec, limit float64, stack []RayNode) (int32, []RayNode) {
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if e.near > limit {
			continue
		}
		n := &t.nodes[e.node]
		if n.left < 0 {
			return n.geom, stack
		}
		a, aHit := t.nodes[n.left].box.Hit(ray.Origin, inv, limit)
		b, bHit := t.nodes[n.right].box.Hit(ray.Origin, inv, limit)
		x, y := RayNode{n.left, a}, RayNode{n.right, b}
		if a > b {
			x, y, aHit, bHit = y, x, bHit, aHit
		}
		if bHit {
			stack = append(stack, y)
		}
		if aHit {
			stack = append(stack, x)
		}
	}
	return -1, stack
}
