package cli

import (
	"io"
	"sync"
	"time"

	"simdeck/sim"
	"simdeck/ui/escape"
)

// What takes less than tellAfter is not worth a line, and nobody reads more than one in tellEvery.
const tellAfter, tellEvery = time.Second, time.Second

// Telling says how far loading is, where it takes long, line by line. Safe from any goroutine.
type Telling struct {
	mu    sync.Mutex
	say   func(sim.Cutting)
	begun time.Time // what is being told of; zero: nothing is
	last  time.Time
}

// NewTelling tells to a writer.
func NewTelling(to io.Writer) *Telling {
	return &Telling{say: func(c sim.Cutting) { escape.Fprintf(to, "simdeck: %v\n", c) }}
}

// Stop ends it.
func (t *Telling) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.say = func(sim.Cutting) {}
}

// Tell takes what the engine tells.
func (t *Telling) Tell(c sim.Cutting) { t.at(time.Now(), c) }

func (t *Telling) at(now time.Time, c sim.Cutting) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case c.Of == 0:
		t.begun = time.Time{}
		return
	case t.begun.IsZero():
		t.begun = now
	}
	if now.Sub(t.begun) < tellAfter || now.Sub(t.last) < tellEvery {
		return
	}
	t.last = now
	t.say(c)
}
