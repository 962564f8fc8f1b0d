package engine

import (
	"sync/atomic"
	"time"

	"simdeck/sim"
)

const (
	// idlePeriod is the period of snapshots without a waiting reader, and activeReaderPeriod that after a
	// call of Snapshot within the last activeReaderWindow.
	idlePeriod         = 100 * time.Millisecond
	activeReaderPeriod = 20 * time.Millisecond
	activeReaderWindow = time.Second
	// targetPeriod is the delay of a snapshot that shows drive and motor commands after the last such
	// snapshot. Commands to a thousand robots must not each cost a snapshot of all of them.
	targetPeriod = 5 * time.Millisecond
)

// publication says when the loop makes a snapshot, and what it would show that the last did not.
type publication struct {
	asked            atomic.Bool // somebody called Snapshot
	askedAt          time.Time   // when that was seen
	dirty            bool        // the world changed since the last snapshot
	structureChanged bool        // a command changed it
	targetsChanged   bool        // a command set targets of drives or motors, and changed nothing else
	replyPending     bool        // an answer of this round is of what the next snapshot shows
	shownAt          time.Time   // of the last snapshot
	targetsShownAt   time.Time   // of the last that was made for what was told
	count            uint64      // of snapshots
	loading          sim.Loading
	waiting          []sim.Awaited // for whom the next step waits
	missed           uint64        // that it went on without
}

// wait is the time until the next snapshot, when no subscriber is due before.
func (p *publication) wait(now time.Time) time.Duration {
	if p.asked.Swap(false) {
		p.askedAt = now
	}
	period := idlePeriod
	if now.Sub(p.askedAt) < activeReaderWindow {
		period = activeReaderPeriod
	}
	wait := period - now.Sub(p.shownAt)
	if p.targetsChanged {
		wait = min(wait, targetPeriod-now.Sub(p.targetsShownAt))
	}
	if p.structureChanged || p.replyPending {
		return 0
	}
	return wait
}

// done notes that a snapshot shows everything.
func (p *publication) done(now time.Time) {
	if p.targetsChanged {
		p.targetsShownAt = now
	}
	p.dirty, p.structureChanged, p.targetsChanged, p.replyPending = false, false, false, false
	p.shownAt = now
}
