package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// answer has an ACKNACK sent after a pause, or earlier if one is due before.
func (w *writerProxy) answer(c *Core, now time.Time, pause time.Duration) {
	at := now.Add(pause)
	if !w.acknack.due || at.Before(w.acknack.at) {
		w.acknack.due, w.acknack.at = true, at
	}
	if pause == 0 {
		c.sched.soon(&w.task)
		return
	}
	c.sched.by(&w.task, w.acknack.at)
}

// run sends what is due to the writer and sets the timer for the rest.
func (w *writerProxy) run(c *Core, now time.Time) {
	if !w.reliable {
		w.expire(c, now)
		return
	}
	if !w.heard {
		w.open(c, now)
	}
	w.ask(c, now)
	w.askAgain(c, now)
	if w.acknack.due {
		if w.acknack.at.After(now) {
			c.sched.by(&w.task, w.acknack.at)
		} else {
			w.acknack.due = false
			w.acknowledge(c, now)
		}
	}
	if !w.repairAt.IsZero() {
		w.repair(c, now)
	}
}

// open asks a writer that has not been heard for a HEARTBEAT, alone in its datagram. Fast DDS and RTI Connext
// answer base 0 at once, base 1 with their period only; for Cyclone DDS base 0 is malformed.
func (w *writerProxy) open(c *Core, now time.Time) {
	if now.Before(w.openAt) {
		c.sched.by(&w.task, w.openAt)
		return
	}
	pause := min(openFirst<<min(w.opening, 8), openMost)
	if w.opening++; w.opening > openTries {
		pause = openLate
	}
	w.openAt = now.Add(pause + c.jitter(openFirst/10))
	c.sched.by(&w.task, w.openAt)
	if len(w.locs) == 0 {
		return
	}
	base := wire.SequenceNumber(1)
	if w.peer.vendor == wire.VendorEProsima || w.peer.vendor == wire.VendorRTI {
		base = 0
	}
	w.reader.acks++
	p := c.out.openTo(w.locs, w.peer)
	p.b = wire.AckNack{Reader: w.reader.guid.Entity, Writer: w.guid.Entity,
		State: wire.SequenceNumberSet{Base: base},
		Count: w.reader.acks}.Append(p.b)
}

// acknowledge sends what is here and what is missing. A sample that is here in part is not missing: its
// fragments are asked for.
func (w *writerProxy) acknowledge(c *Core, now time.Time) {
	if len(w.locs) == 0 || !w.started {
		return
	}
	set := w.missing()
	w.acknack.base, w.acknack.nackAt = w.next, time.Time{}
	if !set.Empty() {
		w.acknack.nackAt = now
		w.repeatNack(c, now)
	}
	w.reader.acks++
	p := c.out.openTo(w.locs, w.peer)
	p.b = wire.AckNack{Reader: w.reader.guid.Entity, Writer: w.guid.Entity, State: set,
		Count: w.reader.acks,
		Final: set.Empty()}.Append(p.b)
}

// missing are the changes that exist and are not here, not even in part.
func (w *writerProxy) missing() wire.SequenceNumberSet {
	set := wire.SequenceNumberSet{Base: w.next}
	for sn := w.next; sn <= w.high && sn < w.next+window; sn++ {
		if _, have := w.ahead[sn]; !have && !w.inPart(sn) {
			set.Add(sn)
		}
	}
	return set
}

func (w *writerProxy) inPart(sn wire.SequenceNumber) bool {
	for _, r := range w.partial {
		if r.sn == sn {
			return true
		}
	}
	return false
}

// repair asks for missing fragments once no more are arriving.
func (w *writerProxy) repair(c *Core, now time.Time) {
	if len(w.partial) == 0 {
		w.repairAt = time.Time{}
		return
	}
	newest := w.partial[0].last
	for _, r := range w.partial {
		if r.last.After(newest) {
			newest = r.last
		}
	}
	if ready := newest.Add(settled); w.repairAt.After(now) || ready.After(now) {
		if ready.After(w.repairAt) {
			w.repairAt = ready
		}
		c.sched.by(&w.task, w.repairAt)
		return
	}
	// the longer nothing comes, the less it is asked for
	w.repairAt = now.Add(min(max(impatience, now.Sub(newest)/2), time.Second))
	c.sched.by(&w.task, w.repairAt)
	if len(w.locs) == 0 {
		return
	}
	left := maxNackFrags
	var p *Packet
	for _, r := range w.partial {
		for i := uint32(0); i < r.total && left > 0; {
			var set wire.FragmentNumberSet
			if set, i = r.missing(i); set.Base == 0 {
				break
			}
			left--
			w.reader.nacks++
			if p == nil || len(p.b)+72 > remoteDatagram {
				p = c.out.openTo(w.locs, w.peer)
			}
			p.b = wire.NackFrag{Reader: w.reader.guid.Entity, Writer: w.guid.Entity, SN: r.sn, State: set,
				Count: w.reader.nacks}.Append(p.b)
		}
	}
}

