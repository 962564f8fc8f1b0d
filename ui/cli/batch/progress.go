package batch

import (
	"fmt"
	"io"
	"strings"
	"time"

	"simdeck/sim/sweep"
	"simdeck/ui/escape"
)

// Periods of the bar and of the progress lines, and width of the bar.
const (
	drawEvery = 100 * time.Millisecond
	lineEvery = 5 * time.Second
	barWidth  = 24
)

// Bar says how far a sweep is: on a terminal a bar that stays in its line, else plain lines. Runs that do not
// pass are said at once.
type Bar struct {
	Sweep    *sweep.Sweep
	Out      io.Writer
	Terminal bool
	Width    int // columns of the terminal

	runs, before, done, failed int
	under                      map[int]float64
	begun, drawn               time.Time
	shown                      int // columns of the bar that is drawn
}

// Begin says how many runs there are, and how many of them were done before.
func (b *Bar) Begin(runs, before int) {
	b.runs, b.before, b.done = runs, before, before
	b.begun, b.drawn = time.Now(), time.Time{}
	if !b.Terminal {
		b.drawn = b.begun
		line := fmt.Sprintf("%d runs", runs)
		if before > 0 {
			line += fmt.Sprintf(", %d of them done before", before)
		}
		escape.Fprintln(b.Out, line)
	}
	b.draw(b.begun)
}

// At says what goes on.
func (b *Bar) At(under map[int]float64) {
	b.under = under
	b.draw(time.Now())
}

// Done says what became of a run.
func (b *Bar) Done(r *sweep.Run, row Row) {
	if b.done++; row.Outcome != sweep.Passed {
		b.failed++
		b.clear()
		escape.Fprintln(b.Out, Line(b.Sweep, r, row))
	}
	if b.done+len(b.under) >= b.runs { // else the next one begins at once, and that is drawn
		b.draw(time.Now())
	}
}

// End says that nothing comes any more.
func (b *Bar) End() { b.clear() }

// draw draws the bar or writes a line, if one is due.
func (b *Bar) draw(now time.Time) {
	every := lineEvery
	if b.Terminal {
		every = drawEvery
	}
	if now.Sub(b.drawn) < every && b.done < b.runs {
		return
	}
	b.drawn = now
	line := b.line(now)
	if !b.Terminal {
		escape.Fprintln(b.Out, line)
		return
	}
	full := 0
	if b.runs > 0 {
		full = b.done * barWidth / b.runs
	}
	line = "[" + strings.Repeat("=", full) + strings.Repeat(" ", barWidth-full) + "] " + line
	if b.Width > 1 && len(line) >= b.Width {
		line = line[:b.Width-1]
	}
	b.back()
	escape.Fprintf(b.Out, "%s%s", line, strings.Repeat(" ", max(0, b.shown-len(line))))
	b.shown = len(line)
}

// line is the progress in one line.
func (b *Bar) line(now time.Time) string {
	s := fmt.Sprintf("%d of %d done, %d running", b.done, b.runs, len(b.under))
	if b.failed > 0 {
		s += fmt.Sprintf(", %d not passed", b.failed)
	}
	if left, ok := b.left(now); ok {
		s += fmt.Sprintf(", %v left", left)
	}
	return s
}

// left is the remaining time at the rate until now, unknown before any progress.
func (b *Bar) left(now time.Time) (time.Duration, bool) {
	did := float64(b.done - b.before)
	for _, part := range b.under {
		did += part
	}
	if did <= 0 || b.done >= b.runs {
		return 0, false
	}
	rest := float64(b.runs-b.before) - did
	return (time.Duration(float64(now.Sub(b.begun)) * rest / did)).Round(time.Second), true
}

// clear takes the bar away.
func (b *Bar) clear() {
	if b.shown > 0 {
		b.back()
		escape.Fprintf(b.Out, "%s", strings.Repeat(" ", b.shown))
		b.back()
		b.shown = 0
	}
}

// back goes to the first column. The writer of a terminal escapes characters that move the cursor, and has a
// word for it.
func (b *Bar) back() {
	if w, ok := b.Out.(*escape.Writer); ok {
		_ = w.CarriageReturn() // a bar that cannot be drawn is none
		return
	}
	_, _ = io.WriteString(b.Out, "\r")
}
