package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

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
	qos := wire.InlineQoS{Status: wire.StatusDisposed | wire.StatusUnregistered, KeyHash: c.guid}.Append(nil)
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

// answer tells one peer by unicast that we are here, each time it speaks up, until its built-in readers show
// that they know us: a Fast DDS participant loses what arrives in the first moments after its own
// announcement, and would learn of us seconds later.
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

// hostProperty is what Cyclone DDS calls the name of the machine; Fast DDS has fastDDSHost, with a number
// after it.
const (
	hostProperty = "__Hostname"
	fastDDSHost  = "fastdds.physical_data.host"
)

// properties are what we say of ourselves beside what RTPS asks.
func (s *participantDiscovery) properties() []wire.Property {
	if s.core.cfg.Host == "" {
		return nil
	}
	return []wire.Property{{Name: hostProperty, Value: s.core.cfg.Host}}
}
