package physics

import "math"

// Contacts are solved in colours: within one, no body that can be pushed occurs twice, so that its
// contacts may be solved side by side, in the lanes of a batch and on several workers, and the result is
// the same as one after the other. Each contact takes the colour after the last one that either of its
// bodies has: whatever the order within a colour, every body meets its contacts in the order of the
// pairs, as if all were solved in that one order. Piles that are built upwards are then solved upwards,
// which colours that are merely different (the lowest that is free) do not: under those a pyramid of
// twenty rows keeps swinging. Heaps need some dozens of colours.

// task is a manifold to be solved.
type task struct {
	contact, manifold int32
	a, b              int32 // indices of moving
	kind              int32 // by colour, those with most points first
}

// points is how many points the manifold has.
func (t *task) points() int32 { return pointsMax - t.kind%pointsMax }

// span is a run of batches.
type span struct{ first, end int32 }

// colouring is the order in which the manifolds of a step are solved.
type colouring struct {
	last   []int32 // colour that a body has had, from 1; 0: none; below 0: it cannot be pushed
	tasks  []task
	counts []int32 // of tasks, by kind
	places []int32 // of the next task of a kind, counted in lanes
	spans  []span  // the batches of each colour
}

// reset forgets all colours; bodies that cannot be pushed are marked.
func (c *colouring) reset(s *solver) {
	c.tasks, c.counts, c.spans = c.tasks[:0], c.counts[:0], c.spans[:0]
	c.last = c.last[:0]
	lightest, heaviest := 0.0, math.Inf(1) // 1/kg
	for i := range s.weight {
		mark, m := int32(0), s.weight[i].invMass
		if m == 0 {
			mark = -1
		} else {
			lightest, heaviest = max(lightest, m), min(heaviest, m)
		}
		c.last = append(c.last, mark)
	}
	s.uneven = lightest >= float64(pressRatio*heaviest)
}

// add gives a manifold with n points its colour.
func (c *colouring) add(contact, manifold, a, b, n int32) {
	colour := max(c.last[a], c.last[b], 0)
	for _, i := range [2]int32{a, b} {
		if c.last[i] >= 0 {
			c.last[i] = colour + 1
		}
	}
	kind := colour*pointsMax + pointsMax - n
	for int(kind) >= len(c.counts) {
		c.counts = append(c.counts, 0)
	}
	c.counts[kind]++
	c.tasks = append(c.tasks, task{contact, manifold, a, b, kind})
}

// points is how many the tasks have.
func (c *colouring) points() int {
	n := 0
	for k, count := range c.counts {
		n += int(count) * (pointsMax - k%pointsMax)
	}
	return n
}

// colourContacts collects the manifolds that are to be solved and deals them out to batches.
func (w *World) colourContacts() {
	s := &w.solver
	c := &s.colouring
	c.reset(s)
	w.stats.Touching = 0
	for _, i := range w.solver.touching {
		k := &w.contacts.all[i]
		if k.count == 0 || k.sensor || len(w.limbs)+len(s.knots) > 0 && w.touchLimb(i) {
			continue
		}
		a, b := s.index[k.bodyA], s.index[k.bodyB]
		if c.last[a] < 0 && c.last[b] < 0 {
			w.catchUp(i)
			continue
		}
		w.stats.Touching++
		c.add(i, k.base, a, b, int32(k.points))
		for m := k.base + 1; m < k.base+k.count; m++ {
			c.add(i, m, a, b, w.manifolds[m].n)
		}
	}
	s.deal()
}

// deal gives every task its lane.
func (s *solver) deal() {
	c := &s.colouring
	c.places = resized(c.places, len(c.counts))
	batches := int32(0)
	for k := 0; k < len(c.counts); {
		lane := batches * width
		for range pointsMax {
			if k < len(c.counts) {
				c.places[k] = lane
				lane += c.counts[k]
				k++
			}
		}
		end := (lane + width - 1) / width
		c.spans = append(c.spans, span{batches, end})
		batches = end
	}
	s.lots = resized(s.lots, int(batches))
	s.batches = resized(s.batches, int(batches))
	for i := range s.lots {
		s.lots[i].task, s.lots[i].n = [width]int32{-1, -1, -1, -1}, 0
	}
	for i := range c.tasks {
		t := &c.tasks[i]
		at := &c.places[t.kind]
		s.lots[*at/width].take(*at%width, int32(i), t)
		*at++
	}
	rows := int32(0)
	for i := range s.lots {
		s.lots[i].first = rows
		rows += s.lots[i].n
	}
	s.rows = resized(s.rows, int(rows))
}

// lot says which tasks a batch solves.
type lot struct {
	task     [width]int32 // in the lanes; below 0: none
	first, n int32        // rows
	of       [width]task  // the tasks themselves: those in a list are far from each other
}

func (l *lot) take(lane, at int32, t *task) {
	l.task[lane], l.of[lane] = at, *t
	l.n = max(l.n, t.points())
}

// resized is a list of n elements with any content, in the same memory if there is room.
func resized[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n, n+n/4)
	}
	return list[:n]
}
