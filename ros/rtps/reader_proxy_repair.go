package rtps

import (
	"math/bits"

	"simdeck/ros/rtps/wire"
)

// repeat sends again what the reader asked for.
func (s *sender) repeat() {
	p := s.p
	for sn := p.resend.Base; sn < p.resend.End() && !p.resend.Empty(); sn++ {
		if !p.resend.Contains(sn) {
			continue
		}
		if !s.more() {
			p.resend = from(p.resend, sn)
			return
		}
		s.again(sn)
	}
	p.resend = wire.SequenceNumberSet{Base: 1}
}

// from gives the numbers of a set that are not below sn.
func from(set wire.SequenceNumberSet, sn wire.SequenceNumber) wire.SequenceNumberSet {
	rest := wire.SequenceNumberSet{Base: sn}
	for ; sn < set.End(); sn++ {
		if set.Contains(sn) {
			rest.Add(sn)
		}
	}
	return rest
}

// again sends one change again, or says that there is none.
func (s *sender) again(sn wire.SequenceNumber) {
	p := s.p
	if p.has(sn) {
		return
	}
	h := p.writer.hist.find(sn)
	// A Cyclone DDS participant has one order for all its readers of a topic: a GAP for one would take the sample from the others.
	wanted := sn >= p.start || p.peer.vendor == wire.VendorCyclone && !p.writer.builtin
	switch {
	case h == nil || !wanted || !h.relevant(p.peer.guid.Prefix, p.writer.cfg.QoS.Lifespan, s.now):
		s.gap(sn, sn)
		return
	case p.fragments(h) == 1:
		s.data(h)
	default:
		if r := p.repairOf(sn, p.fragments(h)); r != nil {
			for n := uint32(1); n <= p.fragments(h); n++ {
				r.bits[n/64] |= 1 << (n % 64)
			}
		}
	}
	s.c.stats.Resent++
}

// repair sends again the fragments that the reader asked for.
func (s *sender) repair() {
	p := s.p
	for len(p.repairs) > 0 {
		r := &p.repairs[0]
		h := p.writer.hist.find(r.sn)
		if h == nil || int(p.fragments(h))/64+1 != len(r.bits) { // gone, or cut differently since the reader's address changed
			p.repairs = append(p.repairs[:0], p.repairs[1:]...)
			continue
		}
		if !s.repairOne(h, r) {
			return
		}
		p.repairs = append(p.repairs[:0], p.repairs[1:]...)
		p.beatDue, p.final = true, false
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
			if !s.more() {
				return false
			}
			r.bits[i] = word
			s.p.peer.pace.again += s.fragment(h, n)
			s.c.stats.FragmentsResent++
		}
	}
	return true
}
