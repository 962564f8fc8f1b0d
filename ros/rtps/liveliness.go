package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// Liveliness: writers that offer a finite lease show that they are alive (DDS 1.4 §2.2.3.11, RTPS 2.2
// §8.4.13). AUTOMATIC and MANUAL_BY_PARTICIPANT writers do so by participant messages. MANUAL_BY_TOPIC
// writers do so by samples and by HEARTBEATs with the liveliness flag. Readers that ask for a finite lease
// are told when a writer does not keep it.

const (
	// leaseShare is the number of renewals of a lease within its length: one message of three may be lost,
	// and the next be late.
	leaseShare = 3
	// shortestRenewal bounds how often that is.
	shortestRenewal = 2 * time.Millisecond
)

// Kinds of participant messages (RTPS 2.2 §9.6.2.1).
const (
	messageAutomatic = 1
	messageManual    = 2
)

// livelinessAssertions is the writers' side.
type livelinessAssertions struct {
	core              *Core
	automatic, manual task
	asserted          bool // something manual was asserted since the last message
}

// renewal is the longest period in which a kind of writers must assert its liveliness; 0 = never.
func (l *livelinessAssertions) renewal(kind Liveliness) (shortest time.Duration) {
	for _, e := range l.core.local.all {
		w, ok := e.(*localWriter)
		if !ok || w.cfg.QoS.Liveliness != kind || w.cfg.QoS.LivelinessLease == 0 {
			continue
		}
		if d := max(shortestRenewal, w.cfg.QoS.LivelinessLease/leaseShare); shortest == 0 || d < shortest {
			shortest = d
		}
	}
	return shortest
}

// runAutomatic shows that the writers that need not be asserted are alive, as long as there are some.
func (l *livelinessAssertions) runAutomatic(now time.Time) {
	if d := l.renewal(Automatic); d > 0 {
		l.sayAlive(messageAutomatic, now)
		l.core.sched.by(&l.automatic, now.Add(d))
	}
}

// runManual sends the application's assertions since the last time.
func (l *livelinessAssertions) runManual(now time.Time) {
	if l.asserted {
		l.sayAlive(messageManual, now)
		l.asserted = false
		l.core.sched.by(&l.manual, now.Add(l.renewal(ManualByParticipant)))
	}
}

// sayAlive sends a participant message of a kind, which takes the place of the last one.
func (l *livelinessAssertions) sayAlive(kind uint32, now time.Time) {
	w := l.core.sedp.builtin.messages
	key := wire.GUID{Prefix: l.core.cfg.Prefix, Entity: wire.EntityID(kind)}.KeyHash()
	for i := range w.hist.len() {
		if w.hist.all[w.hist.head+i].instance == key {
			l.core.discard(w, i)
			break
		}
	}
	m := wire.ParticipantMessage{Prefix: l.core.cfg.Prefix, Kind: kind, Data: []byte{0}}
	l.core.append(w, change{content: wire.ContentData, payload: m.Append(nil), at: now,
		stamp: wire.TimestampOf(now), instance: key})
}

// assert notes that the application says that a writer is alive, by a sample or without one.
func (l *livelinessAssertions) assert(w *localWriter, sample bool, now time.Time) {
	if w.cfg.QoS.LivelinessLease == 0 {
		return
	}
	switch w.cfg.QoS.Liveliness {
	case ManualByParticipant:
		l.asserted = true
		if l.manual.pos == 0 {
			l.core.sched.soon(&l.manual)
		}
	case ManualByTopic:
		if sample {
			return // it says so itself
		}
		for _, p := range w.order {
			if p.reliable {
				p.heartbeat.alive = true
				p.beat(l.core, true)
			}
		}
	}
}

// onMessage takes in a participant message: all writers of a kind are alive.
func (l *livelinessAssertions) onMessage(p *peer, a *arrival) {
	if a.content != wire.ContentData {
		return
	}
	m, _, err := wire.ParseParticipantMessage(a.payload)
	switch {
	case err != nil:
		l.core.stats.Malformed++
		return
	case m.Prefix != p.guid.Prefix:
		l.core.stats.Refused++ // nobody speaks for another
		return
	}
	kind := Automatic
	switch m.Kind {
	case messageAutomatic:
	case messageManual:
		kind = ManualByParticipant
	default:
		return
	}
	l.showAll(p, kind, a.now)
}

// showAll notes that the writers of a participant with a kind of liveliness are alive.
func (l *livelinessAssertions) showAll(p *peer, kind Liveliness, now time.Time) {
	for _, e := range p.endpoints {
		if !e.Writer || e.QoS.Liveliness != kind || e.QoS.LivelinessLease == 0 {
			continue
		}
		for _, w := range l.core.local.inbound[e.GUID] {
			w.show(l.core, now)
		}
	}
}

// livelinessState is a reader's record of a writer with a lease.
type livelinessState struct {
	task
	lease time.Duration // 0 = none
	seen  time.Time
	dead  bool
}

// watchLife begins to look after a writer.
func (w *writerProxy) watchLife(c *Core, now time.Time) {
	if w.remote == nil || w.remote.QoS.LivelinessLease == 0 {
		return
	}
	w.life.lease, w.life.seen = w.remote.QoS.LivelinessLease, now
	w.life.task.run = func(now time.Time) { w.checkLife(c, now) }
	c.sched.by(&w.life.task, now.Add(w.life.lease))
}

// show notes that the writer is alive.
func (w *writerProxy) show(c *Core, now time.Time) {
	l := &w.life
	if l.lease == 0 {
		return
	}
	l.seen = now
	if l.dead {
		l.dead = false
		w.reader.stats.NotAlive--
		c.sched.by(&l.task, now.Add(l.lease))
		c.watch.changed()
	}
}

// sampled notes that a sample of the writer came: it is alive, and so are the writers asserted with it.
func (w *writerProxy) sampled(c *Core, now time.Time) {
	if w.life.lease > 0 && w.remote.QoS.Liveliness == ManualByParticipant {
		c.alive.showAll(w.peer, ManualByParticipant, now)
		return
	}
	w.show(c, now)
}

// checkLife takes the writer for dead when it has not shown itself for its lease, else looks again when that
// may be so.
func (w *writerProxy) checkLife(c *Core, now time.Time) {
	l := &w.life
	if end := l.seen.Add(l.lease); now.Before(end) {
		c.sched.by(&l.task, end)
		return
	}
	l.dead = true
	w.reader.stats.NotAlive++
	w.reader.stats.LostLiveliness++
	c.writerGone(w.reader, w.guid)
	c.watch.changed()
}

// endLife forgets it.
func (w *writerProxy) endLife(c *Core) {
	c.sched.kill(&w.life.task)
	if w.life.dead {
		w.reader.stats.NotAlive--
	}
}
