package rtps

import (
	"reflect"
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

// updatePause is the least time between two changes of what a participant says of itself: it says the last one again.
const updatePause = 50 * time.Millisecond

// goneFor is how long a participant that has left is not believed to be back: its last announcements may still be on the way.
const goneFor = 5 * time.Second

// onParticipant takes in an SPDP sample (RTPS 2.2 §8.5.3.4).
func (c *Core) onParticipant(m *message, a *arrival) error {
	if a.qos.Status&(wire.StatusDisposed|wire.StatusUnregistered) != 0 || a.content == wire.ContentKey {
		return c.onParticipantGone(m, a)
	}
	if m.peer == nil && !c.newcomer(m) {
		c.stats.Shed++
		return nil
	}
	d, _, err := wire.ParseParticipantData(a.payload)
	if err != nil {
		return err
	}
	switch {
	case d.GUID.Prefix != m.src || d.GUID.Prefix == c.cfg.Prefix:
		c.stats.Refused++ // nobody speaks for another
		return nil
	case d.HasDomain && d.Domain != c.cfg.DomainID || d.DomainTag != "":
		return nil
	}
	if at, ok := c.gone[m.src]; ok {
		if a.now.Sub(at) < goneFor {
			return nil
		}
		delete(c.gone, m.src)
	}
	p := m.peer
	switch {
	case p == nil && !c.admit(m):
		c.refuse(nil, m.from, c.cfg.Limits.Participants, "participants", "", m.now)
		return nil
	case p == nil:
		p = c.addPeer(m, d, a.sn)
		m.peer = p
	case c.news(p, m, &d, a.sn) && (len(p.meta) == 0 || a.now.Sub(p.updated) >= updatePause):
		p.from, p.sn, p.updated = m.from, a.sn, a.now
		c.updatePeer(p, d)
	}
	c.answer(p, a.now)
	return nil
}

// news tells whether a known participant says something new. A participant like ours tells other addresses on every interface, all under
// one number; the first that can be used is kept.
func (c *Core) news(p *peer, m *message, d *wire.ParticipantData, sn wire.SequenceNumber) bool {
	switch {
	case len(p.meta) == 0 && p.from != m.from:
		return true
	case p.verified() && c.at(p, m.from) && (len(p.meta) == 0 || !c.at(p, p.meta[0])): // it tells an address there that is proven
		return true
	case m.vendor == wire.VendorSimdeck:
		return sn > p.sn
	}
	return !reflect.DeepEqual(p.data, *d)
}

func (c *Core) addPeer(m *message, d wire.ParticipantData, sn wire.SequenceNumber) *peer {
	p := &peer{guid: d.GUID, vendor: m.vendor, data: d, from: m.from, sn: sn, seen: m.now, since: m.now,
		endpoints: map[wire.GUID]*remoteEndpoint{}}
	p.task.run = func(now time.Time) { c.checkLease(p, now) }
	p.challenge.task.run = func(now time.Time) { c.runChallenge(p, now) }
	c.route(p)
	p.pacer.begin(c.allLocal(p.user))
	c.peers[d.GUID.Prefix] = p
	c.order = append(c.order, p)
	c.checkLease(p, m.now)
	c.changed()
	c.matchBuiltin(p, m.now)
	return p
}

// updatePeer takes over changed data: new addresses apply to all that is sent from now on.
func (c *Core) updatePeer(p *peer, d wire.ParticipantData) {
	p.data = d
	c.reroute(p)
	c.changed()
}

// reroute chooses anew by which addresses a peer and its endpoints are reached, and goes on with what waits for them.
func (c *Core) reroute(p *peer) {
	c.route(p)
	p.places = nil
	for _, w := range c.sortedWriters() {
		for _, r := range w.order {
			if r.peer == p {
				r.route(c)
				c.sched.soon(&r.task)
			}
		}
	}
	for _, r := range c.sortedReaders() {
		for _, w := range r.order {
			if w.peer == p {
				w.route(c)
				c.sched.soon(&w.task)
			}
		}
	}
}

// unprovenLease bounds how long we talk to addresses at which nobody has answered: an announcement may name somebody else's.
const unprovenLease = 30 * time.Second

// checkLease drops the peer when nothing came from it for its lease, else looks again when that may be so.
func (c *Core) checkLease(p *peer, now time.Time) {
	lease := p.data.Lease
	if lease == 0 { // infinite
		lease = 24 * time.Hour
	}
	if !p.validatedPath {
		lease = min(lease, unprovenLease)
	}
	end := p.seen.Add(lease)
	if now.Before(end) {
		c.sched.by(&p.task, end)
		return
	}
	c.stats.Expired++
	c.dropPeer(p)
}

// onParticipantGone takes in that a participant has left: Fast DDS names it by a key hash, Cyclone DDS by a key payload.
func (c *Core) onParticipantGone(m *message, a *arrival) error {
	g := a.qos.KeyHash
	if len(a.payload) > 0 {
		k, _, err := wire.ParseKey(a.payload)
		if err != nil {
			return err
		}
		g = k.GUID
	}
	if g.Prefix != m.src {
		c.stats.Refused++
		return nil
	}
	if m.peer == nil {
		return nil
	}
	if len(c.gone) >= c.cfg.Limits.Participants {
		clear(c.gone)
	}
	c.gone[m.src] = a.now
	c.dropPeer(m.peer)
	m.peer = nil
	return nil
}

// dropPeer forgets a participant and everything of it.
func (c *Core) dropPeer(p *peer) {
	c.sched.kill(&p.task)
	c.sched.kill(&p.challenge.task)
	for _, e := range p.endpoints {
		delete(c.remotes, e.GUID)
	}
	c.known -= p.known
	for _, w := range c.sortedWriters() {
		for _, r := range slices.Clone(w.order) {
			if r.peer == p {
				w.unmatch(c, r)
			}
		}
	}
	for _, r := range c.sortedReaders() {
		for _, w := range slices.Clone(r.order) {
			if w.peer == p {
				r.unmatch(c, w)
			}
		}
	}
	delete(c.peers, p.guid.Prefix)
	c.order = slices.DeleteFunc(c.order, func(o *peer) bool { return o == p })
	c.changed()
}

// sortedWriters gives all local writers in the order of their ids.
func (c *Core) sortedWriters() []*localWriter {
	all := make([]*localWriter, 0, len(c.writers))
	for _, w := range c.writers {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *localWriter) int { return a.guid.Compare(b.guid) })
	return all
}

// sortedReaders gives all local readers in the order of their ids.
func (c *Core) sortedReaders() []*localReader {
	all := make([]*localReader, 0, len(c.readers))
	for _, r := range c.readers {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *localReader) int { return a.guid.Compare(b.guid) })
	return all
}
