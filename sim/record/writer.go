package record

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"simdeck/sim"
)

const (
	// chunk is the number of steps that share a line.
	chunk = 250
	// fullWaiting is the number of bytes from which on the simulation waits for a slow disk. mostWaiting is
	// the most, with the commands that come meanwhile, before the recording is given up.
	fullWaiting = 8 << 20
	mostWaiting = 32 << 20
)

// Writer records. The engine's loop calls what sim.Recorder has, which never waits; Run writes.
type Writer struct {
	to     io.Writer
	header Header
	wake   chan struct{}

	mu      sync.Mutex
	before  []sim.LogEntry // than the recording, to be written first
	begun   bool
	ended   bool
	parts   []part // before waiting
	waiting []byte
	size    int    // of what waits, about
	at      uint64 // steps before hashes[0]
	hashes  []uint32
	wrote   int64
	err     error
}

var _ sim.Recorder = (*Writer)(nil)

// NewWriter makes the writer of a recording with a header, whose steps and numbers Begin sets.
func NewWriter(to io.Writer, h Header) *Writer {
	h.Format = Format
	return &Writer{to: to, header: h, wake: make(chan struct{}, 1)}
}

// Begin begins the recording with what was done before.
func (w *Writer) Begin(from sim.RecordPosition, before []sim.LogEntry, now uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.header.Steps, w.header.LastID, w.header.Since = from.Steps, from.ID, now
	w.before, w.begun = before, true
	w.push()
}

// End ends the recording: Run returns when all is written.
func (w *Writer) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	w.ended = true
	w.push()
}

// Command records a command or a step that failed, after the steps that came before it.
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

// Step records the hash of the world after its step number total.
func (w *Writer) Step(total, hash uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.hashes) == 0 {
		w.at = total - 1
	}
	w.hashes = append(w.hashes, uint32(hash))
	if len(w.hashes) >= chunk {
		w.flush()
		w.push()
	}
}

// part is text, and the state that comes behind it.
type part struct {
	text []byte
	line stateLine
}

// State records the state of the world. It is Run that makes text of it, which takes a while for a large
// world.
func (w *Writer) State(total uint64, step time.Duration, is sim.Restore) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	if w.err == nil {
		w.parts = append(w.parts, part{w.waiting, stateLine{total, is.Time, step, &is}})
		w.waiting = nil
	}
	w.push()
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
		w.waiting, w.parts = nil, nil
	}
	w.size = len(w.waiting)
	for i := range w.parts {
		w.size += len(w.parts[i].text) + 2*len(w.parts[i].line.State.Physics)
	}
	if w.size > mostWaiting {
		w.fail(fmt.Errorf("%d MiB wait for the disk: it is too slow, and the recording ends here",
			w.size>>20))
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
	w.waiting, w.parts, w.size = nil, nil, 0
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Full reports that the simulation should wait for the disk.
func (w *Writer) Full() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.size > fullWaiting
}

// Break ends the recording early for a reason that is not its own: nothing more is kept. No error breaks
// nothing.
func (w *Writer) Break(err error) {
	if err != nil {
		w.broke(err)
	}
}

// Err says why the recording ended early; nil while it goes on.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Run writes until the recording or ctx ends, and then the rest. Where something cannot be written it ends at
// once, and its error says why.
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
		text, parts, before, begins := w.waiting, w.parts, w.before, w.begun
		w.waiting, w.parts, w.before, w.begun, w.size = nil, nil, nil, false, 0
		done = done || w.ended || w.err != nil
		w.mu.Unlock()
		if begins {
			w.write(w.preface(before))
		}
		for i := range parts {
			w.write(w.stated(&parts[i]))
		}
		w.write(text)
		done = done || w.Err() != nil
	}
	return w.Err()
}

// preface is the header, and what was done before.
func (w *Writer) preface(before []sim.LogEntry) []byte {
	text, err := json.Marshal(w.header)
	text = append(text, '\n')
	for i := range before {
		if err == nil {
			text, err = AppendBefore(text, &before[i])
		}
	}
	if err != nil {
		w.broke(fmt.Errorf("beginning of the recording: %w", err))
		return nil
	}
	return text
}

// stated is a part as it is written.
func (w *Writer) stated(p *part) []byte {
	text, err := appendState(p.text, &p.line)
	if err != nil {
		w.broke(fmt.Errorf("at step %d: %w", p.line.At, err))
		return nil
	}
	return text
}

func (w *Writer) write(text []byte) {
	if len(text) == 0 || w.Err() != nil {
		return
	}
	n, err := w.to.Write(text)
	w.mu.Lock()
	w.wrote += int64(n)
	w.mu.Unlock()
	if err != nil {
		w.broke(fmt.Errorf("recording: %w", err))
	}
}

func (w *Writer) broke(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail(err)
}

// Wrote is the size of the recording in bytes.
func (w *Writer) Wrote() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.wrote
}
