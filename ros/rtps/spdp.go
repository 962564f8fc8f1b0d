package rtps

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

// updatePause is the least time between two changes of what a participant says of itself: it says the last
// one again.
const updatePause = 50 * time.Millisecond

// goneFor is the time after which a participant that has left may return: its last announcements may still be
// on the way.
const goneFor = 5 * time.Second

// participantDiscovery is the Simple Participant Discovery Protocol (RTPS 2.2 §8.5.3): the announcements of
// this participant, and the participants that others announce.
type participantDiscovery struct {
	core     *Core
	announce announcer
	peers    map[wire.GUIDPrefix]*peer
	order    []*peer // peers in the order of their discovery
	gone     map[wire.GUIDPrefix]time.Time
	pending  map[wire.GUIDPrefix]struct{} // unknown participants that spoke to this one by name
}

// onParticipant takes in an SPDP sample (RTPS 2.2 §8.5.3.4).
func (s *participantDiscovery) onParticipant(m *message, a *arrival) error {
	if a.qos.Status&(wire.StatusDisposed|wire.StatusUnregistered) != 0 || a.content == wire.ContentKey {
		return s.onParticipantGone(m, a)
	}
	if m.peer == nil && !s.core.receiver.newcomer(m) {
		s.core.stats.Shed++
		return nil
	}
	d, _, err := wire.ParseParticipantData(a.payload)
	if err != nil {
		return err
	}
	switch {
	case d.GUID.Prefix != m.src || d.GUID.Prefix == s.core.cfg.Prefix:
		s.core.stats.Refused++ // nobody speaks for another
		return nil
	case d.HasDomain && d.Domain != s.core.cfg.DomainID || d.DomainTag != "":
		return nil
	}
	if at, ok := s.gone[m.src]; ok {
		if a.now.Sub(at) < goneFor {
			return nil
		}
		delete(s.gone, m.src)
	}
	p := m.peer
	switch {
	case p == nil && !s.admit(m):
		s.core.notices.refuse(nil, m.from, s.core.cfg.Limits.Participants, "participants", "", m.now)
		return nil
	case p == nil:
		p = s.addPeer(m, d, a.sn)
		m.peer = p
	case s.news(p, m, &d, a.sn) && (len(p.meta) == 0 || a.now.Sub(p.updated) >= updatePause):
		p.from, p.sn, p.updated = m.from, a.sn, a.now
		s.updatePeer(p, d)
	}
	s.answer(p, a.now)
	return nil
}

// news tells whether a known participant says something new. A participant like ours tells other addresses on
// every interface, all under one number; the first that can be used is kept.
func (s *participantDiscovery) news(p *peer, m *message, d *wire.ParticipantData,
	sn wire.SequenceNumber) bool {
	switch {
	case len(p.meta) == 0 && p.from != m.from:
		return true
	// it tells an address there that is proven
	case p.verified() && s.core.net.at(p, m.from) && (len(p.meta) == 0 || !s.core.net.at(p, p.meta[0])):
		return true
	case m.vendor == wire.VendorSimdeck:
		return sn > p.sn
	}
	return !reflect.DeepEqual(p.data, *d)
}

func (s *participantDiscovery) addPeer(m *message, d wire.ParticipantData, sn wire.SequenceNumber) *peer {
	p := &peer{guid: d.GUID, vendor: m.vendor, data: d, from: m.from, sn: sn, seen: m.now, since: m.now,
		endpoints: map[wire.GUID]*remoteEndpoint{}}
	p.task.run = func(now time.Time) { s.checkLease(p, now) }
	p.challenge.task.run = func(now time.Time) { s.core.validation.runChallenge(p, now) }
	s.core.route(p)
	p.pacer.begin(s.core.net.allLocal(p.user))
	s.peers[d.GUID.Prefix] = p
	s.order = append(s.order, p)
	s.checkLease(p, m.now)
	s.core.watch.changed()
	s.core.sedp.matchBuiltin(p, m.now)
	return p
}

// updatePeer takes over changed data: new addresses apply to all that is sent from now on.
func (s *participantDiscovery) updatePeer(p *peer, d wire.ParticipantData) {
	p.data = d
	s.reroute(p)
	s.core.watch.changed()
}

