// Package logtest has the log that tests read while it is written.
package logtest

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
)

// Journal is a log that tests read.
type Journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Log writes into the journal, a line each.
func (j *Journal) Log() *slog.Logger { return slog.New(slog.NewTextHandler(j, nil)) }

// Write adds text.
func (j *Journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

// String returns the whole log.
func (j *Journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// Count says how often a text was logged.
func (j *Journal) Count(text string) int { return strings.Count(j.String(), text) }
