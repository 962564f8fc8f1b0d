package rtps

import (
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// Limits of octets of repeated samples, at once and per second: for one participant, and for all
	// together. Octets of first transmissions are added, so that losses of every stream are repaired.
	repeatBurst, repeatRate       = 16 << 20, 8 << 20
	repeatBurstAll, repeatRateAll = 64 << 20, 32 << 20
	// repeatCost is the cost of a repetition beside its octets.
	repeatCost = 512
	// repeatPause is the time until the next try.
	repeatPause = 5 * time.Millisecond
	// maxDestinations bounds the addresses that the readers of one participant may have beside the
	// participant's own.
	maxDestinations = 8
)

// audience is the readers of one participant on a writer. One datagram serves all of them: a process of many
// nodes gets /tf and /clock once, not once per node.
type audience struct {
	readers  []*readerProxy      // in the order of matching
	sent     wire.SequenceNumber // the highest number of which anything was sent to one of them
	fragment uint32              // and of that the highest fragment; 1 when it was sent whole
}

// admit adds a reader to those of its participant.
func (w *localWriter) admit(p *readerProxy) {
	if w.audiences == nil {
		w.audiences = map[*peer]*audience{}
	}
	a := w.audiences[p.peer]
	if a == nil {
		a = &audience{}
		w.audiences[p.peer] = a
	}
	a.readers = append(a.readers, p)
	p.audience = a
}

// dismiss takes a reader out.
func (w *localWriter) dismiss(p *readerProxy) {
	a := p.audience
	a.readers = slices.DeleteFunc(a.readers, func(o *readerProxy) bool { return o == p })
	if len(a.readers) == 0 {
		delete(w.audiences, p.peer)
	}
}

// matchesOf counts the readers of a participant that the writer serves.
func (w *localWriter) matchesOf(p *peer) int {
	if a := w.audiences[p]; a != nil {
		return len(a.readers)
	}
	return 0
}

// coalesce gives the readers that one datagram can serve: those that the participant has on this writer and
// that stand exactly where this one does. The datagram is for all of the participant; it goes to this reader
// alone where another one would get what is not for it.
func (p *readerProxy) coalesce(h *change, now time.Time) []*readerProxy {
	w := p.writer
	w.group = append(w.group[:0], p)
	if w.cfg.Serves != nil {
		return w.group
	}
	for _, r := range p.audience.readers {
		switch {
		case r == p:
		case r.start > h.sn || h.untyped != nil && r.typed != p.typed:
			return w.group[:1]
		case r.live && r.next == p.next && r.fragment == p.fragment && slices.Equal(r.locs, p.locs) &&
			!r.full() && !r.silent(now):
			w.group = append(w.group, r)
		}
	}
	return w.group
}

// full reports that the window of samples on their way to the reader is used up.
func (p *readerProxy) full() bool { return p.reliable && p.next-p.acked > window }

// move notes that all readers of a group have been sent fragments of a change, or all of it when next is
// beyond.
func (s *sender) move(group []*readerProxy, to *readerProxy) {
	for _, r := range group {
		r.next, r.fragment, r.sentAt = to.next, to.fragment, to.sentAt
		if to.fragment == 0 {
			r.heartbeat.due, r.heartbeat.final = r.reliable, false
		}
		if r != s.p {
			s.c.sched.soon(&r.task)
		}
	}
}

// repeatable tells whether so many octets may be sent again now; if not, the run ends, and the proxy tries
// later.
func (s *sender) repeatable(octets int) bool {
	p, cost := s.p.peer, octets+repeatCost
	switch {
	case !p.budget.again.spend(cost, repeatBurst, repeatRate, s.now):
	case !s.c.again.spend(cost, repeatBurstAll, repeatRateAll, s.now):
		p.budget.again.refill(cost)
	default:
		return true
	}
	s.c.stats.Delayed++
	s.c.sched.by(&s.p.task, s.now.Add(repeatPause))
	s.tired = true
	return false
}

// book notes that a change, or a fragment of one, is sent: for the first time to this participant, or again,
// if that may be.
func (s *sender) book(sn wire.SequenceNumber, fragment uint32, octets int) bool {
	a := s.p.audience
	if sn < a.sent || sn == a.sent && fragment <= a.fragment {
		return s.repeatable(octets)
	}
	a.sent, a.fragment = sn, fragment
	s.p.peer.budget.again.refill(octets)
	return true
}

// destination gives the addresses of a reader that has its own; one participant has few of them.
func (p *peer) destination(locs []wire.Locator) []wire.Locator {
	if slices.Equal(locs, p.user) {
		return p.user
	}
	for _, known := range p.places {
		if slices.Equal(known, locs) {
			return known
		}
	}
	if len(p.places) >= maxDestinations || len(locs) == 0 {
		return p.user
	}
	p.places = append(p.places, locs)
	return locs
}
