package model

import (
	"maps"
	"math"
	"slices"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

const (
	// maxRestPenetration is the largest penetration of links at rest, m.
	maxRestPenetration = 0.001
	// maxNear bounds the pairs of shapes that are tested: 80,000 shapes in one place have 3,200 million.
	maxNear = 500_000
)

// lintPlacement notes pairs of bodies that penetrate each other at rest, and that nothing keeps from colliding.
func (c *compiler) lintPlacement() {
	near := c.nearby()
	for i, count := 0, 0; i < len(c.Bodies) && count < maxDiagnostics; i++ {
		deepest := near.of(i)
		for _, k := range slices.Sorted(maps.Keys(deepest)) {
			if d := deepest[k]; d.depth > maxRestPenetration && count < maxDiagnostics {
				count++
				c.note(scene.Suspicious, "links %q and %q are %.3g mm in each other at rest, and collide",
					c.Spec.Links[d.link].Name, c.Spec.Links[d.other].Name, 1000*d.depth)
			}
		}
	}
	if near.left < 0 {
		c.note(scene.Inferred, "only the first %d broad-phase pairs of shapes were searched for overlapping links",
			maxNear)
	}
}

// nearby finds the penetration depths of the bodies of a model, with a bounding-volume tree over their
// shapes.
type nearby struct {
	*Model
	apart  map[[2]int]bool // bodies that do not collide: a joint connects them, or the file says so
	shapes []restShape     // that are convex, by body
	first  []int           // of a body's shapes; one more at the end
	boxes  []r3.Box        // of shapes
	tree   *shape.BoxTree  // of shapes
	left   int             // of maxNear
}

// restShape is a collision shape of a model at rest.
type restShape struct {
	body, link     int
	shape          shape.Convex
	pose           r3.Pose // in the model frame
	category, mask uint32  // dynamics.GeomDef's
}

// overlap is the penetration depth of two links, in m.
type overlap struct {
	link, other int
	depth       float64
}

func (c *compiler) nearby() *nearby {
	n := &nearby{Model: c.Model, apart: map[[2]int]bool{}, left: maxNear}
	for i := range c.Spec.Joints {
		if j := &c.Spec.Joints[i]; j.Parent >= 0 {
			a, b := c.Placements[j.Parent].Body, c.Placements[j.Child].Body
			n.apart[[2]int{min(a, b), max(a, b)}] = true
		}
	}
	for _, pair := range c.NoCollision {
		n.apart[[2]int{min(pair[0], pair[1]), max(pair[0], pair[1])}] = true
	}
	for i := range c.Bodies {
		b := &c.Bodies[i]
		n.first = append(n.first, len(n.shapes))
		for k := range b.Geoms {
			g := &b.Geoms[k]
			if convex, ok := g.Def.Shape.(shape.Convex); ok {
				pose := b.Pose.Mul(g.Def.Pose)
				s := restShape{i, g.Link, convex, pose, g.Def.Category, g.Def.Mask}
				if s.category == 0 && s.mask == 0 {
					s.category, s.mask = math.MaxUint32, math.MaxUint32 // collides with everything
				}
				n.shapes, n.boxes = append(n.shapes, s), append(n.boxes, convex.Bounds(pose))
			}
		}
	}
	n.first, n.tree = append(n.first, len(n.shapes)), shape.NewBoxTree(n.boxes)
	return n
}

// of finds the deepest penetration of a body with each body after it that it may collide with, by body.
func (n *nearby) of(body int) map[int]overlap {
	deepest := map[int]overlap{}
	static := n.Bodies[body].Type == dynamics.Static
	var close []int32
	for i := n.first[body]; i < n.first[body+1] && n.left >= 0; i++ {
		close = close[:0]
		n.tree.Query(n.boxes[i], func(k int32) bool {
			other := n.shapes[k].body
			if other <= body || static && n.Bodies[other].Type == dynamics.Static {
				return true
			}
			n.left--
			if n.mayCollide(&n.shapes[i], &n.shapes[k]) {
				close = append(close, k)
			}
			return n.left >= 0
		})
		slices.Sort(close) // so that of equals the first is noted
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

// mayCollide is the dynamics' collision filter for two shapes of a model, whose bodies are in one group except
// for those that may collide with the others.
func (n *nearby) mayCollide(a, b *restShape) bool {
	p, q := &n.Bodies[a.body], &n.Bodies[b.body]
	return (p.SelfCollide || q.SelfCollide) && (p.Type == dynamics.Dynamic || q.Type == dynamics.Dynamic) &&
		a.category&b.mask != 0 && b.category&a.mask != 0 &&
		!n.apart[[2]int{min(a.body, b.body), max(a.body, b.body)}]
}
