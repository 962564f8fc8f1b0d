package rtps

import "simdeck/ros/rtps/wire"

// reorderEntry is a sample that waits for earlier ones; with absent there is none.
type reorderEntry struct {
	Sample
	absent bool
	raw    arrival // of built-in readers, which have no queue
}

// octets gives the payload.
func (h *reorderEntry) octets() []byte {
	if h.raw.payload != nil {
		return h.raw.payload
	}
	return h.Payload
}

// keep holds a sample back until all earlier ones are there.
func (w *writerProxy) keep(c *Core, sn wire.SequenceNumber, h reorderEntry) {
	if w.ahead == nil {
		w.ahead = map[wire.SequenceNumber]reorderEntry{}
	}
	w.ahead[sn] = h
	w.account(c, len(h.octets()))
}

// unkeep takes a held sample out.
func (w *writerProxy) unkeep(c *Core, sn wire.SequenceNumber) *reorderEntry {
	h := w.ahead[sn]
	delete(w.ahead, sn)
	w.account(c, -len(h.octets()))
	return &h
}

// account books held octets, for the writer's participant and in all.
func (w *writerProxy) account(c *Core, n int) {
	c.reorder.partial += n
	w.peer.budget.partial += n
}

// clear drops all held samples and fragments.
func (w *writerProxy) clear(c *Core) {
	for len(w.partial) > 0 {
		w.forget(c, w.partial[0])
	}
	for sn := range w.ahead {
		c.pool.put(w.unkeep(c, sn).octets())
	}
}

// reorderBudget bounds the octets of samples that have arrived in part or before their turn.
type reorderBudget struct {
	limit   int // of all participants; one may have half of it
	partial int
}

// fits reports that n more octets of a participant fit into the budget.
func (b *reorderBudget) fits(p *peer, n int) bool {
	return b.partial+n <= b.limit && p.budget.partial+n <= b.limit/2
}

// makeRoom makes room for n octets of the writer's sample. In a full budget the participant with the most
// held octets loses some, if it has more than this one would have. Endless large samples of one participant
// thus do not block the others. Held samples never keep out the sample that they wait for.
func (w *writerProxy) makeRoom(c *Core, sn wire.SequenceNumber, n int) bool {
	for !c.reorder.fits(w.peer, n) {
		if w.reliable && w.releaseReorder(c, sn) {
			continue
		}
		if w.peer.budget.partial+n > c.reorder.limit/2 {
			return false
		}
		var most *peer
		for _, p := range c.spdp.order {
			if p != w.peer && (most == nil || p.budget.partial > most.budget.partial) {
				most = p
			}
		}
		if most == nil || most.budget.partial <= w.peer.budget.partial+n || !most.evictReorder(c) {
			return false
		}
	}
	return true
}

// releaseReorder drops the last sample held behind sn, whole or in part; the writer is asked for it again. It
// is false where none is held.
func (w *writerProxy) releaseReorder(c *Core, sn wire.SequenceNumber) bool {
	last := sn
	for n, h := range w.ahead {
		if len(h.octets()) > 0 {
			last = max(last, n)
		}
	}
	var part *reassembly
	for _, r := range w.partial {
		if r.sn > last {
			last, part = r.sn, r
		}
	}
	switch {
	case part != nil:
		w.forget(c, part)
	case last > sn:
		c.pool.put(w.unkeep(c, last).octets())
	}
	return last > sn
}

// evictReorder drops the held samples of one writer of the participant. A reliable writer sends them again.
func (p *peer) evictReorder(c *Core) bool {
	for _, r := range c.local.sortedReaders() {
		for _, w := range r.order {
			if w.peer == p && (len(w.partial) > 0 || len(w.ahead) > 0) {
				w.clear(c)
				return true
			}
		}
	}
	return false
}
