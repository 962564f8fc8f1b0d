package ui_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/uitest"
)

// endless is a backend that keeps whoever looks at it for ever, from when it is told to until it is let go.
type endless struct {
	*uitest.Backend
	on, over atomic.Bool
	looks    atomic.Int64
}

// Snapshot is called by the console between frames, as panes are.
func (d *endless) Snapshot() *sim.Snapshot {
	for d.on.Load() && !d.over.Load() {
		d.looks.Add(1)
	}
	return d.Backend.Snapshot()
}

// vanish closes the terminal's other end, as an emulator that is killed does.
func (p *terminal) vanish() {
	p.stopped.Store(true)
	_, _ = p.tty.WriteString("x") // the pending Read holds it open
	p.host.Close()
}

// leaves is the time in which a console must end, whatever it does; the machine may be busy besides.
const leaves = 3 * time.Second

func TestAConsoleThatIsBusyForEverSaysSoAndEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	ends := map[string]func(p *terminal, cancel func()){
		"key":               func(p *terminal, _ func()) { p.host.WriteString("q") },
		"ctrl-c":            func(p *terminal, _ func()) { p.host.WriteString("\x03") },
		"signal":            func(_ *terminal, cancel func()) { cancel() },
		"vanished terminal": func(p *terminal, _ func()) { p.vanish() },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			d := &endless{Backend: uitest.Room()}
			defer d.over.Store(true)
			p := start(t, ctx, d)
			p.shows(t, "burger_1")
			d.on.Store(true)
			p.shows(t, "was stopped")
			began := time.Now()
			end(p, cancel)
			var err error
			if name == "vanished terminal" {
				select {
				case err = <-p.done:
				case <-time.After(20 * time.Second):
					t.Fatal("the console does not end")
				}
			} else {
				err = p.restored(t)
			}
			if took := time.Since(began); took > leaves {
				t.Errorf("it took %v to end, want at most %v", took, leaves)
			}
			if crash, ok := err.(*ui.Crash); !ok || len(crash.Report()) == 0 {
				t.Errorf("it ended with %v, want a crash with a report", err)
			}
		})
	}
}

func TestAConsoleGoesOnAfterAFrameThatTookLong(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	d := &endless{Backend: uitest.Room()}
	p := start(t, t.Context(), d)
	p.shows(t, "burger_1")
	d.on.Store(true)
	p.shows(t, "was stopped")
	d.over.Store(true)
	p.showsAfter(t, "was stopped", "play/pause") // keys that come before it draws again are dropped
	p.host.WriteString("?")
	p.shows(t, "Help")
	p.host.WriteString("\x1b")
	time.Sleep(100 * time.Millisecond) // or what follows is the key with alt
	p.host.WriteString("q")
	if err := p.restored(t); err != nil {
		t.Error(err)
	}
}

func TestAConsoleEndsWhenItsTerminalVanishes(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	p := start(t, t.Context(), uitest.Room())
	p.shows(t, "burger_1")
	p.vanish()
	select {
	case err := <-p.done:
		if err != nil {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(leaves):
		t.Fatal("the console goes on without a terminal")
	}
}

func TestATerminalThatTakesNothingMoreHoldsNoConsole(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	backend := uitest.Busy(200)
	p := start(t, ctx, backend)
	p.shows(t, "0000")
	p.stopped.Store(true)
	for range 400 { // more than the terminal's buffer holds
		backend.Advance(20)
		p.host.WriteString("\t")
		time.Sleep(5 * time.Millisecond)
	}
	began := time.Now()
	cancel()
	select {
	case err := <-p.done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the console does not end")
	}
	if took := time.Since(began); took > leaves {
		t.Errorf("it took %v, want at most %v", took, leaves)
	}
}
