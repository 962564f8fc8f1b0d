package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// waiting tells on a terminal what simdeck waits for, and for how long, in a line that is updated.
type waiting struct {
	out   *escape.Writer
	what  string
	begun time.Time
	shown int // columns
}

// at draws the line when the wait is long enough to be told of.
func (w *waiting) at(now time.Time) {
	took := now.Sub(w.begun)
	if took < progressDelay {
		return
	}
	line := fmt.Sprintf("%s … %d s", w.what, int(took.Seconds()))
	_ = w.out.CarriageReturn() // a line that cannot be drawn is none
	escape.Fprintf(w.out, "%s%s", line, strings.Repeat(" ", max(0, w.shown-utf8.RuneCountInString(line))))
	w.shown = utf8.RuneCountInString(line)
}

// clear takes the line away.
func (w *waiting) clear() {
	if w.shown == 0 {
		return
	}
	_ = w.out.CarriageReturn()
	escape.Fprintf(w.out, "%s", strings.Repeat(" ", w.shown))
	_ = w.out.CarriageReturn()
	w.shown = 0
}

// endingWait ends a wait before the first output, which would stand in its line.
type endingWait struct {
	to  io.Writer
	end func()
}

// Write ends the wait and passes on.
func (e endingWait) Write(p []byte) (int, error) {
	e.end()
	return e.to.Write(p)
}

// plainPeriod is the time between two lines of a wait where stderr is no terminal.
const plainPeriod = 5 * time.Second

// quiet reports that a command with these flags is to print no progress: with --quiet, and with --json.
func quiet(flags *pflag.FlagSet) bool {
	for _, name := range []string{quietFlag, "json"} {
		if f := flags.Lookup(name); f != nil && f.Value.String() == "true" {
			return true
		}
	}
	return false
}

// quietFlag is the flag of all commands that leaves progress out.
const quietFlag = "quiet"

// wait tells on stderr that a command waits for something. A terminal shows a line that is updated; elsewhere
// a line is written every few seconds. A quiet command tells nothing. end ends the wait, and can be called
// again.
func wait(cmd *cobra.Command, what string) (end func()) {
	if quiet(cmd.Flags()) {
		return func() {}
	}
	begun, period := time.Now(), plainPeriod
	to := cmd.ErrOrStderr()
	say := func(now time.Time) {
		escape.Fprintf(to, "%s … %d s\n", what, int(now.Sub(begun).Seconds()))
	}
	clear := func() {}
	if out, ok := to.(*escape.Writer); ok && out.File() != nil && term.IsTerminal(out.File().Fd()) {
		line := &waiting{out: out, what: what, begun: begun}
		period, say, clear = progressPeriod, line.at, line.clear
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			select {
			case now := <-ticker.C:
				say(now)
			case <-over:
				clear()
				return
			}
		}
	}()
	return sync.OnceFunc(func() { close(over); <-ended })
}
