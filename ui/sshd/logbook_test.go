package sshd

import (
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"simdeck/ui/admission"
)

func addr(format string, a ...any) admission.Source {
	return admission.SourceOf(netip.MustParseAddr(fmt.Sprintf(format, a...)))
}

func TestAFloodWritesAFewLinesAndACount(t *testing.T) {
	var log written
	now := time.Unix(1e9, 0)
	b := newLogbook(slog.New(slog.NewTextHandler(&log, nil)), now)
	for i := range 5000 {
		b.note(now.Add(time.Duration(i)*time.Millisecond), slog.LevelWarn, connectionRefused,
			addr("192.0.2.%d", i%6), linesPerKind, "from", i)
	}
	b.note(now, slog.LevelInfo, loginRefused, addr("192.0.2.1"), linesPerKind)
	if n := strings.Count(log.text(), "\n"); n != linesPerKind+1 {
		t.Errorf("%d lines: %s", n, log.text())
	}
	b.flush(now.Add(59*time.Second), false)
	if strings.Contains(log.text(), "more") {
		t.Errorf("too early: %s", log.text())
	}
	b.flush(now.Add(time.Minute), false)
	if want := "4997 more connections refused from 192.0.2.0/24 within 1m0s"; strings.Count(log.text(),
		want) != 1 || strings.Count(log.text(), "more") != 1 {
		t.Errorf("want %q once: %s", want, log.text())
	}
	b.note(now.Add(time.Minute), slog.LevelWarn, connectionRefused, addr("192.0.2.1"), linesPerKind, "from",
		"again")
	if !strings.Contains(log.text(), "from=again") {
		t.Error("the next minute's first is not written")
	}
}

func TestAFloodFromEverywhereWritesABoundedNumberOfLines(t *testing.T) {
	var log written
	now := time.Unix(1e9, 0)
	b := newLogbook(slog.New(slog.NewTextHandler(&log, nil)), now)
	for i := range 100_000 {
		b.note(now, slog.LevelWarn, connectionRefused, addr("2001:db8:%x::1", i&0xffff), linesPerKind)
	}
	b.flush(now, true)
	if n := strings.Count(log.text(), "\n"); n > maxKinds*(linesPerKind+1)+1 {
		t.Errorf("%d lines", n)
	}
	if want := fmt.Sprintf("%d more connections refused from other networks",
		100_000-2*maxKinds); !strings.Contains(log.text(), want) {
		t.Errorf("want %q: %s", want, log.text()[len(log.text())-300:])
	}
}

func TestWhatStrangersSayIsCutAndMovesNoTerminal(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b]52;c;ZXZpbA==\a\x9b31mred\r\nSSH: all is well": "\\u001b]52;c;ZXZpbA==\\u0007\ufffd31mred\\u000d\\nSSH: all is well",
		"a\u009bb\u202ec":               "a\\u009bb\\u202ec",
		strings.Repeat("x", 300):        strings.Repeat("x", maxSaid) + "…",
		strings.Repeat("\u00e9", 1<<20): strings.Repeat("\u00e9", maxSaid) + "…",
		strings.Repeat("\x1b", 1<<20):   strings.Repeat("\\u001b", maxSaid)[:maxSaid] + "…",
		"":                              "",
	} {
		if got := said(text); got != want {
			t.Errorf("%.40q is logged as %.240q, want %.240q", text, got, want)
		}
	}
}
