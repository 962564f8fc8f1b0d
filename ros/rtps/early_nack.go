package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// earlyNackPause lets samples that overtook each other arrive before what seems lost is asked for.
	earlyNackPause = 5 * time.Millisecond
	// earlyNackRepeat is when the same is asked for again without a word from the writer; each time it takes
	// twice as long, up to earlyNackMaxPause.
	earlyNackRepeat   = 20 * time.Millisecond
	earlyNackMaxPause = 640 * time.Millisecond
)

// earlyNack asks for a missing sample once later ones arrive. The standard lets a reader wait for the next
// HEARTBEAT (RTPS 2.2 §8.4.12.2), which a Fast DDS writer sends every 3 s; until then a robot would follow no
// later command.
type earlyNack struct {
	at    time.Time           // when it is asked for; zero: nothing is to be
	first wire.SequenceNumber // the lowest one missing
	tries int                 // how often that was asked for
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

// ask sends the ACKNACK that notice has scheduled, where samples are still missing.
func (w *writerProxy) ask(c *Core, now time.Time) {
	h := &w.earlyNack
	switch {
	case h.at.IsZero():
		return
	case h.at.After(now):
		c.sched.by(&w.task, h.at)
		return
	}
	h.at = time.Time{}
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
