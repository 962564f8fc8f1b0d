package sshd

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"simdeck/ui/escape"

	"simdeck/ui/admission"
)

// Bounds of log lines caused by strangers.
const (
	linesPerKind = 3   // of one kind and block in a period
	loginLines   = 30  // the same of those who did log in
	maxKinds     = 32  // of one kind and block that are told apart; the others are counted together
	maxSaid      = 200 // characters of what strangers say
	logPeriod    = time.Minute
)

// logbook logs connections at a bounded rate: the first lines of each kind from each address block, then the
// number of further ones.
type logbook struct {
	log *slog.Logger

	mu      sync.Mutex
	since   time.Time
	counted map[kindOf]*tally
}

// kind is a log message on connections: its singular and its plural.
type kind struct{ one, several string }

var (
	connectionRefused = kind{"connection refused", "connections refused"}
	loginRefused      = kind{"login refused", "logins refused"}
	sessionOpened     = kind{"session opened", "sessions opened"}
	sessionClosed     = kind{"session closed", "sessions closed"}
	acceptFailed      = kind{"connection not accepted", "connections not accepted"}
)

// kindOf is the key of a count; the block is zero where too many are told apart.
type kindOf struct {
	kind  kind
	block netip.Prefix
}

type tally struct{ written, more int }

func newLogbook(log *slog.Logger, now time.Time) *logbook {
	return &logbook{log: log, since: now, counted: map[kindOf]*tally{}}
}

// note writes a line, or counts it.
func (b *logbook) note(now time.Time, level slog.Level, what kind, from admission.Source, most int,
	args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn(now)
	key := kindOf{what, from.Block()}
	t := b.counted[key]
	if t == nil && len(b.counted) >= maxKinds {
		key.block, most = netip.Prefix{}, 0
		t = b.counted[key]
	}
	if t == nil {
		t = &tally{}
		b.counted[key] = t
	}
	if t.written >= most {
		t.more++
		return
	}
	t.written++
	b.log.Log(context.Background(), level, "SSH: "+what.one, args...)
}

// turn writes how many lines were left out, once a period is over.
func (b *logbook) turn(now time.Time) {
	if now.Sub(b.since) >= logPeriod {
		b.sum(now)
	}
}

func (b *logbook) sum(now time.Time) {
	for k, t := range b.counted {
		if t.more == 0 {
			continue
		}
		where := k.block.String()
		if k.block == (netip.Prefix{}) {
			where = "other networks"
		}
		within := max(now.Sub(b.since), time.Second).Round(time.Second)
		b.log.Warn(fmt.Sprintf("SSH: %d more %s from %s within %v", t.more, k.kind.several, where, within))
	}
	b.since, b.counted = now, map[kindOf]*tally{}
}

// flush writes what is due; all of it at the end.
func (b *logbook) flush(now time.Time, end bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.turn(now); end {
		b.sum(now)
	}
}

// said is a stranger's text for the log: escaped for terminals, and cut.
func said(text string) string { return cut(escape.Line(cut(text, maxSaid)), maxSaid) }

// cut is a text of at most n characters.
func cut(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i] + "…"
		}
	}
	return text
}
