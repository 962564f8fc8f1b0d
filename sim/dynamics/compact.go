package dynamics

// compactInterval is the number of steps between compactions.
const compactInterval = 32

// compactScratch is what compactContacts writes into.
type compactScratch struct {
	all       []contact
	holds     []manifoldPose
	manifolds []manifold
}

// compact sorts contacts and manifolds into the order of the pairs, in which all stages visit them,
// and frees unused manifolds. It affects nothing but memory access time.
func (cs *contactSet) compact(bodies *bodySet, active *activeSet, steps uint64) {
	if steps%compactInterval != 0 {
		return
	}
	cs.rebaseMotion(bodies)
	t := &cs.compaction
	all, holds, manifolds := t.all[:0], t.holds[:0], t.manifolds[:0]
	for i := range cs.pairs.sorted {
		r := &cs.pairs.sorted[i]
		c := cs.all[r.contact]
		base := int32(len(manifolds))
		if c.count == 0 {
			c.base, c.capacity = 0, 0
		} else {
			manifolds = append(manifolds, cs.manifolds[c.base:c.base+c.capacity]...)
			c.base = base
		}
		holds = append(holds, cs.poses[r.contact])
		r.contact = int32(len(all))
		all = append(all, c)
	}
	cs.all, t.all = all, cs.all
	cs.poses, t.holds = holds, cs.poses
	cs.manifolds, t.manifolds = manifolds, cs.manifolds
	cs.free, cs.freeOne, cs.freeMulti = cs.free[:0], cs.freeOne[:0], cs.freeMulti[:0]
	active.dirty = true
}
