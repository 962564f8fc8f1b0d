package rtps

import (
	"math/bits"
	"time"

	"simdeck/ros/rtps/wire"
)

// repair is a sample with the fragments that a reader misses.
type repair struct {
	sn   wire.SequenceNumber
	size int      // octets per fragment
	bits []uint64 // fragment numbers, from 1, that are to be sent again
}

// nackFrag takes in a NACK_FRAG: the fragments that the reader misses.
func (p *readerProxy) nackFrag(c *Core, f *wire.NackFrag, now time.Time) {
	if !p.reliable || f.Count <= p.answered.nack && now.Sub(p.answered.at) < staleCount &&
		p.answered.nack > 0 {
		return
	}
	p.answered.nack, p.heartbeat.tries, p.heartbeat.asked = f.Count, 0, time.Time{}
	h := p.writer.hist.find(f.SN)
	if h == nil || !h.relevant(p.peer.guid.Prefix, 0, now) {
		if f.SN >= p.start && f.SN < p.next {
			p.want(f.SN, f.SN) // answered by a GAP
			c.sched.soon(&p.task)
		}
		return
	}
	total := p.fragments(h)
	if f.SN > p.next || f.SN == p.next && p.fragment == 0 || total == 1 {
		return
	}
	if f.SN == p.next {
		total = p.fragment // the rest is still to be sent for the first time
	}
	r := p.repairOf(f.SN, p.fragments(h))
	if r == nil {
		return
	}
	for i := range f.State.NumBits {
		if n := f.State.Base + i; n <= total && f.State.Contains(n) {
			r.bits[n/64] |= 1 << (n % 64)
		}
	}
	p.peer.pacer.judge(false)
	c.sched.soon(&p.task)
}

// repairOf gives the repair of a sample, a new one where there is none; nil beyond maxRepairs.
func (p *readerProxy) repairOf(sn wire.SequenceNumber, total uint32) *repair {
	for i := range p.repairs {
		if p.repairs[i].sn == sn {
			return &p.repairs[i]
		}
	}
	if len(p.repairs) >= maxRepairs {
		return nil
	}
	p.repairs = append(p.repairs, repair{sn: sn, bits: make([]uint64, total/64+1)})
	return &p.repairs[len(p.repairs)-1]
}

// repeat sends the samples again that the reader asked for.
func (s *sender) repeat() {
	p := s.p
	var gone wire.SequenceNumberSet
	for sn := p.resend.Base; sn < p.resend.End() && !p.resend.Empty(); sn++ {
		if !p.resend.Contains(sn) {
			continue
		}
		if !s.more() || !s.again(sn, &gone) {
			p.resend = from(p.resend, sn)
			s.gaps(&gone)
			return
		}
	}
	s.gaps(&gone)
	p.resend = wire.SequenceNumberSet{Base: 1}
}

// from gives the numbers of a set from sn on.
func from(set wire.SequenceNumberSet, sn wire.SequenceNumber) wire.SequenceNumberSet {
	rest := wire.SequenceNumberSet{Base: sn}
	for ; sn < set.End(); sn++ {
		if set.Contains(sn) {
			rest.Add(sn)
		}
	}
	return rest
}

// gaps sends a GAP for requested changes that the reader will not get.
func (s *sender) gaps(gone *wire.SequenceNumberSet) {
	if gone.Empty() {
		return
	}
	list := wire.SequenceNumberSet{Base: gone.Base + 1}
	for gone.Contains(list.Base) {
		list.Base++
	}
	for sn := list.Base + 1; sn < gone.End(); sn++ {
		if gone.Contains(sn) {
			list.Add(sn)
		}
	}
	s.gap(gone.Base, list)
	s.c.stats.Resent++
}

// again sends one change again, or notes that it is gone. It is false where the pacer wants that later.
func (s *sender) again(sn wire.SequenceNumber, gone *wire.SequenceNumberSet) bool {
	p := s.p
	if p.has(sn) {
		return true
	}
	h := p.writer.hist.find(sn)
	// All readers of a topic in one participant of Cyclone DDS share one order: a GAP for one would take the
	// sample from the others.
	wanted := sn >= p.start || p.peer.vendor == wire.VendorCyclone && !p.writer.builtin
	switch {
	case h == nil || !wanted || !h.relevant(p.peer.guid.Prefix, p.writer.cfg.QoS.Lifespan, s.now):
		if gone.Empty() {
			gone.Base = sn
		}
		gone.Add(sn)
		return true
	case p.fragments(h) == 1:
		if !s.repeatable(len(p.payload(h))) {
			return false
		}
		s.data(h)
	default:
		if r := p.repairOf(sn, p.fragments(h)); r != nil {
			for n := uint32(1); n <= p.fragments(h); n++ {
				r.bits[n/64] |= 1 << (n % 64)
			}
		}
	}
	s.c.stats.Resent++
	return true
}

// repair sends the fragments again that the reader asked for.
func (s *sender) repair() {
	p := s.p
	for len(p.repairs) > 0 {
		r := &p.repairs[0]
		h := p.writer.hist.find(r.sn)
		// gone, or cut differently since the reader's address changed
		if h == nil || int(p.fragments(h))/64+1 != len(r.bits) {
			p.repairs = append(p.repairs[:0], p.repairs[1:]...)
			continue
		}
		if !s.repairOne(h, r) {
			return
		}
		p.repairs = append(p.repairs[:0], p.repairs[1:]...)
		p.heartbeat.due, p.heartbeat.final = true, false
	}
}

func (s *sender) repairOne(h *change, r *repair) bool {
	total := s.p.fragments(h)
	for i, word := range r.bits {
		for word != 0 {
			n := uint32(i*64 + bits.TrailingZeros64(word))
			word &= word - 1
			if n == 0 || n > total {
				continue
			}
			if !s.more() || !s.repeatable(s.p.fragmentSize(h)) {
				return false
			}
			r.bits[i] = word
			s.p.peer.pacer.again += s.fragment(h, n)
			s.c.stats.Fragments.Resent++
		}
	}
	return true
}