// reroute chooses anew by which addresses a peer and its endpoints are reached, and goes on with what waits
// for them.
func (s *participantDiscovery) reroute(p *peer) {
	s.core.route(p)
	p.places = nil
	for _, w := range s.core.local.sortedWriters() {
		for _, r := range w.order {
			if r.peer == p {
				r.route(s.core)
				s.core.sched.soon(&r.task)
			}
		}
	}
	for _, r := range s.core.local.sortedReaders() {
		for _, w := range r.order {
			if w.peer == p {
				w.route(s.core)
				s.core.sched.soon(&w.task)
			}
		}
	}
}

// unprovenLease bounds how long we talk to addresses at which nobody has answered: an announcement may name
// somebody else's.
const unprovenLease = 30 * time.Second

// checkLease drops the peer when nothing came from it for its lease, else looks again when that may be so.
func (s *participantDiscovery) checkLease(p *peer, now time.Time) {
	lease := p.data.Lease
	if lease == 0 { // infinite
		lease = 24 * time.Hour
	}
	if !p.validatedPath {
		lease = min(lease, unprovenLease)
	}
	end := p.seen.Add(lease)
	if now.Before(end) {
		s.core.sched.by(&p.task, end)
		return
	}
	s.core.stats.Expired++
	s.core.notices.gone(p, fmt.Sprintf("nothing came from it for %v", now.Sub(p.seen)), now)
	s.dropPeer(p)
}

// onParticipantGone takes in that a participant has left: Fast DDS names it by a key hash, Cyclone DDS by a
// key payload.
func (s *participantDiscovery) onParticipantGone(m *message, a *arrival) error {
	g := a.qos.KeyHash.GUID()
	if len(a.payload) > 0 {
		k, _, err := wire.ParseKey(a.payload)
		if err != nil {
			return err
		}
		g = k.GUID
	}
	if g.Prefix != m.src {
		s.core.stats.Refused++
		return nil
	}
	if m.peer == nil {
		return nil
	}
	if len(s.gone) >= s.core.cfg.Limits.Participants {
		clear(s.gone)
	}
	s.gone[m.src] = a.now
	s.dropPeer(m.peer)
	m.peer = nil
	return nil
}

// dropPeer forgets a participant and everything of it.
func (s *participantDiscovery) dropPeer(p *peer) {
	s.core.sched.kill(&p.task)
	s.core.sched.kill(&p.challenge.task)
	for _, e := range p.endpoints {
		delete(s.core.sedp.remotes, e.GUID)
	}
	s.core.sedp.known -= p.budget.known
	for _, w := range s.core.local.sortedWriters() {
		for _, r := range slices.Clone(w.order) {
			if r.peer == p {
				w.unmatch(s.core, r)
			}
		}
	}
	for _, r := range s.core.local.sortedReaders() {
		for _, w := range slices.Clone(r.order) {
			if w.peer == p {
				r.unmatch(s.core, w)
			}
		}
	}
	delete(s.peers, p.guid.Prefix)
	s.order = slices.DeleteFunc(s.order, func(o *peer) bool { return o == p })
	s.core.watch.changed()
}

const (
	announceBurst  = 6 // announcements at the start, announceFirst apart
	announceFirst  = 100 * time.Millisecond
	announcePeriod = 3 * time.Second
	// answerPause is the least time between two answers to one peer; maxAnswers bounds them while it does not
	// show that it hears us.
	answerPause = 20 * time.Millisecond
	maxAnswers  = 200
)

// announcer tells the network that the participant is there (RTPS 2.2 §8.5.3.3, the stateless SPDP writer).
type announcer struct {
	task
	started bool
	sent    int                 // announcements since the start or the last change of links
	sn      wire.SequenceNumber // of the announced content: Fast DDS ignores a number that it has seen
	payload []byte              // scratch
}

func (a *announcer) restart() { a.started, a.sent = true, 0 }

// runAnnouncer sends one round: over every link what that link is to know, and to every known participant.
func (s *participantDiscovery) runAnnouncer(now time.Time) {
	a := &s.announce
	if !a.started {
		return
	}
	for i := range s.core.net.links {
		if l := &s.core.net.links[i]; len(l.Announce) > 0 {
			s.sayHere(s.core.out.open(l.Announce, l.Index), i, now)
		}
	}
	for _, p := range s.order {
		if len(p.meta) > 0 {
			s.sayHere(s.core.out.openTo(p.meta, p), p.link, now)
		}
	}
	a.sent++
	pause := announcePeriod
	if a.sent < announceBurst {
		pause = announceFirst
	}
	s.core.sched.by(&a.task, now.Add(pause))
}

