package cli

import (
	"io"
	"sync"
	"time"

	"simdeck/sim"
	"simdeck/ui/escape"
)

// Work shorter than progressDelay gets no line; later lines are at least progressPeriod apart.
const progressDelay, progressPeriod = time.Second, time.Second

// Progress prints the progress of long loading, line by line. Safe from any goroutine.
type Progress struct {
	mu    sync.Mutex
	say   func(sim.Decomposition)
	begun time.Time // start of the reported task; zero: there is none
	last  time.Time
}

// NewProgress tells to a writer.
func NewProgress(to io.Writer) *Progress {
	return &Progress{say: func(c sim.Decomposition) { escape.Fprintf(to, "simdeck: %v\n", c) }}
}

// Stop ends it.
func (t *Progress) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.say = func(sim.Decomposition) {}
}

// Report takes what the engine tells.
func (t *Progress) Report(c sim.Decomposition) { t.at(time.Now(), c) }

func (t *Progress) at(now time.Time, c sim.Decomposition) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case c.Of == 0:
		t.begun = time.Time{}
		return
	case t.begun.IsZero():
		t.begun = now
	}
	if now.Sub(t.begun) < progressDelay || now.Sub(t.last) < progressPeriod {
		return
	}
	t.last = now
	t.say(c)
}
