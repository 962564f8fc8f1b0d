package cli

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"simdeck/ui/cli/store"
)

// datagrams is the file of what went over the network in the folder of a trace.
const datagrams = "rtps.pcap"

// trace is the file of a trace. One that cannot be written any more ends with its last whole datagram, and
// those after it are counted: the network goes on.
type trace struct {
	log  *slog.Logger
	mu   sync.Mutex
	file *os.File
	size int64  // of whole datagrams
	lost uint64 // datagrams
	err  error
}

// OpenTrace makes the file that every datagram is written into; nil when no
// trace is asked for, or there is no network. One that is there is left alone,
// with an error. The log is told when it breaks.
func (o Options) OpenTrace(log *slog.Logger) (io.WriteCloser, error) {
	if o.Trace == "" || o.ROS.Off {
		return nil, nil
	}
	folder, err := store.Open(o.Trace)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	defer folder.Close()
	file, err := store.Create(folder, datagrams)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%w: %s holds a trace already; name another folder", ErrUsage, o.Trace)
	}
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return &trace{log: log, file: file}, nil
}

// Write writes a datagram with its header, or counts it as lost. It has no errors: whoever sends is not to
// end with the trace.
func (t *trace) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		t.lost++
		return len(b), nil
	}
	if _, err := t.file.Write(b); err != nil {
		t.err, t.lost = store.Explain(err), 1
		// a reader stumbles over half a datagram; the error that is told is the first one
		_ = t.file.Truncate(t.size)
		t.log.Error("trace stopped, the simulation continues", "error", t.err)
		return len(b), nil
	}
	t.size += int64(len(b))
	return len(b), nil
}

// Close closes the file, and says why it ended early.
func (t *trace) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := store.Explain(t.file.Close())
	if t.err != nil {
		return fmt.Errorf("trace: %w; %d datagrams lost", t.err, t.lost)
	}
	return err
}
