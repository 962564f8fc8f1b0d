package webots

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"time"
)

const (
	consoleLine = 400 // bytes of a line that are logged
	consoleRate = 50  // lines in a second
	lastLines   = 5   // of the errors of a program that ended, which are told again
)

// rate lets so many pass in a second.
type rate struct {
	since  time.Time // of the second in which passed passed
	passed int
}

func (r *rate) pass(most int) bool {
	if now := time.Now(); now.Sub(r.since) > time.Second {
		r.since, r.passed = now, 0
	}
	r.passed++
	return r.passed <= most
}

// consoleLog logs what a controller prints, as far as that is not too much.
type consoleLog struct{ rate }

func (c *consoleLog) write(log *slog.Logger, stream uint8, text []byte) {
	for line := range bytes.SplitSeq(bytes.TrimRight(text, "\x00\n"), []byte("\n")) {
		if !c.pass(consoleRate) {
			return
		}
		line = line[:min(len(line), consoleLine)]
		if stream == 2 {
			log.Warn("webots: controller: " + string(line))
			continue
		}
		log.Info("webots: controller: " + string(line))
	}
}

// printed logs the two streams of a program line by line, and keeps the last lines of its errors.
type printed struct {
	log     *slog.Logger
	begun   chan struct{} // closed when the log says that the controller was started: its lines come after that
	mu      sync.Mutex
	console consoleLog
	last    []string
}

// stream is a writer for a stream: 1 or 2, as POSIX counts them.
func (p *printed) stream(n uint8) *stream { return &stream{to: p, n: n} }

func (p *printed) line(n uint8, line []byte) {
	<-p.begun
	p.mu.Lock()
	defer p.mu.Unlock()
	p.console.write(p.log, n, line)
	if n == 2 && len(bytes.TrimSpace(line)) > 0 {
		p.last = append(p.last[max(0, len(p.last)+1-lastLines):], string(line))
	}
}

// errors are the last lines of the second stream.
func (p *printed) errors() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.last, "\n")
}

// stream cuts what is written into lines; of a long one it keeps the beginning.
type stream struct {
	to   *printed
	n    uint8
	line []byte
}

// Write takes a part of the stream.
func (s *stream) Write(text []byte) (int, error) {
	for rest := text; ; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		s.line = append(s.line, line[:min(len(line), consoleLine-len(s.line))]...)
		if !ended {
			return len(text), nil
		}
		s.to.line(s.n, bytes.TrimRight(s.line, "\r"))
		s.line, rest = s.line[:0], after
	}
}

// Close hands on what has no end of line.
func (s *stream) Close() error {
	if len(s.line) > 0 {
		s.to.line(s.n, s.line)
	}
	return nil
}
