package rtps

import "slices"

// served counts the readers of a participant that the writer serves.
func (w *localWriter) served(p *peer) (n int) {
	for _, r := range w.order {
		if r.peer == p {
			n++
		}
	}
	return n
}

// heard counts the writers of a participant that the reader listens to.
func (r *localReader) heard(p *peer) (n int) {
	for _, w := range r.order {
		if w.peer == p {
			n++
		}
	}
	return n
}

// countSiblings counts anew, for each reader of a participant, how many others of it the writer serves.
func (w *localWriter) countSiblings(p *peer) {
	n := w.served(p)
	for _, r := range w.order {
		if r.peer == p {
			r.siblings = n - 1
		}
	}
}

// together gives the readers that one datagram can serve: all that the participant has on this writer, when they stand exactly where this
// one does. Else it gives this one alone. A process of many nodes then gets /tf and /clock once, not once per node.
func (p *readerProxy) together() []*readerProxy {
	w := p.writer
	w.group = append(w.group[:0], p)
	if p.siblings == 0 {
		return w.group
	}
	for _, r := range w.order {
		if r == p || r.peer != p.peer {
			continue
		}
		if !r.live || r.next != p.next || r.fragment != p.fragment || r.typed != p.typed || !slices.Equal(r.locs, p.locs) ||
			r.reliable && r.next-r.acked > window {
			return w.group[:1]
		}
		w.group = append(w.group, r)
	}
	return w.group
}

// move notes that all readers of a group have been sent fragments of a change, or all of it when next is beyond.
func (s *sender) move(group []*readerProxy, to *readerProxy) {
	for _, r := range group {
		r.next, r.fragment, r.sentAt = to.next, to.fragment, to.sentAt
		if to.fragment == 0 {
			r.beatDue, r.final = r.reliable, false
		}
		if r != s.p {
			s.c.sched.soon(&r.task)
		}
	}
}
