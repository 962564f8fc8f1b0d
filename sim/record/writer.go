package record

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"simdeck/sim"
)

const (
	// chunk is how many steps share a line.
	chunk = 250
	// mostWaiting is how many bytes wait for a slow disk before the recording is given up.
	mostWaiting = 32 << 20
)

// Writer records. Command and Step are called by the engine's loop and never wait; Run writes.
type Writer struct {
	to   io.Writer
	wake chan struct{}

	mu      sync.Mutex
	waiting []byte
	at      uint64 // steps before hashes[0]
	hashes  []uint32
	last    uint64 // step recorded
	err     error
}

// NewWriter begins a recording with its header.
func NewWriter(to io.Writer, h Header) (*Writer, error) {
	h.Format = Format
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("header of the recording: %w", err)
	}
	return &Writer{to: to, wake: make(chan struct{}, 1), waiting: append(text, '\n')}, nil
}

// Command records a command, after the steps that came before it.
func (w *Writer) Command(e sim.LogEntry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	text, err := AppendCommand(w.waiting, &e)
	if err != nil {
		w.fail(fmt.Errorf("at step %d: %w", e.Step, err))
		return
	}
	w.waiting = text
	w.push()
}

// Step records the hash of the world after its step number total; the same number again is a step that
// failed.
func (w *Writer) Step(total, hash uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if total == w.last {
		w.flush()
		w.waiting = AppendHalt(w.waiting, total, hash)
		w.push()
		return
	}
	w.last = total
	if len(w.hashes) == 0 {
		w.at = total - 1
	}
	w.hashes = append(w.hashes, uint32(hash))
	if len(w.hashes) >= chunk {
		w.flush()
		w.push()
	}
}

// flush makes a line of the steps so far.
func (w *Writer) flush() {
	if len(w.hashes) > 0 {
		w.waiting = AppendSteps(w.waiting, w.at, w.hashes)
		w.hashes = w.hashes[:0]
	}
}

// push tells Run that something waits.
func (w *Writer) push() {
	if w.err != nil {
		w.waiting = nil
		return
	}
	if len(w.waiting) > mostWaiting {
		w.fail(fmt.Errorf("%d MiB wait for the disk: it is too slow, and the recording ends here", len(w.waiting)>>20))
		return
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
	w.waiting = nil
}

// Err says why the recording ended early; nil while it goes on.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Run writes until ctx ends, and then the rest. Its error is why something could not be written.
func (w *Writer) Run(ctx context.Context) error {
	for done := false; !done; {
		select {
		case <-w.wake:
		case <-ctx.Done():
			done = true
		}
		w.mu.Lock()
		if done {
			w.flush()
		}
		text := w.waiting
		w.waiting = nil
		w.mu.Unlock()
		if len(text) == 0 {
			continue
		}
		if _, err := w.to.Write(text); err != nil {
			w.mu.Lock()
			w.fail(fmt.Errorf("recording: %w", err))
			w.mu.Unlock()
		}
	}
	return w.Err()
}
