package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// advance gives up everything below sn that is not here; what is here is delivered in order. It returns the
// number of lost samples.
func (w *writerProxy) advance(c *Core, sn wire.SequenceNumber) wire.SequenceNumber {
	skipped := wire.SequenceNumber(0)
	for end := min(sn, w.next+window); w.next < end; {
		h, ok := w.ahead[w.next]
		if ok && !h.absent && w.full() {
			w.blocked = true
			return skipped
		}
		w.unkeep(c, w.next)
		w.next++
		if ok {
			w.deliver(c, h)
		} else {
			skipped++
		}
	}
	if w.next < sn {
		skipped += sn - w.next
		w.next = sn
	}
	w.high = max(w.high, sn-1)
	for i := 0; i < len(w.partial); i++ {
		if w.partial[i].sn < w.next {
			w.forget(c, w.partial[i])
			i--
		}
	}
	w.drain(c)
	return skipped
}

// heartbeat takes in what the writer has.
func (w *writerProxy) heartbeat(c *Core, h *wire.Heartbeat, now time.Time) {
	if w.restarted(h, now) {
		c.spdp.restart(w.peer, w.guid, now)
		return
	}
	if h.Liveliness {
		w.show(c, now)
	}
	if !w.reliable || h.Count <= w.beatCount && w.heard && now.Sub(w.beatAt) < staleCount {
		return
	}
	if w.started && (h.First-w.next > maxLeap || h.Last-w.next > maxLeap) {
		c.stats.Refused++
		return
	}
	w.beatCount, w.beatAt = h.Count, now
	first := !w.heard
	if first {
		w.heard = true
		c.watch.changed()
	}
	if !w.started {
		w.start(c, h)
	} else if h.First > w.next {
		w.lose(c, w.advance(c, h.First))
	}
	w.high = max(w.high, h.Last)
	missing := w.next <= w.high
	if w.next != w.acknack.base {
		w.acknack.nackAt = time.Time{}
	}
	switch {
	case first && !h.Final:
		w.answer(c, now, 0)
	case missing:
		w.answer(c, now, max(nackPause, w.acknack.nackAt.Add(nackRepeat).Sub(now)))
	case !h.Final:
		w.answer(c, now, ackPause)
	}
	if len(w.partial) > 0 {
		w.repairBy(c, now.Add(nackPause))
	}
}

// start begins with the first number that the writer has. Fast DDS sends a GAP for samples of other readers,
// and Cyclone DDS never offers a sample again that it believes acknowledged. Only a transient-local Cyclone
// DDS writer would send its history to a volatile reader.
func (w *writerProxy) start(c *Core, h *wire.Heartbeat) {
	at := h.First
	if w.keeps && !w.reader.builtin && w.reader.cfg.QoS.Durability == Volatile &&
		w.peer.vendor == wire.VendorCyclone {
		at = h.Last + 1
		for sn := range w.ahead {
			at = min(at, max(sn, h.First))
		}
		for _, p := range w.partial {
			at = min(at, max(p.sn, h.First))
		}
	}
	w.started = true
	for sn := range w.ahead {
		if sn < at || sn >= at+window {
			c.pool.put(w.unkeep(c, sn).octets())
		}
	}
	w.next = at
	w.drain(c)
}

// gap takes in which changes are not for us.
func (w *writerProxy) gap(c *Core, g *wire.Gap, now time.Time) {
	if !w.reliable || !w.started {
		return
	}
	if g.List.Base-w.next > maxLeap {
		c.stats.Refused++
		return
	}
	if g.Start <= w.next {
		if g.List.Base > w.next {
			w.advance(c, g.List.Base)
		}
	} else {
		for sn := g.Start; sn < min(g.List.Base, w.next+window); sn++ {
			w.absent(c, sn)
		}
	}
	if !g.List.Empty() {
		for sn := g.List.Base; sn < g.List.End(); sn++ {
			if g.List.Contains(sn) {
				w.absent(c, sn)
			}
		}
	}
	w.high = max(w.high, g.List.Base-1)
	w.drain(c)
}

// absent notes that one change will not come.
func (w *writerProxy) absent(c *Core, sn wire.SequenceNumber) {
	if sn < w.next || sn-w.next >= window {
		return
	}
	if _, have := w.ahead[sn]; have {
		return
	}
	for _, r := range w.partial {
		if r.sn == sn {
			w.forget(c, r)
			break
		}
	}
	w.keep(c, sn, reorderEntry{absent: true})
}
