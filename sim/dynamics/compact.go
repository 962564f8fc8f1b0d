package dynamics

// compactInterval is the number of steps between compactions.
const compactInterval = 32

// compactScratch is what compactContacts writes into.
type compactScratch struct {
	all       []contact
	holds     []manifoldPose
	manifolds []manifold
}

// compactContacts sorts contacts and manifolds into the order of the pairs, in which all stages visit them,
// and frees unused manifolds. It affects nothing but memory access time.
func (w *World) compactContacts() {
	if w.time.steps%compactInterval != 0 {
		return
	}
	w.rebaseMotion()
	s, t := &w.contacts, &w.contacts.compaction
	all, holds, manifolds := t.all[:0], t.holds[:0], t.manifolds[:0]
	for i := range w.contacts.pairs.sorted {
		r := &w.contacts.pairs.sorted[i]
		c := s.all[r.contact]
		base := int32(len(manifolds))
		if c.count == 0 {
			c.base, c.capacity = 0, 0
		} else {
			manifolds = append(manifolds, w.contacts.manifolds[c.base:c.base+c.capacity]...)
			c.base = base
		}
		holds = append(holds, s.poses[r.contact])
		r.contact = int32(len(all))
		all = append(all, c)
	}
	s.all, t.all = all, s.all
	s.poses, t.holds = holds, s.poses
	w.contacts.manifolds, t.manifolds = manifolds, w.contacts.manifolds
	s.free, s.freeOne, s.freeMulti = s.free[:0], s.freeOne[:0], s.freeMulti[:0]
	w.active.dirty = true
}
