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
	"simdeck/ui/pane"
)

// A task shorter than progressDelay gets no line. A terminal's line is updated every progressPeriod;
// elsewhere
// a line follows after progressDelay, and then one every plainPeriod.
const progressDelay, progressPeriod, plainPeriod = time.Second, time.Second, 5 * time.Second

// quietFlag is the flag of all commands that leaves progress out.
const quietFlag = "quiet"

// quiet reports that a command with these flags is to print no progress: with --quiet, and with --json.
func quiet(flags *pflag.FlagSet) bool {
	for _, name := range []string{quietFlag, "json"} {
		if f := flags.Lookup(name); f != nil && f.Value.String() == "true" {
			return true
		}
	}
	return false
}

// Progress tells on stderr what a command does, how far it is and how long that has taken. A terminal shows a
// line that is updated; elsewhere a line is written every few seconds. The zero value tells nothing and has
// no log.
type Progress struct {
	to  io.Writer      // nil: nothing is told
	out *escape.Writer // a terminal; nil: lines
	log io.Writer      // stderr, also of a quiet command
}

// progressOf is the progress of a command; a quiet one tells nothing.
func progressOf(cmd *cobra.Command) Progress {
	p := Progress{log: cmd.ErrOrStderr()}
	if quiet(cmd.Flags()) {
		return p
	}
	p.to = p.log
	if out, ok := p.to.(*escape.Writer); ok && out.File() != nil && term.IsTerminal(out.File().Fd()) {
		p.out = out
	}
	return p
}

// wait tells of a command's only task; end ends it, and can be called again.
func wait(cmd *cobra.Command, what string) (end func()) { return progressOf(cmd).Begin(what).End }

// Task is work of which progress is told, one at a time. It is safe from any goroutine.
type Task struct {
	to    Progress
	begun time.Time
	end   func()

	mu    sync.Mutex
	what  string
	far   string
	shown int // columns of a terminal's line
}

// Begin tells of a task until its End.
func (p Progress) Begin(what string) *Task {
	t := &Task{to: p, what: what, begun: time.Now()}
	if p.to == nil {
		t.end = func() {}
		return t
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(progressPeriod)
		defer ticker.Stop()
		for ticks := 0; ; {
			select {
			case now := <-ticker.C:
				ticks++
				if p.out != nil || ticks == 1 || ticks%int(plainPeriod/progressPeriod) == 0 {
					t.at(now)
				}
			case <-over:
				t.clear()
				return
			}
		}
	}()
	t.end = sync.OnceFunc(func() { close(over); <-ended })
	return t
}

// Load tells of the loading of the world that is asked for.
func (p Progress) Load(o Options) *Task {
	r := sim.Resource{URI: o.World}
	if o.Text != "" {
		r = sim.Resource{}
	}
	return p.Begin(sim.LoadingOf(r).String())
}

// End ends it and clears its line. It can be called again.
func (t *Task) End() { t.end() }

// Report sets how far the task is, like "3 of 9 meshes"; empty: not known.
func (t *Task) Report(far string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.far = far
}

// Meshes reports how far the loading of a world or model is.
func (t *Task) Meshes(l sim.Loading) { t.Report(l.Meshes()) }

// Frames reports how many frames of a video there are.
func (t *Task) Frames(done, of int) { t.Report(fmt.Sprintf("%d of %d frames", done, of)) }

// Recorded reports how much of topics has been recorded.
func (t *Task) Recorded(messages uint64, topics int, bytes int64) {
	t.Report(fmt.Sprintf("%d messages of %d topics, %s", messages, topics, pane.Size(bytes)))
}

// secondsOf is the progress of a task of known length.
func secondsOf(done, of time.Duration) string {
	return fmt.Sprintf("%.0f of %.3g s", done.Seconds(), of.Seconds())
}

// at writes the line when the task is long enough to be told of.
func (t *Task) at(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	took := now.Sub(t.begun)
	if took < progressDelay {
		return
	}
	line := t.what
	if t.far != "" {
		line += ": " + t.far
	}
	line = fmt.Sprintf("%s … %d s", line, int(took.Seconds()))
	if t.to.out == nil {
		escape.Fprintln(t.to.to, line)
		return
	}
	line = clipped(line, t.to.out)
	_ = t.to.out.CarriageReturn() // a line that cannot be drawn is none
	escape.Fprintf(t.to.out, "%s%s", line, strings.Repeat(" ", max(0, t.shown-utf8.RuneCountInString(line))))
	t.shown = utf8.RuneCountInString(line)
}

// clipped is as much of a line as fits into a row of a terminal: more could not be cleared.
func clipped(line string, out *escape.Writer) string {
	width, _, err := term.GetSize(out.File().Fd())
	if runes := []rune(line); err == nil && width > 1 && len(runes) >= width {
		return string(runes[:width-2]) + "…"
	}
	return line
}

// clear clears the line.
func (t *Task) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shown == 0 {
		return
	}
	_ = t.to.out.CarriageReturn()
	escape.Fprintf(t.to.out, "%s", strings.Repeat(" ", t.shown))
	_ = t.to.out.CarriageReturn()
	t.shown = 0
}

// Write writes a line of a log: it replaces the task's, which the next update writes again.
func (t *Task) Write(p []byte) (int, error) {
	t.clear()
	return t.to.log.Write(p)
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

// lines passes on what is said of a task that lasts, a line every plainPeriod.
type lines struct {
	say         func(string)
	begun, last time.Time // begun is zero where nothing lasts
}

// at takes what is said now; empty: the task has ended.
func (l *lines) at(now time.Time, line string) {
	switch {
	case line == "":
		*l = lines{say: l.say}
		return
	case l.begun.IsZero():
		l.begun, l.last = now, now
	}
	if now.Sub(l.last) >= plainPeriod {
		l.last = now
		l.say(line)
	}
}
