package sim

import (
	"maps"
	"slices"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

const (
	// maxRestPenetration is how deep, in metres, links may be in each other at rest.
	maxRestPenetration = 0.001
	// maxNear bounds the pairs of shapes near each other that are looked at: of 80,000 shapes in one place there are
	// 3,200 million.
	maxNear = 500_000
)

// lintPlacement looks for bodies of the model that are in each other and that no joint joins.
func (p *compiledModel) lintPlacement() {
	near := p.nearby()
	for i, count := 0, 0; i < len(p.bodies) && count < maxDiagnostics; i++ {
		deepest := near.of(i)
		for _, k := range slices.Sorted(maps.Keys(deepest)) {
			if d := deepest[k]; d.depth > maxRestPenetration && count < maxDiagnostics {
				count++
				p.note(scene.Suspicious, "links %q and %q are %.3g mm in each other at rest, and no joint joins them",
					p.spec.Links[d.link].Name, p.spec.Links[d.other].Name, 1000*d.depth)
			}
		}
	}
	if near.left < 0 {
		p.note(scene.Inferred, "only the first %d pairs of shapes near each other were looked at for links in each other", maxNear)
	}
}

// nearby finds how deep bodies of a model are in each other.
type nearby struct {
	*compiledModel
	joined map[[2]int]bool // bodies
	shapes []restShape     // that are convex, by body
	first  []int           // of a body's shapes; one more at the end
	boxes  []r3.Box        // of shapes
	tree   *shape.BoxTree  // of shapes
	left   int             // of maxNear
}

// restShape is a collision shape of a model at rest.
type restShape struct {
	body, link int
	shape      shape.Convex
	pose       r3.Pose // in the model frame
}

// overlap is how deep a link is in another.
type overlap struct {
	link, other int
	depth       float64
}

func (p *compiledModel) nearby() *nearby {
	n := &nearby{compiledModel: p, joined: map[[2]int]bool{}, left: maxNear}
	for i := range p.spec.Joints {
		if j := &p.spec.Joints[i]; j.Parent >= 0 {
			a, b := p.placements[j.Parent].body, p.placements[j.Child].body
			n.joined[[2]int{min(a, b), max(a, b)}] = true
		}
	}
	for i := range p.bodies {
		b := &p.bodies[i]
		n.first = append(n.first, len(n.shapes))
		for k := range b.geoms {
			g := &b.geoms[k]
			if convex, ok := g.def.Shape.(shape.Convex); ok {
				pose := b.pose.Mul(g.def.Pose)
				n.shapes, n.boxes = append(n.shapes, restShape{i, g.link, convex, pose}), append(n.boxes, convex.Bounds(pose))
			}
		}
	}
	n.first, n.tree = append(n.first, len(n.shapes)), shape.NewBoxTree(n.boxes)
	return n
}

// of finds how deep a body is in those after it that no joint joins to it, and with which links.
func (n *nearby) of(body int) map[int]overlap {
	deepest := map[int]overlap{}
	static := n.bodies[body].kind == dynamics.Static
	var close []int32
	for i := n.first[body]; i < n.first[body+1] && n.left >= 0; i++ {
		close = close[:0]
		n.tree.Query(n.boxes[i], func(k int32) bool {
			other := n.shapes[k].body
			if other <= body || static && n.bodies[other].kind == dynamics.Static {
				return true
			}
			n.left--
			if !n.joined[[2]int{body, other}] {
				close = append(close, k)
			}
			return n.left >= 0
		})
		slices.Sort(close) // so that of equals the first is told
		a := &n.shapes[i]
		for _, k := range close {
			b := &n.shapes[k]
			if d := -shape.Distance(a.shape, a.pose, b.shape, b.pose).Distance; d > deepest[b.body].depth {
				deepest[b.body] = overlap{a.link, b.link, d}
			}
		}
	}
	return deepest
}
