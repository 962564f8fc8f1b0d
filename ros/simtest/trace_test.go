package simtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// trace is the list of a simulation's events, ordered by simulated time and actor: equal in all runs of a
// seed.
type trace struct {
	mu    sync.Mutex
	begun time.Time
	lines []traced
	over  time.Duration // when the simulation ended; how long the rest takes is not in the trace
}

type traced struct {
	at   time.Duration
	who  string
	text string
}

// add writes a line down. Texts of an actor at the same time keep their order.
func (t *trace) add(who, format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := time.Since(t.begun)
	if t.over > 0 {
		at = t.over
	}
	t.lines = append(t.lines, traced{at, who, fmt.Sprintf(format, args...)})
}

// end is the end of what has a time.
func (t *trace) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = time.Since(t.begun)
}

// String is all of it.
func (t *trace) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := slices.Clone(t.lines)
	slices.SortStableFunc(lines, func(a,
		b traced) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.who, b.who))
	})
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%12.6f %-10s %s\n", l.at.Seconds(), l.who, l.text)
	}
	return b.String()
}

// tail is its last lines.
func tail(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-1-n):], "")
}

// difference is the first difference of two traces.
func difference(a, b string) string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return strings.Join(x[max(0, i-5):i], "") + "- " + x[i] + "+ " + y[i]
		}
	}
	return fmt.Sprintf("one has %d lines, the other %d", len(x), len(y))
}
