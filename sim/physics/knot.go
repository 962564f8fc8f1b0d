package physics

import (
	"sort"

	"simdeck/sim/r3"
)

// A knot is all joints that hang together, solved at once. Passes over one joint after the other come to what the
// joints together ask only where each of them leaves the others' work nearly as it is. A body that is held far from
// its centre of mass, beside how far its mass lies from there, hardly feels a push along the lever and turns at the
// slightest one across: what holds it straight and what holds its end then undo each other pass by pass, the ends part,
// and what draws them together throws the body. Written as one system, J·M⁻¹·Jᵀ·λ = -J·v, and factored in each
// substep, the joints are held to the last digit, whatever the levers and the masses are, as in Baraff, "Linear-time
// dynamics using Lagrange multipliers" (1996). So are those whose light body lies between the ground and what is much
// heavier. Arms and wheels as they are built do without, which is faster.
//
// Nothing is left for the next substep to begin with: the solution is exact, so it would be the same. What acts along a
// joint's axis, motors and stops and friction, goes through the knot: an impulse there comes with all that the joints
// answer to it.
type knot struct {
	first, end    int32   // of the solver's knotted joints
	row, rowEnd   int32   // of its knotRows
	numbers       int32   // of its factors, where they begin
	body, bodyEnd int32   // of its knotBodies
	stops         int32   // of its rows
	hair          float64 // by which part of its own yielding each row yields besides
}

const (
	// farLever is how many times a joint's end yields more to an impulse because the body turns than because it moves,
	// from where on its joints are a knot. A wheel's own end has 0, a link's 6, the corner of a chassis 10.
	farLever = 30
	// strainedRatio is how many times as heavy as another body something is that must not hang on it by passes alone.
	strainedRatio = 100
	// knotMost bounds the numbers in a knot's factors, and so the time that they take; what would need more is
	// solved joint by joint.
	knotMost = 40_000
	// ringHair is by which part of its own yielding each row of a knot yields besides, if its joints close a ring: in one,
	// some of them only repeat what others hold, or contradict it by a hair.
	ringHair = 1e-8
	// ringPasses is how many more times what a ring's hair lets through is taken out.
	ringPasses = 8
	// loosePivot is the part of a row's own yielding that must be left when the rows before it are held, for the row to
	// ask anything but what they have rounded.
	loosePivot = 1e-14
)

// needsKnot reports that a joint must be solved with all that hang together with it.
func (w *World) needsKnot(r *jointRow) bool { return w.solver.isFar(r) || w.isStrained(r) }

// isStrained reports that a joint hangs something heavy on something light that touches something: what the light body
// bears it must hand on through the joint, which passes do by about what it weighs each time, while the ends part.
func (w *World) isStrained(r *jointRow) bool {
	s := &w.solver
	ma, mb := s.weight[r.a].invMass, s.weight[r.b].invMass
	switch {
	case ma == 0 || mb == 0:
		return false
	case ma > float64(strainedRatio*mb):
		return w.isTouched(s.slots[r.a])
	}
	return mb > float64(strainedRatio*ma) && w.isTouched(s.slots[r.b])
}

// isTouched reports that something lies on a body, or it on something, with faces or edges. What rolls is left to passes,
// where its points of contact go with it.
func (w *World) isTouched(slot int32) bool {
	for _, i := range w.active {
		if c := &w.contacts.all[i]; c.count > 0 && c.faces && !c.sensor && (c.bodyA == slot || c.bodyB == slot) {
			return true
		}
	}
	return false
}

// isFar reports that an end of a joint needs a knot.
func (s *solver) isFar(r *jointRow) bool {
	wa, wb := &s.weight[r.a], &s.weight[r.b]
	return levered(wa.invMass, &wa.inv, r.armA) || levered(wb.invMass, &wb.inv, r.armB)
}

// levered compares the trace of armMass.
func levered(invMass float64, inv *r3.Mat, arm r3.Vec) bool {
	turn := float64(arm.Len2()*(inv.XX+inv.YY+inv.ZZ)) - arm.Dot(applied(inv, arm))
	return turn > float64(farLever*invMass)
}

// tieKnots finds the knots: of joints that have a body in common with each other, all, if one of them is far or strained.
func (w *World) tieKnots() {
	s := &w.solver
	s.knotted, s.knotRows, s.knotNumbers = s.knotted[:0], s.knotRows[:0], s.knotNumbers[:0]
	s.knotBodies, s.knotReaches = s.knotBodies[:0], s.knotReaches[:0]
	far := false
	for i := range s.joints {
		r := &s.joints[i]
		r.knot = 0
		far = far || !r.tied && w.needsKnot(r)
	}
	if !far {
		return
	}
	for _, list := range [3]*[]int32{&s.reached, &s.knotOf, &s.reachOf} {
		*list = resized(*list, len(s.moving))
		clear(*list)
	}
	for i := range s.joints {
		if r := &s.joints[i]; r.knot == 0 && !r.tied {
			w.tieKnot(int32(i))
		}
	}
	s.tighten()
}

