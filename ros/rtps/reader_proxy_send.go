package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// turnPackets bounds the datagrams with samples for one participant in one turn, for all its readers
// together. The others thus get theirs.
const turnPackets = 32

// sender builds the datagrams of one run for one reader.
type sender struct {
	c     *Core
	p     *readerProxy
	now   time.Time
	pkt   *Packet
	to    wire.EntityID // reader that samples are for; unknown = all of the participant
	stamp wire.Timestamp
	tired bool
}

// run sends repetitions, fragments, new changes and a HEARTBEAT, as far as they are due.
func (p *readerProxy) run(c *Core, now time.Time) {
	if len(p.locs) == 0 {
		return
	}
	s := sender{c: c, p: p, now: now, to: p.guid.Entity}
	if p.live {
		s.repeat()
		s.repair()
		s.fresh()
	}
	if !p.reliable {
		c.trim(p.writer)
		return
	}
	if late := p.late(now); p.heartbeat.due && !s.tired || late {
		s.heartbeats()
	}
	if p.unacked() {
		if p.heartbeat.at.IsZero() {
			p.heartbeat.at = now.Add(p.heartbeat.wait)
		}
		c.sched.by(&p.task, p.heartbeat.at)
	} else {
		p.heartbeat.at = time.Time{}
	}
}

// more reports that the run may send another sample. Where it may not, the proxy runs again later.
func (s *sender) more() bool {
	switch {
	case s.tired:
		return false
	case s.p.peer.turn == s.c.turn && s.p.peer.sent >= turnPackets:
		s.c.sched.soon(&s.p.task)
	case !s.p.peer.pacer.settle(s.now):
		s.c.sched.by(&s.p.task, s.p.peer.pacer.resume())
	default:
		return true
	}
	s.tired = true
	return false
}

// room opens a datagram with room for n more octets.
func (s *sender) room(n int) {
	if s.pkt != nil && s.pkt.Len()+n <= s.p.datagram() {
		return
	}
	s.pkt = s.c.out.openTo(s.p.locs, s.p.peer)
	if p := s.p.peer; p.turn != s.c.turn {
		p.turn, p.sent = s.c.turn, 1
	} else {
		p.sent++
	}
	s.stamp = wire.Timestamp{}
}

// time puts INFO_TS with the source time before a sample, unless it stands there already.
func (s *sender) time(h *change) {
	if s.stamp != h.stamp {
		s.stamp = h.stamp
		s.pkt.b = wire.InfoTimestamp{Time: h.stamp}.Append(s.pkt.b)
	}
}

// data sends a whole change as DATA.
func (s *sender) data(h *change) {
	payload := s.p.payload(h)
	s.room(12 + 24 + len(h.qos) + len(payload) + 3)
	s.time(h)
	d := wire.Data{Reader: s.to, Writer: s.p.writer.guid.Entity, SN: h.sn + s.p.shift, InlineQoS: h.qos,
		Content: h.content, Payload: payload}
	if k := s.pkt; k.holds(payload) {
		k.b, k.at = d.AppendAround(k.b)
		k.part = payload
	} else {
		k.b = d.Append(k.b)
	}
	s.p.peer.pacer.debt += len(payload)
	s.c.stats.Sent++
}

// fragment sends the n-th fragment of a change as DATA_FRAG, counted from 1, and gives its octets.
func (s *sender) fragment(h *change, n uint32) int {
	payload, size := s.p.payload(h), s.p.fragmentSize(h)
	part := payload[int(n-1)*size : min(int(n)*size, len(payload))]
	s.room(12 + 36 + len(h.qos) + len(part) + 3)
	s.time(h)
	d := wire.DataFrag{Reader: s.to, Writer: s.p.writer.guid.Entity, SN: h.sn, Start: n, Count: 1,
		Size:       uint16(size),
		SampleSize: uint32(len(payload)), InlineQoS: h.qos, Payload: part}
	if k := s.pkt; k.holds(part) {
		k.b, k.at = d.AppendAround(k.b)
		k.part = part
	} else {
		k.b = d.Append(k.b)
	}
	s.p.peer.pacer.debt += len(part)
	s.p.sentAt = s.now
	s.c.stats.Fragments.Out++
	return len(part)
}

