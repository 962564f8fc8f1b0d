package physics

// tidyEvery is the number of steps after which contacts are put in order again.
const tidyEvery = 32

// tidyScratch is what tidyContacts writes into.
type tidyScratch struct {
	all       []contact
	holds     []hold
	manifolds []manifold
}

// tidyContacts puts contacts and their manifolds into the order of the pairs, in which everything goes
// through them, and lets go of manifolds that are not in use. Nothing depends on it but the time that
// memory takes.
func (w *World) tidyContacts() {
	if w.steps%tidyEvery != 0 {
		return
	}
	w.recount()
	s, t := &w.contacts, &w.tidy
	all, holds, manifolds := t.all[:0], t.holds[:0], t.manifolds[:0]
	for i := range w.pairs.order {
		r := &w.pairs.order[i]
		c := s.all[r.contact]
		base := int32(len(manifolds))
		if c.count == 0 {
			c.base, c.room = 0, 0
		} else {
			manifolds = append(manifolds, w.manifolds[c.base:c.base+c.room]...)
			c.base = base
		}
		holds = append(holds, s.holds[r.contact])
		r.contact = int32(len(all))
		all = append(all, c)
	}
	s.all, t.all = all, s.all
	s.holds, t.holds = holds, s.holds
	w.manifolds, t.manifolds = manifolds, w.manifolds
	s.free, s.freeOne, s.freeMulti = s.free[:0], s.freeOne[:0], s.freeMulti[:0]
	w.stale = true
}
