package shape

// pack is the least cost of a node of the binary tree as a number of children of a wide one. Costs are
// visited nodes, in surfaces of their boxes (Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on
// GPUs Through Compressed Wide BVHs", 2017).
type pack struct {
	cost [wideLanes]float64 // as at most 1 to 8 children
	left [wideLanes]uint8   // the left child's part of 2 to 8
}

// leafCost is the cost of a leaf relative to a node.
const leafCost = 0.8

// cheapestPacks finds the packs of all nodes, children before their parents.
func cheapestPacks(nodes []node) []pack {
	packs := make([]pack, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		n, p := &nodes[i], &packs[i]
		if n.count > 0 {
			for k := range p.cost {
				p.cost[k] = float64(leafCost * n.box.Area())
			}
			continue
		}
		l, r := &packs[n.first], &packs[n.first+1]
		for k := 1; k < wideLanes; k++ { // k+1 children, j of them from the left
			for j := 1; j <= k; j++ {
				if cost := l.cost[j-1] + r.cost[k-j]; j == 1 || cost < p.cost[k] {
					p.cost[k], p.left[k] = cost, uint8(j)
				}
			}
		}
		p.cost[0] = n.box.Area() + p.cost[wideLanes-1]
		for k := 1; k < wideLanes; k++ {
			p.cost[k] = min(p.cost[k], p.cost[k-1])
		}
	}
	return packs
}

// packed appends the children of the wide node that an inner node of the binary tree becomes.
func packed(nodes []node, packs []pack, at int32, dst []int32) []int32 {
	first, left := nodes[at].first, int(packs[at].left[wideLanes-1])
	dst = share(nodes, packs, first, left, dst)
	return share(nodes, packs, first+1, wideLanes-left, dst)
}

// share appends what a node of the binary tree is as at most so many children.
func share(nodes []node, packs []pack, at int32, room int, dst []int32) []int32 {
	p := &packs[at]
	for room > 1 && p.cost[room-2] <= p.cost[room-1] {
		room--
	}
	if room == 1 {
		return append(dst, at)
	}
	first, left := nodes[at].first, int(p.left[room-1])
	dst = share(nodes, packs, first, left, dst)
	return share(nodes, packs, first+1, room-left, dst)
}
