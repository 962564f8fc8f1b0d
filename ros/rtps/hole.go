package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// holePause lets samples that overtook each other arrive before what seems lost is asked for.
	holePause = 5 * time.Millisecond
	// holeRepeat is when the same is asked for again without a word from the writer; each time it takes twice as long, up to holeMost.
	holeRepeat = 20 * time.Millisecond
	holeMost   = 640 * time.Millisecond
)

// hole is what a reader does about a sample that is missing while later ones arrive. The standard lets it wait for the next HEARTBEAT
// (RTPS 2.2 §8.4.12.2), which a Fast DDS writer sends every 3 s: until then a robot would follow no later command either.
type hole struct {
	at    time.Time           // when it is asked for; zero: nothing is to be
	base  wire.SequenceNumber // the lowest one missing
	tries int                 // how often that was asked for
}

// notice sees to it that what is missing before a sample that has come is asked for.
func (w *writerProxy) notice(c *Core, now time.Time) {
	if !w.started || !w.heard || w.blocked {
		return
	}
	if w.hole.base != w.next {
		w.hole = hole{base: w.next}
	}
	if !w.hole.at.IsZero() {
		return
	}
	pause := holePause
	if w.hole.tries > 0 {
		pause = min(holeRepeat<<min(w.hole.tries-1, 8), holeMost)
	}
	w.hole.at = now.Add(pause)
	c.sched.by(&w.task, w.hole.at)
}

// ask has the answer sent that notice put off, if anything is missing still.
func (w *writerProxy) ask(c *Core, now time.Time) {
	h := &w.hole
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
	if h.base != w.next {
		h.base, h.tries = w.next, 0
	}
	h.tries++
	w.ackDue, w.ackAt = true, now
	w.notice(c, now)
}