// sayHere puts our own participant data into a datagram, with the addresses of one link.
func (s *participantDiscovery) sayHere(p *Packet, link int, now time.Time) {
	d := wire.ParticipantData{
		Version: wire.Version, Vendor: wire.VendorSimdeck, GUID: s.core.guid, Builtin: wire.BuiltinEndpoints,
		Lease:  s.core.cfg.Lease,
		Domain: s.core.cfg.DomainID, HasDomain: true, Name: s.core.cfg.Name, UserData: s.core.cfg.UserData,
		Properties: s.properties(),
	}
	if link < len(s.core.net.links) {
		d.Meta, d.User = s.core.net.links[link].Meta, s.core.net.links[link].User
	}
	s.announce.payload = d.Append(s.announce.payload[:0])
	p.b = wire.InfoTimestamp{Time: wire.TimestampOf(now)}.Append(p.b)
	p.b = wire.Data{Reader: wire.EntitySPDPReader, Writer: wire.EntitySPDPWriter, SN: max(1, s.announce.sn),
		Content: wire.ContentData,
		Payload: s.announce.payload}.Append(p.b)
	s.core.stats.Announcements++
}

// Leave tells everybody that the participant goes, in both forms that peers understand: as a key hash and as
// a key payload. Advance gives the datagrams; nothing is announced after it.
func (c *Core) Leave(time.Time) {
	c.spdp.announce.started = false
	c.sched.stop(&c.spdp.announce.task)
	qos := wire.InlineQoS{Status: wire.StatusDisposed | wire.StatusUnregistered,
		KeyHash: c.guid.KeyHash()}.Append(nil)
	key := wire.Key{ID: wire.PIDParticipantGUID, GUID: c.guid}.Append(nil)
	bye := &task{}
	bye.run = func(now time.Time) {
		for i := range c.net.links {
			if l := &c.net.links[i]; len(l.Announce) > 0 {
				c.spdp.sayGone(c.out.open(l.Announce, l.Index), qos, key, now)
			}
		}
		for _, p := range c.spdp.order {
			if len(p.meta) > 0 {
				c.spdp.sayGone(c.out.openTo(p.meta, p), qos, key, now)
			}
		}
	}
	c.sched.soon(bye)
}

func (s *participantDiscovery) sayGone(p *Packet, qos, key []byte, now time.Time) {
	p.b = wire.InfoTimestamp{Time: wire.TimestampOf(now)}.Append(p.b)
	p.b = wire.Data{Reader: wire.EntitySPDPReader, Writer: wire.EntitySPDPWriter,
		SN: max(1, s.announce.sn) + 1, InlineQoS: qos,
		Content: wire.ContentKey, Payload: key}.Append(p.b)
}

// answer announces us to one peer by unicast each time it speaks, until its built-in readers have answered.
// Fast DDS loses datagrams in the first moments after its own announcement, and would learn of us seconds
// later.
func (s *participantDiscovery) answer(p *peer, now time.Time) {
	if p.validatedPath || !s.announce.started || len(p.meta) == 0 || p.answers >= maxAnswers ||
		now.Sub(p.lastAnswer) < answerPause {
		return
	}
	p.answers++
	p.lastAnswer = now
	t := &task{}
	t.run = func(now time.Time) {
		if s.peers[p.guid.Prefix] == p && len(p.meta) > 0 {
			s.sayHere(s.core.out.openTo(p.meta, p), p.link, now)
		}
	}
	s.core.sched.soon(t)
}

// hostProperty is Cyclone DDS's property with the name of the machine; Fast DDS has fastDDSHost, with a
// number after it.
const (
	hostProperty = "__Hostname"
	fastDDSHost  = "fastdds.physical_data.host"
)

// properties are our own participant properties beside those that RTPS requires.
func (s *participantDiscovery) properties() []wire.Property {
	if s.core.cfg.Host == "" {
		return s.core.cfg.Properties
	}
	return append([]wire.Property{{Name: hostProperty, Value: s.core.cfg.Host}}, s.core.cfg.Properties...)
}
