package sshd

import (
	"sync/atomic"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/ui/uitest"
)

// endless is a backend that keeps the first who looks at it for ever, from when it is told to until it is let
// go.
type endless struct {
	*uitest.Backend
	on, over, kept atomic.Bool
}

func (d *endless) Snapshot() *sim.Snapshot {
	if d.on.Load() && d.kept.CompareAndSwap(false, true) {
		for !d.over.Load() {
		}
	}
	return d.Backend.Snapshot()
}

// ends is the longest time that the end of a session may take, whatever its console does.
const ends = 3 * time.Second

func TestAConsoleThatIsBusyForEverEndsWithItsConnectionAndHoldsNoOtherOne(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	d := &endless{}
	h := newHouse(t, func(c *Config) {
		d.Backend = c.Console.Backend.(*uitest.Backend)
		c.Console.Backend = d
	})
	defer d.over.Store(true)
	client, err := h.connect("alice")
	if err != nil {
		t.Fatal(err)
	}
	s := h.session(client)
	s.shows("operator")
	d.on.Store(true)
	s.shows("was stopped")
	other := h.open("bob")
	other.shows("viewer")
	began := time.Now()
	client.Close()
	until(t, "the end of the session", func() bool { return h.Inside() == 1 })
	if took := time.Since(began); took > ends {
		t.Errorf("it took %v, want at most %v", took, ends)
	}
	other.press("?")
	other.shows("Help")
}

func TestAConsoleThatIsBusyForEverDoesNotHoldTheServersEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	d := &endless{}
	h := newHouse(t, func(c *Config) {
		d.Backend = c.Console.Backend.(*uitest.Backend)
		c.Console.Backend = d
	})
	defer d.over.Store(true)
	s := h.open("alice")
	s.shows("operator")
	d.on.Store(true)
	s.shows("was stopped")
	began := time.Now()
	h.leave()
	if code := s.leaves(); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	s.shows("\x1b[?1049l")
	if took := time.Since(began); took > ends {
		t.Errorf("it took %v, want at most %v", took, ends)
	}
}

func TestAClientThatStaysDoesNotHoldTheServersEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, nil)
	client, err := h.connect("alice")
	if err != nil {
		t.Fatal(err)
	}
	h.leave()
	gone := make(chan error, 1)
	go func() { gone <- client.Wait() }()
	select {
	case <-gone:
	case <-time.After(20 * time.Second):
		t.Error("the connection stays")
	}
}