// tieKnot makes a knot of a joint and all that hangs together with it.
func (w *World) tieKnot(seed int32) {
	s := &w.solver
	k := knot{first: int32(len(s.knotted)), row: int32(len(s.knotRows)), body: int32(len(s.knotBodies)), numbers: int32(len(s.knotNumbers))}
	s.knotted = append(s.knotted, seed)
	s.joints[seed].knot = -1
	far := false
	for n := k.first; n < int32(len(s.knotted)); n++ {
		r := &s.joints[s.knotted[n]]
		far = far || w.needsKnot(r)
		for _, at := range [2]int32{r.a, r.b} {
			if s.weight[at].invMass == 0 {
				continue
			}
			for _, slot := range w.bodies[s.slots[at]].joints {
				if i := s.jointRowOf(slot); i >= 0 && s.joints[i].knot == 0 && !s.joints[i].tied {
					s.joints[i].knot = -1
					s.knotted = append(s.knotted, i)
				}
			}
		}
	}
	k.end = int32(len(s.knotted))
	if !far || !s.layKnot(&k) {
		s.knotRows, s.knotBodies = s.knotRows[:k.row], s.knotBodies[:k.body]
		s.knotted = s.knotted[:k.first]
		return
	}
	if !s.isTree(&k) {
		k.hair = ringHair
	}
	s.knots = append(s.knots, k)
	for _, b := range s.knotBodies[k.body:k.bodyEnd] {
		s.knotOf[b.at] = int32(len(s.knots))
	}
	for _, i := range s.knotted[k.first:k.end] {
		s.joints[i].knot = int32(len(s.knots))
		s.joints[i].lin, s.joints[i].ang = r3.Vec{}, r3.Vec{}
	}
}

// jointRowOf is where a joint is in this step; -1: it does not move.
func (s *solver) jointRowOf(slot int32) int32 {
	at := sort.Search(len(s.joints), func(i int) bool { return s.joints[i].slot >= slot })
	if at < len(s.joints) && s.joints[at].slot == slot {
		return int32(at)
	}
	return -1
}

// isTree reports that the joints of a knot do not close a ring.
func (s *solver) isTree(k *knot) bool {
	nodes, fixed := k.bodyEnd-k.body, int32(0)
	for _, i := range s.knotted[k.first:k.end] {
		if r := &s.joints[i]; s.weight[r.a].invMass == 0 || s.weight[r.b].invMass == 0 {
			fixed = 1 // all that does not move is one
		}
	}
	return k.end-k.first == nodes+fixed-1
}

// layKnot gives the joints of a knot their rows; false if the factors would have too many numbers. A row's numbers
// reach back to the first row that has a body in common with it.
func (s *solver) layKnot(k *knot) bool {
	n := k.numbers
	for _, i := range s.knotted[k.first:k.end] {
		r := &s.joints[i]
		row := int32(len(s.knotRows))
		from := row
		for _, at := range [2]int32{r.a, r.b} {
			if s.weight[at].invMass == 0 {
				continue
			}
			if s.reached[at] == 0 {
				s.reached[at] = 1 + row
				s.knotBodies = append(s.knotBodies, knotBody{at: at})
			}
			from = min(from, s.reached[at]-1)
		}
		for part, holds := range r.holds() {
			if holds {
				q := knotRow{joint: i, part: uint8(part), a: r.a, b: r.b, from: from, at: n - from}
				if part == axisPart {
					q.stop = r.stop()
					k.stops++
				}
				s.knotRows = append(s.knotRows, q)
				n += row - from + 1
				row++
			}
		}
		if n-k.numbers > knotMost {
			return false
		}
	}
	k.rowEnd, k.bodyEnd = int32(len(s.knotRows)), int32(len(s.knotBodies))
	s.knotNumbers = grown(s.knotNumbers, int(n))
	return true
}

// holds says which directions a joint leaves no freedom in: three of moving, along the world's axes or along p1, p2
// and the joint's, and three of turning; and whether it has stops along its axis.
func (r *jointRow) holds() [7]bool {
	switch r.kind {
	case Fixed:
		return [7]bool{true, true, true, true, true, true}
	case Ball:
		return [7]bool{true, true, true}
	case Prismatic:
		return [7]bool{true, true, false, true, true, true, r.limited}
	case Universal:
		return [7]bool{true, true, true, true, axisPart: r.limited}
	case Planar:
		return [7]bool{2: true, 3: true, 4: true}
	}
	return [7]bool{true, true, true, true, true, axisPart: r.limited}
}
