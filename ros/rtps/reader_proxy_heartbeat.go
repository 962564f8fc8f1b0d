package rtps

import (
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

// answerWait is the time in which a new reader answers its first HEARTBEAT. Until then no HEARTBEAT goes to
// all readers of its participant at once.
const answerWait = 3 * time.Second

// unacked reports that the reader may lack a change.
func (p *readerProxy) unacked() bool { return !p.live || p.acked < p.writer.last }

// late reports that the reader is due a HEARTBEAT for changes that it has not acknowledged.
func (p *readerProxy) late(now time.Time) bool {
	return p.unacked() && !p.heartbeat.at.IsZero() && !now.Before(p.heartbeat.at)
}

// nearlyLate reports that the reader is due soon enough to share the HEARTBEAT of one that is late. Readers
// matched one after the other thus share one.
func (p *readerProxy) nearlyLate(now time.Time) bool {
	return p.unacked() && !p.heartbeat.at.IsZero() && p.heartbeat.at.Sub(now) <= p.heartbeat.wait/2
}

// heartbeats sends HEARTBEATs to the reader and to those of its participant that stand where it does. The
// range is that of the changes sent and still there. One is for all of them, or each has its own in the same
// datagram.
func (s *sender) heartbeats() {
	group, all := s.heartbeatGroup()
	if !all {
		for _, r := range group {
			s.heartbeat(r, r.guid.Entity, r.lowest(), r.heartbeat.final, r.heartbeat.alive)
		}
	} else {
		final, alive := true, false
		for _, r := range group {
			final, alive = final && r.heartbeat.final && !r.late(s.now), alive || r.heartbeat.alive
		}
		s.heartbeat(s.p, wire.EntityUnknown, s.p.audience.lowest(s.p), final, alive)
	}
	for _, r := range group {
		r.heartbeatSent(s.now)
		if r != s.p {
			s.c.sched.soon(&r.task) // it sets its timer
		}
	}
}

// heartbeat appends one HEARTBEAT.
func (s *sender) heartbeat(p *readerProxy, to wire.EntityID, low wire.SequenceNumber, final, alive bool) {
	w := p.writer
	last := p.next - 1
	first := min(max(low, w.hist.first(p.next)), p.next)
	w.count++
	s.room(32)
	s.pkt.b = wire.Heartbeat{Reader: to, Writer: w.guid.Entity, First: first + p.shift, Last: last + p.shift,
		Count: w.count,
		Final: final && !p.late(s.now), Liveliness: alive}.Append(s.pkt.b)
}

// heartbeatGroup gives the readers that are due the same HEARTBEAT, this one first, and whether all readers
// of the participant may hear it. A new reader might take it for its first (see readerProxy); a late one
// would request changes not yet sent to it.
func (s *sender) heartbeatGroup() (group []*readerProxy, all bool) {
	p, w := s.p, s.p.writer
	w.group = append(w.group[:0], p)
	if p.shift != 0 || w.builtin || w.cfg.Serves != nil {
		return w.group, false
	}
	all = p.live
	for _, r := range p.audience.readers {
		switch {
		case r == p || !r.reliable:
		case p.live && !r.live:
			all = all && s.now.Sub(r.since) > answerWait
		case p.live != r.live:
		case r.next == p.next && (r.heartbeat.due || r.nearlyLate(s.now)) && slices.Equal(r.locs, p.locs):
			w.group = append(w.group, r)
		case r.next < p.next:
			all = all && r.silent(s.now)
		}
	}
	return w.group, all && len(w.group) > 1
}

// heartbeatSent notes that the reader was sent a HEARTBEAT, and when the next is due.
func (p *readerProxy) heartbeatSent(now time.Time) {
	late := !p.heartbeat.due || p.late(now)
	if p.heartbeat.asked.IsZero() && !(p.heartbeat.final && !late) {
		p.heartbeat.asked = now
	}
	if late {
		p.heartbeat.wait = min(2*p.heartbeat.wait, heartbeatMost)
		if p.heartbeat.tries++; p.heartbeat.tries > heartbeatTries {
			p.heartbeat.wait = heartbeatLate
		}
	}
	p.heartbeat.due, p.heartbeat.final, p.heartbeat.alive = false, false, false
	p.heartbeat.at = now.Add(p.heartbeat.wait)
}

// lowest gives the first number that the reader may want. Readers of a topic in one participant of Cyclone
// DDS share one order. A HEARTBEAT for a new one must not skip changes that an older one lacks.
func (p *readerProxy) lowest() wire.SequenceNumber {
	if p.peer.vendor != wire.VendorCyclone || p.writer.builtin {
		return p.start
	}
	return p.audience.lowest(p)
}

// lowest gives the first number that any of the readers may want; p is one of them.
func (a *audience) lowest(p *readerProxy) wire.SequenceNumber {
	low := p.start
	for _, o := range a.readers {
		switch {
		case !o.reliable:
		case p.peer.vendor == wire.VendorCyclone:
			low = min(low, max(o.start, o.acked+1))
		default:
			low = min(low, o.start)
		}
	}
	return low
}