// expire drops best-effort samples whose other fragments do not come any more.
func (w *writerProxy) expire(c *Core, now time.Time) {
	for i := 0; i < len(w.partial); i++ {
		if end := w.partial[i].last.Add(partialLife); end.After(now) {
			c.sched.by(&w.task, end)
			continue
		}
		w.forget(c, w.partial[i])
		i--
	}
}

const (
	// earlyNackPause lets samples that overtook each other arrive before what seems lost is asked for.
	earlyNackPause = 5 * time.Millisecond
	// earlyNackRepeat is the first pause before an early NACK is repeated; it doubles each time, up to
	// earlyNackMaxPause.
	earlyNackRepeat   = 20 * time.Millisecond
	earlyNackMaxPause = 640 * time.Millisecond
)

// earlyNack asks for a missing sample once later ones arrive. The standard lets a reader wait for the next
// HEARTBEAT (RTPS 2.2 §8.4.12.2), which a Fast DDS writer sends every 3 s. Until then a robot would follow no
// later command.
type earlyNack struct {
	at    time.Time           // when it is asked for; zero: nothing is to be
	first wire.SequenceNumber // the lowest one missing
	tries int                 // number of requests for it
}

// notice schedules an ACKNACK for the samples missing before one that has arrived.
func (w *writerProxy) notice(c *Core, now time.Time) {
	if !w.started || !w.heard || w.blocked {
		return
	}
	if w.earlyNack.first != w.next {
		w.earlyNack = earlyNack{first: w.next}
	}
	if !w.earlyNack.at.IsZero() {
		return
	}
	pause := earlyNackPause
	if w.earlyNack.tries > 0 {
		pause = min(earlyNackRepeat<<min(w.earlyNack.tries-1, 8), earlyNackMaxPause)
	}
	w.earlyNack.at = now.Add(pause)
	c.sched.by(&w.task, w.earlyNack.at)
}

// elapsed reports that a time has come, and clears it. A later one sets the timer.
func (w *writerProxy) elapsed(c *Core, at *time.Time, now time.Time) bool {
	switch {
	case at.IsZero():
		return false
	case at.After(now):
		c.sched.by(&w.task, *at)
		return false
	}
	*at = time.Time{}
	return true
}

// ask sends the ACKNACK that notice has scheduled, where samples are still missing.
func (w *writerProxy) ask(c *Core, now time.Time) {
	h := &w.earlyNack
	if !w.elapsed(c, &h.at, now) {
		return
	}
	if set := w.missing(); len(w.ahead) == 0 || w.blocked || set.Empty() {
		return
	}
	if h.first != w.next {
		h.first, h.tries = w.next, 0
	}
	h.tries++
	w.acknack.due, w.acknack.at = true, now
	w.notice(c, now)
}

// nackAgain is the first pause before an ACKNACK is repeated whose samples have not begun to come; it doubles
// each time, up to earlyNackMaxPause.
const nackAgain = 50 * time.Millisecond

// repeatedNack repeats an ACKNACK that asks for samples of which none comes. Fast DDS ignores one for a
// sample that it has sent milliseconds before, as to a reader that did not know the writer yet. Without a
// repetition the next HEARTBEAT, 3 s later, would bring the sample.
type repeatedNack struct {
	at    time.Time           // when it is looked at; zero: nothing has been asked for
	first wire.SequenceNumber // the lowest one missing
	pause time.Duration
}

// repeatNack schedules the repetition of an ACKNACK that is sent now.
func (w *writerProxy) repeatNack(c *Core, now time.Time) {
	r := &w.acknack.again
	if r.first != w.next {
		r.first, r.pause = w.next, nackAgain/2
	}
	r.pause = min(2*r.pause, earlyNackMaxPause)
	r.at = now.Add(r.pause)
	c.sched.by(&w.task, r.at)
}

// askAgain repeats the ACKNACK where still the same sample is the first missing. Where later ones are here,
// an earlyNack does that.
func (w *writerProxy) askAgain(c *Core, now time.Time) {
	r := &w.acknack.again
	if !w.elapsed(c, &r.at, now) {
		return
	}
	if set := w.missing(); len(w.ahead) > 0 || w.blocked || set.Empty() {
		return
	}
	if r.first != w.next {
		w.repeatNack(c, now)
		return
	}
	w.acknack.due, w.acknack.at = true, now
}
