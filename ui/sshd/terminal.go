package sshd

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/ui"
)

const (
	stalledAfter = 2 * time.Minute // without a frame read, until the connection is given up
	maxEnviron   = 16              // variables that are kept
	maxValue     = 256             // bytes of one
	maxCells     = 1000            // columns or rows
	maxPixels    = 20_000          // of a window, either way
)

// terminal is the operator's terminal at the other end of the line.
type terminal struct {
	channel ssh.Channel
	dismiss context.CancelCauseFunc
	hangUp  func()
	limit   time.Duration
	idle    *time.Timer // nil: nobody is sent away for that
	line    []byte      // output of Write
}

func newTerminal(c ssh.Channel, idle time.Duration, dismiss context.CancelCauseFunc,
	hangUp func()) *terminal {
	t := &terminal{channel: c, dismiss: dismiss, hangUp: hangUp, limit: idle}
	if idle > 0 {
		t.idle = time.AfterFunc(idle, func() { dismiss(errIdle) })
	}
	return t
}

func (t *terminal) close() {
	if t.idle != nil {
		t.idle.Stop()
	}
}

// Read returns the operator's input.
func (t *terminal) Read(p []byte) (int, error) {
	n, err := t.channel.Read(p)
	if n > 0 && t.idle != nil {
		t.idle.Reset(t.limit)
	}
	if err != nil {
		t.dismiss(err)
	}
	return n, err
}

// Write sends output to the operator's screen. A line feed also returns to the first column, as the driver of
// a terminal in this process has it: the console counts on that.
func (t *terminal) Write(p []byte) (int, error) {
	t.line = t.line[:0]
	for i, b := range p {
		if b == '\n' && (i == 0 || p[i-1] != '\r') {
			t.line = append(t.line, '\r')
		}
		t.line = append(t.line, b)
	}
	if _, err := t.channel.Write(t.line); err != nil {
		return 0, err
	}
	return len(p), nil
}

// read waits until the terminal has taken what was written: answers come in
// order, and it must answer this. (RFC 4254, 5.4: a request that is not known is
// answered with failure.) Without it SSH's window and the kernel's buffers fill
// with old frames on a slow line, and a key takes half a minute to show.
func (t *terminal) read(ctx context.Context) {
	stalled := time.AfterFunc(stalledAfter, func() {
		t.dismiss(errStalled)
		t.hangUp()
	})
	defer stalled.Stop()
	if _, err := t.channel.SendRequest("keepalive@openssh.com", true, nil); err != nil {
		t.dismiss(err)
	}
}

// pty takes a request for a terminal (RFC 4254, 6.2).
func (v *connection) pty(payload []byte) bool {
	var r struct {
		Term          string
		Columns, Rows uint32
		Width, Height uint32
		Modes         string
	}
	if ssh.Unmarshal(payload, &r) != nil || !plainValue(r.Term) || strings.ContainsAny(r.Term, "= ") {
		return false
	}
	v.term = r.Term
	if v.term == "" {
		v.term = "dumb"
	}
	v.size(r.Columns, r.Rows, r.Width, r.Height)
	return true
}

// resize takes another size of the window (RFC 4254, 6.7).
func (v *connection) resize(payload []byte) bool {
	var r struct{ Columns, Rows, Width, Height uint32 }
	if ssh.Unmarshal(payload, &r) != nil {
		return false
	}
	v.size(r.Columns, r.Rows, r.Width, r.Height)
	return true
}

// size keeps the newest size.
func (v *connection) size(columns, rows, width, height uint32) {
	select {
	case <-v.sizes:
	default:
	}
	v.sizes <- ui.Size{Columns: int(min(columns, maxCells)), Rows: int(min(rows, maxCells)),
		Width: int(min(width, maxPixels)), Height: int(min(height, maxPixels))}
}

// environTaken are the variables that a client may set: they only say something of its terminal.
var environTaken = []string{"NO_COLOR", "COLORTERM", "TERM_PROGRAM", "LANG", "LC_ALL", "LC_CTYPE"}

// plainValue says whether a value is short and of printable ASCII.
func plainValue(s string) bool {
	return len(s) <= maxValue && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// env keeps a variable that says something of the terminal (RFC 4254, 6.4).
func (v *connection) env(payload []byte) bool {
	var r struct{ Name, Value string }
	if ssh.Unmarshal(payload, &r) != nil || len(v.environ) >= maxEnviron || !plainValue(r.Value) {
		return false
	}
	if !slices.Contains(environTaken, r.Name) {
		return false
	}
	v.environ = append(v.environ, r.Name+"="+r.Value)
	return true
}
