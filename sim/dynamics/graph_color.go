package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
)

// Graph colouring of contacts. No dynamic body occurs twice in a color. The contacts of a color may therefore
// be solved in lanes and by several workers, with the same result as one after the other. Each contact takes
// the colour after the last one of its bodies, so that bodies meet their contacts in the pairs' order. Piles
// that were built upwards are then solved upwards. With the lowest free colour instead, a pyramid of twenty
// rows keeps swinging. Heaps need some dozens of colours.

// contactConstraint is a manifold to be solved.
type contactConstraint struct {
	contact, manifold int32
	a, b              int32 // in solver.states
	colorClass        int32 // by colour, those with most points first
}

// pointCount is the number of points of the manifold.
func (t *contactConstraint) pointCount() int32 {
	return maxManifoldPoints - t.colorClass%maxManifoldPoints
}

// batchRange is a run of batches.
type batchRange struct{ first, end int32 }

// graphColoring is the order in which the manifolds of a step are solved.
type graphColoring struct {
	bodyColor   []int32 // by body: its last colour, from 1; 0: none; below 0: it cannot be pushed
	constraints []contactConstraint
	counts      []int32      // of constraints, by colour class
	nextLane    []int32      // by colour class: lane of the next constraint
	colors      []batchRange // the batches of each colour
	seenIn      []int32      // by body: the last colour, from 1, in which checkColors met it
}

// reset forgets all colours; bodies that cannot be pushed are marked.
func (c *graphColoring) reset(s *solver) {
	c.constraints, c.counts, c.colors = c.constraints[:0], c.counts[:0], c.colors[:0]
	c.bodyColor = c.bodyColor[:0]
	lightest, heaviest := 0.0, math.Inf(1) // 1/kg
	for i := range s.masses {
		mark, m := int32(0), s.masses[i].invMass
		if m == 0 {
			mark = -1
		} else {
			lightest, heaviest = max(lightest, m), min(heaviest, m)
		}
		c.bodyColor = append(c.bodyColor, mark)
	}
	s.massesDiffer = lightest >= float64(clusterMassRatio*heaviest)
}

// add gives a manifold with n points its colour.
func (c *graphColoring) add(contact, manifold, a, b, n int32) {
	colour := max(c.bodyColor[a], c.bodyColor[b], 0)
	for _, i := range [2]int32{a, b} {
		if c.bodyColor[i] >= 0 {
			c.bodyColor[i] = colour + 1
		}
	}
	kind := colour*maxManifoldPoints + maxManifoldPoints - n
	for int(kind) >= len(c.counts) {
		c.counts = append(c.counts, 0)
	}
	c.counts[kind]++
	c.constraints = append(c.constraints, contactConstraint{contact, manifold, a, b, kind})
}

// pointCount is the number of points of all constraints.
func (c *graphColoring) pointCount() int {
	n := 0
	for k, count := range c.counts {
		n += int(count) * (maxManifoldPoints - k%maxManifoldPoints)
	}
	return n
}

// colorContacts collects the manifolds to be solved, colours them and packs them into batches; articulated:
// there may be articulations. It returns the number of contacts.
func (s *solver) colorContacts(bodies *bodySet, contacts *contactSet, articulated bool) int {
	c := &s.coloring
	c.reset(s)
	touching := 0
	for _, i := range s.touching {
		k := &contacts.all[i]
		if k.count == 0 || k.sensor || contacts.addNewtonContact(bodies, s, i) ||
			(articulated || len(s.directIslands) > 0) && contacts.addArticulationContact(bodies, s, i) {
			continue
		}
		a, b := s.index[k.bodyA], s.index[k.bodyB]
		if c.bodyColor[a] < 0 && c.bodyColor[b] < 0 {
			contacts.updateGaps(bodies, i)
			continue
		}
		touching++
		c.add(i, k.base, a, b, int32(k.points))
		for m := k.base + 1; m < k.base+k.count; m++ {
			c.add(i, m, a, b, contacts.manifolds[m].n)
		}
	}
	s.packConstraints()
	return touching
}

// packConstraints gives every constraint its lane.
func (s *contactSolver) packConstraints() {
	c := &s.coloring
	c.nextLane = linalg.Grow(c.nextLane, len(c.counts))
	batches := int32(0)
	for k := 0; k < len(c.counts); {
		lane := batches * width
		for range maxManifoldPoints {
			if k < len(c.counts) {
				c.nextLane[k] = lane
				lane += c.counts[k]
				k++
			}
		}
		end := (lane + width - 1) / width
		c.colors = append(c.colors, batchRange{batches, end})
		batches = end
	}
	s.packs = linalg.Grow(s.packs, int(batches))
	s.batches = linalg.Grow(s.batches, int(batches))
	for i := range s.packs {
		s.packs[i].constraintIndex, s.packs[i].n = [width]int32{-1, -1, -1, -1}, 0
	}
	for i := range c.constraints {
		t := &c.constraints[i]
		at := &c.nextLane[t.colorClass]
		s.packs[*at/width].assign(*at%width, int32(i), t)
		*at++
	}
	rows := int32(0)
	for i := range s.packs {
		s.packs[i].first = rows
		rows += s.packs[i].n
	}
	s.rows = linalg.Grow(s.rows, int(rows))
}

// contactPack says which constraints a batch solves.
type contactPack struct {
	constraintIndex [width]int32             // in the lanes; below 0: none
	first, n        int32                    // rows
	constraints     [width]contactConstraint // copies: those in the list lie far from each other
}

func (l *contactPack) assign(lane, at int32, t *contactConstraint) {
	l.constraintIndex[lane], l.constraints[lane] = at, *t
	l.n = max(l.n, t.pointCount())
}