// gap sends a GAP: the reader will not get the changes from first up to the base of a list, nor those in it.
func (s *sender) gap(first wire.SequenceNumber, list wire.SequenceNumberSet) {
	s.room(32 + wire.SetBits/8)
	list.Base += s.p.shift
	s.pkt.b = wire.Gap{Reader: s.p.guid.Entity, Writer: s.p.writer.guid.Entity, Start: first + s.p.shift,
		List: list}.Append(s.pkt.b)
}

// fresh sends new changes, as far as the reader's window allows.
func (s *sender) fresh() {
	p := s.p
	for p.next <= p.writer.last {
		if p.full() {
			p.heartbeat.due, p.heartbeat.final = true, false
			return
		}
		if p.silent(s.now) {
			return
		}
		if !s.more() {
			return
		}
		rest := p.writer.hist.from(p.next)
		if len(rest) == 0 || rest[0].sn > p.next {
			p.fragment = 0
			s.skip(rest)
			continue
		}
		h := &rest[0]
		if !h.relevant(p.peer.guid.Prefix, p.writer.cfg.QoS.Lifespan, s.now) {
			s.skip(rest)
			continue
		}
		if p.reliable && p.large && p.fragment == 0 && p.fragments(h) > 1 && p.saturated() {
			p.heartbeat.due, p.heartbeat.final = true, false
			return
		}
		if !s.freshSample(h) {
			return
		}
	}
}

// saturated reports that no further large sample may be in flight.
func (p *readerProxy) saturated() bool {
	n, bytes := 0, 0
	for _, h := range p.writer.hist.from(p.acked + 1) {
		if h.sn >= p.next {
			break
		}
		if p.fragments(&h) > 1 {
			n, bytes = n+1, bytes+len(h.payload)
		}
	}
	return n >= largeAhead && bytes >= largeBytes
}

// freshSample sends a change for the first time, to all readers of the participant that are level. It is
// false where it has to go on later.
func (s *sender) freshSample(h *change) bool {
	p := s.p
	group := p.coalesce(h, s.now)
	if len(group) > 1 {
		s.to = wire.EntityUnknown
		defer func() { s.to = p.guid.Entity }()
	}
	whole := true
	if p.fragments(h) == 1 {
		if !s.book(h.sn, 1, len(p.payload(h))) {
			return false
		}
		s.data(h)
	} else {
		whole = s.freshFragments(h)
	}
	if whole {
		p.next, p.fragment = h.sn+1, 0
	}
	s.move(group, p)
	return whole
}

// skip passes over the changes that are not for this reader, up to the next one that is, by a GAP.
func (s *sender) skip(rest []change) {
	p := s.p
	first, last := p.next, p.writer.last
	for i := range rest {
		if rest[i].relevant(p.peer.guid.Prefix, p.writer.cfg.QoS.Lifespan, s.now) {
			last = rest[i].sn - 1
			break
		}
	}
	p.next = last + 1
	if p.reliable {
		s.gap(first, wire.SequenceNumberSet{Base: last + 1})
		p.heartbeat.due, p.heartbeat.final = true, false
	}
}

// freshFragments sends the remaining fragments of a change. It is false where it has to go on later.
func (s *sender) freshFragments(h *change) bool {
	p := s.p
	for total := p.fragments(h); p.fragment < total; {
		if !s.more() {
			if p.reliable && p.fragment > 0 && s.pkt != nil {
				s.heartbeatFrag(h)
			}
			return false
		}
		if !s.book(h.sn, p.fragment+1, p.fragmentSize(h)) {
			return false
		}
		p.fragment++
		p.large = true
		p.peer.pacer.fresh += s.fragment(h, p.fragment)
	}
	if p.local {
		p.heartbeat.wait = heartbeatLocal
	}
	s.c.stats.Sent++
	return true
}

// heartbeatFrag sends HEARTBEAT_FRAG with the last fragment that was sent (RTPS 2.2 §8.3.7.6). Cyclone DDS
// repairs from it early.
func (s *sender) heartbeatFrag(h *change) {
	w := s.p.writer
	w.fragHB++
	s.room(28)
	s.pkt.b = wire.HeartbeatFrag{Reader: s.p.guid.Entity, Writer: w.guid.Entity, SN: h.sn, Last: s.p.fragment,
		Count: w.fragHB}.Append(s.pkt.b)
}
